"""The engines that are compared, and what it means to run a program on one.

An `Engine` prepares a `Run` of a program: forward, backward, update and free are timed, in this order;
the gradients are read before anything is timed.  The engines of this file are classes of numbers, so
they run a program as it stands.  Those that are libraries with a way of their own are in foreign.py.

`load_plain` gives the plain minigrad beside the native one, in one process.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from programs import Program
from reference import Closures, LocalGrads

import minigrad

__all__ = ["Engine", "OfClass", "Run", "load_plain", "own_engines"]


class Run:
    """One program on one engine.  What a step leaves behind is for the next; free drops the graph."""

    def forward(self) -> None: ...

    def backward(self) -> None: ...

    def update(self) -> None: ...

    def free(self) -> None: ...

    def gradients(self) -> list[float]:
        raise NotImplementedError

    again: Callable[[], object] | None = None  # a call of what was compiled, where an engine compiles


@dataclass(frozen=True)
class Engine:
    name: str
    prepare: Callable[[Program, int], Run] | None  # None where it is missing
    version: str = ""
    missing: str = ""  # why, and what to do about it
    only: tuple[str, ...] = ()  # the programs that it is for; none named: all
    notes: dict[str, str] = field(default_factory=dict)  # what a reader of its rows should know
    refuses: dict[str, str] = field(default_factory=dict)  # program: why it cannot


class OfClass(Run):
    """A program on a class of numbers that have .data, .grad and .backward()."""

    def __init__(self, make: Any, program: Program, size: int, **ways: Any) -> None:
        self.leaves, self.compute = program.build(make, size, **ways)
        self.output: Any = None
        if program.update is not None:
            self.update = program.update(self.leaves)  # type: ignore[method-assign]

    def forward(self) -> None:
        self.output = self.compute()

    def backward(self) -> None:
        self.output.backward()

    def free(self) -> None:
        self.output = None

    def gradients(self) -> list[float]:
        return [leaf.grad for leaf in self.leaves]


def of_class(name: str, make: Any, **more: Any) -> Engine:
    return Engine(name, lambda program, size: OfClass(make, program, size), **more)


# ---- minigrad, native and plain -----------------------------------------------------------------


def load_plain() -> ModuleType:
    """minigrad a second time, as `plain_minigrad`, with its engine in Python.

    The engine is chosen when the package is imported, by MINIGRAD_PURE; every import inside the
    package is relative, so a second copy under another name does not touch the first.
    """
    name = "plain_minigrad"
    if name in sys.modules:
        return sys.modules[name]
    folder = Path(minigrad.__file__).parent
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    before = os.environ.get("MINIGRAD_PURE")
    os.environ["MINIGRAD_PURE"] = "1"
    try:
        spec.loader.exec_module(module)
        for room in ("scalar", "functions"):  # these are loaded late otherwise, without the setting
            importlib.import_module(f"{name}.{room}")
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        os.environ.pop("MINIGRAD_PURE")
        if before is not None:
            os.environ["MINIGRAD_PURE"] = before
    return module


def is_native() -> bool:
    return getattr(minigrad, "ENGINE", "plain") == "native"


def own_engines() -> dict[str, Engine]:
    """minigrad in its forms, and the two minimal classes of reference.py."""
    plain = load_plain()
    if is_native():
        native = of_class("minigrad native", minigrad.Value, version=minigrad.__version__)
        with_dot = Engine("minigrad native, dot", _with_dot, minigrad.__version__, only=("mlp", "gpt"))
    else:
        why = "not built: `import minigrad` gave the plain engine"
        native = Engine("minigrad native", None, missing=why)
        with_dot = Engine("minigrad native, dot", None, missing=why, only=("mlp", "gpt"))
    with_dot.notes["mlp"] = with_dot.notes["gpt"] = "user code changed: linear layers call functions.dot"
    return {
        "native": native,
        "native-dot": with_dot,
        "plain": of_class("minigrad plain", plain.Value, version=plain.__version__),
        "microgpt": of_class("microgpt-style", LocalGrads),
        "micrograd": of_class("micrograd-style", Closures),
    }


def _with_dot(program: Program, size: int) -> Run:
    """The same program where a user who knows of functions.dot has put it into the linear layers."""
    dot = minigrad.functions.dot

    def linear(xs: list[Any], rows: list[list[Any]]) -> list[Any]:
        return [dot(row, xs) for row in rows]

    def layer(xs: list[Any], neurons: list[tuple[list[Any], Any]], bends: bool) -> list[Any]:
        sums = [dot(ws, xs) + b for ws, b in neurons]
        return [s.relu() for s in sums] if bends else sums

    ways = {"mlp": {"layer": layer}, "gpt": {"linear": linear}}[program.build.__name__]
    return OfClass(minigrad.Value, program, size, **ways)
