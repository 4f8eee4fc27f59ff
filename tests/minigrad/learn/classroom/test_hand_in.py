"""Whatever a returned file holds: no crash, no hang, nothing run, and no point for a wrong answer."""

import json
import os
import random
import string
from datetime import datetime
from fractions import Fraction
from functools import cache
from time import process_time

import pytest

from filled_sheets import FILLING, as_saved, solutions
from minigrad.cli.arguments import UsageError
from minigrad.learn.classroom.answer_key import AnswerKey, key_json, read_key, seed_of
from minigrad.learn.classroom.class_folder import FORMS
from minigrad.learn.classroom.feedback import feedback_markdown
from minigrad.learn.classroom.grades import WRONG, Grade, GradedSheet, HandInFile, grade
from minigrad.learn.classroom.hand_in import read
from minigrad.learn.classroom.roster import roster
from minigrad.learn.classroom.sheet import Sheet, SheetPlan, class_sheets
from minigrad.learn.questions import KINDS
from minigrad.text.translation import speaking
from sheet_marks import unearned

NOW = datetime(2026, 9, 28)
PATIENCE = 3.0  # seconds of the processor for one file


@cache
def a_class() -> AnswerKey:
    with speaking("en"):
        learners = roster(b"Ada\nBo\n").learners
        plan = SheetPlan("Monday", 3, tuple((kind, 1) for kind in KINDS))
        return AnswerKey("Monday", 3, "en", tuple(class_sheets(learners, plan)))


def marked(ending: str, octets: bytes) -> list[GradedSheet]:
    """Grades one file, in time."""
    start = process_time()
    with speaking("en"):
        results = grade(a_class(), [HandInFile("x", "x", NOW, read(ending, octets))])
    assert process_time() - start < PATIENCE
    return list(results.graded)


def no_wrong_answer_has_a_point(graded: list[GradedSheet]) -> None:
    assert unearned(graded) == []


def wrong(sheet: Sheet) -> dict[int, dict[str, str]]:
    """Every answer off by one, every letter another one."""
    answers = solutions(sheet)
    for given in answers.values():
        for blank, text in given.items():
            if blank == "choice":
                given[blank] = "b" if text == "a" else "a"
            elif blank == "expression":
                given[blank] = f"({text}) + 1"
            else:
                given[blank] = str(Fraction(text) + 1)
    return answers


def mutilated(text: str, lot: random.Random) -> bytes:
    """A few of the things that happen to files."""
    octets = bytearray(text.encode())
    for _ in range(lot.choice((1, 1, 2, 5, 30))):
        at, size = lot.randrange(len(octets) + 1), lot.choice((1, 1, 3, 50, 2000))
        match lot.randrange(6):
            case 0:
                del octets[at : at + size]
            case 1:
                octets[at:at] = bytes(lot.randrange(256) for _ in range(size))
            case 2:
                octets[at:at] = "".join(lot.choice(string.printable) for _ in range(size)).encode()
            case 3:
                octets[at : at + size] = octets[at : at + size][::-1]
            case 4:
                octets[at:at] = octets[at : at + size] * lot.choice((1, 7))
            case 5:
                octets[at:at] = lot.choice(
                    (b"\x00", b"\xff\xfe", b"```", b"answers 1", b"\r", b"</section>", b"}")
                )
    return bytes(octets)


@pytest.mark.parametrize("form", ["md", "html", "ipynb", "json"])
@pytest.mark.parametrize("answered", [solutions, wrong], ids=["right", "wrong"])
def test_mutilated_sheets_are_graded_or_put_aside(form, answered):
    lot = random.Random(f"{form} {answered.__name__}")
    points = []
    for at in range(25):
        sheet = a_class().sheets[at % 2]
        with speaking("en"):
            blank = as_saved(sheet, answered(sheet)) if form == "json" else FORMS[form](sheet)
        text = blank if form == "json" else FILLING[f".{form}"](blank, answered(sheet))
        graded = marked(f".{form}", mutilated(text, lot))
        no_wrong_answer_has_a_point(graded)
        points.append(sum(one.points for one in graded))
    if answered is solutions:
        assert max(points) == len(KINDS)  # most of it is still read
    else:
        assert max(points) <= 3


def test_a_judge_that_accepts_everything_is_seen(monkeypatch):
    """The test above would fail if wrong answers were accepted."""
    from minigrad.learn.classroom import grades

    sheet = a_class().sheets[0]
    judged = grades._judged
    monkeypatch.setattr(
        grades, "_judged", lambda item, question, answer: grades.Grade(item, grades.RIGHT, answer)
    )
    graded = marked(".json", as_saved(sheet, wrong(sheet)).encode())
    with pytest.raises(AssertionError):
        no_wrong_answer_has_a_point(graded)
    monkeypatch.setattr(grades, "_judged", judged)


CODE = a_class().sheets[0].code
ANSWERS = [
    "1e999999999",
    "-1e-999999999",
    "9" * 290,
    "9**9**9**9**9",
    "1/0",
    "nan",
    "inf",
    "(" * 140 + "1" + ")" * 140,
    "-" * 290 + "1",
    "__import__('os').mkdir('run')",
    "exec(\"open('run', 'w')\")",
    "a = 3; b = 4",
    "\u202e4",
    "٤",
    "4\x00",
    "x" * 5000,
    "=1+1",
    "{{grad a}}",
    "{0.__class__}",
    "%s%n",
    "${x}",
    "1_000",
    "0x10",
    "4j",
    "[1]",
    "sum(" + "x, " * 90 + "x)",
    "exp(exp(exp(exp(exp(9)))))",
]


@pytest.mark.parametrize("answer", ANSWERS, ids=range(len(ANSWERS)))
def test_strange_answers_have_no_points(answer, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sheet = a_class().sheets[0]
    given = {item.number: dict.fromkeys(item.prompt.blanks, answer) for item in sheet.items}
    graded = marked(".json", as_saved(sheet, given).encode())
    no_wrong_answer_has_a_point(graded)
    with speaking("en"):
        filled = FILLING[".ipynb"](FORMS["ipynb"](sheet), given)
    graded = marked(".ipynb", filled.encode())
    no_wrong_answer_has_a_point(graded)
    assert os.listdir(".") == []


def cells(*sources: object) -> str:
    rows = [{"cell_type": "code", "source": source} for source in sources]
    return json.dumps({"cells": rows, "metadata": {"minigrad": {"sheet": CODE}}})


FILES = {
    "deep.json": "[" * 100_000,
    "deep-answers.json": '{"schema": "minigrad.answers/1", "answers": ' + '{"1":' * 50_000,
    "types.json": f'{{"schema": "minigrad.answers/1", "sheet": "{CODE}", "saved": [1], "answers": '
    '{"1": [1], "2": 7, '
    '"x": {"a": "1"}, "-1": {"a": "1"}, "3": {"a": {"b": 1}, "b": null, "c": true}}}',
    "list.json": "[1, 2]",
    "nan.json": f'{{"schema": "minigrad.answers/1", "sheet": "{CODE}", "answers": {{"1": {{"a": NaN}}}}}}',
    "fences.md": CODE + "\n" + "```answers 1\n" * 200_000,
    "tildes.md": CODE + "\n" + "~~~answers 1\n```\n" * 100_000,
    "lines.md": f"{CODE}\n```answers 1\n" + "a = 1\n" * 300_000 + "```\n",
    "underscores.md": f"{CODE}\n```answers 1\n" + "_" * 1_000_000 + " = 1\n```\n",
    "codes.md": " ".join(f"{at:04x}-0000-0000" for at in range(60_000)),
    "digits.md": "0123-" * 500_000,
    "empty.md": "",
    "accents.md": CODE + " a" + "\u0301" * 300_000 + "\u0327" * 300_000,
    "tags.html": CODE + "<" * 1_000_000,
    "open.html": CODE + "<a " * 15_000,
    "comments.html": CODE + "<!--" * 15_000,
    "attributes.html": CODE + "<input " + 'data-blank="a" ' * 50_000 + ">",
    "declarations.html": CODE + "<![CDATA[" * 15_000 + "<!x" * 4000,
    "script.html": f"{CODE}<script><section data-question='1'><input data-blank='a' value='1'>",
    "entities.html": CODE + "&" * 100_000 + "&#x110000;&#99999999999;",
    "no-cells.ipynb": '{"cells": 7}',
    "strange-cells.ipynb": json.dumps(
        {"cells": [7, None, {"cell_type": 3}, {"cell_type": "code", "source": {"a": 1}}]}
    ),
    "calls.ipynb": cells(
        'answer("1", a=__import__("os").mkdir("run"))',
        "import os; os.mkdir('run')",
        'answer("1", **{"a": 1})',
        "answer(1, 2, 3, a=4)",
        'answer("1" * 10**9, a=1)',
        'answer("1", a=' + "(" * 3000 + ")",
        'answer("1", a=' + "-" * 4000 + "1)",
        "!mkdir run",
        ["answer(", '"1", ', "a=1", ")", 5],
        None,
    ),
    "long.ipynb": cells("answer('1', a=1)\n" * 100_000),
    "other.ipynb": json.dumps({"cells": [], "metadata": {"minigrad": 3}}),
}


@pytest.mark.parametrize("name", FILES)
def test_hostile_files_are_read_in_time_and_never_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    graded = marked(f".{name.rpartition('.')[2]}", FILES[name].encode())
    no_wrong_answer_has_a_point(graded)
    assert os.listdir(".") == []


def test_a_roster_with_piles_of_accents_is_read_in_time():
    start = process_time()
    (learner,) = roster(("Ada" + "\u0301" * 100_000 + "\u0327" * 100_000).encode()).learners
    assert learner.slug == "ada"
    assert process_time() - start < PATIENCE


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"file": "ada"', '"file": "../../ada"'),
        ('"file": "ada"', '"file": "bo"'),
        ('"title": "Monday"', '"title": "\\u001b[2J"'),
        ('"seed": 3', '"seed": 1e999'),
        ('"seed": 3', '"seed": ' + "3" * 5000),
    ],
)
def test_a_key_of_somebody_else_writes_nowhere_and_says_nothing_strange(old, new):
    with speaking("en"):
        plan = SheetPlan("Monday", 3, (("data", 1),))
        text = key_json(plan, list(class_sheets(roster(b"Ada\nBo\n").learners, plan)))
    assert [sheet.learner.slug for sheet in read_key(text).sheets] == ["ada", "bo"]
    assert old in text
    with pytest.raises(UsageError):
        read_key(text.replace(old, new))
    assert seed_of(text.replace(old, new)) in (3, None)


def test_an_answer_of_many_lines_stays_in_its_code_in_the_feedback():
    sheet = a_class().sheets[0]
    item = sheet.items[0]
    payload = "1`\n\n# <img src=x onerror=alert(1)>"
    mark = Grade(item, WRONG, dict.fromkeys(item.prompt.blanks, payload))
    told = feedback_markdown(GradedSheet(sheet, "x.md", (mark,)), a_class())
    assert any("onerror" in line and line.count("`") == 2 for line in told.split("\n"))
    assert not any(line.startswith("# <") for line in told.split("\n"))


def test_engines_of_one_name_have_each_their_own_feedback(tmp_path, capsys):
    from minigrad.cli import main

    for who in ("ada", "bo"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "engine.py").write_text(f"def {who}(:\n")
    (tmp_path / "ada" / "<b>x<i>.py").write_text("class x(:\n")
    words = ["grade", str(tmp_path / "ada"), str(tmp_path / "bo"), "--out", str(tmp_path / "out")]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "ada/engine.py" in shown
    assert "bo/engine.py" in shown
    written = sorted(path.name for path in (tmp_path / "out" / "feedback").iterdir())
    assert written == ["engine-2.md", "engine-3.md", "engine.md"]
    assert not any("<b>" in path.read_text() for path in (tmp_path / "out" / "feedback").iterdir())


def test_a_file_from_the_far_future_is_late_and_no_error():
    from minigrad.cli.commands.grade import _when

    assert _when("", 1e18) > datetime(3000, 1, 1)
    assert _when("", -1e18) < NOW
    assert _when("0001-01-01T00:00:00-23:59", 0.0) < NOW


def test_a_folder_with_pipes_and_circles_is_walked(tmp_path, capsys):
    from minigrad.cli import main

    (tmp_path / "names.txt").write_text("Ada\n")
    words = ["learn", "--class", str(tmp_path / "names.txt"), "--kinds", "data", "--questions", "1"]
    assert main([*words, "--out", str(tmp_path / "monday")]) == 0
    os.mkfifo(tmp_path / "monday" / "pipe.md")
    (tmp_path / "monday" / "circle").symlink_to(tmp_path / "monday")
    (tmp_path / "monday" / "self.md").symlink_to(tmp_path / "monday" / "self.md")
    assert main(["grade", str(tmp_path / "monday")]) == 0
    assert "Traceback" not in capsys.readouterr().err


# ---- how much of a file is read -------------------------------------------------------------------


def test_of_one_sheet_the_first_5000_answers_are_read():
    lines = ["a = 1"] * 4999 + ["b = 2", "c = 3"]
    content = read(".md", "\n".join([CODE, "```answers 1", *lines, "```", ""]).encode())
    assert content.answers == {1: {"a": "1", "b": "2"}}


def test_of_one_question_200_blanks_are_read():
    lines = [f"x{at} = {at}" for at in range(201)]
    content = read(".md", "\n".join([CODE, "```answers 1", *lines, "```", ""]).encode())
    assert content.answers[1] == {f"x{at}": f"{at}" for at in range(200)}
