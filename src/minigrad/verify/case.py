"""The case on trial: an expression at a point, and the value and the gradients that somebody claims for it.

case_of("a*b + c", {"a": 2.0, "b": 3.0, "c": 4.0})         our own pass
case_of(lambda a, b: a*b + a, (2.0, 3.0))                   our own pass through a function
case_of(trace(graph, rule=mine))                            a pass that was walked already
case_of(graph, claimed={"a": 10.0})                         somebody else's numbers
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite
from random import Random
from typing import TypeAlias

from ..graph import CUSTOM, INPUT, Graph, Node
from ..graph.trace import Seed, Trace, trace
from ..language import parse
from ..scalar import Value
from ..text.excerpts import describe, listed
from ..text.printed_numbers import readings
from ..text.translation import say
from ..values.no_grad import enable_grad
from ..values.validation import number
from .tolerance import Doubts, doubts

__all__ = ["AFFORDABLE", "At", "Case", "Subject", "case_of", "through"]

Function: TypeAlias = Callable[..., object]  # of numbers; one that is tried gives a Value for Values
Subject: TypeAlias = str | Graph | Value | Trace | Function  # what can be tried
At: TypeAlias = Mapping[str, float] | Sequence[float] | float | None  # the inputs, by name or in order

AFFORDABLE = 400_000  # node evaluations in floats that one witness may take; dearer numbers get fewer


def through(names: Iterable[str]) -> dict[str, float]:
    """One fixed direction through many inputs."""
    random = Random(1)
    return {name: random.choice((-1.0, 1.0)) * random.uniform(0.5, 1.0) for name in names}


@dataclass(frozen=True)
class Case:
    """One pass, or one list of numbers, on trial."""

    pass_: Trace  # the right pass by our table, at this point
    at: Mapping[str, float]  # every input
    names: tuple[str, ...]  # the inputs whose gradients are on trial
    seed: float
    value: float | None  # the output's value on trial; None where nobody claims one
    gradients: Mapping[str, float]  # the gradients on trial
    slack: Mapping[str, float]  # for a number that was typed: half a unit of its last digit
    source: str  # "pass": our own; "backward": Value's; "trace": walked by somebody; "claim": numbers only
    walked: Trace | None = None  # for "trace": that one
    function: Callable[[Sequence[float]], float] | None = None  # the user's own, run on Values
    plainly: Callable[[Sequence[float]], float] | None = None  # the same on plain floats

    @property
    def graph(self) -> Graph:
        return self.pass_.graph

    @cached_property
    def values(self) -> tuple[float, ...]:
        """Our forward values, of every node."""
        return self.pass_.values

    @cached_property
    def doubts(self) -> Doubts:
        return doubts(self.graph, self.values)

    @cached_property
    def finite(self) -> bool:
        """Are all inputs finite?"""
        return all(map(isfinite, self.at.values()))

    @cached_property
    def unlike(self) -> bool:
        """Is the recorded graph another function than the user's own, close by?

        So it is where a number was read with .data, a branch depends on an input, or chance plays a part.
        """
        if self.function is None or self.custom is not None or not self.finite:
            return False
        for step in (2.0**-13, -(2.0**-13)):
            there = {name: x + step * max(1.0, abs(x)) * self._stride(name) for name, x in self.at.items()}
            ours: float = self.graph.evaluate(inputs=there)[self.graph.output]
            try:
                theirs = self.function(list(there.values()))
            except Exception:  # outside its domain
                continue
            near = abs(ours - theirs) <= 1e-9 * max(abs(ours), abs(theirs)) < inf
            if not (near or ours == theirs or (ours != ours and theirs != theirs)):
                return True
        return False

    def _stride(self, name: str) -> float:
        """Another length for each input, so that what two of them do does not cancel."""
        return abs(self.direction.get(name, 1.0))

    @property
    def overflowing(self) -> str:
        """The first node whose value is not finite."""
        return next(name for name, x in zip(self.graph.names, self.values, strict=True) if not isfinite(x))

    @cached_property
    def custom(self) -> str | None:
        """The name of a node that was made by hand, if there is one."""
        names = (
            name for node, name in zip(self.graph.nodes, self.graph.names, strict=True) if node.op == CUSTOM
        )
        return next(names, None)

    @cached_property
    def direction(self) -> dict[str, float]:
        """One direction through all inputs on trial, for graphs where one by one is too dear."""
        return through(self.names)

    def along(self, direction: Mapping[str, float]) -> Callable[[float], float]:
        """The output as a function of how far one goes in a direction."""

        def output(t: float) -> float:
            there = {name: x + t * direction.get(name, 0.0) for name, x in self.at.items()}
            value: float = self.graph.evaluate(inputs=there)[self.graph.output]
            return value

        return output

    def affordable(self, per_node: float, most: int = AFFORDABLE) -> bool:
        """Can a witness look at every input by itself, if that takes so many evaluations of each node?"""
        return len(self.names) == 1 or per_node * len(self.graph) * len(self.names) <= most

    def tolerance(self, name: str) -> float:
        """How far a right gradient may be off; `""` is the direction through all."""
        if not name:
            return sum(abs(way) * self.tolerance(each) for each, way in self.direction.items())
        return 2.0 * self.doubts.grads[self.graph.index(name)] * abs(self.seed)

    def leeway(self, name: str) -> float:
        """How far a claim may have been rounded when it was written down."""
        if not name:
            return sum(abs(way) * self.leeway(each) for each, way in self.direction.items())
        return self.slack.get(name, 0.0)

    def gross(self, name: str) -> float:
        """The size of the contributions to a gradient, without regard to sign."""
        if not name:
            return sum(abs(way) * self.gross(each) for each, way in self.direction.items())
        return self.doubts.gross[self.graph.index(name)] * abs(self.seed)

    @cached_property
    def value_tolerance(self) -> float:
        return 2.0 * self.doubts.values[self.graph.output]


# ---- from what a user has -----------------------------------------------------------------------


def case_of(
    subject: Subject,
    at: At = None,
    *,
    claimed: Mapping[str, float | str] | None = None,
    value: float | None = None,
    seed: float | None = None,
) -> Case:
    """The case of an expression, a Graph, a Value, a Trace or a function of numbers.

    `claimed` puts these gradients on trial instead of our own pass; one that is a text, such as
    "0.3333", is taken as rounded to its digits.  `value` claims a value for the output.
    """
    walked = function = plainly = real = None
    if isinstance(subject, Trace):
        graph, walked = subject.graph, subject
        point = {graph.names[i]: subject.values[i] for i in graph.inputs}
        point.update(_named(graph, at))
        if seed is None:
            seed = next((event.grad for event in subject.events if isinstance(event, Seed)), 1.0)
    elif isinstance(subject, str):
        graph = parse(subject, _mapping(at))
        point = {graph.names[i]: _leaf(graph, i) for i in graph.inputs}
    elif isinstance(subject, (Graph, Value)):
        graph = subject if isinstance(subject, Graph) else Graph.of(subject)
        point = {graph.names[i]: _leaf(graph, i) for i in graph.inputs}
        point.update(_named(graph, at))
    elif callable(subject):
        graph, point, function, plainly, real = _function_case(subject, at, seed)
    else:
        raise TypeError(say("court.subject", given=describe(subject)))
    if not point:
        raise ValueError(say("court.no_inputs"))
    seed = 1.0 if seed is None else number(seed)
    if seed == 0.0 or not isfinite(seed):
        raise ValueError(say("court.seed", given=seed))
    same_point = all(graph.nodes[i].data == point[graph.names[i]] for i in graph.inputs)
    right = trace(graph, None if same_point else point, seed=seed)
    source, gradients, slack = "pass", right.gradients, dict[str, float]()
    on_trial: float | None = right.values[graph.output]
    if real is not None:  # what backward() itself gave, with the closures and hooks that are there
        source, gradients = "backward", real
    if walked is not None:
        source, gradients = "trace", walked.gradients
        on_trial = walked.values[graph.output]
    if claimed is not None:
        source, on_trial = "claim", None
        gradients, slack = _claims(claimed, point)
    if value is not None:
        on_trial = number(value)
    names = tuple(name for name in point if name in gradients)
    return Case(
        right, point, names, seed, on_trial, gradients, slack, source, walked if claimed is None else None,
        function, plainly,
    )  # fmt: skip


def _leaf(graph: Graph, i: int) -> float:
    data = graph.nodes[i].data
    return float(data) if data is not None else 0.0


def _mapping(at: At) -> dict[str, float]:
    if at is None:
        return {}
    if not isinstance(at, Mapping):
        raise TypeError(say("court.at", given=describe(at)))
    return {str(name): number(x) for name, x in at.items()}


def _named(graph: Graph, at: At) -> dict[str, float]:
    """`at` by name; a sequence goes to the inputs in their order."""
    names = [graph.names[i] for i in graph.inputs]
    if isinstance(at, (tuple, list)):
        if len(at) != len(names):
            raise ValueError(say("court.count", count=len(at), known=", ".join(names)))
        return dict(zip(names, map(number, at), strict=True))
    point = _mapping(at)
    _refuse_unknown(point, names)
    return point


def _refuse_unknown(given: Mapping[str, object], names: Sequence[str]) -> None:
    for name in given:
        if name not in names:
            raise KeyError(say("court.input", name=name, known=listed(names)))


def _claims(
    claimed: Mapping[str, float | str], point: Mapping[str, float]
) -> tuple[dict[str, float], dict[str, float]]:
    """The claimed gradients, and how far each may have been rounded when it was written down."""
    if not isinstance(claimed, Mapping) or not claimed:
        raise ValueError(say("court.claimed", given=describe(claimed)))
    _refuse_unknown(claimed, list(point))
    typed, _ = readings({name: claim for name, claim in claimed.items() if isinstance(claim, str)})
    gradients = {name: number(claim) for name, claim in claimed.items() if not isinstance(claim, str)}
    gradients |= {reading.name: reading.value for reading in typed}
    slack = {reading.name: reading.printed for reading in typed}
    return {name: gradients[name] for name in claimed}, slack


# ---- functions ----------------------------------------------------------------------------------


def _function_case(
    f: Function, at: At, seed: float | None
) -> tuple[Graph, dict[str, float], Callable[..., float], Callable[..., float], dict[str, float]]:
    point = _arguments(f, at)
    names = list(point)
    keywords = isinstance(at, Mapping)

    def call(xs: Sequence[Value] | Sequence[float]) -> object:
        return f(**dict(zip(names, xs, strict=True))) if keywords else f(*xs)

    leaves = {name: Value(x, label=name) for name, x in point.items()}
    with enable_grad():
        result = call(list(leaves.values()))
    if not isinstance(result, Value):
        raise TypeError(say("court.result", given=describe(result)))
    graph = Graph.of(result)
    present = {graph.names[i] for i in graph.inputs}
    if captured := present - set(names):
        raise ValueError(say("court.captured", names=", ".join(sorted(captured))))
    unused = [Node(INPUT, (), name, x) for name, x in point.items() if name not in present]
    graph = Graph([*graph.nodes, *unused], graph.output) if unused else graph  # their gradient is 0

    def on_values(xs: Sequence[float]) -> float:
        with enable_grad():
            got = call([Value(x) for x in xs])
        return got.data if isinstance(got, Value) else number(got)

    def on_floats(xs: Sequence[float]) -> float:
        got = call([float(x) for x in xs])
        return got.data if isinstance(got, Value) else number(got)

    if result.requires_grad:
        result.backward(1.0 if seed is None else number(seed))
    real = {name: number(leaf.grad) for name, leaf in leaves.items()}
    return graph, point, on_values, on_floats, real


def _arguments(f: Function, at: At) -> dict[str, float]:
    """The point by the function's own names of its parameters."""
    if at is None:
        raise TypeError(say("court.at_function"))
    if isinstance(at, Mapping):
        return _mapping(at)
    from inspect import signature  # slow to load

    numbers = [number(x) for x in at] if isinstance(at, (tuple, list)) else [number(at)]
    try:
        parameters = list(signature(f).parameters.values())
        signature(f).bind(*numbers)
    except (TypeError, ValueError) as error:
        if isinstance(error, TypeError):
            raise TypeError(say("court.arity", count=len(numbers), why=error)) from None
        parameters = []
    names = [
        parameter.name
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    names += [f"x{i + 1}" for i in range(len(names), len(numbers))]
    return dict(zip(names, numbers, strict=False))
