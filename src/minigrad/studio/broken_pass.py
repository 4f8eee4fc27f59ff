"""Answer about a broken pass: both passes to play, what each valid order gives, and what to learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from ..faults.break_lab import Lab
from ..faults.break_lab import lab as set_up
from ..faults.contribution_text import account_in_words
from ..faults.fault import Suspect
from ..faults.lab_report_text import seen_in
from ..faults.order_explorer import headline
from ..graph.wording import name
from ..player.document import document
from ..text.numerals import json_number
from ..text.translation import pick, say
from .requests import BreakRequest, FaultRequest, refusing
from .typed_graph import TypedGraph

__all__ = ["broken_answer", "laboratory", "order_of"]

VARIANTS = 60  # that are offered
ACCOUNTS = 40  # inputs whose contributions are told


def laboratory(found: TypedGraph, asked: FaultRequest) -> Lab:
    """The lab of what was asked for, on the graph that was typed."""
    with refusing():
        lab = set_up(found.graph, asked.fault, variant=asked.variant)
    return replace(lab, source=(found.text, found.places))


def order_of(lab: Lab, index: int) -> tuple[int, tuple[int, ...] | None]:
    """Which of the listed orders is meant, and that order; the first one for a number beyond them."""
    if lab.runs is None:
        return 0, None
    index = index if index < len(lab.runs.listed) else 0
    return index, lab.runs.listed[index].order


def broken_answer(found: TypedGraph, asked: BreakRequest) -> dict[str, object]:
    """Both passes, the valid orders, what became of the contributions, and the lesson."""
    lab = laboratory(found, asked)
    index, order = order_of(lab, asked.order)
    runs, graph, fault = lab.runs, lab.graph, lab.fault
    return {
        "document": document(lab.told(order), source=lab.source, most=0),
        "fault": {
            "slug": fault.slug,
            "family": fault.family,
            "name": lab.suspect.name(graph),
            "story": pick(fault.story),
            "lesson": say(f"lesson.{fault.family}"),
            "seen": seen_in(lab.suspect),
        },
        "variant": lab.variant,
        "variants": _variants(lab),
        "orders": [
            {
                "order": [name(graph, i) for i in run.order],
                "gradients": _gradients(lab, run.grads),
                "count": run.count,
            }
            for run in (runs.listed if runs else ())
        ],
        "order": index,
        "total": runs.orders if runs else None,
        "complete": runs.complete if runs else False,
        "single": runs.single if runs else False,
        "own": runs.own if runs else False,
        "headline": headline(lab, index) if runs else say("lab.run.endless"),
        "expected": _gradients(lab, lab.right.grads),
        "accounts": _accounts(lab, order),
        "diff": lab.diff,
        "shows": lab.shows,
        "endless": lab.broken is None,
    }


def _gradients(lab: Lab, grads: Sequence[float]) -> dict[str, object]:
    return {lab.graph.names[i]: json_number(grads[i]) for i in lab.graph.inputs}


def _variants(lab: Lab) -> list[str]:
    """The variants that the fault has here, as they are asked for."""
    found = (
        Suspect(lab.fault, each).what(lab.graph) for each in islice(lab.fault.variants(lab.graph), VARIANTS)
    )
    return [what for what in dict.fromkeys(found) if what]


def _accounts(lab: Lab, order: tuple[int, ...] | None) -> list[dict[str, object]]:
    """What became of the contributions to each input, in this order."""
    accounts = lab.accounts_in(order)
    return [
        {
            "name": name(lab.graph, i),
            "words": account_in_words(lab.graph, accounts[i]),
            "right": accounts[i].right,
        }
        for i in lab.graph.inputs[:ACCOUNTS]
        if i in accounts
    ]
