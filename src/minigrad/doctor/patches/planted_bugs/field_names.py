"""Field names: what an engine calls the number and the gradient of a node, found by reading alone.

The right names are those with which most of its rules turn out right on paper.
"""

from __future__ import annotations

import ast
from collections import Counter

from ...inside.op_spellings import DATA, GRAD
from ..anatomy import Anatomy, anatomy
from ..repairs.formula_check import slot_is_right

__all__ = ["read_anatomy"]

MOST = 6  # attributes that are tried for each


def read_anatomy(source: str, class_name: str, data: str = "", grad: str = "") -> Anatomy:
    """The anatomy of a class under its own names, or under those that are given."""
    attributes = Counter(node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute))
    numbers = [data] if data else [name for name in DATA if name in attributes][:MOST] or ["data"]
    gradients = [grad] if grad else [name for name in GRAD if name in attributes][:MOST] or ["grad"]
    found = [anatomy(source, class_name, one, other) for one in numbers for other in gradients]
    best = max(found, key=_right)
    if _right(best) or data or grad:
        return best
    common = [name for name, _ in attributes.most_common(12)]  # names in another language
    tries = [anatomy(source, class_name, one, other) for one in common for other in common if one != other]
    return max([best, *tries], key=_right)


def _right(found: Anatomy) -> int:
    return sum(
        slot_is_right(found, function, slot) is True
        for function in found.ops
        for slot in range(len(function.values))
    )
