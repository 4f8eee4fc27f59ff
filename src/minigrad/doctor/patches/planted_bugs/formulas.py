"""Planted wrong formulas: those of the catalogue's rows, in the names of an engine."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from ....faults import FAULTS
from ..anatomy import Anatomy, Edit, OpFunction
from ..patch import Patch, make_patch
from ..repairs.formula_check import computes_right, right_with
from ..repairs.formulas import (
    Row,
    element,
    forward_text,
    library_edit,
    local_text,
    parse_table,
    specimen_text,
    times,
)

__all__ = ["plant_bugs", "wrong_rows"]

_REFLECTED = {"sub": "-", "div": "/", "pow": "**"}


@cache
def wrong_rows() -> dict[str, tuple[str, Row | None, Row | None]]:
    """For each fault of one op's formula: the op, its wrong value and its wrong local derivatives."""
    right = parse_table(specimen_text(), "FORWARD"), parse_table(specimen_text(), "LOCALS")
    found = {}
    for slug, fault in FAULTS.items():
        if len(fault.sample) != 1 or "{what}" in "".join(new for _, new in fault.change):
            continue
        broken = fault.broken(specimen_text(), "")
        tables = parse_table(broken, "FORWARD"), parse_table(broken, "LOCALS")
        changed = [
            {op: row for op, row in table.items() if op in old and ast.dump(row[1]) != ast.dump(old[op][1])}
            for table, old in zip(tables, right, strict=True)
        ]
        ops = {*changed[0], *changed[1]}
        if len(ops) == 1:
            op = next(iter(ops))
            found[slug] = op, changed[0].get(op), changed[1].get(op)
    return found


def plant_bugs(anatomy: Anatomy) -> Iterator[Patch | None]:
    for slug, (op, value, locals_) in wrong_rows().items():
        for function in anatomy.of(op):
            if function.reflected:
                continue
            edits = _value(anatomy, function, value) if value is not None else []
            if value is not None and not edits:
                continue
            if locals_ is not None:
                ruled = _rules(anatomy, function, locals_)
                if not ruled:
                    continue
                edits = [*edits, *ruled]
            needs = library_edit(anatomy, " ".join(edit.text for edit in edits))
            yield make_patch(anatomy, slug, *edits, *needs, op=op)
    yield from _branches(anatomy)
    yield from _reflected(anatomy)
    yield from _floor_division(anatomy)


def _value(anatomy: Anatomy, function: OpFunction, row: Row) -> list[Edit]:
    made = function.construction
    whole = made.value if made is not None else function.formula if function.backward is not None else None
    text = forward_text(anatomy, function, row)
    if whole is None or text is None or function.others:
        return []
    if isinstance(whole, ast.Name) and whole.id in function.aliases:
        whole = function.aliases[whole.id]
    elif computes_right(anatomy, function, ast.parse(text, mode="eval").body):
        return []
    return [anatomy.text.replaced(whole, text)]


def _rules(anatomy: Anatomy, function: OpFunction, row: Row) -> list[Edit]:
    """The wrong formula in every slot in which it is another; slots in several branches are left alone."""
    edits = []
    right = parse_table(specimen_text(), "LOCALS")[function.op]
    for slot in range(len(function.values)):
        wrong, good = element(row[1], slot), element(right[1], slot)
        if wrong is None or good is None or ast.dump(wrong) == ast.dump(good):
            continue
        rules = function.rules_of(slot)
        if len(rules) != 1 or [t for t in rules[0].tests if "isinstance" not in ast.unparse(t[0])]:
            continue
        if isinstance(wrong, ast.Constant) and not wrong.value and rules[0].sends:
            edits.append(anatomy.text.removed(rules[0].statement))
            continue
        local = local_text(anatomy, function, rules[0], row)
        if local is None:
            continue
        text = times(local, rules[0].upstream)
        if right_with(anatomy, function, rules[0], ast.parse(text, mode="eval").body) is not True:
            edits.append(anatomy.text.replaced(rules[0].expression, text))
    return edits


def _branches(anatomy: Anatomy) -> Iterator[Patch | None]:
    """relu as `if self.data > 0: self.grad += ...`: the question, and not the formula, is wrong."""
    for function, rule in anatomy.rules("relu"):
        for test, wanted in rule.tests:
            if wanted and isinstance(test, ast.Compare) and len(test.ops) == 1:
                between = anatomy.text.span(test.left)[1], anatomy.text.span(test.comparators[0])[0]
                at = anatomy.source.find(">", *between)
                yield make_patch(anatomy, "relu-open", anatomy.text.replaced(test, "True"), op="relu")
                if at >= 0 and anatomy.source[at + 1] != "=":
                    yield make_patch(anatomy, "relu-inverted", Edit(at, at + 1, "<"), op=function.op)
                    yield make_patch(anatomy, "relu-at-zero", Edit(at, at + 1, ">="), op=function.op)


def _reflected(anatomy: Anatomy) -> Iterator[Patch | None]:
    """`2 - a` computed as `a - 2`; or with the rule of `a - 2`."""
    for function in anatomy.ops:
        if not function.reflected or function.op not in _REFLECTED:
            continue
        first, second = function.operands
        mirror = f"{second} {_REFLECTED[function.op]} {first}"
        if function.formula is not None:
            edit = anatomy.text.replaced(function.formula, mirror)
            yield make_patch(anatomy, f"reflected-{function.op}", edit, op=function.op)
        elif function.construction is not None and function.construction.value is not None:
            body = function.node.body
            start = body[1] if ast.get_docstring(function.node) is not None and len(body) > 1 else body[0]
            edit = Edit(anatomy.text.span(start)[0], anatomy.text.span(body[-1])[1], f"return {mirror}")
            yield make_patch(anatomy, f"reflected-{function.op}", edit, op=function.op)
        for rule in function.rules_of(1):
            text = {"sub": "1", "div": f"1 / {rule.values[0]}", "pow": ""}[function.op]
            if text:
                edit = anatomy.text.replaced(rule.expression, times(text, rule.upstream))
                yield make_patch(anatomy, f"reflected-{function.op}-rule", edit, op=function.op)


def _floor_division(anatomy: Anatomy) -> Iterator[Patch | None]:
    for function in anatomy.of("div"):
        made = function.construction
        if made is not None and isinstance(made.value, ast.BinOp) and isinstance(made.value.op, ast.Div):
            between = anatomy.text.span(made.value.left)[1], anatomy.text.span(made.value.right)[0]
            at = anatomy.source.find("/", *between)
            if at >= 0:
                yield make_patch(anatomy, "floor-division", Edit(at, at + 1, "//"), op="div")
