"""Copies of the modules among the arguments of a call, whose parameters stay the same objects.

`Checkpoint.apply(block, x, *block.parameters())` hands over the parameters so that gradients can be given for
them; its forward uses those in `block`.  Copies of both that have nothing to do with each other would show a
forward that does not depend on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch
    from torch import Tensor

__all__ = ["ModuleCopies", "preserved", "runs_others"]

DEEPEST = 4  # lists within lists
LARGEST = 1 << 20  # numbers of the parameters that are copied


class ModuleCopies:
    """The copies of all modules in some arguments; none of modules that are large or cannot be copied."""

    def __init__(self, args: Sequence[object]) -> None:
        self.modules: list[torch.nn.Module] = []
        self._copies: dict[int, Any] = {}
        found = {id(module): module for module in _modules(args)}
        if not found or sum(p.numel() for each in found.values() for p in each.parameters()) > LARGEST:
            return
        memo: dict[int, Any] = {}
        try:
            self.modules = [deepcopy(module, memo) for module in found.values()]
        except Exception:  # a module that keeps what cannot be copied, such as a result of its last call
            return
        # deepcopy has the ids of what it copied in its memo, so a parameter is found in the copies.
        self._copies = {id(old): memo[id(old)] for module in found.values() for old in _kept(module)}

    def of(self, x: object) -> Any:
        """The copy of a module, of a parameter in one, or of a method of one; None for anything else."""
        if isinstance(x, MethodType) and id(x.__self__) in self._copies:
            return getattr(self._copies[id(x.__self__)], x.__name__, None)
        if isinstance(x, partial) and (function := self.of(x.func)) is not None:
            return partial(function, *x.args, **x.keywords)
        return self._copies.get(id(x))

    def ties(self, x: Tensor) -> bool:
        """Is it a parameter of one of these copies?"""
        return any(x is each for module in self.modules for each in module.parameters())


def _kept(module: torch.nn.Module) -> Iterator[object]:
    yield from module.modules()
    yield from module.parameters()
    yield from module.buffers()


def _modules(args: Sequence[object], depth: int = 0) -> Iterator[torch.nn.Module]:
    import torch

    for x in args:
        if isinstance(x, torch.nn.Module):
            yield x
        elif isinstance(x, MethodType) and isinstance(x.__self__, torch.nn.Module):
            yield x.__self__
        elif depth >= DEEPEST:
            continue
        elif isinstance(x, partial):
            yield from _modules([x.func], depth + 1)
        elif isinstance(x, (list, tuple)):
            yield from _modules(x, depth + 1)
        elif isinstance(x, dict):
            yield from _modules(list(x.values()), depth + 1)


def runs_others(args: Sequence[object]) -> bool:
    """Is a function, a method or a module among the arguments, so that the forward may use what it holds?"""
    import torch

    kinds = (torch.nn.Module, FunctionType, MethodType, partial)
    return any(
        isinstance(x, kinds) or (isinstance(x, (list, tuple)) and any(isinstance(y, kinds) for y in x))
        for x in args
    )


@contextmanager
def preserved(fn: object, args: Sequence[object]) -> Iterator[None]:
    """A block after which all modules and parameters within reach are as before: gradients, statistics, mode.

    Within reach of the function: itself, the object that it is a method of, what it closes over; and of the
    arguments.
    """
    import torch

    roots = [fn, getattr(fn, "__self__", None), *_closed_over(fn), *args]
    roots += [inner for x in roots for inner in _closed_over(x)]
    modules = {id(each): each for module in _modules(roots) for each in module.modules()}
    leaves = [x for x in roots if isinstance(x, torch.Tensor) and x.is_leaf]
    leaves += [p for module in modules.values() for p in module.parameters(recurse=False)]
    grads = [(leaf, leaf.grad, None if leaf.grad is None else leaf.grad.clone()) for leaf in leaves]
    buffers = [(b, b.clone()) for m in modules.values() for b in m.buffers(recurse=False) if b is not None]
    modes = [(module, module.training) for module in modules.values()]
    try:
        yield
    finally:
        with torch.no_grad():
            for leaf, own, old in grads:
                leaf.grad = own
                if own is not None and old is not None:
                    own.copy_(old)
            for buffer, numbers in buffers:
                buffer.copy_(numbers)
        for module, mode in modes:
            module.training = mode


def _closed_over(fn: object) -> list[object]:
    found = []
    for cell in getattr(fn, "__closure__", None) or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:  # an empty one
            continue
    return found
