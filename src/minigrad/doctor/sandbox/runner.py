"""Interface for code that must run apart: a message in, validated messages out.

    job = Job(ChildProgram("inside.main", home), {"x": 1}, Limits(wall=8.0))
    ended = runner.run(job, accept)
    ended.kind, ended.messages, ended.rejected

`accept` parses one raw message completely into a message of its own type, or rejects it: the code that ran
may have written anything.  Whoever needs such code takes a `Runner` and knows nothing else about where it
runs.  `ChildProcesses` in `process.py` runs it in child processes, `web/engine_workers.py` in workers of a
browser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from ...errors import MinigradError
from .limits import Limits

__all__ = [
    "Accept",
    "ChildProgram",
    "Command",
    "Ended",
    "Job",
    "Kind",
    "Limits",
    "RawMessage",
    "Reply",
    "Runner",
    "StopRequest",
    "Worker",
    "WorkerGoneError",
]  # fmt: skip

M = TypeVar("M")
RawMessage: TypeAlias = Mapping[str, object]  # a JSON object, of which nothing is known
Accept: TypeAlias = Callable[[RawMessage], M | None]  # None rejects; it raises nothing

Kind = Literal[
    "finished", "exit", "signal", "timeout", "cpu", "memory", "output", "processes", "stopped"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ChildProgram:
    """One of our own programs: the function `main` of a module, called in an interpreter of its own.

    A job calls main(request, send), a worker main(requests, reply).  The package or module is imported from
    the folder `home`, which is not searched for anything else.
    """

    module: str
    home: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, such as that of somebody's test suite."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Job:
    what: ChildProgram | Command
    request: object = None  # for json.dumps
    limits: Limits = field(default_factory=Limits)
    hash_seed: int = 0
    path: tuple[str, ...] = ()  # where its Python looks for modules first
    # Of the environment, besides the usual ones; None takes one of those away.
    variables: Mapping[str, str | None] = field(default_factory=dict)
    # None: it runs behind fences, in an empty folder that is removed.  A folder: it runs there as its owner
    # would run it, in the caller's environment, and of the limits only `wall` and `output_kept` count.
    project: str | None = None


@dataclass(frozen=True, slots=True)
class Ended(Generic[M]):
    """How a job ended, and what it said until then.

    finished: with exit code 0; that says nothing about the messages, which may be none.
    exit, signal: with another code, or by a signal that is not the work of a limit.
    timeout, cpu, memory, processes: it used too much, or failed for want of more.
    output: it printed too much, or sent too many messages, or filled its folder.
    stopped: the caller asked for it.
    """

    kind: Kind
    code: int | None  # if it ended by itself, and not by a signal
    signal: int | None
    messages: tuple[M, ...]
    rejected: int  # lines that are no JSON objects, and messages that were not accepted
    output: str
    seconds: float


class StopRequest(Protocol):
    """The caller's wish that a job is ended; threading.Event is one."""

    def is_set(self) -> bool: ...


class Reply(NamedTuple):
    """What a worker answers: a status as in HTTP, and JSON that is handed on as it is."""

    status: int
    body: bytes


class WorkerGoneError(MinigradError, RuntimeError):
    """The worker ended, or said what is no reply."""


class Worker(Protocol):
    """A program that stays: it answers one message at a time, as often as it is asked, until it is ended."""

    @property
    def number(self) -> int:
        """Its own among all workers; of a process, the process number."""

    @property
    def alive(self) -> bool: ...

    @property
    def resident(self) -> int:
        """Bytes of memory in use; 0 where that is not known."""

    async def ask(self, message: RawMessage) -> Reply:
        """WorkerGoneError where no reply comes."""

    async def end(self) -> None: ...


class Runner(Protocol):
    def run(
        self,
        job: Job,
        accept: Accept[M],
        *,
        on_message: Callable[[M], object] | None = None,
        stop: StopRequest | None = None,
    ) -> Ended[M]:
        """Run a job to its end, or end it; calls may come from several threads at a time.

        `on_message` gets each accepted message as it comes; what it raises comes out here, after all has been
        ended and removed, and so does KeyboardInterrupt.  `stop` is for callers with several threads: Ctrl-C
        reaches only the main one, which then sets it.
        """

    def side_by_side(self) -> Executor:
        """For calls that each run jobs: they are made at the same time where that is possible."""

    async def start(self, what: ChildProgram | Command) -> Worker:
        """A worker; OSError where none can be started."""
