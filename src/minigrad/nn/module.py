"""Module: a model is an object whose attributes are Values, other modules, and lists of them.

    class Slope(Module):
        def __init__(self):
            self.w, self.b = Value(0.5), Value(0.0)
        def forward(self, x):
            return self.w * x + self.b

    model = Slope()
    model(3.0), model.parameters(), model.state_dict(), print(model)

Nothing is registered: the attributes are read, in the order in which they were assigned, whenever they are
asked for, so `super().__init__()` is not needed.  Every Value that was not computed from others is a
parameter, unless it is a constant (`requires_grad=False`): such a one is saved, and not trained.  What stands
in two places is counted once, under its first name: `layers.0.neurons.1.w[2]`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, Union

from ..scalar import Value
from ..text.excerpts import describe
from ..text.numerals import counted
from ..text.translation import say
from ..values.validation import number as as_number

if TYPE_CHECKING:
    from ..scalar import Operand

__all__ = ["NUMBERS", "Array", "Loaded", "Module", "Nest", "Numbers", "array_of"]

NUMBERS = (Value, int, float, Real)  # the last for those of other libraries; it is slow to ask for

_Own = TypeVar("_Own", bound="Module")
_T = TypeVar("_T")

Nest = Union[_T, Sequence["Nest[_T]"]]  # noqa: UP007 one thing, or such things in lists in lists
Numbers: TypeAlias = "Nest[Operand]"  # what modules are called with
Part: TypeAlias = "Module | Array | random.Random"  # what a module is made of


class Array(NamedTuple):
    """Values in equally long rows: what a tensor is elsewhere.  One Value has the shape ()."""

    shape: tuple[int, ...]
    values: list[Value]  # row by row

    def nested(self, items: Sequence[_T]) -> Nest[_T]:
        """One item per Value, in lists of this shape."""
        rows: list[Nest[_T]] = [*items]
        for size in reversed(self.shape):
            rows = [rows[at : at + size] for at in range(0, len(rows), size)]
        return rows[0]

    def places(self) -> Iterator[str]:
        """Where each Value stands: [0][0], [0][1], ..."""
        for at in range(len(self.values)):
            place = ""
            for size in reversed(self.shape):
                at, last = divmod(at, size)
                place = f"[{last}]{place}"
            yield place


class Loaded(NamedTuple):
    """What `load_state_dict(..., strict=False)` found no place for, and no numbers for."""

    missing_keys: list[str]
    unexpected_keys: list[str]


def array_of(thing: object, kind: type | tuple[type, ...] = Value) -> Array | None:
    """What holds only Values (or other kinds), in equally long rows, as an Array; else None."""
    level: list[Any] = [thing]
    shape: tuple[int, ...] = ()
    above: set[int] = set()
    while not all(isinstance(item, kind) for item in level):
        if not all(isinstance(item, (list, tuple)) for item in level):
            return None
        lengths = {len(item) for item in level}
        if len(lengths) > 1 or 0 in lengths or not above.isdisjoint(map(id, level)):  # it may hold itself
            return None
        above.update(map(id, level))
        shape = (*shape, lengths.pop())
        level = [inner for item in level for inner in item]
    return Array(shape, level)


def _parts(root: Module) -> Generator[tuple[str, Part], bool | None, None]:
    """The modules, Arrays and generators of random numbers below a module, with their names.

    Depth first, each once: an array all of whose Values have come already does not come.  Whoever walks may
    send True back to pass over what is inside a module.
    """
    waiting: list[tuple[str, object]] = [("", root)]
    known: set[Value] = set()
    seen: dict[int, object] = {}  # holds what it has seen, so that no other thing gets the same id
    while waiting:
        name, thing = waiting.pop()
        if thing is None or isinstance(thing, (str, bytes, int, float)) or id(thing) in seen:
            continue
        seen[id(thing)] = thing
        inside: list[tuple[str, object]] = []
        array = None
        if isinstance(thing, Value):
            array = None if thing._children else Array((), [thing])
        elif isinstance(thing, Module):
            if not (yield name, thing):
                inside = [(f"{name}.{key}" if name else key, item) for key, item in vars(thing).items()]
        elif isinstance(thing, random.Random):
            yield name, thing
        elif isinstance(thing, dict):
            inside = [(f"{name}.{key}", item) for key, item in thing.items()]
        elif (rows := _rows(thing)) is not None:
            array = array_of(rows)
            if array is None or any(value._children for value in array.values):
                array, inside = None, [(f"{name}.{at}", item) for at, item in enumerate(rows)]
        if array is not None and not known.issuperset(array.values):
            known.update(array.values)
            yield name, array
        waiting += reversed(inside)


def _rows(thing: object) -> Sequence[object] | None:
    numpy = sys.modules.get("numpy")  # whoever has an array has imported it
    if numpy is not None and isinstance(thing, numpy.ndarray):
        return thing.tolist() if thing.dtype == object and thing.ndim else None
    return thing if isinstance(thing, (list, tuple)) else None


def _speaks_for_itself(module: Module) -> bool:
    return type(module).parameters is not Module.parameters


class Module:
    training = True

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(say("module.forward", module=type(self).__name__))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)

    # ---- what is inside -----------------------------------------------------------------

    def parameters(self) -> list[Value]:
        """Every Value that training may change, once.

        A module inside this one that says itself what its parameters are, as micrograd's do, is asked.
        """
        found: dict[Value, None] = {}
        parts = _parts(self)
        answer: bool | None = None
        try:
            while True:
                _, part = parts.send(answer)
                answer = None
                if isinstance(part, Array):
                    found.update(dict.fromkeys(value for value in part.values if value.requires_grad))
                elif isinstance(part, Module) and part is not self and _speaks_for_itself(part):
                    found.update(dict.fromkeys(part.parameters()))
                    answer = True
        except StopIteration:
            return list(found)

    def named_parameters(self) -> Iterator[tuple[str, Value]]:
        """Parameters with their names: a dot before what is inside a module, brackets inside an array."""
        seen: set[Value] = set()
        for name, array in self._arrays():
            for place, value in zip(array.places(), array.values, strict=True):
                if value.requires_grad and value not in seen:
                    seen.add(value)
                    yield name + place, value

    def _arrays(self) -> Iterator[tuple[str, Array]]:
        names: set[str] = set()
        for name, part in _parts(self):
            if isinstance(part, Array):
                if name in names:
                    raise ValueError(say("module.name_twice", name=ascii(name)))
                names.add(name)
                yield name, part

    def arrays(self) -> dict[str, Nest[Value]]:
        """Each array by its name: a Value, or Values in lists in lists; constants too."""
        return {name: array.nested(array.values) for name, array in self._arrays()}

    def named_modules(self) -> Iterator[tuple[str, Module]]:
        """This module, under the name "", and those inside it."""
        for name, part in _parts(self):
            if isinstance(part, Module):
                yield name, part

    def modules(self) -> Iterator[Module]:
        for _, module in self.named_modules():
            yield module

    def generators(self) -> dict[str, random.Random]:
        """The generators of random numbers that it draws from when it runs, such as Dropout's."""
        return {name: part for name, part in _parts(self) if isinstance(part, random.Random)}

    # ---- saving and loading -------------------------------------------------------------

    def state_dict(self) -> dict[str, Nest[float]]:
        """The numbers of each array by its name: a float, or floats in lists in lists."""
        return {name: array.nested([v.data for v in array.values]) for name, array in self._arrays()}

    def load_state_dict(self, state: Mapping[str, object], strict: bool = True) -> Loaded:
        """Take the numbers of a `state_dict()`, or of tensors of other libraries.

        All is checked before the first number changes.
        """
        if not isinstance(state, Mapping):
            raise TypeError(say("module.state", given=describe(state)))
        own = dict(self._arrays())
        missing = [name for name in own if name not in state]
        unexpected = [str(name) for name in state if name not in own]
        if strict and (missing or unexpected):
            raise ValueError(
                say("module.state_names", missing=_listed(missing), unexpected=_listed(unexpected))
            )
        changes: dict[Value, float] = {}
        for name, array in own.items():
            if name in state:
                for value, number in zip(array.values, _numbers(name, array, state[name]), strict=True):
                    before = changes.setdefault(value, number)
                    if before != number and (before == before or number == number):
                        raise ValueError(say("module.state_tied", name=ascii(name), one=before, other=number))
        for value, number in changes.items():
            value.data = number
        return Loaded(missing, unexpected)

    # ---- training -----------------------------------------------------------------------

    def zero_grad(self) -> None:
        for parameter in self.parameters():
            parameter.grad = 0.0

    def train(self: _Own, mode: bool = True) -> _Own:
        """Train, or with False only evaluate: Dropout drops nothing then."""
        for module in self.modules():
            module.training = bool(mode)
        return self

    def eval(self: _Own) -> _Own:
        return self.train(False)

    def label(self: _Own) -> _Own:
        """Give each parameter its name as its label, for explanations and drawings."""
        for name, value in self.named_parameters():
            value.label = name
        return self

    # ---- a picture of it in text ----------------------------------------------------------

    def extra_repr(self) -> str:
        """What stands in the parentheses; unless a module says more, its own arrays: w[3], b."""
        shapes = []
        for name, part in _parts(self):
            if isinstance(part, Array) and name.isidentifier():
                shapes.append(name + "".join(f"[{size}]" for size in part.shape))
        return ", ".join(shapes)

    def __repr__(self) -> str:
        return "\n".join(_tree(self))


# ---- a module as a tree -------------------------------------------------------------------------

DEEPEST = 20  # levels of a tree that are written


def _tree(root: Module) -> Iterator[str]:
    """A line for each module; neighbours that look alike share one: neurons.0 to neurons.15."""
    total = len(root.parameters())
    key = "module.parameter" if total == 1 else "module.parameters"
    yield f"{_title(root)}: {say(key, count=counted(total))}"
    waiting = [(1, name, modules) for name, modules in reversed(_alike(root))]
    while waiting:
        depth, name, modules = waiting.pop()
        if depth > DEEPEST:
            yield f"{'  ' * depth}..."
            continue
        each = len(modules[0].parameters())
        times = f"{len(modules)} x " if len(modules) > 1 else ""
        sum_of = f" = {counted(each * len(modules))}" if times else ""
        yield f"{'  ' * depth}{name}: {times}{_title(modules[0])}: {times}{counted(each)}{sum_of}"
        waiting += [(depth + 1, inner, group) for inner, group in reversed(_alike(modules[0]))]


def _title(module: Module) -> str:
    return f"{type(module).__name__}({module.extra_repr()})"


def _alike(module: Module) -> list[tuple[str, list[Module]]]:
    """The modules right inside one, with their names; neighbours in a list that look alike are one group."""
    groups: list[tuple[str, list[Module]]] = []
    last: tuple[str, object] = ("", None)
    for name, child in _children(module):
        place, _, at = name.rpartition(".")
        looks = (place, [(inner, _title(part)) for inner, part in child.named_modules()] if place else name)
        if looks == last:
            first, group = groups[-1]
            groups[-1] = (f"{first.partition(' ')[0]} ... {at}", [*group, child])
        else:
            groups.append((name, [child]))
        last = looks
    return groups


def _children(module: Module) -> list[tuple[str, Module]]:
    found: list[tuple[str, Module]] = []
    parts = _parts(module)
    answer: bool | None = None
    try:
        while True:
            name, part = parts.send(answer)
            answer = isinstance(part, Module) and part is not module
            if isinstance(part, Module) and part is not module:
                found.append((name, part))
    except StopIteration:
        return found


# ---- numbers that come in -----------------------------------------------------------------------


def _numbers(name: str, array: Array, given: object) -> list[float]:
    """The numbers of an array out of lists, or of anything with `tolist()`."""
    if hasattr(given, "tolist"):
        given = given.tolist()
    found = array_of(given, NUMBERS)
    if found is None or found.shape != array.shape:
        shape = say("module.ragged") if found is None else _written(found.shape)
        raise ValueError(
            say("module.state_shape", name=ascii(name), wanted=_written(array.shape), given=shape)
        )
    return [item.data if isinstance(item, Value) else as_number(item) for item in found.values]


def _written(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) if shape else say("module.one_number")


def _listed(names: list[str]) -> str:
    shown = ", ".join(ascii(name) for name in names[:4]) or say("module.none")
    return shown if len(names) <= 4 else f"{shown}, ... ({counted(len(names))})"
