"""A studio among enemies: malformed requests by the thousand, on real sockets.

`pytest tests/minigrad/studio/test_server_hostile.py --graphs=100000` sends that many.
"""

import asyncio
from collections import Counter

import pytest

from minigrad.studio.static_files import static_files
from studio_http import Hostile, complaint, only
from studio_requests import KINDS, hostile
from studio_server import TOKEN, studio

AT_ONCE = 40
JSON = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n"


@pytest.fixture(scope="module")
def besieged():
    with studio() as found:
        yield found


def test_nothing_breaks_hangs_or_gets_out(besieged, numbers):
    served = frozenset(file.body for file in static_files().values())

    async def one(number: int, turn: asyncio.Semaphore) -> str:
        asked = hostile(number, besieged.address, TOKEN)
        async with turn:
            got = await besieged.say(asked.octets, hold=0.2 if 0 in asked.allowed else 40.0, seconds=40.0)
        wrong = complaint(asked, got, served)
        return f"{number} ({asked.kind}): {wrong}" if wrong else ""

    async def all_of_them() -> list[str]:
        turn = asyncio.Semaphore(AT_ONCE)
        return await asyncio.gather(*(one(number, turn) for number in numbers))

    assert [wrong for wrong in asyncio.run(all_of_them()) if wrong] == []
    assert besieged.process.poll() is None


def test_afterwards_it_answers_as_before(besieged):
    found = besieged.question("explain", text="L = a*a", inputs={"a": 3})
    nodes = {row["name"]: row for row in found["document"]["traces"][0]["trace"]["nodes"]}
    assert nodes["a"]["grad"] == 6


def test_every_kind_of_malice_is_among_the_first_hundred():
    kinds = Counter(hostile(number, "127.0.0.1:80", TOKEN).kind for number in range(100))
    assert kinds.keys() == {kind.__name__ for kind in KINDS}


def test_the_same_number_is_the_same_request():
    for number in range(200):
        assert hostile(number, "127.0.0.1:80", TOKEN) == hostile(number, "127.0.0.1:80", TOKEN)


@pytest.mark.parametrize(
    ("got", "found"),
    [
        (None, "it hung"),
        (b"HTTP/1.1 500 Internal Server Error\r\n\r\n", "500, where only"),
        (b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nroot:x:0:0:root", "not in the table"),
        (b"HTTP/1.1 200 OK\r\nserver: uvicorn\r\n\r\nthe page", "made of"),
        (b"HTTP/1.1 404 Not Found\r\n\r\n" + b"Traceback (most recent call last)" * 100, "too much"),
        (JSON + b"{", "no JSON"),
        (JSON + b"{}", "neither yes nor no"),
        (JSON + b'{"ok": false, "error": {"code": "internal"}}', "failed"),
        (b"\x00\x01", "no HTTP"),
        (b"", "0, where only"),
        (b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\nthe page", ""),
        (b"HTTP/1.1 404 Not Found\r\n\r\nno", ""),
        (JSON + b'{"ok": true}', ""),
    ],
)
def test_a_planted_breach_is_seen(got, found):
    asked = Hostile("planted", b"", only(200, 404))
    wrong = complaint(asked, got, frozenset({b"the page"}))
    assert found in wrong
    assert bool(found) == bool(wrong)
