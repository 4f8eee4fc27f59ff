"""A lab in words, section by section: the bug, the question, the change, the run, and what to learn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from textwrap import wrap

from ..graph import CUSTOM
from ..graph.wording import name, statement
from ..text.escape import printable, visible
from ..text.excerpts import listed
from ..text.numerals import show
from ..text.page import Page, columns
from ..text.translation import pick, say
from .break_lab import Lab
from .contribution_text import account_in_words, show_apart
from .fault import Suspect
from .lab_question import question
from .lab_table import order_text, run_table
from .pass_log import LogEntry

__all__ = ["BEFORE_THE_RUN", "ENGINES", "sections"]

BEFORE_THE_RUN = 3  # sections that do not give the result away
ENGINES = 191  # public engines that were read for Fault.seen
LOG = 16  # messages up to which a log is shown whole
AROUND = 3  # messages that are shown before the first that is wrong, in a longer one
LONGEST = 300  # characters of a graph that are written out

Section = tuple[str, list[str]]


def sections(lab: Lab, page: Page) -> Iterator[Section]:
    """The titles and lines, in reading order."""
    yield say("lab.section.broken"), list(_broken(lab, page))
    yield say("lab.section.hypothesis"), [line for fact in question(lab) for line in page.wrap(fact)]
    yield say("lab.section.change"), list(_change(lab, page))
    if lab.broken is None:
        yield say("lab.section.run"), page.wrap(say("lab.run.endless"), kind="wrong")
    else:
        yield say("lab.section.run"), list(run_table(lab, page))
        yield say("lab.section.survivors"), list(_survivors(lab, page))
        yield say("lab.section.log"), list(_log(lab, page))
    yield say("lab.section.hides"), list(_hides(lab, page))
    yield say("lab.section.lesson"), page.wrap(say(f"lesson.{lab.fault.family}"))


# ---- the bug and its change -----------------------------------------------------------------------


def _broken(lab: Lab, page: Page) -> Iterator[str]:
    fault = lab.fault
    yield from page.wrap(f"{fault.slug}: {lab.suspect.name(lab.graph)}", kind="title")
    yield from page.wrap(pick(fault.story))
    if seen := seen_in(lab.suspect):
        yield from page.wrap(seen, kind="faint")
    yield from page.wrap(_written(lab), kind="data")
    others = [other for other in _others(lab) if other != printable(lab.variant)]
    if others:
        yield from page.wrap(say("lab.variants", variants=listed(others, 8)), kind="faint")


def seen_in(suspect: Suspect) -> str:
    """Where it really happened."""
    fault, parts = suspect.fault, []
    if fault.seen:
        parts.append(say("lab.seen", count=fault.seen, all=ENGINES))
    if fault.case:
        parts.append(say("lab.case", case=fault.case))
    return "; ".join(parts)


def _others(lab: Lab) -> list[str]:
    """The other variants that the fault has here."""
    found = (
        Suspect(lab.fault, variant).what(lab.graph) for variant in islice(lab.fault.variants(lab.graph), 20)
    )
    return [printable(what) for what in dict.fromkeys(found) if what]


def _written(lab: Lab) -> str:
    """The graph as one line of the language, cut where it is long."""

    if len(lab.graph) > LONGEST or any(node.op == CUSTOM for node in lab.graph.nodes):
        return say("lab.graph", output=name(lab.graph, lab.graph.output), count=len(lab.graph))
    text = statement(lab.graph)
    return text if len(text) <= LONGEST else text[:LONGEST] + " ..."


def _change(lab: Lab, page: Page) -> Iterator[str]:
    for line in lab.diff.rstrip().splitlines():
        kind = {"-": "removed", "+": "added", "@": "faint"}.get(line[:1], "")
        for piece in _code(visible(line), page.width - 2):
            yield f"  {page.ink(kind, piece)}" if kind else f"  {piece}".rstrip()


def _code(line: str, width: int) -> list[str]:
    """A line of a diff; what is too wide for the page goes on below, further in."""
    if len(line) <= width:
        return [line]
    mark, code = line[0], line[1:].lstrip()
    inset = " " * (len(line) - 1 - len(code))
    pieces = wrap(
        code, width - 1, initial_indent=inset, subsequent_indent=inset + "    ", break_on_hyphens=False
    )
    return [mark + piece for piece in pieces]


# ---- what came of it ------------------------------------------------------------------------------


def _survivors(lab: Lab, page: Page) -> Iterator[str]:
    assert lab.broken is not None
    graph = lab.graph
    lines: list[str] = []
    if lab.runs is not None and len(lab.runs.listed) > 1:
        order = order_text(lab, lab.runs.listed[0].order)
        lines.extend(page.wrap(say("lab.in_order", order=order), kind="faint"))
    for i in graph.inputs:
        if i not in lab.accounts:
            got, expected = lab.broken.grads[i], lab.right.grads[i]
            about = {"name": name(graph, i), "got": show(got), "why": say("ledger.unused")}
            if got == expected:
                lines += page.wrap(say("lab.account.right", **about))
            else:
                words = say("lab.account.wrong", expected=show(expected), **about)
                lines += page.wrap(words, kind="wrong")
            continue
        kind = "" if lab.accounts[i].right else "wrong"
        lines += page.wrap(account_in_words(graph, lab.accounts[i]), kind=kind)
    between = [
        account for i, account in lab.accounts.items() if i not in graph.inputs and not account.untouched
    ]
    if between:
        lines += page.wrap(say("lab.between"), kind="faint")
        for account in between:
            kind = "" if account.right else "wrong"
            lines += page.wrap(account_in_words(graph, account), "    ", kind=kind)
    yield from page.clip(lines)


def _log(lab: Lab, page: Page) -> Iterator[str]:
    entries = lab.log
    first = next((at for at, entry in enumerate(entries) if entry.kind), None)
    if first is None:
        yield from page.wrap(say("lab.log.none"))
        return
    skipped = 0
    if len(entries) > LOG:
        skipped = max(0, first - AROUND)
        entries = [entry for at, entry in enumerate(entries) if at >= skipped and (at < first or entry.kind)]
    yield from page.wrap(say("lab.log.intro"))
    if skipped:
        yield page.ink("faint", "    ...")
    rows = columns([_sender(lab, entry), _delivery(lab, entry), ""] for entry in entries)
    lines = []
    for entry, (sender, delivery, _) in zip(entries, rows, strict=True):
        if not entry.kind:
            lines.append(f"    {page.ink('faint', sender)}  {page.ink('grad', delivery)}".rstrip())
            continue
        comment = _comment(lab, entry)
        left = f"    {sender}  {delivery}   "
        if len(left) + len(comment) <= page.width:
            lines.append(page.ink("wrong", left + comment))
        else:
            lines.append(page.ink("wrong", left.rstrip()))
            lines += page.wrap(comment, "        ", kind="wrong")
    yield from page.clip(lines)


def _sender(lab: Lab, entry: LogEntry) -> str:
    if entry.source >= 0:
        return say("lab.log.sends", name=name(lab.graph, entry.source))
    return say("lab.log.end" if entry.kind == "end" else "lab.log.start")


def _delivery(lab: Lab, entry: LogEntry) -> str:
    who = name(lab.graph, entry.node)
    if entry.kind == "value":
        return f"{who}.data = {show_apart(entry.after, entry.due_after)}"
    if entry.kind == "missing":
        return say("lab.log.nothing", name=who)
    if entry.source < 0 and entry.kind != "end":
        return f"{who}.grad = {show_apart(entry.after, entry.due_after)}"
    after = show_apart(entry.after, entry.due_after) if entry.kind else show(entry.after)
    return f"{who}.grad: {show(entry.before)} -> {after}"


def _comment(lab: Lab, entry: LogEntry) -> str:
    """What is wrong about a line, and what would be right."""
    due = f"{show(entry.due_before)} -> {show(entry.due_after)}"
    if entry.due_node not in (-1, entry.node):
        due = f"{name(lab.graph, entry.due_node)}.grad: {due}"
    if entry.kind in ("value", "seed", "end"):
        due = show(entry.due_after)
    if entry.kind == "again":
        return say("lab.log.again")
    if entry.kind == "extra":
        return say("lab.log.extra")
    if entry.kind == "early":
        grad = show(lab.right.grads[entry.source])
        return say("lab.log.early", name=name(lab.graph, entry.source), now=show(entry.upstream), grad=grad)
    return say("lab.log.right", due=due)


def _hides(lab: Lab, page: Page) -> Iterator[str]:
    found = lab.hides
    if found is None:
        yield from page.wrap(say("lab.hides.nowhere"))
        return
    numbers = ", ".join(f"{who} = {show(x)}" for who, x in found.broken.gradients.items())
    yield from page.wrap(found.text, kind="data")
    what = found.suspect.what(found.graph)
    if what != lab.variant:  # an edge is another one on another graph
        name_there = found.suspect.name(found.graph)
        yield from page.wrap(say("lab.hides.variant", name=name_there), kind="faint")
    yield from page.wrap(say("lab.hides", gradients=numbers))
