"""HTTP as bytes, and what is wrong with what came back: the tools of the studio's tests."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

Header = dict[str, str | bytes]
Made = tuple[bytes, frozenset[int]]  # what is sent, and the statuses that may come of it


def only(*statuses: int) -> frozenset[int]:
    """0 is a connection that is closed without a word."""
    return frozenset(statuses)


def listed(*lines: str) -> list[str]:
    return " ".join(lines).split()


ANY_REFUSAL = only(400, 403, 404, 405, 408, 411, 413, 414, 415, 417, 431, 501, 505)


@dataclass(frozen=True)
class Hostile:
    kind: str
    octets: bytes
    allowed: frozenset[int]


# ---- building -----------------------------------------------------------------------------------


def octets(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("latin-1", "replace")


def http(
    method: str = "GET",
    path: str | bytes = "/",
    headers: Header | None = None,
    body: bytes = b"",
    version: str = "HTTP/1.1",
) -> bytes:
    lines = [b" ".join(map(octets, (method, path, version)))]
    lines += [octets(name) + b": " + octets(value) for name, value in (headers or {}).items()]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def trusted(host: str, token: str, **more: str | bytes) -> Header:
    """The headers of somebody who may ask; the connection is closed after the answer."""
    own: Header = {"Host": host, "Authorization": f"token {token}", "Connection": "close"}
    return own | {name.replace("_", "-"): value for name, value in more.items()}


def posted(host: str, token: str, api: str, body: bytes, **more: str | bytes) -> bytes:
    headers = trusted(host, token, Content_Type="application/json", Content_Length=str(len(body)), **more)
    return http("POST", f"/api/{api}", headers, body)


# ---- judging ------------------------------------------------------------------------------------

STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})")


def complaint(asked: Hostile, got: bytes | None, served: frozenset[bytes]) -> str:
    """What is wrong with an answer; `served` are the files that may be given out, None is a hang."""
    if got is None:
        return "it hung"
    status = STATUS.match(got)
    code = int(status[1]) if status else 0
    if got and not status:
        return f"no HTTP: {got[:60]!r}"
    if code not in asked.allowed:
        return f"{code}, where only {sorted(asked.allowed)} may be: {got[-200:]!r}"
    head, _, body = got.partition(b"\r\n\r\n")
    if b"\nserver:" in head.lower():
        return "it says what it is made of"
    if code != 200:
        return "" if len(body) < 2000 else "a refusal that says too much"
    if b"application/json" not in head:
        return "" if body in served else "a file that is not in the table"
    try:
        answer = json.loads(body)
    except ValueError:
        return "an answer that is no JSON"
    if not isinstance(answer.get("ok"), bool):
        return "an answer that is neither yes nor no"
    if not answer["ok"] and answer["error"]["code"] in ("internal", "crashed", "memory"):
        return f"it failed: {answer['error']}"
    return ""
