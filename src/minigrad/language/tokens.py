"""Tokens of the language, and the error that points at one of them.

`TOKEN.finditer(text)` cuts any text into tokens without losing a character: what is not
a word of the language becomes a STRANGE token, and `strange` says what to write instead.
The kind of a token is its match's `lastindex`; `start` is where it begins, and `refusal`
makes the error for a place in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..errors import MinigradError
from ..text.excerpts import cut
from ..text.translation import say

__all__ = ["TOKEN", "LanguageError", "brief", "is_name", "position", "refusal", "start", "strange"]

# The kinds of token.  A name comes together with what follows it, because that decides what
# it is: a function, the target of a statement, or the target of a statement of one number.
NUMBER, NAME, CALL, TARGET, INPUT_TARGET, OPERATOR, BREAK, STRANGE = range(1, 9)

# Every repetition is possessive: no text can make the search go back, so it takes linear time.
_NUMBER = r"(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][-+]?+[0-9]++)?+"
_NAME = r"[A-Za-z_][A-Za-z0-9_]*+"
TOKEN = re.compile(
    rf"""
    [ \t]*+ (?: \# [^\r\n]*+ )?+
    (?: ({_NUMBER})
      | ({_NAME})
        (?: [ \t]*+ (?: (\()
                      | (=) (?![=<>])
                        (?: [ \t]*+ ([-+]?+ [ \t]*+ (?: {_NUMBER} | (?:inf|nan) (?![A-Za-z0-9_]) ))
                            (?= [ \t]*+ (?: [;\r\n\#] | \Z )) )?+ ) )?+
      | (?! ==|=<|=>|<>|<<|>>|// ) (\*\*|<=|>=|[-+*/<>(),=\u00b7\u22c5\u00d7])
      | (\r\n|[;\r\n]|\Z)
      | (==|=<|=>|<>|<<|>>|//|!=|:=|[\s\S])
    )
    """,
    re.VERBOSE,
)
_LINE_END = re.compile(r"\r\n|\r|\n")


def start(token: re.Match[str]) -> int:
    """Where a token begins, after the spaces and comments before it."""
    kind = token.lastindex or 0
    return token.start(NAME if NAME <= kind <= INPUT_TARGET else kind)


def is_name(text: str) -> bool:
    """Whether the grammar reads all of `text` as one name; it may still be a reserved one."""
    return re.fullmatch(_NAME, text) is not None


# ---- the error --------------------------------------------------------------------------

WIDTH = 70  # how much of a long line an error shows
_MARGIN = "    "


class LanguageError(MinigradError, ValueError):
    """A text that says nothing: where, why, and what to write instead.

    `excerpt` is the offending line with a caret under the column.  It is empty for an
    error that no place in the text stands for; line and column are then both 1.
    """

    def __init__(self, reason: str, hint: str, line: int = 1, column: int = 1, excerpt: str = "") -> None:
        super().__init__(reason, hint, line, column, excerpt)
        self.reason, self.hint = reason, hint
        self.line, self.column, self.excerpt = line, column, excerpt
        # Put together now, so that the whole message is in the language that the reason is in.
        self._message = (
            f"{say('grammar.where', line=line, column=column)}: {reason}\n{excerpt}\n{hint}"
            if excerpt
            else f"{reason}; {hint}"
        )

    def __str__(self) -> str:
        return self._message


def refusal(text: str, offset: int, key: str, *, advice: str = "", **fields: object) -> LanguageError:
    """The error `key` of the catalogue at a place in the text; `advice` replaces its usual hint."""
    hint = say(f"grammar.{advice or key}.hint", **fields)
    return LanguageError(
        say(f"grammar.{key}", **fields), hint, *position(text, offset), _excerpt(text, offset)
    )


def position(text: str, offset: int) -> tuple[int, int]:
    """Line and column of a place in the text, counted from 1."""
    ends = text.count("\n", 0, offset) + text.count("\r", 0, offset) - text.count("\r\n", 0, offset)
    return 1 + ends, offset - _line_start(text, offset) + 1


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _excerpt(text: str, offset: int) -> str:
    first = _line_start(text, offset)
    line_end = _LINE_END.search(text, offset)
    last = line_end.start() if line_end else len(text)
    left = [_escaped(character) for character in text[max(first, offset - WIDTH) : offset]]
    right = [_escaped(character) for character in text[offset : min(last, offset + WIDTH)]]
    if last - first > WIDTH or sum(map(len, left + right)) > WIDTH:
        left, right = _nearest(reversed(left))[::-1], _nearest(right)
    before = "".join(left) if offset - len(left) == first else "..." + "".join(left)
    after = "".join(right) if offset + len(right) == last else "".join(right) + "..."
    return f"{_MARGIN}{before}{after}\n{_MARGIN}{' ' * len(before)}^"


def _nearest(pieces: Iterable[str]) -> list[str]:
    """As many pieces as fit into half the width: an escaped character is kept or left out whole."""
    near, width = [], 0
    for piece in pieces:
        width += len(piece)
        if width > WIDTH // 2:
            break
        near.append(piece)
    return near


def _escaped(character: str) -> str:
    """A character as printable ASCII."""
    return character if " " <= character <= "~" else character.encode("unicode_escape").decode("ascii")


def brief(text: str, width: int = 40) -> str:
    """A piece of what was written, short and printable enough to stand in a sentence."""
    return cut("".join(map(_escaped, text[: width + 1])), width)


# ---- characters that are not in the language --------------------------------------------

_INSTEAD = {
    "^": "**",
    "//": "/",
    "=<": "<=",
    "=>": ">=",
    "[": "(",
    "{": "(",
    "]": ")",
    "}": ")",
    ":=": "=",
    ":": "=",
    "|": "abs(...)",
    "\u00f7": "/",  # division sign
    "\u2044": "/",  # fraction slash
    "\u2215": "/",  # division slash
    "\u2217": "*",  # asterisk operator
    "\u2219": "*",  # bullet operator
    "\u2022": "*",  # bullet
    "\u2264": "<=",
    "\u2265": ">=",
    "\u221a": "sqrt(...)",
    "\u221e": "inf",
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),  # typographic dashes, minus sign
}
# The Cyrillic letters, and the Greek one, that no font tells from a Latin letter.
_LOOK_ALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u03bf"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425",
    "aeopcyxijsdoABEKMHOPCTX",
)


def strange(text: str, token: re.Match[str]) -> LanguageError:
    """The error for a token that is not in the language, with the closest thing that is."""
    what, offset = token[STRANGE], token.start(STRANGE)
    if what in _INSTEAD:
        kind, instead = "instead", _INSTEAD[what]
    elif what in ("==", "!=", "<>", "!"):
        kind, instead = "equality", ""
    elif what == ".":
        kind, instead = "point", ""
    elif what in "\u2018\u2019\u201c\u201d\u00ab\u00bb\"'":
        kind, instead = "quotes", ""
    else:
        kind, instead = ("other", "") if what.isascii() else _plain(what)
    shown = _escaped(what)
    if not what.isascii():
        from unicodedata import name

        shown += f" ({name(what)})" if name(what, "") else ""
    return refusal(text, offset, "strange", advice=f"strange.{kind}", shown=shown, instead=instead)


def _plain(character: str) -> tuple[str, str]:
    """Which advice to give for a character beyond ASCII, and what to write in its place."""
    from unicodedata import combining, digit, name, normalize

    title = name(character, "")
    if digit(character, None) is not None:
        power = "**" if title.startswith("SUPERSCRIPT") else ""
        return "instead", f"{power}{digit(character)}"
    parts = normalize("NFKD", character.translate(_LOOK_ALIKES))
    plain = "".join(part for part in parts if not combining(part))
    greek = re.match(r"GREEK (?:SMALL|CAPITAL) LETTER (?:FINAL )?(\w+)", title)
    if is_name(plain):
        return "letter", plain
    if greek:
        return "letter", greek[1].lower()
    if plain == " ":
        return "space", ""
    return ("instead", plain) if len(plain) == 1 and plain in "+-*/<>=(),;#" else ("other", "")
