"""Watch on the class Value: while a function is traced, reading a number is noted, writing one is refused.

A function may come by a Value in any way: an argument, a global, an attribute of some object.  So the class
itself is watched, not its instances, and not a class of its own for arguments: `data`, the comparisons and
what else would let a number slip out of the graph unseen are replaced while a function is traced anywhere,
and put back afterwards.  Arithmetic is not: the graph tells what it did.  Why that disturbs nobody:

* Whether a caller is being traced is asked by a context variable.  For another thread or task each
  replacement does what stood there before, so it does not matter which of them it meets halfway.
* Tracers that overlap are counted: the first one replaces, the last one puts back, also after an error.
* To put back what a class had of its own gives the slots of a compiled class their own functions again.
* A function that hands its work to another thread would leave its context, and numbers would be read unseen:
  that is refused.

A class can change only so often: since Python 3.13, the attributes of one that has changed a thousand times
are looked up slowly from then on.  So `trace_function` watches once for all its runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Thread
from types import FrameType
from typing import Any

from ...scalar import Value
from ...text.translation import say
from ...values.no_grad import no_grad
from ...values.take import Index
from .outside_values import PACKAGE
from .tracer import TracedNumber, Tracer, TracingError, current, place, refuse_here

__all__ = ["watched"]

_ABSENT = object()
_TRANSFORMS = f"{PACKAGE}.functional"
_lock = Lock()
_open = 0
_before: dict[tuple[type, str], object] = {}  # what stood in the place of each replacement


@contextmanager
def watched() -> Iterator[None]:
    """Value is watched inside this block."""
    global _open
    with _lock:
        _open += 1
        if _open == 1:
            for (cls, name), replacement in (_replacements | _pools()).items():
                _before[cls, name] = cls.__dict__.get(name, _ABSENT)
                setattr(cls, name, replacement)
    try:
        yield
    finally:
        with _lock:
            _open -= 1
            if _open == 0:
                for (cls, name), original in _before.items():
                    if original is _ABSENT:
                        delattr(cls, name)
                    else:
                        setattr(cls, name, original)
                _before.clear()


# ---- what stands there meanwhile ------------------------------------------------------------------

_replacements: dict[tuple[type, str], object] = {}
_data, _grad = Value.__dict__["data"], Value.__dict__["grad"]


def _get_data(self: Value) -> object:
    tracer = current.get()
    return _data.__get__(self) if tracer is None else _number(tracer, self)


def _number(tracer: Tracer, value: Value) -> object:
    # A transform compares what it finds with the numbers of this very run: its result is of this run only.
    if sys._getframe(2).f_globals.get("__name__") == _TRANSFORMS:
        tracer.refuse("compile.trace.transform")
    return tracer.number(value)


def _set_data(self: Value, data: object) -> None:
    refuse_here("compile.trace.data")
    _data.__set__(self, data)


def _get_grad(self: Value) -> object:
    refuse_here("compile.trace.grad")
    return _grad.__get__(self)


def _set_grad(self: Value, grad: object) -> None:
    if current.get() is not None:
        try:
            same = type(grad) is float and grad == 0.0 and _grad.__get__(self) == 0.0
        except AttributeError:  # a node that is being made
            same = True
        if not same:
            refuse_here("compile.trace.grad")
    _grad.__set__(self, grad)


def _item(self: Value) -> object:
    tracer = current.get()
    return _data.__get__(self) if tracer is None else tracer.number(self)


def _detach(self: Value) -> Value:
    tracer = current.get()
    if tracer is None or tracer.fixed(self):
        return Value(_data.__get__(self), requires_grad=False)
    return tracer.stop(Value(self._data), self)


_plain_init = Value.__init__


def _init(self: Value, data: Any, *rest: Any, **named: Any) -> None:
    tracer = current.get()
    if tracer is None or not isinstance(data, (TracedNumber, Index)):
        _plain_init(self, data, *rest, **named)
        return
    source = data if isinstance(data, TracedNumber) else data._value
    _plain_init(self, source._data, *rest, **named)
    if not self._children:  # Value(x.data): a leaf with the same number
        self.requires_grad = True  # or the engine would not write down what is made from it
        tracer.stop(self, source)


def _comparison(name: str) -> Callable[[Value, object], object]:
    method = f"__{name}__"
    plain = getattr(Value, method)

    def compare(self: Value, other: object) -> object:
        tracer = current.get()
        return plain(self, other) if tracer is None else tracer.compare(name, self, other)

    compare.__name__ = method
    return compare


def _identity(name: str) -> Callable[[Value, object], object]:
    """== of Values asks whether they are one; beside a number it is a mistake, and here it would not show."""
    plain = getattr(Value, name)
    sign = "==" if name == "__eq__" else "!="

    def compare(self: Value, other: object) -> object:
        tracer = current.get()
        if tracer is None or other is self:
            return plain(self, other)
        if isinstance(other, (int, float, TracedNumber, Index)):
            tracer.refuse("compile.trace.identity", sign=sign)
        if isinstance(other, Value) and (tracer.made(self) or tracer.made(other)):
            return tracer.unlike(self, other) == (sign == "!=")
        return plain(self, other)

    compare.__name__ = name
    return compare


_plain_repr, _plain_format = Value.__repr__, Value.__format__


def _repr(self: Value) -> str:
    tracer = current.get()
    if tracer is None:
        return _plain_repr(self)
    return f"{type(self).__name__}(data={tracer.shown(self)!r})"


def _format(self: Value, spec: str) -> str:
    tracer = current.get()
    if tracer is None:
        return _plain_format(self, spec)
    return format(tracer.shown(self), spec) if spec else repr(self)


# A Value is true, and is a key of its own; the float that it stands for may be neither.


def _bool(self: Value) -> bool:
    tracer = current.get()
    if tracer is None or not tracer.made(self) or tracer.fixed(self):
        return True
    if tracer.compare("equal", self, 0.0):
        tracer.refuse("compile.trace.truth")
    return True


_plain_hash = Value.__hash__


def _hash(self: Value) -> int:
    tracer = current.get()
    if tracer is not None and tracer.made(self) and not _is_ours(sys._getframe(1)):
        tracer.refuse("compile.trace.key")
    return _plain_hash(self)


def _is_ours(frame: FrameType) -> bool:
    return f"{frame.f_globals.get('__name__')}.".startswith(f"{PACKAGE}.")


def _no_number(asked: str, eager: str) -> Callable[..., object]:
    """float(v) and the like, which are errors on any Value; here the error says what to write."""

    def refuse(self: Value, *rest: object) -> object:
        if current.get() is not None:  # the function may try, and do without: eager would raise as well
            raise TracingError(say("compile.trace.float", asked=asked, where=place()))
        raise TypeError(eager.format(type(self).__name__))

    return refuse


def _refused(name: str, key: str, cls: object = Value) -> Callable[..., object]:
    plain = getattr(cls, name)

    def method(self: object, *rest: object, **named: object) -> object:
        refuse_here(key, asked=name)
        return plain(self, *rest, **named)

    method.__name__ = name
    return method


# Pools whose threads wait for work, and how they are given some: a new pool has to start one.
_POOLS = {
    "concurrent.futures.thread": ("ThreadPoolExecutor", ("submit",)),
    "concurrent.futures.process": ("ProcessPoolExecutor", ("submit",)),
    "multiprocessing.pool": (
        "Pool",
        ("apply", "apply_async", "map", "map_async", "starmap", "starmap_async", "imap", "imap_unordered"),
    ),
}


def _pools() -> dict[tuple[type, str], object]:
    """The same for pools that there may be: those of modules that somebody has imported."""
    found: dict[tuple[type, str], object] = {}
    for module, (name, methods) in _POOLS.items():
        if module in sys.modules:
            pool = getattr(sys.modules[module], name)
            found |= {(pool, method): _refused(method, "compile.trace.thread", pool) for method in methods}
    return found


_plain_enter = no_grad.__enter__


def _enter(self: no_grad) -> None:
    refuse_here("compile.trace.no_grad")
    _plain_enter(self)


_REAL = "must be real number, not {}"

_replacements |= {
    (Value, "data"): property(_get_data, _set_data),
    (Value, "grad"): property(_get_grad, _set_grad),
    (Value, "item"): _item,
    (Value, "detach"): _detach,
    (Value, "__init__"): _init,
    (Value, "__bool__"): _bool,
    (Value, "__hash__"): _hash,
    (Value, "__repr__"): _repr,
    (Value, "__format__"): _format,
    (Value, "__float__"): _no_number(
        "float()", "float() argument must be a string or a real number, not '{}'"
    ),
    (Value, "__int__"): _no_number("int()", "int() argument must be a string or a real number, not '{}'"),
    (Value, "__round__"): _no_number("round()", "type {} doesn't define __round__ method"),
    (Value, "__trunc__"): _no_number("math.trunc()", "type {} doesn't define __trunc__ method"),
    (Value, "__floor__"): _no_number("math.floor()", _REAL),
    (Value, "__ceil__"): _no_number("math.ceil()", _REAL),
    (no_grad, "__enter__"): _enter,
    (Thread, "start"): _refused("start", "compile.trace.thread", Thread),
}
_replacements |= {(Value, f"__{name}__"): _comparison(name) for name in ("lt", "le", "gt", "ge")}
_replacements |= {(Value, name): _identity(name) for name in ("__eq__", "__ne__")}
_replacements |= {(Value, name): _refused(name, "compile.trace.pass") for name in ("backward", "zero_grad")}
_replacements[Value, "register_hook"] = _refused("register_hook", "compile.trace.hook")
_replacements |= {
    (Value, name): _refused(name, "compile.trace.copy")
    for name in ("__copy__", "__deepcopy__", "__reduce_ex__")
}
