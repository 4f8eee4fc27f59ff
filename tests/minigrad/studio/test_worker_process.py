"""The program of a worker, called in this process: its limits, and what it does before the first question."""

import json
import sys
from io import StringIO
from math import nan
from types import SimpleNamespace

import pytest

from minigrad.studio import worker_process
from minigrad.studio.worker_process import MEMORY

QUESTION = {"api": "explain", "fields": {"text": "a*a"}, "language": "en", "seconds": 1.0}
ENDLESS = -1  # RLIM_INFINITY


class OfTheSystem(SimpleNamespace):
    """The module resource of a system whose administrator allows at most `hard` bytes of addresses."""

    RLIM_INFINITY, RLIMIT_AS, RLIMIT_CORE = ENDLESS, "addresses", "core"

    def getrlimit(self, what):
        assert what == "addresses"
        return ENDLESS, self.hard

    def setrlimit(self, what, limits):
        self.set[what] = limits


@pytest.fixture
def unlimited(monkeypatch):
    """This process sets itself no deadline and no limit."""
    monkeypatch.setattr(worker_process, "_alarm", lambda seconds: None)
    monkeypatch.setattr(worker_process, "_limit_itself", lambda: None)


@pytest.mark.parametrize(
    ("hard", "expected"),
    [(ENDLESS, MEMORY), (MEMORY // 4, MEMORY // 4), (MEMORY, MEMORY), (4 * MEMORY, MEMORY)],
)
def test_a_worker_has_sixteen_gibibytes_of_addresses_or_what_the_system_allows(monkeypatch, hard, expected):
    system = OfTheSystem(hard=hard, set={})
    monkeypatch.setitem(sys.modules, "resource", system)
    monkeypatch.setattr(worker_process, "open", lambda *_: StringIO(), raising=False)
    worker_process._limit_itself()
    assert system.set == {"addresses": (expected, hard), "core": (0, 0)}
    assert MEMORY == 16 * 1024**3


def test_a_worker_has_answered_once_before_it_looks_at_the_first_question(monkeypatch, unlimited):
    asked = []

    def answer(api, fields, language=None):
        asked.append(fields["text"])
        return 200, {"ok": True}

    def questions():
        assert len(asked) == 1
        yield QUESTION

    monkeypatch.setattr(worker_process, "answer", answer)
    replies = []
    worker_process.main(questions(), lambda status, body: replies.append((status, json.loads(body))))
    assert asked[1:] == ["a*a"]
    assert replies == [(200, {"ok": True})]


def test_a_number_that_json_lacks_is_a_mistake_of_ours_and_does_not_get_out(monkeypatch, unlimited):
    monkeypatch.setattr(worker_process, "answer", lambda *_: (200, {"ok": True, "x": nan}))
    replies = []
    worker_process._respond(QUESTION, lambda status, body: replies.append((status, json.loads(body))))
    ((status, found),) = replies
    assert (status, found["error"]["code"]) == (500, "internal")
