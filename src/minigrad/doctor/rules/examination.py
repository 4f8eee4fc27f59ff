"""Examination of a custom backward rule, from what a user asks: which inputs, and which verdict may stand.

    report = examine_function(Mul, (torch.randn(3, 4), torch.randn(4)))
    report.verdict          # "correct", "wrong", "limited" or "not examined"

Without inputs some are invented, and then a conviction has to be one that no other inputs would take back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from warnings import catch_warnings, simplefilter

from ..verdict import Verdict
from .backward_statements import returned_line
from .deliberate_gradients import KINDS
from .invented_inputs import default_arguments, other_choices, parameter_names
from .report import (
    CORRECT,
    LIMITED,
    NOT_EXAMINED,
    WRONG,
    Remark,
    RuleFinding,
    RuleReport,
    Unseen,
)
from .rule_source import rule_source
from .stages import BUDGET
from .subject import Rule, RuleRefusedError, RuleSubject, runs_backward
from .subject_examination import examine_subject

__all__ = ["examine_function"]

LARGEST = 1 << 14  # numbers of a call that can be examined


def examine_function(
    fn: Rule,
    inputs: Sequence[object] | None = None,
    *,
    plain: Rule | None = None,
    library: str | None = None,
    seed: int = 0,
    beyond: bool = False,
    intended: str | None = None,
    origin: str = "given",
    budget: float = BUDGET,
) -> RuleReport:
    """Is the backward rule of `fn` the derivative of its forward?

    `fn` is a subclass of torch.autograd.Function, a function that uses one, or a function of JAX with
    custom_vjp or custom_jvp.  Without `inputs` some are invented.  `plain` computes the same without a
    custom rule.  Inputs that are given are perturbed a little and no more, unless `beyond` asks for their
    negatives, large and small ones, zeros and ties.  `intended` promises a gradient that is not the
    derivative ("ste", "surrogate" ...), and then that is checked.  `origin` says where the inputs come from.
    `budget` is the time in seconds for what follows the verdict on the gradient.
    """
    from .torch_rules import apart, is_torch

    if intended is not None and intended not in KINDS:
        raise ValueError(f"intended is one of {', '.join(KINDS)}, not {intended!r}")
    chosen = library or ("torch" if is_torch(fn, inputs) else "jax")
    asked = Asked(fn, chosen, plain, seed, beyond, intended or rule_source(fn).intended(), origin, budget)
    with catch_warnings(), apart(fn, inputs or ()) if chosen == "torch" else nullcontext():
        simplefilter("ignore")  # what the user's code warns of is not in question here
        if inputs is not None:
            return _examine_at(asked, inputs)
        return _examine_invented(asked)


def _cropped(asked: Asked, inputs: Sequence[object]) -> RuleSubject | None:
    """The same call with fewer rows along its long axes, where the rule runs on that; None for small ones."""
    from .cropped_inputs import crop
    from .module_copies import runs_others

    smaller = None if runs_others(inputs) else crop(inputs)  # a module's own weights would stay long
    if smaller is None:
        return None
    try:
        subject = asked.subject(smaller)
        outputs = subject.forward(subject.start)
    except RuleRefusedError:
        return None
    return subject if all(grid.finite for grid in outputs) and runs_backward(subject, outputs) else None


@dataclass(frozen=True)
class Asked:
    """What is examined, and how."""

    fn: Rule
    library: str
    plain: Rule | None
    seed: int
    beyond: bool
    intended: str
    origin: str
    budget: float = BUDGET

    @property
    def name(self) -> str:
        return str(getattr(self.fn, "__name__", type(self.fn).__name__))

    def subject(
        self, inputs: Sequence[object] | None, square: bool = False, origin: str | None = None
    ) -> RuleSubject:
        from .jax_rules import jax_subject
        from .torch_rules import torch_subject

        make: Callable[..., RuleSubject] = torch_subject if self.library == "torch" else jax_subject
        return make(self.fn, inputs, self.plain, self.seed, origin or self.origin, square)

    def examine(self, subject: RuleSubject, beyond: bool = False) -> RuleReport:
        return examine_subject(
            subject, seed=self.seed, beyond=beyond, intended=self.intended, budget=self.budget
        )

    def refused(self, refusal: RuleRefusedError) -> RuleReport:
        unseen = (Unseen(refusal.stage, refusal.message),)
        return RuleReport(self.library, self.name, NOT_EXAMINED, not_examined=unseen)


def _examine_at(asked: Asked, inputs: Sequence[object]) -> RuleReport:
    if asked.library == "torch" and (smaller := _cropped(asked, inputs)) is not None:
        report = asked.examine(smaller, beyond=asked.beyond)
        return replace(report, not_examined=(*report.not_examined, Unseen("cropped")))
    try:
        subject = asked.subject(inputs)
    except RuleRefusedError as refused:
        return asked.refused(refused)
    if sum(map(len, subject.start)) > LARGEST:
        return asked.refused(RuleRefusedError("too_large", ""))
    report = _at_other_calls(asked, subject, inputs, asked.examine(subject, beyond=asked.beyond))
    if asked.origin == "shapes" or (asked.origin in UNASKED and report.faults == RAISES):
        return _cautious(report, subject)
    return report


RAISES = ("error-in-backward",)
UNASKED = ("recorded", "example")  # origins of calls of which nobody may ever have asked for a gradient


def _at_other_calls(
    asked: Asked, subject: RuleSubject, inputs: Sequence[object], report: RuleReport
) -> RuleReport:
    """The same report; where the rule raises, that of a call beside it at which it does not.

    A rule may take for granted that each argument is passed, also those that have defaults, or that some
    input needs a gradient.  Whoever calls it otherwise gets an error, and that is conduct: what it returns
    is another question.  But a caller who gave this call, and not a program that was looked at, asked about
    the error itself, which stays then.
    """
    if report.faults != RAISES or asked.library != "torch":
        return report
    raised = report.findings[0]
    for other in _other_calls(asked, inputs):
        try:
            beside = asked.subject(other.arguments)
            if not runs_backward(beside, beside.forward(beside.start)):
                continue
            found = asked.examine(beside)
        except RuleRefusedError:
            continue
        found = replace(found, not_examined=(*found.not_examined, other.remark))
        if other.fault not in found.faults:  # else its conduct was examined there
            fields = {**raised.fields, "needed": other.needed, "note": ""}
            finding = replace(raised, fault=other.fault, input=other.needed, grade=LIMITED, fields=fields)
            conduct = LIMITED if found.conduct in (CORRECT, NOT_EXAMINED) else found.conduct
            found = replace(found, findings=(*found.findings, finding), conduct=conduct)
        if asked.origin in UNGIVEN:
            return found
        return _with_error(found, raised, WRONG if subject.asked_for(0) else LIMITED)
    return report


UNGIVEN = (*UNASKED, "shapes")  # origins of calls that nobody handed over to be examined


@dataclass(frozen=True)
class _OtherCall:
    """A call beside the one that was given: what that does without, and what is added here."""

    fault: str
    arguments: list[object]
    remark: Unseen  # what was added
    needed: str = ""  # the arguments for which alone a gradient was asked


def _other_calls(asked: Asked, inputs: Sequence[object]) -> Iterator[_OtherCall]:
    from .torch_rules import asking_for_more, takes_ctx

    if takes_ctx(asked.fn) and (defaults := default_arguments(asked.fn, len(inputs))):
        arguments = [*inputs, *defaults]
        names = parameter_names(getattr(asked.fn, "forward", asked.fn), len(arguments), skip_first=True)
        remark = Unseen("call_defaults_left_out", ", ".join(names[len(inputs) :]))
        yield _OtherCall("defaults-left-out", arguments, remark)
    for needed, added, arguments in asking_for_more(asked.fn, inputs):
        yield _OtherCall("partial-inputs", arguments, Unseen("call_partial_inputs", added), needed)


def _with_error(found: RuleReport, raised: RuleFinding, grade: Verdict) -> RuleReport:
    """What was found at another call, beneath the error at the one that was given."""
    verdict = WRONG if WRONG in (grade, found.verdict) else grade
    second = NOT_EXAMINED if verdict == WRONG else found.second
    findings = (replace(raised, grade=grade), *found.findings)
    return replace(found, verdict=verdict, findings=findings, proof=None, second=second)


def _examine_invented(asked: Asked) -> RuleReport:
    """Inputs of our own; and what it does where its optional arguments are passed as well."""
    try:
        subject = asked.subject(None)
    except RuleRefusedError as refused:
        return asked.refused(refused)
    return _with_defaults(asked, subject, _examine_choices(asked, subject))


def _examine_choices(asked: Asked, subject: RuleSubject) -> RuleReport:
    """Invented inputs; squares where shapes do not fit; then, if nothing is wrong, other values of flags."""
    from .torch_rules import takes_ctx

    report = asked.examine(subject, beyond=True)
    if report.faults in (("error-in-backward",), ("wrong-shape",)):
        # An operand that should be transposed raises for (3, 4) and (4, 5), and shows for squares.
        try:
            squares = asked.subject(None, square=True)
        except RuleRefusedError:
            return _cautious(report, subject)
        again = examine_subject(squares, seed=asked.seed, beyond=True)
        if again.verdict == WRONG and again.faults not in (("error-in-backward",), ("wrong-shape",)):
            return _cautious(again, squares)
    if report.verdict in (CORRECT, LIMITED):
        whole = report.verdict == CORRECT or {
            each.fault for each in report.findings if each.about == "gradient"
        } <= {"shape-dependent", "error-at-shape"}
        for flag, before, arguments in other_choices(
            asked.fn, asked.library == "torch" and takes_ctx(asked.fn), subject.given
        ):
            try:
                other = asked.subject(arguments, origin="invented")
                found = asked.examine(other)
            except RuleRefusedError:
                continue
            if found.verdict == WRONG and whole and _trusted(found, other):
                note = Remark("flag", f"{before} -> {flag}")
                return replace(found, design_choices=(*found.design_choices, note))
            if found.verdict == LIMITED and report.verdict == CORRECT:
                return found
    return _cautious(report, subject)


def _with_defaults(asked: Asked, subject: RuleSubject, report: RuleReport) -> RuleReport:
    """The same report; limited where backward returns too little for the arguments that have defaults.

    Inputs are invented without such arguments if the rule does not run with them.  Each call that passes one
    raises; but perhaps nobody does.
    """
    from .torch_rules import takes_ctx

    ctx = asked.library == "torch" and takes_ctx(asked.fn)
    defaults = default_arguments(asked.fn, len(subject.given)) if ctx else []
    if not defaults or report.verdict == NOT_EXAMINED:
        return report
    try:
        other = asked.subject([*subject.given, *defaults], origin="invented")
        other.pull(other.start, other.forward(other.start))
    except RuleRefusedError as refused:
        if refused.stage != "backward" or "number of gradients" not in refused.message:
            return report
        source = rule_source(asked.fn)
        line = returned_line(source, None)
        finding = RuleFinding("wrong-count", grade=LIMITED, file=source.file, line=line)
        finding = replace(finding, fields={"message": refused.message})
        verdict = LIMITED if report.verdict == CORRECT else report.verdict
        # What is wrong in every call comes first.
        findings = sorted((*report.findings, finding), key=lambda each: each.about != "gradient")
        return replace(report, verdict=verdict, findings=tuple(findings), proof=None)
    return report


# Errors that no other inputs would have avoided.
PLAIN_ERRORS = re.compile(
    r"(NameError|UnboundLocalError|NotImplementedError|ImportError|ModuleNotFoundError)\b|"
    r"AttributeError: (module|'(tuple|\w*Backward|\w*Function\w*)' object)|"
    r"TypeError: (?!.*InventedModule|'(Tensor|int|float|bool|str|list|tuple|dict|NoneType)' object)"
    r".*(object is not callable|(takes|missing) .*positional|unexpected keyword)|"
    r"RuntimeError: .*(is now removed|was removed)"
)


def _trusted(report: RuleReport, subject: RuleSubject) -> bool:
    """Is a conviction on invented inputs sure?

    It is where the mistake is known by name or by a repair, and where there were no shapes to be matched with
    each other; else it may be the shapes, or the domain, that the rule is not meant for.
    """
    alone = len(subject.given) == 1 and subject.origin not in UNASKED
    for finding in report.findings:
        if finding.about != "gradient" or finding.grade != WRONG or _diverged(finding):
            continue
        if finding.fault == "error-in-backward":
            if alone or PLAIN_ERRORS.match(str(finding.fields.get("message", ""))):
                return True
        elif finding.fault == "wrong-shape":
            continue
        elif finding.fault in ("not-finite", "unrecognised", "one-change", "wrong-in-region"):
            # Of one number alone, as its upstream gradient tells: no relation between numbers is missing.
            if alone and finding.upstream is not None:
                return True
        else:
            return True
    return False


def _diverged(finding: RuleFinding) -> bool:
    """Is it some million times as large as it should be, as where an iteration leaves its domain?"""
    got, due = finding.got, finding.expected
    return got is not None and due is not None and abs(got) > 1e6 * max(1.0, abs(due))


def _without_change(fault: str) -> str:
    return "unrecognised" if fault == "one-change" else fault  # which is known by its change alone


def _cautious(report: RuleReport, subject: RuleSubject) -> RuleReport:
    """The same report; a conviction that the invented inputs may be to blame for is taken back."""
    if report.verdict != WRONG or _trusted(report, subject):
        return report
    findings = tuple(
        # A change with which it agrees with inputs that may not be meant is no advice.
        replace(each, grade=LIMITED, diff="", fault=_without_change(each.fault))
        if each.about == "gradient"
        else each
        for each in report.findings
    )
    raised = all(
        each.fault in ("error-in-backward", "wrong-shape") for each in findings if each.about == "gradient"
    )
    return replace(
        report,
        verdict=NOT_EXAMINED if raised else LIMITED,
        findings=findings,
        not_examined=(*report.not_examined, Unseen("unsure")),
    )
