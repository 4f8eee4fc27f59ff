"""The benchmarks of training run, and refuse what computes something else.  No time is judged.

That the gradients derived by hand are right is said by minigrad, whose own are PyTorch's (test_nn_torch).
"""

from __future__ import annotations

import gc
import json
import math
import sys
from contextlib import suppress
from importlib import import_module

import pytest

import minigrad
from source_trees import ROOT

BENCH = ROOT / "bench"
sys.path.insert(0, str(BENCH))

import by_hand  # noqa: E402
import engines  # noqa: E402
import learning  # noqa: E402
import measure  # noqa: E402
import programs  # noqa: E402
import training  # noqa: E402

SIZE = 3  # letters
QUICK = measure.Limits(quick=True)


@pytest.fixture(scope="module", autouse=True)
def _what_is_loaded_stays() -> None:
    """The benchmarks look for garbage often, and PyTorch is none."""
    with suppress(ImportError):
        import_module("torch")
    gc.collect()
    gc.freeze()


def _by_hand(size: int) -> tuple[by_hand.Gpt, list[float]]:
    numbers: list[float] = []
    programs.gpt(numbers.append, size)
    return by_hand.Gpt(numbers), numbers


def _torch_takes_one_thread():
    pytest.importorskip("torch").set_num_threads(1)


# ---- by hand --------------------------------------------------------------------------------------


@pytest.mark.parametrize("tokens", ["amelie", "aa", "z"])
def test_the_gradients_derived_by_hand_are_minigrads(tokens, monkeypatch):
    monkeypatch.setattr(programs, "NAME", tokens)
    monkeypatch.setattr(by_hand, "NAME", tokens)
    model, _ = _by_hand(len(tokens))
    leaves, forward = programs.gpt(minigrad.Value, len(tokens))
    loss = forward()
    loss.backward()
    assert model.forward(by_hand.tokens_of(len(tokens))) == pytest.approx(loss.data, rel=1e-12)
    model.backward()
    largest = max(abs(leaf.grad) for leaf in leaves)
    for mine, leaf in zip(model.gradient.tolist(), leaves, strict=True):
        assert mine == pytest.approx(leaf.grad, rel=1e-9, abs=1e-12 * largest)


def test_a_second_step_does_not_remember_the_first():
    """Every gradient is written over, those of letters and positions that are not there too."""
    model, _ = _by_hand(6)
    model.forward(by_hand.tokens_of(6))
    model.backward()
    model.forward(by_hand.tokens_of(1))
    model.backward()
    fresh, _ = _by_hand(6)
    fresh.forward(by_hand.tokens_of(1))
    fresh.backward()
    assert model.gradient.tolist() == fresh.gradient.tolist()


@pytest.mark.parametrize("slope", ["normalised_slope", "softmax_slope"])
def test_a_slope_that_is_wrong_by_little_is_refused_before_anything_is_timed(slope, monkeypatch):
    right = getattr(by_hand, slope)
    monkeypatch.setattr(by_hand, slope, lambda *given: 1.0005 * right(*given))
    with pytest.raises(SystemExit, match="NumPy by hand: gradient"):
        measure.prepare("gpt", {"numpy": training.ways()["numpy"]}, QUICK)


# ---- the ways -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_way_runs_compares_and_is_timed(tmp_path, monkeypatch, capsys):
    file = tmp_path / "figures.json"
    monkeypatch.setattr(sys, "argv", ["training.py", "--quick", "--json", str(file)])
    training.main()
    shown = capsys.readouterr().out
    found = json.loads(file.read_text(encoding="utf-8"))
    rows = found["programs"]["gpt"]["engines"]
    assert list(rows) == training.KEYS
    native = minigrad.ENGINE == "native"
    for key, row in rows.items():
        if native or key not in ("native", "nn-native"):
            assert row["whole"] > 0.0, key
            assert math.isfinite(row["ratio"])
        assert found["engines"][key]["name"] in shown


def test_the_ways_agree_on_a_longer_name_too():
    _torch_takes_one_thread()
    program = programs.PROGRAMS["gpt"]
    wanted = measure.gradients_of(engines.own_engines()["plain"].prepare(program, SIZE), program)
    for key in ("nn-plain", "numpy", "torch"):
        way = training.ways()[key]
        found = measure.gradients_of(way.prepare(program, SIZE), program)
        measure.refuse_disagreement(way.name, found, wanted)
        found[1][0] += 1e-3
        with pytest.raises(SystemExit, match="gradient 0 after an update"):
            measure.refuse_disagreement(way.name, found, wanted)


def test_a_model_of_another_shape_is_not_the_programs(monkeypatch):
    monkeypatch.setattr(training, "SHAPES", {**by_hand.SHAPES, "up": (32, 16)})
    with pytest.raises(ValueError, match=r"nn\.GPT has matrices"):
        training.OfModule(minigrad, programs.PROGRAMS["gpt"], 1)


def test_an_engine_that_is_none_is_named(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["training.py", "--engines", "numpi"])
    with pytest.raises(SystemExit, match=r"no engine 'numpi'; there are native, plain"):
        training.main()


# ---- what is learned ------------------------------------------------------------------------------


def test_what_is_learned_can_be_repeated(tmp_path, monkeypatch, capsys):
    names = tmp_path / "names.txt"
    names.write_text("emma\nolivia\nava\n", encoding="utf-8")
    file = tmp_path / "figures.json"
    words = ["--quick", "--seeds", "1,2", "--names", str(names), "--json", str(file)]
    losses = []
    for _ in range(2):
        monkeypatch.setattr(sys, "argv", ["learning.py", *words])
        learning.main()
        runs = json.loads(file.read_text(encoding="utf-8"))["runs"]
        losses.append([run["last_losses"] for key in runs for run in runs[key]])
    assert list(runs) == ["moons", "own", "file"]
    assert losses[0] == losses[1]
    assert len({*losses[0]}) == 6
    assert runs["file"][0]["examples"] == 3
    assert 0.0 <= runs["moons"][0]["accuracy"] <= 1.0
    assert "two moons, MLP 2-16-16-1: 100 examples, 337 parameters" in capsys.readouterr().out


def test_figures_that_are_missed_are_told():
    stated = {"moons": 1.0, "own": 2.6, "file": 2.55}
    good = {"seed": 1, "last_losses": 2.5}
    runs = {"moons": [{**good, "accuracy": 1.0}], "own": [good], "file": [good]}
    assert learning.missed({"stated": stated, "runs": runs}) == []
    runs = {
        "moons": [{**good, "accuracy": 0.99}],
        "own": [good, {**good, "last_losses": math.nan}],
        "file": [{**good, "last_losses": 2.56}],
    }
    lines = learning.missed({"stated": stated, "runs": runs})
    assert [line.partition(",")[0] for line in lines] == ["moons", "own", "file"]


def test_learning_from_a_file_needs_the_file(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", ["learning.py", "--only", "file"])
    with pytest.raises(SystemExit, match="needs --names FILE"):
        learning.main()
    monkeypatch.setattr(sys, "argv", ["learning.py", "--only", "file", "--names", str(tmp_path / "no.txt")])
    with pytest.raises(SystemExit, match=r"no\.txt"):
        learning.main()
