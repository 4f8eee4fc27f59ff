"""Lazy names of a package: each is imported when somebody first asks for it.

A package lists its public names once, in the stub `__init__.pyi` beside its `__init__.py`, as type checkers
and editors read them; this is the convention of Scientific Python (SPEC 1).  A line of a stub is

    from .module import name as name

or `from . import name as name` for a submodule.  Its `__init__.py` then says

    __getattr__, __dir__, __all__ = lazy_names(__name__)
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module

__all__ = ["lazy_names"]


def lazy_names(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package, from its stub; submodules are not in `__all__`."""
    module = sys.modules[package]
    path = vars(module)["__file__"].removesuffix("c").removesuffix(".py") + ".pyi"
    places = _read_stub(path, vars(module)["__loader__"].get_data(path).decode("utf-8"))

    def load_name(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        place = places[name]
        if place == ".":
            found: object = import_module(f".{name}", package)
        else:
            found = getattr(import_module(place, package), name)
        setattr(module, name, found)
        return found

    def list_names() -> list[str]:
        return sorted({*vars(module), *places})

    return load_name, list_names, [name for name, place in places.items() if place != "."]


def _read_stub(path: str, text: str) -> dict[str, str]:
    """The names in a stub, and the module that each comes from."""
    places = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if words[:1] == ["from"] and words[1:] and words[1].startswith("."):
            name = words[3] if len(words) > 3 else ""
            if words[2:] != ["import", name, "as", name] or not name.isidentifier():
                raise SyntaxError(f"{path}, line {number}: not 'from .module import name as name': {line}")
            places[name] = words[1]
    return places
