"""Planted bugs: patches that put a fault of the catalogue into someone's own source, one at a time.

    for mutant in mutants(source, anatomy(source, "Value")):
        mutant.kind, mutant.op, mutant.line, mutant.apply(source)

Each is the inverse of a repair: the same places of the same anatomy, with the bug put in.  Wrong
formulas are taken from the catalogue's own changes of the specimen, in the names of the engine.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..anatomy import Anatomy
from ..patch import Patch
from . import accumulation, formulas, graph_record, traversal

__all__ = ["mutants"]


def mutants(source: str, anatomy: Anatomy) -> list[Patch]:
    """Every fault that can be planted here, each text once; `kind` is the slug of the fault."""
    found: dict[str, Patch] = {}
    for mutant in _planted(anatomy):
        if mutant is not None:
            found.setdefault(mutant.apply(source), mutant)
    return list(found.values())


def _planted(anatomy: Anatomy) -> Iterator[Patch | None]:
    yield from accumulation.plant_bugs(anatomy)
    yield from traversal.plant_bugs(anatomy)
    yield from graph_record.plant_bugs(anatomy)
    yield from formulas.plant_bugs(anatomy)
