"""Excerpts of long things for one line of text: a cut text, the first of many names, what a caller gave."""

from __future__ import annotations

from collections.abc import Sequence

from .translation import say

__all__ = ["cut", "describe", "listed"]


def cut(text: str, width: int, ellipsis: str = "...") -> str:
    """A text of at most `width` characters; one that is cut ends in an ellipsis."""
    return text if len(text) <= width else text[: width - len(ellipsis)] + ellipsis


def listed(names: Sequence[str], most: int = 12) -> str:
    """Names for a sentence; of many, the first."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def describe(x: object) -> str:
    """What was given, for an error message: its type and, where it is short, itself."""
    brief = isinstance(x, (str, bytes, float, complex, type(None))) or (isinstance(x, int) and abs(x) < 1e40)
    text = repr(x) if brief else ""
    kind = type(x).__name__
    if 0 < len(text) <= 40:
        return f"{text} ({kind})"
    return say("given.long" if text else "given.kind", kind=kind)
