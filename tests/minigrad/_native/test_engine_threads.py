"""Threads and depth: many threads at once compute what one alone does, on any stack, in little memory.

Everything here is about the compiled engine; what is right is what the textbook computed, alone.

`pytest --graphs=100000` gives each thread more programs, and the chains ten times the length.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import subprocess
import sys
import threading
from contextlib import nullcontext
from queue import SimpleQueue
from weakref import ref

import pytest

from engine_pair import ENGINES, NATIVE, PLAIN, Engine, Program, difference
from threads import in_threads

THREADS = 16
BYTES_PER_NODE = 120


@pytest.fixture
def long_run(request) -> bool:
    return request.config.getoption("graphs") >= 100_000


# ---- many at once ---------------------------------------------------------------------------------


def run(engine: Engine, number: int, paused: bool):
    with engine.no_grad() if paused else nullcontext():
        return Program(engine, f"{number} in a thread").run()


def digest(engine: Engine, number: int, paused: bool) -> bytes:
    return hashlib.blake2b(repr(run(engine, number, paused)).encode(), digest_size=16).digest()


def strays(engine: Engine, expected: dict[tuple[int, bool], bytes], numbers: list[int]) -> list[str]:
    """The programs that did something else in one of 16 threads.  Every other thread is inside no_grad."""
    found = []

    def work(who: int) -> None:
        mine = random.Random(who).sample(numbers, len(numbers))  # each in another order
        for number in mine:
            if digest(engine, number, who % 2 == 1) != expected[number, who % 2 == 1]:
                found.append(f"program {number} in thread {who}")

    in_threads(work, THREADS)
    return found


def test_sixteen_threads_compute_what_the_textbook_computes_alone(long_run):
    numbers = list(range(10_000 if long_run else 100))
    expected = {(n, paused): digest(PLAIN, n, paused) for n in numbers for paused in (False, True)}
    assert strays(NATIVE, expected, numbers) == []
    for number in numbers[:20]:  # and it is the whole record that was compared
        assert difference(run(NATIVE, number, False), run(PLAIN, number, False)) is None


def test_a_thread_that_computes_something_else_is_found():
    numbers = list(range(20))
    expected = {(n, paused): digest(PLAIN, n, paused) for n in numbers for paused in (False, True)}
    expected[7, True] = b"something else"
    found = strays(NATIVE, expected, numbers)
    assert sorted(found) == sorted(f"program 7 in thread {who}" for who in range(1, THREADS, 2))


def test_a_block_of_one_thread_is_not_one_of_another():
    """Half of the threads open and close blocks all the time; the others record every op."""
    wrong = []

    def work(who: int) -> None:
        x = NATIVE.Value(2.0)
        for _ in range(2000):
            if who % 2:
                with NATIVE.no_grad():
                    if (x * x).requires_grad:
                        wrong.append(who)
            if not (x * x).requires_grad or not (2.0 - x.exp()).requires_grad:
                wrong.append(who)

    in_threads(work, THREADS)
    assert wrong == []


def test_threads_that_share_leaves_lose_no_message():
    """A pass does not stop half-way: gradients of shared leaves add up to what they should."""
    shared = [NATIVE.Value(1.0) for _ in range(20)]
    passes = 200

    def work(who: int) -> None:
        for _ in range(passes):
            y = shared[0]
            for leaf in shared[1:]:
                y = y * leaf
            y.backward()

    in_threads(work, THREADS)
    assert [leaf.grad for leaf in shared] == [float(THREADS * passes)] * len(shared)


def test_nodes_of_one_thread_can_be_dropped_by_another():
    """Chains are built here and freed there."""
    queue: SimpleQueue = SimpleQueue()
    told, watch = [], []

    def work(who: int) -> None:
        for _ in range(50):
            if who % 2:
                leaf = y = NATIVE.Value(1.0)
                for _ in range(200):
                    y = y * 1.5
                watch.append(ref(leaf, lambda _: told.append(1)))
                del leaf
                queue.put([y])
                del y
            else:
                root = queue.get().pop()
                root.backward()
                del root

    in_threads(work, THREADS)
    assert [leaf() for leaf in watch] == [None] * 50 * (THREADS // 2)
    assert len(told) == len(watch)


@pytest.mark.parametrize("engine", ENGINES, ids=[engine.name for engine in ENGINES])
@pytest.mark.parametrize("last_words", ["of a weak reference", "of __del__"])
@pytest.mark.parametrize("name", ["Value", "Free"])
def test_a_graph_is_gone_at_once_while_another_thread_is_busy_freeing_one(engine, last_words, name):
    """Last words may take their time; what other threads drop does not wait for them."""
    busy, done, gone = threading.Event(), threading.Event(), []
    kind = engine.classes.get(name, engine.Value)

    def slow(*_: object) -> None:
        busy.set()
        done.wait(30)

    class Slow(engine.Value):
        def __del__(self):
            slow()

    def drop() -> None:
        x = kind(1.0) if last_words == "of a weak reference" else Slow(1.0)
        watched = ref(x, slow) if last_words == "of a weak reference" else ref(x)
        y = engine.Value(2.0) * x
        del x, y
        gone.append(watched() is None)

    thread = threading.Thread(target=drop)
    thread.start()
    assert busy.wait(30)
    x = kind(1.0)
    y = x * 2.0
    watched = ref(x), ref(y)
    del x, y
    gone += [watched[0]() is None, watched[1]() is None]
    done.set()
    thread.join()
    assert gone == [True] * 3


@pytest.mark.parametrize("engine", ENGINES, ids=[engine.name for engine in ENGINES])
def test_a_graph_is_gone_at_once_when_a_callback_drops_it(engine):
    """Freeing inside of freeing."""
    gone = []

    def drop_another(_: object) -> None:
        x = engine.Value(1.0)
        y = x * 2.0
        inner = ref(x), ref(y)
        del x, y
        gone.extend(node() is None for node in inner)

    x = engine.Value(1.0)
    watched = ref(x, drop_another)
    y = x * 2.0
    del x, y
    assert (watched(), gone) == (None, [True, True])


# ---- as deep as one likes -------------------------------------------------------------------------

CHAIN = """
import gc, json, sys, threading, weakref
from minigrad import ENGINE, Value
assert ENGINE == "native"
depth, stack = int(sys.argv[1]), int(sys.argv[2])
gc.disable()  # nothing here is in a cycle
report = {}

def chain():
    x = Value(1.0)
    y = x
    for i in range(depth):
        y = -y if i % 2 else y + x
    return x, y

def work():
    x, y = chain()
    report["value"] = y.data
    y.backward()
    report["grad"] = x.grad
    y.zero_grad()
    report["zero"] = x.grad
    watched = weakref.ref(x), weakref.ref(y)
    del x, y
    report["gone"] = [ref() is None for ref in watched]

if stack:
    threading.stack_size(stack)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
else:
    work()
print(json.dumps(report))
"""


def natively(program: str, *words: object, stack: int | None = None) -> dict:
    """What a program prints, run on the compiled engine in a process of its own."""
    environment = {name: x for name, x in os.environ.items() if name != "MINIGRAD_PURE"}
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, words)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        preexec_fn=stack and (lambda: resource.setrlimit(resource.RLIMIT_STACK, (stack, stack))),
    )
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stderr[-2000:]}"
    return json.loads(done.stdout)


def depth(long_run: bool) -> int:
    return 10_000_000 if long_run else 1_000_000


# y_0 = x and y -> -(y + x) gives x again after an even number of pairs
RIGHT = {"value": 1.0, "grad": 1.0, "zero": 0.0, "gone": [True, True]}


def test_a_thread_with_a_small_stack_builds_walks_and_frees_a_deep_chain(long_run):
    assert natively(CHAIN, depth(long_run), 512 * 1024) == RIGHT


def test_so_does_the_main_thread_with_the_usual_stack(long_run):
    assert natively(CHAIN, depth(long_run), 0, stack=8 * 1024 * 1024) == RIGHT


OTHER_CHAINS = """
import gc, json, sys, threading, weakref
import numpy
from minigrad import ENGINE, Value, functions as F
assert ENGINE == "native"
depth = int(sys.argv[1])
report = {}

class Sub(Value):
    __slots__ = ()

class Free(Value):
    pass

def labelled(y, x):
    y = y + x
    y.label = "y"
    return y

def wide(y, x):
    return F.sum([y, x, x, x])

def hooked(y, x):
    y = y * x
    y.register_hook(lambda grad: None)
    return y

def by_rule(y, x):
    out = Value(y.data, (y,), "custom")
    def rule():
        y.grad += out.grad  # out and y: a cycle each
    out._backward = rule
    return out

def by_slopes(y, x):
    return Value(y.data, (y, x), (1.0, 0.0))

def held(y, x):
    out = Free(1.0)
    out.before = y  # not a child: a chain of attributes
    return out

def hooked_to(y, x):
    out = Value(1.0)
    out.register_hook(lambda grad: (y, None)[1])  # nor here: a chain of closures
    return out

def ruled_to(y, x):
    out = Value(1.0)
    out._backward = lambda: y  # and without a cycle
    return out

def written_to(y, x):
    out = Value(1.0)
    out.grad = [y]
    return out

def arrayed_to(y, x):
    out = Value(1.0)
    out.grad = numpy.empty(1, dtype=object)  # an array is no container to the collector
    out.grad[0] = y
    return out

def bound_to(y, x):
    out = Value(1.0)
    out._backward = y.detach  # a bound method, which CPython frees without a thought for depth
    return out

def work():
    for way, first in ((labelled, Value), (labelled, Sub), (labelled, Free), (wide, Value), (wide, Sub),
                       (hooked, Value), (by_rule, Value), (by_slopes, Value), (held, Value),
                       (hooked_to, Value), (ruled_to, Value), (written_to, Value), (bound_to, Value),
                       (arrayed_to, Value)):
        y = x = first(1.0)
        for i in range(depth):
            y = way(y, x)
        if y._children:
            y.backward()
        watched = weakref.ref(x)
        del x, y
        gc.collect()
        report[f"{way.__name__} {first.__name__}"] = watched() is None

threading.stack_size(512 * 1024)
thread = threading.Thread(target=work)
thread.start()
thread.join()
print(json.dumps(report))
"""


def test_chains_of_every_kind_of_node_are_walked_and_freed_on_a_small_stack(long_run):
    report = natively(OTHER_CHAINS, 1_000_000 if long_run else 100_000)
    assert len(report) == 14
    assert set(report.values()) == {True}, report


# ---- memory ---------------------------------------------------------------------------------------

MEMORY = """
import json, os, sys
from minigrad import ENGINE, Value
assert ENGINE == "native"
count, hold = int(sys.argv[1]), int(sys.argv[2])

def kilobytes(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name + ":"))

def chain(n):
    x = y = Value(1.0)
    kept = []
    for i in range(n):
        y = y + x
        if hold:
            kept.append(float(i))
    y.backward()
    return x.grad

chain(10)
before = kilobytes("VmRSS")
grad = chain(count)
peak = kilobytes("VmHWM")
print(json.dumps({"grad": grad, "bytes": (peak - before) * 1024 / count}))
"""


def test_a_node_costs_at_most_120_bytes_all_told():
    """The peak over building and walking a chain of two million nodes."""
    report = natively(MEMORY, 2_000_000, 0)
    assert report["grad"] == 2_000_001.0
    assert 90 < report["bytes"] <= BYTES_PER_NODE


def test_what_is_held_beside_the_nodes_is_seen_by_that_measurement():
    assert natively(MEMORY, 2_000_000, 1)["bytes"] > BYTES_PER_NODE
