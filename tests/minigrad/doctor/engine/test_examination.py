"""The doctor and engines that were written for it: right ones, 95 with a planted bug, limited ones.

Every wrong one must be convicted and every right one acquitted.  Names and lines may miss now and then;
those that do are listed here, and the lists may be only so long.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from engine_cases import CASES, Case, places_of, write
from minigrad.doctor import Report, examine

pytestmark = pytest.mark.slow

WRONG = [case for case in CASES.values() if case.verdict == "wrong"]
OTHERS = [case for case in CASES.values() if case.verdict != "wrong"]

# The cause that is named is another one, or only described.
MISNAMED = {"one-user"}

# The line that is pointed to is another one.
ELSEWHERE: set[str] = set()

# Limits that most engines have and that do not keep an ordinary program from running.
ONLY_NOTED = {"tanh-by-exp", "numbers-on-the-right-only"}


@cache
def report_on(name: str) -> Report:
    with TemporaryDirectory() as folder:
        return examine(write(CASES[name], Path(folder)), patience=5.0)  # the machine has other things to do


def is_named(case: Case, report: Report) -> bool:
    """Does the first finding name a bug that was planted?"""
    wanted = {case.fault, *case.also, *([case.beside] if case.beside else [])}
    named = [finding.fault for finding in report.findings]
    return named[0] in wanted


def is_located(case: Case, report: Report) -> bool:
    good = {(place.line, place.cell) for place in places_of(case)}
    places = [finding.fix.place for finding in report.findings if finding.fix]
    return any((place.line, place.cell) in good for place in places)


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.name)
def test_a_wrong_engine_is_convicted_named_and_pointed_at(case):
    report = report_on(case.name)
    assert report.verdict == "wrong", report.text()
    assert is_named(case, report) or case.name in MISNAMED, report.text()
    assert is_located(case, report) or case.name in ELSEWHERE, report.text()
    assert len(report.findings) <= (4 if case.name in MISNAMED else 2), report.text()
    assert report.suspicions == (), report.text()


@pytest.mark.parametrize("case", OTHERS, ids=lambda case: case.name)
def test_a_right_engine_is_acquitted_and_a_limited_one_is_not_called_wrong(case):
    report = report_on(case.name)
    wanted = "limited" if case.verdict == "limited" and case.name not in ONLY_NOTED else "correct"
    assert report.verdict == wanted, report.text()
    assert report.findings == ()
    assert report.suspicions == (), report.text()


def test_what_is_rarely_missed_is_noted_and_no_more():
    assert any(limit.code == "edge" for limit in report_on("tanh-by-exp").limits)
    assert {"2 - a", "2 / a"} <= set(report_on("numbers-on-the-right-only").not_examined)


def test_there_are_enough_of_them():
    assert len(WRONG) >= 40
    assert len({case.style for case in CASES.values()}) >= 8
    assert len(MISNAMED) <= 0.05 * len(WRONG)
    assert len(ELSEWHERE) <= 0.20 * len(WRONG)
    assert CASES.keys() >= MISNAMED | ELSEWHERE
