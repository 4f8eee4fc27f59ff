"""Inputs for a function that came without: tried shape by shape, until its forward gives numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from math import prod
from random import Random
from typing import TypeAlias

from .grids import Grid, Shape
from .report import Unseen
from .subject import Rule, RuleRefusedError

__all__ = ["Attempt", "invent_inputs", "parameter_names"]

# From proposed arguments: those of the library, and does the rule run on them?  None if the forward does not.
Attempt: TypeAlias = Callable[[Sequence[object]], tuple[Sequence[object], bool] | None]

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
PLAIN: dict[str, object] = {"int": 2, "float": 0.5, "bool": True, "str": ""}
CONSTANTS: tuple[object, ...] = (0.5, 2, -1, True)  # for what is no array and says nothing about itself


def parameter_names(function: Rule, count: int, skip_first: bool) -> list[str]:
    """The names of the arguments of a call, as the function calls them."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[1 if skip_first else 0 :]
    except (TypeError, ValueError):
        parameters = []
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)][:count]
    return names + [f"input{k}" for k in range(len(names), count)]


def invent_inputs(
    fn: Rule, skip_first: bool, attempt: Attempt, square: bool = False
) -> tuple[Sequence[object], tuple[Unseen, ...]]:
    """The first arguments on which the function runs, and remarks; RuleRefusedError if there are none.

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


def _matrix_first(arguments: Sequence[object]) -> bool:
    return bool(arguments) and isinstance(arguments[0], Grid) and len(arguments[0].shape) == 2


def _proposals(forward: Rule, skip_first: bool, shapes: Sequence[Sequence[Shape]]) -> Iterator[list[object]]:
    try:
        parameters = list(inspect.signature(forward).parameters.values())[1 if skip_first else 0 :]
    except (TypeError, ValueError) as error:
        raise RuleRefusedError("inputs", "") from error
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        layouts: list[list[object]] = [[Ellipsis] * count for count in (1, 2, 3)]
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


def _slot(parameter: inspect.Parameter) -> object:
    """What stands for a parameter: Ellipsis for an array, else its default or a plain number."""
    if parameter.default is not parameter.empty:
        return parameter.default
    kind = parameter.annotation
    return PLAIN.get(kind if isinstance(kind, str) else getattr(kind, "__name__", ""), Ellipsis)


def _filled(slots: Sequence[object], choice: Sequence[Shape], positive: bool) -> list[object]:
    random = Random(7)
    filled: list[object] = []
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
