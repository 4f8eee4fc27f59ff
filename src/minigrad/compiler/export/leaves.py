"""Leaves of the arguments of a program: which of their numbers are one array, and what it is called.

A nested list of equal lengths is one array, whatever its depth; a dict, and a list of unequal parts, is
opened.  {"up": [[...], [...]], "bias": [...]} as the argument `weights` is two arrays, `weights_up` and
`weights_bias`, which a generated text finds as weights["up"] and weights["bias"].
"""

from __future__ import annotations

import builtins
import keyword
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..structure import Tree

__all__ = ["Leaf", "identifier", "leaves_of", "shape_of", "structure_text"]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One array among the arguments (or among what a program returns)."""

    name: str  # an identifier that no other leaf has
    label: str  # as a person writes it: weights.up
    text: str  # where a Python text finds it: weights["up"]
    argument: int  # of which argument it is a part
    shape: tuple[int, ...]
    first: int  # the number of its first number; the others follow

    @property
    def size(self) -> int:
        return math.prod(self.shape)


def shape_of(tree: Tree) -> tuple[int, ...] | None:
    """The shape of a tree (trees.flatten) of equal parts; None where its parts are not equal."""
    if tree is None:
        return ()
    kind, keys, parts = tree
    if keys is not None or not parts or hasattr(kind, "_fields"):
        return None
    shapes = {shape_of(part) for part in parts}
    inner = shapes.pop()
    return None if shapes or inner is None else (len(parts), *inner)


def identifier(text: str, taken: set[str]) -> str:
    """`text` as an identifier that is not taken yet (it is from now on), in C and in Python."""
    plain = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_") or "x"
    if plain[0].isdigit():
        plain = f"x{plain}"
    name, count = plain, 1
    while name in taken or keyword.iskeyword(name) or hasattr(builtins, name) or name in _RESERVED:
        count += 1
        name = f"{plain}{count}"
    taken.add(name)
    return name


# Words of C, and names that the texts use themselves.
_RESERVED = frozenset((
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return",
    "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void",
    "volatile", "while", "main", "NULL", "NAN", "INFINITY", "DBL_MAX", "cells", "math", "np", "torch",
    "jax", "jnp", "F", "nn", "self", "n", "real", "index",
))  # fmt: skip


def leaves_of(
    trees: Sequence[Tree], names: Sequence[str], taken: set[str], arguments: bool = False
) -> list[Leaf]:
    """The arrays of some arguments, in the order of their numbers.

    With `arguments`, one that is an array keeps its own name.
    """
    found: list[Leaf] = []
    count = 0

    def walk(tree: Tree, argument: int, label: str, text: str) -> Iterator[Leaf]:
        nonlocal count
        shape = shape_of(tree)
        if tree is None or shape is not None:
            leaf = Leaf(identifier(label, taken), label, text, argument, shape or (), count)
            count += leaf.size
            yield leaf
            return
        _, keys, parts = tree
        places: Iterable[object] = keys if keys is not None else range(len(parts))
        for place, part in zip(places, parts, strict=False):  # what is no number has keys, and no parts
            yield from walk(part, argument, f"{label}.{_readable(place)}", f"{text}[{place!r}]")

    for argument, (tree, name) in enumerate(zip(trees, names, strict=True)):
        if arguments and shape_of(tree) is not None:
            taken.discard(name)
        found += walk(tree, argument, name, name)
    return found


def _readable(key: object) -> str:
    """A key as it may stand in any comment: nothing in it ends one, or breaks the line."""
    letters = (c if c.isprintable() and c not in "\"'\\" else f"\\u{ord(c):04x}" for c in str(key))
    return "".join(letters)


def structure_text(tree: Tree, texts: Iterator[str]) -> str:
    """The text of a structure, with one text for each of its arrays."""
    if tree is None or shape_of(tree) is not None:
        return next(texts)
    kind, keys, parts = tree
    inside = [structure_text(part, texts) for part in parts]
    if kind is not dict and keys is not None:  # no number: (Static, (type, value), ())
        return repr(keys[1])
    if keys is not None:
        return "{" + ", ".join(f"{key!r}: {text}" for key, text in zip(keys, inside, strict=True)) + "}"
    if kind is list:
        return f"[{', '.join(inside)}]"
    return f"({', '.join(inside)}{',' * (len(inside) == 1)})"
