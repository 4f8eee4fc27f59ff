"""Formulas in plain text, for screen readers and where mathematics cannot be shown."""

from __future__ import annotations

from collections.abc import Sequence
from re import fullmatch

__all__ = [
    "cases", "derivative", "fenced", "formula", "fraction", "function", "lines", "lowered", "name",
    "number", "power", "root", "row", "sign", "text",
]  # fmt: skip

_SPACED = {"·": " * ", ",": ", ", "⋯": "...", "≤": " <= ", "≥": " >= ", "≠": " != "}


def name(words: str) -> str:
    return words


def number(words: str, kind: str) -> str:
    return words


def function(words: str) -> str:
    return words


def sign(words: str) -> str:
    return _SPACED.get(words, f" {words} ")


def text(words: str) -> str:
    return f" {words}"


def row(*parts: str) -> str:
    joined = "".join(parts)
    return "-" + joined[3:] if joined.startswith(" - ") else joined


def fenced(opening: str, inside: str, closing: str) -> str:
    return f"{opening}{inside}{closing}"


def _whole(markup: str) -> str:
    """What stays together without parentheses: a name, a number, a call."""
    return markup if fullmatch(r"[^\s()*/+-]+(\([^()]*\))?", markup) else f"({markup})"


def fraction(above: str, below: str) -> str:
    return f"{_whole(above)} / {_whole(below)}"


def derivative(d: str, of: str, by: str) -> str:
    return f"{d}{of}/{d}{by}"


def power(base: str, exponent: str) -> str:
    return f"{base}**{_whole(exponent)}"


def lowered(base: str, index: str) -> str:
    return f"{base}{index}"


def root(inside: str, degree: str) -> str:
    return f"cbrt({inside})" if degree else f"sqrt({inside})"


def cases(rows: Sequence[tuple[str, str]]) -> str:
    return "{" + "; ".join(f"{value}{condition}".rstrip() for value, condition in rows) + "}"


def lines(left: str, rows: Sequence[tuple[str, str]]) -> str:
    return left + "".join(relation + right for relation, right in rows)


def formula(inside: str, words: str) -> str:
    return inside
