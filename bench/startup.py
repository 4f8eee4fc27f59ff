"""What a command costs before it answers: import, explain, 10,000 nodes, pictures, check, break, doctor ...

    python bench/startup.py [--json FILE] [--rounds N] [--quick]

Every figure is of whole processes, started in turn: one round runs each command once, and a figure is the
median of its rounds.  What a command costs *more* than an empty Python is the median of the differences
within each round.  Beside wall time stands the time of the processor (user and system), which a machine that
has other things to do changes less.  The three texts have the same number of op nodes
and the shapes that hurt in different ways: one deep chain, one wide sum, and a ladder in which
every node is used twice, so that its paths are too many to list.

Bytecode is cached, as it is in an installed package, in a folder of the benchmark's own that the
first run of each command, which is not counted, fills; `--quick` counts it, and takes what is cached already.

The exit code is 0 whether or not the targets are met: this is a benchmark and not a test.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

CLASSIC = ("ab = a*b; e = ab + c; f = a - c; L = e*f", "a=2", "b=3", "c=4")
TEN = ("ab = a*b; e = ab + c; f = a - c; g = tanh(e); h = exp(f); g*h + ab", *CLASSIC[1:])  # nodes
FIFTEEN = (
    "p = a*b; q = b*c; r = a + c; s = a - b; t = p*q; u = r*s; v = t + u; w = p - s; x = q*r; y = v*w; "
    "z = y + x; z*p",
    *CLASSIC[1:],
)


TESTS = Path(__file__).resolve().parent.parent / "tests"
RIGHT_ENGINE = str(TESTS / "data" / "engines" / "closures.py")  # of some 130 lines
ENDLESS = str(TESTS / "hostile" / "loops_in_backward.py")


class Command(NamedTuple):
    words: list[str]  # after `python`
    text: str = ""  # for its stdin
    target: float | None = None  # seconds, at most
    over_empty: bool = False  # the target is for what it takes more than an empty Python
    code: int = 0  # the exit code that it should have


# ---- texts of about `nodes` op nodes ------------------------------------------------------------


def deep(nodes: int) -> str:
    """v = v*b + c, over and over."""
    return "\n".join(["v0 = x*b + c", *(f"v{i} = v{i - 1}*b + c" for i in range(1, nodes // 2))])


def wide(nodes: int) -> str:
    """A sum of small terms."""
    return "L = " + " + ".join(["b*x*c"] * (nodes // 3))


def ladder(nodes: int) -> str:
    """v_i = v_(i-1) * b + v_(i-2): the paths to x grow like Fibonacci's numbers."""
    rungs = (f"v{i} = v{i - 1}*b + v{i - 2}" for i in range(2, nodes // 2))
    return "\n".join(["v0 = x*b + c", "v1 = v0*b + c", *rungs])


def commands(nodes: int) -> dict[str, Command]:
    explain = ["-m", "minigrad", "explain"]
    inputs = ["x=0.5", "b=0.5", "c=0.25"]
    texts = {"deep": deep(nodes), "wide": wide(nodes), "ladder": ladder(nodes)}
    return {
        "empty Python": Command(["-c", "pass"]),
        "import minigrad": Command(["-c", "import minigrad"], target=0.050, over_empty=True),
        "explain the classic": Command([*explain, *CLASSIC], target=0.250),
        **{
            f"explain --json, {shape}": Command([*explain, "-", *inputs, "--json"], text, target=2.0)
            for shape, text in texts.items()
        },
        **{
            f"explain --out x{ending}, {shape}": Command(
                [*explain, "-", *inputs, "--out", f"x{ending}"], text, target=5.0
            )
            for ending in (".svg", ".html")
            for shape, text in texts.items()
        },
        "check --ask quick, 10 nodes": Command(
            ["-m", "minigrad", "check", *TEN, "--ask", "quick"], target=0.300
        ),
        "break overwrite": Command(["-m", "minigrad", "break", "overwrite", *CLASSIC]),
        # nothing explains these, so every fault in every order and all pairs are tried
        "diagnose, 15 nodes": Command(
            ["-m", "minigrad", "diagnose", *FIFTEEN, "--got", "a=1.25", "b=3", "c=4"], target=2.0, code=1
        ),
        "doctor, a right engine": Command(["-m", "minigrad", "doctor", RIGHT_ENGINE], target=5.0),
        "doctor, an endless loop": Command(["-m", "minigrad", "doctor", ENDLESS], target=15.0, code=2),
    }


# ---- running ------------------------------------------------------------------------------------


def run(command: Command, folder: str, own_cache: bool) -> tuple[float, float, str]:
    """Seconds, those of the processor, and what was wrong: another exit code and the end of stderr."""
    words = [sys.executable, *command.words]
    cached = {"PYTHONPYCACHEPREFIX": folder} if own_cache else {}
    environment = {**os.environ, **cached, "PYTHONDONTWRITEBYTECODE": ""}
    began, before = perf_counter(), getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(
        words, input=command.text, capture_output=True, encoding="utf-8", cwd=folder, env=environment
    )
    spent, after = perf_counter() - began, getrusage(RUSAGE_CHILDREN)
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    last_line = (done.stderr.strip().splitlines() or [""])[-1]
    return (
        spent,
        worked,
        "" if done.returncode == command.code else f"exit code {done.returncode}: {last_line}",
    )


def measure(nodes: int, rounds: int, warm: bool = True) -> dict[str, Any]:
    chosen = commands(nodes)
    spent: dict[str, list[float]] = {name: [] for name in chosen}
    worked: dict[str, list[float]] = {name: [] for name in chosen}
    wrong = dict.fromkeys(chosen, "")
    with tempfile.TemporaryDirectory() as folder:  # so that nothing is imported from where we stand
        for turn in range(-warm, rounds):  # the first is not counted: it fills the cache of bytecode
            for name, command in chosen.items():
                if not wrong[name]:
                    wall, processor, wrong[name] = run(command, folder, warm)
                    if turn >= 0:
                        spent[name].append(wall)
                        worked[name].append(processor)
    return {
        "schema": "minigrad.bench.startup/1",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "rounds": rounds,
        "nodes": nodes,
        "commands": {
            name: {"wrong": wrong[name]}
            if wrong[name]
            else _figures(command, spent[name], spent["empty Python"])
            | {"processor_seconds": median(worked[name])}
            for name, command in chosen.items()
        },
    }


def _figures(command: Command, times: list[float], empty: list[float]) -> dict[str, Any]:
    over = median(t - e for t, e in zip(times, empty, strict=True))
    counted = over if command.over_empty else median(times)
    return {
        "seconds": median(times),
        "seconds_over_empty": over,
        "target": command.target,
        "met": None if command.target is None else counted <= command.target,
    }


def table(found: dict[str, Any]) -> str:
    lines = [
        f"{found['python']}, medians of {found['rounds']} rounds, ms; texts of {found['nodes']} op nodes",
        f"  {'':31}{'whole':>8}{'over empty':>12}{'processor':>11}",
    ]
    for name, figures in found["commands"].items():
        if "wrong" in figures:
            lines.append(f"  {name:31}{figures['wrong']}")
            continue
        line = f"  {name:31}{1000 * figures['seconds']:8.1f}{1000 * figures['seconds_over_empty']:12.1f}"
        line += f"{1000 * figures['processor_seconds']:11.1f}"
        if figures["target"] is not None:
            verdict = "met" if figures["met"] else "NOT MET"
            line += f"   at most {1000 * figures['target']:.0f}: {verdict}"
        lines.append(line)
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="write the figures here as well")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--nodes", type=int, default=10_000, help="op nodes in a text, about")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it runs")
    options = parser.parse_args()
    nodes, rounds = (30, 1) if options.quick else (options.nodes, options.rounds)
    found = measure(nodes, rounds, warm=not options.quick)
    print(table(found))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
