"""The course in a real browser: a learner at the keyboard, in two languages, light and dark, on a phone."""

import json

import pytest

from browser import axe
from minigrad.learn import course
from minigrad.learn.questions import question
from studio_server import studio

KEYS = r"() => [...document.querySelectorAll('body *')].map(e => e.children.length ? '' : e.textContent)" + (
    r".filter(text => /^(studio|study|player)\.[a-z.]+$/.test(text))"
)


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    file = tmp_path_factory.mktemp("learner") / "progress.json"
    with studio("--learn", "--progress", str(file)) as found:
        found.file = file
        yield found


def opened(visit, running, place, **options):
    page = visit(running.link.partition("#")[0] + f"#{place}", **options)
    page.wait_for_selector(".staged .player")
    return page


def form(page, key):
    return page.locator(f"form.question:has(#question-{key.replace('/', '-').replace(':', '-')}-check)")


def press_until(page, condition, key="Tab", most=200):
    for _ in range(most):
        page.keyboard.press(key)
        if page.evaluate(condition):
            return
    raise AssertionError(f"never: {condition}")


def in_form(key):
    ident = f"question-{key.replace('/', '-').replace(':', '-')}"
    return f"() => document.activeElement.closest('form')?.querySelector('#{ident}-check') != null"


def typed(page, key, answer):
    """Fill in a question from the keyboard, from wherever the focus is, and send it with Enter."""
    press_until(page, in_form(key) + f" && {NO_SCROLLER}")
    if "choice" in answer:
        letter = answer["choice"]
        for _ in range(8):
            if page.evaluate("letter => document.activeElement.value === letter", letter):
                break
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Space")
        page.keyboard.press("Enter")
        return
    for at, value in enumerate(answer.values()):
        if at:
            page.keyboard.press("Tab")
        page.keyboard.press("Control+A")
        page.keyboard.type(value)
    page.keyboard.press("Enter")


NO_SCROLLER = "['INPUT', 'TEXTAREA'].includes(document.activeElement.tagName)"


def test_a_learner_does_the_first_unit_with_the_keyboard_and_comes_back_later(visit, running):
    page = opened(visit, running, "en/data-and-grad")
    page.keyboard.press("Shift+Tab")  # the reader starts at the title
    press_until(
        page,
        "() => document.activeElement.closest('.trial form') && document.activeElement.id.endsWith('-0')",
    )
    page.keyboard.type("14")  # -7 in place of 1: the data of e times the gradient of a, -2
    page.keyboard.press("Tab")
    page.keyboard.type("-21")
    page.keyboard.press("Enter")
    page.wait_for_selector(".trial .result .right")
    assert page.locator(".trial [data-got]").all_inner_texts() == ["14", "-21"]

    keys = [each.key for each in course.questions("data-and-grad", "en", seed=seed_of(running))]
    first = keys[0]
    typed(page, first, {"s": "8"})  # r, and not r - q
    page.wait_for_selector("form.question.wrong .said p")
    assert page.evaluate("() => document.activeElement.closest('form') !== null"), "the focus stays"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    for key in keys:
        page.evaluate("() => document.getElementById('title').focus()")
        typed(page, key, dict(question(key).solution))
        form(page, key).locator(".said .verdict.right").wait_for()
    page.wait_for_selector("#done:has-text('done')")
    assert page.locator(".units [aria-current] .sign").inner_text() == "✓"

    page.reload()
    page.wait_for_selector("form.question.right")
    assert page.locator("form.question.right").count() == len(keys), "what was answered is kept"
    assert page.locator(f"#question-{first.replace('/', '-')}-0").input_value() == "6"


def seed_of(running):
    return json.loads(running.file.read_text())["seed"]


def test_a_wrong_answer_is_diagnosed_and_the_other_language_loses_nothing(visit, running):
    page = opened(visit, running, "en/diamonds")
    question_form = form(page, "diamonds/what-is-right")  # c = a*b; d = a + b; e = c + d at a=2, b=-3
    boxes = question_form.locator("input")
    boxes.nth(0).fill("-3")  # what e, d, c leaves with = in place of +=
    boxes.nth(1).fill("2")
    boxes.nth(1).press("Enter")
    question_form.locator(".said .verdict.wrong").wait_for()
    english = question_form.locator(".said").inner_text()
    assert "= in place of +=" in english
    show = question_form.locator("[id$='-show']")
    assert show.inner_text() == "Show the answer"
    other = form(page, "diamonds/which-bug")
    other.locator("[id$='-show']").click()
    assert other.locator(".shown").inner_text() == "", "unanswered, it is asked for twice"
    other.locator("input").nth(1).check()
    lab = page.locator(".trial").first
    lab.locator("input").first.fill("123")
    generated = page.locator("form.question").last
    for _ in range(2):  # without an answer, it is wished for twice
        generated.locator("[id$='-show']").click()
    asked = page.locator("form.question").count()
    generated.locator("button:has-text('One more')").click()
    extra = page.locator("form.question").nth(asked).locator("input")  # none before the answer is here
    extra.first.check()

    page.click("#languages [value=es]")
    page.wait_for_selector("h2:has-text('Rombos')")
    assert page.get_attribute("html", "lang") == "es"
    assert [box.input_value() for box in boxes.all()] == ["-3", "2"]
    assert question_form.locator(".said").inner_text() not in ("", english)
    assert other.locator("input").nth(1).is_checked()
    assert lab.locator("input").first.input_value() == "123"
    assert extra.first.is_checked(), "also what was wished for besides"
    page.wait_for_selector(".staged .player")
    for word in ("Checkpoint", "Show the answer", "Contents", "Open in the studio", "Gradients"):
        assert word not in page.inner_text("body")
    assert page.evaluate(KEYS) == []
    question_form.locator("[id$='-show']").click()
    question_form.locator(".shown p").first.wait_for()
    assert page.locator("a:has-text('Abrir en el estudio')").first.get_attribute("href").startswith("/#")
    outcome = page.locator(".aftermath").first
    assert not outcome.is_visible(), "what comes of a lab is not told before it is run"
    lab.locator("button[type=submit]").click()
    outcome.wait_for()


@pytest.mark.parametrize(("dark", "width"), [(False, 360), (True, 1280)], ids=["phone", "dark"])
def test_axe_finds_nothing_serious_and_nothing_makes_the_page_scroll_sideways(visit, running, dark, width):
    page = opened(visit, running, "es/order", dark=dark, width=width, reduced=True)
    page.locator(".trial button[type=submit]").first.click()
    page.wait_for_selector(".trial .player")
    first = form(page, "order/right")
    for box in first.locator("input").all():
        box.fill("77")
    first.locator("button[type=submit]").click()
    first.locator(".said .verdict.wrong").wait_for()
    first.locator("[id$='-show']").click()
    first.locator(".shown p").first.wait_for()
    assert axe(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    if width == 360:
        page.click("#contents summary")
    page.click(".units a >> nth=7")
    page.wait_for_selector("h2:has-text('entrenamiento')")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.click("#bench")
    page.wait_for_selector("#statements")
    page.wait_for_selector("#learn[href='/learn#es/']")
