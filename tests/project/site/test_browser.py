"""The site in a browser: it loads nothing from elsewhere, can be used by everybody, and answers."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from browser import axe, until

pytestmark = pytest.mark.slow


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture(scope="module")
def home(site) -> Iterator[str]:
    """Where the site is served, to this machine alone."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("page", "width", "dark"),
    [
        ("en/index", 1280, False),
        ("es/course/04-diamonds", 360, True),
        ("en/catalogue/overwrite", 360, False),
        ("es/reference/graph", 1280, True),
    ],
)
def test_pages_are_for_everybody_and_fit_their_window(visit, home, page, width, dark):
    opened = visit(f"{home}/{page}.html", width=width, dark=dark, reduced=True)
    assert axe(opened) == []
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


def test_a_checkpoint_names_the_mistake_and_takes_the_right_answer(visit, home):
    """By hand: a gets 1 via d and -3 via c, and b gets 1 via d and 2 via c."""
    page = visit(f"{home}/en/course/04-diamonds.html")
    form = page.locator('form[data-question="diamonds/what-is-right"]')
    said = form.locator(".judgement")
    form.locator("input[name=a]").fill("1")
    form.locator("input[name=b]").fill("1")
    form.locator("button").click()
    assert "wrong" in said.get_attribute("class")
    assert "=" in said.inner_text()
    form.locator("input[name=a]").fill("-2")
    form.locator("input[name=b]").fill("3")
    form.locator("button").click()
    assert "right" in said.get_attribute("class")


def test_a_player_starts_in_its_frame_and_takes_the_colours_of_the_page(visit, home):
    page = visit(f"{home}/es/course/04-diamonds.html")
    frame = page.locator(".player-frame iframe").first
    frame.scroll_into_view_if_needed()
    inside = frame.content_frame
    inside.locator("text=Los gradientes de L").first.wait_for()
    page.evaluate("document.body.dataset.theme = 'dark'")
    root = "document.querySelector('.player-frame iframe').contentDocument.documentElement"
    until(page, f"{root}.dataset.theme === 'dark'")


@pytest.mark.parametrize(("lang", "word"), [("en", "overwrite"), ("es", "semilla")])
def test_the_search_finds_pages_without_a_server_of_its_own(visit, home, lang, word):
    page = visit(f"{home}/{lang}/search.html?q={word}")
    until(page, "document.querySelectorAll('#search-results li a').length > 3")


def test_each_page_leads_to_itself_in_the_other_language(visit, home):
    page = visit(f"{home}/en/catalogue/overwrite.html")
    page.locator(".language-here a").click()
    page.wait_for_url("**/es/catalogue/overwrite.html")
    page.locator(".language-here a").click()
    page.wait_for_url("**/en/catalogue/overwrite.html")


@pytest.mark.parametrize(("wish", "lang"), [("es-AR", "es"), ("en-GB", "en"), ("de-DE", "en")])
def test_the_front_door_chooses_the_language_of_the_reader(visit, home, wish, lang):
    page = visit(f"{home}/index.html", locale=wish)
    page.wait_for_url(f"**/{lang}/index.html")


def test_a_page_that_loads_from_elsewhere_is_caught(visit, home):
    page = visit(f"{home}/en/ops.html")
    page.evaluate("document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.1:9/a.png'}))")
    page.wait_for_timeout(100)
    assert any("request to http://127.0.0.1:9/" in words for words in visit.complaints)
    visit.forgive()
