"""The witness of HIPS autograd: the same graph in plain floats through its NumPy, and its own backward."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING
from warnings import catch_warnings, simplefilter

from ...ops import MANY, OPS
from ..case import Case
from ..definitions import CannotError
from ..testimony import Statement
from .libraries import estimate, its_function, of_a_library

if TYPE_CHECKING:
    from autograd.tracer import Box

__all__ = ["witness"]

NAME = "autograd"


@of_a_library(NAME, extra="court", largest=5_000)
def witness(case: Case) -> Statement:
    import autograd
    import autograd.numpy

    root = SimpleNamespace(numpy=autograd.numpy, scipy=_scipy(case))
    with catch_warnings():
        simplefilter("ignore")  # NumPy's remarks about infinities
        return _run(autograd, root, case)


def _scipy(case: Case) -> SimpleNamespace | None:
    """Its wrapper of SciPy, loaded only for a graph that needs it."""
    ops = {node.op for node in case.graph.nodes} & OPS.keys()
    if not any(OPS[op].foreign.get("autograd", "").startswith("scipy.") for op in ops):
        return None
    try:
        return SimpleNamespace(special=import_module("autograd.scipy.special"))
    except ImportError:
        return None


def _run(autograd: ModuleType, root: SimpleNamespace, case: Case) -> Statement:
    graph = case.graph
    places = [graph.index(name) for name in case.names]
    doing = [""]  # the op that is being called, for the complaint

    def output(numbers: tuple[Box, ...]) -> Box:
        given = dict(zip(places, numbers, strict=True))
        built: list[Box] = []
        for i, node in enumerate(graph.nodes[: graph.output + 1]):
            doing[0] = node.op
            if node.args:
                built.append(_op(root, node.op, [built[arg] for arg in node.args]))
            else:
                built.append(given[i] if i in given else autograd.numpy.float64(case.values[i]))
        return built[graph.output]

    start = tuple(autograd.numpy.float64(case.values[i]) for i in places)
    try:
        pull, value = autograd.make_vjp(output)(start)
        grads = pull(autograd.numpy.float64(1.0))
    except NotImplementedError as error:  # VJP of power wrt argnums 0 not defined
        raise CannotError("op", _named_in(str(error)) or doing[0]) from None
    except KeyError:  # none for this argument: the bounds of clip
        raise CannotError("op", doing[0]) from None
    slopes = {name: estimate(float(grad)) for name, grad in zip(case.names, grads, strict=True)}
    return Statement(NAME, estimate(float(value)), slopes)


def _named_in(complaint: str) -> str:
    """The op that a complaint is about, by our name."""
    words = complaint.split()
    its = words[2] if words[:2] == ["VJP", "of"] and len(words) > 2 else ""
    return next((op.name for op in OPS.values() if op.foreign.get("numpy") == its), its)


def _op(root: SimpleNamespace, op: str, xs: list[Box]) -> Box:
    function = its_function("autograd", root, op)
    np = root.numpy
    if op == "where":
        return function(xs[0] != 0.0, xs[1], xs[2])
    if op == "dot":
        return function(np.array(xs[: len(xs) // 2]), np.array(xs[len(xs) // 2 :]))
    if OPS[op].arity[1] == MANY:
        return function(np.array(xs))
    if op in ("greater", "greater_equal", "less", "less_equal"):
        return np.float64(function(*xs))
    return function(*xs)
