"""The ranking in the docs is the catalogue's, and what it says of a fault is what a duel gives."""

from __future__ import annotations

import json

import pytest

from minigrad.faults import FAULTS
from minigrad.training.duel import duel
from source_trees import ROOT

HIDING = json.loads((ROOT / "docs" / "hiding.json").read_text(encoding="utf-8"))


def test_every_fault_of_the_catalogue_is_in_the_ranking():
    fought = {bout["fault"] for bout in HIDING["bouts"]}
    idle = {row["fault"] for row in HIDING["idle"]}
    assert fought | idle == set(FAULTS)
    assert not fought & idle


@pytest.mark.parametrize(
    ("fault", "variant"),
    [("overwrite", None), ("overwrite-one-op", "mul"), ("no-zero-grad", None), ("tanh-plus", None)],
)
def test_a_row_of_the_ranking_can_be_repeated(fault, variant):
    """One that is noticed, one that hides, one that acts from step to step, one on another activation."""
    (bout,) = (row for row in HIDING["bouts"] if row["fault"] == fault and variant in (None, row["variant"]))
    (again,) = duel([fault], on=HIDING["on"], variant=variant).to_json()["bouts"]
    assert (again["status"], again["noticed"]) == (bout["status"], bout["noticed"])
    assert again["accuracy"] == bout["accuracy"]
    assert again["final"] == pytest.approx(bout["final"], rel=1e-9)
    assert again["angle"] == pytest.approx(bout["angle"], rel=1e-6)
