"""Derivatives of plain Python functions, and of Values to any order.

    grad(lambda x: x**3)(2.0)                      # 12.0
    grad(loss)({"w": [1.0, 2.0], "b": 0.0})        # the same dict, with gradients in it
    value_and_grad, jvp, vjp, jacobian, hessian    # as in JAX
    grad(y, [a, b], create_graph=True)             # Values that can be differentiated again
    gradcheck(f, (2.0, 3.0))                       # True, or an error that says what is wrong

Arguments and results are numbers in nested lists, tuples and dicts.  A transform that is
called on Values gives Values, so transforms nest: grad(grad(f)).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from math import isclose, isfinite
from typing import Any, cast, overload

from .errors import MinigradError
from .functions import VALUES
from .ops import SYMBOLS
from .scalar import Operand, Value, _constant, reach
from .text.excerpts import describe
from .text.numerals import show
from .text.translation import say
from .values.custom_rules import learn_local_gradients
from .values.differences import EPSILON, Slope, slope
from .values.no_grad import enable_grad
from .values.trees import Tree, flatten, unflatten
from .values.validation import number

__all__ = ["grad", "gradcheck", "hessian", "jacobian", "jvp", "value_and_grad", "vjp"]

Argnums = int | Sequence[int]


# ---- on Values --------------------------------------------------------------------------------


def _local_values(node: Value) -> tuple[Value | None, ...]:
    """The node's local gradients as Values, so that they can be differentiated in turn."""
    if node._op not in SYMBOLS:
        raise ValueError(say("functional.seed_order", name=node.label or repr(node)))
    newest = _constant(0.0)._index
    partials = SYMBOLS[node._op].partials(VALUES, node, *node._children)
    values: list[Value | None] = []
    for slot, (partial, local) in enumerate(zip(partials, node._local_grads, strict=True)):
        if partial is None or local is None:
            values.append(None)
            continue
        value: Value = partial if isinstance(partial, Value) else _constant(partial)
        if value.data != local and (value.data == value.data or local == local):
            if value._index < newest or not isclose(value.data, local, rel_tol=1e-6, abs_tol=1e-12):
                if (node._op, slot, local) != ("**", 1, 0.0):  # a constant exponent's slot is left at 0
                    raise ValueError(say("functional.changed", name=node.label or repr(node)))
            else:
                value.data = local  # the float formula is the more accurate of the two
        values.append(value)
    return tuple(values)


def _locals(node: Value, create_graph: bool) -> tuple[Operand | None, ...]:
    if create_graph:
        return _local_values(node)
    by_closure = node._extra is not None and node._extra.rule is not None
    return learn_local_gradients(node) if by_closure else node._local_grads


def _pull(roots: Sequence[Value], seeds: Sequence[Operand], create_graph: bool) -> dict[Value, Operand]:
    """The backward pass into a dict; no `.grad` is touched."""
    grads: dict[Value, Operand] = {}
    for root, seed in zip(roots, seeds, strict=True):
        if root.requires_grad:
            grads[root] = grads[root] + seed if root in grads else seed
    for node in reach(roots)[0]:
        if node not in grads or not node._children:
            continue
        upstream = grads[node]
        for child, local in zip(node._children, _locals(node, create_graph), strict=True):
            if local is not None and child.requires_grad:
                amount = local * upstream
                grads[child] = grads[child] + amount if child in grads else amount
    return grads


def _push(roots: Sequence[Value], tangents: Mapping[Value, Operand], create_graph: bool) -> list[Operand]:
    """Forward mode over a graph that is there already: how the roots move with the leaves."""
    moves = dict(tangents)
    for node in reversed(reach(roots)[0]):
        if node in moves or not node._children:
            continue
        total: Operand = 0.0
        for child, local in zip(node._children, _locals(node, create_graph), strict=True):
            if local is not None and child in moves:
                total = total + local * moves[child]
        moves[node] = total
    return [moves.get(root, 0.0) for root in roots]


# ---- calling a function on fresh leaves -------------------------------------------------------


_inside: ContextVar[int] = ContextVar("minigrad transforms around this", default=0)  # how many


class _FunctionCall:
    """One call of a user's function, with fresh leaves for the arguments to differentiate by."""

    def __init__(self, name: str, f: Callable[..., object], args: Sequence[object], argnums: Argnums) -> None:
        if not callable(f):
            raise TypeError(say("functional.not_value", name=name, given=describe(f)))
        self.name = name
        self.single = isinstance(argnums, int)
        chosen = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        for n in chosen:
            if not -len(args) <= n < len(args):
                raise ValueError(say("functional.argnum", argnum=n, count=len(args)))
        if len({n % len(args) for n in chosen}) < len(chosen):
            raise ValueError(say("functional.argnum_twice", argnums=chosen))
        wanted = tuple(args[n] for n in chosen)
        numbers, self.tree = flatten(wanted[0] if self.single else wanted, name)
        self.nested = any(isinstance(x, Value) for x in numbers)
        inside = _inside.set(_inside.get() + 1)
        try:
            with enable_grad():  # a no_grad around a transform is not in it
                self.leaves = [_leaf(x) for x in numbers]
                fresh = unflatten(self.tree, self.leaves)
                call = list(args)
                for n, argument in zip(chosen, (fresh,) if self.single else fresh, strict=True):
                    call[n] = argument
                self.returned = f(*call)
        finally:
            _inside.reset(inside)
        result, self.result_tree = flatten(self.returned, name)
        self.outputs = [x if isinstance(x, Value) else _constant(x) for x in result]
        if _inside.get() and not self.nested:  # the variable of an outer transform, used from inside f
            mine = set(self.leaves)
            self.nested = any(leaf not in mine for leaf in reach(self.outputs)[1])

    def scalar(self) -> Value:
        if self.result_tree is not None:
            raise ValueError(say("functional.scalar", name=self.name, given=describe(self.returned)))
        return self.outputs[0]

    def result(self) -> Any:
        return unflatten(self.result_tree, [_plain(output, self.nested) for output in self.outputs])

    def gradients(self, roots: Sequence[Value], seeds: Sequence[Operand]) -> Any:
        """The gradients by the arguments, in their own structure."""
        grads = _pull(roots, seeds, create_graph=self.nested)
        wanted = self.nested or any(isinstance(seed, Value) for seed in seeds)
        return unflatten(self.tree, [_plain(grads.get(leaf, 0.0), wanted) for leaf in self.leaves])


def _leaf(x: Operand) -> Value:
    """A variable of a call.

    A Value is passed on as v * 1, so that the function's argument is told apart from other
    uses of v: without that, nested derivatives would mix up their variables.
    """
    if not isinstance(x, Value):
        return Value(number(x))
    leaf = x * 1.0
    return leaf if leaf.requires_grad else Value(x.data)


def _plain(value: Operand, as_value: bool) -> Operand:
    """A result for the caller: a Value where Values came in, else a float."""
    if as_value:
        return value if isinstance(value, Value) else _constant(value)
    return value.data if isinstance(value, Value) else value


def _numbers(given: Sequence[Operand]) -> list[Operand]:
    return [x if isinstance(x, Value) else number(x) for x in given]


# ---- the transforms ---------------------------------------------------------------------------


@overload
def grad(f: Value, argnums: object, *, create_graph: bool = False, seed: Operand = 1.0) -> Any: ...


@overload
def grad(f: Callable[..., object], argnums: Argnums = 0) -> Callable[..., Any]: ...


def grad(f: object, argnums: object = 0, *, create_graph: bool = False, seed: Operand = 1.0) -> Any:
    """Of a function: the function that computes its gradient by argument 0, or by `argnums`.

    Of a Value: `grad(y, xs)` is the gradient of y by the Values in xs, in the structure of xs
    and without touching any `.grad`; with create_graph=True, as Values.
    """
    if isinstance(f, Value):
        xs, tree = flatten(argnums, "grad")
        inputs: list[Value] = []
        for x in xs:
            if not isinstance(x, Value):
                raise TypeError(say("backward.root", given=describe(x)))
            inputs.append(x)
        start = seed if isinstance(seed, Value) else number(seed)
        grads = _pull([f], [_constant(start) if create_graph and start is not seed else start], create_graph)
        zero: Operand = _constant(0.0) if create_graph else 0.0
        return unflatten(tree, [_as_value(grads.get(x, zero), create_graph) for x in inputs])

    if create_graph or seed != 1.0:
        raise TypeError(say("functional.of_values"))

    function, places = cast("Callable[..., object]", f), cast("Argnums", argnums)

    def gradient(*args: object) -> Any:
        call = _FunctionCall("grad", function, args, places)
        return call.gradients([call.scalar()], [1.0])

    return gradient


def _as_value(x: Operand, wanted: bool) -> Operand:
    return _constant(x) if wanted and not isinstance(x, Value) else x


def value_and_grad(f: Callable[..., object], argnums: Argnums = 0) -> Callable[..., tuple[Operand, Any]]:
    """The function that gives the value and the gradient from one call."""

    def both(*args: object) -> tuple[Operand, Any]:
        call = _FunctionCall("value_and_grad", f, args, argnums)
        return _plain(call.scalar(), call.nested), call.gradients([call.scalar()], [1.0])

    return both


def vjp(f: Callable[..., object], *primals: object) -> tuple[Any, Callable[[object], tuple[Any, ...]]]:
    """The value, and the function from cotangents of the result to those of the arguments."""
    call = _FunctionCall("vjp", f, primals, tuple(range(len(primals))))

    def pull(cotangents: object) -> tuple[Any, ...]:
        seeds, tree = flatten(cotangents, "vjp")
        _same(tree, call.result_tree, "vjp", "cotangents", "result")
        gradients: tuple[Any, ...] = call.gradients(call.outputs, _numbers(seeds))
        return gradients

    return call.result(), pull


def jvp(f: Callable[..., object], primals: Sequence[object], tangents: Sequence[object]) -> tuple[Any, Any]:
    """The value, and how it moves when the arguments move along `tangents`."""
    call = _FunctionCall("jvp", f, tuple(primals), tuple(range(len(primals))))
    moves, tree = flatten(tuple(tangents), "jvp")
    _same(tree, call.tree, "jvp", "tangents", "arguments")
    tangent = dict(zip(call.leaves, _numbers(moves), strict=True))
    pushed = _push(call.outputs, tangent, create_graph=call.nested)
    wanted = call.nested or any(isinstance(move, Value) for move in moves)
    return call.result(), unflatten(call.result_tree, [_plain(move, wanted) for move in pushed])


def jacobian(f: Callable[..., object], argnums: Argnums = 0) -> Callable[..., Any]:
    """The function that gives, in the structure of the result, the gradient of each output."""

    def rows(*args: object) -> Any:
        call = _FunctionCall("jacobian", f, args, argnums)
        return unflatten(call.result_tree, [call.gradients([output], [1.0]) for output in call.outputs])

    return rows


def hessian(f: Callable[..., object], argnums: Argnums = 0) -> Callable[..., Any]:
    """The function that gives the second derivatives: the jacobian of the gradient."""
    return jacobian(grad(f, argnums), argnums)


def _same(tree: Tree, wanted: Tree, name: str, what: str, like: str) -> None:
    if tree != wanted:
        fields = {"what": say(f"functional.{what}"), "like": say(f"functional.{like}")}
        raise ValueError(say("functional.structure", name=name, **fields))


# ---- gradcheck --------------------------------------------------------------------------------


class GradcheckError(MinigradError, AssertionError):
    """The one worst entry of a gradient that differences contradict, and the likely reason."""


def gradcheck(f: Callable[..., object], inputs: Sequence[object]) -> bool:
    """True if backward through `f` agrees with central differences in every entry.

    `inputs` are the arguments of f.  Otherwise GradcheckError, with the one worst entry: one that is
    wrong, or one that differences cannot confirm (at a kink, say), which the message tells apart.
    """
    args = tuple(inputs) if isinstance(inputs, (list, tuple)) else (inputs,)
    numbers, tree = flatten(args, "gradcheck")
    start = [number(x.data if isinstance(x, Value) else x) for x in numbers]

    def outputs_at(point: Sequence[float]) -> list[float]:
        results, _ = flatten(f(*unflatten(tree, [Value(x) for x in point])), "gradcheck")
        return [x.data if isinstance(x, Value) else number(x) for x in results]

    first, second = outputs_at(start), outputs_at(start)
    if repr(first) != repr(second):
        raise GradcheckError(say("gradcheck.not_repeatable", first=first, second=second))
    call = _FunctionCall("gradcheck", f, unflatten(tree, start), tuple(range(len(args))))
    worst: tuple[float, int, int, float, Slope] | None = None
    for row, output in enumerate(call.outputs):
        for leaf in call.leaves:
            leaf.grad = 0.0
        if output.requires_grad:
            output.backward()  # the real pass, so that an op with a _backward of its own is checked too
        reached = (abs(node.grad * node.data) for nodes in reach([output]) for node in nodes)
        noise = EPSILON * sum(filter(isfinite, reached))
        for i, leaf in enumerate(call.leaves):
            analytic = leaf.grad
            numeric = slope(lambda x: outputs_at([*start[:i], x, *start[i + 1 :]])[row], start[i], noise)  # noqa: B023
            if numeric.agrees(analytic) and numeric.sharp and not (numeric.kink or numeric.rough):
                continue
            gap = abs(analytic - numeric.value)
            size = gap / max(1.0, abs(numeric.value)) if isfinite(gap) else float("inf")
            if worst is None or size > worst[0]:
                worst = (size, i, row, analytic, numeric)
    if worst is None:
        return True
    _, i, row, analytic, numeric = worst
    single = len(call.outputs) == 1
    where = say("gradcheck.where" if single else "gradcheck.where_output", index=i, output=row)
    sure = numeric.sharp and not (numeric.kink or numeric.rough)
    raise GradcheckError(
        say(
            "gradcheck.failed" if sure else "gradcheck.unsure",
            where=where,
            analytic=show(analytic, 12),
            numeric=show(numeric.value, 12),
            error=show(numeric.error, 2),
            reason=_reason(analytic, numeric),
        )
    )


def _reason(analytic: float, numeric: Slope) -> str:
    if not isfinite(analytic) or not isfinite(numeric.left):
        return say("gradcheck.nan")
    if numeric.rough:
        return say("gradcheck.rough")
    if numeric.kink:
        return say("gradcheck.kink", left=show(numeric.left), right=show(numeric.right))
    if not numeric.sharp:
        return say("gradcheck.rounding")
    if analytic == 0.0:
        return say("gradcheck.cut")
    if numeric.agrees(-analytic):
        return say("gradcheck.sign")
    factor = analytic / numeric.value if numeric.value else float("inf")
    for n in range(2, 11):
        if isclose(abs(factor), n, rel_tol=1e-6) or isclose(abs(factor), 1 / n, rel_tol=1e-6):
            return say("gradcheck.factor", factor=show(factor))
    return say("gradcheck.rule")
