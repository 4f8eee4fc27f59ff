"""Predicates about the things that a function reads: whose they are, and whether they changed."""

from __future__ import annotations

import dis
import pickle
import struct
import sys
from array import array
from collections.abc import Iterable
from functools import lru_cache
from random import Random, SystemRandom
from types import CellType, CodeType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..numpy_loader import Array

__all__ = [
    "CLOCKS",
    "PACKAGE",
    "PLAIN",
    "UNSEEN",
    "bytes_of",
    "content_of",
    "first_difference",
    "is_generator",
    "is_ours",
    "is_users",
    "may_compute",
    "names_in",
    "names_of",
    "put_back",
    "same",
    "signs_of",
    "slots_of",
    "state_of",
]

PLAIN = (int, float, complex, str, bytes, type(None), range, slice)
# What these read is in no name that the function has, so that a change of it would not be seen.
UNSEEN = {"eval", "exec", "globals", "open", "input"}
# The day, a process or a draw may be the same in two runs, and another one in the next call.
CLOCKS = {
    "date": frozenset({"today"}),
    "datetime": frozenset({"today", "now", "utcnow"}),
    "Path": frozenset({"open", "read_text", "read_bytes"}),
    "pathlib": frozenset({"open", "read_text", "read_bytes"}),
    "sys": frozenset({"modules"}),
    "secrets": frozenset({"choice", "randbelow", "randbits", "token_bytes", "token_hex", "SystemRandom"}),
    "os": frozenset({"urandom", "getrandom"}),
    "random": frozenset({"SystemRandom"}),
    "time": frozenset({"time", "time_ns", "localtime", "gmtime", "ctime", "strftime"}),
}
PACKAGE = __name__.partition(".compiler.")[0]


def same(now: object, was: object) -> bool:
    """Whether two immutable things are alike to the last bit."""
    if type(now) is not type(was):
        return False
    if type(now) is float and type(was) is float:
        return struct.pack("<d", now) == struct.pack("<d", was)
    if type(now) is tuple and type(was) is tuple:
        return len(now) == len(was) and all(a is b or same(a, b) for a, b in zip(now, was, strict=True))
    if isinstance(now, MethodType) and isinstance(was, MethodType):  # a class method is new at each access
        return now.__func__ is was.__func__ and now.__self__ is was.__self__
    return isinstance(now, PLAIN) and bool(now == was)


def may_compute(part: object) -> bool:
    """Whether something can take part in a computation: a Value, a module, a list of them; no numbers."""
    if isinstance(part, (list, tuple)):
        return any(map(may_compute, part))
    return not isinstance(part, PLAIN)


def first_difference(now: dict[str, object], was: dict[str, object]) -> str:
    """The first attribute that is not what it was."""
    for name in {**was, **now}:
        if name not in now or name not in was:
            return name
        if now[name] is not was[name] and not same(now[name], was[name]):
            return name
    return ""


def content_of(cell: CellType, _: str) -> object:
    return cell.cell_contents


def slots_of(cls: type) -> tuple[str, ...]:
    slots = cls.__dict__.get("__slots__", ()) if is_users(cls) or is_ours(cls) else ()
    return (slots,) if isinstance(slots, str) else tuple(slots)


def names_in(cls: type) -> tuple[str, ...]:
    return tuple(vars(cls))


def bytes_of(live: Array) -> bytes:
    return f"{live.dtype}{live.shape}".encode() + bytes(live.tobytes())


def is_generator(thing: object) -> bool:
    """Python's or NumPy's, but for those that draw from the system and have no state."""
    kind = type(thing).__module__ + "." + type(thing).__name__
    return (isinstance(thing, Random) and not isinstance(thing, SystemRandom)) or kind in (
        "numpy.random._generator.Generator",
        "numpy.random.mtrand.RandomState",
    )


def state_of(generator: Any) -> object:
    if isinstance(generator, Random):
        return generator.getstate()
    bits = getattr(generator, "bit_generator", None) or generator._bit_generator
    return pickle.dumps(bits.state)


def put_back(generator: Any, state: Any) -> None:
    if isinstance(generator, Random):
        generator.setstate(state)
    else:
        bits = getattr(generator, "bit_generator", None) or generator._bit_generator
        bits.state = pickle.loads(state)


def signs_of(live: Iterable[float]) -> bytes:
    try:
        return array("d", live).tobytes()
    except TypeError:
        return b"other things than numbers"


def is_ours(cls: type) -> bool:
    return cls.__module__ == PACKAGE or cls.__module__.startswith(PACKAGE + ".")


def is_users(thing: object) -> bool:
    """Whether a function, class or module is the user's own: neither Python's, nor ours, nor installed."""
    name = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None) or ""
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names and top != "__main__":
        return False
    if name == PACKAGE or name.startswith(PACKAGE + "."):
        return False
    file = getattr(sys.modules.get(name), "__file__", None) or ""
    return "site-packages" not in file and "dist-packages" not in file


@lru_cache(maxsize=4096)
def names_of(code: CodeType) -> tuple[tuple[str, ...], frozenset[str]]:
    """The globals that a function's code reads, and the attributes that it names; of functions in it too."""
    read: dict[str, None] = {}
    named: set[str] = set()
    waiting = [code]
    while waiting:
        part = waiting.pop()
        waiting += [constant for constant in part.co_consts if isinstance(constant, CodeType)]
        for step in dis.get_instructions(part):
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                read[step.argval] = None
            elif step.opname.startswith(("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "IMPORT_FROM")):
                named.add(step.argval)
    return tuple(read), frozenset(named)
