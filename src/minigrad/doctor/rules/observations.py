"""Observations of a rule: what each backward run gave, beside what it should have given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import isfinite

from .expected import ExpectedRule, Truth, measure
from .grids import Grid
from .report import RuleFinding
from .subject import Point, RuleRefusedError, RuleSubject

__all__ = ["Observation", "ObservedEntry", "RuleCase"]


@dataclass(frozen=True, eq=False)
class Observation:
    """One backward run: where, with which upstream gradient, what came, and the slopes there."""

    upstream: tuple[Grid, ...]
    truth: Truth
    grads: tuple[Grid | None, ...]

    @property
    def point(self) -> Point:
        return self.truth.point

    def expected(self, i: int) -> tuple[ExpectedRule, ...]:
        return self.truth.expected(self.upstream, i)

    def values(self, i: int, upstream: Sequence[Grid] | None = None) -> list[float]:
        """The numbers that are due for input i, NaN where not known; for another upstream gradient too."""
        return [each.value for each in self.truth.expected(upstream or self.upstream, i)]

    def got(self, i: int) -> tuple[float, ...]:
        grad = self.grads[i]
        return (0.0,) * len(self.point[i]) if grad is None else grad.numbers

    @property
    def seeds(self) -> tuple[float, ...]:
        return tuple(x for grid in self.upstream for x in grid.numbers)


@dataclass(frozen=True)
class ObservedEntry:
    """One number of a gradient: got beside expected, and the input number that it belongs to."""

    observation: Observation
    position: int
    x: float
    got: float
    expected: ExpectedRule
    right: bool

    @property
    def upstream(self) -> float | None:
        """The upstream number of the same place, where outputs and inputs correspond."""
        seeds = self.observation.seeds
        return seeds[self.position] if len(seeds) > self.position else None


@dataclass(eq=False)
class RuleCase:
    """A rule and all that was observed of it."""

    subject: RuleSubject
    observations: list[Observation]
    slack: float
    _moved: dict[tuple[int, int, str], Truth | None] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return self.subject.names

    def scale(self, i: int) -> float:
        """The largest number that is due for input i."""
        found = [abs(x) for seen in self.observations for x in seen.values(i) if isfinite(x)]
        return max(found, default=0.0)

    def entries(self, i: int, seen: Sequence[Observation] | None = None) -> Iterator[ObservedEntry]:
        """All numbers of input i's gradients that can be judged."""
        floor = self.slack * 1e-4 * self.scale(i)
        for observation in self.observations if seen is None else seen:
            numbers = observation.got(i)
            for e, due in enumerate(observation.expected(i)):
                if due.known:
                    right = due.allows(numbers[e], self.slack, floor)
                    x = observation.point[i].numbers[e]
                    yield ObservedEntry(observation, e, x, numbers[e], due, right)

    def wrong(self, i: int, seen: Sequence[Observation] | None = None) -> list[ObservedEntry]:
        return [entry for entry in self.entries(i, seen) if not entry.right]

    def fits(self, i: int, observation: Observation, numbers: Sequence[float]) -> bool:
        """Do these numbers, NaN where unknown, agree with what the rule gave?"""
        got = observation.got(i)
        floor = 1e-7 * self.scale(i)
        return len(numbers) == len(got) and all(
            x != x or abs(x - g) <= max(4.0 * self.slack * max(abs(x), abs(g)) + floor, 1e-12)
            for x, g in zip(numbers, got, strict=True)
        )

    def moved(self, observation: Observation, k: int, how: str) -> Truth | None:
        """The truth where input k is transposed, zero or the output; None where there is none."""
        key = (id(observation.truth), k, how)
        if key not in self._moved:
            point = observation.point
            new = point[k].map(lambda _: 0.0)
            if how == "transposed":
                new = point[k].transposed()
            elif how == "output":
                new = observation.truth.outputs[0]
            try:
                there = (*point[:k], new, *point[k + 1 :])
                self._moved[key] = measure(self.subject, there, [observation.upstream])
            except RuleRefusedError:
                self._moved[key] = None
        return self._moved[key]

    def worst(self, i: int) -> ObservedEntry:
        """The entry that shows a fault best: a plain number, far off."""
        wrong = self.wrong(i)

        def strength(entry: ObservedEntry) -> tuple[bool, bool, float]:
            due = entry.expected.value
            gap = abs(entry.got - due) if isfinite(due) and isfinite(entry.got) else 0.0
            return isfinite(entry.got), isfinite(due) and due != 0.0, min(gap, 10.0 * self.scale(i))

        return max(wrong, key=strength)

    def finding(self, fault: str, i: int, **fields: float | str) -> RuleFinding:
        """A fault of input i with the numbers that show it best."""
        worst = self.worst(i)
        due = worst.expected
        expected = due.value if isfinite(due.value) else due.low
        return RuleFinding(
            fault,
            self.names[i],
            position=worst.observation.point[i].position(worst.position),
            got=None if worst.observation.grads[i] is None else worst.got,
            expected=expected,
            upstream=self._upstream(worst, i),
            fields=fields,
        )

    @staticmethod
    def _upstream(entry: ObservedEntry, i: int) -> float | None:
        """The upstream number that an entry is made of, where it is made of one alone."""
        truth, outputs = entry.observation.truth, entry.observation.truth.outputs
        if len(outputs) != 1 or outputs[0].shape != truth.point[i].shape or not truth.whole:
            return None
        others = (o for o in range(len(outputs[0])) if o != entry.position)
        alone = all(truth.slope_at(i, entry.position, o) == 0.0 for o in others)
        return entry.upstream if alone else None
