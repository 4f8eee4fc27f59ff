"""Runner without processes: a function of the test answers each job, and workers live in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import count

from minigrad.doctor.sandbox.runner import ChildProgram, Command, Ended, Job, Reply

__all__ = ["MemoryRunner"]

Raw = dict[str, object]


class MemoryWorker:
    alive, resident = True, 0

    def __init__(self, number: int, answer: Callable[[Raw], Raw]) -> None:
        self.number, self.answer = number, answer

    async def ask(self, message: Raw) -> Reply:
        return Reply(200, json.dumps(self.answer(json.loads(json.dumps(message)))).encode())

    async def end(self) -> None:
        self.alive = False


class MemoryRunner:
    """`answer(job)` gives the raw messages of a job, or a kind of end such as "exit"."""

    def __init__(
        self,
        answer: Callable[[Job], Iterable[Raw] | str] | None = None,
        worker: Callable[[Raw], Raw] | None = None,
    ) -> None:
        self.answer, self.worker = answer, worker
        self.jobs: list[Job] = []
        self._numbers = count(1)

    def run(self, job, accept, *, on_message=None, stop=None):
        assert self.answer is not None
        self.jobs.append(job)
        json.dumps(job.request)  # a message, and nothing that only lives in this process
        said = self.answer(job)
        kind, raws = (said, []) if isinstance(said, str) else ("finished", list(said))
        found = [accept(json.loads(json.dumps(raw))) for raw in raws]
        kept = tuple(message for message in found if message is not None)
        for message in kept if on_message is not None else ():
            on_message(message)
        code = {"finished": 0, "exit": 1}.get(kind)
        return Ended(kind, code, None, kept, len(found) - len(kept), "last words\n", 0.01)

    def side_by_side(self):
        return ThreadPoolExecutor(2)

    async def start(self, what: ChildProgram | Command) -> MemoryWorker:
        assert self.worker is not None
        return MemoryWorker(next(self._numbers), self.worker)
