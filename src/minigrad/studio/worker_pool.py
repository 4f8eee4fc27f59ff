"""Pool of workers: a few, started early, each on one question at a time, replaced when one fails.

A question that takes too long or too much memory costs the worker that has it, never the server.  Of
one page's questions of a kind only the newest matters: an older one that still waits is answered at once
with "superseded", and one that has been worked on for a while makes room.  Questions of a slow kind never
take all workers: who types or moves a slider does not wait for a court.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..doctor.sandbox.process import PROCESSES
from ..doctor.sandbox.runner import ChildProgram, Command, Reply, Runner, Worker, WorkerGoneError
from ..text.translation import say, speaking
from .gate import refusal

if TYPE_CHECKING:
    from .worker_process import WorkerQuestion

__all__ = ["PROGRAM", "Pool"]

SIZE = 2
SLOW = frozenset({"check", "diagnose", "export", "faults"})
WAITING = 64  # questions; beyond, the answer is that there are too many
PAGES = 256  # pages whose newest question is remembered
TICK = 0.1  # seconds between two looks at a worker that has a question
PATIENCE = 1.0  # seconds that an older question may be worked on when a newer one waits
RESIDENT = 2 << 30  # bytes of memory in use that end a worker
AGAIN = 0.5  # seconds until a worker is started again that could not be

PROGRAM = ChildProgram("minigrad.studio.worker_process", str(Path(__file__).resolve().parents[2]))

Found = TypeVar("Found")


@dataclass(eq=False)
class Ticket:
    """A question that waits or is worked on; `superseded` is done when a newer one came."""

    serial: int
    superseded: asyncio.Future[None]


class Pool:
    """Asks whoever is free.  `async with Pool() as pool: status, body = await pool.ask(...)`."""

    def __init__(
        self,
        size: int = SIZE,
        program: ChildProgram | Command = PROGRAM,
        resident: int = RESIDENT,
        runner: Runner = PROCESSES,
    ) -> None:
        self._size, self._program, self._resident, self._runner = size, program, resident, runner
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._workers: list[Worker] = []
        self._newest: OrderedDict[tuple[str, str], Ticket] = OrderedDict()
        self._waiting = 0
        self._slow = asyncio.Semaphore(max(1, size - 1))
        self._starting: set[asyncio.Task[None]] = set()
        self._closed = False

    async def __aenter__(self) -> Pool:
        for _ in range(self._size):
            await self._start()
        return self

    async def __aexit__(self, *how: object) -> None:
        self._closed = True
        await asyncio.gather(*self._starting)  # one that is being started can only be ended afterwards
        for worker in [*self._workers]:
            await worker.end()

    @property
    def numbers(self) -> list[int]:
        """Of the workers; where they are processes, the process numbers."""
        return [worker.number for worker in self._workers]

    async def _start(self) -> None:
        worker = await self._runner.start(self._program)
        self._workers.append(worker)
        self._idle.put_nowait(worker)

    async def _start_again(self) -> None:
        while not self._closed:
            try:
                await self._start()
                return
            except OSError:  # no process to be had just now
                await asyncio.sleep(AGAIN)

    async def _replace(self, worker: Worker) -> None:
        """End a process; its successor starts while the answer is already on its way."""
        self._workers.remove(worker)
        await worker.end()
        if self._closed:
            return
        task = asyncio.create_task(self._start_again())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    # ---- questions ----------------------------------------------------------------------

    async def ask(
        self, api: str, fields: Mapping[str, object], *, seconds: float, language: str | None = None
    ) -> Reply:
        """The HTTP status and the JSON of an answer."""
        if self._waiting >= WAITING:
            return _apology("busy", fields, language)
        ticket, until = self._ticket(api, fields), asyncio.get_running_loop().time() + seconds
        async with self._turn(api, ticket, until) as came:
            worker = await self._free(ticket, until) if came else None
            if worker is None:
                return _apology("superseded" if ticket.superseded.done() else "busy", fields, language)
            question: WorkerQuestion = {
                "api": api,
                "fields": fields,
                "language": language,
                "seconds": seconds,
            }
            found = await self._work(worker, question, ticket, seconds)
        return found if not isinstance(found, str) else _apology(found, fields, language, seconds)

    def _ticket(self, api: str, fields: Mapping[str, object]) -> Ticket:
        """What an older question of the same page and kind is told: there is a newer one."""
        page, serial = fields.get("page"), fields.get("serial")
        superseded = asyncio.get_running_loop().create_future()
        if not (isinstance(page, str) and page and type(serial) is int):
            return Ticket(0, superseded)
        key, ticket = (api, page[:100]), Ticket(serial, superseded)
        older = self._newest.get(key)
        if older is not None and older.serial > serial:
            superseded.set_result(None)
            return ticket
        if older is not None and not older.superseded.done():
            older.superseded.set_result(None)
        self._newest[key] = ticket
        self._newest.move_to_end(key)
        while len(self._newest) > PAGES:
            self._newest.popitem(last=False)
        return ticket

    @asynccontextmanager
    async def _turn(self, api: str, ticket: Ticket, until: float) -> AsyncIterator[bool]:
        """Wait until a question may have a process, as one of a slow kind must; whether that came."""
        if api not in SLOW:
            yield True
            return
        came = bool(await self._soon(self._slow.acquire(), ticket, until))
        try:
            yield came
        finally:
            if came:
                self._slow.release()

    async def _free(self, ticket: Ticket, until: float) -> Worker | None:
        """A process that waits for work; None where there is none for this question."""
        while not ticket.superseded.done():
            worker = await self._soon(self._idle.get(), ticket, until)
            if worker is None:
                return None
            if ticket.superseded.done():
                self._idle.put_nowait(worker)
            elif worker.alive:
                return worker
            else:
                await self._replace(worker)
        return None

    async def _soon(
        self, coming: Coroutine[object, None, Found], ticket: Ticket, until: float
    ) -> Found | None:
        """What is waited for; None if a newer question or the end of our patience comes first."""
        getting = asyncio.ensure_future(coming)
        either: list[asyncio.Future[Found] | asyncio.Future[None]] = [getting, ticket.superseded]
        left = until - asyncio.get_running_loop().time()
        self._waiting += 1
        try:
            await asyncio.wait(either, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._waiting -= 1
            getting.cancel()  # does nothing to one that is done
        return getting.result() if getting.done() else None

    async def _work(
        self, worker: Worker, question: WorkerQuestion, ticket: Ticket, seconds: float
    ) -> Reply | str:
        """The answer, or why there is none; whoever gives none is replaced."""
        asking = asyncio.ensure_future(worker.ask(question))
        asking.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may ask for it
        kept = False
        try:
            why = await self._watched(worker, asking, ticket, seconds)
            if why:
                return why
            found = asking.result()
            kept = worker.resident < self._resident // 2  # one that has grown large is not
            return found
        except WorkerGoneError:
            return "crashed"
        finally:
            if kept:
                self._idle.put_nowait(worker)
            else:
                asking.cancel()
                await self._replace(worker)

    async def _watched(
        self, worker: Worker, asking: asyncio.Future[Reply], ticket: Ticket, seconds: float
    ) -> str:
        """Wait for an answer; why it is not waited for any longer, else ""."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while True:
            await asyncio.wait({asking}, timeout=TICK)
            if asking.done():
                return ""
            worked = loop.time() - begun
            if worked > seconds:
                return "time"
            if worked > PATIENCE and ticket.superseded.done():
                return "superseded"
            if worker.resident > self._resident:
                return "memory"


def _apology(code: str, fields: Mapping[str, object], language: str | None, seconds: float = 0.0) -> Reply:
    """An answer in the place of the worker's; these are no errors of the page, so their status is 200."""
    wish, serial = fields.get("language"), fields.get("serial")
    with speaking(wish if isinstance(wish, str) and wish in ("en", "es") else language):
        message = say(f"server.{code}", seconds=int(seconds))
    answer = refusal(code, message) | {"serial": serial if type(serial) is int else 0}
    return Reply(200, json.dumps(answer).encode())
