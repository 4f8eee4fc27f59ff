"""Compare first, then time: the rounds in which the engines take turns.

* Every engine runs a program once before anything is timed, twice where the program learns, and its
  gradients are compared with those of plain minigrad: 1e-9 relative.  One that differs ends the run.
  An engine that takes long for the long chain is compared on a shorter one, which is the same code.
* A round runs every engine once, and which one begins changes from round to round.  In a round an
  engine runs the program twice and the second run counts, so that the allocator is as warm for one
  as for the other: fresh memory costs more than an op does.  An engine that takes more than ten
  seconds for the long chain runs it once; to so slow a one fresh memory makes no difference.
* The collector is off but for `collect`, a gc.collect() after the graph was dropped; what is older
  than the run is frozen, out of its sight.  An engine that leaves it something to find has not freed
  its graph: each node is in a cycle (micrograd style, through its closure), or all are after a pass
  (microgpt style, through the inner function that sorts them).  Only such an engine is charged for it.
* A figure is the median of its rounds, a ratio the median of the ratios within each round.
* An engine that has had `budget` seconds of a program and three rounds sits the other rounds out.
* Where a probe says that one run would take more than `longest` seconds, the engine runs a tenth of
  the size, or a hundredth, and its row says so.  Such a program is counted per op.
* All run in one thread with a large stack and a raised recursion limit, which the recursive need.
"""

from __future__ import annotations

import gc
import math
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter_ns as clock
from typing import Any

from engines import Engine, Run, own_engines
from programs import PROGRAMS, Program, own_copy, written_ops

__all__ = ["STEPS", "Limits", "measure_program", "median_ratio", "with_large_stack"]

STEPS = ("forward", "backward", "update", "free", "collect")
LEAST_ROUNDS = 3
QUICK_ENOUGH = 10.0  # seconds: it is compared on the size that is timed, and runs twice in a round
AGREE, AGREE_AFTER_UPDATE = 1e-9, 1e-6  # an update divides by small numbers, so it magnifies rounding


@dataclass(frozen=True)
class Limits:
    rounds: int | None = None  # None: as many as the program says
    quick: bool = False
    collector: bool = False
    budget: float = 25.0  # seconds
    longest: float = 35.0  # seconds


@dataclass
class Row:
    """One engine on one program: what it took, by round, or why it took nothing."""

    size: int
    ops: int = 0
    runs: int = 2  # in a round, of which the last counts
    run: Run | None = None
    times: dict[int, tuple[int, ...]] = field(default_factory=dict)  # round: ns of each of STEPS
    left: int = 0  # objects that the collector found
    again: float | None = None  # ns
    why_not: str = ""
    spent: int = 0  # ns, with the runs that do not count

    def whole(self, turn: int, collected: bool) -> float:
        """ns of the whole, per op that the user wrote; `collected`: with the collector's share."""
        steps = self.times[turn]
        return sum(steps if collected and self.left else steps[:-1]) / self.ops


def time_once(run: Run) -> tuple[tuple[int, ...], int]:
    """ns of each of STEPS, and how many objects the collector found."""
    began = clock()
    run.forward()
    made = clock()
    run.backward()
    passed = clock()
    run.update()
    learned = clock()
    run.free()
    freed = clock()
    left = gc.collect()
    return (made - began, passed - made, learned - passed, freed - learned, clock() - freed), left


# ---- compare first ------------------------------------------------------------------------------


def gradients_of(run: Run, program: Program) -> list[list[float]]:
    """The gradients of a step and, where the program learns, of the step after it."""
    found = []
    for _ in range(1 if program.update is None else 2):
        run.forward()
        run.backward()
        found.append(run.gradients())
        run.update()
        run.free()
        gc.collect()
    return found


def refuse_disagreement(name: str, found: list[list[float]], wanted: list[list[float]]) -> None:
    for step, (theirs, ours) in enumerate(zip(found, wanted, strict=True)):
        relative = AGREE_AFTER_UPDATE if step else AGREE
        floor = 1e-3 * relative * max(map(abs, ours))
        for i, (x, y) in enumerate(zip(theirs, ours, strict=True)):
            if not math.isclose(x, y, rel_tol=relative, abs_tol=floor):
                after = " after an update" if step else ""
                raise SystemExit(f"{name}: gradient {i}{after} is {x!r}, plain minigrad has {y!r}")


def prepare(key: str, engines: dict[str, Engine], limits: Limits) -> dict[str, Row]:
    """A row per engine, compared and ready to be timed, or with the reason why it cannot be."""
    program = PROGRAMS[key]
    full = program.quick if limits.quick else program.size
    plain = own_engines()["plain"]
    wanted: dict[int, list[list[float]]] = {}
    rows = {}
    for name, engine in engines.items():
        if engine.only and key not in engine.only:
            continue
        row = rows[name] = Row(full, why_not=engine.missing or engine.refuses.get(key, ""))
        if row.why_not:
            continue
        mine = own_copy(key, name.replace("-", "_"))
        try:
            row.size, compared = sizes_for(engine, mine, full, limits)
            row.runs = 2 if compared == row.size else 1
            row.ops = written_ops(program, row.size)
            found = gradients_of(engine.prepare(mine, compared), program)
            row.run = engine.prepare(mine, row.size)  # not learned yet
        except Exception as error:  # a library that gives up on a program is a result, not an accident
            row.why_not = f"not able: {type(error).__name__}: {error}".splitlines()[0][:90]
            continue
        if compared not in wanted:
            wanted[compared] = gradients_of(plain.prepare(program, compared), program)
        refuse_disagreement(engine.name, found, wanted[compared])
    return rows


def sizes_for(engine: Engine, program: Program, size: int, limits: Limits) -> tuple[int, int]:
    """The size to time, which takes at most the longest time, and the size to compare on."""
    if not program.probe or size <= program.probe:
        return size, size
    run = engine.prepare(program, program.probe)
    took = min(sum(time_once(run)[0][:-1]) for _ in range(2)) / 1e9 / program.probe
    while took * size > limits.longest and size > program.probe:
        size //= 10
    return size, size if took * size < QUICK_ENOUGH else program.probe


# ---- then time ----------------------------------------------------------------------------------


def measure_program(key: str, engines: dict[str, Engine], limits: Limits) -> dict[str, Row]:
    program = PROGRAMS[key]
    gc.disable()
    rows = prepare(key, engines, limits)
    ready = [name for name, row in rows.items() if row.run is not None]
    (gc.enable if limits.collector else gc.disable)()
    gc.collect()
    gc.freeze()
    for turn in range(limits.rounds or (1 if limits.quick else program.rounds)):
        shift = turn % max(1, len(ready))
        for name in ready[shift:] + ready[:shift]:
            row = rows[name]
            if turn >= LEAST_ROUNDS and row.spent > 1e9 * limits.budget:
                continue
            began = clock()
            for _ in range(row.runs):
                row.times[turn], left = time_once(row.run)
            row.left = max(row.left, left)
            row.spent += clock() - began
    for name in ready:
        rows[name].again = time_again(rows[name].run)
    gc.unfreeze()
    gc.enable()
    return rows


def time_again(run: Run) -> float | None:
    """ns of a call of what the engine compiled, where it compiles."""
    if run.again is None:
        return None
    run.forward()
    run.backward()
    times = []
    for _ in range(5):
        began = clock()
        run.again()
        times.append(clock() - began)
    run.free()
    return median(times)


def median_ratio(row: Row, other: Row, collected: bool = False) -> float:
    """How many times as long as the other it took, per op, in the rounds in which both ran."""
    turns = row.times.keys() & other.times.keys()
    return median(row.whole(turn, collected) / other.whole(turn, collected) for turn in turns)


def with_large_stack(work: Callable[[], Any]) -> Any:
    """Run `work` in a thread of 512 MiB of stack, the recursion limit raised."""
    result: list[Any] = []
    stopped: list[BaseException] = []

    def guarded() -> None:
        try:
            result.append(work())
        except BaseException as error:
            stopped.append(error)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000_000)
    threading.stack_size(512 * 1024 * 1024)
    thread = threading.Thread(target=guarded)
    thread.start()
    thread.join()
    threading.stack_size(0)
    sys.setrecursionlimit(limit)
    if stopped:
        raise stopped[0]
    return result[0]
