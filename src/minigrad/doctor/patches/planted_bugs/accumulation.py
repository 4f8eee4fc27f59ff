"""Planted faults of accumulation: what is added where, upstream, data for grad, slots."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from ..anatomy import Anatomy, Edit, LocalRule, OpFunction
from ..patch import Patch, make_patch
from ..repairs.accumulation import operator_edit
from ..repairs.formula_check import right_with
from ..repairs.formulas import times

__all__ = ["plant_bugs"]

Planted = Iterator[Patch | None]


def plant_bugs(anatomy: Anatomy) -> Planted:
    yield from _operators(anatomy)
    yield from _statements(anatomy)
    yield from _upstream(anatomy)
    yield from _slots(anatomy)
    yield from _in_the_loop(anatomy)


def _sending(anatomy: Anatomy) -> list[tuple[OpFunction, LocalRule]]:
    """Rules that add to a gradient, one statement each."""
    return [
        (function, rule)
        for function, rule in anatomy.rules()
        if rule.operator == "+=" and isinstance(rule.statement, ast.AugAssign)
    ]


def _operators(anatomy: Anatomy) -> Planted:
    by_op: dict[tuple[str, str], list[Edit]] = {}
    minus = []
    for function, rule in _sending(anatomy):
        edit = operator_edit(anatomy, rule, "=")
        if edit is not None:
            by_op.setdefault((function.name, function.op), []).append(edit)
            minus.append(Edit(edit.start, edit.end, "-="))
    every = [edit for edits in by_op.values() for edit in edits]
    if every:
        yield make_patch(anatomy, "overwrite", *every)
        yield make_patch(anatomy, "subtract", *minus)
    for (_, op), edits in by_op.items():
        yield make_patch(anatomy, "overwrite-one-op", *edits, op=op)


def _statements(anatomy: Anatomy) -> Planted:
    """Each statement that sends, written in another way."""
    forms: dict[str, Callable[[str, str], str]] = {
        "keep-first": lambda target, value: f"{target} = {target} or {value}",
        "keep-largest": lambda target, value: f"{target} = max({target}, {value}, key=abs)",
        "accumulate-twice": lambda target, value: f"{target} += 2 * ({value})",
    }
    for slug, form in forms.items():
        edits = []
        for _, rule in _sending(anatomy):
            if isinstance(rule.statement, ast.AugAssign):
                target, value = anatomy.text.of(rule.statement.target), anatomy.text.of(rule.expression)
                edits.append(anatomy.text.replaced(rule.statement, form(target, value)))
        if edits:
            yield make_patch(anatomy, slug, *edits)
    for function, rule in _sending(anatomy):
        if function.op == "relu" and isinstance(rule.statement, ast.AugAssign) and not rule.tests:
            target, value = anatomy.text.of(rule.statement.target), anatomy.text.of(rule.expression)
            text = f"{target} = {target} + {value} if {rule.values[0]} > 0 else 0.0"
            yield make_patch(anatomy, "relu-zeroes", anatomy.text.replaced(rule.statement, text), op="relu")


# ---- the upstream gradient ------------------------------------------------------------------------


def _upstream(anatomy: Anatomy) -> Planted:
    changes: dict[str, Callable[[OpFunction, LocalRule, str], str | None]] = {
        "upstream-ignored": lambda f, rule, text: _without(rule, text),
        "upstream-divided": lambda f, rule, text: _divided(rule, text),
        "upstream-added": lambda f, rule, text: _added(rule, text),
        "upstream-twice": lambda f, rule, text: times(text, rule.upstream),
        "data-for-grad": lambda f, rule, text: _exchanged(text, rule.upstream, rule.output),
        "own-grad-for-upstream": lambda f, rule, text: _exchanged(
            text,
            rule.upstream,
            f"{rule.owner}.{anatomy.grad}" if rule.sends and rule.operator != "()" else "",
        ),
    }
    for slug, change in changes.items():
        every: list[Edit] = []
        for function in anatomy.ops:
            mine = []
            for rule in function.rules:
                if rule.upstream and rule.upstream in anatomy.text.of(rule.expression):
                    text = change(function, rule, anatomy.text.of(rule.expression))
                    if text is not None:
                        mine.append(anatomy.text.replaced(rule.expression, text))
            every += mine
            if slug == "upstream-ignored" and mine:
                yield make_patch(anatomy, "upstream-ignored-one-op", *mine, op=function.op)
        if every:
            yield make_patch(anatomy, slug, *every)
    for function in anatomy.ops:
        edits = [
            anatomy.text.replaced(rule.expression, rule.upstream or "1.0")
            for rule in function.rules
            if not _is_right_with(anatomy, function, rule, rule.upstream or "1.0")
        ]
        if edits:
            yield make_patch(anatomy, "local-ignored", *edits, op=function.op)
        if function.op == "mul":
            yield _grad_for_data(anatomy, function)


def _is_right_with(anatomy: Anatomy, function: OpFunction, rule: LocalRule, text: str) -> bool:
    return bool(right_with(anatomy, function, rule, ast.parse(text, mode="eval").body))


def _without(rule: LocalRule, text: str) -> str | None:
    """The expression without its upstream factor."""
    name = re.escape(rule.upstream)
    for pattern in (rf" *\* *{name}(?![\w.])", rf"(?<![\w.]){name} *\* *"):
        found = re.sub(pattern, "", text, count=1)
        if found != text:
            return found
    return _exchanged(text, rule.upstream, "1.0")


def _divided(rule: LocalRule, text: str) -> str | None:
    found = re.sub(rf"\* *{re.escape(rule.upstream)}(?![\w.])", f"/ {rule.upstream}", text, count=1)
    return found if found != text else None


def _added(rule: LocalRule, text: str) -> str | None:
    found = re.sub(rf" *\* *{re.escape(rule.upstream)}(?![\w.])", f" + {rule.upstream}", text, count=1)
    return found if found != text else None


def _exchanged(text: str, old: str, new: str) -> str | None:
    return re.sub(rf"(?<![\w.]){re.escape(old)}(?![\w.])", new, text) if new else None


def _grad_for_data(anatomy: Anatomy, function: OpFunction) -> Patch | None:
    edits = []
    for rule in function.rules:
        text = anatomy.text.of(rule.expression)
        for value in rule.values:
            if value.endswith(f".{anatomy.data}") and value in text:
                owner = value.removesuffix(f".{anatomy.data}")
                new = _exchanged(text, value, f"{owner}.{anatomy.grad}")
                if new is not None:
                    edits.append(anatomy.text.replaced(rule.expression, new))
    return make_patch(anatomy, "grad-for-data", *edits, op="mul") if edits else None


# ---- slots ----------------------------------------------------------------------------------------


def _slots(anatomy: Anatomy) -> Planted:
    for function in anatomy.ops:
        first, second = function.rules_of(0), function.rules_of(1)
        if len(first) == 1 and len(second) == 1:
            one, other = first[0].expression, second[0].expression
            if not _is_right_with(anatomy, function, first[0], f"({anatomy.text.of(other)})"):
                edits = (
                    anatomy.text.replaced(one, anatomy.text.of(other)),
                    anatomy.text.replaced(other, anatomy.text.of(one)),
                )
                yield make_patch(anatomy, "slots-swapped", *edits, op=function.op)
        if first and len(second) == 1:
            slug = "pow-exponent-missing" if function.op == "pow" else "second-operand-cut"
            if second[0].sends:
                yield make_patch(anatomy, slug, anatomy.text.removed(second[0].statement), op=function.op)
            else:
                yield make_patch(
                    anatomy, slug, anatomy.text.replaced(second[0].expression, "0.0"), op=function.op
                )


def _in_the_loop(anatomy: Anatomy) -> Planted:
    """The one loop that sends for all ops: `child.grad += local * node.grad`."""
    for traversal in anatomy.traversals:
        for scope in filter(None, (traversal.loop, traversal.helper)):
            for node in ast.walk(scope):
                if not isinstance(node, ast.AugAssign) or not isinstance(node.op, ast.Add):
                    continue
                target, value = anatomy.text.of(node.target), anatomy.text.of(node.value)
                held = isinstance(node.target, ast.Attribute) and node.target.attr == anatomy.grad
                keyed = isinstance(node.target, ast.Subscript)
                if not held and not keyed:
                    continue
                for slug, text in (
                    ("overwrite", f"{target} = {value}"),
                    ("subtract", f"{target} -= {value}"),
                    ("keep-first", f"{target} = {target} or {value}"),
                    ("accumulate-twice", f"{target} += 2 * ({value})"),
                ):
                    yield make_patch(anatomy, slug, anatomy.text.replaced(node, text))
                yield from _loop_upstream(anatomy, node)
        return


def _loop_upstream(anatomy: Anatomy, node: ast.AugAssign) -> Planted:
    value = node.value
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        left, right = anatomy.text.of(value.left), anatomy.text.of(value.right)
        upstream = right if anatomy.grad in right else left
        local = left if upstream == right else right
        yield make_patch(anatomy, "upstream-ignored", anatomy.text.replaced(value, local))
        yield make_patch(anatomy, "upstream-divided", anatomy.text.replaced(value, f"{local} / {upstream}"))
        yield make_patch(anatomy, "upstream-added", anatomy.text.replaced(value, f"{local} + {upstream}"))
        yield make_patch(
            anatomy, "upstream-twice", anatomy.text.replaced(value, f"{local} * {upstream} * {upstream}")
        )
