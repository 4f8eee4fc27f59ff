"""Numbers in nested lists, tuples and dicts: taken apart into one list, and put together again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Real
from typing import Any

from ..scalar import Value
from ..text.excerpts import describe
from ..text.translation import say

__all__ = ["container", "flatten", "unflatten"]

# A tree is None for a number, or (kind, keys, subtrees) for a container.  Two structures
# are the same when their trees are equal.


def flatten(structure: Any, name: str) -> tuple[list[Any], Any]:
    """The numbers in a structure from left to right, and its tree; `name` is who asks."""
    numbers: list[Any] = []

    def walk(part: Any) -> Any:
        if isinstance(part, dict):
            return (dict, tuple(part), tuple(walk(x) for x in part.values()))
        if isinstance(part, (list, tuple)):
            return (type(part), None, tuple(walk(x) for x in part))
        if not isinstance(part, (Value, Real)):
            raise TypeError(say("functional.leaf", name=name, given=describe(part)))
        numbers.append(part)
        return None

    return numbers, walk(structure)


def unflatten(tree: Any, numbers: Sequence[Any]) -> Any:
    """The structure with other numbers in it."""
    rest: Iterator[Any] = iter(numbers)

    def build(part: Any) -> Any:
        if part is None:
            return next(rest)
        kind, keys, subtrees = part
        return container(kind, keys, [build(subtree) for subtree in subtrees])

    return build(tree)


def container(kind: Any, keys: Any, parts: list[Any]) -> Any:
    """A dict, list, tuple or named tuple with these parts."""
    if kind is dict:
        return dict(zip(keys, parts, strict=True))
    return kind(*parts) if hasattr(kind, "_fields") else kind(parts)
