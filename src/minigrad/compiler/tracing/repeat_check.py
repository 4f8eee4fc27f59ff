"""Check that two runs of one function do the same: else it depends on more than its arguments.

A function that draws numbers, reads the clock or counts its calls gives other constants in the second run,
or does other things.  Where that was is found in a third run, which notes the lines as it goes.
"""

from __future__ import annotations

import os
import sys
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

from ... import scalar
from ...text.translation import say
from ..structure import Parts
from .tracer import _HOME, TracingError

if TYPE_CHECKING:
    from ..scalars import Scalars
    from .function_trace import FunctionRun

__all__ = ["difference", "refuse_difference"]


def difference(first: Scalars, second: Scalars) -> int | None:
    """The first node in which two programs differ, constants by their bits; None where there is none."""
    if (
        first.ops == second.ops
        and first.args == second.args
        and first.data.keys() == second.data.keys()
        and _bits(first.data.values()) == _bits(second.data.values())
        and (first.inputs, first.outputs, first.guards) == (second.inputs, second.outputs, second.guards)
    ):
        return None
    for i in range(min(len(first), len(second))):
        if first.ops[i] != second.ops[i] or first.args[i] != second.args[i]:
            return i
        if _bits([first.data.get(i, 0.0)]) != _bits([second.data.get(i, 0.0)]):
            return i
    return max(0, min(len(first), len(second)) - 1)


def _bits(numbers: Iterable[float]) -> bytes:
    return array("d", numbers).tobytes()


def refuse_difference(
    f: Callable[..., object], parts: Parts, names: Sequence[str], first: FunctionRun, second: FunctionRun
) -> None:
    """Raise unless two runs did the same."""
    node = difference(first.scalars, second.scalars)
    same_values = len(first.captured) == len(second.captured) and all(
        a is b for a, b in zip(first.captured, second.captured, strict=True)
    )
    if node is None and same_values and first.result == second.result and first.rows == second.rows:
        return
    where = _line_of(f, parts, names, node) if node is not None else ""
    a, b = (run.scalars.data.get(node) if node is not None else None for run in (first, second))
    if a is not None and b is not None:
        raise TracingError(say("compile.trace.constant", where=where, first=f"{a!r}", second=f"{b!r}"))
    raise TracingError(say("compile.trace.different", where=where))


def _line_of(f: Callable[..., object], parts: Parts, names: Sequence[str], node: int) -> str:
    """The line of the user's code in which a node is made, from one more run."""
    from .function_trace import run

    moments: list[int] = []  # how many nodes there were when a line began
    lines: list[str] = []

    def at_line(frame: FrameType, event: str, _: object) -> Any:
        file = frame.f_code.co_filename
        if file.startswith(_HOME):
            return None
        at = frame.f_back if event == "return" else frame  # where it goes on
        if event in ("line", "call", "return") and at is not None:
            moments.append(scalar._created())
            lines.append(f"{os.path.basename(at.f_code.co_filename)}:{at.f_lineno}")
        return at_line

    before = sys.gettrace()
    sys.settrace(at_line)
    try:
        third = run(f, parts, names, keep=True)
    except Exception:
        return "?"
    finally:
        sys.settrace(before)
    made = third.places.found[node] if third.places is not None and node < len(third.places) else None
    spot = bisect_right(moments, made._index) - 1 if made is not None else -1
    return lines[spot] if spot >= 0 else "?"
