"""Faults of the catalogue planted into someone's own source, one at a time.

    for mutant in mutants(source, anatomy(source, "Value")):
        mutant.fault, mutant.op, mutant.line, mutant.apply(source)

A mutant is the inverse of a repair: the same places of the same anatomy, with the bug put in.  Wrong
formulas are taken from the catalogue's own changes of the specimen, in the names of the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff

from ..anatomy import Anatomy, Edit, applied
from ..patch import Patch
from . import accumulation, formulas, graph_record, traversal

__all__ = ["Mutant", "mutants"]


@dataclass(frozen=True)
class Mutant:
    fault: str  # a slug of the catalogue
    op: str  # "" where it is about all ops
    edits: tuple[Edit, ...]
    line: int  # of the original, from 1
    before: str
    after: str

    def apply(self, source: str) -> str:
        return applied(source, self.edits)

    def diff(self, source: str, name: str = "source") -> list[str]:
        old, new = source.splitlines(keepends=True), self.apply(source).splitlines(keepends=True)
        return [line.rstrip("\r\n") for line in unified_diff(old, new, name, name, n=1)]


def mutants(source: str, anatomy: Anatomy) -> list[Mutant]:
    """Every fault that can be planted here, each text once."""
    found: dict[str, Mutant] = {}
    for planted in _planted(anatomy):
        if planted is not None:
            mutant = Mutant(
                planted.kind, planted.op, planted.edits, planted.line, planted.before, planted.after
            )
            found.setdefault(mutant.apply(source), mutant)
    return list(found.values())


def _planted(anatomy: Anatomy) -> Iterator[Patch | None]:
    yield from accumulation.planted(anatomy)
    yield from traversal.planted(anatomy)
    yield from graph_record.planted(anatomy)
    yield from formulas.planted(anatomy)
