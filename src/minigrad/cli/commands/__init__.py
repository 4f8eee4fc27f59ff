"""The commands of `minigrad`, one file each; `run(words)` carries one out and gives the exit code.

Exit codes: 0 all is right, 1 a check failed, 2 the input was bad, 3 nobody could judge.
"""

from __future__ import annotations

__all__ = ["BAD_INPUT", "COMMANDS", "EVERYWHERE", "OF_RESULTS", "OWN_PASS", "RIGHT", "UNDECIDED", "WRONG"]

RIGHT, WRONG, BAD_INPUT, UNDECIDED = 0, 1, 2, 3

# options that mean the same wherever they are known
EVERYWHERE = {"help": "", "lang": "LANG"}
OF_RESULTS = {"json": "", "out": "FILE", "all": "", **EVERYWHERE}

# the word that is typed, and the file beside this one
COMMANDS = {
    "explain": "explain",
    "check": "check",
    "break": "break_lab",
    "diagnose": "diagnose",
    "studio": "studio",
    "train": "train",
    "duel": "duel",
    "doctor": "doctor",
    "xray": "xray",
    "mutate": "mutate",
    "learn": "learn",
    "build": "build",
    "grade": "grade",
}

# commands whose gradients come from the pass in graph/trace.py and not from Value.backward
OWN_PASS = ("explain", "check", "break", "diagnose", "studio")
