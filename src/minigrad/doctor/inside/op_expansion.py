"""Expansions of ops: whether an engine makes one node of an op, or a composition of its other ops.

`a - b` is often `a + (-b)`, and `-b` is `b * -1`; a bug in `*` then shows in `-`.  The calls are watched
while an op is applied once; an op whose result came out of another op's call is a composition of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from . import op_spellings
from .adapter import Adapter

if TYPE_CHECKING:
    from types import ModuleType

    from .wire_data import OpStep, StepOperand, Way

__all__ = ["expansions"]

NUMBER = 7  # the plain number among the operands: one that no engine has a reason to bring in by itself
OF_THE_NUMBER = (NUMBER, -NUMBER, 1 / NUMBER)


class _WatchedCall:
    def __init__(self, op: str, args: tuple[object, ...]) -> None:
        self.op, self.args = op, args
        self.inner: list[_WatchedCall] = []
        self.result: object = None


class _CallWatch:
    """Wraps what spells an op, and keeps the calls as a tree."""

    def __init__(self, adapter: Adapter) -> None:
        self.adapter = adapter
        self.stack: list[_WatchedCall] = []
        self.undo: list[tuple[type | ModuleType, str, object, bool]] = []

    def __enter__(self) -> _CallWatch:
        cls, module = self.adapter.cls, self.adapter.module
        for op, dunder in op_spellings.DUNDERS.items():
            self._wrap(cls, dunder, op, False)
        for op, dunder in op_spellings.REFLECTED.items():
            self._wrap(cls, dunder, op, True)
        for ways in self.adapter.plan["ops"].items():
            for way in ways[1].values():
                if way[0] == "method":
                    self._wrap(cls, way[1], ways[0], False)
                elif way[0] == "function" and "." not in way[1]:
                    self._wrap(module, way[1], ways[0], False)
        return self

    def __exit__(self, *_error: object) -> None:
        for holder, name, before, own in reversed(self.undo):
            if own:
                setattr(holder, name, before)
            else:
                delattr(holder, name)

    def _wrap(self, holder: type | ModuleType, name: str, op: str, reflected: bool) -> None:
        before = getattr(holder, name, None)
        if not callable(before) or any(it[:2] == (holder, name) for it in self.undo):
            return
        own = name in vars(holder)
        self.undo.append((holder, name, vars(holder).get(name), own))
        setattr(holder, name, self._watched(before, op, reflected))

    def _watched(self, call: Callable[..., object], op: str, reflected: bool) -> Callable[..., object]:
        def watched(*args: object, **keywords: object) -> object:
            record = _WatchedCall(op, args[::-1] if reflected and len(args) == 2 else args)
            if self.stack:
                self.stack[-1].inner.append(record)
            self.stack.append(record)
            try:
                record.result = call(*args, **keywords)
            finally:
                self.stack.pop()
            return record.result

        return watched


def expansions(adapter: Adapter) -> dict[str, list[OpStep]]:
    """For every "op pattern" that is a composition: its steps, each [op, operands].

    An operand is ["x", place] for an operand of the whole, ["s", step] for a step before, ["k", number].
    """
    found: dict[str, list[OpStep]] = {}
    for op, ways in adapter.plan["ops"].items():
        for pattern, way in ways.items():
            try:
                steps = _expanded(adapter, op, pattern, way)
            except Exception:
                continue
            if steps:
                found[f"{op} {pattern}"] = steps
    return found


def _expanded(adapter: Adapter, op: str, pattern: str, way: Way) -> list[OpStep] | None:
    adapter.begin()
    args = [adapter.leaf(x) if kind == "v" else NUMBER for kind, x in zip(pattern, (0.75, 0.5), strict=False)]
    top = _WatchedCall("", ())
    with _CallWatch(adapter) as watch:
        watch.stack.append(top)
        result = adapter.call(way, args)
    if not top.inner or top.inner[-1].result is not result:
        return None
    primitive: list[_WatchedCall] = []
    _flatten(top.inner[-1], primitive)
    if len(primitive) == 1 and primitive[0].op == op:
        same = [a is b for a, b in zip(primitive[0].args, args, strict=False)]
        if all(same) and len(same) == len(args):
            return None
    return _steps(adapter, primitive, args)


def _flatten(call: _WatchedCall, into: list[_WatchedCall]) -> None:
    """The calls that make nodes of their own, in their order."""
    composed = any(inner.result is call.result for inner in call.inner)
    if composed:
        for inner in call.inner:
            _flatten(inner, into)
    else:
        into.append(call)


def _steps(adapter: Adapter, calls: list[_WatchedCall], args: list[object]) -> list[OpStep] | None:
    steps: list[OpStep] = []
    made: list[tuple[object, int]] = []  # a result, and the step that it is of
    for call in calls:
        operands: list[StepOperand] = []
        for operand in call.args:
            spot = _place(operand, args)
            step = next((number for result, number in made if result is operand), None)
            if spot is not None:
                operands.append(["x", spot])
            elif step is not None:
                operands.append(["s", step])
            else:
                number = adapter.data(operand)
                if number is None:
                    return None
                operands.append(_constant(number, args, steps))
        steps.append([call.op, operands])
        made.append((call.result, len(steps) - 1))
    return steps


def _constant(number: float, args: list[object], steps: list[OpStep]) -> StepOperand:
    """A number that the engine brings in: the plain operand, something computed from it, or its own."""
    place = _place(NUMBER, args)
    if place is None or number not in OF_THE_NUMBER:
        return ["k", number]
    if number == NUMBER:
        return ["x", place]
    steps.append(["neg", [["x", place]]] if number == -NUMBER else ["div", [["k", 1.0], ["x", place]]])
    return ["s", len(steps) - 1]


def _place(operand: object, among: list[object]) -> int | None:
    """Where an operand stands among others: it itself, not one that is equal."""
    return next((i for i, other in enumerate(among) if other is operand), None)
