"""The command line: `minigrad COMMAND`, one file per command in `commands/`."""

from __future__ import annotations

from .main import main

__all__ = ["main"]
