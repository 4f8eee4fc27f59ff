"""A traced function: its program of scalars and what calls need to know, as tracing found them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..scalar import Value
from .scalars import Scalars
from .structure import Branch, Tree

__all__ = ["TracedFunction"]


@dataclass(slots=True)
class TracedFunction:
    """A function as scalars, for one structure of its arguments and for calls that keep to its guards.

    Inputs 0, 1, 2, ... of the program are the numbers of the arguments from left to right, as
    `structure.take_apart` finds them; then the captured Values, whose data is read anew in each call.
    """

    scalars: Scalars
    arguments: Branch  # the tree of the tuple of arguments
    kinds: str  # per number of the arguments: "f" a number, "i" an integer (only looked up with, or guarded)
    result: Tree  # the tree of what f returned
    captured: list[Value] = field(default_factory=list)
    rows: dict[int, int] = field(default_factory=dict)  # input: how many rows it chooses from (take)
    changed: Callable[[], str] = str  # the name of what f captured and has changed since; "" if nothing
    nodes: int = 0  # how many nodes the user's code made (the figure that explain() begins with)
