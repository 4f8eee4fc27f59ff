"""Invented settings: a dictionary or an object that a rule reads by names, such as cfg["eps"] or opts.mode.

What the module of the rule makes of itself comes first, as `default_config()` or a class `Config` without
arguments; else a dictionary, or an object with attributes, that has the names which the rule reads.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FunctionType, SimpleNamespace

__all__ = ["NAMES", "InventedSettings", "settings_of"]

NAMES = re.compile(
    r"(^|_)(cfg|conf|config|configs|configuration|specs?|opts?|options|settings|hparams|kwargs)$|kwargs$",
    re.I,
)
MAKERS = re.compile(r"^(apply|get|make|build|create|init|load|new)?_?(default|default_|initial_)?_?", re.I)
MOST = 3  # objects that the module makes


@dataclass(frozen=True, eq=False)
class InventedSettings:
    """How to make them, each time anew: a rule may change what it is handed."""

    text: str
    make: Callable[[], object] = field(repr=False)

    def __repr__(self) -> str:
        return self.text


def settings_of(
    name: str, names: Mapping[str, object], keys: Mapping[str, object], fields: Mapping[str, object]
) -> tuple[InventedSettings, ...]:
    """Settings for a parameter of this name; `names` are those of its module, `keys` and `fields` what is
    read of it and has no default there."""
    found = list(_made_by(name, names))[:MOST]
    if keys and not fields:
        found.append(InventedSettings(repr(dict(keys)), lambda: dict(keys)))
    elif fields and not keys:
        text = ", ".join(f"{each}={value!r}" for each, value in fields.items())
        found.append(InventedSettings(f"SimpleNamespace({text})", lambda: SimpleNamespace(**fields)))
    else:  # whatever is read of it has a default
        found.append(InventedSettings("{}", dict))
    return tuple(found)


def _made_by(name: str, names: Mapping[str, object]) -> Iterator[InventedSettings]:
    """What functions and classes of the module, and of the modules that its functions are from, make."""
    wanted = _plain(name)
    own = str(names.get("__name__", ""))
    spaces = [names]
    for each in list(names.values()):
        if isinstance(each, FunctionType) and _is_near(each.__module__, own):
            spaces.append(each.__globals__)
    seen: set[int] = set()
    for space in spaces:
        for known, each in list(space.items()):
            if id(each) in seen or not callable(each) or not _is_near(getattr(each, "__module__", ""), own):
                continue
            seen.add(id(each))
            rest = MAKERS.sub("", known) if isinstance(each, FunctionType) else known
            if _plain(rest) == wanted and (made := _call_of(each)) is not None:
                text = f"{known}({made})"
                yield InventedSettings(text, lambda each=each, made=made: each(None) if made else each())  # type: ignore[misc]


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _is_near(module: object, own: str) -> bool:
    """Is it of the same project?"""
    top = own.partition(".")[0]
    return isinstance(module, str) and bool(top) and module.partition(".")[0] == top


def _call_of(function: Callable[..., object]) -> str | None:
    """How to call it: with nothing, or with None; None where it wants more, or makes nothing of use."""
    try:
        parameters = inspect.signature(function).parameters.values()
        due = [
            p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        ]
        if len(due) > 1:
            return None
        made = function(None) if due else function()
    except Exception:  # it wants something else
        return None
    return None if made is None or isinstance(made, (bool, int, float, str)) else "None" if due else ""
