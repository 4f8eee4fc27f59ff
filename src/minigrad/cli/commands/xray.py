"""minigrad xray FILE.py[:FUNCTION]: are the gradients of this PyTorch program right?"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ...text.translation import say
from .. import argument_values, output
from ..arguments import UsageError, take_apart
from . import BAD_INPUT, OF_RESULTS, RIGHT, UNDECIDED, WRONG

__all__ = ["run"]

OPTIONS = {"intended": "WORD", "seconds": "N", "reproduce": "FILE", **OF_RESULTS}


def run(words: Sequence[str]) -> int:
    from ...xray.program import examine_program
    from ...xray.report import HEALTHY, NOT_EXAMINED, SUSPECT, XrayReport
    from ...xray.reproduction import ReproductionError, check_target

    arguments = take_apart(words, OPTIONS)
    if len(arguments.words) != 1:
        raise UsageError(say("usage.xray"))
    forms: dict[str, output.Form[XrayReport]] = {}
    write = output.writer(arguments, forms)
    seconds = argument_values.whole(arguments, "seconds", 1, 86_400, None)
    intended = tuple(word for word in arguments.options.get("intended", "").split(",") if word)
    script = arguments.options.get("reproduce")
    if script is not None:
        check_target(script)  # before anything is examined
    budget = None if seconds is None else float(seconds)
    report = examine_program(arguments.words[0], intended=intended, seconds=budget)
    write(report)
    if script is not None:
        try:
            said = output.fitting(
                report.reproduce(script, seconds=budget).text(page=output.page(arguments.flag("all")))
            )
        except ReproductionError as error:
            said = f"{error}\n"
        # the JSON stays alone on its own
        print(said, end="", file=sys.stderr if arguments.flag("json") else sys.stdout)
    return {HEALTHY: RIGHT, SUSPECT: WRONG, NOT_EXAMINED: UNDECIDED}.get(report.verdict, BAD_INPUT)
