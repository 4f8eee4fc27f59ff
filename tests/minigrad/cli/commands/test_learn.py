"""`minigrad learn`: a unit from a file of answers, taken up again, repeated, practised, and typed wrongly."""

from __future__ import annotations

import io
import shlex
import sys
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from learn_sessions import UNIT, answers, begun, typed
from minigrad.cli import main
from minigrad.faults.break_lab import lab
from minigrad.graph.trace import trace
from minigrad.learn import course
from minigrad.learn.lesson import Code, LabWork, LessonCheckpoint
from minigrad.learn.lesson_screens import parts, tall
from minigrad.learn.lesson_text import lines
from minigrad.learn.progress import Progress
from minigrad.learn.questions import KINDS, generate
from minigrad.learn.spaced_repetition import RecordedAnswer, question_for, schedule
from minigrad.learn.terminal_question import LeavingError, fill_blanks
from minigrad.learn.terminal_session import TerminalSession
from minigrad.text.page import Page
from minigrad.text.translation import LANGUAGES, speaking

NOW = datetime.now().astimezone()
Learning = Callable[[Sequence[str], Sequence[str]], str]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The learner's file, which is the usual one in this test."""
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.setenv("MINIGRAD_LANG", "en")
    return tmp_path / "progress.json"


@pytest.fixture
def learn(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Learning:
    """`minigrad learn` with these words, and these lines as its input; what it says when all goes well."""

    def learn(words: Sequence[str], lines: Sequence[str]) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = main(["learn", *words])
        said = capsys.readouterr()
        assert (code, said.err) == (0, "")
        return said.out

    return learn


def row(days_ago: int, **facts: object) -> dict[str, object]:
    on = datetime.now().astimezone() - timedelta(days=days_ago)
    usual = {
        "question": f"gradient:1:{days_ago}",
        "kind": "gradient",
        "unit": "by-hand",
        "try": 1,
        "answer": {},
    }
    return {**usual, "on": on.isoformat(timespec="seconds"), "right": False, **facts}


# ---- stopping and going on ----------------------------------------------------------------------------


def test_a_wrong_answer_gets_its_reason_and_another_try(path, learn):
    begun(path)
    done = learn(["--practice", "gradient", "--questions", "1", "--seed", "3"], ["a=1 b=1", "r"])
    assert "Not right" in done
    wrong, revealed = Progress.open(path).answers
    assert (wrong.right, wrong.revealed, revealed.revealed) == (False, False, True)


def test_a_checkpoint_is_taken_up_at_the_question_that_is_open(path, learn):
    begun(path)
    lines = answers(UNIT, 7)
    first = learn(["1"], lines[:-2])
    assert "To go on: minigrad learn" in first
    second = learn([], lines[-2:])
    assert Progress.open(path).state(UNIT) == "done"
    assert second.count("Question") == 2
    assert len(Progress.open(path).answers) == len(course.questions(UNIT, seed=7))


def test_a_finished_unit_begins_again_and_restart_begins_one_that_is_not(path, learn):
    begun(path)
    learn(["1"], answers(UNIT, 7))
    title = course.titles("en")[0][2]
    assert f"Unit 1: {title}" in learn(["1"], [])
    assert f"Unit 1: {title}" not in learn(["1"], [])  # it was left at the first lab
    assert f"Unit 1: {title}" in learn(["1", "--restart"], [])


# ---- the file of progress -------------------------------------------------------------------------------


def test_a_damaged_file_is_told_and_the_session_goes_on(path, learn):
    path.write_text("{ oops")
    done = learn(["1", "--lang", "es"], answers(UNIT, 7, "es"))
    aside = next(path.parent.glob("*aside*"))
    assert aside.name in done.replace("\n    ", " ")
    assert aside.read_text() == "{ oops"
    assert Progress.open(path).answers


def test_where_nothing_can_be_written_it_is_told_once_and_the_course_goes_on(learn, tmp_path):
    (tmp_path / "file").write_text("")
    done = learn(["1", "--progress", str(tmp_path / "file" / "p.json"), "--seed", "7"], answers(UNIT, 7))
    assert " ".join(done.split()).count("You can go on") == 1
    assert course.titles("en")[1][2] in done


# ---- repetition and practice ----------------------------------------------------------------------------


def test_the_list_marks_what_is_done_begun_and_due(path, capsys):
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    units = {
        "data-and-grad": {"begun": now, "block": 0, "on": now, "finished": now},
        "local-rules": {"begun": now, "block": 4, "on": now},
    }
    begun(path, units=units, answers=[row(2)])
    assert main(["learn", "--list", "--lang", "en"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("[x] 1" in line and "done" in line for line in lines)
    assert any("[>] 2" in line and "begun" in line for line in lines)
    assert any("[ ] 3" in line and "1 to repeat" in line for line in lines)
    assert "--review" in lines[-1]


def test_what_went_wrong_is_asked_again_with_other_numbers(path, learn):
    begun(path, answers=[row(2, fault="overwrite"), row(0, question="rule:1:1", kind="rule")])
    done = learn(["--review"], ["r"])
    again = Progress.open(path).answers[-1]
    assert (again.kind, again.review, again.revealed) == ("gradient", "gradient/overwrite", True)
    assert again.question != "gradient:1:2"
    assert "comes back tomorrow" in done


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_was_overwritten_comes_back_on_a_graph_where_that_shows(seed):
    item = next(iter(schedule([RecordedAnswer("x/y", "gradient", "", NOW, False, {}, "overwrite")]).values()))
    again = question_for(item, seed)
    assert again.kind == "gradient"
    assert again.graph is not None
    right, broken = trace(again.graph), lab(again.graph, "overwrite")
    assert any(broken.runs.listed[0].grads[i] != right.grads[i] for i in again.graph.inputs)


def test_a_repetition_that_goes_well_comes_back_later(path, learn):
    begun(path, answers=[row(2)])
    assert "To go on: minigrad learn --review" in learn(["--review"], ["q"])
    shown = learn(["--review"], ["r"])
    assert "Question 1 of 1" in shown
    begun(path, answers=[row(2)])
    key = Progress.open(path)
    learn(["--review"], ["r"])
    asked = Progress.open(path).answers[-1].question  # the same today: it depends on the day and the seed
    begun(path, key.seed, answers=[row(2)])
    right = typed(dict(generate(*_parts(asked)).solution))
    assert "comes back in 3 days" in learn(["--review"], [right])


def _parts(key: str) -> tuple[str, int, int]:
    kind, level, seed = key.split(":")
    return kind, int(level), int(seed)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_to_repeat_is_said(lang, path, capsys):
    assert main(["learn", "--review", "--lang", lang]) == 0
    assert capsys.readouterr().out.strip()
    assert not path.exists()  # looking changes nothing


@pytest.mark.parametrize("lang", LANGUAGES)
def test_practice_of_every_kind_can_be_done_from_a_file(lang, path, learn):
    with speaking(lang):
        lines = [typed(dict(generate(kind, 1, 11 + n).solution)) for n, kind in enumerate(KINDS)]
    words = ["--practice", "--seed", "11", "--questions", str(len(KINDS)), "--lang", lang]
    learn(words, lines)
    progress = Progress.open(path)
    assert [(answer.kind, answer.right) for answer in progress.answers] == [(kind, True) for kind in KINDS]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_practice_gets_harder_and_the_page_of_skills_says_how_far_one_is(lang, path, learn, capsys):
    with speaking(lang):
        lines = [typed(dict(generate("data", 1 + n // 2, 11 + n).solution)) for n in range(6)]
    learn(["--practice", "data", "--seed", "11", "--questions", "6", "--lang", lang], lines)
    assert all(answer.right for answer in Progress.open(path).answers)
    capsys.readouterr()
    assert main(["learn", "--skills", "--lang", lang]) == 0
    shown = capsys.readouterr().out
    assert (f"You master 1 of {len(KINDS)}" if lang == "en" else f"Domina 1 de {len(KINDS)}") in shown
    assert "++++++" in shown
    assert "minigrad learn 1," in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_the_same_seed_asks_the_same(path, learn):
    words = ["--practice=gradient", "--seed", "4", "--questions", "2", "--level", "2"]
    first, second = (learn(words, ["r", "r"]) for _ in range(2))
    assert first == second
    assert first != learn(["--practice=gradient", "--questions", "2", "--level", "2"], ["r", "r"])


# ---- strange input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "words",
    [
        ["9"],
        ["0"],
        ["nothing"],
        [""],
        ["-1"],
        ["1", "2"],
        ["--list", "1"],
        ["--seed", "x"],
        ["--seed", "-1"],
        ["--seed", "1.5"],
        ["--seed", "9" * 50],
        ["--practice", "nothing"],
        ["--practice", "--level", "4"],
        ["--practice", "--questions", "0"],
        ["--level", "2"],
        ["--list", "--review"],
        ["--out", "x.md"],
        ["1", "--out", "x.docx"],
        ["1", "--out", "missing/folder/x.md"],
        ["--progress"],
        ["--progress", "."],
        ["--forms", "md"],
        ["--reviews"],
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(words, lang, path, capsys, monkeypatch):
    monkeypatch.chdir(path.parent)
    assert main(["learn", *words, "--lang", lang]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("minigrad: ")
    assert len(said.err.splitlines()) == 1
    assert said.out == ""
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("ending", [".md", ".html", ".ipynb", ".py"])
def test_a_unit_as_a_file(ending, path, capsys, monkeypatch):
    monkeypatch.chdir(path.parent)
    assert main(["learn", "dia", "--out", f"unit{ending}", "--lang", "es"]) == 0
    written = (path.parent / f"unit{ending}").read_text(encoding="utf-8")
    assert course.titles("es")[3][2] in written
    assert "unit" in capsys.readouterr().out
    assert not path.exists()


# ---- screens --------------------------------------------------------------------------------------


class Paper:
    """A terminal that only has a size."""

    interactive = True

    def __init__(self, height: int, width: int) -> None:
        self.height, self.page = height, Page(width=width)

    def tell(self, lines):
        raise AssertionError(lines)

    def hear(self, prompt):
        raise AssertionError(prompt)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("slug", course.SLUGS)
def test_a_unit_fits_its_screens_and_nothing_of_it_is_left_out(slug, lang):
    with speaking(lang):
        unit = course.unit(slug, lang)
        whole = Paper(10**6, 78)
        everything = [line for part in parts(unit, whole) for line in part.lines if line.strip()]
        for height in (12, 24, 50):
            shown = list(parts(unit, Paper(height, 78)))
            assert max(tall(part.lines, 78) for part in shown) <= max(8, height - 3)
            assert [line for part in shown for line in part.lines if line.strip()] == everything
            assert [part.block for part in shown] == sorted(part.block for part in shown)
    labs = [block for block in unit.blocks if isinstance(block, LabWork)]
    asked = [q for block in unit.blocks if isinstance(block, LessonCheckpoint) for q in block.questions]
    assert [part.lab for part in shown if part.lab] == labs
    assert [part.question for part in shown if part.question] == asked


class Slate(Paper):
    """A terminal whose person leaves when they are asked something; it keeps what was shown."""

    def __init__(self, height: int, width: int) -> None:
        super().__init__(height, width)
        self.shown: list[str] = []

    def tell(self, lines):
        self.shown += lines

    def hear(self, prompt):
        self.shown.append(prompt)
        raise LeavingError


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("slug", course.SLUGS)
def test_a_question_is_on_one_screen_with_what_leads_to_it(slug, lang, tmp_path):
    with speaking(lang):
        asked = [part for part in parts(course.unit(slug, lang, seed=7), Paper(24, 80)) if part.question]
        session = TerminalSession(Slate(24, 80), Progress.open(tmp_path / "progress.json"))
        for part in asked:
            session.talk.shown = ["", *part.lines] if part.lines else []
            with pytest.raises(LeavingError):
                session._question(part)
            assert tall(session.talk.shown, 80) <= 24, part.question.key
    assert asked


def test_a_command_that_is_too_wide_goes_on_in_the_next_line_and_stays_the_same():
    command = 'minigrad check "ab = a*b; e = ab + c" a=2 b=3 c=4 --ask exact,complex,central'
    shown = lines(Code("console", f"$ {command}"), Page(width=44))
    assert len(shown) == 3
    assert max(map(len, shown)) <= 44
    joined = "\n".join(shown).replace("\\\n", "")  # as a shell does it
    assert shlex.split(joined) == ["$", *shlex.split(command)]


@pytest.mark.parametrize(
    ("line", "missing", "found"),
    [
        ("4", ["a"], {"a": "4"}),
        ("a=4", ["a"], {"a": "4"}),
        ("a.grad = 4", ["a", "b"], {"a": "4"}),
        ("a=4 b=-4 c = -12", ["a", "b", "c"], {"a": "4", "b": "-4", "c": "-12"}),
        ("b=1/2, a=-3", ["a", "b"], {"b": "1/2", "a": "-3"}),
        ("a: 4; b: 2", ["a", "b"], {"a": "4", "b": "2"}),
        ("4 -4 -12", ["a", "b", "c"], {"a": "4", "b": "-4", "c": "-12"}),
        ("4, -4, -12", ["a", "b", "c"], {"a": "4", "b": "-4", "c": "-12"}),
        ("a=1 ab=2", ["a", "ab"], {"a": "1", "ab": "2"}),
        ("4,5", ["a"], {"a": "4,5"}),
        ("4 5", ["a", "b", "c"], None),  # which ones?
        ("x=4", ["a", "b"], None),
        ("a=4 a=5", ["a", "b"], None),
        ("a=", ["a", "b"], None),
        ("tanh(x) == 1", ["expression"], {"expression": "tanh(x) == 1"}),
    ],
)
def test_which_blanks_a_line_fills(line, missing, found):
    assert fill_blanks(line, missing) == found
