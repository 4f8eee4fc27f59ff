"""Translation: every sentence that a user reads, in English and Spanish, by key.

    say("walk.seed", output="L")            # in the language in use
    with speaking("es"):
        say("walk.seed", output="L")        # in Spanish

The language in use is the one of the innermost `speaking(...)`, else MINIGRAD_LANG,
else Spanish where the locale is Spanish, else English.  A row of the catalogue is
`key: (english, spanish)`; the rows live in the package that says them, in `messages.py` or in
the folder `messages/`, and are loaded when the first sentence is spoken, without importing the
package, so that importing minigrad does not pay for them.  `add_rows` adds those of other programs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from types import CodeType, MappingProxyType
from typing import Any

__all__ = ["LANGUAGES", "add_rows", "catalogue", "chosen_language", "language", "pick", "say", "speaking"]

LANGUAGES = ("en", "es")
Rows = Mapping[str, tuple[str, str]]  # key: (english, spanish)
_added: dict[str, tuple[str, str]] = {}  # by add_rows
_chosen: ContextVar[str | None] = ContextVar("minigrad language", default=None)


def language() -> str:
    """The language in use."""
    chosen = _chosen.get()
    if chosen:
        return chosen
    wish = os.environ.get("MINIGRAD_LANG") or next(
        (os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), ""
    )
    return "es" if wish.lower().startswith("es") else "en"


def chosen_language() -> str:
    """The language of the innermost `speaking(...)`; "" where the environment's is in use."""
    return _chosen.get() or ""


@contextmanager
def speaking(lang: str | None) -> Iterator[None]:
    """Use a language inside a block; None leaves it as it is."""
    if lang is not None and lang not in LANGUAGES:
        raise ValueError(say("language.unknown", given=repr(lang), known=", ".join(LANGUAGES)))
    token = _chosen.set(lang or _chosen.get())
    try:
        yield
    finally:
        _chosen.reset(token)


@cache
def catalogue() -> Rows:
    """All rows of all packages, merged with those that were added; a key stands in one place only."""
    return _merge(_row_files(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), _added)


def _merge(paths: Iterable[str], added: Rows = MappingProxyType({})) -> Rows:
    rows = dict(added)
    for path in paths:
        part = _rows_of(path)
        twice = rows.keys() & part.keys()
        if twice:
            raise RuntimeError(f"the catalogue has a key twice: {sorted(twice)}, the second time in {path}")
        rows.update(part)
    return rows


def add_rows(rows: Mapping[str, tuple[str, str]]) -> None:
    """Add the rows of a program outside the package, such as the one that builds the site of the docs."""
    twice = catalogue().keys() & rows.keys() - {key for key, row in rows.items() if _added.get(key) == row}
    if twice:
        raise ValueError(f"the catalogue has a key twice: {sorted(twice)}")
    _added.update(rows)
    catalogue.cache_clear()


def _row_files(folder: str) -> Iterator[str]:
    """messages.py of every package below a folder, and all files of every folder messages/."""
    if not os.path.isdir(folder):  # in a zip, which Python can import from too
        yield from _row_files_in_zip(folder)
        return
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _row_files(entry.path)
        elif entry.name == "messages.py" or (
            os.path.basename(folder) == "messages"
            and entry.name.endswith(".py")
            and entry.name != "__init__.py"
        ):
            yield entry.path


def _row_files_in_zip(folder: str) -> Iterator[str]:
    from pkgutil import iter_modules

    for _, name, is_package in iter_modules([folder]):
        if is_package:
            yield from _row_files_in_zip(os.path.join(folder, name))
        elif name == "messages" or os.path.basename(folder) == "messages":
            yield os.path.join(folder, f"{name}.py")


def _rows_of(path: str) -> Rows:
    """ROWS of one file, which is run by itself: importing it would import the package around it."""
    names: dict[str, Any] = {}
    exec(_code_of(path), names)  # a file of our own
    if "ROWS" not in names:
        raise RuntimeError(f"{path} has no ROWS")
    rows: Rows = names["ROWS"]
    return rows


def _code_of(path: str) -> CodeType:
    if os.path.isfile(path):
        from importlib.machinery import SourceFileLoader

        code = SourceFileLoader("messages", path).get_code("messages")
    else:
        from pkgutil import get_importer

        folder, name = os.path.split(path.removesuffix(".py"))
        code = get_importer(folder).get_code(name)  # type: ignore[union-attr]  # a zipimporter
    assert code is not None
    return code


def pick(words: tuple[str, str]) -> str:
    """One of an (english, spanish) pair, such as an op's rule."""
    return words[LANGUAGES.index(language())]


def say(key: str, /, **fields: object) -> str:
    """The sentence under `key`, with its fields filled in."""
    return pick(catalogue()[key]).format(**fields)
