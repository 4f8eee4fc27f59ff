"""The page of a run that is watched: what it holds, what it costs, and how it behaves in a browser."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import re
import time
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

import html5lib
import pytest

from browser import axe, until
from minigrad.text.translation import LANGUAGES, say, speaking
from minigrad.training import watch_page as watching
from minigrad.training.health import Health, HealthFinding
from minigrad.training.network_drawing import units_of_mlp
from minigrad.training.page_frame import page_of
from minigrad.training.run import Run
from minigrad.training.settings import defaults
from minigrad.training.watch_page import Watch


def moons(**wishes: Any) -> Run:
    return Run(defaults("moons", **{"steps": 6, "points": 12, "hidden": (3,), **wishes}))


def names(**wishes: Any) -> Run:
    return Run(defaults("names", **{"steps": 4, "width": 4, "heads": 2, "block": 4, **wishes}))


class Clock:
    """A time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def watched(run: Run, path: Path, **how: Any) -> Watch:
    """A run to its end, with a picture of every step: no time passes."""
    watch = Watch(path, run, clock=Clock(), **how)
    while not run.finished:
        watch.step(run.advance())
    return watch


def data_of(page: str) -> dict[str, Any]:
    packed = re.search(r'id="minigrad-watch">([^<]*)</script>', page).group(1)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


# ---- what it promises ---------------------------------------------------------------------------


@pytest.mark.parametrize("make", [moons, lambda: names(dropout=0.3), lambda: names(batch=2)])
def test_a_run_that_is_watched_takes_the_same_steps(make, tmp_path):
    alone = make()
    while not alone.finished:
        alone.advance()
    run = make()
    watched(run, tmp_path / "run.html").finish()
    assert run.losses == alone.losses
    assert [p.data for p in run.parameters] == [p.data for p in alone.parameters]
    assert run.generator.getstate() == alone.generator.getstate()
    assert run.model.training


def test_there_is_a_picture_of_the_start_and_one_of_each_step(tmp_path):
    path = tmp_path / "run.html"
    watched(moons(), path).finish()
    found = data_of(path.read_text())
    assert [shot["step"] for shot in found["snapshots"]] == [0, 1, 2, 3, 4, 5, 6]
    assert found["state"] == "finished"
    *earlier, newest = found["snapshots"]
    assert all(shot["pictures"].keys() == {"boundary", "network", "layers"} for shot in earlier)
    assert newest["pictures"] == {}  # it stands in the page
    assert len({shot["pictures"]["network"] for shot in earlier}) == len(earlier)
    places = [shot["x"] for shot in found["snapshots"]]
    assert places == sorted(places)


def test_pictures_are_thinned_evenly(monkeypatch, tmp_path):
    monkeypatch.setattr(watching, "MOST", 4)
    run = moons(steps=4)
    watch = Watch(tmp_path / "run.html", run, clock=Clock())
    run.extend(40)
    for _ in range(40):
        watch.step(run.advance())
    steps = [shot.step for shot in watch.snapshots]
    assert steps[0] == 0
    assert 2 <= len(steps) <= 5
    gaps = {b - a for a, b in pairwise(steps)}
    assert len(gaps) == 1


def test_a_page_is_written_at_most_every_second_and_a_half(monkeypatch, tmp_path):
    clock, written = Clock(), []
    monkeypatch.setattr(watching, "write_whole", lambda path, text: written.append(clock.now))
    run = moons(steps=16)
    watch = Watch(tmp_path / "run.html", run, clock=clock)
    while not run.finished:
        watch.step(run.advance())
        clock.now += 0.25
    assert written == [100.0 + 1.5 * i for i in range(3)]


def test_a_page_that_takes_long_is_written_less_often(monkeypatch, tmp_path):
    clock, written = Clock(), []

    def write(path: Path, text: str) -> None:
        written.append(clock.now)
        clock.now += 2.0

    monkeypatch.setattr(watching, "write_whole", write)
    run = moons(steps=27)
    watch = Watch(tmp_path / "run.html", run, clock=clock)
    while not run.finished:
        watch.step(run.advance())
        clock.now += 1.0
    assert written == [100.0, 122.0]  # two seconds of twenty-two


def spent_on_pictures(
    run: Run, path: Path, monkeypatch: Any, step: float, picture: float
) -> tuple[int, float]:
    """How many pictures are taken, and the part of the time that they take, where each costs so much."""
    clock = Clock()
    watch = Watch(path, run, clock=clock)
    first = watch.snapshots[0]

    def snapshot(self: Watch, cells: Any = None) -> Any:
        clock.now += picture
        return first

    monkeypatch.setattr(Watch, "_snapshot", snapshot)
    monkeypatch.setattr(watching, "write_whole", lambda path, text: None)
    monkeypatch.setattr(watching, "_page", lambda *_: "")
    watch._due = float("inf")
    while not run.finished:
        clock.now += step
        watch.step(run.advance())
    return len(watch.snapshots) - 1, watch.spent / (clock.now - 100.0)


def test_pictures_take_a_quarter_of_a_long_run_and_seconds_of_a_short_one(monkeypatch, tmp_path):
    path = tmp_path / "run.html"
    count, part = spent_on_pictures(moons(steps=40), path, monkeypatch, step=1.0, picture=2.0)
    assert 0.2 <= part <= 0.3
    count, part = spent_on_pictures(moons(steps=40), path, monkeypatch, step=0.001, picture=0.2)
    assert 9 <= count <= 12  # two seconds


def test_both_pictures_of_a_gradient_show_what_a_reader_finds_in_grad(tmp_path):
    run = moons(steps=3, hidden=(2,), regularisation=0.5, clip=0.1)
    watch = Watch(tmp_path / "run.html", run, clock=Clock())
    watch.step(run.advance())
    shot = watch.snapshots[-1]
    for layer, values in run.layers.items():
        assert shot.gradients[layer][0] == pytest.approx(sqrt(fmean(v.grad**2 for v in values)), rel=1e-12)
        assert shot.gradients[layer][1] == pytest.approx(sqrt(fmean(v.data**2 for v in values)), rel=1e-12)
    for unit, neuron in zip(units_of_mlp(run.model)[0], run.model.layers[0].neurons, strict=True):
        assert unit.grad == pytest.approx(sqrt(fmean(v.grad**2 for v in (*neuron.w, neuron.b))), rel=1e-12)


def test_a_ring_without_a_bar_cannot_be(tmp_path):
    """A solved run: the record's gradients, of the data alone, are 0, those of the page are not."""
    run = moons(steps=400, points=4, noise=0.0, hidden=(4,))
    record = run.advance()
    while not run.finished and any(size for size, _ in record.gradients.values()):
        record = run.advance()
    assert not any(size for size, _ in record.gradients.values())
    watch = Watch(tmp_path / "run.html", run, clock=Clock())
    watch.record = record
    shot = watch._snapshot()
    rings = sum(unit.grad > 0.0 for layer in units_of_mlp(run.model) for unit in layer)
    assert rings > 0
    assert all(size > 0.0 for size, _ in shot.gradients.values())


def test_forty_pictures_fit(tmp_path):
    run = moons(steps=78, points=4, hidden=(1,))  # every second step, and the start
    assert [shot.step for shot in watched(run, tmp_path / "run.html").snapshots] == [*range(0, 79, 2)]


@pytest.mark.parametrize("state", ["finished", "stopped", "broken"])
def test_the_end_is_told(state, tmp_path):
    path = tmp_path / "run.html"
    run = moons()
    watch = Watch(path, run)
    watch.step(run.advance())
    if state == "finished":
        while not run.finished:
            watch.step(run.advance())
    if state == "broken":
        run.parameters[0].data = float("inf")
        watch.step(run.advance())
    watch.finish()
    page = path.read_text()
    assert f'class="state {state}"' in page
    assert data_of(page)["state"] == state
    assert ('class="cross"' in page) == (state == "broken")  # the curve ends with the loss that is no number
    assert 'http-equiv="refresh"' not in page


def test_the_page_shows_the_newest_picture_and_what_is_right_by_now(tmp_path):
    path = tmp_path / "run.html"
    watch = watched(moons(), path)
    watch.finish()
    page = path.read_text()
    *_, before, newest = watch.snapshots
    for name in ("network", "boundary"):
        assert newest.pictures[name] != before.pictures[name]
    assert newest.pictures["network"] in page
    assert before.pictures["network"] not in page
    assert f"<dd>{newest.right.partition('(')[2].rstrip(')')}</dd>" in page


def test_a_step_that_was_not_taken_is_no_reason_to_keep_the_picture_before_it(tmp_path):
    run = moons()
    watch = Watch(tmp_path / "run.html", run, clock=Clock())
    watch.step(run.advance())
    kept = watch.snapshots[-1]
    assert watch._newest() is kept
    run.parameters[0].data = float("inf")
    watch.step(run.advance())
    assert watch._newest() is not kept


def test_a_page_of_an_unfinished_run_renews_itself_without_scripts(tmp_path):
    path = tmp_path / "run.html"
    watch = Watch(path, moons())
    watch.write("training")
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in path.read_text()


def test_a_folder_that_is_gone_is_an_error_of_the_system_and_an_old_page_stays(monkeypatch, tmp_path):
    run = moons()
    with pytest.raises(FileNotFoundError):
        Watch(tmp_path / "nowhere" / "run.html", run).finish()
    path = tmp_path / "run.html"
    path.write_text("old")
    monkeypatch.setattr(watching, "_page", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Watch(path, run).finish()
    assert path.read_text() == "old"


def test_findings_stand_on_the_page_and_at_their_layer(tmp_path):
    path = tmp_path / "run.html"
    run = moons()
    numbers = {"size": 1e-9, "reached": 1.0, "times": 1e9}
    findings = [HealthFinding("vanishing", 2, "layers.0", numbers)]
    watch = watched(run, path, findings=findings)
    watch.finish()
    page = path.read_text()
    assert findings[0].words() in page
    assert f"▲ {say('layers.vanishing')}" in page
    assert say("watch.well") not in page


def test_the_list_of_health_is_followed(tmp_path):
    run = moons()
    health = Health(run)
    watch = Watch(tmp_path / "run.html", run, health.findings)
    health.findings.append(HealthFinding("flat", 1, "", {"start": 1.0, "end": 1.0}))
    watch.finish()
    assert health.findings[0].words() in (tmp_path / "run.html").read_text()


def test_a_language_shows_what_it_writes_and_its_chain(tmp_path):
    path = tmp_path / "run.html"
    watched(names(), path).finish()
    page = path.read_text()
    shots = data_of(page)["snapshots"]
    assert all(len(shot["samples"]) == watching.SAMPLES for shot in shots)
    assert page.count("<li>") >= watching.SAMPLES
    assert "blocks.0.up" in page
    assert 'data-picture="boundary"' not in page


# ---- the file -----------------------------------------------------------------------------------


def test_the_policy_names_the_one_script_and_the_one_style_sheet(tmp_path):
    path = tmp_path / "run.html"
    watched(moons(), path).finish()
    page = path.read_text()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page).group(1)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    body = {
        "script-src": re.search(r"<script>(.*)</script>", page, re.S).group(1),
        "style-src": re.search(r"<style>(.*?)</style>", page, re.S).group(1),
    }
    assert rules["default-src"] == "'none'"
    for kind, text in body.items():
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[kind] == f"'sha256-{digest}'"
    assert not re.search(r'\b(?:src|href)="(?!data:)', page)
    assert "style=" not in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_is_html_in_its_language(lang, tmp_path):
    path = tmp_path / "run.html"
    with speaking(lang):
        watched(moons(), path).finish()
        title = say("watch.title", task="moons")
    page = path.read_text()
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    assert tree.get("lang") == lang
    assert f"<h1>{title}</h1>" in page


def test_a_page_without_a_script_allows_none():
    page = page_of("<i>title</i>", "<p>body</p>")
    assert "script-src 'none'" in page
    assert "<script" not in page
    assert "<title>&lt;i&gt;title&lt;/i&gt;</title>" in page


def test_the_name_of_a_file_and_what_is_in_it_are_text(tmp_path):
    data = tmp_path / "<img src=x onerror=alert(1)>.txt"
    data.write_text("</script><b>\n<b></script>\n" * 3)
    path = tmp_path / "run.html"
    watched(Run(defaults("text", data=str(data), steps=1, width=4, heads=1, block=4, batch=1)), path).finish()
    page = path.read_text()
    assert "<img" not in page
    assert "<b>" not in page
    assert len(re.findall("<script", page)) == 2


def test_a_thousand_steps_of_the_usual_network_stay_far_below_the_limit(tmp_path):
    path = tmp_path / "run.html"
    run = Run(defaults("moons", steps=1000))
    watch = Watch(path, run)
    for _ in range(8):
        run.losses.append(run.advance().loss)
        watch.snapshots.append(watch._snapshot())
    run.losses = [1.0 / (1 + i % 97) for i in range(1000)]
    watch.write("stopped")
    page = path.read_text()
    rest = len(page) - len(re.search(r'id="minigrad-watch">([^<]*)<', page).group(1))
    pictures = (len(page) - rest) / 8  # packed together, they share little
    assert rest + pictures * watching.MOST < 1_500_000


# ---- in a browser -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("watch") / "run.html"
    with speaking("en"):
        watched(moons(), path).finish()
    return path


@pytest.fixture(scope="module")
def text_run(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("watch") / "names.html"
    with speaking("en"):
        watched(names(), path).finish()
    return path


OUTPUT = "document.querySelector('.reel output').textContent"
NETWORK = "document.querySelector('[data-picture=network]').innerHTML"
CURSOR = "document.querySelector('[data-cursor]').getAttribute('transform')"
READY = "!document.querySelector('.reel').hidden"


def test_the_slider_goes_through_the_pictures(visit, finished):
    page = visit(finished.as_uri())
    until(page, READY)
    newest, cursor = page.evaluate(NETWORK), page.evaluate(CURSOR)
    assert "step 6" in page.evaluate(OUTPUT)
    slider = page.locator(".reel input")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    until(page, f"{OUTPUT}.includes('step 5')")
    assert page.evaluate(NETWORK) != newest
    assert page.evaluate(CURSOR) != cursor
    assert page.url.endswith("#step-5")
    page.keyboard.press("Home")
    until(page, f"{OUTPUT} === 'step 0'")
    page.locator(".follow").click()
    until(page, f"{OUTPUT}.includes('step 6')")
    assert page.evaluate(NETWORK) == newest
    assert "#" not in page.url


def test_arrows_work_without_the_slider(visit, finished):
    page = visit(finished.as_uri())
    until(page, READY)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    until(page, f"{OUTPUT}.includes('step 4')")


def test_playing_goes_to_the_end_and_stops(visit, finished):
    page = visit(finished.as_uri() + "#step-3")
    until(page, f"{READY} && {OUTPUT}.includes('step 3')")
    page.locator(".turn").click()
    assert page.locator(".turn").text_content() == say("watch.pause")
    until(page, f"{OUTPUT}.includes('step 6')")
    until(page, f"document.querySelector('.turn').textContent === {json.dumps(say('watch.play'))}")


def test_the_samples_go_with_the_slider(visit, text_run):
    page = visit(text_run.as_uri())
    until(page, READY)
    shots = data_of(text_run.read_text())["snapshots"]
    page.keyboard.press("ArrowLeft")
    shown = page.evaluate("[...document.querySelectorAll('[data-samples] li')].map((li) => li.textContent)")
    assert shown == [text or "—" for text in shots[-2]["samples"]]


def test_while_training_the_page_renews_itself_unless_an_earlier_picture_is_looked_at(visit, tmp_path):
    path = tmp_path / "run.html"
    run = moons()
    watch = Watch(path, run)
    watch.step(run.advance())
    following, looking = visit(path.as_uri()), visit(path.as_uri() + "#step-0")
    until(following, f"{READY} && {OUTPUT}.includes('step 1')")
    until(looking, f"{READY} && {OUTPUT} === 'step 0'")
    following.locator(".turn").focus()
    watch.step(run.advance())
    watch.write("training")
    following.locator(".reel output", has_text="step 2").wait_for()
    following.locator(".turn:focus").wait_for()
    assert looking.evaluate(OUTPUT) == "step 0"
    assert looking.evaluate("document.querySelector('.figures dd').textContent") == "1 of 6"  # not renewed
    looking.locator(".follow").click()
    looking.locator(".reel output", has_text="step 2").wait_for()


def test_a_page_that_has_not_changed_for_long_says_so(visit, tmp_path):
    path = tmp_path / "run.html"
    Watch(path, moons()).write("training")
    before = time.time() - 3600
    os.utime(path, (before, before))
    page = visit(path.as_uri())
    until(page, f"{READY} && document.querySelector('.reel .remark').textContent.length > 0")
    assert page.locator(".reel .remark").text_content() == say("watch.stale")


def test_without_scripts_the_newest_picture_is_there(visit, finished):
    page = visit(finished.as_uri(), java_script_enabled=False)
    assert page.locator("[data-picture] svg").count() == 4
    assert page.locator(".reel").is_hidden()
    assert page.locator("noscript p").is_visible()


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)])
@pytest.mark.parametrize("which", ["finished", "text_run"])
def test_everybody_can_use_it_and_nothing_is_cut_off(which, width, dark, visit, request):
    page = visit(request.getfixturevalue(which).as_uri(), width=width, dark=dark)
    until(page, READY)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
