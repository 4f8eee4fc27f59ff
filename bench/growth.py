"""What compiling costs: seconds and memory by the number of nodes, from ten thousand to five million.

    python bench/growth.py [--json FILE] [--quick] [--rounds N]

The first row is the graph of one name, 60,475 nodes in the microgpt style, with the median of several rounds:
its target is one second.  Then `moons` grows, the loss of the MLP 2-16-16-1 over more and more points, in a
plain loop over them; the last line compares seconds per node of its largest size with those of its smallest
above 50,000 nodes.  Each size is compiled in a process of its own, with the gradient by every weight: the
trace (f is run, twice), the passes, and the encoding for the executor.  Seconds are of the processor, so that
company on the machine counts for little.  Memory is what the process holds at most beyond what it held before
the trace, by the number of nodes; `kept` is what is left of it when only the executor is kept.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

__all__ = ["SIZES", "grown", "measure", "table", "work"]

SIZES = {"moons": (8, 76, 760, 3_780)}  # points, of 1,326 nodes each: 10,000, 100,000, one and five million
QUICK = {"moons": (4, 8)}
LONGEST = 900  # seconds of one process


def program_of(kind: str, size: int) -> tuple[Any, tuple[Any, ...]]:
    """A function over weights, and its arguments."""
    if kind == "gpt":
        from gpt_task import compiled_loss, model_of, names_of

        names = names_of(size).tolist()
        _, weights = model_of(float)

        def losses(weights: Any, names: Any) -> Any:
            return sum(compiled_loss(weights, name) for name in names) / len(names)

        return losses, (weights, names)
    if kind != "moons":
        raise ValueError(f"there is no program {kind!r}; there are gpt, moons")
    from race_moons import data_of, layers_of, margin

    x, side = data_of(size)

    def margins(layers: Any, points: Any, sides: Any) -> Any:
        found = [margin(layers, point, label) for point, label in zip(points, sides, strict=True)]
        return sum(found) / len(found)

    return margins, (layers_of(float, size)[1], x.tolist(), side.tolist())


def held(most: bool = False) -> int:
    """Bytes that this process has in memory, or had at most.

    Not ru_maxrss where there is anything else: a child begins with what its parent had.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(rf"^{'VmHWM' if most else 'VmRSS'}:\s*(\d+) kB", status.read_text(), re.MULTILINE)
        if found:
            return 1024 * int(found[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def give_back() -> None:
    """What was freed goes back to the system, where the C library can be asked for that."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def work(kind: str, size: int) -> dict[str, Any]:
    """Compile one size: seconds of each part, and bytes."""
    from minigrad.compiler import executors
    from minigrad.compiler.pipeline import plan_of
    from minigrad.compiler.structure import take_apart
    from minigrad.compiler.tracing import trace_function

    f, arguments = program_of(kind, size)
    weights = len(take_apart(arguments[:1]).numbers)
    gc.collect()
    before = held()
    began = process_time()
    traced = trace_function(f, arguments)
    was_traced = process_time()
    plan = plan_of(traced.scalars, gradients=range(weights))
    planned = process_time()
    executor = executors.executor(plan)
    encoded = process_time()
    most = held(most=True)
    nodes, instructions = traced.nodes, len(plan.before) + len(plan.body) + len(plan.after)
    del traced, plan, f, arguments
    gc.collect()
    give_back()
    found = {
        "nodes": nodes,
        "instructions": instructions,
        "trace": was_traced - began,
        "passes": planned - was_traced,
        "encode": encoded - planned,
        "seconds": encoded - began,
        "bytes_per_node": max(0, most - before) / nodes,
        "kept_per_node": max(0, held() - before) / nodes,
    }
    del executor
    return found


def grown(kind: str, size: int) -> dict[str, Any]:
    """`work` in a process of its own."""
    command = [sys.executable, __file__, "--work", kind, str(size)]
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=LONGEST, env=os.environ)
    except subprocess.TimeoutExpired:
        return {"kind": kind, "size": size, "why_not": f"more than {LONGEST} s"}
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        return {"kind": kind, "size": size, "why_not": said[-1][:120]}
    return {"kind": kind, "size": size, **json.loads(done.stdout)}


def measure(quick: bool = False, rounds: int = 5) -> dict[str, Any]:
    sizes = QUICK if quick else SIZES
    first = [grown("gpt", 1) for _ in range(1 if quick else rounds)]
    right = [row for row in first if "why_not" not in row]
    one = dict(first[0])
    for key in ("trace", "passes", "encode", "seconds", "bytes_per_node", "kept_per_node") if right else ():
        one[key] = median(row[key] for row in right)
    rows = [
        one,
        *(grown(kind, size) for kind, some in sizes.items() for size in some),
    ]
    return {"schema": "minigrad.bench.growth/1", "rounds": len(first), "quick": quick, "rows": rows}


def per_node(rows: list[dict[str, Any]]) -> dict[str, float]:
    """By program: seconds per node of its largest size, by those of its smallest of 50,000 nodes or more."""
    found = {}
    for kind in dict.fromkeys(row["kind"] for row in rows):
        mine = [row for row in rows if row["kind"] == kind and row.get("nodes", 0) >= 50_000]
        if len(mine) > 1:
            ends = [row["seconds"] / row["nodes"] for row in sorted(mine, key=lambda row: row["nodes"])]
            found[kind] = ends[-1] / ends[0]
    return found


def table(found: dict[str, Any]) -> str:
    heads = (
        "nodes",
        "instructions",
        "trace s",
        "passes s",
        "encode s",
        "whole s",
        "us/node",
        "bytes/node",
        "kept",
    )
    lines = ["compiling, with the gradient by every weight; the first row is a median", f"  {'':8}"]
    lines[1] += "".join(f"{head:>13}" for head in heads)
    for row in found["rows"]:
        if "why_not" in row:
            lines.append(f"  {row['kind']:8}{row['size']:>13,}   {row['why_not']}")
            continue
        whole = [f"{row[key]:,}" for key in ("nodes", "instructions")]
        times = [f"{row[key]:.3f}" for key in ("trace", "passes", "encode", "seconds")]
        rest = [
            f"{1e6 * row['seconds'] / row['nodes']:.2f}",
            f"{row['bytes_per_node']:,.0f}",
            f"{row['kept_per_node']:,.0f}",
        ]
        lines.append(f"  {row['kind']:8}" + "".join(f"{text:>13}" for text in (*whole, *times, *rest)))
    for kind, ratio in per_node(found["rows"]).items():
        lines.append(f"  {kind}: a node of the largest costs {ratio:.2f} times one of the smallest")
    return "\n".join(lines)


def main() -> None:
    if sys.argv[1:2] == ["--work"]:
        print(json.dumps(work(sys.argv[2], int(sys.argv[3]))))
        return
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="write the figures here as well")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it runs")
    parser.add_argument("--rounds", type=int, default=5, help="of the first row")
    options = parser.parse_args()
    found = measure(options.quick, options.rounds)
    print(table(found))
    if options.json:
        Path(options.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
