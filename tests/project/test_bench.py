"""The benchmarks run, and what they measure against computes what it should.  No time is judged.

The libraries that are compared need not be installed: one that is absent has to be reported as such.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import minigrad
from source_trees import ROOT

BENCH = ROOT / "bench"
sys.path.insert(0, str(BENCH))

import chart  # noqa: E402
import engines  # noqa: E402
import foreign  # noqa: E402
import instructions  # noqa: E402
import measure  # noqa: E402
import programs  # noqa: E402
import reference  # noqa: E402
import speed  # noqa: E402

ENGINES = [reference.LocalGrads, reference.Closures]
QUICK = measure.Limits(quick=True)


def _run(script: str, *words: str, **more) -> subprocess.CompletedProcess:
    command = [sys.executable, str(BENCH / f"{script}.py"), *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=300, **more)


def _quick(script: str, tmp_path: Path, *words: str) -> tuple[dict, str]:
    file = tmp_path / "figures.json"
    done = _run(script, "--quick", "--json", str(file), *words)
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


# ---- the programs -------------------------------------------------------------------------------


@pytest.mark.parametrize("program", programs.PROGRAMS.values(), ids=programs.PROGRAMS)
def test_a_program_gives_its_leaves_in_the_order_in_which_it_made_them(program):
    made = []

    class Leaf(programs.Tally):
        def __init__(self, *_):
            made.append(self)

    leaves, _ = program.build(Leaf, program.quick)
    assert leaves == made


def test_the_small_gpt_has_the_size_of_its_model():
    gpt = programs.PROGRAMS["gpt"]
    leaves, _ = gpt.build(float, gpt.size)
    assert len(leaves) == 4192
    assert programs.nodes_made(gpt, gpt.size) == 60_475


def test_counting_nodes_leaves_the_class_as_it_was():
    before = reference.LocalGrads.__init__
    programs.nodes_made(programs.PROGRAMS["chain"], 4)
    assert reference.LocalGrads.__init__ is before
    assert programs.nodes_made(programs.PROGRAMS["chain"], 4) == 3 + 4


def test_rosenbrocks_gradient_is_the_one_on_paper():
    xs, forward = programs.PROGRAMS["rosenbrock"].build(minigrad.Value, 5)
    forward().backward()
    x = [leaf.data for leaf in xs]
    for i, leaf in enumerate(xs):
        wanted = 0.0
        if i < 4:
            wanted += -400.0 * x[i] * (x[i + 1] - x[i] ** 2) - 2.0 * (1.0 - x[i])
        if i > 0:
            wanted += 200.0 * (x[i] - x[i - 1] ** 2)
        assert leaf.grad == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("key", ["mlp", "gpt"])
def test_a_program_that_learns_does(key):
    program = programs.PROGRAMS[key]
    run = engines.OfClass(minigrad.Value, program, program.quick)
    losses = []
    for _ in range(20):
        run.forward()
        losses.append(run.output.data)
        run.backward()
        run.update()
    assert losses[-1] < 0.9 * losses[0]


def test_each_engine_runs_functions_that_no_other_runs():
    ours, theirs = (programs.own_copy("chain", owner).build for owner in ("ours", "theirs"))
    assert ours is programs.own_copy("chain", "ours").build
    assert ours.__code__ is not theirs.__code__


# ---- the engines --------------------------------------------------------------------------------


def test_the_plain_engine_stands_beside_the_one_that_is_imported(monkeypatch):
    monkeypatch.delenv("MINIGRAD_PURE", raising=False)
    monkeypatch.delitem(sys.modules, "plain_minigrad", raising=False)
    plain = engines.load_plain()
    assert "MINIGRAD_PURE" not in os.environ
    assert getattr(plain, "ENGINE", "plain") == "plain"
    assert plain.Value is not minigrad.Value
    assert plain.Value.__module__ == "plain_minigrad.scalar"
    assert plain.functions.dot([plain.Value(2.0)], [3.0]).data == 6.0


def test_the_setting_of_whoever_loads_the_plain_engine_stays(monkeypatch):
    monkeypatch.setenv("MINIGRAD_PURE", "0")
    monkeypatch.delitem(sys.modules, "plain_minigrad", raising=False)
    engines.load_plain()
    assert os.environ["MINIGRAD_PURE"] == "0"


class LearnsWrong(engines.OfClass):
    """Its gradients are right and its update is not."""

    def __init__(self, program, size):
        super().__init__(minigrad.Value, program, size)
        self.update.rate = 0.2


def test_wrong_gradients_are_refused_before_anything_is_timed(monkeypatch):
    right = reference.LocalGrads.relu

    def wrong_by_little(self):
        node = right(self)
        node._local_grads = (node._local_grads[0] * (1.0 + 1e-7),)
        return node

    chosen = _own("microgpt")
    assert measure.prepare("mlp", chosen, QUICK)["microgpt"].run is not None
    monkeypatch.setattr(reference.LocalGrads, "relu", wrong_by_little)
    with pytest.raises(SystemExit, match="microgpt-style: gradient 0 is"):
        measure.prepare("mlp", chosen, QUICK)


def test_a_wrong_update_is_refused_too():
    with pytest.raises(SystemExit, match="planted: gradient 0 after an update is"):
        measure.prepare("mlp", {"planted": engines.Engine("planted", LearnsWrong)}, QUICK)


def test_an_engine_that_gives_up_is_a_result():
    def prepare(program, size):
        raise RecursionError("too deep")

    rows = measure.measure_program("chain", {"weak": engines.Engine("weak", prepare)}, QUICK)
    assert rows["weak"].why_not == "not able: RecursionError: too deep"
    assert not rows["weak"].times


def test_libraries_that_are_not_installed_are_reported(monkeypatch):
    for _, _, modules in foreign.LIBRARIES.values():
        monkeypatch.setitem(
            sys.modules, modules[0], None
        )  # what Python does for `import` of what is not there
    absent = foreign.foreign_engines(list(foreign.LIBRARIES))
    found = speed.measure(["chain"], {**_own("plain"), **absent}, QUICK, alone=False)
    for key, (name, packages, _) in foreign.LIBRARIES.items():
        assert absent[key].missing == f"not installed: pip install {packages}"
        assert f"  {name:22}not installed: pip install {packages}" in speed.table(found).splitlines()
    assert f"not here: {', '.join(name for name, _, _ in foreign.LIBRARIES.values())}" in chart.chart(found)


def _own(*names: str) -> dict:
    return {name: engine for name, engine in engines.own_engines().items() if name in names}


def test_a_slow_engine_runs_a_smaller_size_and_sits_rounds_out():
    limits = measure.Limits(rounds=6, budget=0.0, longest=1e-9)
    program = programs.Program("tiny {size}", programs.chain, 4_000, 4_000, 1, per_op=True, probe=40)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(programs.PROGRAMS, "chain", program)
        patch.setattr(measure, "own_copy", lambda key, owner: program)
        rows = measure.measure_program("chain", _own("plain"), limits)
    assert rows["plain"].size == 40
    assert rows["plain"].ops == 40
    assert len(rows["plain"].times) == measure.LEAST_ROUNDS


# ---- the figures --------------------------------------------------------------------------------


def _row(*times: tuple[int, ...], left: int = 0) -> measure.Row:
    return measure.Row(10, 10, times=dict(enumerate(times)), left=left)


def test_a_ratio_is_the_median_of_the_ratios_within_rounds():
    ours = _row((10, 0, 0, 0, 5), (100, 0, 0, 0, 5), (10, 0, 0, 0, 5))
    theirs = _row((30, 0, 0, 0, 20), (400, 0, 0, 0, 20), left=7)
    assert measure.median_ratio(theirs, ours) == pytest.approx((3.0 + 4.0) / 2)
    # The collector is charged to the one that left it something.
    assert measure.median_ratio(theirs, ours, collected=True) == pytest.approx((5.0 + 4.2) / 2)


@pytest.mark.parametrize(("other", "met"), [(240, False), (260, True)])
def test_a_target_says_whether_it_is_met(other, met):
    rows = {"chain": {"native": _row((10, 0, 0, 0, 0)), "microgpt": _row((other, 0, 0, 0, 0))}}
    found = {t["other"]: t["met"] for t in speed.judged({"chain": {}}, rows)}
    assert found == {"microgpt": met, "torch": None, "xad": None, "casadi": None}


def _bars(svg: str) -> list[tuple[str, str, float]]:
    tree = ElementTree.fromstring(svg)
    rects = tree.iter("{http://www.w3.org/2000/svg}rect")
    return [
        (r.get("data-program"), r.get("data-engine"), float(r.get("width")))
        for r in rects
        if r.get("data-engine")
    ]


def test_the_chart_has_a_bar_for_every_engine_of_every_program_and_longer_is_slower():
    ratios = {"native": 1.0, "native-dot": 0.2, "microgpt": 30.0, "torch": 400.0}
    row = {"whole": 12.0, "size": 10, "rounds": 3}
    engine_rows = {name: {**row, "ratio": ratio} for name, ratio in ratios.items()}
    found = {
        "date": "2026-01-02",
        "python": "CPython 3.11.0",
        "quick": False,
        "rounds": {"a": 3, "b": 5},
        "engines": {n: {"name": f"<{n}>", "missing": ""} for n in ratios}
        | {"xad": {"name": "X", "missing": "yes"}},
        "programs": {
            key: {"title": f"{key} & more", "unit": unit, "base": "native", "size": 10, "engines": rows}
            for key, unit, rows in [
                ("a", "ns per op", {**engine_rows, "xad": {"why_not": "not installed"}}),
                ("b", "ms per step", engine_rows),
            ]
        },
    }
    svg = chart.chart(found)
    bars = _bars(svg)
    assert sorted(bar[:2] for bar in bars) == sorted((f"{p} & more", n) for p in "ab" for n in ratios)
    for program in "ab":
        widths = {name: width for title, name, width in bars if title[0] == program}
        assert sorted(widths, key=widths.get) == ["native-dot", "native", "microgpt", "torch"]
    assert "2026-01-02, CPython 3.11.0, medians of 3 to 5 rounds" in svg
    assert "not here: X" in svg


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        (35.4, 1e-9, "35 ns"),
        (1234.0, 1e-9, "1.2 µs"),
        (0.5, 1e-3, "500 µs"),
        (3.33, 1e-3, "3.3 ms"),
        (1500, 1e-3, "1.5 s"),
    ],
)
def test_a_duration_has_the_unit_that_suits_it(number, unit, text):
    assert chart.duration(number, unit) == text


# ---- instructions -------------------------------------------------------------------------------

BEFORE = {"native": {"chain": 100.0, "mlp": 200.0}, "plain": {"chain": 1000.0}}
COMPILED = {"compiled": {"gpt": 3.0}}


@pytest.mark.parametrize(
    ("counted", "code", "says"),
    [
        (
            {"native": {"chain": 106.0, "mlp": 200.0}},
            1,
            "chain on native: 100.0 committed, 106.0 counted (+6.0%): GREW",
        ),
        (
            {"native": {"chain": 100.0, "mlp": 209.0}},
            0,
            "mlp on native: 200.0 committed, 209.0 counted (+4.5%): as before",
        ),
        ({"native": {"chain": 90.0, "mlp": 200.0}}, 0, "(-10.0%): fell: renew"),
        ({"native": {"chain": 100.0}, "plain": {"chain": 2000.0}}, 0, "(+100.0%): GREW (for information)"),
        ({"plain": {"chain": 1000.0}}, 2, "the native engine is not built here"),
        (
            {"native": {"chain": 100.0}, "compiled": {"gpt": 3.2}},
            1,
            "gpt on compiled: 3.0 committed, 3.2 counted (+6.7%): GREW",
        ),
    ],
)
def test_the_check_catches_a_native_count_that_grew(counted, code, says):
    committed = {**BEFORE, **COMPILED} if "compiled" in counted else BEFORE
    found, said = instructions.verdict(counted, committed)
    assert (found, says in said) == (code, True), said


def test_a_compiled_program_that_cannot_be_counted_any_more_is_no_pass():
    code, said = instructions.verdict(BEFORE, {**BEFORE, **COMPILED})
    assert code == 2
    assert said == "the executor of compiled programs is not built here, so its counts cannot be checked"


def test_the_check_says_so_where_nothing_was_committed():
    code, said = instructions.verdict(BEFORE, None)
    assert code == 0
    assert said == f"there are no committed figures for {instructions.key()}: nothing to compare with"


def test_renewing_leaves_the_figures_of_others(tmp_path):
    file = tmp_path / "instructions.json"
    file.write_text(json.dumps({"figures": {"other-3.11 machine": BEFORE}}), encoding="utf-8")
    instructions.renew({"plain": {"chain": 1.0}}, file)
    found = instructions.read_committed(file)
    assert found == {"other-3.11 machine": BEFORE, instructions.key(): {"plain": {"chain": 1.0}}}


def test_the_committed_figures_are_of_the_programs_that_are_counted():
    committed = instructions.read_committed()
    assert committed
    for figures in committed.values():
        for engine, counts in figures.items():
            assert set(counts) == set(instructions.SIZES[engine])


@pytest.mark.slow
def test_counting_works_or_says_what_to_install(tmp_path):
    without = _run("instructions", "--quick", env={**os.environ, "PATH": str(tmp_path)})
    assert without.returncode == 2
    assert "apt-get install valgrind" in without.stderr
    if shutil.which("valgrind") is None:
        return
    found, printed = _quick("instructions", tmp_path)
    counted = found["figures"][instructions.key()]
    assert set(counted) == {minigrad.ENGINE}
    assert all(count > 10 for counts in counted.values() for count in counts.values())
    assert "instructions per op" in printed


def test_what_is_counted_is_the_engine_that_is_named(tmp_path, monkeypatch):
    """Each checks that it is, in its own process; what counts here is none that takes seconds to start."""
    counter = tmp_path / "valgrind"
    counter.write_text('#!/bin/sh\nshift 2\n"$@" && echo "Collected : ${7}00" >&2\n')  # a hundred each time
    counter.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    named = [engine for engine in instructions.available() if engine != "compiled"]
    counted = instructions.measure(named, {engine: {"chain": 20} for engine in named})
    assert counted == {engine: {"chain": 100 / 20} for engine in named}
    monkeypatch.setattr(minigrad, "ENGINE", "other")
    with pytest.raises(SystemExit, match="this is not the plain engine"):
        instructions.work("plain", "chain", 20, 1)


# ---- the scripts --------------------------------------------------------------------------------


def test_speed_gives_every_figure_of_every_program(tmp_path):
    svg = tmp_path / "speed.svg"
    found, printed = _quick(
        "speed",
        tmp_path,
        "--svg",
        str(svg),
        "--alone",
        "--engines",
        "native,native-dot,plain,microgpt,micrograd",
    )
    assert found["schema"] == "minigrad.bench.speed/1"
    assert set(found["programs"]) == set(programs.PROGRAMS)
    built = [name for name, engine in found["engines"].items() if not engine["missing"]]
    assert {"plain", "microgpt", "micrograd"} <= set(built)
    bars = []
    for key, program in found["programs"].items():
        assert program["title"] in printed
        for name, row in program["engines"].items():
            if name not in built:
                assert row["why_not"].startswith("not built")
                continue
            bars.append((program["title"], name))
            assert row["forward"] > 0
            assert row["backward"] > 0
            assert row["whole_and_collect"] >= row["whole"] > 0
            assert row["ratio"] > 0
        assert program["engines"][program["base"]]["ratio"] == 1.0
        assert program["engines"]["microgpt"]["left_to_the_collector"] > 0, key
        assert program["engines"]["plain"]["left_to_the_collector"] == 0, key
    assert sorted(bar[:2] for bar in _bars(svg.read_text(encoding="utf-8"))) == sorted(bars)
    assert all(ns > 0 for op in found["alone"].values() for ns in op.values())


@pytest.mark.slow
def test_speed_runs_every_library_or_says_that_it_is_not_installed(tmp_path):
    words = ["--engines", ",".join(["plain", *foreign.LIBRARIES]), "--only", "chain", "--only", "mlp"]
    found, printed = _quick("speed", tmp_path, *words)
    for key in ("chain", "mlp"):
        for name, row in found["programs"][key]["engines"].items():
            if missing := found["engines"][name]["missing"]:
                assert missing.startswith("not installed: pip install")
                assert row == {"why_not": missing}
                assert missing in printed
            else:
                assert row["whole"] > 0, row


def test_speed_knows_its_engines():
    done = _run("speed", "--quick", "--engines", "plain,other")
    assert done.returncode == 1
    assert "there is no engine 'other'; there are native, native-dot, plain" in done.stderr


@pytest.mark.slow
def test_startup_runs_every_command_without_an_error(tmp_path):
    found, printed = _quick("startup", tmp_path)
    assert found["schema"] == "minigrad.bench.startup/1"
    for name, figures in found["commands"].items():
        assert name in printed
        assert "wrong" not in figures, f"{name}: {figures}"
        assert figures["seconds"] > 0


def test_studio_is_started_and_answers_edits_of_both_sizes(tmp_path):
    found, printed = _quick("studio", tmp_path)
    assert found["schema"] == "minigrad.bench.studio/1"
    assert len(found["figures"]) == 3
    for name, row in found["figures"].items():
        assert name in printed
        assert row["seconds"] > 0


@pytest.mark.slow
def test_the_site_is_opened_in_a_browser_edited_and_dragged(tmp_path):
    found, printed = _quick("web", tmp_path)
    assert found["schema"] == "minigrad.bench.web/1"
    assert len(found["figures"]) == 7
    for name, row in found["figures"].items():
        assert name in printed
        assert row["value"] > 0


def test_depth_times_every_step_and_frees_what_it_built(tmp_path):
    found, printed = _quick("depth", tmp_path)
    assert found["schema"] == "minigrad.bench.depth/1"
    for step in ("build", "backward", "deepcopy", "pickle", "unpickle", "free"):
        assert step in printed
        assert found["seconds"][step] > 0
    # The compiled engine takes memory by the slab, which tracemalloc sees as a whole.
    assert found["bytes_per_node"]["free"]["left"] <= found["bytes_per_node"]["build"]["left"]
    assert found["pickle_bytes_per_node"] > 0
