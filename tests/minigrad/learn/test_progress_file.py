"""Whatever happens to the file of progress, nothing is lost: full disks, strangers, damage."""

from __future__ import annotations

import json
import os
from datetime import date
from errno import ENOSPC, EROFS
from pathlib import Path

import pytest

from minigrad.learn import progress_file
from minigrad.learn.progress import Progress
from minigrad.learn.questions import Judgement
from minigrad.learn.spaced_repetition import question_for
from minigrad.text.translation import speaking
from progress_fixtures import NOON, RIGHT, Asked


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mine" / "progress.json"


# ---- a disk that refuses ----------------------------------------------------------------------------


@pytest.mark.parametrize("errno", [ENOSPC, EROFS])
def test_what_cannot_be_written_is_told_once_and_written_when_it_can_be(path, errno, monkeypatch):
    progress = Progress.open(path, reason=lambda error: f"number {error.errno}")
    progress.record(Asked("a/1"), {}, RIGHT)
    before = path.read_bytes()

    def refused(*_, **__):
        raise OSError(errno, os.strerror(errno), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(progress_file, "write_whole", refused)
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
        patch.setattr(progress_file, "read", denied)
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
    with pytest.raises(ValueError, match="is not a file"):
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
    "truncated, with a unit of a wrong type": (
        lambda text: text.replace('"units": {', '"units": {\n    "break": {"block": "5"},')[:-60],
        5,
    ),
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
    assert progress.state("break") == "new"
    assert any(str(rescued) in notice for notice in progress.notices) or not rescued
    again = Progress.open(path, lambda: NOON)  # the new file is a good one
    assert again.notices == []
    assert len(again.answers) == rescued
    again.record(Asked("new"), {}, RIGHT)
    assert aside.read_bytes() == octets


def test_the_seed_and_the_places_in_units_are_rescued_from_a_broken_file(path):
    text = whole(path)
    seed = Progress.open(path).seed
    path.write_text(text[:-60])
    progress = Progress.open(path, lambda: NOON)
    assert (progress.seed, progress.state("order"), progress.place("order")) == (seed, "begun", 5)


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


def test_a_thousandth_file_of_a_day_is_not_set_aside(tmp_path):
    for number in range(1, 1000):
        again = f"-{number}" if number > 1 else ""
        (tmp_path / f"progress.set-aside-2026-03-01{again}.json").touch()
    (tmp_path / "progress.json").write_text("oops")
    with pytest.raises(OSError, match="too many files are set aside"):
        progress_file.set_aside(tmp_path / "progress.json", "2026-03-01")
    (tmp_path / "progress.set-aside-2026-03-01-999.json").unlink()
    aside = progress_file.set_aside(tmp_path / "progress.json", "2026-03-01")
    assert (aside.name, aside.read_text()) == ("progress.set-aside-2026-03-01-999.json", "oops")


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
        patch.setattr(progress_file, "write_whole", refused)
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
        file.truncate(progress_file.LARGEST + 1)  # a hole: nothing is written
    progress = Progress.open(path, lambda: NOON)
    assert path.with_name("progress.set-aside-2026-03-01.json").stat().st_size == progress_file.LARGEST + 1
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
