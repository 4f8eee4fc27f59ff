"""python -m minigrad.installed: what there is to say about the engine after an install, if anything."""

from __future__ import annotations

import os

from .messages import say
from .scalar import ENGINE

if ENGINE == "plain" and os.environ.get("MINIGRAD_PURE", "0") in ("", "0"):
    print(say("engine.absent"))
