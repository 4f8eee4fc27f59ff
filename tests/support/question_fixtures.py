"""What tests of questions share: two graphs, how one is asked, what is said; fixture `english`."""

from __future__ import annotations

import pytest

from minigrad.language import parse
from minigrad.learn.questions import Question, lesson_question
from minigrad.text.translation import speaking

FIRST = "a = 2; b = -3; c = a*b; d = a + b; e = c + d"
SECOND = "a = 2; b = 3; c = 4; ab = a*b; e = ab + c; f = a - c; L = e*f"


@pytest.fixture(autouse=True)
def english():
    with speaking("en"):
        yield


def ask(kind: str, text: str | None = SECOND, lead: str = "", **parameters: str) -> Question:
    return lesson_question("by-hand", kind, "mine", parse(text) if text else None, parameters, lead)


def right(q: Question, answer: str | None = None, **blanks: str) -> bool:
    judgement = q.judge(blanks if answer is None else {q.ask().blanks[0]: answer})
    assert judgement.read, judgement
    return judgement.right


def told(q: Question, answer: str | None = None, **blanks: str) -> str:
    judgement = q.judge(blanks if answer is None else {q.ask().blanks[0]: answer})
    assert judgement.read
    assert not judgement.right, judgement
    return " ".join(judgement.words)
