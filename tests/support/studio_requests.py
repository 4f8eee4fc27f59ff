"""Requests that a studio must survive, one for each number, and what may come of each.

`hostile(n, host, token)` is a pure function: random bytes, broken HTTP, wrong methods, traversal in all
encodings, wrong hosts, origins, tokens and types, and bodies that are anything but a question.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from random import Random

from minigrad.studio.requests import APIS as REQUESTS
from studio_http import ANY_REFUSAL, Header, Hostile, Made, http, listed, only, posted, trusted

TAKEN = {api: [field.name for field in fields(kind)] for api, kind in REQUESTS.items()}
APIS = tuple(TAKEN)
TEXT = "ab = a*b; e = ab + c; f = a - c; L = e*f"


def hostile(number: int, host: str, token: str) -> Hostile:
    kind = KINDS[number % len(KINDS)]
    octets, allowed = kind(Random(number), host, token)
    return Hostile(kind.__name__, octets, allowed)


QUESTION = json.dumps({"text": TEXT}).encode()

# ---- what is no HTTP, or not quite --------------------------------------------------------------


def random_bytes(rng: Random, host: str, token: str) -> Made:
    return rng.randbytes(rng.choice((1, 7, 60, 900, 40_000))), ANY_REFUSAL | {0}


def mutated(rng: Random, host: str, token: str) -> Made:
    """A good request with some bytes changed, removed or put in."""
    whole = bytearray(posted(host, token, "explain", QUESTION))
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        at = rng.randrange(len(whole))
        match rng.randrange(3):
            case 0:
                whole[at] = rng.randrange(256)
            case 1:
                del whole[at]
            case _:
                whole[at:at] = rng.randbytes(rng.choice((1, 3, 30)))
    return bytes(whole), ANY_REFUSAL | {0, 200}


def cut_short(rng: Random, host: str, token: str) -> Made:
    whole = posted(host, token, "explain", QUESTION)
    return whole[: rng.randrange(len(whole))], ANY_REFUSAL | {0}


def framing(rng: Random, host: str, token: str) -> Made:
    """Lengths and encodings that contradict each other, headers that go on for ever, other protocols."""
    body = b'{"text": "a*a"}'
    base = trusted(host, token, Content_Type="application/json")
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    smuggled = http("GET", "/?token=x", {"Host": "evil.example"})

    def post(content: bytes, **headers: str) -> bytes:
        return http(
            "POST", "/api/explain", base | {k.replace("_", "-"): v for k, v in headers.items()}, content
        )

    tricks = [
        *(post(body, Content_Length=length) for length in ("-1", "+15", "0x0f", "9" * 30, "70000", "15, 16")),
        post(chunked + smuggled, Content_Length="15", Transfer_Encoding="chunked"),
        *(post(chunked, Transfer_Encoding=coding) for coding in ("chunked, identity", "xchunked", "gzip")),
        post(b"zz\r\n" + body, Transfer_Encoding="chunked"),
        post(b"ffffffffffffffffff\r\n" + body, Transfer_Encoding="chunked"),
        post(b"10001\r\n" + b"x" * 65537 + b"\r\n0\r\n\r\n", Transfer_Encoding="chunked"),
        post(b"1\r\nx\r\n" * 3000, Transfer_Encoding="chunked"),
        post(b"", Expect="100-continue", Content_Length="70000"),
        post(b"\x1f\x8b\x08\x00", Content_Encoding="gzip", Content_Length="4"),
        post(body, Content_Length="15", **{"Content-Length ": "16"}),
        *(http("GET", "/", base | header, body) for header in ({"Content-Length": "15"}, {"X": b"a\x00b"})),
        http("GET", "/", base | {"Transfer-Encoding": "chunked"}, chunked),
        http("GET", "/", base | {"X": b"y" * 100_000}),
        http("GET", "/" + "a" * 100_000, base),
        http("GET", "/", {f"X-{i}": "y" for i in range(3000)}),
        http("GET", "/", base | {"X": b"a\r b"}),
        http("GET", "/", base | {"\xff": "y"}),
        http("GET", "/", base | {"Host": b"\xff\xfe"}),
        *(http("GET", "/", base, version=version) for version in ("HTTP/9.9", "HTTP/2.0", "", "HTTP/1.1 x")),
        *(
            http("GET", path, base)
            for path in (b"/\xff\xfe", "/ x", "http://evil.example/static/worker.py", "")
        ),
        b"GET /\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 100,
        b"\r\n" * 50,
        b" GET / HTTP/1.1\r\n\r\n",
    ]
    return rng.choice(tricks), ANY_REFUSAL | {0}


def wrong_method(rng: Random, host: str, token: str) -> Made:
    verb = rng.choice(listed("PUT DELETE OPTIONS TRACE CONNECT PATCH PROPFIND get X GETGET DEBUG"))
    path = rng.choice(["/", "/api/explain", "/static/studio.js", "*", "example.org:80"])
    return http(verb, path, trusted(host, token)), ANY_REFUSAL


def wrong_method_there(rng: Random, host: str, token: str) -> Made:
    """GET where only POST is known, and the other way round."""
    if rng.random() < 0.5:
        return http("GET", f"/api/{rng.choice(APIS)}", trusted(host, token)), only(405)
    headers = trusted(host, token, Content_Type="application/json", Content_Length="2")
    return http("POST", rng.choice(["/", "/static/studio.js"]), headers, b"{}"), only(405)


def upgrade(rng: Random, host: str, token: str) -> Made:
    headers = trusted(host, token, Upgrade=rng.choice(["websocket", "h2c", "x"]), Connection="Upgrade")
    headers |= {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": "http://evil.example"}
    return http("GET", rng.choice(["/", "/api/explain", "/ws"]), headers), only(403)


# ---- addresses that are not in the table --------------------------------------------------------

DOTS = listed(
    ".. %2e%2e %2E. .%2e %252e%252e ..; ..%00 %c0%ae%c0%ae %e0%80%ae%e0%80%ae ..%c0%af %uff0e%uff0e ",
    "\xef\xbc\x8e\xef\xbc\x8e .... ... ..\\ %5c.. ..%5c %ff%fe",
)
SLASHES = listed(r"/ // %2f %2F \ %5c /./ %252f %c0%af %ef%bc%8f ;/ /;x=1/ %00/ ?/")
FILES = listed(
    "etc/passwd studio.html worker_process.py studio.js ../cli/main.py proc/self/environ windows/win.ini"
)
STARTS = ["", *listed("/static /static/ / /api /static/player.css // /static/%2e")]
NEAR = listed(
    "/index.html /page.html /studio.html /static /static/ /static//studio.js /static/studio.js/ ",
    "/STATIC/studio.js /api ",
    "/api/ /static/Studio.js /static/worker.py /api/explain/ /favicon.ico /robots.txt /.git/HEAD /docs",
    "/static/%73tudio%2ejs%00 /static/studio.js%20 /static/./studio.js //static/studio.js ",
    "/static/__init__.py /openapi.json /metrics /static/.. /static/~ http://127.0.0.1/static/worker.py",
    "/static/page.html /static/studio.html /.. /debug",
)


def traversal(rng: Random, host: str, token: str) -> Made:
    climb = "".join(rng.choice(DOTS) + rng.choice(SLASHES) for _ in range(rng.randrange(1, 9)))
    path = rng.choice(STARTS) + rng.choice(SLASHES) + climb + rng.choice(FILES)
    path += rng.choice(["", "%00.js", "\x00.css", "#", ".js", "/", "%20"])
    allowed = ANY_REFUSAL | {0}
    if path.startswith(("/?", "/static/player.css?")):  # addresses of ours, with something behind them
        allowed |= {200, 303}
    return http("GET", path, trusted(host, token)), allowed


def elsewhere(rng: Random, host: str, token: str) -> Made:
    """Addresses that look like ones of the table."""
    return http("GET", rng.choice(NEAR), trusted(host, token)), only(400, 404)


# ---- who may not ask ----------------------------------------------------------------------------

NAMES = listed(
    "evil.example 127.0.0.1.evil.example localhost.evil.example 127.0.0.2 0.0.0.0 [::] [::ffff:127.0.0.1] ",
    "2130706433 127.1 0x7f000001 0177.0.0.1 localhost. 127.0.0.1@evil.example evil.example#127.0.0.1 ",
    "LOCALHOST. 127.0.0.1:1:2 127.0.0.1:port [127.0.0.1]x localhost,evil.example loopback *",
)


def wrong_host(rng: Random, host: str, token: str) -> Made:
    wrong = rng.choice(NAMES) + (f":{host.rpartition(':')[2]}" if rng.random() < 0.5 else "")
    headers = trusted(wrong, token, Content_Type="application/json", Content_Length="2")
    if rng.random() < 0.5:
        return http("POST", f"/api/{rng.choice(APIS)}", headers, b"{}"), only(400, 403)
    path = rng.choice(["/", f"/?token={token}", "/static/studio.js"])
    return http("GET", path, trusted(wrong, token)), only(400, 403)


def no_host(rng: Random, host: str, token: str) -> Made:
    headers = trusted(host, token)
    if rng.random() < 0.5:
        del headers["Host"]
        version = rng.choice(["HTTP/1.1", "HTTP/1.0"])
        return http("GET", "/", headers, version=version), ANY_REFUSAL | {0}
    whole = http("GET", "/", headers)
    return whole.replace(b"\r\n\r\n", b"\r\nHost: evil.example\r\n\r\n"), ANY_REFUSAL | {0}


def wrong_origin(rng: Random, host: str, token: str) -> Made:
    port = host.rpartition(":")[2]
    origins = ["http://evil.example", "null", f"https://{host}", f"http://{host}.evil.example", "file://", ""]
    origins += [
        f"http://{host}/",
        f"http://127.0.0.1:{int(port) + 1}",
        f"http://localhost:{port}x",
        "http://",
    ]
    origins += [f"ftp://{host}", f"http://user@{host}", f"http://{host} http://{host}", "http://127.0.0.1"]
    return posted(host, token, rng.choice(APIS), QUESTION, Origin=rng.choice(origins)), only(403)


def cross_site(rng: Random, host: str, token: str) -> Made:
    site = rng.choice(["cross-site", "same-site", "Cross-Site", "weird", ""])
    if rng.random() < 0.5:
        return posted(host, token, rng.choice(APIS), b"{}", Sec_Fetch_Site=site), only(403)
    mode = rng.choice(["no-cors", "cors", "same-origin", "websocket"])
    path = rng.choice(["/", "/static/studio.js", f"/?token={token}"])
    return http("GET", path, trusted(host, token, Sec_Fetch_Site=site, Sec_Fetch_Mode=mode)), only(403)


def wrong_token(rng: Random, host: str, token: str) -> Made:
    wrong = rng.choice(
        ["x", token[:-1], token + "x", token + ".", "null", "\xe9", "-" + token, "*", "%00", ""]
    )
    headers: Header = {"Host": host, "Connection": "close"}
    match rng.randrange(4):
        case 0:
            headers["Authorization"] = f"{rng.choice(['token', 'Bearer', 'Basic'])} {wrong}"
        case 1:
            headers["Cookie"] = f"minigrad-studio-{host.rpartition(':')[2]}={wrong}; other=1"
        case 2:
            headers["Cookie"] = f"session={token}; token={token}; Xminigrad-studio={token}"
        case _:
            pass
    if rng.random() < 0.5:
        headers |= {"Content-Type": "application/json", "Content-Length": "2"}
        return http("POST", f"/api/{rng.choice(APIS)}", headers, b"{}"), only(403)
    queries = ["", f"?token={wrong}", f"?token={token}&token={token}", f"?token[]={token}", "?" + "a=1&" * 50]
    path = rng.choice(["/", "/static/studio.js", "/nothing"]) + rng.choice(queries)
    return http("GET", path, headers), only(400, 403)


def wrong_type(rng: Random, host: str, token: str) -> Made:
    kinds = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "*/*"]
    kinds += ["application/json; charset=utf-16", "application/json, text/plain", "application/jsonp", "json"]
    headers = trusted(host, token, Content_Type=rng.choice(kinds), Content_Length=str(len(QUESTION)))
    return http("POST", f"/api/{rng.choice(APIS)}", headers, QUESTION), only(415)


# ---- what is no question ------------------------------------------------------------------------

BROKEN = [b"", b"{", b"[]", b"null", b"1", b'"x"', b"\xff\xfe", b'{"text": "a"', b"{'text': 'a'}", b"{}x"]
BROKEN += [b'{"inputs": {"a": Infinity}}', b'{"text": "a", "text": "b"}', b"[" * 60_000, b'{"a":' * 10_000]
BROKEN += [b'{"inputs": {"a": ' + b"9" * 5000 + b"}}", b"\xef\xbb\xbf{}", b'{"text": "\\ud800"', b"true"]
BROKEN += [b'{"text": NaN}', b'{"text": "\x01"}', b'{"serial": 1e999}', b'{"\\u0000": 1}', b" " * 65_000]
BROKEN += [b'{"inputs": {"a": 1, "a": 2}}', b'{"unknown": 1}', b'{"__proto__": {}}', b'{"text": "a*a"}' * 2]


def broken_json(rng: Random, host: str, token: str) -> Made:
    return posted(host, token, rng.choice(APIS), rng.choice(BROKEN)), only(400)


def too_large(rng: Random, host: str, token: str) -> Made:
    body = json.dumps({"text": "a + " * 20_000 + "a"}).encode()
    return posted(host, token, rng.choice(APIS), body), only(413)


FIELDS = sorted({name for names in TAKEN.values() for name in names})
ODD: list[object] = [None, True, False, 0, -1, 1.5, 1e308, -1e308, 10**300, 10**400, 2**53, 2**64, 99_999]
ODD += [
    "",
    "x" * 500,
    "\ud800",
    "\u202e",
    *listed("a <script> ../../etc/passwd es fr quick exact,mpmath"),
]
ODD += listed("svg png html tex overwrite never-reset ledger river mul dark")
ODD += [[], {}, [[]], {"a": {}}, {"a": []}, {"a": None}, {"a": True}, {"a": 10**400}, {"a": "1/0"}, {"": 1}]
ODD += [{"a": text} for text in ("1/3", "inf", "b", "9" * 399, "exp(1000)", "x = 2; x", "nan", "1e-400")]
ODD += [{"\u0000": 1}, {"a" * 500: 1}, {f"n{i}": i for i in range(3000)}, {"L": "1"}, {"ab": "7"}]


def odd_field(rng: Random, host: str, token: str) -> Made:
    """A question in which some fields are of any kind at all."""
    api = rng.choice(APIS)
    question: dict[str, object] = {"text": TEXT}
    if rng.random() < 0.7:
        question["inputs"] = {"a": 2, "b": 3, "c": 4}
    if api == "break" or (api == "export" and rng.random() < 0.3):
        question["fault"] = "overwrite"
    if api == "diagnose":
        question["observed"] = {"a": "10", "b": "-4"}
    for _ in range(rng.choice((1, 1, 2, 4))):
        question[rng.choice(FIELDS if rng.random() < 0.1 else TAKEN[api])] = rng.choice(ODD)
    return posted(host, token, api, json.dumps(question).encode()), only(200, 400, 413)


PIECES = listed(
    "a b x1 _ + - * / ** ( ) = ; # , 2 .5 1e309 exp( relu( softmax( where( log( < <= ^ pi inf nan if"
)
PIECES += [
    "\n",
    "\r",
    "\x00",
    "\x1b[31m",
    "\u202e",
    "\ud83d",
    "\xe9",
    "<script>",
    "import os",
    '"',
    "'",
    "a",
    "b",
]


def odd_text(rng: Random, host: str, token: str) -> Made:
    text = "".join(rng.choice(PIECES) + rng.choice(["", " "]) for _ in range(rng.choice((1, 4, 15, 60))))
    if rng.random() < 0.2:
        n = rng.choice((10, 1000, 5000))
        deep = [
            "(" * n + "a" + ")" * n,
            "-" * n + "a",
            "a" + "**a" * (n // 4),
            "exp(" * (n // 20) + "a" + ")" * (n // 20),
        ]
        text = rng.choice(deep)
    api = rng.choice(["explain", "explain", "faults", "break", "check", "export", "diagnose"])
    question: dict[str, object] = {"text": text, "language": rng.choice(["en", "es"])}
    question |= {"fault": "overwrite"} if api == "break" else {}
    question |= {"observed": {"a": "1"}} if api == "diagnose" else {}
    return posted(host, token, api, json.dumps(question).encode()), only(200)


# those that are answered come less often: they take longer than those that are refused
KINDS: list[Callable[[Random, str, str], Made]] = [
    random_bytes, mutated, cut_short, wrong_method, wrong_method_there, traversal, elsewhere, wrong_host,
    no_host, wrong_origin, cross_site, wrong_token, wrong_type, framing, upgrade, broken_json, too_large,
    odd_field, traversal, wrong_host, wrong_origin, cross_site, wrong_token, framing, broken_json, mutated,
    odd_text, traversal, framing, wrong_type, random_bytes, cut_short, traversal, elsewhere, framing,
]  # fmt: skip
