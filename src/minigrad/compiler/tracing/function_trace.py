"""Tracing of a function: it is run on traced numbers, and what it computes is read into Scalars.

    traced = trace_function(f, (2.0, [1.0, 3.0]))   # f is called, with Values in place of the numbers
    traced.scalars                                  # what it did with them

A traced function is true for every call of the same structure that keeps to its guards.  What cannot be true
again is refused: the function is run twice, and both runs must do the same; nothing that was there before
may have been changed; and what it read besides its arguments is remembered (captures.py).
"""

from __future__ import annotations

import inspect
import pickle
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from numbers import Real
from typing import Any, NamedTuple

from ... import functional
from ...scalar import Value
from ...text.excerpts import describe
from ...text.numerals import show
from ...text.translation import say
from ...values.no_grad import enable_grad
from ...values.take import Index
from ...values.validation import number
from ..scalars import Scalars
from ..structure import Branch, Parts, Static, Tree, is_array, put_together, take_apart
from ..traced_function import TracedFunction
from .captures import Captures
from .graph_reader import NodePlaces, read, read_guards
from .tracer import Tracer, TracingError, current
from .value_watch import watched

__all__ = ["is_tracing", "trace_function", "trace_graph"]


def is_tracing() -> bool:
    """Whether the caller is being traced: a program that is called then is part of the one that is made."""
    return current.get() is not None


class FunctionRun(NamedTuple):
    """One run of a function, read."""

    scalars: Scalars
    result: Tree
    captured: list[Value]
    rows: dict[int, int]
    nodes: int
    places: NodePlaces | None  # the node of each Value of the run, where it was asked for


def trace_function(
    f: Callable[..., object], args: Sequence[object], names: Sequence[str] | None = None
) -> TracedFunction:
    """What f does with arguments of this structure; `names` are the arguments' names, for messages."""
    if is_tracing():
        raise TracingError(say("compile.trace.nested"))
    parts = take_apart(args)
    names = _names(f, len(args)) if names is None else names
    captures = Captures(f)
    with watched():
        first = run(f, parts, names)
        _refuse_change(captures)
        gradients = [value.grad for value in first.captured]
        second = run(f, parts, names)
        _refuse_change(captures)
        if [value.grad for value in first.captured] != gradients:
            raise TracingError(say("compile.trace.pass", where=_title(f), asked="backward"))
        from .repeat_check import refuse_difference

        refuse_difference(f, parts, names, first, second)
    return TracedFunction(
        scalars=first.scalars,
        arguments=parts.tree,
        kinds=parts.kinds,
        result=first.result,
        captured=first.captured,
        rows=first.rows,
        changed=captures.changed,
        nodes=first.nodes,
    )


def trace_graph(values: object, inputs: Sequence[Value]) -> TracedFunction:
    """The graph that is there already below a Value, or below a structure of them.

    The numbers of a call are those of `inputs`; other leaves that want a gradient are captured.
    """
    for value in inputs:
        if not isinstance(value, Value):
            raise TypeError(say("compile.graph.input", given=describe(value)))
    if len(set(inputs)) < len(inputs):
        raise ValueError(say("compile.graph.twice"))
    outputs, result = _taken_result(values)
    leaves = [value for value in _leaves(outputs, inputs) if value.requires_grad]
    scalars, _, place = read(outputs, [*inputs, *leaves], -(1 << 62), {})
    scalars.outputs = [place[value] for value in outputs]
    return TracedFunction(
        scalars=scalars,
        arguments=(tuple, None, (None,) * len(inputs)),
        kinds="f" * len(inputs),
        result=result,
        captured=leaves,
        nodes=len(scalars),
    )


def _leaves(outputs: Sequence[Value], inputs: Sequence[Value]) -> list[Value]:
    """The leaves below some outputs, oldest first; what an input was made from is not below them."""
    found = list(dict.fromkeys(outputs))
    seen = {*found, *inputs}
    ends = set(inputs)
    for value in found:
        if value in ends:
            continue
        for child in value._children if value.requires_grad else ():
            if child not in seen:
                seen.add(child)
                found.append(child)
    leaves = [value for value in found if not value._children and value not in ends]
    return sorted(leaves, key=lambda value: value._index)


# ---- one run --------------------------------------------------------------------------------------


def run(f: Callable[..., object], parts: Parts, names: Sequence[str], keep: bool = False) -> FunctionRun:
    """f run once on fresh leaves, and what came of it; its Values are let go unless they are to be kept."""
    with enable_grad(), watched(), _inside_a_transform():
        tracer = Tracer()
        leaves = [Value(float(x)) for x in parts.numbers]
        brought = [
            leaf if kind == "f" else Index(int(x), leaf, tracer)
            for x, kind, leaf in zip(parts.numbers, parts.kinds, leaves, strict=True)
        ]
        given = put_together(parts.tree, brought)
        inside = current.set(tracer)
        try:
            with _random_unmoved(tracer, _title(f)):
                returned = f(*given)
        except BaseException as error:
            if tracer.refused is not None and error is not tracer.refused and isinstance(error, Exception):
                raise tracer.refused from error
            raise
        finally:
            current.reset(inside)
            tracer.open = False
        if tracer.refused is not None:  # and caught by f, which went on without what it asked for
            raise tracer.refused
    _refuse_changed_arguments(given, parts.tree, brought, names)
    outputs, result = _taken_result(returned)
    defined = {leaf: (op, args) for leaf, op, args in tracer.defined}
    compared = [x for _, left, right, _, _ in tracer.guards for x in (left, right) if isinstance(x, Value)]
    scalars, captured, place = read([*outputs, *compared], leaves, tracer.first, defined, fresh=True)
    scalars.outputs = [place[value] for value in outputs]
    for leaf in leaves:
        if not leaf.requires_grad:
            raise TracingError(say("compile.trace.frozen", name=show(leaf._data)))
        if leaf.grad != 0.0:
            raise TracingError(say("compile.trace.pass", where=_title(f), asked="backward"))
    read_guards(scalars, tracer.guards, place)
    rows = {j: tracer.rows[leaf] for j, leaf in enumerate(leaves) if leaf in tracer.rows}
    return FunctionRun(scalars, result, captured, rows, len(place), place if keep else None)


@contextmanager
def _inside_a_transform() -> Iterator[None]:
    """A grad(...) inside f then sees that its result depends on more than its own arguments."""
    token = functional._inside.set(1)
    try:
        yield
    finally:
        functional._inside.reset(token)


@contextmanager
def _random_unmoved(tracer: Tracer, title: str) -> Iterator[None]:
    """Refuse a function that draws random numbers, and leave the generators as they were."""
    numpys: Any = sys.modules.get("numpy.random")
    state = random.getstate()
    theirs = b"" if numpys is None else pickle.dumps(numpys.get_state(legacy=False))
    yield
    moved = False
    if random.getstate() != state:
        moved = True
        random.setstate(state)
    if numpys is not None and pickle.dumps(numpys.get_state(legacy=False)) != theirs:
        moved = True
        numpys.set_state(pickle.loads(theirs))
    if moved:  # somewhere in f: it is over, and has no line any more
        tracer.refused = TracingError(say("compile.trace.random", where=title))
        raise tracer.refused


def _refuse_change(captures: Captures) -> None:
    drawn = captures.drawn()
    if drawn:
        raise TracingError(say("compile.trace.random", where=drawn))
    changed = captures.changed()
    if changed:
        raise TracingError(say("compile.trace.captured", name=changed))


def _refuse_changed_arguments(
    given: Sequence[object], tree: Branch, brought: list[Value | Index], names: Sequence[str]
) -> None:
    rest = iter(brought)
    for place, (argument, subtree) in enumerate(zip(given, tree[2], strict=True)):
        if not _is_as_given(argument, subtree, rest):
            raise TracingError(say("compile.trace.argument", name=names[place]))


def _is_as_given(part: Any, tree: Tree, rest: Iterator[Value | Index]) -> bool:
    if tree is None:
        return part is next(rest)
    kind, keys, subtrees = tree
    if kind is Static and keys:
        return part is keys[1]
    if kind is dict:
        if tuple(part) != keys:
            return False
        part = list(part.values())
    if len(part) != len(subtrees):
        return False
    return all(_is_as_given(x, subtree, rest) for x, subtree in zip(part, subtrees, strict=True))


def _taken_result(returned: object) -> tuple[list[Value], Tree]:
    """The numbers that f returned, as Values, and the tree of its result."""
    found: list[Value] = []

    def walk(part: object) -> Tree:
        if isinstance(part, dict):
            return (dict, tuple(part), tuple([walk(x) for x in part.values()]))
        if isinstance(part, (list, tuple)):
            return (type(part), None, tuple([walk(x) for x in part]))
        if isinstance(part, Value):
            found.append(part)
        elif isinstance(part, Index):
            found.append(part._value)
        elif part is None or isinstance(part, bool):
            return (Static, (type(part), part), ())
        elif isinstance(part, Real):
            found.append(Value(number(part), requires_grad=False))
        elif is_array(part):
            return walk(part.tolist())
        else:
            raise TracingError(say("compile.trace.result", given=describe(part)))
        return None

    try:
        return found, walk(returned)
    except RecursionError:
        raise TracingError(say("compile.argument.deep")) from None


def _title(f: Callable[..., object]) -> str:
    return str(getattr(f, "__name__", None) or type(f).__name__)


def _names(f: Callable[..., object], count: int) -> list[str]:
    """The names of the first arguments of f; their numbers where it tells none."""
    try:
        parameters = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    named = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return [*named, *(str(place + 1) for place in range(len(named), count))][:count]
