"""The table of primitives: everything minigrad knows about an op, in one row.

A formula is written once, over a number system `m`: `ieee` (floats), `functions`
(Values, for higher derivatives), or any module of numbers that a caller brings.
`m` offers `number`, `where`, `div`, `pow` and the elementary functions of `ieee`;
sums, products, minus and the comparisons `<` to `>=` are the numbers' own operators
(`m.equal` stands for `==`, which on Values is identity).  No formula branches:
`m.where` chooses, and at a kink it chooses the side whose slope is the convention.
The long ones are in `formulas.py`.

Vocabulary of a row: `xs` are the arguments' data, `y` is the output's, and
`partials` gives one local derivative per slot.  None in place of a derivative
means that the slot sends no message: a branch not taken, a condition.  `paper` has the
local derivatives once more, as a person writes them in the language of `language/`; no
pass uses them, so that the court can hold one against the other.  In `paper` and `rule`,
{a}, {b}, {c} are the arguments; a rule that says something different about each slot
says it in parts, with " | " between them.  In `paper`, {y} is the output and {pi} is pi;
for any number of arguments there is one text for all slots, where {x} is the argument,
{partner} its partner, {others} the product of the others and {n} their number.

Adding an op is adding a row.  Its method on Value, its function, its word in the
language, its line in the docs and its tests all come out of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from math import nan
from types import MappingProxyType
from typing import Any, NamedTuple

from .values import formulas as f
from .values.formulas import SMALLEST

__all__ = ["MANY", "OPS", "SYMBOLS", "Bounds", "Op"]

MANY = 1 << 30  # the largest arity of an op that takes any number of arguments
LOG2_E, LOG10_E = math.log2(math.e), math.log10(math.e)
TWO_OVER_ROOT_PI = 2.0 / math.sqrt(math.pi)


class Bounds(NamedTuple):
    """The promised accuracy: at most so many ulp of error, and the reason where that is more.

    An ulp is one unit in the last place of the exact answer, rounded.  Where an answer can be
    smaller than the roundings that it is made of, because terms cancel or a product on the
    way underflows, `terms` says at what size the units are counted if that size is larger:
    first for the value, then for each partial.  Where it is infinite, a product on the way
    may overflow, and the answer is what IEEE arithmetic makes of that, as in PyTorch.
    """

    value: float = 2.0
    partial: float = 4.0
    why: str = ""
    terms: Callable[..., tuple[float, ...]] | None = None  # (*xs) -> sizes


class Op(NamedTuple):
    name: str
    symbol: str  # how a node shows it: "+", "relu"
    forward: Callable[..., Any]  # (m, *xs) -> y
    partials: Callable[..., tuple[Any, ...]]  # (m, y, *xs) -> one local derivative per slot
    paper: tuple[str, ...]  # the local derivatives as a person writes them: see above
    text: str  # how a person writes it: "{} * {}"
    rule: tuple[str, str]  # the local rule in words, English and Spanish: see above
    arity: tuple[int, int]  # fewest and most arguments
    defaults: tuple[float, ...]  # for the arguments that may be left out
    foreign: Mapping[str, str]  # its name in other libraries, for those that have it
    samples: tuple[tuple[float, ...], ...]  # points where it is smooth
    kink: Callable[..., bool]  # (*xs) -> is this a point where a convention decides?
    kinks: tuple[tuple[float, ...], ...]  # such points, for tests and for the docs
    bounds: Bounds
    selective: bool  # may some slots send no message?
    paired: bool  # are the arguments two lists, one after the other?

    def takes(self, count: int) -> bool:
        """Whether the op can have so many arguments, the defaults among them."""
        most = self.arity[1]
        least = most if self.defaults else self.arity[0]
        return least <= count <= most and not (self.paired and count % 2)

    def write(self, *arguments: str) -> str:
        """The op as a person writes it, around the texts of its arguments."""
        return self.text.format(*arguments) if self.text else f"{self.name}({', '.join(arguments)})"


_USUAL = Bounds()
_rows: dict[str, Op] = {}
_LIBRARIES = ("torch", "numpy", "mpmath", "sympy", "jax", "autograd")
_LIKE_NUMPY = ("jax", "autograd")  # they have NumPy's names, in a module `numpy` of their own


def _smooth(*_xs: float) -> bool:
    return False


def _row(
    name: str,
    forward: Callable[..., Any],
    partials: Callable[..., tuple[Any, ...]],
    paper: tuple[str, ...],
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
    selective: bool = False,
    paired: bool = False,
    **foreign: str,
) -> None:
    """Add one row.  `foreign` names only where a library's name differs; "" is: it has none."""
    points = tuple(x if isinstance(x, tuple) else (x,) for x in samples)
    most = len(points[0])
    names = {library: foreign.get(library, name) for library in _LIBRARIES}
    for library in _LIKE_NUMPY:
        names[library] = foreign.get(library, f"numpy.{names['numpy']}" if names["numpy"] else "")
    _rows[name] = Op(
        name=name,
        symbol=symbol or name,
        forward=forward,
        partials=partials,
        paper=paper,
        text=text,
        rule=rule,
        arity=arity or (most - len(defaults), most),
        defaults=defaults,
        foreign=MappingProxyType({library: its for library, its in names.items() if its}),
        samples=points,
        kink=kink,
        kinks=tuple(x if isinstance(x, tuple) else (x,) for x in kinks),
        bounds=bounds,
        selective=selective,
        paired=paired,
    )


# ---- the table --------------------------------------------------------------------------
# name, value, local derivatives, the same on paper, the rule in words (English, Spanish), smooth points.
# fmt: off

_row("add", lambda m, x, y: x + y, lambda m, z, x, y: (1.0, 1.0),
     ("1", "1"),
     ("a sum hands the upstream gradient on to both terms, unchanged",
      "una suma entrega el gradiente entrante a ambos términos, sin cambios"),
     ((2.0, -3.0), (0.5, 40.0), (-1.0, 1.5)), symbol="+", text="{} + {}", mpmath="fadd", sympy="Add")
_row("sub", lambda m, x, y: x - y, lambda m, z, x, y: (1.0, -1.0),
     ("1", "-1"),
     ("a difference hands the upstream gradient to the first term and its negative to the second",
      "una resta entrega el gradiente entrante al primer término y su opuesto al segundo"),
     ((2.0, 4.0), (0.5, -40.0), (-1.0, 1.5)), symbol="-", text="{} - {}",
     numpy="subtract", mpmath="fsub", sympy="")
_row("mul", lambda m, x, y: x * y, lambda m, z, x, y: (y, x),
     ("{b}", "{a}"),
     ("each factor gets the upstream gradient times the other factor",
      "cada factor recibe el gradiente entrante multiplicado por el otro factor"),
     ((2.0, 3.0), (-0.5, 40.0), (1.5, -1.25)), symbol="*", text="{} * {}",
     numpy="multiply", mpmath="fmul", sympy="Mul")
_row("div", lambda m, x, y: m.div(x, y), lambda m, z, x, y: (m.inverse(y), -m.div(z, y)),
     ("1 / {b}", "-{a} / {b}**2"),
     ("the numerator gets upstream / {b} | the denominator gets upstream times -({a} / {b}) / {b}",
      "el numerador recibe el gradiente entrante / {b} | "
      "el denominador recibe el gradiente entrante por -({a} / {b}) / {b}"),
     ((1.0, 3.0), (-5.0, 0.25), (2.0, -7.0)), symbol="/", text="{} / {}",
     numpy="divide", mpmath="fdiv", sympy="",
     kink=lambda x, y: y == 0.0, kinks=((1.0, 0.0), (1.0, -0.0), (0.0, 0.0)),
     bounds=Bounds(2, 4, "an a / b that underflows has few bits left for the slope of b, as in PyTorch",
                   lambda x, y: (0.0, 0.0, SMALLEST / abs(y) if y else 0.0)))
_row("pow", lambda m, x, p: m.pow(x, p), f.pow_partials,
     ("{b} * {a}**({b} - 1)", "{y} * log({a})"),
     ("the base gets upstream times {b} * {a}**({b}-1) | "
      "the exponent gets upstream times {a}**{b} * log({a})",
      "la base recibe el gradiente entrante por {b} * {a}**({b}-1) | "
      "el exponente recibe el gradiente entrante por {a}**{b} * log({a})"),
     ((2.0, 3.0), (0.5, -1.5), (9.0, 0.5), (1.25, 7.0)), symbol="**", text="{} ** {}",
     numpy="power", mpmath="power", sympy="Pow",
     kink=lambda x, p: x == 0.0 and p < 1.0, kinks=((0.0, 0.0), (0.0, -1.0), (0.0, 0.5), (-0.0, -1.0)))
_row("neg", lambda m, x: -x, lambda m, y, x: (-1.0,),
     ("-1",),
     ("the sign of the upstream gradient flips", "el gradiente entrante cambia de signo"),
     (2.0, -0.5), text="-{}", numpy="negative", mpmath="fneg", sympy="")
_row("abs", lambda m, x: m.abs(x), lambda m, y, x: (m.sign(x),),
     ("sign({a})",),
     ("upstream times the sign of {a}; 0 at {a} = 0",
      "el gradiente entrante por el signo de {a}; 0 en {a} = 0"),
     (2.0, -0.5), numpy="absolute", mpmath="fabs", sympy="Abs",
     kink=lambda x: x == 0.0, kinks=(0.0, -0.0))
_row("sign", lambda m, x: m.sign(x), lambda m, y, x: (m.where(m.equal(x, x), 0.0, nan),),
     ("0",),
     ("a step is flat: its local derivative is 0", "un escalón es plano: su derivada local es 0"),
     (2.0, -0.5), kink=lambda x: x == 0.0, kinks=(0.0, -0.0))
_row("square", lambda m, x: x * x, lambda m, y, x: (2.0 * x,),
     ("2 * {a}",),
     ("upstream times 2 * {a}", "el gradiente entrante por 2 * {a}"), (2.0, -0.5), mpmath="", sympy="")
_row("reciprocal", lambda m, x: m.div(1.0, x), lambda m, y, x: (-y * y,),
     ("-1 / {a}**2",),
     ("upstream times -1 / {a}**2",
      "el gradiente entrante por -1 / {a}**2"), (2.0, -0.5, 40.0),
     mpmath="", sympy="", kink=lambda x: x == 0.0, kinks=(0.0, -0.0))

_row("exp", lambda m, x: m.exp(x), lambda m, y, x: (y,),
     ("{y}",),
     ("upstream times the output: exp is its own derivative",
      "el gradiente entrante por la salida: exp es su propia derivada"), (0.5, -3.0, 20.0))
_row("exp2", lambda m, x: m.exp2(x), f.exp2_partials,
     ("{y} * log(2)",),
     ("upstream times the output times log(2)", "el gradiente entrante por la salida por log(2)"),
     (0.5, -3.25, 20.0), mpmath="", sympy="")
_row("expm1", lambda m, x: m.expm1(x), lambda m, y, x: (m.exp(x),),
     ("exp({a})",),
     ("upstream times exp({a})", "el gradiente entrante por exp({a})"), (0.5, -3.0, 1e-9), sympy="")
_row("log", lambda m, x: m.log(x), lambda m, y, x: (m.where(x >= 0.0, m.div(1.0, x), nan),),
     ("1 / {a}",),
     ("upstream / {a}",
      "el gradiente entrante / {a}"), (0.5, 3.0, 1e9), kink=lambda x: x == 0.0, kinks=(0.0, -0.0))
_row("log2", lambda m, x: m.log2(x), lambda m, y, x: (m.where(x >= 0.0, m.div(LOG2_E, x), nan),),
     ("1 / ({a} * log(2))",),
     ("upstream / ({a} * log(2))", "el gradiente entrante / ({a} * log(2))"), (0.5, 3.0, 1e9),
     mpmath="", sympy="", kink=lambda x: x == 0.0, kinks=(0.0, -0.0))
_row("log10", lambda m, x: m.log10(x), lambda m, y, x: (m.where(x >= 0.0, m.div(LOG10_E, x), nan),),
     ("1 / ({a} * log(10))",),
     ("upstream / ({a} * log(10))", "el gradiente entrante / ({a} * log(10))"), (0.5, 3.0, 1e9),
     sympy="", kink=lambda x: x == 0.0, kinks=(0.0, -0.0))
_row("log1p", lambda m, x: m.log1p(x), lambda m, y, x: (m.where(x >= -1.0, m.div(1.0, 1.0 + x), nan),),
     ("1 / (1 + {a})",),
     ("upstream / (1 + {a})", "el gradiente entrante / (1 + {a})"), (0.5, -0.75, 1e-9),
     sympy="", kink=lambda x: x == -1.0, kinks=(-1.0,))
_row("sqrt", lambda m, x: m.sqrt(x), lambda m, y, x: (m.div(0.5, y),),
     ("1 / (2 * {y})",),
     ("upstream / (2 * the output)", "el gradiente entrante / (2 * la salida)"), (0.5, 3.0, 1e9),
     kink=lambda x: x == 0.0, kinks=(0.0, -0.0))
_row("cbrt", lambda m, x: m.cbrt(x), lambda m, y, x: (m.div(m.div(1.0 / 3.0, y), y),),
     ("1 / (3 * {y}**2)",),
     ("upstream / (3 * the output squared)", "el gradiente entrante / (3 * la salida al cuadrado)"),
     (0.5, -3.0, 1e9), torch="", sympy="", kink=lambda x: x == 0.0, kinks=(0.0, -0.0))

_row("sin", lambda m, x: m.sin(x), lambda m, y, x: (m.cos(x),),
     ("cos({a})",),
     ("upstream times cos({a})", "el gradiente entrante por cos({a})"), (0.5, -3.0, 20.0))
_row("cos", lambda m, x: m.cos(x), lambda m, y, x: (-m.sin(x),),
     ("-sin({a})",),
     ("upstream times -sin({a})", "el gradiente entrante por -sin({a})"), (0.5, -3.0, 20.0))
_row("tan", lambda m, x: m.tan(x), lambda m, y, x: (1.0 + y * y,),
     ("1 + {y}**2",),
     ("upstream times 1 + the output squared", "el gradiente entrante por 1 + la salida al cuadrado"),
     (0.5, -1.25, 20.0))
_row("arcsin", lambda m, x: m.arcsin(x), lambda m, y, x: (m.div(1.0, m.sqrt((1.0 - x) * (1.0 + x))),),
     ("1 / sqrt(1 - {a}**2)",),
     ("upstream / sqrt(1 - {a}**2)", "el gradiente entrante / sqrt(1 - {a}**2)"), (0.5, -0.875),
     mpmath="asin", sympy="asin", kink=lambda x: abs(x) == 1.0, kinks=(1.0, -1.0))
_row("arccos", lambda m, x: m.arccos(x), lambda m, y, x: (m.div(-1.0, m.sqrt((1.0 - x) * (1.0 + x))),),
     ("-1 / sqrt(1 - {a}**2)",),
     ("upstream / -sqrt(1 - {a}**2)", "el gradiente entrante / -sqrt(1 - {a}**2)"), (0.5, -0.875),
     mpmath="acos", sympy="acos", kink=lambda x: abs(x) == 1.0, kinks=(1.0, -1.0))
_row("arctan", lambda m, x: m.arctan(x), f.arctan_partials,
     ("1 / (1 + {a}**2)",),
     ("upstream / (1 + {a}**2)", "el gradiente entrante / (1 + {a}**2)"), (0.5, -3.0, 200.0),
     mpmath="atan", sympy="atan")
_row("arctan2", lambda m, y, x: m.arctan2(y, x), f.arctan2_partials,
     ("{b} / ({a}**2 + {b}**2)", "-{a} / ({a}**2 + {b}**2)"),
     ("upstream times {b} / ({a}**2 + {b}**2) and -{a} / ({a}**2 + {b}**2)",
      "el gradiente entrante por {b} / ({a}**2 + {b}**2) y -{a} / ({a}**2 + {b}**2)"),
     ((0.5, 2.0), (-3.0, 1.0), (2.0, -5.0)), mpmath="atan2", sympy="atan2",
     kink=lambda y, x: y == 0.0 and x <= 0.0, kinks=((0.0, 0.0), (0.0, -1.0), (-0.0, -1.0), (0.0, -0.0)))
_row("hypot", lambda m, x, y: m.hypot(x, y), f.hypot_partials,
     ("{a} / {y}", "{b} / {y}"),
     ("upstream times each side over the hypotenuse",
      "el gradiente entrante por cada cateto dividido entre la hipotenusa"),
     ((3.0, 4.0), (-0.5, 2.0)), sympy="", kink=lambda x, y: x == 0.0 and y == 0.0, kinks=((0.0, 0.0),))
_row("sinh", lambda m, x: m.sinh(x), lambda m, y, x: (m.cosh(x),),
     ("cosh({a})",),
     ("upstream times cosh({a})", "el gradiente entrante por cosh({a})"), (0.5, -3.0))
_row("cosh", lambda m, x: m.cosh(x), lambda m, y, x: (m.sinh(x),),
     ("sinh({a})",),
     ("upstream times sinh({a})", "el gradiente entrante por sinh({a})"), (0.5, -3.0))
_row("tanh", lambda m, x: m.tanh(x), f.tanh_partials,
     ("1 - {y}**2",),
     ("upstream times 1 - the output squared (computed as 1 / cosh({a})**2)",
      "el gradiente entrante por 1 - la salida al cuadrado (calculado como 1 / cosh({a})**2)"),
     (0.5, -3.0, 20.0), bounds=Bounds(3, 4, "the C library's tanh is itself up to 2.3 ulp off"))
_row("arcsinh", lambda m, x: m.arcsinh(x), lambda m, y, x: (m.div(1.0, m.hypot(1.0, x)),),
     ("1 / sqrt(1 + {a}**2)",),
     ("upstream / sqrt(1 + {a}**2)", "el gradiente entrante / sqrt(1 + {a}**2)"), (0.5, -3.0, 1e9),
     mpmath="asinh", sympy="asinh")
_row("arccosh", lambda m, x: m.arccosh(x),
     lambda m, y, x: (m.div(1.0, m.sqrt(x - 1.0) * m.sqrt(x + 1.0)),),
     ("1 / sqrt({a}**2 - 1)",),
     ("upstream / sqrt({a}**2 - 1)", "el gradiente entrante / sqrt({a}**2 - 1)"), (1.5, 3.0, 1e9),
     mpmath="acosh", sympy="acosh", kink=lambda x: x == 1.0, kinks=(1.0,),
     bounds=Bounds(3, 4, "the C library's acosh is itself up to 2.3 ulp off"))
_row("arctanh", lambda m, x: m.arctanh(x),
     lambda m, y, x: (m.where(m.abs(x) <= 1.0, m.div(1.0, (1.0 - x) * (1.0 + x)), nan),),
     ("1 / (1 - {a}**2)",),
     ("upstream / (1 - {a}**2)", "el gradiente entrante / (1 - {a}**2)"), (0.5, -0.875),
     mpmath="atanh", sympy="atanh", kink=lambda x: abs(x) == 1.0, kinks=(1.0, -1.0))

_row("sigmoid", f.sigmoid, f.sigmoid_partials,
     ("{y} * (1 - {y})",),
     ("upstream times sigmoid({a}) * sigmoid(-{a})",
      "el gradiente entrante por sigmoid({a}) * sigmoid(-{a})"),
     (0.5, -3.0, 40.0), numpy="", mpmath="", sympy="", jax="nn.sigmoid", autograd="scipy.special.expit")
_row("softplus", f.softplus, lambda m, y, x: (f.sigmoid(m, x),),
     ("sigmoid({a})",),
     ("upstream times sigmoid({a})", "el gradiente entrante por sigmoid({a})"), (0.5, -3.0, 25.0),
     torch="nn.functional.softplus", numpy="", mpmath="", sympy="", jax="nn.softplus")
_row("relu", lambda m, x: m.where(x <= 0.0, m.number(0.0), x), lambda m, y, x: (f.step(m, x, 0.0, 1.0),),
     ("{a} > 0",),
     ("the upstream gradient passes where {a} > 0 and stops elsewhere",
      "el gradiente entrante pasa si {a} > 0; si no, se detiene"),
     (2.0, -0.5), numpy="", mpmath="", sympy="", jax="nn.relu", kink=lambda x: x == 0.0, kinks=(0.0, -0.0))
_row("leaky_relu", lambda m, x, slope: m.where(x > 0.0, x, slope * x),
     lambda m, y, x, slope: (f.step(m, x, slope, 1.0), m.where(x > 0.0, 0.0, x)),
     ("where({a} > 0, 1, {b})", "where({a} > 0, 0, {a})"),
     ("the upstream gradient passes where {a} > 0 and is multiplied by {b} elsewhere",
      "el gradiente entrante pasa si {a} > 0; si no, se multiplica por {b}"),
     ((2.0, 0.01), (-0.5, 0.25)), defaults=(0.01,), torch="nn.functional.leaky_relu",
     numpy="", mpmath="", sympy="", jax="nn.leaky_relu",
     kink=lambda x, slope: x == 0.0, kinks=((0.0, 0.01), (-0.0, 0.25)))
_row("elu", lambda m, x, scale: m.where(x > 0.0, x, scale * m.expm1(x)),
     lambda m, y, x, scale: (m.where(x > 0.0, 1.0, scale * m.exp(x)), m.where(x > 0.0, 0.0, m.expm1(x))),
     ("where({a} > 0, 1, {b} * exp({a}))", "where({a} > 0, 0, exp({a}) - 1)"),
     ("the upstream gradient passes where {a} > 0 and is multiplied by {b} * exp({a}) elsewhere",
      "el gradiente entrante pasa si {a} > 0; si no, se multiplica por {b} * exp({a})"),
     ((2.0, 1.0), (-0.5, 1.0), (-40.0, 2.0)), defaults=(1.0,), torch="nn.functional.elu",
     numpy="", mpmath="", sympy="", jax="nn.elu",
     kink=lambda x, scale: x == 0.0, kinks=((0.0, 1.0), (-0.0, 1.0)),
     bounds=Bounds(2, 4, "an exp(a) that underflows has few bits left for a large scale, as in PyTorch",
                   lambda x, scale: (0.0, SMALLEST * abs(scale), 0.0)))
_row("gelu", f.gelu, f.gelu_partials,
     ("(1 + erf({a} / sqrt(2))) / 2 + {a} * exp(-{a}**2 / 2) / sqrt(2 * {pi})",),
     ("upstream times Phi({a}) + {a} * phi({a}), the normal distribution and its density",
      "el gradiente entrante por Phi({a}) + {a} * phi({a}), la distribución normal y su densidad"),
     (0.5, -3.0, 8.0), torch="nn.functional.gelu", numpy="", mpmath="", sympy="", jax="nn.gelu",
     bounds=Bounds(6, 4, "the C library's erfc is up to 5.2 ulp off; the two terms of the slope cancel "
                         "near its zero at -0.75; below -37 the factor Phi(a) has few bits left",
                   f.gelu_terms))
_row("silu", f.silu, f.silu_partials,
     ("sigmoid({a}) + {y} * (1 - sigmoid({a}))",),
     ("upstream times sigmoid({a}) * (1 + {a} * sigmoid(-{a}))",
      "el gradiente entrante por sigmoid({a}) * (1 + {a} * sigmoid(-{a}))"),
     (0.5, -3.0, 40.0), torch="nn.functional.silu", numpy="", mpmath="", sympy="", jax="nn.silu",
     bounds=Bounds(3, 4, "a product more than sigmoid; the two terms of the slope cancel near its "
                         "zero at -1.28; below -708 the factor exp(a) has few bits left", f.silu_terms))
_row("erf", lambda m, x: m.erf(x), lambda m, y, x: (TWO_OVER_ROOT_PI * m.exp_square(x, -1.0),),
     ("2 / sqrt({pi}) * exp(-{a}**2)",),
     ("upstream times 2 / sqrt(pi) * exp(-{a}**2)", "el gradiente entrante por 2 / sqrt(pi) * exp(-{a}**2)"),
     (0.5, -1.5, 3.0), numpy="", jax="scipy.special.erf", autograd="scipy.special.erf")

_row("maximum", lambda m, x, y: m.where(x > y, x, m.where(x <= y, y, nan)), f.maximum_partials,
     ("{a} > {b}", "{b} > {a}"),
     ("the larger argument gets the upstream gradient; a tie is halved",
      "el argumento mayor recibe el gradiente entrante; si hay empate, la mitad cada uno"),
     ((2.0, 3.0), (0.5, -1.0)), mpmath="", sympy="Max",
     kink=lambda x, y: x == y, kinks=((1.0, 1.0), (0.0, -0.0)))
_row("minimum", lambda m, x, y: m.where(x < y, x, m.where(x >= y, y, nan)), f.minimum_partials,
     ("{a} < {b}", "{b} < {a}"),
     ("the smaller argument gets the upstream gradient; a tie is halved",
      "el argumento menor recibe el gradiente entrante; si hay empate, la mitad cada uno"),
     ((2.0, 3.0), (0.5, -1.0)), mpmath="", sympy="Min",
     kink=lambda x, y: x == y, kinks=((1.0, 1.0), (0.0, -0.0)))
_row("clamp", f.clamp, f.clamp_partials,
     ("({b} <= {a}) * ({a} <= {c})", "({a} < {b}) * ({b} <= {c})", "maximum({a}, {b}) > {c}"),
     ("the upstream gradient passes between the bounds, ends included, and goes to the bound outside",
      "el gradiente entrante pasa entre los límites, extremos incluidos; fuera, va al límite rebasado"),
     ((0.5, 0.0, 1.0), (-2.0, -1.0, 1.0), (3.0, -1.0, 1.0)), numpy="clip", mpmath="", sympy="",
     kink=lambda x, low, high: x in (low, high) or low == high, kinks=((0.0, 0.0, 1.0), (1.0, 0.0, 1.0)))
_row("where", lambda m, c, x, y: m.where(m.equal(c, 0.0), y, x),
     lambda m, z, c, x, y: (None, m.where(m.equal(c, 0.0), None, 1.0), m.where(m.equal(c, 0.0), 1.0, None)),
     ("0", "where({a}, 1, 0)", "where({a}, 0, 1)"),
     ("only the branch that was taken gets the upstream gradient",
      "solo la rama elegida recibe el gradiente entrante"),
     ((1.0, 2.0, 3.0), (0.0, 2.0, 3.0)), mpmath="", sympy="", selective=True)
_row("greater", lambda m, x, y: m.where(x > y, m.number(1.0), m.number(0.0)), f.flat,
     ("0", "0"),
     ("a condition is flat: its local derivative is 0", "una condición es plana: su derivada local es 0"),
     ((2.0, 3.0), (3.0, 2.0)), symbol=">", text="{} > {}", mpmath="", sympy="",
     kink=lambda x, y: x == y, kinks=((1.0, 1.0),))
_row("greater_equal", lambda m, x, y: m.where(x >= y, m.number(1.0), m.number(0.0)), f.flat,
     ("0", "0"),
     ("a condition is flat: its local derivative is 0", "una condición es plana: su derivada local es 0"),
     ((2.0, 3.0), (3.0, 2.0)), symbol=">=", text="{} >= {}", mpmath="", sympy="",
     kink=lambda x, y: x == y, kinks=((1.0, 1.0),))
_row("less", lambda m, x, y: m.where(x < y, m.number(1.0), m.number(0.0)), f.flat,
     ("0", "0"),
     ("a condition is flat: its local derivative is 0", "una condición es plana: su derivada local es 0"),
     ((2.0, 3.0), (3.0, 2.0)), symbol="<", text="{} < {}", mpmath="", sympy="",
     kink=lambda x, y: x == y, kinks=((1.0, 1.0),))
_row("less_equal", lambda m, x, y: m.where(x <= y, m.number(1.0), m.number(0.0)), f.flat,
     ("0", "0"),
     ("a condition is flat: its local derivative is 0", "una condición es plana: su derivada local es 0"),
     ((2.0, 3.0), (3.0, 2.0)), symbol="<=", text="{} <= {}", mpmath="", sympy="",
     kink=lambda x, y: x == y, kinks=((1.0, 1.0),))

_row("sum", lambda m, *xs: m.fsum(*xs), lambda m, y, *xs: (1.0,) * len(xs),
     ("1",),
     ("every term gets the upstream gradient, unchanged",
      "cada término recibe el gradiente entrante, sin cambios"),
     ((1.0, 2.0, 4.0), (0.5,)), arity=(1, MANY), mpmath="fsum", sympy="Add")
_row("mean", f.mean, lambda m, y, *xs: (1.0 / len(xs),) * len(xs),
     ("1 / {n}",),
     ("every term gets the upstream gradient / n", "cada término recibe el gradiente entrante / n"),
     ((1.0, 2.0, 4.0), (0.5,)), arity=(1, MANY), mpmath="", sympy="")
_row("prod", f.prod, f.prod_partials,
     ("{others}",),
     ("every factor gets the upstream gradient times the product of the others",
      "cada factor recibe el gradiente entrante multiplicado por el producto de los demás"),
     ((1.5, 2.0, -4.0), (0.5,)), arity=(1, MANY), mpmath="fprod", sympy="Mul",
     bounds=Bounds(2, 4, "one rounding per factor; a product on the way that over- or underflows "
                         "stays so, as in PyTorch", f.prod_terms))
_row("dot", f.dot, f.dot_partials,
     ("{partner}",),
     ("each number gets the upstream gradient times its partner in the other half",
      "cada número recibe el gradiente entrante multiplicado por su pareja de la otra mitad"),
     ((1.5, 2.0, -4.0, 0.5), (0.5, 3.0)), arity=(2, MANY), paired=True, mpmath="fdot", sympy="", numpy="dot",
     bounds=Bounds(2, 4, "each product is rounded, so a sum that cancels shows their error", f.dot_terms))
_row("logsumexp", f.logsumexp, f.logsumexp_partials,
     ("exp({x} - {y})",),
     ("each term gets the upstream gradient times its softmax share",
      "cada término recibe el gradiente entrante multiplicado por su parte del softmax"),
     ((1.5, 2.0, -4.0), (0.5,)), arity=(1, MANY), numpy="", mpmath="", sympy="",
     jax="nn.logsumexp", autograd="scipy.special.logsumexp",
     bounds=Bounds(2, 4, "the largest term and the logarithm of the shares cancel near a value of zero",
                   lambda *xs: (abs(max(xs)) + math.log(len(xs)), *[0.0] * len(xs))))
_row("max", lambda m, *xs: m.max(*xs), f.extreme_partials,
     ("{x} >= {y}",),
     ("the largest gets the upstream gradient; equal ones share it",
      "el mayor recibe el gradiente entrante; si varios empatan, se lo reparten"),
     ((1.5, 2.0, -4.0), (0.5,)), arity=(1, MANY), torch="amax", mpmath="", sympy="Max",
     kink=f.ties, kinks=((1.0, 1.0, 0.0), (2.0, 2.0, 2.0)))
_row("min", lambda m, *xs: -m.max(*(-x for x in xs)), f.extreme_partials,
     ("{x} <= {y}",),
     ("the smallest gets the upstream gradient; equal ones share it",
      "el menor recibe el gradiente entrante; si varios empatan, se lo reparten"),
     ((1.5, 2.0, -4.0), (0.5,)), arity=(1, MANY), torch="amin", mpmath="", sympy="Min",
     kink=f.low_ties, kinks=((1.0, 1.0, 3.0), (2.0, 2.0, 2.0)))

# fmt: on

OPS: Mapping[str, Op] = MappingProxyType(_rows)
SYMBOLS: Mapping[str, Op] = MappingProxyType({op.symbol: op for op in _rows.values()})
