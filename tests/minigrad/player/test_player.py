"""The player in a real browser: playing, looking at a node, keys, languages, small screens."""

from __future__ import annotations

import re

import pytest

from browser import until
from player_pages import (
    FACTS,
    VIEWS,
    at_end,
    described,
    formula,
    gradients,
    large,
    name_in,
    one,
    opened,
    two,
)

# ---- playing ------------------------------------------------------------------------------------


def test_the_classic_graph_plays_to_its_end_and_reads_4_minus_4_minus_12(visit):
    page = opened(visit, one())
    assert set(gradients(page).values()) == {"…"}
    page.get_by_label("Speed").select_option("fastest")
    page.get_by_role("button", name="Play", exact=True).click()
    until(page, "minigradPlayer.time === minigradPlayer.last")
    until(page, "!minigradPlayer.playing")
    assert gradients(page) == FACTS
    for name, grad in FACTS.items():
        assert described(name_in(page, name)).endswith(f"gradient {grad}")
        assert name_in(page, name).locator("[data-number=grad]").text_content() == grad


def test_what_has_not_happened_yet_is_not_told(visit):
    page = opened(visit, one())
    assert name_in(page, "ab").locator("[data-number=data]").text_content() == "…"
    page.get_by_label("One step on").click()
    assert name_in(page, "ab").locator("[data-number=data]").text_content() == "6"
    assert name_in(page, "ab").locator("[data-number=grad]").text_content() == "…"
    assert name_in(page, "L").get_attribute("class").split().count("later") == 1


def test_one_can_step_scrub_and_jump(visit):
    page = opened(visit, one())
    time = "minigradPlayer.time"
    page.get_by_label("One step on").click()
    page.get_by_label("One step on").click()
    page.get_by_label("One step back").click()
    assert page.evaluate(time) == 1
    page.get_by_label("To the first backward step").click()
    assert page.evaluate(time) == 5
    assert page.locator(".sentence").inner_text().startswith("Backward starts at the output")
    page.get_by_label("To the end").click()
    assert at_end(page)
    page.get_by_label("To the start").click()
    assert page.evaluate(time) == 0
    slider = page.get_by_role("slider", name="Time")
    slider.fill("8")
    assert page.evaluate(time) == 8
    assert slider.get_attribute("aria-valuetext") == page.locator(".sentence").inner_text()
    assert "f sends its local derivative times its own gradient to a: 1 × 10 = 10" in slider.get_attribute(
        "aria-valuetext"
    )


def test_a_pause_stops_it_and_another_play_goes_on(visit):
    page = opened(visit, one())
    page.get_by_label("Speed").select_option("fastest")
    page.get_by_role("button", name="Play", exact=True).click()
    until(page, "minigradPlayer.time > 1")
    page.get_by_role("button", name="Pause").click()
    assert page.evaluate("minigradPlayer.playing") is False
    stopped = page.evaluate("minigradPlayer.time")
    page.wait_for_timeout(400)
    assert page.evaluate("minigradPlayer.time") == stopped
    page.get_by_role("button", name="Play", exact=True).click()
    until(page, f"minigradPlayer.time > {stopped}")


def test_the_running_total_is_10_then_10_minus_6_then_4(visit):
    page = opened(visit, one())
    badge = name_in(page, "a").locator(".badge")
    seen = []
    for _ in range(14):
        if badge.is_visible() and badge.text_content() not in seen[-1:]:
            seen.append(badge.text_content())
        page.keyboard.press("ArrowRight")
    assert seen == ["10", "10 - 6", "4"]


def test_each_step_has_one_sentence_in_a_live_region(visit):
    page = opened(visit, one())
    live = page.locator(".sentence")
    assert live.get_attribute("aria-live") == "polite"
    told = []
    for _ in range(14):
        told.append(live.inner_text())
        page.keyboard.press("ArrowRight")
    assert len(set(told)) == 14
    assert told[0] == "The inputs have their data: a = 2, b = 3, c = 4."
    assert told[4] == "Forward: L = e * f = 10 * (-2) = -20."
    assert told[12] == "ab sends 3 × (-2) = -6 to a as well, and contributions add up: 10 - 6 = 4."
    assert told[13].endswith("That was the last step.")


def test_the_statement_that_is_at_work_is_highlighted(visit):
    page = opened(visit, one())
    lit = []
    for _ in range(14):
        lit.append("".join(page.locator(".source .now").all_inner_texts()))
        page.keyboard.press("ArrowRight")
    assert lit[0] == ""
    assert lit[1:5] == ["ab = a * b", "e = ab + c", "f = a - c", "L = e * f"]
    assert lit[5:] == ["L = e * f"] * 3 + ["f = a - c"] * 2 + ["e = ab + c"] * 2 + ["ab = a * b"] * 2


def test_the_whole_pass_can_be_played_in_every_view(visit):
    page = opened(visit, one())
    for at, view in enumerate(VIEWS, 1):
        page.keyboard.press(str(at))
        assert page.evaluate("minigradPlayer.view") == view
        assert page.locator(".window svg").is_visible()
        page.keyboard.press("Home")
        for _ in range(13):
            page.keyboard.press("ArrowRight")
        assert page.locator(".window .later").count() == 0, view


def test_bars_of_the_thermometer_grow_with_their_gradient(visit):
    page = opened(visit, one())
    page.keyboard.press("4")
    a = page.evaluate("minigradPlayer.panes[0].places.get('a')")
    bar = page.locator(f'[data-bar="{a}"]')
    scales = []
    for _ in range(14):
        scales.append(float(re.search(r"scale\((\S+)", bar.get_attribute("transform")).group(1)))
        page.keyboard.press("ArrowRight")
    assert scales[0] == 0
    assert scales[8] == pytest.approx(10 / 12)
    assert scales[12] == pytest.approx(4 / 12)


# ---- looking at one node ------------------------------------------------------------------------


def test_a_click_on_a_node_shows_its_sum_with_symbols_and_with_numbers(visit):
    page = opened(visit, one())
    page.keyboard.press("End")
    name_in(page, "a").click()
    assert formula(page) == ["dLda=∂f∂a·dLdf+∂ab∂a·dLdab", "=1·dLdf+b·dLdab", "=1·10+3·(-2)", "=10-6", "=4"]
    assert page.locator(".small-ledger svg").is_visible()
    assert page.locator(".chosen-panel h3").inner_text() == "a"
    name_in(page, "a").click()
    assert page.locator(".formula").count() == 0


def test_the_sum_grows_with_time(visit):
    page = opened(visit, one())
    name_in(page, "a").click()
    page.evaluate("minigradPlayer.time = 8")
    assert formula(page)[2:] == ["=1·10+…", "=10+…", "=…"]
    page.keyboard.press("Home")
    assert formula(page)[2:] == ["=…+…", "=…+…", "=…"]


def test_the_output_has_its_seed_for_a_sum(visit):
    page = opened(visit, one())
    page.keyboard.press("End")
    name_in(page, "L").click()
    assert formula(page) == ["dLdL=1"]


def test_everything_but_the_active_path_can_be_dimmed(visit):
    page = opened(visit, one())
    page.evaluate("minigradPlayer.time = 12")  # ab sends to a
    page.get_by_role("button", name="Active path only").click()
    dim = {described(node).split(" ")[0].rstrip(",") for node in page.locator(".window .node.dim").all()}
    assert dim == {"b", "c", "f"}
    page.get_by_role("button", name="Active path only").click()
    assert page.locator(".dim").count() == 0


def test_the_table_can_list_all_nodes_and_says_what_gradients_mean(visit):
    page = opened(visit, one())
    page.keyboard.press("End")
    assert page.locator(".gradients .meaning").all_inner_texts() == [
        "if a grows a little, L grows 4 times as much",
        "if b grows a little, L falls 4 times as much",
        "if c grows a little, L falls 12 times as much",
    ]
    page.get_by_role("button", name="all nodes").click()
    assert gradients(page) == FACTS | {"ab": "-2", "e": "-2", "f": "10", "L": "1"}


# ---- keys, languages, sizes ---------------------------------------------------------------------


def test_everything_can_be_done_with_the_keyboard_alone(visit):
    page = opened(visit, one())
    page.keyboard.press("Space")
    assert page.evaluate("minigradPlayer.playing")
    page.keyboard.press("Space")
    assert not page.evaluate("minigradPlayer.playing")
    page.keyboard.press("End")
    assert gradients(page) == FACTS
    while not page.evaluate("document.activeElement.matches('.window .node')"):
        page.keyboard.press("Tab")
    page.evaluate("minigradPlayer.panes[0].focus('L')")
    walked = []
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
        walked.append(page.evaluate("minigradPlayer.panes[0].focusedName()"))
    assert walked[0] in {"e", "f"}
    assert walked[1] in {"ab", "c", "a"}
    assert walked[3] == "L" or walked[2] == "L"
    page.evaluate("minigradPlayer.panes[0].focus('a')")
    page.keyboard.press("Enter")
    assert formula(page)[-1] == "=4"
    assert at_end(page)  # arrows on a node walk, they do not step
    page.keyboard.press("Escape")
    assert page.locator(".formula").count() == 0
    page.keyboard.press("?")
    assert page.locator("dialog.help").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("dialog.help").is_visible()


def test_tabs_are_walked_with_arrows(visit):
    page = opened(visit, one())
    page.get_by_role("tab", name="Graph").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("minigradPlayer.view") == "river"
    assert page.get_by_role("tab", name="River").get_attribute("aria-selected") == "true"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("minigradPlayer.view") == "ledger"
    assert page.evaluate("minigradPlayer.time") == 0


def test_a_screen_reader_hears_what_is_written_on_a_node_and_then_what_it_means(visit):
    page = opened(visit, one())
    page.keyboard.press("End")
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    buttons = {
        node["name"]["value"]: node.get("description", {}).get("value")
        for node in tree
        if node.get("role", {}).get("value") == "button" and "grad" in node["name"]["value"]
    }
    assert buttons["f = a - c data -2 grad 10"] == "f = a - c, data -2, gradient 10"


def test_one_stop_of_the_tab_key_is_enough_for_a_drawing(visit):
    page = opened(visit, one())
    assert page.locator('.window .node[tabindex="0"]').count() == 1


def test_the_page_speaks_spanish_when_asked(visit):
    page = opened(visit, one())
    page.keyboard.press("End")
    name_in(page, "a").click()
    page.get_by_role("button", name="Español").click()
    assert page.evaluate("document.documentElement.lang") == "es"
    assert page.get_by_role("tab").all_inner_texts() == [
        "Grafo",
        "Río",
        "Cascada",
        "Termómetro",
        "Desglose",
    ]
    assert page.get_by_label("Reproducir").is_visible()
    assert page.locator("h1").inner_text() == "Los gradientes de L"
    assert (
        page.locator(".gradients .meaning").first.inner_text()
        == "si a crece un poco, L crece 4 veces esa cantidad"
    )
    assert page.locator(".sentence").inner_text().endswith("Ese fue el último paso.")
    assert "los datos van a la derecha" in page.locator(".window svg").text_content()
    assert described(name_in(page, "a")) == "a, dato 2, gradiente 4"
    assert gradients(page) == FACTS


def test_no_english_is_left_in_a_spanish_page(visit):
    page = opened(visit, one("es"))
    page.keyboard.press("End")
    name_in(page, "a").click()
    english = r"\b(the|gradients?|data flows|step|of|forward|backward|Play|Graph|name|meaning|raising)\b"
    for view in "12345":
        page.keyboard.press(view)
        words = page.locator("#minigrad-player").inner_text()
        labels = page.evaluate(
            "[...document.querySelectorAll('*')].map((e) => [e.ariaLabel, e.ariaDescription, e.title]).join()"
        )
        assert re.findall(english, words + labels) == []


@pytest.mark.parametrize("page", [one, two, large], ids=["one", "two", "large"])
def test_a_phone_scrolls_down_and_never_sideways(visit, page):
    page = opened(visit, page(), width=360, height=740, has_touch=True)
    page.keyboard.press("End")
    for language in ("English", "Español"):
        page.get_by_role("button", name=language).click()
        for view in "12345":
            page.keyboard.press(view)
            assert page.evaluate("document.documentElement.scrollWidth") == 360
            outside = page.evaluate(
                "[...document.querySelectorAll('button, select, input')].filter((e) => e.checkVisibility()"
                " && !e.closest('.table-window') && (e.getBoundingClientRect().right > 361"
                " || e.getBoundingClientRect().left < -1)).map((e) => e.outerHTML)"
            )
            assert outside == []


def test_with_reduced_motion_nothing_moves_by_itself_and_it_still_plays(visit):
    page = opened(visit, one(), reduced=True)
    durations = page.evaluate(
        "[...document.querySelectorAll('*')].map((e) => getComputedStyle(e).transitionDuration)"
        ".filter((time) => time !== '0s')"
    )
    assert durations == []
    page.get_by_label("Speed").select_option("fastest")
    page.keyboard.press("Space")
    until(page, "minigradPlayer.time === minigradPlayer.last")
    assert gradients(page) == FACTS


def test_a_drawing_can_be_made_larger_and_moved(visit):
    page = opened(visit, one())
    width = "document.querySelector('.window svg').getBoundingClientRect().width"
    before = page.evaluate(width)
    for _ in range(4):
        page.get_by_role("button", name="Larger").click()
    assert page.evaluate(width) > 2 * before
    page.evaluate("minigradPlayer.time = 4")  # L has its data, and must be in sight
    inside = page.evaluate(
        "(() => { const w = document.querySelector('.window').getBoundingClientRect();"
        " const n = document.querySelector('.window .node.now').getBoundingClientRect();"
        " return n.left >= w.left - 1 && n.right <= w.right + 1; })()"
    )
    assert inside
    page.get_by_role("button", name="Fit the window").click()
    assert page.evaluate(width) <= page.evaluate("document.querySelector('.window').clientWidth")
