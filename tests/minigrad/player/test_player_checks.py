"""The player in a real browser: every number is the trace's, nobody is shut out, nothing gets in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from browser import axe
from minigrad import parse, trace
from minigrad.explanation.explanation import CLASSIC
from minigrad.graph.paths import paths
from minigrad.graph.trace import Flow, Trace
from minigrad.player.document import TitledTrace, document
from minigrad.player.page import html
from minigrad.text.numerals import show
from player_pages import (
    VIEWS,
    large,
    one,
    opened,
    two,
)

# ---- every number -------------------------------------------------------------------------------

NUMBER = re.compile(r"(?<![\w.])[-\u2212]?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|inf|nan)(?![\w.]*\w)")
TEXTS = """() => {
    const found = [];
    const root = document.getElementById("minigrad-player");
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const { parentElement, data } = walker.currentNode;
        if (!parentElement.closest(".counter, [data-source], select, option, msub")) found.push(data);
    }
    return found;
}"""


def numbers_of(value: Any) -> Iterator[float]:
    """Every number in a JSON document that is one of the pass: which slot it was is not."""
    if isinstance(value, dict):
        for key, inside in value.items():
            if key not in ("slot", "slots", "count", "skipped"):
                yield from numbers_of(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from numbers_of(inside)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def numbers_in(*traces: Trace) -> set[str]:
    """The numbers of some passes and of their paths, as they are shown, with and without their signs."""
    documents = [each.to_json() for each in traces]
    for each in traces:
        found = paths(each, 6, [i for i in range(len(each.graph)) if each.graph.active[i]])
        documents += [row.to_json(each.graph.names) for row in found.values()]
    return {show(sign * x) for each in documents for x in numbers_of(each) for sign in (1, -1)}


def strange_numbers(page: Any, known: set[str], times: range | None = None) -> set[str]:
    """The numbers on a page, at each of some times, that are none of the known ones."""
    if times is None:
        texts = page.evaluate(TEXTS)
    else:  # in one request: there are hundreds of them
        texts = page.evaluate(
            f"times => times.flatMap(time => {{ minigradPlayer.time = time; return ({TEXTS})(); }})", [*times]
        )
    shown = {number.replace("\u2212", "-") for text in texts for number in NUMBER.findall(text)}
    return shown - known


def test_every_number_on_the_page_is_in_the_trace(visit):
    page = opened(visit, two())
    right = trace(parse(*CLASSIC))
    broken = trace(parse(*CLASSIC), accumulate=lambda before, amount: amount)
    known = numbers_in(right, broken)
    page.get_by_role("button", name="all nodes").click()
    for chosen in (0, 3, 6):  # a, ab and L: a sum, a product with one way up, the output
        page.evaluate(f"minigradPlayer.chosen = {chosen}")
        for view in VIEWS:
            page.evaluate(f"minigradPlayer.view = '{view}'")
            assert strange_numbers(page, known, range(14)) == set(), (chosen, view)


def test_fractions_too_are_those_of_the_trace(visit):
    graph = parse("h = tanh(w*x + b); L = (h - y)**2 + w*h", {"w": 0.37, "x": -1.3, "b": 0.11, "y": 0.9})
    page = opened(visit, html(document([TitledTrace("right", ("", ""), trace(graph))])))
    known = numbers_in(trace(graph)) | {"1", "2"}  # numerals of the formulas themselves, as in 1 - h**2
    page.evaluate("minigradPlayer.time = minigradPlayer.last")
    for view in VIEWS:
        page.evaluate(f"minigradPlayer.view = '{view}'")
        for chosen in range(len(graph)):
            page.evaluate(f"minigradPlayer.chosen = {chosen}")
            assert strange_numbers(page, known) == set(), (chosen, view)


def test_a_planted_number_is_seen(visit):
    page = opened(visit, one())
    page.evaluate("document.querySelector('h1').textContent = 'the gradient is -17.5'")
    known = numbers_in(trace(parse(*CLASSIC)))
    assert strange_numbers(page, known) == strange_numbers(page, known, range(3)) == {"-17.5"}
    only_ab = numbers_in(trace(parse("a*b", {"a": 2.0, "b": 3.0})))
    assert strange_numbers(page, only_ab, range(14)) > strange_numbers(page, only_ab, range(1))


def test_the_flows_of_the_trace_are_the_contributions_on_the_page(visit):
    page = opened(visit, one())
    page.keyboard.press("End")
    for event in trace(parse(*CLASSIC)).events:
        if isinstance(event, Flow):
            edge = page.locator(f'.window [data-edge="{event.source}.{event.slot}"]')
            assert edge.locator("[data-number=local]").text_content() == show(event.local)
            assert edge.locator("[data-number=amount]").text_content() == show(event.amount)


# ---- accessibility and safety -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "dark"),
    [(one, False), (one, True), (two, True), (large, False)],  # the colours of all three are the same
    ids=["one-light", "one-dark", "two-dark", "large-light"],
)
def test_axe_finds_nothing_serious(visit, page, dark):
    page = opened(visit, page(), dark=dark, reduced=True)
    for view in "12345":
        page.keyboard.press(view)
        page.keyboard.press("End")
        page.evaluate("minigradPlayer.chosen = 0")
        assert axe(page) == [], view
    page.keyboard.press("?")
    assert axe(page) == []


def test_axe_finds_nothing_serious_while_it_asks(visit):
    page = opened(visit, one(), reduced=True)
    page.get_by_role("button", name="Predict first").click()
    page.evaluate("minigradPlayer.time = 7")
    page.keyboard.press("ArrowRight")
    assert axe(page) == []
    page.get_by_role("button", name="Show me").click()
    assert axe(page) == []


def test_a_planted_barrier_is_found(visit):
    page = opened(visit, one())
    page.evaluate("document.querySelector('h1').after(document.createElement('button'))")
    assert any(finding.startswith("button-name") for finding in axe(page))


def test_the_policy_stops_a_script_that_is_planted(visit):
    planted = one().replace("</body>", "<script>window.pwned = true</script></body>")
    page = opened(visit, planted)
    assert page.evaluate("window.pwned") is None
    assert any("Content Security Policy" in complaint for complaint in visit.complaints)
    visit.forgive()


def test_a_request_and_an_error_are_complained_about(visit):
    page = visit("<!doctype html><html><body><img src='http://127.0.0.1:9/x.png'></body></html>")
    page.evaluate("setTimeout(() => { throw new Error('planted') })")
    page.wait_for_timeout(200)
    assert "request to http://127.0.0.1:9/x.png" in visit.complaints
    assert any("planted" in complaint for complaint in visit.complaints)
    visit.forgive()
