"""The pages of the studio with a server that is a table: what they ask for, when, and what comes of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from browser import until
from minigrad.player.page import SCRIPTS, embed_json, join_scripts
from minigrad.studio.answers import answer
from minigrad.studio.static_files import LESSONS, SHARED
from script_runner import PLAYER, STUDIO

# Timers are noted, and none of them is waited for.
FAKE = """
    window.asked = [];
    window.pauses = [];
    window.answers = JSON.parse(document.getElementById("answers").textContent);
    window.fetch = async (path, { body }) => {
        asked.push([path, JSON.parse(body)]);
        const found = answers[path] ?? { ok: false, error: { message: "none", code: "none" } };
        return { status: 200, json: async () => structuredClone(found) };
    };
    const later = window.setTimeout;
    window.setTimeout = (then, pause) => {
        pauses.push(pause);
        return later(then, Math.min(pause, 20));
    };
    window.paths = () => asked.map(([path]) => path);
"""


def opened(visit: Any, name: str, scripts: list[str], answers: dict[str, Any]) -> Any:
    """A page of the studio as its file has it, with its scripts, and these answers in place of a server."""
    code = join_scripts([*(PLAYER / each for each in SCRIPTS), *(STUDIO / each for each in scripts)])
    table = f'<script type="application/json" id="answers">{embed_json(answers)}</script>'
    text = (STUDIO / name).read_text(encoding="utf-8").replace("<!-- head -->", '<meta charset="utf-8">')
    scripts_of_it = f"{table}<script>{FAKE}</script><script>{code}</script>"
    return visit(text.replace("<!-- scripts -->", scripts_of_it))


def answered(api: str, **fields: Any) -> Any:
    status, found = answer(api, {"language": "en", **fields})
    assert status == 200, found
    return json.loads(json.dumps(found, allow_nan=False))


# ---- the course ---------------------------------------------------------------------------------

UNITS = [{"slug": f"u{n}", "number": n, "title": [f"Unit {n}", f"Unidad {n}"]} for n in (1, 2, 3)]
WORDS = {
    "study.question": ["Question {number} of {all}", "Pregunta {number} de {all}"],
    "study.back": ["Back: {title}", "Atrás: {title}"],
    "study.next": ["Next: {title}", "Siguiente: {title}"],
}
QUESTION = {
    "of": "number", "unit": "u2", "paragraphs": [], "statements": "", "sketch": "", "table": [],
    "blanks": ["a"], "choices": [], "example": "",
}  # fmt: skip
PROGRESS = {"current": "u2", "kept": True, "notices": [], "states": {}, "places": {}, "settled": [], "due": 0}


def course(visit: Any, **progress: Any) -> Any:
    blocks = [
        {"kind": "paragraph", "text": [{"kind": "text", "text": "words"}]},
        {"kind": "checkpoint", "questions": [QUESTION | {"key": "u2/one"}, QUESTION | {"key": "u2/two"}]},
    ]
    unit = {
        "slug": "u2",
        "number": 2,
        "language": "en",
        "minutes": 5,
        "title": [],
        "idea": [],
        "aftermath": [],
    }
    told = PROGRESS | progress
    answers = {
        "/api/start": {"ok": True, "words": WORDS, "language": "en"},
        "/api/lessons": {"ok": True, "units": UNITS, "progress": told},
        "/api/unit": {"ok": True, "unit": unit | {"blocks": blocks}, "tried": {}},
        "/api/arrive": {"ok": True, "progress": told},
        "/api/review": {"ok": True, "due": [{"item": "i", "question": [QUESTION | {"key": "u2/one"}] * 2}]},
    }
    scripts = [name for name in (*SHARED, *LESSONS) if name != "lessons.js"]
    page = opened(visit, "lessons.html", [*scripts, "lessons.js"], answers)
    page.wait_for_selector("form.question")
    return page


def test_the_questions_of_a_unit_are_counted_from_one(visit):
    page = course(visit)
    titles = [title.strip() for title in page.locator("form.question h4").all_inner_texts()]
    assert titles == ["Question 1 of 2", "Question 2 of 2"]


def test_a_unit_leads_to_the_one_before_and_the_one_after_it(visit):
    page = course(visit)
    links = page.locator("footer a").evaluate_all("(all) => all.map((a) => [a.textContent, a.hash])")
    assert links == [["Back: Unit 1", "#en/u1"], ["Next: Unit 3", "#en/u3"]]


def test_skipping_to_the_unit_leaves_the_address_as_it_is(visit):
    page = course(visit)
    pages = page.evaluate("history.length")
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("[location.hash, document.activeElement.id]") == ["#en/u2", "lesson"]
    assert page.evaluate("history.length") == pages  # there is nothing to go back from


def test_what_the_learner_should_know_of_the_file_is_said(visit):
    assert not course(visit).locator("#notice").is_visible()
    page = course(visit, notices=["The file was damaged."])
    assert page.locator("#notice").is_visible()
    assert page.locator("#notice").inner_text() == "The file was damaged."
    page = course(visit, kept=False)
    assert page.locator("#notice").inner_text() == "study.unkept"


@pytest.mark.parametrize(
    ("progress", "arrives"),
    [
        ({"places": {"u2": 0}}, False),  # the block that is looked at was noted already
        ({"places": {"u2": 1}}, False),
        ({}, True),
        ({"places": {"u2": 0}, "current": "u1"}, True),  # in another unit last
    ],
)
def test_a_place_is_noted_only_if_it_is_further_than_before(visit, progress, arrives):
    page = course(visit, **progress)
    if "current" in progress:
        page.evaluate("location.hash = '#en/u2'")
        until(page, "document.querySelector('.units [aria-current]')?.hash === '#en/u2'")
        page.evaluate("document.dispatchEvent(new Event('scroll'))")
    until(page, "pauses.includes(1500)")
    if arrives:
        until(page, "paths().includes('/api/arrive')")
    page.wait_for_timeout(100)  # the 20 ms that such a pause takes here, and more
    found = page.evaluate("asked.filter(([path]) => path === '/api/arrive').map(([, body]) => body)")
    assert [(body["unit"], body["block"]) for body in found[:1]] == [("u2", 0)] * arrives


def test_repetitions_begin_at_the_top_and_stay_where_they_are_in_another_language(visit):
    page = course(visit)
    page.evaluate("document.body.style.minHeight = '5000px'; scrollTo(0, 700)")
    page.evaluate("location.hash = '#en/review'")
    until(page, "document.getElementById('title').textContent === 'study.review'")
    assert page.evaluate("scrollY") == 0
    page.evaluate("scrollTo(0, 700)")
    page.evaluate("location.hash = '#es/review'")
    until(page, "document.querySelector('form.question h4').textContent.startsWith('Pregunta 1 de 1')")
    assert page.evaluate("scrollY") == 700


# ---- the lab of a unit --------------------------------------------------------------------------

# c sends b = -3 to a and a = 2 to b, and d sends 1 to each: what comes last is left, and right is the sum.
LAB = {"text": "a = 2\nb = -3\nc = a*b\nd = a + b\nL = c + d", "fault": "overwrite", "variant": None}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({}, []),
        ({"a": "-3"}, [["right", "study.lab.hit"]]),
        ({"a": "1", "b": "1"}, [["right", "L, c, d"]]),  # in the other order
        ({"a": "-2", "b": "3"}, [["wrong", "study.lab.unbroken"]]),
        ({"a": "7", "b": ""}, [["wrong", "a.grad"]]),
        ({"a": "-3", "b": "9"}, [["wrong", "b.grad"]]),
    ],
)
def test_a_prediction_of_a_lab_is_compared_with_what_came(visit, typed, said):
    broken = answered("break", order=0, **LAB)
    assert [run["order"] for run in broken["orders"]] == [["L", "d", "c"], ["L", "c", "d"]]
    scripts = [name for name in (*SHARED, *LESSONS) if name != "lessons.js"]
    page = opened(visit, "lessons.html", scripts, {"/api/break": broken})
    program = """([block, typed]) => {
        speech.add({ "study.lab.missed": ["{names}", ""], "study.lab.elsewhere": ["{order}", ""] });
        const lab = new LessonLab(block, new ServerConnection(() => {}), "lab", freshLabMemory());
        document.body.append(lab.element);
        for (const [name, text] of Object.entries(typed)) {
            lab.fields.get(name).value = text;
            lab.fields.get(name).dispatchEvent(new Event("input"));
        }
        window.lab = lab;
        lab.button.click();
    }"""
    block = LAB | {"inputs": ["a", "b"], "name": "overwrite", "diff": "- x", "lead": []}
    page.evaluate(program, [block, typed])
    page.wait_for_selector(".trial .player.embedded")
    assert page.evaluate("Object.assign({}, lab.memory.typed)") == typed
    found = page.evaluate("[...lab.said.children].map((line) => [line.className, line.textContent])")
    assert found == said
    assert page.evaluate("document.activeElement === lab.result")


# ---- the desk -----------------------------------------------------------------------------------

TEXT = "a = 2\nb = a*a"


@pytest.fixture
def desk(visit):
    answers = {
        "/api/start": {"ok": True, "words": {}, "language": "en", "text": TEXT, "inputs": {}},
        "/api/explain": answered("explain", text=TEXT, inputs={}),
        "/api/faults": {"ok": True, "faults": [], "families": {}},
    }
    own = sorted(path.name for path in STUDIO.glob("*.js") if path.name not in (*LESSONS, "studio.js"))
    page = opened(visit, "studio.html", [*own, "studio.js"], answers)
    page.wait_for_selector("#player .player")
    until(page, "paths().includes('/api/faults')")
    return page


def test_faults_are_looked_for_at_once_and_then_when_nothing_has_changed_for_a_while(desk):
    assert 700 not in desk.evaluate("pauses")
    desk.fill("#statements", "a = 2\nb = a*a*a")
    until(desk, "pauses.includes(700)")
    assert 7000 not in desk.evaluate("pauses")


def test_the_player_in_the_studio_has_neither_a_title_nor_languages_of_its_own(desk):
    assert desk.locator("#player .player.embedded").count() == 1
    assert desk.locator("#player .languages").count() == 0
    assert desk.locator("#player h1").count() == 0


def test_another_language_is_asked_for(desk):
    before = desk.evaluate("asked.length")
    desk.click("#languages [value=es]")
    until(desk, f"asked.length > {before}")
    path, body = desk.evaluate("asked.at(-1)")
    assert (path, body["language"]) == ("/api/explain", "es")


def test_a_link_that_was_copied_or_could_not_be_is_told(desk):
    assert desk.locator("#copy").inner_text() == "studio.copy"
    desk.evaluate("window.setTimeout = () => 0")  # what is said stays
    desk.click("#copy")
    until(desk, "document.getElementById('copy').textContent !== 'studio.copy'")
    assert desk.locator("#copy").inner_text() in ("studio.copied", "studio.copy.failed")


def test_a_text_that_cannot_be_read_is_no_reason_to_refuse_a_fault(desk):
    desk.evaluate(
        """() => {
        const error = { message: "unreadable", code: "language", where: [0, 1] };
        answers["/api/break"] = { ok: false, error };
        answers["/api/explain"] = { ok: false, error: { message: "never asked", code: "language" } };
        location.hash = "#" + fragmentOf({ ...emptyState(), text: "a =", fault: "overwrite" });
    }"""
    )
    until(desk, "document.getElementById('remark').textContent === 'unreadable'")
    assert desk.locator("#stale").is_visible()
    desk.evaluate("answers['/api/break'].error = { message: 'nothing to break', code: 'idle' }")
    desk.fill("#statements", "a = 3")
    until(desk, "document.querySelector('.lab .story').textContent === 'nothing to break'")


def test_the_statement_of_the_step_is_highlighted_in_the_editor(desk):
    desk.focus("#player .time")
    desk.keyboard.press("Home")
    desk.keyboard.press("ArrowRight")
    until(desk, "document.querySelector('#editor .playing') !== null")
    shown = desk.locator("#editor .playing").all_inner_texts()
    assert "".join(shown) == "b = a*a"
