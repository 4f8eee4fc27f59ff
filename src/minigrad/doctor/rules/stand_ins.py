"""Stand-ins for modules that cannot be imported here and that a rule may not need: absent libraries, CUDA.

While a module is imported, anything can be asked of a stand-in, so that decorators and constants at the top
of a file do no harm.  Afterwards whoever calls one gets an ImportError that names what is missing.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, TypeVar

__all__ = ["import_with_stand_ins"]

NEVER = ("torch", "jax", "jaxlib", "numpy")
MOST = 40  # stand-ins for one module
NAME_MISSING = re.compile(r"cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)'")

T = TypeVar("T")
_importing = [0]  # how many imports with stand-ins are under way


class _StandInObject:
    """What names and modules have in common: during an import they can be called, or be decorators."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not _importing[0]:
            name = repr(self)
            raise ImportError(f"{name} is not there: a stand-in took the place of its module", name=name)
        if len(args) == 1 and not kwargs and (callable(args[0]) and not isinstance(args[0], _StandInObject)):
            return args[0]  # as a decorator
        return _StandInName(f"{self!r}()")

    def __getitem__(self, key: object) -> Any:
        return self("item") if not _importing[0] else _StandInName(f"{self!r}[...]")

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        return ()

    def _calculated(self, *others: object) -> Any:
        """With a number or another stand-in: a constant at the top of a file."""
        return self

    __or__ = __ror__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _calculated
    __truediv__ = __rtruediv__ = __floordiv__ = __pow__ = __rpow__ = __mod__ = __neg__ = _calculated
    __enter__ = _calculated

    def __exit__(self, *trouble: object) -> None: ...

    def _compared(self, other: object) -> bool:
        """With a version, as in `if version.parse(torch.__version__) >= ...`."""
        return False

    __lt__ = __le__ = __gt__ = __ge__ = _compared


class _StandInName(_StandInObject):
    """Something of a stand-in."""

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_name", name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _StandInName(f"{object.__getattribute__(self, '_name')}.{name}")

    def __repr__(self) -> str:
        return str(object.__getattribute__(self, "_name"))


class _StandInModule(_StandInObject, ModuleType):
    """It stands for a module, or for a name that its module lacks."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "A stand-in of minigrad: this module could not be imported.")
        self.__path__: list[str] = []
        self.__version__ = "0.0.0"
        self.__spec__ = ModuleSpec(name, None, is_package=True)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _StandInName(f"{self.__name__}.{name}")

    def __repr__(self) -> str:
        return self.__name__


def import_with_stand_ins(load: Callable[[], T], own: str) -> tuple[T, tuple[str, ...]]:
    """What `load` gives, tried again with a stand-in for each module that was missing; and their names.

    `own` is the module that is wanted: nothing stands in for that, nor for the libraries of the rules.
    """
    names: list[str] = []
    _importing[0] += 1
    try:
        while True:
            try:
                return load(), tuple(names)
            except Exception as error:
                name = _missing(error)
                if not name or name in NEVER or name in names or len(names) >= MOST or _is_around(name, own):
                    raise
                names.append(name)
                _put(name)
    finally:
        _importing[0] -= 1


def _is_around(name: str, own: str) -> bool:
    """Is it the wanted module itself, or a package that it is in?"""
    return name == own or own.startswith(f"{name}.")


def _put(name: str) -> None:
    if name == "torch.utils.cpp_extension.load":
        from importlib import import_module

        extension: Any = import_module("torch.utils.cpp_extension")
        for each in ("load", "load_inline"):
            setattr(extension, each, lambda *args, **kwargs: _StandInModule("compiled_extension"))
        return
    sys.modules[name] = made = _StandInModule(name)
    around, _, last = name.rpartition(".")
    if around in sys.modules and not hasattr(sys.modules[around], last):
        setattr(sys.modules[around], last, made)


def _missing(error: Exception) -> str:
    """The module whose absence made an import fail; "" where it failed for another reason."""
    if _came_from(error, "cpp_extension.py"):
        return "torch.utils.cpp_extension.load"
    if isinstance(error, ModuleNotFoundError):
        return error.name or ""
    if isinstance(error, ImportError):
        found = NAME_MISSING.search(str(error))
        if found:
            return f"{found[2]}.{found[1]}"
        return error.name or _refusing(error)  # a compiled module whose libraries are not there
    return ""


def _refusing(error: Exception) -> str:
    """The module that raised while it was imported, as it does that finds another one too old."""
    name, step = "", error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_name == "<module>":
            name = str(step.tb_frame.f_globals.get("__name__", ""))
        step = step.tb_next
    return name


def _came_from(error: Exception, file: str) -> bool:
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename.endswith(file):
            return True
        step = step.tb_next
    return False
