"""Value: one number that remembers how it was computed.

This file is the textbook.  Read from top to bottom it says what reverse mode is:

1. An op on Values makes a new Value.  It records facts: the nodes it was made from
   (`_children`) and how fast the result changes with each of them (`_local_grads`).
2. A node passes its gradient on to its children: each gets `local * upstream`, added
   to what it has already, because every use of a node is one term of its gradient.
3. `backward` does that for every node, newest first.  A node is made after all that it
   is made from, so when its turn comes, all messages for it have arrived.

Where a faster engine differs from this file, this file is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, KeysView, Sequence
from contextvars import ContextVar
from functools import partial
from itertools import chain, count
from math import inf, nan
from numbers import Real
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Union

from ._native.compiled_engine import use_compiled_engine
from .ops import MANY, OPS, Op
from .text.excerpts import cut, describe
from .text.translation import say
from .values import ieee, no_grad
from .values.formulas import power_slope
from .values.validation import arity, number

__all__ = ["Handle", "Value", "backward", "reach"]

Operand = Union["Value", float]
Hook = Callable[[float], "float | None"]

_created = count().__next__  # atomic, so nodes made in several threads stay in order
_new = object.__new__
_SELECTIVE = frozenset(op.symbol for op in OPS.values() if op.selective)
_running: ContextVar[bool] = ContextVar("minigrad pass", default=False)


class Value:
    """A number in a graph: `data` is what it is, `grad` how the output responds to it."""

    __slots__ = (
        "__weakref__",
        "_children",
        "_data",
        "_extra",
        "_index",
        "_local_grads",
        "_op",
        "grad",
        "requires_grad",
    )

    _data: float  # what `data` reads
    grad: float
    requires_grad: bool  # False for a constant: no gradient is computed for it
    _children: tuple[Value, ...]  # in order, repeats kept: a*a has two slots
    _local_grads: tuple[float | None, ...]  # frozen now: later writes to .data cannot corrupt them
    _op: str
    _index: int
    _extra: _Extra | None  # the label, hooks and hand-made rule that few nodes have

    def __init__(
        self,
        data: float,
        _children: Iterable[Value] = (),
        _op: str | Iterable[float] = "",
        label: str = "",
        *,
        requires_grad: bool = True,
    ) -> None:
        """A leaf; or, with children, a node made by hand.

        The rule of a node made by hand is either its local gradients in third place, one
        per child, or a function without arguments that is assigned to `_backward`.
        """
        self._data = data if type(data) is float else number(data)
        self.grad = 0.0
        self.requires_grad = bool(requires_grad)
        self._children = ()
        self._local_grads = ()
        self._op = ""
        self._index = _created()
        self._extra = None
        if label:
            self.label = label
        if _children or _op:
            _make_by_hand(self, _children, _op)

    # ---- the two local rules, and their relatives ---------------------------------------
    # Each op states two facts: the result, and the local gradient of each argument.
    # These six are spelled out because they are the heart; the rest come from the table.

    def __add__(self, other: Operand) -> Value:
        if not isinstance(other, Value) and (other := _constant(other)) is None:
            return NotImplemented
        return _node(self, self._data + other._data, (self, other), (1.0, 1.0), "+")

    def __mul__(self, other: Operand) -> Value:
        if not isinstance(other, Value) and (other := _constant(other)) is None:
            return NotImplemented
        a, b = self._data, other._data
        return _node(self, a * b, (self, other), (b, a), "*")

    def __sub__(self, other: Operand) -> Value:
        if not isinstance(other, Value) and (other := _constant(other)) is None:
            return NotImplemented
        return _node(self, self._data - other._data, (self, other), (1.0, -1.0), "-")

    def __neg__(self) -> Value:
        return _node(self, -self._data, (self,), (-1.0,), "neg")

    def __truediv__(self, other: Operand) -> Value:
        if not isinstance(other, Value) and (other := _constant(other)) is None:
            return NotImplemented
        b = other._data
        y = ieee.div(self._data, b)
        return _node(self, y, (self, other), (ieee.inverse(b), -ieee.div(y, b)), "/")

    def __pow__(self, other: Operand, modulus: None = None) -> Value:
        if modulus is not None:
            raise TypeError(say("value.modulo"))
        if not isinstance(other, Value) and (other := _constant(other)) is None:
            return NotImplemented
        if other.requires_grad:
            return _apply(OPS["pow"], self, (self, other))
        a, p = self._data, other._data  # a constant exponent never takes the logarithm
        q = p - 1.0
        slope = p * ieee.pow(a, q)
        if not (1e-290 < abs(slope) < inf and q + 1.0 == p and p - q == 1.0):
            slope = power_slope(ieee, a, p)  # the same, at the ends of the range of floats
        return _node(self, ieee.pow(a, p), (self, other), (slope, 0.0), "**")

    # A number on the left: 2 - a is a constant minus a, never a minus 2.

    def __radd__(self, other: float) -> Value:
        left = _constant(other, self)
        return NotImplemented if left is None else left + self

    def __rmul__(self, other: float) -> Value:
        left = _constant(other, self)
        return NotImplemented if left is None else left * self

    def __rsub__(self, other: float) -> Value:
        left = _constant(other, self)
        return NotImplemented if left is None else left - self

    def __rtruediv__(self, other: float) -> Value:
        left = _constant(other, self)
        return NotImplemented if left is None else left / self

    def __rpow__(self, other: float) -> Value:
        left = _constant(other, self)
        return NotImplemented if left is None else left**self

    def __pos__(self) -> Value:
        return self

    def __abs__(self) -> Value:
        return _apply(OPS["abs"], self, (self,))

    # ---- the backward pass --------------------------------------------------------------

    def _propagate(self) -> None:
        """Send each child its contribution, `local * upstream`, and add it to the child's grad."""
        upstream = self.grad
        for child, local in zip(self._children, self._local_grads):  # noqa: B905 one length, and strict is slow
            if local is not None and child.requires_grad:
                child.grad += local * upstream

    @property
    def _backward(self) -> Callable[[], None]:
        """This node's rule.  Seed a root and call it from right to left to walk a pass by hand."""
        extra = self._extra
        return self._propagate if extra is None or extra.rule is None else extra.rule

    @_backward.setter
    def _backward(self, rule: Callable[[], None]) -> None:
        _extra_of(self).rule = rule

    def backward(self, seed: float = 1.0) -> None:
        """Add to the `grad` of every leaf below how this Value changes with it, times `seed`."""
        backward((self,), (seed,))

    def zero_grad(self) -> None:
        """Clear the gradients of this Value and of everything below it."""
        found, seen = [self], {self}
        for node in found:  # grows while it is walked
            node.grad = 0.0
            for child in node._children:
                if child not in seen:
                    seen.add(child)
                    found.append(child)

    def register_hook(self, hook: Hook) -> Handle:
        """Call `hook(grad)` in each pass, once this node's gradient is complete.

        A number that it returns takes the gradient's place.  The handle's `remove()` ends it.
        """
        if not callable(hook):
            raise TypeError(say("value.hook_callable", given=describe(hook)))
        extra = _extra_of(self)
        hooks: dict[Handle, Hook] = {} if extra.hooks is None else extra.hooks
        handle = Handle(hooks)
        hooks[handle] = hook
        extra.hooks = hooks  # set when the hook is in it, so that an engine can look at what it refers to
        return handle

    # ---- what else a number can do ------------------------------------------------------

    def __lt__(self, other: Operand) -> bool:
        return NotImplemented if (b := _data_of(other)) is None else self._data < b

    def __le__(self, other: Operand) -> bool:
        return NotImplemented if (b := _data_of(other)) is None else self._data <= b

    def __gt__(self, other: Operand) -> bool:
        return NotImplemented if (b := _data_of(other)) is None else self._data > b

    def __ge__(self, other: Operand) -> bool:
        return NotImplemented if (b := _data_of(other)) is None else self._data >= b

    @property
    def data(self) -> float:
        """The number; what is written to it must be one."""
        return self._data

    @data.setter
    def data(self, data: float) -> None:
        self._data = data if type(data) is float else number(data)

    def item(self) -> float:
        return self._data

    def detach(self) -> Value:
        """A constant with the same data: nothing flows through it."""
        return Value(self.data, requires_grad=False)

    @property
    def label(self) -> str:
        return "" if self._extra is None else self._extra.label

    @label.setter
    def label(self, label: str) -> None:
        _extra_of(self).label = str(label)

    @property
    def _prev(self) -> KeysView[Value]:
        """The distinct children, set-like as in micrograd, but always in the same order."""
        return dict.fromkeys(self._children).keys()

    def __repr__(self) -> str:
        label = cut(self.label, 40)
        named = f", label={label!r}" if label else ""
        return f"{type(self).__name__}(data={self.data!r}, grad={self.grad!r}{named})"

    def __format__(self, spec: str) -> str:
        return format(self.data, spec) if spec else repr(self)

    def __copy__(self) -> Value:
        from .values.copies import shallow

        return shallow(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Value:
        from .values.copies import deep

        return deep(self, memo)

    def __reduce_ex__(self, protocol: object) -> tuple[Any, ...]:
        from .values.copies import reduce

        return reduce(self)

    if TYPE_CHECKING:
        # The remaining ops of the table are methods too: v.exp(), v.arctan2(w), ...
        def __getattr__(self, name: str) -> Callable[..., Value]: ...


# ---- making nodes ---------------------------------------------------------------------------


def _node(
    like: Value,
    data: float,
    children: tuple[Value, ...],
    local_grads: tuple[float | None, ...],
    op: str,
) -> Value:
    """The result of an op: a node, or a constant where no gradient is wanted."""
    node = _new(like.__class__)
    node._data = data
    node.grad = 0.0
    node._index = _created()
    node._extra = None
    wanted = like.requires_grad or children[-1].requires_grad or any(c.requires_grad for c in children)
    if wanted and not (no_grad.blocks and no_grad.paused()):
        node.requires_grad = True
        node._children = children
        node._local_grads = local_grads
        node._op = op
        return node
    node.requires_grad = False
    node._children = ()
    node._local_grads = ()
    node._op = ""
    return node


# ---- the pass -------------------------------------------------------------------------------


def _walk(seeded: Iterable[tuple[Value, float]], senders: list[Value], leaves: list[Value]) -> None:
    """The pass itself: start from zero, seed the roots, and let each node send its messages."""
    for node in chain(senders, leaves):
        node.grad = 0.0
    for root, seed in seeded:
        if root.requires_grad:
            root.grad += seed
    for node in senders:  # newest first, so a node's gradient is complete when its turn comes
        if node._extra is None:
            node._propagate()
        else:
            _run_hooks(node)
            node._backward()
    for leaf in leaves:
        if leaf._extra is not None:
            _run_hooks(leaf)


def reach(roots: Iterable[Value]) -> tuple[list[Value], list[Value]]:
    """What messages from some roots can reach: the nodes that send them on, newest first; the leaves.

    A branch not taken is not among them: no message enters it, so none comes out of it.
    """
    waiting = list(dict.fromkeys(root for root in roots if root.requires_grad))
    seen = set(waiting)
    senders: list[Value] = []
    leaves: list[Value] = []
    while waiting:
        node = waiting.pop()
        if not node._children:
            leaves.append(node)
            continue
        senders.append(node)
        for child in node._children if node._op not in _SELECTIVE else _taken(node):
            if child not in seen and child.requires_grad:
                seen.add(child)
                waiting.append(child)
    senders.sort(key=attrgetter("_index"), reverse=True)
    return senders, leaves  # leaves send nothing, so their order does not matter


def _taken(node: Value) -> list[Value]:
    """The children of a node that it has a message for."""
    return [c for c, local in zip(node._children, node._local_grads, strict=True) if local is not None]


def backward(roots: Value | Sequence[Value], seeds: float | Sequence[float] | None = None) -> None:
    """One pass from one or several outputs, each seeded with 1 unless told otherwise.

    Gradients of leaves add up over passes.  Those of the nodes between start again from
    zero, so that a second pass adds exactly one more copy.
    """
    seeded = _seeded(roots, seeds)
    senders, leaves = reach(root for root, _ in seeded)
    earlier = [(leaf, leaf.grad) for leaf in leaves if leaf.grad]
    inside = _running.set(True)
    # A pass that a hook starts leaves the gradients of the pass around it as they were.
    around = [(node, node.grad) for node in senders] if inside.old_value is True else []
    try:
        _walk(seeded, senders, leaves)
        totals = [(leaf, grad + leaf.grad) for leaf, grad in earlier]
    except BaseException:  # a hook's, say: the leaves as they were, all else at zero
        for node in chain(senders, leaves):
            node.grad = 0.0
        totals = earlier
        raise
    finally:
        _running.reset(inside)
        for node, grad in chain(totals, around):
            node.grad = grad


def _seeded(
    roots: Value | Sequence[Value], seeds: float | Sequence[float] | None
) -> list[tuple[Value, float]]:
    if not isinstance(roots, (Value, Iterable)):
        raise TypeError(say("backward.root", given=describe(roots)))
    starts = (roots,) if isinstance(roots, Value) else tuple(roots)
    for root in starts:
        if not isinstance(root, Value):
            raise TypeError(say("backward.root", given=describe(root)))
    if not any(root.requires_grad for root in starts):
        raise RuntimeError(say("backward.constant"))
    if seeds is None:
        return [(root, 1.0) for root in starts]
    given = tuple(seeds) if isinstance(seeds, Iterable) else (seeds,)
    if len(given) != len(starts):
        raise ValueError(say("backward.seeds", roots=len(starts), seeds=len(given)))
    return list(zip(starts, map(number, given), strict=True))


# ---- not needed on a first reading: the other ops -------------------------------------------


def _apply(op: Op, like: Value, children: tuple[Value, ...]) -> Value:
    """Any op of the table."""
    xs = [child._data for child in children]
    y = op.forward(ieee, *xs)
    return _node(like, y, children, op.partials(ieee, y, *xs), op.symbol)


def _method(op: Op) -> Callable[..., Value]:
    """The method of a row: v.exp(), v.arctan2(w), v.leaky_relu(0.1)."""
    # Bound to floats: most rows are a function of `ieee` itself, which then needs no formula.
    forward = getattr(ieee, op.name, None) or partial(op.forward, ieee)
    partials, symbol, most = op.partials, op.symbol, op.arity[1]

    def unary(self: Value) -> Value:
        x = self._data
        y = forward(x)
        return _node(self, y, (self,), partials(ieee, y, x), symbol)

    def several(self: Value, *others: Operand) -> Value:
        return _apply(op, self, operands(op, (self, *others)))

    method = unary if most == 1 else several
    method.__name__, method.__qualname__ = op.name, f"Value.{op.name}"
    method.__doc__ = f"{op.write(*'abc'[:most])}: {op.rule[0].format(a='a', b='b').replace(' | ', '; ')}."
    return method


def operands(op: Op, given: Sequence[Operand]) -> tuple[Value, ...]:
    """The arguments of an op as Values, with the defaults filled in."""
    least, most = op.arity
    if not least <= len(given) <= most:
        raise TypeError(say("op.arity", op=op.name, wanted=arity(op), given=len(given)))
    given = (*given, *op.defaults[len(given) - least :])
    values = tuple(x if isinstance(x, Value) else _constant(x) for x in given)
    for x, value in zip(given, values, strict=True):
        if value is None:
            raise TypeError(say("value.operand", given=describe(x)))
    return values


for _op_row in OPS.values():
    if _op_row.arity[1] != MANY:
        setattr(Value, _op_row.name, _method(_op_row))


def _constant(x: object, like: Value | None = None) -> Any:
    """x as a constant operand, or None where its own type may know what to do (an array)."""
    if type(x) is not float and (x := _operand(x)) is None:
        return None
    constant = _new(Value if like is None else like.__class__)
    constant._data = x
    constant.grad = 0.0
    constant.requires_grad = False
    constant._children = ()
    constant._local_grads = ()
    constant._op = ""
    constant._index = _created()
    constant._extra = None
    return constant


def _operand(x: object) -> float | None:
    """x as a float, None where its own type may know what to do, an error for what nobody adds."""
    if not isinstance(x, (int, float)):
        if isinstance(x, (str, bytes, complex, list, tuple, dict, set, type(None))):
            raise TypeError(say("value.operand", given=describe(x)))
        if not isinstance(x, Real):
            return None
    return number(x)


def _data_of(x: object) -> Any:
    return x._data if isinstance(x, Value) else x if isinstance(x, (int, float, Real)) else None


# ---- not needed on a first reading: labels, hooks, nodes made by hand -----------------------


class _Extra:
    __slots__ = ("hooks", "label", "rule")

    def __init__(self) -> None:
        self.label = ""
        self.rule: Callable[[], None] | None = None
        self.hooks: dict[Handle, Hook] | None = None


class Handle:
    """What `register_hook` gives back."""

    def __init__(self, hooks: dict[Handle, Hook]) -> None:
        self._hooks = hooks

    def remove(self) -> None:
        self._hooks.pop(self, None)


def _extra_of(node: Value) -> _Extra:
    if node._extra is None:
        node._extra = _Extra()
    return node._extra


def _run_hooks(node: Value) -> None:
    for hook in list((_extra_of(node).hooks or {}).values()):
        replacement = hook(node.grad)
        if replacement is not None:
            if isinstance(replacement, Value) or not hasattr(replacement, "__float__"):
                raise TypeError(say("value.hook", given=describe(replacement)))
            node.grad = number(replacement)


def _make_by_hand(node: Value, children: Iterable[Value], rule: str | Iterable[float]) -> None:
    if isinstance(children, Value):
        raise TypeError(say("value.one_child"))
    if not isinstance(children, Iterable):
        raise TypeError(say("value.children", given=describe(children)))
    children = tuple(children)
    for child in children:
        if not isinstance(child, Value):
            raise TypeError(say("value.children", given=describe(child)))
    node._children = children
    if children:  # like any op's result: a constant where no gradient is wanted
        node.requires_grad &= any(c.requires_grad for c in children) and not no_grad.paused()
    if isinstance(rule, str):
        node._op = rule
        node._local_grads = (nan,) * len(children)  # not known: the rule will tell
        if children:
            _extra_of(node).rule = _no_rule
        return
    if not isinstance(rule, Iterable):
        raise TypeError(say("value.locals", children=len(children), locals=describe(rule)))
    local_grads = tuple(number(local) for local in rule)
    if len(local_grads) != len(children):
        raise ValueError(say("value.locals", children=len(children), locals=len(local_grads)))
    node._local_grads = local_grads


def _no_rule() -> None:
    raise RuntimeError(say("value.no_rule"))


# ---- the compiled twin ----------------------------------------------------------------------

ENGINE = "plain"
use_compiled_engine(globals())  # which makes it "native", and Value the same class in C
