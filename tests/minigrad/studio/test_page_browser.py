"""The studio in a real browser: what one types, drags and breaks, and what the page says to it."""

import re

from studio_page import FIRST, RIGHT, SECOND, Desk, link_to

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


# ---- large graphs, long names, two passes ----------------------------------------------------------


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
      const server = new ServerConnection(() => {});
      for (const group of ["1", "2"]) server.ask(`group ${group}`, "/api/group", { group }, () => {});
      window.fetch = kept;
      return pages;
    }"""
    first, second = desk.page.evaluate(asked)  # two groups that are opened at once are both drawn
    assert first != second
