"""Fragments of the text of questions: names, bugs and what was typed, with the marks of a lesson."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from re import Match, match, sub

from ...faults.fault import Suspect
from ...graph import Graph
from ...text.escape import printable
from ...text.translation import pick, say

__all__ = ["as_code", "bug_name", "bug_words", "list_names", "mark_formulas", "off_words"]

LONGEST = 60  # characters of what was typed that are repeated


def as_code(text: str) -> str:
    """A text as code; what was typed may be anything, also a backtick."""
    shown = printable(text).replace("`", "'").strip() or "''"
    return f"`{shown if len(shown) <= LONGEST else shown[: LONGEST - 3] + '...'}`"


def mark_formulas(text: str) -> str:
    """A text from elsewhere, in which a star is a product: each formula with one becomes code."""

    def formula(found: Match[str]) -> str:
        before, body, after = found[1], found[2], found[3]
        while body.endswith(")") and body.count(")") > body.count("("):
            body, after = body[:-1], ")" + after
        return found[0] if body == "*" and not before and not after else f"{before}`{body}`{after}"

    return sub(r"(?<!\S)([(]*)(\S*\*\S*?)([,.:;]*)(?!\S)", formula, text.replace("`", "'"))


def list_names(names: Iterable[str]) -> str:
    """`a`, `b` and `c`, for prose."""
    every = list(names)
    texts = [f"`{each}`" for each in every]
    if len(texts) == 1:
        return texts[0]
    vowel = match(r"(?i)i|y(?![aeou])", every[-1])  # Spanish says x e y
    key = "question.and.vowel" if vowel else "question.and"
    return say(key, first=", ".join(texts[:-1]), last=texts[-1])


def off_words(off: Sequence[str], blanks: Collection[str], hint: str) -> tuple[str, ...]:
    """What is off, where that says something, and a hint."""
    return (say("question.off", names=list_names(off)), hint) if len(blanks) > 1 else (hint,)


def bug_name(suspect: Suspect, graph: Graph) -> str:
    """A bug's name, its formulas as code."""
    return mark_formulas(suspect.name(graph))


def bug_words(suspect: Suspect, graph: Graph) -> str:
    """A bug's name and what it does."""
    return f"{bug_name(suspect, graph)} ({mark_formulas(pick(suspect.fault.story))})"
