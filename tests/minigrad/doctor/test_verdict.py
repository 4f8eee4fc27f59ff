"""Verdicts of the doctor: one set, as JSON documents have had them since version 0.1."""

from __future__ import annotations

import json
from typing import get_args

from minigrad.doctor import verdict
from minigrad.doctor.verdict import Verdict, is_verdict
from minigrad.learn.classroom.learner_engines import ExaminedEngine


def test_verdicts_are_the_strings_of_the_schemas():
    named = [verdict.CORRECT, verdict.WRONG, verdict.LIMITED, verdict.NOT_EXAMINED]
    assert json.loads(json.dumps(named)) == ["correct", "wrong", "limited", "not examined"]
    assert tuple(named) == get_args(Verdict)
    assert [repr(each) for each in named] == ["'correct'", "'wrong'", "'limited'", "'not examined'"]


def test_nothing_else_is_a_verdict():
    assert all(is_verdict(each) for each in get_args(Verdict))
    assert not any(is_verdict(each) for each in ("right", "CORRECT", "", None, 1, ["wrong"], {"wrong"}))


def test_whoever_grades_an_engine_knows_all_of_them():
    points = {
        each: ExaminedEngine("x.py", "x", each, "", ("a bug",), "", "", share=0.9).points
        for each in get_args(Verdict)
    }
    assert points == {"correct": 1.0, "wrong": 0.75, "limited": 0.5, "not examined": 0.0}
