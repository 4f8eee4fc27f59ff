"""Formula of a node: one walk over a graph, with writers for MathML, LaTeX and plain words.

A writer is a module of this room, as `ieee` is a module of numbers: it says how a name, a fraction or a
root looks, and nothing here knows which one it is handed.  An op that has a form of its own on paper, such
as a fraction, has a row in FORMS; every other one is written as a function.  Nothing recurses, and what is
long is cut.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, Protocol

from ...language.vocabulary import ATOM, COMPARISON, POWER, PRODUCT, SUM, UNARY
from ...text.numerals import show
from ...text.translation import say
from .. import CONSTANT, INPUT, Graph
from ..wording import name

__all__ = [
    "ELLIPSIS",
    "FORMS",
    "FormulaPiece",
    "FormulaWriter",
    "expression",
    "number",
    "operand",
    "reference",
    "spelled",
]

MOST = 6  # arguments of a long list that are written
OPS_WRITTEN = 24  # of one expression; deeper ones are an ellipsis
ELLIPSIS = "⋯"


class FormulaWriter(Protocol):
    """What it takes to write formulas; all texts that go in and out are markup, but where it says words."""

    def name(self, words: str) -> str: ...
    def number(self, words: str, kind: str) -> str: ...  # kind: data, grad, local, or "" for none of them
    def function(self, words: str) -> str: ...
    def sign(self, words: str) -> str: ...  # + - · = ≠ < ≤ > ≥ , ⋯
    def text(self, words: str) -> str: ...
    def row(self, *parts: str) -> str: ...
    def fenced(self, opening: str, inside: str, closing: str) -> str: ...
    def fraction(self, above: str, below: str) -> str: ...
    def derivative(self, d: str, of: str, by: str) -> str: ...  # d is d or ∂
    def power(self, base: str, exponent: str) -> str: ...
    def lowered(self, base: str, index: str) -> str: ...
    def root(self, inside: str, degree: str) -> str: ...
    def cases(self, rows: Sequence[tuple[str, str]]) -> str: ...  # a value and when it holds
    def lines(self, left: str, rows: Sequence[tuple[str, str]]) -> str: ...  # = and what follows, row by row
    def formula(self, inside: str, words: str) -> str: ...  # the whole; `words` say it to who cannot see it


class FormulaPiece(NamedTuple):
    """Markup, and what a neighbour must know about it."""

    markup: str
    level: int = ATOM  # how tightly it binds
    minus: bool = False  # whether it begins with a minus sign


def operand(w: FormulaWriter, piece: FormulaPiece, least: int = PRODUCT, first: bool = False) -> str:
    """A piece inside another one: in parentheses where it would fall apart there.

    A condition counts as 1 or 0; then it stands in brackets.
    """
    if piece.level == COMPARISON:
        return w.fenced("[", piece.markup, "]")
    if piece.level < least or (piece.minus and not first):
        return w.fenced("(", piece.markup, ")")
    return piece.markup


def number(w: FormulaWriter, x: float, kind: str = "") -> FormulaPiece:
    shown = show(x)
    return FormulaPiece(
        w.number(shown, kind), UNARY if shown.startswith("-") else ATOM, shown.startswith("-")
    )


# ---- the forms ----------------------------------------------------------------------------------

Pieces = Sequence[FormulaPiece]
Form = Callable[
    [FormulaWriter, Pieces, int], FormulaPiece
]  # a writer, the arguments that are shown, and how many there are


def _joined(sign: str, level: int, w: FormulaWriter, pieces: Pieces, _count: int = 0) -> FormulaPiece:
    """a + b + c; what comes first may begin with a minus in a sum, where none is mistaken for another."""
    parts = [operand(w, pieces[0], level, first=level == SUM)]
    for piece in pieces[1:]:
        parts += [w.sign(sign), operand(w, piece, level + 1)]
    alone = len(pieces) == 1
    return pieces[0] if alone else FormulaPiece(w.row(*parts), level, level == SUM and pieces[0].minus)


def _compared(sign: str, w: FormulaWriter, pieces: Pieces, _count: int) -> FormulaPiece:
    left, right = (operand(w, piece, SUM, first=True) for piece in pieces)
    return FormulaPiece(w.row(left, w.sign(sign), right), COMPARISON)


def _called(words: str, w: FormulaWriter, pieces: Pieces, _count: int = 0) -> FormulaPiece:
    parts: list[str] = []
    for piece in pieces:
        parts += [w.sign(","), operand(w, piece, SUM, first=True)]
    return FormulaPiece(w.row(w.function(words), w.fenced("(", w.row(*parts[1:]), ")")), POWER)


def _fraction(w: FormulaWriter, pieces: Pieces, _count: int = 0) -> FormulaPiece:
    above, below = (operand(w, piece, SUM, first=True) for piece in pieces)
    return FormulaPiece(w.fraction(above, below), POWER)


def _power(w: FormulaWriter, pieces: Pieces, _count: int = 0) -> FormulaPiece:
    base, exponent = pieces
    return FormulaPiece(w.power(operand(w, base, ATOM), operand(w, exponent, SUM, first=True)), POWER)


def _negative(w: FormulaWriter, pieces: Pieces, _count: int) -> FormulaPiece:
    return FormulaPiece(w.row(w.sign("-"), operand(w, pieces[0], PRODUCT)), UNARY, True)


def _root(degree: str, w: FormulaWriter, pieces: Pieces, _count: int = 0) -> FormulaPiece:
    inside = operand(w, pieces[0], SUM, first=True)
    return FormulaPiece(w.root(inside, w.number(degree, "") if degree else ""), POWER)


def _logarithm(base: str, w: FormulaWriter, pieces: Pieces, _count: int) -> FormulaPiece:
    log = w.lowered(w.function("log"), w.number(base, ""))
    inside = operand(w, pieces[0], SUM, first=True)
    return FormulaPiece(w.row(log, w.fenced("(", inside, ")")), POWER)


def _cases(w: FormulaWriter, pieces: Pieces, _count: int) -> FormulaPiece:
    condition, taken, otherwise = pieces
    holds = condition.markup
    if condition.level != COMPARISON:
        holds = w.row(operand(w, condition, SUM, first=True), w.sign("≠"), w.number("0", ""))
    rows = [
        (operand(w, taken, SUM, first=True), w.row(w.text(say("notation.if") + " "), holds)),
        (operand(w, otherwise, SUM, first=True), w.text(say("notation.otherwise"))),
    ]
    return FormulaPiece(w.cases(rows), PRODUCT)


def _dotted(w: FormulaWriter, pieces: Pieces, _count: int) -> FormulaPiece:
    half = len(pieces) // 2
    pairs = zip(pieces[:half], pieces[half:], strict=True)
    return _joined(
        "+", SUM, w, [a if _is_ellipsis(w, a) else _joined("·", PRODUCT, w, (a, b)) for a, b in pairs]
    )


def _is_ellipsis(w: FormulaWriter, piece: FormulaPiece) -> bool:
    return piece.markup == w.sign(ELLIPSIS)


def _two(w: FormulaWriter) -> FormulaPiece:
    return number(w, 2.0)


def _one(w: FormulaWriter) -> FormulaPiece:
    return number(w, 1.0)


# fmt: off
# Functions are upright and keep their names; exp stays exp, since e is a usual name of a node.
FORMS: Mapping[str, Form] = MappingProxyType({
    "add":           partial(_joined, "+", SUM),
    "sub":           partial(_joined, "-", SUM),
    "mul":           partial(_joined, "·", PRODUCT),
    "div":           _fraction,
    "pow":           _power,
    "neg":           _negative,
    "abs":           lambda w, xs, n: FormulaPiece(w.fenced("|", operand(w, xs[0], SUM, first=True), "|")),
    "square":        lambda w, xs, n: _power(w, (xs[0], _two(w))),
    "reciprocal":    lambda w, xs, n: _fraction(w, (_one(w), xs[0])),
    "exp2":          lambda w, xs, n: _power(w, (_two(w), xs[0])),
    "expm1":         lambda w, xs, n: _joined("-", SUM, w, (_called("exp", w, xs), _one(w))),
    "log2":          partial(_logarithm, "2"),
    "log10":         partial(_logarithm, "10"),
    "log1p":         lambda w, xs, n: _called("log", w, (_joined("+", SUM, w, (_one(w), xs[0])),)),
    "sqrt":          partial(_root, ""),
    "cbrt":          partial(_root, "3"),
    "hypot":         lambda w, xs, n: _root(
                         "", w, (_joined("+", SUM, w, [_power(w, (x, _two(w))) for x in xs]),)),
    "maximum":       partial(_called, "max"),
    "minimum":       partial(_called, "min"),
    "where":         _cases,
    "greater":       partial(_compared, ">"),
    "greater_equal": partial(_compared, "≥"),
    "less":          partial(_compared, "<"),
    "less_equal":    partial(_compared, "≤"),
    "sum":           partial(_joined, "+", SUM),
    "prod":          partial(_joined, "·", PRODUCT),
    "mean":          lambda w, xs, n: _fraction(w, (_joined("+", SUM, w, xs), number(w, float(n)))),
    "dot":           _dotted,
})
# fmt: on


def formed(w: FormulaWriter, op: str, pieces: Pieces, count: int) -> FormulaPiece:
    """An op around its arguments."""
    form = FORMS.get(op)
    return form(w, pieces, count) if form else _called(op, w, pieces)


# ---- the walk -----------------------------------------------------------------------------------

Leaf = Callable[[int], "FormulaPiece | None"]  # what stands for a node, or None where it is to be spelled out


def spelled(graph: Graph, root: int, w: FormulaWriter, leaf: Leaf) -> FormulaPiece:
    """A node spelled out, and below it whatever `leaf` does not stand for."""
    done: dict[int, FormulaPiece] = {}
    todo = [root]
    while todo:
        i = todo[-1]
        if i not in done:
            piece = leaf(i)
            node = graph.nodes[i]
            shown = _shown(node.op, node.args)
            missing = [] if piece else [arg for arg in shown if arg is not None and arg not in done]
            if missing:
                todo += reversed(missing)
                continue
            cut = FormulaPiece(w.sign(ELLIPSIS))
            done[i] = piece or formed(
                w, node.op, [cut if arg is None else done[arg] for arg in shown], len(node.args)
            )
        todo.pop()
    return done[root]


def _shown(op: str, args: Sequence[int]) -> list[int | None]:
    """The arguments that are written; None for those in between that are not."""
    if op == "dot":
        half = len(args) // 2
        return [*_shown("", args[:half]), *_shown("", args[half:])]
    return [*args] if len(args) <= MOST else [*args[: MOST - 2], None, args[-1]]


def reference(graph: Graph, i: int, w: FormulaWriter) -> FormulaPiece:
    """A node by its name; a constant without one by its number."""
    node = graph.nodes[i]
    if node.op == CONSTANT and not node.label and node.data is not None:
        return number(w, node.data)
    return FormulaPiece(w.name(name(graph, i)))


def expression(graph: Graph, i: int, w: FormulaWriter, inlined: Sequence[bool] | None = None) -> FormulaPiece:
    """How a node is made: one op on its arguments, with those that are `inlined` spelled out."""
    node = graph.nodes[i]
    if not node.args:
        return number(w, node.data or 0.0, "data" if node.op == INPUT else "")
    spelt = {i}
    waiting = deque(node.args)
    while inlined and waiting and len(spelt) < OPS_WRITTEN:
        j = waiting.popleft()
        if inlined[j]:
            spelt.add(j)
            waiting += graph.nodes[j].args

    def leaf(j: int) -> FormulaPiece | None:
        if j in spelt:
            return None
        return FormulaPiece(w.sign(ELLIPSIS)) if inlined and inlined[j] else reference(graph, j, w)

    return spelled(graph, i, w, leaf)
