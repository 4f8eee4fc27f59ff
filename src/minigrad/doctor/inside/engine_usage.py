"""The search for the way an engine is used, by trying: its leaves, its numbers, its ops, its backward pass.

Nothing here judges.  A way of using the engine is taken when it runs; where several run, the one whose
gradients are right on the simplest graphs, because a wrong way of asking is not a wrong engine.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import op_spellings
from .adapter import Adapter, number_of, own_attributes, read
from .backward_pass import NotAnEngineError, find_entry
from .message_text import describe
from .module_loader import Missing
from .op_trials import find_ops

if TYPE_CHECKING:
    from types import ModuleType

    from .wire_data import LeafData, PinsData, PlanData, Way

__all__ = ["NotAnEngineError", "find"]

OF_A_TAPE = ("var", "variable", "value", "leaf", "input", "new", "constant", "push", "add_variable")
OF_A_MODULE = ("var", "variable", "value", "leaf", "scalar", "parameter", "make", "node", "Var")
TELLING = 3.25  # a number that is met nowhere by chance
FILLED = {  # further arguments of a constructor, by what their name holds
    "requiresgrad": True, "requiregrad": True, "trainable": True, "needsgrad": True,
    "requiresgradient": True, "isleaf": True, "isparam": True, "isparameter": True, "track": True,
    "tape": "<tape>", "graph": "<tape>",
    "children": "<tuple>", "parents": "<tuple>", "prev": "<tuple>", "inputs": "<tuple>",
    "operands": "<tuple>", "args": "<tuple>", "deps": "<tuple>", "dependencies": "<tuple>",
    "localgrads": "<tuple>",
    "op": "", "operation": "", "operator": "", "label": "", "name": "", "grad": 0.0, "gradient": 0.0,
    "backward": "<function>", "gradfn": "<function>", "dtype": "float64",
}  # fmt: skip
WHETHER = {
    "requiresgrad",
    "requiregrad",
    "trainable",
    "needsgrad",
    "requiresgradient",
    "isparam",
    "isparameter",
    "track",
}


def find(
    module: ModuleType, pins: PinsData, classes: list[str], modules: dict[str, ModuleType] | None = None
) -> PlanData:
    """The plan of the first class that can be used as an engine; NotAnEngineError where there is none."""
    troubles: list[NotAnEngineError] = []
    best: tuple[float, PlanData] | None = None
    for name in classes:
        if not isinstance(getattr(module, name, None), type):
            troubles.append(NotAnEngineError("class", name))
            continue
        try:
            score, plan = _plan(module, name, pins, modules or {})
        except NotAnEngineError as trouble:
            troubles.append(trouble)
            continue
        if best is None or score > best[0]:
            best = score, plan
        if score > 0.05:  # it can be used; whether it is right is another question
            break
    if best is not None:
        return best[1]
    raise troubles[0] if troubles else NotAnEngineError("class")


def _plan(
    module: ModuleType, name: str, pins: PinsData, modules: dict[str, ModuleType]
) -> tuple[float, PlanData]:
    troubles: list[NotAnEngineError] = []
    for leaf, tape in _leaf_ways(module, name, pins):
        try:
            score, plan = _plan_with(module, name, pins, modules, leaf, tape)
        except NotAnEngineError as found:
            troubles.append(found)
            continue
        except Exception as error:
            troubles.append(NotAnEngineError("leaf", f"{name}: {describe(error)}"))
            continue
        for flag in _flags(module, leaf, name) if score < 1.0 else ():  # may decide who takes part
            other: LeafData = {**leaf, "keywords": {**leaf["keywords"], **flag}}
            with contextlib.suppress(Exception):
                turned = _plan_with(module, name, pins, modules, other, tape)
                if turned[0] > score:
                    score, plan = turned
        return score, plan
    raise troubles[0] if troubles else NotAnEngineError("leaf", name)


def _plan_with(
    module: ModuleType,
    name: str,
    pins: PinsData,
    modules: dict[str, ModuleType],
    leaf: LeafData,
    tape: str | None,
) -> tuple[float, PlanData]:
    """The plan with leaves that are made so, and how much of the simplest graphs is right with it."""
    plan: PlanData = {"class": name, "leaf": leaf, "tape": tape, "data": [], "ops": {}}
    adapter = Adapter(module, plan)
    adapter.modules |= modules
    adapter.begin()
    node = adapter.leaf(TELLING)
    plan["data"] = _data(node, pins)
    plan["ops"] = find_ops(adapter)
    if not plan["ops"].keys() & {"add", "mul"}:
        raise NotAnEngineError("ops", _why(plan["broken"]) or name)
    score, entry = find_entry(adapter, pins)
    plan["backward"], plan["grad"], plan["blank"] = entry["backward"], entry["grad"], entry["blank"]
    own = plan["backward"]["on"] in ("value", "function", "tape")
    by_design = entry["blank"] is None and entry["grad"][0] == "attribute"  # nothing to start from: it raises
    if own and plan["backward"].get("seed") and not pins.get("caller seeds") and not by_design:
        plan["backward"]["seed"] = False  # then it is the pass that forgets the seed
    return score, plan


def _flags(module: ModuleType, leaf: LeafData, name: str) -> Iterator[dict[str, object]]:
    """Booleans of the constructor that were left alone, each turned over."""
    if leaf["how"] != "class":
        return
    with contextlib.suppress(TypeError, ValueError):
        for parameter in inspect.signature(getattr(module, name)).parameters.values():
            if isinstance(parameter.default, bool) and parameter.name not in leaf["keywords"]:
                yield {parameter.name: not parameter.default}


def _why(broken: dict[str, str]) -> str:
    """What the simplest op said when it failed."""
    return next((broken[key] for key in ("add vv", "mul vv") if key in broken), "")


# ---- leaves ---------------------------------------------------------------------------------------


def _leaf_ways(module: ModuleType, name: str, pins: PinsData) -> Iterator[tuple[LeafData, str | None]]:
    cls = getattr(module, name)
    tapes = [found for found, it in vars(module).items() if found != name and _may_be_a_tape(found, it)]
    tapes.sort(key=lambda found: not isinstance(getattr(module, found), type))
    for wrap in ("", "array", "list"):
        try:
            keywords, named, wants_tape = _keywords(cls)
        except NotAnEngineError:
            keywords, named, wants_tape = {}, "", False
        leaf: LeafData = {
            "how": "class",
            "keywords": {**keywords, **pins.get("arguments", {})},
            "wrap": wrap,
        }
        if named:
            leaf["named"] = named
        for tape in tapes if wants_tape else (None,):
            yield leaf, tape
    for tape in tapes:
        it = getattr(module, tape)
        for method in OF_A_TAPE:
            if hasattr(it, method):
                yield {"how": "tape", "name": method, "keywords": {}}, tape
    for function in OF_A_MODULE:
        if callable(getattr(module, function, None)) and getattr(module, function) is not cls:
            yield {"how": "function", "name": function, "keywords": {}}, None


def _may_be_a_tape(name: str, it: object) -> bool:
    if name.startswith("__") or not any(word in name.lower() for word in ("tape", "graph")):
        return False
    if inspect.ismodule(it) or inspect.isroutine(it) or isinstance(it, Missing):
        return False
    return isinstance(it, type) or hasattr(it, "__dict__")


def _keywords(cls: type) -> tuple[dict[str, object], str, bool]:
    """What a constructor needs beside the number, the keyword of the number if it has to be one, and
    whether a tape is wanted."""
    try:
        parameters = list(inspect.signature(cls).parameters.values())
    except (TypeError, ValueError):
        return {}, "", False
    keywords: dict[str, object] = {}
    named, wants_tape, first = "", False, True
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            first = False
            continue
        plain = op_spellings.plain(parameter.name)
        if first and plain not in ("tape", "graph"):
            first = False
            if parameter.kind is parameter.KEYWORD_ONLY:
                named = parameter.name
            continue
        known = next((key for key in FILLED if key in plain), None)
        if known in ("tape", "graph") and parameter.default is parameter.empty:
            wants_tape = True
            keywords[parameter.name] = "<tape>"
            if first:
                named = next(
                    (
                        p.name
                        for p in parameters
                        if op_spellings.plain(p.name) in ("data", "value", "val", "x")
                    ),
                    "",
                )
        elif known in WHETHER and parameter.default is not True:
            keywords[parameter.name] = True
        elif parameter.default is parameter.empty:
            if known is None:
                raise NotAnEngineError("argument", parameter.name)
            keywords[parameter.name] = FILLED[known]
    if named:
        keywords.pop(named, None)
    return keywords, named, wants_tape


def _data(node: object, pins: PinsData) -> Way:
    """Where a node keeps its number."""
    if pins.get("data"):
        return _how(node, pins["data"])
    names = [*op_spellings.DATA, *(name for name in own_attributes(node) if name not in op_spellings.DATA)]
    for name in names:
        try:
            how = _how(node, name)
            if number_of(read(node, how)) == TELLING:
                return how
        except Exception:
            continue
    raise NotAnEngineError("data", type(node).__name__)


def _how(node: object, name: str) -> Way:
    found = getattr(node, name.removesuffix("()"))
    return [
        "method" if callable(found) and number_of(found) is None else "attribute",
        name.removesuffix("()"),
    ]
