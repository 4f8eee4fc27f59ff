"""Numbers as learners type them: 4, -12.0, 1/3, .5, 10 - 6, and 4,5 with a decimal comma.

A plain numeral is judged by the digits that it has: 0.333 stands for 1/3, and 4.001 does not stand for 4.
Anything else is worked out in our language, and must hit.  What cannot be read is told with what to write
instead, and is no try.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from re import escape, fullmatch

from ...errors import MinigradError
from ...language import decimal_point, number
from ...text.numerals import show
from ...text.printed_numbers import readings
from ...text.translation import say
from .question_text import as_code

__all__ = ["TypedNumber", "UnreadableError", "number_text", "read_number", "read_numbers"]

LONGEST = 200  # characters of one number
CLOSE = 1e-9  # relative; of what was worked out
FEWEST = 3  # digits of a number that was rounded
_PLAIN = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}  # the wide signs of East Asian keyboards
_PLAIN |= dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212), ord("-"))  # the minus of a word processor


class UnreadableError(MinigradError, ValueError):
    """What was typed is no answer; the sentences say why, and what to write."""


@dataclass(frozen=True, slots=True)
class TypedNumber:
    """One number that was typed."""

    name: str
    value: float
    digits: str = ""  # the numeral, for what has its digits; "" for what was worked out
    note: str = ""  # how it was read, where that needs saying

    @property
    def observed(self) -> float | str:
        """As forensics wants it."""
        return self.digits or self.value

    def means(self, truth: float) -> bool:
        """Is it that number, as far as its digits go?  UnreadableError where they are too few to tell."""
        if not self.digits:
            return abs(self.value - truth) <= CLOSE * max(abs(self.value), abs(truth))
        reading = readings({self.name: self.digits}, scale=abs(truth) or 1.0)[0][0]
        if reading.fits(truth, rounded=False):
            return True
        if not reading.fits(truth, rounded=True):
            return False
        if _significant(self.digits) < FEWEST:
            raise UnreadableError(say("question.typed.digits", name=self.name, given=as_code(self.digits)))
        return True


def number_text(x: float) -> str:
    """A number as it would be typed, with all the digits that it needs."""
    return show(x) if float(show(x)) == x else show(x, 12) if float(show(x, 12)) == x else repr(x)


def read_number(name: str, text: str) -> TypedNumber:
    """The number in a text; UnreadableError for what is none."""
    given = text.strip()
    if len(given) > LONGEST:
        raise UnreadableError(say("question.typed.long", name=name))
    plain = given.translate(_PLAIN).removesuffix(".")
    bare = fullmatch(rf"(?:{escape(name)}(?:\.grad|\.data)?\s*[=:]|=)\s*(.+)", plain)
    plain = bare[1] if bare else plain
    if not plain:
        raise UnreadableError(say("question.typed.missing", name=name))
    note = ""
    if fullmatch(r"[+-]?[1-9]\d{0,2},\d{3}", plain):
        ways = {"many": plain.replace(",", ""), "few": plain.replace(",", ".")}
        raise UnreadableError(say("question.typed.thousand", given=plain, **ways))
    pointed = decimal_point(plain)
    if pointed != plain:
        note = say("question.typed.comma", given=plain, read=pointed)
        plain = pointed
    if fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", plain.lower()) and plain.isascii():
        value = float(plain)
        if isfinite(value):
            return TypedNumber(name, value, plain, note)
    return TypedNumber(name, _worked_out(name, given, plain), "", note)


def _worked_out(name: str, given: str, text: str) -> float:
    value = number(text)
    if value is None or not isfinite(value):
        raise UnreadableError(say("question.typed.number", name=name, given=as_code(given)))
    return value


def read_numbers(answer: Mapping[str, str], blanks: Iterable[str]) -> dict[str, TypedNumber]:
    """Every blank of a question; UnreadableError with all that is missing or no number."""
    found, problems = {}, []
    for name in blanks:
        try:
            found[name] = read_number(name, answer.get(name, ""))
        except UnreadableError as error:
            problems.append(str(error))
    if problems:
        raise UnreadableError("\n".join(problems))
    return found


def _significant(digits: str) -> int:
    mantissa = digits.lower().partition("e")[0].lstrip("+-")
    return len(mantissa.replace(".", "").lstrip("0"))
