"""Names of a package that are imported when somebody first asks for them.

A package lists its public names once, in the stub `__init__.pyi` beside its `__init__.py`, as type checkers
and editors read them; this is the convention of Scientific Python (SPEC 1).  A line of a stub is

    from .module import name as name

where `.` for the module stands for the package itself, and the name is then a submodule.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ["lazy_names"]


def lazy_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package, from its stub; submodules are not in `__all__`."""
    module = sys.modules[package]
    places = _read_stub(module)

    def load_name(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        place = places[name]
        found = (
            import_module(f".{name}", package)
            if place == "."
            else getattr(import_module(place, package), name)
        )
        setattr(module, name, found)
        return found

    def list_names() -> list[str]:
        return sorted({*vars(module), *places})

    return load_name, list_names, [name for name, place in places.items() if place != "."]


def _read_stub(module: Any) -> dict[str, str]:
    """The names in a package's stub, and the module that each comes from."""
    path = module.__file__.removesuffix("c").removesuffix(".py") + ".pyi"
    places = {}
    for line in module.__loader__.get_data(path).decode("utf-8").splitlines():
        words = line.partition("#")[0].split()
        if words[:1] == ["from"] and words[1].startswith("."):
            _from, place, _import, name, _as, _name = words
            places[name] = place
    return places
