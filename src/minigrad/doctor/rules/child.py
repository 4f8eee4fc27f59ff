"""Program that imports a user's module and examines its rules, or runs a program and examines those it calls.

It runs apart.  Its request names what to do.  It sends one report, or, where there may be several, first the
names of the rules, then one message for each as soon as it is examined, and a last one with their number.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NotRequired, TypedDict

from .call_record import CallRecord, RecordedCall, begin_recording, record
from .examiner import RuleOptions, examine_rule
from .example_calls import record_examples, run_for
from .report import NOT_EXAMINED, Remark, RuleReport, Unseen
from .rule_module import RuleModule, is_file_name, load_module
from .rule_place import RulePlace, code_of
from .rule_reports import ExaminedRule, RuleReports, worst_of
from .rule_targets import RuleTarget, TargetRefusedError, rules_of, target_inside, target_of
from .subject import error_text

__all__ = ["END", "PART", "PLAN", "RuleRequest", "answer", "answers", "main"]

# Schemas of the messages.
PLAN, PART, END = "minigrad.rules.plan/1", "minigrad.rules.part/1", "minigrad.rules.end/1"


class RuleRequest(TypedDict):
    name: str  # "module:Function", "path/to/file.py:Function", or without the function
    library: str  # torch, jax
    folder: str  # where modules are looked for too
    seed: int
    every: NotRequired[bool]  # all rules where none is named, and several messages
    call: NotRequired[str]  # Python that calls the rules
    script: NotRequired[list[str]]  # a program and its arguments, in place of a module
    seconds: NotRequired[float]  # that the program may take
    beyond: NotRequired[bool]
    intended: NotRequired[str | None]


def main(request: RuleRequest, send: Callable[[object], None]) -> None:
    if not request.get("every"):
        send(answer(request).to_json())
        return
    said = _Saying(send)
    found = answers(request, said)
    for rule in found.rules[said.count :]:
        said.rule(rule)
    remarks = [remark.to_json() for remark in found.remarks]
    send({"schema": END, "count": len(found.rules), "remarks": remarks})


class _Saying:
    """What is sent while it is found: whoever ends this before its end has what was examined."""

    def __init__(self, send: Callable[[object], None]) -> None:
        self.send, self.count = send, 0

    def plan(self, names: Sequence[str]) -> None:
        self.send({"schema": PLAN, "names": list(names)})

    def rule(self, rule: ExaminedRule) -> None:
        self.send({"schema": PART, "index": self.count, **rule.to_json()})
        self.count += 1


def answer(request: RuleRequest) -> RuleReport:
    """The report on the function that the request names, or on the only one in the module."""
    found = answers(request)
    if len(found.rules) > 1:
        place = _split(request["name"])[0]
        choice = ", ".join(f"{place}:{report.name}" for report in found)
        return _refused(request, "which", choice)
    if not found.rules:
        remark = found.remarks[0] if found.remarks else Unseen("no_rule", request["name"])
        return _refused(request, remark.code, remark.about)
    return found.alone()


def answers(request: RuleRequest, said: _Saying | None = None) -> RuleReports:
    """The reports on all rules that the request is about."""
    said = said or _Saying(lambda message: None)
    if "script" in request:
        return _of_script(request, said)
    place, wanted = _split(request["name"])

    def refused(code: str, about: str) -> RuleReports:
        return RuleReports((ExaminedRule(_refused(request, code, about), RulePlace()),))

    if is_file_name(place) and not (Path(request["folder"]) / place).is_file():
        return refused("no_file", place)
    try:
        loaded = load_module(place, Path(request["folder"]))
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and error.name == request["library"]:
            return refused("absent", request["library"])
        return refused("importing", error_text(error))
    if "call" in request:
        return _of_call(request, loaded, wanted, said)
    names = [wanted] if wanted else list(rules_of(loaded.module, request["library"]))
    if not names:
        return refused("no_rule", place)
    if len(names) > 1 and not request.get("every"):
        return refused("which", ", ".join(f"{place}:{each}" for each in names))
    examples: list[CallRecord] = []
    rules = []
    said.plan(names)
    for name in names:
        rules.append(_examined(request, loaded, name, examples))
        said.rule(rules[-1])
    return RuleReports(tuple(rules), loaded.remarks)


def _split(name: str) -> tuple[str, str]:
    """The place and the function of a name; C:\\rules.py has a place alone."""
    head, colon, tail = name.rpartition(":")
    if colon and not is_file_name(name) and len(head) > 1:
        return head, tail
    return name, ""


def _refused(request: RuleRequest, code: str, about: str) -> RuleReport:
    unseen = (Unseen(code, about),)
    return RuleReport(request["library"], request["name"], NOT_EXAMINED, not_examined=unseen)


def _options(request: RuleRequest) -> RuleOptions:
    return RuleOptions(request["seed"], bool(request.get("beyond")), request.get("intended"))


# ---- rules by their names -----------------------------------------------------------------------


def _examined(
    request: RuleRequest, loaded: RuleModule, wanted: str, examples: list[CallRecord]
) -> ExaminedRule:
    module, library, options = loaded.module, request["library"], _options(request)

    def refused(code: str, about: str) -> ExaminedRule:
        unseen = (Unseen(code, about),)
        return ExaminedRule(RuleReport(library, wanted, NOT_EXAMINED, not_examined=unseen), RulePlace())

    found: object = module
    for part in wanted.split("."):
        found = getattr(found, part, None)
    try:
        if found is None:
            inside = target_inside(module, wanted, library)
            if inside is None:
                return refused("missing", wanted)
            target = inside
        else:
            target = target_of(found, wanted, library)
    except TargetRefusedError as refusal:
        return refused(refusal.code, refusal.about)
    except Exception as error:  # a module or a factory of somebody's, which may do anything
        return refused("importing", error_text(error))
    try:
        inputs = _offered(module, wanted)
    except Exception as error:
        return refused("importing", error_text(error))
    remarks = target.remarks
    if inputs is None:
        if not examples:
            examples.append(record_examples(loaded))
        calls = [call for call in examples[0].calls if _is_of(call, target)]
        if calls:
            reports = [
                examine_rule(target.fn, call.inputs(), library, "example", options, remarks, target.name)
                for call in calls
            ]
            return ExaminedRule(worst_of(reports), target.place)
    report = examine_rule(target.fn, inputs, library, "module", options, remarks, target.name)
    return ExaminedRule(report, target.place)


def _is_of(call: RecordedCall, target: RuleTarget) -> bool:
    """Is it a call of this rule, or of one that the same lines have made?"""
    if call.fn is target.fn or call.name == target.name:
        return True
    rule = getattr(call.fn, "backward", None) or getattr(call.fn, "bwd", None)
    return rule is not None and code_of(rule) in target.codes


def _offered(module: ModuleType, wanted: str) -> tuple[object, ...] | None:
    """The inputs that a module offers: `example_inputs` or `inputs`, a tuple or a function that gives one.

    A dict has them by the names of the functions.
    """
    for name in ("example_inputs", "inputs"):
        offer = getattr(module, name, None)
        if callable(offer):
            offer = offer()
        if isinstance(offer, Mapping):
            offer = offer.get(wanted)
            offer = offer() if callable(offer) else offer
        if isinstance(offer, (tuple, list)):
            return tuple(offer)
        if offer is not None:
            return (offer,)
    return None


# ---- rules by their calls -----------------------------------------------------------------------


def _of_call(request: RuleRequest, loaded: RuleModule, wanted: str, said: _Saying) -> RuleReports:
    """The rules that a line of Python calls."""
    text = request["call"]
    names = vars(loaded.module)
    for name, library in (
        ("torch", "torch"),
        ("jax", "jax"),
        ("jnp", "jax.numpy"),
        ("numpy", "numpy"),
        ("np", "numpy"),
    ):
        if library.partition(".")[0] in ("numpy", request["library"]):
            with suppress(ImportError):
                names.setdefault(name, import_module(library))
    if request["library"] == "torch":
        import_module("torch").manual_seed(0)
    remarks: tuple[Remark, ...] = loaded.remarks
    try:
        code = compile(text.strip(), "<call>", "exec")
    except (SyntaxError, ValueError) as error:
        return RuleReports(remarks=(Unseen("call_syntax", f"{text}: {error_text(error)}"), *remarks))
    with record() as seen:
        try:
            exec(code, names)
        except (Exception, SystemExit) as error:
            remarks = (Unseen("call_failed", f"{text}: {error_text(error)}"), *remarks)
    return _of_record(request, seen, remarks, wanted, text, said, origin="given")


def _of_record(
    request: RuleRequest,
    seen: CallRecord,
    remarks: Sequence[Remark],
    wanted: str,
    text: str,
    said: _Saying,
    origin: str = "",
) -> RuleReports:
    options = _options(request)
    last = wanted.rpartition(".")[2]
    names = {each for call in seen.calls for each in (call.name, call.name.rpartition(":")[2])}
    only = last if last in names else ""  # a factory's own name is not that of the rule it makes
    said.plan(seen.names(only))
    found = seen.examine(
        seed=options.seed,
        beyond=options.beyond,
        intended=options.intended,
        only=only,
        told=said.rule,
        origin=origin,
    )
    if not found.rules and not any(each.code == "call_failed" for each in remarks):
        remarks = (Unseen("call_none", f"{wanted}: {text}" if wanted else text), *remarks)
    return RuleReports(found.rules, (*found.remarks, *remarks))


def _of_script(request: RuleRequest, said: _Saying) -> RuleReports:
    """The rules that a program calls when it is run as it would be by itself."""
    script, *arguments = request["script"]
    path = (Path(request["folder"]) / script).resolve()
    if not path.is_file():
        return RuleReports(remarks=(Unseen("no_file", script),))
    try:
        code = compile(path.read_bytes(), str(path), "exec")
    except (SyntaxError, ValueError) as error:
        return RuleReports(remarks=(Unseen("script_raised", error_text(error)),))
    module = ModuleType("__main__")
    module.__file__ = str(path)
    sys.modules["__main__"] = module
    sys.argv[:] = [str(path), *arguments]
    sys.path.insert(0, str(path.parent))
    with suppress(OSError):
        os.chdir(request["folder"])
    seen = CallRecord()
    end = begin_recording(seen)
    seconds = request.get("seconds", 120.0)
    trouble = run_for(seconds, lambda: exec(code, vars(module)))
    end()
    remarks: list[Remark] = []
    if trouble == "late":
        remarks.append(Unseen("script_late", f"{seconds:.0f}"))
    elif trouble:
        remarks.append(Unseen("script_raised", trouble))
    return _of_record(request, seen, remarks, "", script, said)
