"""minigrad mutate PATH --tests COMMAND: which bugs would these tests let through?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from ..arguments import Arguments, UsageError, take_apart
from ..messages import say
from . import RIGHT, WRONG, output
from .typed import quoted

__all__ = ["run"]

OPTIONS = {
    "tests": "COMMAND",
    "only": "FAULTS",
    "limit": "NUMBER",
    "seconds": "NUMBER",
    "project": "FOLDER",
    "data": "NAME",
    "grad": "NAME",
    "json": "",
    "out": "FILE",
    "all": "",
    "help": "",
    "lang": "LANG",
}


def run(words: Sequence[str]) -> int:
    from ..doctor.mutation import mutate
    from ..doctor.noticing import notices_of

    arguments = take_apart(words, OPTIONS)
    if len(arguments.words) != 1 or not arguments.flag("tests"):
        raise UsageError(say("usage.mutate"))
    limit, seconds = _number(arguments, "limit"), _number(arguments, "seconds")
    write = output.writer(arguments)
    path, options = arguments.words[0], arguments.options
    result = mutate(
        path,
        options["tests"],
        only=[word for word in options.get("only", "").split(",") if word],
        limit=int(limit) if limit else None,
        seconds=seconds,
        project=options.get("project"),
        data=options.get("data", ""),
        grad=options.get("grad", ""),
        notices=notices_of(path),
        on_trial=_progress(),
    )
    write(result)
    return WRONG if result.survived else RIGHT


def _number(arguments: Arguments, name: str) -> float | None:
    if not arguments.flag(name):
        return None
    try:
        number = float(arguments.options[name])
    except ValueError:
        number = 0.0
    if not 0.0 < number < 1e6:
        raise UsageError(say("usage.number", option=f"--{name}", given=quoted(arguments.options[name])))
    return number


def _progress() -> Callable[[Any], object] | None:
    """A mark per bug on a terminal: it takes as long as the tests do, once for each."""
    if not sys.stderr.isatty():
        return None
    marks = {"killed": ".", "timed-out": ".", "survived": "!"}

    def mark(trial: Any) -> None:
        print(marks.get(trial.verdict, "?"), end="", file=sys.stderr, flush=True)

    return mark
