"""Reports on a class: no name of a learner or a file does anything in a spreadsheet."""

import csv
from datetime import datetime
from itertools import product
from random import Random
from re import fullmatch

import pytest

from minigrad.learn.classroom.answer_key import AnswerKey
from minigrad.learn.classroom.grades import HandInFile, Results, grade
from minigrad.learn.classroom.hand_in import HandIn
from minigrad.learn.classroom.learner_engines import ExaminedEngine
from minigrad.learn.classroom.report import as_csv, as_html, as_json, as_markdown, as_text
from minigrad.learn.classroom.roster import Learner
from minigrad.learn.classroom.sheet import SheetPlan, class_sheets
from minigrad.text.page import Page
from minigrad.text.translation import speaking

NAMES = [
    "a;=cmd|' /C calc'!A0",
    "=HYPERLINK(1)",
    "+1",
    "-2+3",
    "@SUM(1)",
    "a,=1",
    "a|=1",
    "a\t=1",
    'a;"=1"',
    'a;""=1',
    'a; " @x',
    "a;;-1;,+1",
    "a\r\n=1",
    "a\uff1b;\uff1d1",
    '"=1',
]
SEPARATORS = (",", ";", "\t", "|")


def results_of(names: list[str]) -> Results:
    """A class with these names, ids and files, and an engine for each of the names."""
    with speaking("en"):
        plan = SheetPlan("Monday", 3, (("data", 1), ("data", 1)))
        learners = [Learner(name, f"p{at}", name) for at, name in enumerate(names)]
        key = AnswerKey("Monday", 3, "en", tuple(class_sheets(learners, plan)))
        handed = [
            HandInFile(f"{name}.md", "p0", datetime(2026, 9, 28), HandIn((sheet.code,), {1: {"a": "-1"}}))
            for name, sheet in zip(names, key.sheets, strict=True)
        ]
        engines = [ExaminedEngine(f"{name}.py", "x", "wrong", name, (), "", "") for name in names]
        return grade(key, handed, engines, due=datetime(2026, 1, 1))


def dangerous(text: str) -> list[str]:
    """The cells that a spreadsheet would take for formulas, at any separator and with quotes or without."""
    found = []
    for separator, quoting in product(SEPARATORS, (csv.QUOTE_MINIMAL, csv.QUOTE_NONE)):
        for row in csv.reader(text.split("\n"), delimiter=separator, quoting=quoting):
            for cell in row:
                begun = cell.lstrip(' "').translate({0xFF1D: "=", 0xFF0B: "+", 0xFF0D: "-", 0xFF20: "@"})
                number = fullmatch(r"-?\d+(\.\d+)?", cell)
                if begun[:1] in ("=", "+", "-", "@", "\t", "\r") and begun and not number:
                    found.append(cell)
    return found


def test_no_cell_of_the_table_begins_a_formula_at_any_separator():
    text = as_csv(results_of(NAMES))
    assert dangerous(text) == []
    assert "a;'=cmd|' /C calc'!A0" in text


def test_random_names_begin_no_formula_either():
    lot = Random(21)
    for _ in range(20):
        names = ["".join(lot.choices("a1 ,;|\t\r\n\"'=+-@", k=lot.randrange(1, 12))) for _ in range(20)]
        assert dangerous(as_csv(results_of(names))) == []


@pytest.mark.parametrize("name", NAMES[:14])
def test_the_check_sees_a_name_that_was_not_marked(name):
    assert dangerous(f'x,{name.splitlines()[-1]}\n"{name.splitlines()[-1]}",x\n')


def test_points_stay_numbers_and_plain_names_stay_as_they_are():
    text = as_csv(results_of(["Ada Lovelace", "Anne-Marie O'Hara", "M. Curie, née Skłodowska"]))
    rows = list(csv.reader(text.split("\n")))
    assert [row[0] for row in rows[1:4]] == ["Ada Lovelace", "Anne-Marie O'Hara", "M. Curie, née Skłodowska"]
    at = rows[0].index("points")
    assert [row[at] for row in rows[1:4]] == ["0", "0", "0"]
    assert [row[at + 1] for row in rows[1:4]] == ["2", "2", "2"]


def test_what_is_suspicious_about_an_engine_is_shown_to_the_teacher_in_every_form():
    why = ("all probes came out right in no time\x1b",)
    engine = ExaminedEngine("p0.py", "p0", "correct", "CORRECT", (), "", "", suspicions=why)
    stranger = ExaminedEngine("x.py", "x", "correct", "CORRECT", (), "", "", suspicions=why)
    with speaking("en"):
        results = grade(results_of(["Ada"]).key, [], [engine, stranger])
        forms = [as_text(results, Page(width=200)), as_csv(results), as_markdown(results), as_html(results)]
    for text in forms:
        assert text.count("check this by hand: all probes") == 2
        assert "\x1b" not in text
    assert as_json(results)["learners"][0]["engine"]["suspicions"] == list(why)


def test_names_of_any_width_leave_the_columns_below_each_other():
    """A Chinese letter takes two columns of a terminal, and a dot above a letter takes none."""
    with speaking("en"):
        shown = as_text(results_of(["Ada Lovelace", "李雷", "q\u0307q"]), Page(width=80))
    starts = []
    for name, columns in (("Ada Lovelace", 12), ("李雷", 4), ("q\u0307q", 2)):
        [line] = [line for line in shown.split("\n") if line.startswith(f"  {name} ")]
        behind = line.removeprefix(f"  {name}")
        starts.append(2 + columns + len(behind) - len(behind.lstrip()))
    assert starts == [16, 16, 16]


def test_a_sheet_that_did_not_come_back_has_no_points_in_a_spreadsheet_and_not_none():
    with speaking("en"):
        text = as_csv(grade(results_of(["Ada"]).key, []))
    head, ada = csv.reader(text.splitlines())
    assert dict(zip(head, ada, strict=True)) == {
        "name": "Ada", "id": "Ada", "file": "", "1": "", "2": "", "points": "", "of": "2",
        "engine": "", "engine points": "", "notices": "",
    }  # fmt: skip
