"""Arguments of a call of a Program: which of them are differentiated by, their numbers, names and labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from inspect import Parameter, signature
from itertools import compress
from operator import attrgetter

from .. import functional
from ..graph import Graph
from ..scalar import Value
from ..text.translation import say
from .structure import Branch, Parts, Static, Tree, count, take_apart
from .traced_function import TracedFunction

__all__ = [
    "Argnums",
    "chosen_arguments",
    "graph_at",
    "inputs_of",
    "inside_another",
    "inside_transform",
    "labels",
    "learning_places",
    "numbers_of",
    "one_number",
    "parameters",
    "plain",
]

Argnums = int | Sequence[int]
_wants = attrgetter("requires_grad")


def inside_another(args: Sequence[object], derivative: bool = False) -> bool:
    """Whether this call is part of a traced function, or of a derivative that is differentiated again.

    Then f itself is called, so that its nodes are those of the outer function.  A `derivative` is
    differentiated again wherever it stands inside another one.
    """
    if _tracing()():
        return True
    around = functional._inside.get()
    if not around:
        return False
    # Inside two of them each leaf may be the variable of another one.
    again = derivative or around > 1
    return any(value.requires_grad if again else value._children for value in take_apart(args).values)


@cache
def _tracing() -> Callable[[], bool]:
    """Whether a function is being traced: found when it is first asked, as tracing needs NumPy's company."""
    from .tracing import is_tracing

    return is_tracing


def learning_places(parts: Parts) -> Sequence[int]:
    """Which inputs are Values that want a gradient; a range if they are one, which is quick to look up."""
    found = list(compress(parts.places, map(_wants, parts.values)))
    if found and found[-1] - found[0] + 1 == len(found):
        return range(found[0], found[-1] + 1)
    return tuple(found)


def inside_transform() -> bool:
    """Whether grad or one of its relatives is at work around this call."""
    return functional._inside.get() > 0


def plain(x: Value | float) -> float:
    return float(x.data if isinstance(x, Value) else x)


# ---- arguments ----------------------------------------------------------------------------------


def chosen_arguments(argnums: Argnums, count: int) -> tuple[tuple[int, ...], bool]:
    """The arguments to differentiate by, and whether they are just one; the rule of minigrad.functional."""
    chosen = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    for n in chosen:
        if not -count <= n < count:
            raise ValueError(say("functional.argnum", argnum=n, count=count))
    places = tuple(n % count for n in chosen)
    if len(set(places)) < len(places):
        raise ValueError(say("functional.argnum_twice", argnums=chosen))
    return places, isinstance(argnums, int)


def one_number(traced: TracedFunction, name: str) -> None:
    """ValueError unless f returns one number."""
    if traced.result is not None:
        raise ValueError(say("compile.one_output", name=name, count=len(traced.scalars.outputs)))


def inputs_of(traced: TracedFunction, argnums: Argnums | None) -> Sequence[int]:
    """The inputs that are numbers of these arguments."""
    if argnums is None:
        return ()
    subtrees = traced.arguments[2]
    chosen, _ = chosen_arguments(argnums, len(subtrees))
    starts = [0]
    for tree in subtrees:
        starts.append(starts[-1] + count(tree))
    return numbers_of(starts, chosen)


def numbers_of(starts: Sequence[int], chosen: Sequence[int]) -> Sequence[int]:
    """The inputs of some arguments, ascending; a range, which is quick to look up, where they are one."""
    if not chosen:
        return ()
    found = [j for n in sorted(chosen) for j in range(starts[n], starts[n + 1])] if len(chosen) > 1 else None
    first, last = min(chosen), max(chosen)
    whole = range(starts[first], starts[last + 1])
    return whole if found is None or len(found) == len(whole) else tuple(found)


def parameters(f: Callable[..., object] | None) -> tuple[str, ...]:
    """The names of the arguments of a function that can be given by place, as far as they are known."""
    if f is None:
        return ()
    try:
        found = signature(f).parameters.values()
    except (TypeError, ValueError):  # some functions in C do not say
        return ()
    by_place = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(parameter.name for parameter in found if parameter.kind in by_place)


def labels(tree: Branch, names: Sequence[str]) -> list[str]:
    """A label for each number of a tuple of arguments: x, weights.up[3][0]."""

    def walk(part: Tree, label: str) -> Iterator[str]:
        if part is None:
            yield label
            return
        kind, keys, subtrees = part
        if kind is Static:
            return
        for k, subtree in enumerate(subtrees):
            yield from walk(
                subtree, f"{label}.{keys[k]}" if keys is not None and kind is dict else f"{label}[{k}]"
            )

    return [label for name, part in zip(names, tree[2], strict=True) for label in walk(part, name)]


def graph_at(value: Value, inputs: Sequence[object], numbers: Sequence[float]) -> Graph:
    """The graph of a Value with other numbers in its inputs."""
    graph = Graph.of(value)
    found, seen = [value], {value}
    for node in found:  # grows while it is walked
        for child in node._children:
            if child not in seen:
                seen.add(child)
                found.append(child)
    leaves = sorted((x for x in found if not x._children and x.requires_grad), key=lambda x: x._index)
    names = {leaf: graph.names[i] for leaf, i in zip(leaves, graph.inputs, strict=True)}
    given = dict(zip(take_apart(inputs).values, numbers, strict=True))
    return graph.at({names[leaf]: number for leaf, number in given.items() if leaf in names})
