"""Printed numbers: how far the exact number may be from the digits that somebody printed.

`-0.3333` may stand for -1/3, and `1.0` beside it for 1.00002, because both were printed by the same
statement; `1` among whole numbers is 1.  A number that has all its digits is taken at its word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, inf, isfinite, isnan, log10

from .excerpts import describe
from .translation import say

__all__ = ["PrintedNumber", "readings"]

WHOLE = 1e-9  # relative; roundings in another order make no more
CLOSE = 5e-6  # relative; what six digits leave open
FEW = 3  # digits: so few are typed by hand more often than rounded


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """One number as it was read."""

    name: str
    value: float
    close: float  # how far off the truth may be if the number is meant as it stands
    printed: float  # and if it was rounded when it was printed

    def fits(self, x: float, rounded: bool) -> bool:
        if isnan(self.value) or isnan(x):
            return isnan(self.value) and isnan(x)
        if not isfinite(self.value) or not isfinite(x):
            return self.value == x
        return abs(x - self.value) <= (self.printed if rounded else self.close)

    def miss(self, x: float) -> float:
        """How far off x is, from 0 to 1."""
        if self.fits(x, True):
            return 0.0
        gap = abs(x - self.value)
        return gap / (gap + abs(self.value) + abs(x)) if isfinite(gap) else 1.0


@dataclass(frozen=True, slots=True)
class _Digits:
    """A decimal numeral: its significant digits, its decimals, the exponent of its last place."""

    significant: int
    decimals: int
    last: int
    scientific: bool


def _digits(text: str) -> _Digits:
    mantissa, _, power = text.lower().lstrip("+-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    if not power and fraction == "0":
        fraction = ""  # 1.0 is how Python prints 1
    significant = len((whole + fraction).lstrip("0"))
    last = int(power or 0) - len(fraction)
    if not fraction and len(whole.rstrip("0")) >= 5:  # 35544400 may be six digits of a larger number
        last += len(whole) - len(whole.rstrip("0"))
        significant = len(whole.rstrip("0"))
    return _Digits(significant, len(fraction), last, bool(power))


def readings(
    observed: Mapping[str, float | str], noise: Mapping[str, float] | None = None, scale: float = 1.0
) -> tuple[list[PrintedNumber], bool]:
    """What was observed, and whether it has so few digits that it was probably typed by hand.

    `noise` is what roundings alone can do to each number; `scale` is how large the right ones are.
    """
    texts = {name: _text(name, given) for name, given in observed.items()}
    digits = {name: _digits(text) for name, text in texts.items() if isfinite(float(text))}
    most = max((d.significant for d in digits.values()), default=0)
    decimals = max((d.decimals for d in digits.values() if not d.scientific), default=0)
    found = []
    for name, text in texts.items():
        value = float(text)
        if name not in digits:
            found.append(PrintedNumber(name, value, 0.0, 0.0))
            continue
        close = abs(value) * (WHOLE if most >= 10 else CLOSE)
        if value == 0.0 and most < 10:
            close = 0.5 * CLOSE * min(1.0, scale)
        close = max(close, (noise or {}).get(name, 0.0))
        half = _half_unit(digits[name], value, most, decimals)
        found.append(PrintedNumber(name, value, close, max(close, half)))
    return found, max(most, decimals) <= FEW


def _half_unit(mine: _Digits, value: float, most: int, decimals: int) -> float:
    """Half of the last place that was printed, zeros at the end included."""
    if most >= 15 or (decimals == 0 and not mine.scientific and mine.significant < 6):
        return 0.0
    if mine.scientific and mine.significant < 3:
        return 0.0  # 1e3 is 1000
    if mine.scientific or mine.significant >= most - 1 or mine.decimals >= decimals - 1 > 0:
        return 0.5 * 10.0**mine.last
    by_digits = -inf if value == 0.0 else floor(log10(abs(value))) - most + 1
    return 0.5 * 10.0 ** max(-decimals, by_digits)


def _text(name: str, given: object) -> str:
    """A number as text; a float's own text has all the digits that it needs."""
    text = given.strip() if isinstance(given, str) else given
    if isinstance(text, (int, float)) and not isinstance(text, bool):
        text = repr(float(text)) if isinstance(text, float) else str(text)
    try:
        float(str(text))
    except ValueError:
        text = None
    if not isinstance(text, str) or "_" in text:
        shown = ascii(given) if isinstance(given, str) else describe(given)
        raise ValueError(say("printed.number", name=name, given=shown))
    return text
