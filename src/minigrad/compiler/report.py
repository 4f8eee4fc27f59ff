"""Report on a compiled function: how many nodes became how many vector instructions, and which.

`program.explain(...)` gives a `Compiled`, and so does `program.batched(...).explain(...)`; print it, or take
its parts.  It reads plans and computes no number of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ..text.escape import printable
from ..text.numerals import counted
from ..text.page import Page, Result, markdown_of
from ..text.translation import say, speaking
from .call_arguments import Argnums, inputs_of, one_number
from .plan import LANES, Chain, Instruction, LaneSum, Map, Most, Plan, Put, Take, accesses_of
from .program_text import instruction_text, show
from .scalars import Scalars
from .variants import Variant

if TYPE_CHECKING:
    from .program import Program

__all__ = ["Compiled"]


class Compiled(Result):
    """One variant of a program: its passes, its instructions, its guards."""

    def __init__(
        self,
        program: Program,
        variant: Variant,
        argnums: Argnums | None = None,
        lanes: frozenset[int] = frozenset(),
    ) -> None:
        self.program, self.variant, self.argnums = program, variant, argnums
        self.lanes = lanes  # the inputs of which each sample of a batch has its own
        self.traced = variant.traced
        if argnums is not None:
            one_number(self.traced, "explain")

    @cached_property
    def passes(self) -> list[tuple[str, int, int]]:
        """After each pass: its name, how many nodes (or instructions) there are, how many shapes of them."""
        from .pipeline import plan_of

        found = [("trace", len(self.traced.scalars), len(set(self.traced.scalars.ops)))]

        def watch(name: str, state: Scalars | Plan) -> None:
            if isinstance(state, Scalars):
                found.append((name, len(state), len(set(state.ops))))
            else:
                every = state.instructions
                found.append((name, len(every), len({kernel_of(one) for one in every})))

        wanted = inputs_of(self.traced, self.argnums)
        plan_of(self.traced.scalars, self.lanes, wanted, watch=watch)
        return found

    def after(self, name: str, lang: str | None = None) -> str:
        """The program as text, as the pass of that name leaves it; "trace" is the one before all of them."""
        from .pipeline import plan_of

        with speaking(lang):
            texts = {"trace": show(self.traced.scalars)}

            def watch(done: str, state: Scalars | Plan) -> None:
                if done == name:
                    texts[done] = show(state)

            wanted = inputs_of(self.traced, self.argnums)
            plan_of(self.traced.scalars, self.lanes, wanted, watch=watch)
            if name not in texts:
                known = ", ".join(name for name, _, _ in self.passes)
                raise ValueError(say("compile.explain.no_pass", given=printable(name), known=known))
            return texts[name]

    @property
    def plan(self) -> Plan:
        """The instructions that are explained."""
        return self.variant.prepared(inputs_of(self.traced, self.argnums), self.lanes).plan

    @property
    def nodes(self) -> int:
        """How many nodes f made."""
        return self.traced.nodes or len(self.traced.scalars)

    @property
    def instructions(self) -> int:
        return len(self.plan.instructions)

    @property
    def memory(self) -> int:
        """Bytes of all cells of a single call, or of the shared ones and those of one sample."""
        return sum(self.plan.cells) * (4 if self.program.dtype == "float32" else 8)

    # ---- as text ------------------------------------------------------------------------

    def sections(self, page: Page) -> Iterator[tuple[str, list[str]]]:
        """The title and the lines of each part."""
        yield say("compile.explain.title", name=printable(self.program.__name__)), [*self._summary(page)]
        yield say("compile.explain.passes"), [*self._passes(page)]
        yield say("compile.explain.instructions"), [*self._table(page)]
        yield say("compile.explain.legend"), page.wrap(say("compile.explain.legend.text"))
        if self.traced.scalars.guards:
            yield say("compile.explain.guards"), [*self._guards()]

    def _summary(self, page: Page) -> Iterator[str]:
        plan, counts = self.plan, {"nodes": counted(self.nodes), "count": counted(self.instructions)}
        if self.argnums is None:
            yield from page.wrap(say("compile.explain.summary", **counts))
        else:
            which = self.argnums if isinstance(self.argnums, int) else ", ".join(map(str, self.argnums))
            yield from page.wrap(say("compile.explain.summary.gradient", **counts, argnums=which))
        shared, lanes = map(counted, plan.cells)
        known = {"constants": counted(len(plan.constants)), "memory": counted(self.memory)}
        key = "compile.explain.lanes" if plan.cells[LANES] else "compile.explain.cells"
        yield from page.wrap(say(key, cells=shared, lanes=lanes, **known))
        kernels = Counter(kernel_of(one) for one in plan.instructions)
        found = ", ".join(f"{kernel}\u00a0{counted(times)}" for kernel, times in kernels.most_common())
        yield from page.wrap(say("compile.explain.kernels", found=found))
        rules = [access.index is None for one in plan.instructions for access, _ in accesses_of(one)]
        key = "compile.explain.affine.all" if all(rules) else "compile.explain.affine"
        yield from page.wrap(say(key, affine=counted(sum(rules)), count=counted(len(rules))))

    def _passes(self, page: Page) -> Iterator[str]:
        rows = [
            [name, counted(size), counted(shapes), say(f"compile.explain.pass.{name}")]
            for name, size, shapes in self.passes
        ]
        for row in _rows(("pass", "size", "shapes", "does"), rows):
            yield from page.beside(*row)

    def _table(self, page: Page) -> Iterator[str]:
        """One instruction a row; of very many, the first and the last."""
        rows = _rows(
            ("kernel", "instruction"), [[kernel_of(i), instruction_text(i)] for i in self.plan.instructions]
        )
        texts = ["\n".join(page.beside(left, text)) for left, text in rows]
        for text in page.clip(texts):
            yield from text.split("\n")

    def _guards(self) -> Iterator[str]:
        lines: dict[str, int] = {}
        for guard in self.traced.scalars.guards:
            lines[guard.where] = lines.get(guard.where, 0) + 1
        for where, times in lines.items():
            yield "  " + say("compile.explain.guard", where=printable(where), times=counted(times))

    def markdown(self, lang: str | None = None) -> str:
        """The explanation as Markdown."""
        with speaking(lang):
            (title, lines), *rest = self.sections(Page())
            return markdown_of(title, [(say("compile.explain.short"), lines), *rest])

    def to_json(self) -> dict[str, object]:
        """The counts as plain data, the same in every language."""
        return {
            "name": self.program.__name__,
            "nodes": self.nodes,
            "instructions": self.instructions,
            "cells": sum(self.plan.cells),
            "bytes": self.memory,
            "passes": [list(row) for row in self.passes],
            "kernels": [[kernel_of(one), *one.dims] for one in self.plan.instructions],
            "guards": [guard.where for guard in self.traced.scalars.guards],
        }

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """What a notebook shows."""
        return {"text/markdown": self.markdown(), "text/plain": str(self)}

    def __repr__(self) -> str:
        return f"<Compiled {self.program.__name__}: {self.nodes} -> {self.instructions}>"


# ---- reading a plan -----------------------------------------------------------------------------


def kernel_of(one: Instruction) -> str:
    """What an instruction computes, in a word: exp, mul, a sum of products."""
    if isinstance(one, Map):
        return one.kernel
    if isinstance(one, Chain):
        if not any(run.kind in "*~" for run in one.runs):
            name = "sum"
        else:
            name = "dot" if sum(run.terms for run in one.runs) > 1 else "mul"
        return f"exact {name}" if one.exact else name
    return {Most: "max", Take: "take", Put: "put", LaneSum: "lanesum"}[type(one)]


def _rows(names: Sequence[str], rows: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """A table under its head: a word and numbers as one text, and beside it the last column."""
    table = [[say(f"compile.explain.column.{name}") for name in names], *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    found = []
    for word, *numbers, text in table:
        right = (number.rjust(width) for number, width in zip(numbers, widths[1:-1], strict=True))
        found.append(("  ".join(["  " + word.ljust(widths[0]), *right, ""]), text))
    return found
