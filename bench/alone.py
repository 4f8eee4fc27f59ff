"""Each op alone, forward only, on the engines that are classes: where a class spends its time."""

from __future__ import annotations

import gc
from collections.abc import Callable
from statistics import median
from time import perf_counter_ns as clock
from typing import Any

from engines import Engine, OfClass
from measure import Limits
from programs import Program

__all__ = ["alone_table", "measure_alone"]

OPS: dict[str, Callable[[Any, Any], Any]] = {
    "a + b": lambda a, b: a + b,
    "a * b": lambda a, b: a * b,
    "a - b": lambda a, b: a - b,
    "a / b": lambda a, b: a / b,
    "-a": lambda a, b: -a,
    "a + 1.5": lambda a, b: a + 1.5,
    "a * 2": lambda a, b: a * 2,
    "1.5 * a": lambda a, b: 1.5 * a,
    "a ** -0.5": lambda a, b: a**-0.5,
    "a ** 2": lambda a, b: a**2,
    "a.exp()": lambda a, b: a.exp(),
    "a.log()": lambda a, b: a.log(),
    "a.relu()": lambda a, b: a.relu(),
}


def two_leaves(make: Any, size: int) -> tuple[list[Any], Callable[[], Any]]:
    return [make(0.7), make(1.3)], lambda: None


LEAVES = Program("two leaves", two_leaves, 0, 0, 0)


def time_alone(op: Callable[[Any, Any], Any], a: Any, b: Any, times: int) -> float:
    """ns of one call of `op`, its node kept; the cost of the loop and the lambda is in it for all."""
    kept: list[Any] = []
    for _ in range(2):  # the first run warms the allocator
        kept.clear()
        gc.collect()
        start = clock()
        kept = [op(a, b) for _ in range(times)]
        spent = clock() - start
    kept.clear()
    return spent / times


def measure_alone(engines: dict[str, Engine], limits: Limits) -> dict[str, dict[str, float]]:
    """ns by op and by the name of the engine: medians of rounds in which the engines take turns."""
    times, rounds = (10, 3) if limits.quick else (1_000, limits.rounds or 25)
    leaves = {}
    for engine in engines.values():
        run = engine.prepare(LEAVES, 0) if engine.prepare is not None else None
        if isinstance(run, OfClass):
            leaves[engine.name] = run.leaves
    gc.disable()
    gc.collect()
    gc.freeze()
    found = {}
    for written, op in OPS.items():
        spent: dict[str, list[float]] = {name: [] for name in leaves}
        for turn in range(rounds):
            names = list(leaves)
            shift = turn % len(names)
            for name in names[shift:] + names[:shift]:
                spent[name].append(time_alone(op, *leaves[name], times))
        found[written] = {name: median(runs) for name, runs in spent.items()}
    gc.unfreeze()
    gc.enable()
    return found


def alone_table(found: dict[str, dict[str, float]]) -> str:
    names = list(next(iter(found.values())))
    lines = ["each op alone, forward, ns", f"  {'':12}" + "".join(f"{name:>18}" for name in names)]
    for written, times in found.items():
        lines.append(f"  {written:12}" + "".join(f"{times[name]:18.0f}" for name in names))
    return "\n".join(lines)
