"""The page of comparisons says what the checkers say: found.json is what docs/compared/compare.py finds."""

import json
import re
import sys
import warnings

import pytest

from source_trees import ROOT

sys.path.insert(0, str(ROOT / "docs" / "compared"))

import compare
import table
from bugs import BUGS

FOUND = json.loads(compare.FOUND.read_text(encoding="utf-8"))
ROWS = {row["bug"]: row for row in FOUND["rows"]}


@pytest.mark.parametrize("checker", ["torch", "autograd", "minigrad"])
def test_a_checker_says_what_the_page_says(checker):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        said = {bug.name: compare.asked(compare.CHECKERS[checker], bug) for bug in BUGS}
    assert {bug: bool(words) for bug, words in said.items()} == {
        bug: bool(row[checker]) for bug, row in ROWS.items()
    }
    if checker == "minigrad":
        assert said == {bug: row[checker] for bug, row in ROWS.items()}


def test_the_versions_are_those_that_the_tests_install():
    pinned = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for library in ("torch", "jax"):
        assert FOUND["versions"][library] == re.findall(rf'"{library}==([\d.]+)"', pinned)[0]


def test_one_rule_is_right_and_every_checker_passes_it():
    assert not any(ROWS["right"][checker] for checker in ("torch", "jax", "autograd"))
    assert ROWS["right"]["minigrad"] == "CORRECT."


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_table_has_a_row_for_each_rule_and_all_are_quoted(language):
    shown = table.compared(language)
    assert all(bug.words[language == "es"].replace("*", "\\*") in shown for bug in BUGS)
    assert shown.count("```text") == 4


def test_a_rule_that_is_not_in_the_file_is_noticed(monkeypatch):
    monkeypatch.setattr(table, "BUGS", BUGS[:-1])
    with pytest.raises(AssertionError, match=r"compare\.py"):
        table.compared("en")
