"""minigrad: an autograd engine that you can see through.

    from minigrad import Value, explain
    a, b = Value(2.0, label="a"), Value(3.0, label="b")
    L = a * b + a
    L.backward()            # a.grad == 4.0, b.grad == 2.0
    print(explain(L))       # why

The names here are the ones most programs need; the rest lives in its room: `minigrad.functions` (every op
as a function, and sums over lists), `.nn` (modules, losses, optimisers), `.verify` (is it right?), `.faults`
(what if it is broken, and which bug gives these numbers?), `.doctor` (what is wrong with this engine?).
Rooms that an engine does not need are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .recording import no_grad
from .scalar import ENGINE, Value, backward

__version__ = "0.1.0"

# name: the room it comes from
_LATER = {
    "Graph": "graph",
    "compile": "compile",
    "explain": "explain.explanation",
    "grad": "functional",
    "gradcheck": "functional",
    "hessian": "functional",
    "jacobian": "functional",
    "jvp": "functional",
    "name": "naming",
    "naming": "naming",
    "parse": "language",
    "take": "lookup",
    "trace": "trace",
    "value_and_grad": "functional",
    "vjp": "functional",
}

__all__ = ["ENGINE", "Value", "backward", "no_grad", *_LATER]

if TYPE_CHECKING:
    from .compile import compile as compile  # noqa: A004 what it does to a function
    from .explain import explain as explain
    from .functional import grad as grad
    from .functional import gradcheck as gradcheck
    from .functional import hessian as hessian
    from .functional import jacobian as jacobian
    from .functional import jvp as jvp
    from .functional import value_and_grad as value_and_grad
    from .functional import vjp as vjp
    from .graph import Graph as Graph
    from .language import parse as parse
    from .lookup import take as take
    from .naming import name as name
    from .naming import naming as naming
    from .trace import trace as trace


_ROOMS = {
    "doctor",
    "drawing",
    "duel",
    "faults",
    "functional",
    "functions",
    "graph",
    "language",
    "learn",
    "nn",
    "ops",
    "training",
    "verify",
}


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f".{name}", __name__)
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f".{_LATER[name]}", __name__), name)
    # these are rooms as well as functions, and can be called (see rooms.py)
    called = name in ("compile", "explain", "naming", "trace")
    globals()[name] = import_module(f".{name}", __name__) if called else found
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
