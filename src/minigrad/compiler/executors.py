"""Executors of a Plan: the compiled one where it is built, else the one in NumPy.

    executor = executors.executor(plan)
    shared_out, lane_out = executor.run(shared, lanes)

The compiled executor takes a plan as words, which it checks by itself (_native/vector/word_reader.c says what
each of them means).  `MINIGRAD_VECTOR=baseline`, `avx2` or `avx512` in the environment asks for one
instruction set; all of them give the same bits.
"""

from __future__ import annotations

import os
import warnings
from array import array
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias, cast

from .._native import vector_checksum
from ..text.translation import say
from .numpy_loader import numpy
from .plan import LANES, SHARED, Access, Chain, Instruction, LaneSum, Map, Most, Plan, Put, Take
from .reference import DTYPES, Reference

if TYPE_CHECKING:
    import numpy as np

    from .._native.vector import Call
    from .numpy_loader import Array, Columns, Doubles
else:
    np = numpy()

__all__ = ["ISA", "Executor", "Native", "PlainCall", "bind_call", "executor", "loop"]

Executor: TypeAlias = "Native | Reference"
# An executor with what it reads and writes, and the expected guards: see `Native.bind`.
PlainCall: TypeAlias = "tuple[Executor, Array, Columns | None, Array, Columns | None, Doubles | None]"

VERSION = 1
MAP, CHAIN, MOST, TAKE, PUT, LANE_SUM = range(6)


def _found() -> ModuleType | None:
    """The compiled module; None where it is not built, or built from other sources than those beside it."""
    if os.environ.get("MINIGRAD_PURE", "0") not in ("", "0"):
        return None
    try:
        module = import_module(".._native.vector", __package__)
    except ImportError:
        return None
    if not hasattr(module, "Program"):  # the folder of the sources, which Python takes for a package
        return None
    sources = vector_checksum(os.path.join(os.path.dirname(module.__file__ or ""), "vector"))
    if sources in (None, module.SOURCES):
        return module
    warnings.warn(say("compile.native.stale"), RuntimeWarning, stacklevel=2)
    return None


vector = _found()


def _instruction_set() -> str:
    asked = os.environ.get("MINIGRAD_VECTOR", "")
    if vector is None:
        return "numpy"
    if asked and asked not in vector.INSTRUCTION_SETS:
        raise ValueError(say("compile.native.isa", given=asked, known=", ".join(vector.INSTRUCTION_SETS)))
    return asked or str(vector.INSTRUCTION_SETS[0])


# What programs run on: "avx512", "avx2", "baseline"; "numpy" where nothing is compiled.
ISA = _instruction_set()


def executor(
    plan: Plan, exact: bool = True, dtype: str = "float64", native: bool | None = None, isa: str = ""
) -> Native | Reference:
    """What runs this plan.  native=False is the reference; True insists on the compiled executor."""
    if native is None:
        native = vector is not None and all(
            not isinstance(each, Map) or each.kernel in vector.KERNELS
            for each in [*plan.before, *plan.body, *plan.after]
        )
    return Native(plan, exact, dtype, isa) if native else Reference(plan, exact, dtype)


class Native:
    """A plan in the compiled executor.  Several threads may run one at the same time."""

    def __init__(self, plan: Plan, exact: bool = True, dtype: str = "float64", isa: str = "") -> None:
        if dtype not in DTYPES:
            raise ValueError(say("compile.run.dtype", given=repr(dtype), known=", ".join(DTYPES)))
        if vector is None:
            raise ImportError(say("compile.native.absent"))
        self.plan, self.exact, self.dtype = plan, exact and dtype == "float64", dtype
        words, constants = encoded(plan, vector.KERNELS)
        try:
            self.program = vector.Program(words, constants, dtype == "float32", self.exact, isa or ISA)
        except ValueError as error:
            raise ValueError(say("compile.native.plan", reason=error)) from None
        self._outputs = [sum(space == kind for space, _ in plan.outputs) for kind in (SHARED, LANES)]

    def run(
        self, shared: Array | Sequence[float], lanes: Columns | None = None, threads: int = 1
    ) -> tuple[Doubles, Doubles]:
        """The outputs in SHARED, one number each, and those in LANES: [batch, outputs]."""
        if isinstance(lanes, np.ndarray):
            lanes = np.require(lanes, requirements="A")
        elif lanes is not None:
            lanes = [np.require(part, np.float64, "A") for part in lanes]
        shared = np.require(shared, np.float64, "A")
        first = lanes if lanes is None or isinstance(lanes, np.ndarray) or not lanes else lanes[0]
        batch = 0 if first is None else len(first)
        shared_out = np.empty(self._outputs[SHARED])
        lane_out = np.empty((self._outputs[LANES], batch)).T  # columns side by side: they are written so
        self.program.run_into(
            shared, lanes, shared_out, lane_out if self.plan.cells[LANES] else None, threads
        )
        return shared_out, lane_out

    def run_into(
        self,
        shared: Array,
        columns: Columns | None,
        shared_out: Array,
        out_columns: Columns | None,
        threads: int = 1,
    ) -> None:
        """The same, written into arrays that exist; they may be those that are read."""
        self.program.run_into(shared, columns, shared_out, out_columns, threads)

    def bind(
        self,
        shared: Array,
        columns: Columns | None,
        shared_out: Array,
        out_columns: Columns | None,
        expected: Sequence[float] | Doubles | None = None,
        threads: int = 1,
    ) -> Call:
        """Such a run for `loop`; it holds the arrays, and stops the loop where a guard is not as expected."""
        guards = guards_of(self.plan, expected)
        bound: Call = self.program.bind(shared, columns, shared_out, out_columns, threads, guards)
        return bound


def guards_of(plan: Plan, expected: Sequence[float] | Doubles | None) -> list[tuple[int, int, float]]:
    """(space, place among the outputs of that space, expected number) of each guard."""
    if expected is None:
        return []
    values, count, _ = plan.parts
    if len(expected) != count:
        raise ValueError(say("compile.native.guards", wanted=count, given=len(expected)))
    seen, found = [0, 0], []
    for place, (space, _cell) in enumerate(plan.outputs[: values + count]):
        if place >= values:
            found.append((space, seen[space], float(expected[place - values])))
        seen[space] += 1
    return found


# ---- loops ----------------------------------------------------------------------------------------


def loop(
    calls: Sequence[PlainCall | Call],
    feeds: Sequence[tuple[Array, Array]],
    collects: Sequence[tuple[Array, Array]],
    count: int,
    threads: int = 1,
) -> int:
    """Runs calls one after the other, `count` times over; how many times it was.

    A call is (executor, shared, columns, shared_out, out_columns, expected), or what `Native.bind` gives.
    Before iteration s, row s of each feed's table goes to its list: (list, table).  After it, each list that
    is collected goes to row s of its table: (list, table).  A call with a guard that is not as expected (NaN
    expects nothing) stops all, before anything later in that iteration.
    """
    bound = [bind_call(call, threads) if isinstance(call, tuple) else call for call in calls]
    if vector is not None and None not in bound:
        return int(vector.loop(bound, feeds, collects, count))
    plain = cast("Sequence[PlainCall]", calls)  # what is bound already is native, and so are the others then
    for iteration in range(count):
        for numbers, table in feeds:
            numbers[...] = table[iteration]
        for runs, shared, columns, shared_out, out_columns, expected in plain:
            runs.run_into(shared, columns, shared_out, out_columns, threads)
            for space, place, number in guards_of(runs.plan, expected):
                given = shared_out[place] if space == SHARED else _column(out_columns, place)
                if number == number and not np.all(given == number):
                    return iteration
        for numbers, table in collects:
            table[iteration] = numbers
    return count


def bind_call(call: PlainCall, threads: int) -> Call | None:
    """The call, bound to its arrays; None where its executor is not the compiled one."""
    executor = call[0]
    return executor.bind(*call[1:], threads=threads) if isinstance(executor, Native) else None


def _column(columns: Columns | None, place: int) -> Array:
    from .reference import columns_of

    return columns_of(columns)[place]


# ---- words ----------------------------------------------------------------------------------------


def encoded(plan: Plan, kernels: dict[str, tuple[int, int]]) -> tuple[array[int], Doubles]:
    """The plan as words, and its constants."""
    words = array("q", [VERSION, *plan.cells])
    words.extend(sum(space == kind for space, _ in plan.inputs) for kind in (SHARED, LANES))
    words.extend((plan.first_constant, len(plan.constants)))
    for kind in (SHARED, LANES):
        cells = [cell for space, cell in plan.outputs if space == kind]
        words.append(len(cells))
        words.extend(cells)
    for part in (plan.before, plan.body, plan.after):
        words.append(len(part))
        for instruction in part:
            _write(words, instruction, kernels)
    return words, np.ascontiguousarray(plan.constants, dtype=np.float64)


def _write(words: array[int], each: Instruction, kernels: dict[str, tuple[int, int]]) -> None:
    dims = each.dims or (1,)
    if isinstance(each, Map):
        _head(words, MAP, each.space, each.out, dims)
        words.extend((kernels[each.kernel][0], len(each.operands)))
        for operand in each.operands:
            _access(words, operand, dims)
    elif isinstance(each, Chain):
        _head(words, CHAIN, each.space, each.out, dims)
        words.extend((each.zero, each.exact, len(each.runs)))
        for run in each.runs:
            words.extend((run.terms, run.b is not None, run.kind in "-~"))
            _access(words, run.a, dims)
            if run.b is not None:
                _access(words, run.b, dims)
    elif isinstance(each, Most):
        _head(words, MOST, each.space, each.out, dims)
        words.append(each.terms)
        _access(words, each.a, dims)
    elif isinstance(each, Take):
        _head(words, TAKE, each.space, each.out, dims)
        words.append(each.terms)
        _access(words, each.which, dims)
        _access(words, each.table, dims)
    elif isinstance(each, Put):
        _head(words, PUT, each.space, each.out, dims)
        words.append(each.terms)
        for operand in (each.which, each.row, each.source):
            _access(words, operand, dims)
    elif isinstance(each, LaneSum):
        _head(words, LANE_SUM, LANES, each.out, dims)
        _access(words, each.source, dims)


def _head(words: array[int], op: int, space: int, out: int, dims: tuple[int, ...]) -> None:
    words.extend((op, space, out, len(dims), *dims))


def _access(words: array[int], access: Access, dims: tuple[int, ...]) -> None:
    words.append(access.space)
    if access.index is None:
        strides = access.strides or (0,) * len(dims)
        words.extend((0, access.base, *strides, access.step))
    else:
        words.append(1)
        words.frombytes(np.ascontiguousarray(access.index, dtype=np.int64).tobytes())
