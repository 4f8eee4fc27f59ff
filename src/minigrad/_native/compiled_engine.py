"""The compiled engine, put in the place of the textbook.

`scalar.py` calls `use_compiled_engine` at its end.  Where the engine was built from the sources beside it,
`Value`, `backward` and the functions that they call are from then on the ones in C.  Else, with
MINIGRAD_PURE=1, and beside a scalar.py that somebody has edited, everything stays as scalar.py says.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..text.translation import say
from ..values import ieee, no_grad
from . import checksum
from .textbook_checksum import is_edited, tell_once

if TYPE_CHECKING:
    from ..scalar import Value

__all__ = ["compiled_op", "use_compiled_engine"]

_engine: ModuleType | None = None


def use_compiled_engine(textbook: dict[str, Any]) -> None:
    """Replace names in `textbook`, the globals of scalar.py, by the engine's where that can be used."""
    global _engine
    if os.environ.get("MINIGRAD_PURE", "0") not in ("", "0"):
        return
    try:
        engine = import_module(".engine", __package__)
        if is_edited():
            tell_once(say("engine.edited"))
            return
        if checksum(os.path.dirname(engine.__file__ or "")) not in (None, engine.SOURCES):
            raise ImportError(say("engine.stale"))
        engine.take({**textbook, "inverse": ieee.inverse, "_innermost": no_grad._innermost})
    except ModuleNotFoundError:  # it was not built
        return
    except ImportError as error:
        if is_edited():  # it would not have been used in any case
            tell_once(say("engine.edited"))
            return
        warnings.warn(say("engine.plain", reason=error), RuntimeWarning, stacklevel=3)
        return
    _fill_in(engine.Value, textbook["Value"])
    textbook.update(
        Value=engine.Value,
        _Extra=engine.Extra,
        backward=engine.backward,
        reach=engine.reach,
        _walk=engine.walk,
        _apply=engine.apply,
        _constant=engine.constant,
        _new=engine.Value.__new__,
        _created=engine.created,
        ENGINE="native",
    )
    no_grad.watch(engine.blocks)
    _engine = engine


def _fill_in(compiled: type, plain: type) -> None:
    """Give the compiled class every attribute that it lacks: the methods of the textbook's find the names of
    scalar.py when they run."""
    for name, attribute in vars(plain).items():
        if name not in vars(compiled) and name not in ("__dict__", "__weakref__"):
            setattr(compiled, name, attribute)
    compiled.__module__, compiled.__name__ = plain.__module__, "Value"


def compiled_op(name: str, arguments: str, function: Callable[..., Value]) -> Callable[..., Value]:
    """The compiled twin of an op's function where that engine is in use, else the function itself."""
    if _engine is None:
        return function
    twin: Callable[..., Value] = _engine.compiled(name, arguments, function)
    return twin
