"""Every boundary stands some thousand inputs of a fixed seed, and every fuzzer finds a hole that is planted.

`python tests/fuzz/run.py --seconds 3600` is the long run.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import blake2b
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from boundaries import NAMES, boundary
from boundaries.boundary import ACCEPTED, Boundary, WrongAcceptanceError
from boundaries.campaign import Campaign, Outcome
from boundaries.command import main, save
from boundaries.result_pipe import has_type
from document_changes import DEEP, changed
from minigrad.compiler import program_check, program_file
from minigrad.compiler.variants import Variant
from minigrad.doctor.engine import child_protocol
from minigrad.doctor.engine.child_protocol import ProbeNumbers, Trouble
from minigrad.graph import json_reader
from minigrad.language import reader, writer
from minigrad.learn import progress_file
from minigrad.learn.classroom import feedback, grades, hand_in
from minigrad.nn import safetensors
from minigrad.studio import gate, requests, server

pytestmark = pytest.mark.one_engine

SEED = 21
WAYS = ("crash", "hang", "wrong acceptance")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_boundary_stands_its_inputs(name):
    fuzzed = boundary(name)
    found = Campaign(fuzzed, SEED).run(count=fuzzed.count)
    assert [failure for failure in found.failures if failure] == []
    assert found.tried == fuzzed.count
    assert found.accepted > fuzzed.count / 100  # so that what is behind the first check is reached too
    assert sum(found.refusals.values()) > fuzzed.count / 10 or name == "engine_calls"  # which refuses nothing


@pytest.mark.parametrize("name", NAMES)
def test_the_same_number_is_the_same_input(name):
    fuzzed = boundary(name)
    fuzzed.prepare()
    for number in range(30):
        first, second = (repr(Campaign(fuzzed, SEED).input(number)) for _ in range(2))
        assert first == second
    assert len({repr(Campaign(fuzzed, seed).input(0)) for seed in range(20)}) > 10


# ---- planted holes ----------------------------------------------------------------------------------


class EqualToAll(bytes):
    """A checksum that fits everything."""

    __hash__ = None

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False


class TextEqualToAll(str):
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False


def no_checksum(content: bytes = b"", digest_size: int = 32) -> Any:
    return SimpleNamespace(digest=lambda: EqualToAll(blake2b(content, digest_size=digest_size).digest()))


def keys_unchecked(row: Any, wanted: set[str], schema: str = "") -> Any:
    return row


def lenient_json(body: bytes) -> Any:
    return json.loads(body)


def lost_rows(text: str) -> Any:
    return progress_file.ProgressDocument(seed=1)


def lost_file(path: Any, day: str) -> Any:
    return path


def all_right(item: Any, question: Any, answer: Any) -> Any:
    return grades.Grade(item, grades.RIGHT, answer)


def other_exp(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine_pair import PLAIN

    right = PLAIN.Value.zero_grad
    monkeypatch.setattr(PLAIN.Value, "zero_grad", lambda self: (right(self), setattr(self, "grad", 0.5))[0])


def abort_in_a_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine_pair import PLAIN

    monkeypatch.setattr(PLAIN.Value, "register_hook", lambda self, hook: os.abort())


def slow_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    right = grades._judged

    def judged(item: Any, question: Any, answer: Any) -> Any:
        time.sleep(3600.0 if any("\x00" in text for text in answer.values()) else 0.0)
        return right(item, question, answer)

    monkeypatch.setattr(grades, "_judged", judged)


def planted(where: Any, name: str, value: Any) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda monkeypatch: monkeypatch.setattr(where, name, value)


# boundary, what is planted, how, and as what it must be found
HOLES: list[tuple[str, str, Callable[[pytest.MonkeyPatch], None], str]] = [
    ("language", "a minus is lost", planted(reader, "_negated", lambda node: node), "wrong acceptance"),
    ("language", "no parentheses", planted(writer, "_NEEDS", {}), "wrong acceptance"),
    ("language", "another error", planted(reader, "refusal", lambda *_, **__: KeyError("no")), "crash"),
    ("traces", "any keys", planted(json_reader, "_keys", keys_unchecked), "crash"),
    ("traces", "any number of arguments", planted(json_reader, "_fits", lambda op, count: True), "crash"),
    ("traces", "any number", planted(json_reader, "_number", lambda x: x), "crash"),
    ("programs", "no checksum", planted(program_file, "blake2b", no_checksum), "wrong acceptance"),
    ("programs", "no check", planted(program_check, "check_scalars", lambda *_, **__: None), "crash"),
    ("programs", "any index", planted(Variant, "in_range", lambda self, shared: True), "crash"),
    ("checkpoints", "no checksum", planted(safetensors, "_sum", lambda *_: TextEqualToAll("0" * 32)),
     "wrong acceptance"),
    ("checkpoints", "any shape", planted(safetensors, "_counts", lambda numbers: True), "crash"),
    ("progress", "any row", planted(progress_file, "is_answer", lambda row: isinstance(row, dict)), "crash"),
    ("progress", "no rescue", planted(progress_file, "_rescued", lost_rows), "wrong acceptance"),
    ("progress", "not set aside", planted(progress_file, "set_aside", lost_file), "wrong acceptance"),
    ("sheets", "all is right", planted(grades, "_judged", all_right), "wrong acceptance"),
    ("sheets", "no escape", planted(feedback, "visible", lambda text: text), "wrong acceptance"),
    ("sheets", "a hang", slow_judge, "hang"),
    ("sheets", "another error", planted(hand_in, "parse_json", lambda text: json.loads(text)["no"]), "crash"),
    ("result_pipe", "any count", planted(child_protocol, "count", lambda raw: raw), "wrong acceptance"),
    ("result_pipe", "no escape", planted(child_protocol, "text", lambda raw: str(raw)), "wrong acceptance"),
    ("result_pipe", "any object", planted(child_protocol, "mapping", lambda raw: raw), "crash"),
    ("studio_requests", "any token", planted(gate, "_same", lambda given, secret: True), "wrong acceptance"),
    ("studio_requests", "lenient JSON", planted(server, "read_body", lenient_json), "wrong acceptance"),
    ("studio_requests", "a kind is not checked", lambda patch: patch.setitem(
        requests._READERS["explain"], "inputs", lambda given: given), "wrong acceptance"),
    ("engine_calls", "another number", other_exp, "wrong acceptance"),
    ("engine_calls", "the end of the process", abort_in_a_hook, "crash"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "hole", "plant", "kind"), HOLES, ids=[f"{name}-{hole}" for name, hole, *_ in HOLES]
)
def test_a_planted_hole_is_found(name, hole, plant, kind, monkeypatch):
    fuzzed = boundary(name)
    fuzzed.prepare()  # valid documents are made before the hole is there
    monkeypatch.setattr(fuzzed, "prepare", lambda: None)
    plant(monkeypatch)
    campaign = Campaign(fuzzed, SEED, most=1, wall=3.0 if kind == "hang" else 60.0)
    found = campaign.run(count=fuzzed.count)
    assert kind in {failure.kind for failure in found.failures}


def test_every_boundary_has_a_planted_hole():
    assert {name for name, *_ in HOLES} == set(NAMES)


# ---- the campaign itself ----------------------------------------------------------------------------


class Numbers(Boundary):
    """Inputs 0 to 9, in a random order; what happens is in a table."""

    name = "numbers"
    count = 40
    batch = 7

    def __init__(self, **actions: Callable[[], object]) -> None:
        self.actions = actions

    def input(self, random: Random) -> int:
        return random.randrange(10)

    def check(self, given: int) -> str:
        action = self.actions.get(f"at_{given}")
        found = action() if action else None
        return found if isinstance(found, str) else ACCEPTED


def _wrong() -> None:
    raise WrongAcceptanceError("it contradicts itself")


def _spin() -> None:
    while True:
        pass


def tried(wall: float = 10.0, **actions: Callable[[], object]) -> tuple[Campaign, Outcome]:
    campaign = Campaign(Numbers(**actions), seed=3, patience=0.5, wall=wall, most=100)
    return campaign, campaign.run(count=40)


def test_what_is_accepted_and_what_is_refused_is_counted():
    campaign, found = tried(at_1=lambda: "NoError", at_2=lambda: "OtherError")
    inputs = [campaign.input(number) for number in range(40)]
    assert found.tried == 40
    assert found.refusals == {"NoError": inputs.count(1), "OtherError": inputs.count(2)}
    assert found.accepted == 40 - inputs.count(1) - inputs.count(2)
    assert found.failures == []


@pytest.mark.parametrize(
    ("action", "kind", "told", "wall"),
    [
        (lambda: 1 / 0, "crash", "ZeroDivisionError", 10.0),
        (lambda: os.abort(), "crash", "Fatal Python error: Aborted", 10.0),
        (lambda: os._exit(0), "crash", "left without a word", 10.0),
        (lambda: bytearray(1 << 45), "crash", "MemoryError", 10.0),
        (_spin, "hang", "no end within 0.5 s of the processor", 30.0),
        (lambda: time.sleep(60.0), "hang", "no end within 3.0 s of the clock (processor 0.0 s", 3.0),
        (_wrong, "wrong acceptance", "contradicts", 10.0),
    ],
)
def test_every_way_to_fail_is_seen_and_belongs_to_its_input(action, kind, told, wall):
    campaign, found = tried(wall, at_4=action)
    culprits = [number for number in range(40) if campaign.input(number) == 4]
    assert culprits
    assert [failure.number for failure in found.failures] == culprits
    assert {failure.kind for failure in found.failures} == {kind}
    assert all(told in failure.detail for failure in found.failures)
    assert found.tried == 40


def test_an_input_that_waits_for_a_processor_is_no_hang():
    processor = min(os.sched_getaffinity(0))

    def work_beside_another() -> None:
        os.sched_setaffinity(0, {processor})
        os.nice(19)
        end = time.process_time() + 0.05
        while time.process_time() < end:
            pass

    program = (
        f"import os, time; os.sched_setaffinity(0, {{{processor}}}); end = time.monotonic() + 5.0\n"
        "while time.monotonic() < end: pass"
    )
    with subprocess.Popen([sys.executable, "-c", program]) as other:
        campaign, found = tried(1.5, at_4=work_beside_another)
        other.kill()
    assert 4 in [campaign.input(number) for number in range(40)]
    assert found.failures == []


def test_a_document_that_is_nested_deep_is_changed_no_further():
    document: object = 0
    for _ in range(DEEP):
        document = [document]
    assert changed(Random(1), [[document]]) == [[document]]
    for number in range(300):
        changed(Random(number), [document, [document]])  # no RecursionError


def test_a_crash_writes_no_memory_to_the_disk():
    _, found = tried(at_4=lambda: f"limit {resource.getrlimit(resource.RLIMIT_CORE)}")
    assert found.refusals.keys() == {"limit (0, 0)"}


def test_a_campaign_with_a_deadline_ends_in_time():
    begun = time.monotonic()
    found = Campaign(Numbers(at_1=lambda: time.sleep(0.01)), seed=3).run(seconds=0.5)
    assert time.monotonic() - begun < 5.0
    assert found.tried > 10


def test_a_failing_input_is_saved_with_the_command_that_repeats_it(tmp_path):
    campaign, found = tried(at_4=_wrong)
    paths = save(campaign, tmp_path)
    assert len(paths) == len(found.failures) > 0
    number = found.failures[0].number
    assert paths[0].name == f"numbers-3-{number}.txt"
    text = paths[0].read_text()
    assert text.startswith(f"wrong acceptance\npython tests/fuzz/run.py numbers --seed 3 --only {number}\n")
    assert text.endswith("input:\n4\n")


def test_the_command_prints_what_came_of_it_and_its_status_says_so(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("boundaries.command.SCRATCH", tmp_path)
    assert main(["traces", "--count", "40", "--seed", "5"]) == 0
    assert "traces (seed 5): tried 40, accepted" in (shown := capsys.readouterr().out)
    assert "crashes 0, hangs 0, wrong acceptances 0" in shown
    assert "refused with: ValueError" in shown
    monkeypatch.setattr(json_reader, "_keys", keys_unchecked)
    assert main(["traces", "--count", "200"]) == 1
    assert "crash at" in capsys.readouterr().out
    assert list(tmp_path.glob("traces-1-*.txt"))
    with pytest.raises(SystemExit):
        main(["nothing"])


def test_the_check_of_types_sees_a_wrong_one():
    assert has_type(ProbeNumbers("add", 1.0, {"a": None}), ProbeNumbers)
    assert not has_type(ProbeNumbers("add", 1.0, {"a": True}), ProbeNumbers)
    assert not has_type(ProbeNumbers("add", 1.0, {3: 1.0}), ProbeNumbers)
    assert not has_type(ProbeNumbers("add", 1.0, {}, steps=[0.5]), ProbeNumbers)
    assert not has_type(Trouble("load", None), Trouble)
    assert not has_type({"probe": "add"}, ProbeNumbers)
