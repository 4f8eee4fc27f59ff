"""Status of the compiled engine after an install, printed by `python -m minigrad._native.status`."""

from __future__ import annotations

import os
from importlib.util import find_spec

from ..scalar import ENGINE
from ..text.translation import say


def _executor() -> bool:
    """Whether `vector` is built, which runs compiled programs; the folder of its sources is no module."""
    found = find_spec(".vector", __package__)
    return found is not None and found.origin is not None


if os.environ.get("MINIGRAD_PURE", "0") in ("", "0"):
    if ENGINE == "plain":
        print(say("engine.absent"))
    elif not _executor():
        print(say("engine.no_executor"))
