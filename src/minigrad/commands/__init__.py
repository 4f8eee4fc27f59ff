"""The commands of `minigrad`, one file each; `run(words)` carries one out and gives the exit code.

Exit codes: 0 all is right, 1 a check failed, 2 the input was bad.
"""

from __future__ import annotations

__all__ = ["BAD_INPUT", "COMMANDS", "RIGHT", "WRONG"]

RIGHT, WRONG, BAD_INPUT = 0, 1, 2

# the word that is typed, and the file beside this one
COMMANDS = {"explain": "explain", "check": "check", "break": "lab", "diagnose": "diagnose"}
