"""Trials of one-line tests with the module that is on the path: a program that runs apart.

The request is {"imports": ..., "lines": [...]}.  The one message, {"answers": "pfe"}, has a letter for each
line: p for one that passes, f for one that fails, e where even the import does.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypedDict

__all__ = ["LineRequest", "main"]


class LineRequest(TypedDict):
    imports: str
    lines: list[str]


def main(request: LineRequest, send: Callable[[object], None]) -> None:
    answers = []
    for line in request["lines"]:
        names: dict[str, object] = {}
        try:
            exec(request["imports"], names)
        except BaseException:
            answers.append("e")
            continue
        try:
            exec(line, names)
            answers.append("p")
        except BaseException:
            answers.append("f")
    send({"answers": "".join(answers)})
    os._exit(0)  # whatever was left running
