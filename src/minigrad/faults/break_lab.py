"""The break lab: one bug put into the backward pass of one graph, and all that follows from it.

    lab("ab = a*b; e = ab + c; f = a - c; L = e*f", "overwrite", {"a": 2, "b": 3, "c": 4})

A Lab holds facts: the right pass and the broken one, what each valid order gives, what became of every
contribution, the change as a diff of a readable engine, and a graph on which the bug hides.  Each is
computed; `lab_report_text.py` beside this file turns them into words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from re import match
from typing import TYPE_CHECKING

from ..graph import Graph
from ..graph.trace import Trace, trace
from ..scalar import Value
from ..text.escape import printable
from ..text.excerpts import describe, listed
from ..text.numerals import json_number
from ..text.page import Page, Result, Sections, markdown_of
from ..text.translation import LANGUAGES, catalogue, say, speaking
from ..values.validation import number as given_number
from .catalogue import FAULTS
from .catalogue.traversal import WalkTooLongError
from .contributions import Account, ContributionTerm, accounts, told_apart
from .fault import Fault, Suspect, Variant
from .hiding_place import HidingPlace, find_hiding_place, shows
from .order_runs import OrderRuns, run_orders
from .pass_log import LogEntry, log

if TYPE_CHECKING:
    from ..language import Places
    from ..player.document import TitledTrace

__all__ = ["Lab", "difference", "fault_called", "lab", "most_telling", "subject_graph"]

Subject = Graph | Value | str  # what a fault can be put into

SCHEMA = "minigrad.lab/1"
WORK = 200_000  # nodes times variants, when one is looked for that shows


@dataclass(frozen=True, eq=False)
class Lab(Result):
    """A bug at work."""

    graph: Graph
    suspect: Suspect
    right: Trace
    broken: Trace | None  # in the newest-first order; None for a pass that does not come to an end
    runs: OrderRuns | None
    source: tuple[str, Places] | None = None  # the text that the graph was written as, with its places

    @property
    def fault(self) -> Fault:
        return self.suspect.fault

    @property
    def variant(self) -> str:
        """The variant in words; "" for a fault that has none."""
        return self.suspect.what(self.graph)

    @property
    def expected(self) -> dict[str, float]:
        return self.right.gradients

    @property
    def shows(self) -> bool:
        """Does anything come out wrong, in the newest-first order?"""
        return self.broken is None or shows(self.right, self.broken)

    @cached_property
    def accounts(self) -> dict[int, Account]:
        """What became of the contributions to each active node, in the newest-first order."""
        return self.accounts_in(None)

    def accounts_in(self, order: tuple[int, ...] | None) -> dict[int, Account]:
        """The same in another order."""
        if self.broken is None:
            return {}
        pieces = self.suspect.pieces()
        broken = self.broken if order is None else trace(self.graph, pieces=pieces, order=order)
        return accounts(self.right, broken, trace(self.graph, pieces=told_apart(pieces), order=order))

    @cached_property
    def log(self) -> list[LogEntry]:
        """The messages of the broken pass, each held against the right one."""
        return log(self.right, self.broken) if self.broken is not None else []

    @cached_property
    def hides(self) -> HidingPlace | None:
        return find_hiding_place(self.suspect, self.graph)

    @cached_property
    def diff(self) -> str:
        """The change in specimen.py, as a unified diff."""
        return difference(self.suspect, self.graph)

    # ---- as text ------------------------------------------------------------------------

    def sections(self, page: Page) -> Sections:
        from .lab_report_text import sections

        return sections(self, page)

    def markdown(self, lang: str | None = None) -> str:
        with speaking(lang):
            name = self.suspect.name(self.graph).replace("`", "'")
            title = say("lab.title", name=name)
            return markdown_of(title, self.sections(Page()), {say("lab.section.change"): "diff"})

    def to_html(self, lang: str | None = None) -> str:
        """The player with both passes side by side, the right one and the broken one, in one file."""
        from ..player.page import play

        with speaking(lang):
            return play(self.told(), source=self.source)

    def told(self, order: tuple[int, ...] | None = None) -> list[TitledTrace]:
        """The passes for the player: the right one and, where it comes to an end, the broken one."""
        from ..player.document import TitledTrace

        own = self.runs is not None and self.runs.own  # then the order is the bug's, and no order for others
        right = self.right if own else trace(self.graph, order=order)
        passes = [TitledTrace("right", catalogue()["told.right"], right)]
        if self.broken is None:
            return passes
        broken = trace(self.graph, pieces=self.suspect.pieces(), order=order)
        titles = []
        for lang in LANGUAGES:
            with speaking(lang):
                titles.append(self.suspect.name(self.graph))
        return [*passes, TitledTrace(self.fault.slug, (titles[0], titles[1]), broken)]

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """What a notebook shows: both passes in the player, else the broken one drawn, else text."""
        from ..drawing import draw
        from ..player.notebook import bundle

        return bundle(self.to_html(), draw("graph", self.broken or self.right), str(self))

    def to_json(self) -> dict[str, object]:
        """All of it as plain data, the same in every language."""
        names, graph = self.graph.names, self.graph
        output = graph.output

        def gradients(grads: tuple[float, ...]) -> dict[str, object]:
            return {names[i]: json_number(grads[i]) for i in graph.inputs}

        def term(x: ContributionTerm) -> dict[str, object]:
            source = names[x.source] if x.source >= 0 else None
            return {"source": source, "slot": max(x.slot, 0), "amount": json_number(x.amount)}

        def account(x: Account) -> dict[str, object]:
            return {
                "expected": json_number(x.expected),
                "got": json_number(x.got),
                "kept": [term(kept) for kept in x.kept],
                "lost": [term(lost) for lost in x.lost],
                "changed": [{"from": term(due), "to": term(found)} for due, found in x.changed],
                "extra": [term(extra) for extra in x.extra],
            }

        broken, runs, hides = self.broken, self.runs, self.hides
        return {
            "schema": SCHEMA,
            "fault": self.fault.slug,
            "variant": self.variant,
            "family": self.fault.family,
            "output": names[output],
            "value": {
                "expected": json_number(self.right.values[output]),
                "broken": json_number(broken.values[output]) if broken else None,
            },
            "shows": self.shows,
            "expected": gradients(self.right.grads),
            "orders": [
                {
                    "order": [names[i] for i in run.order],
                    "gradients": gradients(run.grads),
                    "count": run.count,
                }
                for run in (runs.listed if runs else ())
            ],
            "complete": runs.complete if runs else False,
            "valid_orders": runs.orders if runs else None,
            "accounts": {names[i]: account(self.accounts[i]) for i in sorted(self.accounts)},
            "log": [
                {
                    "kind": entry.kind,
                    "node": names[entry.node],
                    "source": names[entry.source] if entry.source >= 0 else None,
                    "before": json_number(entry.before),
                    "after": json_number(entry.after),
                    "right": [json_number(entry.due_before), json_number(entry.due_after)],
                }
                for entry in self.log
            ],
            "diff": self.diff,
            "hides": hides
            and {
                "expression": hides.text,
                "variant": hides.suspect.what(hides.graph),
                "gradients": {name: json_number(x) for name, x in hides.broken.gradients.items()},
            },
        }

    def __repr__(self) -> str:
        return f"<Lab of {self.fault.slug} on {self.graph!r}>"


# ---- setting one up -----------------------------------------------------------------------------


def lab(
    subject: Subject | None,
    fault: str | Fault,
    inputs: Mapping[str, float] | None = None,
    variant: Variant | None = None,
) -> Lab:
    """Put a fault into the pass over a Graph, a Value, or a text with its inputs.

    `subject` None is the fault's own smallest graph.  `variant` chooses among the variants that the
    fault has there, as `Suspect.what` words them; without it, it is the first that shows.
    """
    fault = fault if isinstance(fault, Fault) else fault_called(fault)
    if inputs is not None and not isinstance(inputs, Mapping):
        raise TypeError(say("forensics.mapping", given=describe(inputs)))
    graph = subject_graph(fault.graph if subject is None else subject, inputs)
    source = _source(fault.smallest if subject is None and not inputs else subject, inputs)
    right = trace(graph)
    suspect = most_telling(fault, graph, right) if variant is None else _chosen_variant(fault, graph, variant)
    pieces = suspect.pieces()
    try:
        broken = trace(graph, pieces=pieces)
        return Lab(graph, suspect, right, broken, run_orders(graph, pieces, fault.ordered, right), source)
    except WalkTooLongError:
        return Lab(graph, suspect, right, None, None, source)


def _source(subject: Subject | None, inputs: Mapping[str, float] | None) -> tuple[str, Places] | None:
    if not isinstance(subject, str):
        return None
    from ..language import parse_with_places

    return subject, parse_with_places(subject, inputs)[1]


def fault_called(slug: str) -> Fault:
    """The row of the catalogue; for another name, an error that says which was probably meant."""
    if isinstance(slug, str) and slug in FAULTS:
        return FAULTS[slug]
    from difflib import get_close_matches

    given = ascii(slug) if isinstance(slug, str) and len(slug) <= 60 else describe(slug)
    close = get_close_matches(slug, FAULTS, 1, 0.5) if isinstance(slug, str) else []
    raise ValueError(
        say("lab.unknown.close", given=given, close=close[0]) if close else say("lab.unknown", given=given)
    )


def subject_graph(subject: Subject, inputs: Mapping[str, float] | None = None) -> Graph:
    """The graph of what was given, with these inputs in it: a fault may look at the numbers of leaves.

    ValueError for one without a gradient: there is nothing to break in it.
    """
    if isinstance(subject, str):
        from ..language import parse

        graph = parse(subject, inputs)
    elif isinstance(subject, (Graph, Value)):
        graph = Graph.of(subject) if isinstance(subject, Value) else subject
        graph = graph.at({name: given_number(x) for name, x in (inputs or {}).items()})
    else:
        raise TypeError(say("lab.subject", given=describe(subject)))
    if not graph.active[graph.output]:
        raise ValueError(say("lab.no_gradient"))
    return graph


def most_telling(fault: Fault, graph: Graph, right: Trace) -> Suspect:
    """The first variant that shows; the first one where none does."""
    tries = max(2, WORK // len(graph))
    suspects = [Suspect(fault, variant) for variant in islice(fault.variants(graph), tries)]
    if not suspects:
        raise ValueError(say("lab.nothing", slug=fault.slug, smallest=fault.smallest))
    for suspect in suspects if len(suspects) > 1 else ():
        try:
            if shows(right, trace(graph, pieces=suspect.pieces())):
                return suspect
        except WalkTooLongError:
            return suspect
    return suspects[0]


def _chosen_variant(fault: Fault, graph: Graph, variant: Variant) -> Suspect:
    suspects = fault.suspects(graph)
    if not suspects:
        raise ValueError(say("lab.nothing", slug=fault.slug, smallest=fault.smallest))
    wish = _plain(str(variant))
    for suspect in suspects:
        if suspect.variant == variant or _plain(suspect.what(graph)) == wish:
            return suspect
    given = ascii(variant) if isinstance(variant, str) else describe(variant)
    known = list(dict.fromkeys(printable(suspect.what(graph)) for suspect in suspects))
    if known == [""]:
        raise ValueError(say("lab.variant.none", slug=fault.slug, given=given))
    raise ValueError(say("lab.variant.unknown", slug=fault.slug, given=given, known=listed(known)))


def _plain(text: str) -> str:
    return "".join(text.split()).lower()


# ---- the change ---------------------------------------------------------------------------------


def difference(suspect: Suspect, graph: Graph) -> str:
    """What the bug is in specimen.py: the hunks of a unified diff, each with the function that it is in."""
    from difflib import unified_diff

    source = Path(__file__).with_name("specimen.py").read_text(encoding="utf-8")
    broken = suspect.fault.broken(source, suspect.what(graph))
    old = source.splitlines()
    lines = list(unified_diff(old, broken.splitlines(), lineterm="", n=1))[2:]
    return "\n".join(_with_place(line, old) for line in lines) + "\n"


def _with_place(line: str, source: list[str]) -> str:
    hunk = match(r"@@ -(\d+)", line)
    if not hunk:
        return line
    above = source[: int(hunk[1])]
    place = next((text for text in reversed(above) if match(r"def |class |[A-Z]+ = ", text)), "")
    return f"{line} {place.partition('  #')[0]}".rstrip()
