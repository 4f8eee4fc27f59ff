"""A report on a custom backward rule as text: its sections, and the sentences of its findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ...text.escape import printable, visible
from ...text.excerpts import cut
from ...text.numerals import show
from ...text.page import Page
from ...text.translation import say
from .deliberate_gradients import DELIBERATE, KINDS
from .report import CORRECT, LIMITED, NOT_EXAMINED, WRONG

if TYPE_CHECKING:
    from .report import ExaminedInput, ProofScope, Remark, RuleFinding, RuleReport

__all__ = [
    "choice",
    "curve_rows",
    "evidence",
    "examined_lines",
    "fix",
    "sections",
    "story",
    "title",
    "unseen",
    "verdict_lines",
]

LONGEST = 300  # characters of a message of the user's own code


def title(report: RuleReport) -> str:
    return say("rules.title", name=f"`{printable(report.name).replace('`', chr(39))}`")


def sections(report: RuleReport, page: Page) -> Iterator[tuple[str, list[str]]]:
    yield say("rules.title.verdict"), list(verdict_lines(report, page))
    if report.inputs:
        yield say("rules.title.examined"), list(examined_lines(report, page))
    if report.findings:
        lines = [line for finding in report.findings for line in _finding(finding, page)]
        yield say("rules.title.findings"), list(page.clip(lines))
    if report.snippet:
        yield say("rules.title.snippet"), [f"  {line}".rstrip() for line in report.snippet.splitlines()]
    if report.design_choices:
        lines = [line for each in report.design_choices for line in page.wrap(choice(each))]
        yield say("rules.title.choices"), lines
    if report.not_examined:
        lines = [line for each in report.not_examined for line in page.wrap(unseen(each))]
        yield say("rules.title.unseen"), lines


def verdict_lines(report: RuleReport, page: Page) -> Iterator[str]:
    code = report.verdict.replace(" ", "_")
    word = say(f"rules.verdict.{code}")
    faults = report.faults_about("gradient")
    promised = [each.about for each in report.design_choices if each.code == "promise-kept"]
    if promised and report.verdict == CORRECT:
        code = "promised"
    elif report.verdict == LIMITED and set(faults) <= DELIBERATE:
        code = "deliberate"
    elif report.verdict in (WRONG, LIMITED) and faults == ("error-in-backward",):
        code = "raises"
    sentence = say(
        f"rules.because.{code}",
        name=printable(report.name),
        count=report.comparisons,
        faults="; ".join(promised) if promised else ", ".join(map(_named, faults)),
    )
    kind = {CORRECT: "right", WRONG: "wrong"}.get(report.verdict, "title")
    first, *rest = page.wrap(f"{word} {sentence}")
    yield first.replace(word, page.ink(kind, word), 1)
    yield from rest
    if report.proof is not None:
        yield from page.wrap(_proof(report.proof))
    if report.verdict == NOT_EXAMINED:
        return
    for about, found in (("conduct", report.conduct), ("second", report.second)):
        names = ", ".join(report.faults_about(about))
        text = say(f"rules.{about}.{found.replace(' ', '_')}", faults=names)
        yield from page.wrap(text, kind="wrong" if found == WRONG else "")


def _named(fault: str) -> str:
    """A fault in the headline: its name, or words where there is none."""
    return say(f"rules.named.{fault}") if fault in ("one-change", "unrecognised") else fault


def _proof(proof: ProofScope) -> str:
    text = say(f"rules.proved.{proof.scope}", shapes=proof.shapes)
    return (
        f"{text} {say('rules.proved.excluded', excluded=printable(proof.excluded))}"
        if proof.excluded
        else text
    )


def examined_lines(report: RuleReport, page: Page) -> Iterator[str]:
    names = ", ".join(map(_input, report.inputs))
    yield from page.wrap(say(f"rules.origin.{report.origin}", inputs=names))
    if report.witnesses:
        heard = ", ".join(say(f"rules.witness.{each}") for each in report.witnesses)
        yield from page.wrap(say("rules.heard", witnesses=heard))
    if report.versions:
        yield from page.wrap(report.versions)


def _input(examined: ExaminedInput) -> str:
    if examined.shape is None:
        return f"{printable(examined.name)} = {printable(examined.text)}"
    size = "x".join(map(str, examined.shape)) or say("rules.scalar")
    return f"{printable(examined.name)} ({size})"


def choice(remark: Remark) -> str:
    """A design choice."""
    return say(f"rules.choice.{remark.code}", about=printable(remark.about))


def unseen(remark: Remark) -> str:
    """Something that was not examined."""
    about = _brief(remark.about)
    if remark.code == "time":
        about = ", ".join(say(f"rules.stage.{name}") for name in remark.about.split(", "))
    return say(f"rules.unseen.{remark.code}", about=about)


# ---- findings -----------------------------------------------------------------------------------


def _finding(finding: RuleFinding, page: Page) -> Iterator[str]:
    head = f"{printable(finding.input)}: {finding.fault}" if finding.input else finding.fault
    yield page.ink("wrong" if finding.grade == WRONG else "title", f"  {head}")
    yield from page.wrap(story(finding), "    ")
    if numbers := evidence(finding):
        yield from page.wrap(numbers, "    ")
    if rows := curve_rows(finding):
        yield from page.wrap(say("rules.curve"), "    ")
        heads = (finding.input, say("rules.curve.got"), say("rules.curve.due"))
        yield from (f"      {x:>10}  {got:>12}  {due:>12}" for x, got, due in (heads, *rows))
    if finding.line is not None:
        place = f"{Path(finding.file).name}:{finding.line}"
        yield from page.wrap(
            say("rules.repaired" if finding.diff else "rules.place", place=printable(place)), "    "
        )
        for row in finding.diff.splitlines():
            sign, text = row[:1], row[1:].strip()
            yield page.ink(
                "removed" if sign == "-" else "added", f"      {sign} {visible(cut(text, LONGEST))}"
            )
    if finding.diff and finding.fault == "one-change":
        return
    yield from page.wrap(say("rules.fix", fix=fix(finding)), "    ")


def curve_rows(finding: RuleFinding) -> list[tuple[str, str, str]]:
    """The curve of a gradient: an input, what is returned for an upstream of 1, the derivative."""
    rows = []
    for point in filter(None, str(finding.fields.get("curve", "")).split("; ")):
        x, _, rest = point.partition(": ")
        got, _, due = rest.partition(", ")
        rows.append((x, got, due))
    return rows


def story(finding: RuleFinding) -> str:
    """What is wrong."""
    return say(f"rules.story.{finding.fault}", input=printable(finding.input), **_fields(finding))


def fix(finding: RuleFinding) -> str:
    """What to write instead."""
    about = "deliberate" if finding.fault in DELIBERATE else finding.fault
    return say(f"rules.fix.{about}", input=printable(finding.input), **_fields(finding))


def evidence(finding: RuleFinding) -> str:
    """The numbers in words; "" where it has none."""
    if finding.got is None and finding.expected is None:
        return ""
    numbers = {"got": _number_or_none(finding.got), "expected": _number_or_none(finding.expected)}
    where = "[" + ", ".join(map(str, finding.position or ())) + "]" if finding.position else ""
    place = say("rules.at", where=where) if where else ""
    seed = say("rules.seed", upstream=show(finding.upstream)) if finding.upstream is not None else ""
    return say("rules.numbers", place=place, seed=seed, **numbers)


def _fields(finding: RuleFinding) -> dict[str, str]:
    """The fields as text: numbers short, and codes in words."""
    words = {key: show(x) if isinstance(x, float) else visible(str(x)) for key, x in finding.fields.items()}
    if "region" in words:
        words["region"] = say(f"rules.region.{words['region']}", bound=words.get("bound", ""))
    if "what" in words:
        words["what"] = say(f"rules.what.{words['what']}", other=printable(words.get("other", "")))
    if "how" in words:
        about = {"term": words.get("term", ""), "other": printable(words.get("other", ""))}
        words["detail"] = say(f"rules.term.{words['how']}", **about)
    words["message"] = _brief(words.get("message", ""))  # of an error, where there was one
    words["note"] = f"({words['message']})" if words["message"] else ""
    for key in ("sign", "variant", "structure"):
        if key in words:
            words[key] = say(f"rules.{key}.{words[key]}")
    words["promise"] = next((kind for kind, faults in KINDS.items() if finding.fault in faults), "any")
    words["extent"] = ""
    if "places" in words:
        words["extent"] = say("rules.extent" if "least" in words else "rules.extent.places", **words)
    if "like" in words:
        words["like"] = say(f"rules.like.{words['like']}") if words["like"] else ""
    return words


def _number_or_none(x: float | None) -> str:
    return say("rules.none") if x is None else show(x, 8)


def _brief(text: str) -> str:
    """A message of the user's own code on one line, without control characters."""
    line = "".join(c if c.isprintable() else " " for c in " ".join(text.split()))
    return cut(line, LONGEST)
