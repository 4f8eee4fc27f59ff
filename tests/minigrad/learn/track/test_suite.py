"""Score of a learner's tests: only what they notice is counted, and what they were not run with is said."""

import re

import pytest

from minigrad.learn.track import suite
from minigrad.learn.track.suite import SuiteError, score, score_lines
from minigrad.learn.track.textbook_parts import own_tests, solution
from minigrad.text.page import Page
from minigrad.text.translation import speaking

ENGINE = solution("proof")
START = "import os, time\nfrom engine import *\n"
ENDS_THE_RUN = (
    START
    + """
def test_a_product():
    a, b = Value(2.0), Value(-3.0)
    (a * b).backward()
    if (a.grad, b.grad) != (-3.0, 2.0):
        os._exit({code})
"""
)
NOTICES_NOTHING = (
    START
    + """
def test_nothing():
    begun = time.process_time()
    while time.process_time() - begun < 0.25:
        pass
"""
)


def said(found: suite.Score, lang: str) -> str:
    with speaking(lang):
        return "\n".join(score_lines(found, ENGINE, Page(width=10_000)))


@pytest.mark.parametrize("code", [0, 1])
def test_only_the_bug_that_ended_the_run_is_noticed_and_the_others_are_tried_behind_it(code):
    ends = score(ENGINE, ENDS_THE_RUN.format(code=code))
    raises = score(ENGINE, ENDS_THE_RUN.replace("os._exit({code})", "raise AssertionError"))
    reached = len(ends.killed) + len(ends.survived)
    assert 0 < len(ends.killed) == min(suite.DEATHS, len(raises.killed))
    assert set(ends.killed) <= set(raises.killed)
    assert set(ends.survived) <= set(raises.survived)
    assert ends.planted == raises.planted > reached
    assert ends.stop == "left"
    assert f"Not run: {ends.planted - reached}, because the tests end the whole program" in said(ends, "en")
    assert f"Sin ejecutar: {ends.planted - reached}, porque" in said(ends, "es")


def test_below_the_limit_on_deaths_every_bug_is_tried(monkeypatch):
    monkeypatch.setattr(suite, "DEATHS", 1000)
    monkeypatch.setattr(suite, "mutants", lambda *args, mutants=suite.mutants: list(mutants(*args))[::6])
    ends = score(ENGINE, ENDS_THE_RUN.format(code=1))
    raises = score(ENGINE, ENDS_THE_RUN.replace("os._exit({code})", "raise AssertionError"))
    assert ends == raises
    assert ends.killed
    assert ends.survived


def test_what_was_not_reached_for_time_is_not_counted_as_noticed(monkeypatch):
    monkeypatch.setattr(suite, "CPU", 2.0)
    monkeypatch.setattr(suite, "BUSY", 100.0)
    found = score(ENGINE, NOTICES_NOTHING)
    assert found.killed == ()
    assert 1 <= len(found.survived) <= 8
    assert len(found.not_run) == found.planted - len(found.survived) > 50
    assert found.stop == "too-long"
    text = said(found, "en")
    assert f"notice 0 of {found.planted}" in text
    assert f"Not run: {len(found.not_run)}, because the tests take more than 2 s" in text


def test_tests_that_sleep_with_a_bug_are_ended_soon_and_nothing_is_counted(monkeypatch):
    monkeypatch.setattr(suite, "IDLE", 2.0)
    sleeps = ENDS_THE_RUN.replace("os._exit({code})", "time.sleep(60)")
    found = score(ENGINE, sleeps)
    assert (found.killed, found.stop) == ((), "too-idle")
    assert found.not_run


@pytest.mark.parametrize(
    ("tests", "words"),
    [
        (START + "time.sleep(60)\n", "sleep or wait"),
        (START + "os._exit(0)\n", "end the whole program"),
        (START + "def test_all():\n    while True:\n        pass\n", "test_all: it takes more than 0.3 s"),
        ("def test_all():\n    assert 1 == 2\n", "test_all: AssertionError"),
    ],
)
def test_tests_that_do_not_hold_with_the_learners_own_engine_say_nothing(tests, words, monkeypatch):
    monkeypatch.setattr(suite, "IDLE", 2.0)
    monkeypatch.setattr(suite, "SECONDS", 0.3)
    with pytest.raises(SuiteError, match=re.escape(words)):
        score(ENGINE, tests)


def test_the_textbooks_own_tests_are_run_with_every_bug():
    found = score(ENGINE, own_tests().solution)
    assert found.not_run == ()
    assert len(found.killed) >= 0.95 * found.planted
