"""Returned sheets become marks: whose they are, what is right, what went wrong, what to look at."""

import csv
import json
import os
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import filled_sheets
from filled_sheets import as_saved, fill, solutions
from minigrad.cli import main
from minigrad.faults import FAULTS, Suspect
from minigrad.faults.lab import lab
from minigrad.faults.runs import run_orders
from minigrad.graph import Graph
from minigrad.learn.classroom.key import Key, read_key
from minigrad.learn.classroom.sheets import Sheet
from minigrad.learn.questions import KINDS
from minigrad.numerals import show
from minigrad.trace import trace

ROOT = Path(__file__).resolve().parent.parent
ADA, SOFIA, MOSES = range(3)


@dataclass
class Class:
    """A class of three, in a folder."""

    folder: Path
    key: Key

    def sheet(self, place: int) -> Sheet:
        return self.key.sheets[place]

    def hand_in(self, place: int, answers: filled_sheets.Answers, form: str = ".md", name: str = "") -> Path:
        slug = self.sheet(place).learner.slug
        into = self.folder / "returned" / (name or f"{slug}{form}")
        into.parent.mkdir(exist_ok=True)
        fill(self.folder / "sheets" / f"{slug}{form}", answers, into)
        return into

    def graded(self, capsys: pytest.CaptureFixture[str], *words: str) -> dict:
        assert main(["grade", str(self.folder), "--json", *words]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        return json.loads(captured.out)

    def points(self, capsys: pytest.CaptureFixture[str]) -> list:
        return [row["points"] for row in self.graded(capsys)["learners"]]


@cache
def made(lang: str, *how: str) -> dict[str, bytes]:
    """The files of a class of three."""
    with TemporaryDirectory() as folder:
        names = Path(folder, "names.txt")
        names.write_text("Ada Lovelace\nSofía Núñez\nMoses ibn Tibbon\n", encoding="utf-8")
        words = ["learn", "--class", str(names), "--seed", "7", "--out", f"{folder}/monday", "--lang", lang]
        assert main([*words, *how]) == 0
        root = Path(folder, "monday")
        return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def class_in(folder: Path, lang: str, *how: str) -> Class:
    for name, octets in made(lang, *how).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(octets)
    return Class(folder, read_key((folder / "key.json").read_text(encoding="utf-8")))


@pytest.fixture(params=["en", "es"])
def class_of_three(request, tmp_path, monkeypatch, capsys) -> Class:
    """Every kind of question, in a language."""
    monkeypatch.setenv("MINIGRAD_LANG", "en")
    monday = class_in(tmp_path / "monday", request.param)
    capsys.readouterr()
    return monday


@pytest.fixture
def in_english(tmp_path, monkeypatch, capsys) -> Class:
    monkeypatch.setenv("MINIGRAD_LANG", "en")
    monday = class_in(tmp_path / "monday", "en")
    capsys.readouterr()
    return monday


# ---- what is right ------------------------------------------------------------------------------


def test_a_perfect_sheet_has_all_points_in_every_form(class_of_three, capsys):
    for place, form in enumerate((".md", ".html", ".ipynb")):
        class_of_three.hand_in(place, solutions(class_of_three.sheet(place)), form)
    assert class_of_three.points(capsys) == [len(KINDS)] * 3


def test_the_file_that_a_page_saves_is_graded(class_of_three, capsys):
    sheet = class_of_three.sheet(SOFIA)
    (class_of_three.folder / "x.json").write_text(as_saved(sheet, solutions(sheet)))
    assert class_of_three.points(capsys) == [None, len(KINDS), None]


def test_a_sheet_is_known_by_its_code_and_not_by_its_file(class_of_three, capsys):
    class_of_three.hand_in(ADA, solutions(class_of_three.sheet(ADA)), name="final FINAL (2).md")
    assert class_of_three.points(capsys) == [len(KINDS), None, None]


def spelled(number: int, text: str) -> str:
    """The same number, written otherwise."""
    longer = f"  {text}.0 " if text.lstrip("-").isdigit() else text
    return longer.replace("-", "\N{MINUS SIGN}") if number % 2 else longer


def test_answers_in_other_spellings_are_right(in_english, capsys):
    answers = {
        number: {
            blank: text if blank == "expression" else spelled(number, text) for blank, text in given.items()
        }
        for number, given in solutions(in_english.sheet(ADA)).items()
    }
    path = in_english.hand_in(ADA, answers)
    text = path.read_text(encoding="utf-8")
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert in_english.points(capsys)[ADA] == len(KINDS)


def test_working_beside_the_answers_is_the_learners_own(in_english, capsys):
    path = in_english.hand_in(ADA, solutions(in_english.sheet(ADA)))
    text = path.read_text(encoding="utf-8").replace(
        "```answers 1\n", "my working: a = 99\n\n```answers 1\nI think\n"
    )
    path.write_text(text, encoding="utf-8")
    row = in_english.graded(capsys)["learners"][ADA]
    assert (row["points"], row["notices"]) == (len(KINDS), [])


# ---- what is wrong ------------------------------------------------------------------------------


def test_somebody_elses_right_answers_are_wrong_and_pointed_out(class_of_three, capsys):
    class_of_three.hand_in(ADA, solutions(class_of_three.sheet(ADA)))
    class_of_three.hand_in(MOSES, solutions(class_of_three.sheet(ADA)), ".ipynb")
    results = class_of_three.graded(capsys)
    assert results["learners"][MOSES]["points"] < 5  # a letter may be the same by chance
    assert results["learners"][ADA]["points"] == len(KINDS)
    [notice] = results["notices"]
    assert notice.startswith("Moses ibn Tibbon: ")
    assert "on the sheet of Ada Lovelace; questions: 1," in notice


def results(slug: str, graph: Graph) -> list[dict[str, float]]:
    """What a fault can give on a graph, in any variant and any valid order."""
    fault = FAULTS[slug]
    return [
        {graph.names[i]: run.grads[i] for i in graph.inputs}
        for variant in fault.variants(graph)
        for run in run_orders(graph, Suspect(fault, variant).pieces(), fault.ordered, trace(graph)).listed
    ]


@pytest.mark.parametrize("fault", ["overwrite", "no-seed", "mul-own-factor"])
def test_an_answer_made_by_a_fault_gets_that_fault_named(fault, tmp_path, capsys):
    """Or another that gives the very same numbers there."""
    monday = class_in(tmp_path / "faulty", "en", "--kinds", "gradient", "--level", "2", "--questions", "8")
    capsys.readouterr()
    sheet, answers = monday.sheet(ADA), {}
    for item in sheet.items:
        broken = lab(item.question.graph, fault).broken.gradients
        answers[item.number] = {who: show(broken[who]) for who in item.prompt.blanks}
    monday.hand_in(ADA, answers)
    named = 0
    for item, mark in zip(sheet.items, monday.graded(capsys)["learners"][ADA]["questions"], strict=True):
        if mark["status"] == "wrong" and mark["fault"]:
            named += 1
            given = {who: float(x) for who, x in answers[item.number].items()}
            assert mark["fault"] == fault or given in results(mark["fault"], item.question.graph)
    assert named >= 6


def test_a_wrong_letter_is_no_mistake_of_the_catalogue(tmp_path, capsys):
    """Whoever takes one bug for another has made neither."""
    monday = class_in(tmp_path / "letters", "en", "--kinds", "bug,lost", "--questions", "4")
    capsys.readouterr()
    wrong = {}
    for item in monday.sheet(ADA).items:
        letters = [choice.letter for choice in item.prompt.choices]
        wrong[item.number] = {"choice": next(x for x in letters if x != item.question.solution["choice"])}
    monday.hand_in(ADA, wrong)
    graded = monday.graded(capsys)
    assert graded["learners"][ADA]["points"] == 0
    assert graded["mistakes"] == {}


def test_two_answers_in_one_blank_are_none(in_english, capsys):
    path = in_english.hand_in(ADA, solutions(in_english.sheet(ADA)))
    text = path.read_text(encoding="utf-8")
    first = text.index("```answers 1\n") + len("```answers 1\n")
    label = text[first:].partition(" =")[0]
    path.write_text(f"{text[:first]}{label} = 12345\n{text[first:]}", encoding="utf-8")
    row = in_english.graded(capsys)["learners"][ADA]
    assert row["questions"][0]["status"] == "twice"
    assert row["points"] == len(KINDS) - 1
    assert "two different answers" in row["notices"][0]


def test_what_is_empty_is_told_apart_from_what_is_wrong(in_english, capsys):
    answers = solutions(in_english.sheet(ADA))
    del answers[2]
    in_english.hand_in(ADA, answers)
    row = in_english.graded(capsys)["learners"][ADA]
    assert [mark["status"] for mark in row["questions"]].count("empty") == 1
    assert row["questions"][1]["status"] == "empty"


# ---- what a teacher should know -----------------------------------------------------------------


def test_missing_blank_and_late_sheets_are_told(in_english, capsys):
    path = in_english.hand_in(ADA, solutions(in_english.sheet(ADA)))
    os.utime(path, (2e9, 2e9))  # in May 2033
    sheet = in_english.sheet(SOFIA)
    early = as_saved(sheet, solutions(sheet), "2026-09-28T10:00:00")
    (in_english.folder / "sofia.json").write_text(early)
    rows = in_english.graded(capsys, "--due", "2026-09-30")["learners"]
    assert rows[ADA]["notices"] == ["late: 2033-05-18 03:33"] or "late: 2033-05-1" in rows[ADA]["notices"][0]
    assert rows[SOFIA]["notices"] == []
    assert main(["grade", str(in_english.folder)]) == 0
    told = capsys.readouterr().out
    assert "no sheet came back from Moses ibn Tibbon" in told
    assert "nothing filled in, which were left alone: 9" in told


def test_a_sheet_handed_in_twice_counts_as_it_was_last(in_english, capsys):
    right = solutions(in_english.sheet(ADA))
    first = in_english.hand_in(ADA, {1: right[1]}, name="first.md")
    second = in_english.hand_in(ADA, right, ".ipynb", name="second.ipynb")
    os.utime(first, (1.6e9, 1.6e9))
    os.utime(second, (1.7e9, 1.7e9))
    row = in_english.graded(capsys)["learners"][ADA]
    assert (row["file"], row["points"]) == ("second.ipynb", len(KINDS))
    assert "points of first.md: 1" in row["notices"][0]


def test_the_same_answers_twice_are_one_sheet(in_english, capsys):
    right = solutions(in_english.sheet(ADA))
    in_english.hand_in(ADA, right, name="first.md")
    in_english.hand_in(ADA, right, ".html", name="second.html")
    row = in_english.graded(capsys)["learners"][ADA]
    assert (row["points"], row["notices"]) == (len(KINDS), [])


@pytest.mark.parametrize("form", [".md", ".html", ".ipynb"])
def test_a_changed_question_is_told_and_graded_as_it_was_handed_out(in_english, form, capsys):
    sheet = in_english.sheet(ADA)
    item = next(item for item in sheet.items if item.question.kind == "gradient")
    path = in_english.hand_in(ADA, solutions(sheet), form)
    line = item.prompt.statements.splitlines()[0]
    text = path.read_text(encoding="utf-8")
    assert line in text
    path.write_text(text.replace(line, line.replace("a = ", "a = 9")), encoding="utf-8")
    row = in_english.graded(capsys)["learners"][ADA]
    assert row["points"] == len(KINDS)
    assert f"changed text, questions: {item.number};" in row["notices"][0]


def test_a_file_named_after_somebody_else_is_told(in_english, capsys):
    in_english.hand_in(ADA, solutions(in_english.sheet(ADA)), name="sofia-nunez.md")
    row = in_english.graded(capsys)["learners"][ADA]
    assert row["notices"] == ["the file is called sofia-nunez.md, after Sofía Núñez"]


def test_files_that_cannot_be_graded_are_told_one_by_one(in_english, capsys, tmp_path):
    other = class_in(tmp_path / "other", "es", "--kinds", "gradient")
    other.hand_in(ADA, solutions(other.sheet(ADA)))
    capsys.readouterr()
    folder = in_english.folder / "returned"
    folder.mkdir()
    shutil.copy(other.folder / "returned" / "ada-lovelace.md", folder / "other.md")
    both = "\n".join(
        (in_english.folder / "sheets" / f"{slug}.md").read_text() for slug in ("ada-lovelace", "sofia-nunez")
    )
    (folder / "both.md").write_text(both)
    (folder / "photo.jpg").write_bytes(b"\xff\xd8")
    (folder / "odd.xyz").write_text("x")
    (folder / "none.md").write_text("# my answers\n")
    (folder / "broken.ipynb").write_text("{")
    (folder / "large.md").write_text("x" * (5 << 20))
    aside = {row["file"]: row["why"] for row in in_english.graded(capsys)["not_graded"]}
    assert set(aside) == {
        "other.md",
        "both.md",
        "photo.jpg",
        "odd.xyz",
        "none.md",
        "broken.ipynb",
        "large.md",
    }
    assert "another class" in aside["other.md"]
    assert "several sheets: Ada Lovelace, Sofía Núñez" in aside["both.md"]
    assert "no code" in aside["none.md"]
    assert "too large" in aside["large.md"]


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
    assert (row["engine"]["verdict"], row["engine"]["points"]) == ("wrong", 0.0)
    assert "self.grad += n" in (out / "feedback" / "moses-ibn-tibbon.md").read_text(encoding="utf-8")


def test_a_file_that_is_no_engine_is_told_and_not_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("bo.py").write_text("print('hello'\n")
    assert main(["grade", "bo.py", "--json"]) == 0
    [engine] = json.loads(capsys.readouterr().out)["engines"]
    assert (engine["file"], engine["verdict"]) == ("bo.py", "not examined")
