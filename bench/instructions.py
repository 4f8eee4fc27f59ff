"""Instructions per op, counted by valgrind: a measure of speed that a busy machine does not disturb.

    python bench/instructions.py [--check | --renew] [--json FILE] [--quick]

Two programs, a chain of 2,000 nodes and a step of a small MLP with its update, run under callgrind
with PYTHONHASHSEED=0 and the collector off, each in a short and a long run.  The difference of the two
counts, by the ops written in the repetitions that the long run has more, is the figure; start-up and
warming up are in both runs and drop out.  A figure is the same to one in a thousand each time.

The figures that were committed are in instructions.json, by Python and machine.  `--check` exits with
1 where a native count grew by more than 5%; one that fell by more than 5% is reported, to be renewed.
The plain engine is counted for information.  `--renew` writes the figures of this Python and machine.
Where there are none for them, that is said and the exit code is 0: another build of Python has other
counts.  Without valgrind, or without a native engine that is to be checked, the exit code is 2.
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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

COMMITTED = Path(__file__).parent / "instructions.json"
SCHEMA = "minigrad.bench.instructions/1"
SIZES = {"chain": 2_000, "mlp": 2}
QUICK_SIZES = {"chain": 200}
ENGINES = ("native", "plain")
WARM, MORE = 4, 10  # repetitions of the short run, and how many more the long one has
TOLERANCE = 0.05

Figures = dict[str, dict[str, float]]  # engine: program: instructions per op


# ---- inside valgrind ----------------------------------------------------------------------------


def work(engine: str, program: str, size: int, times: int) -> None:
    """What is counted.  The engine is chosen by MINIGRAD_PURE, as a user would."""
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


def measure(engines: list[str], sizes: dict[str, int]) -> Figures:
    from programs import PROGRAMS, written_ops

    cases = [
        (e, p, size, times) for e in engines for p, size in sizes.items() for times in (WARM, WARM + MORE)
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # counts do not mind company
        counts = dict(zip(cases, pool.map(lambda case: count(*case), cases), strict=True))
    return {
        e: {
            p: round(
                (counts[e, p, size, WARM + MORE] - counts[e, p, size, WARM])
                / (MORE * written_ops(PROGRAMS[p], size)),
                1,
            )
            for p, size in sizes.items()
        }
        for e in engines
    }


def key() -> str:
    """Python and machine, as in "cpython-3.11 x86_64"."""
    return f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]} {platform.machine()}"


def available() -> list[str]:
    """The engines of this installation."""
    import minigrad

    return [e for e in ENGINES if e == "plain" or getattr(minigrad, "ENGINE", "plain") == e]


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
    if "native" in committed and "native" not in counted:
        return 2, "the native engine is not built here, so its counts cannot be checked"
    findings = compare(counted, committed)
    failed = [f for f in findings if f.grew and f.engine == "native"]
    lines = [str(f) for f in findings]
    if failed:
        lines.append(
            f"{len(failed)} of the native counts grew by more than {TOLERANCE:.0%}. "
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
    lines.append(f"  {'':10}" + "".join(f"{program:>12}" for program in counted["plain"]))
    for engine, programs in counted.items():
        lines.append(f"  {engine:10}" + "".join(f"{figure:12,.1f}" for figure in programs.values()))
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
    counted = measure(available(), QUICK_SIZES if options.quick else SIZES)
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
