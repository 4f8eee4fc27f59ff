"""Trees of numbers: nested lists, tuples and dicts, taken apart into one list and put together again."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ..scalar import Value
from ..text.excerpts import describe
from ..text.translation import say

if TYPE_CHECKING:
    from ..scalar import Operand

__all__ = ["Tree", "container", "flatten", "unflatten"]

# The shape of a structure: None for a number, or (kind, keys, subtrees) for a container.  Two structures have
# the same shape when their trees are equal.
Tree: TypeAlias = "tuple[type, tuple[Hashable, ...] | None, tuple[Tree, ...]] | None"


def flatten(structure: object, name: str) -> tuple[list[Operand], Tree]:
    """The numbers in a structure from left to right, and its tree; `name` is who asks."""
    numbers: list[Operand] = []

    def walk(part: object) -> Tree:
        if isinstance(part, dict):
            return (dict, tuple(part), tuple(walk(x) for x in part.values()))
        if isinstance(part, (list, tuple)):
            return (type(part), None, tuple(walk(x) for x in part))
        if not isinstance(part, (Value, Real)):
            raise TypeError(say("functional.leaf", name=name, given=describe(part)))
        numbers.append(cast("Operand", part))
        return None

    return numbers, walk(structure)


def unflatten(tree: Tree, numbers: Sequence[object]) -> Any:
    """The structure with other numbers in it."""
    rest = iter(numbers)

    def build(part: Tree) -> object:
        if part is None:
            return next(rest)
        kind, keys, subtrees = part
        return container(kind, keys, [build(subtree) for subtree in subtrees])

    return build(tree)


def container(kind: type, keys: Sequence[Hashable] | None, parts: Sequence[object]) -> Any:
    """A dict, list, tuple or named tuple with these parts."""
    if kind is dict:
        return dict(zip(keys or (), parts, strict=True))
    return kind(*parts) if hasattr(kind, "_fields") else kind(parts)
