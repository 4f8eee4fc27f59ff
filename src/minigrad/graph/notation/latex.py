"""Formulas as LaTeX for pdflatex with amsmath, and any text as text in it.

No character of a name can act: what TeX would read is written by a command for its glyph, and what its
usual fonts lack by the number that Unicode gives it.  Numbers carry the colours data, grad and local,
which PREAMBLE defines.
"""

from __future__ import annotations

from collections.abc import Sequence
from re import fullmatch, sub

__all__ = [
    "PREAMBLE", "cases", "derivative", "fenced", "formula", "fraction", "function", "lines", "lowered",
    "name", "number", "power", "root", "row", "sign", "text", "words_of",
]  # fmt: skip

PREAMBLE = r"""\usepackage[T1]{fontenc}
\usepackage{textcomp}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\usepackage{amsmath}
\usepackage{xcolor}
\definecolor{data}{HTML}{0550AE}
\definecolor{grad}{HTML}{B45309}
\definecolor{local}{HTML}{0F766E}"""

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi",
    "ρ": "rho", "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega",
    "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma",
    "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
_GLYPHS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}", "[": "{[}", "]": "{]}", "*": "{*}", "\u00a0": "~",
    "∂": r"\ensuremath{\partial}", "·": r"\ensuremath{\cdot}", "×": r"\ensuremath{\times}",
    "≠": r"\ensuremath{\neq}",
}  # fmt: skip
_LETTERS = "¡¿«»ºª"  # beyond ASCII and the letters of Latin-1, what sentences of the catalogue are made of
_SIGNS = {
    "·": r"\cdot", "≤": r"\leq", "≥": r"\geq", "≠": r"\neq", "⋯": r"\cdots", "<": "<", ">": ">",
    "+": "+", "-": "-", "=": "=", ",": ",", "∂": r"\partial",
}  # fmt: skip
_FUNCTIONS = {
    "arccos", "arcsin", "arctan", "cos", "cosh", "exp", "log", "max", "min", "sin", "sinh", "tan", "tanh",
}  # fmt: skip


def words_of(words: str) -> str:
    """Any text, as text outside of formulas."""
    escaped = "".join(_glyph(c) for c in words)
    return sub(r"([-,])(?=\1)", r"\1{}", escaped)  # two hyphens would become a dash


def _glyph(c: str) -> str:
    if c in _GLYPHS:
        return _GLYPHS[c]
    if c in _GREEK:
        return rf"\ensuremath{{\{_GREEK[c]}}}"
    if " " <= c <= "~" or "\xc0" <= c <= "\xff" or c in _LETTERS:
        return c
    return words_of(ascii(c)[1:-1]) if not c.isprintable() else rf"\texttt{{U+{ord(c):04X}}}"


def name(words: str) -> str:
    """x1 is x with an index; any other name stays in one piece."""
    indexed = fullmatch(r"([A-Za-z]+|[α-ωΑ-Ω])([0-9]{1,4})", words)
    if indexed:
        return lowered(name(indexed[1]), indexed[2])
    if fullmatch("[A-Za-z]", words):
        return words
    if words in _GREEK:
        return rf"{{\{_GREEK[words]}}}"
    return rf"\mathit{{{words}}}" if fullmatch("[A-Za-z]+", words) else rf"\textit{{{words_of(words)}}}"


def number(words: str, kind: str) -> str:
    shown = words.replace("inf", r"\infty").replace("nan", r"\mathrm{NaN}")
    shown = sub(r"e([+-]?\d+)$", r"\\mathrm{e}{\1}", shown)
    return rf"\textcolor{{{kind}}}{{{shown}}}" if kind else shown


def function(words: str) -> str:
    return rf"\{words}" if words in _FUNCTIONS else rf"\operatorname{{{words_of(words)}}}"


def sign(words: str) -> str:
    return f" {_SIGNS[words]} "


def text(words: str) -> str:
    return rf"\text{{{words_of(words)}}}"


def row(*parts: str) -> str:
    return "".join(parts)


def fenced(opening: str, inside: str, closing: str) -> str:
    return rf"\left{opening} {inside} \right{closing}"


def fraction(above: str, below: str) -> str:
    return rf"\frac{{{above}}}{{{below}}}"


def derivative(d: str, of: str, by: str) -> str:
    letter = _SIGNS.get(d, d)
    return fraction(f"{letter} {of}", f"{letter} {by}")


def power(base: str, exponent: str) -> str:
    return f"{{{base}}}^{{{exponent}}}"


def lowered(base: str, index: str) -> str:
    return f"{base}_{{{index}}}"


def root(inside: str, degree: str) -> str:
    return rf"\sqrt[{degree}]{{{inside}}}" if degree else rf"\sqrt{{{inside}}}"


def cases(rows: Sequence[tuple[str, str]]) -> str:
    table = r" \\ ".join(f"{value} & {condition}" for value, condition in rows)
    return rf"\begin{{cases}} {table} \end{{cases}}"


def lines(left: str, rows: Sequence[tuple[str, str]]) -> str:
    table = " \\\\\n".join(
        f"{'' if at else left} &{relation}{right}" for at, (relation, right) in enumerate(rows)
    )
    return f"\\begin{{aligned}}\n{table}\n\\end{{aligned}}"


def formula(inside: str, words: str) -> str:
    return rf"\({inside}\)"
