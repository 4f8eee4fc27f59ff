"""minigrad doctor PATH[:Class]: what is wrong with this engine?  And --torch, --jax, --record for rules."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...doctor import verdict
from ...text.escape import visible
from ...text.translation import say
from .. import argument_values, output
from ..arguments import Arguments, UsageError, take_apart
from . import BAD_INPUT, OF_RESULTS, RIGHT, UNDECIDED, WRONG

if TYPE_CHECKING:
    from ...doctor import Report
    from ...doctor.rules import RuleReport, RuleReports

__all__ = ["run"]

OPTIONS = {
    "data": "NAME",
    "grad": "NAME",
    "backward": "NAME",
    "cell": "N",
    "fix": "FILE",
    "torch": "PATH[:FUNCTION]",
    "jax": "PATH[:FUNCTION]",
    "call": "PYTHON",
    "record": "SCRIPT.py",
    "seconds": "N",
    "beyond": "",
    "intended": "WORD",
    "github": "",
    **OF_RESULTS,
}
OF_ENGINES = ("data", "grad", "backward", "cell", "fix")
OF_RULES = ("call", "seconds", "beyond", "intended", "github")
CODES = {verdict.CORRECT: RIGHT, verdict.WRONG: WRONG, verdict.LIMITED: UNDECIDED}


def run(words: Sequence[str]) -> int:
    arguments = take_apart(words, OPTIONS)
    if {"torch", "jax", "record"} & arguments.options.keys():
        of_rules: dict[str, output.Form[RuleReport | RuleReports]] = {".html": lambda found: found.html()}
        write = output.writer(arguments, of_rules)
        rules, interrupted = _rules_until_interrupted(arguments)
        if arguments.flag("github"):
            from ...doctor.rules.annotations import annotation_lines

            for line in annotation_lines(rules):  # GitHub reads both; the JSON stays alone on its own
                print(line, file=sys.stderr if arguments.flag("json") else sys.stdout)
        write(rules if _are_several(arguments, rules) else rules.alone())
        if interrupted:
            raise KeyboardInterrupt
        return CODES.get(rules.verdict, BAD_INPUT)
    for option in OF_RULES:
        if arguments.flag(option):
            raise UsageError(say("usage.rule_option", given=f"--{option}"))
    forms: dict[str, output.Form[Report]] = {".html": lambda report: report.html()}
    write_engine = output.writer(arguments, forms)
    corrected = _place_of_correction(arguments)
    engine = _engine(arguments)
    write_engine(engine)
    if corrected is not None:
        said = _write_correction(engine, corrected)
        print(said, file=sys.stderr if arguments.flag("json") else sys.stdout)
    return CODES.get(engine.verdict, BAD_INPUT)


def _engine(arguments: Arguments) -> Report:
    from ...doctor.engine.configuration import check_pins
    from ...doctor.engine.examination import examine

    if len(arguments.words) != 1:
        raise UsageError(say("usage.doctor"))
    pins = {name: arguments.options[name] for name in ("data", "grad", "backward") if arguments.flag(name)}
    cell = argument_values.whole(arguments, "cell", 0, 10**6, None)
    return examine(arguments.words[0], pins=check_pins(pins, "--"), cell=cell)


COPIES, PATCHES = (".py", ".ipynb"), (".patch", ".diff")


def _place_of_correction(arguments: Arguments) -> Path | None:
    """The file of --fix: a new one, that nothing is lost by."""
    if not arguments.flag("fix"):
        return None
    path = Path(arguments.options["fix"])
    if path.suffix not in (*COPIES, *PATCHES):
        known = ", ".join((*COPIES, *PATCHES))
        raise UsageError(say("usage.ending", given=argument_values.quoted(path.name), known=known))
    if os.path.lexists(path):
        raise UsageError(say("usage.fix_exists", path=visible(str(path))))
    return path


def _write_correction(engine: Report, path: Path) -> str:
    """What was written, and what an examination of it says; or why there is nothing to write."""
    from ...doctor.engine import report_text
    from ...doctor.engine.correction import CorrectionError, correct

    try:
        correction = correct(engine)
        if path.suffix in COPIES and path.suffix != correction.path.suffix:
            raise UsageError(say("usage.fix_kind", given=visible(path.name), right=correction.path.suffix))
        content = correction.copy() if path.suffix in COPIES else correction.patch()
    except CorrectionError as error:
        return str(error)
    try:
        with path.open("xb") as file:  # never over a file that has come meanwhile
            file.write(content)
    except OSError as error:
        why = output.reason(error)
        raise UsageError(say("out.failed", path=visible(str(path)), why=why)) from None
    checked = report_text.headline(correction.checked)
    return say("doctor.fix.written", path=visible(str(path)), checked=checked)


def _rules_until_interrupted(arguments: Arguments) -> tuple[RuleReports, bool]:
    """The reports; after Ctrl-C those that there are by then, and what was not reached."""
    from ...doctor.rules.rule_reports import InterruptedReportsError

    try:
        return _rules(arguments), False
    except InterruptedReportsError as interrupted:
        return interrupted.reports, True


def _rules(arguments: Arguments) -> RuleReports:
    from ...doctor.rules import examine_program, examine_rules
    from ...doctor.rules.deliberate_gradients import KINDS

    for option in OF_ENGINES:
        if arguments.flag(option):
            raise UsageError(say("usage.engine_option", given=f"--{option}"))
    chosen = [name for name in ("torch", "jax", "record") if arguments.flag(name)]
    if len(chosen) > 1 or (arguments.words and chosen != ["record"]):
        raise UsageError(say("usage.rule"))
    beyond, intended = arguments.flag("beyond"), arguments.options.get("intended")
    if intended is not None and intended not in KINDS:
        words = ", ".join(KINDS)
        raise UsageError(say("usage.intended", given=argument_values.quoted(intended), words=words))
    if chosen == ["record"]:
        if arguments.flag("call"):
            raise UsageError(say("usage.record_call"))
        script = arguments.options["record"]
        if not script.endswith(".py"):
            raise UsageError(say("usage.record", given=argument_values.quoted(script)))
        seconds = argument_values.whole(arguments, "seconds", 1, 86_400, 120)
        return examine_program(
            script, arguments.words, beyond=beyond, intended=intended, seconds=float(seconds)
        )
    if arguments.flag("seconds"):
        raise UsageError(say("usage.seconds"))
    library, name = chosen[0], arguments.options[chosen[0]]
    if name.startswith(":") or not name.strip():  # a function, and of no module
        raise UsageError(say("usage.rule"))
    call = arguments.options.get("call")
    if call is not None and not call.strip():
        raise UsageError(say("usage.call"))
    return examine_rules(name, library=library, call=call, beyond=beyond, intended=intended)


def _are_several(arguments: Arguments, rules: RuleReports) -> bool:
    """Is it a list, also where it has one member?  A rule that is named has a report of its own."""
    return len(rules) != 1 or arguments.flag("record") or arguments.flag("call")
