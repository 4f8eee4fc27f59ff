"""Conduct of a rule of JAX: its own forward, its tangents, saved state, precision, second derivatives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from ...values.differences import slope
from .conduct_checks import difference, second_slopes
from .grids import Grid
from .report import LIMITED, Remark, RuleFinding
from .subject import Point, RuleGradients, RuleRefusedError, error_text

if TYPE_CHECKING:
    from jax import Array

    from .jax_rules import JaxSubject

__all__ = ["conduct", "first_look"]


def first_look(subject: JaxSubject, point: Point, upstream: Sequence[Grid]) -> RuleFinding | None:
    with subject.double():
        return (
            _other_value(subject, point) or _not_linear(subject, point) or _unsteady(subject, point, upstream)
        )


def _other_value(subject: JaxSubject, point: Point) -> RuleFinding | None:
    """A rule has its own forward; its values must be those of the function."""
    plain = subject.forward(point)
    if subject.pushed:
        values = subject.push(point, [grid.map(lambda _: 0.0) for grid in point])[0]
    else:
        values = [subject.grid(out) for out in subject.backward(subject.arrays(point))[0]]
    apart = difference([""] * len(plain), RuleGradients(tuple(values)), RuleGradients(tuple(plain)))
    return RuleFinding("rule-forward-differs", **apart) if apart else None


def _not_linear(subject: JaxSubject, point: Point) -> RuleFinding | None:
    """A tangent that is doubled must double what comes out."""
    if not subject.has_tangents:
        return None
    random = Random(subject.seed)
    zeros = [grid.map(lambda _: 0.0) for grid in point]
    for i, grid in enumerate(point):
        tangent = grid.map(lambda _: random.uniform(0.5, 1.5))
        pushes = []
        for factor in (1.0, 2.0):
            scaled = tangent.map(lambda t, factor=factor: factor * t)  # type: ignore[misc]
            pushes.append(subject.push(point, [*zeros[:i], scaled, *zeros[i + 1 :]])[1])
        for fault, ratio in (
            ("upstream-ignored", 1.0),
            ("upstream-twice", 4.0),
            ("upstream-divided", 0.5),
        ):
            times = [out.map(lambda x, ratio=ratio: ratio * x) for out in pushes[0]]  # type: ignore[misc]
            if not any(x for out in pushes[0] for x in out.numbers):
                break
            if not difference(
                [""] * len(times), RuleGradients(tuple(pushes[1])), RuleGradients(tuple(times))
            ):
                return _tangent_finding(subject, fault, point, i, tangent, pushes[0][0])
    return None


def _tangent_finding(
    subject: JaxSubject, fault: str, point: Point, i: int, tangent: Grid, got: Grid
) -> RuleFinding:
    def along(step: float) -> float:
        pairs = zip(point[i].numbers, tangent.numbers, strict=True)
        moved = point[i].like([x + step * t for x, t in pairs])
        return subject.forward((*point[:i], moved, *point[i + 1 :]))[0].numbers[0]

    due = slope(along, 0.0).value
    return RuleFinding(fault, subject.names[i], position=got.position(0), got=got.numbers[0], expected=due)


def _unsteady(subject: JaxSubject, point: Point, upstream: Sequence[Grid]) -> RuleFinding | None:
    if subject.pushed:
        return None
    pull = subject.backward(subject.arrays(point))[1]
    once, again = pull(upstream), pull(upstream)
    apart = difference(subject.names, again, once)
    return RuleFinding("unsteady", **apart) if apart else None


def conduct(
    subject: JaxSubject, point: Point, other: Point, upstream: Sequence[Grid]
) -> Iterator[RuleFinding | Remark]:
    if subject.pushed:
        yield RuleFinding("not-transposable", grade=LIMITED)
        return
    with subject.double():
        base = subject.pull(point, upstream)
        late = subject.backward(subject.arrays(point))[1]
        subject.backward(subject.arrays(other))
        kept = tuple(None if i in subject.absent else g for i, g in enumerate(late(upstream).grads))
        if apart := difference(subject.names, RuleGradients(kept), base):
            yield RuleFinding("stale-saved", fields={"message": ""}, **apart)
        yield from _single(subject, point, upstream)
        yield from _second_derivatives(subject, point, upstream)


def _single(subject: JaxSubject, point: Point, upstream: Sequence[Grid]) -> Iterator[RuleFinding]:
    """The same in float32, beside float64 at the same, rounded numbers."""
    short = tuple(subject.grid(subject.array(grid, "float32")) for grid in point)
    seeds = [subject.grid(subject.array(grid, "float32")) for grid in upstream]
    wide_out, due = subject.forward(short), subject.pull(short, seeds)
    try:
        results, pull = subject.backward(subject.arrays(short, "float32"), None, "float32")
        outs = tuple(subject.grid(out) for out in results)
        if difference([""] * len(outs), RuleGradients(outs), RuleGradients(tuple(wide_out)), 1e-4):
            return  # the forward itself loses its digits: nothing to accuse the rule of
        got = RuleGradients(
            tuple(None if i in subject.absent else g for i, g in enumerate(pull(seeds).grads))
        )
    except RuleRefusedError as refused:
        fields: dict[str, float | str] = {"dtype": "float32", "message": refused.message}
        yield RuleFinding("float64-only", grade=LIMITED, fields=fields)
        return
    if apart := difference(subject.names, got, due, 2e-3):
        yield RuleFinding("float64-only", grade=LIMITED, fields={"dtype": "float32", "message": ""}, **apart)


def _second_derivatives(subject: JaxSubject, point: Point, upstream: Sequence[Grid]) -> Iterator[RuleFinding]:
    random = Random(subject.seed)
    weights = [grid.map(lambda _: random.uniform(0.5, 1.5)) for grid in point]
    shares, seeds = subject.arrays(weights), tuple(subject.arrays(upstream))

    def total(*arrays: Array) -> Array:
        grads = subject.jax.vjp(subject.function(), *arrays)[1](seeds)
        return sum((grad * share).sum() for grad, share in zip(grads, shares, strict=True))

    try:
        found = subject.jax.grad(total, argnums=tuple(range(len(point))))(*subject.arrays(point))
    except Exception as error:
        yield RuleFinding("second-derivative-missing", grade=LIMITED, fields={"message": error_text(error)})
        return
    quick = subject.jax.jit(total)
    try:
        quick(*subject.arrays(point))
    except Exception:  # it looks at its numbers
        quick = total
    second = [subject.grid(grad) for grad in found]
    yield from second_slopes(
        subject.names, point, lambda at: float(quick(*map(subject.plain_array, at))), second, subject.seed
    )
