"""minigrad doctor PATH[:Class]: what is wrong with this engine?  And --torch, --jax for custom rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...doctor import verdict
from ...text.translation import say
from .. import argument_values, output
from ..arguments import Arguments, UsageError, take_apart
from . import BAD_INPUT, OF_RESULTS, RIGHT, UNDECIDED, WRONG

if TYPE_CHECKING:
    from ...doctor import Report
    from ...doctor.rules import RuleReport

__all__ = ["run"]

OPTIONS = {
    "data": "NAME",
    "grad": "NAME",
    "backward": "NAME",
    "cell": "N",
    "torch": "MODULE:FUNCTION",
    "jax": "MODULE:FUNCTION",
    **OF_RESULTS,
}
CODES = {verdict.CORRECT: RIGHT, verdict.WRONG: WRONG, verdict.LIMITED: UNDECIDED}


def run(words: Sequence[str]) -> int:
    arguments = take_apart(words, OPTIONS)
    if {"torch", "jax"} & arguments.options.keys():
        write = output.writer(arguments)
        rule = _rule(arguments)
        write(rule)
        return CODES.get(rule.verdict, BAD_INPUT)
    forms: dict[str, output.Form[Report]] = {".html": lambda report: report.html()}
    write_engine = output.writer(arguments, forms)
    engine = _engine(arguments)
    write_engine(engine)
    return CODES.get(engine.verdict, BAD_INPUT)


def _engine(arguments: Arguments) -> Report:
    from ...doctor.engine.configuration import check_pins
    from ...doctor.engine.examination import examine

    if len(arguments.words) != 1:
        raise UsageError(say("usage.doctor"))
    pins = {name: arguments.options[name] for name in ("data", "grad", "backward") if arguments.flag(name)}
    cell = argument_values.whole(arguments, "cell", 0, 10**6, None)
    return examine(arguments.words[0], pins=check_pins(pins, "--"), cell=cell)


def _rule(arguments: Arguments) -> RuleReport:
    from ...doctor.rules import examine_named

    if arguments.words or (arguments.flag("torch") and arguments.flag("jax")):
        raise UsageError(say("usage.rule"))
    library = "torch" if arguments.flag("torch") else "jax"
    name = arguments.options[library]
    if name.startswith(":"):  # a function, and of no module
        raise UsageError(say("usage.rule"))
    return examine_named(name, library=library)
