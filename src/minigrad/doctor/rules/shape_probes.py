"""Shape probes of a rule of PyTorch: the same call at other lengths, with none, and with more axes.

Where the forward raises or gives no numbers is a border of what it is meant for, and no fault.  What is wrong
at another shape, and right at the one that was examined, limits the rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod
from random import Random
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

from .expected import measure
from .grids import Grid, Shape
from .input_structure import follows, near_enough, structures_of
from .observations import Observation, RuleCase
from .report import LIMITED, Remark, RuleFinding, Unseen
from .stages import late_remark
from .subject import Point, RuleGradients, RuleRefusedError

if TYPE_CHECKING:
    from torch import Tensor

    from .torch_rules import TorchSubject

__all__ = ["shape_findings"]

SLACK = 1e-5
LARGEST = 400  # numbers of a call with another shape
MOST_AXES = 4
SHOWN = 4  # shapes that a finding names
Found: TypeAlias = RuleFinding | Remark


def shape_findings(subject: TorchSubject, deadline: float) -> Iterator[Found]:
    """At most one finding for each input, and one for errors; each names the shapes."""
    if subject.rounding or subject.complex_places or any(map(_is_particular, _grids(subject))):
        return
    if any(_is_one_hot(x) for x in _tensors(subject).values()):
        return  # cut or continued, its rows would have no single one any more
    random = Random(subject.seed)
    found: dict[tuple[str, str], list[tuple[RuleFinding, str]]] = {}
    more: list[str] = []
    upstream = _upstream(subject.forward(subject.start), random)
    constant = {i for i, grad in enumerate(subject.pull(subject.start, upstream).grads) if grad is None}
    followed = subject.plain_pull(subject.start, upstream) is not None
    for tried, wider in _other_calls(subject):
        if monotonic() > deadline:
            yield late_remark(["shapes"])
            break
        label = _label(tried)
        for finding in _findings_at(tried, random, constant, followed):
            if finding.fault == "error-at-shape" and (wider or len(subject.given) > 1):
                more.append(label)  # shapes that belong together were changed, and it says so itself
            else:
                found.setdefault((finding.fault, finding.input), []).append((finding, label))
    for cases in found.values():
        first = cases[0][0]
        labels = [label for _, label in cases]
        shapes = "; ".join(labels[:SHOWN]) + ("; ..." if len(labels) > SHOWN else "")
        yield replace(first, fields={**first.fields, "shapes": shapes})
    if more:
        yield Unseen("other-shapes", "; ".join(more[:SHOWN]))


def _is_one_hot(x: Tensor) -> bool:
    """Whole numbers whose rows have a single one."""
    if x.is_floating_point() or x.is_complex() or x.dim() < 2 or not x.numel():
        return False
    return bool((x.long().sum(-1) == 1).all()) and int(x.long().min()) >= 0


def _label(subject: TorchSubject) -> str:
    """The inputs with their shapes: "a (1, 4), b (4, 5)"."""
    return ", ".join(
        f"{name} ({', '.join(map(str, grid.shape))})"
        for name, grid in zip(subject.names, subject.start, strict=True)
    )


# ---- other calls --------------------------------------------------------------------------------


def _other_calls(subject: TorchSubject) -> Iterator[tuple[TorchSubject, bool]]:
    """The call at other shapes on which its forward gives numbers; has it got more axes?"""
    shapes = {k: tuple(x.shape) for k, x in _tensors(subject).items()}
    sizes = dict.fromkeys(size for shape in shapes.values() for size in shape if size > 1)
    fixed = _whole_numbers(subject)
    for size in sizes:
        other = next(n for n in range(size + 1, size + 99) if n % 2 and n not in sizes)
        for length in (1, other, 0):
            if size not in fixed:  # a length that is an argument too would have to change with it
                changed = {k: tuple(length if n == size else n for n in shape) for k, shape in shapes.items()}
                yield from _running(subject, [changed], False)
    most = max(len(shapes[p]) for p in subject.places)
    for count in range(1, min(2, MOST_AXES - most) + 1):
        lead = (2,) * count
        widest = [k for k, shape in shapes.items() if len(shape) == most]
        chosen = dict.fromkeys((tuple(widest), tuple(subject.places[:1]), tuple(shapes)))
        choices = [{k: (*lead, *s) if k in some else s for k, s in shapes.items()} for some in chosen]
        yield from _running(subject, choices, True)


def _running(
    subject: TorchSubject, choices: Sequence[dict[int, Shape]], wider: bool
) -> Iterator[tuple[TorchSubject, bool]]:
    """The first of several calls on which the forward gives numbers."""
    for shapes in choices:
        if sum(map(prod, shapes.values())) > LARGEST:
            continue
        try:
            tried = _reshaped(subject, shapes)
            outputs = tried.forward(tried.start)
        except Exception:  # whatever the forward does with a shape that it is not meant for
            continue
        if all(grid.finite for grid in outputs):
            yield tried, wider
            return


def _tensors(subject: TorchSubject) -> dict[int, Tensor]:
    return {k: x for k, x in enumerate(subject.arguments) if isinstance(x, subject.torch.Tensor)}


def _grids(subject: TorchSubject) -> list[Grid]:
    """All arrays of numbers in the call, also those that get no gradient."""
    others = [
        x for k, x in _tensors(subject).items() if k not in subject.places and x.is_floating_point()
    ]  # fmt: skip
    return [*subject.start, *map(subject.grid, others)]


def _is_particular(grid: Grid) -> bool:
    """Rows with a single one, probabilities, symmetric matrices: cut or continued they would be none."""
    marks = len(set(grid.numbers)) > 1 and all(x.is_integer() for x in grid.numbers)
    return marks or bool(structures_of(grid))


def _whole_numbers(subject: TorchSubject) -> set[int]:
    """The numbers among the arguments that may be lengths."""
    found: set[int] = set()
    rest = [x for x in subject.arguments if not isinstance(x, subject.torch.Tensor)]
    while rest:
        x = rest.pop()
        if isinstance(x, (tuple, list)):
            rest += x
        elif isinstance(x, int) and not isinstance(x, bool) and x > 1:
            found.add(x)
    return found


def _reshaped(subject: TorchSubject, shapes: dict[int, Shape]) -> TorchSubject:
    """The same call, its tensors cut or continued to these shapes."""
    arguments = list(subject.arguments)
    for k, x in _tensors(subject).items():
        arguments[k] = _continued(subject.torch, x, shapes[k])
    start = []
    for grid, place in zip(subject.start, subject.places, strict=True):
        whole = all(x.is_integer() for x in grid.numbers)
        like = subject.torch.tensor(grid.numbers, dtype=subject.torch.float64).reshape(grid.shape)
        numbers = _continued(subject.torch, like, shapes[place]).reshape(-1).tolist()
        seen: dict[float, int] = {}
        for e, x in enumerate(numbers):  # a copy is made a little smaller: ties have no derivative
            seen[x] = seen.get(x, -1) + 1
            numbers[e] = x if whole else x * 0.93 ** seen[x]
        start.append(Grid(shapes[place], tuple(numbers)))
    return replace(subject, arguments=arguments, start=tuple(start))


def _continued(torch: ModuleType, x: Tensor, shape: Shape) -> Tensor:
    """A tensor cut to a shape, or repeated along its axes until it fills it."""
    while x.dim() < len(shape):
        x = x.unsqueeze(0)
    for axis, length in enumerate(shape):
        if length == 0:
            x = x.narrow(axis, 0, 0)
        elif x.shape[axis] != length:
            x = x.index_select(axis, torch.arange(length, device=x.device).remainder(x.shape[axis]))
    return x


# ---- one of them --------------------------------------------------------------------------------


def _upstream(outputs: Sequence[Grid], random: Random) -> tuple[Grid, ...]:
    return tuple(
        grid.map(lambda _: random.uniform(0.4, 2.0) * random.choice((-1.0, 1.0))) for grid in outputs
    )


def _findings_at(
    subject: TorchSubject, random: Random, constant: set[int], followed: bool
) -> Iterator[RuleFinding]:
    """What is wrong with the gradients there; nothing that cannot be measured is.

    `constant` inputs get no gradient anywhere; was the plain forward `followed` by autograd where it began?
    """
    point = subject.start
    upstream = _upstream(subject.forward(point), random)
    plain = subject.plain_pull(point, upstream)
    if plain is None and followed:  # here autograd cannot do it either
        return
    try:
        got = subject.pull(point, upstream)
    except RuleRefusedError as refused:
        if refused.stage == "backward" and "does not require grad" not in refused.message:
            yield RuleFinding("error-at-shape", grade=LIMITED, fields={"message": refused.message})
        return
    empty = not all(map(len, (*point, *upstream)))
    judged = [i for i in range(len(point)) if i not in constant]
    if empty:
        if not any(map(len, upstream)):  # nothing comes out, so nothing goes back
            yield from _not_zero(subject, point, got, judged)
        return
    if plain is not None and all(_alike(got, plain, i, point) for i in judged):
        if follows(subject, point, upstream, plain.grads, SLACK, random):
            return
    elif plain is None and all(follows(subject, point, upstream, got.grads, SLACK, random) for _ in range(2)):
        return
    try:
        truth = measure(subject, point, [upstream])
    except RuleRefusedError:
        return
    case = RuleCase(subject, [Observation(upstream, truth, got.grads)], SLACK)
    for i in judged:
        if case.wrong(i) and not (plain is not None and _alike(got, plain, i, point)):
            yield replace(case.finding("shape-dependent", i), grade=LIMITED)


def _alike(got: RuleGradients, plain: RuleGradients, i: int, point: Point) -> bool:
    zeros = point[i].map(lambda _: 0.0)
    return near_enough(got.grads[i] or zeros, plain.grads[i] or zeros)


def _not_zero(
    subject: TorchSubject, point: Point, got: RuleGradients, judged: Sequence[int]
) -> Iterator[RuleFinding]:
    for i in judged:
        grad = got.grads[i]
        for e, x in enumerate(() if grad is None else grad.numbers):
            if x != 0.0:
                yield RuleFinding("shape-dependent", subject.names[i], LIMITED, point[i].position(e), x, 0.0)
                break
