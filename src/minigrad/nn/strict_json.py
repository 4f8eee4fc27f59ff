"""JSON read strictly, with the place of whatever is wrong.

The standard library's reader takes duplicate keys, NaN and 1e999, recurses into what is deep, and does not
tell where a key stood.  This one is a loop over tokens: `parse(text)` gives the document and the places of
its outer entries, or raises `NotJson` with a reason in words and a position in the text.
"""

from __future__ import annotations

import re
from json import loads
from math import isfinite
from typing import Any, Final, TypeAlias

from ..text.numerals import counted
from ..text.page import printable
from ..text.translation import say

__all__ = ["DEEPEST", "Json", "NotJson", "Places", "parse"]

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
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


class NotJson(ValueError):  # noqa: N818 a reason, which the reader of a checkpoint puts into its sentence
    def __init__(self, why: str, position: int) -> None:
        super().__init__(why)
        self.why, self.position = why, position


def parse(text: str) -> tuple[Any, Places]:
    """The document in a text, and where its entries of the first two levels begin."""
    return _JsonReader(text).document()


class _JsonReader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.open: list[list[Any] | dict[str, Any]] = []
        self.way: list[str | int] = []
        self.places: Places = {}

    def document(self) -> tuple[Any, Places]:
        found = self._value()
        while self.open:
            found = self._next(found)
        self._skip()
        if self.place < len(self.text):
            raise self._odd()
        return found, self.places

    def _next(self, done: Any) -> Any:
        """Put what is done into the innermost container, and begin what follows."""
        inner = self.open[-1]
        if isinstance(inner, list):
            if done is not _NOTHING:
                inner.append(done)
            elif self._taken("]"):
                return self._closed()
            if done is not _NOTHING and not self._comma("]"):
                return self._closed()
            self.way[-1] = len(inner)
            return self._value()
        if done is not _NOTHING:
            inner[str(self.way[-1])] = done
        elif self._taken("}"):
            return self._closed()
        if done is not _NOTHING and not self._comma("}"):
            return self._closed()
        self._key(inner)
        return self._value()

    def _key(self, inner: dict[str, Any]) -> None:
        self._skip()
        place = self.place
        match = _TOKEN.match(self.text, place)
        if match is None or match["text"] is None:
            raise self._odd()
        key = self._string(match)
        if key in inner:
            raise NotJson(say("checkpoint.json.twice", key=printable(key)), place)
        if not self._taken(":"):
            raise self._odd()
        self.way[-1] = key

    def _value(self) -> Any:
        """A number, a text or a word; or _NOTHING, when a container has begun."""
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
            raise NotJson(say("checkpoint.json.deep", most=DEEPEST), self.place)
        self.open.append([] if match["sign"] == "[" else {})
        self.way.append("")
        self.place = match.end()
        return _NOTHING

    def _closed(self) -> Any:
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
            raise NotJson(say("checkpoint.json.surrogate"), self.place) from None
        self.place = match.end()
        return text

    def _number(self, match: re.Match[str]) -> int | float:
        token = match["number"]
        if len(token) > LONGEST:
            raise NotJson(say("checkpoint.json.long", count=counted(len(token))), self.place)
        number = float(token) if match["fraction"] else int(token)
        if isinstance(number, float) and not isfinite(number):
            raise NotJson(say("checkpoint.json.infinite", given=printable(token)), self.place)
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

    def _odd(self) -> NotJson:
        """What stands here cannot; inside a text, the character that spoils it."""
        place = self.place
        if place >= len(self.text):
            return NotJson(say("checkpoint.json.ends"), len(self.text))
        if self.text[place] == '"' and not _TOKEN.match(self.text, place):
            good = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
            match = good.match(self.text, place)
            place = match.end() if match else place
            if place >= len(self.text):
                return NotJson(say("checkpoint.json.ends"), len(self.text))
        return NotJson(say("checkpoint.json.odd", given=printable(self.text[place : place + 12])), place)


_NOTHING: Final = object()  # a container that has just been opened
