"""The report of a run for people: what stands where, and what is not broken into lines."""

from __future__ import annotations

import re

from minigrad.text.page import Page
from minigrad.training import Run, defaults
from minigrad.training.health import HealthFinding
from minigrad.training.report_text import TrainingReport
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
