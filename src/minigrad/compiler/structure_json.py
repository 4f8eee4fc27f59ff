"""The structure of arguments as JSON, and back: no class is ever looked up by a name in a file.

null                            a number
["list", 7]                     seven numbers;  ["list", 7, part] seven equal parts
["list", [part, ...]]           parts of their own; the same for "tuple"
["dict", [key, ...], [part, ...]]
["static", "str", "train"]      what is part of the structure
"""

from __future__ import annotations

from ..errors import MinigradError
from .structure import Static, Tree

__all__ = ["StructureError", "tree_from", "tree_to"]

DEEPEST = 100
EMPTY = 1_000_000  # parts of a tree that are no numbers
_KINDS = {"list": list, "tuple": tuple}


class StructureError(MinigradError, ValueError):
    """What cannot be written, or is no tree."""


def tree_to(tree: Tree, depth: int = 0) -> object:
    """A tree as JSON; StructureError with the name of what a file cannot hold."""
    if tree is None:
        return None
    if depth > DEEPEST:
        raise StructureError(f"> {DEEPEST}")
    kind, keys, parts = tree
    if kind is Static and keys:
        return ["static", *_static_to(keys[1])]
    if kind is dict and keys is not None:
        for key in keys:
            if type(key) not in (str, int):
                raise StructureError(f"dict[{type(key).__name__}]")
        return ["dict", list(keys), [tree_to(part, depth + 1) for part in parts]]
    if kind not in (list, tuple):
        raise StructureError(kind.__name__)
    if parts and all(part == parts[0] for part in parts):
        each = tree_to(parts[0], depth + 1)
        return [kind.__name__, len(parts)] if each is None else [kind.__name__, len(parts), each]
    return [kind.__name__, [tree_to(part, depth + 1) for part in parts]]


def _static_to(value: object) -> tuple[str, object]:
    if value is None:
        return "none", None
    if type(value) is bool or type(value) is str:
        return type(value).__name__, value
    if type(value) is int:
        return "int", str(value)
    if type(value) is bytes:
        return "bytes", value.hex()
    raise StructureError(type(value).__name__)


def tree_from(entry: object, numbers: int) -> Tree:
    """The tree in JSON, which must have so many numbers; StructureError for anything else."""
    most = numbers + EMPTY  # parts: what is empty or static is no number, but takes memory too

    def read(entry: object, depth: int) -> tuple[Tree, int, int]:
        """A tree, how many numbers are in it, and how many parts."""
        if entry is None:
            return None, 1, 1
        if depth > DEEPEST or not isinstance(entry, list) or len(entry) not in (2, 3):
            raise StructureError("tree")
        name = entry[0]
        if name == "static" and len(entry) == 3:
            return (Static, _static_from(entry[1], entry[2]), ()), 0, 1
        if name == "dict" and len(entry) == 3:
            keys, inner = entry[1], entry[2]
            right = isinstance(keys, list) and isinstance(inner, list) and len(keys) == len(inner)
            if not right or any(type(key) not in (str, int) for key in keys) or len(set(keys)) < len(keys):
                raise StructureError("dict")
            return several(dict, tuple(keys), inner, depth)
        kind = _KINDS.get(name) if isinstance(name, str) else None
        if kind is None:
            raise StructureError("tree")
        size = entry[1]
        if isinstance(size, list) and len(entry) == 2:
            return several(kind, None, size, depth)
        if type(size) is not int or size < 1:
            raise StructureError("tree")
        part, found, parts = read(entry[2] if len(entry) == 3 else None, depth + 1)
        if size * found > numbers or size * parts > most:
            raise StructureError("tree")
        return (kind, None, (part,) * size), size * found, size * parts + 1

    def several(
        kind: type, keys: tuple[object, ...] | None, inner: list[object], depth: int
    ) -> tuple[Tree, int, int]:
        read_parts = [read(part, depth + 1) for part in inner]
        found, parts = sum(one[1] for one in read_parts), sum(one[2] for one in read_parts) + 1
        if found > numbers or parts > most:
            raise StructureError("tree")
        return (kind, keys, tuple([one[0] for one in read_parts])), found, parts

    tree, found, parts = read(entry, 0)
    if found != numbers or parts > most:
        raise StructureError("tree")
    return tree


def _static_from(kind: object, value: object) -> tuple[type, object]:
    try:
        if kind == "none" and value is None:
            return type(None), None
        if kind == "bool" and type(value) is bool:
            return bool, value
        if kind == "str" and type(value) is str:
            return str, value
        if kind == "int" and type(value) is str and len(value) < 1000:
            return int, int(value)
        if kind == "bytes" and type(value) is str:
            return bytes, bytes.fromhex(value)
    except ValueError:
        pass
    raise StructureError("static")
