"""What the parent asks the child about an engine, and what comes back.

    found = ask(subject, probes, run=0)
    found.plan, found.numbers["diamond"], found.trouble

A probe that kills the process is reported as what it did, and the rest is asked of a new process.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..sandbox.process import Ending, Limits, confined
from .probes import Probe
from .source import EngineSource

__all__ = ["Answer", "Trouble", "ask", "try_sources"]

# The child has its own folder as the working folder and imports only what is in `inside`.
PROGRAM = """
import json, os, sys
sys.path.insert(0, {home!r})
from inside.main import main, sender
del sys.path[0]
request, results = json.loads(sys.stdin.buffer.read()), int(os.environ.pop("MINIGRAD_RESULTS"))
sys.stdin = open(os.devnull)
main(request, sender(results))
"""
DEATHS = 3  # processes that may die before the rest is given up
WALL = 8.0  # seconds for one process


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why an engine could not be used: a code for the sentence, and a detail."""

    code: str
    detail: str = ""
    line: int = 0


@dataclass
class Answer:
    plan: dict[str, Any] | None = None
    expansions: dict[str, Any] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)  # that were loaded along from beside it
    numbers: dict[str, dict[str, Any]] = field(default_factory=dict)  # by probe
    skipped: list[dict[str, Any]] = field(default_factory=list)  # statements that could not be run
    not_run: list[int] = field(default_factory=list)  # lines of statements that were left alone
    trouble: Trouble | None = None
    seconds: float = 0.0


def argv() -> list[str]:
    return [sys.executable, "-B", "-P", "-c", PROGRAM.format(home=str(Path(__file__).parents[1]))]


def ask(
    subject: EngineSource,
    probes: Sequence[Probe],
    *,
    plan: Mapping[str, Any] | None = None,
    pins: Mapping[str, Any] | None = None,
    run: int = 0,
    isolate: bool = False,
    wall: float = WALL,
    texts: Mapping[str, str] | None = None,
    stop: threading.Event | None = None,
) -> Answer:
    """Load, find out how the engine is used unless `plan` says it, and run probes.

    `run` is the hash seed, and other than 0 it also shuffles the heap between probes.
    """
    answer = Answer(plan=dict(plan) if plan else None)
    left = list(probes)
    for _ in range(DEATHS):
        request = {
            "subject": subject.request(texts),
            "plan": answer.plan,
            "pins": dict(pins or {}),
            "probes": [probe.request() for probe in left],
            "shuffle": run,
            "isolate": isolate,
            "load_seconds": wall * 0.8,
        }
        limits = Limits(wall=max(1.0, wall - answer.seconds), cpu=wall)
        ending = confined(argv(), request, limits, hash_seed=run, stop=stop)
        answer.seconds += ending.seconds
        died_in = _take(answer, ending)
        if answer.trouble or died_in is None:
            break
        if ending.kind in ("timeout", "cpu", "stopped"):  # our clock, not its doing
            break
        answer.numbers[died_in] = {"failed": "died", "stage": "", "detail": ending.kind}
        left = [probe for probe in left if probe.id not in answer.numbers]
        if not left or answer.seconds > wall - 0.5:
            break
    return answer


def _take(answer: Answer, ending: Ending) -> str | None:
    """Sort what came back; the id of the probe in which the process died, if it did in one."""
    begun: dict[str, Any] = {}
    ended = False
    for message in filter(_is_sound, ending.results):
        if "begin" in message:
            begun = message
        elif "plan" in message:
            answer.plan, answer.expansions = message["plan"], message.get("expansions", {})
            answer.files = [str(file) for file in message.get("files", [])]
        elif "not run" in message:
            answer.not_run = [int(line) for line in message["not run"]]
        elif "skipped" in message:
            answer.skipped.append(message)
        elif "trouble" in message:
            detail = str(message.get("detail", ""))
            answer.trouble = Trouble(str(message["trouble"]), detail, int(message.get("line") or 0))
        elif "probe" in message:
            answer.numbers[str(message["probe"])] = message
        elif "end" in message:
            ended = True
    if ended or answer.trouble:
        return None
    if begun.get("begin") == "probe":
        return str(begun["probe"])
    kind = ending.kind if ending.kind != "finished" else "exit"
    detail = str(ending.code if kind == "exit" else ending.signal or "")
    answer.trouble = Trouble(f"ended.{kind}", detail)
    return None


TROUBLES = frozenset(
    ("class", "leaf", "argument", "data", "ops", "backward", "raises", "forward", "syntax", "load", "slow")
)


def _is_sound(message: dict[str, Any]) -> bool:
    """Is this something that our own program may have sent?  The examined one can write to the pipe too."""
    if "plan" in message:
        plan = message["plan"]
        return (
            isinstance(plan, dict)
            and {"class", "leaf", "data", "ops", "broken", "backward", "grad"} <= plan.keys()
            and isinstance(plan["ops"], dict)
            and isinstance(plan["broken"], dict)
            and isinstance(plan["backward"], dict)
            and isinstance(message.get("expansions", {}), dict)
            and isinstance(message.get("files", []), list)
        )
    if "not run" in message:
        lines = message["not run"]
        return isinstance(lines, list) and all(isinstance(line, int) for line in lines)
    if "skipped" in message:
        return isinstance(message["skipped"], int) and isinstance(message.get("detail"), str)
    if "trouble" in message:
        code, line = message["trouble"], message.get("line") or 0
        return isinstance(code, str) and code in TROUBLES and isinstance(line, int)
    if "begin" in message:
        return isinstance(message["begin"], str)
    if "probe" in message:
        return isinstance(message["probe"], str) and ("failed" in message or _has_numbers(message))
    return "end" in message or "green" in message


def _has_numbers(message: dict[str, Any]) -> bool:
    grads = message.get("grads")
    return isinstance(grads, dict) and all(
        x is None or isinstance(x, (int, float)) for x in (message.get("value"), *grads.values())
    )


def try_sources(
    subject: EngineSource,
    sources: Sequence[tuple[str, str]],
    texts: Mapping[str, str],
    probes: Sequence[Probe],
    expect: Mapping[str, Mapping[str, Any]],
    plan: Mapping[str, Any],
    *,
    wall: float = WALL,
) -> int | None:
    """Which of many changed sources is the first to give what is expected on all these probes.

    Each is a file with its new text; `texts` are files that have been changed already.
    """
    request = {
        "subject": subject.request(texts),
        "plan": dict(plan),
        "probes": [probe.request() for probe in probes],
        "candidates": [
            {"file": "" if file == str(subject.path) else file, "source": text} for file, text in sources
        ],
        "expect": {name: dict(row) for name, row in expect.items()},
        "load_seconds": wall,
    }
    ending = confined(argv(), request, Limits(wall=wall, cpu=wall, processes=8), hash_seed=0)
    green = next((m["green"] for m in ending.results if "green" in m), None)
    return green if isinstance(green, int) and 0 <= green < len(sources) else None
