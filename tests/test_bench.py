"""The benchmarks run, and what they measure against computes what it should.  No time is judged."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"


def _load(name: str):
    spec = importlib.util.spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reference = _load("reference")
ENGINES = [reference.LocalGrads, reference.Closures]


def _quick(script: str, tmp_path: Path) -> tuple[dict, str]:
    file = tmp_path / "figures.json"
    done = subprocess.run(
        [sys.executable, str(BENCH / f"{script}.py"), "--quick", "--json", str(file)],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(file.read_text(encoding="utf-8")), done.stdout


# ---- what is measured against -------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_a_reference_engine_gets_the_classic_right(engine):
    a, b, c = engine(2.0), engine(3.0), engine(4.0)
    output = (a * b + c) * (a - c)
    output.backward()
    assert output.data == -20.0
    assert (a.grad, b.grad, c.grad) == (4.0, -4.0, -12.0)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_reference_engine_counts_every_use(engine):
    a = engine(3.0)
    (a + a).backward()
    assert a.grad == 2.0


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("function", "slope"),  # at 2
    [
        (lambda x: 3.0 - x, -1.0),
        (lambda x: 8.0 / x, -2.0),
        (lambda x: x / 4.0, 0.25),
        (lambda x: x**3.0, 12.0),
        (lambda x: 5.0 * x, 5.0),
        (lambda x: sum([x, x, x]), 3.0),
        (lambda x: (x - 2.0).exp(), 1.0),
        (lambda x: x.log(), 0.5),
        (lambda x: x.relu(), 1.0),
        (lambda x: (-x).relu(), 0.0),
    ],
)
def test_a_reference_engine_knows_the_ops_that_are_timed(engine, function, slope):
    x = engine(2.0)
    function(x).backward()
    assert x.grad == pytest.approx(slope, rel=1e-15)


# ---- the scripts --------------------------------------------------------------------------------


def test_engine_gives_a_positive_time_for_every_step_of_every_program(tmp_path):
    found, printed = _quick("engine", tmp_path)
    assert found["schema"] == "minigrad.bench.engine/1"
    assert len(found["programs"]) == 3
    for name, program in found["programs"].items():
        assert name in printed
        assert program["ops"] > 0
        assert set(program["ns_per_op"]) == {"minigrad", "microgpt-style", "micrograd-style"}
        for steps in program["ns_per_op"].values():
            assert all(steps[step] > 0 for step in ("forward", "backward", "free", "collect"))
        assert program["ratio"]["microgpt-style"] == {"forward": 1.0, "backward": 1.0}
        assert all(ratio > 0 for ratio in program["ratio"]["minigrad"].values())
    for op in found["alone"].values():
        assert all(ns > 0 for ns in op["ns"].values())


def test_startup_runs_every_command_without_an_error(tmp_path):
    found, printed = _quick("startup", tmp_path)
    assert found["schema"] == "minigrad.bench.startup/1"
    for name, figures in found["commands"].items():
        assert name in printed
        assert "wrong" not in figures, f"{name}: {figures}"
        assert figures["seconds"] > 0


def test_depth_times_every_step_and_frees_what_it_built(tmp_path):
    found, printed = _quick("depth", tmp_path)
    assert found["schema"] == "minigrad.bench.depth/1"
    for step in ("build", "backward", "deepcopy", "pickle", "unpickle", "free"):
        assert step in printed
        assert found["seconds"][step] > 0
    # The compiled engine takes memory by the slab, which tracemalloc sees as a whole.
    assert found["bytes_per_node"]["free"]["left"] <= found["bytes_per_node"]["build"]["left"]
    assert found["pickle_bytes_per_node"] > 0
