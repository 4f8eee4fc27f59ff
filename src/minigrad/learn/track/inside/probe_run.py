"""Probes of a learner's file: a program that runs apart.

The request is {"source": ..., "probes": [{"id", "code", "result"}], "seconds": ...}.  There is a message for
loading the file, with the id "", and one for each probe: {"id", "numbers"} or {"id", "error", "detail",
"line"}, where the line is the last one of the learner's file that ran.  The first probe that takes too long
is the last one, and has "lines": of all calls that were running then, outermost first.  Standard library
only.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from functools import partial
from types import FrameType, TracebackType

__all__ = ["FILE", "main", "nodes_below", "outcome_of"]

FILE = "engine.py"  # the name under which the learner's text is compiled
MOST = 500  # numbers of one answer, and characters of a sentence
NODES = 200  # of one picture
TOO_LONG = "too-long"


class _TooLongError(BaseException):
    """The time of one probe is over; no `except Exception` stops it."""


def main(request: Mapping[str, object], send: Callable[[object], None]) -> None:
    source, probes, seconds = str(request["source"]), request["probes"], float(str(request["seconds"]))
    names: dict[str, object] = {"__name__": "engine", "__file__": FILE}
    loaded = outcome_of("", lambda: _load(source, names), seconds)
    send(loaded)
    if "error" not in loaded:
        for probe in probes:  # type: ignore[attr-defined]
            outcome = outcome_of(probe["id"], partial(_value, probe, names), seconds)
            send(outcome)
            if outcome.get("error") == TOO_LONG:
                break
    os._exit(0)  # whatever was left running


def _load(source: str, names: dict[str, object]) -> object:
    exec(compile(source, FILE, "exec"), names)
    return []


def _value(probe: Mapping[str, str], names: dict[str, object]) -> object:
    own = {**names, "nodes_below": nodes_below}
    exec(compile(probe["code"], "probe", "exec"), own)
    return eval(compile(probe["result"], "probe", "eval"), own)


def outcome_of(name: str, work: Callable[[], object], seconds: float = 0.0) -> dict[str, object]:
    """What came out of it, as plain numbers; or the error, with the line."""
    try:
        if seconds:
            signal.signal(signal.SIGVTALRM, _stop)
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        found = work()
        return {"id": name, "numbers": found if name.startswith("picture") else _plain(found)[:MOST]}
    except BaseException as error:
        lines = _lines(error.__traceback__)
        found = {"id": name, "detail": str(error)[:MOST], "line": lines[-1] if lines else 0}
        if isinstance(error, _TooLongError):
            return {**found, "error": TOO_LONG, "lines": lines[:MOST]}
        return {**found, "error": type(error).__name__}
    finally:
        if seconds:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _stop(number: int, frame: FrameType | None) -> None:
    raise _TooLongError


def _lines(trace: TracebackType | None) -> list[int]:
    lines = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return lines


def _plain(found: object) -> list[float | str]:
    if isinstance(found, (list, tuple)):
        return [number for part in found for number in _plain(part)]
    if isinstance(found, (bool, int, float)):
        return [float(found) if abs(found) < 1e300 else repr(float(found))]
    return [type(found).__name__]


def nodes_below(out: object) -> list[dict[str, object]]:
    """The nodes below one, children first, as their own objects say: data, grad, op, children."""
    order: list[object] = []
    places: dict[int, int] = {}
    waiting = [(out, False)]
    while waiting and len(order) < NODES:
        node, is_ready = waiting.pop()
        if id(node) in places:
            continue
        if is_ready:
            places[id(node)] = len(order)
            order.append(node)
        else:
            waiting.append((node, True))
            waiting += [(child, False) for child in reversed(list(node.children)) if id(child) not in places]  # type: ignore[attr-defined]
    return [
        {
            "data": repr(float(node.data)),  # type: ignore[attr-defined]
            "grad": repr(float(node.grad)),  # type: ignore[attr-defined]
            "op": str(node.op)[:20],  # type: ignore[attr-defined]
            "children": [places[id(child)] for child in node.children],  # type: ignore[attr-defined]
        }
        for node in order
    ]
