"""Record of how a program was built: the lines where its modules, parameters and optimizers were made.

It is kept while a program is loaded, before its loss is computed; where a model was built before, nothing is
known of that, and what depends on it is left unsaid.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from .program_place import ProgramPlace, stack_here

__all__ = ["BuildRecord", "OptimizerMade", "recording"]

Stack = tuple[ProgramPlace, ...]


@dataclass(eq=False)
class OptimizerMade:
    """An optimizer, where it was made, and which of the parameters then did not require a gradient."""

    optimizer: Any
    places: Stack


@dataclass(eq=False)
class BuildRecord:
    """What was made where; the ids are of objects that are alive, or they are not in it."""

    modules: dict[int, Stack] = field(default_factory=dict)  # by id: where it was made
    attributes: dict[tuple[int, str], Stack] = field(default_factory=dict)  # by the id of the owner, and name
    optimizers: list[OptimizerMade] = field(default_factory=list)
    frozen: dict[int, Stack] = field(default_factory=dict)  # parameters: the last line that froze them
    thawed: dict[int, Stack] = field(default_factory=dict)  # ... that made them require a gradient again
    modes: dict[int, tuple[bool, Stack]] = field(default_factory=dict)  # modules: the last train() or eval()
    initial: dict[int, Stack] = field(default_factory=dict)  # parameters: the last function of nn.init
    _order: int = 0
    orders: dict[int, int] = field(default_factory=dict)  # by id: when
    _alive: list[Any] = field(default_factory=list)

    def made(self, thing: object) -> ProgramPlace | None:
        """Where a module or an optimizer was made."""
        if (places := self.modules.get(id(thing))) is not None:
            return places[0] if places else None
        for each in self.optimizers:
            if each.optimizer is thing:
                return each.places[0] if each.places else None
        return None

    def attribute(self, owner: object, name: str) -> ProgramPlace | None:
        places = self.attributes.get((id(owner), name))
        return places[0] if places else None

    def note(self, thing: object) -> None:
        self._order += 1
        self.orders[id(thing)] = self._order
        self._alive.append(weakref.ref(thing) if hasattr(type(thing), "__weakref__") else thing)


@contextmanager
def recording() -> Iterator[BuildRecord]:
    """Record what is built in the block; PyTorch is as before when it ends."""
    import torch
    from torch import nn
    from torch.nn.modules.module import (
        register_module_module_registration_hook,
        register_module_parameter_registration_hook,
    )
    from torch.overrides import TorchFunctionMode

    record = BuildRecord()

    class BuildMode(TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(
            self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
        ) -> Any:
            made = func(*args, **(kwargs or {}))
            name = getattr(func, "__name__", "")
            if name == "requires_grad_" or (
                name == "__set__"
                and getattr(getattr(func, "__self__", None), "__name__", "") == "requires_grad"
            ):
                tensor = args[0]
                where = record.thawed if tensor.requires_grad else record.frozen
                where[id(tensor)] = stack_here(2)[0]
                record.note(tensor)
            return made

    def attribute(owner: Any, name: str, value: object) -> None:
        record.attributes[id(owner), name] = stack_here(2)[0]
        if value is not None:
            record.note(value)

    before = nn.Module.__init__, nn.Module.train, torch.optim.Optimizer.__init__

    def make(self: Any, *args: Any, **kwargs: Any) -> None:
        record.modules[id(self)] = stack_here(2)[0]
        record.note(self)
        before[0](self, *args, **kwargs)

    def train(self: Any, mode: bool = True) -> Any:
        if id(self) not in {id(each) for each in switching}:
            record.modes[id(self)] = (mode, stack_here(2)[0])
        switching.append(self)
        try:
            return before[1](self, mode)
        finally:
            switching.pop()

    def optimize(self: Any, *args: Any, **kwargs: Any) -> None:
        before[2](self, *args, **kwargs)
        if not any(each.optimizer is self for each in record.optimizers):
            record.optimizers.append(OptimizerMade(self, stack_here(2)[0]))
            record.note(self)

    switching: list[Any] = []
    with ExitStack() as opened:
        opened.callback(register_module_module_registration_hook(attribute).remove)
        opened.callback(register_module_parameter_registration_hook(attribute).remove)
        opened.enter_context(BuildMode())
        classes = (nn.Module, "__init__", make), (nn.Module, "train", train)
        for owner, name, function in (*classes, (torch.optim.Optimizer, "__init__", optimize)):
            opened.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, function)
        yield record
