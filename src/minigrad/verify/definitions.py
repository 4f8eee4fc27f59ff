"""Textbook definitions of the ops, one each, over the numbers of any number system.

Nothing here is taken from `ops.py` or `formulas.py`, and there is no derivative anywhere, so
that a witness that runs these is independent of what it judges.  A witness brings a number system
`n` (`NumberSystem`): its numbers have + - * / and comparisons, and `n` has the elementary functions
that it can do.

    define(n, "sigmoid", x)      # None outside the domain, and for a None among the arguments
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from fractions import Fraction

    from ..graph import Node

__all__ = [
    "DEFINITIONS",
    "DOMAINS",
    "CannotError",
    "Lexicographic",
    "WitnessNumbers",
    "define",
    "parts_of",
    "run",
]

N = TypeVar("N")  # the numbers of one number system
Number: TypeAlias = Any  # a number of whichever system runs a definition: it has + - * / and comparisons
System: TypeAlias = Any  # the NumberSystem of such a number, with the elementary functions that it has
Part: TypeAlias = "Fraction | float"


class WitnessNumbers(Protocol[N]):
    """Numbers to compute with; a system also has the elementary functions that it can do."""

    @property
    def number(self) -> Callable[[float], N]:
        """The number of a float."""
        ...

    def plain(self, x: N, /) -> object:
        """The real number in x, for comparisons."""
        ...

    def where(self, condition: bool, yes: N, no: N, /) -> N: ...

    def unequal(self, x: N, y: float, /) -> bool: ...

    @property
    def total(self) -> Callable[[Sequence[N]], N]: ...


class Lexicographic:
    """Numbers with an infinitely small part are compared by the large part first, then by the small one."""

    def parts(self) -> tuple[Part, Part]:
        """The large and the small part."""
        raise NotImplementedError

    def __lt__(self, other: Lexicographic | float) -> bool:
        return self.parts() < parts_of(other)

    def __le__(self, other: Lexicographic | float) -> bool:
        return self.parts() <= parts_of(other)

    def __gt__(self, other: Lexicographic | float) -> bool:
        return self.parts() > parts_of(other)

    def __ge__(self, other: Lexicographic | float) -> bool:
        return self.parts() >= parts_of(other)


def parts_of(x: Lexicographic | float) -> tuple[Part, Part]:
    """The large and the small part of a number; a float has no small one."""
    return x.parts() if isinstance(x, Lexicographic) else (x, 0)


class CannotError(Exception):
    """A witness has no way to go on; `why` is a code and `about` says what it is about."""

    def __init__(self, why: str, about: str = "") -> None:
        super().__init__(why, about)
        self.why, self.about = why, about


def _larger(n: System, x: Number, y: Number) -> Number:
    return n.where(x > y, x, y)


def _smaller(n: System, x: Number, y: Number) -> Number:
    return n.where(x < y, x, y)


def _halves(xs: Sequence[N]) -> zip[tuple[N, N]]:
    return zip(xs[: len(xs) // 2], xs[len(xs) // 2 :], strict=True)


def _logsumexp(n: System, *xs: Number) -> Number:
    """Relative to the largest, so that numbers of a limited range can do it too."""
    top = reduce(lambda x, y: _larger(n, x, y), xs)
    return top + n.log(n.total([n.exp(x - top) for x in xs]))


def _flag(n: System, condition: bool) -> Number:
    return n.where(condition, n.number(1), n.number(0))


# fmt: off
DEFINITIONS: dict[str, Callable[..., Number]] = {
    "add":           lambda n, x, y: x + y,
    "sub":           lambda n, x, y: x - y,
    "mul":           lambda n, x, y: x * y,
    "div":           lambda n, x, y: x / y,
    "pow":           lambda n, x, p: n.power(x, p),
    "neg":           lambda n, x: -x,
    "abs":           lambda n, x: n.where(x >= 0, x, -x),
    "sign":          lambda n, x: _flag(n, x > 0) - _flag(n, x < 0),
    "square":        lambda n, x: x * x,
    "reciprocal":    lambda n, x: n.number(1) / x,
    "exp":           lambda n, x: n.exp(x),
    "exp2":          lambda n, x: n.exp(x * n.log(n.number(2))),
    "expm1":         lambda n, x: n.expm1(x),
    "log":           lambda n, x: n.log(x),
    "log2":          lambda n, x: n.log(x) / n.log(n.number(2)),
    "log10":         lambda n, x: n.log(x) / n.log(n.number(10)),
    "log1p":         lambda n, x: n.log1p(x),
    "sqrt":          lambda n, x: n.sqrt(x),
    "cbrt":          lambda n, x: n.where(x >= 0, n.cube_root(x), -n.cube_root(-x)),
    "sin":           lambda n, x: n.sin(x),
    "cos":           lambda n, x: n.cos(x),
    "tan":           lambda n, x: n.tan(x),
    "arcsin":        lambda n, x: n.asin(x),
    "arccos":        lambda n, x: n.acos(x),
    "arctan":        lambda n, x: n.atan(x),
    "arctan2":       lambda n, y, x: n.atan2(y, x),
    "hypot":         lambda n, x, y: n.hypot(x, y),
    "sinh":          lambda n, x: n.sinh(x),
    "cosh":          lambda n, x: n.cosh(x),
    "tanh":          lambda n, x: n.tanh(x),
    "arcsinh":       lambda n, x: n.asinh(x),
    "arccosh":       lambda n, x: n.acosh(x),
    "arctanh":       lambda n, x: n.atanh(x),
    "sigmoid":       lambda n, x: n.number(1) / (n.number(1) + n.exp(-x)),
    "softplus":      lambda n, x: n.log1p(n.exp(x)),
    "relu":          lambda n, x: n.where(x > 0, x, n.number(0)),
    "leaky_relu":    lambda n, x, slope: n.where(x > 0, x, slope * x),
    "elu":           lambda n, x, scale: n.where(x > 0, x, scale * n.expm1(_smaller(n, x, n.number(0)))),
    "gelu":          lambda n, x: x * n.normal(x),
    "silu":          lambda n, x: x / (n.number(1) + n.exp(-x)),
    "erf":           lambda n, x: n.erf(x),
    "maximum":       _larger,
    "minimum":       _smaller,
    "clamp":         lambda n, x, low, high: _smaller(n, _larger(n, x, low), high),
    "where":         lambda n, c, x, y: n.where(n.unequal(c, 0), x, y),
    "greater":       lambda n, x, y: _flag(n, x > y),
    "greater_equal": lambda n, x, y: _flag(n, x >= y),
    "less":          lambda n, x, y: _flag(n, x < y),
    "less_equal":    lambda n, x, y: _flag(n, x <= y),
    "sum":           lambda n, *xs: n.total(xs),
    "mean":          lambda n, *xs: n.total(xs) / n.number(len(xs)),
    "prod":          lambda n, *xs: reduce(lambda x, y: x * y, xs),
    "dot":           lambda n, *xs: n.total([x * w for x, w in _halves(xs)]),
    "logsumexp":     _logsumexp,
    "max":           lambda n, *xs: reduce(lambda x, y: _larger(n, x, y), xs),
    "min":           lambda n, *xs: reduce(lambda x, y: _smaller(n, x, y), xs),
}

# Where an op has a value, for those that do not have one everywhere; n.power knows its own domain.
DOMAINS: dict[str, Callable[..., bool]] = {
    "div":        lambda x, y: y < 0 or y > 0,
    "reciprocal": lambda x: x < 0 or x > 0,
    "log":        lambda x: x > 0,
    "log2":       lambda x: x > 0,
    "log10":      lambda x: x > 0,
    "log1p":      lambda x: x > -1,
    "sqrt":       lambda x: x >= 0,
    "arcsin":     lambda x: -1 <= x <= 1,
    "arccos":     lambda x: -1 <= x <= 1,
    "arctan2":    lambda y, x: y < 0 or y > 0 or x > 0,
    "arccosh":    lambda x: x >= 1,
    "arctanh":    lambda x: -1 < x < 1,
}
# fmt: on


def define(n: WitnessNumbers[N], op: str, *xs: N | None) -> N | None:
    """The op's value over the numbers of `n`; None where it has none."""
    if op not in DEFINITIONS:
        raise CannotError("op", op)
    if op == "where" and xs[0] is not None:  # what was not taken may be undefined
        return xs[1] if n.unequal(xs[0], 0) else xs[2]
    known = [x for x in xs if x is not None]
    if len(known) < len(xs) or (op in DOMAINS and not DOMAINS[op](*map(n.plain, known))):
        return None
    value: N | None = DEFINITIONS[op](n, *known)
    return value


def run(
    n: WitnessNumbers[N],
    nodes: Sequence[Node],
    start: dict[int, N],
    before: Sequence[N | None] | None = None,
    last: int = -1,
) -> list[N | None]:
    """Every node's value, from the inputs in `start`.

    With the values of an earlier run in `before`, only what is above the inputs in `start` is computed
    again.
    """
    values: list[N | None] = list(before) if before is not None else [None] * len(nodes)
    moved = [False] * len(nodes)
    for i, node in enumerate(nodes):
        if i in start:
            values[i], moved[i] = start[i], True
        elif not node.args:
            if before is None and node.data is not None:
                values[i] = n.number(node.data)
        elif before is None or any(moved[arg] for arg in node.args):
            moved[i] = True
            try:
                values[i] = define(n, node.op, *[values[arg] for arg in node.args])
            except CannotError as error:
                raise CannotError(error.why, error.about or node.op) from None
        if i == last:
            break
    return values
