"""`minigrad diagnose EXPR name=value ... --got name=value ...`: which mistake gives these gradients?"""

from __future__ import annotations

from collections.abc import Sequence

from ...faults.forensics import RIGHT as RIGHT_NUMBERS
from ...faults.forensics import diagnose
from ...text.translation import say
from .. import argument_values, output
from ..arguments import UsageError, take_apart
from . import OF_RESULTS, RIGHT, WRONG

__all__ = ["run"]

OPTIONS = {"got": "NAME=VALUE...", **OF_RESULTS}


def run(words: Sequence[str]) -> int:
    arguments = take_apart(words, OPTIONS)
    observed = argument_values.gradients(arguments.many.get("got", []))
    text = argument_values.expression(arguments.words, say("forensics.expression"))
    inputs = argument_values.inputs(arguments.words[1:])
    if not observed:
        raise UsageError(say("forensics.nothing"))
    write = output.writer(arguments)
    forensics = diagnose(text, observed, inputs)
    write(forensics)
    return RIGHT if forensics.verdict == RIGHT_NUMBERS else WRONG
