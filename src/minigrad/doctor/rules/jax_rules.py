"""Rules of JAX: functions with custom_vjp or custom_jvp, and functions that use them.

Double precision is on inside this file's calls only; the setting of the program stays as it is.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from math import fsum, prod
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ...verify.witnesses.jax_library import in_double
from .forward_variants import ForwardStep
from .grids import Grid, Shape
from .invented_inputs import Stand, invent_inputs, parameter_names
from .invented_settings import InventedSettings
from .report import ExaminedInput, RuleFinding, Unseen
from .stages import RuleStage
from .subject import Point, Rule, RuleGradients, RuleRefusedError, error_text, runs_backward

if TYPE_CHECKING:
    from jax import Array
    from jax.tree_util import PyTreeDef
    from numpy.typing import NDArray

Pull = Callable[[Sequence[Grid]], RuleGradients]  # the gradients of the inputs, from those of the results

__all__ = ["JaxSubject", "jax_subject"]


@dataclass(eq=False)
class JaxSubject:
    jax: ModuleType
    numpy: ModuleType
    fn: Rule
    name: str
    leaves: list[object]  # the arguments of the call, taken apart
    shape_of: PyTreeDef  # and how they are put together again
    places: list[int]
    names: tuple[str, ...]
    start: Point
    plain: Rule | None
    seed: int
    described: tuple[ExaminedInput, ...]
    origin: str
    remarks: list[Unseen] = field(default_factory=list)
    rounding: float = 0.0
    library: str = "jax"
    outputs: tuple[int, ...] = ()
    absent: frozenset[int] = frozenset()  # inputs for which the rule returned None
    pushed: bool = False  # are gradients put together from tangents, as the rule cannot be transposed?
    compiled: Callable[..., Sequence[Array]] | None = None
    given: list[object] = field(default_factory=list)
    draws: bool = False  # a function of JAX is given its random numbers
    original: Rule | None = None  # what the user wrote, where `fn` has some arguments filled in

    @property
    def rule(self) -> Rule:
        """The function that pulls back, or that pushes tangents; the function itself where it has neither."""
        written = self.original or self.fn
        return getattr(written, "bwd", None) or getattr(written, "jvp", None) or written

    @property
    def described_by(self) -> object:
        """The function whose docstring speaks of the rule."""
        return getattr(self.original or self.fn, "fun", None)

    def versions(self) -> str:
        return f"Python {platform.python_version()}, jax {self.jax.__version__}"

    def may_be_tied(self, i: int) -> bool:
        return False  # a function of JAX sees its arguments alone

    def asked_for(self, i: int) -> bool:
        return False

    def varied_pull(self, point: Point, upstream: Sequence[Grid], variant: str) -> RuleGradients | None:
        return None

    def steps(self, file: str) -> list[ForwardStep]:
        return []

    def held_pull(self, point: Point, upstream: Sequence[Grid], steps: Sequence[int]) -> RuleGradients | None:
        return None

    def other_arguments(self) -> Iterator[tuple[str, JaxSubject, str]]:
        return iter(())

    @property
    def has_tangents(self) -> bool:
        """Is its rule one of tangents?  Asked by class: a wrapper copies the attributes of what it wraps."""
        return isinstance(self.fn, self.jax.custom_jvp)

    # ---- arrays and grids ------------------------------------------------------------------

    def array(self, grid: Grid, dtype: str = "float64") -> Array:
        return self.jax.numpy.asarray(self.plain_array(grid, dtype))

    def plain_array(self, grid: Grid, dtype: str = "float64") -> NDArray[Any]:
        """An array of NumPy: what is compiled takes it as it is, and making it costs little."""
        made: NDArray[Any] = self.numpy.array(grid.numbers, dtype=dtype).reshape(grid.shape)
        return made

    def arrays(self, point: Sequence[Grid], dtype: str = "float64") -> list[Array]:
        return [self.array(grid, dtype) for grid in point]

    def grid(self, array: Array) -> Grid:
        plain = self.numpy.asarray(array, dtype="float64")
        return Grid(tuple(plain.shape), tuple(plain.reshape(-1).tolist()))

    def double(self) -> AbstractContextManager[None]:
        return in_double(self.jax)

    # ---- running ---------------------------------------------------------------------------

    def function(self, other: Rule | None = None, dtype: str = "float64") -> Callable[..., tuple[Array, ...]]:
        """The differentiable results as a function of the differentiable inputs alone."""
        tree, numpy = self.jax.tree_util, self.jax.numpy

        def run(*arrays: Array) -> tuple[Array, ...]:
            leaves = [
                numpy.asarray(x, dtype=dtype) if _is_floating(numpy, x) and not isinstance(x, float) else x
                for x in self.leaves
            ]
            for place, array in zip(self.places, arrays, strict=True):
                leaves[place] = array
            made = tree.tree_leaves((other or self.fn)(*tree.tree_unflatten(self.shape_of, leaves)))
            return tuple(made[k] for k in self.outputs) if self.outputs else tuple(made)

        return run

    def forward(self, point: Point) -> list[Grid]:
        with self.double():
            if self.compiled is None:
                self.compiled = self._compiled(point)
            try:
                return [self.grid(out) for out in self.compiled(*map(self.plain_array, point))]
            except Exception as error:
                raise RuleRefusedError("forward", error_text(error)) from error

    def _compiled(self, point: Point) -> Callable[..., Sequence[Array]]:
        """The forward, compiled where that can be: it is run some thousand times."""
        run = self.function()
        try:
            compiled: Callable[..., Sequence[Array]] = self.jax.jit(run)
            compiled(*self.arrays(point))
        except Exception:  # it looks at its numbers, or leaves JAX for a while
            return lambda *arrays: run(*map(self.jax.numpy.asarray, arrays))
        return compiled

    def backward(
        self, arrays: Sequence[Array], other: Rule | None = None, dtype: str = "float64"
    ) -> tuple[tuple[Array, ...], Pull]:
        """The results and the function that pulls a gradient back."""
        try:
            results, back = self.jax.vjp(self.function(other, dtype), *arrays)
        except Exception as error:
            raise RuleRefusedError("backward", error_text(error)) from error

        def pull(upstream: Sequence[Grid]) -> RuleGradients:
            seeds = tuple(
                self.array(grid, str(out.dtype)) for grid, out in zip(upstream, results, strict=True)
            )
            try:
                return RuleGradients(tuple(self.grid(grad) for grad in back(seeds)))
            except Exception as error:
                raise RuleRefusedError("backward", error_text(error)) from error

        return results, pull

    def pull(self, point: Point, upstream: Sequence[Grid]) -> RuleGradients:
        with self.double():
            if self.pushed:
                return self._from_tangents(point, upstream)
            grads = self.backward(self.arrays(point))[1](upstream).grads
            return RuleGradients(tuple(None if i in self.absent else grad for i, grad in enumerate(grads)))

    def push(self, point: Point, tangents: Sequence[Grid]) -> tuple[list[Grid], list[Grid]]:
        """The values and the tangents of the results."""
        try:
            made = self.jax.jvp(self.function(), tuple(self.arrays(point)), tuple(self.arrays(tangents)))
        except Exception as error:
            raise RuleRefusedError("backward", error_text(error)) from error
        values, moved = made
        return [self.grid(x) for x in values], [self.grid(x) for x in moved]

    def _from_tangents(self, point: Point, upstream: Sequence[Grid]) -> RuleGradients:
        zeros = [grid.map(lambda _: 0.0) for grid in point]
        grads: list[Grid | None] = []
        for i, grid in enumerate(point):
            numbers = []
            for e in range(len(grid)):
                one = grid.like([float(k == e) for k in range(len(grid))])
                moved = self.push(point, [*zeros[:i], one, *zeros[i + 1 :]])[1]
                pairs = zip(upstream, moved, strict=True)
                numbers.append(
                    fsum(u * m for up, out in pairs for u, m in zip(up.numbers, out.numbers, strict=True))
                )
            grads.append(grid.like(numbers))
        return RuleGradients(tuple(grads))

    # ---- the plain function ----------------------------------------------------------------

    def plain_forward(self, point: Point) -> list[Grid] | None:
        if self.plain is None:
            return None
        with self.double():
            return [self.grid(out) for out in self.function(self.plain)(*self.arrays(point))]

    def plain_pull(self, point: Point, upstream: Sequence[Grid]) -> RuleGradients | None:
        custom = isinstance(self.fn, (self.jax.custom_vjp, self.jax.custom_jvp))
        function = self.plain or (getattr(self.fn, "fun", None) if custom else None)
        if function is None:
            return None
        with self.double():
            try:
                return self.backward(self.arrays(point), function)[1](upstream)
            except Exception:  # a forward that JAX cannot differentiate is no witness, and no fault
                return None

    def returned_shapes(self, point: Point, upstream: Sequence[Grid]) -> tuple[Shape | None, ...]:
        """What the backward function itself returned; JAX raises where a shape does not match."""
        custom = self.original or self.fn
        forward, rule = getattr(custom, "fwd", None), getattr(custom, "bwd", None)
        plain = isinstance(custom, self.jax.custom_vjp) and not getattr(custom, "symbolic_zeros", False)
        shapes: tuple[Shape | None, ...] = ()
        with self.double():
            if plain and forward is not None and rule is not None and len(self.places) == len(self.leaves):
                shapes = self._raw_shapes(forward, rule, point, upstream)
            try:
                self.first_pull(point, upstream)
            except RuleRefusedError as refused:
                raise RuleRefusedError(refused.stage, refused.message, shapes) from refused
        return shapes

    def first_pull(self, point: Point, upstream: Sequence[Grid]) -> None:
        """The first run of the rule; one with tangents only is run by them."""
        try:
            self.pull(point, upstream)
        except RuleRefusedError:
            if not self.has_tangents:
                raise
            self.push(point, point)
            self.pushed = True

    def _raw_shapes(
        self,
        forward: Callable[..., tuple[object, object]],
        rule: Rule,
        point: Point,
        upstream: Sequence[Grid],
    ) -> tuple[Shape | None, ...]:
        tree = self.jax.tree_util
        kept = [k for k in getattr(self.original, "nondiff_argnums", ()) if k < len(self.given)]
        values = iter(tree.tree_unflatten(self.shape_of, self.arrays(point)))
        count = len(self.given) if kept else len(self.shape_of.children())
        arguments = [self.given[k] if k in kept else next(values) for k in range(count)]
        try:
            made, saved = forward(*arguments)
            leaves, whole = tree.tree_flatten(made)
            row = rule(
                *(self.given[k] for k in kept), saved, tree.tree_unflatten(whole, self.arrays(upstream))
            )
            found = tree.tree_leaves(row, is_leaf=lambda x: x is None)
        except Exception:  # the run by JAX itself says what is wrong
            return ()
        if len(found) != len(point) or len(leaves) != len(upstream):
            return ()
        self.absent = frozenset(i for i, x in enumerate(found) if x is None)
        return tuple(None if x is None else tuple(self.jax.numpy.shape(x)) for x in found)

    # ---- conduct ---------------------------------------------------------------------------

    def first_look(self, point: Point, upstream: Sequence[Grid]) -> RuleFinding | None:
        from .jax_conduct import first_look

        return first_look(self, point, upstream)

    def stages(
        self, point: Point, other: Point, upstream: Sequence[Grid], beyond: bool, deadline: float
    ) -> Iterator[RuleStage]:
        from .jax_conduct import conduct

        yield RuleStage("conduct", conduct(self, point, other, upstream))


def _is_floating(numpy: ModuleType, x: object) -> bool:
    return isinstance(x, float) or (hasattr(x, "dtype") and bool(numpy.issubdtype(x.dtype, numpy.floating)))


# ---- from what the user gave --------------------------------------------------------------------


def jax_subject(
    fn: Rule,
    inputs: Sequence[object] | None,
    plain: Rule | None,
    seed: int,
    origin: str = "given",
    square: bool = False,
) -> JaxSubject:
    """A subject; RuleRefusedError where JAX is not there, or the function does not run on its inputs."""
    try:
        import jax
        import jax.numpy
        import numpy
    except ImportError as error:
        raise RuleRefusedError("absent", "jax") from error

    def attempt(arguments: Sequence[object]) -> tuple[Sequence[object], bool] | Exception | None:
        with in_double(jax):
            made = [_made(jax, x) for x in arguments]
            try:
                fn(*made)
            except Exception as error:
                return error
        try:
            subject = _subject((jax, numpy), fn, made, plain, seed, "invented")
            outputs = subject.forward(subject.start)
        except RuleRefusedError:
            return None
        if not all(grid.finite for grid in outputs):
            return None
        return made, subject.has_tangents or runs_backward(subject, outputs)

    if inputs is None:
        inputs, remarks = invent_inputs(fn, False, attempt, square)
        subject = _subject((jax, numpy), fn, list(inputs), plain, seed, "invented")
        subject.remarks += remarks
        return subject
    return _subject((jax, numpy), fn, list(inputs), plain, seed, origin)


def _made(jax: ModuleType, x: object) -> object:
    """An invented argument as JAX has it."""
    if isinstance(x, Grid):
        return jax.numpy.asarray(x.numbers, dtype="float64").reshape(x.shape)
    if isinstance(x, InventedSettings):
        return x.make()
    if not isinstance(x, Stand):
        return x
    if x.kind == "labels":
        return (jax.numpy.arange(prod(x.shape)) * 7 % x.bound).reshape(x.shape)
    if x.kind == "mask":
        return (jax.numpy.arange(prod(x.shape)) % 3 != 1).reshape(x.shape)
    return lambda *arrays: sum(jax.numpy.tanh(each) for each in arrays)


def _subject(
    libraries: tuple[ModuleType, ModuleType],
    fn: Rule,
    arguments: list[object],
    plain: Rule | None,
    seed: int,
    origin: str,
) -> JaxSubject:
    jax, numpy = libraries
    custom = isinstance(fn, (jax.custom_vjp, jax.custom_jvp))
    kept = [k for k in getattr(fn, "nondiff_argnums", ()) if k < len(arguments)] if custom else []
    labels = parameter_names(fn, len(arguments), False)
    if kept:  # those are bound, so that all that is left is an argument of the rule
        bound = {k: arguments[k] for k in kept}
        return _bound(libraries, fn, bound, arguments, labels, plain, seed, origin)
    leaves, shape_of = jax.tree_util.tree_flatten(tuple(arguments))
    places = [k for k, x in enumerate(leaves) if _is_floating(jax.numpy, x)]
    if not places:
        raise RuleRefusedError("no_inputs", "")
    names = labels if len(leaves) == len(arguments) else [f"leaf{k}" for k in range(len(leaves))]
    described = tuple(
        ExaminedInput(label, tuple(jax.numpy.shape(x)))
        if k in places
        else ExaminedInput(label, None, repr(x))
        for k, (label, x) in enumerate(zip(names, leaves, strict=True))
    )
    subject = JaxSubject(
        jax, numpy, fn, getattr(fn, "__name__", type(fn).__name__), leaves, shape_of, places,
        tuple(names[k] for k in places), (), plain, seed, described, origin, given=list(arguments),
    )  # fmt: skip
    with subject.double():
        arrays = [jax.numpy.asarray(leaves[k], dtype="float64") for k in places]
        subject.start = tuple(subject.grid(array) for array in arrays)
        try:
            made = subject.function()(*arrays)
        except Exception as error:
            raise RuleRefusedError("forward", error_text(error)) from error
    subject.outputs = tuple(k for k, out in enumerate(made) if _is_floating(jax.numpy, out))
    if not subject.outputs:
        raise RuleRefusedError("no_gradient", "")
    once, again = subject.forward(subject.start), subject.forward(subject.start)
    if any(a.finite and a != b for a, b in zip(once, again, strict=True)):
        raise RuleRefusedError("random", "")
    return subject


def _bound(
    libraries: tuple[ModuleType, ModuleType],
    fn: Rule,
    bound: dict[int, object],
    arguments: list[object],
    labels: list[str],
    plain: Rule | None,
    seed: int,
    origin: str,
) -> JaxSubject:
    """The same function with its nondiff_argnums filled in."""

    def filled(function: Rule) -> Rule:
        def call(*rest: object) -> object:
            values = iter(rest)
            return function(*(bound[k] if k in bound else next(values) for k in range(len(arguments))))

        return call

    rest = [x for k, x in enumerate(arguments) if k not in bound]
    subject = _subject(libraries, filled(fn), rest, None if plain is None else filled(plain), seed, origin)
    subject.name, subject.original = getattr(fn, "__name__", type(fn).__name__), fn
    subject.given = arguments
    free = [label for k, label in enumerate(labels) if k not in bound]
    subject.names = (
        tuple(free[k] for k in subject.places) if len(free) == len(subject.leaves) else subject.names
    )
    subject.described = tuple(
        ExaminedInput(label, None, repr(bound[k]))
        if k in bound
        else ExaminedInput(label, tuple(libraries[0].numpy.shape(arguments[k])))
        for k, label in enumerate(labels)
    )
    return subject
