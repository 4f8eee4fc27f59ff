"""Places of nodes in a model: the module that made each, which time it was used, and where in its output.

    with whereabouts(model) as found:
        loss = run.forward()
    found.of(loss._children[0]._index)     # Place("head[2][13]", 41)

Nodes are numbered as they are made, so a module made what was made while its `forward` ran; of modules
within modules, the innermost.  A module's results are named by where they stand in what it gives back.
Nothing is changed for good, and no node is labelled.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, ParamSpec, TypeVar

from ..nn import Module
from ..scalar import Value

__all__ = ["LOSS", "ModulePlace", "Whereabouts", "whereabouts"]

P = ParamSpec("P")
R = TypeVar("R")

LOSS = "loss"  # what is made of the model's outputs


class ModulePlace(NamedTuple):
    name: str  # blocks.0.up, or blocks.0.up[2][37] for a result of its own
    call: int  # a number of its own for each use of a module; 0 for none


class Whereabouts:
    def __init__(self) -> None:
        self.titles: list[str] = [LOSS]  # of each call
        self.uses: Counter[str] = Counter()
        self.results: dict[int, ModulePlace] = {}  # by the index of a node
        self._began: list[int] = [0]  # the first index of each call
        self._times: list[int] = []  # where the innermost call changes, as an index of nodes,
        self._calls: list[int] = []  # and to which
        self._open: list[int] = [0]

    def enter(self, name: str) -> int:
        """A module begins."""
        self.uses[name] += 1
        self.titles.append(f"{name}({self.uses[name]})")
        call = len(self.titles) - 1
        self._open.append(call)
        self._began.append(self._change())
        return call

    def leave(self, call: int, result: object) -> None:
        """It is done; what it gave back and nobody inside has named is named after it."""
        self._open.pop()
        self._change()
        for place, value in _values(result):
            if value._index > self._began[call]:  # else it was passed through
                self.results.setdefault(value._index, ModulePlace(self.titles[call] + place, call))

    def _change(self) -> int:
        """From now on, nodes belong to the innermost call that is open."""
        now: int = Value(0.0)._index
        self._times.append(now)
        self._calls.append(self._open[-1])
        return now

    def of(self, index: int) -> ModulePlace:
        """The place of the node with this `_index`."""
        found = self.results.get(index)
        if found is None:
            at = bisect_right(self._times, index) - 1
            call = self._calls[at] if at >= 0 else 0
            found = ModulePlace(self.titles[call], call)
        return ModulePlace(self._short(found), found.call)

    def _short(self, place: ModulePlace) -> str:
        """Without the (1) of a module that is used only once."""
        title = self.titles[place.call]
        name = title.rpartition("(")[0]
        if place.call and self.uses[name] == 1:
            return name + place.name[len(title) :]
        return place.name


@contextmanager
def whereabouts(model: Module) -> Iterator[Whereabouts]:
    """Note, inside this block, which module of `model` makes which nodes."""
    found = Whereabouts()
    watched = []
    for name, module in model.named_modules():
        if "forward" not in vars(module):
            watched.append(module)
            vars(module)["forward"] = _noting(found, name or type(model).__name__, module.forward)
    try:
        yield found
    finally:
        for module in watched:
            del vars(module)["forward"]


def _noting(found: Whereabouts, name: str, forward: Callable[P, R]) -> Callable[P, R]:
    inside = False

    def noted(*args: P.args, **kwargs: P.kwargs) -> R:
        nonlocal inside
        if inside:  # it calls itself for each vector of a list: that is one use
            return forward(*args, **kwargs)
        inside = True
        call = found.enter(name)
        result: R | None = None
        try:
            return (result := forward(*args, **kwargs))
        finally:
            inside = False
            found.leave(call, result)

    return noted


def _values(result: object) -> Iterator[tuple[str, Value]]:
    """The Values in nested lists, with where they stand: [2][37]."""
    waiting: list[tuple[str, object]] = [("", result)]
    while waiting:
        place, thing = waiting.pop()
        if isinstance(thing, Value):
            yield place, thing
        elif isinstance(thing, (list, tuple)):
            waiting += [(f"{place}[{at}]", item) for at, item in enumerate(thing)]
