"""What a learner has done is kept: each answer, whoever else writes, and whatever happens to the file."""

from __future__ import annotations

import json
import os
import threading
import time
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from errno import ENOSPC, EROFS
from pathlib import Path

import pytest

from minigrad.learn import keeping
from minigrad.learn.progress import Progress
from minigrad.learn.questions import Judgement
from minigrad.learn.repetition import DAYS, Answered, due, question_for, schedule
from minigrad.messages import speaking

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=timezone(timedelta(hours=1)))


@dataclass
class Asked:
    """As much of a question as progress looks at."""

    key: str = "diamonds/all-three"
    kind: str = "gradient"
    unit: str = "diamonds"


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def days(self, count: int) -> None:
        self.now += timedelta(days=count)


RIGHT, WRONG = Judgement(True, ()), Judgement(False, (), fault="overwrite")


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
    assert str(keeping.default_path()) == found


# ---- what comes back ------------------------------------------------------------------------------


def answered(day: int, right: bool, key: str = "q", review: str = "", fault: str = "") -> Answered:
    return Answered(key, "gradient", "order", NOON + timedelta(days=day), right, {}, fault, review)


def days_until(answers: list[Answered]) -> dict[str, int]:
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
    last = Answered("q", "gradient", "", datetime.max.replace(tzinfo=UTC), False, {})
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

    monkeypatch.setattr(keeping, "locked", lambda path, patience: nullcontext())
    path.parent.mkdir()
    first, second = Progress.open(path), Progress.open(path)
    read = keeping.read

    def interrupted(where: Path):
        found = read(where)
        monkeypatch.setattr(keeping, "read", read)
        second.record(Asked("second/1"), {}, RIGHT)  # between the first one's reading and writing
        return found

    monkeypatch.setattr(keeping, "read", interrupted)
    first.record(Asked("first/1"), {}, RIGHT)
    assert [row.question for row in Progress.open(path).answers] == ["first/1"]


def test_a_session_that_holds_the_file_for_ever_is_waited_for_only_so_long(path, monkeypatch):
    monkeypatch.setattr(keeping, "PATIENCE", 0.5)
    progress = Progress.open(path)
    progress.record(Asked("a/1"), {}, RIGHT)
    with keeping.locked(path):
        progress.record(Asked("a/2"), {}, RIGHT)
        assert not progress.kept
        assert len(progress.notices) == 1
        start = time.monotonic()
        progress.record(Asked("a/3"), {}, RIGHT)
        assert time.monotonic() - start < 0.4  # and only once
        assert len(progress.notices) == 1  # told once
    assert progress.save()
    assert [row.question for row in Progress.open(path).answers] == ["a/1", "a/2", "a/3"]


# ---- a disk that refuses ----------------------------------------------------------------------------


@pytest.mark.parametrize("errno", [ENOSPC, EROFS])
def test_what_cannot_be_written_is_told_once_and_written_when_it_can_be(path, errno, monkeypatch):
    progress = Progress.open(path, reason=lambda error: f"number {error.errno}")
    progress.record(Asked("a/1"), {}, RIGHT)
    before = path.read_bytes()

    def refused(*_, **__):
        raise OSError(errno, os.strerror(errno), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(keeping, "write_whole", refused)
        progress.record(Asked("a/2"), {}, RIGHT)
        progress.arrive("order", 3)
        progress.record(Asked("a/3"), {}, RIGHT)
    assert progress.unkept == 2
    assert path.read_bytes() == before
    assert [row.question for row in progress.answers] == ["a/1", "a/2", "a/3"]
    assert [f"number {errno}" in notice for notice in progress.notices] == [True]
    progress.record(Asked("a/4"), {}, RIGHT)
    assert (progress.unkept, progress.kept) == (0, True)
    assert [row.question for row in Progress.open(path).answers] == ["a/1", "a/2", "a/3", "a/4"]


def test_where_nothing_can_be_kept_the_session_goes_on(tmp_path):
    (tmp_path / "file").write_text("")
    progress = Progress.open(tmp_path / "file" / "progress.json")
    progress.record(Asked(), {}, RIGHT)
    assert not progress.kept
    assert len(progress.notices) == 1
    assert progress.tries("diamonds/all-three")


def test_an_unreadable_file_is_left_alone(path, monkeypatch):
    Progress.open(path).record(Asked(), {}, RIGHT)
    before = path.read_bytes()

    def denied(_: Path):
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(keeping, "read", denied)
        progress = Progress.open(path)
    progress.record(Asked("a/2"), {}, RIGHT)
    assert path.read_bytes() == before
    assert len(progress.notices) == 1


def test_without_a_home_it_is_said_where_to_write(monkeypatch):
    def homeless(self):
        raise RuntimeError("Could not determine home directory.")

    for name in ("MINIGRAD_PROGRESS", "XDG_DATA_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "expanduser", homeless)
    with pytest.raises(ValueError, match="--progress FILE"):
        Progress.open()


def test_a_folder_is_no_progress_file(tmp_path):
    with pytest.raises(ValueError, match="is no file"):
        Progress.open(tmp_path)


# ---- a file that is damaged ---------------------------------------------------------------------------


def whole(path: Path, count: int = 6) -> str:
    progress = Progress.open(path, lambda: NOON)
    progress.arrive("order", 5)
    for number in range(count):
        progress.record(Asked(f"order/{number}"), {"a": str(number)}, RIGHT)
    return path.read_text()


def changed(text: str, **parts: object) -> str:
    return json.dumps({**json.loads(text), **parts})


DAMAGES = {  # what happened to the file, and how many of its six answers can still be read
    "truncated in the last row": (lambda text: text[:-60], 5),
    "truncated early": (lambda text: text[: text.index("order/2")], 2),
    "not JSON": (lambda text: "my notes\n", 0),
    "not text": (lambda text: b"\xff\xfe\x00\x80" * 50, 0),
    "foreign": (lambda text: '{"recipes": []}', 0),
    "a list": (lambda text: "[1, 2]", 0),
    "no number": (lambda text: text.replace('"try": 1', '"try": NaN', 1), 5),
    "answers of a wrong type": (lambda text: changed(text, answers=7), 0),
    "a row of a wrong type": (lambda text: changed(text, answers=[*json.loads(text)["answers"], 7]), 6),
    "a day that is none": (lambda text: text.replace("2026-03-01T12", "2026-02-31T12", 3), 5),
    "units of a wrong type": (lambda text: changed(text, units=[]), 6),
    "a unit of a wrong type": (lambda text: changed(text, units={"order": {"block": "5"}}), 6),
    "a seed of a wrong type": (lambda text: changed(text, seed="7"), 6),
    "newer": (lambda text: changed(text, schema="minigrad.progress/2", more=[1]), 6),
    "nested without end": (lambda text: "[" * 100_000, 0),
    "a number without end": (lambda text: text.replace('"try": 1', '"try": 1, "note": 1e999', 1), 5),
    "a key twice": (lambda text: text.rstrip("}\n") + ',\n"answers": []\n}\n', 6),
    "lines mixed up": (lambda text: "\n".join(reversed(text.splitlines())), 6),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("lang", ["en", "es"])
def test_a_damaged_file_is_set_aside_and_what_can_be_read_is_kept(damage, lang, path):
    spoil, rescued = DAMAGES[damage]
    spoiled = spoil(whole(path))
    octets = spoiled if isinstance(spoiled, bytes) else spoiled.encode()
    path.write_bytes(octets)
    with speaking(lang):
        progress = Progress.open(path, lambda: NOON)
    aside = path.with_name("progress.set-aside-2026-03-01.json")
    assert aside.read_bytes() == octets  # nothing of it is lost
    assert any(aside.name in notice for notice in progress.notices)
    assert len(progress.answers) == rescued
    assert any(str(rescued) in notice for notice in progress.notices) or not rescued
    again = Progress.open(path, lambda: NOON)  # the new file is a good one
    assert again.notices == []
    assert len(again.answers) == rescued
    again.record(Asked("new"), {}, RIGHT)
    assert aside.read_bytes() == octets


def test_a_second_damage_of_the_day_gets_another_name(path):
    for text in ("first", "second", "third"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        Progress.open(path, lambda: NOON)
    kept = {entry.name: entry.read_text() for entry in path.parent.glob("*aside*")}
    assert kept == {
        "progress.set-aside-2026-03-01.json": "first",
        "progress.set-aside-2026-03-01-2.json": "second",
        "progress.set-aside-2026-03-01-3.json": "third",
    }


def test_a_file_that_is_damaged_under_a_session_is_set_aside_too(path):
    progress = Progress.open(path, lambda: NOON)
    progress.record(Asked("a/1"), {}, RIGHT)
    path.write_text("oops")
    progress.record(Asked("a/2"), {}, RIGHT)
    assert path.with_name("progress.set-aside-2026-03-01.json").read_text() == "oops"
    assert "a/2" in [row.question for row in Progress.open(path).answers]


def test_a_damaged_file_on_a_full_disk_is_told_once_and_stays(path, monkeypatch):
    def refused(*_, **__):
        raise OSError(ENOSPC, os.strerror(ENOSPC), str(path))

    path.parent.mkdir()
    path.write_text("oops")
    with monkeypatch.context() as patch:
        patch.setattr(keeping, "write_whole", refused)
        progress = Progress.open(path, lambda: NOON)
        for number in range(3):
            progress.record(Asked(f"a/{number}"), {}, RIGHT)
    assert path.read_text() == "oops"
    assert len(progress.notices) == 3  # set aside, what was rescued, and that it cannot be written
    assert progress.save()
    assert len(Progress.open(path).answers) == 3
    assert [entry.read_text() for entry in path.parent.glob("*aside*")] == ["oops"]


def test_a_huge_file_is_set_aside_unread(path, monkeypatch):
    path.parent.mkdir()
    with path.open("wb") as file:
        file.truncate(keeping.LARGEST + 1)  # a hole: nothing is written
    progress = Progress.open(path, lambda: NOON)
    assert path.with_name("progress.set-aside-2026-03-01.json").stat().st_size == keeping.LARGEST + 1
    assert progress.notices
    assert path.stat().st_size < 1000


def test_an_empty_file_is_a_new_one_and_keeps_its_seed(path):
    path.parent.mkdir()
    path.write_text("\n")
    progress = Progress.open(path)
    assert progress.notices == []
    seed = progress.seed
    progress.arrive("order", 1)
    assert progress.seed == seed == Progress.open(path).seed


@pytest.mark.parametrize(
    ("kind", "question", "comes_back"),
    [
        ("riddle", "riddle:1:2", 0),
        ("riddle", "order/gone", 0),
        ("gradient", "order/gone", 1),
        ("gradient", "gradient:9:2", 1),
        ("gradient", "gradient:\u00b2:2", 1),
    ],
)
def test_what_another_version_asked_is_no_error_when_it_would_come_back(kind, question, comes_back, path):
    progress = Progress.open(path, lambda: NOON)
    progress.record(Asked(question, kind), {}, Judgement(False, ()))
    assert len(progress.coming()) == len(progress.due(date(2027, 1, 1))) == comes_back
    assert [question_for(item, 7).kind for item in progress.coming()] == ["gradient"] * comes_back


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def test_every_prefix_of_a_file_can_be_opened_and_none_loses_a_whole_row(path):
    text = whole(path, 3)
    for length in range(1, len(text), 7):
        path.write_text(text[:length])
        progress = Progress.open(path, lambda: NOON)
        complete = [
            row for row in text[:length].splitlines() if row.startswith("  {") and is_json(row.strip(" ,"))
        ]
        assert len(progress.answers) == len(complete)
        for entry in path.parent.glob("*aside*"):
            entry.unlink()


def test_links_are_followed_and_a_full_name_is_kept(tmp_path):
    real = tmp_path / "real.json"
    link = tmp_path / "link.json"
    link.symlink_to(real)
    Progress.open(link).record(Asked(), {}, RIGHT)
    assert link.is_symlink()
    assert json.loads(real.read_text())["answers"]
