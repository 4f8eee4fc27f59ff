"""Repairs of the local rule: the formula, the two slots, a slot that gets nothing, and the value itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..anatomy import Anatomy, Construction, Edit, LocalRule, OpFunction, apply_edits
from ..patch import Patch, make_patch
from .accumulation import names_of, operator_edit
from .expression_variants import variations
from .formula_check import computes_right, right_with, slot_is_right
from .formulas import forward_text, library_edit, local_text, times

__all__ = [
    "add_missing_rule",
    "correct_all_rules",
    "correct_rule",
    "correct_value",
    "remove_doubled_statement",
    "swap_slots",
]

Repairs = Iterator[Patch | None]
MOST = 40  # variations of one expression whose numbers cannot be read


def correct_rule(anatomy: Anatomy, op: str, wrong: bool = True) -> Repairs:
    """Rules that are wrong on paper: the smallest change that makes one right, then the right formula.

    With `wrong=False`, those of which paper does not say so.
    """
    for function in anatomy.of(op):
        slots = [
            s for s in range(len(function.values)) if (slot_is_right(anatomy, function, s) is False) == wrong
        ]
        slots = [slot for slot in slots if function.rules_of(slot)]
        if wrong and len(slots) > 1:
            yield from swap_slots(anatomy, function.op)
        for slot in slots:
            for rule in function.rules_of(slot):
                if wrong:
                    yield from _judged(anatomy, function, rule)
                    yield from _alias(anatomy, function, rule)
                yield _formula(anatomy, function, rule)
            for rule in function.rules_of(slot):
                yield from _branches(anatomy, function, rule)
                if not wrong and slot_is_right(anatomy, function, slot) is None:
                    yield from _unread(anatomy, function, rule)
        edits = [e for slot in slots for e in _formula_edits(anatomy, function, function.rules_of(slot)[0])]
        if len(slots) > 1 and edits:
            yield make_patch(anatomy, "formula", *dict.fromkeys(edits), op=function.op)


def correct_all_rules(anatomy: Anatomy, op: str) -> Repairs:
    """One slip repeated in every op: all rules that are not right on paper, by their formulas."""
    edits: list[Edit] = []
    for function in anatomy.ops:
        for slot in range(len(function.values)):
            for rule in function.rules_of(slot)[:1]:
                if rule.operator == "=" or slot_is_right(anatomy, function, slot) is not True:
                    edits += _formula_edits(anatomy, function, rule)
    if edits:
        yield make_patch(anatomy, "formula-all", *dict.fromkeys(edits))


def _judged(anatomy: Anatomy, function: OpFunction, rule: LocalRule) -> Repairs:
    """The first small change that is right on paper."""
    if rule.operator in ("+=", "-="):  # a sign that stands in the operator
        edit = operator_edit(anatomy, rule, "-=" if rule.operator == "+=" else "+=")
        if edit and right_with(anatomy, function, rule, ast.UnaryOp(ast.USub(), rule.expression)):
            yield make_patch(anatomy, "sign", edit, op=function.op)
            if rule.operator == "-=":
                return
    yield from _slip(anatomy, function, rule, rule.expression)


def _slip(anatomy: Anatomy, function: OpFunction, rule: LocalRule, written: ast.expr) -> Repairs:
    start, end = anatomy.text.span(written)
    for edit in variations(anatomy.text, written, [*rule.values, rule.output, rule.upstream]):
        inside = Edit(edit.start - start, edit.end - start, edit.text)
        try:
            changed = ast.parse(f"({apply_edits(anatomy.source[start:end], [inside])})", mode="eval").body
        except SyntaxError:
            continue
        if right_with(anatomy, function, rule, changed):
            yield make_patch(anatomy, "slip", edit, op=function.op)
            return


def _alias(anatomy: Anatomy, function: OpFunction, rule: LocalRule) -> Repairs:
    """Where a rule is a name, what the name stands for: `slope = ...`, then `(slope, self)`."""
    if not isinstance(rule.expression, ast.Name) or rule.expression.id not in function.aliases:
        return
    meaning, local = function.aliases[rule.expression.id], local_text(anatomy, function, rule)
    if ast.unparse(meaning) in {rule.upstream, rule.output, *rule.values}:
        return  # a name for something that other rules use too
    yield from _slip(anatomy, function, rule, meaning)
    if local is not None:
        text = times(local, rule.upstream)
        edit = anatomy.text.replaced(meaning, text)
        yield make_patch(anatomy, "formula", edit, *library_edit(anatomy, text), op=function.op)


def _unread(anatomy: Anatomy, function: OpFunction, rule: LocalRule) -> Repairs:
    names = [*rule.values, rule.output, rule.upstream]
    for count, edit in enumerate(variations(anatomy.text, rule.expression, names)):
        if count < MOST:
            yield make_patch(anatomy, "slip", edit, op=function.op)


def _formula(anatomy: Anatomy, function: OpFunction, rule: LocalRule) -> Patch | None:
    edits = _formula_edits(anatomy, function, rule)
    return make_patch(anatomy, "formula", *edits, op=function.op) if edits else None


def _formula_edits(anatomy: Anatomy, function: OpFunction, rule: LocalRule) -> list[Edit]:
    local = local_text(anatomy, function, rule)
    if local is None:
        return []
    text = times(local, rule.upstream)
    edits = [anatomy.text.replaced(rule.expression, text)]
    if rule.operator in ("-=", "="):
        sign = operator_edit(anatomy, rule, "+=")
        edits += [sign] if sign else []
    return [*edits, *library_edit(anatomy, text)]


def _branches(anatomy: Anatomy, function: OpFunction, rule: LocalRule) -> Repairs:
    """The branch that a rule stands in may ask the wrong question."""
    upstream = names_of(function, rule.upstream) if rule.upstream else set()
    for test, _ in rule.tests:
        for node in ast.walk(test):  # if out.grad > 0: the operand is meant, or the output
            if isinstance(node, (ast.Name, ast.Attribute)) and ast.unparse(node) in upstream:
                for value in filter(None, (rule.values[rule.slot], rule.output)):
                    yield make_patch(anatomy, "branch", anatomy.text.replaced(node, value), op=function.op)
    for test, _ in rule.tests:
        if "isinstance" not in ast.unparse(test):
            for edit in list(variations(anatomy.text, test, [*rule.values, rule.output]))[:12]:
                yield make_patch(anatomy, "branch", edit, op=function.op)


def swap_slots(anatomy: Anatomy, op: str) -> Repairs:
    """The two slots of an op, exchanged: their expressions, or the children that are named."""
    for function in anatomy.of(op):
        if all(slot_is_right(anatomy, function, slot) for slot in range(len(function.values))):
            continue
        pairs = []
        if function.rules_of(0) and function.rules_of(1):
            pairs.append((function.rules_of(0)[0].expression, function.rules_of(1)[0].expression))
        children = function.construction.children if function.construction else None
        if isinstance(children, (ast.Tuple, ast.List)) and len(children.elts) == 2:
            pairs.append((children.elts[0], children.elts[1]))
        for one, other in pairs:
            there = anatomy.text.replaced(other, anatomy.text.of(one))
            here = anatomy.text.replaced(one, anatomy.text.of(other))
            yield make_patch(anatomy, "swap", here, there, op=function.op)


def remove_doubled_statement(anatomy: Anatomy, op: str) -> Repairs:
    """Of two statements that send to one operand, one is too many."""
    for function in anatomy.of(op):
        for slot in range(len(function.values)):
            sending = [rule for rule in function.rules_of(slot) if rule.sends and not rule.tests]
            if len(sending) > 1:
                for rule in reversed(sending):
                    gone = anatomy.text.removed(rule.statement)
                    yield make_patch(anatomy, "statement-removed", gone, op=function.op)


# ---- a slot without a rule ------------------------------------------------------------------------


def add_missing_rule(anatomy: Anatomy, op: str) -> Repairs:
    """An operand that gets nothing although another of the same op does: the exponent, often."""
    for function in anatomy.of(op):
        for slot, constant in enumerate(function.constant):
            if function.rules_of(slot) or constant or not function.rules:
                continue
            pattern = function.rules[-1]
            owner = function.values[slot].removesuffix(f".{anatomy.data}")
            new = LocalRule(
                slot,
                owner,
                pattern.operator,
                pattern.expression,
                pattern.statement,
                pattern.upstream,
                pattern.values,
                pattern.output,
            )
            local = local_text(anatomy, function, new)
            if local is None:
                continue
            needs = library_edit(anatomy, local)
            if pattern.sends and pattern.operator != "()" and anatomy.text.alone(pattern.statement):
                indent = anatomy.text.indent(pattern.statement)
                line = f"{indent}{owner}.{anatomy.grad} += {times(local, pattern.upstream)}\n"
                added = anatomy.text.after(pattern.statement, line)
                child = _also_child(anatomy, function.construction, owner)
                yield make_patch(anatomy, "rule-added", added, *child, *needs, op=function.op)
            for made in (*function.others, function.construction):
                yield _stored(anatomy, function, made, owner, local, needs)


def _also_child(anatomy: Anatomy, made: Construction | None, owner: str) -> list[Edit]:
    """A child that is sent something must be in the graph."""
    children = made.children if made is not None else None
    if isinstance(children, (ast.Tuple, ast.List, ast.Set)) and owner not in [
        anatomy.text.of(e) for e in children.elts
    ]:
        end = anatomy.text.span(children.elts[-1])[1]
        return [Edit(end, end, f", {owner}")]
    return []


def _stored(
    anatomy: Anatomy,
    function: OpFunction,
    made: Construction | None,
    owner: str,
    local: str,
    needs: tuple[Edit, ...],
) -> Patch | None:
    """The same where local gradients are stored beside the children, or with them."""
    if made is None or not isinstance(made.children, (ast.Tuple, ast.List)):
        return None
    end = anatomy.text.span(made.children.elts[-1])[1]
    if isinstance(made.locals, (ast.Tuple, ast.List)) and made.locals.elts:
        last = anatomy.text.span(made.locals.elts[-1])[1]
        child = _also_child(anatomy, made, owner)
        return make_patch(
            anatomy, "rule-added", Edit(last, last, f", {local}"), *child, *needs, op=function.op
        )
    if isinstance(made.children.elts[-1], ast.Tuple):
        first = ast.unparse(made.children.elts[-1].elts[0]) in function.operands
        text = f", ({owner}, {local})" if first else f", ({local}, {owner})"
        return make_patch(anatomy, "rule-added", Edit(end, end, text), *needs, op=function.op)
    return None


# ---- the value ------------------------------------------------------------------------------------


def correct_value(anatomy: Anatomy, op: str, wrong: bool = True) -> Repairs:
    """What an op computes: the smallest change that makes it right on paper, then the right formula."""
    for function in anatomy.of(op):
        if (computes_right(anatomy, function) is False) != wrong:
            continue
        for expression in _expressions(function):
            whole = function.construction.value if function.construction else function.formula
            if wrong and whole is not None:
                yield from _valued(anatomy, function, expression, whole)
            text = forward_text(anatomy, function)
            if text is not None and (
                function.construction is not None or function.class_name != anatomy.class_name
            ):
                edits = (anatomy.text.replaced(expression, text), *library_edit(anatomy, text))
                yield make_patch(anatomy, "value", *edits, op=function.op)
                wrong_too = [
                    r for r in function.rules if slot_is_right(anatomy, function, r.slot) is not True
                ]
                rules = [edit for rule in wrong_too for edit in _formula_edits(anatomy, function, rule)]
                if rules:  # another function's value, and its rule
                    yield make_patch(anatomy, "value", *dict.fromkeys([*edits, *rules]), op=function.op)


def _expressions(function: OpFunction) -> Iterator[ast.expr]:
    """The expression of the value, and what the names in it stand for."""
    whole = function.construction.value if function.construction else function.formula
    if whole is None:
        return
    if isinstance(whole, ast.Name) and whole.id in function.aliases:
        yield function.aliases[whole.id]
    else:
        yield whole
        for node in ast.walk(whole):
            if isinstance(node, ast.Name) and node.id in function.aliases:
                yield function.aliases[node.id]


def _valued(anatomy: Anatomy, function: OpFunction, expression: ast.expr, whole: ast.expr) -> Repairs:
    start, end = anatomy.text.span(expression)
    for edit in variations(anatomy.text, expression, function.values):
        inside = Edit(edit.start - start, edit.end - start, edit.text)
        try:
            changed = ast.parse(f"({apply_edits(anatomy.source[start:end], [inside])})", mode="eval").body
        except SyntaxError:
            continue
        if expression is whole:
            verdict = computes_right(anatomy, function, changed)
        else:
            verdict = computes_right(anatomy, _with_alias(function, expression, changed), whole)
        if verdict:
            yield make_patch(anatomy, "value", edit, op=function.op)
            return


def _with_alias(function: OpFunction, old: ast.expr, new: ast.expr) -> OpFunction:
    from dataclasses import replace

    return replace(function, aliases={k: new if v is old else v for k, v in function.aliases.items()})
