"""Formulas as MathML Core, for pages: <math> with the elements that every browser draws, and words beside it.

Numbers carry the classes data, grad and local of the colour grammar, and names the class name.  A page
aligns the rows of a sum by `mtd.left { text-align: right }` and `mtd.right { text-align: left }`.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from re import fullmatch

from ...text.escape import visible

__all__ = [
    "cases", "derivative", "fenced", "formula", "fraction", "function", "lines", "lowered", "name",
    "number", "power", "root", "row", "sign", "text",
]  # fmt: skip

_WORDS = {"inf": "∞", "nan": "NaN"}
_MINUS = "−"  # browsers draw a hyphen as a hyphen
_TALL = ("<mfrac", "<mroot", "<mtable")


def _text(words: str) -> str:
    """Text that is text: nothing in it is markup, and what cannot be seen is spelled out."""
    return escape(visible(words))


def name(words: str) -> str:
    """x1 is x with an index; any other name stays in one piece."""
    indexed = fullmatch(r"([^\W\d_]+)([0-9]{1,4})", words)
    if indexed:
        return lowered(name(indexed[1]), f"<mn>{indexed[2]}</mn>")
    kind = "name" if len(words) == 1 else "name long"  # one letter is slanted by itself
    return f'<mi class="{kind}">{_text(words)}</mi>'


def number(words: str, kind: str) -> str:
    kind = f' class="{kind}"' if kind else ""
    if words.startswith("-"):
        return f"<mrow{kind}>{sign('-')}{number(words[1:], '')}</mrow>"
    if words in _WORDS:
        return f"<mi{kind}>{_WORDS[words]}</mi>"
    return f"<mn{kind}>{_text(words)}</mn>"


def function(words: str) -> str:
    return f'<mi mathvariant="normal">{_text(words)}</mi>'


def sign(words: str) -> str:
    return f"<mo>{_MINUS if words == '-' else _text(words)}</mo>"


def text(words: str) -> str:
    return f"<mtext>{_text(words)}</mtext>".replace(" ", "\u00a0")  # at the ends, spaces would be dropped


def row(*parts: str) -> str:
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def fenced(opening: str, inside: str, closing: str) -> str:
    tall = any(tag in inside for tag in _TALL)
    return f"<mrow>{_fence(opening, 'prefix', tall)}{inside}{_fence(closing, 'postfix', tall)}</mrow>"


def _fence(words: str, form: str, tall: bool) -> str:
    """A fence stretches only around what is tall: browsers leave odd gaps around the ones that do."""
    return f'<mo form="{form}" stretchy="{"true" if tall else "false"}">{_text(words)}</mo>'


def fraction(above: str, below: str) -> str:
    return f"<mfrac>{above}{below}</mfrac>"


def derivative(d: str, of: str, by: str) -> str:
    return fraction(row(function(d), of), row(function(d), by))


def power(base: str, exponent: str) -> str:
    return f"<msup>{base}{exponent}</msup>"


def lowered(base: str, index: str) -> str:
    return f"<msub>{base}{index}</msub>"


def root(inside: str, degree: str) -> str:
    return f"<mroot>{row(inside)}{degree}</mroot>" if degree else f"<msqrt>{inside}</msqrt>"


def cases(rows: Sequence[tuple[str, str]]) -> str:
    table = "".join(
        f'<mtr><mtd class="right">{value}</mtd><mtd class="right">{condition}</mtd></mtr>'
        for value, condition in rows
    )
    return f"<mrow>{_fence('{', 'prefix', True)}<mtable>{table}</mtable></mrow>"


def lines(left: str, rows: Sequence[tuple[str, str]]) -> str:
    table = "".join(
        f'<mtr><mtd class="left">{"" if at else left}</mtd><mtd>{relation}</mtd>'
        f'<mtd class="right">{right}</mtd></mtr>'
        for at, (relation, right) in enumerate(rows)
    )
    return f'<mtable displaystyle="true">{table}</mtable>'


def formula(inside: str, words: str) -> str:
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML" alttext="{_text(words)}">{inside}</math>'
