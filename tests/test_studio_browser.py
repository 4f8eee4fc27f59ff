"""The studio in a real browser: what one types, drags, breaks and shares, and what the page says to it."""

import json
import re
from base64 import urlsafe_b64encode

import pytest

from browser import axe
from studio_server import studio

SECOND = "a = 2; b = 3; c = 4\nab = a*b\ne = ab + c\nf = a - c\nL = e*f"
FIRST = "a = 2\nb = -3\nc = a*b\nd = a + b\ne = c + d"
RIGHT = {"a": "4", "b": "-4", "c": "-12"}


def link_to(state):
    """The fragment of a link that holds a state."""
    return "#" + urlsafe_b64encode(json.dumps(state).encode()).decode().rstrip("=")


ELSEWHERE = link_to({"text": "z = 5\ny = z*z*z"})  # so that what a test writes is news


@pytest.fixture(scope="module")
def server():
    with studio() as running:
        yield running


class Desk:
    """The page as a person uses it."""

    def __init__(self, visit, server, fragment=ELSEWHERE, **options):
        self.visit, self.server = visit, server
        self.page = visit(server.link + fragment, **options)
        self.page.wait_for_selector(".player")

    def write(self, text):
        self.page.fill("#statements", text)

    def gradients(self):
        """The gradients beside the sliders."""
        rows = self.page.locator(".input").all()
        return {row.locator(".name").inner_text(): row.locator(".grad").inner_text() for row in rows}

    def told(self, column=0):
        """The gradients in the player's table; the second column is that of the broken pass."""
        rows = self.page.locator("table.gradients tbody tr").all()
        return {
            row.locator("th").inner_text(): row.locator("td.grad").nth(column).inner_text() for row in rows
        }

    def broken(self):
        """The gradients in the lab's table."""
        cells = self.page.locator("[data-got]").all()
        return tuple(cell.inner_text() for cell in cells)

    def until(self, condition, *arguments):
        self.page.wait_for_function(condition, arg=arguments[0] if arguments else None, timeout=15_000)

    def until_gradients(self, expected):
        self.until(
            "expected => [...document.querySelectorAll('.input')].map(row => `${row.querySelector('.name')"
            ".textContent}=${row.querySelector('.grad')?.textContent}`).join() === expected",
            ",".join(f"{name}={grad}" for name, grad in expected.items()),
        )

    def turn_to(self, *keys):
        """Move along the timeline with these keys."""
        self.page.focus("#player .time")
        for key in keys:
            self.page.keyboard.press(key)

    def pick(self, slug):
        self.page.click("#tab-break")
        self.page.fill(".picker input", slug)
        self.page.click(f'[data-fault="{slug}"]')
        self.page.wait_for_selector("[data-got]")


@pytest.fixture
def desk(visit, server):
    return Desk(visit, server)


# ---- what one sees ------------------------------------------------------------------------------


def test_the_second_graph_played_to_its_end_gives_4_minus_4_and_minus_12(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    desk.turn_to("Home")
    assert set(desk.told().values()) != {"4", "-4", "-12"}, "at the start there are no gradients yet"
    desk.turn_to("End")
    assert desk.told() == RIGHT
    assert desk.gradients() == RIGHT


def test_a_name_without_a_number_becomes_a_slider(desk):
    desk.write("x*y + x")
    desk.until_gradients({"x": "2", "y": "1"})


def test_overwrite_gives_minus_6_minus_4_minus_2_in_its_order(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    desk.pick("overwrite")
    assert desk.broken() == ("-6", "-4", "-2")
    assert re.findall(r"\w+", desk.page.locator(".route code").all_inner_texts().__str__()) == [
        "L",
        "f",
        "e",
        "ab",
    ]
    desk.until("() => document.querySelectorAll('table.gradients thead th').length > 3")
    assert list(desk.told(0).values()) == ["4", "-4", "-12"]
    assert [re.sub(r"[^-\d]", "", text) for text in desk.told(1).values()] == ["-6", "-4", "-2"]


def test_the_order_scrubber_shows_every_result_of_the_valid_orders(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    desk.pick("overwrite")
    page = desk.page
    page.focus("#order")
    found = {desk.broken()}
    for _ in range(int(page.get_attribute("#order", "max"))):
        page.keyboard.press("ArrowRight")
        found.add(desk.broken())
    assert found == {("-6", "-4", "-2"), ("10", "-4", "-10"), ("-6", "-4", "-10")}
    last = desk.broken()
    desk.until(  # and the player walks that order too
        "last => [...document.querySelectorAll('table.gradients td.grad:nth-of-type(3)')]"
        ".map(cell => cell.textContent.replace(/[^-\\d]/g, '')).join() === last",
        ",".join(last),
    )


def test_a_fault_that_finds_nothing_to_break_says_so_and_offers_a_graph_of_its_own(desk):
    desk.write("x = 3\ny = x + 1")
    desk.until_gradients({"x": "1"})
    page = desk.page
    page.fill(".picker input", "relu")
    idle = page.locator(".faults .idle [data-fault]").first
    idle.click()
    page.wait_for_selector(".lab.idle")
    assert desk.gradients() == {"x": "1"}
    page.click(".lab .main")
    page.wait_for_selector("[data-got]")
    assert page.input_value("#statements") != "x = 3\ny = x + 1"


def test_the_court_confirms_the_right_gradients_and_convicts_the_broken_ones(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    page = desk.page
    page.click("#tab-check")
    page.click("#panel-check .main")
    page.wait_for_selector(".verdict .word.right")
    assert "dL/da" in page.inner_text(".witnesses thead")
    desk.pick("overwrite")
    page.click("#tab-check")
    page.check("#court-broken")
    page.click("#panel-check .main")
    page.wait_for_selector(".verdict .word.wrong")


def test_the_diagnosis_finds_the_lost_branch_of_the_first_graph(desk):
    desk.write(FIRST)
    desk.until_gradients({"a": "-2", "b": "3"})
    page = desk.page
    page.click("#tab-diagnose")
    page.fill("#observed-a", "1")
    page.fill("#observed-b", "1")
    page.keyboard.press("Enter")
    page.wait_for_selector(".findings h3")
    assert "overwrite" in page.inner_text(".findings")
    page.click(".findings .main")
    page.wait_for_selector("[data-got]")
    assert desk.broken() == ("1", "1"), "the cause is shown in the order that gives these numbers"


def test_the_numbers_of_a_broken_pass_go_to_the_diagnosis_at_one_press(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    desk.pick("overwrite")
    desk.page.click(".lab .further button")
    assert [desk.page.input_value(f"#observed-{name}") for name in "abc"] == ["-6", "-4", "-2"]


# ---- writing --------------------------------------------------------------------------------------


def test_an_error_is_underlined_where_it_is_and_the_last_picture_stays(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    desk.write("a = 2\nL = a ^ 3")
    page = desk.page
    page.wait_for_selector(".mistake")
    assert page.inner_text(".mistake") == "^"
    assert "**" in page.inner_text("#remark")
    assert page.get_attribute("#statements", "aria-invalid") == "true"
    assert page.is_visible("#stale")
    assert desk.gradients() == RIGHT
    desk.write("a = 2\nL = a ** 3")
    desk.until_gradients({"a": "12"})
    assert page.is_hidden("#stale")
    assert page.locator(".mistake").count() == 0


def test_the_place_of_an_error_behind_wide_characters_is_right(desk):
    desk.write("a = 2 # \U0001f600\U0001f600\nL = a $ 3")
    desk.page.wait_for_selector(".mistake")
    assert desk.page.inner_text(".mistake") == "$"


def test_the_statement_that_is_played_is_highlighted(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    page = desk.page
    desk.turn_to("Home")
    for statement in ("ab = a*b", "e = ab + c", "f = a - c", "L = e*f"):
        desk.turn_to("ArrowRight")
        assert "".join(page.locator(".playing").all_inner_texts()) == statement


def test_dragging_a_slider_shows_the_gradients_of_its_values(desk):
    desk.write("x = 2\ny = x*x*x")
    desk.until_gradients({"x": "12"})
    page = desk.page
    box = page.locator(".input input[type=range]").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    for part in (0.6, 0.7, 0.9):
        page.mouse.move(box["x"] + part * box["width"], middle)
    page.mouse.up()
    desk.until("() => document.querySelector('.input .grad').textContent !== '12'")
    value = float(page.input_value(".input .field"))
    assert value > 2
    desk.until(
        "slope => Math.abs(document.querySelector('.input .grad').textContent - slope) < 1e-3 * slope",
        3 * value * value,
    )
    page.dblclick(".input input[type=range]", position={"x": 3, "y": 5})
    desk.until_gradients({"x": "12"})


def test_a_value_beyond_the_slider_widens_it(desk):
    desk.write("x = 2\ny = x*x")
    desk.until_gradients({"x": "4"})
    page = desk.page
    page.fill(".input .field", "500")
    desk.until_gradients({"x": "1000"})
    assert float(page.get_attribute(".input input[type=range]", "max")) >= 500
    page.fill(".input .field", "1/4")
    desk.until_gradients({"x": "0.5"})
    page.fill(".input .field", "no number")
    assert page.get_attribute(".input .field", "aria-invalid") == "true"
    page.click(".input .undo")
    desk.until_gradients({"x": "4"})


def test_a_number_that_is_typed_into_the_text_replaces_that_of_the_slider(desk):
    desk.write("x = 2\ny = x*x")
    desk.until_gradients({"x": "4"})
    desk.page.fill(".input .field", "3")
    desk.until_gradients({"x": "6"})
    desk.write("x = 5\ny = x*x")
    desk.until_gradients({"x": "10"})


def test_names_that_every_object_has_are_names_like_others(desk):
    desk.write("constructor = 2\n__proto__ = 3\ntoString = constructor*__proto__")
    desk.until_gradients({"constructor": "3", "__proto__": "2"})
    desk.page.locator(".input .field").nth(1).fill("5")
    desk.until_gradients({"constructor": "5", "__proto__": "2"})
    desk.until("() => stateIn(location.hash)?.inputs['__proto__'] === 5")
    desk.page.reload()
    desk.until_gradients({"constructor": "5", "__proto__": "2"})


def test_two_thousand_nodes_are_usable(desk):
    lines = ["x0 = 0.5", "w = 1.001"] + [f"x{i + 1} = tanh(x{i} * w)" for i in range(1000)]
    page = desk.page
    page.fill("#statements", "\n".join(lines))
    desk.until("() => document.querySelectorAll('.input').length === 2")
    assert page.inner_text("#remark") == ""
    desk.turn_to("Home", "End")
    assert set(desk.told()) == {"x0", "w"}


# ---- the link, and what survives --------------------------------------------------------------------


def test_a_group_of_a_large_graph_is_drawn_when_it_is_opened(desk):
    page = desk.page
    desk.write(
        "x = 0.5\n" + "\n".join(f"h{i} = tanh({f'h{i - 1}' if i else 'x'}*x + {i})" for i in range(30))
    )
    group = page.locator("#player .window .group[role=button]").first
    group.wait_for()
    whole = page.locator("#player .window .group").count()
    group.click()
    page.wait_for_selector("#player .crumbs [aria-current]")
    assert "data" in page.locator("#player .window .node[data-node] text.data").first.text_content()
    page.keyboard.press("Escape")
    desk.until("count => document.querySelectorAll('#player .window .group').length === count", whole)
    page.keyboard.press("Enter")  # the focus is on the group that was left
    page.wait_for_selector("#player .crumbs [aria-current]")
    page.fill("#statements", "x = ")  # the picture stays that of the last text, and so do its groups
    page.wait_for_selector("#stale")
    page.click("#player .crumb >> nth=0")
    page.locator("#player .window .group[role=button]").last.click()
    page.wait_for_selector("#player .window [data-node] text.data")


def test_a_group_of_a_broken_pass_is_drawn_for_both_passes(desk):
    page = desk.page
    desk.write(
        "x = 0.5\n" + "\n".join(f"h{i} = tanh({f'h{i - 1}' if i else 'x'}*x + {i})" for i in range(30))
    )
    page.locator("#player .window .group[role=button]").first.wait_for()
    desk.pick("overwrite")
    desk.until("() => document.querySelectorAll('#player .pane').length === 2")
    page.locator("#player .pane").nth(1).locator(".group[role=button]").first.click()
    desk.until(
        "() => [...document.querySelectorAll('#player .pane')]"
        ".every(pane => pane.querySelector('[data-node] text.data'))"
    )
    assert page.locator("#player .pane").nth(1).locator("tspan.wrong").count() > 0


def test_long_names_and_long_variants_fit_the_page(visit, server):
    names = (
        "first_of_two_names_that_are_longer_than_need_be",
        "second_of_two_names_that_nobody_wants_to_read",
    )
    product = "product_of_the_two_names_that_stand_above_it"
    text = f"{names[0]} = 2\n{names[1]} = 3\n{product} = {names[0]}*{names[1]}\nL = {product} + {names[0]}"
    variant = f"{product} > {names[1]}"
    desk = Desk(visit, server, link_to({"text": text, "fault": "branch-dropped"}), width=390)
    page = desk.page
    page.wait_for_selector("[data-got]")
    page.select_option("#variant", variant)
    desk.until("name => document.querySelector('.lab .called').textContent.includes(name)", variant)
    assert desk.broken() == ("4", "0")  # 3 by the product and 1 by the sum; the branch of the second is gone
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate(
        "() => document.querySelector('.desk').scrollWidth <= document.querySelector('.desk').clientWidth"
    )


def test_who_is_asked_for_a_gradient_does_not_read_it_beside_the_sliders(desk):
    page = desk.page
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    page.get_by_role("button", name="Predict first").click()
    assert not page.locator(".input .grad").first.is_visible()
    page.get_by_role("button", name="Predict first").click()
    assert page.locator(".input .grad").first.is_visible()


def test_right_and_broken_are_seen_whole_beside_the_statements(desk):
    page = desk.page
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    desk.pick("overwrite")
    desk.until("() => document.querySelectorAll('#player .pane').length === 2")
    desk.until(
        "() => [...document.querySelectorAll('#player .window')].every((window) =>"
        " window.children[0].getBoundingClientRect().width <= window.clientWidth + 1"
        " && window.children[0].getBoundingClientRect().height <= window.clientHeight + 1)"
    )
    table = page.locator(".table-window")
    assert table.evaluate("window => window.scrollWidth <= window.clientWidth"), (
        "nothing of the table is hidden"
    )


def test_a_question_is_replaced_by_a_newer_one_of_its_purpose_only(desk):
    asked = """() => {
      const pages = [], kept = window.fetch;
      window.fetch = (path, how) => {
        pages.push(JSON.parse(how.body).page);
        return Promise.resolve(new Response('{"ok": true}'));
      };
      const wire = new Wire(() => {});
      for (const group of ["1", "2"]) wire.ask(`group ${group}`, "/api/group", { group }, () => {});
      window.fetch = kept;
      return pages;
    }"""
    first, second = desk.page.evaluate(asked)  # two groups that are opened at once are both drawn
    assert first != second


def test_a_link_holds_the_whole_state(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    desk.pick("overwrite")
    page = desk.page
    page.focus("#order")
    page.keyboard.press("ArrowRight")
    numbers = desk.broken()
    page.fill(".input:nth-child(1) .field", "2")
    page.click("#languages [value=es]")
    page.locator("#player [role=tab]").nth(2).click()
    desk.turn_to("Home", "ArrowRight")
    desk.until("() => stateIn(location.hash)?.t === 1 && stateIn(location.hash)?.lang === 'es'")
    state = page.evaluate("() => stateIn(location.hash)")
    fragment = page.evaluate("() => location.hash")
    other = Desk(desk.visit, desk.server, fragment)
    other.page.wait_for_selector("[data-got]")
    assert other.broken() == numbers
    assert other.page.input_value("#statements") == SECOND
    assert other.page.get_attribute("html", "lang") == "es"
    other.until("() => stateIn(location.hash)?.t === 1")
    assert other.page.evaluate("() => stateIn(location.hash)") == state
    assert (state["fault"], state["order"], state["view"]) == ("overwrite", 1, "waterfall")


def test_the_state_survives_a_reload_and_a_visit_without_the_link(desk):
    desk.write("q = 7\nr = q*q")
    desk.until_gradients({"q": "14"})
    desk.until("() => stateIn(location.hash)?.text.startsWith('q')")
    desk.page.reload()
    desk.until_gradients({"q": "14"})
    desk.page.goto(desk.server.link)
    desk.until_gradients({"q": "14"})


def test_the_back_button_goes_back_to_the_statements_before(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    desk.page.select_option("#examples", "twice")
    desk.until_gradients({"a": "2"})
    desk.until("() => stateIn(location.hash)?.text.includes('a + a')")
    desk.page.go_back()
    desk.until_gradients(RIGHT)
    assert desk.page.input_value("#statements") == SECOND


@pytest.mark.parametrize(
    "claimed",
    [
        [],
        None,
        {"text": 3},
        {"text": "a = 2", "inputs": {"a": "<img src=x onerror=alert(1)>"}, "t": -5},
        {"text": "x = 1", "fault": "<script>alert(1)</script>", "variant": {"a": 1}, "view": "nowhere"},
        {"text": "x = 1", "fault": "overwrite", "variant": "nothing", "order": 1e9},
        {"text": "x = 1", "tool": "__proto__", "lang": "xx", "node": 99, "inputs": {"__proto__": 3}},
        {"text": "x = 1", "inputs": {"x": 1e400, "constructor": "nan"}, "order": -1, "predict": "yes"},
    ],
)
def test_whatever_stands_in_a_link_the_page_works(visit, server, claimed):
    desk = Desk(visit, server, link_to(claimed))
    desk.write("x = 3\ny = x*x")
    desk.until_gradients({"x": "6"})
    assert desk.page.locator("img, script:not([src])").count() == 0


def test_a_server_that_is_away_is_said_and_asked_again_until_it_is_back(visit):
    with studio() as running:
        desk = Desk(visit, running)
        desk.write("x = 3\ny = x*x")
        desk.until_gradients({"x": "6"})
        port = running.port
    desk.write("x = 4\ny = x*x")
    desk.page.wait_for_selector("#banner:not([hidden])")
    with studio("--port", str(port)):
        desk.until_gradients({"x": "8"})
        assert desk.page.is_hidden("#banner")
        assert all("Failed to load resource" in complaint for complaint in visit.complaints)
        visit.forgive()


def test_exports_are_files_of_their_kind(desk):
    desk.write(SECOND)
    desk.until_gradients(RIGHT)
    desk.page.click("#tab-export")
    starts = {
        "svg": b"<svg",
        "png": b"\x89PNG",
        "html": b"<!doctype html>",
        "md": b"#",
        "tex": b"\\documentclass",
        "json": b"{",
    }
    for kind, start in starts.items():
        with desk.page.expect_download() as download:
            desk.page.click(f"[data-format={kind}]")
        path = download.value.path()
        assert download.value.suggested_filename.endswith(f".{kind}")
        assert start in path.read_bytes()[:100], kind
        if kind == "json":
            json.loads(path.read_text())


# ---- for everybody ----------------------------------------------------------------------------------


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
    page.keyboard.press("ArrowDown")
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
