"""Sentences of the catalogue as patterns: a test says which sentence it expects, not how it is worded."""

from __future__ import annotations

import re
from string import Formatter

from minigrad.text.translation import LANGUAGES, catalogue

__all__ = ["sentence"]


def sentence(key: str, lang: str = "en", **fields: object) -> str:
    """A regular expression for the sentence under `key`; fields that are not given stand for anything."""
    pattern = ""
    for text, name, _, _ in Formatter().parse(catalogue()[key][LANGUAGES.index(lang)]):
        pattern += re.escape(text)
        if name is not None:
            pattern += re.escape(str(fields[name])) if name in fields else ".+"
    return f"(?s:{pattern})"
