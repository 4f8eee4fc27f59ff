"""The studio's scripts one by one, on an empty page without a server: limits, boundaries, what is said."""

from __future__ import annotations

import json

import pytest

from script_runner import PLAYER, STUDIO, in_node, workbench

DESK = (
    "elements.js", "server_connection.js", "masthead.js", "state_link.js", "lab.js", "editor.js",
    "fault_picker.js", "sliders.js", "diagnosis.js", "court.js", "tool_tabs.js",
)  # fmt: skip
COURSE = (
    "elements.js", "server_connection.js", "masthead.js", "state_link.js", "lab.js", "lesson_blocks.js",
    "lesson_lab.js", "checkpoint.js",
)  # fmt: skip


@pytest.fixture
def desk(visit):
    return workbench(visit, *(STUDIO / name for name in DESK))


@pytest.fixture
def course(visit):
    return workbench(visit, *(STUDIO / name for name in COURSE))


# ---- links --------------------------------------------------------------------------------------


def linked(program, given):
    names = (PLAYER / "numerals.js", PLAYER / "words.js", STUDIO / "elements.js", STUDIO / "state_link.js")
    return in_node(program, given, names)


def test_only_what_has_the_right_shape_is_taken_out_of_a_link():
    claimed = [
        {"text": "L = a", "t": 0, "node": 0, "order": 1001},
        {"text": "L = a", "t": -1, "node": 1.5, "order": -3},
        {"text": "L = a", "fault": "x" * 200, "variant": "x" * 201, "predict": 1},
        {"text": "L = a", "inputs": {"a": "inf", "b": "many", "n" * 100: 1, "n" * 101: 2}},
        {"text": "x" * 60000},
        {"text": "x" * 60001},
        {"text": 4},
        ["text"],
    ]
    found = linked("(claimed) => claimed.map((each) => stateOf(each))", claimed)
    assert [found[0][key] for key in ("t", "node", "order")] == [0, 0, 1000]
    assert [found[1][key] for key in ("t", "node", "order")] == [None, None, 0]
    assert [found[2][key] for key in ("fault", "variant", "predict")] == ["x" * 200, None, False]
    assert [*found[3]["inputs"]] == ["a", "n" * 100]
    assert [each is None for each in found[4:]] == [False, True, True, True]


def test_a_link_carries_five_hundred_values_and_no_more():
    inputs = {f"x{i}": i for i in range(501)}
    assert len(linked("(inputs) => stateOf({ text: '', inputs }).inputs", inputs)) == 500


def test_a_state_comes_back_out_of_its_fragment_with_or_without_its_sign():
    program = """(state) => {
        const fragment = fragmentOf({ ...emptyState(), ...state });
        const broken = fragment.slice(0, 4) + "#" + fragment.slice(4);
        return [...[fragment, "#" + fragment, broken, "", "#"].map(stateIn), fragment];
    }"""
    state = {"text": "a = 2; b = a?\u00ff", "inputs": {"a": 2.5}, "t": 3, "lang": "es", "tool": "check"}
    bare, signed, broken, *nothing, fragment = linked(program, state)
    assert bare == signed
    assert {key: bare[key] for key in state} == state
    assert [broken, *nothing] == [None, None, None]
    assert set(fragment).isdisjoint("+/=#")


# ---- the editor ---------------------------------------------------------------------------------


def test_a_text_is_cut_where_words_and_marks_begin_and_end(desk):
    """ab = 3: a word from 0 to 2, a number from 5 to 6; a mark from 1 to 4."""
    words = [{"start": 0, "end": 2, "kind": "word"}, {"start": 5, "end": 6, "kind": "number"}]
    marks = [{"start": 1, "end": 4, "kind": "mistake"}]
    program = "([text, words, marks]) => piecesOf(text, words, marks).map(({ text, kinds }) => [text, kinds])"
    assert desk.evaluate(program, ["ab = 3;", words, marks]) == [
        ["a", "word"],
        ["b", "mistake word"],
        [" =", "mistake"],
        [" ", ""],
        ["3", "number"],
        [";", ""],
    ]
    joined = [{"start": 0, "end": 1, "kind": "word"}, {"start": 1, "end": 2, "kind": "operator"}]
    assert desk.evaluate(program, ["a+ ", joined, []]) == [["a", "word"], ["+", "operator"], [" ", ""]]


def test_a_place_in_code_points_is_found_where_characters_take_two_units(desk):
    program = "([text, place]) => placeIn(text, place)"
    assert desk.evaluate(program, ["abc = 1", [0, 3]]) == [0, 3]
    assert desk.evaluate(program, ["# \U0001f600\nab = 1", [4, 6]]) == [5, 7]
    assert desk.evaluate(program, ["\U0001f600\U0001f600 a", [1, 2]]) == [2, 4]


EDITOR = """
    document.body.innerHTML = "<div id=host><pre></pre><textarea></textarea></div><div id=remark></div>";
    const editor = new StatementEditor(part("host"), part("remark"), () => {});
    const marked = (kind) =>
        [...document.querySelectorAll(`pre .${kind}`)].map((each) => each.textContent).join("");
"""


def test_a_mistake_is_underlined_from_where_it_begins_to_where_it_ends(desk):
    program = (
        """(where) => {"""
        + EDITOR
        + """
        editor.text = "a = b";
        editor.complain(where && { message: "no", hint: "yes", where, code: "language" });
        return [marked("mistake"), part("remark").children.length, editor.area.getAttribute("aria-invalid")];
    }"""
    )
    assert desk.evaluate(program, [4, 5]) == ["b", 2, "true"]
    assert desk.evaluate(program, [0, 3]) == ["a =", 2, "true"]
    assert desk.evaluate(program, [5, 5]) == ["\u200b", 2, "true"]  # where more should follow
    assert desk.evaluate(program, None) == ["", 0, None]


def test_the_statement_that_is_played_is_marked_until_the_text_changes(desk):
    program = (
        """() => {"""
        + EDITOR
        + """
        editor.text = "a = 1";
        editor.highlight([0, 1]);
        const before = marked("playing");
        editor.area.value = "b = 2";
        editor.area.dispatchEvent(new Event("input"));
        return [before, marked("playing")];
    }"""
    )
    assert desk.evaluate(program) == ["a", ""]


# ---- the lab ------------------------------------------------------------------------------------

LAB = """
    const fault = { slug: "s", family: "f", name: "n", story: "st", lesson: "l", seen: "" };
    const wishes = [];
    const others = { mend() {}, alone() {}, diagnose() {} };
    const lab = new BreakLab({ wish: (wish) => wishes.push(wish), ...others });
    document.body.replaceChildren(lab.element);
    const orders = (count, length = 2) => Array.from({ length: count }, (_, i) => (
        { order: Array.from({ length }, (_, at) => `n${at}`), gradients: { a: i }, count: 1 }));
    const answer = (given) => ({ fault, variant: "", variants: [], orders: orders(1), order: 0, total: 1,
        complete: true, expected: { a: 1 }, accounts: [], headline: "h", diff: "- x\\n+ y", shows: true,
        endless: false, ...given });
    const got = () => document.querySelector("[data-got]").textContent;
"""


def test_orders_can_be_walked_where_there_are_two(desk):
    program = (
        "(count) => {" + LAB + "lab.show(answer({ orders: orders(count) }), 0);"
        "return [lab.scrubbing.hidden, lab.scrubber.max, lab.back.disabled, lab.forth.disabled]; }"
    )
    assert desk.evaluate(program, 1) == [True, "0", True, True]
    assert desk.evaluate(program, 2) == [False, "1", True, False]
    assert desk.evaluate(program, 3) == [False, "2", True, False]


def test_the_numbers_of_another_order_are_shown_before_the_server_has_answered(desk):
    program = (
        "() => {"
        + LAB
        + """
        lab.show(answer({ orders: orders(3) }), 0);
        const seen = [got()];
        for (const button of [lab.back, lab.forth, lab.forth, lab.forth]) {
            button.click();
            seen.push(got());
        }
        return [seen, wishes];
    }"""
    )
    assert desk.evaluate(program) == [["0", "0", "1", "2", "2"], [{"order": 1}, {"order": 2}]]


@pytest.mark.parametrize(("length", "written"), [(39, 39), (40, 40), (41, 41)])
def test_an_order_is_written_out_up_to_forty_nodes(desk, length, written):
    program = (
        "(length) => {" + LAB + "lab.show(answer({ orders: orders(1, length) }), 0);"
        "return [...lab.route.querySelectorAll('code')].map((code) => code.textContent); }"
    )
    names = desk.evaluate(program, length)
    assert len(names) == written
    assert (names[-1] == "…") is (length > 40)


def test_an_account_of_what_is_right_looks_right(desk):
    program = (
        "() => {"
        + LAB
        + """
        const kept = { name: "a", words: "kept", right: true };
        const lost = { name: "b", words: "lost", right: false };
        lab.show(answer({ accounts: [kept, lost] }), 0);
        return [...lab.accounts.children].map((row) => [row.className, row.textContent]);
    }"""
    )
    assert desk.evaluate(program) == [["right", "kept"], ["wrong", "lost"]]


@pytest.mark.parametrize(
    ("right", "got", "told"),
    [
        (1e9, 1e9 - 1, ["1000000000", "999999999", False]),  # a billionth: rounding
        (1e9, 1e9 - 2, ["1000000000", "999999998", True]),
        (0.3, 0.1 + 0.2, ["0.3", "0.3", False]),
        (1.0, 1.00000001, ["1", "1.00000001", True]),
        (2, -2, ["2", "-2", True]),
        ("inf", "inf", ["inf", "inf", False]),
        ("inf", 5, ["inf", "5", True]),
        (5, "-inf", ["5", "-inf", True]),
        ("nan", 5, ["nan", "5", True]),
    ],
)
def test_two_numbers_have_as_many_digits_as_tell_them_apart(desk, right, got, told):
    program = "(pair) => apart(...pair.map(fromJsonNumber))"
    assert desk.evaluate(program, [right, got]) == told


# ---- faults, sliders, tabs ----------------------------------------------------------------------

FAULTS = """
    const plainRow = { story: ["", ""], ordered: false, seen: 0, applies: "shows" };
    const row = (slug, family) => ({ slug, family, name: [slug, slug], ...plainRow });
    const picker = new FaultPicker(() => {});
    document.body.replaceChildren(picker.element);
    picker.show([row("one", "known"), row("two", "new")], { known: ["Known", "Conocida"] });
"""


def test_a_fault_says_its_family_also_where_nobody_has_named_it(desk):
    program = (
        "() => {" + FAULTS + "return [...document.querySelectorAll('.tag')].map((tag) => tag.textContent); }"
    )
    assert desk.evaluate(program) == ["Known", "new"]


def test_arrows_lead_from_the_search_through_the_faults_and_back(desk):
    desk.evaluate("() => {" + FAULTS + "picker.search.focus(); }")
    seen = []
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp"):
        desk.keyboard.press(key)
        seen.append(desk.evaluate("document.activeElement.dataset.fault ?? 'search'"))
    assert seen == ["one", "two", "two", "one", "search", "search"]
    stops = desk.evaluate("[...document.querySelectorAll('[data-fault]')].map((button) => button.tabIndex)")
    assert [stop < 0 for stop in stops] == [True, True]  # the search has the focus


@pytest.mark.parametrize(("name", "brief"), [("abcdefghijk", False), ("abcdefghijkl", True)])
def test_a_slope_of_more_than_seventeen_letters_is_written_as_its_number(desk, name, brief):
    """dL/d and eleven letters are fifteen; the gradient 12 has two more."""
    program = """(name) => {
        const host = document.createElement("div");
        const rows = [{ name, value: 1, written: 1, low: 0, high: 2, step: 0.1 }];
        new InputSliders(host, () => {}).show(rows, "L", new Map([[name, 12]]));
        return [host.classList.contains("brief"), host.querySelector("input[type=text]").inputMode];
    }"""
    assert desk.evaluate(program, name) == [brief, "decimal"]  # the keys of a phone


@pytest.mark.parametrize(
    ("value", "reach", "tidy"),
    [
        (0.123456, 1, 0.12),
        (0.123456, 20, 0.1),
        (123.456, 1000, 123),
        (0.123456789, 0.01, 0.1235),
        (0.5, 0, 0.5),
    ],
)
def test_a_slider_gives_about_a_thousandth_of_its_reach(desk, value, reach, tidy):
    assert desk.evaluate("([value, reach]) => tidy(value, reach)", [value, reach]) == tidy


def test_numbers_travel_as_words_where_json_has_none(desk):
    program = "() => [0, -0.5, Infinity, -Infinity, NaN].map(travelling)"
    assert desk.evaluate(program) == [0, -0.5, "inf", "-inf", "nan"]


def test_the_open_tool_is_the_one_that_tab_reaches(desk):
    program = """() => {
        const tools = ["break", "check", "diagnose", "export"];
        document.body.replaceChildren(
            build("div", { id: "list" },
                ...tools.map((tool) => build("button", { role: "tab", "data-tool": tool }, tool))),
            ...tools.map((tool) => build("div", { id: `panel-${tool}` })));
        const tabs = new ToolTabs(part("list"), () => {});
        tabs.open("check");
        return [tabs.tabs.map((tab) => tab.tabIndex), tools.map((tool) => part(`panel-${tool}`).hidden)];
    }"""
    assert desk.evaluate(program) == [[-1, 0, -1, -1], [True, False, True, True]]


# ---- the court and the diagnosis ----------------------------------------------------------------

COURT = """
    const asked = [];
    const court = new CourtTable((...wish) => asked.push(wish));
    const usual = { ok: true, verdict: "right", word: "Right.", reason: "r", columns: ["L"], rows: [] };
    const verdict = (given) => ({ ...usual, by_hand: [], ...given });
"""


def test_the_broken_pass_is_tried_only_where_there_is_one_and_it_is_wished(desk):
    program = (
        "() => {"
        + COURT
        + """
        for (const [there, wished] of [[false, false], [true, false], [true, true], [false, true]]) {
            court.offer(there);
            court.broken.checked = wished;
            court.button.disabled = false;
            court.button.click();
        }
        return asked;
    }"""
    )
    assert desk.evaluate(program) == [["quick", False], ["quick", False], ["quick", True], ["quick", False]]


def test_a_verdict_is_told_without_the_dot_at_its_end(desk):
    program = (
        "(word) => {"
        + COURT
        + "court.show(verdict({ word })); return court.said.querySelector('strong').textContent; }"
    )
    assert desk.evaluate(program, "Not by 0.05.") == "Not by 0.05"
    assert desk.evaluate(program, "Right") == "Right"


def test_what_can_be_followed_on_paper_is_there_where_the_court_says_it(desk):
    program = (
        "(lines) => {"
        + COURT
        + """
        court.show(verdict({ by_hand: lines ?? undefined }));
        return [court.paper.hidden, court.paper.querySelectorAll(".row").length];
    }"""
    )
    assert [desk.evaluate(program, lines) for lines in (None, [], ["a", "b"])] == [
        [True, 0],
        [True, 0],
        [False, 2],
    ]


BOX = """
    const asked = [];
    const box = new DiagnosisBox({
        ask: (observed) => asked.push({ ...observed }), cause() {}, broken: () => ({ a: 1 / 3, b: "inf" }),
    });
    document.body.replaceChildren(box.element);
    box.fit(["a", "b", "c"]);
"""


def test_what_was_typed_is_asked_about_and_empty_fields_are_not(desk):
    program = (
        "() => {"
        + BOX
        + """
        box.fields.get("a").value = " -6 ";
        box.fields.get("b").value = "  ";
        box.button.click();
        return asked;
    }"""
    )
    assert desk.evaluate(program) == [{"a": "-6"}]


def test_the_gradients_of_the_broken_pass_are_taken_over_with_twelve_digits(desk):
    program = (
        "() => {" + BOX + "box.takeBroken(); return [...box.fields.values()].map((field) => field.value); }"
    )
    assert desk.evaluate(program) == ["0.333333333333", "inf", ""]


def test_only_what_was_found_can_be_about_an_earlier_text(desk):
    program = (
        "() => {"
        + BOX
        + """
        box.age();
        const before = box.element.classList.contains("aged");
        box.show({ ok: false, error: { message: "no" } });
        box.age();
        return [before, box.element.classList.contains("aged")];
    }"""
    )
    assert desk.evaluate(program) == [False, True]


def test_causes_are_listed_where_there_are_several(desk):
    program = (
        "(count) => {"
        + BOX
        + """
        const cause = (_, i) => ({ fault: `f${i}`, variant: "", name: `n${i}`, order_index: 0 });
        const diagnoses = Array.from({ length: count }, cause);
        box.show({ ok: true, sections: [{ title: "t", lines: ["l"] }], diagnoses });
        return box.said.querySelectorAll(".causes li").length;
    }"""
    )
    assert [desk.evaluate(program, count) for count in (0, 1, 2, 12, 13)] == [0, 0, 2, 12, 12]


# ---- the connection -----------------------------------------------------------------------------


def test_a_server_that_is_away_is_asked_again_after_longer_and_longer_pauses(desk):
    program = """async () => {
        const pauses = [];
        window.fetch = () => Promise.reject(new Error("away"));
        window.setTimeout = (then, pause) => {
            pauses.push(pause);
            if (pauses.length < 7) queueMicrotask(then);
        };
        const told = [];
        new ServerConnection((presence) => told.push(presence)).ask("p", "/api/p", {}, () => {});
        while (pauses.length < 7) await new Promise((then) => requestAnimationFrame(then));
        return [pauses, told];
    }"""
    assert desk.evaluate(program) == [[400, 800, 1600, 3200, 4000, 4000, 4000], ["away"]]


# ---- the course ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "value", "fits"),
    [
        ("1.000001", 1, True),  # a millionth
        ("1.0000011", 1, False),
        ("0.000001", 0, True),
        ("1/3", 1 / 3, True),
        ("0,5", 0.5, True),
        ("\u22126", -6, True),
        ("inf", "inf", True),
        ("-inf", "inf", False),
        ("5", "inf", False),
        ("nan", "nan", True),
        ("many", "nan", False),
        ("many", 0, False),
        ("1/2/3", 0.5, False),
    ],
)
def test_a_prediction_is_a_number_and_may_be_off_by_a_millionth(course, typed, value, fits):
    assert course.evaluate("([typed, value]) => agrees(typed, fromJsonNumber(value))", [typed, value]) is fits


QUESTION = """
    const asked = [];
    const server = { ask: (purpose, path, body, then) => asked.push([path, then]) };
    const about = { key: "u/q", of: "number", unit: "u", statements: "", sketch: "", example: "" };
    const question = { ...about, paragraphs: [], table: [], blanks: ["a"], choices: [], ...given };
    const memory = { ...freshMemory(), ...typed };
    const form = new QuestionForm(question, { name: "q", title: "Q", settled: false, review: "" }, memory,
        { server, learned() {}, another() {} });
    document.body.replaceChildren(form.element);
    const words = [[{ kind: "text", text: "first" }], [{ kind: "text", text: "second" }]];
"""


def test_a_choice_that_was_made_stays_made(course):
    choices = [{"letter": letter, "words": []} for letter in "xyz"]
    program = (
        "([given, typed]) => {"
        + QUESTION
        + "return [...form.element.querySelectorAll('input')].map((radio) => radio.checked); }"
    )
    typed = {"typed": {"choice": "y"}}
    assert course.evaluate(program, [{"choices": choices, "blanks": ["choice"]}, typed]) == [
        False,
        True,
        False,
    ]


def test_the_first_sentence_about_an_answer_is_the_verdict(course):
    program = (
        "([given, typed]) => {"
        + QUESTION
        + """
        form.check.click();
        asked[0][1]({ ok: true, right: false, read: true, words: [words, words] });
        return [...form.said.children].map((line) => [line.className, line.textContent]);
    }"""
    )
    found = course.evaluate(program, [{}, {"typed": {"a": "4"}}])
    assert found == [["verdict wrong", "\u2717 first"], ["", "second"]]


def test_an_answer_that_was_shown_is_settled(course):
    program = (
        "([given, typed]) => {"
        + QUESTION
        + """
        const before = [form.settled, form.tag.textContent];
        form.show.click();
        const sure = asked.length;
        form.show.click();
        asked[0][1]({ ok: true, words: [words, words] });
        return [before, sure, asked[0][0], form.settled, form.tag.textContent, form.show.hidden];
    }"""
    )
    found = course.evaluate(program, [{}, {}])
    assert found == [[False, ""], 0, "/api/reveal", True, "study.seen", True]


def test_words_of_a_lesson_have_their_marks(course):
    runs = [
        {"kind": "text", "text": "a "},
        {"kind": "code", "text": "b"},
        {"kind": "link", "text": "c", "address": "https://example.org/"},
        {"kind": "link", "text": "d", "address": "http://example.org/"},
        {"kind": "strong", "text": "e", "inside": [{"kind": "emphasis", "text": "f"}]},
    ]
    program = "(runs) => paragraph(runs).innerHTML"
    assert course.evaluate(program, json.loads(json.dumps(runs))) == (
        'a <code>b</code><a href="https://example.org/" rel="noopener noreferrer" target="_blank">c</a>'
        "<span>d</span><strong><em>f</em></strong>"
    )


def test_a_graph_with_a_sketch_is_played_when_it_is_wished(course):
    program = """(sketch) => {
        const asked = [];
        const server = { ask: (purpose, path, body) => asked.push([path, body.text]) };
        const figure = new StageFigure({ text: "L = 1", sketch }, server, "stage", null);
        const before = asked.length;
        figure.play.click();
        return [before, asked.at(-1)];
    }"""
    assert course.evaluate(program, "") == [1, ["/api/explain", "L = 1"]]
    sketch = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"/>'
    assert course.evaluate(program, sketch) == [0, ["/api/explain", "L = 1"]]


@pytest.mark.parametrize(
    ("kept", "theme"), [(None, None), ("dark", "dark"), ("light", "light"), ("odd", None)]
)
def test_the_theme_that_was_chosen_last_is_the_theme(course, kept, theme):
    program = """(wished) => {
        document.body.innerHTML = "<div id=languages></div><div id=theme></div>";
        if (wished === null) localStorage.removeItem(THEME_KEPT);
        else localStorage.setItem(THEME_KEPT, wished);
        new Masthead("study.title", { speak() {}, retry() {} });
        const pressed = document.querySelector("#theme [aria-pressed=true]").value;
        return [document.documentElement.getAttribute("data-theme"), pressed];
    }"""
    assert course.evaluate(program, kept) == [theme, theme or "auto"]
