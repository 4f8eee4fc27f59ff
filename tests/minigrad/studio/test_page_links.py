"""What a link to the studio holds, what survives a reload or a restart, and what is taken away as a file."""

import json

import pytest

from studio_page import RIGHT, SECOND, Desk, link_to
from studio_server import studio


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
