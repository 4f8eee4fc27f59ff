"""The search for the ops of an engine, and how each is written there, by trying all usual ways."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from . import op_spellings
from .adapter import Adapter, UnsupportedError, read
from .message_text import MOST_UNKNOWN, describe

if TYPE_CHECKING:
    from types import ModuleType

    from .wire_data import Ops, Way

__all__ = ["find_ops"]

HERE = os.path.dirname(__file__)
NO_OPS = ("copy", "clone", "detach", "zero", "grad", "back", "data", "item", "build", "topo", "print", "draw")


def find_ops(adapter: Adapter) -> Ops:
    """For each op and each pattern of operands, a way to write it; what fails is kept with its reason."""
    found: Ops = {}
    broken: dict[str, str] = {}
    for op in op_spellings.METHODS:
        patterns = ("vv", "vk", "kv") if op_spellings.ARITY.get(op) == 2 else ("v",)
        for pattern in patterns:
            for way in _ways(adapter, op, pattern):
                outcome = _works(adapter, way, op, pattern)
                if outcome == "":
                    found.setdefault(op, {})[pattern] = way
                    broken.pop(f"{op} {pattern}", None)
                    break
                if outcome != "-":
                    broken.setdefault(f"{op} {pattern}", outcome)
    adapter.plan["broken"] = broken
    adapter.plan["unknown"] = _unknown(adapter, found)
    return found


def _unknown(adapter: Adapter, found: Ops) -> list[str]:
    """Methods that take nothing, give a node, and are no op that is known here."""
    known = {way[1] for ways in found.values() for way in ways.values()}
    passes = {op_spellings.plain(name) for name in op_spellings.BACKWARD}
    names: list[str] = []
    untried: list[str] = []
    for name, it in vars(adapter.cls).items():
        plain = op_spellings.plain(name)
        if name.startswith("_") or name in known or plain in passes or not inspect.isfunction(it):
            continue
        if any(word in plain for word in NO_OPS):
            continue
        untried.append(name)
        adapter.begin()
        leaf = adapter.leaf(0.75)
        try:
            made = getattr(leaf, name)()
        except Exception:
            continue
        own = isinstance(made, (adapter.cls, type(leaf)))  # not a tensor of another library
        if own and made is not leaf and adapter.data(made) is not None:
            names.append(name)
            untried.remove(name)
    adapter.plan["untried"] = untried
    return names[:MOST_UNKNOWN]


def _ways(adapter: Adapter, op: str, pattern: str) -> Iterator[Way]:
    """How it may be written, the usual ways first."""
    module, cls = adapter.module, adapter.cls
    if op in op_spellings.OPERATORS:
        dunder = op_spellings.REFLECTED[op] if pattern == "kv" else op_spellings.DUNDERS[op]
        if hasattr(cls, dunder):
            yield ["operator", op]
    wanted = [op_spellings.plain(name) for name in op_spellings.METHODS[op]]
    if op == "neg":
        wanted.remove("minus")
    if pattern != "kv":
        for name in sorted((n for n in dir(cls) if op_spellings.plain(n) in wanted), key=_rank(wanted)):
            if not name.startswith("__") and callable(getattr(cls, name)):
                yield ["method", name]
    for place, beside in adapter.modules.items():
        before = "" if beside is module else f"{place}:"
        yield from ([how, before + name, *rest] for how, name, *rest in _ways_in(beside, cls, wanted))
    for holder, it in _classes(module):  # class F: @staticmethod def relu(x)
        for name, inner in vars(it).items():
            if op_spellings.plain(name) in wanted and isinstance(inner, staticmethod):
                yield ["function", f"{holder}.{name}"]
    if adapter.tape is not None:
        for name in dir(adapter.tape):
            if op_spellings.plain(name) in wanted and callable(getattr(adapter.tape, name)):
                yield ["tape", name]


def _classes(module: ModuleType) -> Iterator[tuple[str, type]]:
    """The classes of a module, and those inside of them."""
    for holder, it in list(vars(module).items()):
        if isinstance(it, type) and it.__module__ == module.__name__:
            yield holder, it
            for name, inner in vars(it).items():
                if isinstance(inner, type) and name != "__class__":
                    yield f"{holder}.{name}", inner


def _ways_in(holder: ModuleType, cls: type, wanted: list[str]) -> Iterator[Way]:
    """Functions and classes of a module that are called like the op."""
    for name in sorted((n for n in vars(holder) if op_spellings.plain(n) in wanted), key=_rank(wanted)):
        it = getattr(holder, name)
        if isinstance(it, type):
            if it is cls:
                continue
            if callable(getattr(it, "apply", None)):
                yield ["apply", name]
            if callable(getattr(it, "forward", None)) or "__call__" in vars(it):
                yield ["instance", name]
                yield ["instance", name, "forward"]
            yield ["made", name]
        elif callable(it) and getattr(it, "__module__", "") == holder.__name__:
            yield ["function", name]
    suffixed = [w + s for w in wanted for s in ("op", "node", "function", "fn", "backward", "operation")]
    for name in sorted(n for n in vars(holder) if op_spellings.plain(n) in suffixed):
        it = getattr(holder, name)
        if isinstance(it, type) and callable(getattr(it, "apply", None)):
            yield ["apply", name]
        elif isinstance(it, type) and not name.lower().endswith("backward"):
            yield ["instance", name]
            yield ["made", name]


def _rank(wanted: list[str]) -> Callable[[str], tuple[int, bool, str]]:
    return lambda name: (wanted.index(op_spellings.plain(name)), name.startswith("_"), name)


def _works(adapter: Adapter, way: Way, op: str, pattern: str) -> str:
    """ "" where it gives a node, "-" where the engine refuses, else what went wrong."""
    numbers = (0.75, 0.5)
    adapter.begin()
    args = [adapter.leaf(x) if kind == "v" else 2 for kind, x in zip(pattern, numbers, strict=False)]
    try:
        result = adapter.call(way, args)
    except RecursionError:
        return "RecursionError"
    except (UnsupportedError, AssertionError, NotImplementedError):
        return "-"
    except Exception as error:
        return _refusal(error, op, pattern)
    if result is None and (way[0] == "operator" or (way[0] == "method" and op in op_spellings.OF_ONE)):
        return op_spellings.RETURNS_NONE  # a forgotten return; log() may as well write to a file
    if way[0] == "operator" and _stored(adapter, result) is NotImplemented:
        return op_spellings.STORES_NOT_IMPLEMENTED  # (2).__add__(0.5), say, was taken for a number
    if result is NotImplemented or result is None or adapter.data(result) is None:
        return "-"
    if op not in op_spellings.RETURNS_ITSELF and any(result is arg for arg in args):
        return "-"  # whatever it is called, it is no op
    return "" if way[0] == "operator" or _is_meant(adapter, way, op, args, result) else "-"


def _stored(adapter: Adapter, result: object) -> object:
    """What stands where a node keeps its number; None where it is no node."""
    try:
        return read(result, adapter.plan["data"]) if isinstance(result, adapter.cls) else None
    except Exception:
        return None


def _is_meant(adapter: Adapter, way: Way, op: str, args: list[object], result: object) -> bool:
    """Is the op's own name used, or else does it give the op's number, as a node?"""
    name = op_spellings.plain(way[1].rpartition(":")[2].rpartition(".")[2])
    if name == op_spellings.plain(op) or op not in op_spellings.MEANT:
        return True
    found = adapter.data(result)
    right = op_spellings.MEANT[op](*[adapter.data(arg) for arg in args])
    return found is not None and adapter.is_node(result) and abs(found - right) <= 1e-3 * abs(right)


def _refusal(error: Exception, op: str, pattern: str) -> str:
    """Is this how an engine says that it does not take such operands?"""
    text = describe(error)
    if pattern == "vv" and op != "pow" and "unsupported operand" in text and _raised_inside(error):
        return text  # it takes such operands, and fails on the way
    if isinstance(error, TypeError) and (op == "pow" or "argument" in text or "unsupported operand" in text):
        return "-"
    if "k" in pattern and isinstance(error, AttributeError) and ("'int'" in text or "'float'" in text):
        return "-"
    if _raised(error):
        return "-"
    return text


def _raised_inside(error: Exception) -> bool:
    """Was it raised below the operator, in the engine's own code?"""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and os.path.dirname(trace.tb_frame.f_code.co_filename) != HERE


def _raised(error: Exception) -> bool:
    """Was it raised on purpose, by a `raise` of the examined source?"""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or isinstance(error, ImportError):  # a stand-in for a library says that
        return False
    try:
        lines, first = inspect.getsourcelines(trace.tb_frame.f_code)
        return lines[trace.tb_lineno - first].lstrip().startswith("raise")
    except (OSError, IndexError):
        return False
