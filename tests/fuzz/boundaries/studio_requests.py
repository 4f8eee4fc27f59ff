"""Requests to the studio: an answer with a status of the documented ones, and never an error of ours.

The bytes go through the protocol of the server, the gate and the routes, in this process and without a
socket; a worker's question is answered where it is asked.  Half of the inputs are hostile HTTP, the other
half are questions in JSON with something changed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from document_changes import changed, written
from minigrad.doctor.sandbox.runner import Reply
from minigrad.studio import worker_process
from minigrad.studio.gate import HEADER, Hosts
from minigrad.studio.requests import OWN
from minigrad.studio.server import ServerOptions, _protocol, application
from minigrad.studio.static_files import static_files
from minigrad.studio.worker_pool import Pool
from studio_http import STATUS, Hostile, complaint, only, posted
from studio_requests import APIS, TEXT, hostile

from .boundary import ACCEPTED, Boundary, wrong_unless

__all__ = ["BOUNDARY"]

HOST, TOKEN = "127.0.0.1:8642", "a-token-that-only-the-fuzzer-knows"
INPUTS = {"a": 2, "b": 3, "c": 4}
SEEDS = {  # a question of each kind that is answered
    "explain": {"text": TEXT, "inputs": INPUTS},
    "faults": {"text": "L = a*a", "inputs": {"a": 3}},
    "break": {"text": TEXT, "inputs": INPUTS, "fault": "overwrite", "variant": None, "order": 0},
    "group": {"text": TEXT, "inputs": INPUTS, "key": "right", "group": ""},
    "check": {"text": TEXT, "inputs": INPUTS, "ask": "quick", "claimed": {"a": "4", "b": -4}},
    "diagnose": {"text": TEXT, "inputs": INPUTS, "observed": {"a": "10", "b": "-4", "c": "-12"}},
    "export": {
        "text": TEXT,
        "inputs": INPUTS,
        "format": "svg",
        "view": "graph",
        "node": None,
        "theme": "dark",
    },
    "start": {"text": "", "inputs": {}},
    "lessons": {},
    "arrive": {"unit": "order", "block": 2},
    "unit": {"unit": "order", "seed": 3},
    "question": {"key": "gradient:2:17"},
    "judge": {"key": "gradient:2:17", "answer": {"a": "4"}, "review": "", "seed": 3},
    "reveal": {"key": "gradient:2:17", "review": "", "seed": 3},
    "review": {"seed": 3, "due": []},
}
WORDS = (
    "en",
    "es",
    "order",
    "diamonds",
    "gradient:1:1",
    "data:1:5",
    "bug:2:9",
    "never-reset",
    "ledger",
    "river",
)
SLOW = ("unit", "check", "diagnose", "faults")
TURNS = 20  # of the event loop
LONG = 3600.0  # seconds for an answer: the campaign itself ends one that takes too much of the processor
STATUSES = only(200, 303, 400, 403, 404, 405, 408, 411, 413, 414, 415, 417, 431, 501, 505)


class Requests(Boundary):
    name = "studio_requests"
    count = 1_500
    batch = 1_500

    def begin(self, folder: Path) -> None:
        self.folder = folder
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        self.served = frozenset(file.body for file in static_files().values())
        self.config, self.state = self.loop.run_until_complete(self._server())

    async def _server(self) -> tuple[Any, Any]:
        import uvicorn
        from uvicorn.server import ServerState

        options = ServerOptions(progress=self.folder / "progress.json")
        gate = application(_Here(), TOKEN, Hosts(frozenset({"127.0.0.1", "localhost"})), options)
        config = uvicorn.Config(
            gate, http=_protocol(), ws="none", lifespan="off", log_config=None, access_log=False,
            server_header=False, date_header=False, proxy_headers=False,
            h11_max_incomplete_event_size=HEADER,
        )  # fmt: skip
        config.load()
        return config, ServerState()

    def input(self, random: Random) -> Hostile:
        if random.random() < 0.6:
            return hostile(random.randrange(2**31), HOST, TOKEN)
        api = random.choice(APIS)
        if api in SLOW and random.random() < 0.8:
            api = "explain"
        fields: Any = SEEDS[api] | ({"language": random.choice(("en", "es")), "page": "p", "serial": 1})
        fields = changed(random, fields)
        if isinstance(fields, dict) and random.random() < 0.3:
            fields[random.choice(list(fields) or ["text"])] = random.choice(WORDS)
        body = written(random, fields).encode("utf-8", "surrogatepass")
        return Hostile(api, posted(HOST, TOKEN, api, body), only(200, 400, 413))

    def check(self, given: Hostile) -> str:
        got = self.loop.run_until_complete(self._answer(given.octets))
        wrong = complaint(given, got, self.served)
        wrong_unless(not wrong, wrong)
        status = STATUS.match(got)
        code = int(status[1]) if status else 0
        wrong_unless(code in STATUSES | {0}, f"{code} is no status of ours")
        if code == 200 and got.startswith(b"HTTP") and b"application/json" in got.partition(b"\r\n\r\n")[0]:
            answer = json.loads(got.partition(b"\r\n\r\n")[2])
            return ACCEPTED if answer["ok"] else answer["error"]["code"]
        return ACCEPTED if code == 200 else str(code)

    async def _answer(self, octets: bytes) -> bytes:
        """What the server writes until it closes, or until it waits for more."""
        transport = _Transport()
        protocol = self.config.http_protocol_class(
            config=self.config, server_state=self.state, app_state={}, _loop=self.loop
        )
        protocol.connection_made(transport)
        if octets:
            protocol.data_received(octets)
        for _ in range(TURNS):  # what needs no more than what has arrived is refused by then
            await asyncio.sleep(0)
        if protocol.cycle is None or not protocol.cycle.more_body:
            while self.state.tasks:
                await asyncio.wait(set(self.state.tasks))
        protocol.connection_lost(None)  # the client has gone, whatever else the server waits for
        while self.state.tasks:
            await asyncio.wait(set(self.state.tasks))
        return bytes(transport.written)

    def shown(self, given: Hostile) -> str:
        return super().shown((given.kind, sorted(given.allowed), given.octets))


class _Here(Pool):
    """The workers' program, called in this process."""

    def __init__(self) -> None:
        pass

    async def ask(
        self, api: str, fields: Mapping[str, object], *, seconds: float, language: str | None = None
    ) -> Reply:
        assert api not in OWN
        replies: list[Reply] = []
        question: Any = {"api": api, "fields": fields, "language": language, "seconds": LONG}
        sent = json.loads(json.dumps(question))  # as it arrives at a worker
        worker_process._respond(sent, lambda status, body: replies.append(Reply(status, body)))
        return replies[0]


class _Transport(asyncio.Transport):
    """A connection without a socket, which keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 50_000), "sockname": ("127.0.0.1", 8642)})
        self.written, self.closing = bytearray(), False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self.closing:
            self.written += data

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.closing = True

    def is_closing(self) -> bool:
        return self.closing

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...


BOUNDARY = Requests()
