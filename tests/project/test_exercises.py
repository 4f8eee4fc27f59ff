"""The page of the exercises says the truth: each of its commands prints what the page says that it prints."""

import io
import re
import shlex

import pytest

from minigrad.cli import main
from source_trees import ROOT

ELSEWHERE = {"learn", "doctor", "mutate"}  # these ask, or take a file of the reader's
SAME = ("the same", "lo mismo")


def rows_of(text: str) -> list[tuple[list[str], list[str]]]:
    """Of each row that has commands: those, and what they are said to print."""
    found: list[tuple[list[str], list[str]]] = []
    for line in text.splitlines():
        cells = re.split(r"(?<!\\)\|", line)
        if len(cells) == 5 and not set(cells[1]) <= {"-"}:
            codes = [re.findall(r"`([^`]+)`", cell) for cell in cells[2:4]]
            commands = [code for code in codes[0] if code.startswith("minigrad ")]
            commands = [command for command in commands if command.split()[1] not in ELSEWHERE]
            if cells[2].strip().startswith(SAME):
                commands = found[-1][0]
            if commands:
                found.append((commands, codes[1]))
    return found


def collapsed(text: str) -> str:
    return " ".join(text.split())


Printed = dict[str, str]  # what each command has printed: several rows may use one


def missing(
    commands: list[str], results: list[str], printed: Printed, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    """The results that none of the commands prints."""
    for command in commands:
        if command not in printed:
            assert main(shlex.split(command)[1:]) in (0, 1), command
            printed[command] = collapsed(capsys.readouterr().out)
    together = " ".join(printed[command] for command in commands)
    return [result for result in results if collapsed(result) not in together]


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_exercise_gives_the_result_that_the_page_states(language, capsys, tmp_path, monkeypatch):
    rows = rows_of((ROOT / "docs" / language / "exercises.md").read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINIGRAD_LANG", language)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert sum(len(results) for _, results in rows) >= 55
    printed: Printed = {}
    for commands, results in rows:
        assert missing(commands, results, printed, capsys) == [], commands


def test_a_result_that_is_not_printed_is_found(capsys):
    command = ['minigrad explain "a + a" a=3 --view ledger --lang en']
    assert missing(command, ["a: 2 = 1"], {}, capsys) == []
    assert missing(command, ["a: 3 = 1"], {}, capsys) == ["a: 3 = 1"]
