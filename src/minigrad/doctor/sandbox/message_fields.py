"""Strict reading of the fields of a message that a stranger may have written.

Each function returns a value of exactly the type that it names, or raises MalformedError; none raises
anything else, whatever it is given.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import MinigradError
from ...text.escape import visible

__all__ = [
    "MalformedError", "choice", "count", "flag", "mapping", "name", "number", "number_or_none", "plain_value",
    "rows", "text",
]  # fmt: skip

LONGEST_NAME = 1_000  # characters
LONGEST_TEXT = 100_000  # characters of what an error said
MOST = 100_000  # members of a list or an object; more do not fit into a message
LARGEST_COUNT = 10**9
DEEPEST = 20  # lists and objects within each other


class MalformedError(MinigradError, ValueError):
    """This is not what our own program sends."""


def mapping(raw: object) -> Mapping[str, object]:
    if type(raw) is not dict or len(raw) > MOST or not all(type(key) is str for key in raw):
        raise MalformedError("no object")
    return raw


def rows(raw: object, least: int = 0, most: int | None = None) -> list[object]:
    """A list; of `least` members, or of as many as `most`, where these are given."""
    if type(raw) is not list or not least <= len(raw) <= (most or least or MOST):
        raise MalformedError("no list of this length")
    return raw


def text(raw: object, longest: int = LONGEST_TEXT) -> str:
    """A text, with everything in it escaped that a terminal would act on; its lines stay lines."""
    if type(raw) is not str or len(raw) > longest:
        raise MalformedError("no text")
    return "\n".join(map(visible, raw.split("\n")))


def name(raw: object) -> str:
    return text(raw, LONGEST_NAME)


def choice(raw: object, *known: str) -> str:
    if type(raw) is not str or raw not in known:
        raise MalformedError("none of those known")
    return raw


def flag(raw: object) -> bool:
    if type(raw) is not bool:
        raise MalformedError("neither true nor false")
    return raw


def count(raw: object) -> int:
    """A whole number that counts something, such as lines."""
    if type(raw) is not int or not 0 <= raw <= LARGEST_COUNT:
        raise MalformedError("no count")
    return raw


def number(raw: object) -> float:
    """A float, infinities and NaN among them: engines give these too."""
    try:
        if type(raw) is int or type(raw) is float:
            return float(raw)
    except OverflowError:
        pass
    raise MalformedError("no number")


def number_or_none(raw: object) -> float | None:
    return None if raw is None else number(raw)


def plain_value(raw: object, depth: int = 0) -> object:
    """Anything that is plain JSON, not too deep."""
    if raw is None or type(raw) is bool:
        return raw
    if type(raw) is str:
        return text(raw)
    if type(raw) is dict and depth < DEEPEST:
        return {name(key): plain_value(value, depth + 1) for key, value in mapping(raw).items()}
    if type(raw) is list and depth < DEEPEST:
        return [plain_value(one, depth + 1) for one in rows(raw)]
    if type(raw) is int and abs(raw) < 10**300:
        return raw
    return number(raw)
