"""Public names to document: those of each module, with their signatures and docstrings.

`TRANSLATED` is docs/reference.es.toml: for each name its docstring in Spanish, with a digest of the English
one, so that `untranslated()` can say which are missing or out of date.  Ops need none: the op table has
their rules in both languages.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from types import GenericAlias, UnionType
from typing import Any

from minigrad.ops import OPS
from minigrad.text.page import Result
from minigrad.text.translation import language, pick

from .staging import DOCS

__all__ = ["MODULES", "Entry", "digest", "entries", "module_text", "said", "untranslated"]

TRANSLATIONS = DOCS / "reference.es.toml"

# A page of the reference, and the names on it that are not the module's own to document.
MODULES = (
    "minigrad",
    "minigrad.functional",
    "minigrad.functions",
    "minigrad.graph",
    "minigrad.language",
    "minigrad.graph.trace",
    "minigrad.explanation",
    "minigrad.compiler",
    "minigrad.values.take",
    "minigrad.graph.variable_names",
    "minigrad.drawing",
    "minigrad.verify",
    "minigrad.faults",
    "minigrad.doctor",
    "minigrad.xray",
    "minigrad.nn",
    "minigrad.training",
    "minigrad.training.duel",
    "minigrad.learn",
    "minigrad.errors",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One name: a class with what it has, a function, or a constant."""

    key: str  # minigrad.graph.Graph.index
    kind: str  # "class", "function", "property", "data"
    signature: str  # (a, b=1) -> float; "" where there is none
    doc: str  # the English docstring
    op: str = ""  # of the op table, whose rule is its docstring
    value: str = ""  # of a constant that is short

    @property
    def name(self) -> str:
        return self.key.rpartition(".")[2]


def entries(page: str) -> Iterator[tuple[Entry, list[Entry]]]:
    """The public names that a module documents, each with the members of a class."""
    module = import_module(page)
    names = list(dict.fromkeys(getattr(module, "__all__", ())))
    for name in (
        names if page in KEEP_ORDER else sorted(names, key=lambda name: (not name[:1].isupper(), name))
    ):
        found = getattr(module, name)
        if _elsewhere(page, name, found):
            continue
        entry = _entry(f"{page}.{name}", name, found)
        yield entry, list(_members(entry, found)) if inspect.isclass(found) else []


KEEP_ORDER = {"minigrad", "minigrad.functions", "minigrad.learn"}


def _elsewhere(page: str, name: str, found: Any) -> bool:
    """Is it another page that documents this name?"""
    if page == "minigrad":
        return name not in ("Value", "backward", "no_grad", "ENGINE")
    return inspect.ismodule(found)


def _entry(key: str, name: str, found: Any) -> Entry:
    if inspect.isclass(found):
        return Entry(key, "class", _signature(found), _doc(found))
    if callable(found) and not isinstance(found, GenericAlias):
        op = name if key.startswith("minigrad.functions.") and name in OPS and _generated(found) else ""
        return Entry(key, "function", _signature(found), _doc(found), op)
    return Entry(key, "data", "", "", value=_value(found))


def _value(found: Any) -> str:
    """A constant as it would be written; "" for one that is long, or that differs from build to build."""
    text = repr(found).replace("minigrad.graph.trace.", "")
    plain = isinstance(found, (tuple, GenericAlias, UnionType)) and "0x" not in text and "<" not in text
    return text if plain and len(text) < 200 else ""


def _generated(found: Any) -> bool:
    return (inspect.getdoc(found) or "").startswith(f"{found.__name__}(")


def _members(owner: Entry, found: type) -> Iterator[Entry]:
    """Its own public methods and properties; of a data class or a named tuple, not the fields."""
    fields = {*getattr(found, "_fields", ()), *getattr(found, "__dataclass_fields__", ())}
    shared = vars(Result) if issubclass(found, Result) else ()
    for name in dir(found) if owner.key == "minigrad.Value" else dict.fromkeys([*vars(found), *shared]):
        member = inspect.getattr_static(found, name)
        if name.startswith("_") or name in fields or type(member).__name__ == "member_descriptor":
            continue
        key = f"{owner.key}.{name}"
        if owner.key == "minigrad.Value" and name in OPS:
            yield Entry(key, "function", _signature(getattr(found, name)), _doc(member), name)
        elif isinstance(member, property) or type(member).__name__ in (
            "cached_property",
            "getset_descriptor",
        ):
            yield Entry(key, "property", "", _doc(member))
        elif callable(getattr(found, name, None)):
            yield Entry(key, "function", _signature(getattr(found, name)), _doc(getattr(found, name)))


def _doc(found: Any) -> str:
    own = getattr(found, "__doc__", None)
    if not own or (inspect.isclass(found) and own.startswith(f"{found.__name__}(")):  # made by dataclass
        return ""
    return inspect.cleandoc(own)


def _signature(found: Any) -> str:
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):
        return ""
    shown = signature.replace(
        parameters=[_shown(p) for p in signature.parameters.values() if p.name != "self"],
        return_annotation=_as_written(signature.return_annotation),
    )
    return str(shown).removesuffix(" -> None").replace("(/, ", "(").replace("(/)", "()")


class _Written(str):
    """Text that is shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _as_written(annotation: Any) -> Any:
    text = getattr(annotation, "__forward_arg__", annotation)
    return _Written(text) if isinstance(text, str) else annotation


def _shown(parameter: inspect.Parameter) -> inspect.Parameter:
    """As it was written; a default that nobody wrote as text, such as a function, is `...`."""
    default, text = parameter.default, repr(parameter.default)
    if default is not parameter.empty and (len(text) > 24 or " at 0x" in text or text.startswith("<")):
        default = _Written("...")
    return parameter.replace(default=default, annotation=_as_written(parameter.annotation))


# ---- in two languages ---------------------------------------------------------------------------


@cache
def translations() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = tomllib.loads(TRANSLATIONS.read_text(encoding="utf-8"))
    return found


def digest(text: str) -> str:
    """Of an English docstring; it changes when the words do, not when they are wrapped otherwise."""
    return sha256(" ".join(text.split()).encode()).hexdigest()[:10]


def said(entry: Entry) -> str:
    """The docstring in the language in use."""
    if entry.op:
        return pick(OPS[entry.op].rule).format(a="a", b="b", c="c").replace(" | ", "; ") + "."
    return module_text(entry.key, entry.doc)


def module_text(key: str, english: str) -> str:
    """A docstring by its key; English where Spanish is missing, which a test does not let pass."""
    row = translations().get(key) if language() == "es" else None
    return row["text"] if row else english


def documented() -> Iterator[tuple[str, str]]:
    """Every key that needs a translation, with its English docstring."""
    for page in MODULES:
        module = import_module(page)
        if module.__doc__:
            yield page, module.__doc__.strip()  # not dedented: all but its first line may be an example
        for entry, members in entries(page):
            for one in (entry, *members):
                if one.doc and not one.op:
                    yield one.key, one.doc


def untranslated() -> list[str]:
    """What is missing, out of date, or left over in reference.es.toml."""
    rows, found, keys = translations(), [], set()
    for key, english in documented():
        keys.add(key)
        if key not in rows:
            found.append(f"missing: {key}")
        elif rows[key]["digest"] != digest(english):
            found.append(f"out of date: {key}")
    return found + [f"no such docstring: {key}" for key in rows if key not in keys]
