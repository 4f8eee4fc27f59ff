"""Loader of NumPy: minigrad itself does not need it, and says what to install where it is missing."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..text.translation import say

__all__ = ["numpy"]


@cache
def numpy() -> Any:
    """The module; ImportError with what to install."""
    try:
        import numpy as found
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise ImportError(say("compile.numpy")) from None
    return found
