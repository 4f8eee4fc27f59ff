"""Proof that the backward of a torch.autograd.Function is the derivative of its forward, for all real inputs.

Forward and backward are run on symbols, once for every outcome of their comparisons.  In each case the
derivative of sum(upstream * output) is taken symbolically and compared with what the rule returned; then rule
and proof are compared at random points.  A proof is about real numbers: rounding, overflow and other types
are not part of it, and a constant such as 0.7978845608028654 is read as the sqrt(2 / pi) that was meant.
Nothing is claimed at a kink, where the forward is not defined, and for other values of what `fixed` names.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import prod
from time import monotonic
from types import ModuleType
from typing import Any

from .grids import Shape
from .invented_inputs import parameter_names
from .proof_cases import ProofRun, ProvedCase, ProvedRun, RuleRefutedError
from .proof_samples import RuleSamples, check_differences
from .symbolic_tensors import MixedElementsError, SymbolTensor, torch_mode
from .symbolic_terms import Algebra, Term, TermUndecidedError
from .torch_rules import one_thread

__all__ = ["Proof", "prove"]

MOST_CASES = 32
MOST_RUNS = 160  # with those whose forward is not defined
MOST_ELEMENTS = 36


@dataclass(frozen=True)
class Proof:
    """The claim that a backward is the derivative of its forward, and where it holds."""

    scope: str  # "elementwise": for tensors of any shape; "shapes": for those of `shapes`, and all values
    shapes: tuple[tuple[Shape, ...], ...]  # of all tensors, in each run of them
    inputs: tuple[str, ...]
    cases: int
    excluded: tuple[str, ...] = ()  # where nothing is claimed
    fixed: tuple[str, ...] = ()  # arguments that it is about one value of


def prove(
    rule: type, arguments: Sequence[object], places: Sequence[int], seconds: float = 1.0
) -> Proof | None:
    """A proof for the differentiable tensors at `places` of a call; None where there is none."""
    deadline = monotonic() + seconds
    try:
        import numpy
        import torch

        with one_thread(), _undisturbed(torch):
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


# ---- a call of the rule on symbols ----------------------------------------------------------------


class _Context:
    """A ctx for running a rule on symbols."""

    def __init__(self, needed: Sequence[bool]) -> None:
        self.needs_input_grad = tuple(needed)
        self.saved_tensors: tuple[object, ...] = ()
        self.apart: list[object] = []
        self.dirty: list[object] = []

    def save_for_backward(self, *tensors: object) -> None:
        self.saved_tensors = tensors

    save_for_forward = save_for_backward

    def mark_dirty(self, *tensors: object) -> None:
        self.dirty.extend(tensors)

    def mark_non_differentiable(self, *tensors: object) -> None:
        self.apart.extend(tensors)

    def set_materialize_grads(self, value: bool) -> None: ...


class _TermsBefore:
    """Symbolic tensors as they are now, to see whether a rule writes into them."""

    def __init__(self, tensors: Sequence[object]) -> None:
        self.kept = [(x, list(x.terms.reshape(-1))) for x in tensors if type(x) is SymbolTensor]

    def check(self, allowed: Sequence[object]) -> None:
        for tensor, terms in self.kept:
            changed = any(a is not b for a, b in zip(terms, tensor.terms.reshape(-1), strict=True))
            if changed and not any(tensor is x for x in allowed):
                raise TermUndecidedError("a tensor that is not the rule's own is changed")


@dataclass
class _SymbolicCall:
    """A forward on symbols."""

    ctx: _Context
    given: list[object]
    outputs: list[SymbolTensor]


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
        return replace(proof, fixed=tuple(texts))

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
            RuleSamples(self.rule, arguments, self.places, numbers, run, self.deadline).check()
        for shapes in (tensors, _small_shapes(tensors, (4, 5, 3))):
            check_differences(self.rule, arguments, self.places, shapes, self.deadline)
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
                algebra, self.torch, self.numpy, elementwise, self.torch.float64, example.device, free, script
            )
            with torch_mode(run), self.torch.no_grad():
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
            run.labels.update(terms)
            terms[:] = [run.algebra.rational(run.decide(t) > 0) for t in terms]
            boolean = True
        else:
            boolean = False
        spread = run.elementwise and bool(shape or argument is None)
        return SymbolTensor(run, terms.reshape(() if run.elementwise else shape), boolean, spread)

    def _case(self, run: ProofRun, arguments: Sequence[object], made: ProvedRun) -> ProvedCase | None:
        """The rule in one case; None where its forward is not defined.

        Other things between forward and backward, a second backward and gradients that only some inputs need
        must not matter.
        """
        algebra = run.algebra
        call = self._forward(run, arguments, made, self.places)
        values = [list(out.terms.reshape(-1)) for out in call.outputs]
        if any(t.kind == "undefined" for row in values for t in row):
            return None
        upstream, seeds = self._upstream(run, call, made)
        truth = algebra.gradients(seeds)
        right = {p: [truth.get(algebra.symbol(s), algebra.zero) for s in made.names[p]] for p in self.places}
        self._forward_elsewhere(arguments)
        needed: list[Sequence[int]] = [self.places, self.places]
        needed += [(p,) for p in self.places] if len(self.places) > 1 else []
        for k, places in enumerate(needed):
            if k > 1:
                call = self._forward(run, arguments, made, places)
            grads = self._pull(call, upstream)
            for p in places:
                found = self._gradient(run, grads[p], made.shapes[p])
                for got, expected in zip(found, right[p], strict=True):
                    if got.kind == "undefined" or not algebra.is_zero(got - expected):
                        raise RuleRefutedError
        return ProvedCase(list(run.decisions), values, list(right.values()))

    def _forward(
        self, run: ProofRun, arguments: Sequence[object], made: ProvedRun, needed: Sequence[int]
    ) -> _SymbolicCall:
        given = list(arguments)
        for p, names in made.names.items():
            if p in made.shapes:
                tensor = self._tensor(run, names, made.shapes[p], arguments[p])
                tensor.spread |= run.elementwise and p in self.places
                tensor.requires_grad = p in needed
            else:
                tensor = self._tensor(run, names, (), 0.0)
                tensor.number = True
            given[p] = tensor
        before = _TermsBefore(given)
        ctx = _Context([p in needed for p in range(len(given))])
        results = self._run_forward(ctx, given)
        outputs = list(results) if isinstance(results, (tuple, list)) else [results]
        if not all(type(out) is SymbolTensor and not out.number for out in outputs):
            raise TermUndecidedError("an output that is no tensor of symbols")
        if run.elementwise and not all(out.spread for out in outputs):
            raise MixedElementsError
        before.check(ctx.dirty)
        return _SymbolicCall(ctx, given, outputs)

    def _run_forward(self, ctx: _Context, given: Sequence[object]) -> Any:
        if self._takes_ctx():
            return self.rule.forward(ctx, *given)
        results = self.rule.forward(*given)
        self.rule.setup_context(ctx, tuple(given), results)
        return results

    def _forward_elsewhere(self, arguments: Sequence[object]) -> None:
        """Another call, with numbers: a rule that keeps its tensors outside of ctx loses them."""
        with self.torch._C.DisableTorchFunction():
            given = [
                0.5 * x.detach() + 0.1 if isinstance(x, self.torch.Tensor) and x.is_floating_point() else x
                for x in arguments
            ]
            self._run_forward(_Context([p in self.places for p in range(len(given))]), given)

    def _upstream(
        self, run: ProofRun, call: _SymbolicCall, made: ProvedRun
    ) -> tuple[list[SymbolTensor], list[tuple[Term, Term]]]:
        """The upstream gradients as tensors, and each element of the outputs with its own."""
        upstream, seeds, rows = [], list[tuple[Term, Term]](), []
        for o, out in enumerate(call.outputs):
            names = [f"upstream{o}[{k}]" for k in range(out.terms.size)]
            rows.append(names)
            terms = self.numpy.full(out.terms.size, run.algebra.zero, dtype=object)
            if not out.boolean and not any(out is x for x in call.ctx.apart):
                terms[:] = [run.algebra.symbol(name) for name in names]
                seeds += zip(out.terms.reshape(-1), terms, strict=True)
            upstream.append(SymbolTensor(run, terms.reshape(out.terms.shape), spread=out.spread))
        if made.upstream and made.upstream != rows:
            raise TermUndecidedError("shapes of the outputs that depend on the case")
        made.upstream = rows
        return upstream, seeds

    def _pull(self, call: _SymbolicCall, upstream: Sequence[SymbolTensor]) -> list[object]:
        before = _TermsBefore([*upstream, *call.given])
        backward = self.rule.backward
        if self.rule.vjp is not self.torch.autograd.Function.vjp:
            backward = self.rule.vjp
        found = backward(call.ctx, *upstream)
        grads = list(found) if isinstance(found, (tuple, list)) else [found]
        if len(grads) < len(call.given) or any(x is not None for x in grads[len(call.given) :]):
            raise TermUndecidedError("another number of gradients")
        before.check(())
        return grads

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


def _small_shapes(shapes: dict[int, Shape], lengths: Sequence[int]) -> dict[int, Shape]:
    """The same pattern of equal lengths, with small ones in the order in which they are met."""
    small = {0: 0, 1: 1}
    for shape in shapes.values():
        for length in shape:
            if length not in small:
                small[length] = lengths[min(len(small) - 2, len(lengths) - 1)]
    return {p: tuple(small[length] for length in shape) for p, shape in shapes.items()}


def _without_repetitions(texts: Iterable[str]) -> tuple[str, ...]:
    """Each once, and no equation where an inequality says more."""
    found = dict.fromkeys(texts)
    return tuple(
        t for t in found if not {t.replace(" = ", " <= "), t.replace(" = ", " >= ")} & found.keys() - {t}
    )
