"""Points of graded sheets, held against the solutions without the judges of minigrad."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from minigrad.language import number, parse
from minigrad.learn.classroom.grades import Grade, GradedSheet

__all__ = ["means_the_same", "unearned"]


def plain(text: str) -> str:
    return text.casefold().strip().strip("().'\"` ")


def means_the_same(blank: str, answer: str, right: str) -> bool:
    """Said without the judges: the same number, letter, or function at some points."""
    if blank == "choice":
        return plain(answer)[:1] == plain(right)
    if blank == "expression":
        found = []
        for text in (answer, right):
            points = {letter: 0.2 + ord(letter) / 400 for letter in set(re.findall(r"\b[a-z]\b", text))}
            graph = parse(text, points)
            found.append(graph.evaluate()[graph.output])
        return abs(found[0] - found[1]) < 1e-9
    typed = answer.strip().removesuffix(".")
    typed = re.sub(rf"^({re.escape(blank)}(\.grad|\.data)?\s*[=:]|=)", "", typed)  # c = 4, or = 4
    typed = re.sub(r"^\s*([+-]?\d*),(\d+)$", r"\1.\2", typed)
    try:
        return Fraction(re.sub(r"\s", "", typed)) == Fraction(right)
    except ValueError:  # a number may be worked out, as in 2*3
        value = number(typed)
        return value is not None and abs(value - Fraction(right)) < 1e-9


def unearned(graded: Iterable[GradedSheet]) -> list[Grade]:
    """The marks with points for an answer that is not the solution."""
    found = []
    for one in graded:
        for mark in one.marks:
            right = mark.item.question.solution
            if mark.points and not (
                set(mark.answer) == set(right)
                and all(means_the_same(blank, mark.answer[blank], right[blank]) for blank in right)
            ):
                found.append(mark)
    return found
