"""Two suites for one small engine: the weak one would let overwriting ship, the strong one nothing."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest

from minigrad import cli
from minigrad.doctor.engine.probe_outcomes import change_detector
from minigrad.doctor.suites.mutation import mutate
from source_trees import DATA

SUITES = DATA / "suites"


@pytest.fixture
def engine(tmp_path):
    return str(copytree(SUITES, tmp_path / "project") / "small.py")


def test_a_suite_without_a_diamond_lets_overwriting_ship(engine):
    found = mutate(engine, "python weak.py", only=["overwrite", "overwrite-one-op", "subtract"])
    assert {"overwrite", "overwrite-one-op"} == {trial.mutant.kind for trial in found.survived}
    assert {"subtract"} == {trial.mutant.kind for trial in found.killed}
    for trial in found.survived:
        assert ".backward()" in trial.test


def test_a_strong_suite_kills_everything(engine):
    found = mutate(engine, "python strong.py", notices=change_detector(engine))
    assert [(trial.mutant.kind, trial.mutant.op) for trial in found.survived] == []
    assert len(found.killed) > 40
    assert found.planted == len(found.trials)


def test_the_command_says_which_bugs_would_ship(engine, capsys):
    words = [engine, "--tests", "python weak.py", "--only", "overwrite", "--json"]
    assert cli.main(["mutate", *words]) == 1
    document = json.loads(capsys.readouterr().out)
    (mutant,) = document["mutants"]
    assert (mutant["fault"], mutant["verdict"]) == ("overwrite", "survived")
    assert mutant["test"].startswith("a = Value(3.0)")
    assert cli.main(["mutate", engine, "--tests", "python strong.py", "--only", "overwrite"]) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "write one engine and the command that tests it"),
        (["--tests", "true"], "write one engine"),
        (["ENGINE", "--tests", "false"], "do not pass with the engine unchanged"),
        (["ENGINE", "--tests", "true"], "small.py"),
        (["ENGINE", "--tests", "python weak.py", "--limit", "many"], "--limit is a whole number from 1 to"),
        (["ENGINE", "--tests", "python weak.py", "--limit", "2.5"], "--limit is a whole number from 1 to"),
        (["ENGINE", "--tests", "python weak.py", "--seconds", "-1"], "a number greater than 0"),
        (["ENGINE", "--tests", "python weak.py", "--only", "overwrit"], "overwrite"),
    ],
)
def test_what_cannot_be_tried_gets_a_sentence(engine, capsys, words, said):
    assert (
        cli.main(["mutate", *[engine if word == "ENGINE" else word for word in words], "--lang", "en"]) == 2
    )
    assert said in capsys.readouterr().err


def test_a_source_that_gives_the_same_numbers_is_not_noticed(engine):
    notices = change_detector(engine)
    text = Path(engine).read_text()
    assert not notices(text.replace("self.grad += out.grad", "self.grad += 1.0 * out.grad", 1))
    assert notices(text.replace("self.grad += out.grad", "self.grad = out.grad", 1))
