"""`minigrad studio` as it is: a process, a socket, a token, and what it serves."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path

import pytest

from minigrad.cli import main
from minigrad.studio.gate import HEADERS
from minigrad.studio.requests import APIS
from minigrad.studio.server import bind_socket
from minigrad.studio.static_files import static_files
from studio_http import http, posted, trusted
from studio_server import TOKEN, Studio, studio

CLASSIC = "ab = a*b; e = ab + c; f = a - c; L = e*f"
AT = {"a": 2, "b": 3, "c": 4}


@pytest.fixture(scope="module")
def open_studio():
    with studio("a*b + c", "a=2", "c=1/4") as found:
        yield found


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = status.read_text().rpartition(")")[2].split()[1]
            found += [int(status.parent.name)] if int(parent) == pid else []
    return found


# ---- starting and stopping ------------------------------------------------------------------------


def test_it_prints_one_line_with_the_link_and_its_token(open_studio):
    assert open_studio.host == "127.0.0.1"
    assert open_studio.link == f"http://127.0.0.1:{open_studio.port}/?token={TOKEN}"


def test_each_start_has_a_token_of_its_own():
    tokens = set()
    for _ in range(2):
        with studio(token=None) as found:
            tokens.add(found.link.partition("token=")[2])
    assert len(tokens) == 2
    assert all(len(token) >= 32 for token in tokens)


def test_ctrl_c_stops_it_and_its_workers():
    with studio() as found:
        found.question("explain", text="a*a")
        children = children_of(found.process.pid)
        assert len(children) == 2
        found.process.send_signal(signal.SIGINT)
        assert found.process.wait(timeout=10) == 0
        assert "has stopped" in found.process.stdout.read()
    for child in children:
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)


def test_ctrl_c_does_not_wait_for_somebody_who_holds_on():
    with studio() as found, socket.create_connection((found.host, found.port)) as held:
        held.sendall(b"GET / HTTP/1.1\r\n")
        time.sleep(0.2)
        found.process.send_signal(signal.SIGINT)
        assert found.process.wait(timeout=10) == 0


def test_workers_do_not_outlive_a_server_that_was_killed():
    with studio() as found:
        children = children_of(found.process.pid)
        found.process.kill()
        found.process.wait()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and any(os.path.exists(f"/proc/{child}") for child in children):
        time.sleep(0.05)
    assert not any(os.path.exists(f"/proc/{child}") for child in children)


def test_a_port_that_is_taken_is_an_error_if_it_was_wished_for_and_else_the_next_one_is_taken(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["studio", "--no-browser", "--port", str(port)]) == 2
        assert f"port {port} is taken" in capsys.readouterr().err
    first = bind_socket("127.0.0.1", None)
    second = bind_socket("127.0.0.1", None)
    with first, second:
        assert first.getsockname()[1] != second.getsockname()[1]


@pytest.mark.parametrize("port", ["x", "-1", "65536", "1e3", "", "٣"])
def test_a_port_is_a_number(port, capsys):
    assert main(["studio", "--no-browser", f"--port={port}"]) == 2
    assert "--port" in capsys.readouterr().err


def test_a_token_that_can_be_guessed_is_refused(monkeypatch, capsys):
    for weak in ("", "short", "x" * 15, "with spaces in it, many", "a;b" * 10, "x" * 300):
        monkeypatch.setenv("MINIGRAD_STUDIO_TOKEN", weak)
        assert main(["studio", "--no-browser", "--port", "0"]) == 2
        assert "nobody guesses" in capsys.readouterr().err


def test_a_host_that_is_not_here_is_an_error(capsys):
    assert main(["studio", "--no-browser", "--host", "192.0.2.1", "--port", "0"]) == 2
    assert main(["studio", "--no-browser", "--host", "no such host", "--port", "0"]) == 2
    assert "192.0.2.1" in capsys.readouterr().err


def test_another_host_comes_with_a_warning_and_this_machine_without():
    program = [sys.executable, "-m", "minigrad", "studio", "--no-browser", "--port", "0"]
    for host, warned in (("0.0.0.0", True), ("127.0.0.1", False), ("localhost", False)):
        process = subprocess.Popen(
            [*program, "--host", host], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        line = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=20)
        assert ("warning: with --host" in complaint) == warned
        assert "http://127.0.0.1:" in line


def test_what_fails_before_the_first_request_is_told():
    program = (
        "from minigrad.doctor.sandbox import process; process._argv = lambda *what: ['/no/such/python']; "
        "from minigrad.cli import main; raise SystemExit(main(['studio', '--no-browser', '--port', '0']))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert run.returncode == 2
    assert run.stderr.startswith("minigrad: /no/such/python: ")


def test_without_the_extra_it_says_what_to_install():
    program = (
        "import sys; sys.modules['uvicorn'] = None; from minigrad.cli import main; "
        "raise SystemExit(main(['studio', '--no-browser', '--lang', sys.argv[1]]))"
    )
    for lang, words in (("en", "which is not installed"), ("es", "no está instalado")):
        run = subprocess.run(
            [sys.executable, "-c", program, lang], capture_output=True, text=True, timeout=30
        )
        assert run.returncode == 2
        assert words in run.stderr
        assert "minigrad-lab[studio]" in run.stderr


def test_it_speaks_the_language_that_it_was_started_in():
    with studio("--lang", "es") as found:
        assert "está en http://" in found.said
        assert found.question("start")["language"] == "es"
        assert "después" in found.question("explain", text="a +")["error"]["message"]
        assert "necesita su clave" in found.get("/", Authorization="")[2].decode()


# ---- what it serves -----------------------------------------------------------------------------


class Linked(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.inline = 0

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.links += [given[name] for name in ("src", "href") if given.get(name)]
        self.inline += tag == "script" and "src" not in given
        self.inline += any(name.startswith("on") or name == "style" for name in given)


@pytest.mark.parametrize(("address", "begins"), [("/", "studio.js"), ("/learn", "lessons.js")])
def test_a_page_and_everything_that_it_links_to_is_in_the_table(open_studio, address, begins):
    status, headers, body = open_studio.get(address)
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    page = Linked()
    page.feed(body.decode())
    assert page.inline == 0
    linked = [link for link in page.links if not link.startswith(("data:", "#"))]
    assert f"/static/{begins}" in linked
    assert "/static/player.js" in linked
    for link in linked:
        status, headers, body = open_studio.get(link)
        assert (status, headers["x-content-type-options"]) == (200, "nosniff")
        assert body == static_files()[link].body
        kind = {"js": "javascript", "css": "css"}.get(link.rpartition(".")[2], "html")  # the other page
        assert headers["content-type"].startswith(f"text/{kind};")


def test_nothing_of_the_server_itself_is_in_the_table():
    assert {"/", "/learn"} <= static_files().keys()
    for address in static_files():
        assert re.fullmatch(r"/|/learn|/static/[a-z_]+\.(js|css)", address)


def test_the_link_opens_the_page_and_leaves_no_token_in_the_address(open_studio):
    status, headers, _ = open_studio.get(f"/?token={TOKEN}", Authorization="")
    assert (status, headers["location"]) == (303, "/")
    cookie = headers["set-cookie"].partition(";")[0]
    assert cookie.startswith(f"minigrad-studio-{open_studio.port}=")
    assert open_studio.get("/", Authorization="", Cookie=cookie)[0] == 200
    assert open_studio.get("/", Authorization="", Cookie=cookie.replace(str(open_studio.port), "1"))[0] == 403


def test_every_answer_has_the_headers_and_no_banner(open_studio):
    for path in ("/", "/static/studio.js", "/nothing", "/api/explain"):
        _, headers, _ = open_studio.get(path)
        assert {name: headers.get(name) for name in HEADERS} == dict(HEADERS), path
        assert "server" not in headers
        assert "date" not in headers


def test_a_head_is_a_page_without_its_body(open_studio):
    status, headers, body = open_studio.ask("HEAD", "/")
    assert (status, body) == (200, b"")
    assert int(headers["content-length"]) > 500


def test_the_start_of_a_page_is_what_the_command_line_gave(open_studio):
    answer = open_studio.question("start", serial=7)
    assert (answer["text"], answer["inputs"]) == ("a*b + c", {"a": 2.0, "c": 0.25})
    assert (answer["language"], answer["serial"]) == ("en", 7)
    assert answer["words"].keys() >= {key for key in answer["words"] if key.startswith("player.")} != set()
    functions = {row["name"]: row for row in answer["functions"]}
    assert functions["where"]["written"] == "where(a, b, c)"
    assert functions["exp"]["written"] == "exp(a)"
    assert all(len(row["rule"]) == 2 for row in functions.values())


def test_the_numbers_of_the_classic_graph_come_over_the_wire(open_studio):
    answer = open_studio.question("explain", text=CLASSIC, inputs=AT)
    nodes = {row["name"]: row for row in answer["document"]["traces"][0]["trace"]["nodes"]}
    assert {name: nodes[name]["grad"] for name in "abc"} == {"a": 4, "b": -4, "c": -12}
    assert nodes["L"]["data"] == -20


def test_fifty_questions_at_once_each_get_their_own_answer(open_studio):
    async def one(n: int) -> tuple[int, bytes]:
        body = json.dumps({"text": "L = a*a", "inputs": {"a": n}, "serial": n}).encode()
        got = await open_studio.say(posted(open_studio.address, TOKEN, "explain", body), seconds=60)
        return n, got.partition(b"\r\n\r\n")[2]

    async def all_of_them() -> list[tuple[int, bytes]]:
        return await asyncio.gather(*map(one, range(1, 51)))

    for n, body in asyncio.run(all_of_them()):
        answer = json.loads(body)
        nodes = {row["name"]: row for row in answer["document"]["traces"][0]["trace"]["nodes"]}
        assert (answer["serial"], nodes["L"]["data"], nodes["a"]["grad"]) == (n, n * n, 2 * n)


def test_a_question_that_takes_too_long_is_stopped_and_the_next_one_is_answered():
    """A studio in which the court has half a second, asked for what takes longer."""
    with studio(before="from minigrad.studio import server; server.SECONDS['check'] = 0.5") as found:
        assert found.question("explain", text="a*a")["ok"]  # the workers are warm
        long = ";".join(f"x{i} = tanh(x{i - 1}*a + b)" if i else "x0 = a" for i in range(1500))
        assert found.question("check", text=long, ask="all")["error"]["code"] == "time"
        assert found.question("explain", text="a*a")["ok"]
        assert found.question("explain", text="a*a")["ok"]


# ---- who is slow ----------------------------------------------------------------------------------


def closed_after(found: Studio, pieces: list[bytes], pause: float, most: float) -> float | None:
    """Seconds until the server hangs up on somebody who sends these pieces; None if it does not."""
    begun = time.monotonic()
    with socket.create_connection((found.host, found.port)) as held:
        held.settimeout(pause)
        for piece in pieces:
            try:
                held.sendall(piece)
                while held.recv(1 << 16):
                    pass
                return time.monotonic() - begun
            except TimeoutError:
                pass
            except OSError:
                return time.monotonic() - begun
            if time.monotonic() - begun > most:
                return None
    return None


@pytest.fixture(scope="module")
def hasty_studio():
    """A studio whose deadlines are short, so that a test need not wait for the usual ones."""
    before = (
        "from functools import partial\n"
        "from minigrad.studio import server\n"
        "server.HEADER_SECONDS, server.REQUEST_SECONDS = 1.0, 3.0\n"
        "server.Gate = partial(server.Gate, seconds=1.0)\n"
    )
    with studio(before=before) as found:
        yield found


def test_a_header_that_trickles_in_is_not_waited_for(hasty_studio):
    pieces = [b"GET / HTTP/1.1\r\n", *(b"X-%d: y\r\n" % i for i in range(100))]
    assert closed_after(hasty_studio, pieces, 0.2, 6.0) < 4.0


def test_somebody_who_says_nothing_is_not_waited_for(hasty_studio):
    assert closed_after(hasty_studio, [b""] * 50, 0.2, 6.0) < 4.0


def test_a_body_that_trickles_in_is_not_waited_for(hasty_studio):
    headers = trusted(hasty_studio.address, TOKEN, Content_Type="application/json", Content_Length="1000")
    pieces = [http("POST", "/api/explain", headers), *([b" "] * 100)]
    assert closed_after(hasty_studio, pieces, 0.2, 6.0) < 5.0


def test_a_second_request_that_trickles_in_is_not_waited_for_either(hasty_studio):
    headers = trusted(hasty_studio.address, TOKEN) | {"Connection": "keep-alive"}
    pieces = [http("GET", "/nothing", headers), *([b"G"] + [b"X"] * 100)]
    took = closed_after(hasty_studio, pieces, 0.2, 8.0)
    assert took is not None
    assert took < 6.0


def test_slow_ones_do_not_keep_others_from_being_served(hasty_studio):
    held = [socket.create_connection((hasty_studio.host, hasty_studio.port)) for _ in range(100)]
    try:
        for each in held:
            each.sendall(b"GET / HTTP/1.1\r\nHost: ")
        begun = time.monotonic()
        assert hasty_studio.get("/")[0] == 200
        assert time.monotonic() - begun < 2.0
    finally:
        for each in held:
            each.close()


def test_an_api_has_one_route_and_no_other_name(open_studio):
    for api in APIS:
        status, headers, _ = open_studio.get(f"/api/{api}")
        assert (status, headers["allow"]) == (405, "POST")
    assert open_studio.ask("POST", "/api/run", b"{}", Content_Type="application/json")[0] == 404
