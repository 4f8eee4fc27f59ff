"""Compiler of functions over single numbers: write scalars, run vectors.

    @minigrad.compile
    def loss(w, x):                         # any Python over numbers, lists, tuples and dicts
        return minigrad.functions.dot(w, x).tanh()

    loss([0.5, -1.0], [2.0, 3.0])           # a float, with the bits that the function itself computes
    loss.value_and_grad([0.5, -1.0], [2.0, 3.0])
    many = loss.batched("x")                # x with an added leading axis, NumPy arrays in and out
    many.value_and_grad([0.5, -1.0], numpy.ones((1000, 2)))
    print(loss.explain())                   # how many nodes became how many instructions, and which
    loss.save("loss.program"); minigrad.compile.load("loss.program")

The function is traced at the first call, once per structure of its arguments.  A branch on a traced number is
a guard: a call that breaks it is traced again.  `minigrad.take(rows, index)` looks up without a guard.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import overload

from ..scalar import Value
from ..text.excerpts import describe
from ..text.numerals import counted
from ..text.translation import say
from .batching import Batched
from .program import Program
from .program_file import SavingError, load
from .report import Compiled
from .structure import take_apart
from .variants import MOST_THREADS, CompileSettings

__all__ = ["Batched", "Compiled", "Program", "SavingError", "compile", "load"]


@overload
def compile(
    f: Callable[..., object] | Value,
    *,
    inputs: Sequence[object] | None = None,
    exact: bool = True,
    dtype: str = "float64",
    threads: int = 1,
) -> Program: ...


@overload
def compile(
    f: None = None, *, exact: bool = True, dtype: str = "float64", threads: int = 1
) -> Callable[[Callable[..., object]], Program]: ...


def compile(
    f: Callable[..., object] | Value | None = None,
    *,
    inputs: Sequence[object] | None = None,
    exact: bool = True,
    dtype: str = "float64",
    threads: int = 1,
) -> Program | Callable[[Callable[..., object]], Program]:
    """A Program of a function over numbers, or of a Value that is computed from `inputs`.

    `exact` gives the very bits of the function run as it stands; exact=False allows faster functions, which
    are right within two units in the last place.  dtype="float32" halves the memory of a batch and is not
    exact.  `threads` share a batch; they change no bit of the results.
    """
    if dtype not in ("float64", "float32"):
        raise ValueError(say("compile.dtype", given=repr(dtype)))
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise ValueError(say("compile.threads", given=describe(threads), most=counted(MOST_THREADS)))
    settings = CompileSettings(bool(exact) and dtype == "float64", dtype, threads)
    if f is None and inputs is None:  # @minigrad.compile(exact=False)
        return partial(compile, exact=exact, dtype=dtype, threads=threads)
    if isinstance(f, Value):
        return _of_graph(f, inputs, settings)
    if not callable(f):
        raise TypeError(say("compile.not_function", given=describe(f)))
    if inputs is not None:
        raise TypeError(say("compile.inputs.function"))
    if isinstance(f, Program):
        f = f.f
    return Program(f, settings)


def _of_graph(value: Value, inputs: Sequence[object] | None, settings: CompileSettings) -> Program:
    if inputs is None:
        raise TypeError(say("compile.inputs.missing"))
    if isinstance(inputs, Value):
        inputs = (inputs,)
    parts = take_apart(inputs)
    if len(parts.values) < len(parts.numbers):
        strange = next(x for k, x in enumerate(parts.numbers) if k not in set(parts.places))
        raise TypeError(say("compile.inputs.value", given=describe(strange)))
    return Program(None, settings, name=value.label or "graph", root=(value, tuple(inputs)))


compile.load = load  # type: ignore[attr-defined]  # as version 0.1 documented it: minigrad.compile.load(path)
