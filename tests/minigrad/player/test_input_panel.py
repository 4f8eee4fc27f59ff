"""In a saved page the inputs can be moved: what depends on them follows, and nothing is asked for."""

import pytest

from browser import axe, until
from player_pages import FACTS, gradients, one, opened, two

MOVE = """([name, value]) => {
  const row = [...document.querySelectorAll('.move')].find(row => row.children[0].textContent === name);
  row.children[1].value = value;
  row.children[1].dispatchEvent(new Event('input', { bubbles: true }));
}"""


@pytest.fixture
def page(visit):
    found = opened(visit, one())
    found.evaluate("() => { minigradPlayer.time = minigradPlayer.last; }")
    return found


def test_every_gradient_follows_an_input(page):
    assert gradients(page) == FACTS
    page.evaluate(MOVE, ["a", "3"])
    page.evaluate(MOVE, ["b", "1"])  # L = (ab + c)(a - c): dL/da = b(a - c) + ab + c, dL/db = a(a - c)
    assert gradients(page) == {"a": "6", "b": "-3", "c": "-8"}
    assert page.locator("#player-stage [data-node='6'] [data-number=data]").first.text_content() == "-7"


def test_one_gets_back_to_the_first_numbers(page):
    page.evaluate(MOVE, ["a", "3"])
    assert gradients(page)["a"] == "10"
    page.get_by_role("button", name="back to the first numbers").click()
    assert gradients(page) == FACTS
    assert page.locator(".move input").first.input_value() == "2"


def test_a_keyboard_moves_them_too(page):
    page.locator(".move input").first.focus()
    page.keyboard.press("ArrowRight")
    assert gradients(page)["a"] != "4"
    assert axe(page) == []


def test_drawings_that_are_laid_out_say_that_they_have_the_first_numbers(page):
    page.evaluate(MOVE, ["a", "3"])
    assert page.locator(".pane-note").is_hidden()
    page.click("#tab-river")
    assert "numbers from before" in page.inner_text(".pane-note")
    page.click("#tab-thermometer")
    assert page.locator(".pane-note").is_hidden()


def test_bars_of_the_thermometer_follow(page):
    page.click("#tab-thermometer")
    bar = "document.querySelector('#player-stage [data-bar=\"0\"]').getAttribute('transform')"
    before = page.evaluate(bar)
    page.evaluate(MOVE, ["a", "3"])
    until(page, f"{bar} !== {before!r}")


def test_a_broken_pass_offers_none(visit):
    assert opened(visit, two()).locator(".moves").is_hidden()
