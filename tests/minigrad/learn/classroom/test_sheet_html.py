"""A sheet in a browser: filled in, saved, printed, and seen by everybody."""

from datetime import datetime
from pathlib import Path

import pytest

from browser import axe
from filled_sheets import solutions
from minigrad.learn.classroom.answer_key import AnswerKey
from minigrad.learn.classroom.class_folder import FORMS
from minigrad.learn.classroom.grades import HandInFile, grade
from minigrad.learn.classroom.hand_in import HandIn, read
from minigrad.learn.classroom.handout import FORMS as HANDOUTS
from minigrad.learn.classroom.handout import handout
from minigrad.learn.classroom.roster import roster
from minigrad.learn.classroom.sheet import Sheet, SheetPlan, class_sheets
from minigrad.learn.questions import KINDS
from minigrad.text.translation import speaking


def a_sheet(lang: str) -> tuple[Sheet, str]:
    with speaking(lang):
        plan = SheetPlan("Monday", 3, tuple((kind, 1) for kind in KINDS))
        [sheet] = class_sheets(roster("Sofía Núñez".encode()).learners, plan)
        return sheet, FORMS["html"](sheet)


def points(sheet: Sheet, content: HandIn) -> int:
    key = AnswerKey("Monday", 3, "en", (sheet,))
    [graded] = grade(key, [HandInFile("x", "x", datetime(2026, 9, 28), content)]).graded
    assert graded.notices == ()
    return graded.points


def test_what_a_browser_saves_is_graded_as_it_was_filled_in(visit, tmp_path):
    """Both the small file and the page itself."""
    sheet, html = a_sheet("es")
    page = visit(html, accept_downloads=True)
    for number, given in solutions(sheet).items():
        section = page.locator(f'section[data-question="{number}"]')
        for blank, text in given.items():
            if blank == "choice":
                section.locator(f'input[value="{text}"]').check()
            else:
                section.locator(f'input[data-blank="{blank}"]').fill(text)
    as_it_stands = page.evaluate("document.documentElement.outerHTML")
    assert points(sheet, read(".html", as_it_stands.encode())) == len(KINDS)
    with page.expect_download() as found:
        page.get_by_role("button").click()
    saved = Path(tmp_path, "answers.json")
    found.value.save_as(saved)
    assert found.value.suggested_filename == "sofia-nunez.answers.json"
    content = read(".json", saved.read_bytes())
    assert points(sheet, content) == len(KINDS)
    assert datetime.fromisoformat(content.saved).year >= 2026
    assert "sofia-nunez.answers.json" in page.locator("#saved").inner_text()


ASKS = """() => {
    const leaving = new Event("beforeunload", { cancelable: true });
    dispatchEvent(leaving);
    return leaving.defaultPrevented;
}"""


def test_a_page_asks_before_it_is_left_only_while_something_is_not_saved(visit):
    page = visit(a_sheet("en")[1], accept_downloads=True)
    assert not page.evaluate(ASKS)
    page.locator("input[type=text]").first.fill("4")
    assert page.evaluate(ASKS)
    with page.expect_download():
        page.get_by_role("button").click()
    assert page.locator("#saved").inner_text()
    assert not page.evaluate(ASKS)
    page.locator("input[type=text]").first.fill("5")
    assert page.evaluate(ASKS)
    assert page.locator("#saved").inner_text() == ""


@pytest.mark.parametrize(("lang", "width", "dark"), [("en", 1280, False), ("es", 360, True)])
def test_everybody_can_use_a_sheet(visit, lang, width, dark):
    page = visit(a_sheet(lang)[1], width=width, dark=dark)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_sheet_and_a_handout_print_on_few_pages_of_a4(visit):
    with speaking("en"):
        paper = HANDOUTS[".html"](handout("overwrite", None, {}))
    for html, most in ((a_sheet("en")[1], 6), (paper, 3)):
        printed = visit(html).pdf(prefer_css_page_size=True)
        assert 1 <= printed.count(b"/Type /Page\n") <= most
        assert b"/MediaBox [0 0 594.95996 841.91998]" in printed or b"841" in printed
