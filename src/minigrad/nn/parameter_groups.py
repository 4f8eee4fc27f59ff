"""Parameter groups of an optimiser: parameters, settings and saved states, checked before they are taken.

Every function here either returns something whole or raises; none changes what it was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from ..scalar import Value
from ..text.escape import printable
from ..text.excerpts import describe
from ..text.numerals import counted, show
from ..text.translation import say
from ..values.validation import number

__all__ = ["FOREIGN", "Group", "Slots", "check_settings", "make_groups", "new_group", "read_state"]

Group = dict[str, Any]  # parameters and settings by name, as in PyTorch
Slots = dict[str, list[Any]]  # what is remembered of each parameter of a group, by name
FOREIGN = ("foreach", "capturable", "differentiable", "fused")  # PyTorch's choice of engine: no numbers in it
_BESIDE = ("params", "param_names", "initial_lr")  # what a group may hold besides the optimiser's settings
_SWITCHES = ("nesterov", "amsgrad", "maximize", "decoupled_weight_decay")


# ---- settings ---------------------------------------------------------------------------------


def check_settings(settings: Mapping[str, object]) -> dict[str, Any]:
    """The settings as floats, pairs and booleans; an error for one that no optimiser can follow."""
    checked = {name: _setting(name, given) for name, given in settings.items()}
    if checked.get("nesterov") and (checked["momentum"] == 0.0 or checked["dampening"] != 0.0):
        shown = {name: show(checked[name]) for name in ("momentum", "dampening")}
        raise ValueError(say("optim.nesterov", **shown))
    return checked


def _setting(name: str, given: object) -> Any:
    if name in _SWITCHES:
        if not isinstance(given, bool):
            raise TypeError(say("optim.switch", name=name, given=describe(given)))
        return given
    if name == "betas":
        if not isinstance(given, (tuple, list)) or len(given) != 2:
            raise TypeError(say("optim.betas", given=describe(given)))
        betas = (number(given[0]), number(given[1]))
        for beta in betas:
            if not 0.0 <= beta < 1.0:
                raise ValueError(say("optim.beta", given=show(beta, 17)))
        return betas
    setting = number(given)
    if not isfinite(setting) or (setting < 0.0 and name != "dampening"):
        sign = "optim.finite" if name == "dampening" else "optim.positive"
        raise ValueError(say(sign, name=name, given=show(setting)))
    return setting


def _known(kind: str, names: Iterable[str], defaults: Mapping[str, object], beside: Sequence[str]) -> None:
    for name in names:
        if name not in defaults and name not in beside:
            shown = printable(name) if isinstance(name, str) else describe(name)
            raise ValueError(say("optim.setting", kind=kind, given=shown, known=", ".join(defaults)))


# ---- parameters -------------------------------------------------------------------------------


def make_groups(params: object) -> list[Group]:
    """The groups that were given, or one group of the parameters that were given."""
    if isinstance(params, Value):
        return [{"params": [params]}]
    if isinstance(params, (Mapping, str, set, frozenset)) or not isinstance(params, Iterable):
        raise TypeError(say("optim.params", given=describe(params)))
    listed = list(params)
    if not listed:
        raise ValueError(say("optim.empty"))
    return listed if isinstance(listed[0], dict) else [{"params": listed}]


def new_group(kind: str, given: object, defaults: Mapping[str, object], groups: Sequence[Group]) -> Group:
    """A group ready to be added to `groups`: its parameters listed, every setting present."""
    if not isinstance(given, dict) or "params" not in given:
        raise TypeError(say("optim.group", given=describe(given)))
    _known(kind, given, defaults, _BESIDE)
    parameters, names = _parameters(given["params"])
    taken = {id(parameter) for group in groups for parameter in group["params"]}
    for parameter in parameters:
        if id(parameter) in taken:
            raise ValueError(say("optim.twice", given=_name(parameter)))
        taken.add(id(parameter))
    own = {name: setting for name, setting in given.items() if name not in ("params", "param_names")}
    group = {**check_settings({**defaults, **own}), "params": parameters}
    return {**group, "param_names": names} if names else group


def _parameters(given: object) -> tuple[list[Value], list[str]]:
    if isinstance(given, (str, Mapping, set, frozenset)) or not isinstance(given, (Iterable, Value)):
        raise TypeError(say("optim.params", given=describe(given)))
    listed: list[Any] = [given] if isinstance(given, Value) else list(given)
    if not listed:
        raise ValueError(say("optim.empty"))
    names: list[str] = []
    if all(isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str) for pair in listed):
        names = [name for name, _ in listed]  # what named_parameters() gives
        listed = [parameter for _, parameter in listed]
    for place, parameter in enumerate(listed):
        if not isinstance(parameter, Value):
            raise TypeError(say("optim.value", place=place, given=describe(parameter)))
        if parameter._children:
            raise ValueError(say("optim.leaf", place=place, given=_name(parameter)))
        if not parameter.requires_grad:
            raise ValueError(say("optim.constant", place=place, given=_name(parameter)))
    return listed, names


def _name(parameter: Value) -> str:
    return printable(parameter.label) if parameter.label else f"Value({show(parameter.data)})"


# ---- saved states -----------------------------------------------------------------------------


def read_state(
    kind: str,
    state_dict: object,
    defaults: Mapping[str, object],
    groups: Sequence[Group],
    slots: Sequence[str],
) -> tuple[list[Group], list[Slots]]:
    """The settings and the memory of each group, out of a state in PyTorch's layout."""
    if not isinstance(state_dict, Mapping) or not {"state", "param_groups"} <= set(state_dict):
        raise TypeError(say("optim.state", given=describe(state_dict)))
    state, saved = state_dict["state"], state_dict["param_groups"]
    if not isinstance(state, Mapping) or not isinstance(saved, (list, tuple)):
        raise TypeError(say("optim.state", given=describe(state_dict)))
    if len(saved) != len(groups):
        raise ValueError(say("optim.state.groups", given=counted(len(saved)), wanted=counted(len(groups))))
    entries = {str(place): entry for place, entry in state.items()}  # JSON makes text of them
    settings, memory = [], []
    for place, (theirs, mine) in enumerate(zip(saved, groups, strict=True)):
        size = len(mine["params"])
        ids = theirs.get("params") if isinstance(theirs, Mapping) else None
        if not isinstance(ids, (list, tuple)):
            raise TypeError(say("optim.state.group", place=place, given=describe(theirs)))
        if len(ids) != size:
            given, wanted = counted(len(ids)), counted(size)
            raise ValueError(say("optim.state.size", place=place, given=given, wanted=wanted))
        _known(kind, theirs, defaults, (*_BESIDE, *FOREIGN))
        group = _saved_settings(theirs, mine)
        columns: Slots = {name: [None] * size for name in slots}
        for i, number_of in enumerate(ids):
            entry = entries.pop(str(number_of), {})
            for name, kept in _entry(kind, number_of, entry, slots, bool(group.get("amsgrad"))).items():
                columns[name][i] = kept
        settings.append(group)
        memory.append(columns)
    if entries:
        raise ValueError(say("optim.state.stray", kind=kind, given=printable(next(iter(entries)))))
    return settings, memory


def _saved_settings(theirs: Mapping[str, object], mine: Group) -> Group:
    """A saved group over one's own.  A rate that a schedule has made may be anything, even below zero."""
    saved = {name: theirs[name] for name in theirs if name not in (*FOREIGN, "params", "param_names")}
    rate = number(_plain(saved.pop("lr", mine["lr"])))
    kept = {name: mine[name] for name in mine if name not in ("params", "param_names", "lr")}
    return {**check_settings({**kept, **saved}), "lr": rate}


def _entry(kind: str, place: object, entry: object, slots: Sequence[str], amsgrad: bool) -> dict[str, float]:
    """What is remembered about one parameter: all of it or nothing."""
    if not isinstance(entry, Mapping) or not set(entry) <= set(slots):
        raise ValueError(say("optim.state.entry", kind=kind, place=place, known=", ".join(slots)))
    kept = {name: _remembered(name, place, entry[name]) for name in entry if entry[name] is not None}
    wanted = [name for name in slots if name != "max_exp_avg_sq" or amsgrad]
    if kept and not set(wanted) <= set(kept):
        missing = next(name for name in wanted if name not in kept)
        raise ValueError(say("optim.state.missing", place=place, missing=missing))
    return kept


def _remembered(name: str, place: object, given: object) -> float | int:
    try:
        kept = number(_plain(given))
    except (TypeError, ValueError, RuntimeError, OverflowError):  # RuntimeError: a tensor of many numbers
        raise TypeError(say("optim.state.number", name=name, place=place, given=describe(given))) from None
    if name == "step":
        if not (kept >= 0.0 and kept.is_integer()):
            raise ValueError(say("optim.state.step", place=place, given=show(kept)))
        return int(kept)
    if name.endswith("_sq") and kept < 0.0:
        raise ValueError(say("optim.state.square", name=name, place=place, given=show(kept)))
    return kept


def _plain(given: object) -> object:
    """A number out of a tensor of one, as PyTorch's states have them."""
    return given.item() if hasattr(given, "item") and not isinstance(given, Value) else given
