"""The player in a real browser: predicting, comparing, groups, and a page around it."""

from __future__ import annotations

import json
import re

import pytest

from browser import until
from minigrad import parse, trace
from minigrad.explanation.explanation import CLASSIC
from minigrad.player.document import TitledTrace, document
from minigrad.player.page import html
from minigrad.text.numerals import show
from minigrad.text.translation import speaking
from player_pages import (
    FACTS,
    at_end,
    deep,
    formula,
    gradients,
    large,
    name_in,
    one,
    opened,
    two,
)

# ---- predicting ---------------------------------------------------------------------------------


def test_it_stops_before_each_contribution_that_matters_and_asks(visit):
    page = opened(visit, one())
    page.get_by_role("button", name="Predict first").click()
    page.evaluate("minigradPlayer.time = 7")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("minigradPlayer.time") == 7
    assert (
        page.locator(".prediction label").inner_text()
        == "f = a - c has the gradient 10. How much does it send to a?"
    )
    assert page.evaluate("document.activeElement.id") == "player-answer"
    page.keyboard.type("10")
    page.keyboard.press("Enter")
    assert page.locator(".verdict").inner_text() == "✓ Right: 1 × 10 = 10."
    assert page.evaluate("minigradPlayer.time") == 8
    page.keyboard.press("Enter")  # go on
    assert not page.locator(".prediction").is_visible()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("10")
    page.keyboard.press("Enter")
    assert page.locator(".verdict").inner_text() == "✗ Not this time: -1 × 10 = -10."
    assert page.locator(".score").inner_text() == "right so far: 1 of 2"


def test_an_answer_that_is_no_number_is_asked_again(visit):
    page = opened(visit, one())
    page.get_by_role("button", name="Predict first").click()
    page.evaluate("minigradPlayer.time = 7")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("ten")
    page.keyboard.press("Enter")
    assert page.locator(".verdict").inner_text() == "Write a number, such as -4 or 1/3."
    assert page.evaluate("minigradPlayer.time") == 7


VISIBLE = """() => {
    const elements = [...document.querySelectorAll("#minigrad-player *")];
    const ours = elements.filter((e) => !e.closest(".source"));
    const seen = ours.filter((e) => e.checkVisibility({ visibilityProperty: true }));
    return seen.flatMap((e) => [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data));
}"""


def test_the_answer_is_nowhere_on_the_page_before_it_is_given(visit):
    page = opened(visit, one())
    page.get_by_role("button", name="Predict first").click()
    name_in(page, "a").click()
    for view in "12345":
        page.keyboard.press(view)
        page.evaluate("minigradPlayer.time = 11")  # before ab sends -6 to a
        shown = page.evaluate(VISIBLE)
        assert "-6" not in " ".join(shown), view


def test_playing_waits_for_answers_and_goes_on_to_the_end(visit):
    page = opened(visit, one())
    page.get_by_label("Speed").select_option("fastest")
    page.get_by_role("button", name="Predict first").click()
    page.get_by_role("button", name="Play", exact=True).click()
    for _ in range(6):  # two for a, two for c, one for b, and c is met by e as well: six flows into inputs
        page.locator("#player-answer").wait_for()
        until(page, "!minigradPlayer.playing")
        page.get_by_role("button", name="Show me").click()
        if at_end(page):
            break
        page.get_by_role("button", name="Go on").click()
    assert at_end(page)
    assert gradients(page) == FACTS


# ---- comparing ----------------------------------------------------------------------------------


def test_a_broken_pass_is_played_beside_the_right_one(visit):
    page = opened(visit, two())
    assert page.locator(".pane-title").all_inner_texts() == ["right", "overwrite"]
    page.keyboard.press("End")
    assert gradients(page) == FACTS
    assert gradients(page, 3) == {"a": "≠ -6", "b": "-4", "c": "≠ -2"}  # order L, f, e, ab
    broken = page.locator(".pane").nth(1)
    wrong = broken.locator(".window tspan.wrong").all_text_contents()
    assert sorted(wrong) == ["≠-2", "≠-6"]
    assert page.locator(".pane").nth(0).locator(".wrong").count() == 0
    name_in(page, "a", 1).click()
    sums = page.locator(".formula").all()
    last = [re.sub(r"\s", "", each.locator("mtr").last.text_content()) for each in sums]
    assert last == ["=4", "≠\u22126"]
    page.evaluate("minigradPlayer.time = 12")
    assert broken.locator(".pane-sentence").inner_text().endswith("goes from 10 to -6: that is not a sum.")
    heard = page.locator(".sentence").text_content()  # a screen reader hears of both
    assert heard.startswith("right: ab sends")
    assert "overwrite: ab sends 3 × (-2) = -6 to a, but" in heard


WHOLE = """[...document.querySelectorAll(".window")].every((window) => {
    const {width, height} = window.firstElementChild.getBoundingClientRect();
    return width <= window.clientWidth + 1 && height <= window.clientHeight + 1;
})"""
TOPS = "[...document.querySelectorAll('.window')].map((each) => each.getBoundingClientRect().top)"
LEVEL = f"new Set({TOPS}).size"


@pytest.mark.parametrize(("width", "columns"), [(1280, 2), (1000, 1), (800, 1), (620, 1)])
def test_two_graphs_are_seen_whole_side_by_side_or_one_below_the_other(visit, width, columns):
    page = opened(visit, two(), width=width)
    until(page, WHOLE)
    assert page.evaluate(LEVEL) == 3 - columns, "tops of the two windows"
    bar = page.locator(".controls").bounding_box()
    assert bar["y"] + bar["height"] <= 801, "the clock is on the first screen"


def test_two_tall_drawings_stand_side_by_side_where_two_wide_ones_do_not(visit):
    page = opened(visit, two(), width=900)
    until(page, f"{LEVEL} === 2")
    page.keyboard.press("3")
    until(page, f"{LEVEL} === 1 && {WHOLE}")


def test_the_buttons_of_the_window_cover_nothing_of_two_drawings(visit):
    page = opened(visit, two(), width=900)
    page.keyboard.press("3")
    panes = page.locator(".pane").all()
    assert len(panes) == 2
    for pane in panes:
        tools, window = pane.locator(".zoom").bounding_box(), pane.locator(".window").bounding_box()
        assert tools["y"] + tools["height"] <= window["y"] + 1


def test_running_totals_of_the_waterfall_overlap_nothing_at_any_moment(visit):
    page = opened(visit, two())
    page.keyboard.press("3")
    overlap = """() => [...document.querySelectorAll(".window g")].flatMap((line) => {
        const texts = [...line.children].filter((child) => child.tagName === "text" && child.textContent);
        const boxes = texts.map((text) => [text.getBoundingClientRect(), text.textContent]);
        return boxes.flatMap(([a, first]) => boxes.flatMap(([b, second]) =>
            a !== b && a.left <= b.left && Math.abs(a.top - b.top) < 5 && a.right > b.left + 0.5
                ? [`${first} | ${second}`] : []));
    })"""
    for time in range(page.evaluate("minigradPlayer.last") + 1):
        page.evaluate(f"minigradPlayer.time = {time}")
        assert page.evaluate(overlap) == [], time


def test_the_headings_of_the_waterfall_have_room_in_both_languages(visit):
    page = opened(visit, one())
    page.keyboard.press("3")
    for language in ("en", "es"):
        page.evaluate(f"minigradPlayer.language = '{language}'")
        heads = [head.bounding_box() for head in page.locator(".window text.heading").all()]
        cards = page.locator(".window .box").all()
        left, right = cards[-2].bounding_box(), cards[-1].bounding_box()
        for head, card in zip(heads, (left, right), strict=True):
            assert card["x"] - 1 <= head["x"], language
            assert head["x"] + head["width"] <= card["x"] + card["width"] + 1, language


def test_totals_on_the_way_are_not_called_wrong(visit):
    """Two right passes in different orders agree at the end, and nothing is marked before."""
    graph = parse(*CLASSIC)
    orders = list(graph.orders())
    first, last = (trace(graph, order=order) for order in (orders[0], orders[-1]))
    assert first.order != last.order
    page = opened(
        visit,
        html(
            document(
                [
                    TitledTrace("right", ("first", "primero"), first),
                    TitledTrace("order-2", ("other", "otro"), last),
                ]
            )
        ),
    )
    for _ in range(14):
        assert page.locator(".wrong").count() == 0
        page.keyboard.press("ArrowRight")


# ---- groups -------------------------------------------------------------------------------------


def test_groups_open_on_a_click_and_a_trail_leads_back(visit):
    page = opened(visit, large())
    assert page.locator(".window .group").count() > 1
    page.evaluate("minigradPlayer.time = minigradPlayer.clock.backward")
    assert page.locator(".window .group.now, .window .node.now").count() == 1
    page.locator(".window .group[role=button]").first.click()
    trail = page.locator(".crumb").all_inner_texts()
    assert trail[0] == "Whole graph"
    assert len(trail) == 2
    while page.locator(".window .group[role=button]").count():
        page.locator(".window .group[role=button]").first.click()
    assert page.locator(".window .node[data-node]").count() > 1
    depth = page.locator(".crumb").count()
    page.keyboard.press("Escape")
    assert page.locator(".crumb:visible").count() in (0, depth - 1)
    page.evaluate("minigradPlayer.open(Object.keys(minigradPlayer.panes[0].told.groups)[0])")
    page.locator(".crumb").first.click()
    assert page.locator(".crumb:visible").count() == 0
    assert page.locator(".window .group").count() > 1


def test_a_packed_document_plays(visit):
    assert "data-packed" in large()
    page = opened(visit, large())
    page.keyboard.press("End")
    (grad,) = gradients(page).values()
    assert grad == show(deep().gradients["x"])


# ---- other pages --------------------------------------------------------------------------------


def test_a_page_around_it_can_drive_it_and_hears_of_it(visit):
    page = opened(visit, one())
    page.evaluate(
        """() => { window.heard = []; for (const what of ["time", "choose", "view", "language"])
        document.addEventListener("player:" + what, (event) => heard.push([what, event.detail])); }"""
    )
    page.evaluate("Object.assign(minigradPlayer, { time: 12, view: 'river', language: 'es', chosen: 1 })")
    heard = dict(page.evaluate("heard"))
    assert heard["time"]["place"] == [18, 28]
    assert heard["time"]["step"]["kind"] == "flow"
    assert heard["view"] == {"view": "river"}
    assert heard["language"] == {"language": "es"}
    assert heard["choose"]["name"] == trace(parse(*CLASSIC)).graph.names[1]
    state = page.evaluate("minigradPlayer.state()")
    assert json.loads(json.dumps(state)) == state
    page.evaluate("minigradPlayer.restore({ t: 0, view: 'graph', lang: 'en', node: null })")
    page.evaluate(f"minigradPlayer.restore({json.dumps(state)})")
    assert page.evaluate("minigradPlayer.state()") == state


def test_another_document_keeps_what_is_looked_at(visit):
    page = opened(visit, one())
    page.evaluate("Object.assign(minigradPlayer, { time: 12, view: 'thermometer' })")
    page.evaluate("minigradPlayer.chosen = minigradPlayer.panes[0].places.get('a')")
    with speaking("en"):
        other = document(
            [
                TitledTrace(
                    "right", ("right", "correcto"), trace(parse(CLASSIC[0], {"a": 3.0, "b": 3.0, "c": 4.0}))
                )
            ]
        )
    page.evaluate("(doc) => minigradPlayer.load(doc, { keepTime: true })", other)
    assert page.evaluate("[minigradPlayer.time, minigradPlayer.view]") == [12, "thermometer"]
    page.keyboard.press("End")
    assert formula(page)[-1] == "=10"  # (3*3 + 4) * 1 + 3 * (3 - 4)
    page.evaluate("(doc) => minigradPlayer.load(doc, { keepTime: false })", other)
    assert page.evaluate("minigradPlayer.time") == 0
