"""Variants of a plain forward of PyTorch: roundings passed straight through, or some steps held constant.

A rule that is not the derivative of its forward may be the derivative of such a variant, and then it is known
what it does: it treats rounding as the identity, or the variance in line 12 as a constant.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

__all__ = ["ForwardStep", "forward_steps", "held_constant", "straight_through"]

ROUNDINGS = frozenset({"round", "floor", "ceil", "trunc", "fix", "sign", "heaviside"})
BORDERS = frozenset({"clamp", "clip", "clamp_min", "clamp_max", "hardtanh", "relu", "relu6"})
MOST_STEPS = 80  # of one forward that are looked at
DEEPEST = 40  # frames above an op in which the user's file is looked for


@dataclass(frozen=True)
class ForwardStep:
    """One operation of a forward: its name and its line in the user's file."""

    index: int
    op: str
    line: int


@contextmanager
def _watching(torch: ModuleType, watch: Callable[..., object]) -> Iterator[None]:
    """Every function of torch that is called on tensors inside goes through `watch`."""

    class FunctionWatch(torch.overrides.TorchFunctionMode):  # type: ignore[misc, name-defined]
        def __torch_function__(
            self,
            func: Callable[..., object],
            types: Sequence[type],
            args: Sequence[object] = (),
            kwargs: Mapping[str, object] | None = None,
        ) -> object:
            return watch(func, args, kwargs or {})

    with FunctionWatch():
        yield


def straight_through(torch: ModuleType, borders: bool = False) -> Any:
    """Inside, roundings (with `borders` clamps too) have the derivative 1."""
    passed = ROUNDINGS | BORDERS if borders else ROUNDINGS

    def watch(func: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, object]) -> object:
        out = func(*args, **kwargs)
        if getattr(func, "__name__", "") in passed and args and isinstance(args[0], torch.Tensor):
            x = args[0]
            if isinstance(out, torch.Tensor) and x.requires_grad and out.shape == x.shape:
                return x + (out - x).detach()
        return out

    return _watching(torch, watch)


def held_constant(torch: ModuleType, steps: Sequence[int]) -> Any:
    """Inside, the results of these steps have no gradient."""
    count = -1

    def watch(func: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, object]) -> object:
        nonlocal count
        out = func(*args, **kwargs)
        if isinstance(out, torch.Tensor) and out.requires_grad:
            count += 1
            if count in steps:
                return out.detach()
        return out

    return _watching(torch, watch)


def forward_steps(torch: ModuleType, file: str, run: Callable[[], object]) -> list[ForwardStep]:
    """The operations with a gradient that `run` makes, in order, as `held_constant` counts them."""
    steps: list[ForwardStep] = []

    def watch(func: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, object]) -> object:
        out = func(*args, **kwargs)
        if isinstance(out, torch.Tensor) and out.requires_grad:
            steps.append(ForwardStep(len(steps), getattr(func, "__name__", ""), _line(file)))
        return out

    with _watching(torch, watch):
        run()
    return steps[:MOST_STEPS]


def _line(file: str) -> int:
    """The line of the user's file that is being run; 0 where none is."""
    frame = sys._getframe(2)
    for _ in range(DEEPEST):
        if frame.f_code.co_filename == file:
            return frame.f_lineno
        if frame.f_back is None:
            break
        frame = frame.f_back
    return 0
