"""The report of a run for people: what stands where, and what is not broken into lines."""

from __future__ import annotations

import re
from math import exp
from pathlib import Path
from statistics import fmean

import pytest

from minigrad.nn.data import moons
from minigrad.text.numerals import show
from minigrad.text.page import Page
from minigrad.training import Run, defaults
from minigrad.training.health import HealthFinding
from minigrad.training.report_text import TrainingReport, lines_of_text
from minigrad.training.tasks import block_for
from sentences import sentence


def report(**parts: object) -> TrainingReport:
    run = Run(defaults("moons", points=8, hidden=(2,), steps=4))
    run.advance()
    return TrainingReport(run, **parts)


def test_a_command_is_one_line_however_narrow_the_page_is():
    lines = report(saved="a folder/of a run.safetensors").text(Page(width=30)).splitlines()
    assert "    minigrad train --resume 'a folder/of a run.safetensors'" in lines


def test_advice_is_set_in_below_its_finding():
    finding = HealthFinding("flat", 4, "", {"start": 1.0, "end": 1.0})
    lines = report(findings=[finding]).text(Page(width=60)).splitlines()
    first = next(at for at, line in enumerate(lines) if "step 4" in line.lower())
    advice = [line for line in lines[first:] if line.strip() and finding.advice().startswith(line.strip())]
    assert len(advice) == 1
    assert advice[0].startswith("    ")
    assert lines[first].startswith("  ")
    assert not lines[first].startswith("   ")


def test_a_picture_has_its_own_heading():
    lines = report(picture=["  ⠒⠒⠒"]).text(Page()).splitlines()
    assert lines[:2] == ["Picture", "  ⠒⠒⠒"]


def test_the_points_on_their_side_are_counted():
    found = report()
    right = sum(
        (found.run.task.score(*point) > 0.0) == (label > 0.0) for point, label in found.run.task.points
    )
    told = " ".join(found.text(Page()).split())
    assert 0 < right < 8
    assert re.search(sentence("telling.accuracy", right=right, all=8), told)


# ---- texts ----------------------------------------------------------------------------------------


def poems(tmp_path: Path, *lengths: int, **wishes: object) -> Run:
    path = tmp_path / "poems.txt"
    path.write_text("\n".join(chr(97 + at % 3) * length for at, length in enumerate(lengths)))
    sizes = {"width": 4, "heads": 2, "steps": 2, **wishes}
    return Run(defaults("text", data=str(path), **sizes))


def test_texts_that_are_cut_are_counted_with_the_end_of_a_text_as_a_token_of_its_own(tmp_path):
    """A block of 6 reads the boundary and five letters, and learns the end of a text of 5."""
    run = poems(tmp_path, 3, 5, 6, 9, block=6)
    assert run.task.cut == 2
    words = lines_of_text(run.task)
    assert re.search(sentence("telling.lines.cut", least=3, most=9, middle=6, block=6, cut=2, all=4), words)
    assert re.search(sentence("telling.lines", block=10), lines_of_text(poems(tmp_path, 3, 9, block=10).task))


def test_the_block_of_a_file_is_as_long_as_its_longest_text_and_no_longer_than_can_be_learned(tmp_path):
    for longest, block in ((3, 16), (20, 21), (63, 64), (500, 64)):
        path = tmp_path / "texts"
        path.write_text("ab\n" + "c" * longest)
        assert block_for(str(path)) == block
        run = Run(defaults("text", data=str(path), block=block, width=4, heads=2))
        assert run.task.cut == (longest >= block)


def test_what_is_held_out_is_not_trained_on_and_measured_by_hand(tmp_path):
    run = poems(tmp_path, *range(2, 22), held_out=0.2, block=24)
    task = run.task
    assert (len(task.documents), task.held_out().examples) == (16, 4)
    out = {chr(97 + at % 3) * length for at, length in enumerate(range(2, 22))} - {*task.documents}
    losses = [task.model.loss(task.vocabulary.encode(text)).data for text in out]
    assert task.held_out().loss == pytest.approx(fmean(losses))
    again = poems(tmp_path, *range(2, 22), held_out=0.2, block=24)
    assert again.task.documents == task.documents
    assert poems(tmp_path, *range(2, 22), held_out=0.2, block=24, seed=1).task.documents != task.documents


def test_nothing_is_held_out_of_two_texts_or_where_nobody_asked(tmp_path):
    assert poems(tmp_path, 3, 4).task.held_out() is None
    assert poems(tmp_path, *range(2, 22), held_out=0.0, block=24).task.held_out() is None


def test_the_probability_of_a_text_is_the_product_over_its_tokens(tmp_path):
    task = poems(tmp_path, 2, 3, block=6).task
    tokens, likely = task.vocabulary.encode("ab"), 1.0
    for row, token in zip(task.model.forward(tokens[:-1]), tokens[1:], strict=True):
        sizes = [exp(score.data) for score in row]
        likely *= sizes[token] / sum(sizes)
    assert task.probability("ab") == pytest.approx(likely)


def test_samples_stand_beside_their_probabilities(tmp_path):
    run = poems(tmp_path, 2, 3, block=6)
    run.advance()
    text = TrainingReport(run, samples=["ab", "a"]).text(Page())
    for sample in ("ab", "a"):
        assert re.search(rf"\b{sample} +{re.escape(show(run.task.probability(sample), 2))}", text)
    found = TrainingReport(run, samples=["ab"]).to_json()
    assert found["sample_probabilities"] == [pytest.approx(run.task.probability("ab"))]
    assert found["held_out"] is None


def test_points_that_nobody_was_trained_on_are_judged_without_the_regularisation():
    run = Run(defaults("moons", points=40, hidden=(4,), steps=4, regularisation=1.0))
    run.advance()
    found = run.task.held_out()
    trained = {tuple(point) for point, _ in run.task.points}
    fresh = moons(40, noise=0.1, seed=run.settings.seed + 1_000_003)
    assert not trained & {tuple(point) for point, _ in fresh}
    margins = [max(0.0, 1.0 - label * run.task.score(*point)) for point, label in fresh]
    assert found.loss == pytest.approx(fmean(margins))
    right = sum((run.task.score(*point) > 0) == (label > 0) for point, label in fresh)
    assert found.accuracy == pytest.approx(right / 40)
    told = " ".join(TrainingReport(run).text(Page()).split())
    percent = sentence("telling.held_out.accuracy", percent=show(2.5 * right, 4))
    assert re.search(sentence("telling.held_out.points", count=40) + percent, told)
