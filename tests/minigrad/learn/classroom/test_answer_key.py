"""The key by which sheets are graded, what grading writes, and engines among the sheets."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from classroom_fixtures import ADA, MOSES
from filled_sheets import solutions
from minigrad.cli import main
from minigrad.learn.classroom.learner_engines import EngineFile
from minigrad.learn.questions import KINDS
from source_trees import ROOT

# ---- the key ------------------------------------------------------------------------------------


def spoil(folder: Path, old: str, new: str) -> None:
    path = folder / "key.json"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("minigrad.key/1", "minigrad.key/2", "minigrad.key/2"),
        ('"schema"', '"scheme"', "cannot be read"),
        ("{", "", "cannot be read"),
        ('"seed": 7', '"seed": 8', "damaged"),
        ("gradient:1:", "gradient:2:", "would be another one"),
        ("gradient:1:", "gradent:1:", "damaged"),
        ('"language": "en"', '"language": "xx"', "damaged"),
        ('"Ada Lovelace"', '"Ada Byron"', "damaged"),
    ],
)
def test_a_key_that_was_changed_grades_nothing(in_english, old, new, told, capsys):
    in_english.hand_in(ADA, solutions(in_english.sheet(ADA)))
    spoil(in_english.folder, old, new)
    assert main(["grade", str(in_english.folder)]) == 2
    assert told in capsys.readouterr().err


def test_without_a_key_sheets_are_not_graded(in_english, capsys, tmp_path):
    alone = tmp_path / "far" / "far" / "away"
    alone.mkdir(parents=True)
    path = shutil.copy(in_english.hand_in(ADA, solutions(in_english.sheet(ADA))), alone)
    assert main(["grade", path]) == 2
    assert "--key" in capsys.readouterr().err
    assert main(["grade", path, "--key", str(in_english.folder / "key.json")]) == 0
    assert f"{len(KINDS)}/{len(KINDS)}" in capsys.readouterr().out


def test_a_key_among_what_was_handed_in_does_not_take_the_place_of_the_teachers(in_english, capsys):
    path = Path(in_english.hand_in(ADA, solutions(in_english.sheet(ADA))))
    forged = path.parent / "key.json"
    assert forged != in_english.folder / "key.json"
    shutil.copy(in_english.folder / "key.json", forged)
    assert main(["grade", str(path)]) == 2
    told = capsys.readouterr().err
    assert str(forged) in told
    assert "--key" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "nothing to grade"),
        (["nowhere"], "nowhere"),
        (["."], "key.json"),
        ([".", "--key", "nowhere.json"], "nowhere.json"),
        ([".", "--due", "tomorrow"], "2026-09-30"),
        ([".", "--out", "marks.pdf"], ".csv"),
        (["/dev/null"], "neither"),
    ],
)
def test_bad_input_to_grade_is_told(words, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINIGRAD_LANG", "en")
    assert main(["grade", *words]) == 2
    assert told in capsys.readouterr().err


# ---- what is written ----------------------------------------------------------------------------


def test_results_and_feedback_go_into_a_folder(class_of_three, tmp_path, capsys):
    answers = solutions(class_of_three.sheet(ADA))
    wrong = next(item for item in class_of_three.sheet(ADA).items if item.question.kind == "gradient")
    answers[wrong.number] = dict.fromkeys(answers[wrong.number], "77")
    class_of_three.hand_in(ADA, answers)
    out = tmp_path / "marks"
    assert main(["grade", str(class_of_three.folder), "--out", str(out)]) == 0
    assert sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()) == [
        "feedback/ada-lovelace.html", "feedback/ada-lovelace.md",
        "results.csv", "results.html", "results.json", "results.md",
    ]  # fmt: skip
    spanish = class_of_three.key.language == "es"
    feedback = (out / "feedback" / "ada-lovelace.md").read_text(encoding="utf-8")
    assert ("Su respuesta" if spanish else "Your answer") in feedback
    for blank, right in wrong.question.solution.items():
        assert f"{blank} = {right}" in feedback
    assert "`minigrad learn by-hand`" in feedback
    rows = list(csv.reader((out / "results.csv").read_text(encoding="utf-8").splitlines()))
    assert rows[1][0] == "Ada Lovelace"
    assert rows[1][rows[0].index("points")] == str(len(KINDS) - 1)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    (out / "results.md").write_text("my notes")
    assert main(["grade", str(class_of_three.folder), "--out", str(out)]) == 2
    assert (out / "results.md").read_text() == "my notes"
    assert main(["grade", str(class_of_three.folder), "--out", str(out), "--force"]) == 0
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_a_table_alone_can_be_written(in_english, tmp_path, capsys):
    in_english.hand_in(ADA, solutions(in_english.sheet(ADA)))
    for ending in ("csv", "md", "json", "html"):
        assert main(["grade", str(in_english.folder), "--out", str(tmp_path / f"t.{ending}")]) == 0
        assert "Ada Lovelace" in (tmp_path / f"t.{ending}").read_text(encoding="utf-8")


def test_a_name_that_a_spreadsheet_would_run_is_text(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("names.txt").write_text("=HYPERLINK(1)\n@x\n")
    assert main(["learn", "--class", "names.txt", "--out", "m", "--kinds", "data", "--questions", "1"]) == 0
    assert main(["grade", "m", "--out", "t.csv"]) == 0
    rows = list(csv.reader(Path("t.csv").read_text().splitlines()))
    assert [row[0] for row in rows[1:]] == ["'=HYPERLINK(1)", "'@x"]


def test_the_table_fits_a_narrow_terminal(class_of_three, monkeypatch, capsys):
    class_of_three.hand_in(ADA, solutions(class_of_three.sheet(ADA)))
    monkeypatch.setenv("COLUMNS", "42")
    assert main(["grade", str(class_of_three.folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.endswith(f"{len(KINDS)}/{len(KINDS)}") for line in lines)
    assert max(map(len, lines)) <= 48


# ---- engines ------------------------------------------------------------------------------------


def test_an_engine_goes_to_the_doctor_and_is_its_learners(in_english, tmp_path, capsys):
    text = (ROOT / "docs" / "patients" / "engine.py").read_text()
    (in_english.folder / "value.py").write_text(f"# sheet {in_english.sheet(MOSES).code}\n{text}")
    out = tmp_path / "marks"
    assert main(["grade", str(in_english.folder), "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "Moses ibn Tibbon: WRONG: one bug" in told
    assert "= in place of += in pow only (value.py:40)" in told
    row = json.loads((out / "results.json").read_text())["learners"][MOSES]
    assert (row["engine"]["verdict"], row["engine"]["points"]) == ("wrong", 0.75)
    written = (out / "feedback" / "moses-ibn-tibbon.md").read_text(encoding="utf-8")
    page = (out / "feedback" / "moses-ibn-tibbon.html").read_text(encoding="utf-8")
    assert "self.grad += n" in written
    assert "self.grad += n" in page
    assert len([line for line in written.splitlines() if line.startswith("# ")]) == 1
    assert written.count("Examination of value.py:Value") == 1
    assert "```" not in page


def test_a_file_that_is_no_engine_is_told_and_not_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("bo.py").write_text("print('hello'\n")
    assert main(["grade", "bo.py", "--json"]) == 0
    [engine] = json.loads(capsys.readouterr().out)["engines"]
    assert (engine["file"], engine["verdict"]) == ("bo.py", "not examined")


def test_the_code_of_a_sheet_is_looked_for_in_the_first_65536_octets_of_an_engine():
    code = "3f9a-01bc-77de"
    for room, found in ((1 << 16, (code,)), ((1 << 16) - 1, ())):
        comment = f"# sheet {code}".encode()
        text = b"#" * ((1 << 16) - len(comment) - 1) + b"\n" + comment
        assert len(text) == 1 << 16
        engine = EngineFile("x.py", "x", "", {"x.py": b"#" * ((1 << 16) - room) + text})
        assert engine.codes == found
