"""`minigrad duel`: what is typed, what is refused, and what is written, in both languages."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from minigrad.cli import main
from minigrad.faults import FAULTS

FEW = ["--on", "moons", "--steps", "20"]


@pytest.fixture(autouse=True)
def one_process(monkeypatch):
    """What starts others has a test of its own."""
    monkeypatch.setattr("minigrad.cli.commands.duel._workers", lambda: 1)
    monkeypatch.setenv("MINIGRAD_LANG", "en")
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def small_catalogue(monkeypatch):
    few = ("subtract", "float32", "relu-at-zero", "no-zero-grad", "tanh-plus", "stale-data", "sin-sign")
    monkeypatch.setattr("minigrad.training.duel.bouts.FAULTS", {slug: FAULTS[slug] for slug in few})
    return few


def refused(capsys, *words: str) -> str:
    assert main(["duel", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err


# ---- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["overwrit", *FEW], "did you mean overwrite?"),
        (["overwrite"], "write --on moons or --on names"),
        (["overwrite", "--on", "mars"], "'mars'; write --on with one of moons, names"),
        (["overwrite", "--on", "moons", "--steps", "19"], "19 steps cannot be: a duel takes 20 to 5,000"),
        (["overwrite", "--on", "moons", "--steps", "5001"], "5001 steps cannot be"),
        (["overwrite", "--on", "moons", "--steps", "1e3"], "--steps is a whole number from 1 to"),
        (["overwrite", *FEW, "--seed", "-1"], "--seed is a whole number from 0 to"),
        (["overwrite", *FEW, "--seed", "9" * 30], "from 0 to 999,999,999,999,999,999"),
        (["overwrite", *FEW, "--optimiser", "rmsprop"], "write one of sgd, adam, adamw"),
        (
            ["overwrite", "subtract", *FEW, "--variant", "mul"],
            "--variant is about one fault, and 2 were named",
        ),
        ([*FEW, "--variant", "mul"], "--variant is about one fault, and 0 were named"),
        (["overwrite-one-op", *FEW, "--variant", "exp"], "here it has mul, add, relu, sub, mean, dot"),
        (["overwrite", *FEW, "--variant", "mul"], "overwrite has no variants"),
        (["no-zero-grad", *FEW, "--variant", "3"], "no-zero-grad has no variants"),
        (["overwrite", *FEW, "--out", "duel.pdf"], ".html, .svg"),
        (["overwrite", *FEW, "--stepz", "20"], "did you mean --steps?"),
    ],
)
def test_what_cannot_be_is_refused_in_words(capsys, words, told):
    assert told in refused(capsys, *words)


def test_a_place_that_cannot_be_written_to_is_refused_before_the_work(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "minigrad.training.duel.duel", lambda *words, **wishes: pytest.fail("it went to work")
    )
    assert "no such file or folder" in refused(
        capsys, "overwrite", *FEW, "--out", str(tmp_path / "missing" / "duel.html")
    )
    (tmp_path / "folder.html").mkdir()
    assert "folder" in refused(capsys, "overwrite", *FEW, "--out", str(tmp_path / "folder.html"))
    if os.getuid() != 0:
        tmp_path.chmod(0o500)
        assert "cannot write" in refused(capsys, "overwrite", *FEW, "--out", str(tmp_path / "duel.html"))
        tmp_path.chmod(0o700)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.html"]


def test_a_full_disk_leaves_the_old_file(capsys, tmp_path, monkeypatch):
    file = tmp_path / "duel.json"
    file.write_text("old")

    def full(*given, **named):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("minigrad.cli.output.write_whole", full)
    assert main(["duel", "subtract", *FEW, "--out", str(file)]) == 2
    assert "cannot write" in capsys.readouterr().err
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["duel.json"]


# ---- what is shown --------------------------------------------------------------------------------


def test_a_duel_is_told_in_a_terminal(capsys):
    assert main(["duel", "subtract", "--on", "moons", "--steps", "40"]) == 0
    text = capsys.readouterr().out
    assert "-= in place of +=" in text
    assert "A person would notice at step" in text
    assert "90°" in text
    assert "7 right runs with the seeds 1 to 7" in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_duel_is_told_in_spanish(capsys):
    assert main(["duel", "subtract", "--on", "moons", "--steps", "40", "--lang", "es"]) == 0
    text = capsys.readouterr().out
    assert "Una persona lo notaría en el paso" in text
    assert "pérdida" in text
    assert "loss" not in text


def test_the_same_words_give_the_same_bytes(capsys, tmp_path: Path):
    made = {}
    for ending in ("html", "svg", "json", "md", "txt"):
        for again in "ab":
            file = tmp_path / f"{again}.{ending}"
            assert main(["duel", "overwrite", *FEW, "--out", str(file)]) == 0
            made[again, ending] = file.read_bytes()
        assert made["a", ending] == made["b", ending]
    ElementTree.fromstring(made["a", "svg"].decode())
    assert made["a", "html"].startswith(b"<!doctype html>")
    capsys.readouterr()
    assert main(["duel", "overwrite", *FEW, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == json.loads(made["a", "json"])
    assert document["schema"] == "minigrad.duel/1"
    [bout] = document["bouts"]
    assert bout["fault"] == "overwrite"
    assert len(bout["losses"]) == len(bout["angles"]) == len(document["right"][0]["losses"]) == 20
    assert document["right"][0]["band"]["seeds"] == [1, 2, 3, 4, 5, 6, 7]


def test_a_variant_that_was_asked_for_is_told(capsys):
    assert main(["duel", "upstream-ignored-one-op", *FEW, "--variant", "relu", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bouts"][0]["variant"] == "relu"


def test_the_catalogue_is_ranked_by_how_long_each_fault_hides(capsys, small_catalogue):
    assert main(["duel", "--on", "moons", "--steps", "40", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    rows = document["bouts"]
    assert {row["fault"] for row in rows} == set(small_catalogue) - {"sin-sign"}
    assert document["idle"] == [{"fault": "sin-sign", "why": "no-op"}]
    order = [row["status"] for row in rows]
    assert order == sorted(order, key=["hidden", "noticed", "equal"].index)
    steps = [row["noticed"] for row in rows if row["status"] == "noticed"]
    assert steps == sorted(steps, reverse=True)
    assert rows[-1]["fault"] == "relu-at-zero"
    assert {row["fault"]: row["activation"] for row in rows}["tanh-plus"] == "tanh"
    assert "losses" not in rows[0]


def test_the_ranking_is_one_table(capsys, small_catalogue, tmp_path):
    assert main(["duel", "--on", "moons", "--steps", "20"]) == 0
    text = capsys.readouterr().out
    for slug in small_catalogue:
        assert slug in text
    assert "tanh-plus [tanh]" in text
    assert "cannot show" in text
    assert max(map(len, text.splitlines())) <= 80
    assert main(["duel", "--on", "moons", "--steps", "20", "--out", str(tmp_path / "rank.svg")]) == 0
    assert "relu-at-zero" in (tmp_path / "rank.svg").read_text()


def test_a_document_has_its_title_once(tmp_path):
    path = tmp_path / "duel.md"
    assert main(["duel", "overwrite", *FEW, "--out", str(path)]) == 0
    lines = path.read_text().splitlines()
    assert lines[0] == "# Duel on moons: a right and a broken backward pass"
    assert sum("right and a broken backward pass" in line for line in lines) == 1


def test_gradients_of_one_length_are_not_called_one_times_as_long(capsys):
    assert main(["duel", "float32", *FEW]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "apart and of the same length" in told
    assert "1 times" not in told
