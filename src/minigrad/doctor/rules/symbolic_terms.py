"""Symbolic terms over the reals: sums, products and functions, their derivatives, and a test for zero.

A term is made once and is immutable.  `Algebra.is_zero` decides whether a term is zero for all values of its
symbols.  It maps symbols, exp of distinct monomials, log, erf and the like to random residues modulo the
prime 2**521 - 1, as free generators of a field, so that only true relations are used (exp of sums, g**2 = u
for g = sqrt(u), both roots, s**2 + c**2 = 1): a term that is not identically zero as a rational function of
the generators becomes zero with a chance below 2**-100 (Schwartz and Zippel).  A term that is zero by a
relation which is not known here is taken for one that is not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import blake2b
from heapq import heappop, heappush
from time import monotonic
from typing import TypeAlias

__all__ = ["Algebra", "Monomial", "Polynomial", "Term", "TermUndecidedError", "float_values"]

PRIME = 2**521 - 1  # 3 modulo 4: u ** ((PRIME + 1) / 4) is a root of u where there is one
ROOTS = 5  # square roots in one term: each is tried with both signs
SEEDS = 40  # points to look for one at which every argument of a root has one
DENOMINATOR = 2**90 * 3**6 * 5**30 * 7**3 * 11 * 13  # exp(m / DENOMINATOR) is the generator of a monomial m
LARGEST = 400  # terms of a polynomial that is multiplied out

Monomial: TypeAlias = tuple[tuple["Term", int], ...]
Polynomial: TypeAlias = dict[Monomial, Fraction]


class TermUndecidedError(Exception):
    """The time is over, a term is too large, or a number is none."""


class Term:
    """A number, symbol, sum, product or function of terms; "undefined" stands for NaN, and spreads."""

    __slots__ = ("algebra", "argument", "constant", "factors", "index", "kind", "name", "summands")

    def __init__(
        self,
        algebra: Algebra,
        kind: str,
        name: str = "",
        constant: Fraction = Fraction(0),
        summands: tuple[tuple[Term, Fraction], ...] = (),
        factors: Monomial = (),
        argument: Term | None = None,
    ) -> None:
        self.algebra, self.kind, self.name, self.index = algebra, kind, name, len(algebra.table)
        self.constant, self.summands, self.factors, self.argument = constant, summands, factors, argument

    def __add__(self, other: Term) -> Term:
        return self.algebra.add([(self, Fraction(1)), (other, Fraction(1))])

    def __sub__(self, other: Term) -> Term:
        return self.algebra.add([(self, Fraction(1)), (other, Fraction(-1))])

    def __mul__(self, other: Term) -> Term:
        return self.algebra.multiply([(self, 1), (other, 1)])

    def __truediv__(self, other: Term) -> Term:
        return self.algebra.multiply([(self, 1), (other, -1)])

    def __neg__(self) -> Term:
        return self.algebra.add([(self, Fraction(-1))])

    def power(self, exponent: int) -> Term:
        return self.algebra.multiply([(self, exponent)])

    def children(self) -> Iterator[Term]:
        for term, _ in self.summands:
            yield term
        for term, _ in self.factors:
            yield term
        if self.argument is not None:
            yield self.argument

    @property
    def number(self) -> Fraction | None:
        return self.constant if self.kind == "number" else None


class Algebra:
    """The terms of one proof, and what is computed with them, until the deadline."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.table: dict[object, Term] = {}
        self.expansions: dict[Term, Polynomial] = {}
        self.signs: dict[Term, tuple[int, bool] | None] = {}
        self.zeros: dict[Term, bool] = {}
        self.readings: dict[float, Term] = {}
        self.supposed: dict[str, int] = {}  # signs of symbols
        self.used: dict[str, int] = {}  # those that something depends on
        self.undefined = self._make(("undefined",), "undefined")
        self.zero, self.one = self.rational(0), self.rational(1)
        self.root_of_pi = self._make(("constant",), "constant", "sqrt(pi)")

    def check_time(self) -> None:
        if monotonic() > self.deadline:
            raise TermUndecidedError("time")

    def _make(
        self,
        key: object,
        kind: str,
        name: str = "",
        constant: Fraction = Fraction(0),
        summands: tuple[tuple[Term, Fraction], ...] = (),
        factors: Monomial = (),
        argument: Term | None = None,
    ) -> Term:
        found = self.table.get(key)
        if found is None:
            if len(self.table) % 64 == 0:
                self.check_time()
            found = Term(self, kind, name, constant, summands, factors, argument)
            self.table[key] = found
        return found

    # ---- making terms ----------------------------------------------------------------------

    def rational(self, value: Fraction | int) -> Term:
        value = Fraction(value)
        return self._make(("number", value), "number", constant=value)

    def symbol(self, name: str) -> Term:
        return self._make(("symbol", name), "symbol", name)

    def read(self, value: float) -> Term:
        """A number of the code, as it was meant: a short decimal or fraction, or one of those times a root.

        The meaning is at most four units in the last place away; a number without one is its exact value.
        """
        if isinstance(value, int):
            return self.rational(value)
        if not math.isfinite(value):
            raise TermUndecidedError("a number that is not finite")
        if value not in self.readings:
            self.readings[value] = self._reading(value)
        return self.readings[value]

    def _reading(self, value: float) -> Term:
        near = 4.0 * math.ulp(value)
        decimal = f"{value:.12g}"
        if abs(float(decimal) - value) <= near:
            return self.rational(Fraction(decimal))
        plain = Fraction(value).limit_denominator(1000)
        if plain and abs(float(plain) - value) <= near:
            return self.rational(plain)
        roots = [(math.sqrt(n), self.root(self.rational(n))) for n in (1, 2, 3, 6)]
        for size, root in roots:
            for k in (0, 1, -1, 2, -2):
                unit = size * math.sqrt(math.pi) ** k
                share = Fraction(value / unit).limit_denominator(96)
                if share and abs(float(share) * unit - value) <= near:
                    return self.rational(share) * root * self.root_of_pi.power(k)
        return self.rational(Fraction(value))

    def add(self, items: Iterable[tuple[Term, Fraction]]) -> Term:
        constant, sums = Fraction(0), dict[Term, Fraction]()
        for term, share in items:
            if term.kind == "undefined":
                return self.undefined
            if term.kind == "number":
                constant += share * term.constant
            elif term.kind == "sum":
                constant += share * term.constant
                for part, weight in term.summands:
                    sums[part] = sums.get(part, Fraction(0)) + share * weight
            else:
                sums[term] = sums.get(term, Fraction(0)) + share
        kept = tuple(sorted(((t, c) for t, c in sums.items() if c), key=lambda item: item[0].index))
        if not kept:
            return self.rational(constant)
        if not constant and len(kept) == 1 and kept[0][1] == 1:
            return kept[0][0]
        shares = tuple((t.index, c.numerator, c.denominator) for t, c in kept)  # hashes sooner than fractions
        key = ("sum", constant.numerator, constant.denominator, shares)
        return self._make(key, "sum", constant=constant, summands=kept)

    def parts(self, term: Term) -> tuple[Fraction, Monomial]:
        """A coefficient and factors without one."""
        if term.kind == "number":
            return term.constant, ()
        if term.kind == "product":
            return Fraction(1), term.factors
        if term.kind == "sum":
            first, share = term.summands[0]
            if len(term.summands) == 1 and not term.constant:
                return share, self.parts(first)[1]
            scaled = self.add([(term, 1 / share)])
            return share, ((scaled, 1),)
        return Fraction(1), ((term, 1),)

    def multiply(self, items: Iterable[tuple[Term, int]]) -> Term:
        share, powers = Fraction(1), dict[Term, int]()
        for term, exponent in items:
            if term.kind == "undefined":
                return self.undefined
            own, factors = self.parts(term)
            if exponent < 0 and own == 0:
                raise TermUndecidedError("a division by zero")
            share *= own**exponent
            for factor, k in factors:
                powers[factor] = powers.get(factor, 0) + k * exponent
        whole: list[tuple[Term, int]] = []
        for factor in list(powers):
            if factor.name == "sqrt" and abs(powers[factor]) > 1:
                half, powers[factor] = divmod(powers[factor], 2)
                assert factor.argument is not None
                whole.append((factor.argument, half))
        kept = tuple(sorted(((t, k) for t, k in powers.items() if k), key=lambda item: item[0].index))
        if whole:
            rest = [(self.multiply([item]), 1) for item in kept]
            return self.multiply([(self.rational(share), 1), *rest, *whole])
        if not share or not kept:
            return self.rational(share)
        if len(kept) == 1 and kept[0][1] == 1:
            product = kept[0][0]
        else:
            product = self._make(("product", kept), "product", factors=kept)
        return product if share == 1 else self.add([(product, share)])

    def function(self, name: str, argument: Term) -> Term:
        if argument.kind == "undefined":
            return argument
        return self._make((name, argument), "function", name, argument=argument)

    def exp(self, u: Term) -> Term:
        if u.number == 0:
            return self.one
        return u.argument if u.name == "log" and u.argument is not None else self.function("exp", u)

    def log(self, u: Term) -> Term:
        """Of a positive term; of a product of positive ones, the sum."""
        if u.number == 1:
            return self.zero
        share, factors = self.parts(u)
        if (
            share > 0
            and all(self.sign(t) == (1, True) for t, _ in factors)
            and (len(factors) > 1 or share != 1)
        ):
            logs = [(self.log(t), Fraction(k)) for t, k in factors]
            return self.add([(self.log(self.rational(share)), Fraction(1)), *logs])
        if len(factors) == 1 and share == 1 and factors[0][1] != 1 and self.sign(factors[0][0]) == (1, True):
            return self.add([(self.log(factors[0][0]), Fraction(factors[0][1]))])
        return u.argument if u.name == "exp" and u.argument is not None else self.function("log", u)

    def root(self, u: Term) -> Term:
        """Of a positive term."""
        if u.kind == "number" and u.constant >= 0:
            whole, rest = u.constant.numerator * u.constant.denominator, 1
            outside = Fraction(1, u.constant.denominator)
            if whole > 10**12:
                exact = math.isqrt(whole)
                outside, rest = (outside * exact, 1) if exact**2 == whole else (outside, whole)
            else:
                square = next((k for k in range(math.isqrt(whole), 0, -1) if not whole % (k * k)), 0)
                outside, rest = outside * square, whole // (square * square) if square else 1
            made = self.rational(outside)
            return made if rest == 1 else made * self.function("sqrt", self.rational(rest))
        return self.function("sqrt", u)

    # ---- sign ------------------------------------------------------------------------------

    def sign(self, term: Term) -> tuple[int, bool] | None:
        """Its sign, if it is the same everywhere, and whether it is never zero."""
        if term not in self.signs:
            self.signs[term] = self._sign(term)
        return self.signs[term]

    def _sign(self, term: Term) -> tuple[int, bool] | None:
        if term.kind == "number":
            return ((term.constant > 0) - (term.constant < 0), term.constant != 0)
        if term.kind == "symbol" and term.name in self.supposed:
            self.used[term.name] = self.supposed[term.name]
            return self.supposed[term.name], True
        if term.kind == "constant" or term.name in ("exp", "sigmoid"):
            return 1, True
        if term.name == "sqrt" and term.argument is not None:
            inner = self.sign(term.argument)
            return 1, inner is not None and inner[1]
        if term.name in ("tanh", "erf", "atan") and term.argument is not None:
            return self.sign(term.argument)
        if term.kind == "product":
            sign, strict = 1, True
            for factor, k in term.factors:
                known = self.sign(factor)
                if known is None and k % 2:
                    return None
                sign *= known[0] if known and k % 2 else 1
                strict &= known is not None and known[1]
            return sign, strict
        if term.kind == "sum":
            signs = [(self.sign(t), c) for t, c in term.summands]
            if any(known is None for known, _ in signs):
                return None
            each = [(known[0] * (1 if c > 0 else -1), known[1]) for known, c in signs if known]
            each += [((term.constant > 0) - (term.constant < 0), True)] if term.constant else []
            each = [item for item in each if item[0]]
            if each and all(s == each[0][0] for s, _ in each):
                return each[0][0], any(strict for _, strict in each)
        return None

    # ---- derivatives -----------------------------------------------------------------------

    def gradients(self, seeds: Sequence[tuple[Term, Term]]) -> dict[Term, Term]:
        """The derivative of the sum of output * seed by every term below it."""
        grads: dict[Term, Term] = {}
        queue: list[int] = []
        terms: dict[int, Term] = {}

        def send(term: Term, grad: Term) -> None:
            if term not in grads:
                heappush(queue, -term.index)
                terms[term.index] = term
                grads[term] = grad
            else:
                grads[term] = grads[term] + grad

        for output, seed in seeds:
            send(output, seed)
        while queue:
            term = terms[-heappop(queue)]
            grad = grads[term]
            for part, share in term.summands:
                send(part, self.add([(grad, share)]))
            for factor, k in term.factors:
                send(factor, self.multiply([(grad, 1), (self.rational(k), 1), (term, 1), (factor, -1)]))
            if term.argument is not None:
                send(term.argument, grad * self._slope(term, term.argument))
        return grads

    def _slope(self, term: Term, u: Term) -> Term:
        name = term.name
        if name == "exp":
            return term
        if name == "log":
            return u.power(-1)
        if name == "sqrt":
            return self.rational(Fraction(1, 2)) / term
        if name == "tanh":
            return self.one - term * term
        if name == "sigmoid":
            return term * (self.one - term)
        if name == "erf":
            return self.rational(2) / self.root_of_pi * self.exp(-(u * u))
        if name == "sin":
            return self.function("cos", u)
        if name == "cos":
            return -self.function("sin", u)
        if name == "atan":
            return self.one / (self.one + u * u)
        raise TermUndecidedError(name)

    # ---- polynomials -----------------------------------------------------------------------

    def expand(self, term: Term) -> Polynomial:
        """Multiplied out; quotients and functions are taken as symbols."""
        if term not in self.expansions:
            self.expansions[term] = self._expand(term)
        return self.expansions[term]

    def _expand(self, term: Term) -> Polynomial:
        if term.kind == "number":
            return {(): term.constant} if term.constant else {}
        if term.kind == "sum":
            made: Polynomial = {(): term.constant}
            for part, share in term.summands:
                for monomial, c in self.expand(part).items():
                    made[monomial] = made.get(monomial, Fraction(0)) + share * c
            return {m: c for m, c in made.items() if c}
        if term.kind == "product":
            made = {(): Fraction(1)}
            for factor, k in term.factors:
                if factor.kind == "sum" and 0 < k <= 6:
                    for _ in range(k):
                        made = self._product(made, self.expand(factor))
                else:
                    made = self._product(made, {((factor, k),): Fraction(1)})
            return made
        return {((term, 1),): Fraction(1)}

    def _product(self, a: Polynomial, b: Polynomial) -> Polynomial:
        if len(a) * len(b) > LARGEST:
            raise TermUndecidedError("a polynomial that is too large")
        made: Polynomial = {}
        for first, c in a.items():
            for second, d in b.items():
                monomial, share = self._monomial(first, second)
                made[monomial] = made.get(monomial, Fraction(0)) + share * c * d
        return {m: c for m, c in made.items() if c}

    @staticmethod
    def _monomial(a: Monomial, b: Monomial) -> tuple[Monomial, Fraction]:
        powers, share = dict(a), Fraction(1)
        for term, k in b:
            powers[term] = powers.get(term, 0) + k
        for term, k in list(powers.items()):
            inside = term.argument
            if term.name == "sqrt" and inside is not None and inside.kind == "number" and abs(k) > 1:
                half, powers[term] = divmod(k, 2)
                share *= inside.constant**half
        kept = sorted(((t, k) for t, k in powers.items() if k), key=lambda item: item[0].index)
        return tuple(kept), share

    # ---- zero ------------------------------------------------------------------------------

    def is_zero(self, term: Term) -> bool:
        """Is it zero for all values of its symbols?  False where that is not seen."""
        if term.kind in ("number", "undefined"):
            return term.kind == "number" and not term.constant
        if term not in self.zeros:
            self.zeros[term] = self._is_zero(term)
        return self.zeros[term]

    def _is_zero(self, term: Term) -> bool:
        order = self.below([term])
        for seed in range(SEEDS):
            residues = _Residues(self, f"{term.index}/{seed}", 0)
            if residues.of(order) == 0:
                roots = len(residues.roots)
                return roots <= ROOTS and all(
                    _Residues(self, f"{term.index}/{seed}", signs).of(order) == 0
                    for signs in range(1, 2**roots)
                )
            if not residues.lacking:
                return False
        return False

    @staticmethod
    def below(terms: Iterable[Term]) -> list[Term]:
        """All that they are made of, and they, in the order in which they were made."""
        found, left = set[Term](), list(terms)
        while left:
            term = left.pop()
            if term not in found:
                found.add(term)
                left.extend(term.children())
        return sorted(found, key=lambda t: t.index)

    # ---- text ------------------------------------------------------------------------------

    def text(self, term: Term) -> str:
        if term.kind == "number":
            return _numeral(term.constant)
        if term.kind in ("symbol", "constant"):
            return term.name
        if term.argument is not None:
            return f"{term.name}({self.text(term.argument)})"
        if term.factors:
            return self._product_text(term.factors)
        return self.sum_text([*((self.parts(t)[1], c) for t, c in term.summands), ((), term.constant)])

    def _product_text(self, factors: Monomial) -> str:
        parts = []
        for factor, k in factors:
            inner = self.text(factor)
            inner = f"({inner})" if factor.kind == "sum" else inner
            parts.append(inner if k == 1 else f"{inner}**{k}" if k > 0 else f"{inner}**({k})")
        return " * ".join(parts)

    def sum_text(self, items: Sequence[tuple[Monomial, Fraction]]) -> str:
        made = ""
        for monomial, share in items:
            if not share:
                continue
            size = abs(share)
            body = self._product_text(monomial)
            body = _numeral(size) if not body else body if size == 1 else f"{_numeral(size)} * {body}"
            made += (" - " if share < 0 else " + ") if made else ("-" if share < 0 else "")
            made += body
        return made or "0"


def _numeral(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.10g}" if value.denominator > 1000 else str(value)


class _Residues:
    """Residues of terms at one random point; `signs` chooses the roots."""

    def __init__(self, algebra: Algebra, seed: str, signs: int) -> None:
        self.algebra, self.seed, self.signs = algebra, seed, signs
        self.values: dict[Term, int] = {}
        self.roots: dict[int, int] = {}
        self.lacking = False  # was there a root that no residue is?

    def generator(self, *name: object) -> int:
        text = repr((self.seed, *name)).encode()
        return int.from_bytes(blake2b(text).digest() + blake2b(text + b"+").digest()[:8], "big") % PRIME

    def of(self, order: Sequence[Term]) -> int:
        for i, term in enumerate(order):
            if i % 32 == 0:
                self.algebra.check_time()
            self.values[term] = self._value(term)
        return self.values[order[-1]]

    def _value(self, term: Term) -> int:
        if term.kind == "number":
            return self._rational(term.constant)
        if term.kind == "symbol":  # a square, so that it has a root
            return pow(self.generator(term.name), 2, PRIME)
        if term.kind == "constant":
            return self.generator(term.kind, term.name)
        if term.kind == "sum":
            total = self._rational(term.constant)
            for part, share in term.summands:
                total += self.values[part] * self._rational(share)
            return total % PRIME
        if term.kind == "product":
            return self._product(term.factors)
        assert term.argument is not None
        u = self.values[term.argument]
        if term.name == "sqrt":
            return self._root(u, term.argument.kind == "number")
        if term.name == "exp":
            return self._exp(term.argument, 1)
        if term.name == "tanh":
            double = self._exp(term.argument, 2)
            return (double - 1) * self._inverse(double + 1) % PRIME
        if term.name == "sigmoid":
            once = self._exp(term.argument, 1)
            return once * self._inverse(once + 1) % PRIME
        if term.name in ("sin", "cos"):
            return self._circle(term.argument)[term.name == "sin"]
        if term.name in ("erf", "atan"):  # odd
            if u > PRIME - u:
                return -self.generator(term.name, PRIME - u) % PRIME
            return self.generator(term.name, u)
        return self.generator(term.name, u)

    def _inverse(self, value: int) -> int:
        if not value % PRIME:
            raise TermUndecidedError("a division by zero")
        return pow(value, -1, PRIME)

    def _rational(self, value: Fraction) -> int:
        if value.denominator == 1:
            return value.numerator % PRIME
        return value.numerator * self._inverse(value.denominator) % PRIME

    def _product(self, factors: Monomial) -> int:
        made = 1
        for factor, k in factors:
            value = self.values[factor]
            made = made * pow(value if k > 0 else self._inverse(value), abs(k), PRIME) % PRIME
        return made

    def _root(self, u: int, constant: bool) -> int:
        root = pow(u, (PRIME + 1) // 4, PRIME)
        if root * root % PRIME != u:
            self.lacking |= not constant
            return self.generator("sqrt", u)
        if constant:  # the roots of a number that is no square are conjugate
            return root
        place = self.roots.setdefault(u, len(self.roots))
        return PRIME - root if self.signs >> place & 1 else root

    def _multiples(self, u: Term, times: int) -> Iterator[tuple[Monomial, int, int]]:
        """The monomials of u, the residue of each, and how often it has its DENOMINATOR-th part."""
        for monomial, share in self.algebra.expand(u).items():
            count = share * times * DENOMINATOR
            if count.denominator != 1 or abs(count.numerator) >> 400:
                raise TermUndecidedError("a number that is too long")
            for factor, _ in monomial:
                if factor not in self.values:
                    self.of(self.algebra.below([factor]))
            yield monomial, self._product(monomial), count.numerator

    def _exp(self, u: Term, times: int) -> int:
        made = 1
        for monomial, value, count in self._multiples(u, times):
            inner = monomial[0][0] if len(monomial) == 1 and monomial[0][1] == 1 else None
            if inner is not None and inner.name == "log" and inner.argument is not None:
                whole, count = divmod(count, DENOMINATOR)
                base = self.values[inner.argument]
                if 2 * count == DENOMINATOR:
                    made, count = made * self._root(base, inner.argument.kind == "number") % PRIME, 0
                made = made * pow(base if whole > 0 else self._inverse(base), abs(whole), PRIME) % PRIME
            if count:
                base = self.generator("exp", value)
                made = made * pow(base if count > 0 else self._inverse(base), abs(count), PRIME) % PRIME
        return made

    def _circle(self, u: Term) -> tuple[int, int]:
        """cos and sin: the powers of points of the circle."""
        c, s = 1, 0
        for _, value, count in self._multiples(u, 1):
            turned = value > PRIME - value
            t = self.generator("circle", PRIME - value if turned else value)
            scale = self._inverse(1 + t * t)
            x, y = (1 - t * t) * scale % PRIME, 2 * t * scale % PRIME
            y = -y if turned != (count < 0) else y
            left = abs(count)
            while left:
                if left & 1:
                    c, s = (c * x - s * y) % PRIME, (c * y + s * x) % PRIME
                x, y = (x * x - y * y) % PRIME, 2 * x * y % PRIME
                left >>= 1
        return c, s


# ---- floating-point numbers -----------------------------------------------------------------------

FLOATS: dict[str, Callable[[float], float]] = {
    "exp": math.exp,
    "log": math.log,
    "sqrt": math.sqrt,
    "tanh": math.tanh,
    "sigmoid": lambda u: 1.0 / (1.0 + math.exp(-u)) if u > 0 else math.exp(u) / (1.0 + math.exp(u)),
    "erf": math.erf,
    "sin": math.sin,
    "cos": math.cos,
    "atan": math.atan,
}


def float_values(order: Sequence[Term], symbols: Mapping[str, float]) -> dict[Term, float]:
    """The numbers of terms at one point; NaN where there is none."""
    values: dict[Term, float] = {}
    for term in order:
        try:
            if term.kind == "number":
                value = float(term.constant)
            elif term.kind == "symbol":
                value = symbols[term.name]
            elif term.kind == "constant":
                value = math.sqrt(math.pi)
            elif term.kind == "sum":
                value = math.fsum([float(c) * values[t] for t, c in term.summands] + [float(term.constant)])
            elif term.kind == "product":
                value = math.prod(values[t] ** k for t, k in term.factors)
            elif term.argument is not None:
                value = FLOATS[term.name](values[term.argument])
            else:
                value = math.nan
        except (ArithmeticError, ValueError):
            value = math.nan
        values[term] = value
    return values
