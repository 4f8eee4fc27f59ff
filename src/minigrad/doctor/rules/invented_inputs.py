"""Inputs for a function that came without: tried one after the other, until its forward gives numbers.

What is tried follows the roles of the parameters, and the shapes that real signatures need: matrices, squares
alone and in batches, symmetric positive definite ones, (N, C, H, W) with (C), labels, probabilities, masks.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice, product
from math import exp, fsum, prod, sqrt
from pathlib import Path
from random import Random
from time import monotonic, process_time
from typing import TypeAlias

from .grids import Grid, Shape
from .parameter_roles import SPARSE_SIZE, ParameterRole, parameter_roles
from .report import Unseen
from .rule_source import RuleSource, rule_source
from .subject import Rule, RuleRefusedError, error_text
from .time_limit import LateError, limited

__all__ = [
    "Attempt",
    "Stand",
    "belongs",
    "compared_literals",
    "default_arguments",
    "invent_inputs",
    "other_choices",
    "parameter_names",
]

MOST = 4000  # proposals that are tried
SECONDS = 3.0  # of the processor, for the whole search
ONE = 1.2  # for one proposal, besides what is imported for the first
LONGEST = 12.0  # of the clock, where the processor is shared, or something sleeps
SPARSE_COUNT = 5  # numbers of an invented sparse matrix
STANDS = ("labels", "mask", "function", "module", "modules", "parameters")
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

    kind: str  # labels, mask, function, module, modules, parameters (of those), indices, pointers,
    # columns, list, complex
    shape: Shape = ()
    bound: int = 2  # labels are below it


# From proposed arguments: those of the library, and does the rule run on them?  None if the forward does not;
# else the error that it raised.
Attempt: TypeAlias = Callable[[Sequence[object]], tuple[Sequence[object], bool] | Exception | None]


def parameter_names(function: Rule, count: int, skip_first: bool) -> list[str]:
    """The names of the arguments of a call, as the function calls them."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[1 if skip_first else 0 :]
    except (TypeError, ValueError):
        parameters = []
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)][:count]
    more = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "")
    return names + [f"{more}[{k - len(names)}]" if more else f"input{k}" for k in range(len(names), count)]


def default_arguments(fn: Rule, count: int) -> list[object]:
    """The defaults of the arguments of a class's forward after the first `count`; none if one has none."""
    try:
        parameters = list(inspect.signature(getattr(fn, "forward", fn)).parameters.values())[1:]
    except (TypeError, ValueError):
        return []
    rest = [p.default for p in parameters[count:] if p.kind is p.POSITIONAL_OR_KEYWORD]
    return [] if not isinstance(fn, type) or inspect.Parameter.empty in rest else rest


def invent_inputs(
    fn: Rule, skip_first: bool, attempt: Attempt, square: bool = False
) -> tuple[Sequence[object], tuple[Unseen, ...]]:
    """The first arguments on which the function runs, and remarks; RuleRefusedError if there are none.

    A rule may be meant for other shapes than those that its forward happens to run on, so that arguments on
    which the rule runs as well come first.
    """
    source = rule_source(fn)
    roles = _roles_of(fn, skip_first, source)
    if roles is None:
        raise RuleRefusedError("inputs", "")
    search = _InputSearch(fn, source, roles, square)
    return search.run(attempt)


def _roles_of(fn: Rule, skip_first: bool, source: RuleSource) -> list[ParameterRole] | None:
    is_class = isinstance(fn, type)
    forward = getattr(fn, "forward", fn) if is_class else fn
    backward = getattr(fn, "backward", None) if is_class else None
    return parameter_roles(forward, skip_first, source.surroundings(), backward)


class _InputSearch:
    """Proposals, one after the other; errors that say what is wrong with them change what comes next."""

    def __init__(self, fn: Rule, source: RuleSource, roles: list[ParameterRole], square: bool) -> None:
        self.source, self.roles, self.square = source, roles, square
        self.code = getattr(inspect.unwrap(getattr(fn, "forward", fn)), "__code__", None)
        self.waiting = islice(proposals(roles, square), MOST)
        self.widened: set[str] = set()
        self.error, self.reached = "", -1
        self.late = 0
        self.complex = False  # have complex numbers been tried?

    def run(self, attempt: Attempt) -> tuple[Sequence[object], tuple[Unseen, ...]]:
        first: Sequence[object] | None = None
        failed: set[str] = set()
        began, started = process_time(), monotonic()
        for number in count():
            arguments = next(self.waiting, None)
            if arguments is None:
                break
            if number == 1:  # the first call of all may import what it needs
                began = process_time()
            left = SECONDS - (process_time() - began)
            if left <= 0.0 or monotonic() - started > LONGEST:
                break
            outline = _outline(arguments)
            if outline in failed:  # a rule that raises does so whatever the numbers are
                continue
            try:
                found = limited(min(ONE, left + 0.1), partial(attempt, arguments), processor=True)
            except LateError:
                self._ends_never()
                continue
            if isinstance(found, Exception):
                self._raised(found, arguments)
                continue
            if found is None:
                continue
            made, runs = found
            if not runs and (shorter := self._without_defaults(arguments, attempt)) is not None:
                made, runs = shorter, True
            if runs:
                return made, () if first is None else (Unseen("shapes"),)
            first = made if first is None else first
            failed.add(outline)
            if len(failed) >= FAILURES:
                break
        if first is None:
            if self.late and not self.error:
                raise RuleRefusedError("endless", "")
            raise RuleRefusedError("inputs", f" ({self.error})" if self.error else "")
        return first, ()

    def _without_defaults(self, arguments: Sequence[object], attempt: Attempt) -> Sequence[object] | None:
        """The same without the last arguments, which have defaults: backward may give nothing for these."""
        count = len(arguments)
        while count and count <= len(self.roles) and self.roles[count - 1].defaulted:
            count -= 1
        if not 0 < count < len(arguments):
            return None
        found = attempt(arguments[:count])
        return found[0] if isinstance(found, tuple) and found[1] else None

    def _again(self) -> None:
        self.waiting = islice(proposals(self.roles, self.square), MOST)

    def _ends_never(self) -> None:
        """An iteration that does not converge: it may do so for positive definite matrices."""
        self.late += 1
        if self.late == 1:
            for role in self.roles:
                if role.kind == "tensor":
                    role.tags.add("spd")
            self._again()

    def _try_complex(self) -> None:
        """Each tensor as a complex one, the last ones first, as values come after points; then all."""
        self.complex = True
        tensors = [k for k, role in enumerate(self.roles) if role.kind == "tensor"]
        streams = [
            proposals(
                [
                    replace(role, tags=role.tags | {"complex"}) if k in chosen else role
                    for k, role in enumerate(self.roles)
                ],
                self.square,
            )
            for chosen in [*([k] for k in reversed(tensors)), tensors]
        ]
        self.waiting = islice(_in_turns(streams, 40), MOST)

    def _raised(self, error: Exception, arguments: Sequence[object]) -> None:
        """Keep the error that came from the furthest line of the forward, and heed what it says."""
        reached, step = 0, error.__traceback__
        while step is not None:
            if step.tb_frame.f_code is self.code:
                reached = step.tb_lineno
            step = step.tb_next
        text = error_text(error)
        if reached >= self.reached:
            self.error, self.reached = text, reached
        if re.search(r"\bcomplex", text, re.I) and not self.complex:
            self._try_complex()
            return
        if not isinstance(error, (ValueError, NotImplementedError, KeyError, AssertionError, RuntimeError)):
            return
        for role, x in zip(self.roles, arguments, strict=False):
            if role.kind == "value" and _names(text, x, isinstance(error, (ValueError, NotImplementedError))):
                options = [each for each in role.options if repr(each) != repr(x)]
                if role.name not in self.widened:
                    self.widened.add(role.name)
                    options = [*compared_literals(self.source.file, role.name), 0, 1, 2, *options]
                if options:
                    role.options = tuple(dict.fromkeys(options))
                    self._again()
                return


def _names(text: str, x: object, numbers: bool) -> bool:
    """Does a message name a value that it refuses?"""
    if x == "":
        return numbers and (text.rstrip().endswith(":") or "''" in text)
    if isinstance(x, str):
        return re.search(rf"(?<!\w){re.escape(x)}(?!\w)", text) is not None
    if numbers and type(x) in (int, float) and "unpack" not in text:
        return re.search(rf"(?<![\w.]){re.escape(repr(x))}(?![\w.])", text) is not None
    return False


def compared_literals(file: str, name: str) -> list[object]:
    """The texts and numbers that something of this name is compared with in a file."""
    try:
        tree = ast.parse(Path(file).read_text(errors="replace")) if file else ast.Module([], [])
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []
    found: list[object] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare):
            continue
        left = node.left
        if (left.attr if isinstance(left, ast.Attribute) else getattr(left, "id", "")) != name:
            continue
        for right in node.comparators:
            for each in right.elts if isinstance(right, (ast.Tuple, ast.List, ast.Set)) else [right]:
                if isinstance(each, ast.Constant) and type(each.value) in (str, int):
                    found.append(each.value)
    return list(dict.fromkeys(found))[:12]


def belongs(fn: Rule, skip_first: bool, places: Sequence[int], point: Sequence[Grid]) -> bool:
    """Are these numbers such as the text of the forward says that its inputs are?"""
    roles = _roles_of(fn, skip_first, rule_source(fn)) or []
    for place, grid in zip(places, point, strict=True):
        if place < len(roles) and roles[place].name != "*" and not _allowed(roles[place], grid):
            return False
    return True


def _allowed(role: ParameterRole, grid: Grid) -> bool:
    low, high = role.bounds
    if "above-one" in role.tags:
        low = max(1.0, low or 1.0)
    if role.tags & {"ball", "below-one"}:
        high = min(1.0, 1.0 if high is None else high)
    if "ball" in role.tags:
        low = max(-1.0, -1.0 if low is None else low)
    if "step" in role.tags:
        low = max(0.0, low or 0.0)
    return all((low is None or x > low) and (high is None or x < high) for x in grid.numbers)


def _outline(arguments: Sequence[object]) -> str:
    """The shapes and values of arguments, without their numbers."""
    return str([x.shape if isinstance(x, Grid) else x for x in arguments])


def other_choices(
    fn: Rule, skip_first: bool, arguments: Sequence[object]
) -> Iterator[tuple[str, str, list[object]]]:
    """The same call with another value of one flag or number: (what is changed, from what, the arguments)."""
    roles = _roles_of(fn, skip_first, rule_source(fn)) or []
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
    if not any(role.name == "*" for role in roles):
        yield from _layouts(roles, square)
        return
    before = [role for role in roles if role.name != "*"]
    modules = any(role.kind in ("module", "modules", "function") for role in before)
    alone = not any(role.kind == "tensor" and "maybe-value" not in role.tags for role in before)
    if modules and not alone:  # tensors have names, so that what follows are parameters
        learned = [replace(role, kind="module") if role.kind == "function" else role for role in before]
        yield from islice(_layouts([*learned, ParameterRole("parameters", "parameters")], square), 600)
        yield from islice(_layouts(before, square), 200)
    streams = []
    for length in (1, 2, 3):
        more = [ParameterRole(f"input{k}", sure=True) for k in range(length)]
        named = [_counted(role, length) for role in before]
        streams.append(islice(_layouts([*named, *more], square), 400))
    yield from _in_turns(streams, 12)  # a rule may need as many as it was given something else
    if modules and alone:
        yield from islice(_layouts(before, square), 200)


def _counted(role: ParameterRole, length: int) -> ParameterRole:
    """A count of what follows, such as the number of inputs of a checkpointed function."""
    if re.search(r"iter|steps?$|pass", role.name, re.I):
        return role
    if role.kind == "value" and any(isinstance(x, int) and not isinstance(x, bool) for x in role.options):
        return ParameterRole(role.name, "value", (length, *role.options), sure=True)
    if role.kind == "tensor" and "maybe-value" in role.tags:
        return ParameterRole(role.name, "value", (length, *role.options), sure=True)
    return role


def _layouts(roles: Sequence[ParameterRole], square: bool) -> Iterator[list[object]]:
    """Which parameters are tensors, which are values: what is unsure is tried both ways."""
    unsure = [k for k, role in enumerate(roles) if role.kind == "tensor" and not role.sure]
    named = [k for k in unsure if "maybe-value" in roles[k].tags and (k or len(roles) == 1)]
    choices: list[frozenset[int]] = [frozenset(named)] if named else []
    choices += [frozenset(), *(frozenset(unsure[k:]) for k in range(1, len(unsure)))]
    choices += [frozenset({k}) for k in unsure if k]
    yield from _in_turns(
        [islice(_filled(roles, values, square), 2400) for values in dict.fromkeys(choices)], 60
    )


def _in_turns(streams: Sequence[Iterator[list[object]]], length: int) -> Iterator[list[object]]:
    """Some of each, then some more of each, so that the likeliest of every choice come early."""
    turns = list(streams)
    while turns:
        for turn in list(turns):
            some = list(islice(turn, length))
            yield from some
            if not some:
                turns.remove(turn)


def _filled(roles: Sequence[ParameterRole], values: frozenset[int], square: bool) -> Iterator[list[object]]:
    tensors = [
        k for k, role in enumerate(roles)
        if role.kind == "tensor" and k not in values and not (role.optional and not role.sure and k > 0)
    ]  # fmt: skip
    combinations = _value_choices(roles, values, tensors)
    yield from _in_turns([_filled_with(roles, tensors, each, square) for each in combinations], 80)


def _filled_with(
    roles: Sequence[ParameterRole], tensors: Sequence[int], combination: list[object], square: bool
) -> Iterator[list[object]]:
    """One choice of values, with tensors of many shapes and domains."""
    if not tensors:
        yield _with_lists(combination, 3)
        return
    listed = any(isinstance(x, Stand) and x.kind == "list" for x in combination)
    for shapes in islice(_shapes([roles[k] for k in tensors], square), 150 if len(tensors) > 1 else 40):
        for domain in DOMAINS:
            filled = list(combination)
            random = Random(7)
            for k, shape in zip(tensors, shapes, strict=True):
                if "complex" in roles[k].tags:
                    filled[k] = Stand("complex", shape)
                else:
                    filled[k] = _numbers(roles[k], shape, domain, random)
            for k, role in enumerate(roles):
                if isinstance(filled[k], Stand) and role.kind in ("labels", "mask"):
                    filled[k] = _stand(role.kind, shapes[0])
            if listed:
                filled = _with_lists(filled, shapes[0][1] if len(shapes[0]) > 1 else prod(shapes[0][:1]))
            if any("one-hot" in role.tags for role in roles):  # whole numbers, that nobody would change
                yield [
                    Stand("one-hot", x.shape)
                    if isinstance(x, Grid) and x.shape and "one-hot" in role.tags
                    else x
                    for role, x in zip(roles, filled, strict=True)
                ]
            yield filled
            if listed and len(shapes[0]) > 2:
                yield _with_lists(list(combination), shapes[0][-1], filled)
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


def _with_lists(
    combination: Sequence[object], length: int, others: Sequence[object] | None = None
) -> list[object]:
    """Lists of unequal positive numbers, one for each class; the rest as it is, or as in `others`."""
    numbers = [round(0.6 + 0.35 * k, 2) for k in range(length)]
    rest = combination if others is None else others
    return [
        list(numbers) if isinstance(x, Stand) and x.kind == "list" else y
        for x, y in zip(combination, rest, strict=True)
    ]


def _ones(shape: Shape) -> Grid:
    """A mask of floats."""
    return Grid(shape, tuple(float(k % 3 != 1) for k in range(prod(shape))))


def _labels(first: Shape) -> list[Stand]:
    bound = first[1] if len(first) > 1 else first[0] if first else 2
    shapes: list[Shape] = [
        first[:1], (*first[:1], *first[2:]), (*first[:1], 1), first[:-1], first, first[-1:]
    ]  # fmt: skip
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
        elif role.kind == "indices":
            options.append((Stand("indices", (2, SPARSE_COUNT), SPARSE_SIZE),))
        elif role.kind == "pointers":
            options.append((Stand("pointers", (SPARSE_SIZE + 1,), SPARSE_COUNT),))
        elif role.kind == "columns":
            options.append((Stand("columns", (SPARSE_COUNT,), SPARSE_SIZE),))
        elif role.kind == "list":
            options.append((Stand("list"), 0.5, 2))
        elif role.kind in STANDS:
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
    if any("sparse-values" in role.tags for role in roles):
        for other in ((SPARSE_SIZE, 3), (SPARSE_SIZE,)):
            yield tuple((SPARSE_COUNT,) if "sparse-values" in role.tags else other for role in roles)
        many = [(2, SPARSE_COUNT) if "sparse-values" in role.tags else (2, SPARSE_SIZE) for role in roles]
        yield tuple(many)
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
    if any("step" in role.tags for role in others):  # Parameter(torch.ones(1)), where its gradient is such
        yield tuple((1,) if "scalar" in role.tags else first for role in others)
    yield tuple(() if "scalar" in role.tags else first for role in others)
    if not others:
        return
    if any("scalar" in role.tags for role in others):
        yield tuple(first for _ in others)
    if all("vector" in role.tags for role in others) and len(first) > 1:
        for length in dict.fromkeys((first[1], first[-1])):
            yield tuple((length,) for _ in others)
    known = {role.name.lower(): role for role in others}
    if len(first) > 1 and any("qkv" in name for name in known):
        yield tuple((3 * first[-1], first[-1]) for _ in others)
        yield tuple((first[-1], 3 * first[-1]) for _ in others)
    if len(first) == 3 and any(role.dims == 3 for role in others):
        yield tuple((1, 1, 2) if role.dims == 3 else first for role in others)
    if "weight" in known or "w" in known or len(others) <= 2:
        if len(first) >= 1:
            yield ((5, first[-1]), *[(5,)] * (len(others) - 1))
            yield ((first[-1], 5), *[(5,)] * (len(others) - 1))
        if len(first) == 2 and {"weight", "bias"} <= set(known):  # one output: x.mv(weight) + bias
            own: dict[str, Shape] = {"weight": first[-1:], "bias": (1,)}
            yield tuple(own.get(role.name.lower(), first[:1]) for role in others)
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
    total = prod(shape)
    low, high = role.bounds
    if domain == "signed" and (low is not None or high is not None):
        return Grid(shape, tuple(_inside(low, high, random) for _ in range(total)))
    if "one-hot" in role.tags and shape:
        return _one_hot(shape)
    if "spd" in role.tags and len(shape) >= 2 and shape[-1] == shape[-2]:
        return _positive_definite(shape, random)
    if domain == "signed" and "simplex" in role.tags and len(shape) == 1:
        domain = "simplex"
    elif domain == "signed" and "above-one" in role.tags:
        domain = "above-one"
    elif domain == "signed" and "below-one" in role.tags:
        domain = "unit" if "positive" in role.tags else "ball"
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
    return Grid(shape, tuple(round(draw[domain](), 3) for _ in range(total)))  # short, to be pasted


def _inside(low: float | None, high: float | None, random: Random) -> float:
    """A number off both guards."""
    if low is None or high is None:
        way = random.uniform(0.2, 2.0)
        return round(low + way if low is not None else (high or 0.0) - way, 3)
    return round((low + high) / 2.0 + random.uniform(-0.4, 0.4) * (high - low), 3)


def _one_hot(shape: Shape) -> Grid:
    """Rows with a single one; of images, along the channels."""
    axis = 1 if len(shape) == 4 else len(shape) - 1
    length, after = shape[axis], prod(shape[axis + 1 :])
    numbers = []
    for k in range(prod(shape)):
        place, row = k // after % length, (k // (after * length), k % after)
        numbers.append(float((2 * row[0] + row[1] + 1) % length == place))
    return Grid(shape, tuple(numbers))


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
