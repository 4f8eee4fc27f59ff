"""Faults of the numbers: formulas that overflow or round, and values that are another function's.

Where the rule follows the wrong value, an engine agrees with the finite differences of its own
forward pass; only a value that was computed elsewhere shows that something is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite, log
from struct import pack, unpack

from ...graph import Graph
from ...graph.trace import Pieces, Walk
from ...ops import OPS
from ...values import ieee
from ..fault import ALONE, Change, Fault
from .row_builders import Formula, evaluated, forward_change, having, local_change, rule, with_rule

__all__ = ["ROWS"]


# ---- how a row is made ----------------------------------------------------------------------------


def _function(
    slug: str,
    op: str,
    smallest: str,
    value: Callable[..., float],
    value_text: str,
    formula: Formula,
    text: str,
    name: tuple[str, str],
    story: tuple[str, str],
    case: str = "",
    seen: int | None = None,
    family: str = "forward",
) -> Fault:
    """One op computes something else, and has the rule that its engine then has.

    A text that is "" leaves the line of the specimen as it is: the rule reads the wrong value there.
    """

    def swap(pieces: Pieces, _what: object) -> Pieces:
        def forward(graph: Graph, inputs: Mapping[str, float]) -> Sequence[float]:
            return evaluated(graph, inputs, {op: value})

        return with_rule(pieces, op, formula)._replace(forward=forward)

    changes: tuple[Change, ...] = (forward_change(op, value_text),)
    if text:
        changes += (local_change(op, text),)
    if seen is None:
        seen = 7 if family == "forward" else 0  # as they were counted, together
    return Fault(
        slug, family, name, story, swap, smallest, changes, case=case, seen=seen, variants=having(op)
    )


def _tanh_by_exp(x: float) -> float:
    e = ieee.exp(2.0 * x)
    return ieee.div(e - 1.0, e + 1.0)


def _sigmoid_by_exp(x: float) -> float:
    e = ieee.exp(x)
    return ieee.div(e, 1.0 + e)


def _log_sum_exp(*xs: float) -> float:
    return ieee.log(ieee.fsum(*map(ieee.exp, xs)))


def _floor_div(x: float, y: float) -> float:
    return x // y if y else ieee.div(x, y)


def _single(x: float) -> float:
    """The float32 that is nearest to x; of what is too large, an infinity."""
    return float(unpack("f", pack("f", x))[0])


def _rounded(op: str) -> Callable[..., float]:
    return lambda *xs: _single(OPS[op].forward(ieee, *xs))


_ROUNDED = {op: _rounded(op) for op in OPS}


def _float32(pieces: Pieces, _what: object) -> Pieces:
    def forward(graph: Graph, inputs: Mapping[str, float]) -> Sequence[float]:
        return evaluated(graph, inputs, _ROUNDED, _single)

    def rounded(walk: Walk, node: int) -> Sequence[float | None]:
        return [None if local is None else _single(local) for local in pieces.rule(walk, node)]

    def message(walk: Walk, source: int, slot: int, local: float, upstream: float) -> float:
        return _single(pieces.message(walk, source, slot, local, upstream))

    def accumulate(walk: Walk, source: int, slot: int, target: int, amount: float) -> float:
        return _single(pieces.accumulate(walk, source, slot, target, amount))

    return pieces._replace(forward=forward, rule=rounded, message=message, accumulate=accumulate)


def _whole(x: float) -> float:
    return float(int(x)) if isfinite(x) else x


def _integers(pieces: Pieces, _what: object) -> Pieces:
    return pieces._replace(forward=lambda graph, inputs: evaluated(graph, inputs, {}, _whole))


def _has_fractions(graph: Graph) -> Sequence[str]:
    """Is there a leaf that is not a whole number?"""
    cut = any(node.data is not None and node.data != _whole(node.data) for node in graph.nodes)
    return ALONE if cut else ()


# ---- the rows -------------------------------------------------------------------------------------

_DATA = "        self.data = data\n"
_SINGLE = '\n\ndef single(x):\n    return struct.unpack("f", struct.pack("f", x))[0]\n'

ROWS: tuple[Fault, ...] = (
    _function(
        "tanh-overflow",
        "tanh",
        "a = 400; tanh(a)",
        _tanh_by_exp,
        "(exp(2 * a) - 1) / (exp(2 * a) + 1)",
        lambda y, a: (1.0 - y * y,),
        "",
        ("tanh by exp overflows", "tanh con exp se desborda"),
        (
            "(e**2a - 1) / (e**2a + 1) is inf / inf for a large a: not a number, where tanh is just 1",
            "(e**2a - 1) / (e**2a + 1) es inf / inf si a es grande: no es un número, cuando tanh es 1",
        ),
        case="karpathy/micrograd#74",
        family="numeric",
    ),
    _function(
        "sigmoid-overflow",
        "sigmoid",
        "a = 800; sigmoid(a)",
        _sigmoid_by_exp,
        "exp(a) / (1 + exp(a))",
        lambda y, a: (y * (1.0 - y),),
        "",
        ("sigmoid by exp overflows", "sigmoid con exp se desborda"),
        (
            "exp(a) / (1 + exp(a)) is inf / inf for a large a, where sigmoid is just 1",
            "exp(a) / (1 + exp(a)) es inf / inf si a es grande, cuando sigmoid es 1",
        ),
        family="numeric",
    ),
    _function(
        "softplus-overflow",
        "softplus",
        "a = 800; softplus(a)",
        lambda a: ieee.log(1.0 + ieee.exp(a)),
        "math.log(1 + exp(a))",
        lambda y, a: (_sigmoid_by_exp(a),),
        "(exp(a) / (1 + exp(a)),)",
        ("softplus by exp overflows", "softplus con exp se desborda"),
        (
            "log(1 + exp(a)) is inf for a large a, where softplus is just a; its slope is inf / inf",
            "log(1 + exp(a)) es inf si a es grande, cuando softplus es a; su pendiente es inf / inf",
        ),
        family="numeric",
    ),
    _function(
        "logsumexp-overflow",
        "logsumexp",
        "a = 800; b = 2; logsumexp(a, b)",
        _log_sum_exp,
        "math.log(sum(exp(x) for x in xs))",
        lambda y, *xs: [ieee.exp(x - y) for x in xs],
        "",
        ("logsumexp without the shift overflows", "logsumexp sin el desplazamiento se desborda"),
        (
            "the largest term was not taken out first: exp overflows, and every share comes out as 0",
            "no se sacó antes el término mayor: exp se desborda, y cada parte resulta 0",
        ),
        family="numeric",
    ),
    rule(
        "expm1-from-output",
        "expm1",
        "a = -40; expm1(a)",
        lambda y, a: (y + 1.0,),
        "(y + 1,)",
        ("expm1's slope from its output", "la pendiente de expm1 a partir de su salida"),
        (
            "y + 1 is exp(a) on paper; in floats y has rounded to -1 by then, and the gradient is 0",
            "y + 1 es exp(a) en el papel; en coma flotante y ya se redondeó a -1, y el gradiente es 0",
        ),
        case="jax-ml/jax#39794",
        family="numeric",
    ),
    Fault(
        "integer-truncation",
        "numeric",
        ("inputs are stored as integers", "las entradas se guardan como enteros"),
        (
            "what stands after the decimal point is cut off: 2.5 counts as 2 from the start",
            "se corta lo que va tras el punto decimal: 2.5 cuenta como 2 desde el principio",
        ),
        _integers,
        "a = 2.5; a*a",
        ((_DATA, "        self.data = data if operands else float(int(data))\n"),),
        variants=_has_fractions,
    ),
    _function(
        "floor-division",
        "div",
        "a = 7; b = 2; c = a/b; c*c",
        _floor_div,
        "a // b",
        lambda y, a, b: (ieee.inverse(b), -ieee.div(a, b * b)),
        "",
        ("// in place of /", "// en lugar de /"),
        (
            "the quotient is rounded down, and all that is computed from it belongs to another point",
            "el cociente se redondea hacia abajo, y todo lo que se calcula con él es de otro punto",
        ),
        family="numeric",
    ),
    Fault(
        "float32",
        "numeric",
        ("everything is a float32", "todo es float32"),
        (
            "each number keeps 24 bits, so gradients are right to seven digits and not to sixteen",
            "cada número conserva 24 bits: los gradientes son correctos en siete cifras, no en dieciséis",
        ),
        _float32,
        "a = 0.1; b = 3; a*b",
        (
            ("import math\n", "import math\nimport struct\n" + _SINGLE),
            (_DATA, "        self.data = single(data)\n"),
            (
                "        amount = local[slot] * upstream\n        child.grad += amount\n",
                "        amount = single(single(local[slot]) * upstream)\n"
                "        child.grad = single(child.grad + amount)\n",
            ),
        ),
        seen=1,
        ordered=True,
    ),
    # ---- another function's value -----------------------------------------------------------------
    _function(
        "tanh-is-sigmoid",
        "tanh",
        "a = 1; tanh(a)",
        lambda a: ieee.div(1.0, 1.0 + ieee.exp(-a)),
        "sigmoid(a)",
        lambda y, a: (y * (1.0 - y),),
        "(y * (1 - y),)",
        ("tanh that is sigmoid", "tanh que es sigmoid"),
        (
            "value and gradient are those of another curve, and agree with each other",
            "el valor y el gradiente son los de otra curva, y concuerdan entre sí",
        ),
        seen=2,
    ),
    _function(
        "tanh-half-angle",
        "tanh",
        "a = 1; tanh(a)",
        lambda a: _tanh_by_exp(0.5 * a),
        "(exp(a) - 1) / (exp(a) + 1)",
        lambda y, a: (1.0 - y * y,),
        "",
        ("tanh without the 2 in its exponent", "tanh sin el 2 en el exponente"),
        (
            "(e**a - 1) / (e**a + 1) is tanh of half the input: it looks like tanh, only wider",
            "(e**a - 1) / (e**a + 1) es tanh de la mitad de la entrada: parece tanh, pero más ancha",
        ),
        seen=2,
    ),
    _function(
        "exp-clamped",
        "exp",
        "a = 12; exp(a)",
        lambda a: ieee.exp(a if not a > 10.0 else 10.0),
        "exp(min(a, 10))",
        lambda y, a: (y,),
        "",
        ("exp is clamped", "exp está acotada"),
        (
            "exp(min(a, 10)) never overflows, and from there on the value is flat while the gradient is not",
            "exp(min(a, 10)) nunca se desborda, y desde ahí el valor es plano pero el gradiente no",
        ),
        seen=1,
    ),
    _function(
        "log-is-log10",
        "log",
        "a = 10; log(a)",
        ieee.log10,
        "math.log10(a)",
        lambda y, a: (ieee.div(1.0, a * log(10.0)),),
        "(1 / (a * math.log(10)),)",
        ("log that is log10", "log que es log10"),
        (
            "the logarithm of a pocket calculator: value and gradient are 2.3 times too small",
            "el logaritmo de una calculadora de bolsillo: valor y gradiente son 2.3 veces demasiado pequeños",
        ),
    ),
    _function(
        "sigmoid-flipped",
        "sigmoid",
        "a = 1; b = sigmoid(a); b*b",
        lambda a: ieee.div(1.0, 1.0 + ieee.exp(a)),
        "1 / (1 + exp(a))",
        lambda y, a: (y * (1.0 - y),),
        "",
        ("sigmoid without the minus in its exponent", "sigmoid sin el menos en el exponente"),
        (
            "1 / (1 + exp(a)) falls where sigmoid rises, and y * (1 - y) does not notice",
            "1 / (1 + exp(a)) baja donde sigmoid sube, y y * (1 - y) no se entera",
        ),
    ),
    _function(
        "mean-is-sum",
        "mean",
        "a = 3; b = 2; mean(a, b)",
        ieee.fsum,
        "sum(xs)",
        lambda y, *xs: [1.0] * len(xs),
        "[1 for x in xs]",
        ("mean that does not divide", "mean que no divide"),
        (
            "value and gradient are those of the sum, and agree with each other",
            "el valor y el gradiente son los de la suma, y concuerdan entre sí",
        ),
    ),
    _function(
        "relu-is-abs",
        "relu",
        "a = -3; relu(a)",
        ieee.abs,
        "abs(a)",
        lambda y, a: (ieee.sign(a),),
        "((a > 0) - (a < 0),)",
        ("relu that is abs", "relu que es abs"),
        (
            "negative inputs are turned round where they should be stopped, in value and gradient alike",
            "las entradas negativas cambian de signo cuando deberían detenerse, en valor y en gradiente",
        ),
    ),
    _function(
        "sqrt-is-half",
        "sqrt",
        "a = 16; sqrt(a)",
        lambda a: 0.5 * a,
        "a / 2",
        lambda y, a: (0.5,),
        "(1 / 2,)",
        ("sqrt that halves", "sqrt que divide entre dos"),
        (
            "a * 0.5 was written for a ** 0.5: value and gradient agree, on a straight line",
            "se escribió a * 0.5 por a ** 0.5: el valor y el gradiente concuerdan, en una recta",
        ),
    ),
)
