"""The doctor in the browser: a bug and its line in both languages, engines that do not end, no way out."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator

import pytest

from browser import Visits, axe, until
from leaks import TRIES
from source_trees import ROOT
from static_server import static_server

pytestmark = pytest.mark.slow
READY = "document.documentElement.dataset.python === 'ready'"
LONG = 180.0  # seconds, on a busy machine
BROKEN = (ROOT / "docs" / "patients" / "engine.py").read_text("utf-8")
ENGINE = "class Value:\n    HARM\n    def __add__(self, other):\n        return self\n"
REPORTED = "document.querySelector('#report h1') !== null"


@pytest.fixture(scope="module")
def visits(chromium, tmp_path_factory) -> Iterator[Visits]:
    found = Visits(chromium, tmp_path_factory.mktemp("pages"))
    yield found
    found.close()
    assert found.complaints == []


@pytest.fixture(scope="module")
def page(visits, site):
    """One page for all tests of this file; it keeps how each job has ended, as `ended`."""
    found = visits(site.address + "doctor.html")
    until(found, READY, LONG)
    found.evaluate(
        """() => {
          const run = EngineWorkers.prototype.run;
          globalThis.ended = [];
          globalThis.hasty = false; // are jobs ended soon?
          EngineWorkers.prototype.run = async function (jobs) {
            if (hasty) for (const job of jobs) [job.seconds, job.slower] = [4, 0.2];
            const found = await run.call(this, jobs);
            ended.push(...found);
            return found;
          };
        }"""
    )
    return found


def examine(page, source: str, name: str = "engine.py") -> str:
    """Open a file, and wait for what comes of it."""
    page.evaluate("() => { document.getElementById('report').replaceChildren(); ended.length = 0; }")
    page.set_input_files("#file", {"name": name, "mimeType": "text/plain", "buffer": source.encode()})
    until(page, f"{REPORTED} || document.querySelector('#remark p') !== null", LONG)
    return str(page.inner_text("#report") + page.inner_text("#remark"))


def test_a_bug_is_named_with_its_line_and_the_report_speaks_both_languages(page):
    said = examine(page, BROKEN)
    assert "WRONG: one bug; 205 of 216 probes came out right." in said
    assert "confirmed by changing line 39" in said
    marked = "document.querySelector('#editor').shadowRoot.querySelector('.mistake')?.textContent"
    until(page, f"{marked} === 'self.grad = n * self.data ** (n - 1) * out.grad'")
    assert {job["kind"] for job in page.evaluate("ended")} == {"finished"}
    assert axe(page) == []
    page.click("#languages [value=es]")
    assert "confirmado al cambiar la línea 39" in page.inner_text("#report")
    assert page.inner_text("#examine") == "Examinar"
    page.click("#languages [value=en]")
    with page.expect_download() as saved:
        page.click("#save")
    assert "one bug" in saved.value.path().read_text("utf-8")
    page.locator("#editor").click()
    page.keyboard.insert_text("#")
    assert page.is_visible("#stale")


REACHES = """
import urllib.request
def tried(act):
    try:
        act()
    except BaseException as error:
        return type(error).__name__
    return "through"
print(tried(lambda: __import__("js")), tried(lambda: urllib.request.urlopen("ADDRESS", timeout=2)))
"""


def test_what_runs_in_the_engines_worker_reaches_no_network(page, visits, site, tmp_path):
    """From JavaScript too: an engine is not offered it, but might come to it."""
    examine(page, ENGINE.replace("HARM", "pass"))  # the worker is there now
    with static_server(tmp_path) as elsewhere:
        for server in (elsewhere, site):
            before = len(server.asked)
            examine(
                page, ENGINE.replace("HARM", f"exec({REACHES.replace('ADDRESS', server.address)!r}, {{}})")
            )
            [printed] = [job["output"] for job in page.evaluate("ended")]
            assert printed == "ModuleNotFoundError URLError\n"
            for worker in page.workers:
                tried = worker.evaluate(TRIES, server.address + "leak?")
                assert set(tried.values()) == {"refused"}, tried
            assert [path for path in server.asked[before:] if "leak" in path] == []
    visits.complaints.clear()  # of what was refused


@pytest.mark.parametrize(
    ("source", "words", "kind"),
    [
        ("while True:\n    pass\n", "took too long", "finished"),
        ("sum(range(1 << 60))\n", "time on the processor", "cpu"),
        ("text = 'x' * 1_000_000\nwhile True:\n    print(text)\n", "wrote more than it may", "output"),
        ("import os\nos._exit(3)\n", "exit code 3", "exit"),
    ],
    ids=["loop", "loop in C", "output", "exit"],
)
def test_what_does_not_end_is_ended_and_explained(page, source, words, kind):
    page.evaluate(f"() => {{ hasty = {json.dumps(kind != 'output')}; }}")
    said = examine(page, ENGINE.replace("HARM", f"exec({source!r}, {{}})"))
    page.evaluate("() => { hasty = false; }")
    assert "NOT EXAMINED" in said
    assert words in said
    assert [job["kind"] for job in page.evaluate("ended")] == [kind]


def test_an_examination_can_be_stopped_and_what_is_no_engine_is_said_to_be_none(page):
    page.set_input_files("#file", {"name": "e.py", "mimeType": "text/plain", "buffer": BROKEN.encode()})
    page.click("#stop")
    assert page.inner_text("#state") == "The examination was stopped."
    assert not page.is_visible("#stop")
    assert "no engine that can be read here" in examine(page, "x", "engine.png")
    assert "nothing to examine" in examine(page, "   ")


def test_an_engine_that_comes_with_a_link_waits_for_a_click(visits, site):
    link = urlsafe_b64encode(BROKEN.encode()).decode().rstrip("=")
    page = visits(site.address + "doctor.html#" + link, width=390, dark=True)
    until(page, "document.getElementById('state').textContent.includes('came with the link')", 60)
    assert not page.evaluate(REPORTED)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(page) == []
    page.context.close()
