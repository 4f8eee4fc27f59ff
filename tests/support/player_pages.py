"""Pages of the player for tests in a browser, and what a person reads from them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from browser import Visits
from minigrad import Graph, Value, parse, trace
from minigrad.drawing import DRAWINGS
from minigrad.explanation.explanation import CLASSIC
from minigrad.graph.trace import Trace
from minigrad.player.document import TitledTrace, document
from minigrad.player.page import html
from minigrad.text.translation import speaking

VIEWS = DRAWINGS
FACTS = {"a": "4", "b": "-4", "c": "-12"}  # the second graph of the facts


@cache
def one(language: str = "en") -> str:
    with speaking(language):
        return html(document([TitledTrace("right", ("right", "correcto"), trace(parse(*CLASSIC)))]))


@cache
def two() -> str:
    """The right pass beside one with = in place of +=."""
    broken = trace(parse(*CLASSIC), accumulate=lambda before, amount: amount)
    with speaking("en"):
        right = TitledTrace("right", ("right", "correcto"), trace(parse(*CLASSIC)))
        return html(document([right, TitledTrace("overwrite", ("overwrite", "sobrescribir"), broken)]))


def deep() -> Trace:
    """Enough nodes for groups."""
    x = Value(0.9, label="x")
    y = x
    for layer in range(6):
        for i in range(8):
            y = (y * x + 0.1).tanh()
            y.label = f"h{layer}.{i}"
    return trace(Graph.of(y))


@cache
def large() -> str:
    with speaking("en"):
        return html(document([TitledTrace("right", ("right", "correcto"), deep())]))


def opened(visit: Visits, page: str, **options: Any) -> Any:
    found = visit(page, **options)
    found.wait_for_selector("[data-ready]")
    return found


def gradients(page: Any, column: int = 2) -> dict[str, str]:
    """The table, as a person reads it: the gradient of each input."""
    rows = page.locator(".gradients tbody tr").all()
    return {row.locator("th").inner_text(): row.locator("td").nth(column - 1).inner_text() for row in rows}


def name_in(page: Any, name: str, pane: int = 0) -> Any:
    """The node of that name in the drawing."""
    node = page.evaluate("([pane, name]) => minigradPlayer.panes[pane].places.get(name)", [pane, name])
    return page.locator(".pane").nth(pane).locator(f'.window .node[data-node="{node}"]').first


def described(node: Any) -> str:
    """What a screen reader says about a node after its name."""
    return node.get_attribute("aria-description")


def at_end(page: Any) -> bool:
    return page.evaluate("minigradPlayer.time === minigradPlayer.last")


def formula(page: Any) -> list[str]:
    """The rows of the sum, as text."""
    rows = page.locator(".formula mtr").all()
    return [re.sub(r"\s+", "", row.text_content()).replace("\u2212", "-") for row in rows]
