"""The table of primitives: everything minigrad knows about an op, in one row.

A formula is written once, over a number system `m`: `ieee` (floats), `functions`
(Values, for higher derivatives), or any module of numbers that a caller brings.
`m` offers `number`, `where`, `div`, `pow` and the elementary functions of `ieee`;
sums, products, minus and the comparisons `<` to `>=` are the numbers' own operators
(`m.equal` stands for `==`, which on Values is identity).  No formula branches:
`m.where` chooses.

Vocabulary of a row: `xs` are the arguments' data, `y` is the output's, and
`partials` gives one local derivative per slot.  None in place of a derivative
means that the slot sends no message: a branch not taken, a condition.

Adding an op is adding a row.  Its method on Value, its function, its word in the
language, its line in the docs and its tests all come out of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from math import inf, nan
from types import MappingProxyType
from typing import Any, NamedTuple

__all__ = ["MANY", "OPS", "SYMBOLS", "Bounds", "Op"]

MANY = 1 << 30  # the largest arity of an op that takes any number of arguments
LN2, LN10 = math.log(2.0), math.log(10.0)
LOG2_E, LOG10_E = math.log2(math.e), math.log10(math.e)
ROOT_OF_INVERSE_TAU = 1.0 / math.sqrt(math.tau)
TWO_OVER_ROOT_PI = 2.0 / math.sqrt(math.pi)


class Bounds(NamedTuple):
    """The promised accuracy in ulp, and the reason where it is wider than (2, 4)."""

    value: float = 2.0
    partial: float = 4.0
    why: str = ""


class Op(NamedTuple):
    name: str
    symbol: str  # how a node shows it: "+", "relu"
    forward: Callable[..., Any]  # (m, *xs) -> y
    partials: Callable[..., tuple[Any, ...]]  # (m, y, *xs) -> one local derivative per slot
    text: str  # how a person writes it: "{} * {}"
    rule: tuple[str, str]  # the local rule in words, English and Spanish
    arity: tuple[int, int]  # fewest and most arguments
    defaults: tuple[float, ...]  # for the arguments that may be left out
    foreign: Mapping[str, str]  # its name in torch, numpy, mpmath and sympy, where it has one
    samples: tuple[tuple[float, ...], ...]  # points where it is smooth
    kink: Callable[..., bool]  # (*xs) -> is this a point where a convention decides?
    kinks: tuple[tuple[float, ...], ...]  # such points, for tests and for the docs
    bounds: Bounds

    def write(self, *arguments: str) -> str:
        """The op as a person writes it, around the texts of its arguments."""
        return self.text.format(*arguments) if self.text else f"{self.name}({', '.join(arguments)})"


_USUAL = Bounds()
_rows: dict[str, Op] = {}
_LIBRARIES = ("torch", "numpy", "mpmath", "sympy")


def _smooth(*_xs: float) -> bool:
    return False


def _row(
    name: str,
    forward: Callable[..., Any],
    partials: Callable[..., tuple[Any, ...]],
    rule: tuple[str, str],
    samples: tuple[Any, ...],
    *,
    symbol: str = "",
    text: str = "",
    arity: tuple[int, int] | None = None,
    defaults: tuple[float, ...] = (),
    kink: Callable[..., bool] = _smooth,
    kinks: tuple[Any, ...] = (),
    bounds: Bounds = _USUAL,
    **foreign: str,
) -> None:
    """Add one row.  `foreign` names only where a library's name differs; "" is: it has none."""
    points = tuple(x if isinstance(x, tuple) else (x,) for x in samples)
    most = len(points[0])
    names = {library: foreign.get(library, name) for library in _LIBRARIES}
    _rows[name] = Op(
        name=name,
        symbol=symbol or name,
        forward=forward,
        partials=partials,
        text=text,
        rule=rule,
        arity=arity or (most - len(defaults), most),
        defaults=defaults,
        foreign=MappingProxyType({library: its for library, its in names.items() if its}),
        samples=points,
        kink=kink,
        kinks=tuple(x if isinstance(x, tuple) else (x,) for x in kinks),
        bounds=bounds,
    )


# ---- formulas that need more than a line ------------------------------------------------


def _pow_partials(m: Any, y: Any, x: Any, p: Any) -> tuple[Any, Any]:
    dx = m.where(m.equal(p, 0.0), 0.0, p * m.pow(x, p - 1.0))
    dp = m.where(m.equal(x, 0.0) & (p >= 0.0), 0.0, y * m.log(x))
    return dx, dp


def _arctan_partials(m: Any, y: Any, x: Any) -> tuple[Any]:
    r = m.div(1.0, x)  # 1 / (1 + x*x) for large x, before x*x overflows
    return (m.where(m.abs(x) > 1.0, m.div(r, x + r), m.div(1.0, 1.0 + x * x)),)


def _scale(m: Any, h: Any) -> Any:
    """A power of two that brings a length to where its square neither over- nor underflows."""
    return m.where(h < 1e-140, 2.0**600, m.where(h > 1e140, 2.0**-600, 1.0))


def _arctan2_partials(m: Any, _angle: Any, y: Any, x: Any) -> tuple[Any, Any]:
    h = m.hypot(x, y)
    s = _scale(m, h)
    sx, sy = s * x, s * y
    square = sx * sx + sy * sy
    return (
        m.where(m.equal(h, 0.0), x, s * m.div(sx, square)),
        m.where(m.equal(h, 0.0), -y, -s * m.div(sy, square)),
    )


def _hypot_partials(m: Any, h: Any, x: Any, y: Any) -> tuple[Any, Any]:
    s = _scale(m, h)
    length = m.hypot(s * x, s * y)
    return m.div(s * x, length), m.div(s * y, length)


def _sigmoid(m: Any, x: Any) -> Any:
    e = m.exp(-m.abs(x))
    return m.div(m.where(x >= 0.0, 1.0, e), 1.0 + e)


def _sigmoid_partials(m: Any, y: Any, x: Any) -> tuple[Any]:
    e = m.exp(-m.abs(x))  # sigma(x) * sigma(-x), without the 1 - sigma that rounds to zero
    return (m.div(e, (1.0 + e) * (1.0 + e)),)


def _softplus(m: Any, x: Any) -> Any:
    return m.where(x > 0.0, x, 0.0) + m.log1p(m.exp(-m.abs(x)))


def _gelu(m: Any, x: Any) -> Any:
    return m.where(x < -40.0, -0.0, x * m.normal_cdf(x))


def _gelu_partials(m: Any, y: Any, x: Any) -> tuple[Any]:
    slope = m.normal_cdf(x) + x * (ROOT_OF_INVERSE_TAU * m.exp_square(x, -0.5))
    return (m.where(x > 40.0, 1.0, m.where(x < -40.0, 0.0, slope)),)


def _silu(m: Any, x: Any) -> Any:
    return m.where(x < -800.0, -0.0, x * _sigmoid(m, x))


def _silu_partials(m: Any, y: Any, x: Any) -> tuple[Any]:
    slope = _sigmoid(m, x) * (1.0 + x * _sigmoid(m, -x))
    return (m.where(x > 800.0, 1.0, m.where(x < -800.0, -0.0, slope)),)


def _step(m: Any, x: Any, below: Any, at: Any, above: Any) -> Any:
    """One of three by the sign of x; NaN for NaN."""
    return m.where(x > 0.0, above, m.where(x < 0.0, below, m.where(m.equal(x, 0.0), at, nan)))


def _maximum_partials(m: Any, z: Any, x: Any, y: Any) -> tuple[Any, Any]:
    d = m.where(m.equal(x, y), 0.0, x - y)  # a tie of infinities is a tie
    return _step(m, d, 0.0, 0.5, 1.0), _step(m, d, 1.0, 0.5, 0.0)


def _minimum_partials(m: Any, z: Any, x: Any, y: Any) -> tuple[Any, Any]:
    dx, dy = _maximum_partials(m, z, x, y)
    return dy, dx


def _clamp(m: Any, x: Any, low: Any, high: Any) -> Any:
    raised = m.where(x < low, low, x)
    return m.where(raised > high, high, raised)


def _clamp_partials(m: Any, y: Any, x: Any, low: Any, high: Any) -> tuple[Any, Any, Any]:
    dx = m.where((x >= low) & (x <= high), 1.0, m.where(m.equal(x, x), 0.0, nan))
    dlow = m.where((x < low) & (low <= high), 1.0, 0.0)
    dhigh = m.where((x > high) | (low > high), 1.0, 0.0)
    return dx, dlow, dhigh


def _prod(m: Any, *xs: Any) -> Any:
    y = m.number(1.0)
    for x in xs:
        y = y * x
    return y


def _prod_partials(m: Any, y: Any, *xs: Any) -> tuple[Any, ...]:
    """For each factor the product of the others, without dividing: a factor may be zero."""
    before, after = [m.number(1.0)], [m.number(1.0)]
    for x in xs[:-1]:
        before.append(before[-1] * x)
    for x in xs[:0:-1]:
        after.append(after[-1] * x)
    return tuple(b * a for b, a in zip(before, reversed(after), strict=True))


def _dot(m: Any, *xs: Any) -> Any:
    half = len(xs) // 2
    return m.fsum(*(x * w for x, w in zip(xs[:half], xs[half:], strict=True)))


def _dot_partials(m: Any, y: Any, *xs: Any) -> tuple[Any, ...]:
    half = len(xs) // 2
    return xs[half:] + xs[:half]


def _logsumexp(m: Any, *xs: Any) -> Any:
    top = m.max(*xs)
    shift = m.where(m.abs(top) < inf, top, 0.0)  # inf - inf would lose an infinite answer
    return shift + m.log(m.fsum(*(m.exp(x - shift) for x in xs)))


def _extreme_partials(m: Any, y: Any, *xs: Any) -> tuple[Any, ...]:
    share = m.div(1.0, m.fsum(*(m.where(m.equal(x, y), 1.0, 0.0) for x in xs)))
    return tuple(m.where(m.equal(x, y), share, m.where(m.equal(y, y), 0.0, nan)) for x in xs)


def _ties(*xs: float) -> bool:
    return sum(x == max(xs) for x in xs) > 1


def _low_ties(*xs: float) -> bool:
    return sum(x == min(xs) for x in xs) > 1


def _none(*_: Any) -> tuple[Any, Any]:
    return 0.0, 0.0


_SUBNORMAL = "a subnormal intermediate has few bits left"
_CANCEL = "two terms cancel near a zero"

# ---- the table --------------------------------------------------------------------------
# name, value, local derivatives, the rule in words (English, Spanish), smooth points.
# fmt: off

_row("add", lambda m, x, y: x + y, lambda m, z, x, y: (1.0, 1.0),
     ("a sum hands the upstream gradient on to both terms, unchanged",
      "una suma entrega el gradiente de arriba a ambos términos, sin cambios"),
     ((2.0, -3.0), (0.5, 40.0), (-1.0, 1.5)), symbol="+", text="{} + {}", mpmath="fadd", sympy="Add")
_row("sub", lambda m, x, y: x - y, lambda m, z, x, y: (1.0, -1.0),
     ("a difference hands the upstream gradient to the first term and its negative to the second",
      "una resta entrega el gradiente de arriba al primer término y su opuesto al segundo"),
     ((2.0, 4.0), (0.5, -40.0), (-1.0, 1.5)), symbol="-", text="{} - {}",
     numpy="subtract", mpmath="fsub", sympy="")
_row("mul", lambda m, x, y: x * y, lambda m, z, x, y: (y, x),
     ("each factor gets the upstream gradient times the other factor",
      "cada factor recibe el gradiente de arriba por el otro factor"),
     ((2.0, 3.0), (-0.5, 40.0), (1.5, -1.25)), symbol="*", text="{} * {}",
     numpy="multiply", mpmath="fmul", sympy="Mul")
_row("div", lambda m, x, y: m.div(x, y), lambda m, z, x, y: (m.div(1.0, y), -m.div(z, y)),
     ("the numerator gets upstream / b; the denominator gets upstream times -(a / b) / b",
      "el numerador recibe el gradiente / b; el denominador, el gradiente por -(a / b) / b"),
     ((1.0, 3.0), (-5.0, 0.25), (2.0, -7.0)), symbol="/", text="{} / {}",
     numpy="divide", mpmath="fdiv", sympy="",
     bounds=Bounds(2, inf, _SUBNORMAL + " when a / b underflows, as in PyTorch"))
_row("pow", lambda m, x, p: m.pow(x, p), _pow_partials,
     ("the base gets upstream times p * a**(p-1); the exponent gets upstream times a**p * log(a)",
      "la base recibe el gradiente por p * a**(p-1); el exponente, el gradiente por a**p * log(a)"),
     ((2.0, 3.0), (0.5, -1.5), (9.0, 0.5), (1.25, 7.0)), symbol="**", text="{} ** {}",
     numpy="power", mpmath="power", sympy="Pow",
     kink=lambda x, p: x == 0.0 or x < 0.0,
     kinks=((0.0, 0.0), (0.0, -1.0), (0.0, 0.5), (0.0, 2.0), (-2.0, 3.0), (-0.0, -1.0)),
     bounds=Bounds(2, 800, "p - 1 rounds, and a**(p-1) multiplies that by log(a); "
                           "log(a) is relative to a**p at the edge of the range"))
_row("neg", lambda m, x: -x, lambda m, y, x: (-1.0,),
     ("the sign of the upstream gradient flips", "el gradiente de arriba cambia de signo"),
     (2.0, -0.5), text="-{}", numpy="negative", mpmath="fneg", sympy="")
_row("abs", lambda m, x: m.abs(x), lambda m, y, x: (m.sign(x),),
     ("upstream times the sign of a; 0 at a = 0", "el gradiente por el signo de a; 0 en a = 0"),
     (2.0, -0.5), numpy="absolute", mpmath="fabs", sympy="Abs",
     kink=lambda x: x == 0.0, kinks=(0.0, -0.0))
_row("sign", lambda m, x: m.sign(x), lambda m, y, x: (m.where(m.equal(x, x), 0.0, nan),),
     ("a step is flat: nothing is sent on", "un escalón es plano: no se envía nada"),
     (2.0, -0.5), kink=lambda x: x == 0.0, kinks=(0.0, -0.0))
_row("square", lambda m, x: x * x, lambda m, y, x: (2.0 * x,),
     ("upstream times 2a", "el gradiente por 2a"), (2.0, -0.5), mpmath="", sympy="")
_row("reciprocal", lambda m, x: m.div(1.0, x), lambda m, y, x: (-y * y,),
     ("upstream times -1 / a**2", "el gradiente por -1 / a**2"), (2.0, -0.5, 40.0), mpmath="", sympy="")

_row("exp", lambda m, x: m.exp(x), lambda m, y, x: (y,),
     ("upstream times the output: exp is its own derivative",
      "el gradiente por la salida: exp es su propia derivada"), (0.5, -3.0, 20.0))
_row("exp2", lambda m, x: m.exp2(x), lambda m, y, x: (y * LN2,),
     ("upstream times the output times log(2)", "el gradiente por la salida por log(2)"),
     (0.5, -3.25, 20.0), mpmath="", sympy="")
_row("expm1", lambda m, x: m.expm1(x), lambda m, y, x: (m.exp(x),),
     ("upstream times exp(a)", "el gradiente por exp(a)"), (0.5, -3.0, 1e-9), sympy="")
_row("log", lambda m, x: m.log(x), lambda m, y, x: (m.where(x >= 0.0, m.div(1.0, x), nan),),
     ("upstream / a", "el gradiente / a"), (0.5, 3.0, 1e9), kink=lambda x: x == 0.0, kinks=(0.0, -0.0))
_row("log2", lambda m, x: m.log2(x), lambda m, y, x: (m.where(x >= 0.0, m.div(LOG2_E, x), nan),),
     ("upstream / (a * log(2))", "el gradiente / (a * log(2))"), (0.5, 3.0, 1e9),
     mpmath="", sympy="", kink=lambda x: x == 0.0, kinks=(0.0, -0.0))
_row("log10", lambda m, x: m.log10(x), lambda m, y, x: (m.where(x >= 0.0, m.div(LOG10_E, x), nan),),
     ("upstream / (a * log(10))", "el gradiente / (a * log(10))"), (0.5, 3.0, 1e9),
     sympy="", kink=lambda x: x == 0.0, kinks=(0.0, -0.0))
_row("log1p", lambda m, x: m.log1p(x), lambda m, y, x: (m.where(x >= -1.0, m.div(1.0, 1.0 + x), nan),),
     ("upstream / (1 + a)", "el gradiente / (1 + a)"), (0.5, -0.75, 1e-9),
     sympy="", kink=lambda x: x == -1.0, kinks=(-1.0,))
_row("sqrt", lambda m, x: m.sqrt(x), lambda m, y, x: (m.div(0.5, y),),
     ("upstream / (2 * the output)", "el gradiente / (2 * la salida)"), (0.5, 3.0, 1e9),
     kink=lambda x: x == 0.0, kinks=(0.0, -0.0))
_row("cbrt", lambda m, x: m.cbrt(x), lambda m, y, x: (m.div(1.0, 3.0 * y * y),),
     ("upstream / (3 * the output squared)", "el gradiente / (3 * la salida al cuadrado)"),
     (0.5, -3.0, 1e9), torch="", kink=lambda x: x == 0.0, kinks=(0.0, -0.0))

_row("sin", lambda m, x: m.sin(x), lambda m, y, x: (m.cos(x),),
     ("upstream times cos(a)", "el gradiente por cos(a)"), (0.5, -3.0, 20.0))
_row("cos", lambda m, x: m.cos(x), lambda m, y, x: (-m.sin(x),),
     ("upstream times -sin(a)", "el gradiente por -sin(a)"), (0.5, -3.0, 20.0))
_row("tan", lambda m, x: m.tan(x), lambda m, y, x: (1.0 + y * y,),
     ("upstream times 1 + the output squared", "el gradiente por 1 + la salida al cuadrado"),
     (0.5, -1.25, 20.0))
_row("arcsin", lambda m, x: m.arcsin(x), lambda m, y, x: (m.div(1.0, m.sqrt((1.0 - x) * (1.0 + x))),),
     ("upstream / sqrt(1 - a**2)", "el gradiente / sqrt(1 - a**2)"), (0.5, -0.875),
     mpmath="asin", sympy="asin", kink=lambda x: abs(x) == 1.0, kinks=(1.0, -1.0))
_row("arccos", lambda m, x: m.arccos(x), lambda m, y, x: (m.div(-1.0, m.sqrt((1.0 - x) * (1.0 + x))),),
     ("upstream / -sqrt(1 - a**2)", "el gradiente / -sqrt(1 - a**2)"), (0.5, -0.875),
     mpmath="acos", sympy="acos", kink=lambda x: abs(x) == 1.0, kinks=(1.0, -1.0))
_row("arctan", lambda m, x: m.arctan(x), _arctan_partials,
     ("upstream / (1 + a**2)", "el gradiente / (1 + a**2)"), (0.5, -3.0, 200.0),
     mpmath="atan", sympy="atan")
_row("arctan2", lambda m, y, x: m.arctan2(y, x), _arctan2_partials,
     ("upstream times b / (a**2 + b**2) and -a / (a**2 + b**2)",
      "el gradiente por b / (a**2 + b**2) y -a / (a**2 + b**2)"),
     ((0.5, 2.0), (-3.0, 1.0), (2.0, -5.0)), mpmath="atan2", sympy="atan2",
     kink=lambda y, x: y == 0.0 and x <= 0.0, kinks=((0.0, 0.0), (0.0, -1.0), (-0.0, -1.0), (0.0, -0.0)))
_row("hypot", lambda m, x, y: m.hypot(x, y), _hypot_partials,
     ("upstream times each side over the hypotenuse", "el gradiente por cada cateto entre la hipotenusa"),
     ((3.0, 4.0), (-0.5, 2.0)), sympy="", kink=lambda x, y: x == 0.0 and y == 0.0, kinks=((0.0, 0.0),))
_row("sinh", lambda m, x: m.sinh(x), lambda m, y, x: (m.cosh(x),),
     ("upstream times cosh(a)", "el gradiente por cosh(a)"), (0.5, -3.0))
_row("cosh", lambda m, x: m.cosh(x), lambda m, y, x: (m.sinh(x),),
     ("upstream times sinh(a)", "el gradiente por sinh(a)"), (0.5, -3.0))
_row("tanh", lambda m, x: m.tanh(x), lambda m, y, x: (m.pow(m.div(1.0, m.cosh(x)), 2.0),),
     ("upstream times 1 - the output squared (computed as 1 / cosh(a)**2)",
      "el gradiente por 1 - la salida al cuadrado (calculado como 1 / cosh(a)**2)"), (0.5, -3.0, 20.0))
_row("arcsinh", lambda m, x: m.arcsinh(x), lambda m, y, x: (m.div(1.0, m.hypot(1.0, x)),),
     ("upstream / sqrt(1 + a**2)", "el gradiente / sqrt(1 + a**2)"), (0.5, -3.0, 1e9),
     mpmath="asinh", sympy="asinh")
_row("arccosh", lambda m, x: m.arccosh(x),
     lambda m, y, x: (m.div(1.0, m.sqrt(x - 1.0) * m.sqrt(x + 1.0)),),
     ("upstream / sqrt(a**2 - 1)", "el gradiente / sqrt(a**2 - 1)"), (1.5, 3.0, 1e9),
     mpmath="acosh", sympy="acosh", kink=lambda x: x == 1.0, kinks=(1.0,))
_row("arctanh", lambda m, x: m.arctanh(x),
     lambda m, y, x: (m.where(m.abs(x) <= 1.0, m.div(1.0, (1.0 - x) * (1.0 + x)), nan),),
     ("upstream / (1 - a**2)", "el gradiente / (1 - a**2)"), (0.5, -0.875),
     mpmath="atanh", sympy="atanh", kink=lambda x: abs(x) == 1.0, kinks=(1.0, -1.0))

_row("sigmoid", _sigmoid, _sigmoid_partials,
     ("upstream times sigmoid(a) * sigmoid(-a)", "el gradiente por sigmoid(a) * sigmoid(-a)"),
     (0.5, -3.0, 40.0), numpy="", mpmath="", sympy="")
_row("softplus", _softplus, lambda m, y, x: (_sigmoid(m, x),),
     ("upstream times sigmoid(a)", "el gradiente por sigmoid(a)"), (0.5, -3.0, 25.0),
     torch="nn.functional.softplus", numpy="", mpmath="", sympy="")
_row("relu", lambda m, x: m.where(x <= 0.0, 0.0, x), lambda m, y, x: (_step(m, x, 0.0, 0.0, 1.0),),
     ("the upstream gradient passes where a > 0 and stops elsewhere",
      "el gradiente de arriba pasa donde a > 0 y se detiene en el resto"),
     (2.0, -0.5), numpy="", mpmath="", sympy="", kink=lambda x: x == 0.0, kinks=(0.0, -0.0))
_row("leaky_relu", lambda m, x, slope: m.where(x > 0.0, x, slope * x),
     lambda m, y, x, slope: (_step(m, x, slope, slope, 1.0), m.where(x > 0.0, 0.0, x)),
     ("the upstream gradient passes where a > 0 and is multiplied by the slope elsewhere",
      "el gradiente de arriba pasa donde a > 0 y se multiplica por la pendiente en el resto"),
     ((2.0, 0.01), (-0.5, 0.25)), defaults=(0.01,), torch="nn.functional.leaky_relu",
     numpy="", mpmath="", sympy="", kink=lambda x, slope: x == 0.0, kinks=((0.0, 0.01), (-0.0, 0.25)))
_row("elu", lambda m, x, scale: m.where(x > 0.0, x, scale * m.expm1(x)),
     lambda m, y, x, scale: (m.where(x > 0.0, 1.0, scale * m.exp(x)), m.where(x > 0.0, 0.0, m.expm1(x))),
     ("the upstream gradient passes where a > 0 and is multiplied by scale * exp(a) elsewhere",
      "el gradiente de arriba pasa donde a > 0 y se multiplica por scale * exp(a) en el resto"),
     ((2.0, 1.0), (-0.5, 1.0), (-40.0, 2.0)), defaults=(1.0,), torch="nn.functional.elu",
     numpy="", mpmath="", sympy="", kink=lambda x, scale: x == 0.0, kinks=((0.0, 1.0), (-0.0, 1.0)))
_row("gelu", _gelu, _gelu_partials,
     ("upstream times Phi(a) + a * phi(a), the normal distribution and its density",
      "el gradiente por Phi(a) + a * phi(a), la distribución normal y su densidad"),
     (0.5, -3.0, 8.0), torch="nn.functional.gelu", numpy="", mpmath="", sympy="",
     bounds=Bounds(inf, inf, _CANCEL + " of the slope at -0.75; " + _SUBNORMAL + " below -37"))
_row("silu", _silu, _silu_partials,
     ("upstream times sigmoid(a) * (1 + a * sigmoid(-a))",
      "el gradiente por sigmoid(a) * (1 + a * sigmoid(-a))"),
     (0.5, -3.0, 40.0), torch="nn.functional.silu", numpy="", mpmath="", sympy="",
     bounds=Bounds(inf, inf, _CANCEL + " of the slope at -1.28; " + _SUBNORMAL + " below -708"))
_row("erf", lambda m, x: m.erf(x), lambda m, y, x: (TWO_OVER_ROOT_PI * m.exp_square(x, -1.0),),
     ("upstream times 2 / sqrt(pi) * exp(-a**2)", "el gradiente por 2 / sqrt(pi) * exp(-a**2)"),
     (0.5, -1.5, 3.0), numpy="")

_row("maximum", lambda m, x, y: m.where(x > y, x, m.where(x <= y, y, nan)), _maximum_partials,
     ("the larger argument gets the upstream gradient; a tie is halved",
      "el argumento mayor recibe el gradiente de arriba; un empate se reparte a medias"),
     ((2.0, 3.0), (0.5, -1.0)), mpmath="", sympy="Max",
     kink=lambda x, y: x == y, kinks=((1.0, 1.0), (0.0, -0.0)))
_row("minimum", lambda m, x, y: m.where(x < y, x, m.where(x >= y, y, nan)), _minimum_partials,
     ("the smaller argument gets the upstream gradient; a tie is halved",
      "el argumento menor recibe el gradiente de arriba; un empate se reparte a medias"),
     ((2.0, 3.0), (0.5, -1.0)), mpmath="", sympy="Min",
     kink=lambda x, y: x == y, kinks=((1.0, 1.0), (0.0, -0.0)))
_row("clamp", _clamp, _clamp_partials,
     ("the upstream gradient passes between the bounds, ends included, and goes to the bound outside",
      "el gradiente de arriba pasa entre los límites, extremos incluidos, y fuera va al límite"),
     ((0.5, 0.0, 1.0), (-2.0, -1.0, 1.0), (3.0, -1.0, 1.0)), numpy="clip", mpmath="", sympy="",
     kink=lambda x, low, high: x in (low, high), kinks=((0.0, 0.0, 1.0), (1.0, 0.0, 1.0)))
_row("where", lambda m, c, x, y: m.where(m.equal(c, 0.0), y, x),
     lambda m, z, c, x, y: (None, m.where(m.equal(c, 0.0), None, 1.0), m.where(m.equal(c, 0.0), 1.0, None)),
     ("only the branch that was taken gets the upstream gradient",
      "solo la rama elegida recibe el gradiente de arriba"),
     ((1.0, 2.0, 3.0), (0.0, 2.0, 3.0)), mpmath="", sympy="")
_row("greater", lambda m, x, y: m.where(x > y, 1.0, 0.0), _none,
     ("a condition is flat: nothing is sent on", "una condición es plana: no se envía nada"),
     ((2.0, 3.0), (3.0, 2.0)), symbol=">", text="{} > {}", mpmath="", sympy="",
     kink=lambda x, y: x == y, kinks=((1.0, 1.0),))
_row("greater_equal", lambda m, x, y: m.where(x >= y, 1.0, 0.0), _none,
     ("a condition is flat: nothing is sent on", "una condición es plana: no se envía nada"),
     ((2.0, 3.0), (3.0, 2.0)), symbol=">=", text="{} >= {}", mpmath="", sympy="",
     kink=lambda x, y: x == y, kinks=((1.0, 1.0),))
_row("less", lambda m, x, y: m.where(x < y, 1.0, 0.0), _none,
     ("a condition is flat: nothing is sent on", "una condición es plana: no se envía nada"),
     ((2.0, 3.0), (3.0, 2.0)), symbol="<", text="{} < {}", mpmath="", sympy="",
     kink=lambda x, y: x == y, kinks=((1.0, 1.0),))
_row("less_equal", lambda m, x, y: m.where(x <= y, 1.0, 0.0), _none,
     ("a condition is flat: nothing is sent on", "una condición es plana: no se envía nada"),
     ((2.0, 3.0), (3.0, 2.0)), symbol="<=", text="{} <= {}", mpmath="", sympy="",
     kink=lambda x, y: x == y, kinks=((1.0, 1.0),))

_row("sum", lambda m, *xs: m.fsum(*xs), lambda m, y, *xs: (1.0,) * len(xs),
     ("every term gets the upstream gradient, unchanged",
      "cada término recibe el gradiente de arriba, sin cambios"),
     ((1.0, 2.0, 4.0), (0.5,)), arity=(1, MANY), mpmath="fsum", sympy="Add")
_row("mean", lambda m, *xs: m.div(m.fsum(*xs), float(len(xs))), lambda m, y, *xs: (1.0 / len(xs),) * len(xs),
     ("every term gets the upstream gradient / n", "cada término recibe el gradiente de arriba / n"),
     ((1.0, 2.0, 4.0), (0.5,)), arity=(1, MANY), mpmath="", sympy="")
_row("prod", _prod, _prod_partials,
     ("every factor gets the upstream gradient times the product of the others",
      "cada factor recibe el gradiente de arriba por el producto de los demás"),
     ((1.5, 2.0, -4.0), (0.5,)), arity=(1, MANY), mpmath="fprod", sympy="Mul",
     bounds=Bounds(inf, inf, "one rounding per factor, and an over- or underflow on the way stays"))
_row("dot", _dot, _dot_partials,
     ("each number gets the upstream gradient times its partner in the other half",
      "cada número recibe el gradiente de arriba por su pareja de la otra mitad"),
     ((1.5, 2.0, -4.0, 0.5), (0.5, 3.0)), arity=(2, MANY), mpmath="fdot", sympy="", numpy="dot",
     bounds=Bounds(inf, 4, "each product is rounded, so a sum that cancels shows their error"))
_row("logsumexp", _logsumexp, lambda m, y, *xs: tuple(m.exp(x - y) for x in xs),
     ("each term gets the upstream gradient times its softmax share",
      "cada término recibe el gradiente de arriba por su parte del softmax"),
     ((1.5, 2.0, -4.0), (0.5,)), arity=(1, MANY), numpy="", mpmath="", sympy="",
     bounds=Bounds(inf, inf, _CANCEL + " of the value; exp multiplies the rounding of x - y by |x - y|"))
_row("max", lambda m, *xs: m.max(*xs), _extreme_partials,
     ("the largest gets the upstream gradient; equal ones share it",
      "el mayor recibe el gradiente de arriba; los iguales se lo reparten"),
     ((1.5, 2.0, -4.0), (0.5,)), arity=(1, MANY), torch="amax", mpmath="", sympy="Max",
     kink=_ties, kinks=((1.0, 1.0, 0.0), (2.0, 2.0, 2.0)))
_row("min", lambda m, *xs: -m.max(*(-x for x in xs)), _extreme_partials,
     ("the smallest gets the upstream gradient; equal ones share it",
      "el menor recibe el gradiente de arriba; los iguales se lo reparten"),
     ((1.5, 2.0, -4.0), (0.5,)), arity=(1, MANY), torch="amin", mpmath="", sympy="Min",
     kink=_low_ties, kinks=((1.0, 1.0, 3.0), (2.0, 2.0, 2.0)))

# fmt: on

OPS: Mapping[str, Op] = MappingProxyType(_rows)
SYMBOLS: Mapping[str, Op] = MappingProxyType({op.symbol: op for op in _rows.values()})
