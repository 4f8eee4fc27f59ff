"""Programs of vector instructions, as compiler/executors.py uses them."""

from collections.abc import Sequence
from typing import Any, final

SOURCES: int  # the checksum of what it was built from
KERNELS: dict[str, tuple[int, int]]  # name: its number and its count of operands
INSTRUCTION_SETS: list[str]  # that this processor has, best first
MOST_DIMS: int

@final
class Program:
    lanes: int
    isa: str
    def __new__(cls, words: Any, constants: Any, single: bool, exact: bool, isa: str) -> Program: ...
    def run_into(
        self, shared: Any, columns: Any, shared_out: Any, out_columns: Any, threads: int, /
    ) -> None: ...
    def bind(
        self,
        shared: Any,
        columns: Any,
        shared_out: Any,
        out_columns: Any,
        threads: int,
        guards: Sequence[tuple[int, int, float]],
        /,
    ) -> Call: ...

@final
class Call: ...

def loop(
    calls: Sequence[Call],
    feeds: Sequence[tuple[Any, Any]],
    collects: Sequence[tuple[Any, Any]],
    count: int,
    /,
) -> int: ...
