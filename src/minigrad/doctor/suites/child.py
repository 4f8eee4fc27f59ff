"""Runs in a child: which of these one-line tests pass with the module that is on the path.

The request, {"imports": ..., "lines": [...]}, is in the environment as MINIGRAD_LINES.  The answer is the
last line printed, a letter for each: p for one that passes, f for one that fails, e where even the
import does.
"""

from __future__ import annotations

import json
import os
import sys

__all__ = ["main"]


def main() -> None:
    request = json.loads(os.environ["MINIGRAD_LINES"])
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
    sys.stdout.flush()
    os.write(1, f"\n{''.join(answers)}\n".encode())
    os._exit(0)


if __name__ == "__main__":
    main()
