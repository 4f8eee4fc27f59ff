"""A graph one million nodes deep: build, backward, copy, pickle, unpickle and free it.

    python bench/depth.py [--json FILE] [--rounds N] [--nodes N] [--quick]

All on the main thread with the stack and the recursion limit that Python starts with, and with
the cyclic collector on, as a user's program has them.  Seconds are medians of rounds.  Bytes are
counted by tracemalloc in a run of their own, because counting slows, of at most 100,000 nodes:
what a step leaves allocated, and how much more than that it needed on the way.  An engine in C may
take memory that tracemalloc does not see, so what the process holds (resident) is given too: per node
after the build, after the pass and at most, in the first graph of the process.
"""

from __future__ import annotations

import argparse
import copy
import gc
import json
import math
import pickle
import platform
import sys
import tracemalloc
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import minigrad
from minigrad import Value

COUNTED = 100_000  # nodes, at most, in the run that counts bytes
FACTOR = 0.999999  # so near to 1 that the gradient of a chain of ten million does not vanish


class Bench:
    """One graph and what is made of it; each step is a method, in the order of STEPS."""

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        self.x, self.b, self.c = Value(0.5), Value(FACTOR), Value(1.0 - FACTOR)
        self.output: Any = None
        self.copy: Any = None
        self.bytes: Any = None
        self.read: Any = None

    def build(self) -> None:
        value, b, c = self.x, self.b, self.c
        for _ in range(self.nodes // 2):
            value = value * b + c
        self.output = value

    def backward(self) -> None:
        self.output.backward()

    def deepcopy(self) -> None:
        self.copy = copy.deepcopy(self.output)

    def pickle(self) -> None:
        self.bytes = pickle.dumps(self.output)

    def unpickle(self) -> None:
        self.read = pickle.loads(self.bytes)

    def free(self) -> None:
        self.output = None

    def drop_copies(self) -> None:
        self.copy = self.bytes = self.read = None

    def refuse_wrong(self) -> None:
        """The gradient of x is the factor to the number of steps; the copies have the original's number."""
        wanted = FACTOR ** (self.nodes // 2)
        if not math.isclose(self.x.grad, wanted, rel_tol=1e-6):
            raise SystemExit(f"x.grad is {self.x.grad!r} and not {wanted!r}")
        if not self.output.data == self.copy.data == self.read.data:
            raise SystemExit("a copy has another number than the original")


STEPS: dict[str, Callable[[Bench], None]] = {
    name: getattr(Bench, name) for name in ("build", "backward", "deepcopy", "pickle", "unpickle", "free")
}


def seconds(nodes: int, rounds: int) -> dict[str, float]:
    spent: dict[str, list[float]] = {name: [] for name in STEPS}
    for _ in range(rounds):
        gc.collect()
        bench = Bench(nodes)
        for name, step in STEPS.items():
            began = perf_counter()
            step(bench)
            spent[name].append(perf_counter() - began)
            if name == "unpickle":
                bench.refuse_wrong()
                bench.drop_copies()  # so that `free` frees all that the graph holds
    return {name: median(times) for name, times in spent.items()}


def memory(nodes: int) -> dict[str, dict[str, float]]:
    """Bytes per node that each step leaves, and that it needed beyond those on the way."""
    bench = Bench(nodes)
    found = {}
    tracemalloc.start()
    for name, step in STEPS.items():
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        step(bench)
        after, peak = tracemalloc.get_traced_memory()
        found[name] = {"left": (after - before) / nodes, "on_the_way": (peak - max(before, after)) / nodes}
        if name == "unpickle":
            bench.drop_copies()
    tracemalloc.stop()
    return found


def resident(nodes: int) -> dict[str, float] | None:
    """Bytes per node that the process holds more than before; None where the system does not say."""
    before = _status()
    if before is None:
        return None
    bench = Bench(nodes)
    bench.build()
    built = _status()
    bench.backward()
    passed = _status()
    bench.free()
    return {
        "built": (built["VmRSS"] - before["VmRSS"]) / nodes,
        "passed": (passed["VmRSS"] - before["VmRSS"]) / nodes,
        "at_most": (passed["VmHWM"] - before["VmRSS"]) / nodes,
    }


def _status() -> dict[str, int] | None:
    """What is resident now (VmRSS) and was at most (VmHWM), in bytes."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            lines = [line.split() for line in file]
        return {line[0].rstrip(":"): 1024 * int(line[1]) for line in lines if line[0] in ("VmRSS:", "VmHWM:")}
    except OSError:
        pass
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {"VmRSS": most, "VmHWM": most}  # all that this system tells; it grows with a first graph


def pickle_size(nodes: int) -> float:
    bench = Bench(nodes)
    bench.build()
    bench.pickle()
    return len(bench.bytes) / nodes


def table(found: dict[str, Any]) -> str:
    nodes = found["nodes"]
    lines = [
        f"{found['python']}, engine: {found['engine']}, a chain {nodes:,} nodes deep, "
        f"medians of {found['rounds']} rounds",
        f"  {'':10}{'seconds':>9}{'ns per node':>13}{'bytes per node left':>21}{'more on the way':>17}",
    ]
    for name in STEPS:
        spent, size = found["seconds"][name], found["bytes_per_node"][name]
        left, on_the_way = size["left"], size["on_the_way"]
        lines.append(f"  {name:10}{spent:9.3f}{1e9 * spent / nodes:13.0f}{left:21.0f}{on_the_way:17.0f}")
    lines.append(f"  a pickle is {found['pickle_bytes_per_node']:.0f} bytes per node")
    if found["resident_bytes_per_node"] is not None:
        held = found["resident_bytes_per_node"]
        lines.append(
            f"  the process holds, per node: {held['built']:.0f} bytes after the build, "
            f"{held['passed']:.0f} after the pass, {held['at_most']:.0f} at most"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="write the figures here as well")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it runs")
    options = parser.parse_args()
    nodes, rounds = (2_000, 1) if options.quick else (options.nodes, options.rounds)
    found = {
        "schema": "minigrad.bench.depth/1",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "engine": getattr(minigrad, "ENGINE", "plain"),
        "nodes": nodes,
        "rounds": rounds,
        "resident_bytes_per_node": resident(nodes),  # first, while the process is small
        "seconds": seconds(nodes, rounds),
        "bytes_per_node": memory(min(nodes, COUNTED)),
        "pickle_bytes_per_node": pickle_size(min(nodes, COUNTED)),
    }
    print(table(found))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
