"""Program of its own that shows a wrong gradient: the rule, its inputs, what it returns and what the forward says."""

from __future__ import annotations

import sys
from pathlib import Path

from .grids import Grid
from .observations import RuleCase
from .torch_rules import TorchSubject

__all__ = ["write_snippet"]

MOST_NUMBERS = 300  # that are written out
STEP = 1e-6


def write_snippet(case: RuleCase, i: int) -> str:
    """The program; "" where its inputs are too many, or no text stands for them."""
    subject = case.subject
    if not isinstance(subject, TorchSubject):
        return ""
    worst = case.worst(i)
    seen = worst.observation
    if sum(map(len, (*seen.point, *seen.upstream))) > MOST_NUMBERS:
        return ""
    imported = _import(subject)
    arguments = [_argument(subject, k) for k in range(len(subject.arguments))]
    if not imported or any(text is None for text in arguments):
        return ""
    names = list(_variables(subject))
    for place, name in zip(subject.places, names, strict=True):
        arguments[place] = name
    position = list(seen.point[i].position(worst.position))
    call = f"{_called(subject)}({', '.join(map(str, arguments))})"
    lines = ["import torch", *imported, ""]
    for grid, name in zip(seen.point, names, strict=True):
        lines.append(f"{name} = {_tensor(grid)}")
    lines += [f"upstream{k} = {_tensor(grid)}" for k, grid in enumerate(seen.upstream)]
    seed = [f"    torch.manual_seed({subject.seed})"] if subject.draws else []
    lines += [
        "",
        f"def total({', '.join(names)}):",
        *seed,
        f"    out = {call}",
        "    out = out if isinstance(out, (tuple, list)) else (out,)",
        "    return sum((out[k] * u).sum() for k, u in zip("
        f"{list(subject.outputs)}, [{', '.join(f'upstream{k}' for k in range(len(seen.upstream)))}]))",
        "",
        f"inputs = [x.clone().requires_grad_() for x in ({', '.join(names)},)]",
        "total(*inputs).backward()"
        if not subject.cloned
        else "total(*(x.clone() for x in inputs)).backward()",
        f"grad = inputs[{i}].grad",
        f'print("returned:", None if grad is None else grad{_index(position)}.item())',
        "",
        "ends = []",
        f"for step in ({STEP}, -{STEP}):",
        f"    moved = [x.clone() for x in ({', '.join(names)},)]",
        f"    moved[{i}]{_index(position)} += step",
        "    with torch.no_grad():",
        "        ends.append(total(*moved).item())",
        f'print("slope of the forward:", (ends[0] - ends[1]) / {2 * STEP})',
    ]
    return "\n".join(lines) + "\n"


def _index(position: list[int]) -> str:
    return f"[{', '.join(map(str, position))}]" if position else "[()]"


def _variables(subject: TorchSubject) -> list[str]:
    return [
        name if name.isidentifier() and name not in ("total", "inputs") else f"x{k}"
        for k, name in enumerate(subject.names)
    ]


def _tensor(grid: Grid) -> str:
    numbers = ", ".join(map(repr, grid.numbers))
    shape = f".reshape({', '.join(map(str, grid.shape))})" if len(grid.shape) != 1 else ""
    return f"torch.tensor([{numbers}], dtype=torch.float64){shape if grid.shape else '.reshape(())'}"


def _argument(subject: TorchSubject, k: int) -> str | None:
    """An argument as text; None where there is none for it."""
    if k in subject.places:
        return ""
    x = subject.arguments[k]
    if isinstance(x, subject.torch.Tensor):
        if x.numel() > MOST_NUMBERS:
            return None
        return f"torch.tensor({x.tolist()!r}, dtype={x.dtype})"
    if x is None or isinstance(x, (bool, int, float, str)):
        return repr(x)
    if isinstance(x, (tuple, list)) and all(
        each is None or isinstance(each, (bool, int, float, str)) for each in x
    ):
        return repr(x)
    return None


def _called(subject: TorchSubject) -> str:
    name = str(getattr(subject.fn, "__qualname__", subject.name))
    return f"{name}.apply" if subject.function_class is not None else name


def _import(subject: TorchSubject) -> list[str]:
    """Lines that import the rule; none where it cannot be imported by a name."""
    module = str(getattr(subject.fn, "__module__", ""))
    name = str(getattr(subject.fn, "__qualname__", ""))
    loaded = sys.modules.get(module)
    file = getattr(loaded, "__file__", None)
    if not name or "<" in name or module == "__main__" or loaded is None or not file:
        return []
    path = Path(file)
    folder = (
        path.parents[module.count(".") + (path.stem == "__init__")]
        if module.count(".") < len(path.parents)
        else path.parent
    )
    first = name.partition(".")[0]
    return ["import sys", f"sys.path.insert(0, {str(folder)!r})", f"from {module} import {first}"]
