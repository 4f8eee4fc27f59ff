"""Optimisers SGD, Adam and AdamW, with PyTorch's names and numbers.

    optimiser = SGD(model.parameters(), lr=0.1, momentum=0.9)
    optimiser = AdamW([{"params": body}, {"params": head, "lr": 1e-3}], lr=1e-2)
    optimiser.zero_grad(); loss.backward(); optimiser.step()

The order of every operation is PyTorch's (torch/optim), and so is the layout of `state_dict()`; 200
steps agree to 1e-9 (tests/minigrad/nn/test_optimisers_beside_torch.py).  A gradient that is NaN or
infinite goes into the weights as it does there.  There is one difference: the gradient of a
Value that the loss does not use is 0.0 and not None, so weight decay and momentum go on
moving it; set its `grad` to None to leave it out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from types import SimpleNamespace
from typing import Any, Protocol, TypeVar

from ..functions import VALUES
from ..scalar import Value
from ..values import ieee
from .parameter_groups import Group, Slots, check_settings, make_groups, new_group, read_state

__all__ = ["SGD", "Adam", "AdamW", "Optimizer"]

Parameters = Iterable[Value] | Iterable[tuple[str, Value]] | Iterable[Group] | Value

Changing = Mapping[str, Any] | None  # the numbers of a rule that differ from step to step, by name

T = TypeVar("T")


class Arithmetic(Protocol):
    """What a step needs of a number system: of floats, or of Values where it is compiled."""

    @property
    def sqrt(self) -> Callable[..., Any]: ...
    @property
    def max(self) -> Callable[..., Any]: ...


class _Floats:
    sqrt = staticmethod(math.sqrt)  # what is under a root here is never below 0
    max = staticmethod(ieee.max)


FLOATS = _Floats()


class Optimizer:
    """Groups of parameters, each with its own settings, and what is remembered about each parameter."""

    SLOTS: tuple[str, ...] = ()  # the names of what is remembered, as PyTorch has them

    def __init__(self, params: Parameters, defaults: Mapping[str, object]) -> None:
        self.defaults = check_settings(defaults)
        self.param_groups: list[Group] = []
        self._memory: list[Slots] = []
        for group in make_groups(params):
            self.add_param_group(group)

    def add_param_group(self, param_group: Group) -> None:
        """One more group; what it does not set is as given to the optimiser."""
        group = new_group(type(self).__name__, param_group, self.defaults, self.param_groups)
        self.param_groups.append(group)
        self._memory.append({name: [None] * len(group["params"]) for name in self.SLOTS})

    def zero_grad(self, set_to_none: bool = False) -> None:
        """Every gradient is 0.0 again; `set_to_none` is taken for PyTorch's sake and changes nothing."""
        for group in self.param_groups:
            for parameter in group["params"]:
                parameter.grad = 0.0

    def step(self, closure: Callable[[], T] | None = None) -> T | None:
        """Move every parameter by its gradient; what `closure` returns, if it is given, is handed back."""
        answer = None if closure is None else closure()
        for group, slots in zip(self.param_groups, self._memory, strict=True):
            self._move(group, slots)
        return answer

    def _move(self, group: Group, slots: Slots, m: Arithmetic = FLOATS, changing: Changing = None) -> None:
        raise NotImplementedError

    # ---- the rule by itself ---------------------------------------------------------------------

    @property
    def ruled(self) -> bool:
        """Whether a step is the rule and nothing else: not so in a subclass whose `step` does more."""
        steps = type(self).step is Optimizer.step and "step" not in vars(self)
        return steps and signature(self._move).parameters.keys() >= {"m", "changing"}

    @property
    def memory(self) -> list[Slots]:
        """What is remembered, group by group: under each name of SLOTS, a number or None per parameter."""
        return self._memory

    def remembered(self, group: Group) -> tuple[str, ...]:
        """Which numbers of a parameter the rule of a group reads and writes, beside its count of steps."""
        raise NotImplementedError

    def changing(self, group: Group, step: int) -> dict[str, float]:
        """The numbers of the rule that are of step `step`: 1 for the first."""
        return {"lr": group["lr"]}

    def rule(
        self,
        group: Group,
        changing: Mapping[str, Value],
        data: Value,
        grad: Value,
        memory: Mapping[str, Value],
    ) -> tuple[Value, dict[str, Value]]:
        """A step of one parameter over Values: its new data, and what is remembered of it then.

        It is `_move` itself, on a parameter whose numbers are Values, so that what is compiled is what runs.
        An empty `memory` is a parameter that has taken no step.
        """
        parameter = SimpleNamespace(data=data, grad=grad)
        slots: Slots = {name: [memory.get(name)] for name in self.SLOTS}
        if "step" in slots and memory:
            slots["step"] = [1]  # any: what follows from it is in `changing`
        self._move({**group, "lr": changing["lr"], "params": [parameter]}, slots, VALUES, changing)
        return parameter.data, {name: slots[name][0] for name in self.remembered(group)}

    # ---- what is saved --------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Everything but the weights, in PyTorch's layout: parameters are named by their place."""
        state: dict[int, dict[str, float]] = {}
        groups, first = [], 0
        for group, slots in zip(self.param_groups, self._memory, strict=True):
            size = len(group["params"])
            for place in range(size):
                kept = {name: column[place] for name, column in slots.items() if column[place] is not None}
                if kept:
                    state[first + place] = kept
            saved = {name: setting for name, setting in group.items() if name != "params"}
            groups.append({**saved, "params": list(range(first, first + size))})
            first += size
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: Mapping[str, object]) -> None:
        """Take over what `state_dict()` gave, here or in PyTorch; on an error nothing has changed."""
        groups, memory = read_state(
            type(self).__name__, state_dict, self.defaults, self.param_groups, self.SLOTS
        )
        for mine, group in zip(self.param_groups, groups, strict=True):
            mine.update(group)
        self._memory = memory

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines.append(f"  group {i}: {len(group['params'])} parameters")
            lines += [
                f"    {name}: {group[name]}"
                for name in sorted(group)
                if name not in ("params", "param_names")
            ]
        return "\n".join([*lines, ")"])


class SGD(Optimizer):
    """Down the gradient; with momentum, down a running sum of gradients."""

    SLOTS = ("momentum_buffer",)

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
        }
        super().__init__(params, defaults)

    def remembered(self, group: Group) -> tuple[str, ...]:
        return self.SLOTS if group["momentum"] != 0.0 else ()

    def _move(self, group: Group, slots: Slots, m: Arithmetic = FLOATS, changing: Changing = None) -> None:
        lr, momentum, decay = group["lr"], group["momentum"], group["weight_decay"]
        fresh, nesterov, maximize = 1.0 - group["dampening"], group["nesterov"], group["maximize"]
        buffers = slots["momentum_buffer"]
        for i, parameter in enumerate(group["params"]):
            step = parameter.grad
            if step is None:
                continue
            data = parameter.data
            if maximize:
                step = -step
            if decay != 0.0:
                step = step + decay * data
            if momentum != 0.0:
                buffer = buffers[i]
                # The first gradient enters whole: dampening begins with the second.
                buffers[i] = buffer = step if buffer is None else buffer * momentum + fresh * step
                step = step + momentum * buffer if nesterov else buffer
            parameter.data = data - lr * step


class Adam(Optimizer):
    """Steps of about `lr` each: the running mean of the gradient, divided by the root of its mean square."""

    SLOTS = ("step", "exp_avg", "exp_avg_sq", "max_exp_avg_sq")

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        decoupled_weight_decay: bool = False,
    ) -> None:
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)

    def remembered(self, group: Group) -> tuple[str, ...]:
        return self.SLOTS[1:] if group["amsgrad"] else self.SLOTS[1:3]

    def changing(self, group: Group, step: int) -> dict[str, float]:
        beta1, beta2 = group["betas"]  # the averages begin at zero and are too small at first
        return {"lr": group["lr"], "grown1": 1.0 - beta1**step, "grown2": (1.0 - beta2**step) ** 0.5}

    def _move(self, group: Group, slots: Slots, m: Arithmetic = FLOATS, changing: Changing = None) -> None:
        lr, (beta1, beta2), eps = group["lr"], group["betas"], group["eps"]
        decay, amsgrad, maximize = group["weight_decay"], group["amsgrad"], group["maximize"]
        shrink = 1.0 - lr * decay if decay != 0.0 and group["decoupled_weight_decay"] else 1.0
        pull = 0.0 if group["decoupled_weight_decay"] else decay
        new1, new2 = 1.0 - beta1, 1.0 - beta2
        mostly_old = new1 < 0.5
        steps, means, squares, largest = (slots[name] for name in self.SLOTS)
        root: Callable[[float], float] = m.sqrt
        corrected = 0  # the step whose corrections are at hand: nearly always one for the whole group
        size = scale = 0.0
        for i, parameter in enumerate(group["params"]):
            gradient = parameter.grad
            if gradient is None:
                continue
            data = parameter.data
            step = steps[i]
            if step is None:
                step, mean, square = 1, 0.0, 0.0
            else:
                step, mean, square = step + 1, means[i], squares[i]
            if step != corrected:
                corrected = step
                now = changing or self.changing(group, step)
                size, scale = lr / now["grown1"], now["grown2"]
            if maximize:
                gradient = -gradient
            if shrink != 1.0:
                data = data * shrink
            if pull != 0.0:
                gradient = gradient + pull * data
            if mostly_old:
                mean = mean + new1 * (gradient - mean)
            else:  # torch.lerp starts at the nearer end
                mean = gradient - (gradient - mean) * (1.0 - new1)
            square = square * beta2 + new2 * gradient * gradient
            steps[i], means[i], squares[i] = step, mean, square
            if amsgrad:
                before = largest[i]
                largest[i] = square = square if before is None else m.max(before, square)
            below = root(square) / scale + eps
            parameter.data = data - (size * mean / below if below else ieee.div(size * mean, below))


class AdamW(Adam):
    """Adam whose weight decay shrinks the weights themselves and stays out of the averages."""

    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize, decoupled_weight_decay=True
        )

    def load_state_dict(self, state_dict: Mapping[str, object]) -> None:
        super().load_state_dict(state_dict)
        for group in self.param_groups:  # what Adam has saved continues as AdamW
            group["decoupled_weight_decay"] = True
