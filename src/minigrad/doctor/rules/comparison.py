"""Two results that should be equal: where they part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .grids import Grid
from .subject import Pulled

__all__ = ["SAME", "difference"]

SAME = 1e-8  # relative to the largest number; sums in another order differ by less


def difference(names: Sequence[str], got: Pulled, due: Pulled, slack: float = SAME) -> dict[str, Any] | None:
    """Where two results that should be equal part the most: what a finding says of it."""
    worst: tuple[float, dict[str, Any]] | None = None
    for name, ours, theirs in zip(names, got.grads, due.grads, strict=True):
        if ours is None or theirs is None:
            if (ours is None) != (theirs is None) and any((ours or theirs or Grid((), ())).numbers):
                return {"input": name}
            continue
        if ours.shape != theirs.shape:
            return {"input": name}
        size = max((abs(x) for x in theirs.numbers if x == x), default=0.0)
        for e, (a, b) in enumerate(zip(ours.numbers, theirs.numbers, strict=True)):
            gap = abs(a - b) if a == a and b == b else float("inf") if (a == a) != (b == b) else 0.0
            if a != b and gap > slack * max(size, 1e-30) and (worst is None or gap > worst[0]):
                worst = gap, {"input": name, "position": ours.position(e), "got": a, "expected": b}
    return worst[1] if worst else None
