"""Samples of a rule beside its proof: values and gradients at random points, and central differences.

Whatever a proof says, a rule that disagrees with it somewhere, or with differences at other shapes, is not
proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import copysign, isfinite, prod
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any

from .grids import Shape
from .proof_cases import ProvedCase, ProvedRun, RuleRefutedError
from .symbolic_terms import Term, TermUndecidedError, float_values

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["RuleSamples", "check_differences"]

POINTS = 20
CLOSE = 1e-6
STEP = 1e-6
LARGEST = 4096  # elements of the tensors that differences are taken at


def is_mask(argument: object) -> bool:
    return str(getattr(argument, "dtype", "")) == "torch.bool"


@dataclass
class RuleSamples:
    """The rule itself beside the proof, at random points: any disagreement is an error."""

    rule: Any
    arguments: Sequence[object]
    places: Sequence[int]
    numbers: Sequence[int]
    run: ProvedRun
    deadline: float

    def check(self) -> None:
        random, seen = Random(5), 0
        for k in range(3 * POINTS):
            if monotonic() > self.deadline:
                raise TermUndecidedError("time")
            seen += self._point(random, k)
            if k + 1 >= POINTS and seen >= POINTS:
                return
        raise TermUndecidedError("too few points at which the forward is defined")

    def _draw(self, random: Random, k: int, p: int) -> float:
        """Small and large, of both signs or positive; zeros and ones where it may be a label."""
        argument: Any = self.arguments[p]
        if p in self.numbers:
            moved = float(argument * random.uniform(0.6, 1.6) + copysign(random.uniform(0.0, 0.1), argument))
            return float(argument) if k % 2 else moved
        if is_mask(argument) or (p not in self.places and k % 4 == 3):
            return float(random.random() < 0.5)
        drawn = random.gauss(0.0, (0.5, 1.0, 3.0, 8.0)[k % 4])
        return abs(drawn) + 0.01 if k % 3 == 2 else drawn

    def _point(self, random: Random, k: int) -> int:
        import torch

        run = self.run
        shapes = run.shapes
        if run.elementwise:
            whole = ((5,), (2, 3), (2, 1, 2))[k % 3]
            shapes = {p: whole if shape or p in self.places else () for p, shape in run.shapes.items()}
        given, drawn = list(self.arguments), dict[int, list[float]]()
        leaves: list[Tensor] = []
        for p in run.names:
            shape = shapes.get(p, ())
            drawn[p] = [self._draw(random, k, p) for _ in range(prod(shape))]
            if p in self.numbers:
                given[p] = drawn[p][0]
                continue
            argument: Any = self.arguments[p]
            boolean = is_mask(argument)
            tensor = torch.tensor(drawn[p], dtype=torch.bool if boolean else torch.float64).reshape(shape)
            given[p] = tensor
            if p in self.places:
                leaves.append(tensor.requires_grad_())
                given[p] = tensor.clone()
        made = self.rule.apply(*given)
        outputs = list(made) if isinstance(made, (tuple, list)) else [made]
        upstream = [[random.gauss(0.0, 1.0) for _ in range(out.numel())] for out in outputs]
        seeds = [torch.tensor(row, dtype=torch.float64) for row in upstream]
        pairs = [(out, seed) for out, seed in zip(outputs, seeds, strict=True) if out.requires_grad]
        total = sum((out * seed.reshape(out.shape)).sum() for out, seed in pairs)
        grads = torch.autograd.grad(total, leaves, allow_unused=True)
        found = [
            [0.0] * leaf.numel() if g is None else g.reshape(-1).tolist()
            for g, leaf in zip(grads, leaves, strict=True)
        ]
        values = [out.detach().reshape(-1).tolist() for out in outputs]
        if not run.elementwise:
            return self._compare(self._symbols(drawn, upstream), values, found)
        if any(len(row) != len(found[0]) for row in values):
            raise RuleRefutedError
        return sum(
            self._compare(
                self._symbols(
                    {p: [row[e % len(row)]] for p, row in drawn.items()}, [[row[e]] for row in upstream]
                ),
                [[row[e]] for row in values],
                [[row[e]] for row in found],
            )
            for e in range(len(found[0]))
        )

    def _symbols(
        self, drawn: dict[int, list[float]], upstream: Sequence[Sequence[float]]
    ) -> dict[str, float]:
        symbols = {s: x for p, row in drawn.items() for s, x in zip(self.run.names[p], row, strict=True)}
        for p, argument in enumerate(self.arguments):  # the symbol of a mask is positive or negative
            if is_mask(argument):
                symbols |= {s: x - 0.5 for s, x in symbols.items() if s in self.run.names[p]}
        if [len(row) for row in upstream] != [len(row) for row in self.run.upstream]:
            raise RuleRefutedError
        for names, row in zip(self.run.upstream, upstream, strict=True):
            symbols |= zip(names, row, strict=True)
        return symbols

    def _compare(
        self, symbols: dict[str, float], outputs: Sequence[Sequence[float]], grads: Sequence[Sequence[float]]
    ) -> int:
        """1 where rule and proof were compared at this point; RuleRefutedError where they differ."""
        if not all(isfinite(x) for row in outputs for x in row):
            return 0
        values = float_values(self.run.order, symbols)
        held = [case for case in self.run.cases if self._holds(case, values)]
        if not held:
            if any(abs(values[d.term]) < CLOSE for case in self.run.cases for d in case.decisions):
                return 0  # at a kink
            raise RuleRefutedError
        for case in held:
            for got, due in zip(_joined(outputs), _joined(case.outputs), strict=True):
                _agree(got, values[due])
            for got, due in zip(_joined(grads), _joined(case.grads), strict=True):
                _agree(got, values[due])
        return 1

    @staticmethod
    def _holds(case: ProvedCase, values: dict[Term, float]) -> bool:
        return all(
            values[d.term] * d.outcome > 0.0 if d.outcome else values[d.term] == 0.0 for d in case.decisions
        )


def _joined(rows: Iterable[Iterable[Any]]) -> Iterator[Any]:
    return (x for row in rows for x in row)


def _agree(got: float, due: float) -> None:
    if isfinite(due) and not abs(got - due) <= CLOSE * (1.0 + abs(due)):
        raise RuleRefutedError


def check_differences(
    rule: Any, arguments: Sequence[object], places: Sequence[int], shapes: dict[int, Shape], deadline: float
) -> None:
    """Central differences at random tensors of these shapes; RuleRefutedError where the rule disagrees."""
    if sum(prod(shape) for shape in shapes.values()) > LARGEST:
        return
    for k in range(6):
        if monotonic() > deadline:
            raise TermUndecidedError("time")
        _check_difference(rule, arguments, places, shapes, Random(k))


def _check_difference(
    rule: Any, arguments: Sequence[object], places: Sequence[int], shapes: dict[int, Shape], random: Random
) -> None:
    import torch

    def drawn(shape: Shape) -> Tensor:
        numbers = [random.gauss(0.0, 1.0) for _ in range(prod(shape))]
        return torch.tensor(numbers, dtype=torch.float64).reshape(shape)

    positive = random.random() < 0.5
    given = list(arguments)
    for p, shape in shapes.items():
        point = drawn(shape)
        given[p] = point > 0 if is_mask(arguments[p]) else point.abs() + 0.1 if positive else point
    starts: list[Any] = [given[p] for p in places]
    ways = [drawn(shapes[p]) for p in places]
    seeds: list[Tensor] = []

    def total(tensors: Sequence[Tensor]) -> Tensor:
        for p, tensor in zip(places, tensors, strict=True):
            given[p] = tensor.clone()
        made = rule.apply(*given)
        outputs = [out for out in (made if isinstance(made, tuple) else (made,)) if out.requires_grad]
        if not seeds:
            seeds.extend(drawn(tuple(out.shape)) for out in outputs)
        summed = [(out * seed).sum() for out, seed in zip(outputs, seeds, strict=True)]
        return torch.stack(summed).sum()

    leaves = [x.clone().requires_grad_() for x in starts]
    middle = total(leaves)
    grads = torch.autograd.grad(middle, leaves, allow_unused=True)
    slopes = [float((g * way).sum()) for g, way in zip(grads, ways, strict=True) if g is not None]
    ends = []
    for step in (STEP, -STEP):
        moved = [(x + step * way).requires_grad_() for x, way in zip(starts, ways, strict=True)]
        ends.append(float(total(moved).detach()))
    difference = (ends[0] - ends[1]) / (2.0 * STEP)
    error = 1e-4 + 1e-9 * abs(float(middle.detach()))
    if isfinite(difference) and not abs(sum(slopes) - difference) <= error * (1.0 + sum(map(abs, slopes))):
        raise RuleRefutedError
