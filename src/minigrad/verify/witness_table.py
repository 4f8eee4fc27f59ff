"""The table of witnesses: one row each where that fits the page, else a small block each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..graph.wording import name
from ..text.excerpts import listed
from ..text.numerals import counted, show
from ..text.page import Page
from ..text.translation import say
from .testimony import ABSENT, AGREES, CANNOT, DISAGREES, UNRELIABLE, Finding, Testimony
from .witnesses import title

if TYPE_CHECKING:
    from .verdict import Verdict

__all__ = ["WitnessRow", "cells", "rows"]

MOST = 8  # inputs whose numbers are repeated
_MARKS = {AGREES: "", DISAGREES: "!", UNRELIABLE: "?"}


class WitnessRow(NamedTuple):
    """What one witness says, in words; the first row is what is on trial."""

    label: str
    status: str  # "" for what is on trial
    word: str
    cells: list[str]
    why: str


def cells(verdict: Verdict) -> tuple[list[str], list[WitnessRow]]:
    """What the columns are about, and a row for each witness that was heard."""
    case, graph = verdict.case, verdict.case.graph
    output = name(graph, graph.output)
    heads = [output, *(f"d{output}/d{name(graph, graph.index(each))}" for each in case.names)]
    digits = _digits(verdict)
    found = [WitnessRow(say(f"court.on_trial.{case.source}"), "", "", _cells(verdict, None, digits), "")]
    for testimony in verdict.witnesses:
        if testimony.status != ABSENT:
            word, why = say(f"court.status.{testimony.status}"), _reason(verdict, testimony)
            numbers = _cells(verdict, testimony, digits)
            found.append(WitnessRow(title(testimony.witness), testimony.status, word, numbers, why))
    if case.value is None:
        return heads[1:], [row._replace(cells=row.cells[1:]) for row in found]
    return heads, found


def rows(verdict: Verdict, page: Page) -> Iterator[str]:
    case, graph = verdict.case, verdict.case.graph
    heads, found = cells(verdict)
    labels, _, words, table, reasons = map(list, zip(*found, strict=True))
    shown = [f"{name(graph, graph.index(each))} = {show(x)}" for each, x in case.at.items()]
    yield from page.wrap(say("court.at_point", inputs=listed(shown, MOST)), "  ", "data")
    widths = [max(len(head), *(len(row[i]) for row in table)) for i, head in enumerate(heads)]
    first = max(map(len, [say("court.witness_column"), *labels]))
    left = 2 + first + 2 + sum(w + 2 for w in widths)  # where the status stands
    if left + max(map(len, words)) > page.width:
        yield from _blocks(page, heads, table, labels, words, reasons)
    else:
        numbers = [
            "  ".join(text.rjust(w) for text, w in zip(row, widths, strict=True)) for row in [heads, *table]
        ]
        yield page.ink("faint", f"  {say('court.witness_column').ljust(first)}  {numbers[0]}")
        for label, row, word, why in zip(labels, numbers[1:], words, reasons, strict=True):
            line = f"  {label.ljust(first)}  {page.ink('grad', row)}  {word}"
            if not why:
                yield line.rstrip()
            elif left + len(word) + 2 + len(why) <= page.width:
                yield f"{line}: {why}"
            else:
                yield f"{line}:"
                yield from page.wrap(why, "      ", "faint")
    used = {text[-1:] for row in table for text in row}
    for mark, key in (("!", "court.legend.disagrees"), ("?", "court.legend.unreliable")):
        if mark in used:
            yield page.ink("faint", f"  {mark} {say(key)}")
    yield from (page.ink("faint", line) for line in _absent(verdict, page))


def _absent(verdict: Verdict, page: Page) -> Iterator[str]:
    """Who could not be asked, and how they can be, by what there is to install."""
    missing: dict[str, list[str]] = {}
    for testimony in verdict.witnesses:
        if testimony.status == ABSENT:
            missing.setdefault(testimony.kept_from[2], []).append(title(testimony.witness))
    for extra, names in missing.items():
        yield from page.wrap(say("court.absent", names=", ".join(names), extra=extra))


def _blocks(
    page: Page, heads: list[str], table: list[list[str]], labels: list[str], words: list[str],
    reasons: list[str],
) -> Iterator[str]:  # fmt: skip
    """Where the numbers do not fit beside each other: of a witness, only those that differ."""
    for label, row, word, why in zip(labels, table, words, reasons, strict=True):
        head = f"{label}: {word}" if word else label
        yield from page.wrap(f"{head}, {why}" if why else head, "  ")
        cells = [f"{head} = {text}" for head, text in zip(heads, row, strict=True) if text]
        yield from _lines(page, cells if not word else [cell for cell in cells if cell[-1] in "!?"])


def _lines(page: Page, cells: list[str]) -> Iterator[str]:
    """Cells, one after the other in lines; of very many, the first and the last."""
    if page.rows is not None and len(cells) > page.rows + 1:
        last = page.rows // 3
        more = say("court.more_numbers", count=counted(len(cells) - page.rows))
        cells = [*cells[: page.rows - last], more, *cells[len(cells) - last :]]
    line = ""
    for cell in cells:
        if line and len(line) + len(cell) + 7 > page.width:
            yield "    " + page.ink("grad", line + ",")
            line = ""
        line = f"{line}, {cell}" if line else cell
    if line:
        yield "    " + page.ink("grad", line)


# ---- cells --------------------------------------------------------------------------------------


def _digits(verdict: Verdict) -> int:
    """As few as show that numbers differ which do."""
    for digits in (6, 9, 12):
        alike = (
            show(finding.gradient, digits) == show(finding.witness, digits)
            and finding.gradient != finding.witness
            for testimony in verdict.witnesses
            for finding in testimony.all_findings
            if finding.status == DISAGREES
        )
        if not any(alike):
            return digits
    return 17


def _cells(verdict: Verdict, testimony: Testimony | None, digits: int) -> list[str]:
    """One row: the value and each gradient; of nobody, what is on trial."""
    case = verdict.case
    if testimony is None:
        value = "" if case.value is None else show(case.value, digits)
        return [value, *(show(case.gradients[each], digits) for each in case.names)]
    found = {finding.name: finding for finding in testimony.findings}
    value = "" if testimony.value is None else _cell(testimony.value, digits)
    return [value, *(_cell(found[each], digits) if each in found else "" for each in case.names)]


def _cell(finding: Finding, digits: int) -> str:
    if finding.sides is not None and finding.status != AGREES:
        return f"{show(finding.sides[0], 4)}..{show(finding.sides[1], 4)}?"
    if finding.witness != finding.witness and finding.error == float("inf"):
        return "?"
    return show(finding.witness, digits) + _MARKS[finding.status]


def _reason(verdict: Verdict, testimony: Testimony) -> str:
    """A few words beside the status."""
    status, why, about = testimony.kept_from
    if status == CANNOT:
        return say(f"court.cannot.{why}", about=about)
    doubts: dict[str, list[str]] = {}
    for finding in testimony.all_findings:
        if finding.status == UNRELIABLE:
            doubts.setdefault(finding.why, []).append(_called(verdict, testimony, finding))
    parts = []
    for why, names in doubts.items():
        parts.append(say("court.doubt", names=listed(names, 3), why=say(f"court.short.{why}")))
    if parts:
        return "; ".join(parts)
    if testimony.note and testimony.status == AGREES:
        return say(f"court.note.{testimony.note}")
    errors = [finding.error for finding in testimony.findings if 0.0 < finding.error < float("inf")]
    return say("court.error_bar", error=show(max(errors), 2)) if errors else ""


def _called(verdict: Verdict, testimony: Testimony, finding: Finding) -> str:
    graph = verdict.case.graph
    if finding is testimony.value:
        return name(graph, graph.output)
    return name(graph, graph.index(finding.name)) if finding.name else say("court.direction")
