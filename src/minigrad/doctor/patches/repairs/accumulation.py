"""Repairs of accumulation: `=` for `+=`, a wrong sign, an array changed in place, a missing upstream."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..anatomy import Anatomy, Edit, Function, LocalRule, OpFunction, parameters
from ..patch import Patch, make_patch
from .formula_check import slot_is_right
from .formulas import times

__all__ = [
    "names_of",
    "operator_edit",
    "repair_accumulation",
    "repair_chain_rule",
    "repair_sign",
    "repair_target",
    "repair_upstream",
    "spell_out_addition",
]

Repairs = Iterator[Patch | None]


def repair_accumulation(anatomy: Anatomy, op: str) -> Repairs:
    """`=` becomes `+=`: in one statement, in one op, in the loop that sends for all, in all."""
    by_op: dict[str, list[Edit]] = {}
    for function, rule in anatomy.rules():
        edit = operator_edit(anatomy, rule, "+=") if rule.operator == "=" else None
        if edit is not None:
            by_op.setdefault(function.name, []).append(edit)
            if not op or function.op == op:
                yield make_patch(anatomy, "accumulate", edit, op=function.op)
    for edits in by_op.values():
        if len(edits) > 1:
            yield make_patch(anatomy, "accumulate", *edits)
    sent = [*_in_the_loop(anatomy)]
    for edit in sent:
        yield make_patch(anatomy, "accumulate", edit)
    if len(sent) > 1:
        yield make_patch(anatomy, "accumulate-all", *sent)
    for edit in _in_the_dict(anatomy):
        yield make_patch(anatomy, "accumulate", edit)
    if len(by_op) > 1:
        yield make_patch(anatomy, "accumulate-all", *[edit for edits in by_op.values() for edit in edits])


def operator_edit(anatomy: Anatomy, rule: LocalRule, operator: str) -> Edit | None:
    """Another operator in the statement of a rule."""
    statement = rule.statement
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and rule.operator == "=":
        target = statement.targets[0]
    elif isinstance(statement, ast.AugAssign):
        target = statement.target
    else:
        return None
    return None if isinstance(target, ast.Tuple) else _operator(anatomy, target, statement.value, operator)


def _operator(anatomy: Anatomy, target: ast.expr, value: ast.expr, operator: str) -> Edit | None:
    start, end = anatomy.text.span(target)[1], anatomy.text.span(value)[0]
    found = re.search(r"[-+*/]?=", anatomy.source[start:end])
    return Edit(start + found.start(), start + found.end(), operator) if found else None


def _in_the_dict(anatomy: Anatomy) -> Iterator[Edit]:
    """`grads[child] = amount`: what is there already is kept."""
    for traversal in anatomy.traversals:
        for node in ast.walk(traversal.function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
                held, key = node.targets[0].value, anatomy.text.of(node.targets[0].slice)
                if node not in traversal.seeds and not isinstance(node.value, ast.Constant):
                    value = anatomy.text.of(node.value)
                    text = f"{anatomy.text.of(held)}.get({key}, 0.0) + {value}"
                    yield anatomy.text.replaced(node.value, text)


def _in_the_loop(anatomy: Anatomy) -> Iterator[Edit]:
    for traversal in anatomy.traversals:
        for scope in (traversal.function, traversal.helper):
            for node in ast.walk(scope) if scope is not None else ():
                if not isinstance(node, (ast.Assign, ast.AugAssign)) or isinstance(node.value, ast.Constant):
                    continue
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                held = isinstance(target, ast.Attribute) and target.attr == anatomy.grad
                keyed = isinstance(target, ast.Subscript) and "grad" in ast.unparse(target.value)
                if (held or keyed) and (node not in traversal.seeds or _arrives(node.value, scope)):
                    edit = _operator(anatomy, target, node.value, "+=")
                    if edit and ast.unparse(target) not in ast.unparse(node.value):
                        yield edit


def _arrives(value: ast.expr, scope: Function | None) -> bool:
    """Is it a gradient that a caller handed over, not a seed?  `self.grad = grad_output`"""
    return scope is not None and isinstance(value, ast.Name) and value.id in parameters(scope)[1:]


def repair_sign(anatomy: Anatomy, op: str) -> Repairs:
    """`+=` for `-=`, and the other way round: in one statement, in one op, in all."""
    every = []
    for function in anatomy.ops:
        mine = []
        for rule in function.rules:
            if rule.operator in ("+=", "-="):
                edit = operator_edit(anatomy, rule, "-=" if rule.operator == "+=" else "+=")
                mine += [edit] if edit else []
                if rule.operator == "-=":
                    every += [edit] if edit else []
        if not op or function.op == op:
            for edit in mine:
                yield make_patch(anatomy, "sign", edit, op=function.op)
            if len(mine) > 1:
                yield make_patch(anatomy, "sign", *mine, op=function.op)
    if len(every) > 1:
        yield make_patch(anatomy, "sign-all", *every)
    for edit in _in_the_loop(anatomy):
        yield make_patch(anatomy, "sign", edit)


def spell_out_addition(anatomy: Anatomy, op: str) -> Repairs:
    """`x.grad += g` changes an array in place for all that hold it; `x.grad = x.grad + g` does not."""
    edits = []
    for _, rule in anatomy.rules():
        statement = rule.statement
        target: ast.expr
        if isinstance(statement, ast.AugAssign) and rule.operator == "+=":
            target, value = statement.target, statement.value
        elif isinstance(statement, ast.Assign) and len(statement.targets) == 1 and rule.operator == "=":
            target, value = statement.targets[0], statement.value
        else:
            continue
        name, text = anatomy.text.of(target), anatomy.text.of(value)
        if isinstance(value, (ast.IfExp, ast.Lambda, ast.BoolOp, ast.Compare)):
            text = f"({text})"
        edits.append(anatomy.text.replaced(statement, f"{name} = {name} + {text}"))
    for traversal in anatomy.traversals:
        for node in ast.walk(traversal.function):
            if (
                isinstance(node, ast.AugAssign)
                and isinstance(node.target, ast.Attribute)
                and node.target.attr == anatomy.grad
                and isinstance(node.op, ast.Add)
            ):
                name, text = anatomy.text.of(node.target), anatomy.text.of(node.value)
                edits.append(anatomy.text.replaced(node, f"{name} = {name} + {text}"))
    edits = list(dict.fromkeys(edits))
    for edit in edits:
        yield make_patch(anatomy, "spelled-out", edit)
    if len(edits) > 1:
        yield make_patch(anatomy, "spelled-out", *edits)


def repair_target(anatomy: Anatomy, op: str) -> Repairs:
    """Two terms that go to one operand, while another gets none: one of them is that one's."""
    for function in anatomy.of(op):
        slots = [rule.slot for rule in function.rules]
        left_out = [name for slot, name in enumerate(function.operands) if slot not in slots]
        for rule in function.rules[::-1]:
            statement = rule.statement
            target = statement.target if isinstance(statement, ast.AugAssign) else None
            if slots.count(rule.slot) > 1 and isinstance(target, ast.Attribute):
                for name in left_out:
                    edit = anatomy.text.replaced(target.value, name)
                    yield make_patch(anatomy, "target", edit, op=function.op)


def repair_chain_rule(anatomy: Anatomy, op: str) -> Repairs:
    """The one loop that sends for all ops: local gradient times upstream, added."""
    for traversal in anatomy.traversals:
        for scope in filter(None, (traversal.loop, traversal.helper)):
            for loop in [n for n in ast.walk(scope) if isinstance(n, ast.For)]:
                names = [anatomy.text.of(e) for e in getattr(loop.target, "elts", [])]
                for node in ast.walk(loop):
                    if len(names) == 2 and isinstance(node, (ast.Assign, ast.AugAssign)):
                        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                        yield from _chained(anatomy, node, target, names, traversal.turn or traversal.node)


def _chained(
    anatomy: Anatomy, node: ast.Assign | ast.AugAssign, target: ast.expr, names: list[str], turn: str
) -> Repairs:
    if not isinstance(target, ast.Attribute) or target.attr != anatomy.grad:
        return
    child = ast.unparse(target.value)
    if child in names and turn:
        local = names[1 - names.index(child)]
        text = f"{child}.{anatomy.grad} += {local} * {turn}.{anatomy.grad}"
        yield make_patch(anatomy, "chain", anatomy.text.replaced(node, text))


def repair_upstream(anatomy: Anatomy, op: str) -> Repairs:
    """The missing upstream factor; or what stands in its place."""
    every: list[Edit] = []
    for function in anatomy.of(op):
        mine = []
        for rule in function.rules:
            if slot_is_right(anatomy, function, rule.slot):
                continue
            text = anatomy.text.of(rule.expression)
            if rule.upstream and not names_of(function, rule.upstream) & words(rule.expression):
                edit = anatomy.text.replaced(rule.expression, times(text, rule.upstream))
                mine.append(edit)
                yield make_patch(anatomy, "upstream", edit, op=function.op)
            elif rule.upstream:
                yield from _factors(anatomy, function, rule, text)
            for other in _instead_of(anatomy, function, rule) if rule.upstream else ():
                for found in re.finditer(rf"(?<![\w.]){re.escape(other)}(?![\w.])", text):
                    at = anatomy.text.span(rule.expression)[0] + found.start()
                    edit = Edit(at, at + len(other), rule.upstream)
                    yield make_patch(anatomy, "upstream", edit, op=function.op)
        if len(mine) > 1:
            yield make_patch(anatomy, "upstream", *mine, op=function.op)
        every += mine
    if len(every) > 1:
        yield make_patch(anatomy, "upstream-all", *every)


def names_of(function: OpFunction, upstream: str) -> set[str]:
    """The upstream gradient and the names that it has been given: `g = out.grad`."""
    return {upstream, *(name for name, value in function.aliases.items() if ast.unparse(value) == upstream)}


def words(expression: ast.expr) -> set[str]:
    return {
        ast.unparse(n)
        for n in ast.walk(expression)
        if isinstance(n, (ast.Name, ast.Attribute, ast.Subscript))
    }


def _factors(anatomy: Anatomy, function: OpFunction, rule: LocalRule, text: str) -> Repairs:
    """A sum or a quotient with the upstream gradient, where a product should stand."""
    start = anatomy.text.span(rule.expression)[0]
    for found in re.finditer(rf"([-+/]) *{re.escape(rule.upstream)}(?![\w.])", text):
        at = start + found.start()
        yield make_patch(anatomy, "upstream", Edit(at, at + 1, "*"), op=function.op)
    for found in re.finditer(rf" *\* *{re.escape(rule.upstream)}(?![\w.])( *\*\* *2)?", text):
        if text.count(rule.upstream) > 1 or found[1]:
            gone = (start + found.start(1), start + found.end(1)) if found[1] else (
                start + found.start(), start + found.end())  # fmt: skip
            yield make_patch(anatomy, "upstream", Edit(*gone, ""), op=function.op)


def _instead_of(anatomy: Anatomy, function: OpFunction, rule: LocalRule) -> list[str]:
    """What may stand where the upstream gradient should: a child's gradient, the output's data."""
    own = [f"{name}.{anatomy.grad}" for name in (rule.owner, *function.operands)]
    found = dict.fromkeys([*own, *([rule.output] if rule.output else [])])
    return [name for name in found if name != rule.upstream]
