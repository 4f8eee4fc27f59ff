"""The studio's gate: who may ask.  No socket and no web library: an ASGI application is asked directly."""

import asyncio
import json

import pytest

from minigrad.studio.gate import BODY, HEADER, HEADERS, Gate, Hosts

TOKEN = "a-token-that-nobody-guesses"
HOST = "127.0.0.1:8642"
COOKIE = f"minigrad-studio={TOKEN}"


def ask(
    path="/",
    method="GET",
    *,
    body=b"",
    query=b"",
    pieces=None,
    wait=0.0,
    hosts=frozenset({"127.0.0.1", "localhost"}),
    any_address=False,
    tickets=(),
    language=None,
    **headers,
):
    """Status, headers, body and what came through to the application behind the gate."""
    through = []

    async def behind(scope, receive, send):
        message = await receive()
        through.append(message["body"])
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/x")]})
        await send({"type": "http.response.body", "body": b"behind the gate"})

    gate = Gate(
        behind, TOKEN, Hosts(hosts, any_address), language=language, seconds=0.2, tickets=set(tickets)
    )
    given = {"host": HOST, "cookie": COOKIE} | {
        name.replace("_", "-"): each for name, each in headers.items()
    }
    raw = [
        (name.encode(), value.encode("latin-1"))
        for name, values in given.items()
        for value in (values if isinstance(values, list) else [values])
        if value is not None
    ]
    scope = {"type": "http", "method": method, "path": path, "query_string": query, "headers": raw}
    parts = list(pieces if pieces is not None else [body])

    async def receive():
        if wait:
            await asyncio.sleep(wait)
        if not parts:
            return {"type": "http.disconnect"}
        piece = parts.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(parts)}

    sent = []

    async def send(message):
        sent.append(message)

    asyncio.run(gate(scope, receive, send))
    if not sent:
        return 0, {}, b"", through
    head = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], head, b"".join(message.get("body", b"") for message in sent[1:]), through


def post(path="/api/explain", body=b"{}", **headers):
    return ask(path, "POST", body=body, **{"content_type": "application/json"} | headers)


def test_who_has_the_cookie_comes_in():
    status, _, body, _ = ask()
    assert (status, body) == (200, b"behind the gate")


def test_who_has_the_token_in_a_header_comes_in():
    for scheme in ("token", "Token", "Bearer"):
        assert ask(cookie=None, authorization=f"{scheme} {TOKEN}")[0] == 200
    assert ask(cookie=f"first=1; {COOKIE}; last=2")[0] == 200
    assert ask(cookie=["first=1", COOKIE])[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"cookie": None},
        {"cookie": ""},
        {"cookie": "minigrad-studio="},
        {"cookie": f"minigrad-studio={TOKEN}x"},
        {"cookie": f"minigrad-studio={TOKEN[:-1]}"},
        {"cookie": f"other={TOKEN}"},
        {"cookie": f"Minigrad-Studio={TOKEN}"},
        {"cookie": None, "authorization": TOKEN},
        {"cookie": None, "authorization": f"Basic {TOKEN}"},
        {"cookie": None, "authorization": "token "},
        {"cookie": None, "authorization": "token é"},
        {"cookie": None, "authorization": [f"token {TOKEN}", "token x"]},
    ],
)
@pytest.mark.parametrize("path", ["/", "/static/studio.js", "/nothing"])
def test_without_the_token_nothing_is_served(path, headers):
    status, _, body, through = ask(path, **headers)
    assert (status, through) == (403, [])
    assert b"open the whole link" in body


def test_the_link_puts_the_token_into_a_cookie_and_out_of_the_address():
    status, headers, body, through = ask(query=b"token=" + TOKEN.encode(), cookie=None)
    assert (status, headers["location"], body, through) == (303, "/", b"", [])
    cookie = headers["set-cookie"].split("; ")
    assert cookie == [COOKIE, "HttpOnly", "SameSite=Strict", "Path=/"]
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "query",
    [b"token=", b"token=x", b"Token=" + TOKEN.encode(), b"token=%00", b"token=x&token=" + TOKEN.encode()],
)
def test_a_link_with_another_token_does_not(query):
    assert ask(query=query, cookie=None)[0] == 403


def test_a_link_with_very_many_fields_is_refused_at_once():
    assert ask(query=b"a=1&" * 1000 + b"token=" + TOKEN.encode(), cookie=None)[0] == 403


def test_an_old_link_in_a_browser_that_is_known_leads_to_the_page():
    assert ask(query=b"token=old")[0] == 303


def test_the_token_in_an_address_opens_the_page_only():
    assert ask("/static/studio.js", query=b"token=" + TOKEN.encode(), cookie=None)[0] == 403
    assert post(query=b"token=" + TOKEN.encode(), cookie=None)[0] == 403


def test_a_ticket_works_once():
    async def nothing(scope, receive, send):
        raise AssertionError

    gate = Gate(nothing, TOKEN, Hosts(frozenset({"127.0.0.1"})), tickets={"once-only"})
    assert gate._enters(b"token=once-only")
    assert not gate._enters(b"token=once-only")
    assert gate._enters(b"token=" + TOKEN.encode())
    assert gate._enters(b"token=" + TOKEN.encode())


# ---- whose name, and from where -----------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8642", "localhost:8642", "LocalHost", "127.0.0.1:9999", "localhost"]
)
def test_our_names_are_ours_also_through_a_tunnel(host):
    assert ask(host=host)[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        None, "", "evil.example", "evil.example:8642", "127.0.0.1.evil.example", "localhost.", "127.0.0.2",
        "localhost:8642:1", "localhost:x", "localhost:", "localhost:123456", "[::1]", "[127.0.0.1]x",
        "0.0.0.0", "127.0.0.1@evil.example", "2130706433", ["127.0.0.1:8642", "evil.example"], "[", "::1",
        ["127.0.0.1:8642", "127.0.0.1:8642"],
    ],
)  # fmt: skip
def test_a_foreign_name_bound_to_this_machine_is_refused(host):
    """DNS rebinding: the browser believes that evil.example is here, and sends its cookies along."""
    for status, _, body, through in (
        ask(host=host),
        post(host=host),
        ask(query=b"token=" + TOKEN.encode(), host=host),
    ):
        assert (status, through) == (403, [])
        assert b"not this machine's" in body


def test_where_every_address_is_listened_on_any_address_is_ours_and_no_foreign_name():
    everywhere = {"any_address": True}
    assert ask(host="192.168.1.7:8642", **everywhere)[0] == 200
    assert ask(host="[fe80::1]:8642", **everywhere)[0] == 200
    assert ask(host="evil.example:8642", **everywhere)[0] == 403
    assert ask(host="192.168.1.7.evil.example", **everywhere)[0] == 403


def test_an_address_in_brackets_is_read():
    assert ask(host="[::1]:8642", hosts=frozenset({"::1"}))[0] == 200
    assert ask(host="[::1]", hosts=frozenset({"::1"}))[0] == 200
    assert ask(host="[::1]8642", hosts=frozenset({"::1"}))[0] == 403
    assert ask(host="[::1]:8", hosts=frozenset({"::1"}))[0] == 200
    assert ask(host="[::1]:x8", hosts=frozenset({"::1"}))[0] == 403


def test_an_address_in_brackets_ends_at_the_first_one():
    assert ask(host="[fe80::1%a]", any_address=True)[0] == 200
    assert ask(host="[fe80::1%a]b]", any_address=True)[0] == 403


def test_the_largest_port_has_five_digits():
    assert ask(host="localhost:65535")[0] == 200
    assert ask(host="localhost:065535")[0] == 403


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example", "null", "https://127.0.0.1:8642", "http://127.0.0.1:8643", "",
        "http://localhost:8642", "http://127.0.0.1", "file://", "http://127.0.0.1:8642/",
        ["http://127.0.0.1:8642", "http://evil.example"],
    ],
)  # fmt: skip
def test_a_question_from_another_page_is_refused(origin):
    status, _, body, through = post(origin=origin)
    assert (status, through) == (403, [])
    assert json.loads(body)["error"]["code"] == "origin"


def test_our_own_page_may_ask():
    assert post(origin=f"http://{HOST}", sec_fetch_site="same-origin")[0] == 200
    assert post(origin="http://LOCALHOST:1", host="localhost:1")[0] == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "unknown", ""])
def test_what_a_browser_says_came_from_elsewhere_is_refused(site):
    assert post(sec_fetch_site=site)[0] == 403
    assert (
        ask("/static/studio.js", sec_fetch_site=site, sec_fetch_mode="no-cors", sec_fetch_dest="script")[0]
        == 403
    )
    assert ask(sec_fetch_site=site, sec_fetch_mode="navigate", sec_fetch_dest="iframe")[0] == 403


def test_a_link_on_another_page_of_this_machine_may_be_followed_and_one_of_another_machine_may_not():
    link = {"sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}
    assert ask(sec_fetch_site="same-site", **link)[0] == 200
    assert ask(sec_fetch_site="none", **link)[0] == 200
    assert ask(sec_fetch_site="cross-site", **link)[0] == 403


# ---- how it is asked ----------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", ""])
def test_other_methods_are_refused(method):
    status, headers, _, through = ask(method=method)
    assert (status, headers["allow"], through) == (405, "GET, HEAD, POST", [])


@pytest.mark.parametrize(
    "kind",
    [None, "", "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1", "*/*"],
)
def test_a_form_or_a_plain_text_is_no_question(kind):
    """What a foreign page can send without asking first is never JSON."""
    assert post(content_type=kind)[0] == 415


def test_json_may_say_its_encoding():
    assert post(content_type="Application/JSON; charset=UTF-8")[0] == 200


def test_a_body_comes_through_whole_however_it_was_cut():
    _, _, _, through = ask("/api/x", "POST", pieces=[b'{"a"', b"", b": 1}"], content_type="application/json")
    assert through == [b'{"a": 1}']


def test_a_body_that_is_too_large_is_refused_before_it_is_read_and_while_it_is():
    largest = b"x" * BODY
    assert post(body=largest, content_length=str(BODY))[3] == [largest]
    assert post(body=largest + b"x", content_length=str(BODY + 1))[0] == 413
    assert post(body=b"", content_length="9" * 5000)[0] == 413
    status, _, body, through = ask(
        "/api/x", "POST", pieces=[b"x" * 40_000] * 2, content_type="application/json"
    )
    assert (status, through) == (413, [])
    assert "64 kB" in json.loads(body)["error"]["message"]


def test_a_body_that_does_not_arrive_is_not_waited_for():
    status, _, _, through = post(wait=1.0)
    assert (status, through) == (408, [])


def test_a_client_that_goes_away_gets_nothing():
    assert ask("/api/x", "POST", pieces=[], content_type="application/json") == (0, {}, b"", [])


@pytest.mark.parametrize("length", ["-1", "+1", "1x", "²", " 1", ["1", "2"]])
def test_a_length_that_is_none_is_refused(length):
    assert post(content_length=length)[0] == 400


def test_a_header_that_goes_on_and_on_is_refused():
    assert ask(x="y" * 10_000)[0] == 200
    assert ask(x="y" * 20_000)[0] == 431
    assert ask(**{f"x{i}": "y" * 50 for i in range(400)})[0] == 431


def test_a_header_may_have_exactly_as_many_bytes_as_the_limit_says():
    others = len("host" + HOST + "cookie" + COOKIE + "x")  # the names and the values count
    assert ask("/static/a", x="y" * (HEADER - others))[0] == 200
    assert ask("/static/a", x="y" * (HEADER - others + 1))[0] == 431
    assert ask("/static/a", x="y" * (HEADER - others), query=b"q")[0] == 431, "and so does what is asked for"


def test_a_body_has_one_length():
    assert post(content_length="2", transfer_encoding="chunked")[0] == 400
    assert post(transfer_encoding="chunked")[0] == 200


def test_only_a_question_has_a_body():
    assert ask(content_length="3")[0] == 400
    assert ask(transfer_encoding="chunked")[0] == 400
    assert ask(content_length="0")[0] == 200


def test_a_socket_for_messages_is_closed():
    sent = []

    async def send(message):
        sent.append(message)

    gate = Gate(None, TOKEN, Hosts(frozenset({"127.0.0.1"})))
    asyncio.run(gate({"type": "websocket", "path": "/", "headers": []}, None, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]


# ---- what goes out ------------------------------------------------------------------------------


def test_every_answer_has_the_headers_that_keep_a_page_to_itself():
    for status, headers, _, _ in (
        ask(),
        ask(cookie=None),
        post(),
        ask(query=b"token=" + TOKEN.encode()),
        post(host="x"),
    ):
        assert status
        assert {name: headers[name] for name in HEADERS} == dict(HEADERS)
    policy = dict(part.strip().split(" ", 1) for part in HEADERS["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert "unsafe" not in HEADERS["content-security-policy"]


@pytest.mark.parametrize(
    ("language", "words"), [("en", b"this page needs its token"), ("es", b"necesita su clave")]
)
def test_a_refusal_is_in_the_language_of_the_server(language, words):
    assert words in ask(cookie=None, language=language)[2]


def test_a_refusal_that_a_person_reads_is_one_line():
    sentence = b"this page needs its token: open the whole link that minigrad studio printed\n"
    assert ask(cookie=None, language="en")[2] == sentence


def test_no_refusal_gives_the_token_away():
    for _, headers, body, _ in (ask(cookie=None), post(host="x"), post(origin="null"), ask(method="PUT")):
        assert TOKEN.encode() not in body
        assert TOKEN not in str(headers)
