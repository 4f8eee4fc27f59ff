"""Proof that the backward of a torch.autograd.Function is the derivative of its forward, for all real inputs.

Forward and backward are run on symbols, once for every outcome of their comparisons.  In each case the
derivative of sum(upstream * output) is taken symbolically and compared with what the rule returned; then rule
and proof are compared at random points.  A proof is about real numbers: rounding, overflow and other types
are not part of it, and a constant such as 0.7978845608028654 is read as the sqrt(2 / pi) that was meant.
Nothing is claimed at a kink, where the forward is not defined, and for other values of what `fixed` names.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from math import copysign, isfinite, prod
from random import Random
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .grids import Shape
from .invented_inputs import parameter_names
from .symbolic_ops import ATTRIBUTES, OPS
from .symbolic_tensors import MixedElementsError, SymbolTensor, torch_mode
from .symbolic_terms import Algebra, Monomial, Polynomial, Term, TermUndecidedError, float_values

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["Proof", "prove"]

MOST_CASES = 32
MOST_RUNS = 160  # with those whose forward is not defined
MOST_ELEMENTS = 36
POINTS = 20
CLOSE = 1e-6


@dataclass(frozen=True)
class Proof:
    """The claim that a backward is the derivative of its forward, and where it holds."""

    scope: str  # "elementwise": for tensors of any shape; "shapes": for those of `shapes`, and all values
    shapes: tuple[tuple[Shape, ...], ...]  # of all tensors, in each run of them
    inputs: tuple[str, ...]
    cases: int
    excluded: tuple[str, ...] = ()  # where nothing is claimed
    fixed: tuple[str, ...] = ()  # arguments that it is about one value of


class RuleRefutedError(Exception):
    """A case in which the backward is not the derivative."""


def prove(
    rule: type, arguments: Sequence[object], places: Sequence[int], seconds: float = 1.0
) -> Proof | None:
    """A proof for the differentiable tensors at `places` of a call; None where there is none."""
    deadline = monotonic() + seconds
    try:
        import numpy
        import torch

        with _undisturbed(torch):
            return _Prover(torch, numpy, rule, list(arguments), tuple(places), deadline).prove()
    except Exception:  # of the user's code on symbols, of a library that is not there, or of the time
        return None


@contextmanager
def _undisturbed(torch: ModuleType) -> Iterator[None]:
    """Whatever the rule draws or warns of leaves no trace, and gradients are recorded."""
    state = torch.default_generator.get_state()
    try:
        with warnings.catch_warnings(), torch.inference_mode(False), torch.enable_grad():
            warnings.simplefilter("ignore")
            yield
    finally:
        torch.default_generator.set_state(state)


# ---- cases ----------------------------------------------------------------------------------------


@dataclass
class Decision:
    """The sign that a term has in a case, by its normal form."""

    polynomial: Polynomial
    term: Term
    outcome: int
    others: tuple[int, ...]
    domain: bool


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
    decisions: list[Decision] = field(default_factory=list)
    known: dict[object, Decision] = field(default_factory=dict)
    divisors: dict[Term, None] = field(default_factory=dict)
    ops: Mapping[str, Callable[..., Any]] = field(default_factory=lambda: OPS)
    attributes: Mapping[str, Callable[[SymbolTensor], Any]] = field(default_factory=lambda: ATTRIBUTES)

    def decide(self, term: Term, domain: bool = False) -> int:
        if term.kind == "undefined":
            raise TermUndecidedError("a decision about what is not defined")
        algebra = self.algebra
        sign = algebra.sign(term)
        if sign is not None and (sign[0] or term.kind == "number"):
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
            decision = self._new(normal, term if turned > 0 else -term, domain)
            self.known[key] = decision
        return decision.outcome * turned

    def _polynomial(self, term: Term) -> Polynomial:
        try:
            made = self.algebra.expand(term)
        except TermUndecidedError:
            made = {((term, 1),): Fraction(1)}
        self.algebra.check_time()
        return dict(sorted(made.items(), key=lambda item: [(t.index, k) for t, k in item[0]], reverse=True))

    def _new(self, polynomial: Polynomial, term: Term, domain: bool) -> Decision:
        outcomes = [s for s in (1, -1) if not self._empty({m: s * c for m, c in polynomial.items()})]
        if not outcomes:
            raise TermUndecidedError("a case that cannot be")
        symbols = [t for t in self.algebra.below([term]) if t.kind == "symbol"]
        if not domain and len(outcomes) == 2 and all(t in self.free for t in symbols):
            outcomes.append(0)  # labels may be equal to what they are compared with
        at = sum(len(d.others) > 0 for d in self.decisions)
        free = len(outcomes) > 1
        outcome = self.script[at] if free and at < len(self.script) else outcomes[0]
        others = tuple(s for s in outcomes if s != outcome) if free else ()
        decision = Decision(polynomial, term, outcome, others, domain)
        self.decisions.append(decision)
        return decision

    def _empty(self, polynomial: Polynomial) -> bool:
        held = [{m: d.outcome * c for m, c in d.polynomial.items()} for d in self.decisions if d.outcome]
        return _is_empty(self.algebra, [polynomial, *held])

    def positive(self, term: Term, strict: bool) -> bool:
        if term.kind == "undefined":
            return False
        sign = self.decide(term, domain=True)
        return sign > 0 or (sign == 0 and not strict)

    def divided(self, term: Term) -> None:
        sign = self.algebra.sign(term) if term.kind != "undefined" else (0, True)
        if sign is None or not sign[1]:
            self.divisors[term] = None

    def excluded(self, defined: bool) -> Iterator[str]:
        """Where nothing is claimed, as text."""
        for d in self.decisions:
            if not d.domain and d.others and 0 not in (d.outcome, *d.others):
                yield _relation(self.algebra, d.polynomial, "=")
            elif d.domain and not defined and d.outcome < 0:
                yield _relation(self.algebra, d.polynomial, "<=")
        if defined:
            for term in self.divisors:
                yield _relation(self.algebra, self._polynomial(term), "=")


def _relation(algebra: Algebra, polynomial: Polynomial, sign: str) -> str:
    """An equation or inequality with zero, with positive terms on both sides."""
    left = [(m, c) for m, c in polynomial.items() if m and c > 0]
    right = [(m, -c) for m, c in polynomial.items() if m and c < 0]
    constant = -polynomial.get((), Fraction(0))
    if not left:
        left, right, constant = right, left, -constant
        sign = {"<=": ">="}.get(sign, sign)
    return f"{algebra.sum_text(left)} {sign} {algebra.sum_text([*right, ((), constant)])}"


def _without_repetitions(texts: Iterable[str]) -> tuple[str, ...]:
    """Each once, and no equation where an inequality says more."""
    found = dict.fromkeys(texts)
    return tuple(
        t for t in found if not {t.replace(" = ", " <= "), t.replace(" = ", " >= ")} & found.keys() - {t}
    )


def _is_empty(algebra: Algebra, constraints: Sequence[Polynomial]) -> bool:
    """Can it be seen that not all of these are positive?  By elimination, monomials taken as unknowns."""
    rows = [dict(row) for row in constraints]
    for monomial in {m for row in rows for m in row if m}:
        if _is_positive(algebra, monomial):
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


def _is_positive(algebra: Algebra, monomial: Monomial) -> bool:
    return all(k % 2 == 0 or (algebra.sign(t) or (0,))[0] > 0 for t, k in monomial)


# ---- a call of the rule on symbols ----------------------------------------------------------------


class _Context:
    """A ctx for running a rule on symbols."""

    def __init__(self, needed: Sequence[bool]) -> None:
        self.needs_input_grad = tuple(needed)
        self.saved_tensors: tuple[object, ...] = ()
        self.apart: list[object] = []

    def save_for_backward(self, *tensors: object) -> None:
        self.saved_tensors = tensors

    save_for_forward = save_for_backward

    def mark_dirty(self, *tensors: object) -> None: ...

    def mark_non_differentiable(self, *tensors: object) -> None:
        self.apart.extend(tensors)

    def set_materialize_grads(self, value: bool) -> None: ...


@dataclass
class ProvedCase:
    """A case in which the rule is right: its conditions, outputs and gradients."""

    decisions: list[Decision]
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


@dataclass
class _Prover:
    torch: ModuleType
    numpy: ModuleType
    rule: Any
    arguments: list[object]
    places: tuple[int, ...]
    deadline: float

    def prove(self) -> Proof | None:
        torch = self.torch
        tensors = {p: x for p, x in enumerate(self.arguments) if isinstance(x, torch.Tensor)}
        if not self.places or any(p not in tensors for p in self.places):
            return None
        if any(not (x.is_floating_point() or x.dtype == torch.bool) for x in tensors.values()):
            return None
        others = [x for p, x in enumerate(self.arguments) if p not in tensors]
        if not all(x is None or isinstance(x, (bool, int, float, str, torch.dtype)) for x in others):
            return None
        floats = [p for p, x in enumerate(self.arguments) if isinstance(x, float)]
        proof, held = None, list[int]()
        for numbers in [floats, []] if floats else [[]]:
            try:
                proof = self._proof(self.arguments, numbers)
            except RuleRefutedError:
                if not numbers:
                    raise
            except Exception:
                if not numbers or monotonic() > self.deadline:
                    raise
            if proof is not None:
                held = [p for p in floats if p not in numbers]
                break
        if proof is None:
            return None
        fixed = self._fixed(held)
        names = self._names()
        texts = [f"{names[p]} = {self.arguments[p]!r}" for p in fixed]
        return Proof(proof.scope, proof.shapes, proof.inputs, proof.cases, proof.excluded, tuple(texts))

    def _fixed(self, held: Sequence[int]) -> list[int]:
        """The arguments whose value matters to the proof; RuleRefutedError where it holds for one only."""
        fixed = []
        for p, x in enumerate(self.arguments):
            if isinstance(x, bool):
                values: list[object] = [not x]
            elif isinstance(x, int):
                values = [x + 1, x - 1]
            elif p in held and isinstance(x, float):
                values = [1.5 * x + 0.01, 0.5 * x]
            else:
                values = []
                if isinstance(x, str):
                    fixed.append(p)
            proved = 0
            for value in values:
                changed = list(self.arguments)
                changed[p] = value
                numbers = [q for q, y in enumerate(self.arguments) if isinstance(y, float) and q not in held]
                try:
                    proved += self._proof(changed, numbers) is not None
                except RuleRefutedError:
                    raise
                except Exception:
                    if monotonic() > self.deadline:
                        raise
            if values and not (isinstance(x, bool) and proved):
                fixed.append(p)
        return fixed

    def _names(self) -> list[str]:
        return list(parameter_names(self.rule.forward, len(self.arguments), self._takes_ctx()))

    def _takes_ctx(self) -> bool:
        return bool(self.rule.setup_context is self.torch.autograd.Function.setup_context)

    # ---- modes -----------------------------------------------------------------------------

    def _proof(self, arguments: Sequence[object], numbers: Sequence[int]) -> Proof | None:
        tensors = {p: tuple(x.shape) for p, x in enumerate(arguments) if isinstance(x, self.torch.Tensor)}
        sized = {shape for p, shape in tensors.items() if shape or p in self.places}
        runs = []
        if len(sized) == 1:
            try:
                runs.append(self._run(arguments, numbers, tensors, elementwise=True))
            except MixedElementsError:
                runs = []
        if not runs:
            for lengths in ((2, 3, 4), (3, 2, 4)):
                small = _small_shapes(tensors, lengths)
                if sum(prod(shape) for shape in small.values()) > MOST_ELEMENTS:
                    return None
                if not any(run.shapes == small for run in runs):
                    runs.append(self._run(arguments, numbers, small, elementwise=False))
        for run in runs:
            _Sampling(self, arguments, numbers, run).check()
        elementwise = runs[0].elementwise
        names = self._names()
        return Proof(
            "elementwise" if elementwise else "shapes",
            () if elementwise else tuple(tuple(run.shapes.values()) for run in runs),
            tuple(names[p] for p in self.places),
            max(len(run.cases) for run in runs),
            _without_repetitions(text for run in runs for text in run.excluded),
        )

    def _run(
        self, arguments: Sequence[object], numbers: Sequence[int], shapes: dict[int, Shape], elementwise: bool
    ) -> ProvedRun:
        """Every case of symbols in the place of tensors of these shapes."""
        algebra = Algebra(self.deadline)
        labels = self._names()
        names: dict[int, list[str]] = {}
        for p, shape in shapes.items():
            places = [()] if elementwise or not shape else list(self.numpy.ndindex(*shape))
            names[p] = [labels[p] + (f"[{', '.join(map(str, k))}]" if k else "") for k in places]
        for p in numbers:
            names[p] = [labels[p]]
            number: Any = arguments[p]
            if number:
                algebra.supposed[labels[p]] = 1 if number > 0 else -1
        free = frozenset(algebra.symbol(s) for p in names if p not in self.places for s in names[p])
        made = ProvedRun(elementwise, shapes, names, [], [], [], {})
        waiting: list[tuple[int, ...]] = [()]
        count = 0
        example: Any = arguments[self.places[0]]
        while waiting:
            count += 1
            if count > MOST_RUNS or len(made.cases) > MOST_CASES:
                raise TermUndecidedError("too many cases")
            script = waiting.pop()
            run = ProofRun(
                algebra, self.torch, self.numpy, elementwise, example.dtype, example.device, free, script
            )
            with torch_mode(run):
                case = self._case(run, arguments, made)
            chosen = [d for d in run.decisions if d.others]
            for k in range(len(script), len(chosen)):
                before = tuple(d.outcome for d in chosen[:k])
                waiting.extend((*before, other) for other in chosen[k].others)
            made.excluded.update(dict.fromkeys(run.excluded(case is not None)))
            if case is not None:
                made.cases.append(case)
        for name, sign in algebra.used.items():
            made.excluded[f"{name} {'<=' if sign > 0 else '>='} 0"] = None
        if not made.cases:
            raise TermUndecidedError("no case in which the forward is defined")
        needed = [t for c in made.cases for row in (*c.outputs, *c.grads) for t in row]
        made.order = algebra.below([*needed, *(d.term for c in made.cases for d in c.decisions)])
        return made

    def _tensor(self, run: ProofRun, names: Sequence[str], shape: Shape, argument: object) -> SymbolTensor:
        terms = self.numpy.empty(len(names), dtype=object)
        terms[:] = [run.algebra.symbol(name) for name in names]
        if getattr(argument, "dtype", None) == self.torch.bool:
            terms[:] = [run.algebra.rational(run.decide(t) > 0) for t in terms]
            boolean = True
        else:
            boolean = False
        spread = run.elementwise and bool(shape or argument is None)
        return SymbolTensor(run, terms.reshape(() if run.elementwise else shape), boolean, spread)

    def _case(self, run: ProofRun, arguments: Sequence[object], made: ProvedRun) -> ProvedCase | None:
        """The rule in one case; None where its forward is not defined."""
        algebra, given = run.algebra, list(arguments)
        for p, names in made.names.items():
            if p in made.shapes:
                given[p] = self._tensor(run, names, made.shapes[p], arguments[p])
                given[p].spread |= run.elementwise and p in self.places  # type: ignore[attr-defined]
            else:
                given[p] = self._tensor(run, names, (), 0.0)
                given[p].number = True  # type: ignore[attr-defined]
        ctx = _Context([p in self.places for p in range(len(given))])
        if self._takes_ctx():
            results = self.rule.forward(ctx, *given)
        else:
            results = self.rule.forward(*given)
            self.rule.setup_context(ctx, tuple(given), results)
        outputs = list(results) if isinstance(results, (tuple, list)) else [results]
        if not all(type(out) is SymbolTensor and not out.number for out in outputs):
            raise TermUndecidedError("an output that is no tensor of symbols")
        if run.elementwise and not all(out.spread for out in outputs):
            raise MixedElementsError
        values = [list(out.terms.reshape(-1)) for out in outputs]
        if any(t.kind == "undefined" for row in values for t in row):
            return None
        upstream, seeds, rows = [], list[tuple[Term, Term]](), []
        for o, (out, terms) in enumerate(zip(outputs, values, strict=True)):
            names = [f"upstream{o}[{k}]" for k in range(len(terms))]
            rows.append(names)
            if out.boolean or any(out is x for x in ctx.apart):
                upstream.append(SymbolTensor(run, _zeros(run, out), spread=out.spread))
                continue
            symbols = [algebra.symbol(name) for name in names]
            seeds += zip(terms, symbols, strict=True)
            array = self.numpy.empty(len(symbols), dtype=object)
            array[:] = symbols
            upstream.append(SymbolTensor(run, array.reshape(out.terms.shape), spread=out.spread))
        if made.upstream and made.upstream != rows:
            raise TermUndecidedError("shapes of the outputs that depend on the case")
        made.upstream = rows
        backward = self.rule.backward
        if self.rule.vjp is not self.torch.autograd.Function.vjp:
            backward = self.rule.vjp
        found = backward(ctx, *upstream)
        grads = list(found) if isinstance(found, (tuple, list)) else [found]
        if len(grads) < len(given) or any(x is not None for x in grads[len(given) :]):
            raise TermUndecidedError("another number of gradients")
        truth = algebra.gradients(seeds)
        right = []
        for p in self.places:
            due = [truth.get(algebra.symbol(name), algebra.zero) for name in made.names[p]]
            for got, expected in zip(self._gradient(run, grads[p], made.shapes[p]), due, strict=True):
                if got.kind == "undefined" or not algebra.is_zero(got - expected):
                    raise RuleRefutedError
            right.append(due)
        return ProvedCase(list(run.decisions), values, right)

    def _gradient(self, run: ProofRun, grad: Any, shape: Shape) -> list[Term]:
        """The elements of what the rule returned; where it is larger, PyTorch takes the sum."""
        if grad is None:
            return [run.algebra.zero] * (1 if run.elementwise else prod(shape))
        if type(grad) is not SymbolTensor:
            raise TermUndecidedError("a gradient without symbols")
        if run.elementwise:
            if not grad.spread:
                raise MixedElementsError
            return list(grad.terms.reshape(-1))
        terms = grad.terms
        while terms.ndim > len(shape):
            terms = terms.sum(axis=0)
            terms = terms if isinstance(terms, self.numpy.ndarray) else self.numpy.array(terms, dtype=object)
        for axis, length in enumerate(shape):
            if terms.ndim == len(shape) and length == 1 != terms.shape[axis]:
                terms = terms.sum(axis=axis, keepdims=True)
        if terms.shape != shape:
            raise RuleRefutedError
        return list(terms.reshape(-1))


def _zeros(run: ProofRun, like: SymbolTensor) -> Any:
    return run.numpy.full(like.terms.shape, run.algebra.zero, dtype=object)


def _small_shapes(shapes: dict[int, Shape], lengths: Sequence[int]) -> dict[int, Shape]:
    """The same pattern of equal lengths, with small ones in the order in which they are met."""
    small = {0: 0, 1: 1}
    for shape in shapes.values():
        for length in shape:
            if length not in small:
                small[length] = lengths[min(len(small) - 2, len(lengths) - 1)]
    return {p: tuple(small[length] for length in shape) for p, shape in shapes.items()}


# ---- random points --------------------------------------------------------------------------------


@dataclass
class _Sampling:
    """The rule itself beside the proof, at random points: any disagreement is an error."""

    prover: _Prover
    arguments: Sequence[object]
    numbers: Sequence[int]
    run: ProvedRun

    def check(self) -> None:
        random, seen = Random(5), 0
        for k in range(3 * POINTS):
            if monotonic() > self.prover.deadline:
                raise TermUndecidedError("time")
            seen += self._point(random, k)
            if k + 1 >= POINTS and seen >= POINTS:
                return
        raise TermUndecidedError("too few points at which the forward is defined")

    def _draw(self, random: Random, k: int, p: int) -> float:
        """Small and large, of both signs or positive; zeros and ones where it may be a label."""
        argument: Any = self.arguments[p]
        if p in self.numbers:
            moved = float(argument * random.uniform(0.6, 1.6) + copysign(random.uniform(0.0, 0.1), argument))
            return float(argument) if k % 2 else moved
        if argument.dtype == self.prover.torch.bool or (p not in self.prover.places and k % 4 == 3):
            return float(random.random() < 0.5)
        drawn = random.gauss(0.0, (0.5, 1.0, 3.0, 8.0)[k % 4])
        return abs(drawn) + 0.01 if k % 3 == 2 else drawn

    def _point(self, random: Random, k: int) -> int:
        torch, run = self.prover.torch, self.run
        shapes = run.shapes
        if run.elementwise:
            whole = ((5,), (2, 3), (2, 1, 2))[k % 3]
            shapes = {p: whole if shape or p in self.prover.places else () for p, shape in run.shapes.items()}
        given, drawn = list(self.arguments), dict[int, list[float]]()
        leaves: list[Tensor] = []
        for p in run.names:
            shape = shapes.get(p, ())
            drawn[p] = [self._draw(random, k, p) for _ in range(prod(shape))]
            if p in self.numbers:
                given[p] = drawn[p][0]
                continue
            argument: Any = self.arguments[p]
            boolean = argument.dtype == torch.bool
            tensor = torch.tensor(drawn[p], dtype=torch.bool if boolean else torch.float64).reshape(shape)
            given[p] = tensor
            if p in self.prover.places:
                leaves.append(tensor.requires_grad_())
                given[p] = tensor.clone()
        made = self.prover.rule.apply(*given)
        outputs = list(made) if isinstance(made, (tuple, list)) else [made]
        upstream = [[random.gauss(0.0, 1.0) for _ in range(out.numel())] for out in outputs]
        seeds = [torch.tensor(row, dtype=torch.float64) for row in upstream]
        pairs = [(out, seed) for out, seed in zip(outputs, seeds, strict=True) if out.requires_grad]
        total = sum((out * seed.reshape(out.shape)).sum() for out, seed in pairs)
        grads = torch.autograd.grad(total, leaves, allow_unused=True)
        found = [
            [0.0] * leaf.numel() if g is None else g.reshape(-1).tolist()
            for g, leaf in zip(grads, leaves, strict=True)
        ]
        values = [out.detach().reshape(-1).tolist() for out in outputs]
        if not run.elementwise:
            return self._compare(self._symbols(drawn, upstream), values, found)
        if any(len(row) != len(found[0]) for row in values):
            raise RuleRefutedError
        return sum(
            self._compare(
                self._symbols(
                    {p: [row[e % len(row)]] for p, row in drawn.items()}, [[row[e]] for row in upstream]
                ),
                [[row[e]] for row in values],
                [[row[e]] for row in found],
            )
            for e in range(len(found[0]))
        )

    def _symbols(
        self, drawn: dict[int, list[float]], upstream: Sequence[Sequence[float]]
    ) -> dict[str, float]:
        symbols = {s: x for p, row in drawn.items() for s, x in zip(self.run.names[p], row, strict=True)}
        if [len(row) for row in upstream] != [len(row) for row in self.run.upstream]:
            raise RuleRefutedError
        for names, row in zip(self.run.upstream, upstream, strict=True):
            symbols |= zip(names, row, strict=True)
        return symbols

    def _compare(
        self, symbols: dict[str, float], outputs: Sequence[Sequence[float]], grads: Sequence[Sequence[float]]
    ) -> int:
        """1 where rule and proof were compared at this point; RuleRefutedError where they differ."""
        if not all(isfinite(x) for row in outputs for x in row):
            return 0
        for name in symbols:  # a mask is true where its symbol is positive
            symbols[name] = float(symbols[name])
        values = float_values(self.run.order, symbols)
        held = [case for case in self.run.cases if self._holds(case, values)]
        if not held:
            if any(abs(values[d.term]) < CLOSE for case in self.run.cases for d in case.decisions):
                return 0  # at a kink
            raise RuleRefutedError
        for case in held:
            for got, due in zip(_joined(outputs), _joined(case.outputs), strict=True):
                _agree(got, values[due])
            for got, due in zip(_joined(grads), _joined(case.grads), strict=True):
                _agree(got, values[due])
        return 1

    @staticmethod
    def _holds(case: ProvedCase, values: dict[Term, float]) -> bool:
        return all(
            values[d.term] * d.outcome > 0.0 if d.outcome else values[d.term] == 0.0 for d in case.decisions
        )


def _joined(rows: Iterable[Iterable[Any]]) -> Iterator[Any]:
    return (x for row in rows for x in row)


def _agree(got: float, due: float) -> None:
    if isfinite(due) and not abs(got - due) <= CLOSE * (1.0 + abs(due)):
        raise RuleRefutedError
