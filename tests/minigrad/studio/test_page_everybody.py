"""The studio for everybody: Spanish, every width, the keyboard alone, a screen reader, light and dark."""

import pytest

from browser import axe
from studio_page import RIGHT, SECOND, Desk


def test_everything_is_spanish_after_the_switch(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    page = desk.page
    page.click("#languages [value=es]")
    assert page.get_attribute("html", "lang") == "es"
    desk.until("() => document.querySelector('.faults h3')?.textContent.startsWith('Se nota')")
    texts = page.inner_text("body")
    for english in ("Statements", "Inputs", "Court", "Copy link", "Shows here", "Play"):
        assert english not in texts
    desk.write("a = 2\nL = a $ 3")
    page.wait_for_selector(".mistake")
    assert "Statements" not in page.inner_text("body")
    keys = page.evaluate(
        "() => [...document.querySelectorAll('body *')].map(e => e.children.length ? '' : e.textContent)"
        ".filter(text => /^(studio|player)\\.[a-z.]+$/.test(text))"
    )
    assert keys == []


@pytest.mark.parametrize("width", [360, 800, 1280])
def test_no_width_makes_the_page_scroll_sideways(visit, server, width):
    desk = Desk(visit, server, width=width, height=740)
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    for tool in ("check", "diagnose", "export", "break"):
        desk.page.click(f"#tab-{tool}")
        assert desk.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), tool
    desk.pick("overwrite")
    assert desk.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_first_screen_shows_statements_sliders_drawing_and_the_clock_without_scrolling(visit, server):
    desk = Desk(visit, server, "")
    desk.page.wait_for_selector(".input")
    for part in (
        "#statements",
        ".input >> nth=2",
        "#tab-break",
        "#player svg.drawing",
        "#player input[type=range]",
    ):
        box = desk.page.locator(part).first.bounding_box()
        assert 0 <= box["y"] <= 800 - box["height"], part


def test_a_keyboard_is_enough(desk):
    page = desk.page
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "statements"
    page.keyboard.press("Control+A")
    page.keyboard.type(SECOND)
    desk.until_gradients(RIGHT)
    page.keyboard.press("Tab")  # the first slider
    assert page.evaluate("() => document.activeElement.type") == "range"
    page.keyboard.press("ArrowRight")
    desk.until("() => document.querySelector('.input .field').value !== '2'")
    for _ in range(40):
        if page.evaluate("() => document.activeElement.getAttribute('role')") == "tab":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.id") == "tab-check"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Tab")
    page.keyboard.type("overwrite")
    page.wait_for_selector('[data-fault="overwrite"]')  # the list comes with an answer of the server
    page.keyboard.press("ArrowDown")
    # as an answer that comes late does: the list is made anew under the reader's fingers
    page.evaluate("() => document.querySelector('.picker input').dispatchEvent(new Event('input'))")
    assert page.evaluate("() => document.activeElement.dataset.fault") == "overwrite", "the place is kept"
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-got]")
    assert page.evaluate("() => document.activeElement.closest('.lab') !== null"), "the focus goes along"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious(visit, server, dark):
    desk = Desk(visit, server, dark=dark)
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    assert axe(desk.page) == []
    desk.pick("overwrite")
    assert axe(desk.page) == []
    desk.page.click("#tab-check")
    desk.page.click("#panel-check .main")
    desk.page.wait_for_selector(".verdict .word")
    assert axe(desk.page) == []
    desk.page.click("#tab-diagnose")
    desk.page.fill("#observed-a", "-6")
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_selector(".findings h3")
    assert axe(desk.page) == []
    desk.page.click("#tab-export")
    desk.page.click("#help")
    assert axe(desk.page) == []


def test_the_guide_lists_the_functions_and_closes_with_escape(desk):
    page = desk.page
    page.click("#help")
    page.fill("#guide input", "tanh")
    assert "tanh(a)" in page.inner_text("#guide tbody")
    page.keyboard.press("Escape")
    page.wait_for_selector("#guide", state="hidden")


def test_the_theme_switch_overrules_the_system(desk):
    page = desk.page
    light = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    page.click("#theme [value=dark]")
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") != light
    page.reload()
    page.wait_for_selector(".player")
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") != light
