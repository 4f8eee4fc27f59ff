"""Mutation testing of the scripts: which changes are made and chosen, and what a run says about them.

Whether each chosen change is noticed takes long to find out: `make mutation`.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from browser import node_modules
from script_changes import (
    LISTED,
    SHARES,
    ScriptMutant,
    node_program,
    planted,
    sampled,
    script_files,
    script_mutants,
)
from scripts import REPLACED, TESTS, report
from source_trees import ROOT
from survivors import SOURCE, Change, listed

SCRIPT = """"use strict";
// Prose in a comment stays: 3 < 4.
const LIMIT = 0.005;
class Gate {
  open(count, name) {
    if (count < 3 && name.startsWith("é")) return "in";
    this.log(/^a$/.test(name), true, "some words");
    return count + 1;
  }
  log() {
    throw new Error("logged");
  }
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "player").mkdir()
    (tmp_path / "player" / "gate.js").write_text(SCRIPT, encoding="utf-8")
    return tmp_path


def mutants_of(folder: Path) -> list[ScriptMutant]:
    return script_mutants(["player/gate.js"], folder, node_modules())


def test_every_kind_of_change_is_made_where_it_can_be(folder):
    found = {(each.kind, each.change.function, each.replacement) for each in mutants_of(folder)}
    assert found == {
        ("fraction", "", "0.05"),
        ("condition", "Gate.open", '!(count < 3 && name.startsWith("é"))'),
        ("operator", "Gate.open", 'count < 3 || name.startsWith("é")'),
        ("boundary", "Gate.open", "count <= 3"),
        ("number", "Gate.open", "4"),
        ("method", "Gate.open", 'name.endsWith("é")'),
        ("string", "Gate.open", '"é_"'),
        ("string", "Gate.open", '"in_"'),
        ("statement", "Gate.open", ""),
        ("regex", "Gate.open", "/a$/"),
        ("regex", "Gate.open", "/^a/"),
        ("boolean", "Gate.open", "false"),
        ("operator", "Gate.open", "count - 1"),
        ("number", "Gate.open", "2"),
        ("string", "Gate.log", '"logged_"'),
    }
    assert {kind for kind, _, _ in found} == {*SHARES}


def test_a_change_is_known_by_its_lines(folder):
    found = next(each for each in mutants_of(folder) if each.replacement == "count <= 3")
    line = 'if (count < 3 && name.startsWith("é")) return "in";'
    assert found.change == Change("player/gate.js", "Gate.open", line, line.replace("< 3", "<= 3"))


ASKED = """
const gate = new Gate();
const said = (count, name) => {
  try { return gate.open(count, name); } catch (error) { return error.message; }
};
console.log(JSON.stringify([LIMIT, said(2, "é"), said(3, "é"), said(2, "e")]));
"""


def test_a_planted_script_does_as_before_until_a_change_is_switched_on(folder, tmp_path):
    mutants = dict(enumerate(mutants_of(folder)))
    program = tmp_path / "planted.js"
    program.write_text(planted(SCRIPT, mutants) + ASKED, encoding="utf-8")
    switch = ROOT / "tests" / "mutation" / "script_switch.js"

    def said(number: int | None) -> list[object]:
        environment = os.environ | {
            "MINIGRAD_MUTANT": str(number),
            "MINIGRAD_MUTANTS_REACHED": str(tmp_path / "reached.txt"),
        }
        done = subprocess.run(
            [node_program(), "--require", switch, program], env=environment, capture_output=True, check=True
        )
        found: list[object] = json.loads(done.stdout)
        return found

    assert said(None) == [0.005, "in", "logged", "logged"]
    reached = {int(line) for line in (tmp_path / "reached.txt").read_text().split()}
    assert reached == {*mutants} - {
        n for n, each in mutants.items() if each.change.before == "return count + 1;"
    }
    expected = {
        "0.05": [0.05, "in", "logged", "logged"],
        "count <= 3": [0.005, "in", "in", "logged"],
        "4": [0.005, "in", "in", "logged"],
        '"in_"': [0.005, "in_", "logged", "logged"],
        "": [0.005, "in", 4, 3],
        '"logged_"': [0.005, "in", "logged_", "logged_"],
    }
    numbers = {each.replacement: number for number, each in mutants.items()}
    assert {replacement: said(numbers[replacement]) for replacement in expected} == expected


def test_a_sample_stays_as_it_is_when_something_else_is_edited(folder):
    half = dict.fromkeys(SHARES, 0.5)
    before = [each.change for each in sampled(mutants_of(folder), half)]
    assert 0 < len(before) < len(mutants_of(folder))
    edited = SCRIPT.replace("class Gate {", "function f(x) {\n  return x > 1;\n}\nclass Gate {")
    (folder / "player" / "gate.js").write_text(edited, encoding="utf-8")
    after = [each.change for each in sampled(mutants_of(folder), half)]
    assert [change for change in after if change.function != "f"] == before


# ---- the scripts as they are --------------------------------------------------------------------


def test_the_sample_is_large_and_has_every_folder_and_every_kind():
    chosen = sampled(script_mutants(script_files(), SOURCE, node_modules()))
    assert len(chosen) >= 150
    assert {each.kind for each in chosen} == {*SHARES}
    assert min(Counter(each.folder for each in chosen).values()) >= 20
    made = {each.change for each in chosen}
    explained = listed(LISTED)
    assert explained.keys() - made == set(), "entries of script_survivors.toml that nobody makes any more"
    assert all(explained.values())
    assert len(explained) <= len(chosen) / 6


def test_what_a_run_needs_is_there():
    assert all((ROOT / test).is_file() for test in TESTS)
    for name, replaced in REPLACED.items():
        assert all(before in (ROOT / name).read_text(encoding="utf-8") for before in replaced)


# ---- what a run says ----------------------------------------------------------------------------


def test_a_run_fails_for_a_survivor_without_a_reason_and_for_an_entry_out_of_date(folder, capsys):
    mutants = dict(enumerate(mutants_of(folder)))
    killed = {number: {"verdict": "killed"} for number in mutants}
    assert report(mutants, killed, {})
    one = killed | {3: {"verdict": "survived"}}
    assert not report(mutants, one, {})
    assert f"survived: {mutants[3].change}" in capsys.readouterr().out
    assert report(mutants, one, {mutants[3].change: "nobody can see it"})
    assert not report(mutants, killed, {mutants[3].change: "nobody can see it"})
    assert f"in the list, but killed: {mutants[3].change}" in capsys.readouterr().out
    gone = Change("player/gate.js", "Gate.shut", "a", "b")
    assert not report(mutants, killed, {gone: "nobody can see it"})
    assert f"in the list, but nobody makes it: {gone}" in capsys.readouterr().out
    assert not report(mutants, killed | {3: {"verdict": "unreached"}}, {})
