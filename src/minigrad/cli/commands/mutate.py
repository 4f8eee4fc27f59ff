"""minigrad mutate PATH --tests COMMAND: which bugs would these tests let through?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...text.translation import say
from .. import argument_values, output
from ..arguments import Arguments, UsageError, take_apart
from . import OF_RESULTS, RIGHT, WRONG

if TYPE_CHECKING:
    from ...doctor.suites.mutation import Trial

__all__ = ["run"]

OPTIONS = {
    "tests": "COMMAND",
    "only": "FAULTS",
    "limit": "N",
    "seconds": "N",
    "project": "FOLDER",
    "data": "NAME",
    "grad": "NAME",
    **OF_RESULTS,
}


def run(words: Sequence[str]) -> int:
    from ...doctor.engine.probe_outcomes import change_detector
    from ...doctor.suites.mutation import mutate

    arguments = take_apart(words, OPTIONS)
    if len(arguments.words) != 1 or not arguments.flag("tests"):
        raise UsageError(say("usage.mutate"))
    limit, seconds = argument_values.whole(arguments, "limit", 1, 10**6, None), _seconds(arguments)
    write = output.writer(arguments)
    path, options = arguments.words[0], arguments.options
    result = mutate(
        path,
        options["tests"],
        only=[word for word in options.get("only", "").split(",") if word],
        limit=limit,
        seconds=seconds,
        project=options.get("project"),
        data=options.get("data", ""),
        grad=options.get("grad", ""),
        notices=change_detector(path),
        on_trial=_progress(),
    )
    write(result)
    return WRONG if result.survived else RIGHT


def _seconds(arguments: Arguments) -> float | None:
    text = arguments.options.get("seconds")
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < 1e6:
        raise UsageError(say("usage.number", option="--seconds", given=argument_values.quoted(text)))
    return seconds


def _progress() -> Callable[[Trial], object] | None:
    """A mark per bug on a terminal: it takes as long as the tests do, once for each."""
    if not sys.stderr.isatty():
        return None
    marks = {"killed": ".", "timed-out": ".", "survived": "!"}

    def mark(trial: Trial) -> None:
        print(marks.get(trial.verdict, "?"), end="", file=sys.stderr, flush=True)

    return mark
