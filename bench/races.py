"""Compare first, then time: ways to do the same work, in turn, on one core.  compiled.py uses it.

Where measure.py times the parts of a step that takes milliseconds, this times steps of microseconds, many
of them in one stretch:

* A `Way` does some work `steps(n)` times.  Before anything is timed, `answer()` of each way is compared with
  the first way's, number by number; one that differs ends the run.
* A round runs every way once, and which one begins changes from round to round.  A turn is one untimed
  stretch of a few steps, for caches, allocator and branch predictor that the others have used since, and one
  timed stretch of about `TURN` seconds, or of one step where that takes longer.
* A figure is the median of its rounds, a ratio the median of the ratios within each round.
* The collector is off.  A way that leaves its graph to it says so (`collects`), and is timed without what
  that costs; the ratio with it is stated beside.
* `one_core()` is called before NumPy, PyTorch and JAX are loaded: they count the cores then.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter_ns as clock
from typing import Any

__all__ = ["EXACT", "Answer", "Figure", "Race", "Way", "disagreement", "one_core", "ratio", "run"]

TURN = 0.02  # seconds
AGREE = 1e-9
BUDGET = 40.0  # seconds of one way in one race, after which it sits out but for its least rounds
LEAST_ROUNDS = 3
EXACT = "exact: the bits of the eager engine"  # the note of a row; the others say exact=False

Answer = dict[
    str, Any
]  # what: numbers (any sequence), compared to AGREE; "learned ..." to a thousand times that


@dataclass
class Way:
    name: str
    steps: Callable[[int], object]
    answer: Callable[[], Answer]  # asked once, on a way that has done nothing yet
    samples: int = 1  # of one step: a figure is per sample
    collects: bool = False  # leaves cycles to the collector
    reset: Callable[[], object] | None = None  # back to the start, before a turn and untimed
    version: str = ""
    note: str = ""


@dataclass
class Race:
    """Ways to one result.  A maker gives a Way, or a sentence that says why there is none."""

    key: str
    title: str
    base: str  # what the ratios are of
    makers: dict[str, Callable[[], Way | str]]
    rounds: int = 15


@dataclass
class Figure:
    name: str
    missing: str = ""
    version: str = ""
    note: str = ""
    samples: int = 1
    seconds: dict[int, float] = field(default_factory=dict)  # of a step and sample, by round
    collecting: dict[int, float] = field(default_factory=dict)

    @property
    def median(self) -> float:
        return median(self.seconds.values())


def one_core() -> int | None:
    """Keep this process, and all that it loads from here on, to one core: its number, if that can be said."""
    for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM"):
        os.environ[f"{name}_NUM_THREADS"] = "1"
    flags = os.environ.get("XLA_FLAGS", "")
    os.environ["XLA_FLAGS"] = f"{flags} --xla_cpu_multi_thread_eigen=false".strip()
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))  # interrupts come to the first one
    os.sched_setaffinity(0, {core})
    return core


# ---- compare first ------------------------------------------------------------------------------


def disagreement(found: Answer, wanted: Answer) -> str:
    """Where two answers differ, in words; empty where they do not.

    A number may be off by AGREE of itself, or of a thousandth of the largest one beside it.
    """
    import numpy as np

    for what, expected in wanted.items():
        if what not in found:
            continue
        relative = AGREE * (1e3 if what.startswith("learned") else 1.0)
        x, y = np.asarray(found[what], dtype=float).ravel(), np.asarray(expected, dtype=float).ravel()
        if x.shape != y.shape:
            return f"{what}: {x.size} numbers, {y.size} wanted"
        room = relative * np.maximum(np.abs(y), 1e-3 * np.abs(y).max(initial=0.0))
        wrong = ~(np.abs(x - y) <= room)  # a NaN is wrong
        if wrong.any():
            i = int(np.argmax(wrong))
            return f"{what}: number {i} is {float(x[i])!r}, {float(y[i])!r} wanted"
    return ""


def prepared(race: Race) -> tuple[dict[str, Figure], dict[str, Way]]:
    """Every way made and compared with the first that can be made."""
    figures: dict[str, Figure] = {}
    ways: dict[str, Way] = {}
    wanted: Answer | None = None
    for key, make in race.makers.items():
        way = make()
        if isinstance(way, str):
            figures[key] = Figure(key, missing=way)
            continue
        figures[key] = Figure(way.name, "", way.version, way.note, way.samples)
        answer = way.answer()
        wanted = answer if wanted is None else wanted
        if said := disagreement(answer, wanted):
            raise SystemExit(f"{race.key}, {way.name}: {said}")
        ways[key] = way
    return figures, ways


# ---- then time ----------------------------------------------------------------------------------


def run(race: Race, rounds: int | None = None, turn: float = TURN) -> dict[str, Figure]:
    figures, ways = prepared(race)
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        counts = {key: _count(way, turn) for key, way in ways.items()}
        spent = dict.fromkeys(ways, 0)
        order = list(ways)
        for number in range(race.rounds if rounds is None else rounds):
            shift = number % max(1, len(order))
            for key in order[shift:] + order[:shift]:
                if number >= LEAST_ROUNDS and spent[key] > 1e9 * BUDGET:
                    continue
                began = clock()
                _turn(ways[key], counts[key], number, figures[key])
                spent[key] += clock() - began
    finally:
        gc.enable()
        gc.unfreeze()
    return figures


def _turn(way: Way, count: int, number: int, figure: Figure) -> None:
    way.steps(max(1, count // 4))
    if way.reset is not None:
        way.reset()
    if way.collects:
        gc.collect()
    began = clock()
    way.steps(count)
    done = clock()
    if way.collects:
        gc.collect()
        figure.collecting[number] = (clock() - done) / 1e9 / count / way.samples
    figure.seconds[number] = (done - began) / 1e9 / count / way.samples


def _count(way: Way, turn: float) -> int:
    """How many steps fill a turn."""
    count = 1
    while True:
        began = clock()
        way.steps(count)
        took = (clock() - began) / 1e9
        if way.collects:
            gc.collect()
        if took > 0.25 * turn or took == 0.0:
            return max(1, round(count * turn / took)) if took else count
        count *= 4


def ratio(other: Figure, base: Figure, collected: bool = False) -> float:
    """How many times as long the other took, per sample, in the rounds in which both ran."""
    turns: Sequence[int] = sorted(other.seconds.keys() & base.seconds.keys())
    more = other.collecting if collected else {}
    return median((other.seconds[i] + more.get(i, 0.0)) / base.seconds[i] for i in turns)
