"""Can the rule be differentiated again, and are the second derivatives right?

They are compared with differences of the rule itself, which is on trial elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum
from random import Random
from typing import TYPE_CHECKING, Any

from .grids import Grid
from .report import LIMITED, Remark, RuleFinding, Unseen
from .second_derivatives import second_slopes
from .subject import Point, RuleRefusedError, told

if TYPE_CHECKING:
    from .torch_rules import TorchSubject

__all__ = ["twice"]


def twice(subject: TorchSubject, point: Point, upstream: Sequence[Grid]) -> Iterator[RuleFinding | Remark]:
    random = Random(subject.seed)
    weights = [grid.map(lambda _: random.uniform(0.5, 1.5)) for grid in point]
    if subject.rounding:
        yield Unseen("twice")
        return
    try:
        second = _differentiated_again(subject, point, upstream, weights)
    except RuleRefusedError as refused:
        if "once_differentiable" in refused.message:
            yield Remark("once-differentiable")
        else:
            yield RuleFinding("second-derivative-missing", grade=LIMITED, fields={"message": refused.message})
        return
    if second is None:
        yield RuleFinding("second-derivative-missing", grade=LIMITED, fields={"message": ""})
        return
    try:
        yield from _compared(subject, point, upstream, weights, second)
    except RuleRefusedError as refused:
        yield Unseen("twice", refused.message)


def _differentiated_again(
    subject: TorchSubject, point: Point, upstream: Sequence[Grid], weights: Sequence[Grid]
) -> list[Grid | None] | None:
    """The gradient of the weighted sum of gradients; None where nothing leads back through the rule."""
    with subject.seeded():
        leaves = subject.leaves(point)
        results = subject.results(leaves)
        seeds = [seed.requires_grad_() for seed in subject.seeds(upstream, results)]
        first = subject.gradients(results, leaves, seeds, create_graph=True)
        parts = [
            (grad * subject.tensor(w).to(grad)).sum()
            for grad, w in zip(first, weights, strict=True)
            if grad is not None
        ]
        total: Any = sum(parts[1:], parts[0]) if parts else None
        if total is None or not total.requires_grad:
            return None
        try:
            total.backward()  # all the way: once_differentiable speaks up behind the first rule only here
        except Exception as error:
            raise RuleRefusedError("backward", told(error)) from error
        return [None if leaf.grad is None else subject.grid(leaf.grad) for leaf in leaves]


def _compared(
    subject: TorchSubject,
    point: Point,
    upstream: Sequence[Grid],
    weights: Sequence[Grid],
    second: Sequence[Grid | None],
) -> Iterator[RuleFinding]:
    def total(at: Point) -> float:
        pulled = subject.pull(at, upstream)
        return fsum(
            w * g
            for weight, grad in zip(weights, pulled.grads, strict=True)
            if grad is not None
            for w, g in zip(weight.numbers, grad.numbers, strict=True)
        )

    yield from second_slopes(subject.names, point, total, second, subject.seed)
