"""State of a program that an examination must not change, saved before and put back after it.

Parameters and buffers, their gradients, whether they require one, the training mode of every module, the
state of the optimizer and of the generators of random numbers.  What has not changed is not written to.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor, nn
    from torch.optim import Optimizer

__all__ = ["RandomState", "preserved"]


class RandomState:
    """The generators as they are now; `restore` puts them back."""

    def __init__(self) -> None:
        import torch

        self._torch = torch.get_rng_state()
        self._cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else None
        self._python = random.getstate()
        numpy = sys.modules.get("numpy")
        self._numpy = numpy.random.get_state() if numpy is not None else None

    def restore(self) -> None:
        import torch

        torch.set_rng_state(self._torch)
        if self._cuda is not None:
            torch.cuda.set_rng_state_all(self._cuda)
        random.setstate(self._python)
        if self._numpy is not None:
            sys.modules["numpy"].random.set_state(self._numpy)


class _Tensors:
    """Tensors with their values, their gradients, and whether they require one."""

    def __init__(self, tensors: list[Tensor]) -> None:
        self._rows = [
            (
                each,
                each.detach(),
                each.detach().clone(),
                each.requires_grad,
                each.grad if each.is_leaf else None,
                each.grad.detach().clone() if each.is_leaf and each.grad is not None else None,
            )
            for each in tensors
        ]

    def restore(self) -> None:
        import torch

        for tensor, memory, value, requires, grad, gradient in self._rows:
            if tensor.layout == torch.strided and tensor.data_ptr() != memory.data_ptr():
                with torch.no_grad():
                    tensor.data = memory  # `.data` was assigned to
            _write(tensor, value)
            if tensor.is_leaf and tensor.requires_grad != requires:
                tensor.requires_grad_(requires)
            if not tensor.is_leaf:
                continue
            if gradient is not None:
                _write(grad, gradient)
            if tensor.grad is not grad:
                tensor.grad = grad


def _write(tensor: Any, value: Any) -> None:
    import torch

    with torch.no_grad():
        if not _is_same(tensor, value):
            # what is written into the data of a sparse tensor does not reach the tensor
            (tensor if tensor.layout == torch.sparse_coo else tensor.data).copy_(value)


def _is_same(one: Any, other: Any) -> bool:
    """Also where both are NaN; of what is sparse nothing is compared."""
    import torch

    if one.layout != torch.strided or other.layout != torch.strided or one.shape != other.shape:
        return False
    return torch.equal(one, other) or bool(((one == other) | ((one != one) & (other != other))).all())


class _OptimizerState:
    def __init__(self, optimizer: Optimizer) -> None:
        self._optimizer = optimizer
        self._state = {
            key: {name: (x, _copied(x)) for name, x in row.items()}
            for key, row in optimizer.state.items()
            if isinstance(row, dict)
        }
        self._groups = [
            (group, {name: (x, _copied(x)) for name, x in group.items()}) for group in optimizer.param_groups
        ]
        self._count = getattr(optimizer, "_step_count", None)

    def restore(self) -> None:
        state = self._optimizer.state
        for key in [key for key in state if key not in self._state]:
            del state[key]
        for key, row in self._state.items():
            state[key].clear()
            state[key].update({name: _put_back(x, saved) for name, (x, saved) in row.items()})
        for group, row in self._groups:
            for name in [name for name in group if name not in row]:
                del group[name]
            group.update({name: _put_back(x, saved) for name, (x, saved) in row.items()})
        if self._count is not None:
            self._optimizer._step_count = self._count


def _copied(x: Any) -> Any:
    import torch

    return x.detach().clone() if isinstance(x, torch.Tensor) else None


def _put_back(x: Any, saved: Any) -> Any:
    if saved is not None:
        _write(x, saved)
    return x


@contextmanager
def preserved(
    model: nn.Module | None, optimizer: Optimizer | None, others: Sequence[Tensor] = ()
) -> Iterator[RandomState]:
    """A block after which all of this is as before; gives the generators' state, to start runs from."""
    import torch

    generators = RandomState()
    modules = list(model.modules()) if model is not None else []
    modes = [(module, module.training) for module in modules]
    held: dict[int, Any] = {id(each): each for each in others}
    for module in modules:
        for each in (*module._parameters.values(), *module._buffers.values()):
            if each is not None:
                held[id(each)] = each
    slots = [(row, dict(row)) for module in modules for row in (module._parameters, module._buffers)]
    if optimizer is not None:
        for group in optimizer.param_groups:
            for each in group["params"]:
                held[id(each)] = each
    tensors = _Tensors(list(held.values()))
    state = _OptimizerState(optimizer) if optimizer is not None else None
    with ExitStack() as versions:
        # the graphs of the program stay fit for a backward pass: what it saved is again as it was
        keep = getattr(torch.autograd, "_unsafe_preserve_version_counter", None)
        for each in held.values():
            if keep is not None and not each.is_inference():
                versions.enter_context(keep(each))
        try:
            yield generators
        finally:
            _restore(slots, tensors, state, modes, generators)


def _restore(
    slots: Any, tensors: _Tensors, state: _OptimizerState | None, modes: Any, generators: RandomState
) -> None:
    for row, before in slots:  # a buffer may have been replaced by another tensor
        if any(row.get(name) is not x for name, x in before.items()):
            row.update(before)
    tensors.restore()
    if state is not None:
        state.restore()
    for module, mode in modes:
        module.training = mode
    generators.restore()
