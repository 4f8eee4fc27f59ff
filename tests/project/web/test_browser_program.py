"""A reader's own Python in the browser: micrograd's code, mistakes, loops without end, and no way out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from browser import Visits, axe, until
from leaks import LEAK, REFUSED, WAYS
from static_server import static_server

pytestmark = pytest.mark.slow
READY = "document.documentElement.dataset.python === 'ready'"
LONG = 180.0  # seconds for Python to start on a busy machine
TEXT = "document.querySelector('#editor').shadowRoot.querySelector('.cm-content').innerText"


@pytest.fixture(scope="module")
def visits(chromium, tmp_path_factory) -> Iterator[Visits]:
    found = Visits(chromium, tmp_path_factory.mktemp("pages"))
    yield found
    found.close()
    # Chromium's editing keeps the style of what is deleted, and is told that the policy forbids that.
    assert [said for said in found.complaints if "Applying inline style" not in said] == []


@pytest.fixture(scope="module")
def page(visits, site):
    """One page for all tests of this file: Python is started once."""
    found = visits(site.address + "program.html")
    until(found, READY, LONG)
    return found


def run(page, source: str, words: str, where: str = "printed", seconds: float = 60.0) -> str:
    """Paste a program, run it by keyboard, and wait for words in a part of the page."""
    page.evaluate(f"() => {{ document.getElementById('{where}').textContent = ''; }}")
    page.locator("#editor").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(source)
    page.keyboard.press("Control+Enter")
    until(page, f"document.getElementById('{where}').textContent.includes({words!r})", seconds)
    return str(page.inner_text(f"#{where}"))


def test_micrograds_own_example_is_explained_before_python_is_there(visits, site, tmp_path, folder):
    page = visits(site.address + "program.html")
    until(page, "document.querySelector('#player .player') !== null", 30)
    assert page.inner_text("#printed").split() == ["24.7041", "138.8338", "645.5773"]
    assert "g += 10.0 / f" in page.evaluate(TEXT)
    page.context.close()


def test_a_program_is_run_as_it_stands_and_its_nodes_lead_to_its_lines(page):
    source = "from micrograd.engine import Value\na = Value(3.0)\nb = a * a\nL = b + a\nprint(L.data)\n"
    run(page, source, "12.0")
    until(page, "document.querySelectorAll('#player svg.drawing [data-node]').length === 3")
    page.locator("#player svg.drawing [data-node='1']").first.click()  # b
    marked = "document.querySelector('#editor').shadowRoot.querySelector('.playing')?.textContent"
    until(page, f"{marked} === 'a * a'")
    page.locator("#editor").click(position={"x": 60, "y": 50})  # line 2: a
    until(page, "document.querySelector('#player .chosen [data-number], #player .chosen') !== null")


def test_the_graph_goes_on_to_the_studio(page):
    run(page, "from minigrad import Value\nx = Value(4.0)\ny = x.sqrt() * x\nprint('drawn')\n", "drawn")
    link = page.get_attribute("#bench a", "href")
    assert link.startswith("index.html#")


def test_a_mistake_is_told_with_its_line_and_marked(page):
    said = run(page, "a = 1\nb = a / 0\n", "ZeroDivisionError", "remark")
    assert said.startswith("line 2:")
    mistake = "document.querySelector('#editor').shadowRoot.querySelector('.mistake')?.textContent"
    until(page, f"{mistake} === 'a / 0'")


def test_a_library_that_no_browser_has_gets_a_helpful_sentence(page):
    assert "from minigrad import Value" in run(page, "import torch\n", "torch", "remark")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def f(n):\n    return f(n + 1)\nf(0)\n", "RecursionError"),
        ("while True:\n    print('x' * 1_000_000)\n", "100,000 characters"),
        ("x = [0] * (1 << 29)\ny = [x * 2]\n", "MemoryError"),
        ("while True:\n    pass\n", "longer than 10 s"),
    ],
    ids=["recursion", "output", "memory", "loop"],
)
def test_what_does_not_end_is_ended_and_the_page_goes_on(page, source, words):
    run(page, source, words, "remark", LONG)
    run(page, f"print({words[:4]!r} * 3)\n", words[:4] * 3, seconds=LONG)


def test_a_program_reaches_no_network_from_python_either(page, visits, site, tmp_path):
    with static_server(tmp_path) as elsewhere:
        for server in (elsewhere, site):
            before = len(server.asked)
            said = run(page, LEAK.replace("ADDRESS", server.address + "leak?"), f"tried|{WAYS}")
            for name in REFUSED:
                assert f"{name} refused" in said
            page.wait_for_timeout(1500)  # for what is tried later
            assert [path for path in server.asked[before:] if "leak" in path] == []
            run(page, "print('between')\n", "between")
    visits.complaints.clear()  # of what was refused, and of what Python says of it


def test_a_program_that_comes_with_a_link_is_shown_and_waits_for_a_click(visits, site):
    from base64 import urlsafe_b64encode

    source = "print('run by ' + 'nobody')\n"
    page = visits(site.address + "program.html#" + urlsafe_b64encode(source.encode()).decode().rstrip("="))
    until(page, READY, LONG)
    until(page, "document.getElementById('state').textContent.includes('came with the link')")
    assert "nobody" in page.evaluate(TEXT)
    assert page.inner_text("#printed") == ""
    page.click("#run")
    until(page, "document.getElementById('printed').textContent.includes('run by nobody')", 60)
    page.context.close()


def test_the_page_speaks_spanish(page):
    page.click("#languages [value=es]")
    assert page.inner_text("#run") == "Ejecutar"
    assert "no termina" not in run(page, "1 / 0\n", "línea 1", "remark")
    page.click("#languages [value=en]")


@pytest.mark.parametrize(("width", "dark"), [(390, False), (1280, True), (1920, False)])
def test_it_is_for_everybody_and_fits_every_window(visits, site, width, dark):
    page = visits(site.address + "program.html", width=width, dark=dark, height=900)
    until(page, "document.querySelector('#player .player') !== null", 30)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.context.close()
