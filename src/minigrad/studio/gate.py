"""Gate in front of everything that the studio serves: who may ask, in which form, and how much.

The studio listens on this machine, and so can every page that a browser here has open.  A request passes
only if its Host is one of ours (else a foreign name was bound to this address), it comes from our own page
(Origin, Sec-Fetch-Site), it has the token (in a cookie, or as `Authorization: token ...`), and its body is
JSON of a bounded size that arrives in time.  Pure ASGI: nothing of a web library is needed here.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from json import dumps
from typing import Any
from urllib.parse import parse_qsl

from ..text.translation import say, speaking

__all__ = ["BODY", "HEADER", "HEADERS", "Gate", "Hosts", "refusal"]

HEADER = 16 * 1024  # bytes before the body of a request
BODY = 64 * 1024  # and of the body
SECONDS = 10.0  # in which a body must have arrived

# What the page may do.  Scripts and styles are files of ours: nothing that a user typed can become one.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
METHODS = ("GET", "HEAD", "POST")
PAGES = ("/", "/learn")  # to which a link with the token may lead

# The terms of ASGI; what stands in a scope or a message depends on its type.
Message = MutableMapping[str, Any]
Scope = Message
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Hosts:
    """The names under which we are asked for.

    The port is not looked at: a tunnel may lead here from another one.  Where we listen on every address of
    the machine, any address is ours: only a name can be bound to another address behind a browser's back.
    """

    names: frozenset[str]
    any_address: bool = False

    def __contains__(self, host: object) -> bool:
        if not isinstance(host, str):
            return False
        name = _without_port(host.lower())
        return name in self.names or (self.any_address and _is_address(name))


def _without_port(host: str) -> str:
    """localhost:8000, 127.0.0.1 and [::1]:8000 without their ports; "" for what is none of these."""
    if host.startswith("["):
        name, bracket, port = host[1:].partition("]")
        port = port[1:] if port.startswith(":") else "-" if port else "0"
        return name if bracket and _is_port(port) else ""
    name, colon, port = host.partition(":")
    return name if _is_port(port if colon else "0") else ""


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 5


def _is_address(name: str) -> bool:
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request does not pass: an HTTP status, and a key below `server.refused.`."""

    status: int
    why: str


class Headers:
    """The headers of a request by name, each with all its values."""

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._values: dict[str, list[str]] = {}
        self.size = 0
        for name, value in raw:
            self.size += len(name) + len(value)
            self._values.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))

    def all(self, name: str) -> list[str]:
        return self._values.get(name, [])

    def one(self, name: str) -> str | None:
        """The only value; None where there is none, and "" where several contradict each other."""
        values = self.all(name)
        return None if not values else values[0] if len(values) == 1 else ""


def refusal(code: str, message: str, **more: object) -> dict[str, object]:
    """An answer that says why there is none."""
    return {"ok": False, "error": {"code": code, "message": message, **more}}


@dataclass
class Gate:
    app: App
    token: str
    hosts: Hosts
    cookie: str = "minigrad-studio"
    language: str | None = None
    seconds: float = SECONDS
    tickets: set[str] = field(default_factory=set)  # stand for the token once, in a link that others may see
    failure: Exception | None = None  # of what is behind the gate, when it started or stopped

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_encoded(HEADERS)]
            await send(message)

        headers = Headers(scope["headers"])
        refused = self._first_look(scope, headers)
        arrives = scope["method"] == "GET" and scope["path"] in PAGES and scope["query_string"]
        if refused is None and arrives and (self._enters(scope["query_string"]) or self._knows(headers)):
            await self._let_in(scope["path"], guarded)
            return
        if refused is None and not self._knows(headers):
            refused = Refusal(403, "token")
        if refused is None:
            body = await self._body(headers, receive)
            if body is None:
                return  # the client has gone
            if isinstance(body, bytes):
                await self.app(scope, _replayed(body, receive), guarded)
                return
            refused = body
        await self._refuse(refused, scope["path"].startswith("/api/"), guarded)

    # ---- who may ask --------------------------------------------------------------------

    def _first_look(self, scope: Scope, headers: Headers) -> Refusal | None:
        """What is wrong with a request, the token and the body aside."""
        method, host = scope["method"], headers.one("host")
        if scope.get("http_version", "1.1") not in ("1.0", "1.1"):
            return Refusal(400, "version")
        if headers.size + len(scope["query_string"]) > HEADER:
            return Refusal(431, "header")
        if not host or host not in self.hosts:
            return Refusal(403, "host")
        if method not in METHODS:
            return Refusal(405, "method")
        if self._from_elsewhere(method, host.lower(), headers):
            return Refusal(403, "origin")
        return _wrong_kind(method, headers)

    def _from_elsewhere(self, method: str, host: str, headers: Headers) -> bool:
        """Does the browser say that another page asks?"""
        origin = headers.one("origin")
        if origin is not None and origin.lower() != f"http://{host}":
            return True
        site = headers.one("sec-fetch-site")
        if site in (None, "same-origin", "none"):
            return False
        # a link from another page of this machine may lead to ours; whatever else comes from there may not
        link = headers.one("sec-fetch-mode") == "navigate" and headers.one("sec-fetch-dest") == "document"
        return site != "same-site" or not link or method == "POST"

    def _knows(self, headers: Headers) -> bool:
        """Does a request have the token?  Compared in constant time."""
        offered = [
            value.strip()
            for cookies in headers.all("cookie")
            for name, _, value in (cookie.partition("=") for cookie in cookies.split(";"))
            if name.strip() == self.cookie
        ]
        scheme, _, given = (headers.one("authorization") or "").partition(" ")
        if scheme.lower() in ("token", "bearer"):
            offered.append(given.strip())
        return any(_same(each, self.token) for each in offered[:8])

    def _enters(self, query: bytes) -> bool:
        """Has the link that was followed the token, or a ticket that was not used yet?"""
        try:
            given = [
                value
                for name, value in parse_qsl(query.decode("latin-1"), max_num_fields=8)
                if name == "token"
            ]
        except ValueError:
            return False
        if len(given) != 1:
            return False
        ticket = next((each for each in self.tickets if _same(given[0], each)), None)
        if ticket is not None:
            self.tickets.discard(ticket)
        return _same(given[0], self.token) or ticket is not None

    async def _let_in(self, page: str, send: Send) -> None:
        """The token goes into a cookie that no script and no other site can use, and out of the address."""
        cookie = f"{self.cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"
        headers = {"location": page, "set-cookie": cookie, "content-length": "0"}
        await send({"type": "http.response.start", "status": 303, "headers": _encoded(headers)})
        await send({"type": "http.response.body", "body": b""})

    # ---- how much -----------------------------------------------------------------------

    async def _body(self, headers: Headers, receive: Receive) -> bytes | Refusal | None:
        """The whole body; None if the client went away before it was there."""
        length = headers.one("content-length")
        if length is not None and not (length.isascii() and length.isdecimal()):
            return Refusal(400, "body")
        if length is not None and (len(length) > 12 or int(length) > BODY):
            return Refusal(413, "size")
        body = bytearray()
        try:
            async with asyncio.timeout(self.seconds):
                while True:
                    message = await receive()
                    if message["type"] != "http.request":
                        return None
                    body += message.get("body", b"")
                    if len(body) > BODY:
                        return Refusal(413, "size")
                    if not message.get("more_body"):
                        return bytes(body)
        except TimeoutError:
            return Refusal(408, "slow")

    async def _refuse(self, refused: Refusal, as_data: bool, send: Send) -> None:
        with speaking(self.language):
            message = say(f"server.refused.{refused.why}", kilobytes=BODY // 1024)
        text = dumps(refusal(refused.why, message)) if as_data else message + "\n"
        body = text.encode()
        headers = {
            "content-type": "application/json" if as_data else "text/plain; charset=utf-8",
            "content-length": str(len(body)),
            "connection": "close",  # whatever else it was about to send is not read
        }
        if refused.status == 405:
            headers["allow"] = ", ".join(METHODS)
        await send({"type": "http.response.start", "status": refused.status, "headers": _encoded(headers)})
        await send({"type": "http.response.body", "body": body})


def _wrong_kind(method: str, headers: Headers) -> Refusal | None:
    """Only a question has a body, which is JSON and has one length."""
    length, coding = headers.one("content-length"), headers.one("transfer-encoding")
    if length is not None and coding is not None:  # two readers could see two different requests in it
        return Refusal(400, "body")
    if method != "POST":
        return Refusal(400, "body") if coding is not None or length not in (None, "0") else None
    kind, _, parameter = (headers.one("content-type") or "").lower().partition(";")
    is_json = kind.strip() == "application/json" and parameter.strip() in ("", "charset=utf-8")
    return None if is_json else Refusal(415, "type")


def _same(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body again, in one piece; then what the client does."""
    pending = [body]

    async def again() -> Message:
        if pending:
            return {"type": "http.request", "body": pending.pop()}  # without more_body: it is whole
        return await receive()

    return again
