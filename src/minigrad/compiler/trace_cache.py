"""Cache of what was traced for one program, and the search for the variant that a call can use.

The variants of the structure at hand are run one after the other, the one used last first, until the guards
of one hold.  If none does, the function is traced with these arguments.  Numbers of a broken guard are never
returned.  Where tracing cannot help, the function is to be run as it stands: slow, and right.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import RLock
from typing import TYPE_CHECKING

from ..scalar import Value, _node
from ..text.translation import say
from .structure import Branch, Parts, take_apart
from .variants import MOST, CompileSettings, Variant, VariantCase

if TYPE_CHECKING:
    from .numpy_loader import Doubles

__all__ = ["TraceCache", "VariantRun", "Wish"]

Wish = Callable[[Variant], Sequence[int]]  # of a variant, the inputs whose gradients a call wants


@dataclass(slots=True)
class VariantRun:
    """A variant whose guards hold, what it was run on, and what it gave."""

    variant: Variant
    shared: Doubles
    values: list[float]
    gradients: Doubles

    def nodes(self, children: list[Value], given: Sequence[int]) -> list[Value]:
        """The outputs as Values: each one node above the Values that went in and those that f captured.

        `given` are the inputs that are Values of the arguments.
        """
        if not children:
            return [Value(x, requires_grad=False) for x in self.values]
        if len(self.values) == 1:
            slopes = tuple(self.gradients.tolist())
            return [_node(children[0], self.values[0], tuple(children), slopes, "compiled")]
        wanted = (*given, *self.variant.learnt)
        return [self._node_of(k, children, wanted) for k in range(len(self.values))]

    def _node_of(self, k: int, children: list[Value], wanted: Sequence[int]) -> Value:
        """One of several outputs: its local gradients are computed when a pass comes by, and only then."""
        node = Value(self.values[k], children, "compiled")
        known: list[float] = []

        def rule() -> None:
            if not known:
                prepared = self.variant.prepared(wanted, output=k)
                outputs, _ = prepared.run(self.shared)
                known.extend(outputs[prepared.plan.parts[0] :].tolist())
            for child, local in zip(children, known, strict=True):
                if child.requires_grad:
                    child.grad += local * node.grad

        node._backward = rule
        return node


class TraceCache:
    """The variants of one program, by the structure of the arguments."""

    def __init__(
        self,
        f: Callable[..., object] | None,
        root: tuple[Value, Sequence[object]] | None,
        settings: CompileSettings,
        name: str,
    ) -> None:
        self.f, self.root, self.settings, self.name = f, root, settings, name
        self.cases: dict[tuple[Branch, str], VariantCase] = {}
        self.last: Variant | None = None  # the one that was used last
        self.tracing = RLock()  # a function is traced by one thread at a time

    def variants(self) -> list[Variant]:
        return [variant for case in list(self.cases.values()) for variant in case.variants]

    def case(self, tree: Branch, kinds: str) -> VariantCase:
        found = self.cases.get((tree, kinds))
        return self.cases.setdefault((tree, kinds), VariantCase()) if found is None else found

    def fitting(self, tree: Branch, kinds: str) -> str:
        """The kinds to look for: where there is no function to trace, integers may be taken for numbers."""
        if self.f is not None:
            return kinds
        if self.root is not None:
            return "f" * len(kinds)
        for (known_tree, known), case in list(self.cases.items()):
            alike = known_tree == tree and len(known) == len(kinds) and case.variants
            if alike and all(a == b or (a, b) == ("i", "f") for a, b in zip(kinds, known, strict=True)):
                return known
        return kinds

    def find(self, parts: Parts, wish: Wish) -> VariantRun | None:
        """The variant for these arguments, run; None where f is to be run as it stands."""
        case = self.case(parts.tree, parts.kinds)
        if case.given_up:
            return None
        traces = case.traces
        found = self._try(case, parts, wish)
        if found is not None:
            return found
        if self.f is None and self.root is None:
            raise self.unknown(case, parts.numbers)
        with self.tracing:
            if case.traces != traces:  # another thread has traced in the meantime
                found = self._try(case, parts, wish)
                if found is not None:
                    return found
            if case.traces >= MOST:
                self.give_up(case)
                return None
            variant = self.trace(case, parts.given())
            found = self._run(case, variant, parts, wish)
            if found is not None:  # else fast functions, near a tie, went another way than f did
                case.add(variant)
            return found

    def _try(self, case: VariantCase, parts: Parts, wish: Wish) -> VariantRun | None:
        for variant in case.variants:
            if self.current(case, variant):
                found = self._run(case, variant, parts, wish)
                if found is not None:
                    case.used(variant)
                    return found
        return None

    def _run(self, case: VariantCase, variant: Variant, parts: Parts, wish: Wish) -> VariantRun | None:
        """What a variant gives for these arguments; None where it does not hold for them."""
        shared = variant.shared(parts.numbers)
        if not variant.in_range(shared):
            return None
        prepared = variant.prepared(wish(variant))
        outputs, _ = prepared.run(shared)
        values, guards, _ = prepared.plan.parts
        if guards:
            broken = variant.broken(outputs[values : values + guards])
            if broken >= 0:
                case.broken[variant.traced.scalars.guards[broken].where] += 1
                return None
        self.last = variant
        return VariantRun(variant, shared, outputs[:values].tolist(), outputs[values + guards :])

    def current(self, case: VariantCase, variant: Variant) -> bool:
        """Whether what f captured is as it was when it was traced; else the variant is dropped."""
        changed = variant.traced.changed()
        if changed:
            case.drop(variant)
            case.broken[changed] += 1
        return not changed

    def trace(self, case: VariantCase, args: Sequence[object]) -> Variant:
        """A new variant: f, traced with these arguments."""
        from . import tracing

        if self.root is not None:
            value, inputs = self.root
            parts = take_apart(inputs)
            traced = replace(tracing.trace_graph(value, parts.values), arguments=parts.tree)
        elif self.f is not None:
            traced = tracing.trace_function(self.f, tuple(args))
        else:
            raise ValueError(say("compile.no_function", name=self.name))
        case.traces += 1
        return Variant(traced, self.settings)

    def give_up(self, case: VariantCase) -> None:
        """Run f as it stands from now on, and say why."""
        case.given_up = True
        line = next((line for line, _ in case.broken.most_common(1)), "?")
        message = say("compile.given_up", name=self.name, count=MOST, line=line)
        warnings.warn(message, RuntimeWarning, stacklevel=4)

    def unknown(self, case: VariantCase, numbers: Sequence[float]) -> Exception:
        """Why a program that was read from a file cannot be asked this."""
        if not case.variants:
            return ValueError(say("compile.loaded.structure", name=self.name))
        if all(not variant.in_range(variant.shared(numbers)) for variant in case.variants):
            rows = int(min(count for variant in case.variants for count in variant.counts))
            return IndexError(say("compile.loaded.index", name=self.name, rows=rows))
        line = next((line for line, _ in case.broken.most_common(1)), "?")
        return ValueError(say("compile.loaded.guard", name=self.name, line=line))
