"""Variants of a program: each a traced function, with the plans that run it.

A *case* is one structure of arguments.  A *variant* is one way through the user's function for it: a
TracedFunction, which holds where its guards do.  *Prepared* is a plan of a variant for one wish (which
arguments are lanes, which gradients are wanted), with what runs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from threading import Lock
from typing import TYPE_CHECKING

from .numpy_loader import numpy
from .plan import LANES, SHARED, Plan
from .traced_function import TracedFunction

if TYPE_CHECKING:
    from .executors import Executor
    from .numpy_loader import Booleans, Columns, Doubles, Integers, Numbers

    # Gradients, lanes, the one output or None for all, totals: as `prepared` takes them.
    _Wish = tuple[range | tuple[int, ...], frozenset[int], int | None, bool]

__all__ = ["MOST", "MOST_THREADS", "CallOutcome", "CompileSettings", "Prepared", "Variant", "VariantCase"]

MOST = 64  # variants of one case; a function with more ways than that is run as it stands
MOST_THREADS = 4096  # what a file may ask of the machine that reads it, and so what a program may
_data = attrgetter("data")


@dataclass(frozen=True, slots=True)
class CompileSettings:
    """How programs are run: as `minigrad.compile` takes it."""

    exact: bool = True
    dtype: str = "float64"
    threads: int = 1


class CallOutcome:
    """The outputs of one run.  Each is a number, or an array with one number per sample."""

    def __init__(
        self, places: ArgumentPlaces, shared: Doubles, lanes: Doubles | None, factor: float = 1.0
    ) -> None:
        self._places, self._shared, self._lanes = places, shared, lanes
        self._factor = factor  # what the gradients of shared inputs still have to be multiplied by

    @property
    def values(self) -> list[Numbers]:
        return [self._output(k) for k in range(self._places.values)]

    def total(self) -> float:
        """The first output where it is a sum over the batch; one that all samples share counts for each."""
        return float(self._output(0)) * self._factor

    @property
    def guards(self) -> list[Numbers]:
        first = self._places.values
        return [self._output(k) for k in range(first, first + self._places.guards)]

    def totals(self, begin: int, end: int) -> Doubles:
        """The gradients of shared inputs, from place to place among those that were asked for."""
        first = self._places.values + self._places.guards
        found: Doubles = self._shared[self._places.place[first + begin : first + end]]
        return found if self._factor == 1.0 else found * self._factor

    def gradients(self, begin: int, end: int) -> list[Numbers]:
        """The gradients of inputs with one number per sample."""
        first = self._places.values + self._places.guards
        return [self._output(k) for k in range(first + begin, first + end)]

    def some(self, samples: Booleans) -> CallOutcome:
        """The outputs of some of the samples, without gradients."""
        return CallOutcome(self._places, self._shared, None if self._lanes is None else self._lanes[samples])

    def _output(self, k: int) -> Numbers:
        place = int(self._places.place[k])
        if self._lanes is None or self._places.space[k] == SHARED:
            shared: Numbers = self._shared[place]
            return shared
        return self._lanes[:, place]


@dataclass(frozen=True, slots=True)
class ArgumentPlaces:
    """Where the outputs of a plan are found: the space of each, and its place among those there."""

    values: int
    guards: int
    space: Integers
    place: Integers

    @classmethod
    def of(cls, plan: Plan) -> ArgumentPlaces:
        np = numpy()
        space = np.array([space for space, _ in plan.outputs], dtype=int)
        lanes = np.cumsum(space == LANES) - 1
        shared = np.cumsum(space == SHARED) - 1
        return cls(plan.parts[0], plan.parts[1], space, np.where(space == LANES, lanes, shared))


class Prepared:
    """A plan, and what runs it."""

    def __init__(self, plan: Plan, settings: CompileSettings, varied: bool = False) -> None:
        self.plan = plan
        self.settings = settings
        self.varied = varied  # does the first output differ between samples?
        self.places = ArgumentPlaces.of(plan)

    @cached_property
    def executor(self) -> Executor:
        """What runs the plan; several threads may be inside at once."""
        from .executors import executor

        return executor(self.plan, exact=self.settings.exact, dtype=self.settings.dtype)

    def run(self, shared: Doubles, lanes: Columns | None = None) -> tuple[Doubles, Doubles]:
        """The outputs as the executor gives them."""
        return self.executor.run(shared, lanes, threads=self.settings.threads)

    def outcome(self, shared: Doubles, lanes: Columns | None, factor: float = 1.0) -> CallOutcome:
        return CallOutcome(self.places, *self.run(shared, lanes), factor)


class Variant:
    """One way through a function."""

    def __init__(self, traced: TracedFunction, settings: CompileSettings) -> None:
        np = numpy()
        self.traced = traced
        self.settings = settings
        self.expected: Doubles = np.array([guard.expected for guard in traced.scalars.guards], dtype=float)
        self.indices: Integers = np.array(
            sorted(traced.rows), dtype=int
        )  # inputs that something is looked up with
        self.counts: Doubles = np.array([traced.rows[j] for j in sorted(traced.rows)], dtype=float)
        self._prepared: dict[_Wish, Prepared] = {}
        self._lock = Lock()

    @property
    def learnt(self) -> list[int]:
        """Which of the captured Values want a gradient, as input numbers."""
        first = len(self.traced.kinds)
        return [first + k for k, value in enumerate(self.traced.captured) if value.requires_grad]

    def prepared(
        self,
        gradients: Sequence[int] = (),
        lanes: Iterable[int] = (),
        output: int | None = None,
        totals: bool = False,
    ) -> Prepared:
        """The plan for a wish; with `output`, for that one of several outputs alone, without guards.

        `totals`: the outputs are sums over the batch.
        """
        from .passes.groups import parts_of
        from .pipeline import plan_of

        wanted = gradients if isinstance(gradients, range) else tuple(gradients)
        wish = (wanted, frozenset(lanes), output, totals)
        found = self._prepared.get(wish)
        if found is None:
            with self._lock:
                found = self._prepared.get(wish)
                if found is None:
                    scalars = self.traced.scalars
                    if output is not None:
                        scalars = replace(scalars, outputs=[scalars.outputs[output]], guards=[])
                    plan = plan_of(scalars, lanes=wish[1], gradients=wish[0], totals=totals)
                    first = scalars.outputs[:1] if wish[1] else []
                    varied = any(parts_of(scalars, wish[1])[0][node] for node in first)
                    found = self._prepared[wish] = Prepared(plan, self.settings, varied)
        return found

    def shared(self, numbers: Sequence[float] | Doubles) -> Doubles:
        """The numbers of a call, and behind them what the captured Values hold now."""
        captured = self.traced.captured
        every = [*numbers, *map(_data, captured)] if captured else numbers
        shared: Doubles = numpy().asarray(every, dtype=float)
        return shared

    def in_range(self, shared: Doubles) -> bool:
        """Whether each index is one of a row that there is."""
        if not len(self.indices):
            return True
        chosen = shared[self.indices]
        return bool(((chosen >= 0) & (chosen < self.counts)).all())

    def broken(self, guards: Doubles) -> int:
        """The first guard that these outputs of a single call break; -1 if all hold."""
        wrong = guards != self.expected
        return int(wrong.argmax()) if wrong.any() else -1


@dataclass(slots=True)
class VariantCase:
    """The variants of one structure, the one that was used last in front."""

    variants: tuple[Variant, ...] = ()
    traces: int = 0  # how often the function was traced with this structure
    given_up: bool = False  # too many ways: the function is run as it stands
    broken: Counter[str] = field(default_factory=Counter)  # lines whose guards broke, and how often
    lock: Lock = field(default_factory=Lock)

    def add(self, variant: Variant) -> None:
        with self.lock:
            self.variants = (variant, *self.variants)

    def used(self, variant: Variant) -> None:
        """Put a variant in front, so that the next call tries it first."""
        if self.variants and self.variants[0] is not variant:
            with self.lock:
                if variant in self.variants:
                    self.variants = (variant, *(one for one in self.variants if one is not variant))

    def drop(self, variant: Variant) -> None:
        with self.lock:
            self.variants = tuple(one for one in self.variants if one is not variant)
