"""Parts of the player one by one, on an empty page: limits, boundaries and what stands in the tables."""

from __future__ import annotations

from typing import Any

import pytest

from browser import until
from minigrad import parse, trace
from minigrad.graph.trace import Flow
from minigrad.player.document import TitledTrace, document
from minigrad.text.translation import speaking
from player_pages import large, one, opened, two
from script_runner import workbench

READ = """const read = (doc) => {
    const told = doc.traces[0], story = storyOf(told.trace);
    const at = (name) => story.nodes.findIndex((node) => node.name === name);
    return { told, story, at };
};
const text = (row) => row.textContent.replace(/\\u2212/g, "-");
const rows = (sum) => [...sum.querySelectorAll("mtr")].map(text);"""


def told(text: str) -> Any:
    with speaking("en"):
        return document([TitledTrace("right", ("right", "correcto"), trace(parse(text)))])


# ---- the sum as a formula -----------------------------------------------------------------------


@pytest.mark.parametrize("count", [6, 7])
def test_of_more_than_six_terms_the_first_five_and_the_last_are_written(visit, count):
    text = "x = 1\nL = " + " + ".join(f"{n}*x" for n in range(1, count + 1))
    found = trace(parse(text))
    x = found.graph.names.index("x")
    amounts = [f"{event.amount:g}" for event in found.events if isinstance(event, Flow) and event.target == x]
    assert sorted(amounts) == [str(n) for n in range(1, count + 1)]
    shown = amounts if count == 6 else [*amounts[:5], "…", amounts[-1]]
    program = f"""(doc) => {{
        {READ}
        const {{ told, story, at }} = read(doc);
        return rows(sumOf(told, story, frameOf(story, Infinity), at("x")));
    }}"""
    found_rows = workbench(visit).evaluate(program, told(text))
    assert found_rows[-1] == f"={count * (count + 1) // 2}"
    assert found_rows[-2] == "=" + "+".join(shown)
    assert found_rows[-3] == "=" + "+".join(each if each == "…" else f"{each}·1" for each in shown)
    assert found_rows[0].count("∂") == 2 * (len(shown) - (count == 7))  # above and below each fraction


def test_the_output_has_its_seed_from_the_moment_at_which_it_is_given(visit):
    program = f"""(doc) => {{
        {READ}
        const {{ told, story, at }} = read(doc);
        const frames = [-1, 0, 1].map((by) => frameOf(story, story.backward + by));
        return frames.map((frame) => rows(sumOf(told, story, frame, at("L")))[0]);
    }}"""
    found = workbench(visit).evaluate(program, told("a = 2\nb = a*a\nL = b*a"))
    assert [row.rpartition("=")[2] for row in found] == ["…", "1", "1"]


def test_one_contribution_of_several_that_is_not_local_times_upstream_makes_the_sum_unequal(visit):
    program = f"""(doc) => {{
        {READ}
        const {{ told, story, at }} = read(doc);
        const flows = story.events.filter((event) => event.kind === "flow" && event.target === at("a"));
        const relations = () => [...sumOf(told, story, frameOf(story, Infinity), at("a"))
            .querySelectorAll("mtd:nth-child(2) mo")].map((mo) => [mo.textContent, mo.getAttribute("class")]);
        const before = relations();
        flows[0].amount += 5;
        return [flows.length, before.at(-2), relations().at(-2)];
    }}"""
    found = workbench(visit).evaluate(program, told("a = 2\nb = 3\nL = a*b + a"))
    assert found == [2, ["=", None], ["≠", "wrong"]]


def test_a_name_of_several_letters_is_written_as_one(visit):
    program = "() => ['a', 'ab'].map((name) => symbol(name).getAttribute('class'))"
    assert workbench(visit).evaluate(program) == ["name", "name long"]


def test_a_node_without_a_gradient_has_no_sum(visit):
    program = f"""(doc) => {{
        {READ}
        const {{ told, story, at }} = read(doc);
        story.arrivals[at("a")] = [];
        return sumOf(told, story, frameOf(story, Infinity), at("a")) === null;
    }}"""
    assert workbench(visit).evaluate(program, told("a = 2\nL = a*a"))


# ---- the table of gradients ---------------------------------------------------------------------


def test_a_table_has_two_hundred_rows_and_says_that_there_are_more(visit):
    program = """(count) => {
        const nodes = Array.from({ length: count }, (_, i) => ({ name: `x${i}`, op: "input", args: [] }));
        const told = { key: "right", names: nodes.map((node) => node.name), title: ["right", "correcto"] };
        const table = new Gradients(new Words({}, "en"), () => {}, () => {});
        table.load([{ told, story: { nodes } }]);
        return [table.rows.length, table.more.hidden, table.toggle.hidden];
    }"""
    page = workbench(visit)
    assert [page.evaluate(program, count) for count in (199, 200, 201)] == [
        [199, True, True],
        [200, True, True],
        [200, False, True],
    ]


def test_a_name_of_more_than_ten_letters_is_there_in_full_on_request(visit):
    program = """(names) => {
        const nodes = names.map((name) => ({ name, op: "input", args: [] }));
        const table = new Gradients(new Words({}, "en"), () => {}, () => {});
        table.load([{ told: { key: "right", names, title: ["", ""] }, story: { nodes } }]);
        return table.rows.map((row) => row.element.querySelector("button").title);
    }"""
    names = ["abcdefghij", "abcdefghijk"]
    assert workbench(visit).evaluate(program, names) == ["", "abcdefghijk"]


def test_a_gradient_is_pale_until_something_arrives_and_explained_once_all_has_arrived(visit):
    page = opened(visit, one())
    a = page.evaluate("minigradPlayer.panes[0].places.get('a')")
    first, last = page.evaluate(f"minigradPlayer.panes[0].story.arrivals[{a}]")
    row = page.locator(".gradients tbody tr").filter(has=page.locator("th", has_text="a")).first
    seen = []
    for time in (first - 1, first, last - 1, last):
        page.evaluate(f"minigradPlayer.time = {time}")
        classes = row.locator("td.grad").get_attribute("class").split()
        seen.append(("later" in classes, bool(row.locator("td.meaning").inner_text())))
    assert seen == [(True, False), (False, False), (False, False), (False, True)]


# ---- the panel of a node ------------------------------------------------------------------------


def test_a_sum_has_a_title_only_beside_another(visit):
    page = opened(visit, one())
    page.evaluate("minigradPlayer.chosen = minigradPlayer.panes[0].places.get('a')")
    assert page.locator(".sum").count() == 1
    assert page.locator(".sum h4").count() == 0
    page = opened(visit, two())
    page.evaluate("minigradPlayer.chosen = minigradPlayer.panes[0].places.get('a')")
    assert page.locator(".sum h4").all_inner_texts() == ["right", "overwrite"]


def test_a_formula_that_is_wider_than_its_place_can_be_scrolled_with_keys(visit):
    page = opened(visit, one())
    program = """(more) => {
        minigradPlayer.chosen = minigradPlayer.panes[0].places.get("a");
        const [{ place }] = minigradPlayer.nodePanel.parts;
        Object.defineProperty(place, "scrollWidth", { value: place.clientWidth + more });
        minigradPlayer.show();
        return place.getAttribute("tabindex");
    }"""
    assert [page.evaluate(program, more) for more in (0, 1, 2)] == [None, None, "0"]


# ---- two drawings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("room", "width", "height", "stacked"),
    [
        (735, 10, 10, True),  # too narrow for two
        (736, 10, 10, False),
        (1216, 1000, 10, False),  # (1216 - 16) / 2 / 1000 = 0.6 side by side: large enough
        (1216, 1001, 10, True),
        (1216, 1000, 700, False),  # 0.42 * 800 / 700 = 0.48 side by side, 0.28 * 800 / 700 = 0.32 below
        (1216, 1200, 400, True),  # 0.5 side by side, 0.28 * 800 / 400 = 0.56 below: more than 1.1 times
        (1216, 1200, 410, False),  # 0.546 below
        (772, 891, 480, False),  # 0.424... side by side, 0.466... below, which is 1.1 times as much
    ],
)
def test_two_drawings_stand_one_below_the_other_where_that_is_larger(visit, room, width, height, stacked):
    program = """([room, width, height]) => {
        const frame = Object.create(PageFrame.prototype);
        frame.root = document.createElement("div");
        Object.defineProperty(frame.root, "clientWidth", { value: room });
        frame.arrange([{ width: 5, height: 5 }, { width, height }]);
        return frame.root.classList.contains("stacked");
    }"""
    assert workbench(visit, height=800).evaluate(program, [room, width, height]) is stacked


# ---- bars and ranges ----------------------------------------------------------------------------


def test_a_bar_is_as_long_as_its_gradient_and_never_longer_than_full_nor_invisible(visit):
    program = "(grads) => grads.map((grad) => Number(barScale(grad, 10)))"
    found = workbench(visit).evaluate(program, [None, 0, 5, -5, 20, -20, 0.05, -0.05, 0.2])
    assert found == [0, 0, 0.5, -0.5, 1, -1, 0.01, -0.01, 0.02]


DRAWING = """
    const story = { nodes: [{}, {}], arrivals: [[3, 5], []], backward: 3 };
    const markup = (inside) => `<svg xmlns="${SVG}">${inside}</svg>`;
    const picture = (inside) => new Picture(markup(inside), new Words({}, "en"), { story });
    const seed = { step: { kind: "seed", node: 1 }, flow: null, data: [1, 1], grad: [1, 1] };
    const frame = (time) => ({ time, ...seed });
    const marks = { path: null, edges: null, chosen: null, wrong: () => false };
"""


def test_a_total_is_drawn_once_its_last_contribution_has_been_seen(visit):
    program = (
        "() => {"
        + DRAWING
        + """
        const drawn = picture('<g data-sum="0"/>');
        return [4, 5, 6].map((time) => {
            drawn.show(frame(time), marks);
            return drawn.sums[0].element.classList.contains("unsent");
        });
    }"""
    )
    assert workbench(visit).evaluate(program) == [True, True, False]


def test_a_node_that_is_drawn_twice_is_found_where_it_stands_first(visit):
    program = (
        "() => {"
        + DRAWING
        + """
        const drawn = picture('<g data-node="1" id="first"/><g data-node="1" id="second"/>');
        return [drawn.elementOf(1).id, drawn.elementOf(0)];
    }"""
    )
    assert workbench(visit).evaluate(program) == ["first", None]


# ---- the window on a drawing --------------------------------------------------------------------

WINDOW = """
    const view = new Viewport(new Words({}, "en"));
    document.body.style.margin = "20px 30px";
    document.body.replaceChildren(view.element);
    const hold = (room, drawing) => {
        const [width, height] = room;
        view.window.style.cssText = "overflow: auto; scrollbar-width: none";
        Object.assign(view.window.style, { width: `${width}px`, height: `${height}px` });
        const box = `viewBox="0 0 ${drawing[0]} ${drawing[1]}"`;
        const svg = svgFrom(`<svg xmlns="${SVG}" ${box}><rect width="10" height="10"/></svg>`);
        svg.style.display = "block";
        view.hold(svg);
        return svg;
    };
"""


@pytest.mark.parametrize(
    ("room", "drawing", "scale"),
    [
        ((400, 300), (100, 100), 1.25),  # it would fit three times, and is not blown up that far
        ((400, 300), (800, 100), 0.5),
        ((400, 300), (801, 100), 0.72),  # too small to be read: larger, and moved about
        ((400, 240), (100, 480), 0.5),
        ((400, 120), (500, 480), 0.8),  # a window without a height of its own: the width decides
        ((400, 121), (500, 220), 0.55),
    ],
)
def test_a_drawing_is_as_large_as_fits_and_can_be_read(visit, room, drawing, scale):
    program = "([room, drawing]) => {" + WINDOW + "hold(room, drawing); return view.scale(); }"
    assert workbench(visit).evaluate(program, [room, drawing]) == pytest.approx(scale)


def test_a_window_is_movable_where_its_drawing_is_larger(visit):
    program = (
        "([room, drawing, zoom]) => {"
        + WINDOW
        + """
        hold(room, drawing);
        view.set(zoom);
        return [view.window.classList.contains("movable"), view.window.getAttribute("tabindex")];
    }"""
    )
    page = workbench(visit)
    still, moving = [False, None], [True, "0"]
    assert page.evaluate(program, [(400, 300), (100, 100), "auto"]) == still
    assert page.evaluate(program, [(400, 300), (100, 100), 3]) == still
    assert page.evaluate(program, [(400, 300), (100, 101), 3]) == moving
    assert page.evaluate(program, [(400, 300), (801, 200), "auto"]) == moving
    assert page.evaluate(program, [(400, 300), (400, 310), 0.5]) == still


def test_a_drawing_comes_nearer_by_a_quarter_up_to_four_times(visit):
    program = (
        "() => {"
        + WINDOW
        + """
        hold([400, 300], [400, 300]);
        const [farther, closer, fit] = view.tools.children;
        const seen = [];
        for (const button of [closer, closer, fit, farther]) { button.click(); seen.push(view.scale()); }
        for (const zoom of [0.01, 0.1, 3.5, 9]) { view.set(zoom); seen.push(view.scale()); }
        return seen;
    }"""
    )
    found = workbench(visit).evaluate(program)
    assert found == pytest.approx([1.25, 1.5625, 1, 0.8, 0.05, 0.1, 3.5, 4])


def test_a_key_zooms_as_the_button_does(visit):
    page = opened(visit, one())
    scale = "minigradPlayer.panes[0].viewport.scale()"
    before = page.evaluate(scale)
    page.keyboard.press("+")
    assert page.evaluate(scale) == pytest.approx(before * 1.25)
    page.keyboard.press("-")
    assert page.evaluate(scale) == pytest.approx(before)


def test_what_is_looked_at_stays_where_it_is_when_it_comes_nearer(visit):
    program = (
        "() => {"
        + WINDOW
        + """
        hold([400, 300], [800, 600]);
        view.set(1);
        view.window.scrollTo(100, 50);
        view.by(2, { x: 40, y: 30 });
        return [view.window.scrollLeft, view.window.scrollTop];
    }"""
    )
    assert workbench(visit).evaluate(program) == [(100 + 40) * 2 - 40, (50 + 30) * 2 - 30]


@pytest.mark.parametrize(
    ("kind", "button", "moved"), [("mouse", 0, [75, 35]), ("mouse", 2, [50, 50]), ("touch", 0, [50, 50])]
)
def test_a_mouse_drags_a_drawing_with_its_first_button(visit, kind, button, moved):
    """From 100, 100 to 75, 115: 25 further to the right, 15 further up."""
    program = (
        "([kind, button]) => {"
        + WINDOW
        + """
        hold([400, 300], [800, 600]);
        view.set(1);
        view.window.scrollTo(50, 50);
        const event = (name, clientX, clientY) =>
            new PointerEvent(name, { pointerType: kind, button, clientX, clientY, bubbles: true });
        view.window.dispatchEvent(event("pointerdown", 100, 100));
        window.dispatchEvent(event("pointermove", 75, 115));
        window.dispatchEvent(event("pointerup", 75, 115));
        window.dispatchEvent(event("pointermove", 10, 10));
        return [view.window.scrollLeft, view.window.scrollTop];
    }"""
    )
    assert workbench(visit).evaluate(program, [kind, button]) == moved


@pytest.mark.parametrize(
    ("x", "y", "moved"),
    [
        (100, 50, [100, 50]),  # exactly in the corner: in sight
        (490, 340, [100, 50]),  # in the other corner
        (99, 100, [0, 50]),  # half out: to the middle, 99 + 5 - 400 / 2
        (600, 100, [405, 50]),  # 600 + 5 - 200
        (200, 49, [100, 0]),  # 49 + 5 - 150 is above the top
        (200, 500, [100, 355]),  # 500 + 5 - 150
        (500, 400, [305, 255]),
    ],
)
def test_what_is_active_is_brought_into_sight_and_what_is_there_is_left(visit, x, y, moved):
    program = (
        "([x, y]) => {"
        + WINDOW
        + """
        const svg = hold([400, 300], [1200, 900]);
        view.set(1);
        view.window.scrollTo(100, 50);
        const part = svg.querySelector("rect");
        part.setAttribute("x", x);
        part.setAttribute("y", y);
        view.follow(part);
        return [view.window.scrollLeft, view.window.scrollTop];
    }"""
    )
    assert workbench(visit).evaluate(program, [x, y]) == moved


# ---- the source ---------------------------------------------------------------------------------

SOURCE = """
    const chosen = [];
    const source = new Source(new Words({}, "en"), (node) => chosen.push(node));
    document.body.replaceChildren(source.element);
    source.window.style.cssText = "position: relative; height: 60px; overflow: auto; margin: 0";
    source.window.style.font = "10px/20px monospace";
    const lines = (count) => {
        const all = Array.from({ length: count }, (_, i) => i);
        const text = all.map((i) => `x${String(i).padStart(3, "0")} = 1\\n`).join("");
        source.load({ text, places: all.map((i) => [9 * i, 9 * i + 8]) });
    };
    const lit = () => source.lit.map((element) => element.textContent);
"""


def test_the_statement_of_a_node_is_highlighted_and_a_click_on_it_chooses_it(visit):
    program = (
        "() => {"
        + SOURCE
        + """
        lines(4);
        source.show(2);
        const seen = lit();
        source.lit[0].click();
        source.show(null);
        return [seen, chosen, lit(), source.element.hidden];
    }"""
    )
    assert workbench(visit).evaluate(program) == [["x002 = 1"], [2], [], False]


def test_a_source_without_a_text_is_not_there(visit):
    program = "() => {" + SOURCE + "source.load({ text: '', places: [] }); return source.element.hidden; }"
    assert workbench(visit).evaluate(program)


def test_of_a_long_source_the_surroundings_are_on_the_page(visit):
    """Each statement is two pieces, with the end of its line; a hundred pieces on either side are shown."""
    program = (
        "() => {"
        + SOURCE
        + """
        lines(300);
        const seen = [];
        for (const node of [0, 50, 51, 200, 150]) {
            source.show(node);
            const { firstChild, lastChild } = source.code;
            seen.push([source.shown, firstChild.nodeName, lastChild.nodeName, lit()[0]]);
        }
        return seen;
    }"""
    )
    assert workbench(visit).evaluate(program) == [
        [[0, 100], "SPAN", "#text", "x000 = 1"],
        [[0, 201], "SPAN", "#text", "x050 = 1"],  # pieces 100 and 101 were not all there
        [[0, 201], "SPAN", "#text", "x051 = 1"],
        [[300, 501], "#text", "#text", "x200 = 1"],
        [[300, 501], "#text", "#text", "x150 = 1"],  # the first of those that are there
    ]


def test_a_highlighted_statement_that_is_in_sight_is_not_moved(visit):
    program = (
        "() => {"
        + SOURCE
        + """
        lines(40);
        const seen = [];
        for (const node of [0, 2, 3, 2, 1, 30]) { source.show(node); seen.push(source.window.scrollTop); }
        source.window.scrollTop = source.lit[0].offsetTop;
        const top = source.window.scrollTop;
        source.show(30);
        return [seen, source.window.scrollTop === top, source.window.getAttribute("tabindex")];
    }"""
    )
    seen, kept, stop = workbench(visit).evaluate(program)
    assert seen[0] == seen[1] == 0  # three lines fit
    assert seen[2] > 0
    assert seen[3] == seen[2]
    assert seen[5] > seen[2]
    assert kept
    assert stop == "0"


# ---- keys, predictions, panes -------------------------------------------------------------------


def test_the_help_lists_the_keys_and_closes_again(visit):
    page = opened(visit, one())
    page.keyboard.press("?")
    assert page.locator("dialog.help").is_visible()
    assert page.locator("dialog.help kbd").count() == 12
    page.keyboard.press("Escape")
    assert not page.locator("dialog.help").is_visible()


def test_only_contributions_to_inputs_and_to_sums_are_asked_about(visit):
    """u = x*1 gets one contribution, h gets two, and x is an input."""
    program = """(doc) => {
        const story = storyOf(doc.traces[0].trace);
        const prediction = new Prediction(new Words({}, "en"), { reveal() {}, resume() {} });
        const names = () => story.steps.flatMap((step, time) =>
            prediction.stops(story, time) ? [story.nodes[step.node].name] : []);
        const off = names();
        prediction.on = true;
        const all = names();
        prediction.answered.add(story.steps.length - 1);
        return [off, all, names().length - all.length];
    }"""
    found = workbench(visit).evaluate(program, told("x = 2\nh = tanh(x)\nu = tanh(h)\nL = u + h"))
    assert found == [[], ["h", "h", "x"], -1]


def test_a_question_is_judged_once_and_only_then_can_one_go_on(visit):
    page = opened(visit, one())
    page.get_by_role("button", name="Predict first").click()
    page.evaluate("minigradPlayer.time = 7")
    page.keyboard.press("ArrowRight")
    onward, check = page.get_by_role("button", name="Go on"), page.get_by_role("button", name="Check")
    assert (onward.is_visible(), check.is_visible()) == (False, True)
    assert page.locator(".score .counter").count() == 0
    page.keyboard.type("10.04")
    check.click()
    assert page.locator(".verdict").get_attribute("class").split() == ["verdict", "right"]
    assert (onward.is_visible(), check.is_visible()) == (True, False)
    assert page.evaluate("minigradPlayer.time") == 8
    page.evaluate("minigradPlayer.prediction.judge()")
    assert page.locator(".score").inner_text() == "right so far: 1 of 1"
    assert page.evaluate("minigradPlayer.time") == 8


@pytest.mark.parametrize(("count", "named"), [(1, True), (8, True), (9, False)])
def test_up_to_eight_inputs_are_named_one_by_one(visit, count, named):
    text = "\n".join(
        [*(f"x{i} = {i}" for i in range(count)), "L = " + " + ".join(f"x{i}" for i in range(count)) + " + 1"]
    )
    program = """(doc) => {
        const told = doc.traces[0], story = storyOf(told.trace);
        return new StepSentences(new Words({}, "en"), told, story).inputs();
    }"""
    key, fields = workbench(visit).evaluate(program, told(text))
    assert key == ("player.step.inputs" if named else "player.step.leaves")
    assert fields.get("inputs", {}).get("text", "").count("=") == (count if named else 0)


def test_the_nearest_in_a_direction_is_the_first_of_those_that_are_as_near(visit):
    program = """([key, ...spots]) => {
        const style = "position: absolute; width: 10px; height: 10px";
        const place = ([x, y]) => make("div", { style: `${style}; left: ${x}px; top: ${y}px` });
        const [from, ...others] = [[200, 200], ...spots].map(place);
        document.body.replaceChildren(from, ...others);
        return others.indexOf(nearest(from, others, key));
    }"""
    page = workbench(visit)
    assert page.evaluate(program, ["ArrowRight", [300, 210], [300, 190], [100, 200]]) == 0
    assert page.evaluate(program, ["ArrowRight", [300, 200], [240, 260]]) == 0  # 100 along; 40 and twice 60
    assert page.evaluate(program, ["ArrowLeft", [300, 200], [150, 200], [160, 200]]) == 2
    assert page.evaluate(program, ["ArrowDown", [200, 100], [210, 300], [195, 300]]) == 2
    assert page.evaluate(program, ["ArrowUp", [200, 300], [300, 200]]) == -1


def test_an_attribute_that_is_false_or_null_is_left_out(visit):
    program = (
        """() => make("input", { id: "i", hidden: false, title: null, disabled: true, size: 0 }).outerHTML"""
    )
    assert workbench(visit).evaluate(program) == '<input id="i" disabled="" size="0">'


# ---- the whole player ---------------------------------------------------------------------------


def test_one_drawing_has_the_page_for_itself_at_every_width(visit):
    page = opened(visit, one(), width=600)
    classes = page.locator(".player").get_attribute("class").split()
    assert {"comparing", "stacked"}.isdisjoint(classes)
    page = opened(visit, two(), width=600)
    assert {"comparing", "stacked"} <= {*page.locator(".player").get_attribute("class").split()}


def test_another_document_brings_its_own_words(visit):
    page = opened(visit, one())
    doc = told("a = 2\nL = a*a")
    page.evaluate(
        "(doc) => minigradPlayer.load(doc, { keepTime: true })", doc | {"words": {"new": ["n", "ñ"]}}
    )
    assert page.evaluate("minigradPlayer.words.say('new')") == "n"
    assert page.evaluate("minigradPlayer.words.say('player.play')") == "Play"


def test_another_language_is_told_once(visit):
    page = opened(visit, one())
    program = """(languages) => {
        const heard = [];
        document.addEventListener("player:language", (event) => heard.push(event.detail.language));
        for (const language of languages) minigradPlayer.language = language;
        return heard;
    }"""
    assert page.evaluate(program, ["en", "es", "es", "fr", "en"]) == ["es", "en"]


def test_the_focus_in_one_drawing_is_none_in_the_other(visit):
    page = opened(visit, two())
    names = "minigradPlayer.panes.map((pane) => pane.focusedName())"
    assert page.evaluate(names) == [None, None]
    page.evaluate("minigradPlayer.panes[1].focus('a')")
    assert page.evaluate(names) == [None, "a"]


def test_a_trail_has_signs_between_its_steps_and_leaves_keys_to_the_player(visit):
    page = opened(visit, large())
    group = page.locator(".window .group[role=button]").first
    assert group.get_attribute("aria-description")
    group.click()
    assert page.locator(".crumbs > *").evaluate_all("(all) => all.map((each) => each.tagName)") == [
        "BUTTON",
        "SPAN",
        "BUTTON",
    ]
    page.locator(".crumb").first.focus()
    before = page.evaluate("minigradPlayer.time")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("minigradPlayer.time") == before + 1
    page.evaluate("minigradPlayer.language = 'es'")
    assert page.locator(".crumb").first.inner_text() == "Grafo entero"
    page.evaluate("minigradPlayer.language = 'en'")
    page.locator(".crumb").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "Whole graph"  # a step leaves the focus
    page.keyboard.press("Enter")
    until(page, "document.querySelector('.crumbs').hidden")
