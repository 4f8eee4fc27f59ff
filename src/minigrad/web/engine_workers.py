"""Workers of a browser, the runner of code that may do anything: what child processes are to a computer.

    runner = EngineWorkers("/engine", ended)
    examine("/engine/engine.py", runner=runner)      # or NeededError: these jobs have to run first

Nothing can wait here for another worker.  So whoever examines is told how the jobs ended that have run, batch
by batch; where the next batch is needed, NeededError says which jobs are in it, and the examination is made
again from its beginning when they have run: what it computes in between is little beside the jobs.  The page
runs each job in a worker whose interpreter has the job's hash seed.  Such a worker has no network, no origin
and no files but those that are handed to it; one that takes too long, prints or sends too much, or breaks, is
ended with all that is in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any, TypeVar

from ..doctor.engine.child_protocol import CHILD
from ..doctor.sandbox.message_fields import choice, count, number, rows
from ..doctor.sandbox.pipes import MessageStream
from ..doctor.sandbox.runner import (
    Accept,
    ChildProgram,
    Command,
    Ended,
    Job,
    Kind,
    Limits,
    RawMessage,
    StopRequest,
    Worker,
)

__all__ = ["EngineWorkers", "NeededError"]

KINDS: tuple[Kind, ...] = ("finished", "exit", "signal", "cpu", "output")
SLOWER = 4.0  # times that Python takes longer in a browser
LARGEST = 1 << 20  # bytes of a file that is handed on

M = TypeVar("M")
T = TypeVar("T")


class NeededError(BaseException):
    """Jobs that have to run before an examination can go on; no `except Exception` may catch this."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        super().__init__(f"{len(jobs)} jobs")
        self.jobs = jobs


class EngineWorkers:
    def __init__(self, folder: str, ended: Sequence[Sequence[RawMessage]] = ()) -> None:
        """`ended` says of each batch of jobs how they ended; below the folder is what jobs find there."""
        self._folder = Path(folder)
        self._batches = iter(ended)
        self._call: Iterator[RawMessage] | None = None  # the call that is made side by side with others

    def run(
        self,
        job: Job,
        accept: Accept[M],
        *,
        on_message: Callable[[M], object] | None = None,
        stop: StopRequest | None = None,
    ) -> Ended[M]:
        if self._call is None:
            [ended] = self._batch([job])
        else:
            ended = next(self._call, {})
            if not ended:
                raise NeededError([job])
        return _read(ended, job.limits, accept, on_message)

    def _batch(self, jobs: Sequence[Job]) -> Sequence[RawMessage]:
        ended = next(self._batches, None)
        if ended is None:
            raise NeededError(jobs)
        return ended

    def side_by_side(self) -> Executor:
        return _Calls(self._batch, self._outcome)

    def _outcome(self, call: Callable[[], T], ended: Sequence[RawMessage]) -> T:
        self._call = iter(ended)
        try:
            return call()
        finally:
            self._call = None

    def as_data(self, job: Job) -> dict[str, object]:
        """A job as the page runs it."""
        if job.what != CHILD:
            raise OSError("a browser runs no other program")
        return {
            "request": json.dumps(job.request),
            "seed": job.hash_seed,
            "seconds": SLOWER * job.limits.cpu,  # by the clock: a worker has none of the processor
            "slower": SLOWER,
            "printed": job.limits.output,
            "kept": job.limits.output_kept,
            "said": job.limits.results_size,
            "files": self._files(),
        }

    def _files(self) -> dict[str, str]:
        return {
            str(path): path.read_text(encoding="utf-8", errors="replace")
            for path in sorted(self._folder.rglob("*"))
            if path.is_file() and path.stat().st_size <= LARGEST
        }

    async def start(self, what: ChildProgram | Command) -> Worker:
        raise OSError("a browser starts no programs that stay")

    def __repr__(self) -> str:
        return "EngineWorkers()"


class _Calls(Executor):
    """Calls that run jobs: when the result of one is wanted, the next jobs of all of them are one batch.

    A call is made again from its beginning too, when a job of it has ended.
    """

    def __init__(
        self,
        batch: Callable[[Sequence[Job]], Sequence[RawMessage]],
        outcome: Callable[[Callable[[], Any], Sequence[RawMessage]], Any],
    ) -> None:
        self._batch, self._outcome = batch, outcome
        self._open: list[tuple[_Later[Any], Callable[[], Any], list[RawMessage]]] = []

    def submit(self, fn: Callable[..., T], /, *args: Any, **keywords: Any) -> Future[T]:
        later: _Later[T] = _Later(self._finish)
        self._open.append((later, lambda: fn(*args, **keywords), []))
        return later

    def _finish(self, wanted: Future[Any]) -> None:
        while not wanted.done():
            jobs: list[Job] = []
            waiting = []
            for later, call, ended in self._open:
                try:
                    later.set_result(self._outcome(call, ended))
                except NeededError as error:
                    jobs += error.jobs
                    waiting.append((later, call, ended))
                except Exception as error:
                    later.set_exception(error)
            self._open = waiting
            for (_, _, ended), how in zip(waiting, self._batch(jobs) if jobs else (), strict=True):
                ended.append(how)


class _Later(Future[T]):
    def __init__(self, finish: Callable[[Future[T]], object]) -> None:
        super().__init__()
        self._finish_it = finish

    def result(self, timeout: float | None = None) -> T:
        self._finish_it(self)
        return super().result(timeout)


def _read(
    ended: RawMessage,
    limits: Limits,
    accept: Accept[M],
    on_message: Callable[[M], object] | None,
) -> Ended[M]:
    """What was sent is read as strictly as from a process: an engine can reach the script of its worker."""
    messages = MessageStream(
        accept, on_message, count=limits.results, line=limits.result_line, size=limits.results_size
    )
    for line in rows(ended["lines"]):
        messages.take(str(line).encode("utf-8", "replace") + b"\n")
    messages.close()
    kind: Kind = choice(ended["kind"], *KINDS)  # type: ignore[assignment]
    code = ended.get("code")
    return Ended(
        kind="output" if messages.full else kind,
        code=None if code is None else count(code),
        signal=11 if kind == "signal" else None,  # its interpreter broke
        messages=tuple(messages.found),
        rejected=messages.rejected,
        output=str(ended["output"]),
        seconds=number(ended["seconds"]),
    )
