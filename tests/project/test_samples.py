"""Files that minigrad 0.1.0 wrote are read today, and say what they said.

The files are in `tests/data/samples/0.1`, with `expected.json`: the numbers that 0.1.0 got from them on
the day when it wrote them.  `make.py` beside them shows how; it is never run again.  Everything is read
in the way that the documentation of 0.1 told: by public names, and by the command.  Pickles of Values and of
modules are not among them: they name functions inside modules that have moved since.
"""

from __future__ import annotations

import io
import json
import math
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

import minigrad
from minigrad import Graph, Value, nn, trace
from minigrad.cli import main
from source_trees import DATA

pytestmark = pytest.mark.both_engines

SAMPLES = DATA / "samples" / "0.1"
EXPECTED: dict[str, Any] = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))
PICKLES = [name for name in EXPECTED if name.endswith(".pickle")]


def near(numbers: Any) -> Any:
    """The same but for the last digits, in which the mathematical libraries of two systems may differ."""
    return pytest.approx(numbers, rel=1e-10, abs=1e-14)


def document(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def rewritten(path: Path, before: str, after: str) -> None:
    """Another text in one place of a file."""
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{before!r} is {text.count(before)} times in {path.name}"
    path.write_text(text.replace(before, after), encoding="utf-8")


def damaged(path: Path) -> None:
    """One bit is another, near the end."""
    content = bytearray(path.read_bytes())
    content[-50] ^= 1
    path.write_bytes(bytes(content))


@pytest.fixture
def samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the samples, which is the folder in use: commands may write into it."""
    copytree(SAMPLES, tmp_path / "samples")
    (tmp_path / "samples" / "class" / "monday").rename(tmp_path / "samples" / "monday")
    monkeypatch.chdir(tmp_path / "samples")
    return tmp_path / "samples"


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Callable[[Sequence[str]], tuple[int, str]]:
    """Runs a command in English: its exit code, and what it printed."""

    def run(words: Sequence[str]) -> tuple[int, str]:
        code = main([*words, "--lang", "en"])
        return code, capsys.readouterr().out

    return run


def test_the_samples_are_those_of_0_1():
    assert EXPECTED["minigrad"] == "0.1.0"
    assert sum(path.stat().st_size for path in SAMPLES.rglob("*") if path.is_file()) < 300_000


# ---- graphs and traces ----------------------------------------------------------------------------


def gradients(path: Path) -> dict[str, float]:
    return dict(trace(Graph.from_json(document(path))).gradients)


def test_a_graph_gives_its_values_gradients_and_orders():
    graph, expected = Graph.from_json(document(SAMPLES / "graph.json")), EXPECTED["graph"]
    assert list(graph.names) == expected["names"]
    assert graph.names[graph.output] == expected["output"]
    assert graph.evaluate() == near(expected["values"])
    assert trace(graph).gradients == near(expected["gradients"])
    assert [[graph.names[i] for i in order] for order in graph.orders()] == expected["orders"]
    elsewhere = expected["elsewhere"]
    assert graph.evaluate(inputs=elsewhere["inputs"])[graph.output] == near(elsewhere["value"])


def test_a_graph_is_written_as_it_was():
    """Programs that read our graphs find every key, and nothing else in it."""
    assert Graph.from_json(document(SAMPLES / "graph.json")).to_json() == document(SAMPLES / "graph.json")


def test_a_graph_that_was_changed_gives_other_gradients(samples):
    """The comparison above can fail: here it must."""
    rewritten(samples / "graph.json", '"data": 0.5', '"data": 0.75')
    assert gradients(samples / "graph.json") != near(EXPECTED["graph"]["gradients"])
    rewritten(samples / "graph.json", "minigrad.graph/1", "minigrad.graph/9")
    with pytest.raises(ValueError, match=r"minigrad\.graph/9"):
        gradients(samples / "graph.json")


def read_trace(name: str) -> Any:
    kind = type(trace(Graph.from_json(document(SAMPLES / "graph.json"))))
    return kind.from_json(document(SAMPLES / name))


def test_a_trace_gives_its_events():
    walked, expected = read_trace("trace.json"), EXPECTED["trace"]
    assert walked.gradients == near(expected["gradients"])
    assert [walked.graph.names[i] for i in walked.order] == expected["order"]
    assert len(walked.events) == expected["events"]
    last = {name: getattr(walked.events[-1], name) for name in expected["last"]}
    assert last == near(expected["last"])


def test_what_explain_wrote_is_read_as_a_trace():
    walked = read_trace("commands/explain.json")
    assert walked.gradients == near({"a": 3.0, "b": 2.0, "c": 1 - math.tanh(0.5) ** 2})


# ---- pickles --------------------------------------------------------------------------------------


class Noting(pickle.Unpickler):
    """Which names of which modules a pickle refers to."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content))
        self.names: set[str] = set()

    def find_class(self, module: str, name: str) -> Any:
        self.names.add(f"{module}.{name}")
        return super().find_class(module, name)


def unpickled(name: str) -> Any:
    return pickle.loads((SAMPLES / name).read_bytes())


REFERRED = sorted({name for pickled in PICKLES for name in EXPECTED[pickled]["refers_to"]})


@pytest.mark.parametrize("name", [name for name in REFERRED if name.startswith("minigrad.")])
def test_a_name_that_pickles_refer_to_is_where_it_was(name):
    module, _, attribute = name.rpartition(".")
    assert callable(getattr(import_module(module), attribute))


@pytest.mark.parametrize("name", PICKLES)
def test_pickles_refer_to_no_other_names(name):
    """So that the list above is whole."""
    noting = Noting((SAMPLES / name).read_bytes())
    noting.load()
    assert sorted(noting.names) == EXPECTED[name]["refers_to"]


def test_a_pickled_graph_is_that_of_the_json():
    assert unpickled("graph.pickle") == Graph.from_json(document(SAMPLES / "graph.json"))


def test_a_pickle_of_a_module_that_is_gone_is_not_read():
    """What a rename does to a pickle: the tests above would notice."""
    content = (SAMPLES / "graph.pickle").read_bytes()
    path = "minigrad.graph"
    gone = path[:-1] + "_"  # as long, since a pickle counts letters
    with pytest.raises(ModuleNotFoundError, match=gone):
        pickle.loads(content.replace(path.encode(), gone.encode()))


# ---- programs -------------------------------------------------------------------------------------


def flat(numbers: Any) -> Iterator[float]:
    if isinstance(numbers, list):
        for part in numbers:
            yield from flat(part)
    else:
        yield numbers


def test_a_saved_program_runs():
    """As docs/en/compile.md told: `minigrad.compile.load(path)`.  It has two branches and a look-up."""
    pytest.importorskip("numpy")
    program, expected = minigrad.compile.load(SAMPLES / "chosen.program"), EXPECTED["chosen.program"]
    assert program.__name__ == expected["name"]
    table = expected["table"]
    for call in expected["calls"]:
        i, x = call["i"], call["x"]
        assert program(table, i, x).data == near(call["value"])  # a Value, since it captured one
        value, gradient = program.value_and_grad(table, i, x)
        assert [value, *flat(gradient)] == near([call["value"], *flat(call["by_table"])])
        assert program.grad(table, i, x, argnums=2) == near(call["by_x"])
    calls = [call for call in expected["calls"] if call["i"] == 0]
    batch = program.batched("x")(table, 0, [call["x"] for call in calls])
    assert list(batch) == near([call["value"] for call in calls])


def test_a_saved_program_that_was_changed_is_refused(samples):
    pytest.importorskip("numpy")
    damaged(samples / "chosen.program")
    with pytest.raises(ValueError, match=r"chosen\.program"):
        minigrad.compile.load(samples / "chosen.program")


# ---- checkpoints ----------------------------------------------------------------------------------


def model_and_memory() -> tuple[nn.Module, nn.Optimizer, Any]:
    """What make.py saved, with other weights and settings, which the file replaces."""
    layers = [nn.Linear(2, 3, seed=9), nn.Tanh(), nn.Dropout(0.25, seed=9), nn.Linear(3, 1, seed=9)]
    model = nn.Sequential(*layers)
    optimiser = nn.AdamW(model.parameters(), lr=0.5)
    parts = [nn.LinearLR(optimiser, 0.25, 1.0, 3), nn.CosineAnnealingLR(optimiser, 10)]
    return model, optimiser, nn.SequentialLR(optimiser, parts, [3])


def continued(model: nn.Module, optimiser: nn.Optimizer, schedule: Any, steps: int) -> dict[str, list[float]]:
    losses, rates = [], []
    for _ in range(steps):
        optimiser.zero_grad()
        said = [model([Value(x), Value(y)])[0] for x, y in ((0.5, -1.0), (1.5, 0.25), (-0.75, 2.0))]
        loss = nn.mse_loss(said, [1.0, -1.0, 0.5])
        loss.backward()
        optimiser.step()
        schedule.step()
        losses.append(loss.data)
        rates += schedule.get_last_lr()
    return {"losses": losses, "rates": rates}


def test_a_checkpoint_goes_on_as_it_would_have():
    """Weights, moments, the place in the schedule and in the random numbers of a dropout."""
    expected = EXPECTED["model.safetensors"]
    everything = model_and_memory()
    assert nn.load(SAMPLES / "model.safetensors", *everything) == expected["state"]
    weights = everything[0].state_dict()
    assert weights == expected["weights"]
    assert list(weights) == list(expected["weights"])
    after = continued(*everything, len(expected["continued"]["losses"]))
    assert after["losses"] == near(expected["continued"]["losses"])
    assert after["rates"] == near(expected["continued"]["rates"])


def test_without_its_optimiser_a_checkpoint_goes_on_otherwise():
    """The comparison above can fail: here it must."""
    model, optimiser, schedule = model_and_memory()
    nn.load(SAMPLES / "model.safetensors", model)
    expected = EXPECTED["model.safetensors"]["continued"]["losses"]
    after = continued(model, optimiser, schedule, len(expected))["losses"]
    assert after[0] == near(expected[0])  # the weights, and where the dropout stands
    assert after[1:] != near(expected[1:])


def test_a_checkpoint_that_was_changed_is_refused(samples):
    damaged(samples / "model.safetensors")
    with pytest.raises(nn.CheckpointError, match=r"model\.safetensors"):
        nn.load(samples / "model.safetensors", *model_and_memory())


@pytest.mark.parametrize(
    ("name", "how"),
    [("moons.safetensors", []), ("moons.safetensors", ["--compile"]), ("poems.safetensors", [])],
    ids=["points", "points, compiled", "texts"],  # texts with dropout, which cannot be compiled
)
def test_a_training_run_is_resumed(name, how, samples, said):
    if how:
        pytest.importorskip("numpy")
    expected = EXPECTED[name]
    code, out = said([*expected["words"], *how])
    assert code == 0
    ended = json.loads(out)
    assert ended["step"] == expected["ended"]["step"]
    assert ended["losses"] == near(expected["ended"]["losses"])
    assert len(ended["losses"]) > len(expected["begun"]["losses"])
    assert ended["accuracy"] == expected["ended"]["accuracy"]
    assert ended["samples"] == expected["ended"]["samples"]


def test_a_training_run_that_was_changed_is_not_resumed(samples, said):
    damaged(samples / "moons.safetensors")
    assert said(EXPECTED["moons.safetensors"]["words"]) == (2, "")


# ---- learners and classes -------------------------------------------------------------------------


def learn(words: Sequence[str], typed: str = "") -> str:
    """A session of `minigrad learn` whose answers come from a file."""
    command = [sys.executable, "-m", "minigrad", "learn", *words, "--lang", "en"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, input=typed, capture_output=True, encoding="utf-8", env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""  # no notice of a damaged file
    return done.stdout


def marks_of_units(listed: str) -> dict[str, str]:
    """Of each unit in the list, the box in front of it."""
    lines = [line.strip() for line in listed.splitlines() if line.strip().startswith("[")]
    return {line.partition("(")[2].partition(")")[0]: line[:3] for line in lines}


def test_a_learner_s_progress_is_listed(samples, said):
    code, out = said(["learn", "--list", "--progress", "progress.json"])
    expected = EXPECTED["progress.json"]["listed"]
    assert code == 0
    assert {unit: box for unit, box in marks_of_units(out).items() if unit in expected} == expected


def test_what_a_learner_missed_comes_back(samples):
    out = learn(["--review", "--progress", "progress.json"], "q\n")
    assert f"1 of {EXPECTED['progress.json']['due']}" in out


def test_answers_are_kept_when_the_file_is_written_again(samples):
    """A new unit is begun, so the file is written; what was in it stays to the letter."""
    learn(["by-hand", "--progress", "progress.json"], "q\n")
    after, expected = document(samples / "progress.json"), EXPECTED["progress.json"]
    assert "by-hand" in after["units"]
    assert after["seed"] == expected["seed"]
    assert {unit: row for unit, row in after["units"].items() if unit != "by-hand"} == expected["units"]
    assert after["answers"] == expected["answers"]
    assert list(samples.glob("progress*")) == [samples / "progress.json"]  # nothing was put aside as damaged


def test_a_review_goes_on_from_the_old_answers(samples):
    learn(["--review", "--progress", "progress.json"], "r\nq\n")
    after, before = document(samples / "progress.json")["answers"], EXPECTED["progress.json"]["answers"]
    assert after[: len(before)] == before
    assert len(after) == len(before) + 1


def test_progress_that_was_changed_has_something_else_to_repeat(samples):
    """The comparison above can fail: here it must, because what was revealed was answered."""
    rewritten(samples / "progress.json", '"right": false, "revealed": true', '"right": true, "fault": ""')
    out = learn(["--review", "--progress", "progress.json"], "q\n")
    assert f"1 of {EXPECTED['progress.json']['due']}" not in out


def marks(out: str) -> dict[str, list[int]]:
    return {row["name"]: [row["points"], row["of"]] for row in json.loads(out)["learners"]}


def test_returned_sheets_get_their_marks(samples, said):
    """One in Markdown, one notebook, one page, and the small file that a page saves."""
    code, out = said(["grade", "monday", "--json"])
    assert code == 0
    assert marks(out) == EXPECTED["class"]
    results = json.loads(out)
    assert (results["not_graded"], results["notices"]) == ([], [])


def test_one_sheet_is_graded_by_the_key_of_its_class(samples, said):
    returned = ["monday/returned/ada-lovelace.md", "--key", "monday/key.json"]
    code, out = said(["grade", *returned, "--json"])
    assert code == 0
    assert marks(out)["Ada Lovelace"] == EXPECTED["class"]["Ada Lovelace"]


def test_a_sheet_with_another_answer_gets_other_marks(samples, said):
    """The comparison above can fail: here it must."""
    rewritten(samples / "monday" / "returned" / "moses-ibn-tibbon.answers.json", '"99"', '"-99"')
    rewritten(samples / "monday" / "returned" / "ada-lovelace.md", "answer = B", "answer = A")
    after = marks(said(["grade", "monday", "--json"])[1])
    assert after.pop("Ada Lovelace") == [1, 2]
    assert after == {name: points for name, points in EXPECTED["class"].items() if name != "Ada Lovelace"}


def test_a_unit_that_was_written_as_a_script_runs(samples):
    """It imports from minigrad what a unit needs; it is kept under a name that no linter reads."""
    (samples / "unit.py.txt").rename(samples / "unit.py")
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "unit.py"], capture_output=True, encoding="utf-8", env=environment, cwd=samples
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:2] == EXPECTED["unit.py.txt"]["prints"]


# ---- documents of commands ------------------------------------------------------------------------


def kind(thing: Any) -> str:
    """The type of something in JSON."""
    if thing is None or isinstance(thing, bool):
        return "null" if thing is None else "boolean"
    names = {dict: "object", list: "array", str: "string", int: "number", float: "number"}
    return names[type(thing)]


def differences(before: Any, now: Any, row: dict[str, Any], path: str = "") -> list[str]:
    """What a program that reads the document of 0.1 would miss in that of today.

    A key may be new, none may be gone, and types stay.  Values are equal, except for those whose path is
    `loose`; a list that is `growing` has every entry that it had.
    """

    def among(patterns: str) -> bool:
        return any(fnmatchcase(path, pattern) for pattern in row.get(patterns, []))

    if kind(before) != kind(now):
        return [f"{path}: {kind(before)} in 0.1, {kind(now)} now"]
    if among("loose"):
        return []
    if isinstance(before, dict):
        inner = f"{path}." if path else ""
        lost = [f"{inner}{key}: gone" for key in before if key not in now]
        both = [key for key in before if key in now]
        return lost + [d for key in both for d in differences(before[key], now[key], row, f"{inner}{key}")]
    if isinstance(before, list) and among("growing"):
        return [
            f"{path}.{i}: no entry like {entry}"
            for i, entry in enumerate(before)
            if all(differences(entry, other, row, f"{path}.{i}") for other in now)
        ]
    if isinstance(before, list):
        if len(before) != len(now):
            return [f"{path}: {len(before)} entries in 0.1, {len(now)} now"]
        pairs = enumerate(zip(before, now, strict=True))
        return [d for i, (old, new) in pairs for d in differences(old, new, row, f"{path}.{i}")]
    same = now == (near(before) if kind(before) == "number" else before)
    return [] if same else [f"{path}: {before!r} in 0.1, {now!r} now"]


@pytest.mark.parametrize("name", EXPECTED["commands"])
def test_a_command_writes_what_it_wrote(name, samples, said):
    row = EXPECTED["commands"][name]
    if "needs" in row:
        pytest.importorskip(row["needs"])
    if name == "check":
        pytest.importorskip("mpmath")  # one of the witnesses
    code, out = said([word.replace("{python}", sys.executable) for word in row["words"]])
    assert code == row["code"]
    assert differences(document(SAMPLES / "commands" / f"{name}.json"), json.loads(out), row) == []


def test_every_sample_of_a_command_is_run():
    assert {path.stem for path in (SAMPLES / "commands").iterdir()} == set(EXPECTED["commands"])


CHANGES: dict[str, tuple[Callable[[Any], object], list[str]]] = {
    "a key is gone": (lambda now: now.pop("verdict"), ["verdict: gone"]),
    "a key is gone further in": (
        lambda now: now["diagnoses"][0].pop("order"),
        ["diagnoses.0: no entry like"],
    ),
    "another type": (lambda now: now.update(expected=[]), ["expected: object in 0.1, array now"]),
    "a text for a number": (
        lambda now: now["expected"].update(a="-2.0"),
        ["expected.a: number in 0.1, string now"],
    ),
    "another number": (lambda now: now["expected"].update(a=-2.5), ["expected.a: -2.0 in 0.1, -2.5 now"]),
    "another version": (
        lambda now: now.update(schema="minigrad.forensics/2"),
        ["schema: 'minigrad.forensics/1' in 0.1, 'minigrad.forensics/2' now"],
    ),
    "a new key": (lambda now: now.update(more=1), []),
    "a new fault": (lambda now: now["diagnoses"].insert(0, {"fault": "new"}), []),
    "the last digit": (lambda now: now["expected"].update(a=-2.0000000000000004), []),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_document_that_was_changed_is_noticed(change):
    """The comparison of documents can fail, and only where it should."""
    path, row = SAMPLES / "commands" / "diagnose.json", EXPECTED["commands"]["diagnose"]
    now = document(path)
    made, expected = CHANGES[change]
    made(now)
    found = differences(document(path), now, row)
    assert len(found) == len(expected)
    assert all(line.startswith(start) for line, start in zip(found, expected, strict=True))
