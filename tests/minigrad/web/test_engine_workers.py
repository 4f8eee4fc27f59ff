"""Runner without processes: an examination made again with what its jobs came to, and junk from jobs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from minigrad.doctor import examine
from minigrad.doctor.engine.child_protocol import CHILD
from minigrad.doctor.sandbox.process import PROCESSES
from minigrad.doctor.sandbox.runner import Command, Job, Limits
from minigrad.web import doctor_answer as module
from minigrad.web.doctor_answer import doctor_answer
from minigrad.web.engine_workers import EngineWorkers, NeededError
from source_trees import ROOT

PATIENT = ROOT / "docs" / "patients" / "engine.py"
JOB = Job(CHILD, {"x": 1}, Limits(cpu=2.0), hash_seed=3)


def ended(kind: str = "finished", lines: tuple[str, ...] = (), code: int | None = 0) -> dict[str, Any]:
    return {"kind": kind, "code": code, "lines": list(lines), "output": "", "seconds": 0.5}


def run(job: dict[str, Any]) -> dict[str, Any]:
    """What a page does with a job, in a process."""
    found = PROCESSES.run(Job(CHILD, json.loads(job["request"]), hash_seed=job["seed"]), dict)
    lines = tuple(json.dumps(message) for message in found.messages)
    return {**ended(found.kind, lines, found.code), "seconds": found.seconds}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "FOLDER", tmp_path / "engine")
    return tmp_path / "engine"


def test_an_examination_batch_by_batch_is_that_of_the_command():
    batches: list[Any] = []
    fields = {"name": "engine.py", "source": PATIENT.read_text("utf-8"), "ended": batches}
    while needed := (found := doctor_answer(fields)).get("needed"):
        assert len(batches) < 6
        batches.append([run(job) for job in json.loads(json.dumps(needed))])
    right = examine(PATIENT)
    assert found["texts"] == {"en": right.text(lang="en"), "es": right.text(lang="es")}
    assert found["report"]["findings"] == right.to_json()["findings"]
    assert {job["seed"] for job in doctor_answer({**fields, "ended": batches[:1]})["needed"]} == {0, 1, 2, 3}


def test_calls_side_by_side_need_one_batch_and_a_call_with_two_jobs_a_second_one(folder):
    def call(count: int) -> list[str]:
        return [runner.run(JOB, dict).output for _ in range(count)]

    for known, jobs in (([], 2), ([[ended(), ended()]], 1)):
        runner = EngineWorkers(str(folder), known)
        calls = runner.side_by_side()
        one, two = calls.submit(call, 1), calls.submit(call, 2)
        with pytest.raises(NeededError) as needed:
            two.result()
        assert len(needed.value.jobs) == jobs
    runner = EngineWorkers(str(folder), [[ended(), ended()], [ended()]])
    calls = runner.side_by_side()
    one, two = calls.submit(call, 1), calls.submit(call, 2)
    assert (two.result(), one.result()) == (["", ""], [""])


def test_what_a_call_raises_comes_out_of_it_and_not_out_of_its_neighbour(folder):
    calls = EngineWorkers(str(folder)).side_by_side()
    wrong, right = calls.submit(lambda: 1 / 0), calls.submit(lambda: 2)
    assert right.result() == 2
    with pytest.raises(ZeroDivisionError):
        wrong.result()


def test_what_a_worker_says_is_read_as_strictly_as_from_a_process(folder):
    lines = ('{"x": 1}', "[1]", "no JSON", '{"y": 2}')
    runner = EngineWorkers(str(folder), [[ended("signal", lines, None)]])
    found = runner.run(JOB, lambda raw: raw if "x" in raw else None)
    assert (found.kind, found.signal, found.code) == ("signal", 11, None)
    assert (found.messages, found.rejected) == (({"x": 1},), 3)


def test_messages_beyond_the_limit_end_as_in_a_process(folder):
    limits = Limits(results=2)
    runner = EngineWorkers(str(folder), [[ended(lines=("{}",) * 5)]])
    assert runner.run(Job(CHILD, {}, limits), dict).kind == "output"


def test_a_job_takes_along_the_files_beside_the_engine_and_no_other_program_is_run(folder):
    folder.mkdir()
    (folder / "engine.py").write_text("x = 1\n")
    runner = EngineWorkers(str(folder))
    job = runner.as_data(JOB)
    assert job["files"] == {str(folder / "engine.py"): "x = 1\n"}
    assert (job["seed"], json.loads(str(job["request"]))) == (3, {"x": 1})
    with pytest.raises(OSError, match="no other program"):
        runner.as_data(Job(Command(("ls",))))


@pytest.mark.parametrize(
    ("source", "words"),
    [("", "nothing to examine"), (None, "at most"), ("x" * 1_000_001, "1,000,000"), ("x = 1\n", "")],
)
def test_what_is_no_engine_is_told(source, words):
    found = doctor_answer({"name": "e.py", "source": source})
    assert not found["ok"]
    assert words in found["error"]["message"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "source", "path"),
    [
        ("../../x/engine.py", "class Value: ...", "engine.py"),
        ("", '{"cells": []}', "engine.ipynb"),
        ("", "class V: ...", "engine.py"),
    ],
)
def test_a_file_is_written_where_it_belongs(folder, name, source, path):
    doctor_answer({"name": name, "source": source})
    assert [each.name for each in folder.iterdir()] == [path]
