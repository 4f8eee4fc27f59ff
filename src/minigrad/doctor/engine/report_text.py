"""Report on an engine in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...faults import FAULTS
from ...graph.wording import statement
from ...text.escape import printable, visible
from ...text.excerpts import cut
from ...text.numerals import counted
from ...text.page import Page, columns
from ...text.translation import say
from ..verdict import CORRECT, LIMITED, WRONG
from .child_protocol import ProbeNumbers
from .expected import close
from .findings import EngineFinding, Fix
from .probe_outcomes import RIGHT, ProbeOutcome
from .probe_script import shown
from .proofs import proof_lines, proof_remark

if TYPE_CHECKING:
    from .report import Report

__all__ = [
    "fix_lines", "fix_words", "flaky", "heading", "headline", "notes", "notes_of", "numbers", "reach",
    "scenario", "sections", "title", "trouble_text", "unseen", "usage",
]  # fmt: skip

DIFF = 80  # lines of a change that are shown
LONGEST_DETAIL = 200  # characters of what a trouble is about: a name, an error, a program with its error


def title(report: Report) -> str:
    return say("doctor.title", name=printable(_subject(report)))


def _subject(report: Report) -> str:
    cls = report.exam.plan.class_name
    return f"{report.subject.path.name}:{cls}" if cls else report.subject.path.name


def headline(report: Report) -> str:
    """The verdict in one sentence."""
    right = sum(outcome.status == RIGHT for outcome in report.exam.outcomes.values())
    fields = {"right": counted(right), "count": counted(report.probes), "bugs": len(report.findings)}
    if report.trouble:
        return say("doctor.verdict.not_examined", why=trouble_text(report))
    if report.findings:
        return say(
            "doctor.verdict.wrong" if len(report.findings) > 1 else "doctor.verdict.wrong.one", **fields
        )
    if report.verdict == LIMITED:
        return say("doctor.verdict.limited", **fields)
    whole = right == report.probes
    return say("doctor.verdict.correct.whole" if whole else "doctor.verdict.correct", **fields)


def trouble_text(report: Report) -> str:
    trouble = report.trouble
    assert trouble is not None
    detail = cut(visible(trouble.detail), LONGEST_DETAIL)
    return say(f"doctor.trouble.{trouble.code}", detail=detail, line=trouble.line)


def sections(report: Report, page: Page) -> Iterator[tuple[str, list[str]]]:
    kind = {CORRECT: "right", WRONG: "wrong"}.get(report.verdict, "grad")
    yield title(report), page.wrap(headline(report), kind=kind)
    for number, finding in enumerate(report.findings, 1):
        yield f"{number}. {heading(finding)}", list(_finding(report, finding, page))
    if report.unexplained:
        count = report.unexplained
        key = "doctor.unexplained.many" if count > 1 else "doctor.unexplained"
        yield say("doctor.title.unexplained"), page.wrap(say(key, count=counted(count)))
    if report.limits:
        lines = [line for limit in report.limits for line in page.wrap("- " + limit.text)]
        yield say("doctor.title.limits"), lines
    if report.suspicions:
        lines = [line for text in report.suspicions for line in page.wrap("- " + text)]
        yield say("doctor.title.suspicions"), lines
    if report.choices:
        lines = [line for choice in report.choices for line in page.wrap("- " + choice.text)]
        yield say("doctor.title.choices"), lines
    if missing := list(unseen(report)):
        yield say("doctor.title.unseen"), [line for text in missing for line in page.wrap("- " + text)]
    if not report.trouble:
        yield say("doctor.title.used"), [line for text in usage(report) for line in page.wrap(text)]


def heading(finding: EngineFinding) -> str:
    """Its name; where no change was confirmed it is a suspicion, and called one."""
    sure = finding.fix is not None and finding.fix.confirmed
    return finding.name if sure else say("doctor.suspected", name=finding.name)


def _finding(report: Report, finding: EngineFinding, page: Page) -> Iterator[str]:
    yield from (page.ink("faint", line) for line in page.wrap(finding.story))
    if finding.outcome.probe.kind == "graph":
        yield from page.wrap(say("doctor.proof", graph=finding.graph))
        for line in proof_lines(report, finding):
            yield f"    {line}"
    else:
        yield from page.wrap(scenario(finding))
    rows = columns([("", say("doctor.got"), say("doctor.right"), ""), *numbers(finding)])
    for cells in rows:
        line = "    " + "  ".join(cells)
        yield page.ink("wrong", line.rstrip()) if cells[-1] else line.rstrip()
    if remark := proof_remark(report, finding):
        yield from page.wrap(remark)
    if finding.unsteady:
        yield from page.wrap(flaky(finding.unsteady))
    if finding.alike:
        yield from page.wrap(say("doctor.alike", names=", ".join(finding.alike)))
    yield from _fix(finding, page)
    yield from page.wrap(reach(finding))


def scenario(finding: EngineFinding) -> str:
    """How a probe that is no single graph was run."""
    probe = finding.outcome.probe
    fields = {"graph": finding.graph, "name": probe.op, "at": shown(probe.written), "seed": shown(probe.seed)}
    return say(f"doctor.scenario.{probe.kind}", **fields)


def flaky(outcome: ProbeOutcome) -> str:
    graph = statement(outcome.probe.graph)
    counts = {"results": len(outcome.seen), "wrong": outcome.wrong_runs, "runs": outcome.runs}
    return say("doctor.flaky", graph=graph, **counts)


def reach(finding: EngineFinding) -> str:
    row = FAULTS.get(finding.fault)
    key = "doctor.reach" if len(finding.probes) > 1 else "doctor.reach.one"
    text = say(key, count=counted(len(finding.probes)))
    if row is not None and row.case:
        text += " " + say("doctor.case", case=row.case)
    return text


def numbers(finding: EngineFinding) -> Iterator[tuple[str, str, str, str]]:
    """Rows: what, got, right, and a word where they differ."""
    seen, right = finding.outcome.worst, finding.outcome.expected
    probe = finding.outcome.probe
    out = probe.graph.names[probe.graph.output] if probe.text else "out"
    wrong = say("doctor.wrong")
    grads = finding.outcome.grads
    value = seen.value if isinstance(seen, ProbeNumbers) else None
    rows: list[tuple[str, float | None, float]] = [(out, value, right.value)]
    rows += [(f"d{out}/d{name}", grads.get(name), grad) for name, grad in right.grads.items()]
    for what, got, due in rows[:12]:
        yield what, shown(got), shown(due), "" if close(got, due, right.size) else wrong


def _fix(finding: EngineFinding, page: Page) -> Iterator[str]:
    fix = finding.fix
    if fix is None:
        yield from page.wrap(say("doctor.no_line"))
        return
    yield from page.wrap(fix_words(fix))
    for kind, line in fix_lines(finding):
        yield page.ink(kind, f"    {'-' if kind == 'removed' else '+'} {line}") if kind else f"    {line}"


def fix_words(fix: Fix) -> str:
    example = bool(fix.before or fix.after)
    key = "doctor.confirmed" if fix.confirmed else "doctor.unconfirmed" if example else "doctor.pointed"
    return say(key, place=str(fix.place))


def fix_lines(finding: EngineFinding) -> Iterator[tuple[str, str]]:
    """The change: ("removed", line) and ("added", line); ("", "...") where it is long."""
    assert finding.fix is not None
    lines = []
    for old, new in finding.fix.hunks:
        lines += [("removed", printable_line(line)) for line in old]
        lines += [("added", printable_line(line)) for line in new]
    margin = min((len(line) - len(line.lstrip()) for _, line in lines if line.strip()), default=0)
    for kind, line in lines[:DIFF]:
        yield kind, line[margin:]
    if len(lines) > DIFF:
        yield "", "..."


def printable_line(line: str) -> str:
    return "".join(c if c.isprintable() else " " for c in line.expandtabs(4))


def unseen(report: Report) -> Iterator[str]:
    if report.not_examined:
        yield say("doctor.unseen.ops", ops=", ".join(report.not_examined))
    plan = report.exam.plan
    if untried := plan.untried:
        yield say("doctor.unseen.methods", names=", ".join(printable(name) for name in untried[:12]))
    for line in report.subject.left_out:
        yield say("doctor.unseen.syntax", place=str(report.subject.place(line)))
    for skipped in report.exam.skipped[:3]:
        place = str(report.subject.place(skipped.line))
        yield say("doctor.unseen.statement", place=place, why=printable(skipped.detail))
    if report.exam.unreached:
        yield say("doctor.unseen.unreached", count=counted(report.exam.unreached))
    if report.exam.not_run:
        place = str(report.subject.place(report.exam.not_run[0]))
        yield say("doctor.unseen.not_run", count=len(report.exam.not_run), place=place)
    if elsewhere := report.subject.elsewhere(plan.class_name):
        places = ", ".join(map(str, elsewhere))
        yield say("doctor.unseen.elsewhere", cls=plan.class_name, places=places, cell=elsewhere[0].cell)
    if len(report.subject.classes) > 1:
        rest = [name for name in report.subject.classes if name != plan.class_name]
        yield say("doctor.unseen.classes", names=", ".join(rest), path=report.subject.path.name)
    if report.subject.others:
        yield say("doctor.unseen.others", others=", ".join(report.subject.others))


def usage(report: Report) -> Iterator[str]:
    """How the engine was used: what the adapter found."""
    plan = report.exam.plan
    name = plan.backward.name.rpartition(":")[2]
    data = plan.data.name + ("()" if plan.data.how == "method" else "")
    where = say(f"doctor.used.grad.{plan.grad.how}", grad=plan.grad.name)
    yield say("doctor.used", cls=plan.class_name, data=data, grad=where)
    yield say(f"doctor.used.pass.{plan.backward.on}", name=name)
    yield say("doctor.used.ops", ops=", ".join(report.ops))


def notes_of(report: Report) -> list[str]:
    """What to do where it could not be examined."""
    if not report.trouble:
        return []
    return [say("doctor.hint.library" if "No module named" in report.trouble.detail else "doctor.hint")]


def notes(report: Report, page: Page) -> list[str]:
    return [line for text in notes_of(report) for line in page.wrap(text, "")]
