"""Program that imports a user's module and examines one of its functions; it runs apart.

Its request names the function, and the report is the one message that it sends.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TypedDict

from .examination import examine_function
from .report import NOT_EXAMINED, RuleReport, Unseen
from .subject import error_text

__all__ = ["RuleRequest", "answer", "main"]


class RuleRequest(TypedDict):
    name: str  # "module:Function", "path/to/file.py:Function", or without the function
    library: str  # torch, jax
    folder: str  # where modules are looked for too
    seed: int


def main(request: RuleRequest, send: Callable[[object], None]) -> None:
    send(answer(request).to_json())


def answer(request: RuleRequest) -> RuleReport:
    """The report on the function that the request names, or on the only one in the module."""
    name = request["name"]
    place, _, wanted = name.rpartition(":") if ":" in name and not name.endswith(".py") else (name, "", "")

    def refused(code: str, about: str) -> RuleReport:
        unseen = (Unseen(code, about),)
        return RuleReport(request["library"], request["name"], NOT_EXAMINED, not_examined=unseen)

    if place.endswith(".py") and not (Path(request["folder"]) / place).exists():
        return refused("no_file", place)
    try:
        module = _module(place, Path(request["folder"]))
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and error.name == request["library"]:
            return refused("absent", request["library"])
        return refused("importing", error_text(error))
    if not wanted:
        names = [each for each, found in vars(module).items() if _is_rule(found, module.__name__)]
        if len(names) != 1:
            choice = ", ".join(f"{place}:{each}" for each in names)
            return refused("which", choice) if names else refused("no_rule", place)
        wanted = names[0]
    function: object = module
    for part in wanted.split("."):
        function = getattr(function, part, None)
    if function is None:
        return refused("missing", wanted)
    if isinstance(function, type):
        if not _is_rule(function, function.__module__):
            return refused("no_function", wanted)
        if request["library"] != "torch":
            return refused("of_torch", wanted)
    if not callable(function):
        return refused("not_callable", wanted)
    try:
        inputs = _offered(module, wanted)
    except Exception as error:
        return refused("importing", error_text(error))
    return examine_function(
        function, inputs, library=request["library"], seed=request["seed"], origin="module"
    )


def _module(place: str, folder: Path) -> ModuleType:
    """A module by its name, or by the path of its file."""
    sys.path.append(str(folder))
    if not place.endswith(".py"):
        return import_module(place)
    path = (folder / place).resolve()
    sys.path.append(str(path.parent))
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = module_from_spec(spec)
    sys.modules[path.stem] = module  # so that what is defined in it can be found again
    spec.loader.exec_module(module)
    return module


def _is_rule(found: object, home: str) -> bool:
    """Is it a Function of PyTorch, or a function of JAX with a rule of its own, that was defined there?"""
    kinds = {f"{kind.__module__.split('.')[0]}.{kind.__name__}" for kind in (*_bases(found), type(found))}
    known = {"torch.Function", "jax.custom_vjp", "jax.custom_jvp"}
    return bool(kinds & known) and getattr(found, "__module__", home) == home


def _bases(found: object) -> tuple[type, ...]:
    return found.__mro__[1:] if isinstance(found, type) else ()


def _offered(module: ModuleType, wanted: str) -> tuple[object, ...] | None:
    """The inputs that a module offers: `example_inputs` or `inputs`, a tuple or a function that gives one.

    A dict has them by the names of the functions.
    """
    for name in ("example_inputs", "inputs"):
        offer = getattr(module, name, None)
        if callable(offer):
            offer = offer()
        if isinstance(offer, Mapping):
            offer = offer.get(wanted)
            offer = offer() if callable(offer) else offer
        if isinstance(offer, (tuple, list)):
            return tuple(offer)
        if offer is not None:
            return (offer,)
    return None
