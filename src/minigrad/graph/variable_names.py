"""Labels from Python's own names: what a program calls a Value is what every view calls it.

    a, b = Value(2.0), Value(3.0)
    L = a * b
    minigrad.name(locals())          # a.label == "a", b.label == "b", L.label == "L"

    with minigrad.naming():          # the same for what the block binds
        w = [Value(1.0), Value(2.0)]
        y = w[0] * w[1]              # w[0], w[1] and y

A label that is there is never touched.  A Value with several names takes the first one, and a variable
comes before a place in a list; names that begin with an underscore are private.  Nothing is watched while
a program runs: the names are read once, when they are asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from types import FrameType

from ..scalar import Value
from ..text.excerpts import describe
from ..text.translation import say

__all__ = ["name", "naming"]

DEEPEST = 8  # lists within lists that are looked into


def name(mapping: Mapping[str, object], /) -> None:
    """Give each Value in a mapping of names, such as locals(), its name as its label."""
    if not isinstance(mapping, Mapping):
        raise TypeError(say("naming.type", given=describe(mapping)))
    given = [(key, thing) for key, thing in list(mapping.items()) if isinstance(key, str)]
    private = {id(thing) for key, thing in given if key.startswith("_")}
    public = [(key, thing) for key, thing in given if not key.startswith("_")]
    for key, thing in public:
        if isinstance(thing, Value):
            _label(thing, key)
    for key, thing in public:
        if id(thing) not in private:  # a notebook's Out is its _oh: results, not variables
            for label, value in _inside(key, thing):
                _label(value, label)


def _label(value: Value, label: str) -> None:
    if not value.label:
        value.label = label


def _inside(key: str, thing: object) -> Iterator[tuple[str, Value]]:
    """The Values in lists, tuples, dicts and arrays, with where they are: w[0], layer['bias'][2]."""
    seen: set[int] = set()  # a list may hold itself
    todo = [(key, thing, 0)]
    while todo:
        label, part, depth = todo.pop()
        if isinstance(part, Value):
            yield label, part
        elif depth < DEEPEST and id(part) not in seen:
            seen.add(id(part))
            inner = [(f"{label}[{at!r}]", item, depth + 1) for at, item in _items(part) if _may_hold(item)]
            todo += reversed(inner)


def _items(part: object) -> Iterable[tuple[str | int, object]]:
    if type(part) is dict:
        return [(at, item) for at, item in part.items() if isinstance(at, (str, int))]
    numpy = sys.modules.get("numpy")  # whoever has an array has imported it
    if numpy is not None and isinstance(part, numpy.ndarray) and part.dtype == object:
        part = part.tolist()
    return enumerate(part) if isinstance(part, (list, tuple)) else []


def _may_hold(item: object) -> bool:
    return not isinstance(item, (str, bytes, int, float))


class naming:
    """A block at whose end the Values that it bound to names get those names as labels."""

    __slots__ = ("_entered",)

    def __init__(self) -> None:
        self._entered: list[
            tuple[FrameType, dict[str, object]]
        ] = []  # one may be entered again inside itself

    def __enter__(self) -> None:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_globals.get("__name__") == "contextlib":  # of an ExitStack
            frame = frame.f_back
        assert frame is not None
        self._entered.append((frame, dict(frame.f_locals)))

    def __exit__(self, *error: object) -> None:
        frame, before = self._entered.pop()
        now, nothing = dict(frame.f_locals), object()
        del frame  # a frame that is kept keeps everything in it
        private = {key: thing for key, thing in now.items() if key.startswith("_")}
        name({key: thing for key, thing in now.items() if before.get(key, nothing) is not thing} | private)
