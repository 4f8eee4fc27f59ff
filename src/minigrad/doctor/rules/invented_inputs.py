"""Inputs for a function that came without: tried shape by shape, until its forward gives numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from math import prod
from random import Random
from typing import Any

from .grids import Grid, Shape
from .report import Unseen
from .subject import RuleRefusedError

__all__ = ["invented", "parameter_names"]

Attempt = Callable[[Sequence[Any]], tuple[Sequence[Any], bool] | None]  # made of them, and does the rule run?

# Shapes for the first array, the second ...; the last one serves for all further ones.
SHAPES: tuple[tuple[Shape, ...], ...] = (
    ((3, 4),),
    ((3, 4), (4, 5), (5,)),
    ((3, 4), (5, 4), (5,)),
    ((3, 4), (4,)),
    ((3, 4), ()),
    ((4,),),
    ((),),
    ((2, 3, 4),),
    ((2, 3, 4, 4), (3, 3, 2, 2), (3,)),
)
# Square matrices throughout, where an operand that should be transposed shows in numbers.
SQUARE: tuple[tuple[Shape, ...], ...] = (((3, 3), (3, 3), (3,)), ((3, 3),))
PLAIN: dict[str, Any] = {"int": 2, "float": 0.5, "bool": True, "str": ""}
CONSTANTS: tuple[Any, ...] = (0.5, 2, -1, True)  # for what is no array and says nothing about itself


def parameter_names(function: Any, count: int, skip_first: bool) -> list[str]:
    """The names of the arguments of a call, as the function calls them."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[1 if skip_first else 0 :]
    except (TypeError, ValueError):
        parameters = []
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)][:count]
    return names + [f"input{k}" for k in range(len(names), count)]


def invented(
    fn: Any, skip_first: bool, attempt: Attempt, square: bool = False
) -> tuple[Sequence[Any], tuple[Unseen, ...]]:
    """The first arguments on which the function runs, and remarks; RefusedError if there are none.

    A rule may be meant for other shapes than those that its forward happens to run on, so that
    arguments on which the rule runs as well come first.
    """
    forward = getattr(fn, "forward", fn) if isinstance(fn, type) else fn
    first = None
    for arguments in _proposals(forward, skip_first, SQUARE if square else SHAPES):
        if first is not None and not _matrix_first(arguments):
            continue
        found = attempt(arguments)
        if found is None:
            continue
        made, runs = found
        if runs:
            return made, () if first is None else (Unseen("shapes"),)
        first = made if first is None else first
    if first is None:
        raise RuleRefusedError("inputs", "")
    return first, ()


def _matrix_first(arguments: Sequence[Any]) -> bool:
    return bool(arguments) and isinstance(arguments[0], Grid) and len(arguments[0].shape) == 2


def _proposals(forward: Any, skip_first: bool, shapes: Sequence[Sequence[Shape]]) -> Iterator[list[Any]]:
    try:
        parameters = list(inspect.signature(forward).parameters.values())[1 if skip_first else 0 :]
    except (TypeError, ValueError) as error:
        raise RuleRefusedError("inputs", "") from error
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        layouts: list[list[Any]] = [[Ellipsis] * count for count in (1, 2, 3)]
    else:
        layouts = [[_slot(p) for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]]
    for slots in layouts:
        arrays = [k for k, slot in enumerate(slots) if slot is Ellipsis]
        for trailing in range(len(arrays)):  # the last ones may be numbers rather than arrays
            plain = arrays[len(arrays) - trailing :]
            for constant in CONSTANTS if trailing else (None,):
                filled = [constant if k in plain else slot for k, slot in enumerate(slots)]
                for choice in shapes:
                    for positive in (False, True):
                        yield _filled(filled, choice, positive)


def _slot(parameter: inspect.Parameter) -> Any:
    """What stands for a parameter: Ellipsis for an array, else its default or a plain number."""
    if parameter.default is not parameter.empty:
        return parameter.default
    kind = parameter.annotation
    return PLAIN.get(kind if isinstance(kind, str) else getattr(kind, "__name__", ""), Ellipsis)


def _filled(slots: Sequence[Any], choice: Sequence[Shape], positive: bool) -> list[Any]:
    random = Random(7)
    filled: list[Any] = []
    arrays = 0
    for slot in slots:
        if slot is not Ellipsis:
            filled.append(slot)
            continue
        shape = choice[min(arrays, len(choice) - 1)]
        arrays += 1
        signs = (1.0,) if positive else (-1.0, 1.0)
        numbers = [random.uniform(0.2, 2.0) * random.choice(signs) for _ in range(prod(shape))]
        filled.append(Grid(shape, tuple(numbers)))
    return filled
