"""Inputs for a function that came without: tried one after the other, until its forward gives numbers.

What is tried follows the roles of the parameters, and the shapes that real signatures need: matrices, squares
alone and in batches, symmetric positive definite ones, (N, C, H, W) with (C), labels, probabilities, masks.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import exp, fsum, prod, sqrt
from random import Random
from time import monotonic
from typing import TypeAlias

from .grids import Grid, Shape
from .parameter_roles import ParameterRole, parameter_roles
from .report import Unseen
from .rule_source import rule_source
from .subject import Rule, RuleRefusedError

__all__ = ["Attempt", "Stand", "invent_inputs", "other_choices", "parameter_names"]

MOST = 4000  # proposals that are tried
SECONDS = 2.5
FAILURES = 60  # shapes on which the forward runs and the rule raises
CHOICES = 9  # of flags that are tried where the first ones show nothing

# Shapes of the first tensor, in order; those with the wanted number of axes come first.
FIRST: tuple[Shape, ...] = (
    (3, 4), (4,), (2, 3, 4), (2, 3, 4, 4), (3, 3), (2, 3, 3), (2, 4, 4), (4, 4), (2, 8), (2, 4, 8),
    (1, 2, 6, 6),
    (6, 2), (2, 6), (2, 3, 2, 4, 4), (),
)  # fmt: skip
SQUARES: tuple[Shape, ...] = ((3, 3), (2, 3, 3))
# Domains of numbers, in order.
DOMAINS = ("signed", "positive", "unit", "above-one", "ball", "simplex")


@dataclass(frozen=True)
class Stand:
    """An argument that is no array of real numbers: the library makes it."""

    kind: str  # labels, mask, function, module
    shape: Shape = ()
    bound: int = 2  # labels are below it


# From proposed arguments: those of the library, and does the rule run on them?  None if the forward does not;
# a text is the error that it raised.
Attempt: TypeAlias = Callable[[Sequence[object]], tuple[Sequence[object], bool] | str | None]


def parameter_names(function: Rule, count: int, skip_first: bool) -> list[str]:
    """The names of the arguments of a call, as the function calls them."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[1 if skip_first else 0 :]
    except (TypeError, ValueError):
        parameters = []
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)][:count]
    more = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "")
    return names + [f"{more}[{k - len(names)}]" if more else f"input{k}" for k in range(len(names), count)]


def invent_inputs(
    fn: Rule, skip_first: bool, attempt: Attempt, square: bool = False
) -> tuple[Sequence[object], tuple[Unseen, ...]]:
    """The first arguments on which the function runs, and remarks; RuleRefusedError if there are none.

    A rule may be meant for other shapes than those that its forward happens to run on, so that arguments on
    which the rule runs as well come first.
    """
    forward = getattr(fn, "forward", fn) if isinstance(fn, type) else fn
    source = rule_source(fn)
    roles = parameter_roles(forward, skip_first, source.surroundings())
    if roles is None:
        raise RuleRefusedError("inputs", "")
    first: Sequence[object] | None = None
    failed: set[str] = set()
    error = ""
    deadline = monotonic() + SECONDS
    for arguments in islice(proposals(roles, square), MOST):
        if monotonic() > deadline:
            break
        outline = _outline(arguments)
        if outline in failed:  # a rule that raises does so whatever the numbers are
            continue
        found = attempt(arguments)
        if isinstance(found, str):
            error = error or found
            continue
        if found is None:
            continue
        made, runs = found
        if runs:
            return made, () if first is None else (Unseen("shapes"),)
        first = made if first is None else first
        failed.add(outline)
        if len(failed) >= FAILURES:
            break
    if first is None:
        raise RuleRefusedError("inputs", f" ({error})" if error else "")
    return first, ()


def _outline(arguments: Sequence[object]) -> str:
    """The shapes and values of arguments, without their numbers."""
    return str([x.shape if isinstance(x, Grid) else x for x in arguments])


def other_choices(
    fn: Rule, skip_first: bool, arguments: Sequence[object]
) -> Iterator[tuple[str, str, list[object]]]:
    """The same call with another value of one flag or number: (what is changed, from what, the arguments)."""
    forward = getattr(fn, "forward", fn) if isinstance(fn, type) else fn
    roles = parameter_roles(forward, skip_first, rule_source(fn).surroundings()) or []
    options: dict[int, list[object]] = {}
    for k, role in enumerate(roles[: len(arguments)]):
        now = arguments[k]
        if (
            role.kind != "value"
            or "inplace" in role.name
            or not (role.degenerate or isinstance(now, (bool, str)))
        ):
            continue
        number = isinstance(now, (int, float)) and not isinstance(now, bool)
        for value in role.options:
            same = type(value) is type(now) or (number and isinstance(value, float))
            if same and value != now and value != "":
                options.setdefault(k, []).append(value)
    choices = list(product(*([(k, None), *((k, v) for v in values[:2])] for k, values in options.items())))
    for choice in sorted(choices, key=lambda each: -sum(v is not None for _, v in each))[:CHOICES]:
        changed = [(k, v) for k, v in choice if v is not None]
        if changed:
            other = list(arguments)
            for k, value in changed:
                other[k] = value
            flag = ", ".join(f"{roles[k].name} = {value}" for k, value in changed)
            yield flag, ", ".join(f"{roles[k].name} = {arguments[k]}" for k, _ in changed), other


# ---- proposals ----------------------------------------------------------------------------------


def proposals(roles: Sequence[ParameterRole], square: bool = False) -> Iterator[list[object]]:
    """Arguments, the likelier ones first."""
    if any(role.name == "*" for role in roles):
        before = [role for role in roles if role.name != "*"]
        for count in (1, 2, 3):
            more = [ParameterRole(f"input{k}", sure=True) for k in range(count)]
            named = [_counted(role, count) for role in before]
            yield from islice(_layouts([*named, *more], square), 400)
        return
    yield from _layouts(roles, square)


def _counted(role: ParameterRole, count: int) -> ParameterRole:
    """A count of what follows, such as the number of inputs of a checkpointed function."""
    if role.kind == "value" and any(isinstance(x, int) and not isinstance(x, bool) for x in role.options):
        return ParameterRole(role.name, "value", (count, *role.options), sure=True)
    if role.kind == "tensor" and "maybe-value" in role.tags:
        return ParameterRole(role.name, "value", (count, *role.options), sure=True)
    return role


def _layouts(roles: Sequence[ParameterRole], square: bool) -> Iterator[list[object]]:
    """Which parameters are tensors, which are values: what is unsure is tried both ways."""
    unsure = [k for k, role in enumerate(roles) if role.kind == "tensor" and not role.sure]
    named = [k for k in unsure if "maybe-value" in roles[k].tags and (k or len(roles) == 1)]
    choices: list[frozenset[int]] = [frozenset(named)] if named else []
    choices += [frozenset(), *(frozenset(unsure[k:]) for k in range(1, len(unsure)))]
    choices += [frozenset({k}) for k in unsure if k]
    turns = [
        islice(_filled(roles, values, square), 1200) for values in dict.fromkeys(choices)
    ]  # each in its turn, so that the likeliest of every choice comes early
    while turns:
        for turn in list(turns):
            some = list(islice(turn, 60))
            yield from some
            if not some:
                turns.remove(turn)


def _filled(roles: Sequence[ParameterRole], values: frozenset[int], square: bool) -> Iterator[list[object]]:
    tensors = [
        k for k, role in enumerate(roles)
        if role.kind == "tensor" and k not in values and not (role.optional and not role.sure and k > 0)
    ]  # fmt: skip
    for combination in _value_choices(roles, values, tensors):
        if not tensors:
            yield combination
            continue
        for shapes in islice(_shapes([roles[k] for k in tensors], square), 150 if len(tensors) > 1 else 40):
            for domain in DOMAINS:
                filled = list(combination)
                random = Random(7)
                for k, shape in zip(tensors, shapes, strict=True):
                    filled[k] = _numbers(roles[k], shape, domain, random)
                for k, role in enumerate(roles):
                    if isinstance(filled[k], Stand) and role.kind in ("labels", "mask"):
                        filled[k] = _stand(role.kind, shapes[0])
                yield filled
                if "maybe-labels" in {tag for role in roles for tag in role.tags}:
                    for stand in _labels(shapes[0]):
                        yield [
                            stand if "maybe-labels" in roles[k].tags and roles[k].kind == "tensor" else x
                            for k, x in enumerate(filled)
                        ]
                if any(role.kind in ("labels", "mask") for role in roles):
                    for stand in (*_labels(shapes[0]), Stand("mask", shapes[0])):
                        yield [
                            Stand(roles[k].kind, stand.shape, stand.bound)
                            if roles[k].kind in ("labels", "mask")
                            else x
                            for k, x in enumerate(filled)
                        ]
                        yield [
                            _ones(stand.shape)
                            if roles[k].kind == "mask"
                            else Stand(roles[k].kind, stand.shape, stand.bound)
                            if roles[k].kind == "labels"
                            else x
                            for k, x in enumerate(filled)
                        ]


def _ones(shape: Shape) -> Grid:
    """A mask of floats."""
    return Grid(shape, tuple(float(k % 3 != 1) for k in range(prod(shape))))


def _labels(first: Shape) -> list[Stand]:
    bound = first[1] if len(first) > 1 else first[0] if first else 2
    shapes: list[Shape] = [first[:1], (*first[:1], *first[2:]), (*first[:1], 1), first[:-1], first]
    return [Stand("labels", shape, max(1, bound)) for shape in dict.fromkeys(shapes)]


def _stand(kind: str, first: Shape) -> Stand:
    return _labels(first)[0] if kind == "labels" else Stand("mask", first)


def _value_choices(
    roles: Sequence[ParameterRole], values: frozenset[int], tensors: Sequence[int]
) -> Iterator[list[object]]:
    """The likeliest value of every parameter that is no tensor; then other values of each."""
    options: list[tuple[object, ...]] = []
    for k, role in enumerate(roles):
        if k in tensors:
            options.append((None,))
        elif role.kind in ("labels", "mask", "function", "module"):
            options.append((Stand(role.kind),))
        elif role.kind == "tensor" and k not in values:
            options.append((None,))  # an optional tensor, left out
        else:
            options.append(role.options or (0.5, 2, True, None, -1))
    usual = [each[0] for each in options]
    yield list(usual)
    varied = [k for k, each in enumerate(options) if len(each) > 1]
    if len(varied) <= 3:
        for chosen in islice(product(*options), 1, 24):
            yield list(chosen)
    else:
        for k in varied:
            for value in options[k][1:]:
                yield [*usual[:k], value, *usual[k + 1 :]]


# ---- shapes -------------------------------------------------------------------------------------


def _shapes(roles: Sequence[ParameterRole], square: bool) -> Iterator[tuple[Shape, ...]]:
    """One shape for each tensor."""
    firsts = list(SQUARES if square or "square" in roles[0].tags or "spd" in roles[0].tags else ())
    firsts += sorted(
        (shape for shape in FIRST if not square or shape in ((3, 3),)),
        key=lambda shape: roles[0].dims is not None and len(shape) != roles[0].dims,
    )
    seen = set()
    for width in (0, 1, 2):  # the likeliest relations of each first shape, then the others
        for first in dict.fromkeys(firsts):
            if not first and width < 2 and len(roles) > 1:
                continue
            related = _related(roles, first, square, width) if width else _likeliest(roles, first)
            for rest in islice(related, 8 if width == 1 else None):
                shapes = (first, *rest)
                if shapes not in seen:
                    seen.add(shapes)
                    yield shapes


def _likeliest(roles: Sequence[ParameterRole], first: Shape) -> Iterator[tuple[Shape, ...]]:
    """By names and axes: weight and bias of a normalisation, of a linear layer, of a convolution."""
    others = roles[1:]
    yield tuple(() if "scalar" in role.tags else first for role in others)
    if not others:
        return
    if any("scalar" in role.tags for role in others):
        yield tuple(first for _ in others)
    if all("vector" in role.tags for role in others) and len(first) > 1:
        for length in dict.fromkeys((first[1], first[-1])):
            yield tuple((length,) for _ in others)
    known = {role.name.lower(): role for role in others}
    if "weight" in known or "w" in known or len(others) <= 2:
        if len(first) >= 1:
            yield ((5, first[-1]), *[(5,)] * (len(others) - 1))
            yield ((first[-1], 5), *[(5,)] * (len(others) - 1))
        if len(first) == 4:
            yield ((4, first[1], 3, 3), *[(4,)] * (len(others) - 1))
            yield ((first[1], 1, 3, 3), *[(first[1],)] * (len(others) - 1))
        if len(first) == 3:
            yield ((4, first[1], 3), *[(4,)] * (len(others) - 1))
            yield ((first[0], first[-1], 5), *[(5,)] * (len(others) - 1))


def _related(
    roles: Sequence[ParameterRole], first: Shape, square: bool, width: int
) -> Iterator[tuple[Shape, ...]]:
    relations = [
        first, (), first[-1:], first[1:2], first[:1], (*first[:1], 1), (1, *first[-1:]), first[:-1],
        first[1:], (*first[:-1], 1), (*first[:-1], 2),
        (*first[:-2], *first[-1:], 5) if len(first) > 1 else first,
        (5, *first[-1:]), (*first[:1], 1, *first[1:]), (3, 3),
        (first[1], 1, 3, 3) if len(first) == 4 else first, (4, first[1], 3, 3) if len(first) == 4 else first,
        (*first[:-1], first[-1] // 2) if first else first, (2,), (5,), (*first, 2), (1,),
    ]  # fmt: skip
    unique = list(dict.fromkeys(relations))
    others = roles[1:]
    if not others:
        yield ()
        return
    for shape in unique:
        yield tuple(shape for _ in others)
    if width > 1 and len(others) == 2:
        yield from product(unique, repeat=2)
    if width > 1 and len(others) > 2:
        for shape in unique:
            for k in range(len(others)):
                yield tuple(shape if j == k else first for j in range(len(others)))
                yield tuple(first if j < k else shape for j in range(len(others)))


# ---- numbers ------------------------------------------------------------------------------------


def _numbers(role: ParameterRole, shape: Shape, domain: str, random: Random) -> Grid:
    """Numbers of a domain; what the name or the use of a parameter says comes before the domain."""
    count = prod(shape)
    if "spd" in role.tags and len(shape) >= 2 and shape[-1] == shape[-2]:
        return _positive_definite(shape, random)
    if domain == "signed" and "simplex" in role.tags and len(shape) == 1:
        domain = "simplex"
    elif domain == "signed" and "above-one" in role.tags:
        domain = "above-one"
    elif domain == "signed" and "ball" in role.tags:
        domain = "ball"
    elif domain == "signed" and "positive" in role.tags:
        domain = "positive"
    elif domain == "signed" and "unit" in role.tags:
        domain = "unit"
    if domain == "simplex" and shape:
        return _simplex(shape, random)
    if domain == "positive" and len(shape) >= 2 and shape[-1] == shape[-2] and "square" in role.tags:
        return _positive_definite(shape, random)
    draw: dict[str, Callable[[], float]] = {
        "signed": lambda: random.uniform(0.2, 2.0) * random.choice((-1.0, 1.0)),
        "positive": lambda: random.uniform(0.2, 2.0),
        "unit": lambda: random.uniform(0.1, 0.9),
        "above-one": lambda: random.uniform(1.2, 3.0),
        "ball": lambda: random.uniform(-1.0, 1.0) * 0.7 / sqrt(shape[-1] if shape else 1),
        "simplex": lambda: random.uniform(0.1, 0.9),
    }
    return Grid(shape, tuple(round(draw[domain](), 3) for _ in range(count)))  # short, to be pasted


def _positive_definite(shape: Shape, random: Random) -> Grid:
    n = shape[-1]
    numbers: list[float] = []
    for _ in range(prod(shape[:-2])):
        rows = [[random.uniform(-1.0, 1.0) for _ in range(n)] for _ in range(n)]
        numbers += [
            fsum(rows[i][k] * rows[j][k] for k in range(n)) + (1.0 + 0.3 * i) * (i == j)
            for i in range(n) for j in range(n)
        ]  # fmt: skip
    return Grid(shape, tuple(numbers))


def _simplex(shape: Shape, random: Random) -> Grid:
    n = shape[-1]
    numbers: list[float] = []
    for _ in range(prod(shape[:-1])):
        row = [exp(random.uniform(-1.0, 1.0)) for _ in range(n)]
        numbers += [x / fsum(row) for x in row]
    return Grid(shape, tuple(numbers))
