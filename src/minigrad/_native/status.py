"""Status of the compiled engine after an install, printed by `python -m minigrad._native.status`."""

from __future__ import annotations

import os
from importlib.util import find_spec

from ..scalar import ENGINE
from ..text.translation import say
from .textbook_checksum import is_edited


def _is_built(extension: str) -> bool:
    """Whether an extension module is there; the folder of the sources of `vector` is no module."""
    found = find_spec(f".{extension}", __package__)
    return found is not None and found.origin is not None


if os.environ.get("MINIGRAD_PURE", "0") in ("", "0"):
    if ENGINE == "plain" and not (is_edited() and _is_built("engine")):
        print(say("engine.absent"))
    elif not _is_built("vector"):
        print(say("engine.no_executor"))
