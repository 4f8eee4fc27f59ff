"""Texts to train on: our file of names, any text file by its lines, and a vocabulary of characters."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable, Sequence
from functools import cache
from os import PathLike
from pathlib import Path

from ..text.escape import visible
from ..text.excerpts import cut, describe
from ..text.numerals import counted
from ..text.translation import say

__all__ = ["LARGEST", "Vocabulary", "documents", "names"]

LARGEST = 64_000_000  # bytes
_BREAK = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")  # all but the tab and what breaks a line


def names() -> list[str]:
    """Given names in common use, sorted, in lowercase letters from a to z.

    They were written down for this project from general knowledge, by language and region, with accents
    dropped; a name is a fact and nobody's property.
    """
    return list(_names())


@cache
def _names() -> tuple[str, ...]:
    return tuple(Path(__file__).with_name("names.txt").read_text(encoding="ascii").split())


def documents(path: str | PathLike[str]) -> list[str]:
    """The lines of a text file in UTF-8, without the blanks around them and without the empty ones."""
    file = Path(path)
    shown = cut(visible(str(path)), 200)
    if "\0" in str(path):  # no file has such a name, and the system would not say so in words
        raise ValueError(say("data.missing", path=shown))
    raw = _bytes(file, shown)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        byte, offset = f"0x{raw[error.start]:02x}", counted(error.start)
        raise ValueError(say("data.encoding", path=shown, byte=byte, offset=offset)) from None
    if found := _CONTROL.search(text):
        offset = counted(len(text[: found.start()].encode("utf-8")))
        raise ValueError(say("data.control", path=shown, character=ascii(found[0]), offset=offset))
    kept = [line for part in _BREAK.split(text.removeprefix("\ufeff")) if (line := part.strip())]
    if not kept:
        raise ValueError(say("data.empty", path=shown))
    return kept


def _bytes(file: Path, shown: str) -> bytes:
    try:
        mode = file.stat().st_mode
        if stat.S_ISDIR(mode):
            raise ValueError(say("data.folder", path=shown))
        if not stat.S_ISREG(mode):  # a pipe would wait for ever, and /dev/zero never ends
            raise ValueError(say("data.special", path=shown))
        with file.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise ValueError(say("data.missing", path=shown)) from None
    except OSError as error:
        raise ValueError(say("data.unreadable", path=shown, reason=error.strerror or str(error))) from None
    if len(raw) > LARGEST:
        raise ValueError(say("data.large", path=shown, most=counted(LARGEST // 1_000_000)))
    return raw


class Vocabulary:
    """The characters of some documents, sorted, as tokens from 0, and one more token for a boundary.

    `encode` puts the boundary before and after a text, `decode` leaves it out again.
    """

    def __init__(self, documents: Iterable[str]) -> None:
        found: set[str] = set()
        for document in documents:
            if not isinstance(document, str):
                raise TypeError(say("vocabulary.document", given=describe(document)))
            found.update(document)
        if not found:
            raise ValueError(say("vocabulary.empty"))
        self.characters = "".join(sorted(found))
        self.boundary = len(self.characters)
        self._tokens = {character: token for token, character in enumerate(self.characters)}

    def __len__(self) -> int:
        return self.boundary + 1

    def encode(self, text: str) -> list[int]:
        if not isinstance(text, str):
            raise TypeError(say("vocabulary.document", given=describe(text)))
        try:
            return [self.boundary, *(self._tokens[character] for character in text), self.boundary]
        except KeyError as error:
            known = visible(cut(self.characters, 60))
            raise ValueError(say("vocabulary.character", given=repr(error.args[0]), known=known)) from None

    def decode(self, tokens: Sequence[int]) -> str:
        characters = []
        for token in tokens:
            if not isinstance(token, int) or isinstance(token, bool) or not 0 <= token <= self.boundary:
                raise ValueError(say("vocabulary.token", given=describe(token), last=self.boundary))
            if token != self.boundary:
                characters.append(self.characters[token])
        return "".join(characters)

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} tokens: {visible(self.characters[:60])!r} and a boundary)"
