"""The search for the backward pass of an engine, by trying: how it is started, where gradients are.

Several ways may run.  The one is taken whose gradients are right on the simplest graphs, because a wrong
way of asking is not a wrong engine.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from . import op_spellings
from .adapter import Adapter, number_of, own_attributes
from .message_text import cut, describe

if TYPE_CHECKING:
    from .wire_data import BackwardData, EntryData, PinsData, Way

    Trial = tuple[str, tuple[float, float], tuple[float, float]]  # an op, numbers, and their gradients

__all__ = ["NotAnEngineError", "find_entry"]

A, B, C = 3.25, 5.5, -1.75  # numbers that meet nowhere by chance
TRIALS: tuple[Trial, ...] = (
    ("mul", (A, B), (B, A)),
    ("add", (A, B), (1.0, 1.0)),
)


UPSTREAM = {  # what the gradient that a pass starts from may be called, beside its usual names
    "seed", "upstream", "incoming", "dout", "dy", "dz", "dl", "delta", "init", "initial", "start", "v", "w",
    "cotangent", "error", "out", "output", "outgoing", "value", "val", "x", "y", "z", "other", "loss", "root",
}  # fmt: skip


NOTHING = -0.5  # of a pass that runs and leaves no gradient anywhere; -1 is one that does not run


class NotAnEngineError(Exception):
    """No way was found to use it; `code` says what was missing, for the report."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code, detail)
        self.code, self.detail = code, detail


def find_entry(adapter: Adapter, pins: PinsData) -> tuple[float, EntryData]:
    """How the pass is started and where gradients are then."""
    trials = [trial for trial in TRIALS if "vv" in adapter.plan["ops"].get(trial[0], {})]
    if not trials:
        raise NotAnEngineError("ops", adapter.plan["class"])
    best: tuple[float, EntryData] | None = None
    named: tuple[float, EntryData] | None = None  # the best of those that the author calls backward
    errors: dict[str, str] = {}  # what the author's own pass said when it failed
    for entry in _entries(adapter, pins, trials[0]):
        score = sum(_try(adapter, entry, trial, errors) for trial in trials) / len(trials)
        if _try_deeper(adapter, entry, trials[0][0]) <= 0.0:
            score = min(score, 0.05)
        if best is None or score > best[0]:
            best = score, entry
        if score >= NOTHING and _is_called_backward(adapter, entry) and (named is None or score > named[0]):
            named = score, entry
        if score >= 1.0:
            break
    if (best is None or best[0] <= 0.05) and _forward_mode(adapter, trials[0], pins):
        raise NotAnEngineError("forward", adapter.plan["class"])
    if best is not None and best[0] <= 0.05 and named is not None:
        return named  # it runs, and nothing comes of it: that is what is wrong
    if best is not None and best[0] >= 0.0 and (best[0] > 0.05 or _is_own(adapter, best[1]["backward"])):
        return best
    failed = next(iter(errors.values()), "")
    walked = _walked(adapter, trials[0], pins)
    if walked is None:
        raise NotAnEngineError("raises" if failed else "backward", failed or adapter.plan["class"])
    if failed:
        adapter.plan["broken"]["backward"] = failed
    return walked


def _forward_mode(adapter: Adapter, trial: Trial, pins: PinsData) -> bool:
    """Has the output a derivative before any pass?  Then they are carried along, as in dual numbers."""
    adapter.begin()
    leaf, other = adapter.leaf(A), adapter.leaf(B)
    root = adapter.apply(trial[0], [leaf, other], "vv")
    for how, blank in _grad_ways(leaf, root, adapter, pins):
        if how[0] == "attribute" and is_gradient(how[1]) and blank:
            carried = number_of(getattr(root, how[1], None))
            if carried is not None and carried not in (0.0, blank):
                return True
    return False


def _is_own(adapter: Adapter, entry: BackwardData) -> bool:
    """Is it a pass that the engine's author wrote, and not one node's closure?"""
    if entry["on"] != "value":
        return entry["on"] != "none"
    return hasattr(adapter.cls, entry["name"]) and not entry["name"].startswith("_")


def _is_called_backward(adapter: Adapter, entry: EntryData) -> bool:
    """Is it a pass by the name that its author gave it?"""
    way = entry["backward"]
    if not _is_own(adapter, way) or way.get("given", []) not in ([], ["<root>"]):
        return False
    name = op_spellings.plain(way["name"].rpartition(":")[2].rpartition(".")[2])
    return "back" in name and (name in _BACKWARD or _looks(name))


def _entries(adapter: Adapter, pins: PinsData, trial: Trial) -> Iterator[EntryData]:
    adapter.begin()
    leaf = adapter.leaf(A)
    other = adapter.leaf(B)
    root = adapter.apply(trial[0], [leaf, other], "vv")
    ways = list(_passes(adapter, root, pins))
    grads = _grad_ways(leaf, root, adapter, pins)
    for seed in (False, True) if pins.get("seed") != "caller" else (True,):
        for way in ways:
            for grad, blank in grads:
                if grad[0] == "asked" or (grad[0] == "method" and grad[1] == way["name"]):
                    continue
                if seed and grad[0] not in ("attribute", "property"):
                    continue
                yield {"backward": {**way, "seed": seed}, "grad": grad, "blank": blank}
    for grad, _blank in grads:  # pull style: the leaf is asked, and asks its consumers
        if grad[0] == "method":
            for name, it in own_attributes(root).items():
                if (it is None or number_of(it) is not None) and is_gradient(name):
                    yield {
                        "backward": {"on": "none", "seed": True, "into": ["attribute", name]},
                        "grad": grad,
                        "blank": None,
                    }
            yield {"backward": {"on": "none"}, "grad": grad, "blank": None}
        elif grad[0] == "asked":  # loss.grad(a)
            yield {"backward": {"on": "none"}, "grad": grad, "blank": None}


def is_gradient(name: str) -> bool:
    plain = op_spellings.plain(name)
    if _clears(name) or plain.endswith(("fn", "function")):
        return False
    return any(part in plain for part in ("grad", "deriv", "adj", "bar", "autodiff")) or plain in (
        "g",
        "d",
        "dx",
    )


def _grad_ways(
    leaf: object, root: object, adapter: Adapter, pins: PinsData
) -> list[tuple[Way, float | None]]:
    """Where a gradient may be read, and what stands there before any pass."""
    found: list[tuple[Way, float | None]] = []
    if pins.get("grad"):
        name = pins["grad"].removesuffix("()")
        how = "method" if pins["grad"].endswith("()") or callable(getattr(leaf, name, None)) else "attribute"
        return [([how, name], None if how == "method" else number_of(getattr(leaf, name, None)))]
    own = [*op_spellings.GRAD, *(n for n in dir(leaf) if not n.startswith("__") and is_gradient(n))]
    own += [n for n, it in own_attributes(leaf).items() if it is None or (number_of(it) is not None)]
    for name in dict.fromkeys(own):
        it = getattr(leaf, name, leaf)
        if it is leaf or name == adapter.plan["data"][1]:
            continue
        if callable(it) and number_of(it) is None:
            if _arguments(it) == 0 and not _clears(name) and "back" not in name:
                found.append((["method", name], None))
        elif it is None or (number_of(it) is not None and not isinstance(it, bool)):
            found.append((["attribute", name], number_of(it)))
    found.append((["returned", ""], None))
    found += [(["asked", name], None) for name in _askable(root)]
    if adapter.tape is not None:
        found += [(["tape", name], None) for name in vars(adapter.tape) if is_gradient(name)]
    return found


def _askable(root: object) -> list[str]:
    """Methods of the root that take one node and may give its gradient."""
    named = [name for name in dir(root) if not name.startswith("__") and is_gradient(name)]
    return [n for n in named if callable(getattr(root, n, None)) and _arguments(getattr(root, n)) == 1]


def _passes(adapter: Adapter, root: object, pins: PinsData) -> Iterator[BackwardData]:
    module, names = adapter.module, [*op_spellings.BACKWARD]
    if pins.get("backward"):
        names = [pins["backward"]]
    ranked = {op_spellings.plain(name): place for place, name in enumerate(names)}

    def known(found: Iterable[str]) -> list[str]:
        mine = [
            n for n in found if op_spellings.plain(n) in ranked or (not pins.get("backward") and _looks(n))
        ]
        return sorted(mine, key=lambda n: (n.startswith("_"), ranked.get(op_spellings.plain(n), 99), n))

    usual = known(dir(root))
    usual += [n for n in dir(type(root)) if n not in usual and not pins.get("backward") and _may_be(root, n)]
    for name in usual:
        it = getattr(root, name, None)
        if callable(it) and not hasattr(object, name) and not _clears(name):
            for given in _given(it, root_too=False):
                yield {"on": "value", "name": name, "given": given, "seedable": _seedable(it)}
    for place, beside in adapter.modules.items():
        for name in known(vars(beside)):
            it = getattr(beside, name)
            if inspect.isfunction(it) and it.__module__ == beside.__name__ and not _clears(name):
                full = name if beside is module else f"{place}:{name}"
                for given in _given(it, root_too=True):
                    yield {"on": "function", "name": full, "given": given}
    for holder, it in vars(module).items():
        if isinstance(it, type) and it is not adapter.cls and it.__module__ == module.__name__:
            for name in known(vars(it)):
                if isinstance(vars(it)[name], staticmethod):
                    for given in _given(getattr(it, name), root_too=True):
                        yield {"on": "function", "name": f"{holder}.{name}", "given": given}
    if adapter.tape is not None:
        for name in known(dir(adapter.tape)):
            it = getattr(adapter.tape, name)
            if callable(it) and not _clears(name):
                for given in _given(it, root_too=True):
                    yield {"on": "tape", "name": name, "given": given}


_BACKWARD = {op_spellings.plain(name) for name in op_spellings.BACKWARD}
_OPS = {op_spellings.plain(name) for names in op_spellings.METHODS.values() for name in names}


def _may_be(root: object, name: str) -> bool:
    """A method that takes nothing and is no op may be the pass, whatever it is called, in any language."""
    it = getattr(type(root), name, None)
    if (
        name.startswith("__")
        or not inspect.isfunction(it)
        or op_spellings.plain(name) in _OPS
        or _clears(name)
    ):
        return False
    return _arguments(getattr(root, name)) == 0


def _looks(name: str) -> bool:
    plain = op_spellings.plain(name)
    return plain.startswith(("back", "calcgrad", "computegrad", "getgrad", "calculategrad", "dobackward"))


def _clears(name: str) -> bool:
    plain = op_spellings.plain(name)
    return any(part in plain for part in ("zero", "clear", "reset", "nograd", "require", "check", "numeric"))


def _arguments(function: Callable[..., object]) -> int:
    """How many arguments a call must have; 99 where that cannot be told."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 99
    return sum(
        p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters
    )


def _seedable(function: Callable[..., object]) -> bool:
    """Does it take an upstream gradient that may be left out?"""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return False
    if not parameters or parameters[0].default is parameters[0].empty:
        return False
    return is_gradient(parameters[0].name)


def _given(function: Callable[..., object], root_too: bool) -> list[list[object]]:
    """What a call may be given: the root, the leaves, a seed, and what its names ask for."""
    try:
        parameters = [
            p
            for p in inspect.signature(function).parameters.values()
            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty
        ]
    except (TypeError, ValueError):
        return [["<root>"]] if root_too else [[]]
    given: list[object] = []
    for place, parameter in enumerate(parameters):
        plain = op_spellings.plain(parameter.name)
        if root_too and place == 0:
            given.append("<root>")
        elif "visited" in plain or "seen" in plain:
            given.append("<set>")
        elif any(part in plain for part in ("topo", "order", "stack", "nodes")):
            given.append("<list>")
        elif any(part in plain for part in ("leaves", "params", "inputs", "wrt", "sources", "variables")):
            given.append("<leaves>")
        elif plain in ("retaingraph", "verbose"):
            given.append(False)
        elif is_gradient(parameter.name) or plain in UPSTREAM:
            given.append("<seed>")
        else:  # a count, a mode: whatever it is, the pass does not start from it
            given.append(1.0)
    ways = [given]
    if root_too and len(given) == 2 and given[0] == "<root>" and given[1] in ("<seed>", 1.0):
        ways += [["<root>", "<leaves>"], ["<leaves>", "<root>"]]
    if root_too and len(given) == 0:
        ways = [[]]
    return ways


def _try(adapter: Adapter, entry: EntryData, trial: Trial, errors: dict[str, str] | None = None) -> float:
    """How much of a small graph comes out right: 1 for all of it, 0 for no number.

    It is NOTHING where no gradient is there afterwards, and -1 where it does not run.
    """
    op, numbers, expected = trial
    try:
        with _using(adapter, entry):
            adapter.begin()
            leaves = [adapter.leaf(x) for x in numbers]
            root = adapter.apply(op, leaves, "vv")
            still = (
                [adapter.grad(leaf) for leaf in leaves]
                if entry["grad"][0] == "attribute"
                else [0.0] * len(leaves)
            )
            adapter.backward(root)
            grads = [adapter.grad(leaf) for leaf in leaves]
        if entry["backward"]["on"] == "value" and isinstance(adapter.returned, adapter.cls):
            return -1.0  # an op, and no pass
    except Exception as error:
        if errors is not None and _is_own(adapter, entry["backward"]) and not entry["backward"].get("given"):
            name = str(entry["backward"].get("name"))
            if op_spellings.plain(name) in _BACKWARD:
                errors.setdefault(name, cut(f"{name}: {describe(error)}"))
        return -1.0
    if all(grad is None for grad in grads):
        how, name = entry["grad"]
        return NOTHING if how == "attribute" and all(hasattr(leaf, name) for leaf in leaves) else -1.0
    right = sum(
        grad is not None and abs(grad - x) < 1e-4 * abs(x) for grad, x in zip(grads, expected, strict=True)
    )
    moved = any(grad is not None and grad != before for grad, before in zip(grads, still, strict=True))
    called_so = entry["grad"][1] in op_spellings.GRAD or is_gradient(entry["grad"][1])
    if entry["grad"][0] == "attribute" and not moved:
        return 0.0  # what stood there before is no result
    if not called_so and entry["grad"][0] == "attribute" and right < len(expected):
        return 0.0  # an index that happens to be 1
    return right / len(expected) if right else 0.1 * moved


def _try_deeper(adapter: Adapter, entry: EntryData, op: str) -> float:
    """0 where a gradient does not get past the first op: that is one node's own rule, not a pass."""
    try:
        with _using(adapter, entry):
            adapter.begin()
            a, b, c = (adapter.leaf(x) for x in (A, B, C))
            root = adapter.apply(op, [adapter.apply(op, [a, b], "vv"), c], "vv")
            blank = adapter.grad(a) if entry["grad"][0] == "attribute" else None
            adapter.backward(root)
            moved = any(adapter.grad(leaf) not in (None, 0.0, blank) for leaf in (a, b))
            return 1.0 if moved else 0.0
    except Exception:
        return -1.0


@contextmanager
def _using(adapter: Adapter, entry: EntryData) -> Iterator[None]:
    """The adapter's plan with one way to run the pass."""
    plan = adapter.plan
    plan["backward"], plan["grad"], plan["blank"] = entry["backward"], entry["grad"], entry["blank"]
    try:
        yield
    finally:
        del plan["backward"], plan["grad"], plan["blank"]


def _walked(adapter: Adapter, trial: Trial, pins: PinsData) -> tuple[float, EntryData] | None:
    """No pass of its own, but nodes with rules: they are called in a right order, so that these at least
    can be examined."""
    adapter.begin()
    leaf, other = adapter.leaf(A), adapter.leaf(B)
    root = adapter.apply(trial[0], [leaf, other], "vv")
    for children, among in own_attributes(root).items():
        try:
            if not any(one is leaf for one in cast("Iterable[object]", among)):
                continue
        except TypeError:
            continue
        for name, it in vars(root).items():
            if callable(it) and "back" in op_spellings.plain(name) and _arguments(it) == 0:
                for grad, blank in _grad_ways(leaf, root, adapter, pins):
                    if grad[0] != "attribute":
                        continue
                    way: BackwardData = {"on": "walk", "name": name, "children": children, "seed": True}
                    entry: EntryData = {"backward": way, "grad": grad, "blank": blank}
                    if _try(adapter, entry, trial) > 0:
                        return 0.5, entry
    return None
