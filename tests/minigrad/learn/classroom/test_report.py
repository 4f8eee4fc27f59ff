"""Reports on a class: no name of a learner or a file does anything in a spreadsheet."""

import csv
from dataclasses import replace
from datetime import datetime
from itertools import product
from random import Random
from re import fullmatch, search

import pytest

from minigrad.learn.classroom.answer_key import AnswerKey
from minigrad.learn.classroom.grades import RIGHT, WRONG, Grade, HandInFile, Results, grade
from minigrad.learn.classroom.hand_in import HandIn
from minigrad.learn.classroom.learner_engines import ExaminedEngine
from minigrad.learn.classroom.report import as_csv, as_html, as_json, as_markdown, as_text, unit_shares
from minigrad.learn.classroom.roster import Learner
from minigrad.learn.classroom.sheet import SheetPlan, class_sheets
from minigrad.text.page import Page
from minigrad.text.translation import speaking
from sentences import sentence

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


def results_of(names: list[str], kinds: tuple[str, str] = ("data", "data")) -> Results:
    """A class with these names, ids and files, and an engine for each of the names."""
    with speaking("en"):
        plan = SheetPlan("Monday", 3, tuple((kind, 1) for kind in kinds))
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
    rows = list(csv.reader(text.removeprefix("\ufeff").split("\n")))
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
    head, ada = csv.reader(text.removeprefix("\ufeff").splitlines())
    assert dict(zip(head, ada, strict=True)) == {
        "name": "Ada", "id": "Ada", "file": "", "state": "no sheet", "1": "", "2": "", "points": "",
        "of": "2", "engine": "", "engine points": "", "notices": "",
    }  # fmt: skip


def test_a_spanish_spreadsheet_gets_semicolons_decimal_commas_and_spanish_words():
    """Written for by hand: what Excel and LibreOffice expect of a file where decimals have a comma."""
    engine = ExaminedEngine("ada.py", "ada", "wrong", "", ("= in place of +=",), "", "", share=0.95)
    with speaking("es"):
        text = as_csv(grade(results_of(["Ada Núñez"]).key, [], [engine]))
    assert text.encode().startswith(b"\xef\xbb\xbf")  # by which the letters are known
    head, ada, other = csv.reader(text.removeprefix("\ufeff").splitlines(), delimiter=";")
    assert head == [
        "nombre", "identificador", "archivo", "estado", "1", "2",
        "puntos", "de", "motor", "puntos del motor", "avisos",
    ]  # fmt: skip
    assert ada[0] == "Ada Núñez"
    assert ada[3] == "sin hoja"
    assert other[0] == "ada.py"
    assert other[8:10] == ["incorrecto", "0,75"]


def test_an_english_spreadsheet_gets_commas_and_decimal_points():
    engine = ExaminedEngine("ada.py", "ada", "wrong", "", ("one", "two"), "", "", share=0.95)
    with speaking("en"):
        text = as_csv(grade(results_of(["Ada"]).key, [], [engine]))
    assert list(csv.reader(text.splitlines()))[2][8:10] == ["wrong", "0.5"]


@pytest.mark.parametrize(
    ("findings", "share", "cost", "points"),
    [
        (1, 205 / 216, 0.25, 0.75),
        (2, 205 / 216, 0.25, 0.5),
        (9, 205 / 216, 0.25, 0.0),  # never below nothing
        (1, 0.1, 0.25, 0.1),  # one bug that breaks nearly all
        (1, 0.9, 0.0, 0.9),
        (1, 0.9, 1.0, 0.0),
        (0, 0.9, 0.25, 0.75),  # wrong, and no bug has a name
    ],
)
def test_an_engine_keeps_what_its_bugs_leave_of_the_point(findings, share, cost, points):
    bugs = tuple(f"bug {number}" for number in range(findings))
    assert ExaminedEngine("x.py", "x", "wrong", "", bugs, "", "", share=share, bug_cost=cost).points == points
    assert ExaminedEngine("x.py", "x", "correct", "", (), "", "", share=1.0, bug_cost=cost).points == 1.0


def marked(rights: dict[str, list[bool]]) -> Results:
    """Results in which each learner has these marks, on the questions of a sheet of two."""
    results = results_of(list(rights), ("data", "order"))
    graded = []
    for one, marks in zip(results.graded, rights.values(), strict=True):
        items = zip(one.sheet.items, marks, strict=True)
        grades = tuple(Grade(item, RIGHT if right else WRONG, {"a": "1"}) for item, right in items)
        graded.append(replace(one, file="x.md", marks=grades))
    return replace(results, graded=tuple(graded))


@pytest.mark.parametrize(
    ("lang", "repeat", "none"),
    [("en", "To be repeated", "No unit needs"), ("es", "Para repasar", "No hace falta")],
)
def test_the_report_of_a_class_says_which_unit_to_repeat_in_words_and_as_a_chart(lang, repeat, none):
    bad = marked({"Ada": [True, False], "Emmy": [True, False], "Sofía": [True, True], "Moses": [True, False]})
    good = marked({"Ada": [True, True], "Emmy": [True, True]})
    with speaking(lang):
        shares = unit_shares(bad)
        assert sorted((unit.right, unit.asked) for unit in shares) == [(1, 4), (4, 4)]
        worst = min(shares, key=lambda unit: unit.share)
        text = " ".join(as_text(bad, Page(width=100)).split())
        assert f"{repeat}" in text
        assert search(sentence("classroom.repeat", lang, count=3, all=4), text)
        assert worst.title in text
        assert f"minigrad learn {worst.number}" in text
        assert ("25% right" if lang == "en" else "25 % de aciertos") in text
        page = as_html(bad)
        assert page.count('class="part"') == len(shares)
        assert 'width="75"' in page  # a quarter of the 300 of a whole bar
        assert none in as_text(good, Page(width=100))


def test_an_empty_answer_is_not_right_in_the_chart_and_a_sheet_that_is_missing_does_not_count():
    with speaking("en"):
        assert unit_shares(results_of(["Ada"])) != []
        assert unit_shares(grade(results_of(["Ada"]).key, [])) == []
