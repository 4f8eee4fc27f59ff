"""One worker process: questions come in on standard input, one JSON line each, answers go out the same way.

It is started by `workers.py`, holds itself to limits on memory and time, and ends when its input does, so
that it does not outlive the server.  An answer is a line with its HTTP status and its length, and then the
JSON itself.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import Any, BinaryIO

from ..text.translation import say, speaking
from .answers import answer
from .gate import refusal

__all__ = ["MEMORY", "main"]

GIB = 1 << 30
MEMORY = 16 * GIB  # addresses: torch, which the court may ask, takes several gigabytes of them and uses few
GRACE = 5  # seconds after which a process whose server is gone ends itself


def main() -> None:
    """Answer until there are no more questions."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints is no answer
    _hold()
    _warm()
    for line in sys.stdin.buffer:
        _respond(json.loads(line), answers)


def _hold() -> None:
    """Limits of the system, where it has them."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # of all processes, the first to go when the machine's memory is used up


def _warm() -> None:
    """Load what an answer needs before somebody waits for one."""
    answer("explain", {"text": "a = 2; b = 3; L = a*b + a"})


def _respond(question: dict[str, Any], answers: BinaryIO) -> None:
    language = question["language"]
    _alarm(int(question["seconds"]) + GRACE)
    try:
        status, found = answer(question["api"], question["fields"], language)
        body = _encoded(found)
    except MemoryError:
        status, body = 200, _encoded(_apology("memory", language))
    except Exception:  # a mistake of ours: the page is told, and the next question gets its answer
        status, body = 500, _encoded(_apology("internal", language))
    _alarm(0)
    answers.write(b"%d %d\n" % (status, len(body)))
    answers.write(body)
    answers.flush()


def _encoded(found: dict[str, Any]) -> bytes:
    return json.dumps(
        found, separators=(",", ":"), allow_nan=False
    ).encode()  # ASCII: a text may hold anything


def _apology(code: str, language: str | None) -> dict[str, Any]:
    with speaking(language):
        return refusal(code, say(f"server.{code}"))


def _alarm(seconds: int) -> None:
    with suppress(ImportError, AttributeError):
        import signal

        signal.alarm(seconds)


if __name__ == "__main__":
    main()
