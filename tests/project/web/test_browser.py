"""The site in a real browser, which reaches nothing but the folder: played, typed at, offline, fenced in."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from browser import Visits, axe, until
from leaks import TRIES
from static_server import StaticServer, static_server
from studio_page import RIGHT, SECOND

pytestmark = pytest.mark.slow
READY = "document.documentElement.dataset.python === 'ready'"
LONG = 180.0  # seconds for Python to start on a busy machine


def gradients(page) -> dict[str, str]:
    return page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('.input')].map(row =>"
        " [row.querySelector('.name').textContent, row.querySelector('.grad')?.textContent]))"
    )


def until_gradients(page, expected: dict[str, str], seconds: float = 60.0) -> None:
    pairs = ",".join(f"{name}={grad}" for name, grad in expected.items())
    until(
        page,
        "[...document.querySelectorAll('.input')].map(row => `${row.querySelector('.name').textContent}="
        f"${{row.querySelector('.grad')?.textContent}}`).join() === {pairs!r}",
        seconds,
    )


@pytest.fixture(scope="module")
def visits(chromium, tmp_path_factory) -> Iterator[Visits]:
    found = Visits(chromium, tmp_path_factory.mktemp("pages"))
    yield found
    found.close()
    assert found.complaints == []


@pytest.fixture(scope="module")
def page(visits, site):
    """One page for all tests of this file: Python is started once."""
    found = visits(site.address)
    until(found, READY, LONG)
    return found


def test_the_classic_example_is_drawn_and_plays_before_python_is_there(visit, site, folder, tmp_path):
    """On a site that has no Python to give."""
    bare = tmp_path / "bare"
    shutil.copytree(folder, bare, ignore=shutil.ignore_patterns("python", "service_worker.js"))
    with static_server(bare) as server:
        page = visit(server.address)
        until_gradients(page, RIGHT)
        page.click(".player button.play, .player [data-say-label='player.play']")
        page.keyboard.press("Home")
        assert page.locator("#player svg.drawing").is_visible()
        until(page, "document.querySelector('.loading').textContent.includes('tried again')", 30)
        page.fill("#statements", "a = 2\nL = a*a")
        until(page, "!document.getElementById('banner').hidden", 30)
    visit.forgive()  # what is missing was asked for


def test_statements_are_answered_by_python_in_the_browser(page):
    page.fill("#statements", "a = 2\nL = a*a*a")
    until_gradients(page, {"a": "12"})
    page.fill("#statements", SECOND)
    until_gradients(page, RIGHT)


def test_a_mistake_is_told_at_its_place(page):
    page.fill("#statements", "a = 2\nL = a $ 3")
    page.wait_for_selector(".mistake", timeout=30_000)
    page.fill("#statements", SECOND)
    until_gradients(page, RIGHT)


def test_a_question_that_takes_too_long_costs_its_worker_and_not_the_page(page):
    """Nothing is answered in a thousandth of a second: the worker is ended, and another takes its place."""
    page.evaluate("() => { document.querySelector('iframe').id = 'first'; SECONDS.explain = 0.001; }")
    page.fill("#statements", "z = 5\nL = z*z")
    until(page, "document.getElementById('remark').textContent.includes('longer than 0.001 s')", 60)
    page.evaluate("() => { delete SECONDS.explain; }")
    page.fill("#statements", "z = 5\nL = z*z*z")
    until_gradients(page, {"z": "75"}, LONG)
    assert page.locator("iframe#first").count() == 0


def test_what_runs_beside_python_reaches_no_network_not_even_its_own_site(page, visits, site, tmp_path):
    """Each way is tried in the worker, where readers' programs run; the same ways do work in a plain page."""
    with static_server(tmp_path) as elsewhere:
        for server in (elsewhere, site):
            before = len(server.asked)
            tried = page.workers[0].evaluate(TRIES, server.address + "leak?")
            assert set(tried.values()) == {"refused"}, tried
            assert len(tried) == 8
            assert [path for path in server.asked[before:] if "leak" in path] == []
    visits.complaints[:] = [said for said in visits.complaints if "leak" not in said]  # of what was refused


def test_the_ways_of_that_test_do_reach_a_server_where_no_policy_forbids_it(chromium, tmp_path):
    (tmp_path / "plain.html").write_text("<!doctype html><title>plain</title>")
    with static_server(tmp_path) as elsewhere:
        context = chromium.new_context()
        plain = context.new_page()
        plain.goto(elsewhere.address + "plain.html")
        worker = (
            "(tries, address) => new Promise(done => {"
            "const program = `onmessage = async ({data}) => postMessage(await (${tries})(data))`;"
            "const worker = new Worker(URL.createObjectURL(new Blob([program])));"
            "worker.onmessage = ({data}) => done(data); worker.postMessage(address); })"
        )
        plain.evaluate(f"address => ({worker})({TRIES!r}, address)", elsewhere.address + "leak?")
        context.close()
        reached = {path.partition("?")[2] for path in elsewhere.asked if "leak" in path}
        ways = {"fetch", "XMLHttpRequest", "WebSocket", "EventSource", "import", "importScripts", "Worker"}
        assert reached == ways | {"FontFace"}


def test_python_has_no_origin_so_that_it_reaches_nothing_that_the_site_keeps(page):
    found = page.workers[0].evaluate(
        """async () => {
          const refused = async (act) => { try { await act(); return false; } catch { return true; } };
          return {
            origin: self.origin,
            caches: await refused(() => caches.keys()),
            stored: await refused(() => new Promise((done, failed) => {
              const asked = indexedDB.open("x");
              asked.onsuccess = done;
              asked.onerror = failed;
            })),
          };
        }"""
    )
    assert found == {"origin": "null", "caches": True, "stored": True}


def test_the_second_visit_needs_no_connection(visit, folder):
    server = StaticServer(folder)
    try:
        page = visit(server.address)
        kept = "navigator.serviceWorker.getRegistration().then(found => found?.active?.state === 'activated')"
        until(page, kept, LONG)
    finally:
        server.end()
    page.goto(server.address)  # nobody is there any more
    until(page, READY, LONG)
    page.fill("#statements", "a = 3\nL = a*a")
    until_gradients(page, {"a": "6"})
    page.goto(server.address + "index.html")
    until_gradients(page, {"a": "6"})


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious_while_python_loads(visit, site, dark):
    page = visit(site.address, dark=dark)
    page.wait_for_selector(".loading:not([hidden])", timeout=30_000)
    assert axe(page) == []
    visit.close()


def test_dragging_asks_nobody_and_numbers_follow(page):
    page.fill("#statements", "a = 2\nL = a*a*a")
    until_gradients(page, {"a": "12"})
    page.evaluate(
        "() => { const range = document.querySelector('.input input[type=range]'); range.focus();"
        " range.value = '3'; range.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    assert gradients(page) == {"a": "27"}
    page.click("#reset")
    until_gradients(page, {"a": "12"})


def test_the_bug_of_a_broken_diamond_is_named(page):
    """Typed, broken, and its numbers diagnosed: a worker of its own does what may take long."""
    page.fill("#statements", "a = 2\nb = -3\nc = a*b\nd = a + b\ne = c + d")
    until_gradients(page, {"a": "-2", "b": "3"})
    page.click("#tab-break")
    page.wait_for_selector('[data-fault="overwrite"]', timeout=120_000)
    page.fill(".picker input", "overwrite")
    page.click('[data-fault="overwrite"]')
    page.wait_for_selector("[data-got]", timeout=60_000)
    until(page, "document.querySelectorAll('#player .pane').length === 2", 30)
    page.click("#tab-diagnose")
    page.fill("#observed-a", "1")
    page.fill("#observed-b", "1")
    page.keyboard.press("Enter")
    page.wait_for_selector(".findings h3", timeout=120_000)
    assert "= in place of +=" in page.inner_text("#panel-diagnose")
    assert page.locator("iframe").count() == 2
    page.click("#tab-break")
    page.get_by_role("button", name="Mend").click()
    until_gradients(page, {"a": "-2", "b": "3"})


def test_unit_one_is_learned_to_its_end_and_kept(visit, site):
    page = visit(site.address + "learn.html#en/data-and-grad")
    page.wait_for_selector(".checkpoint form", timeout=int(LONG * 1000))
    shows = page.locator(".checkpoint form [id$=-show]").all()
    assert len(shows) >= 2
    for show in shows:
        show.click()
        show.click()  # without an answer of ours
    until(page, "document.getElementById('done').textContent !== ''", 120)
    assert '"finished"' in page.evaluate("localStorage.getItem('minigrad.progress')")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save my progress").click()
    assert saved.value.suggested_filename == "minigrad-progress.json"
    page.reload()
    until(page, "document.querySelector('#units .sign.done') !== null", LONG)
    assert axe(page) == []


@pytest.mark.parametrize("width", [390, 1280, 1920])
@pytest.mark.parametrize("name", ["index", "learn"])
def test_pages_fit_every_window_and_speak_spanish(visit, site, name, width):
    page = visit(f"{site.address}{name}.html", width=width, height=900, locale="es-ES")
    until(page, "document.documentElement.lang === 'es'", LONG if name == "learn" else 30)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()
