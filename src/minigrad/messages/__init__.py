"""Every sentence that a user reads, in English and Spanish, by key.

    say("walk.seed", output="L")            # in the language in use
    with speaking("es"):
        say("walk.seed", output="L")        # in Spanish

The language in use is the one of the innermost `speaking(...)`, else MINIGRAD_LANG,
else Spanish where the locale is Spanish, else English.  A row of the catalogue is
`key: (english, spanish)`; the rows live in the files beside this one and are loaded
when the first sentence is spoken, so that importing minigrad does not pay for them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

__all__ = ["LANGUAGES", "catalogue", "language", "pick", "say", "speaking"]

LANGUAGES = ("en", "es")
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
def catalogue() -> Mapping[str, tuple[str, str]]:
    """All rows of the files beside this one, merged; a key stands in one file only."""
    from importlib import import_module
    from pkgutil import iter_modules

    rows: dict[str, tuple[str, str]] = {}
    for _, name, _ in iter_modules(__path__):
        part = import_module(f".{name}", __name__)
        twice = rows.keys() & part.ROWS.keys()
        if twice:
            raise RuntimeError(f"the catalogue has a key twice: {sorted(twice)}")
        rows.update(part.ROWS)
    return rows


def pick(words: tuple[str, str]) -> str:
    """One of an (english, spanish) pair, such as an op's rule."""
    return words[LANGUAGES.index(language())]


def say(key: str, /, **fields: object) -> str:
    """The sentence under `key`, with its fields filled in."""
    return pick(catalogue()[key]).format(**fields)
