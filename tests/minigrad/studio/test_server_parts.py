"""The parts of the server one by one, without a process: its names, its addresses, its deadlines."""

import asyncio
import errno
import json
import logging
import socket
import time

import pytest
import uvicorn
from uvicorn.server import ServerState

from minigrad.doctor.sandbox.runner import Reply
from minigrad.learn.progress_file import PlaceError
from minigrad.studio import server
from minigrad.studio.gate import Hosts
from minigrad.studio.server import BAD_REQUEST, ServerOptions, application, bind_socket

TOKEN = "a-token-that-only-the-tests-know"
LOGGERS = ("uvicorn.error", "uvicorn.access", "asyncio")


# ---- names ----------------------------------------------------------------------------------------


class Listening:
    """A socket, as far as it tells where it listens."""

    def __init__(self, address):
        self.address = address

    def getsockname(self):
        return self.address, 8642


def test_one_address_has_its_own_names_and_those_of_this_machine():
    found = server._hosts("Desk.Example", Listening("192.0.2.7"))
    ours = ("localhost:8642", "127.0.0.1", "[::1]:8642", "desk.example:8642", "192.0.2.7:8642")
    assert [host in found for host in ours] == [True] * 5
    assert "192.0.2.8" not in found
    assert socket.gethostname().lower() not in found.names
    assert found.any_address is False


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "::%eth0"])
def test_who_listens_everywhere_has_every_address_and_the_name_of_the_machine(address):
    found = server._hosts(address, Listening(address))
    assert "192.0.2.8:8642" in found
    assert socket.gethostname().lower() in found.names
    assert "evil.example" not in found


def test_an_address_with_a_zone_is_one_address():
    found = server._hosts("fe80::1%eth0", Listening("fe80::1%eth0"))
    assert "[fe80::1%eth0]:8642" in found
    assert "192.0.2.8" not in found


# ---- where it cannot listen -----------------------------------------------------------------------


def test_a_name_that_nobody_knows_is_told_with_the_reason(monkeypatch, english):
    def unknown(*_, **__):
        raise socket.gaierror(socket.EAI_NONAME, "nobody has this name")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(ValueError, match=r"^cannot listen on 'nowhere': nobody has this name; without"):
        bind_socket("nowhere", None)


def test_an_error_without_a_reason_of_the_system_is_told_in_its_own_words(english):
    with pytest.raises(ValueError, match=r"^cannot listen on 'a\.{70}.*': .*(label|idna).*; without --host"):
        bind_socket("a" + "." * 70 + "b", None)


def test_an_address_that_is_not_ours_is_told_with_the_reason(monkeypatch, english):
    class Elsewhere(socket.socket):
        def bind(self, address):
            raise OSError(errno.EADDRNOTAVAIL, "this address is not ours")

    monkeypatch.setattr(socket, "socket", Elsewhere)
    with pytest.raises(ValueError, match=r"^cannot listen on '127.0.0.1': this address is not ours; without"):
        bind_socket("127.0.0.1", None)
    with pytest.raises(
        ValueError, match=r"^port 8000 is taken, or not ours to take: this address is not ours"
    ):
        bind_socket("127.0.0.1", 8000)


# ---- answers of the application -------------------------------------------------------------------


class Clerks:
    """A pool that gives one answer to everything."""

    def __init__(self, status, found):
        self.reply = Reply(status, json.dumps(found).encode())

    async def ask(self, api, fields, *, seconds, language=None):
        return self.reply


def asked(pool, api, fields, progress):
    """Status and body of the answer to a question of somebody who may ask."""
    sent = []
    gate = application(
        pool,
        TOKEN,
        Hosts(frozenset({"localhost"})),
        ServerOptions(progress=progress, language="en"),
        files={},
    )
    scope = {
        "type": "http",
        "method": "POST",
        "path": f"/api/{api}",
        "query_string": b"",
        "headers": [
            (b"host", b"localhost"),
            (b"authorization", f"token {TOKEN}".encode()),
            (b"content-type", b"application/json"),
        ],
    }

    async def receive():
        return {"type": "http.request", "body": json.dumps(fields).encode()}

    async def send(message):
        sent.append(message)

    asyncio.run(gate(scope, receive, send))
    return sent[0]["status"], json.loads(b"".join(message.get("body", b"") for message in sent[1:]))


JUDGED = {
    "ok": True,
    "key": "diamonds/what-is-right",
    "unit": "diamonds",
    "right": True,
    "read": True,
    "fault": None,
    "among": ["diamonds/what-is-right"],
}


def test_what_a_worker_has_judged_is_answered_with_the_progress_that_it_makes(tmp_path):
    fields = {"key": JUDGED["key"], "answer": {"a": "-2", "b": "3"}}
    status, found = asked(Clerks(200, JUDGED), "judge", fields, tmp_path / "progress.json")
    assert status == 200
    assert found["progress"]["states"]["diamonds"] == "done", "it was the only question"


def test_what_a_worker_has_refused_makes_no_progress(tmp_path):
    file = tmp_path / "progress.json"
    for status in (200, 400):
        refused = {"ok": False, "error": {"code": "refused", "message": "no"}}
        assert asked(Clerks(status, refused), "judge", {"key": "k"}, file) == (status, refused)


def test_a_place_that_can_hold_no_progress_is_told(monkeypatch, tmp_path):
    def no_place(path):
        raise PlaceError("this place is a folder")

    monkeypatch.setattr("minigrad.studio.learner_progress.Progress.open", no_place)
    status, found = asked(Clerks(200, JUDGED), "judge", {"key": "k"}, tmp_path / "progress.json")
    error = {"code": "progress", "message": "this place is a folder"}
    assert (status, found) == (200, {"ok": False, "error": error})


def test_a_request_that_no_page_of_ours_makes_is_a_bad_request(tmp_path):
    status, found = asked(Clerks(200, JUDGED), "arrive", {"unit": 3}, tmp_path / "progress.json")
    assert (status, found["error"]["code"]) == (400, "request")


# ---- starting -------------------------------------------------------------------------------------


def test_both_links_lead_to_the_unit_and_nothing_of_a_request_is_logged(monkeypatch):
    class Done:
        """A server of uvicorn that is ready and stops."""

        def __init__(self, config):
            self.app = config.app

        async def serve(self, sockets):
            made["ready"]()
            assert len(self.app.tickets) == 1

    made, links = {}, []

    def made_with(*given, ready, **named):
        made["ready"] = ready
        return application(*given, files={}, **named)

    monkeypatch.setenv("MINIGRAD_STUDIO_TOKEN", TOKEN)
    monkeypatch.setattr(uvicorn, "Server", Done)
    monkeypatch.setattr(server, "application", made_with)
    before = {name: logging.getLogger(name).level for name in (*LOGGERS, "")}
    try:
        for name in LOGGERS:
            logging.getLogger(name).setLevel(logging.INFO)
        wishes = ServerOptions(port=0, unit="diamonds", language="es")
        server.serve(wishes, lambda *both: links.append(both))
        assert {logging.getLogger(name).level for name in LOGGERS} == {logging.CRITICAL}
        assert logging.getLogger().level == before[""], "what others log is theirs"
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
    ((link, ticket),) = links
    assert link.endswith(f"/learn?token={TOKEN}#es/diamonds")
    assert ticket.endswith("#es/diamonds")
    assert TOKEN not in ticket


# ---- deadlines ------------------------------------------------------------------------------------


class Wire(asyncio.Transport):
    """A connection without a network: what was written, and whether it was closed or broken off."""

    def __init__(self):
        super().__init__()
        self.written, self.closed, self.aborted = b"", False, asyncio.Event()

    def write(self, data):
        self.written += data

    def close(self):
        self.closed = True

    def is_closing(self):
        return self.closed or self.aborted.is_set()

    def abort(self):
        self.aborted.set()

    def resume_reading(self):
        pass

    def pause_reading(self):
        pass


async def answer_at_once(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


async def never_answer(scope, receive, send):
    await asyncio.sleep(60)


GET = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"


def connected(scenario, app=answer_at_once):
    """Run a scenario with a new connection to the server."""

    async def run():
        config = uvicorn.Config(app, log_config=None, lifespan="off", ws="none", timeout_keep_alive=60)
        wire, connection = Wire(), server._protocol()(config, ServerState(), {})
        connection.connection_made(wire)
        try:
            return await asyncio.wait_for(scenario(connection, wire), 5)
        finally:
            connection.connection_lost(None)
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()

    return asyncio.run(run())


async def seconds_until_aborted(wire, most):
    begun = time.monotonic()
    try:
        await asyncio.wait_for(wire.aborted.wait(), most)
    except TimeoutError:
        return None
    return time.monotonic() - begun


@pytest.mark.parametrize("pieces", [[], [b"GET / HT"], [b"GET / HT", b"TP/1.1\r\n", b"x: y\r\n"]])
def test_a_header_that_is_not_whole_in_time_ends_the_connection(monkeypatch, pieces):
    monkeypatch.setattr(server, "HEADER_SECONDS", 0.1)
    monkeypatch.setattr(server, "REQUEST_SECONDS", 30.0)

    async def scenario(connection, wire):
        for piece in pieces:
            connection.data_received(piece)
        return await seconds_until_aborted(wire, 2.0)

    assert connected(scenario) is not None


def test_a_request_that_is_not_answered_in_time_ends_the_connection_and_has_its_own_deadline(monkeypatch):
    monkeypatch.setattr(server, "HEADER_SECONDS", 0.05)
    monkeypatch.setattr(server, "REQUEST_SECONDS", 0.3)

    async def scenario(connection, wire):
        connection.data_received(GET)
        return await seconds_until_aborted(wire, 2.0)

    took = connected(scenario, never_answer)
    assert took is not None
    assert took > 0.2, "the deadline of the header does not hold any more"


def test_between_two_requests_nothing_is_due_until_the_first_byte_of_the_second(monkeypatch):
    monkeypatch.setattr(server, "HEADER_SECONDS", 0.1)
    monkeypatch.setattr(server, "REQUEST_SECONDS", 0.1)

    async def scenario(connection, wire):
        connection.data_received(GET)
        quiet = await seconds_until_aborted(wire, 0.3)
        connection.data_received(b"G")
        return wire.written, quiet, await seconds_until_aborted(wire, 2.0)

    written, quiet, trickling = connected(scenario)
    assert written.endswith(b"ok")
    assert quiet is None
    assert trickling is not None


def test_what_is_no_http_is_told_so_and_closed():
    async def scenario(connection, wire):
        connection.data_received(b"this is no request\r\n\r\n")
        return wire.written, wire.closed

    assert connected(scenario) == (BAD_REQUEST, True)
