"""What minigrad.compile is measured against computes the same, and the checks of the benchmark can fail.

No time is judged.  A library that is not installed has to be reported as such.
"""

from __future__ import annotations

import gc
import json
import math
import subprocess
import sys
from statistics import NormalDist
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

from source_trees import ROOT

BENCH = ROOT / "bench"
sys.path.insert(0, str(BENCH))

import by_hand  # noqa: E402
import by_hand_batch  # noqa: E402
import c_code  # noqa: E402
import casadi_ways  # noqa: E402
import compiled  # noqa: E402
import gpt_task  # noqa: E402
import growth  # noqa: E402
import h200  # noqa: E402
import instructions  # noqa: E402
import race_gpt  # noqa: E402
import race_moons  # noqa: E402
import race_options  # noqa: E402
import race_rosenbrock  # noqa: E402
import races  # noqa: E402

import minigrad  # noqa: E402
from minigrad._native import vector  # noqa: E402


@pytest.fixture(autouse=True)
def precision():
    """A race tells JAX to compute in float64, for the whole process; later tests want it as it was."""
    yield
    jax = sys.modules.get("jax")  # None where a test has hidden it
    if jax is not None:
        jax.config.update("jax_enable_x64", False)


NEEDS = {"torch", "jax", "jax-calls"}  # of `make test`; CasADi and a C compiler may be absent


# ---- what is measured against -------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _compiled_in_a_hurry(monkeypatch):
    monkeypatch.setattr(c_code, "FLAGS", ("-O1", "-march=native", "-std=gnu11"))


SMALL = {
    "gpt of two names": lambda: race_gpt.race(2, letters=1),
    "moons": lambda: race_moons.race(6),
    "rosenbrock": lambda: race_rosenbrock.race(12),
    "options": lambda: race_options.race(640),
}


# Under jit for seconds: compared when the benchmark runs, as all are, and in another race here.
SLOW = {"gpt of two names": ("jax",), "moons": ("jax-calls",)}


@pytest.mark.parametrize("key", SMALL)
def test_all_ways_of_a_race_come_to_the_same_numbers(key):
    race = SMALL[key]()
    for name in SLOW.get(key, ()):
        race.makers.pop(name)
    figures, ways = races.prepared(race)  # refuses a way that differs
    assert ways.keys() | {key for key, figure in figures.items() if figure.missing} == race.makers.keys()
    for name, figure in figures.items():
        if figure.missing:
            assert name not in NEEDS
            assert "install" in figure.missing
    assert {"compiled", *(NEEDS & race.makers.keys())} <= ways.keys()
    for way in ways.values():
        way.steps(2)


def test_the_tape_makes_as_many_nodes_as_the_program_has_ops():
    if c_code.missing():
        pytest.fail(c_code.missing())
    library = c_code.compiled("gpt_tape", POSITIONS=7)
    way = race_gpt._in_c("tape", "gpt_tape", gpt_task.names_of(1))
    way.steps(1)
    # 60,475 nodes in the microgpt style, less its constants and what it builds out of two nodes
    assert 50_000 < library.nodes() < 60_475


def test_each_class_of_numbers_runs_code_that_no_other_runs():
    ours, theirs = gpt_task.own(gpt_task.gpt_loss), gpt_task.own(gpt_task.gpt_loss)
    nested = [[x for x in f.__code__.co_consts if hasattr(x, "co_code")] for f in (ours, theirs)]
    assert nested[0]
    assert ours.__code__ is not theirs.__code__
    assert all(a is not b for a, b in zip(*nested, strict=True))


def test_numpy_in_batches_gives_the_mean_of_its_names():
    names = gpt_task.names_of(3, letters=4)
    model = by_hand_batch.BatchGpt(gpt_task.weights_at_start(), 3, 5)
    loss = model.loss_and_gradient(names)
    losses, slopes = [], []
    for name in names.tolist():
        one = by_hand.Gpt(gpt_task.weights_at_start().tolist())
        losses.append(one.forward(name))
        one.backward()
        slopes.append(one.gradient)
    assert loss == pytest.approx(sum(losses) / 3, rel=1e-13)
    assert np.allclose(model.gradient, sum(slopes) / 3, rtol=1e-9, atol=1e-13)


def test_the_option_has_the_price_and_the_slopes_of_black_and_scholes():
    spot, strike, rate, volatility, years = race_options.GIVEN
    root, normal = math.sqrt(years), NormalDist()
    d1 = (math.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / (volatility * root)
    d2 = d1 - volatility * root
    discount = math.exp(-rate * years)
    wanted = [
        spot * normal.cdf(d1) - strike * discount * normal.cdf(d2),
        normal.cdf(d1),
        -discount * normal.cdf(d2),
        strike * years * discount * normal.cdf(d2),
        spot * normal.pdf(d1) * root,
        spot * normal.pdf(d1) * volatility / (2.0 * root) + rate * strike * discount * normal.cdf(d2),
    ]
    paths = race_options.draws(1 << 18)
    found = race_options._torch(paths).answer()["price and slopes"]
    assert found == pytest.approx(wanted, rel=0.02)  # 2% is some five standard errors of the worst of them


# ---- the comparison catches what is wrong --------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ([1.0, 2.0], ""),
        ([1.0, 2.0 * (1.0 + 1e-10)], ""),
        ([1.0, 2.0 * (1.0 + 1e-7)], "gradient: number 1 is 2.0000002, 2.0 wanted"),
        ([1.0, math.nan], "gradient: number 1 is nan, 2.0 wanted"),
        ([1.0], "gradient: 1 numbers, 2 wanted"),
    ],
)
def test_a_difference_is_found_and_said(found, says):
    assert races.disagreement({"gradient": found}, {"gradient": [1.0, 2.0]}) == says


def _way(answer, **more) -> races.Way:
    return races.Way("some way", lambda count: sum(range(100 * count)), lambda: answer, **more)


def test_a_way_that_is_wrong_by_little_ends_the_run_before_anything_is_timed():
    makers = {
        "right": lambda: _way({"loss": [1.0], "learned weights": [1.0]}),
        "wrong": lambda: _way({"loss": [1.0], "learned weights": [1.0 + 1e-5]}),
    }
    with pytest.raises(
        SystemExit, match=r"planted, some way: learned weights: number 0 is 1.00001, 1.0 wanted"
    ):
        races.run(races.Race("planted", "", "right", makers))


@pytest.mark.parametrize("loop", [True, False])
def test_the_compiled_step_of_one_name_is_that_of_numpy(loop):
    tokens = gpt_task.names_of(1, letters=1)
    ways = [race_gpt._numpy(tokens), race_gpt._compiled(tokens, loop)]
    wanted, found = (way.answer() for way in ways)
    assert races.disagreement(found, wanted) == ""
    for way in ways:  # and again from the start
        way.reset()
        way.steps(gpt_task.LEARNED)
    again = {"learned weights": ways[1].answer()["learned weights"]}
    assert races.disagreement(again, {"learned weights": ways[0].answer()["learned weights"]}) == ""


def test_a_hand_made_gradient_with_one_term_missing_is_caught(monkeypatch):
    monkeypatch.setattr(by_hand_batch, "_normalised_slope", lambda dy, y, s: dy * s)
    race = race_gpt.race(1, letters=1)
    race.makers = {key: race.makers[key] for key in ("eager", "numpy")}
    with pytest.raises(SystemExit, match="gpt, NumPy, by hand: gradient: number"):
        races.prepared(race)


# ---- turns and targets --------------------------------------------------------------------------


def test_every_way_takes_its_turn_and_is_put_back_before_it():
    put_back = []
    makers = {
        "one": lambda: _way({}, reset=lambda: put_back.append("one")),
        "two": lambda: _way({}, collects=True, samples=4),
        "none": lambda: "not installed: pip install nothing",
    }
    found = races.run(races.Race("small", "", "one", makers), rounds=3, turn=1e-5)
    assert [len(figure.seconds) for figure in found.values()] == [3, 3, 0]
    assert put_back == ["one"] * 3
    assert found["none"].missing == "not installed: pip install nothing"
    assert len(found["two"].collecting) == 3
    assert races.ratio(found["two"], found["one"], collected=True) > races.ratio(found["two"], found["one"])


def _figure(*seconds: float, collecting: float = 0.0) -> races.Figure:
    figure = races.Figure("", seconds=dict(enumerate(seconds)))
    if collecting:
        figure.collecting = dict.fromkeys(range(len(seconds)), collecting)
    return figure


def test_a_ratio_is_the_median_of_the_ratios_within_rounds():
    ours, theirs = _figure(1.0, 10.0, 1.0), _figure(3.0, 40.0, collecting=2.0)
    assert races.ratio(theirs, ours) == pytest.approx(3.5)
    assert races.ratio(theirs, ours, collected=True) == pytest.approx((5.0 + 4.2) / 2)


@pytest.mark.parametrize(
    ("target", "ours", "met"),
    [
        (compiled.Target("gpt", "compiled", "python", at_least=1500.0), 1.0, False),
        (compiled.Target("gpt", "compiled", "python", at_least=1500.0), 0.6, True),
        (compiled.Target("gpt", "loops", "compiled", at_most=3.0), 0.4, False),
        (compiled.Target("gpt", "loops", "compiled", at_most=3.0), 0.2, True),
        (compiled.Target("gpt", "compiled", "absent", at_least=1.0), 0.2, None),
    ],
)
def test_a_target_says_whether_it_is_met(target, ours, met):
    found = {"compiled": _figure(ours), "python": _figure(1000.0), "loops": _figure(0.1)}
    judged = compiled.judged(target, found)
    assert judged["met"] is met
    if target.slower in compiled.NAMES:
        assert compiled.target_line(judged).endswith({True: "met", False: "NOT MET"}[met])


def test_a_ratio_that_nothing_is_asked_of_is_said_without_a_verdict():
    target = compiled.Target("gpt", "vectors", "compiled")
    judged = compiled.judged(target, {"compiled": _figure(4.0), "vectors": _figure(1.0)})
    assert (judged["met"], judged["ratio"]) == (None, 4.0)
    assert compiled.target_line(judged).rstrip().endswith("4.00x")
    assert compiled.target_line(compiled.judged(target, {})).endswith("not measured")


def test_every_target_is_of_ways_that_race():
    known = compiled.races(quick=True)
    ways = {key: set(make().makers) for key, make in known.items()}
    for target in compiled.TARGETS:
        assert {target.faster, target.slower} <= ways[target.race] | {"casadi", "casadi-c"}
    assert set().union(*ways.values()) <= compiled.NAMES.keys()
    grouped = {name for _, names in compiled.GROUPS.values() for name in names}
    assert grouped == compiled.NAMES.keys()


def _grown(kind: str, nodes: int, seconds: float) -> dict:
    parts = dict.fromkeys(("trace", "passes", "encode", "bytes_per_node", "kept_per_node"), 0.1)
    return {"kind": kind, "size": 1, "nodes": nodes, "instructions": 9, "seconds": seconds, **parts}


@pytest.mark.parametrize(("largest", "linear"), [(100.0, True), (200.0, False)])
@pytest.mark.parametrize(("first", "quick"), [(0.9, True), (1.1, False)])
def test_the_targets_of_compiling_can_fail(largest, linear, first, quick):
    rows = [_grown("gpt", 60_000, first), _grown("gpt", 6_000_000, largest * first)]
    judged = compiled.judged_growth(
        {"rows": [*rows, {"kind": "moons", "size": 5, "why_not": "more than 9 s"}]}
    )
    assert [target["met"] for target in judged] == [quick, linear, None]
    text = growth.table({"rows": rows})
    assert "60,000" in text
    assert f"{largest / 100:.2f} times one of the smallest" in text


def test_compiling_is_timed_in_its_parts():
    found = growth.work("moons", 2)
    assert found["nodes"] > 1_000
    assert found["seconds"] == pytest.approx(found["trace"] + found["passes"] + found["encode"])
    assert min(found["trace"], found["passes"]) > 0.0


def test_a_size_that_cannot_be_compiled_is_a_row_with_the_reason():
    row = growth.grown("no such program", 1)
    assert row["why_not"] == "ValueError: there is no program 'no such program'; there are gpt, moons"


def test_what_valgrind_counts_is_the_step_of_the_engine(tmp_path, monkeypatch):
    if not instructions._has_vectors():
        pytest.skip("the executor is not built: pip install -e .")
    file, ran = tmp_path / "step.json", []
    instructions.save_step(file, 1)
    real = vector.Program

    def watched(*words):
        program = real(*words)

        def run_into(shared, columns, out, into, threads):
            program.run_into(shared, columns, out, into, threads)
            ran.append((list(out), [list(column) for column in into or ()]))

        return SimpleNamespace(run_into=run_into)

    monkeypatch.setattr(instructions, "vector", lambda: SimpleNamespace(Program=watched))
    monkeypatch.setattr(gc, "disable", lambda: None)
    instructions.run_saved(file, 2)
    leaves, weights = gpt_task.model_of(minigrad.Value)
    loss = gpt_task.compiled_loss(weights, gpt_task.names_of(1, 1)[0].tolist())
    loss.backward()
    assert len(ran) == 4  # the loss and Adam, twice
    assert ran[0][0] == [loss.data, *(leaf.grad for leaf in leaves)]
    data, mean, square = ran[1][1]
    assert data[0] < 0.01  # a step down, from what all columns hold
    assert mean[0] == 0.01  # the gradient is the mean already
    assert 0.0 < square[0] < 0.01


# ---- what is not there --------------------------------------------------------------------------


@pytest.mark.parametrize("module", ["torch", "jax", "casadi"])
def test_a_library_that_is_not_installed_is_named_with_what_to_do(module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)  # what Python does for `import` of what is not there
    race = SMALL["rosenbrock"]()
    race.makers = {key: make for key, make in race.makers.items() if key.startswith(("eager", module))}
    figures, _ = races.prepared(race)
    said = {figure.missing for key, figure in figures.items() if key.startswith(module)}
    assert said == {f"not installed: pip install {module}"}


def test_without_a_c_compiler_its_rows_say_so(monkeypatch):
    monkeypatch.setattr(c_code, "compiler", lambda: None)
    race = race_options.race(64)
    race.makers = {key: race.makers[key] for key in ("compiled", "hand", "read")}
    figures, ways = races.prepared(race)
    assert figures["hand"].missing == figures["read"].missing == "no C compiler: apt-get install gcc"
    assert "compiled" in ways


def test_casadi_refuses_an_argument_of_another_size():
    casadi = casadi_ways.load()
    if isinstance(casadi, str):
        assert casadi == "not installed: pip install casadi"
        return
    x = casadi.SX.sym("x", 3)
    with pytest.raises(ValueError, match="argument 0: 2 numbers, 3 wanted"):
        casadi_ways.calling(casadi.Function("f", [x], [x]), [np.zeros(2)])


# ---- on a GPU -----------------------------------------------------------------------------------


def test_the_exported_model_is_refused_where_it_differs_from_the_one_by_hand():
    import torch
    from torch_gpt import Gpt

    names = torch.from_numpy(gpt_task.names_of(2, letters=2)).long()
    start = gpt_task.weights_at_start()
    for form in h200.FORMS[1:]:
        assert h200.compared(Gpt(start, "fused"), Gpt(start, form), names, 1e-8) == ""
    moved = start.copy()
    moved[-5] += 1e-3
    assert h200.compared(Gpt(moved), Gpt(start), names, 1e-8).startswith("the loss is")

    class Wrong(Gpt):
        def attend(self, query, key, value):  # the loss is right, and no gradient reaches the queries
            return super().attend(query.detach(), key, value)

    assert h200.compared(Wrong(start), Gpt(start), names, 1e-8).startswith("the gradient of")


def test_without_a_gpu_it_says_so(monkeypatch, capsys):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(sys, "argv", ["h200.py"])
    assert h200.main() == 2
    assert "there is no GPU here" in capsys.readouterr().err


# ---- the script ---------------------------------------------------------------------------------


def test_the_script_prints_a_table_and_writes_the_figures_and_the_chart(tmp_path):
    words = [
        "--quick",
        "--only",
        "rosenbrock",
        "--ways",
        "eager,compiled,casadi",
        "--json",
        str(tmp_path / "f.json"),
        "--svg",
        str(tmp_path / "f.svg"),
    ]
    command = [sys.executable, str(BENCH / "compiled.py"), *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "f.json").read_text(encoding="utf-8"))
    assert found["schema"] == "minigrad.bench.compiled/1"
    rows = found["programs"]["rosenbrock"]["engines"]
    assert rows["compiled"]["ratio"] == 1.0
    assert all(row.get("why_not") or row["seconds"] > 0 for row in rows.values())
    for name in rows:
        assert compiled.NAMES[name] in done.stdout
    tree = ElementTree.parse(tmp_path / "f.svg")
    bars = [
        rect.get("data-engine")
        for rect in tree.iter("{http://www.w3.org/2000/svg}rect")
        if rect.get("data-engine")
    ]
    assert sorted(bars) == sorted(name for name, row in rows.items() if "why_not" not in row)
