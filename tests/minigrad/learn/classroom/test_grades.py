"""Returned sheets become marks: whose they are, what is right, what went wrong, what to look at."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from classroom_fixtures import ADA, MOSES, SOFIA, class_in
from filled_sheets import as_saved, solutions
from minigrad.cli import main
from minigrad.faults import FAULTS, Suspect
from minigrad.faults.break_lab import lab
from minigrad.faults.order_runs import run_orders
from minigrad.graph import Graph
from minigrad.graph.trace import trace
from minigrad.learn.classroom.answer_key import AnswerKey
from minigrad.learn.classroom.grades import UNREAD, GradedSheet, HandInFile, grade
from minigrad.learn.classroom.hand_in import HandIn
from minigrad.learn.classroom.roster import roster
from minigrad.learn.classroom.sheet import SheetPlan, class_sheets
from minigrad.learn.questions import KINDS, Judgement
from minigrad.text.numerals import show
from minigrad.text.translation import speaking
from question_oracles import Silent

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
    assert row["notices"] == ["the file sofia-nunez.md is named after Sofía Núñez"]


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


def graded_alone(
    answers: Mapping[int, Mapping[str, str]], when: datetime, due: datetime | None = None
) -> GradedSheet:
    """Ada's sheet of one question, by itself: what comes of these answers."""
    with speaking("en"):
        plan = SheetPlan("Monday", 3, (("gradient", 1),))
        [sheet] = class_sheets(roster(b"Ada\n").learners, plan)
        key = AnswerKey("Monday", 3, "en", (sheet,))
        content = HandIn((sheet.code,), answers)
        [graded] = grade(key, [HandInFile("x.md", "x", when, content)], due=due).graded
    return graded


def test_a_sheet_is_late_from_the_moment_after_it_was_due():
    due = datetime(2026, 9, 28, 10, 0)
    assert graded_alone({1: {"a": "1"}}, due, due).notices == ()
    assert graded_alone({1: {"a": "1"}}, due + timedelta(minutes=1), due).notices == (
        "late: 2026-09-28 10:01",
    )


def test_an_answer_of_more_than_300_characters_is_not_read():
    """One of 300 is, and is then told to be too long for a number."""
    blanks = class_sheets(roster(b"Ada\n").learners, SheetPlan("Monday", 3, (("gradient", 1),)))
    blank = next(iter(blanks)).items[0].prompt.blanks[0]
    for length, told in ((300, "too long for a number"), (301, "This answer is too long to be one.")):
        [mark] = graded_alone({1: {blank: "1" * length}}, datetime(2026, 9, 28)).marks
        assert (mark.status, mark.answer) == (UNREAD, {blank: "1" * length})
        assert told in mark.words[0]


class Failing(Silent):
    """A question whose judge cannot work with what it is given; the rest of it may be asked for."""

    TELLING = ()

    def judge(self, answer: Mapping[str, str]) -> Judgement:
        raise ArithmeticError("no number is that large")


def test_an_answer_on_which_a_judge_fails_is_kept_as_one_that_was_not_read():
    with speaking("en"):
        [sheet] = class_sheets(roster(b"Ada\n").learners, SheetPlan("Monday", 3, (("gradient", 1),)))
        [item] = sheet.items
        failing = replace(sheet, items=(replace(item, question=Failing(item.question)),))
        content = HandIn((sheet.code,), {1: dict.fromkeys(item.prompt.blanks, "7")})
        handed = HandInFile("x.md", "x", datetime(2026, 9, 28), content)
        [graded] = grade(AnswerKey("Monday", 3, "en", (failing,)), [handed]).graded
    [mark] = graded.marks
    assert (mark.status, mark.points, mark.words) == (UNREAD, 0, ("no number is that large",))
    assert mark.answer == dict.fromkeys(item.prompt.blanks, "7")
