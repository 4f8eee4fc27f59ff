"""Program of a worker that answers the studio's questions, one after the other.

It is started by `worker_pool.py`, holds itself to limits on memory and time, and ends when there are no more
questions, so that it does not outlive the server.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TypedDict

from ..text.translation import say, speaking
from .answers import answer
from .gate import refusal

__all__ = ["MEMORY", "WorkerQuestion", "answer_text", "main", "warm"]

GIB = 1 << 30
MEMORY = 16 * GIB  # addresses: torch, which the court may ask, takes several gigabytes of them and uses few
GRACE = 5  # seconds after which a process whose server is gone ends itself


class WorkerQuestion(TypedDict):
    api: str
    fields: Mapping[str, object]
    language: str | None
    seconds: float


SendReply = Callable[[int, bytes], None]  # an HTTP status, and JSON


def main(questions: Iterable[WorkerQuestion], reply: SendReply) -> None:
    """Answer until there are no more questions."""
    _limit_itself()
    warm()
    for question in questions:
        _respond(question, reply)


def _limit_itself() -> None:
    """Limits of the system, where it has them."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # of all processes, the first to go when the machine's memory is used up


def warm() -> None:
    """Load what an answer needs before somebody waits for one."""
    answer("explain", {"text": "a = 2; b = 3; L = a*b + a"})


def _respond(question: WorkerQuestion, reply: SendReply) -> None:
    _alarm(int(question["seconds"]) + GRACE)
    status, body = _reply(question["api"], question["fields"], question["language"])
    _alarm(0)
    reply(status, body)


def _reply(api: str, fields: Mapping[str, object], language: str | None) -> tuple[int, bytes]:
    try:
        status, found = answer(api, fields, language)
        return status, _encoded(found)
    except MemoryError:
        return 200, _encoded(_apology("memory", language))
    except Exception:  # a mistake of ours: the page is told, and the next question gets its answer
        return 500, _encoded(_apology("internal", language))


def answer_text(api: str, fields: str, language: str | None) -> str:
    """The same where there is no process: JSON for JSON, in a browser."""
    return _reply(api, json.loads(fields), language)[1].decode()


def _encoded(found: Mapping[str, object]) -> bytes:
    return json.dumps(
        found, separators=(",", ":"), allow_nan=False
    ).encode()  # ASCII: a text may hold anything


def _apology(code: str, language: str | None) -> dict[str, object]:
    with speaking(language):
        return refusal(code, say(f"server.{code}"))


def _alarm(seconds: int) -> None:
    with suppress(ImportError, AttributeError):
        import signal

        signal.alarm(seconds)
