"""Captures of a function: what it reads besides its arguments, and whether that has changed.

    captures = Captures(f)
    captures.changed()        # "" while all is as it was; else what has changed, by its name

Looked at are closures, globals, default arguments, `self` of a bound method, and the same of every function
of the user's own that these lead to.  Numbers, texts and tuples count by value; lists, dicts, sets and arrays
by what is in them; objects by those of their attributes that some of the functions name.  Values are not
looked at: a program reads their data in each call; but for constants, which leave no trace in a graph.
"""

from __future__ import annotations

import builtins
import os
from array import array
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import cached_property, partial
from io import IOBase
from operator import attrgetter, is_
from types import BuiltinFunctionType, FunctionType, MethodType, MethodWrapperType, ModuleType
from typing import Any

from ...scalar import Value
from ...text.translation import say
from ..structure import is_array
from .outside_values import (
    CLOCKS,
    PACKAGE,
    PLAIN,
    UNSEEN,
    bytes_of,
    content_of,
    first_difference,
    is_generator,
    is_ours,
    is_users,
    may_compute,
    names_in,
    names_of,
    put_back,
    same,
    signs_of,
    slots_of,
    state_of,
)
from .tracer import TracingError

__all__ = ["Captures"]

MOST = 2_000_000  # things that are looked at
_SIMPLE = {int, float, str, bytes, bool, type(None), Value}
_CONTAINERS = (list, tuple, dict, set, frozenset, deque)
_wants, _data = attrgetter("requires_grad"), attrgetter("_data")
_ALL_ATTRIBUTES = {"getattr", "vars", "__dict__", "attrgetter", "setattr"}


class Captures:
    """The names that a function reads, what they were bound to, and what was in it."""

    def __init__(self, f: Callable[..., object]) -> None:
        self._bound: list[tuple[Callable[[str], object], str, object, str]] = []
        # All of an object: its attributes, what they were as a dict and as a list, and its label.
        self._whole: list[tuple[dict[str, object], dict[str, object], list[object], str]] = []
        self._content: list[tuple[object, object, str]] = []
        self._bits: list[tuple[object, Callable[[Any], object], object, str]] = []
        self._constants: list[tuple[Value, str]] = []
        self._generators: list[tuple[object, object, str]] = []  # of random numbers
        self._seen: dict[int, object] = {}  # and so kept alive: an id is of one thing only
        self._kept: list[object] = []  # for the same reason
        self._objects: list[tuple[object, str]] = []
        self._names: set[str] = set()  # attributes that some function reads
        self._known: set[tuple[int, str]] = set()
        self._waiting: list[tuple[object, str]] = [(f, getattr(f, "__name__", "f"))]
        self._count = 0
        self._explore()
        self._data = self._state()

    # ---- asking ---------------------------------------------------------------------------------

    def changed(self) -> str:
        """ "" while all is as it was; else the name of what is not."""
        for get, key, was, label in self._bound:
            try:
                now = get(key)
            except Exception:  # an attribute that is gone, an empty cell, a descriptor that objects
                return label
            if now is not was and not same(now, was):
                return label
        for own, were, parts, label in self._whole:
            if len(own) != len(parts) or not all(map(is_, own.values(), parts)):
                name = first_difference(own, were)
                if name:
                    return f"{label}.{name}"
        for live, was, label in self._content:
            try:
                if live != was:
                    return label
            except Exception:  # arrays and others with an == of their own kind
                return label
        for live, bits, was, label in self._bits:
            if bits(live) != was:
                return label
        if self._constants and self._state() != self._data:
            was = memoryview(self._data).cast("d")
            return next(
                (label for (value, label), x in zip(self._constants, was, strict=True) if value._data != x),
                self._constants[0][1],
            )
        return ""

    def _state(self) -> bytes:
        """The data of all constants; nothing once one of them wants a gradient."""
        values = [value for value, _ in self._constants]
        return b"" if any(map(_wants, values)) else array("d", map(_data, values)).tobytes()

    def drawn(self) -> str:
        """ "" unless a generator of random numbers has moved since: then its name, and it is put back."""
        found = ""
        for generator, state, label in self._generators:
            if state_of(generator) != state:
                found = label
                put_back(generator, state)
        return found

    # ---- looking around -------------------------------------------------------------------------

    def _explore(self) -> None:
        """Follow what there is until nothing new is found.

        Which attributes of an object matter is known when all functions are, so objects come after them,
        and again when they have led to further functions.
        """
        while True:
            while self._waiting:
                self._look(*self._waiting.pop())
            for thing, label in list(self._objects):
                self._attributes(thing, label)
            if not self._waiting:
                return

    def _look(self, thing: object, label: str) -> None:
        if isinstance(thing, PLAIN):
            return
        if id(thing) in self._seen:
            return
        self._seen[id(thing)] = thing
        self._count += 1
        if self._count > MOST:
            raise TracingError(say("compile.trace.much", name=label, most=MOST))
        if isinstance(thing, Value):
            if not thing.requires_grad:
                self._constants.append((thing, label))
        elif isinstance(thing, _CONTAINERS):
            self._content.append((thing, self._copied(thing, label), label))
        elif is_array(thing):
            self._bits.append((thing, bytes_of, bytes_of(thing), label))
        elif isinstance(thing, (bytearray, array)):
            self._bits.append((thing, bytes, bytes(thing), label))
        elif is_generator(thing):
            self._generators.append((thing, state_of(thing), label))
        elif isinstance(thing, Iterator) and not isinstance(thing, IOBase) and not is_users(type(thing)):
            raise TracingError(say("compile.trace.iterator", name=label))
        elif isinstance(thing, MethodType):
            self._wait(thing.__func__, label)
            self._wait(
                thing.__self__, "self" if label == thing.__name__ else label.rpartition(".")[0] or label
            )
        elif isinstance(thing, FunctionType):
            self._function(thing, label)
        elif isinstance(thing, property):
            self._wait(thing.fget, label)
        elif isinstance(thing, cached_property):
            self._wait(thing.func, label)
        elif isinstance(thing, partial):
            for part in (thing.func, thing.args, thing.keywords):
                self._wait(part, label)
        elif isinstance(thing, (BuiltinFunctionType, MethodWrapperType)):
            if not isinstance(thing.__self__, ModuleType):  # xs.append, under a name of its own
                self._wait(thing.__self__, label)
        elif isinstance(thing, (ModuleType, type)):
            if is_users(thing):
                self._objects.append((thing, label))
            elif clock := CLOCKS.get(thing.__name__, frozenset()) & self._names:
                raise TracingError(say("compile.trace.clock", asked=f"{label}.{min(clock)}"))
        elif "__wrapped__" in (getattr(thing, "__dict__", None) or {}):  # functools.cache, other decorators
            self._wait(vars(thing)["__wrapped__"], label)
        elif isinstance(thing, (Mapping, Sequence, Set)):  # UserDict, MappingProxyType and their kin
            copied: Callable[[Any], Any] = dict if isinstance(thing, Mapping) else list
            held = copied(thing)
            self._bits.append((thing, copied, held, label))
            self._waiting += [(part, label) for part in (held.values() if copied is dict else held)]
        elif type(thing).__module__.startswith(f"{PACKAGE}.compiler"):  # a program: what it was made of
            self._wait(getattr(thing, "f", None), label)
        elif hasattr(thing, "__dict__") or hasattr(type(thing), "__slots__"):
            self._objects.append((thing, label))

    def _wait(self, thing: object, label: str) -> None:
        self._waiting.append((thing, label))

    def _bind(
        self,
        get: Callable[[str], object],
        holder: object,
        key: str,
        thing: object,
        label: str,
        follow: bool = True,
    ) -> None:
        if (id(holder), key) not in self._known:
            self._known.add((id(holder), key))
            self._kept.append(holder)
            self._bound.append((get, key, thing, label))
            if follow:
                self._wait(thing, label)

    def _function(self, function: FunctionType, label: str) -> None:
        if not is_users(function):
            return
        code = function.__code__
        name = function.__name__
        if vars(function):  # f.calls += 1
            self._objects.append((function, label))
        for attribute in ("__code__", "__defaults__", "__kwdefaults__"):
            self._bind(
                function.__getattribute__, function, attribute, getattr(function, attribute), name, False
            )
        defaults = function.__defaults__ or ()
        variables = code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount]
        for variable, default in zip(variables, defaults, strict=True):
            self._wait(default, variable)
        named_only = function.__kwdefaults__ or {}
        for variable, default in named_only.items():
            self._bind(named_only.get, named_only, variable, default, variable)
        for variable, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            try:
                self._bind(partial(content_of, cell), cell, "", cell.cell_contents, variable)
            except ValueError:  # not bound yet, and an error when it is read
                continue
        read, named = names_of(code)
        self._names |= named
        if named & {"environ", "getenv"}:
            self._wait(os.environ, "os.environ")
        for variable in read:
            if variable in function.__globals__:
                thing = function.__globals__[variable]
            elif hasattr(builtins, variable):
                if variable in UNSEEN:
                    raise TracingError(say("compile.trace.unseen", name=name, asked=f"{variable}()"))
                thing = None  # and a global of that name would take its place
            else:
                continue
            self._bind(function.__globals__.get, function.__globals__, variable, thing, variable)
            if variable in _ALL_ATTRIBUTES:
                self._names.add("__dict__")

    def _attributes(self, thing: object, label: str) -> None:
        """The attributes of an object, class or module that matter."""
        own = getattr(thing, "__dict__", None)
        cls = thing if isinstance(thing, type) else type(thing)
        if isinstance(own, dict):
            if is_ours(cls) or (is_users(cls) and self._names & _ALL_ATTRIBUTES):
                self._all_of(thing, own, label)
            else:
                derived = any(map(is_ours, cls.__mro__))  # its forward may be ours, and reads what it likes
                for name, part in list(own.items()):
                    if name in self._names or (derived and (name == "training" or may_compute(part))):
                        self._bind(own.get, thing, name, part, f"{label}.{name}")
        if isinstance(thing, ModuleType):
            return
        for part in cls.__mro__:
            if is_users(part):
                self._of_class(thing, cls, part, own, label)
            for name in slots_of(part) if cls is not thing else ():
                if (is_ours(part) or name in self._names) and hasattr(thing, name):
                    self._bind(partial(getattr, thing), thing, name, getattr(thing, name), f"{label}.{name}")

    def _all_of(self, thing: object, own: dict[str, object], label: str) -> None:
        if (id(thing), "__dict__") not in self._known:
            self._known.add((id(thing), "__dict__"))
            self._whole.append((own, dict(own), list(own.values()), label))
            for name, part in own.items():
                self._wait(part, f"{label}.{name}")

    def _of_class(self, thing: object, cls: type, part: type, own: object, label: str) -> None:
        """What a class of the user's gives to its instances, where they have nothing of that name."""
        every = bool(self._names & _ALL_ATTRIBUTES)
        if every and (id(part), "") not in self._known:
            self._known.add((id(part), ""))
            self._bits.append((part, names_in, names_in(part), label))
        for name, held in list(vars(part).items()):
            if name in ("__dict__", "__weakref__"):  # how its instances are made, and a new object each time
                continue
            read = name in self._names or (every and not name.startswith("__"))
            if not read and not (name.startswith("__") and isinstance(held, FunctionType)):
                continue
            for owner in (cls, part):  # what is found there, and what super() finds
                with suppress(Exception):  # a descriptor that does not answer to a class
                    get = partial(getattr, owner)
                    self._bind(get, owner, name, get(name), f"{label}.{name}")
            if isinstance(own, dict) and thing is not cls and name not in own:
                if isinstance(held, cached_property):  # the function would do it: then its first run does not
                    with suppress(Exception):
                        self._bind(own.get, thing, name, getattr(thing, name), f"{label}.{name}")
                else:
                    self._bind(own.__contains__, thing, name, False, f"{label}.{name}")

    # ---- copies ---------------------------------------------------------------------------------

    def _copied(self, thing: Any, label: str) -> object:
        """What is in a container now, containers within it copied too; == then compares all of it."""
        self._count += len(thing)
        if self._count > MOST:
            raise TracingError(say("compile.trace.much", name=label, most=MOST))
        if isinstance(thing, dict):
            return {key: self._part(part, f"{label}[{key!r}]") for key, part in list(thing.items())}
        parts = list(thing)
        kinds = set(map(type, parts))
        if kinds == {Value}:
            self._constants += [(part, label) for part in parts if not part.requires_grad]
        if kinds <= _SIMPLE and isinstance(thing, (list, tuple)):  # nearly all that is long
            if 0.0 in parts and float in kinds:  # == does not tell 0.0 from -0.0
                self._bits.append((thing, signs_of, signs_of(thing), label))
            return parts if isinstance(thing, list) else tuple(parts)
        if isinstance(thing, (set, frozenset)):
            for part in parts:
                self._wait(part, label)
            return type(thing)(parts) if type(thing) in (set, frozenset) else set(parts)
        parts = [self._part(part, f"{label}[{i}]") for i, part in enumerate(parts)]
        if isinstance(thing, list):
            return parts
        return deque(parts, thing.maxlen) if isinstance(thing, deque) else tuple(parts)

    def _part(self, part: object, label: str) -> object:
        if isinstance(part, PLAIN):
            return part
        if isinstance(part, Value):
            self._look(part, label)
        elif isinstance(part, _CONTAINERS) and id(part) not in self._seen:
            self._seen[id(part)] = part
            return self._copied(part, label)
        elif isinstance(part, _CONTAINERS) and isinstance(part, (list, dict, set, deque)):
            return part  # it is looked at elsewhere
        else:
            self._wait(part, label)
        return part
