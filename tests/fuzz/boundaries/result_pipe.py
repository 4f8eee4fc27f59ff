"""Result pipe of an examined engine: every line is a message of the right types, or is rejected.

The lines are real ones with something changed.  Some inputs are whole examinations in which every child
answers so: they end in a report that can be shown, whatever it says.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
import unicodedata
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random
from typing import Any, TypeVar

from doctor_reports import CLOSURES
from document_changes import changed, changed_bytes, written
from minigrad.doctor.engine.child_protocol import CHILD, ChildMessage, message_reader
from minigrad.doctor.engine.examination import examine
from minigrad.doctor.engine.probes import probes, unknown_probes
from minigrad.doctor.engine.source import subject_of
from minigrad.doctor.sandbox.pipes import MessageStream
from minigrad.doctor.sandbox.process import PROCESSES
from minigrad.doctor.sandbox.runner import Accept, Command, Ended, Job, Kind, Limits, StopRequest
from minigrad.doctor.verdict import is_verdict

from .boundary import ACCEPTED, Boundary, wrong_unless

__all__ = ["BOUNDARY", "has_type"]

M = TypeVar("M")
ALL = (*probes(), *unknown_probes(["swish"]))
KINDS: tuple[Kind, ...] = typing.get_args(Kind)
EXAMINATIONS = 0.002  # of the inputs
OTHERS: tuple[dict[str, object], ...] = (
    {"trouble": "syntax", "detail": "invalid syntax", "line": 3},
    {"trouble": "load", "detail": "OSError: no", "line": None},
    {"skipped": 7, "name": "x", "detail": "NameError: x"},
    {"not run": [3, 4]},
    {"green": 2},
    {"probe": "add", "failed": "raised", "stage": "forward", "detail": "TypeError: no", "line": 12},
    {"probe": "unknown-swish-1", "value": 0.5, "grads": {"a": 0.25}, "around": [[0.5, 0.25], [0.5, None]],
     "steps": [1e-4, 5e-5]},
)  # fmt: skip


class Lines(Boundary):
    name = "result_pipe"
    count = 3_000
    batch = 3_000

    def prepare(self) -> None:
        request = {
            "subject": subject_of(str(CLOSURES)).request(),
            "plan": None,
            "pins": {},
            "probes": [probe.request() for probe in ALL if probe.topic != "depth"],
            "load_seconds": 5.0,
        }
        ended: Ended[dict[str, object]] = PROCESSES.run(Job(CHILD, request, Limits(wall=60.0)), dict)
        assert ended.kind == "finished", ended.output
        self.real: dict[object, list[dict[str, object]]] = {}  # by what each begins with
        for row in (*ended.messages, *OTHERS):
            self.real.setdefault(tuple(row)[:2], []).append(row)
        self.by_probe = {row["probe"]: row for row in ended.messages if "probe" in row and "begin" not in row}
        self.first = [row for row in ended.messages if "probe" not in row and "end" not in row]
        self.reader = message_reader(ALL)

    def input(self, random: Random) -> tuple[str, Any]:
        """("lines", what arrives in pieces) or ("examination", the number that its answers come from)."""
        if random.random() < EXAMINATIONS:
            return "examination", random.randrange(2**32)
        kinds = random.choices(list(self.real.values()), k=random.choice((1, 1, 1, 2, 5)))
        octets = b"".join(_line(random, random.choice(rows)) for rows in kinds)
        if random.random() < 0.1:
            octets = changed_bytes(random, octets)
        cuts = sorted(random.randrange(len(octets) + 1) for _ in range(random.randrange(3)))
        return "lines", [octets[a:b] for a, b in zip([0, *cuts], [*cuts, len(octets)], strict=True)]

    def check(self, given: tuple[str, Any]) -> str:
        kind, what = given
        if kind == "examination":
            return self._examine(what)
        limits = Limits()
        stream: MessageStream[ChildMessage] = MessageStream(
            self.reader, None, count=limits.results, line=limits.result_line, size=limits.results_size
        )
        for piece in what:
            if not stream.take(piece):
                break
        stream.close()
        for message in stream.found:
            frozen = dataclasses.is_dataclass(message) and message.__dataclass_params__.frozen  # type: ignore[attr-defined]
            wrong_unless(frozen, f"{message!r} can be changed")
            wrong_unless(has_type(message, type(message)), f"a field has a wrong type: {message!r}")
            wrong_unless(_is_inert(message), f"a terminal would act on {message!r}")
        return "full" if stream.full else ACCEPTED if not stream.rejected else "rejected"

    def _examine(self, number: int) -> str:
        report = examine(CLOSURES, runner=_Forger(self, number))
        told = str(report)
        wrong_unless(is_verdict(report.verdict), f"no verdict: {report.verdict!r}")
        strange = [sign for sign in told if unicodedata.category(sign)[0] == "C" and sign != "\n"]
        wrong_unless(not strange, f"a report with {strange[:5]!r}")
        json.dumps(report.to_json(), allow_nan=False)
        return f"examination: {report.verdict}"


class _Forger:
    """A runner whose children answer with changed messages; the same ones to the same request."""

    def __init__(self, lines: Lines, number: int) -> None:
        self.lines, self.number = lines, number

    def side_by_side(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(2)

    def run(
        self,
        job: Job,
        accept: Accept[M],
        *,
        on_message: Callable[[M], object] | None = None,
        stop: StopRequest | None = None,
    ) -> Ended[M]:
        request: Any = json.loads(json.dumps(job.request))
        asked = [probe["id"] for probe in request.get("probes", ())]
        random = Random(f"{self.number} {asked} {bool(request.get('plan'))} {request.get('shuffle')}")
        rows: list[dict[str, object]] = [] if request.get("plan") else list(self.lines.first)
        for probe in asked:
            rows.append({"begin": "probe", "probe": probe})
            if probe in self.lines.by_probe:
                rows.append(self.lines.by_probe[probe])
        rows.append({"green": 0} if "candidates" in request else {"end": True})
        forged = random.choice((0.0, 0.02, 0.2))
        octets = b"".join(
            _line(random, row) if random.random() < forged else json.dumps(row).encode() + b"\n"
            for row in rows
        )
        limits = job.limits
        stream = MessageStream(
            accept, on_message, count=limits.results, line=limits.result_line, size=limits.results_size
        )
        stream.take(octets)
        stream.close()
        kind = random.choice(KINDS) if random.random() < 0.1 else "finished"
        code = 0 if kind == "finished" else random.choice((0, 1, 255, None))
        return Ended(kind, code, random.choice((None, 9)), tuple(stream.found), stream.rejected, "", 0.01)

    async def start(self, what: object) -> typing.NoReturn:
        raise OSError(Command)


def _line(random: Random, row: Any) -> bytes:
    if random.random() < 0.85:
        row = changed(random, row)
    text = written(random, row).replace("\n", " ")
    return text.encode("utf-8", "surrogatepass") + b"\n"


# ---- types, as the classes declare them -------------------------------------------------------------


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def has_type(value: object, hint: Any) -> bool:
    """Has a value the type that is declared, down to the members of its members?  No bool is a number."""
    if dataclasses.is_dataclass(hint):
        return type(value) is hint and all(
            has_type(getattr(value, name), inner) for name, inner in _hints(typing.cast(type, hint)).items()
        )
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(has_type(value, one) for one in inner)
    if origin is tuple and inner[1:] == (...,):
        return type(value) is tuple and all(has_type(one, inner[0]) for one in value)
    if origin is tuple:
        return type(value) is tuple and len(value) == len(inner) and all(map(has_type, value, inner))
    if origin is not None and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(
            has_type(key, inner[0]) and has_type(one, inner[1]) for key, one in value.items()
        )
    if origin is not None:  # another sequence
        return isinstance(value, (list, tuple)) and all(has_type(one, inner[0]) for one in value)
    if hint is float:
        return type(value) in (float, int)
    return hint is object or type(value) is hint or (hint is None and value is None)


def _is_inert(value: object) -> bool:
    """Has no text in it a character that a terminal acts on?"""
    if isinstance(value, str):
        return all(unicodedata.category(sign) not in ("Cc", "Cs") or sign == "\n" for sign in value)
    if isinstance(value, Mapping):
        return all(_is_inert(key) and _is_inert(one) for key, one in value.items())
    if isinstance(value, (list, tuple)):
        return all(map(_is_inert, value))
    if dataclasses.is_dataclass(value):
        return all(_is_inert(getattr(value, field.name)) for field in dataclasses.fields(value))
    return True


BOUNDARY = Lines()
