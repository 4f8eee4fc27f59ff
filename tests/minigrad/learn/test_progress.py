"""What a learner has done is kept: each answer, whoever else writes, and whatever happens to the file."""

from __future__ import annotations

import json
import threading
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from minigrad.learn import progress_file
from minigrad.learn.progress import Progress
from minigrad.learn.questions import Judgement
from minigrad.learn.spaced_repetition import DAYS, RecordedAnswer, due, schedule
from progress_fixtures import NOON, RIGHT, WRONG, Asked, Clock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mine" / "progress.json"


# ---- what is kept -------------------------------------------------------------------------------


def test_an_answer_is_on_the_disk_one_to_a_line_with_its_day_and_its_try(path):
    progress = Progress.open(path, lambda: NOON)
    progress.record(Asked(), {"a": "-6"}, WRONG)
    progress.record(Asked(), {"a": "4"}, RIGHT)
    rows = [line for line in path.read_text().splitlines() if "all-three" in line]
    assert len(rows) == 2
    first, second = json.loads(path.read_text())["answers"]
    assert (first["try"], first["right"], first["fault"], first["answer"]) == (
        1,
        False,
        "overwrite",
        {"a": "-6"},
    )
    assert (second["try"], second["right"], second["on"]) == (2, True, NOON.isoformat())
    assert [row.right for row in Progress.open(path).tries("diamonds/all-three")] == [False, True]


def test_what_could_not_be_read_as_an_answer_is_no_try(path):
    progress = Progress.open(path)
    progress.record(Asked(), {"a": "four"}, Judgement(False, (), read=False))
    assert progress.answers == []


def test_a_learner_keeps_one_seed(path):
    first = Progress.open(path)
    first.arrive("order", 3)
    assert Progress.open(path).seed == first.seed
    path.unlink()
    first.arrive("order", 4)  # the file was thrown away under a session
    assert Progress.open(path).seed == first.seed


def test_a_unit_is_new_then_begun_then_done_and_is_taken_up_where_it_was_left(path):
    progress = Progress.open(path)
    assert (progress.state("order"), progress.place("order"), progress.current) == ("new", 0, "")
    progress.arrive("order", 7)
    again = Progress.open(path)
    assert (again.state("order"), again.place("order"), again.current) == ("begun", 7, "order")
    assert again.reading("order")
    again.finish("order")
    assert again.state("order") == "done"
    assert not again.reading("order")
    again.arrive("order", 2)  # read once more: still done, and being read
    assert again.state("order") == "done"
    assert again.reading("order")


def test_the_current_unit_is_the_one_that_was_opened_last_also_within_a_second(path):
    progress = Progress.open(path, lambda: NOON)
    for slug in ("order", "diamonds", "by-hand", "diamonds"):
        progress.arrive(slug, 1)
        assert Progress.open(path).current == slug


def test_what_is_settled_is_counted_from_the_beginning_of_a_reading(path):
    clock = Clock()
    progress = Progress.open(path, clock)
    progress.arrive("diamonds", 0)
    progress.record(Asked(), {"a": "4"}, RIGHT)
    progress.reveal(Asked("diamonds/other"))
    progress.record(Asked("diamonds/third"), {"a": "4"}, WRONG)
    assert progress.settled("diamonds") == {"diamonds/all-three", "diamonds/other"}
    clock.days(1)
    progress.arrive("diamonds", 0, anew=True)
    assert progress.settled("diamonds") == set()


def test_what_a_learner_adds_to_the_file_stays_in_it(path):
    Progress.open(path).arrive("order", 1)
    document = json.loads(path.read_text())
    document["name"] = "Ada"
    path.write_text(json.dumps(document))  # and laid out differently
    Progress.open(path).arrive("order", 2)
    assert json.loads(path.read_text())["name"] == "Ada"
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_very_long_answer_is_cut(path):
    progress = Progress.open(path)
    progress.record(Asked(), {"a": "9" * 10**6, **{str(i): "" for i in range(500)}}, WRONG)
    assert path.stat().st_size < 2000


@pytest.mark.parametrize(
    ("environment", "found"),
    [
        ({"MINIGRAD_PROGRESS": "/x/p.json", "XDG_DATA_HOME": "/data"}, "/x/p.json"),
        ({"XDG_DATA_HOME": "/data"}, "/data/minigrad/progress.json"),
        ({"XDG_DATA_HOME": "relative", "HOME": "/x/ada"}, "/x/ada/.local/share/minigrad/progress.json"),
        ({"HOME": "/x/ada"}, "/x/ada/.local/share/minigrad/progress.json"),
    ],
)
def test_where_progress_is_kept(environment, found, monkeypatch):
    for name in ("MINIGRAD_PROGRESS", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert str(progress_file.default_path()) == found


# ---- what comes back ------------------------------------------------------------------------------


def answered(day: int, right: bool, key: str = "q", review: str = "", fault: str = "") -> RecordedAnswer:
    return RecordedAnswer(key, "gradient", "order", NOON + timedelta(days=day), right, {}, fault, review)


def days_until(answers: list[RecordedAnswer]) -> dict[str, int]:
    return {item: (found.on - NOON.date()).days for item, found in schedule(answers).items()}


def test_what_went_right_does_not_come_back():
    assert days_until([answered(0, True)]) == {}


def test_what_went_wrong_comes_back_after_1_3_7_16_and_35_days_and_then_no_more():
    answers = [answered(0, False, fault="overwrite")]
    day, item = 0, "gradient/overwrite"
    for interval in (1, 3, 7, 16, 35):
        assert days_until(answers) == {item: day + interval}
        day += interval
        answers.append(answered(day, True, f"gradient:1:{day}", review=item))
    assert days_until(answers) == {}
    assert DAYS == (1, 3, 7, 16, 35)


def test_a_wrong_answer_starts_again():
    answers = [answered(0, False), answered(1, True, "g", review="gradient")]
    assert days_until(answers) == {"gradient": 4}
    assert days_until([*answers, answered(4, False, "h", review="gradient")]) == {"gradient": 5}


def test_the_first_answer_of_a_day_counts():
    """Right at the second try is not known by heart; and five mistakes in one question are one."""
    answers = [answered(0, False), answered(0, True), answered(0, False, fault="overwrite")]
    assert days_until(answers) == {"gradient": 1}
    assert days_until([answered(0, True), answered(0, False)]) == {}


def test_an_answer_before_it_is_due_changes_nothing():
    answers = [answered(0, False), answered(1, True, "g", review="gradient")]
    assert days_until([*answers, answered(2, True, "h", review="gradient")]) == {"gradient": 4}


def test_what_is_overdue_is_due_and_the_oldest_is_first():
    answers = [answered(2, False, "x", fault="overwrite"), answered(0, False, "y")]
    assert due(answers, NOON.date()) == []
    assert [item.item for item in due(answers, NOON.date() + timedelta(days=9))] == [
        "gradient",
        "gradient/overwrite",
    ]


def test_the_end_of_time_is_no_error():
    last = RecordedAnswer("q", "gradient", "", datetime.max.replace(tzinfo=UTC), False, {})
    assert schedule([last])["gradient"].on == date.max


def test_what_was_revealed_comes_back(path):
    clock = Clock()
    progress = Progress.open(path, clock)
    progress.reveal(Asked())
    assert progress.due() == []
    clock.days(1)
    assert [item.item for item in Progress.open(path, clock).due()] == ["gradient"]


# ---- two at once ------------------------------------------------------------------------------------


def test_two_sessions_at_once_lose_no_answer(path):
    def session(name: str) -> None:
        mine = Progress.open(path)
        for number in range(25):
            mine.record(Asked(f"{name}/{number}"), {"a": "1"}, RIGHT)

    threads = [threading.Thread(target=session, args=(name,)) for name in ("terminal", "studio", "third")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = [row.question for row in Progress.open(path).answers]
    assert sorted(kept) == sorted(
        f"{name}/{i}" for name in ("terminal", "studio", "third") for i in range(25)
    )


def test_writers_without_the_lock_would_be_caught(path, monkeypatch):
    """The test above has teeth: without the lock, what another session wrote in between is lost."""
    from contextlib import nullcontext

    monkeypatch.setattr(progress_file, "locked", lambda path, patience: nullcontext())
    path.parent.mkdir()
    first, second = Progress.open(path), Progress.open(path)
    read = progress_file.read

    def interrupted(where: Path):
        found = read(where)
        monkeypatch.setattr(progress_file, "read", read)
        second.record(Asked("second/1"), {}, RIGHT)  # between the first one's reading and writing
        return found

    monkeypatch.setattr(progress_file, "read", interrupted)
    first.record(Asked("first/1"), {}, RIGHT)
    assert [row.question for row in Progress.open(path).answers] == ["first/1"]


def test_a_session_that_holds_the_file_for_ever_is_waited_for_only_so_long(path, monkeypatch):
    monkeypatch.setattr(progress_file, "PATIENCE", 0.5)
    progress = Progress.open(path)
    progress.record(Asked("a/1"), {}, RIGHT)
    with progress_file.locked(path):
        progress.record(Asked("a/2"), {}, RIGHT)
        assert not progress.kept
        assert len(progress.notices) == 1
        start = time.monotonic()
        progress.record(Asked("a/3"), {}, RIGHT)
        assert time.monotonic() - start < 0.4  # and only once
        assert len(progress.notices) == 1  # told once
    assert progress.save()
    assert [row.question for row in Progress.open(path).answers] == ["a/1", "a/2", "a/3"]
