"""Messages of the engine child: what our own program sends is read, and nothing else is believed."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from math import nan

import pytest

from doctor_reports import CLOSURES, remembered
from engine_texts import ENGINES
from forged_messages import forgeries, junk_everywhere
from memory_runner import MemoryRunner
from minigrad.doctor.engine.child_protocol import (
    CHILD,
    Answer,
    Begun,
    ExpansionStep,
    Finished,
    Green,
    LinesNotRun,
    PlanFound,
    ProbeFailed,
    ProbeNumbers,
    SkippedStatement,
    Trouble,
    ask,
    message_reader,
    try_sources,
)
from minigrad.doctor.engine.probes import probes, unknown_probes
from minigrad.doctor.engine.source import subject_of
from minigrad.doctor.engine.usage_plan import BackwardCall, FieldAccess, LeafCall, OpCall, UsagePlan
from minigrad.doctor.inside.message_text import MOST_STEPS, MOST_UNKNOWN
from minigrad.doctor.sandbox.message_fields import MalformedError
from minigrad.doctor.sandbox.process import PROCESSES
from minigrad.doctor.sandbox.runner import Job, Limits

ALL = (*probes(), *unknown_probes(["swish"]))
READ = message_reader(ALL)
WANTED = ("add", "mul-twice", "tanh-alone", "two-losses", "two-passes", "written-data", "leaf", "depth-2000")


def sent(path: object, *, plan: Mapping[str, object] | None = None) -> list[dict[str, object]]:
    """Everything that the child sends about an engine, raw."""
    request = {
        "subject": subject_of(str(path)).request(),
        "plan": plan,
        "pins": {},
        "probes": [probe.request() for probe in ALL if probe.id in WANTED],
        "load_seconds": 5.0,
    }
    ended = PROCESSES.run(Job(CHILD, request, Limits(wall=30.0)), dict)
    assert ended.kind == "finished", ended.output
    return list(ended.messages)


@pytest.fixture(scope="module")
def real() -> list[dict[str, object]]:
    """Real messages of a real engine, and one by hand of each kind that it does not send."""
    tried = {"value": 0.5, "grads": {"a": 0.25}, "around": [[0.5, 0.25], [0.5, None]], "steps": [1e-4, 5e-5]}
    return [
        *sent(CLOSURES),
        {"trouble": "syntax", "detail": "invalid syntax", "line": 3},
        {"trouble": "load", "detail": "OSError: no", "line": None},
        {"skipped": 7, "name": "x", "detail": "NameError: x"},
        {"not run": [3, 4]},
        {"green": 2},
        {"probe": "add", "failed": "raised", "stage": "forward", "detail": "TypeError: no", "line": 12},
        {"probe": "unknown-swish-1", **tried},
    ]


def test_everything_that_the_child_sends_is_read(real):
    read = [READ(message) for message in real]
    assert None not in read
    kinds = {type(message) for message in read}
    assert kinds == {
        Begun, Finished, Green, LinesNotRun, PlanFound, ProbeFailed, ProbeNumbers, SkippedStatement, Trouble,
    }  # fmt: skip
    by_probe = {message.probe: message for message in read if isinstance(message, ProbeNumbers)}
    assert by_probe["mul-twice"] == ProbeNumbers("mul-twice", 9.0, {"a": 6.0})
    assert by_probe["two-passes"].once == {"a": 3.0, "b": 3.0}
    assert by_probe["unknown-swish-1"].around == ((0.5, 0.25), (0.5, None))


@pytest.mark.parametrize("path", sorted(ENGINES.glob("*.py")), ids=lambda path: path.stem)
def test_a_plan_is_the_same_after_a_round_trip_and_the_child_can_use_it(path):
    first = sent(path)
    (found,) = [message["plan"] for message in first if "plan" in message]
    plan = UsagePlan.from_json(found)
    assert UsagePlan.from_json(json.loads(json.dumps(plan.to_json()))) == plan
    missing = {key: value for key, value in found.items() if plan.to_json()[key] != value}
    assert missing.keys() <= {"leaf", "backward"}  # where an empty field may be left out
    assert answers(sent(path, plan=plan.to_json())) == answers(first)


def answers(messages: list[dict[str, object]]) -> list[dict[str, object]]:
    """The answers to probes, without the time that each took."""
    found = [message for message in messages if "probe" in message and "begin" not in message]
    assert all(float(message["seconds"]) > 0.0 for message in found)
    return [{key: value for key, value in message.items() if key != "seconds"} for message in found]


def test_a_number_that_is_none_or_infinite_is_an_engines_own():
    row = {"probe": "add", "value": float("inf"), "grads": {"a": None, "b": 2}}
    assert READ(row) == ProbeNumbers("add", float("inf"), {"a": None, "b": 2.0})
    found = READ({**row, "value": nan})
    assert isinstance(found, ProbeNumbers)
    assert found.value != found.value


@pytest.mark.parametrize(
    "message",
    [
        {}, {"plan": None, "files": 3}, {"plan": {}}, {"not run": ["x"]}, {"skipped": "a"},
        {"trouble": "zzz"}, {"trouble": ["slow"]}, {"probe": 3},
        {"probe": "add", "grads": {"a": "1"}, "value": 1},
        {"probe": "add"}, {"begin": None}, {"anything": 1}, {"end": 1}, {"green": -1}, {"green": True},
        {"probe": "add", "value": 5.0, "grads": {"a": 1.0}},  # a leaf is missing
        {"probe": "add", "value": 5.0, "grads": {"a": 1.0, "b": 1.0, "c": 1.0}},  # and one that is not there
        {"probe": "add", "value": 10**400, "grads": {"a": 1.0, "b": 1.0}},
        {"probe": "add", "value": True, "grads": {"a": 1.0, "b": 1.0}},
        {"probe": "nobody-asked", "value": 5.0, "grads": {"a": 1.0}},
        {"probe": "two-passes", "value": 9.0, "grads": {"a": 3.0, "b": 3.0}},  # without the first pass
        {"probe": "add", "failed": "unheard-of"}, {"probe": "add", "failed": "slow", "stage": "nowhere"},
        {"trouble": "load", "detail": "x" * 1_000_000}, {"trouble": "load", "line": 10**12},
        {"begin": "probe"}, {"begin": "probe", "probe": "nobody-asked"},
        {"probe": "add", "value": 5.0, "grads": {"a": 1.0, "b": 1.0}, "seconds": -1.0},
        {"probe": "add", "value": 5.0, "grads": {"a": 1.0, "b": 1.0}, "seconds": float("inf")},
        {"probe": "add", "value": 5.0, "grads": {"a": 1.0, "b": 1.0}, "seconds": "soon"},
    ],
)  # fmt: skip
def test_what_our_own_program_would_not_send_is_not_believed(message):
    assert READ(message) is None


@pytest.mark.parametrize(
    "steps",
    [
        [["neg", [["x", 1]]]],  # of one operand, the second
        [["neg", [["s", 0]]]],  # its own result
        [["neg", [["k", "1"]]]],
        [["neg", [["z", 0]]]],
        [["neg", [["x", 0.0]]]],
        [["neg"]],
    ],
)
def test_a_composition_of_what_is_not_there_is_not_believed(real, steps):
    (found,) = [message for message in real if "plan" in message]
    good = READ({**found, "expansions": {"abs v": [["neg", [["x", 0]]]]}})
    assert isinstance(good, PlanFound)
    assert good.expansions == {"abs v": (ExpansionStep("neg", (("x", 0),)),)}
    assert READ({**found, "expansions": {"abs v": steps}}) is None


def test_a_composition_or_a_list_of_methods_that_is_too_long_is_not_believed(real):
    (found,) = [message for message in real if "plan" in message]
    step = ["neg", [["x", 0]]]
    assert isinstance(READ({**found, "expansions": {"abs v": [step] * MOST_STEPS}}), PlanFound)
    assert READ({**found, "expansions": {"abs v": [step] * (MOST_STEPS + 1)}}) is None
    assert READ({**found, "expansions": {"abs v": [["neg", [["x", 0]] * 101]]}}) is None
    for count, taken in ((MOST_UNKNOWN, True), (MOST_UNKNOWN + 1, False)):
        plan = {**found["plan"], "unknown": [f"op{i}" for i in range(count)]}
        assert (READ({**found, "plan": plan}) is not None) == taken


# ---- turns ----------------------------------------------------------------------------------------


def sorted_answer(*raws: dict[str, object], plan: UsagePlan | None = None) -> Answer:
    """What is made of a child's messages."""
    asked = [probe for probe in ALL if probe.id in WANTED]
    path = subject_of(str(CLOSURES))
    return ask(path, asked, plan=plan, runner=MemoryRunner(lambda job: raws))


def began(probe: str) -> dict[str, object]:
    return {"begin": "probe", "probe": probe}


def gave(value: float) -> dict[str, object]:
    return {"probe": "add", "value": value, "grads": {"a": 1.0, "b": 1.0}, "seconds": 1e-4}


DENIED, END = {"probe": "add", "failed": "missing"}, {"end": True}


@pytest.mark.parametrize(
    ("messages", "value", "out_of_turn"),
    [
        ((began("add"), gave(5.0), END), 5.0, 0),
        ((began("add"), gave(5.0), END, DENIED), 5.0, 2),  # after the end, and a second time
        ((began("add"), gave(5.0), DENIED, END), 5.0, 1),
        ((DENIED, began("add"), gave(5.0), END), 5.0, 1),  # before it has begun
        ((gave(9.0), began("add"), gave(5.0), END), 5.0, 1),
        ((began("mul-twice"), gave(9.0), began("add"), gave(5.0), END), 5.0, 1),  # in another's turn
        ((began("add"), gave(5.0), began("add"), gave(9.0), END), 5.0, 2),
        ((END, began("add"), gave(5.0), END), 5.0, 1),
        ((began("add"), {**gave(5.0), "seconds": None}, END), 5.0, 1),  # our program always says how long
    ],
)
def test_an_answer_counts_in_its_turn_and_what_comes_at_another_moment_is_counted(
    messages, value, out_of_turn
):
    answer = sorted_answer(*messages)
    assert answer.numbers["add"].value == value
    assert answer.out_of_turn == out_of_turn


@pytest.mark.parametrize("forged", [(gave(9.0),), (DENIED,), (began("mul-twice"), gave(9.0))])
def test_an_answer_to_what_was_not_asked_is_not_used(forged):
    answer = sorted_answer(*forged, END)
    assert "add" not in answer.numbers
    assert answer.out_of_turn == 1


def test_a_second_plan_does_not_take_the_place_of_the_first(real):
    (found,) = [message for message in real if "plan" in message]
    fewer = {**found, "plan": {**found["plan"], "ops": {"add": found["plan"]["ops"]["add"]}}}
    answer = sorted_answer(found, fewer, began("add"), gave(5.0), END)
    assert "mul" in answer.plan.ops
    assert answer.out_of_turn == 1


@pytest.mark.parametrize(("green", "found"), [(0, 0), (1, 1), (2, None), (None, None)])
def test_only_a_source_that_was_tried_can_be_the_one_that_is_right(green, found):
    subject = subject_of(str(CLOSURES))
    runner = MemoryRunner(lambda job: [] if green is None else [{"green": green}, END])
    sources = [(str(subject.path), "a = 1"), (str(subject.path), "a = 2")]
    assert try_sources(subject, sources, {}, [], {}, UsagePlan("Value"), runner=runner) == found


# ---- long fields ----------------------------------------------------------------------------------

LONG = "x" * 150_000  # more than the parent takes for a text, and less than for a line
TANH = "        t = math.tanh(self.data)\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (TANH, f"        t = {{}}['{LONG}']\n"),
        ("    def tanh(self):\n", f"    def tanh{'_' * 2_000}(self):\n"),
        (
            "    def tanh(self):\n",
            f"    def op{'_' * 2_000}(self):\n        return Value(2.0)\n\n    def tanh(self):\n",
        ),
        (
            "        walk(self)\n",
            "        walk(self)\n        if len(order) > 2:\n"
            f"            raise sys.modules['inside.adapter'].UnsupportedError('{LONG}')\n",
        ),
    ],
    ids=["an error of an op", "the name of an op", "the name of a method", "an error that looks like ours"],
)
def test_what_an_engine_makes_long_is_cut_in_the_child_and_no_message_is_lost(tmp_path, old, new):
    text = CLOSURES.read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "engine.py").write_text("import sys\n" + text.replace(old, new, 1), encoding="utf-8")
    messages = sent(tmp_path / "engine.py")
    assert all(READ(message) is not None for message in messages)
    assert max(len(json.dumps(message)) for message in messages) < 20_000
    assert any("plan" in message for message in messages)


def test_a_name_that_is_too_long_is_told_as_such(tmp_path, english):
    text = CLOSURES.read_text(encoding="utf-8").replace("backward", "backward" + "_" * 2_000)
    (tmp_path / "engine.py").write_text(text, encoding="utf-8")
    (trouble,) = [READ(message) for message in sent(tmp_path / "engine.py") if "trouble" in message]
    assert trouble.code == "long_name"


@pytest.mark.parametrize("said", [LONG, 4 * LONG])
def test_a_long_error_of_a_constructor_is_cut_and_told(tmp_path, said):
    text = CLOSURES.read_text(encoding="utf-8").replace(
        "        self.data = data\n", f"        raise ValueError('{said}')\n", 1
    )
    (tmp_path / "engine.py").write_text(text, encoding="utf-8")
    (trouble,) = [READ(message) for message in sent(tmp_path / "engine.py") if "trouble" in message]
    assert (trouble.code, trouble.detail[:40]) == ("leaf", f"Value: ValueError: {LONG}"[:40])


def test_an_error_that_cannot_be_printed_is_told_by_its_name(tmp_path):
    text = CLOSURES.read_text(encoding="utf-8").replace(
        TANH, "        t = 1 if self.data == 0.75 else mute()\n", 1
    )
    mute = (
        "class Mute(Exception):\n    def __str__(self):\n        raise ValueError\n\n\n"
        "def mute():\n    raise Mute\n\n\n"
    )
    (tmp_path / "engine.py").write_text(mute + text, encoding="utf-8")
    plan = remembered(str(CLOSURES)).exam.plan
    subject = subject_of(f"{tmp_path / 'engine.py'}:Value")
    asked = [probe for probe in ALL if probe.id in ("tanh-alone-2", "add")]
    answer = ask(subject, asked, plan=plan)
    assert answer.numbers["tanh-alone-2"] == ProbeFailed("tanh-alone-2", "raised", "forward", "Mute: ?")
    assert answer.numbers["add"].value == 5.0


# ---- forgeries ------------------------------------------------------------------------------------

NUMBERS = (float, type(None))


def is_well_typed(value: object) -> bool:
    """Has everything in a message the type that its class declares?  Written without the reader."""
    match value:
        case PlanFound():
            steps = [step for row in value.expansions.values() for step in row]
            return (
                is_well_typed(value.plan)
                and all(type(file) is str for file in value.files)
                and all(type(step.op) is str and type(step.operands) is tuple for step in steps)
                and all(
                    type(kind) is str and type(x) in (int, float) for s in steps for kind, x in s.operands
                )
            )
        case UsagePlan():
            calls = [call for row in value.ops.values() for call in row.values()]
            texts = [value.class_name, value.tape, *value.broken, *value.broken.values(), *value.ops]
            return (
                all(type(text) is str for text in (*texts, *value.unknown, *value.untried))
                and type(value.blank) in NUMBERS
                and all(map(is_well_typed, (value.leaf, value.data, value.grad, value.backward, *calls)))
            )
        case LeafCall():
            texts = [value.how, value.name, value.named, value.wrap, *value.keywords]
            return all(type(text) is str for text in texts)
        case FieldAccess() | OpCall():
            return all(type(text) is str for text in dataclasses.astuple(value))
        case BackwardCall():
            texts = [value.on, value.name, value.children]
            flags = type(value.seed) is type(value.seedable) is bool
            return all(type(text) is str for text in texts) and flags and type(value.given) is tuple
        case ProbeNumbers():
            numbers = [value.value, *value.grads.values(), *value.once.values(), *sum(value.around, ())]
            return (
                all(type(x) in NUMBERS for x in (*numbers, value.seconds))
                and all(type(step) is float for step in value.steps)
                and all(type(name) is str for name in (value.probe, *value.grads, *value.once))
            )
        case Begun() | ProbeFailed():
            return all(type(text) is str for text in dataclasses.astuple(value))
        case Trouble() | SkippedStatement():
            return all(type(x) in (str, int) for x in dataclasses.astuple(value))
        case LinesNotRun():
            return all(type(line) is int for line in value.lines)
        case Green():
            return type(value.number) is int
    return isinstance(value, Finished)


def test_the_check_of_types_sees_a_wrong_one():
    assert is_well_typed(ProbeNumbers("add", 1.0, {"a": None}))
    assert not is_well_typed(ProbeNumbers("add", 1, {"a": None}))
    assert not is_well_typed(ProbeNumbers("add", 1.0, {"a": True}))
    assert not is_well_typed(UsagePlan("Value", data=FieldAccess("attribute", 3)))
    assert not is_well_typed({"probe": "add"})


def test_junk_in_any_place_of_any_message_does_not_raise_and_is_not_taken_for_its_type(real):
    kinds = {type(READ(message)): message for message in real}
    for message in kinds.values():
        for forged in junk_everywhere(message):
            found = READ(forged)
            assert found is None or is_well_typed(found), forged


def test_of_four_thousand_forgeries_none_raises_and_none_is_accepted_with_a_wrong_type(real):
    accepted = rejected = 0
    for forged in forgeries(real, 4000, seed=20):
        found = READ(forged)
        if found is None:
            rejected += 1
        else:
            accepted += 1
            assert is_well_typed(found), forged
    assert rejected > 2000
    assert accepted > 100  # some changes are harmless: another number, one skipped line more


def test_a_forged_plan_is_refused_with_its_own_error(real):
    (found,) = [message["plan"] for message in real if "plan" in message]
    for forged in forgeries([found], 1000, seed=21):
        try:
            assert is_well_typed(UsagePlan.from_json(forged))
        except MalformedError:
            continue
