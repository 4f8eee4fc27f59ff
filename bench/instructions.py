"""Instructions per op, counted by valgrind: a measure of speed that a busy machine does not disturb.

    python bench/instructions.py [--check | --renew] [--json FILE] [--quick]

On the engines two programs, a chain of 2,000 nodes and a step of a small MLP with its update; compiled, a
training step of the small GPT.  They run under callgrind with PYTHONHASHSEED=0 and the collector off, each in
a short and a long run.  The difference of the two counts, by the ops written in the repetitions that the long
run has more, is the figure; start-up and warming up are in both runs and drop out.  A figure is the same to
one in a thousand each time.  What is compiled is compiled before, and valgrind runs the executor alone, with
neither tracing nor NumPy: those would take it minutes.

The figures that were committed are in instructions.json, by Python and machine.  `--check` exits with
1 where a count of the native engine or of a compiled program grew by more than 5%; one that fell by more
than 5% is reported, to be renewed.  The plain engine is counted for information.  `--renew` writes the
figures of this Python and machine.  Where there are none for them, that is said and the exit code is 0:
another build of Python has other counts.  Without valgrind, or without what is to be checked, the exit code
is 2.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

COMMITTED = Path(__file__).parent / "instructions.json"
SCHEMA = "minigrad.bench.instructions/1"
Sizes = dict[str, dict[str, int]]  # engine: program: size
SIZES: Sizes = {
    "native": {"chain": 2_000, "mlp": 2},
    "plain": {"chain": 2_000, "mlp": 2},
    "compiled": {"gpt": 6},
}
QUICK = {"chain": 200}  # on one engine: valgrind takes seconds to start Python
CHECKED = {"native": "the native engine is", "compiled": "the executor of compiled programs is"}
WARM = 4  # repetitions of the short run
MORE = {"native": 10, "plain": 10, "compiled": 50}  # how many more the long one has
VECTORS = "avx2"  # the longest that valgrind knows
TOLERANCE = 0.05

Figures = dict[str, dict[str, float]]  # engine: program: instructions per op


# ---- inside valgrind ----------------------------------------------------------------------------


def work(engine: str, program: str, size: int, times: int) -> None:
    """What is counted.  The engine is chosen by MINIGRAD_PURE, as a user would."""
    if engine == "compiled":
        run_saved(Path(program), times)
        return
    from engines import OfClass
    from programs import PROGRAMS

    import minigrad

    if engine != getattr(minigrad, "ENGINE", "plain"):
        raise SystemExit(f"this is not the {engine} engine")
    gc.disable()
    run = OfClass(minigrad.Value, PROGRAMS[program], size)
    for _ in range(times):
        run.forward()
        run.backward()
        run.update()
        run.free()


def vector() -> Any:
    """The executor without what Python has around it."""
    from minigrad._native import vector as found

    return found


def run_saved(file: Path, times: int) -> None:
    """The programs of a step one after the other, as `save_step` wrote them."""
    gc.disable()
    make, runs = vector().Program, []
    for saved in json.loads(file.read_text(encoding="utf-8")):
        words, constants = array("q", saved["words"]), array("d", saved["constants"])
        program = make(words, constants, False, True, VECTORS)
        columns = [array("d", column) for column in saved["columns"]] or None
        into = [array("d", column) for column in saved["columns"][: saved["lane_outputs"]]] or None
        outputs = memoryview(array("d", [0.0] * (1 + saved["outputs"])))[1:]  # none has a place, too
        runs.append((program.run_into, array("d", saved["shared"]), columns, outputs, into))
    for _ in range(times):
        for run, *arguments in runs:
            run(*arguments, 1)


def save_step(file: Path, letters: int) -> None:
    """A training step of the small GPT as words: the loss with its gradient, and Adam."""
    from gpt_task import compiled_loss, model_of, names_of, weights_at_start
    from programs import Adam

    import minigrad
    from minigrad.compiler.executors import encoded
    from minigrad.compiler.pipeline import plan_of
    from minigrad.compiler.plan import LANES, SHARED
    from minigrad.compiler.steps.optimiser_updates import Updates
    from minigrad.compiler.tracing import trace_function

    leaves, weights = model_of(minigrad.Value)
    tokens = names_of(1, letters)[0].tolist()
    start = weights_at_start().tolist()
    plan = plan_of(trace_function(compiled_loss, (weights, tokens)).scalars, gradients=range(len(leaves)))
    rule = Updates(
        minigrad.nn.Adam(leaves, Adam.rate, (Adam.first, Adam.second), Adam.epsilon), clipped=False
    )
    rule.took(1)
    [(adam, shared, columns, *_)] = rule.calls(*weights_at_start()[None].repeat(2, 0))
    saved = []
    for each, numbers, lanes in (
        (plan, [*start, *tokens], []),
        (adam.plan, [*shared[:2], *rule.now()], [[0.01] * len(start) for _ in columns]),
    ):
        words, constants = encoded(each, vector().KERNELS)
        saved.append(
            {
                "words": list(words),
                "constants": list(map(float, constants)),
                "shared": list(map(float, numbers)),
                "columns": lanes,
                "outputs": sum(space == SHARED for space, _ in each.outputs),
                "lane_outputs": sum(space == LANES for space, _ in each.outputs),
            }
        )
    file.write_text(json.dumps(saved), encoding="utf-8")


# ---- counting -----------------------------------------------------------------------------------


def count(engine: str, program: str, size: int, times: int) -> int:
    """All instructions of a process that runs a program so many times."""
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        **({"MINIGRAD_PURE": "1"} if engine == "plain" else {}),
    }
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable, __file__]
    command += ["--work", engine, program, str(size), str(times)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment)
    counted = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if done.returncode or counted is None:
        raise SystemExit(f"valgrind could not run {program} on {engine}:\n{done.stderr[-2000:]}")
    return int(counted[1])


def measure(engines: list[str], sizes: Sizes) -> Figures:
    from programs import PROGRAMS, written_ops

    engines = [engine for engine in engines if engine in sizes]
    cases = [
        (e, p, size, times)
        for e in engines
        for p, size in sizes[e].items()
        for times in (WARM, WARM + MORE[e])
    ]
    with TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:  # counts mind no company
        step = Path(folder) / "step.json"
        for size in sizes["compiled"].values() if "compiled" in engines else ():
            save_step(step, size)

        def counted(case: tuple[str, str, int, int]) -> int:
            return count(case[0], str(step), *case[2:]) if case[0] == "compiled" else count(*case)

        counts = dict(zip(cases, pool.map(counted, cases), strict=True))
    return {
        e: {
            p: round(
                (counts[e, p, size, WARM + MORE[e]] - counts[e, p, size, WARM])
                / (MORE[e] * written_ops(PROGRAMS[p], size)),
                1 if e != "compiled" else 3,
            )
            for p, size in sizes[e].items()
        }
        for e in engines
    }


def key() -> str:
    """Python and machine, as in "cpython-3.11 x86_64"."""
    return f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]} {platform.machine()}"


def available() -> list[str]:
    """The engines of this installation."""
    import minigrad

    found = ["native"] if getattr(minigrad, "ENGINE", "plain") == "native" else []
    return [*found, "plain", *(["compiled"] if _has_vectors() else [])]


def _has_vectors() -> bool:
    """Whether programs run compiled here, on the vectors whose instructions are counted."""
    try:
        from minigrad.compiler.executors import vector
    except ImportError:  # NumPy is missing
        return False
    return vector is not None and VECTORS in vector.INSTRUCTION_SETS


# ---- comparing ----------------------------------------------------------------------------------


class Finding(NamedTuple):
    engine: str
    program: str
    committed: float
    counted: float

    @property
    def change(self) -> float:
        return self.counted / self.committed - 1.0

    @property
    def grew(self) -> bool:
        return self.change > TOLERANCE

    def __str__(self) -> str:
        line = f"{self.program} on {self.engine}: {self.committed} committed, {self.counted} counted"
        if abs(self.change) <= TOLERANCE:
            return f"{line} ({self.change:+.1%}): as before"
        said = "GREW" if self.grew else "fell: renew the figure, `python bench/instructions.py --renew`"
        return f"{line} ({self.change:+.1%}): {said}" + (
            " (for information)" if self.engine == "plain" else ""
        )


def compare(counted: Figures, committed: Figures) -> list[Finding]:
    """Every figure that is in both."""
    return [
        Finding(engine, program, committed[engine][program], figure)
        for engine, programs in counted.items()
        for program, figure in programs.items()
        if program in committed.get(engine, {})
    ]


def verdict(counted: Figures, committed: Figures | None) -> tuple[int, str]:
    """The exit code of --check, and what it says."""
    if not committed:
        return 0, f"there are no committed figures for {key()}: nothing to compare with"
    for engine, name in CHECKED.items():
        if engine in committed and engine not in counted:
            return 2, f"{name} not built here, so its counts cannot be checked"
    findings = compare(counted, committed)
    failed = [f for f in findings if f.grew and f.engine in CHECKED]
    lines = [str(f) for f in findings]
    if failed:
        lines.append(
            f"{len(failed)} of these counts grew by more than {TOLERANCE:.0%}. "
            "If the change is worth it, renew them: python bench/instructions.py --renew"
        )
    return (1 if failed else 0), "\n".join(lines)


def read_committed(file: Path = COMMITTED) -> dict[str, Figures]:
    return json.loads(file.read_text(encoding="utf-8"))["figures"] if file.exists() else {}


def renew(counted: Figures, file: Path = COMMITTED) -> None:
    """Put the figures of this Python and machine in place; those of others stay."""
    figures = {**read_committed(file), key(): counted}
    text = json.dumps({"schema": SCHEMA, "unit": "instructions per op", "figures": figures}, indent=1)
    file.write_text(text + "\n", encoding="utf-8")


# ---- the command --------------------------------------------------------------------------------


def table(counted: Figures) -> str:
    lines = [f"{key()}, instructions per op: forward + backward + update + free"]
    shown = list(dict.fromkeys(program for programs in counted.values() for program in programs))
    lines.append(f"  {'':10}" + "".join(f"{program:>12}" for program in shown))
    for engine, programs in counted.items():
        figures = [f"{programs[program]:,.1f}" if program in programs else "" for program in shown]
        lines.append(f"  {engine:10}" + "".join(f"{figure:>12}" for figure in figures).rstrip())
    return "\n".join(lines)


def main() -> int:
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
        return 0
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="exit with 1 where a native count grew")
    parser.add_argument("--renew", action="store_true", help="write the counts to instructions.json")
    parser.add_argument("--json", metavar="FILE", help="write the figures here as well")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it runs")
    options = parser.parse_args()
    if options.quick and (options.check or options.renew):
        parser.error("the counts of --quick are of other sizes: not to be checked or committed")
    if shutil.which("valgrind") is None:
        print("valgrind is missing; on Debian and Ubuntu: apt-get install valgrind", file=sys.stderr)
        return 2
    engines = available()
    counted = measure(engines, {engines[0]: QUICK} if options.quick else SIZES)
    print(table(counted))
    if options.json:
        found: dict[str, Any] = {"schema": SCHEMA, "figures": {key(): counted}}
        Path(options.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if options.renew:
        renew(counted)
        print(f"written to {COMMITTED}")
    if not options.check:
        return 0
    code, said = verdict(counted, read_committed().get(key()))
    print(said)
    return code


if __name__ == "__main__":
    sys.exit(main())
