"""All faults at once: which of them show on a graph, and what the catalogue holds.

An overview is in the newest-first order; `lab` looks at one of them in all orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..graph import Graph
from ..graph.trace import Trace, trace
from ..graph.wording import name
from ..text.escape import printable
from ..text.numerals import json_number, show
from ..text.page import Page, Result
from ..text.translation import pick, say
from .break_lab import Subject, most_telling, subject_graph
from .catalogue import FAULTS
from .catalogue.traversal import WalkTooLongError
from .contribution_text import show_apart
from .contributions import same
from .fault import Fault, Suspect
from .hiding_place import shows
from .lab_report_text import ENGINES

__all__ = ["Listing", "Overview", "overview"]

MOST = 600_000  # nodes walked, over all faults: a graph of thousands is shown with the first of them

SCHEMA = "minigrad.break/1"
LIST_SCHEMA = "minigrad.faults/1"
SLUG = 28  # columns for the longest slug


@dataclass(frozen=True, eq=False)
class Overview(Result):
    """What each fault of the catalogue does to the gradients of one graph."""

    graph: Graph
    right: Trace
    showing: tuple[tuple[Suspect, Trace | None], ...]  # None for a pass that does not come to an end
    hidden: tuple[Suspect, ...]  # at work, and every number is right
    idle: tuple[Fault, ...]  # with nothing to break here
    untried: tuple[Fault, ...]  # because the graph is large

    @property
    def suggestion(self) -> Suspect | None:
        """One to look at: first those that depend on the order, then those that many engines have."""
        ranked = sorted(self.showing, key=lambda pair: (-pair[0].fault.ordered, -pair[0].fault.seen))
        return ranked[0][0] if ranked else None

    def _title(self) -> str:
        return say("overview.title")

    def sections(self, page: Page) -> Iterator[tuple[str, list[str]]]:
        shown = _columns(self, page)
        head = "".join(f"  {name(self.graph, i).rjust(w)} " for i, w in shown.items())
        right = "".join(f"  {show(self.right.grads[i]).rjust(w)} " for i, w in shown.items())
        wide = _label_width(page, shown)
        yield (
            say("overview.right"),
            [
                page.ink("faint", (" " * (wide + 2) + head).rstrip()),
                page.ink("right", ("  " + say("lab.run.right.one").ljust(wide) + right).rstrip()),
            ],
        )
        families: dict[str, list[str]] = {}
        for suspect, broken in self.showing:
            families.setdefault(suspect.fault.family, []).extend(self._row(page, suspect, broken, shown))
        for family, rows in families.items():
            yield say(f"family.{family}"), rows
        yield say("overview.rest"), list(self._rest(page, len(shown)))

    def _row(
        self, page: Page, suspect: Suspect, broken: Trace | None, shown: Mapping[int, int]
    ) -> Iterator[str]:
        wide = _label_width(page, shown)
        what = printable(suspect.what(self.graph))
        label = suspect.fault.slug + (f" ({what})" if what else "")
        if len(label) > wide:
            yield f"  {label}"[: page.width]
            label = ""
        if broken is None:
            yield page.ink("wrong", f"  {label.ljust(wide)}  {say('overview.endless')}")
            return
        cells = "".join(_cell(page, self.right.grads[i], broken.grads[i], w) for i, w in shown.items())
        yield f"  {label.ljust(wide)}{cells}".rstrip()

    def _rest(self, page: Page, columns: int) -> Iterator[str]:
        if columns < len(self.graph.inputs):
            yield from page.wrap(say("lab.run.columns", count=len(self.graph.inputs) - columns), kind="faint")
        yield from page.wrap(say("overview.counts", showing=len(self.showing), all=len(FAULTS)))
        if self.hidden:
            listed = ", ".join(dict.fromkeys(suspect.fault.slug for suspect in self.hidden))
            yield from page.wrap(say("overview.hidden", count=len(self.hidden), listed=listed))
        if self.idle:
            yield from page.wrap(say("overview.idle", count=len(self.idle)))
        if self.untried:
            listed = ", ".join(fault.slug for fault in self.untried)
            yield from page.wrap(say("overview.untried", listed=listed))
        if self.suggestion is not None:
            yield from page.wrap(say("overview.suggestion", slug=self.suggestion.fault.slug))

    def to_json(self) -> dict[str, object]:
        names = self.graph.names

        def row(suspect: Suspect, broken: Trace | None) -> dict[str, object]:
            gradients = broken and {who: json_number(x) for who, x in broken.gradients.items()}
            what = suspect.what(self.graph)
            return {"fault": suspect.fault.slug, "variant": what, "gradients": gradients}

        return {
            "schema": SCHEMA,
            "output": names[self.graph.output],
            "expected": {who: json_number(x) for who, x in self.right.gradients.items()},
            "faults": [row(suspect, broken) for suspect, broken in self.showing],
            "hidden": [suspect.fault.slug for suspect in self.hidden],
            "idle": [fault.slug for fault in self.idle],
            "untried": [fault.slug for fault in self.untried],
            "suggestion": self.suggestion.fault.slug if self.suggestion else None,
        }


def overview(subject: Subject, inputs: Mapping[str, float] | None = None) -> Overview:
    """Every fault on one graph, each in its most telling variant."""
    graph = subject_graph(subject, inputs)
    right = trace(graph)
    showing: list[tuple[Suspect, Trace | None]] = []
    hidden: list[Suspect] = []
    idle, untried = [], []
    for fault in FAULTS.values():
        if (len(showing) + len(hidden)) * len(graph) > MOST or fault.takes_too_long(graph):
            untried.append(fault)
        elif next(iter(fault.variants(graph)), None) is None:
            idle.append(fault)
        else:
            suspect = most_telling(fault, graph, right)
            try:
                broken = trace(graph, pieces=suspect.pieces())
            except WalkTooLongError:
                showing.append((suspect, None))
                continue
            if shows(right, broken):
                showing.append((suspect, broken))
            else:
                hidden.append(suspect)
    return Overview(graph, right, tuple(showing), tuple(hidden), tuple(idle), tuple(untried))


def _columns(view: Overview, page: Page) -> dict[int, int]:
    """The inputs that there is room for, and how wide their numbers are."""
    room = page.width - 2 - SLUG
    chosen: dict[int, int] = {}
    for i in view.graph.inputs:
        right = view.right.grads[i]
        numbers = [show(right), *(show_apart(broken.grads[i], right) for _, broken in view.showing if broken)]
        wide = max(len(name(view.graph, i)), *map(len, numbers))
        room -= wide + 3
        if room < 0 and chosen:
            break
        chosen[i] = wide
    return chosen


def _label_width(page: Page, shown: Mapping[int, int]) -> int:
    return max(SLUG, min(44, page.width - 2 - sum(w + 3 for w in shown.values())))


def _cell(page: Page, right: float, broken: float, wide: int) -> str:
    fits = same(right, broken)
    number = show(broken) if fits else show_apart(broken, right)
    text = f"  {number.rjust(wide)}{' ' if fits else '*'}"
    return text if fits else page.ink("wrong", text)


# ---- the catalogue ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Listing(Result):
    """The catalogue of faults, grouped by what they teach."""

    faults: tuple[Fault, ...] = tuple(FAULTS.values())

    def _title(self) -> str:
        return say("listing.title")

    def _notes(self, page: Page) -> list[str]:
        return page.wrap(say("listing.how", count=len(self.faults), all=ENGINES), "")

    def sections(self, page: Page) -> Iterator[tuple[str, list[str]]]:
        families: dict[str, list[Fault]] = {}
        for fault in self.faults:
            families.setdefault(fault.family, []).append(fault)
        for family, faults in families.items():
            yield say(f"family.{family}"), [line for fault in faults for line in _listed(page, fault)]

    def to_json(self) -> dict[str, object]:
        return {
            "schema": LIST_SCHEMA,
            "faults": [
                {
                    "fault": fault.slug,
                    "family": fault.family,
                    "name": {"en": fault.name[0], "es": fault.name[1]},
                    "story": {"en": fault.story[0], "es": fault.story[1]},
                    "piece": fault.piece,
                    "smallest": fault.smallest,
                    "ordered": fault.ordered,
                    "seen": fault.seen,
                    "case": fault.case,
                }
                for fault in self.faults
            ],
        }


def _listed(page: Page, fault: Fault) -> Iterator[str]:
    """slug, how many engines have it, its name; a public case below."""
    seen = str(fault.seen) if fault.seen else "-"
    left = f"  {fault.slug.ljust(SLUG)} {seen.rjust(3)}  "
    lines = page.beside(left, pick(fault.name).format(what=say("listing.what")))
    yield from lines
    if fault.case:
        yield page.ink("faint", " " * len(left) + fault.case)
