"""Runs of probes on an engine: the output's number and the gradient of every leaf."""

from __future__ import annotations

import gc
import random
import signal
from collections.abc import Callable
from functools import partial
from time import monotonic, process_time, thread_time
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .adapter import Adapter, UnsupportedError, own_attributes
from .message_text import describe

if TYPE_CHECKING:
    from .wire_data import NodeRow, ProbeData, ResultData

T = TypeVar("T")

__all__ = ["TooSlowError", "run_probe", "shuffle_heap", "within"]

LONGEST = 25.0  # seconds on the clock for one call, whatever it may compute
BUSY = 10.0  # times as long as it may compute, a call may take on the clock
FIRST_LOOK = 2.0  # seconds on the clock until it is looked at
LOOK = 0.5  # and looked at again
IDLE = 1.5  # seconds that it may do nothing in from then on
HARDLY = 0.02  # of the time on the clock: who computes less does nothing
OURS = (__file__, Adapter.apply.__code__.co_filename)


class TooSlowError(BaseException):
    """A probe took longer than it may; not an Exception, so that `except Exception` lets it through."""


class _Rest:
    """How long this process has done nothing, though nothing kept it from doing something.

    On Linux it is told how long it has waited for a processor: that is the work of a busy machine, and a page
    or a file that is read from the disk is that of a slow one.  Elsewhere nothing is known.
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._clock, self._computed = monotonic(), process_time()
        self._waited, self._read = _waited(), _reads()

    def is_too_long(self) -> bool:
        passed = monotonic() - self._clock
        if process_time() - self._computed > HARDLY * passed or _reads() != self._read:
            self._begin()
            return False
        waited = _waited()
        return waited is not None and self._waited is not None and passed - waited + self._waited > IDLE


def _waited() -> float | None:
    """Seconds that this process was ready to run and was not run; None where nobody says so."""
    try:
        with open("/proc/self/schedstat", "rb") as file:
            ran, waited, _ = map(int, file.read().split())
    except (OSError, ValueError):
        return None
    return waited / 1e9 if ran else None


def _reads() -> tuple[int, int]:
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:  # a browser has none, and tells of no waiting either
        return 0, 0
    used = getrusage(RUSAGE_SELF)
    return used.ru_majflt, used.ru_inblock


def within(seconds: float, call: Callable[[], T]) -> T:
    """A call that may take so many seconds of processor time; TooSlowError when they are used up.

    A busy machine takes none of them away.  Who sleeps uses none either, so there is a second alarm, which
    looks from time to time whether anything is done, and rings at last in any case.
    """
    if not hasattr(signal, "setitimer"):
        return call()
    last, rest = monotonic() + max(seconds, min(BUSY * seconds, LONGEST)), list[_Rest]()

    def ring(_signum: int, _frame: FrameType | None) -> None:
        raise TooSlowError

    def look(_signum: int, _frame: FrameType | None) -> None:
        if not rest:  # most calls are over before the first look
            rest.append(_Rest())
        if monotonic() > last or rest[0].is_too_long():
            raise TooSlowError

    handlers = signal.signal(signal.SIGPROF, ring), signal.signal(signal.SIGALRM, look)
    counted = signal.setitimer(signal.ITIMER_PROF, seconds)
    # the alarm of the whole process, if it has one, is put back
    soon = min(FIRST_LOOK, last - monotonic())
    running = signal.setitimer(signal.ITIMER_REAL, soon, LOOK)
    try:
        return call()
    finally:
        signal.setitimer(signal.ITIMER_PROF, *counted)
        signal.setitimer(signal.ITIMER_REAL, *running)
        signal.signal(signal.SIGPROF, handlers[0])
        signal.signal(signal.SIGALRM, handlers[1])


def shuffle_heap(adapter: Adapter, rng: random.Random) -> list[object]:
    """Nodes that are made and partly dropped, so that the next ones lie elsewhere; keep what is returned."""
    junk = [adapter.leaf(float(i)) for i in range(rng.randrange(20, 200))]
    holes = [[object() for _ in range(rng.randrange(1, 30))] for _ in range(20)]
    rng.shuffle(junk)
    adapter.leaves = []
    return [junk[: len(junk) // 2], holes[::2]]


def run_probe(adapter: Adapter, probe: ProbeData) -> ResultData:
    """The numbers that a probe gave, or how it failed and where, and the seconds that it computed."""
    before, begun = gc.get_threshold(), thread_time()
    try:
        found = _outcome(adapter, probe)
        # A text of one length: of another, it might lie elsewhere, and with it the nodes of the next probe.
        return {**found, "seconds": f"{thread_time() - begun:016.9f}"}
    finally:
        if probe["kind"] == "chain":
            gc.set_threshold(*before)
            gc.collect()


def _outcome(adapter: Adapter, probe: ProbeData) -> ResultData:
    stage = ["forward"]
    try:
        kind = KINDS[probe["kind"]]
        return within(probe.get("seconds", 2.0), lambda: kind(adapter, probe, stage))
    except TooSlowError:
        return {"failed": "slow", "stage": stage[0]}
    except UnsupportedError as error:  # ours, or one that the engine raised to look like it
        failed = "missing" if _is_ours(error) else "raised"
        return {"failed": failed, "stage": stage[0], "detail": describe(error)}
    except RecursionError:
        return {"failed": "recursion", "stage": stage[0]}
    except MemoryError:
        return {"failed": "memory", "stage": stage[0]}
    except BaseException as error:  # sys.exit() and KeyboardInterrupt too: the process goes on
        return {
            "failed": "raised",
            "stage": stage[0],
            "detail": describe(error),
            "line": _line(error, adapter),
        }


def _is_ours(error: UnsupportedError) -> bool:
    """Was it raised by the adapter or by a probe, and not by the engine?"""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code.co_filename in OURS


def _line(error: BaseException, adapter: Adapter) -> int:
    """The last line of the examined file that an error passed through."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == adapter.module.__file__:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


# ---- graphs ---------------------------------------------------------------------------------------


def _build(
    adapter: Adapter, nodes: list[NodeRow], integer: bool = False, made: dict[str, object] | None = None
) -> list[object]:
    """Every node of a graph, in its order; `made` are leaves that exist already, by name."""
    built: list[Any] = []  # nodes of a class that nobody here knows, and plain numbers
    for op, args, name, number in nodes:
        if op == "input":
            given = (made or {}).get(name)
            built.append(adapter.leaf(number, integer) if given is None else given)
        elif op == "constant":
            built.append(int(number) if number == int(number) else number)
        elif op == "sum":
            built.append(sum(built[arg] for arg in args))
        else:
            operands = [built[arg] for arg in args]
            pattern = "".join("v" if adapter.is_node(x) else "k" for x in operands)
            if "v" not in pattern:
                operands[0] = adapter.leaf(operands[0])
                pattern = "v" + pattern[1:]
            built.append(adapter.apply(op, operands, pattern))
    return built


def _numbers(adapter: Adapter, nodes: list[NodeRow], built: list[object], root: int) -> ResultData:
    return {
        "value": adapter.data(built[root]),
        "grads": {
            row[2]: adapter.grad(node) for row, node in zip(nodes, built, strict=True) if row[0] == "input"
        },
    }


def _graph(adapter: Adapter, probe: ProbeData, stage: list[str]) -> ResultData:
    adapter.begin()
    nodes, root = probe["nodes"], probe["output"]
    built = _build(adapter, nodes, probe.get("integer", False))
    if not adapter.is_node(built[root]):  # a plain number came out: there is nothing to go back from
        found = _numbers_of_a_cut(adapter, nodes, built, root)
        return {**found, "cut": True}
    stage[0] = "backward"
    if probe.get("seed", 1.0) != 1.0 and not adapter.seeded:
        raise UnsupportedError("seed")
    if adapter.plan["backward"].get("seedable") and probe.get("seed", 1.0) != 1.0:
        getattr(built[root], adapter.plan["backward"]["name"])(probe["seed"])
    else:
        adapter.backward(built[root], probe.get("seed", 1.0))
    return _numbers(adapter, nodes, built, root)


def _numbers_of_a_cut(adapter: Adapter, nodes: list[NodeRow], built: list[object], root: int) -> ResultData:
    return {
        "value": adapter.data(built[root]),
        "grads": {row[2]: 0.0 for row in nodes if row[0] == "input"},
    }


def _chain(adapter: Adapter, probe: ProbeData, stage: list[str]) -> ResultData:
    """y = y + a, many times."""
    adapter.begin()
    # The last generation would be looked through again and again as the chain grows; run_probe does it once.
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, 1_000_000)
    leaf = adapter.leaf(1.0)
    root = leaf
    for _ in range(probe["depth"]):
        root = adapter.apply("add", [root, leaf], "vv")
    stage[0] = "backward"
    adapter.backward(root)
    return {"value": adapter.data(root), "grads": {"a": adapter.grad(leaf)}}


def _doubling(adapter: Adapter, probe: ProbeData, stage: list[str]) -> ResultData:
    """y = y + y: 2**depth paths."""
    adapter.begin()
    leaf = adapter.leaf(1.0)
    root = leaf
    for _ in range(probe["depth"]):
        root = adapter.apply("add", [root, root], "vv")
    stage[0] = "backward"
    adapter.backward(root)
    return {"value": adapter.data(root), "grads": {"a": adapter.grad(leaf)}}


def _leaf_alone(adapter: Adapter, probe: ProbeData, stage: list[str]) -> ResultData:
    adapter.begin()
    leaf = adapter.leaf(3.0)
    stage[0] = "backward"
    adapter.backward(leaf)
    return {"value": adapter.data(leaf), "grads": {"a": adapter.grad(leaf)}}


def _in_place(adapter: Adapter, probe: ProbeData, stage: list[str]) -> ResultData:
    """c = a*b; d = c; d += a; L = d*c.  Where += changes c itself, L is another function."""
    adapter.begin()
    a, b = adapter.leaf(3.0), adapter.leaf(2.0)
    c: Any = adapter.apply("mul", [a, b], "vv")
    d = c
    if probe["op"] == "add":
        d += a
    elif probe["op"] == "sub":
        d -= a
    elif probe["op"] == "mul":
        d *= a
    else:
        d /= a
    root = adapter.apply("mul", [d, c], "vv")
    stage[0] = "backward"
    adapter.backward(root)
    return {"value": adapter.data(root), "grads": {"a": adapter.grad(a), "b": adapter.grad(b)}}


def _two_graphs(adapter: Adapter, probe: ProbeData, stage: list[str]) -> ResultData:
    """Two losses one after the other, over shared leaves or a shared node in between.

    Between them the gradients of all that is used again are set back, as a training loop does it with its
    parameters; what is reported is the second loss.
    """
    adapter.begin()
    first, second = probe["graphs"]
    shared: dict[str, object] = {row[2]: None for row in first["nodes"] if row[0] == "input"}
    built = _build(adapter, first["nodes"])
    for row, node in zip(first["nodes"], built, strict=True):
        if row[2]:
            shared[row[2]] = node
    sizes = _sizes(adapter, built)
    adapter.backward(built[first["output"]])
    after = _sizes(adapter, built)
    if any(size and not after.get(place, 0) for place, size in sizes.items()):
        return {"failed": "freed", "stage": "backward"}
    stage[0] = "again"
    wanted = {row[2] for row in second["nodes"] if row[0] == "input"}
    for row, node in zip(first["nodes"], built, strict=True):
        if adapter.is_node(node) and row[2] in wanted:  # what the second loss uses again
            _carefully(partial(adapter.reset, node))
    again = _build(adapter, second["nodes"], made=shared)
    adapter.backward(again[second["output"]])
    return _numbers(adapter, second["nodes"], again, second["output"])


def _sizes(adapter: Adapter, built: list[object]) -> dict[object, int]:
    """How long the lists are that nodes and the module keep: a pass that empties them frees its graph."""
    lists: dict[object, object] = {
        (i, name): it
        for i, node in enumerate(built)
        if adapter.is_node(node)
        for name, it in own_attributes(node).items()
    }
    lists |= {name: it for name, it in vars(adapter.module).items() if not name.startswith("__")}
    return {
        place: len(cast("list[object]", it))
        for place, it in lists.items()
        if type(it) in (list, set, tuple, dict)
    }


def _carefully(write: Callable[[], None]) -> None:
    """What only the examiner writes is no fault of the engine's if it cannot be written."""
    try:
        write()
    except (AttributeError, TypeError, ValueError):
        raise UnsupportedError("written from outside") from None


def _twice(adapter: Adapter, probe: ProbeData, stage: list[str]) -> ResultData:
    """Two passes over one graph, nothing set back in between."""
    adapter.begin()
    built = _build(adapter, probe["nodes"])
    adapter.backward(built[probe["output"]])
    once = _numbers(adapter, probe["nodes"], built, probe["output"])["grads"]
    stage[0] = "again"
    adapter.backward(built[probe["output"]])
    return {**_numbers(adapter, probe["nodes"], built, probe["output"]), "once": once}


def _mutated(adapter: Adapter, probe: ProbeData, stage: list[str]) -> ResultData:
    """A leaf's data is written between forward and backward."""
    adapter.begin()
    built = _build(adapter, probe["nodes"])
    _carefully(lambda: adapter.write(built[0], adapter.plan["data"], probe["written"]))
    stage[0] = "backward"
    adapter.backward(built[probe["output"]])
    return _numbers(adapter, probe["nodes"], built, probe["output"])


def _unknown(adapter: Adapter, probe: ProbeData, stage: list[str]) -> ResultData:
    """An op that nobody here knows: its gradient, and its values around the point."""

    def value(x: float) -> float | None:
        adapter.begin()
        return adapter.data(getattr(adapter.leaf(x), probe["op"])())

    at, steps = probe["written"], (1e-4, 5e-5)
    around = [[value(at + step), value(at - step)] for step in steps]
    adapter.begin()
    leaf, factor = adapter.leaf(at), adapter.leaf(probe["seed"])
    made = getattr(leaf, probe["op"])()
    root = adapter.apply("mul", [made, factor], "vv")
    stage[0] = "backward"
    adapter.backward(root)
    return {
        "value": adapter.data(made),
        "grads": {"a": adapter.grad(leaf)},
        "around": around,
        "steps": list(steps),
    }


KINDS: dict[str, Callable[[Adapter, ProbeData, list[str]], ResultData]] = {
    "graph": _graph,
    "chain": _chain,
    "doubling": _doubling,
    "leaf": _leaf_alone,
    "in-place": _in_place,
    "two": _two_graphs,
    "twice": _twice,
    "mutated": _mutated,
    "unknown": _unknown,
}
