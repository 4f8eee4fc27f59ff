"""Pictures of a run: its losses and, of points, what the model makes of the plane."""

from __future__ import annotations

import pytest

from drawings import classed, tree
from minigrad.text.page import Page
from minigrad.training import Run, defaults
from minigrad.training.plots import drawing_of, lines_of


@pytest.fixture(scope="module")
def run() -> Run:
    run = Run(defaults("moons", points=10, hidden=(3,), steps=4))
    run.advance()
    run.advance()
    return run


def test_one_picture_holds_the_losses_and_the_plane(run):
    root = tree(drawing_of(run))
    assert len([e for e in classed(root, "plot") if e.get("d")]) == 1
    assert len([e for e in classed(root, "field") if "down" in e.get("class")]) == 1
    assert len(classed(root, "dot")) == 10 + 2  # and two in the key


def test_in_a_terminal_a_blank_line_stands_between_them(run):
    lines = lines_of(run, Page())
    between = [at for at, line in enumerate(lines) if not line]
    assert len(between) == 1
    axes = [at for at, line in enumerate(lines) if "└" in line]
    assert len(axes) == 2
    assert axes[0] < between[0] < axes[1]
