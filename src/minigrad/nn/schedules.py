"""Schedules of the learning rate, with PyTorch's names, arguments and numbers.

    schedule = CosineAnnealingLR(optimiser, T_max=1000)
    warm = LinearLR(optimiser, start_factor=0.01, total_iters=100)
    schedule = SequentialLR(optimiser, [warm, cosine], milestones=[100])
    optimiser.step(); schedule.step()                 # in this order

A schedule writes `lr` into the groups of its optimiser, each from its own first rate.  As in PyTorch the
next rate is made from the last one, so that schedules can be combined and a rate changed by hand is kept.
`state_dict()` holds nothing but numbers and lists.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import cos, isfinite, pi
from typing import Any

from ..text.escape import printable
from ..text.excerpts import describe
from ..text.numerals import counted, show
from ..text.translation import say
from ..values.validation import number
from .optimisers import Optimizer

__all__ = ["ConstantLR", "CosineAnnealingLR", "LRScheduler", "LambdaLR", "LinearLR", "SequentialLR"]

_IGNORED = ("_get_lr_called_within_step", "_is_initial", "verbose")  # PyTorch's own bookkeeping


class LRScheduler:
    """What all schedules share; a new one says in `get_lr` what the rates are at `last_epoch`."""

    _SAVED: tuple[str, ...] = ()  # the arguments of this schedule, which its state holds too

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(say("schedule.optimiser", given=describe(optimizer)))
        last_epoch = _whole("last_epoch", last_epoch, -1)
        self.optimizer = optimizer
        for place, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise ValueError(say("schedule.resumed", epoch=last_epoch, place=place))
        self.base_lrs: list[float] = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._begin()

    def _begin(self) -> None:
        """The first step is taken by the constructor: it sets the rate that training begins with."""
        self._step_count = 0
        self._initial = True
        self.step()
        self._initial = False

    def step(self) -> None:
        """The rates for the next step of the optimiser."""
        self._step_count += 1
        self.last_epoch += 1
        self._write(self.get_lr())

    def restart(self) -> None:
        """Begin anew at the first rates; SequentialLR does so when the turn of a schedule comes."""
        self.last_epoch = 0
        self._write(self.at_start())

    def _write(self, rates: Sequence[float]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            group["lr"] = rate
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def get_last_lr(self) -> list[float]:
        """The rate of each group, as this schedule wrote it last."""
        return list(self._last_lr)

    def get_lr(self) -> list[float]:
        raise NotImplementedError

    def at_start(self) -> list[float]:
        """The rates at epoch 0, out of the first rates alone."""
        return self.get_lr()

    def _rates(self) -> list[float]:
        return [group["lr"] for group in self.optimizer.param_groups]

    # ---- what is saved --------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Where the schedule stands, with PyTorch's names."""
        arguments = {name: getattr(self, name) for name in self._SAVED}
        return {
            **arguments,
            "base_lrs": list(self.base_lrs),
            "last_epoch": self.last_epoch,
            "_step_count": self._step_count,
            "_last_lr": list(self._last_lr),
        }

    def load_state_dict(self, state_dict: Mapping[str, object]) -> None:
        """Take over what `state_dict()` gave; the rates themselves come with the optimiser's state."""
        self._take(self._checked(state_dict))

    def _checked(self, state_dict: object) -> dict[str, Any]:
        """The state as it will be taken, or an error."""
        own = set(self.state_dict())
        given = state_dict if isinstance(state_dict, dict) else {}
        state = {name: given[name] for name in given if name not in _IGNORED}
        if set(state) != own:
            wrong = sorted(map(str, own ^ set(state)))[0]
            raise ValueError(say("schedule.state", kind=type(self).__name__, name=printable(wrong)))
        for name in own & {"base_lrs", "_last_lr"}:
            rates = state[name]
            if not isinstance(rates, (list, tuple)) or len(rates) != len(self.optimizer.param_groups):
                groups = counted(len(self.optimizer.param_groups))
                raise ValueError(say("schedule.state.rates", name=name, groups=groups))
            state[name] = [number(rate) for rate in rates]
        for name in own & {"last_epoch", "_step_count"}:
            state[name] = _whole(name, state[name], -1)
        for name in self._SAVED:  # the arguments are checked as when they were given
            state[name] = self._argument(name, state[name])
        return state

    def _take(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)

    def _argument(self, name: str, given: object) -> float:
        """One of the arguments of this schedule, checked; a count is an int."""
        if name in ("total_iters", "T_max"):
            return _count(name, given)
        if name == "eta_min":
            low = number(given)
            if not isfinite(low):
                raise ValueError(say("schedule.finite", name=name, given=show(low)))
            return low
        factor = number(given)
        if not 0.0 <= factor <= 1.0 or (factor == 0.0 and name != "end_factor"):
            key = "schedule.end_factor" if name == "end_factor" else "schedule.factor"
            raise ValueError(say(key, name=name, given=show(factor)))
        return factor


class ConstantLR(LRScheduler):
    """The rate times `factor` for `total_iters` steps, then the whole rate."""

    _SAVED = ("factor", "total_iters")

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        self.factor = self._argument("factor", factor)
        self.total_iters = _count("total_iters", total_iters)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self.last_epoch == 0:
            return [rate * self.factor for rate in self._rates()]
        if self.last_epoch != self.total_iters:
            return self._rates()
        return [rate * (1.0 / self.factor) for rate in self._rates()]

    def at_start(self) -> list[float]:
        whole = self.total_iters <= 0
        return [base * (self.factor + whole * (1 - self.factor)) for base in self.base_lrs]


class LinearLR(LRScheduler):
    """The rate times a factor that goes from `start_factor` to `end_factor` in `total_iters` equal steps."""

    _SAVED = ("start_factor", "end_factor", "total_iters")

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        self.start_factor = self._argument("start_factor", start_factor)
        self.end_factor = self._argument("end_factor", end_factor)
        self.total_iters = _count("total_iters", total_iters)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        if self.last_epoch == 0:
            return [rate * self.start_factor for rate in self._rates()]
        if self._initial or self.last_epoch > self.total_iters:
            return self._rates()
        rise = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * rise
        return [rate * (1.0 + rise / before) for rate in self._rates()]

    def at_start(self) -> list[float]:
        return [base * self.start_factor for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Down half a wave of the cosine from the first rate to `eta_min` in `T_max` steps, and up again."""

    _SAVED = ("T_max", "eta_min")

    def __init__(
        self,
        optimizer: Optimizer,
        T_max: int,  # noqa: N803 PyTorch's name
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        self.T_max = _count("T_max", T_max)
        self.eta_min = self._argument("eta_min", eta_min)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        now, half, low = self.last_epoch, self.T_max, self.eta_min
        if self._initial:
            return self._rates()
        if self._step_count == 1 and now > 0:
            return [low + (base - low) * (1 + cos(now * pi / half)) / 2 for base in self.base_lrs]
        if (now - 1 - half) % (2 * half) == 0:  # from the bottom there is no ratio to the rate before
            rise = (1 - cos(pi / half)) / 2
            return [
                rate + (base - low) * rise for base, rate in zip(self.base_lrs, self._rates(), strict=True)
            ]
        ratio = (1 + cos(pi * now / half)) / (1 + cos(pi * (now - 1) / half))
        return [ratio * (rate - low) + low for rate in self._rates()]

    def at_start(self) -> list[float]:
        return [self.eta_min + (base - self.eta_min) * (1 + cos(0.0)) / 2 for base in self.base_lrs]


class LambdaLR(LRScheduler):
    """The first rate times what a function of the epoch says; one function, or one per group."""

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        groups = len(getattr(optimizer, "param_groups", ()))
        several = isinstance(lr_lambda, (list, tuple))
        self.lr_lambdas: list[Callable[[int], float]] = list(lr_lambda) if several else [lr_lambda] * groups  # type: ignore[arg-type, list-item]
        if several and len(self.lr_lambdas) != groups:
            given, wanted = counted(len(self.lr_lambdas)), counted(groups)
            raise ValueError(say("schedule.lambdas", given=given, wanted=wanted))
        for function in self.lr_lambdas:
            if not callable(function):
                raise TypeError(say("schedule.lambda", given=describe(function)))
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        factors = [number(function(self.last_epoch)) for function in self.lr_lambdas]
        for factor in factors:
            if not isfinite(factor):
                raise ValueError(say("schedule.finite", name=f"lr_lambda({self.last_epoch})", given=factor))
        return [base * factor for factor, base in zip(factors, self.base_lrs, strict=True)]

    def state_dict(self) -> dict[str, Any]:
        """A function cannot be saved; its place in the list is kept."""
        return {**super().state_dict(), "lr_lambdas": [None] * len(self.lr_lambdas)}

    def _take(self, state: Mapping[str, Any]) -> None:
        super()._take({name: kept for name, kept in state.items() if name != "lr_lambdas"})


class SequentialLR(LRScheduler):
    """One schedule after the other: the next one begins when the steps reach the next milestone."""

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: Sequence[LRScheduler],
        milestones: Sequence[int],
        last_epoch: int = -1,
    ) -> None:
        self._schedulers = list(schedulers)
        self._milestones = _rising(milestones)
        if not self._schedulers or len(self._milestones) != len(self._schedulers) - 1:
            given, wanted = len(self._milestones), max(len(self._schedulers) - 1, 0)
            raise ValueError(say("schedule.milestones", given=counted(given), wanted=counted(wanted)))
        for scheduler in self._schedulers:
            if not isinstance(scheduler, LRScheduler):
                raise TypeError(say("schedule.kind", given=describe(scheduler)))
            if isinstance(scheduler, SequentialLR):
                raise ValueError(say("schedule.nested"))
            if scheduler.optimizer is not optimizer:
                raise ValueError(say("schedule.other", kind=type(scheduler).__name__))
        self.optimizer = optimizer
        self.last_epoch = _whole("last_epoch", last_epoch, -1) + 1
        # Each schedule took its first step when it was made; only the one whose turn it is may keep it.
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for scheduler in self._schedulers:
            scheduler.last_epoch -= 1
        self._schedulers[0]._begin()
        self._last_lr = self._schedulers[0].get_last_lr()

    def step(self) -> None:
        self.last_epoch += 1
        turn = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[turn]
        if turn > 0 and self._milestones[turn - 1] == self.last_epoch:
            scheduler.restart()
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def state_dict(self) -> dict[str, Any]:
        return {
            "_milestones": list(self._milestones),
            "last_epoch": self.last_epoch,
            "_last_lr": list(self._last_lr),
            "_schedulers": [scheduler.state_dict() for scheduler in self._schedulers],
        }

    def _checked(self, state_dict: object) -> dict[str, Any]:
        state = super()._checked(state_dict)
        parts, milestones = state["_schedulers"], state["_milestones"]
        if not isinstance(parts, (list, tuple)) or len(parts) != len(self._schedulers):
            raise ValueError(say("schedule.state", kind=type(self).__name__, name="_schedulers"))
        if not isinstance(milestones, (list, tuple)) or len(milestones) != len(self._milestones):
            raise ValueError(say("schedule.state", kind=type(self).__name__, name="_milestones"))
        state["_milestones"] = _rising(milestones)
        state["_schedulers"] = [
            scheduler._checked(part) for scheduler, part in zip(self._schedulers, parts, strict=True)
        ]
        return state

    def _take(self, state: Mapping[str, Any]) -> None:
        for scheduler, part in zip(self._schedulers, state["_schedulers"], strict=True):
            scheduler._take(part)
        super()._take({name: kept for name, kept in state.items() if name != "_schedulers"})


def _rising(milestones: Sequence[int]) -> list[int]:
    steps = [_whole("milestones", milestone, 1) for milestone in milestones]
    if any(b <= a for a, b in pairwise(steps)):
        raise ValueError(say("schedule.rising", given=", ".join(map(str, steps))))
    return steps


def _count(name: str, given: object) -> int:
    return _whole(name, given, 1 if name == "T_max" else 0)


def _whole(name: str, given: object, least: int) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or given < least:
        raise ValueError(say("schedule.whole", name=name, given=describe(given), least=least))
    return given
