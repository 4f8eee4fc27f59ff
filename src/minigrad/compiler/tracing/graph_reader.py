"""A graph of Values, read into Scalars: the numbers that calls bring, the constants, and all between.

Nodes stand in the order in which they were made, because gradients are added in that order.  The nodes of
guards come last: nothing is computed from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter

from ...ops import SYMBOLS
from ...scalar import Value
from ...text.numerals import show
from ...text.translation import say
from ..gc_pause import collector_paused
from ..scalars import CONSTANT, INPUT, Guard, Scalars
from .tracer import TracedNumber, TracingError

__all__ = ["Defined", "NodePlaces", "read", "read_guards"]

Defined = Mapping[Value, tuple[str, tuple[Value, ...]]]

_NAMES = {symbol: op.name for symbol, op in SYMBOLS.items()}
_OWN_IDEAS = (
    "grad", "requires_grad", "_propagate", "_backward", "_children", "_local_grads", "data", "_data",
    "_index", "_op", "_extra",
)  # fmt: skip
_created = attrgetter("_index")
_facts = attrgetter("_op", "_children", "_extra", "requires_grad", "grad", "_index")


class NodePlaces:
    """The node of each Value.

    Values are told apart by their ids here: while a function is traced their hash is watched, and slow.
    """

    def __init__(self, found: list[Value]) -> None:
        self.found = found  # and so kept alive: an id is of one Value only
        self.by_id = dict(zip(map(id, found), range(len(found)), strict=True))

    def __getitem__(self, value: Value) -> int:
        return self.by_id[id(value)]

    def __len__(self) -> int:
        return len(self.found)


def read(
    roots: Iterable[Value], inputs: Sequence[Value], first: int, defined: Defined, fresh: bool = False
) -> tuple[Scalars, list[Value], NodePlaces]:
    """The program below some roots, the Values that it captures, and the node of each Value.

    `first` is the creation index before which a Value counts as one that was there already: it is captured,
    and what it was made from is not looked at.  `defined` says what certain leaves stand for.  In a `fresh`
    graph no backward pass can have been.
    """
    with collector_paused():
        found = _below(list(dict.fromkeys([*inputs, *roots])), set(inputs), first, defined)
        return _written(found, inputs, first, defined, fresh)


def _below(found: list[Value], ends: set[Value], first: int, defined: Defined) -> list[Value]:
    """All that some Values are made from, in the order of creation."""
    seen = set(map(id, found))
    cut = {value for value in ends if value._children}
    for value in found:  # grows while it is walked
        children = value._children
        if not children:
            if value not in defined:
                continue
            children = defined[value][1]
        elif value._index < first or (cut and value in cut):
            continue
        for child in children:
            if id(child) not in seen:
                seen.add(id(child))
                found.append(child)
    found.sort(key=_created)
    return found


def _written(
    found: list[Value], inputs: Sequence[Value], first: int, defined: Defined, fresh: bool
) -> tuple[Scalars, list[Value], NodePlaces]:
    for kind in set(map(type, found)):
        _refuse_own_ideas(kind)
    scalars = Scalars()
    ops, args, data = scalars.ops, scalars.args, scalars.data
    captured: list[Value] = []
    place = NodePlaces(found)
    by_id = place.by_id
    ends = {place[value] for value in inputs}
    for i, (op, children, extra, wants, grad, index) in enumerate(map(_facts, found)):
        if i in ends:
            ops.append(INPUT)
            args.append(())
        elif index < first:
            captured.append(found[i])
            ops.append(INPUT)
            args.append(())
        elif children:
            name = _NAMES.get(op)
            if name is None or extra is not None or not wants or (fresh and grad != 0.0):
                _refuse_unusual(found[i], name, fresh)
            ops.append(name or "")
            args.append(tuple([by_id[id(child)] for child in children]))
        elif found[i] in defined:
            name, children = defined[found[i]]
            ops.append(name)
            args.append(tuple([by_id[id(child)] for child in children]))
        else:
            data[i] = found[i]._data
            ops.append(CONSTANT)
            args.append(())
    scalars.inputs = [place[value] for value in inputs] + [place[value] for value in captured]
    return scalars, captured, place


def read_guards(
    scalars: Scalars,
    guards: Iterable[tuple[str, Value, Value | float, float, str]],
    place: NodePlaces,
) -> None:
    """The comparisons that a function made, each once."""
    known: set[tuple[str, int, int]] = set()
    constants: dict[str, int] = {}
    for op, left, right, expected, where in guards:
        a = place[left]
        if isinstance(right, Value):
            b = place[right]
        else:
            b = constants.setdefault(right.hex(), len(scalars))
            if b == len(scalars):
                scalars.constant(right)
        if (op, a, b) not in known:
            known.add((op, a, b))
            scalars.guards.append(Guard(scalars.add(op, a, b), expected, where))


def _refuse_unusual(value: Value, op: str | None, fresh: bool) -> None:
    """Raise unless a node is only unusual in having a label."""
    name = value.label or value._op or show(value._data)
    extra = value._extra
    if op is None or (extra is not None and extra.rule is not None):
        raise TracingError(say("compile.trace.by_hand", name=name))
    if extra is not None and extra.hooks:
        raise TracingError(say("compile.trace.hook", where=name, asked="register_hook"))
    if not value.requires_grad:
        raise TracingError(say("compile.trace.frozen", name=name))
    if fresh and value.grad != 0.0:  # minigrad.backward is no method, and not watched
        raise TracingError(say("compile.trace.pass", where=name, asked="backward"))


def _refuse_own_ideas(kind: type) -> None:
    """A class with its own backward pass: its gradients are not those of the table."""
    if kind in (Value, TracedNumber):
        return
    for name in _OWN_IDEAS:
        if getattr(kind, name, None) is not getattr(Value, name, None):
            raise TracingError(say("compile.trace.subclass", name=kind.__name__, attribute=name))
