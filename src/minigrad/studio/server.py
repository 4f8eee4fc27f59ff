"""Server of the studio: a fixed table of addresses, behind the gate, with the work done by other processes.

`application(...)` is the ASGI application, and can be asked without a socket; `serve(...)` binds one and
runs until it is stopped.  Starlette and uvicorn are loaded here, when somebody asks for the studio.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from json import dumps, loads
from pathlib import Path
from typing import TYPE_CHECKING

from ..learn.progress_file import PlaceError
from ..text.translation import language, say, speaking
from .gate import HEADER, Gate, Hosts, refusal
from .learner_progress import LearnerProgress
from .requests import (
    APIS,
    LEARNED,
    OWN,
    ArriveRequest,
    LessonsRequest,
    RequestError,
    read_body,
    read_request,
)
from .requests import Request as PageRequest
from .start_answer import start_answer
from .static_files import StaticFile, static_files
from .worker_pool import Pool

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["PORT", "ServerOptions", "application", "bind_socket", "link", "serve", "token"]

PORT = 8642
PORTS = 50  # that are tried, from PORT on
LOOPBACK = "127.0.0.1"
SECONDS = {"check": 20.0, "unit": 30.0}  # for an answer; the court asks many witnesses, a unit trains
USUAL = 10.0
TOKEN = re.compile(r"[A-Za-z0-9_-]{16,200}")


@dataclass(frozen=True)
class ServerOptions:
    """The options of the command line."""

    text: str = ""
    inputs: Mapping[str, float] = field(default_factory=dict)
    host: str = ""  # "" for this machine alone
    port: int | None = None  # None for PORT or the next that is free
    language: str | None = None
    unit: str | None = None  # of the course, to begin with; "" for where the learner was, None for no course
    progress: Path | None = None  # the learner's file; None for the one of `minigrad learn`


# ---- the application ----------------------------------------------------------------------------


def application(
    pool: Pool,
    secret: str,
    hosts: Hosts,
    wishes: ServerOptions | None = None,
    *,
    cookie: str = "minigrad-studio",
    files: Mapping[str, StaticFile] | None = None,
    ready: Callable[[], object] | None = None,
) -> Gate:
    """The gate, and behind it one route per file and one per question."""
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.responses import Response
    from starlette.routing import Route

    wishes = wishes or ServerOptions()
    learner = LearnerProgress(wishes.progress)

    def json(status: int, body: bytes | dict[str, object]) -> Response:
        content = body if isinstance(body, bytes) else dumps(body).encode()
        return Response(content, status, media_type="application/json")

    def serving(file: StaticFile) -> Callable[[Request], Awaitable[Response]]:
        async def serve_file(_: Request) -> Response:
            return Response(file.body, headers={"content-type": file.type})

        return serve_file

    def answering(api: str) -> Callable[[Request], Awaitable[Response]]:
        async def ask(asking: Request) -> Response:
            try:
                with speaking(wishes.language):
                    fields = read_body(await asking.body())
                    asked = read_request(api, fields) if api in OWN else None
            except RequestError as error:
                return json(400, refusal("request", str(error)))
            try:
                return await answered(asked, fields)
            except PlaceError as error:  # the learner's file is no file any more
                return json(200, refusal("progress", str(error)))

        async def answered(asked: PageRequest | None, fields: Mapping[str, object]) -> Response:
            if asked is not None:
                with speaking(asked.language or wishes.language):
                    return json(200, await _own_answer(asked, wishes, learner) | {"serial": asked.serial})
            if api in LEARNED:
                fields = await asyncio.to_thread(learner.prepared, api, fields)
            seconds = SECONDS.get(api, USUAL)
            status, body = await pool.ask(api, fields, seconds=seconds, language=wishes.language)
            if api in LEARNED and status == 200:
                found = loads(body)
                if found["ok"]:
                    asked = read_request(api, fields)
                    return json(status, found | await asyncio.to_thread(learner.learned, asked, found))
            return json(status, body)

        return ask

    async def nothing(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        why = "method" if error.status_code == 405 else "path"
        with speaking(wishes.language):
            answer = refusal(why, say(f"server.refused.{why}", kilobytes=0))
        response = json(error.status_code, answer)
        if error.headers:
            response.headers.update(error.headers)
        return response

    @asynccontextmanager
    async def working(app: Starlette) -> AsyncIterator[None]:
        try:
            async with pool:
                if ready is not None:
                    ready()
                yield
        except Exception as error:  # uvicorn would keep it to itself
            gate.failure = error
            raise

    files = static_files() if files is None else files
    routes = [Route(address, serving(file), methods=["GET"]) for address, file in files.items()]
    routes += [Route(f"/api/{api}", answering(api), methods=["POST"]) for api in APIS]
    app = Starlette(routes=routes, lifespan=working, exception_handlers={404: nothing, 405: nothing})
    app.router.redirect_slashes = False  # an address that is not in the table is nothing
    gate = Gate(app, secret, hosts, cookie, wishes.language)
    return gate


async def _own_answer(
    asked: PageRequest, wishes: ServerOptions, learner: LearnerProgress
) -> dict[str, object]:
    """An answer without a worker: it is wanted before one is warm, or is about the learner's file."""
    if isinstance(asked, LessonsRequest):
        return {"ok": True, **await asyncio.to_thread(learner.contents)}
    if isinstance(asked, ArriveRequest):
        return {"ok": True, **await asyncio.to_thread(learner.arrive, asked)}
    return start_answer(wishes.text, wishes.inputs, wishes.language)


# ---- where it listens ---------------------------------------------------------------------------


def token() -> str:
    """The secret of the link: a new one for each start, or the one that the environment sets."""
    wish = os.environ.get("MINIGRAD_STUDIO_TOKEN")
    if wish is not None and not TOKEN.fullmatch(wish):
        raise ValueError(say("server.token"))
    return wish or secrets.token_urlsafe(24)


def bind_socket(host: str, port: int | None) -> socket.socket:
    """A socket that is ours; without a wish for a port, the first that is free."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise ValueError(say("server.host", host=ascii(host), why=_reason(error))) from None
    family, _, _, _, address = found[0]
    wanted = [*range(PORT, PORT + PORTS), 0] if port is None else [port]
    for each in wanted:
        opened = socket.socket(family, socket.SOCK_STREAM)
        try:
            if os.name == "posix":  # elsewhere it would let two programs have one port
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            opened.bind((address[0], each, *address[2:]))
            opened.listen()
            return opened
        except OSError as error:
            opened.close()
            last = error
    if port is None:
        raise ValueError(say("server.host", host=ascii(host), why=_reason(last)))
    raise ValueError(say("server.port.taken", port=port, why=_reason(last)))


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)


def _hosts(host: str, listening: socket.socket) -> Hosts:
    """The names by which a page may call us."""
    address = listening.getsockname()[0]
    everywhere = ip_address(address.partition("%")[0]).is_unspecified
    names = {"localhost", LOOPBACK, "::1", host.lower(), address.lower()}
    if everywhere:
        names.add(socket.gethostname().lower())
    return Hosts(frozenset(names), any_address=everywhere)


def link(listening: socket.socket, secret: str, wishes: ServerOptions | None = None) -> str:
    """The address of the page; one that stands for all addresses is written as this machine's own."""
    address, port = listening.getsockname()[:2]
    if ip_address(address.partition("%")[0]).is_unspecified:
        address = LOOPBACK
    shown = f"[{address}]" if ":" in address else address
    place = ""
    page = ""
    if wishes is not None and wishes.unit is not None:
        with speaking(wishes.language):
            page, place = "learn", f"#{language()}/{wishes.unit}"
    return f"http://{shown}:{port}/{page}?token={secret}{place}"


# ---- running ------------------------------------------------------------------------------------


def serve(wishes: ServerOptions, ready: Callable[[str, str], object]) -> None:
    """Listen until Ctrl-C; `ready(link, ticket)` is called when the page can be opened.

    `link` is for people.  `ticket` is the same page by a secret that works once: a link that is handed to a
    browser can be seen by other users of the machine in the list of processes.
    """
    import uvicorn

    secret, once = token(), secrets.token_urlsafe(24)
    host = wishes.host or LOOPBACK
    with bind_socket(host, wishes.port) as listening:
        for logger in ("uvicorn.error", "uvicorn.access", "asyncio"):
            logging.getLogger(logger).setLevel(logging.CRITICAL)  # nothing of a request goes anywhere
        gate = application(
            Pool(),
            secret,
            _hosts(host, listening),
            wishes,
            cookie=f"minigrad-studio-{listening.getsockname()[1]}",
            ready=lambda: ready(link(listening, secret, wishes), link(listening, once, wishes)),
        )
        gate.tickets.add(once)
        config = uvicorn.Config(
            gate,
            http=_protocol(),
            ws="none",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            limit_concurrency=200,
            backlog=128,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=2,
            h11_max_incomplete_event_size=HEADER,
        )
        try:
            asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))
        finally:
            if gate.failure is not None:  # of which uvicorn makes an exit without a word
                raise gate.failure from None


HEADER_SECONDS = 10.0  # for the first bytes of a request to become a whole header
REQUEST_SECONDS = 60.0  # for a request to be answered, and the answer to be taken
BAD_REQUEST = (
    b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\nx-content-type-options: nosniff\r\n"
    b"content-length: 12\r\nconnection: close\r\n\r\nbad request\n"
)


def _protocol() -> type[H11Protocol]:
    """uvicorn's protocol with deadlines; its own waits forever for the rest of a header, or for a reader."""
    import h11
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Impatient(H11Protocol):
        _deadline: asyncio.TimerHandle | None = None
        _awaited: object = None  # "header", or the request that is being answered

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._await("header", HEADER_SECONDS)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._look("header")

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._look(None)

        def connection_lost(self, exc: Exception | None) -> None:
            self._await(None)
            super().connection_lost(exc)

        def _look(self, otherwise: str | None) -> None:
            if self.cycle is not None and not self.cycle.response_complete:
                self._await(self.cycle, REQUEST_SECONDS)
            else:  # between two requests uvicorn's own deadline holds, until the first byte of the next
                self._await(otherwise, HEADER_SECONDS)

        def _await(self, what: object, seconds: float = 0.0) -> None:
            """Set a deadline, but not twice for the same: bytes that trickle in gain no time."""
            if what is self._awaited:
                return
            if self._deadline is not None:
                self._deadline.cancel()
            self._awaited = what
            self._deadline = None if what is None else self.loop.call_later(seconds, self.transport.abort)

        def send_400_response(self, msg: str) -> None:
            if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                self.transport.write(BAD_REQUEST)
            self.transport.close()

    return Impatient
