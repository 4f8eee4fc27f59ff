"""minigrad grade: what one learner hands in costs nobody else anything."""

import json
import os
from pathlib import Path

import pytest

from classroom_fixtures import ADA, MOSES, SOFIA, Class, class_in
from filled_sheets import as_saved, fill, solutions
from forged_engines import CLOSURES_TEXT, denies_at_the_end
from injection_checks import html_faults, markdown_faults, terminal_faults
from minigrad.cli import main
from minigrad.cli.commands import grade as grade_command
from minigrad.learn.classroom import feedback, grades, learner_engines
from minigrad.learn.classroom.learner_engines import EngineFile, examine_engine
from minigrad.learn.questions import KINDS

ADDS = """
class Value:
    def __init__(self, data, parents=()):
        self.data, self.grad, self.parents = data, 0.0, parents

    def __add__(self, other):
        return Value(self.data + other.data, (self, other))

    def backward(self, upstream=1.0):
        self.grad += upstream
        for parent in self.parents:
            parent.backward(upstream)
"""


@pytest.fixture
def monday(tmp_path, monkeypatch, capsys) -> Class:
    """A class of three that has handed in right answers, each file with the name of its learner."""
    monkeypatch.setenv("MINIGRAD_LANG", "en")
    made = class_in(tmp_path / "monday", "en")
    for place in (ADA, SOFIA, MOSES):
        made.hand_in(place, solutions(made.sheet(place)))
    capsys.readouterr()
    return made


def engine_file(name: str, text: str | bytes = ADDS, **about: object) -> EngineFile:
    octets = text if isinstance(text, bytes) else text.encode()
    return EngineFile(name, name.partition(".")[0], "", {name: octets}, **about)


# ---- one bad hand-in ------------------------------------------------------------------------------

COOKIES = (
    "rot13",
    "base64",
    "bz2",
    "zlib",
    "hex",
    "quopri",
    "punycode",
    "undefined",
    "utf-7",
    "idna",
    "nobody",
)


def test_an_engine_in_an_odd_encoding_is_its_own_learners_trouble(monday, capsys):
    for cookie in COOKIES:
        (monday.folder / f"{cookie}.py").write_text(f"# coding: {cookie}\nclass Value: pass\n")
    (monday.folder / "moses-ibn-tibbon.py").write_text("# coding: rot13\nclass Value: pass\n")
    results = monday.graded(capsys)
    assert [row["points"] for row in results["learners"]] == [len(KINDS)] * 3
    assert results["learners"][MOSES]["engine"]["verdict"] == "not examined"
    assert {row["file"]: row["verdict"] for row in results["engines"]} == {
        f"{cookie}.py": "not examined" for cookie in COOKIES
    }
    assert main(["grade", str(monday.folder)]) == 0
    assert "Moses ibn Tibbon: moses-ibn-tibbon.py cannot be read" in " ".join(capsys.readouterr().out.split())


FORGERY = """
import os


class Value:
    grad = 0.0

    def __init__(self, data):
        for number in range(3, 64):
            try:
                os.write(number, {lines!r})
            except OSError:
                pass
        os._exit(0)

    def __add__(self, other):
        return self

    def backward(self):
        pass
"""
FORGED = (
    b'{"plan": {"class_name": 7}}\n{"end": true}\n' + b"[" * 2000 + b"\n",
    b'{"probe": "\xff\xfe", "grads": {"a": 1e999}}\n\x00\x1b[2J\n'
    b'{"trouble": {"code": "__class__", "detail": ["\\ud800"], "line": -1}}\n',
)


def test_an_engine_that_forges_its_results_is_its_own_learners_trouble(monday, capsys):
    for at, lines in enumerate(FORGED):
        (monday.folder / f"forged{at}.py").write_text(FORGERY.format(lines=lines))
    results = monday.graded(capsys)
    assert [row["points"] for row in results["learners"]] == [len(KINDS)] * 3
    assert [row["verdict"] for row in results["engines"]] == ["not examined"] * len(FORGED)


def test_an_engine_whose_results_look_forged_is_marked_for_a_look_by_hand(monday, capsys):
    (monday.folder / "forging.py").write_text(denies_at_the_end())
    (monday.folder / "honest.py").write_text(CLOSURES_TEXT)
    engines = {row["file"]: row for row in monday.graded(capsys)["engines"]}
    assert engines["forging.py"]["suspicions"]
    assert engines["honest.py"]["suspicions"] == []


def fail_for(word: str, original, at: int = 0):
    """A function that fails where one of its arguments holds a word."""

    def failing(*arguments, **named):
        if word in str(arguments[at]):
            raise RuntimeError("a \x1b[2J bug of ours")
        return original(*arguments, **named)

    return failing


def test_a_failure_of_ours_on_one_engine_is_a_row_that_says_so(monday, monkeypatch, capsys):
    (monday.folder / "moses-ibn-tibbon.py").write_text("class Value(:\n")
    (monday.folder / "sofia-nunez.py").write_text("class Value(:\n")
    monkeypatch.setattr(learner_engines, "examine", fail_for("moses", learner_engines.examine))
    results = monday.graded(capsys)
    assert [row["points"] for row in results["learners"]] == [len(KINDS)] * 3
    assert results["learners"][SOFIA]["engine"]["verdict"] == "not examined"
    assert results["learners"][MOSES]["engine"]["verdict"] == "not examined"
    assert main(["grade", str(monday.folder)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert r"Moses ibn Tibbon: could not be examined: RuntimeError: a \x1b[2J bug of ours; check it" in told


def test_a_failure_of_ours_on_one_sheet_is_a_row_that_says_so(monday, monkeypatch, capsys):
    code = monday.sheet(MOSES).code
    monkeypatch.setattr(grades, "_marks", fail_for(code, grades._marks))
    results = monday.graded(capsys)
    assert [row["points"] for row in results["learners"]] == [len(KINDS), len(KINDS), 0]
    assert {mark["status"] for mark in results["learners"][MOSES]["questions"]} == {"unread"}
    assert "could not be examined: RuntimeError" in results["learners"][MOSES]["notices"][0]


def test_a_failure_of_ours_in_reading_one_file_is_told_of_that_file(monday, monkeypatch, capsys):
    from minigrad.learn.classroom import hand_in

    monkeypatch.setattr(hand_in, "read", fail_for(monday.sheet(MOSES).code, hand_in.read, 1))
    results = monday.graded(capsys)
    assert [row["points"] for row in results["learners"]] == [len(KINDS), len(KINDS), None]
    assert "moses-ibn-tibbon.md" in [row["file"] for row in results["not_graded"]]
    assert any("moses-ibn-tibbon.md was not graded" in text for text in results["learners"][MOSES]["notices"])


def test_a_failure_of_ours_in_one_feedback_costs_nobody_elses(monday, monkeypatch, tmp_path):
    monkeypatch.setattr(feedback, "feedback_html", fail_for("moses", feedback.feedback_html))
    assert main(["grade", str(monday.folder), "--out", str(tmp_path / "marks")]) == 0
    pages = {path.name: path.read_text() for path in (tmp_path / "marks" / "feedback").glob("*.html")}
    assert "could not be examined" in pages["moses-ibn-tibbon.html"]
    assert all("<main>" in pages[f"{slug}.html"] for slug in ("ada-lovelace", "sofia-nunez"))


def test_an_interrupt_ends_the_grading_and_saves_what_is_done(monday, monkeypatch, tmp_path, capsys):
    examined = []

    def interrupted(path):
        examined.append(path)
        if len(examined) == 2:
            raise KeyboardInterrupt
        return learner_engines.SubjectError

    monkeypatch.setattr(learner_engines, "examine", interrupted)
    for name in ("a", "b", "c"):
        (monday.folder / f"{name}.py").write_text("class Value(:\n")
    assert main(["grade", str(monday.folder), "--out", str(tmp_path / "marks")]) == 130
    assert len(examined) == 2
    results = json.loads((tmp_path / "marks" / "results.json").read_text())
    assert [row["points"] for row in results["learners"]] == [len(KINDS)] * 3
    assert {row["file"] for row in results["not_graded"]} == {"b.py", "c.py"}
    assert all("interrupted" in row["why"] for row in results["not_graded"])


def test_a_pipe_or_a_link_is_told_and_not_waited_for(monday, capsys):
    os.mkfifo(monday.folder / "notes.py")
    os.mkfifo(monday.folder / "pipe.md")
    (monday.folder / "link.md").symlink_to(monday.folder / "key.json")
    aside = {row["file"]: row["why"] for row in monday.graded(capsys)["not_graded"]}
    assert set(aside) == {"notes.py", "pipe.md", "link.md"}
    assert all("no plain file" in why for why in aside.values())


# ---- each alone -----------------------------------------------------------------------------------


def test_an_engine_is_examined_as_if_nothing_lay_beside_it(tmp_path, capsys):
    """A doctor.toml, modules that shadow others, and somebody's engine that is imported by its name."""
    planted = {
        "doctor.toml": 'class = "Nobody"\n',
        "numpy.py": "raise SystemExit('numpy of a neighbour')\n",
        "torch.py": "raise SystemExit('torch of a neighbour')\n",
        "minigrad.py": "raise SystemExit('minigrad of a neighbour')\n",
        "sitecustomize.py": "raise SystemExit('site of a neighbour')\n",
        "conftest.py": "raise SystemExit('conftest of a neighbour')\n",
        "math.py": "raise SystemExit('math of a neighbour')\n",
        "paths.pth": "import os; os._exit(7)\n",
        "__init__.py": "raise SystemExit('package of a neighbour')\n",
    }
    (tmp_path / "together").mkdir()
    (tmp_path / "alone").mkdir()
    for name, text in planted.items():
        (tmp_path / "together" / name).write_text(text)
    (tmp_path / "together" / "ada.py").write_text(ADDS)
    for folder in ("together", "alone"):
        (tmp_path / folder / "moses.py").write_text("import math\nimport numpy\n" + ADDS)
        (tmp_path / folder / "thief.py").write_text(
            "from ada import Value\n\nclass Mine(Value):\n    grad = 0.0\n"
        )
    found = {}
    for folder in ("together", "alone"):
        words = [str(tmp_path / folder / name) for name in ("moses.py", "thief.py")]
        assert main(["grade", *words, "--json", "--lang", "en"]) == 0
        found[folder] = json.loads(capsys.readouterr().out)["engines"]
    assert found["together"] == found["alone"]
    honest, thief = (row["verdict"] for row in found["alone"])
    assert honest in ("limited", "correct")
    assert thief == "not examined"


def test_a_folder_that_is_called_after_its_learner_is_one_hand_in(monday, capsys):
    for folder in ("Moses ibn Tibbon_77_assignsubmission_file_", "group"):
        (monday.folder / folder).mkdir()
        (monday.folder / folder / "doctor.toml").write_text('class = "Nobody"\n')
        (monday.folder / folder / "helper.py").write_text("ZERO = 0.0\n")
        (monday.folder / folder / "engine.py").write_text(
            "from helper import ZERO\n" + ADDS.replace("0.0", "ZERO")
        )
    results = monday.graded(capsys)
    engine = results["learners"][MOSES]["engine"]
    assert engine["file"].endswith("/engine.py")
    assert engine["verdict"] in ("limited", "correct")
    assert {row["verdict"] for row in results["engines"]} == {"not examined"}  # nobody's folder: each alone


def test_an_engine_with_more_code_than_a_learner_writes_is_not_examined(monkeypatch):
    large = engine_file("x.py", ADDS + "x = 1\n" * 100_000)
    cells = [{"cell_type": "code", "source": ["x = 1\n"] * 100_000}]
    wide = engine_file("x.ipynb", json.dumps({"cells": cells}))
    texts = {f"{at}.py": b"" for at in range(200)}
    monkeypatch.delattr(learner_engines, "examine")
    for handed in (large, wide, EngineFile("x", "x", "x", texts, is_folder=True)):
        examined = examine_engine(handed)
        assert (examined.verdict, examined.points) == ("not examined", 0.0)
        assert "too" in examined.headline


def test_what_is_examined_is_what_was_handed_in_before_any_engine_ran(monday, monkeypatch, capsys):
    """An engine that finds the folder of the class can delete what lies there, and it changes nothing."""
    returned = monday.folder / "returned"
    deletes = f"import os, shutil; shutil.rmtree({str(returned)!r}); os._exit(1)"
    (returned / "a.py").write_text(ADDS.replace("self.data, self.grad, self.parents =", f"{deletes} #"))
    (returned / "b.py").write_text("class Value(:\n")
    results = monday.graded(capsys)
    assert not returned.exists()
    assert [row["points"] for row in results["learners"]] == [len(KINDS)] * 3
    assert [row["file"] for row in results["engines"]] == ["a.py", "b.py"]


# ---- a code that comes back twice -----------------------------------------------------------------


def copied(monday: Class, name: str, answers: dict[int, dict[str, str]] | None = None) -> Path:
    """The sheet of Ada, handed in once more by somebody else, and later."""
    into = monday.folder / "returned" / name
    right = solutions(monday.sheet(ADA))
    fill(monday.folder / "sheets" / "ada-lovelace.md", answers or {1: right[1]}, into)
    os.utime(into, (2e9, 2e9))
    return into


def test_a_copied_code_moves_no_marks_and_is_told_with_both_files(monday, capsys):
    before = monday.graded(capsys)["learners"]
    (monday.folder / "returned" / "moses-ibn-tibbon.md").unlink()
    copied(monday, "moses-ibn-tibbon.md")
    after = monday.graded(capsys)["learners"]
    assert after[ADA] == before[ADA]
    assert after[SOFIA] == before[SOFIA]
    assert after[MOSES]["points"] is None
    assert after[MOSES]["notices"] == [
        "moses-ibn-tibbon.md was handed in with the code of Ada Lovelace, whose own file is "
        "ada-lovelace.md; it counts for nobody, check both by hand"
    ]


def test_a_copied_code_beside_the_own_sheet_costs_nothing(monday, capsys):
    copied(monday, "moses-ibn-tibbon (1).md")
    rows = monday.graded(capsys)["learners"]
    assert [row["points"] for row in rows] == [len(KINDS)] * 3
    assert rows[ADA]["notices"] == []
    assert "with the code of Ada Lovelace" in rows[MOSES]["notices"][0]


def test_a_second_file_of_nobody_is_told_and_the_learners_own_counts(monday, capsys):
    copied(monday, "sheet.md")
    row = monday.graded(capsys)["learners"][ADA]
    assert (row["file"], row["points"]) == ("ada-lovelace.md", len(KINDS))
    assert row["notices"] == [
        "sheet.md and ada-lovelace.md have the same code; ada-lovelace.md is named after the learner and "
        "counts (points of sheet.md: 1); check both by hand"
    ]


def test_of_two_files_of_nobody_the_better_counts_and_both_are_listed(monday, capsys):
    (monday.folder / "returned" / "ada-lovelace.md").rename(monday.folder / "returned" / "first.md")
    copied(monday, "second.md")
    row = monday.graded(capsys)["learners"][ADA]
    assert (row["file"], row["points"]) == ("first.md", len(KINDS))
    assert row["notices"] == [
        "second.md and first.md have the same code, and neither is named after the learner; first.md counts, "
        "as none has more points (points of second.md: 1); check both by hand"
    ]


def test_a_learners_own_second_version_counts_as_before(monday, capsys):
    copied(monday, "ada-lovelace (2).md")
    row = monday.graded(capsys)["learners"][ADA]
    assert (row["file"], row["points"]) == ("ada-lovelace (2).md", 1)
    assert "handed in more than once" in row["notices"][0]


def test_an_engine_with_a_copied_code_takes_nobodys_place(monday, capsys):
    code = monday.sheet(SOFIA).code
    (monday.folder / "aaa.py").write_text(f"# sheet {code}\nclass Value(:\n")
    (monday.folder / "ada-lovelace.py").write_text(f"# sheet {code}\nclass Value(:\n")
    (monday.folder / "sofia-nunez.py").write_text("class Value(:\n")
    results = monday.graded(capsys)
    assert results["learners"][SOFIA]["engine"]["file"] == "sofia-nunez.py"
    assert results["learners"][SOFIA]["notices"] == [
        "aaa.py is a second engine; sofia-nunez.py counts, check both by hand"
    ]
    assert results["learners"][ADA]["engine"] is None
    assert results["learners"][ADA]["notices"] == [
        "ada-lovelace.py is an engine with the code of Sofía Núñez; it counts for nobody, check it by hand"
    ]
    assert [row["file"] for row in results["engines"]] == ["aaa.py", "ada-lovelace.py"]


@pytest.mark.parametrize("inside", [".", "deep/down", "Ada Lovelace_78_file"])
def test_a_name_of_somebody_else_in_ones_own_folder_moves_no_marks(monday, inside, capsys):
    before = monday.graded(capsys)["learners"]
    folder = monday.folder / "returned" / "Moses ibn Tibbon_77_file"
    (folder / inside).mkdir(parents=True)
    (folder / "key.json").write_text("{}")  # it does not make the folder that of the class
    right = solutions(monday.sheet(ADA))
    taking = as_saved(monday.sheet(ADA), {1: right[1]}, "2099-01-01T00:00:00")
    (folder / inside / "ada-lovelace.json").write_text(taking)
    (folder / inside / "sofia-nunez.pdf").write_text("")
    after = monday.graded(capsys)["learners"]
    assert after[:MOSES] == before[:MOSES]
    assert "ada-lovelace.json was handed in with the code of Ada Lovelace" in after[MOSES]["notices"][1]
    assert "sofia-nunez.pdf was not graded" in after[MOSES]["notices"][0]
    assert after[MOSES]["points"] == len(KINDS)


def test_a_name_of_somebody_else_moves_no_marks_where_files_are_named_one_by_one(monday, capsys):
    folder = monday.folder / "returned" / "Moses ibn Tibbon_77_file"
    folder.mkdir()
    taking = as_saved(monday.sheet(ADA), {1: {"a": "1"}}, "2099-01-01T00:00:00")
    (folder / "ada-lovelace.json").write_text(taking)
    words = [str(path) for path in sorted((monday.folder / "returned").glob("**/*.*"))]
    assert main(["grade", *words, "--key", str(monday.folder), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["learners"]
    assert (rows[ADA]["file"], rows[ADA]["points"]) == ("ada-lovelace.md", len(KINDS))


def test_a_class_folder_with_the_name_of_a_learner_is_not_theirs(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MINIGRAD_LANG", "en")
    made = class_in(tmp_path / "ada-lovelace", "en")
    capsys.readouterr()
    (made.folder / "sofia-nunez.json").write_text(as_saved(made.sheet(SOFIA), solutions(made.sheet(SOFIA))))
    row = made.graded(capsys)["learners"][SOFIA]
    assert (row["points"], row["notices"]) == (len(KINDS), [])


def test_an_engine_that_only_its_code_gives_to_a_learner_is_told(monday, capsys):
    (monday.folder / "aaa.py").write_text(f"# sheet {monday.sheet(SOFIA).code}\nclass Value(:\n")
    row = monday.graded(capsys)["learners"][SOFIA]
    assert row["engine"]["file"] == "aaa.py"
    assert row["notices"] == [
        "aaa.py counts as this learner's engine only because it carries the code of their sheet; the file is "
        "named after nobody: ask whose it is"
    ]


def test_of_two_engines_of_nobody_the_better_counts_and_both_are_told(monday, capsys):
    code = monday.sheet(SOFIA).code
    (monday.folder / "aaa.py").write_text(f"# sheet {code}\nclass Value(:\n")
    (monday.folder / "engine.py").write_text(f"# sheet {code}\n{ADDS}")
    row = monday.graded(capsys)["learners"][SOFIA]
    assert row["engine"]["file"] == "engine.py"
    assert [text.partition(" ")[0] for text in row["notices"]] == ["engine.py", "aaa.py"]


def test_an_engine_deep_in_a_learners_own_folder_is_theirs(monday, capsys):
    source = monday.folder / "returned" / "Ada Lovelace_77_file" / "src"
    source.mkdir(parents=True)
    (source / "engine.py").write_text("class Value(:\n")
    row = monday.graded(capsys)["learners"][ADA]
    assert row["engine"]["file"] == "engine.py"
    assert row["notices"] == []


# ---- too many files -------------------------------------------------------------------------------


def test_a_flood_of_files_in_one_folder_costs_nobody_else_anything(monday, capsys):
    before = monday.graded(capsys)["learners"]
    folder = monday.folder / "returned" / "Moses ibn Tibbon_77_file"
    folder.mkdir()
    for at in range(5001):
        (folder / f"{at}.md").touch()
    results = monday.graded(capsys)
    assert results["learners"][:MOSES] == before[:MOSES]
    assert results["learners"][MOSES]["points"] == len(KINDS)
    told = "Moses ibn Tibbon_77_file was not graded: more than 500 files lie in this folder; files that were"
    assert f"{told} left unread: 4501" in results["learners"][MOSES]["notices"]


def test_a_flood_in_a_folder_of_nobody_is_told_and_one_at_the_top_refused(monday, monkeypatch, capsys):
    monkeypatch.setattr(grade_command, "MOST", 20)
    (monday.folder / "returned" / "aaa").mkdir()
    for at in range(21):
        (monday.folder / "returned" / "aaa" / f"{at}.md").touch()
    results = monday.graded(capsys)
    assert [row["points"] for row in results["learners"]] == [len(KINDS)] * 3
    assert {
        "file": "aaa",
        "why": "more than 20 files lie in this folder; files that were left unread: 1",
    } in (results["not_graded"])
    for at in range(21):
        (monday.folder / f"{at}.md").touch()
    assert main(["grade", str(monday.folder)]) == 2
    assert "more than 20 files" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["venv", ".venv", "site-packages", "node_modules", "__pycache__"])
def test_packages_of_others_that_were_handed_in_along_are_left_alone(monday, name, capsys):
    folder = monday.folder / "returned" / "Moses ibn Tibbon_77_file"
    (folder / name / "lib").mkdir(parents=True)
    (folder / name / "lib" / "engine.py").write_text(ADDS)
    (folder / "engine.py").write_text("class Value(:\n")
    results = monday.graded(capsys)
    assert results["learners"][MOSES]["engine"]["file"] == "engine.py"
    assert results["learners"][MOSES]["engine"]["verdict"] == "not examined"


# ---- notebooks ------------------------------------------------------------------------------------


def notebook_of(source: object, **more: object) -> dict[str, object]:
    cells = [{"cell_type": "code", "source": source, "metadata": {}, "outputs": []}]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}


def unreadable_sheets(code: str) -> dict[str, str]:
    """Sheets of one code with an engine in them that cannot be read as sheets."""
    marked = {"metadata": {"minigrad": {"sheet": code}}}
    text = {"cell_type": "markdown", "source": [f"sheet {code}"]}
    large = notebook_of(ADDS, outputs="x" * (5 << 20))
    return {
        "large": json.dumps({**large, **marked}),
        "large with a code in its text": json.dumps({**large, "cells": [*large["cells"], text]}),
        "damaged": json.dumps(notebook_of(ADDS, **marked)) + "}",
        "a pile of accents": json.dumps(
            notebook_of(ADDS + "# a" + "\u0301" * 99, **marked), ensure_ascii=False
        ),
        "a changed code": json.dumps(notebook_of(ADDS, metadata={"minigrad": {"sheet": "mine"}})),
    }


@pytest.mark.parametrize("how", unreadable_sheets(""))
def test_a_sheet_that_cannot_be_read_is_not_run_either(monday, how, monkeypatch, capsys):
    (monday.folder / "returned" / "moses-ibn-tibbon.md").unlink()
    into = monday.folder / "returned" / "moses-ibn-tibbon.ipynb"
    into.write_text(unreadable_sheets(monday.sheet(MOSES).code)[how], encoding="utf-8")
    run = []
    monkeypatch.setattr(learner_engines, "examine", run.append)
    results = monday.graded(capsys)
    assert run == []
    assert results["engines"] == []
    assert results["learners"][MOSES]["engine"] is None
    assert "moses-ibn-tibbon.ipynb was not graded" in results["learners"][MOSES]["notices"][0]


def test_an_engine_in_a_notebook_with_large_outputs_is_examined(monday, capsys):
    text = f"# sheet {monday.sheet(MOSES).code}\n{ADDS}"
    (monday.folder / "lesson.ipynb").write_text(json.dumps(notebook_of(text, outputs="x" * (5 << 20))))
    assert monday.graded(capsys)["learners"][MOSES]["engine"]["verdict"] in ("limited", "correct")


@pytest.mark.parametrize(
    "source", [{"x": "1 + " * 200_000}, {"class Value": "backward"}, [["x = 1\n"] * 100_000], 7, None]
)
def test_a_notebook_whose_code_is_no_text_is_none(source):
    examined = examine_engine(engine_file("x.ipynb", json.dumps(notebook_of(source))))
    assert (examined.verdict, examined.headline) == (
        "not examined",
        "x.ipynb is no notebook",
    )


def test_the_size_of_a_notebook_is_that_of_what_is_parsed(monkeypatch):
    """A line for the notebook alone becomes a comment, which is longer."""
    monkeypatch.delattr(learner_engines, "examine")
    magic = engine_file("x.ipynb", json.dumps(notebook_of("%\n" * 60_000)))
    assert "more than 400 kB" in examine_engine(magic).headline


# ---- nothing that was handed in acts on anything --------------------------------------------------

PAYLOAD = (
    "\x1b[2J\x07\x9b31m\u202e\u2066\u200b\u2028\n"
    "# [x](javascript:1) ![x](x) <img src=x onerror=alert(1)> `**b**`"
)
HARMLESS = "xyz"
RAISES = """
class Value:
    grad = 0.0

    def __init__(self, data):
        raise ValueError({text!r})

    def __add__(self, other):
        return self

    def backward(self):
        pass
"""
SPEAKS = """
class Value:
    def __init__(self, data, parents=()):
        self.data, self.grad, self.parents = data, 0.0, parents

    def __add__(self, other):
        return Value(self.data + other.data, (self, other))

    def __mul__(self, other):
        raise ValueError({text!r})

    def backward(self, upstream=1.0):
        self.grad = upstream
        for parent in self.parents:
            parent.backward(upstream)
"""


def outputs(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """All that is printed and written for a class of which everything says this text."""
    made = class_in(folder / "monday", "en")
    returned = folder / "monday" / "returned"
    returned.mkdir()
    answers = {item.number: dict.fromkeys(item.prompt.blanks, text[:250]) for item in made.sheet(ADA).items}
    (returned / "ada-lovelace.json").write_text(as_saved(made.sheet(ADA), answers))
    (returned / f"{text}.json").write_text(as_saved(made.sheet(SOFIA), answers))
    (returned / f"again {text}.json").write_text(as_saved(made.sheet(SOFIA), solutions(made.sheet(SOFIA))))
    (returned / f"moses-ibn-tibbon {text}.json").write_text(as_saved(made.sheet(SOFIA), answers))
    (returned / f"{text}.md").write_text(text)
    (returned / f"{text}.{text}").write_text(text)
    (returned / f"{text}.py").write_text("class Value(:\n")
    for name, engine in (("moses-ibn-tibbon", SPEAKS), ("ada-lovelace", RAISES)):
        (returned / f"{name} {text}.py").write_text(engine.format(text=text))
    assert main(["grade", str(folder / "monday"), "--due", "2026-01-01", "--out", str(folder / "out")]) == 0
    files = {"terminal": capsys.readouterr().out.replace(str(folder), "")}
    for path in sorted((folder / "out").rglob("*")):
        if path.is_file():
            files[str(path.relative_to(folder / "out"))] = path.read_text(encoding="utf-8")
    return files


def test_nothing_that_was_handed_in_acts_on_a_terminal_or_a_page(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MINIGRAD_LANG", "en")
    for name in ("bad", "good"):
        (tmp_path / name).mkdir()
    bad = outputs(tmp_path / "bad", PAYLOAD, capsys)
    good = outputs(tmp_path / "good", HARMLESS, capsys)
    assert {"terminal", "results.csv", "results.md", "feedback/ada-lovelace.html"} <= set(bad)
    for name, text in bad.items():
        mark = "\ufeff" if name.endswith(".csv") else ""  # by which a spreadsheet knows the letters
        assert terminal_faults(text.removeprefix(mark)) == [], name
        if name.endswith(".md") and name in good:
            assert markdown_faults(text, good[name]) == [], name
        if name.endswith(".html"):
            assert html_faults(text, good[name]) == [], name
    assert sum(r"\x1b[2J" in text for text in bad.values()) >= 6  # it is told, and not left out


def test_the_check_sees_what_would_act(tmp_path):
    assert terminal_faults(PAYLOAD)
    assert markdown_faults(PAYLOAD, HARMLESS)


def test_a_folder_that_cannot_be_read_is_told_to_its_learner(monday, monkeypatch, capsys):
    """Root reads everything, so the refusal is planted."""
    closed = monday.folder / "Sofía Núñez"
    closed.mkdir()
    original = os.scandir

    def refusing(path="."):
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied", os.fspath(path))
        return original(path)

    monkeypatch.setattr(os, "scandir", refusing)
    row = monday.graded(capsys)["learners"][SOFIA]
    assert any("was not graded" in notice for notice in row["notices"]), row["notices"]


def test_a_key_is_not_renewed_where_a_sheet_would_be_lost(tmp_path, capsys):
    names = tmp_path / "names.txt"
    words = [
        "learn",
        "--class",
        str(names),
        "--out",
        str(tmp_path / "monday"),
        "--questions",
        "1",
        "--seed",
        "1",
    ]
    names.write_text("Ada\nBob\nEve\n")
    assert main(words) == 0
    before = (tmp_path / "monday" / "key.json").read_bytes()
    names.write_text("Bob\nZoe\n")
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "Ada, Eve" in said
    assert (tmp_path / "monday" / "key.json").read_bytes() == before
    names.write_text("Ada\nBob\nEve\nZoe\n")  # who joins later costs nobody anything
    assert main(words) == 0
    names.write_text("Bob\nZoe\n")
    assert main([*words, "--force"]) == 0
