"""How an engine is used, found by trying: its leaves, its numbers, its ops, its backward pass.

Nothing here judges.  A way of using the engine is taken when it runs; where several run, the one whose
gradients are right on the simplest graphs, because a wrong way of asking is not a wrong engine.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from . import spellings
from .adapter import Adapter, UnsupportedError, number_of, read
from .loading import Missing

__all__ = ["NotAnEngineError", "find"]

A, B, C = 3.25, 5.5, -1.75  # numbers that meet nowhere by chance
TRIALS = (
    ("mul", (A, B), (B, A)),
    ("add", (A, B), (1.0, 1.0)),
)
FILLED = {  # further arguments of a constructor, by what their name holds
    "requiresgrad": True, "requiregrad": True, "trainable": True, "needsgrad": True,
    "requiresgradient": True, "isleaf": True, "isparam": True, "isparameter": True, "track": True,
    "tape": "<tape>", "graph": "<tape>",
    "children": "<tuple>", "parents": "<tuple>", "prev": "<tuple>", "inputs": "<tuple>",
    "operands": "<tuple>", "args": "<tuple>", "deps": "<tuple>", "dependencies": "<tuple>",
    "localgrads": "<tuple>",
    "op": "", "operation": "", "operator": "", "label": "", "name": "", "grad": 0.0, "gradient": 0.0,
    "backward": "<function>", "gradfn": "<function>", "dtype": "float64",
}  # fmt: skip
WHETHER = {
    "requiresgrad",
    "requiregrad",
    "trainable",
    "needsgrad",
    "requiresgradient",
    "isparam",
    "isparameter",
    "track",
}


class NotAnEngineError(Exception):
    """No way was found to use it; `code` says what was missing, for the report."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code, detail)
        self.code, self.detail = code, detail


def find(
    module: Any, pins: dict[str, Any], classes: list[str], rooms: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The plan of the first class that can be used as an engine; NotAnEngineError where there is none."""
    troubles: list[NotAnEngineError] = []
    best: tuple[float, dict[str, Any]] | None = None
    for name in classes:
        if not isinstance(getattr(module, name, None), type):
            troubles.append(NotAnEngineError("class", name))
            continue
        try:
            score, plan = _plan(module, name, pins, rooms or {})
        except NotAnEngineError as trouble:
            troubles.append(trouble)
            continue
        if best is None or score > best[0]:
            best = score, plan
        if score >= 1.0:
            break
    if best is not None:
        return best[1]
    raise troubles[0] if troubles else NotAnEngineError("class")


def _plan(
    module: Any, name: str, pins: dict[str, Any], rooms: dict[str, Any]
) -> tuple[float, dict[str, Any]]:
    troubles: list[NotAnEngineError] = []
    for leaf, tape in _leaf_ways(module, name, pins):
        plan: dict[str, Any] = {"class": name, "leaf": leaf, "tape": tape, "data": None, "ops": {}}
        adapter = Adapter(module, plan)
        adapter.rooms |= rooms
        try:
            adapter.begin()
            node = adapter.leaf(A)
            plan["data"] = _data(node, pins)
            plan["ops"] = _ops(adapter)
            if not plan["ops"].keys() & {"add", "mul"}:
                raise NotAnEngineError("ops", _why(plan["broken"]) or name)
            score, entry = _entry(adapter, pins)
        except NotAnEngineError as found:
            troubles.append(found)
            continue
        except Exception as error:
            troubles.append(NotAnEngineError("leaf", f"{name}: {type(error).__name__}: {error}"))
            continue
        plan.update(entry)
        own = plan["backward"]["on"] in ("value", "function", "tape")
        if own and plan["backward"].get("seed") and not pins.get("caller seeds"):
            plan["backward"]["seed"] = False  # then it is the pass that forgets the seed
        return score, plan
    raise troubles[0] if troubles else NotAnEngineError("leaf", name)


def _why(broken: dict[str, str]) -> str:
    """What the simplest op said when it failed."""
    return next((broken[key] for key in ("add vv", "mul vv") if key in broken), "")


# ---- leaves ---------------------------------------------------------------------------------------


def _leaf_ways(module: Any, name: str, pins: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str | None]]:
    cls = getattr(module, name)
    tapes = [found for found, it in vars(module).items() if found != name and _may_be_a_tape(found, it)]
    tapes.sort(key=lambda found: not isinstance(getattr(module, found), type))
    for wrap in ("", "array", "list"):
        try:
            keywords, named, wants_tape = _keywords(cls)
        except NotAnEngineError:
            keywords, named, wants_tape = {}, "", False
        leaf = {"how": "class", "keywords": {**keywords, **pins.get("arguments", {})}, "wrap": wrap}
        if named:
            leaf["named"] = named
        if wants_tape:
            for tape in tapes:
                yield leaf, tape
        else:
            yield (
                leaf,
                tapes[0] if tapes and isinstance(getattr(module, tapes[0]), type) and wants_tape else None,
            )
    for tape in tapes:
        it = getattr(module, tape)
        for method in (
            "var",
            "variable",
            "value",
            "leaf",
            "input",
            "new",
            "constant",
            "push",
            "add_variable",
        ):
            if hasattr(it, method):
                yield {"how": "tape", "name": method, "keywords": {}}, tape
    for function in ("var", "variable", "value", "leaf", "scalar", "parameter", "make", "node", "Var"):
        if callable(getattr(module, function, None)) and getattr(module, function) is not cls:
            yield {"how": "function", "name": function, "keywords": {}}, None


def _may_be_a_tape(name: str, it: Any) -> bool:
    if name.startswith("__") or not any(word in name.lower() for word in ("tape", "graph")):
        return False
    if inspect.ismodule(it) or inspect.isroutine(it) or isinstance(it, Missing):
        return False
    return isinstance(it, type) or hasattr(it, "__dict__")


def _keywords(cls: type) -> tuple[dict[str, Any], str, bool]:
    """What a constructor needs beside the number, the keyword of the number if it has to be one, and
    whether a tape is wanted."""
    try:
        parameters = list(inspect.signature(cls).parameters.values())
    except (TypeError, ValueError):
        return {}, "", False
    keywords: dict[str, Any] = {}
    named, wants_tape, first = "", False, True
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            first = False
            continue
        plain = spellings.plain(parameter.name)
        if first and plain not in ("tape", "graph"):
            first = False
            if parameter.kind is parameter.KEYWORD_ONLY:
                named = parameter.name
            continue
        known = next((key for key in FILLED if key in plain), None)
        if known in ("tape", "graph") and parameter.default is parameter.empty:
            wants_tape = True
            keywords[parameter.name] = "<tape>"
            if first:
                named = next(
                    (p.name for p in parameters if spellings.plain(p.name) in ("data", "value", "val", "x")),
                    "",
                )
        elif known in WHETHER and parameter.default is not True:
            keywords[parameter.name] = True
        elif parameter.default is parameter.empty:
            if known is None:
                raise NotAnEngineError("argument", parameter.name)
            keywords[parameter.name] = FILLED[known]
    if named:
        keywords.pop(named, None)
    return keywords, named, wants_tape


def _data(node: Any, pins: dict[str, Any]) -> list[str]:
    """Where a node keeps its number."""
    if pins.get("data"):
        return _how(node, pins["data"])
    names = [*spellings.DATA, *(name for name in _held(node) if name not in spellings.DATA)]
    for name in names:
        try:
            how = _how(node, name)
            if number_of(read(node, how)) == A:
                return how
        except Exception:
            continue
    raise NotAnEngineError("data", type(node).__name__)


def _how(node: Any, name: str) -> list[str]:
    found = getattr(node, name.removesuffix("()"))
    return [
        "method" if callable(found) and number_of(found) is None else "attribute",
        name.removesuffix("()"),
    ]


# ---- ops ------------------------------------------------------------------------------------------


def _ops(adapter: Adapter) -> dict[str, dict[str, list[str]]]:
    """For each op and each pattern of operands, a way to write it; what fails is kept with its reason."""
    found: dict[str, dict[str, list[str]]] = {}
    broken: dict[str, str] = {}
    for op in spellings.METHODS:
        patterns = ("vv", "vk", "kv") if spellings.ARITY.get(op) == 2 else ("v",)
        for pattern in patterns:
            for way in _ways(adapter, op, pattern):
                outcome = _works(adapter, way, op, pattern)
                if outcome == "":
                    found.setdefault(op, {})[pattern] = way
                    broken.pop(f"{op} {pattern}", None)
                    break
                if outcome != "-":
                    broken.setdefault(f"{op} {pattern}", outcome)
    adapter.plan["broken"] = broken
    return found


def _ways(adapter: Adapter, op: str, pattern: str) -> Iterator[list[str]]:
    """How it may be written, the usual ways first."""
    module, cls = adapter.module, adapter.cls
    if op in spellings.OPERATORS:
        dunder = spellings.REFLECTED[op] if pattern == "kv" else spellings.DUNDERS[op]
        if hasattr(cls, dunder):
            yield ["operator", op]
    wanted = [spellings.plain(name) for name in spellings.METHODS[op]]
    if op == "neg":
        wanted.remove("minus")
    if pattern != "kv":
        for name in sorted((n for n in dir(cls) if spellings.plain(n) in wanted), key=_rank(wanted)):
            if not name.startswith("__") and callable(getattr(cls, name)):
                yield ["method", name]
    for place, room in adapter.rooms.items():
        before = "" if room is module else f"{place}:"
        yield from ([how, before + name, *rest] for how, name, *rest in _ways_in(room, cls, wanted))
    for holder, it in vars(module).items():  # class F: @staticmethod def relu(x)
        if isinstance(it, type) and it is not cls and it.__module__ == module.__name__:
            for name, inner in vars(it).items():
                if spellings.plain(name) in wanted and isinstance(inner, staticmethod):
                    yield ["function", f"{holder}.{name}"]
    if adapter.tape is not None:
        for name in dir(adapter.tape):
            if spellings.plain(name) in wanted and callable(getattr(adapter.tape, name)):
                yield ["tape", name]


def _ways_in(room: Any, cls: type, wanted: list[str]) -> Iterator[list[str]]:
    """Functions and classes of a module that are called like the op."""
    for name in sorted((n for n in vars(room) if spellings.plain(n) in wanted), key=_rank(wanted)):
        it = getattr(room, name)
        if isinstance(it, type):
            if it is cls:
                continue
            if callable(getattr(it, "apply", None)):
                yield ["apply", name]
            if callable(getattr(it, "forward", None)) or "__call__" in vars(it):
                yield ["instance", name]
                yield ["instance", name, "forward"]
            yield ["made", name]
        elif callable(it) and getattr(it, "__module__", "") == room.__name__:
            yield ["function", name]
    suffixed = [w + s for w in wanted for s in ("op", "node", "function", "fn", "backward", "operation")]
    for name in sorted(n for n in vars(room) if spellings.plain(n) in suffixed):
        it = getattr(room, name)
        if isinstance(it, type) and callable(getattr(it, "apply", None)):
            yield ["apply", name]
        elif isinstance(it, type) and not name.lower().endswith("backward"):
            yield ["instance", name]
            yield ["made", name]


def _rank(wanted: list[str]) -> Any:
    return lambda name: (wanted.index(spellings.plain(name)), name.startswith("_"), name)


def _works(adapter: Adapter, way: list[str], op: str, pattern: str) -> str:
    """ "" where it gives a node, "-" where the engine refuses, else what went wrong."""
    numbers = (0.75, 0.5)
    adapter.begin()
    args = [adapter.leaf(x) if kind == "v" else 2 for kind, x in zip(pattern, numbers, strict=False)]
    try:
        result = adapter.call(way, args)
    except RecursionError:
        return "RecursionError"
    except (UnsupportedError, AssertionError, NotImplementedError):
        return "-"
    except Exception as error:
        return _refusal(error, op, pattern)
    if result is NotImplemented or result is None:
        return "-"
    if adapter.data(result) is None:
        return "-"
    return ""


def _refusal(error: Exception, op: str, pattern: str) -> str:
    """Is this how an engine says that it does not take such operands?"""
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, TypeError) and (op == "pow" or "argument" in text or "unsupported operand" in text):
        return "-"
    if "k" in pattern and isinstance(error, AttributeError) and ("'int'" in text or "'float'" in text):
        return "-"
    if isinstance(error, (TypeError, ValueError)) and _raised(error):
        return "-"
    return text


def _raised(error: Exception) -> bool:
    """Was it raised on purpose, by a `raise` of the examined source?"""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return False
    try:
        lines, first = inspect.getsourcelines(trace.tb_frame.f_code)
        return lines[trace.tb_lineno - first].lstrip().startswith("raise")
    except (OSError, IndexError):
        return False


# ---- the backward pass ----------------------------------------------------------------------------


def _entry(adapter: Adapter, pins: dict[str, Any]) -> tuple[float, dict[str, Any]]:
    """How the pass is started and where gradients are then."""
    trials = [trial for trial in TRIALS if "vv" in adapter.plan["ops"].get(trial[0], {})]
    if not trials:
        raise NotAnEngineError("ops", adapter.plan["class"])
    best: tuple[float, dict[str, Any]] | None = None
    for entry in _entries(adapter, pins, trials[0]):
        score = sum(_try(adapter, entry, trial) for trial in trials) / len(trials)
        if _try_deeper(adapter, entry, trials[0][0]) <= 0.0:
            score = min(score, 0.05)
        if best is None or score > best[0]:
            best = score, entry
        if score >= 1.0:
            break
    if best is None or (best[0] <= 0.05 and not _is_own(adapter, best[1]["backward"])):
        walked = _walked(adapter, trials[0], pins)
        if walked is not None:
            return walked
    if best is None or best[0] < 0.0:
        raise NotAnEngineError("backward", adapter.plan["class"])
    return best


def _is_own(adapter: Adapter, entry: dict[str, Any]) -> bool:
    """Is it a pass that the engine's author wrote, and not one node's closure?"""
    if entry["on"] != "value":
        return bool(entry["on"] != "none")
    return hasattr(adapter.cls, entry["name"]) and not entry["name"].startswith("_")


def _entries(adapter: Adapter, pins: dict[str, Any], trial: Any) -> Iterator[dict[str, Any]]:
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
            for name, it in _held(root).items():
                if (it is None or number_of(it) is not None) and _is_gradient(name):
                    yield {
                        "backward": {"on": "none", "seed": True, "into": ["attribute", name]},
                        "grad": grad,
                        "blank": None,
                    }
            yield {"backward": {"on": "none"}, "grad": grad, "blank": None}
        elif grad[0] == "asked":  # loss.grad(a)
            yield {"backward": {"on": "none"}, "grad": grad, "blank": None}


def _is_gradient(name: str) -> bool:
    plain = spellings.plain(name)
    if _clears(name) or plain.endswith(("fn", "function")):
        return False
    return any(part in plain for part in ("grad", "deriv", "adj", "bar", "autodiff")) or plain in (
        "g",
        "d",
        "dx",
    )


def _grad_ways(
    leaf: Any, root: Any, adapter: Adapter, pins: dict[str, Any]
) -> list[tuple[list[str], float | None]]:
    """Where a gradient may be read, and what stands there before any pass."""
    found: list[tuple[list[str], float | None]] = []
    if pins.get("grad"):
        name = pins["grad"].removesuffix("()")
        how = "method" if pins["grad"].endswith("()") or callable(getattr(leaf, name, None)) else "attribute"
        return [([how, name], None if how == "method" else number_of(getattr(leaf, name, None)))]
    own = [*spellings.GRAD, *(n for n in dir(leaf) if not n.startswith("__") and _is_gradient(n))]
    own += [n for n, it in _held(leaf).items() if it is None or (number_of(it) is not None)]
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
        found += [(["tape", name], None) for name in vars(adapter.tape) if _is_gradient(name)]
    return found


def _askable(root: Any) -> list[str]:
    """Methods of the root that take one node and may give its gradient."""
    named = [name for name in dir(root) if not name.startswith("__") and _is_gradient(name)]
    return [n for n in named if callable(getattr(root, n, None)) and _arguments(getattr(root, n)) == 1]


def _passes(adapter: Adapter, root: Any, pins: dict[str, Any]) -> Iterator[dict[str, Any]]:
    module, names = adapter.module, [*spellings.BACKWARD]
    if pins.get("backward"):
        names = [pins["backward"]]
    ranked = {spellings.plain(name): place for place, name in enumerate(names)}

    def known(found: Any) -> list[str]:
        mine = [n for n in found if spellings.plain(n) in ranked or (not pins.get("backward") and _looks(n))]
        return sorted(mine, key=lambda n: (n.startswith("_"), ranked.get(spellings.plain(n), 99), n))

    usual = known(dir(root))
    usual += [n for n in dir(type(root)) if n not in usual and not pins.get("backward") and _may_be(root, n)]
    for name in usual:
        it = getattr(root, name, None)
        if callable(it) and not name.startswith("__") and not _clears(name):
            for given in _given(it, root_too=False):
                yield {"on": "value", "name": name, "given": given, "seedable": _seedable(it)}
    for place, room in adapter.rooms.items():
        for name in known(vars(room)):
            it = getattr(room, name)
            if inspect.isfunction(it) and it.__module__ == room.__name__ and not _clears(name):
                full = name if room is module else f"{place}:{name}"
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


def _held(node: Any) -> dict[str, Any]:
    """The attributes that a node has of its own."""
    slots = [n for cls in type(node).__mro__ for n in getattr(cls, "__slots__", ()) if hasattr(node, n)]
    return {**{n: getattr(node, n) for n in slots}, **getattr(node, "__dict__", {})}


_OPS = {spellings.plain(name) for names in spellings.METHODS.values() for name in names}


def _may_be(root: Any, name: str) -> bool:
    """A method that takes nothing and is no op may be the pass, whatever it is called, in any language."""
    it = getattr(type(root), name, None)
    if name.startswith("__") or not inspect.isfunction(it) or spellings.plain(name) in _OPS or _clears(name):
        return False
    return _arguments(getattr(root, name)) == 0


def _looks(name: str) -> bool:
    plain = spellings.plain(name)
    return plain.startswith(("back", "calcgrad", "computegrad", "getgrad", "calculategrad", "dobackward"))


def _clears(name: str) -> bool:
    plain = spellings.plain(name)
    return any(part in plain for part in ("zero", "clear", "reset", "nograd", "require", "check", "numeric"))


def _arguments(function: Any) -> int:
    """How many arguments a call must have; 99 where that cannot be told."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 99
    return sum(
        p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters
    )


def _seedable(function: Any) -> bool:
    """Does it take an upstream gradient that may be left out?"""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return False
    if not parameters or parameters[0].default is parameters[0].empty:
        return False
    return _is_gradient(parameters[0].name)


def _given(function: Any, root_too: bool) -> list[list[Any]]:
    """What a call may be given: the root, the leaves, a seed, and what its names ask for."""
    try:
        parameters = [
            p
            for p in inspect.signature(function).parameters.values()
            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty
        ]
    except (TypeError, ValueError):
        return [["<root>"]] if root_too else [[]]
    given: list[Any] = []
    for place, parameter in enumerate(parameters):
        plain = spellings.plain(parameter.name)
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
        else:
            given.append("<seed>")
    ways = [given]
    if root_too and len(given) == 2 and given == ["<root>", "<seed>"]:
        ways += [["<root>", "<leaves>"], ["<leaves>", "<root>"]]
    if root_too and len(given) == 0:
        ways = [[]]
    return ways


def _try(adapter: Adapter, entry: dict[str, Any], trial: Any) -> float:
    """How much of a small graph comes out right: 1 for all of it, 0 for nothing, -1 if it does not run."""
    op, numbers, expected = trial
    adapter.plan.update(entry)
    try:
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
    except Exception:
        return -1.0
    finally:
        for key in entry:
            adapter.plan.pop(key, None)
    if all(grad is None for grad in grads):
        return -1.0
    right = sum(
        grad is not None and abs(grad - x) < 1e-4 * abs(x) for grad, x in zip(grads, expected, strict=True)
    )
    moved = any(grad is not None and grad != before for grad, before in zip(grads, still, strict=True))
    called_so = entry["grad"][1] in spellings.GRAD or _is_gradient(entry["grad"][1])
    if not called_so and entry["grad"][0] == "attribute" and right < len(expected):
        return 0.0  # an index that happens to be 1
    return right / len(expected) if right else 0.1 * moved


def _try_deeper(adapter: Adapter, entry: dict[str, Any], op: str) -> float:
    """0 where a gradient does not get past the first op: that is one node's own rule, not a pass."""
    adapter.plan.update(entry)
    try:
        adapter.begin()
        a, b, c = (adapter.leaf(x) for x in (A, B, C))
        root = adapter.apply(op, [adapter.apply(op, [a, b], "vv"), c], "vv")
        blank = adapter.grad(a) if adapter.plan["grad"][0] == "attribute" else None
        adapter.backward(root)
        moved = any(adapter.grad(leaf) not in (None, 0.0, blank) for leaf in (a, b))
        return 1.0 if moved else 0.0
    except Exception:
        return -1.0
    finally:
        for key in entry:
            adapter.plan.pop(key, None)


def _walked(adapter: Adapter, trial: Any, pins: dict[str, Any]) -> tuple[float, dict[str, Any]] | None:
    """No pass of its own, but nodes with rules: they are called in a right order, so that these at least
    can be examined."""
    adapter.begin()
    leaf, other = adapter.leaf(A), adapter.leaf(B)
    root = adapter.apply(trial[0], [leaf, other], "vv")
    for children, held in _held(root).items():
        try:
            if not any(one is leaf for one in held):
                continue
        except TypeError:
            continue
        for name, it in vars(root).items():
            if callable(it) and "back" in spellings.plain(name) and _arguments(it) == 0:
                for grad, blank in _grad_ways(leaf, root, adapter, pins):
                    if grad[0] != "attribute":
                        continue
                    way = {"on": "walk", "name": name, "children": children, "seed": True}
                    entry = {"backward": way, "grad": grad, "blank": blank}
                    if _try(adapter, entry, trial) > 0:
                        return 0.5, entry
    return None
