"""Nanoseconds per op of minigrad's Value beside two minimal engines, in one process.

    python bench/engine.py [--json FILE] [--rounds N] [--gc] [--quick]

An op is one that the user writes: a / b is one, though the two minimal engines make two nodes of
it.  Three programs: a chain x*b + c, the ops of a small GPT, and a small MLP.  Their gradients
are compared first, then they are timed, in rounds that take the engines in turn:

* in a round each engine runs a program twice and the second run counts, so that the allocator is
  as warm for one as for the other; graphs are freed before the next run starts;
* `free` is dropping the output of a graph on which no pass was run; `collect` is a gc.collect()
  after a pass and a drop.  A node that is in a cycle waits for the collector: in the micrograd
  style each node is, through its closure; in the microgpt style all are after a pass, through
  the inner function that sorts them.  What is older than the run is frozen, out of its sight;
* the collector is off but for that (on with --gc), and all engines run in one thread with a
  large stack and a raised recursion limit, which the recursive ones need;
* a figure is the median of its rounds, a ratio the median of the ratios within each round.

The exit code is 0 whether or not the targets are met: this is a benchmark and not a test.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import platform
import random
import sys
import threading
from collections.abc import Callable
from statistics import median
from time import perf_counter_ns as clock
from typing import Any

from reference import Closures, LocalGrads

import minigrad

ENGINES = {"minigrad": minigrad.Value, "microgpt-style": LocalGrads, "micrograd-style": Closures}
YARDSTICK = "microgpt-style"
STEPS = ("forward", "backward", "free", "collect")
TARGETS = {"forward": 1.6, "backward": 1.0}  # at most, times the yardstick

Program = Callable[[Any, int], tuple[list[Any], Callable[[], Any]]]


# ---- the programs: each makes its leaves, and a function that computes the output from them -----


def chain(engine: Any, size: int) -> tuple[list[Any], Callable[[], Any]]:
    """x = x*b + c, `size` ops deep."""
    start, b, c = leaves = [engine(0.5), engine(0.999), engine(0.001)]

    def forward() -> Any:
        x = start
        for _ in range(size // 2):
            x = x * b + c
        return x

    return leaves, forward


def small_gpt(engine: Any, size: int) -> tuple[list[Any], Callable[[], Any]]:
    """Normalise, two matrices with a relu between them, softmax, cross entropy."""
    width = max(2, math.isqrt(size // 6))
    x = _leaves(engine, width, 1)
    up, down = (_matrix(engine, width, width, seed) for seed in (2, 3))

    def linear(rows: list[list[Any]], xs: list[Any]) -> list[Any]:
        return [sum(w * xi for w, xi in zip(row, xs, strict=True)) for row in rows]

    def forward() -> Any:
        scale = (sum(xi * xi for xi in x) / width + 1e-5) ** -0.5
        hidden = linear(up, [xi * scale for xi in x])
        logits = linear(down, [h.relu() for h in hidden])
        largest = max(logit.data for logit in logits)
        powers = [(logit - largest).exp() for logit in logits]
        total = sum(powers)
        losses = [-(power / total).log() for power in powers]
        return (1 / width) * sum(losses)

    return [*x, *(w for row in up + down for w in row)], forward


def mlp(engine: Any, size: int) -> tuple[list[Any], Callable[[], Any]]:
    """Four inputs, two hidden layers of relu, one output, squared error over four samples."""
    width = max(2, math.isqrt(size // 8))
    shapes = [(4, width), (width, width), (width, 1)]
    layers = [
        [(ws, b) for ws, b in zip(_matrix(engine, n, m, seed), _leaves(engine, n, seed + 9), strict=True)]
        for seed, (m, n) in enumerate(shapes)
    ]
    samples = [([math.sin(3 * i + j) for j in range(4)], float(i % 2)) for i in range(4)]

    def forward() -> Any:
        errors = []
        for xs, wanted in samples:
            for depth, layer in enumerate(layers):
                sums = [sum((w * x for w, x in zip(ws, xs, strict=True)), b) for ws, b in layer]
                xs = [s.relu() for s in sums] if depth < 2 else sums
            errors.append((xs[0] - wanted) ** 2)
        return sum(errors) / len(samples)

    return [leaf for layer in layers for ws, b in layer for leaf in (*ws, b)], forward


def _leaves(engine: Any, count: int, seed: int) -> list[Any]:
    draw = random.Random(seed)
    return [engine(draw.gauss(0.0, 0.3)) for _ in range(count)]


def _matrix(engine: Any, rows: int, columns: int, seed: int) -> list[list[Any]]:
    return [_leaves(engine, columns, 1000 * seed + row) for row in range(rows)]


PROGRAMS: dict[str, Program] = {"chain x*b + c": chain, "ops of a small GPT": small_gpt, "small MLP": mlp}


class Tally:
    """Not a number: it counts the ops that a program writes."""

    data = 1.0
    ops = 0

    def __init__(self, *_: object) -> None:
        pass

    def count(self, *_: object) -> Tally:
        Tally.ops += 1
        return self

    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __truediv__ = __rtruediv__ = count
    __pow__ = __neg__ = exp = log = relu = count


def written_ops(program: Program, size: int) -> int:
    Tally.ops = 0
    program(Tally, size)[1]()
    return Tally.ops


# ---- each op alone: forward only ----------------------------------------------------------------

ALONE: dict[str, Callable[[Any, Any], Any]] = {
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


def time_alone(op: Callable[[Any, Any], Any], engine: Any, times: int) -> float:
    """ns of one call of `op`, its node kept; the cost of the loop and the lambda is in it for all."""
    a, b = engine(0.7), engine(1.3)
    kept: list[Any] = []
    for _ in range(2):  # the first run warms the allocator
        kept.clear()
        gc.collect()
        start = clock()
        kept = [op(a, b) for _ in range(times)]
        spent = clock() - start
    kept.clear()
    return spent / times


# ---- the rounds ---------------------------------------------------------------------------------


def time_once(program: Program, engine: Any, size: int) -> tuple[int, ...]:
    """ns of the forward pass, the backward pass, the free and the collection, on fresh graphs."""
    _kept, forward = program(engine, size)
    output = forward()
    made = clock()
    del output
    free = clock() - made
    gc.collect()

    began = clock()
    output = forward()
    made = clock()
    output.backward()
    passed = clock()
    del output
    dropped = clock()
    gc.collect()
    return made - began, passed - made, free, clock() - dropped


def refuse_disagreement(program: Program, size: int) -> None:
    """Match first, then time: the engines must give one set of gradients."""
    found = {}
    for name, engine in ENGINES.items():
        leaves, forward = program(engine, size)
        forward().backward()
        found[name] = [leaf.grad for leaf in leaves]
    for name, grads in found.items():
        for ours, theirs in zip(grads, found[YARDSTICK], strict=True):
            if not math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-12):
                raise SystemExit(f"{name} and {YARDSTICK} disagree: {ours!r} and {theirs!r}")


def in_turn(rounds: int) -> Any:
    """The engines for each round, each beginning a third of them."""
    names = list(ENGINES)
    for i in range(rounds):
        shift = i % len(names)
        yield names[shift:] + names[:shift]


def measure_program(program: Program, size: int, rounds: int, collector: bool) -> dict[str, Any]:
    refuse_disagreement(program, size)
    ops = written_ops(program, size)
    spent: dict[str, list[tuple[int, ...]]] = {name: [] for name in ENGINES}
    (gc.enable if collector else gc.disable)()
    gc.collect()
    gc.freeze()
    for names in in_turn(rounds):
        for name in names:
            time_once(program, ENGINES[name], size)
            spent[name].append(time_once(program, ENGINES[name], size))
    gc.unfreeze()
    ns = {
        name: {step: median(times[i] for times in runs) / ops for i, step in enumerate(STEPS)}
        for name, runs in spent.items()
    }
    ratios = {
        name: {step: _ratio(runs, spent[YARDSTICK], i) for i, step in enumerate(STEPS[:2])}
        for name, runs in spent.items()
    }
    return {"ops": ops, "ns_per_op": ns, "ratio": ratios}


def _ratio(runs: list[tuple[int, ...]], yardstick: list[tuple[int, ...]], step: int) -> float:
    return median(run[step] / other[step] for run, other in zip(runs, yardstick, strict=True))


def measure_alone(times: int, rounds: int, collector: bool) -> dict[str, Any]:
    (gc.enable if collector else gc.disable)()
    gc.collect()
    gc.freeze()
    results = {}
    for written, op in ALONE.items():
        spent: dict[str, list[float]] = {name: [] for name in ENGINES}
        for names in in_turn(rounds):
            for name in names:
                spent[name].append(time_alone(op, ENGINES[name], times))
        ratios = {
            name: median(x / y for x, y in zip(runs, spent[YARDSTICK], strict=True))
            for name, runs in spent.items()
        }
        results[written] = {"ns": {n: median(runs) for n, runs in spent.items()}, "ratio": ratios}
    gc.unfreeze()
    return results


def measure(size: int, rounds: int, collector: bool) -> dict[str, Any]:
    programs = {name: measure_program(p, size, rounds, collector) for name, p in PROGRAMS.items()}
    ours = {name: result["ratio"]["minigrad"] for name, result in programs.items()}
    met = {
        name: {step: ratios[step] <= most for step, most in TARGETS.items()} for name, ratios in ours.items()
    }
    return {
        "schema": "minigrad.bench.engine/1",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "engine": getattr(minigrad, "ENGINE", "plain"),
        "collector": "on" if collector else "off",
        "rounds": rounds,
        "programs": programs,
        "alone": measure_alone(max(10, size // 2), max(3, rounds // 4), collector),
        "targets": {"at_most": TARGETS, "met": met},
    }


def with_large_stack(work: Callable[[], Any]) -> Any:
    """Run `work` in a thread of 512 MiB of stack, the recursion limit raised."""
    result: list[Any] = []
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(200_000)
    threading.stack_size(512 * 1024 * 1024)
    thread = threading.Thread(target=lambda: result.append(work()))
    thread.start()
    thread.join()
    threading.stack_size(0)
    sys.setrecursionlimit(limit)
    if not result:
        raise SystemExit("the measurement stopped with an error")
    return result[0]


# ---- the tables ---------------------------------------------------------------------------------


def table(found: dict[str, Any]) -> str:
    lines = [
        f"{found['python']}, engine: {found['engine']}, collector {found['collector']}, "
        f"medians of {found['rounds']} rounds, ns per written op",
    ]
    for name, result in found["programs"].items():
        lines += ["", f"{name}, {result['ops']} ops"]
        lines.append(f"  {'':16}" + "".join(f"{step:>10}" for step in STEPS) + "   forward  backward")
        for engine, ns in result["ns_per_op"].items():
            ratio = result["ratio"][engine]
            lines.append(
                f"  {engine:16}"
                + "".join(f"{ns[step]:10.0f}" for step in STEPS)
                + f"{ratio['forward']:9.2f}x{ratio['backward']:9.2f}x"
            )
    lines += ["", "each op alone, forward"]
    lines.append(f"  {'':16}" + "".join(f"{engine:>16}" for engine in ENGINES) + "   minigrad")
    for written, result in found["alone"].items():
        times = "".join(f"{result['ns'][engine]:16.0f}" for engine in ENGINES)
        lines.append(f"  {written:16}{times}{result['ratio']['minigrad']:10.2f}x")
    lines += ["", f"targets, times the {YARDSTICK} engine"]
    for name, result in found["programs"].items():
        for step, most in TARGETS.items():
            ratio = result["ratio"]["minigrad"][step]
            verdict = "met" if found["targets"]["met"][name][step] else "NOT MET"
            lines.append(f"  {name:20}{step:9} at most {most:.1f}x: {ratio:5.2f}x  {verdict}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="write the figures here as well")
    parser.add_argument("--rounds", type=int, default=101)
    parser.add_argument("--size", type=int, default=2000, help="ops in a program, about")
    parser.add_argument("--gc", action="store_true", help="leave the cyclic collector on")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it runs")
    options = parser.parse_args()
    size, rounds = (60, 3) if options.quick else (options.size, options.rounds)
    found = with_large_stack(lambda: measure(size, rounds, options.gc))
    print(table(found))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
