"""The optimiser's part of a compiled training step: its rule for all parameters, its memory in arrays.

Parameters that take the same rule with the same numbers are a *cohort*: those of one group that have taken
equally many steps.  They lie side by side, and are the lanes of one program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from ...text.translation import say
from ..numpy_loader import numpy
from .step_parts import rule

if TYPE_CHECKING:
    from ...nn.optimisers import Optimizer
    from ...nn.parameter_groups import Slots
    from ...nn.schedules import LRScheduler
    from ...scalar import Value
    from ..executors import Executor, PlainCall
    from ..numpy_loader import Doubles

__all__ = ["FACTOR", "NORM", "Cohort", "Updates"]

NORM, FACTOR = 0, 1  # where the norm of a gradient and its factor lie; then come the numbers of the cohorts


@dataclass
class Cohort:
    group: int  # of the optimiser
    places: list[int]  # of its parameters in the group
    start: int  # of its parameters in the arrays
    steps: int  # that were taken
    fresh: bool  # nothing is remembered yet
    first: int = 0  # of its numbers among the shared ones

    @property
    def stop(self) -> int:
        return self.start + len(self.places)


class Updates:
    """An optimiser as it stands: what it remembers is copied here, and goes back by `write_back`."""

    def __init__(self, optimiser: Optimizer, clipped: bool, before: Updates | None = None) -> None:
        self._np, self._optimiser, self._clipped = numpy(), optimiser, clipped
        self._set = [name for name in optimiser.defaults if name != "lr"]  # settings that are part of a rule
        self._cohorts: list[Cohort] = []
        self._split()
        groups = optimiser.param_groups
        self.parameters = [
            groups[cohort.group]["params"][place] for cohort in self._cohorts for place in cohort.places
        ]
        for parameter in self.parameters:
            _refuse_unusual(parameter)
        self._columns = {
            name: self._np.zeros(len(self.parameters)) for name in optimiser.SLOTS if name != "step"
        }
        self.last_rates: list[float] = []
        # Compiled rules, which outlive a reading of the optimiser.
        self._made: dict[object, Executor] = {} if before is None else before._made
        self._read()

    def _split(self) -> None:
        start, first = 0, FACTOR + 1
        for number, (group, slots) in enumerate(
            zip(self._optimiser.param_groups, self._optimiser.memory, strict=True)
        ):
            names = self._optimiser.remembered(group)

            def taken(place: int, slots: Slots = slots, names: Sequence[str] = names) -> tuple[bool, int]:
                fresh = not names or slots[names[0]][place] is None
                return fresh, (slots["step"][place] or 0) if "step" in slots else 0

            order = sorted(range(len(group["params"])), key=taken)
            for (fresh, steps), places in groupby(order, key=taken):
                cohort = Cohort(number, list(places), start, steps, fresh and bool(names), first)
                self._cohorts.append(cohort)
                start = cohort.stop
                first += len(self._optimiser.changing(group, 1))
        self.shared = self._np.ones(first)

    def listed(self) -> list[int]:
        """Where the parameters lie, in the order in which the optimiser was given them."""
        place_of = {id(parameter): place for place, parameter in enumerate(self.parameters)}
        return [place_of[id(p)] for group in self._optimiser.param_groups for p in group["params"]]

    @property
    def fresh(self) -> bool:
        """Whether some parameters take their first step next, which has a rule of its own."""
        return any(cohort.fresh for cohort in self._cohorts)

    # ---- what is remembered ---------------------------------------------------------------------

    def _read(self) -> None:
        for cohort in self._cohorts:
            slots = self._optimiser.memory[cohort.group]
            if not cohort.fresh:
                for name in self._optimiser.remembered(self._optimiser.param_groups[cohort.group]):
                    kept = [slots[name][place] for place in cohort.places]
                    self._columns[name][cohort.start : cohort.stop] = kept

    def write_back(self) -> None:
        for cohort in self._cohorts:
            slots = self._optimiser.memory[cohort.group]
            if cohort.fresh or (cohort.steps == 0 and "step" in slots):
                continue
            for name in self._optimiser.remembered(self._optimiser.param_groups[cohort.group]):
                column = self._columns[name][cohort.start : cohort.stop].tolist()
                for place, x in zip(cohort.places, column, strict=True):
                    slots[name][place] = x
            if "step" in slots:
                for place in cohort.places:
                    slots["step"][place] = cohort.steps

    # ---- a step ---------------------------------------------------------------------------------

    def now(self) -> list[float]:
        """The numbers of all cohorts for the next step."""
        optimiser = self._optimiser
        found: list[float] = []
        for cohort in self._cohorts:
            found += optimiser.changing(optimiser.param_groups[cohort.group], cohort.steps + 1).values()
        return found

    def settings(self) -> list[object]:
        """What the calls of a step depend on, but for arrays: while it is equal, they can be used again."""
        groups = self._optimiser.param_groups
        found: list[object] = [len(group["params"]) for group in groups]
        found += [[group[name] for name in self._set] for group in groups]
        found += [cohort.fresh for cohort in self._cohorts]
        return found

    def move(self, data: Doubles, grad: Doubles) -> None:
        self.shared[FACTOR + 1 :] = self.now()
        for executor, shared, columns, out, out_columns, _ in self.calls(data, grad):
            executor.run_into(shared, columns, out, out_columns)
        self.took(1)

    def calls(self, data: Doubles, grad: Doubles) -> list[PlainCall]:
        """What `executors.loop` runs, one call for each cohort."""
        if sum(len(group["params"]) for group in self._optimiser.param_groups) != len(self.parameters):
            raise ValueError(say("compile.steps.groups"))
        found: list[PlainCall] = []
        for cohort in self._cohorts:
            part = slice(cohort.start, cohort.stop)
            names = self._optimiser.remembered(self._optimiser.param_groups[cohort.group])
            memory = [self._columns[name][part] for name in names]
            into = [data[part], *memory]
            read = [data[part], grad[part], *([] if cohort.fresh else memory)]
            found.append((self._rule(cohort), self.shared, read, self._np.zeros(0), into, None))
        return found

    def took(self, steps: int) -> None:
        for cohort in self._cohorts:
            cohort.steps += steps
            cohort.fresh = cohort.fresh and not steps

    def _rule(self, cohort: Cohort) -> Executor:
        """The rule of a cohort; another one where somebody has changed a setting that is part of it."""
        optimiser = self._optimiser
        group = optimiser.param_groups[cohort.group]
        settings = tuple([group[name] for name in self._set])
        key = (settings, cohort.fresh, cohort.first, len(self.shared))
        if key not in self._made:
            names = optimiser.remembered(group)
            self._made[key] = rule(
                lambda now, data, grad, memory: optimiser.rule(group, now, data, grad, memory),
                names,
                list(optimiser.changing(group, 1)),
                cohort.first,
                len(self.shared),
                () if cohort.fresh else names,
                self._clipped,
            )
        return self._made[key]

    # ---- rates ----------------------------------------------------------------------------------

    def rates(
        self, count: int, lr: Sequence[float] | None, schedule: LRScheduler | None
    ) -> list[list[float]]:
        """The rates of so many steps, one for each group; a schedule is moved on by as many."""
        groups = self._optimiser.param_groups
        if lr is not None:
            return [[float(rate)] * len(groups) for rate in lr]
        if schedule is None:
            self.last_rates = [group["lr"] for group in groups]
            return [self.last_rates] * count
        found = []
        for _ in range(count):
            found.append([group["lr"] for group in groups])
            schedule.step()
        self.last_rates = [group["lr"] for group in groups]
        return found

    def set_rates(self, rates: Sequence[float]) -> None:
        for group, rate in zip(self._optimiser.param_groups, rates, strict=True):
            group["lr"] = rate

    def table(self, rates: Sequence[Sequence[float]]) -> list[list[float]]:
        """The numbers of all cohorts, step by step."""
        found: list[list[float]] = [[] for _ in rates]
        changing = self._optimiser.changing
        for cohort in self._cohorts:
            group = dict(self._optimiser.param_groups[cohort.group])
            for ahead, (row, now) in enumerate(zip(found, rates, strict=True), cohort.steps + 1):
                group["lr"] = now[cohort.group]
                row += changing(group, ahead).values()
        return found


def _refuse_unusual(parameter: Value) -> None:
    """What `backward` does with a parameter beside its gradient has no place in a compiled step."""
    extra = parameter._extra
    if not parameter.requires_grad or (extra is not None and extra.hooks):
        key = "hook" if parameter.requires_grad else "constant"
        raise ValueError(say(f"compile.steps.{key}", given=parameter.label or repr(parameter)))
