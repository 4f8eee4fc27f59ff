"""Transforms of a rule of PyTorch beside what they stand for: jvp beside backward, vmap beside a loop.

Both compare the rule with itself, so that a wrong gradient is not accused twice; a jvp may also agree with
differences of the forward, where the backward is not meant to be the derivative.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum
from random import Random
from typing import TYPE_CHECKING, Any

from ...values.differences import slope
from .conduct_checks import difference
from .expected import noise_around
from .grids import Grid
from .report import LIMITED, WRONG, RuleFinding
from .subject import Point, RuleGradients, RuleRefusedError, error_text

if TYPE_CHECKING:
    from torch import Tensor

    from .torch_rules import TorchSubject

__all__ = ["jvp_findings", "vmap_findings"]

SAME = 1e-7  # relative
SLACK = 1e-5
DIRECTIONS = 2


def _total(weights: Sequence[Grid], grids: Sequence[Grid]) -> float:
    pairs = zip(weights, grids, strict=True)
    return fsum(w * x for weight, grid in pairs for w, x in zip(weight.numbers, grid.numbers, strict=True))


# ---- jvp ----------------------------------------------------------------------------------------


def jvp_findings(subject: TorchSubject, point: Point, upstream: Sequence[Grid]) -> Iterator[RuleFinding]:
    """Tangents of a jvp beside the backward, turned round; and where they differ, beside differences."""
    own: Any = subject.function_class
    if own is None or own.jvp is subject.torch.autograd.Function.jvp or subject.cloned or subject.rounding:
        return
    random = Random(subject.seed)
    pulled = subject.pull(point, upstream)
    for _ in range(DIRECTIONS):
        direction = [
            grid.map(lambda _: random.uniform(0.5, 1.5) * random.choice((-1.0, 1.0))) for grid in point
        ]
        try:
            tangents = _pushed(subject, point, direction)
        except RuleRefusedError as refused:
            yield RuleFinding("jvp-wrong", grade=LIMITED, fields={"message": refused.message})
            return
        got = _total(upstream, tangents)
        parts = [(d, g) for d, g in zip(direction, pulled.grads, strict=True) if g is not None]
        back = _total([d for d, _ in parts], [g for _, g in parts])
        size = fsum(abs(w * x) for w, x in _pairs(upstream, tangents)) + fsum(
            abs(w * x) for w, x in _pairs([d for d, _ in parts], [g for _, g in parts])
        )
        if abs(got - back) <= SAME * size:
            continue

        def along(step: float, direction: Sequence[Grid] = direction) -> float:
            moved = tuple(
                x.like([a + step * b for a, b in zip(x.numbers, d.numbers, strict=True)])
                for x, d in zip(point, direction, strict=True)
            )
            return _total(upstream, subject.forward(moved))

        try:
            due = slope(along, 0.0, 2.0 * noise_around(along, 0.0))
        except RuleRefusedError:
            continue
        if not due.sharp or due.kink or due.rough or due.value != due.value:
            continue
        if not abs(got - due.value) <= max(
            SLACK * max(abs(got), abs(due.value)), 8.0 * due.error, SAME * size
        ):
            yield RuleFinding("jvp-wrong", grade=WRONG, got=got, expected=due.value, fields={"message": ""})
            return


def _pairs(ours: Sequence[Grid], theirs: Sequence[Grid]) -> Iterator[tuple[float, float]]:
    for a, b in zip(ours, theirs, strict=True):
        yield from zip(a.numbers, b.numbers, strict=True)


def _pushed(subject: TorchSubject, point: Point, direction: Sequence[Grid]) -> list[Grid]:
    """The tangents of the outputs in forward mode."""
    forward_ad = subject.torch.autograd.forward_ad
    with subject.seeded(), forward_ad.dual_level():
        leaves = [leaf.detach() for leaf in subject.leaves(point)]
        tangents = [subject.tensor(d, place=p) for d, p in zip(direction, subject.places, strict=True)]
        duals = [forward_ad.make_dual(x, t) for x, t in zip(leaves, tangents, strict=True)]
        found = []
        for out in subject.results(duals):
            value, tangent = forward_ad.unpack_dual(out)
            grid = subject.grid(value)
            found.append(grid.map(lambda _: 0.0) if tangent is None else subject.grid(tangent))
            if found[-1].shape != grid.shape:
                raise RuleRefusedError("jvp", f"a tangent of shape {found[-1].shape} for {grid.shape}")
        return found


# ---- vmap ---------------------------------------------------------------------------------------


def vmap_findings(
    subject: TorchSubject, point: Point, other: Point, upstream: Sequence[Grid]
) -> Iterator[RuleFinding]:
    """vmap over stacked inputs, of the values and of the gradients, beside a loop over them."""
    own: Any = subject.function_class
    declared = own is not None and (
        own.generate_vmap_rule or own.vmap is not subject.torch.autograd.Function.vmap
    )
    if not declared or subject.draws or subject.cloned or subject.rounding:
        return
    lengths = {length for grid in point for length in grid.shape}
    count = next(n for n in (2, 3, 5, 7, 11) if n not in lengths or n == 11)
    points = [(point, other)[k % 2] for k in range(count)]
    every = list(range(len(point)))
    for batched in [every, *([[i] for i in every] if len(every) > 1 else [])]:
        mixed = [tuple(p[i] if i in batched else point[i] for i in every) for p in points]
        for what, run in (("values", _values), ("gradients", _gradients)):
            try:
                due = [_looped(subject, each, upstream, what) for each in mixed]
            except RuleRefusedError:
                return
            try:
                got = run(subject, mixed, upstream, batched)
            except Exception as error:
                fields: dict[str, float | str] = {"what": what, "message": error_text(error)}
                yield RuleFinding("vmap-wrong", grade=LIMITED, fields=fields)
                return
            for ours, theirs in zip(got, due, strict=True):
                names = subject.names if what == "gradients" else [""] * len(theirs.grads)
                if apart := difference(names, ours, theirs, SAME):
                    yield RuleFinding("vmap-wrong", fields={"what": what, "message": ""}, **apart)
                    return


def _looped(subject: TorchSubject, point: Point, upstream: Sequence[Grid], what: str) -> RuleGradients:
    return RuleGradients(tuple(subject.forward(point))) if what == "values" else subject.pull(point, upstream)


def _stacked(subject: TorchSubject, points: Sequence[Point], batched: Sequence[int]) -> list[Tensor]:
    """One tensor for each input: of all points where it is batched, of the first where it is not."""
    made = []
    for i, place in enumerate(subject.places):
        each = [subject.tensor(point[i], place=place) for point in points]
        made.append(subject.torch.stack(each) if i in batched else each[0])
    return made


def _values(
    subject: TorchSubject, points: Sequence[Point], upstream: Sequence[Grid], batched: Sequence[int]
) -> list[RuleGradients]:
    tensors = _stacked(subject, points, batched)
    axes = tuple(0 if i in batched else None for i in range(len(tensors)))
    with subject.seeded():
        outs = subject.torch.func.vmap(lambda *x: tuple(subject.results(x)), in_dims=axes)(*tensors)
    return [RuleGradients(tuple(subject.grid(out[k]) for out in outs)) for k in range(len(points))]


def _gradients(
    subject: TorchSubject, points: Sequence[Point], upstream: Sequence[Grid], batched: Sequence[int]
) -> list[RuleGradients]:
    tensors = _stacked(subject, points, batched)
    axes = tuple(0 if i in batched else None for i in range(len(tensors)))

    def pulled(*x: Tensor) -> tuple[Tensor, ...]:
        outs, pull = subject.torch.func.vjp(lambda *y: tuple(subject.results(y)), *x)
        found: tuple[Tensor, ...] = pull(tuple(subject.seeds(upstream, outs)))
        return found

    with subject.seeded():
        grads = subject.torch.func.vmap(pulled, in_dims=axes)(*tensors)
    return [RuleGradients(tuple(subject.grid(grad[k]) for grad in grads)) for k in range(len(points))]
