"""Libraries that are imported when something of them is used, and not before.

An engine's file often imports torch to compare with, or matplotlib to draw, and its class needs neither; each
takes seconds to import, in every process.  So an import of a library from elsewhere gives a stand-in first.
Its modules and classes can be named, compared with `isinstance` and inherited from by classes that nobody
examines; whoever asks for anything else gets the library itself.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import types
from collections.abc import Callable, Iterable, Sequence
from importlib.machinery import ModuleSpec, PathFinder

__all__ = ["LazyLibraries"]

LONGEST = 4096  # bytes of names

NAMES_OF_MODULES = ("__name__", "__loader__", "__package__", "__spec__", "__path__", "__file__")


class LazyLibraries:
    """A finder for sys.meta_path: what lies in none of the folders `beside` is imported lazily."""

    def __init__(self, beside: Iterable[str]) -> None:
        self.beside = list(beside)
        self.examined = False  # is a class that counts being defined?
        self._busy: set[str] = set()
        self._modules: dict[str, LazyModule] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        top = fullname.partition(".")[0]
        if top in sys.stdlib_module_names or top in self._busy or top in self.loaded():
            return None
        if path is None and PathFinder.find_spec(fullname, self.beside) is not None:
            return None
        real = PathFinder.find_spec(fullname, path)
        if real is None or (path is not None and top not in self._modules):
            return None
        spec = ModuleSpec(fullname, self, is_package=real.submodule_search_locations is not None)  # type: ignore[arg-type]
        if real.submodule_search_locations is not None:
            spec.submodule_search_locations = list(real.submodule_search_locations)
        return spec

    def loaded(self) -> set[str]:
        """The libraries that are there as themselves."""
        return {n for n in sys.modules if "." not in n and type(sys.modules[n]) is not LazyModule}

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        made = LazyModule(spec.name)
        object.__setattr__(made, "_libraries", self)
        self._modules[spec.name] = made
        return made

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing is run."""

    def real(self, name: str) -> types.ModuleType:
        """The library itself, imported now if it has not been."""
        top = name.partition(".")[0]
        if type(sys.modules.get(top)) is LazyModule:
            for other in [n for n in sys.modules if n.partition(".")[0] == top]:
                del sys.modules[other]
        self._busy.add(top)
        return importlib.import_module(name)

    def imported_by(self, call: Callable[[], object]) -> None:
        """Import the libraries that a call imports, without leaving anything else of it behind."""
        if self._modules and hasattr(os, "fork"):
            self.forked(lambda: _silently(call))

    def forked(self, call: Callable[[], int]) -> int:
        """The exit code of a call in a process of its own.

        The libraries that it imported are imported here when it has ended: those that are forked from this
        process afterwards have them, and nothing else of it.
        """
        reading, writing = os.pipe()
        known = set(self._busy)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = call()
            finally:
                with contextlib.suppress(BaseException):
                    os.write(writing, "\n".join(self._busy - known).encode()[:LONGEST])
                os._exit(code)
        os.close(writing)
        _, status = os.waitpid(child, 0)
        os.set_blocking(reading, False)  # what it has started may hold the other end for ever
        with os.fdopen(reading, "rb", buffering=0) as answer:
            names = (answer.read(LONGEST) or b"").decode("utf-8", "replace").split("\n")
        for name in names:
            if name in self._modules and name not in self._busy:
                with contextlib.suppress(Exception):  # who needs it will see
                    self.real(name)
        return os.waitstatus_to_exitcode(status)

    def is_imported(self, name: str) -> bool:
        return name.partition(".")[0] in self._busy


def _silently(call: Callable[[], object]) -> int:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    with contextlib.suppress(BaseException):
        call()
    return 0


class LazyModule(types.ModuleType):
    """A library's module before anything of it is used."""

    _libraries: LazyLibraries

    def __getattr__(self, name: str) -> object:
        if name in NAMES_OF_MODULES:
            raise AttributeError(name)
        libraries: LazyLibraries = object.__getattribute__(self, "_libraries")
        if not libraries.is_imported(self.__name__):
            if name[:1].isupper():
                return LazyClass(libraries, self.__name__, name)
            places = self.__dict__.get("__path__")
            if places and PathFinder.find_spec(f"{self.__name__}.{name}", places) is not None:
                return importlib.import_module(f"{self.__name__}.{name}")
        return getattr(libraries.real(self.__name__), name)


class LazyClass:
    """A library's class, or whatever has a capital there, before it is used."""

    def __init__(self, libraries: LazyLibraries, module: str, name: str) -> None:
        self._place = libraries, module, name

    def _real(self) -> object:
        libraries, module, name = self._place
        return getattr(libraries.real(module), name)

    def __getattr__(self, name: str) -> object:
        return getattr(self._real(), name)

    def __call__(self, *args: object, **keywords: object) -> object:
        return self._real()(*args, **keywords)  # type: ignore[operator]

    def __getitem__(self, key: object) -> object:  # in an annotation
        return self

    def __or__(self, other: object) -> object:
        return self

    __ror__ = __or__

    def __instancecheck__(self, found: object) -> bool:
        libraries, module, _ = self._place
        return libraries.is_imported(module) and isinstance(found, self._real())  # type: ignore[arg-type]

    def __subclasscheck__(self, found: type) -> bool:
        libraries, module, _ = self._place
        return libraries.is_imported(module) and issubclass(found, self._real())  # type: ignore[arg-type]

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[object, ...]:
        libraries, _, _ = self._place
        return (self._real(),) if libraries.examined else (object,)
