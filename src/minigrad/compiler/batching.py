"""Batched: a program over many samples at once, NumPy arrays in and out.

An argument is either *shared* by all samples or has an added leading axis, which counts the samples:

* of an array or a list, the first axis is the added one;
* a tuple or a dict is looked into: each of its parts has the added axis.

Results are the other way round: a number is an array [batch], nested lists of one shape are an array with
that shape behind the batch, tuples and dicts hold arrays.  Gradients are those of the sum of the values over
the batch: a shared argument gets one gradient, summed, an argument with the added axis one for each sample.

Samples that go different ways through the function are run by different variants, each by the right one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .. import functional
from ..scalar import Value
from ..text.translation import say
from .batch_columns import Lanes, arrays_of, kind_of_batch, lanes_again, lanes_of
from .call_arguments import Argnums, chosen_arguments, inside_transform, numbers_of, one_number, plain
from .numpy_loader import numpy
from .plan import SHARED
from .structure import like, put_together, take_apart, values_for
from .variants import MOST, ArgumentPlaces, CallOutcome, Variant, VariantCase

if TYPE_CHECKING:
    from .fast_path import CallKind
    from .numpy_loader import Booleans, Doubles, Integers, Numbers
    from .program import Program
    from .report import Compiled
    from .structure import Tree

__all__ = ["Batched"]


@dataclass(slots=True)
class _SampleGroup:
    """Samples that went one way, and what they gave."""

    samples: Integers | None  # their places in the batch, ascending; None for all
    outcome: CallOutcome
    result: Tree  # the tree of what f returned


class Batched:
    """A program over a batch.  Made by `Program.batched`."""

    def __init__(self, program: Program, which: Sequence[int | str]) -> None:
        self.program = program
        self.which = tuple(which)
        self._known: dict[tuple[CallKind, tuple[int, ...]], Lanes] = {}
        self._places: dict[int, frozenset[int]] = {}
        for name in self.which:
            if isinstance(name, str) and program.names and name not in program.names:
                known = ", ".join(program.names)
                raise ValueError(say("compile.batch.name", given=repr(name), known=known))

    def __call__(self, *args: object, **named: object) -> Any:
        """What f returns for each sample."""
        call = _BatchCall(self, args, named, ())
        return call.results()

    def value_and_grad(self, *args: object, argnums: Argnums = 0, **named: object) -> tuple[Any, Any]:
        """The value of each sample, and the gradient of their sum by argument 0, or by `argnums`."""
        args = self.program._positional(args, named)
        chosen, single = chosen_arguments(argnums, len(args))
        call = _BatchCall(self, args, {}, chosen)
        values = call.results()
        gradients = [call.gradient(n) for n in chosen]
        return values, gradients[0] if single else tuple(gradients)

    def total_and_grad(self, *args: object, argnums: Argnums = 0, **named: object) -> tuple[float, Any]:
        """The sum of the values over the batch, and its gradient by argument 0, or by `argnums`."""
        args = self.program._positional(args, named)
        chosen, single = chosen_arguments(argnums, len(args))
        call = _BatchCall(self, args, {}, chosen, totals=True)
        gradients = [call.gradient(n) for n in chosen]
        return call.total(), gradients[0] if single else tuple(gradients)

    def grad(self, *args: object, argnums: Argnums = 0, **named: object) -> Any:
        """The gradient of the sum over the batch by argument 0, or by `argnums`."""
        return self.total_and_grad(*args, argnums=argnums, **named)[1]

    def explain(self, *args: object, argnums: Argnums | None = None, **named: object) -> Compiled:
        """How many nodes became how many instructions, for the way that the first sample goes.  Print it."""
        from .report import Compiled

        args = self.program._positional(args, named)
        floats = () if argnums is None else chosen_arguments(argnums, len(args))[0]
        lanes = self._lanes(args, floats)
        if not lanes.size:
            raise ValueError(say("compile.batch.no_sample", name=self.program.__name__))
        first = tuple(put_together(lanes.tree, lanes.sample(0)))
        variant = self.program._variant(first, {}, argnums)
        return Compiled(self.program, variant, argnums, frozenset(lanes.inputs))

    def _lanes(self, args: Sequence[object], floats: tuple[int, ...]) -> Lanes:
        """The arguments as columns; of arrays, what an earlier call has found out is used again."""
        places = self._which_of(len(args))
        kind = kind_of_batch(args, places)
        known = self._known.get((kind, floats)) if kind is not None else None
        found = None if known is None else lanes_again(known, args)
        if found is None:
            found = lanes_of(args, places, floats)
            found.kinds = self.program.trace_cache.fitting(found.tree, found.kinds)
            if kind is not None and found.size:
                self._known[kind, floats] = replace(found, shared=(), blocks=[])
        return found

    def _which_of(self, count: int) -> frozenset[int]:
        """The arguments that have the added axis, of `count`."""
        if count in self._places:
            return self._places[count]
        if not self.which:
            return self._places.setdefault(count, frozenset(range(count)))
        names = self.program.parameter_names(count)
        found = set()
        for which in self.which:
            place = names.index(which) if isinstance(which, str) and which in names else which
            if not isinstance(place, int) or not -count <= place < count:
                raise ValueError(say("compile.batch.place", given=repr(which), count=count))
            found.add(place % count)
        return self._places.setdefault(count, frozenset(found))

    def __repr__(self) -> str:
        return f"<Batched {self.program.__name__}: {', '.join(map(str, self.which)) or '*'}>"


class _BatchCall:
    """One call: its samples, sorted into groups of one variant each."""

    def __init__(
        self,
        batched: Batched,
        args: Sequence[object],
        named: dict[str, object],
        chosen: Sequence[int],
        totals: bool = False,
    ) -> None:
        from .tracing import is_tracing

        self.program = batched.program
        self.args = args = self.program._positional(tuple(args), named)
        if is_tracing() or (inside_transform() and any(v.requires_grad for v in _values(args))):
            raise TypeError(say("compile.batch.inside"))
        self.chosen = tuple(chosen)
        self.totals = totals  # the values are added up over the samples of a group
        self.lanes = batched._lanes(args, self.chosen)
        self.wanted = numbers_of(self.lanes.starts, self.chosen)
        self.groups = self._sorted()

    # ---- sorting the samples ------------------------------------------------------------

    def _sorted(self) -> list[_SampleGroup]:
        traces = self.program.trace_cache
        case = traces.case(self.lanes.tree, self.lanes.kinds)
        if not self.lanes.size:
            return [self._none(case)]
        groups: list[_SampleGroup] = []
        tried: list[Variant] = []
        # The samples that are left; None for all, so that a batch of one way costs nothing.
        rest: Integers | None = None
        while rest is None or len(rest):
            if case.given_up:
                left = range(self.lanes.size) if rest is None else rest.tolist()
                groups += [self._as_it_stands(sample) for sample in left]
                break
            first = 0 if rest is None else int(rest[0])
            variant = self._next(case, tried, first)
            if variant is None:
                continue
            tried.append(variant)
            fresh = variant not in case.variants
            rest = self._take(groups, case, variant, rest)
            if fresh and len(rest) and rest[0] == first:
                # Fast functions, near a tie, went another way than f did when it was traced.
                groups.append(self._as_it_stands(first))
                rest = rest[1:]
            elif fresh:
                case.add(variant)
        # By the first sample of each, so that sums over the groups do not depend on what was traced before.
        return sorted(groups, key=lambda group: 0 if group.samples is None else int(group.samples[0]))

    def _next(self, case: VariantCase, tried: list[Variant], sample: int) -> Variant | None:
        """A variant that was not tried yet: one that is there, or f traced with a sample."""
        traces = self.program.trace_cache
        for variant in case.variants:
            if variant not in tried and traces.current(case, variant):
                return variant
        numbers = self.lanes.sample(sample)
        if self.program.f is None and self.program.root is None:
            raise traces.unknown(case, numbers)
        if case.traces >= MOST:
            traces.give_up(case)
            return None
        with traces.tracing:
            return traces.trace(case, put_together(self.lanes.tree, numbers))

    def _take(
        self, groups: list[_SampleGroup], case: VariantCase, variant: Variant, rest: Integers | None
    ) -> Integers:
        """Run a variant on the samples that are left; those that it does not hold for are left again."""
        np, traced = numpy(), variant.traced
        if self.chosen:
            one_number(traced, "value_and_grad")
        if inside_transform() and variant.learnt:
            raise TypeError(say("compile.batch.inside"))
        fitting = rest
        if traced.rows:
            every = np.arange(self.lanes.size) if rest is None else rest
            fine = self.lanes.in_range(variant, every)
            if not fine.any():
                return every
            fitting = rest if fine.all() else every[fine]
        outcome = self._run(variant, fitting)
        holds: Booleans | bool = True
        for guard, found in zip(traced.scalars.guards, outcome.guards, strict=True):
            good = found == guard.expected
            if not np.all(good):
                case.broken[guard.where] += 1
            holds = holds & good
        if not np.all(holds):
            if not np.any(holds):
                return np.arange(self.lanes.size) if rest is None else rest
            fitting = np.flatnonzero(holds) if fitting is None else fitting[holds]
            # Sums over the batch had the others in them: those are computed again.
            again = self.chosen or self.totals
            outcome = self._run(variant, fitting) if again else outcome.some(np.asarray(holds))
        case.used(variant)
        self.program.trace_cache.last = variant
        groups.append(_SampleGroup(fitting, outcome, traced.result))
        if fitting is None or fitting is rest:
            nothing: Integers = np.arange(0)
            return nothing
        every = np.arange(self.lanes.size) if rest is None else rest
        left: Integers = np.setdiff1d(every, fitting, assume_unique=True)
        return left

    def _run(self, variant: Variant, samples: Integers | None) -> CallOutcome:
        prepared = variant.prepared(self.wanted, self.lanes.inputs, totals=self.totals)
        shared = variant.shared(self.lanes.shared)
        columns = self.lanes.columns_of(samples) if self.lanes.inputs else None
        # Where the value does not depend on the samples, each sends the same message: it counts so often.
        alone = (bool(self.chosen) or self.totals) and not prepared.varied
        size = self.lanes.size if samples is None else len(samples)
        return prepared.outcome(shared, columns, float(size) if alone else 1.0)

    def _as_it_stands(self, sample: int) -> _SampleGroup:
        """One sample by f itself."""
        np, f = numpy(), self.program.itself()
        args = put_together(
            self.lanes.tree, values_for(self.lanes.sample(sample), self.lanes.kinds)
        )  # as it was traced
        samples = np.array([sample])
        if not self.chosen:
            parts = take_apart((f(*args),), (0,))
            return _SampleGroup(samples, _alone(parts.numbers), parts.tree[2][0])
        value, gradients = functional.value_and_grad(f, sorted(self.chosen))(*args)
        flat = take_apart(gradients, range(len(gradients))).numbers
        return _SampleGroup(samples, _alone([plain(value)], flat), None)

    def _none(self, case: VariantCase) -> _SampleGroup:
        """A batch of no samples: what it would look like is known if another one was there before."""
        np = numpy()
        if not case.variants:
            raise ValueError(say("compile.batch.empty", name=self.program.__name__))
        traced = case.variants[0].traced
        if self.chosen:
            one_number(traced, "value_and_grad")
        zeros = [0.0] * len(traced.scalars.outputs)
        return _SampleGroup(np.arange(0), _alone(zeros, [0.0] * len(self.wanted)), traced.result)

    # ---- putting the groups together ----------------------------------------------------

    def results(self) -> Any:
        tree = self.groups[0].result
        if any(group.result != tree for group in self.groups):
            raise ValueError(say("compile.batch.results", name=self.program.__name__))
        every = [group.outcome.values for group in self.groups]
        columns = [self._joined([values[k] for values in every]) for k in range(len(every[0]))]
        return arrays_of(tree, columns, self.lanes.size, self.program.dtype)

    def total(self) -> float:
        """The sum of the values of all samples."""
        return float(sum(group.outcome.total() for group in self.groups))

    def gradient(self, n: int) -> Any:
        """The gradient by argument n, in its structure."""
        size = self.lanes.starts[n + 1] - self.lanes.starts[n]
        first = self.wanted.index(self.lanes.starts[n]) if size else 0
        outcomes = [group.outcome for group in self.groups]
        if n in self.lanes.places:
            every = [outcome.gradients(first, first + size) for outcome in outcomes]
            columns = [self._joined([found[k] for found in every]) for k in range(size)]
            return arrays_of(self.lanes.tree[2][n], columns, self.lanes.size, self.program.dtype)
        total = outcomes[0].totals(first, first + size)
        for outcome in outcomes[1:]:
            total = total + outcome.totals(first, first + size)
        return like(self.args[n], total, self.program.dtype)

    def _joined(self, parts: list[Numbers]) -> Numbers:
        """One number per sample, out of the groups' numbers."""
        np = numpy()
        if len(self.groups) == 1 and np.ndim(parts[0]):
            return parts[0]
        joined: Doubles = np.empty(self.lanes.size)
        for group, part in zip(self.groups, parts, strict=True):
            joined[... if group.samples is None else group.samples] = part
        return joined


def _alone(values: Sequence[float], gradients: Sequence[float] = ()) -> CallOutcome:
    """What was found without a plan, one number for each output."""
    np = numpy()
    every = np.array([*values, *gradients], dtype=float)
    places = ArgumentPlaces(len(values), 0, np.full(len(every), SHARED), np.arange(len(every)))
    return CallOutcome(places, every, None)


def _values(args: Sequence[object]) -> list[Value]:
    """The Values in the arguments, wherever they are."""
    found: list[Value] = []
    waiting: list[object] = list(args)
    while waiting:
        part = waiting.pop()
        if isinstance(part, Value):
            found.append(part)
        elif isinstance(part, dict):
            waiting.extend(part.values())
        elif isinstance(part, (list, tuple)):
            waiting.extend(part)
    return found
