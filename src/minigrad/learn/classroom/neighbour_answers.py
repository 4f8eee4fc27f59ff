"""Answers that are wrong on a learner's own sheet and right on somebody else's: a fact, and no verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from re import fullmatch
from typing import TYPE_CHECKING

from ...text.escape import printable

if TYPE_CHECKING:
    from .grades import GradedSheet

__all__ = ["neighbours"]

ENOUGH = 3  # numbers that have to be the other's, in whole questions

_PLAIN = r"[+-]?\d{1,12}(\.\d{1,12}|/0*[1-9]\d{0,11})?"  # no exponent: it could be as long as a book

Numbers = tuple[tuple[str, Fraction], ...]


def neighbours(graded: Sequence[GradedSheet]) -> Iterator[Mapping[str, object]]:
    """Who gave the numbers of whose sheet, and in which questions."""
    solutions: dict[tuple[int, Numbers], list[int]] = {}
    for place, one in enumerate(graded):
        for item in one.sheet.items:
            right = _numbers(item.question.solution)
            if right:
                solutions.setdefault((item.number, right), []).append(place)
    for place, one in enumerate(graded):
        shared: dict[int, list[tuple[int, int]]] = {}
        for mark in one.marks:
            typed = _numbers(mark.answer) if mark.status == "wrong" else None
            for other in solutions.get((mark.item.number, typed), []) if typed else []:
                if other != place:
                    shared.setdefault(other, []).append((mark.item.number, len(typed or ())))
        for other, found in sorted(shared.items()):
            if sum(count for _, count in found) >= ENOUGH:
                yield {
                    "name": printable(one.sheet.learner.name),
                    "other": printable(graded[other].sheet.learner.name),
                    "questions": ", ".join(str(number) for number, _ in found),
                }


def _numbers(answer: Mapping[str, str]) -> Numbers | None:
    """An answer in plain numbers, to be compared with another; None for a choice or an expression."""
    texts = {blank: text.replace(" ", "") for blank, text in answer.items()}
    if not texts or not all(fullmatch(_PLAIN, text) for text in texts.values()):
        return None
    return tuple(sorted((blank, Fraction(text)) for blank, text in texts.items()))
