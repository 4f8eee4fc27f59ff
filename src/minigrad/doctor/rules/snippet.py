"""Program that shows a wrong gradient by itself: the rule, its inputs, what it returns, the slope."""

from __future__ import annotations

import keyword
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

from .grids import Grid
from .observations import Observation, ObservedEntry, RuleCase
from .torch_rules import TorchSubject

__all__ = ["write_snippet"]

MOST_NUMBERS = 300  # that are written out
WIDTH = 88
STEP = "1e-6"
TAKEN = {"torch", "sys", "total", "outs", "upstream", "step", "slope", "x"}
PLAIN = (bool, int, float, str, type(None))


def write_snippet(case: RuleCase, i: int) -> str:
    """The program; "" where its inputs are too many, or have no text that makes them."""
    subject = case.subject
    if not isinstance(subject, TorchSubject) or subject.dtype != subject.torch.float64:
        return ""
    entry = _plainest(case, i)
    seen = entry.observation
    arguments = [_argument(subject, k) for k in range(len(subject.arguments))]
    imported = _import_lines(subject)
    if not imported or None in arguments or sum(map(len, (*seen.point, *seen.upstream))) > MOST_NUMBERS:
        return ""
    names = _variables(subject)
    for place, name in zip(subject.places, names, strict=True):
        arguments[place] = f"{name}.clone()" if subject.cloned else name
    call = f"{_called(subject)}({', '.join(map(str, arguments))})"
    return "\n".join(
        [
            *imported,
            "",
            *(_assignment(name, grid) for name, grid in zip(names, seen.point, strict=True)),
            *_upstream_lines(subject, seen),
            "",
            "",
            *_total_lines(subject, names, call, seen),
            "",
            "",
            *_comparison_lines(entry, i, names, seen.point),
            "",
        ]
    )


def _plainest(case: RuleCase, i: int) -> ObservedEntry:
    """A wrong number that few others take part in: one upstream number alone, at the first point."""
    clear = [
        e
        for e in case.wrong(i)
        if abs(e.got - e.expected.value) > 1e-3 * max(abs(e.got), abs(e.expected.value))
    ]
    for entry in clear:
        if entry.observation.point == case.subject.start and sum(map(bool, entry.observation.seeds)) == 1:
            return entry
    here = [entry for entry in clear if entry.observation.point == case.subject.start]
    return (here or [case.worst(i)])[0]


# ---- its parts ----------------------------------------------------------------------------------


def _upstream_lines(subject: TorchSubject, seen: Observation) -> list[str]:
    if len(seen.upstream) == 1:
        return [_assignment("upstream", seen.upstream[0])]
    return [_assignment(f"upstream{k}", grid) for k, grid in zip(subject.outputs, seen.upstream, strict=True)]


def _total_lines(subject: TorchSubject, names: Sequence[str], call: str, seen: Observation) -> list[str]:
    seed = [f"    torch.manual_seed({subject.seed})"] if subject.draws else []
    head = [f"def total({', '.join(names)}):", *seed]
    with subject.seeded():
        several = isinstance(subject.run(subject.leaves(seen.point)), (tuple, list))
    if not several:
        return [*head, f"    return ({call} * upstream).sum()"]
    if len(subject.outputs) == 1:
        return [*head, f"    return ({call}[{subject.outputs[0]}] * upstream).sum()"]
    terms = " + ".join(f"(outs[{k}] * upstream{k}).sum()" for k in subject.outputs)
    return [*head, f"    outs = {call}", f"    return {terms}"]


def _comparison_lines(entry: ObservedEntry, i: int, names: Sequence[str], point: Sequence[Grid]) -> list[str]:
    position = list(point[i].position(entry.position))
    at = f"[{', '.join(map(str, position))}]" if position else ""
    name = names[i]
    returned = f"{name}.grad" if entry.observation.grads[i] is None else f"{name}.grad{at}.item()"

    def moved(sign: str) -> str:
        return ", ".join(f"{other} {sign} step" if other == name else other for other in names)

    return [
        *(f"{each}.requires_grad_()" for each in names),
        f"total({', '.join(names)}).backward()",
        f'print("returned for {name}{at}:", {returned})',
        f"step = torch.zeros_like({name})",
        f"step{at or '[()]'} = {STEP}",
        f"slope = (total({moved('+')}) - total({moved('-')})) / (2 * {STEP})",
        'print("slope of the forward:", slope.item())',
    ]


def _assignment(name: str, grid: Grid) -> str:
    text = f"{name} = torch.tensor({_nested(grid)}, dtype=torch.float64)"
    indent = " " * (len(name) + len(" = torch.tensor("))
    return fill(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _nested(grid: Grid) -> str:
    """Its numbers in lists of lists."""
    if not grid.shape:
        return repr(grid.numbers[0])
    size = len(grid) // max(1, grid.shape[0])
    parts = [
        Grid(grid.shape[1:], grid.numbers[k * size : (k + 1) * size]) for k in range(grid.shape[0])
    ]  # fmt: skip
    return "[" + ", ".join(map(_nested, parts)) + "]"


def _variables(subject: TorchSubject) -> list[str]:
    return [
        f"x{k}" if not name.isidentifier() or keyword.iskeyword(name) or name in TAKEN - {"x"} else name
        for k, name in enumerate(subject.names)
    ]


def _argument(subject: TorchSubject, k: int) -> str | None:
    """An argument as text; None where no text makes it."""
    if k in subject.places:
        return ""
    x = subject.arguments[k]
    if isinstance(x, subject.torch.Tensor):
        return f"torch.tensor({x.tolist()!r}, dtype={x.dtype})" if x.numel() <= MOST_NUMBERS else None
    if isinstance(x, PLAIN) or (type(x) in (tuple, list) and all(isinstance(each, PLAIN) for each in x)):  # type: ignore[attr-defined]
        return repr(x)
    return None


def _called(subject: TorchSubject) -> str:
    name = str(getattr(subject.fn, "__qualname__", subject.name))
    return f"{name}.apply" if subject.function_class is not None else name


def _import_lines(subject: TorchSubject) -> list[str]:
    """Lines that import the rule; none where no import finds it by its name."""
    module = str(getattr(subject.fn, "__module__", ""))
    name = str(getattr(subject.fn, "__qualname__", "<locals>"))
    first = name.partition(".")[0]
    loaded = sys.modules.get(module)
    file = getattr(loaded, "__file__", None)
    if "<" in name or not hasattr(loaded, first) or module == "__main__" or not file:
        return []
    path = Path(file).resolve()
    depth = module.count(".") + (path.stem == "__init__")
    if depth >= len(path.parents) or path.suffix != ".py":
        return []
    folder = path.parents[depth]
    return [
        "import sys",
        "",
        "import torch",
        "",
        f"sys.path.insert(0, {str(folder)!r})",
        f"from {module} import {first}",
    ]
