"""Repairs of the record: closures on the wrong node or on none, operands that are not in the graph."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from ..anatomy import Anatomy, Construction, Edit, Function, LocalRule, OpFunction, parameters
from ..anatomy.op_names import op_of
from ..anatomy.source_text import walk_own
from ..patch import Patch, make_patch
from .formulas import library_edit, local_text, times

__all__ = [
    "add_closure",
    "attach_closure",
    "closure_name",
    "connect_operands",
    "listed",
    "new_rule",
    "record_on_output",
    "sibling_of",
]

Repairs = Iterator[Patch | None]


def closure_name(anatomy: Anatomy) -> str:
    """The attribute that a node is made with; by the ops' own word where __init__ does not say."""
    if anatomy.initial is not None:
        for node in walk_own(anatomy.initial):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
                default = isinstance(node.value, ast.Lambda)
                if default or node.targets[0].attr == anatomy.closure:
                    return node.targets[0].attr
    return anatomy.closure


def attach_closure(anatomy: Anatomy, op: str) -> Repairs:
    """The closure goes to the output, under the name that the pass calls."""
    every: list[Edit] = []
    wanted = closure_name(anatomy)
    for function in anatomy.ops:
        mine: list[Edit] = []
        for statement in function.attachments:
            target = statement.targets[0]
            if not isinstance(target, ast.Attribute) or not function.output:
                continue
            if ast.unparse(target.value) != function.output:
                mine.append(anatomy.text.replaced(target.value, function.output))
            if wanted and target.attr != wanted:
                end = anatomy.text.span(target)[1]
                mine.append(Edit(end - len(target.attr), end, wanted))
        mine += _called(anatomy, function)
        mine += _in_itself(anatomy, function)
        mine += _another(anatomy, function, wanted)
        mine += _never(anatomy, function, wanted) or _not_on_tape(anatomy, function)
        every += mine
        if mine and (not op or function.op == op):
            yield make_patch(anatomy, "attach", *mine, op=function.op)
    if len(every) > 1:
        yield make_patch(anatomy, "attach-all", *every)


def _called(anatomy: Anatomy, function: OpFunction) -> list[Edit]:
    """`out._backward = _backward()` runs the closure at once."""
    if function.closure is None:
        return []
    return [
        anatomy.text.replaced(node.value, function.closure.name)
        for node in walk_own(function.node)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Attribute)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value) == f"{function.closure.name}()"
    ]


def _in_itself(anatomy: Anatomy, function: OpFunction) -> list[Edit]:
    """`out._backward = _backward` one level too deep: the last line of the closure itself."""
    last = function.closure.body[-1] if function.closure is not None else None
    if (
        function.closure is not None
        and isinstance(last, ast.Assign)
        and isinstance(last.targets[0], ast.Attribute)
        and ast.unparse(last.value) == function.closure.name
        and len(function.closure.body) > 1
        and anatomy.text.alone(last)
    ):
        line = f"{anatomy.text.indent(function.closure)}{anatomy.text.of(last)}\n"
        return [Edit(*anatomy.text.whole(last), line)]
    return []


def _another(anatomy: Anatomy, function: OpFunction, wanted: str) -> list[Edit]:
    """`out._backward = self._backward`, with a closure written and not used."""
    closure = function.closure
    if closure is None or _is_used(function):
        return []
    return [
        anatomy.text.replaced(node.value, closure.name)
        for node in walk_own(function.node)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Attribute)
        and node.targets[0].attr == wanted
        and isinstance(node.value, (ast.Attribute, ast.Constant, ast.Lambda, ast.Name))
    ]


def _is_used(function: OpFunction) -> bool:
    name = function.closure.name if function.closure is not None else ""
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(function.node))


def _never(anatomy: Anatomy, function: OpFunction, wanted: str) -> list[Edit]:
    closure = function.closure
    if closure is None or not function.output or not wanted:
        return []
    if _is_used(function) or not anatomy.text.alone(closure) or _another(anatomy, function, wanted):
        return []
    return [_after_closure(anatomy, function, closure, f"{function.output}.{wanted} = {closure.name}")]


def _after_closure(anatomy: Anatomy, function: OpFunction, closure: Function, line: str) -> Edit:
    """A new line before the statement that follows the closure."""
    body, text = function.node.body, f"{anatomy.text.indent(closure)}{line}\n"
    later = body[body.index(closure) + 1 :] if closure in body else []
    return anatomy.text.before(later[0], text) if later else anatomy.text.after(closure, text)


def _not_on_tape(anatomy: Anatomy, function: OpFunction) -> list[Edit]:
    """`TAPE.append((z, pull))`, as the siblings have it, where it is missing."""
    closure = function.closure
    if closure is None or _is_used(function) or not anatomy.text.alone(closure):
        return []
    for sibling in anatomy.ops:
        if sibling.closure is None or sibling is function or not sibling.output or not function.output:
            continue
        for node in walk_own(sibling.node):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
                if sibling.closure.name in names and names.isdisjoint(sibling.operands):
                    text = re.sub(rf"\b{sibling.closure.name}\b", closure.name, anatomy.text.of(node))
                    text = re.sub(rf"\b{sibling.output}\b", function.output, text)
                    return [_after_closure(anatomy, function, closure, text)]
    return []


def record_on_output(anatomy: Anatomy, op: str) -> Repairs:
    """What an op writes on an operand, and should on its output: its kind, its children."""
    every: list[Edit] = []
    for function in anatomy.ops:
        mine = []
        for node in walk_own(function.node):
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.targets[0], ast.Attribute)
                and function.output
            ):
                target = node.targets[0]
                kept = target.attr not in (anatomy.grad, anatomy.data)
                if (
                    kept
                    and ast.unparse(target.value) in function.operands
                    and node not in function.attachments
                ):
                    mine.append(anatomy.text.replaced(target.value, function.output))
        every += mine
        if mine and (not op or function.op == op):
            yield make_patch(anatomy, "on-output", *mine, op=function.op)
    if len(every) > 1:
        yield make_patch(anatomy, "on-output", *every)


# ---- the operands in the graph --------------------------------------------------------------------


def sibling_of(anatomy: Anatomy, function: OpFunction) -> OpFunction | None:
    """Another op that names its children, to be copied from: of the same number of operands first."""
    found = [
        other
        for other in anatomy.ops
        if other is not function
        and other.construction is not None
        and other.construction.children is not None
    ]
    found.sort(key=lambda other: (len(other.operands) != len(function.operands), not other.rules))
    return found[0] if found else None


def _nodes(anatomy: Anatomy, function: OpFunction) -> list[str]:
    pairs = zip(function.values, function.constant, strict=True)
    return [value.removesuffix(f".{anatomy.data}") for value, constant in pairs if not constant]


def listed(names: list[str], like: ast.expr | None) -> str:
    inside = ", ".join(names)
    if isinstance(like, ast.List):
        return f"[{inside}]"
    if isinstance(like, ast.Set):
        return f"{{{inside}}}"
    return f"({inside},)" if len(names) == 1 else f"({inside})"


def _argument(anatomy: Anatomy, call: ast.Call, like: Construction, part: ast.expr, text: str) -> Edit | None:
    """A new argument where a sibling has it; by keyword where the place is not the next one."""
    keyword = next((k.arg for k in like.call.keywords if k.value is part), None)
    end = anatomy.text.span(call)[1] - 1
    last = [*call.args, *[k.value for k in call.keywords]]
    at = max((anatomy.text.span(a)[1] for a in last), default=end)
    comma = ", " if last else ""
    if keyword is not None:
        given = next((k.value for k in call.keywords if k.arg == keyword), None)
        if given is not None:
            return anatomy.text.replaced(given, text)
        return Edit(at, at, f"{comma}{keyword}={text}")
    index = next((i for i, a in enumerate(like.call.args) if a is part), -1)
    there = call.args[index] if 0 < index < len(call.args) else None
    if isinstance(there, (ast.Tuple, ast.List)) and not there.elts:
        return anatomy.text.replaced(there, text)
    if index == len(call.args) and not call.keywords:
        return Edit(at, at, f"{comma}{text}")
    if 0 < index < len(call.args):
        before = anatomy.text.span(call.args[index])[0]
        return Edit(before, before, f"{text}, ")
    names = parameters(anatomy.initial)[1:] if anatomy.initial is not None else []
    return Edit(at, at, f"{comma}{names[index]}={text}") if 0 <= index < len(names) else None


def _call_edits(anatomy: Anatomy, function: OpFunction) -> list[Edit]:
    """The children, and the local gradients where siblings store them, in the call that makes the node."""
    made, sibling = function.construction, sibling_of(anatomy, function)
    if made is None or sibling is None or sibling.construction is None:
        return []
    like, nodes = sibling.construction, _nodes(anatomy, function)
    pattern = like.children
    if pattern is None or not nodes or any("isinstance" in ast.unparse(t) and not w for t, w in made.tests):
        return []  # (in a branch for numbers, there is one node less)
    held = list(getattr(pattern, "elts", []))
    rules = [new_rule(anatomy, function, slot, sibling) for slot, c in enumerate(function.constant) if not c]
    locals_ = [local_text(anatomy, function, rule) or "" for rule in rules]
    if held and isinstance(held[0], ast.Tuple):  # [(self, 1.0), ...]
        first = ast.unparse(held[0].elts[0]) in sibling.operands
        told = held[0].elts[1 if first else 0]
        if isinstance(told, ast.Lambda) and told.args.args:  # (self, lambda g: g * other.data)
            name = told.args.args[0].arg
            locals_ = [f"lambda {name}: {times(x, name)}" for x in locals_]
        nodes = [f"({n}, {x})" if first else f"({x}, {n})" for n, x in zip(nodes, locals_, strict=True)]
    edits: list[Edit | None] = []
    if made.children is None:
        edits.append(_argument(anatomy, made.call, like, pattern, listed(nodes, pattern)))
    elif isinstance(made.children, (ast.Tuple, ast.List, ast.Set)) and len(made.children.elts) < len(nodes):
        edits.append(anatomy.text.replaced(made.children, listed(nodes, made.children)))
    if like.locals is not None and made.locals is None:
        edits.append(_argument(anatomy, made.call, like, like.locals, listed(locals_, like.locals)))
    found = [edit for edit in edits if edit is not None]
    if len(found) == 2 and found[0].start == found[1].start:
        found = [Edit(found[0].start, found[0].end, found[0].text + found[1].text)]
    return found


def connect_operands(anatomy: Anatomy, op: str) -> Repairs:
    """An op that does not say what it was made from: its children, as its siblings name them."""
    every: list[Edit] = []
    for function in anatomy.ops:
        edits = _call_edits(anatomy, function)
        every += edits
        if edits and (not op or function.op == op):
            needs = library_edit(anatomy, "".join(edit.text for edit in edits))
            yield make_patch(anatomy, "children", *edits, *needs, op=function.op)
    if len(every) > 1:
        yield make_patch(anatomy, "children-all", *every)


def new_rule(anatomy: Anatomy, function: OpFunction, slot: int, like: OpFunction) -> LocalRule:
    """A rule for a slot as it would stand in a closure of its own."""
    pattern = like.rules[0] if like.rules else None
    output = function.output or "out"
    closed = pattern is None or (pattern.sends and like.closure is not None)
    nothing = ast.Constant(0)
    statement = function.node
    return LocalRule(
        slot,
        function.values[slot].removesuffix(f".{anatomy.data}"),
        "+=" if closed else "",
        nothing,
        statement,
        f"{output}.{anatomy.grad}" if closed else "",
        function.values,
        f"{output}.{anatomy.data}" if closed else "",
    )


def add_rule_decorator(anatomy: Anatomy, op: str) -> Repairs:
    """`relu.rule(lambda y, a: (...,))`, as the siblings have it, where it is missing."""
    ruled = {f.op for f in anatomy.ops if f.rules}
    likes = [f for f in anatomy.ops if f.rules and isinstance(f.rules[0].statement, ast.Expr)]
    likes.sort(key=lambda f: "." not in f.values[0])  # from one that reads its operands it is seen how
    for node in anatomy.text.tree.body:
        made = node.targets[0] if isinstance(node, ast.Assign) else None
        if not isinstance(made, ast.Name) or op_of(made.id) in {"", *ruled} or not likes:
            continue
        given = next((n for n in ast.walk(node) if isinstance(n, ast.Lambda)), None)
        like = next(
            (f for f in likes if given is not None and len(f.operands) == len(given.args.args)), likes[0]
        )
        call = next((n for n in ast.walk(like.rules[0].statement) if isinstance(n, ast.Call)), None)
        if given is None or call is None or not isinstance(call.func, ast.Attribute):
            continue
        pattern = call.args[0] if call.args else None
        if not isinstance(pattern, ast.Lambda) or (op and op_of(made.id) != op):
            continue
        names = ", ".join(p.arg for p in pattern.args.args)
        function = replace(like, op=op_of(made.id))
        found = [local_text(anatomy, function, rule) for rule in like.rules]
        text = f"{made.id}.{call.func.attr}(lambda {names}: ({', '.join(x or '0' for x in found)},))\n"
        edits = (anatomy.text.after(node, text), *library_edit(anatomy, text))
        yield make_patch(anatomy, "rule-added", *edits, op=function.op)


def add_closure(anatomy: Anatomy, op: str) -> Repairs:
    """An op without a rule gets one: a closure as its siblings have it."""
    yield from add_rule_decorator(anatomy, op)
    for function in anatomy.of(op):
        if function.rules or function.construction is None or function.closure is not None:
            continue
        sibling = sibling_of(anatomy, function)
        wanted = closure_name(anatomy)
        if sibling is None or sibling.closure is None or not wanted or parameters(sibling.closure):
            continue
        statement = next(
            n for n in walk_own(function.node)
            if isinstance(n, ast.stmt) and getattr(n, "value", None) is function.construction.call
        )  # fmt: skip
        output, name = function.output or "out", sibling.closure.name
        indent = anatomy.text.indent(statement)
        if not anatomy.text.alone(statement):
            continue
        lines = [f"{indent}def {name}():"]
        for slot, constant in enumerate(function.constant):
            rule = new_rule(anatomy, function, slot, sibling)
            local = local_text(anatomy, function, rule)
            if not constant and local is not None:
                lines.append(f"{indent}    {rule.owner}.{anatomy.grad} += {times(local, rule.upstream)}")
        lines.append(f"{indent}{output}.{wanted} = {name}")
        body = "\n".join(lines) + "\n"
        children = _call_edits(anatomy, function)
        needs = library_edit(anatomy, body)
        if isinstance(statement, ast.Return):
            start = anatomy.text.span(statement)[0]
            begun = Edit(start, anatomy.text.span(function.construction.call)[0], f"{output} = ")
            ended = anatomy.text.after(statement, f"{body}{indent}return {output}\n")
            yield make_patch(anatomy, "closure", begun, ended, *children, *needs, op=function.op)
        else:
            after = anatomy.text.after(statement, body)
            yield make_patch(anatomy, "closure", after, *children, *needs, op=function.op)
