"""`minigrad learn` as a process: at a terminal, stopped in every way, on a full disk, fed anything."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from learn_sessions import MINIGRAD, UNIT, Person, answers, begun, environment, piped, through, typed
from minigrad.learn import course
from minigrad.learn.lesson_screens import tall
from minigrad.learn.progress import Progress
from minigrad.learn.questions import generate
from minigrad.text.translation import LANGUAGES


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "progress.json"


# ---- to the end of a unit ---------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_unit_to_its_end_from_a_file_of_answers(lang, path):
    begun(path)
    done = piped(["1", "--lang", lang], answers(UNIT, 7, lang), path)
    assert (done.returncode, done.stderr) == (0, "")
    progress = Progress.open(path)
    assert progress.state(UNIT) == "done"
    assert all(answer.right for answer in progress.answers)
    assert len(progress.answers) == len(course.questions(UNIT, lang, seed=7))
    second = course.titles(lang)[1][2]
    assert second in done.stdout.splitlines()[-1]
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize(("lang", "columns"), [("en", 80), ("es", 40)])
def test_a_unit_to_its_end_at_a_terminal_a_screen_at_a_time(lang, columns, path):
    begun(path)
    lines = answers(UNIT, 7, lang)
    person = Person(["--lang", lang], path, rows=24, columns=columns)

    def asked(shown: str) -> bool:
        last = shown.rsplit("\n", 1)[-1]
        return last.startswith("  ") and not last.strip()[:1].isdigit()

    through(person, lines, asked)
    while Progress.open(path).state(UNIT) != "done":
        person.types("")
    assert "q" in person.screens[-1].rsplit("\n", 1)[-1]  # go on with the next one?
    last = person.types("q")
    assert person.leaves() == 0
    assert "minigrad learn" in " ".join(last.split())
    for screen in person.screens:
        new = screen.partition("\n")[2].split("\n")  # without the key that was pressed
        if not asked(screen) or columns == 80:  # what is asked is shown whole, however narrow the terminal
            assert tall(new, columns) <= 24, screen
    assert Progress.open(path).state(UNIT) == "done"


def test_the_first_time_there_is_a_welcome_with_the_contents(path):
    person = Person([], path)
    shown = person.reads()
    assert all(title in shown for _, _, title, _, _ in course.titles("en"))
    assert len(shown.splitlines()) <= 24
    assert course.titles("en")[0][2] in person.types("")
    assert "minigrad learn" in person.types("q")
    assert person.leaves() == 0


def test_b_goes_back_and_help_is_a_key_away(path):
    begun(path)
    person = Person(["1"], path)
    first = person.reads()
    second = person.types("")
    assert "Enter" in person.types("?")
    assert person.types("b").partition("\n")[2].strip() == first.strip()
    assert person.types("").partition("\n")[2] == second.partition("\n")[2]
    person.types("q")
    assert person.leaves() == 0


def test_b_goes_back_from_a_question_and_what_is_settled_is_not_asked_again(path):
    begun(path)
    person = Person(["1"], path)
    shown = person.reads()
    while "a.grad?" not in shown:
        shown = person.types("")
    shown = person.types("a=14 b=-21")  # both predictions on one line
    assert "2 of 2 foreseen" in shown
    while "Question 1 of 4" not in shown:
        shown = person.types("")
    assert "Right." in person.types("6")
    assert "What counts in this run" in person.types("b")
    shown = person.types("b")
    assert "What is broken" in shown
    while "Question" not in shown:
        shown = person.types("")
    assert "Question 2 of 4" in shown
    person.types("q")
    assert person.leaves() == 0


def test_a_slip_in_one_blank_is_told_at_once_and_costs_nothing_else(path):
    begun(path)
    question = generate("gradient", 2, 11)
    first, second, *others = question.solution
    person = Person(["--practice", "gradient", "--level", "2", "--questions", "1", "--seed", "11"], path)
    person.reads()
    person.types(question.solution[first])
    for garbage in ("zz", ""):
        assert person.types(garbage).endswith(f"{second}.grad = ")
    assert "Right." in person.types(" ".join(question.solution[name] for name in (second, *others)))
    assert person.leaves() == 0
    assert [answer.right for answer in Progress.open(path).answers] == [True]


# ---- stopping and going on ----------------------------------------------------------------------------


@pytest.mark.usefixtures("usual_hangup")
@pytest.mark.parametrize("way", ["q", "end of input", "Ctrl-C", "terminal closed"])
def test_however_it_is_stopped_it_goes_on_from_there(way, path):
    begun(path)
    person = Person(["1"], path)
    person.reads()
    for _ in range(3):
        shown = person.types("")
    place = Progress.open(path).place(UNIT)
    assert place > 0
    if way == "terminal closed":
        assert person.closes_the_terminal() in (0, 130)
    else:
        last = (
            person.types("q") if way == "q" else person.presses(b"\x04" if way == "end of input" else b"\x03")
        )
        assert "To go on: minigrad learn" in last
        assert person.leaves() == (130 if way == "Ctrl-C" else 0)
    assert Progress.open(path).place(UNIT) == place
    again = Person([], path)
    heading = shown.partition("\n")[2].strip().split("\n")[0]
    assert heading in again.reads()
    again.types("q")
    again.leaves()


def test_a_polite_kill_says_how_to_go_on(path):
    begun(path)
    person = Person(["1"], path)
    person.reads()
    person.process.send_signal(signal.SIGTERM)
    assert "minigrad learn" in person.reads()
    assert person.leaves() == 130


# ---- the file of progress -------------------------------------------------------------------------------


FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
from minigrad.cli import main
raise SystemExit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_full_disk_costs_no_answer_that_was_kept_and_does_not_end_the_session(lang, path):
    begun(path)
    questions = [generate("data", 1, 5 + number) for number in range(8)]
    lines = "".join(typed(dict(question.solution)) + "\n" for question in questions)
    words = ["learn", "--practice", "data", "--seed", "5", "--questions", "8", "--level", "1", "--lang", lang]
    done = subprocess.run(
        [sys.executable, "-c", FULL, "700", *words],
        input=lines, env=environment(path), capture_output=True, text=True, encoding="utf-8", timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    kept = Progress.open(path)
    assert kept.notices == []  # the file is whole
    assert 0 < len(kept.answers) < 8
    assert [answer.question for answer in kept.answers] == [q.key for q in questions[: len(kept.answers)]]
    told = " ".join(done.stdout.split())
    assert told.count("Puede seguir" if lang == "es" else "You can go on") == 1  # once
    missing = 8 - len(kept.answers)
    assert f"{'sin guardar' if lang == 'es' else 'not kept'}: {missing}." in told
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


# ---- strange input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "script",
    [
        "yes | {mg} learn --practice data --questions 3 --seed 1",
        "head -c 3000000 /dev/zero | {mg} learn --practice data --seed 1",
        "head -c 5000 /dev/urandom | {mg} learn --practice data --questions 3 --seed 1",
        "yes nonsense | {mg} learn 2",
        "{mg} learn 1 <&-",
        "{mg} learn --practice <&- >&-",
        "printf '\\357\\273\\2771\\n' | {mg} learn --practice data --seed 1 --questions 1",
    ],
)
def test_no_input_makes_it_hang_or_fall(script, path):
    command = script.format(mg=" ".join(MINIGRAD))
    done = subprocess.run(
        ["bash", "-c", command],
        env=environment(path),
        capture_output=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stdout + done.stderr
    assert Progress.open(path).notices == []
