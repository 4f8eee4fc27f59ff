"""Adapter of somebody's engine: make a leaf, apply an op, run the backward pass, read a gradient.

A *plan* is plain data that says how each of these is done there (`wire_data.py`); `engine_usage.py` finds
it, a person can pin parts of it, and this file carries it out.
"""

from __future__ import annotations

from builtins import isinstance as _isinstance
from typing import TYPE_CHECKING, Any, cast

from . import op_spellings

if TYPE_CHECKING:
    from types import ModuleType

    from .wire_data import PlanData, Way

__all__ = ["Adapter", "UnsupportedError", "number_of", "own_attributes", "read"]

_float, _type = float, type
_PLAIN = (bool, int, float)


class UnsupportedError(Exception):
    """The engine has no such op, or not for these operands."""


def number_of(found: Any, depth: int = 0) -> float | None:
    """A float out of a number, an array of one number, or a node that holds one; None for anything else."""
    if found is None or _type(found) is str or depth > 3:
        return None
    if _type(found) in _PLAIN:
        return _float(found)
    if _isinstance(found, (list, tuple)):
        return number_of(found[0], depth + 1) if len(found) == 1 else None
    if hasattr(found, "item") and hasattr(found, "dtype"):
        try:
            return _float(found.item())
        except Exception:
            return None
    for name in ("data", "value", "val"):  # a gradient that is a node itself
        inner = getattr(found, "__dict__", {}).get(name)
        if inner is not None and inner is not found:
            return number_of(inner, depth + 1)
    try:
        return _float(found)
    except Exception:
        return None


class Adapter:
    """An engine, used as its plan says."""

    def __init__(self, module: ModuleType, plan: PlanData) -> None:
        self.module = module
        self.plan = plan
        self.cls: type = getattr(module, plan["class"])
        self.modules = {module.__name__: module}
        self.tape: object = None
        self.returned: object = None
        self.root: object = None
        self.leaves: list[object] = []

    # ---- leaves -----------------------------------------------------------------------------------

    def begin(self) -> None:
        """A new program: a tape of its own, where the engine has tapes."""
        self.leaves, self.returned = [], None
        tape = self.plan.get("tape")
        if tape:
            made = getattr(self.module, tape)
            self.tape = made() if _isinstance(made, type) else made

    def leaf(self, number: float, integer: bool = False) -> object:
        plan = self.plan["leaf"]
        given: object = int(number) if integer else number
        if plan.get("wrap") == "array":
            import numpy

            given = numpy.array(given)
        elif plan.get("wrap") == "list":
            given = [given]
        keywords = {name: self._filled(what) for name, what in plan.get("keywords", {}).items()}
        if plan["how"] == "tape":
            node: object = getattr(self.tape, plan["name"])(given, **keywords)
        elif plan["how"] == "function":
            node = getattr(self.module, plan["name"])(given, **keywords)
        elif plan.get("named"):
            node = self.cls(**{plan["named"]: given}, **keywords)
        else:
            node = self.cls(given, **keywords)
        self.leaves.append(node)
        return node

    def _filled(self, what: object) -> object:
        """What a constructor's further argument gets: plain data, or something to be made anew."""
        if what == "<tape>":
            return self.tape
        if what == "<list>":
            return []
        if what == "<set>":
            return set()
        if what == "<tuple>":
            return ()
        if what == "<function>":
            return lambda *args: None
        return what

    def is_node(self, found: object) -> bool:
        """Is it something of the engine's, and no plain number?"""
        return _type(found) not in _PLAIN and (
            _isinstance(found, self.cls) or number_of(read(found, self.plan["data"])) is not None
        )

    # ---- ops --------------------------------------------------------------------------------------

    def apply(self, op: str, args: list[object], pattern: str) -> object:
        """One op on nodes and numbers; a number is made a node where the engine wants nodes."""
        ways = self.plan["ops"].get(op, {})
        way = ways.get(pattern)
        if way is None and "vv" in ways and "k" in pattern:
            args = [x if self.is_node(x) else self.leaf(cast("float", x)) for x in args]
            way = ways["vv"]
        if way is None:
            raise UnsupportedError(f"{op} {pattern}")
        return self.call(way, args)

    def call(self, way: Way, args: list[object]) -> object:
        how, name = way[0], way[1]
        if how == "operator":
            return op_spellings.OPERATORS[name](*args)
        if how == "method":
            return getattr(args[0], name)(*args[1:])
        if how == "reflected":  # a dunder that is called by hand
            return getattr(args[1], name)(args[0])
        if how == "function":
            return self._named(name)(*args)
        if how == "tape":
            return getattr(self.tape, name)(*args)
        if how == "apply":
            return self._named(name).apply(*args)
        if how == "instance":
            made = self._named(name)()
            return made.forward(*args) if len(way) > 2 else made(*args)
        if how == "made":  # a class of nodes: Add(a, b)
            return self._named(name)(*args)
        raise UnsupportedError(name)

    def _named(self, name: str) -> Any:
        """A function of the module, of a class in it, or, as "module:name", of a file beside it."""
        holder, colon, rest = name.rpartition(":")
        found: Any = self.modules[holder] if colon else self.module
        for part in rest.split("."):
            found = getattr(found, part)
        return found

    # ---- numbers ----------------------------------------------------------------------------------

    def data(self, node: object) -> float | None:
        return number_of(node) if _type(node) in _PLAIN else number_of(read(node, self.plan["data"]))

    def grad(self, node: object) -> float | None:
        how = self.plan["grad"]
        if how[0] == "returned":
            return number_of(self._look_up(node, self.returned))
        if how[0] == "tape":
            return number_of(self._look_up(node, getattr(self.tape, how[1])))
        if how[0] == "asked":
            return number_of(getattr(self.root, how[1])(node))
        return number_of(read(node, how))

    def _look_up(self, node: object, returned: object) -> object:
        """A node's gradient in what backward gave back: by node, by id, by name, or by place."""
        if _isinstance(returned, dict):
            for key in (node, id(node), getattr(node, "name", None), getattr(node, "label", None)):
                try:
                    if key is not None and key in returned:
                        return returned[key]
                except TypeError:
                    continue
            return None
        if _isinstance(returned, (list, tuple)):
            place: object = getattr(node, "index", getattr(node, "idx", getattr(node, "id", None)))
            if (
                _isinstance(place, int)
                and _type(place) is int
                and len(returned) > len(self.leaves)
                and 0 <= place < len(returned)
            ):
                return returned[place]
            for spot, leaf in enumerate(self.leaves):
                if leaf is node and spot < len(returned):
                    return returned[spot]
        if hasattr(returned, "wrt"):
            return returned.wrt(node)
        return None

    def write(self, node: object, how: Way, number: float) -> None:
        setattr(node, how[1], number)

    # ---- the pass ---------------------------------------------------------------------------------

    def backward(self, root: object, seed: float = 1.0) -> None:
        plan = self.plan["backward"]
        self.root = root
        if plan.get("seed"):
            self.write(root, plan.get("into") or self.plan["grad"], seed)
        if plan["on"] == "none":
            return
        if plan["on"] == "walk":
            for node in _topological_order(root, plan["children"]):
                getattr(node, plan["name"])()
            return
        given: list[object] = []
        for what in plan.get("given", []):
            if what == "<root>":
                given.append(root)
            elif what == "<leaves>":
                given.append([*self.leaves])
            elif what == "<seed>":
                given.append(seed)
            else:
                given.append(self._filled(what))
        if plan["on"] == "value":
            self.returned = getattr(root, plan["name"])(*given)
        elif plan["on"] == "tape":
            self.returned = getattr(self.tape, plan["name"])(*given)
        else:
            self.returned = self._named(plan["name"])(*given)

    @property
    def seeded(self) -> bool:
        """Can a pass be started from another gradient than 1?"""
        plan = self.plan["backward"]
        return bool(plan.get("seed")) or "<seed>" in plan.get("given", []) or bool(plan.get("seedable"))

    def reset(self, node: object) -> None:
        """A node's gradient as it was when the node was made."""
        how = self.plan["grad"]
        if how[0] == "attribute":
            setattr(node, how[1], None if self.plan.get("blank") is None else 0.0)
        elif how[0] == "method" and self.plan["backward"].get("into"):
            setattr(node, self.plan["backward"]["into"][1], None)
        elif how[0] == "method":
            if not any(node is leaf for leaf in self.leaves):
                return
            clear = getattr(node, self.plan.get("zero", "zero_grad"), None)
            if not callable(clear):
                raise UnsupportedError("zero_grad")
            clear()


def read(node: object, how: Way) -> object:
    """An attribute of a node, or what a method without arguments gives."""
    try:
        found = getattr(node, how[1])
    except AttributeError:
        return None
    if how[0] == "method":
        return found()
    return found


def own_attributes(node: object) -> dict[str, object]:
    """The attributes that a node has of its own."""
    slots = [n for cls in type(node).__mro__ for n in getattr(cls, "__slots__", ()) if hasattr(node, n)]
    return {**{n: getattr(node, n) for n in slots}, **getattr(node, "__dict__", {})}


def _topological_order(root: object, children: str) -> list[object]:
    """Every node before those that it was made from."""
    order: list[object] = []
    known: set[int] = set()
    stack = [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif id(node) not in known:
            known.add(id(node))
            stack.append((node, True))
            stack += [(child, False) for child in (getattr(node, children, None) or ())]
    return order[::-1]
