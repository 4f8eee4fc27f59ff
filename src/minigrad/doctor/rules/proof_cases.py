"""Cases of a rule on symbols: one sign for every term that it compares, and what is proved in each.

A case is a run in which every comparison has one outcome; `ProofRun.decisions` says which others there are.
Outcomes that contradict those before them are left out, as far as elimination of monomials shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import ModuleType
from typing import Any

from .grids import Shape
from .symbolic_ops import ATTRIBUTES, OPS
from .symbolic_tensors import SymbolTensor
from .symbolic_terms import Algebra, Monomial, Polynomial, Term, TermUndecidedError

__all__ = ["CaseDecision", "ProofRun", "ProvedCase", "ProvedRun", "RuleRefutedError"]


class RuleRefutedError(Exception):
    """A case or a point at which the backward is not the derivative."""


@dataclass
class CaseDecision:
    """The sign that a term has in a case, by its normal form."""

    polynomial: Polynomial
    term: Term
    outcome: int
    others: tuple[int, ...]


@dataclass
class ProofRun:
    """One case: the outcomes in `script` first, and the first possible one after those."""

    algebra: Algebra
    torch: ModuleType
    numpy: ModuleType
    elementwise: bool
    dtype: object
    device: object
    free: frozenset[Term]  # symbols of what is not differentiated
    script: tuple[int, ...] = ()
    decisions: list[CaseDecision] = field(default_factory=list)
    known: dict[object, CaseDecision] = field(default_factory=dict)
    labels: set[Term] = field(default_factory=set)  # symbols of masks: positive or negative, never zero
    zeros: dict[Term, None] = field(default_factory=dict)  # terms that must not be zero
    lacking: dict[Term, None] = field(
        default_factory=dict
    )  # arguments of roots and logarithms out of their domain
    ops: Mapping[str, Callable[..., Any]] = field(default_factory=lambda: OPS)
    attributes: Mapping[str, Callable[[SymbolTensor], Any]] = field(default_factory=lambda: ATTRIBUTES)

    def decide(self, term: Term) -> int:
        if term.kind == "undefined":
            raise TermUndecidedError("a decision about what is not defined")
        algebra = self.algebra
        sign = algebra.sign(term)
        if sign is not None and (sign[0] or term.kind == "number"):
            if not sign[1] and term.kind != "number":
                self.zeros[term] = None
            return sign[0]
        if algebra.is_zero(term):
            return 0
        polynomial = self._polynomial(term)
        lead = next(iter(polynomial.values()))
        polynomial = {m: c / abs(lead) for m, c in polynomial.items()}
        turned = -1 if lead < 0 else 1
        key = frozenset((m, c * turned) for m, c in polynomial.items())
        decision = self.known.get(key)
        if decision is None:
            normal = {m: c * turned for m, c in polynomial.items()}
            decision = self._new(normal, term if turned > 0 else -term)
            self.known[key] = decision
        return decision.outcome * turned

    def _polynomial(self, term: Term) -> Polynomial:
        try:
            made = self.algebra.expand(term)
        except TermUndecidedError:
            made = {((term, 1),): Fraction(1)}
        self.algebra.check_time()
        return dict(sorted(made.items(), key=lambda item: [(t.index, k) for t, k in item[0]], reverse=True))

    def _new(self, polynomial: Polynomial, term: Term) -> CaseDecision:
        outcomes = [s for s in (1, -1) if not self._never(polynomial, s)]
        if not outcomes:
            raise TermUndecidedError("a case that cannot be")
        symbols = {t for t in self.algebra.below([term]) if t.kind == "symbol"}
        if len(outcomes) == 2 and symbols <= self.free and not symbols & self.labels:
            outcomes.append(0)  # what is given beside the inputs may be equal to what it is compared with
        at = sum(len(d.others) > 0 for d in self.decisions)
        open_ = len(outcomes) > 1
        if not open_ and not self._never(polynomial, -outcomes[0], strict=True):
            self.zeros[term] = None
        outcome = self.script[at] if open_ and at < len(self.script) else outcomes[0]
        decision = CaseDecision(polynomial, term, outcome, tuple(s for s in outcomes if s != outcome))
        self.decisions.append(decision)
        return decision

    def _never(self, polynomial: Polynomial, sign: int, strict: bool = False) -> bool:
        """Is it clear that a polynomial does not have this sign in this case?  Strictly: nor is zero."""
        held = [{m: d.outcome * c for m, c in d.polynomial.items()} for d in self.decisions if d.outcome]
        return _is_empty(self.algebra, [{m: sign * c for m, c in polynomial.items()}, *held], strict)

    def positive(self, term: Term, strict: bool) -> bool:
        sign = self.decide(term)
        if sign < 0 or (sign == 0 and strict):
            self.lacking[term] = None
            return False
        return True

    def divided(self, term: Term) -> None:
        """Every factor that may be zero is kept in mind."""
        if term.kind == "undefined":
            return
        for factor, _ in self.algebra.parts(term)[1]:
            sign = self.algebra.sign(factor)
            if factor.name == "sqrt" and factor.argument is not None:
                self.divided(factor.argument)
            elif sign is None or not sign[1]:
                polynomial = self._polynomial(factor)
                if not any(self._never(polynomial, s, strict=True) for s in (1, -1)):
                    self.zeros[factor] = None

    def excluded(self, defined: bool) -> Iterator[str]:
        """Where nothing is claimed, as text."""
        for d in self.decisions:
            if d.others and 0 not in (d.outcome, *d.others) and d.term not in self.labels:
                yield _relation(self.algebra, d.polynomial, "=")
        for term in self.zeros if defined else self.lacking:
            yield _relation(self.algebra, self._polynomial(term), "=" if defined else "<=")


def _relation(algebra: Algebra, polynomial: Polynomial, sign: str) -> str:
    """An equation or inequality with zero, with positive terms on both sides."""
    size = abs(next((c for m, c in polynomial.items() if m), Fraction(1)))
    polynomial = {m: c / size for m, c in polynomial.items()}
    items = sorted(polynomial.items(), key=lambda item: [(t.index, k) for t, k in item[0]])
    left = [(m, c) for m, c in items if m and c > 0]
    right = [(m, -c) for m, c in items if m and c < 0]
    constant = -polynomial.get((), Fraction(0))
    if not left:
        left, right, constant = right, left, -constant
        sign = {"<=": ">="}.get(sign, sign)
    return f"{algebra.sum_text(left)} {sign} {algebra.sum_text([*right, ((), constant)])}"


def _is_empty(algebra: Algebra, constraints: Sequence[Polynomial], strict: bool) -> bool:
    """Can it be seen that not all of these are positive?  By elimination, monomials taken as unknowns.

    Squares count as positive, although they may be zero, unless it has to be strict.
    """
    rows = [dict(row) for row in constraints]
    for monomial in {m for row in rows for m in row if m}:
        if _is_positive(algebra, monomial, strict):
            rows.append({monomial: Fraction(1)})
    while True:
        unknowns = [m for row in rows for m in row if m]
        if any(not [m for m in row if m] and row.get((), Fraction(0)) <= 0 for row in rows):
            return True
        if not unknowns or len(rows) > 120:
            return False
        algebra.check_time()
        chosen = min(set(unknowns), key=lambda m: (unknowns.count(m), [t.index for t, _ in m]))
        above = [row for row in rows if row.get(chosen, 0) > 0]
        below = [row for row in rows if row.get(chosen, 0) < 0]
        rows = [row for row in rows if chosen not in row]
        for a in above:
            for b in below:
                made = {
                    m: a.get(m, Fraction(0)) / a[chosen] - b.get(m, Fraction(0)) / b[chosen] for m in {*a, *b}
                }
                rows.append({m: c for m, c in made.items() if c})


def _is_positive(algebra: Algebra, monomial: Monomial, strict: bool) -> bool:
    signs = [(algebra.sign(t) or (0, False), k) for t, k in monomial]
    return all(
        (k % 2 == 0 and (sure or not strict)) or (s > 0 and (sure or not strict)) for (s, sure), k in signs
    )


@dataclass
class ProvedCase:
    """A case in which the rule is right: its conditions, outputs and gradients."""

    decisions: list[CaseDecision]
    outputs: list[list[Term]]
    grads: list[list[Term]]  # of the inputs at `places`


@dataclass
class ProvedRun:
    """The cases of all values of some tensors; elementwise, or of these shapes."""

    elementwise: bool
    shapes: dict[int, Shape]
    names: dict[int, list[str]]  # of the symbols of every argument that has some
    upstream: list[list[str]]
    cases: list[ProvedCase]
    order: list[Term]
    excluded: dict[str, None]
