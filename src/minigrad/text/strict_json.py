"""Strict JSON reader, for documents that somebody else may have written.

The reader of the standard library accepts a key that stands twice (the first value is lost), NaN and 1e999.
Both functions here refuse these:

* `parse_json` is as fast as the standard library, and says only that a text is no JSON.
* `parse_json_with_places` is a loop over tokens, which no depth of nesting can overflow.  It gives the
  document and the places of its outer entries, or a `JsonError` with the reason in words and the position.
"""

from __future__ import annotations

import re
from json import loads
from math import isfinite
from typing import Final, NoReturn, TypeAlias

from ..errors import MinigradError
from .escape import printable
from .files import JSON
from .numerals import counted
from .translation import say

__all__ = [
    "DEEPEST",
    "LONGEST",
    "DuplicateKeyError",
    "JsonError",
    "Places",
    "parse_json",
    "parse_json_with_places",
]

Places: TypeAlias = dict[tuple[str | int, ...], int]  # the way to an entry, and where its value begins

DEEPEST: Final = 32  # containers inside containers
LONGEST: Final = 1000  # digits of one number
_OUTER = 2  # steps of a way whose place is remembered

_SPACE = re.compile(r"[ \t\n\r]*+")
_TOKEN = re.compile(
    r"""(?P<sign>[{}\[\],:])
      | (?P<text>"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")
      | (?P<number>-?(?:0|[1-9][0-9]*+)(?P<fraction>(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?))
      | (?P<word>true|false|null)""",
    re.VERBOSE,
)
_WORDS: Final = {"true": True, "false": False, "null": None}


class JsonError(MinigradError, ValueError):
    """A text that is no strict JSON: why, and the position of the character where that shows."""

    def __init__(self, why: str, position: int) -> None:
        super().__init__(why)
        self.why, self.position = why, position


class DuplicateKeyError(MinigradError, ValueError):
    """A key that stands twice in one object: what stands first would be lost."""


def parse_json(text: str) -> JSON:
    """The document in a text; ValueError for what is no strict JSON, RecursionError for a very deep one."""
    document: JSON = loads(
        text, parse_constant=_refuse, parse_float=_finite_number, object_pairs_hook=_unique_keys
    )
    return document


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _finite_number(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _refuse(text)


def _unique_keys(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise DuplicateKeyError
    return found


def parse_json_with_places(text: str) -> tuple[JSON, Places]:
    """The document in a text, and where its entries of the first two levels begin."""
    return _JsonReader(text).document()


class _Opened:
    """What is read where a container begins: nothing that could be put anywhere yet."""


_OPENED: Final = _Opened()


class _JsonReader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.open: list[list[JSON] | dict[str, JSON]] = []
        self.way: list[str | int] = []
        self.places: Places = {}

    def document(self) -> tuple[JSON, Places]:
        found = self._value()
        while self.open:
            found = self._next(found)
        assert not isinstance(found, _Opened)
        self._skip()
        if self.place < len(self.text):
            raise self._odd()
        return found, self.places

    def _next(self, done: JSON | _Opened) -> JSON | _Opened:
        """Put what is done into the innermost container, and begin what follows."""
        inner = self.open[-1]
        if isinstance(inner, list):
            if isinstance(done, _Opened):
                if self._taken("]"):
                    return self._closed()
            else:
                inner.append(done)
                if not self._comma("]"):
                    return self._closed()
            self.way[-1] = len(inner)
            return self._value()
        if isinstance(done, _Opened):
            if self._taken("}"):
                return self._closed()
        else:
            inner[str(self.way[-1])] = done
            if not self._comma("}"):
                return self._closed()
        self._key(inner)
        return self._value()

    def _key(self, inner: dict[str, JSON]) -> None:
        self._skip()
        place = self.place
        match = _TOKEN.match(self.text, place)
        if match is None or match["text"] is None:
            raise self._odd()
        key = self._string(match)
        if key in inner:
            raise JsonError(say("strict_json.twice", key=printable(key)), place)
        if not self._taken(":"):
            raise self._odd()
        self.way[-1] = key

    def _value(self) -> JSON | _Opened:
        """A number, a text or a word; or _OPENED, when a container has begun."""
        self._skip()
        if len(self.way) <= _OUTER:
            self.places[tuple(self.way)] = self.place
        match = _TOKEN.match(self.text, self.place)
        if match is None:
            raise self._odd()
        if match["text"] is not None:
            return self._string(match)
        if match["number"] is not None:
            return self._number(match)
        if match["word"] is not None:
            self.place = match.end()
            return _WORDS[match["word"]]
        if match["sign"] not in "[{":
            raise self._odd()
        if len(self.open) >= DEEPEST:
            raise JsonError(say("strict_json.deep", most=DEEPEST), self.place)
        self.open.append([] if match["sign"] == "[" else {})
        self.way.append("")
        self.place = match.end()
        return _OPENED

    def _closed(self) -> list[JSON] | dict[str, JSON]:
        self.way.pop()
        return self.open.pop()

    def _comma(self, end: str) -> bool:
        """Whether another entry follows; otherwise the container has ended."""
        if self._taken(","):
            return True
        if self._taken(end):
            return False
        raise self._odd()

    def _string(self, match: re.Match[str]) -> str:
        token = match["text"]
        text = token[1:-1] if "\\" not in token else str(loads(token))
        try:
            text.encode()
        except UnicodeEncodeError:  # half of a pair, which no file can hold
            raise JsonError(say("strict_json.surrogate"), self.place) from None
        self.place = match.end()
        return text

    def _number(self, match: re.Match[str]) -> int | float:
        token = match["number"]
        if len(token) > LONGEST:
            raise JsonError(say("strict_json.long", count=counted(len(token))), self.place)
        number = float(token) if match["fraction"] else int(token)
        if isinstance(number, float) and not isfinite(number):
            raise JsonError(say("strict_json.infinite", given=printable(token)), self.place)
        self.place = match.end()
        return number

    def _taken(self, sign: str) -> bool:
        self._skip()
        if not self.text.startswith(sign, self.place):
            return False
        self.place += 1
        return True

    def _skip(self) -> None:
        space = _SPACE.match(self.text, self.place)
        self.place = space.end() if space else self.place

    def _odd(self) -> JsonError:
        """What stands here cannot; inside a text, the character that spoils it."""
        place = self.place
        if place >= len(self.text):
            return JsonError(say("strict_json.ends"), len(self.text))
        if self.text[place] == '"' and not _TOKEN.match(self.text, place):
            good = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
            match = good.match(self.text, place)
            place = match.end() if match else place
            if place >= len(self.text):
                return JsonError(say("strict_json.ends"), len(self.text))
        return JsonError(say("strict_json.odd", given=printable(self.text[place : place + 12])), place)
