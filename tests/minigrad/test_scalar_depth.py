"""A graph hundreds of thousands of nodes deep, on the default stack.

Everything that walks a graph is taken through it in one fresh process, which would die of a
RecursionError or of a stack overflow in C if any step recursed.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

DEEP = 270_000  # a frame of 32 bytes each would be more than a stack of 8 MB holds

PROGRAM = """
import copy, gc, json, pickle, resource, sys, weakref
from time import perf_counter

depth = int(sys.argv[1])
gc.disable()  # the collector would only visit all these living nodes again and again
from minigrad import Graph, Value, grad, trace
from minigrad.graph.paths import paths

report, clock = {"limit": sys.getrecursionlimit()}, [perf_counter()]

def done(step, **facts):
    now = perf_counter()
    report[step] = {"seconds": round(now - clock[0], 2), **facts}
    clock[0] = now

def chain():
    x = Value(1.0, label="x")
    y = x
    for i in range(depth):
        y = -y if i % 2 else y + x  # alternately, so that every other node has a message for x
    return x, y

x, y = chain()
done("build", value=y.data)
y.backward()
done("backward", grad=x.grad)
y.backward()
done("backward again", grad=x.grad)
report["repr"] = {"seconds": 0.0, "length": len(repr(y))}
y.zero_grad()
done("zero_grad", grad=x.grad)
done("grad", grad=grad(y, [x])[0])
x2, y2 = copy.deepcopy((x, y))
y2.backward()
done("deepcopy", grad=x2.grad, original=x.grad)
watched = weakref.ref(y2)
del x2, y2
done("free a copy", gone=watched() is None)
text = pickle.dumps((x, y), -1)
done("pickle")
x3, y3 = pickle.loads(text)
del text
y3.backward()
done("unpickle", grad=x3.grad)
del x3, y3
done("free another")
graph = Graph.of(y)
done("graph", nodes=len(graph), first=len(next(graph.orders())))
watched = weakref.ref(y)
del x, y
done("free", gone=watched() is None)
record = trace(graph)
done("trace", grad=record.gradients["x"])
found = paths(record, keep=2)[graph.index("x")]
done("paths", count=found.count, shortest=len(found.listed[0].nodes))
del found, record, graph
done("free the trace")
report["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps(report))
"""


@pytest.fixture(scope="module")
def report():
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, str(DEEP)], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stderr[-2000:]}"
    return json.loads(done.stdout)


def test_the_stack_was_the_default_one(report):
    assert report["limit"] == 1000


# y_0 = x and y -> -(y + x) gives y = -2x after an odd number of pairs and x after an even one.
EXPECTED = {1: 1.0, -1: -2.0}[1 if (DEEP // 2) % 2 == 0 else -1]


@pytest.mark.parametrize("step", ["backward", "grad", "deepcopy", "unpickle", "trace"])
def test_every_pass_reaches_the_bottom_with_the_right_gradient(report, step):
    assert report[step]["grad"] == EXPECTED


def test_the_chain_has_the_right_value(report):
    assert report["build"]["value"] == EXPECTED


def test_a_second_pass_adds_one_more_copy_and_zero_grad_clears_it(report):
    assert report["backward again"]["grad"] == 2 * EXPECTED
    assert report["zero_grad"]["grad"] == 0.0


def test_a_copy_is_another_graph(report):
    assert report["deepcopy"]["original"] == 0.0


def test_deep_graphs_are_freed_at_once_by_counting_references(report):
    assert report["free a copy"]["gone"]
    assert report["free"]["gone"]


def test_the_repr_of_a_deep_graph_is_short(report):
    assert report["repr"]["length"] < 60


def test_the_snapshot_has_every_node_and_one_valid_order_at_once(report):
    assert report["graph"] == report["graph"] | {"nodes": DEEP + 1, "first": DEEP}


def test_its_paths_are_counted(report):
    # one path for each addition, by its right argument, and the one along the whole chain; all are
    # as large, and the one that the pass meets first is the shortest: x, the last sum, its negative
    assert report["paths"] == report["paths"] | {"count": DEEP // 2 + 1, "shortest": 3}
