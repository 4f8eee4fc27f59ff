"""Repairs of the pass: the order, the visited guard, the seed; and the textbook's pass in place of all."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..anatomy import Anatomy, Edit, Traversal, parameters
from ..anatomy.source_text import walk_own
from ..patch import Patch, make_patch
from .expression_variants import variations
from .textbook_pass import order_alone, textbook
from .worklist import list_insertions, place_once, push_once, statement_to_blame, wait_for_all

__all__ = ["hand_down_share", "repair_guard", "repair_order", "repair_seed", "write_textbook_pass"]

Repairs = Iterator[Patch | None]


def repair_order(anatomy: Anatomy, op: str) -> Repairs:
    """`reversed` where it is missing, or where it is too many; the node after its children."""
    for traversal in anatomy.traversals:
        yield from _turned(anatomy, traversal)
        yield from _post_order(anatomy, traversal)
    for name in ("__lt__", "__gt__", "__le__", "__ge__"):  # by which a heap or a sort finds the next
        function = anatomy.functions.get(name)
        for node in ast.walk(function) if function is not None else ():
            if isinstance(node, ast.Return) and isinstance(node.value, ast.Compare):
                for edit in variations(anatomy.text, node.value, ()):
                    if edit.text in ("<", ">"):
                        yield make_patch(anatomy, "order", edit)


def _turned(anatomy: Anatomy, traversal: Traversal) -> Repairs:
    loop = traversal.loop
    if isinstance(loop, ast.For):
        held = loop.iter
        text = anatomy.text.of(held)
        if isinstance(held, ast.Call) and ast.unparse(held.func) == "reversed":
            yield make_patch(anatomy, "reversed", anatomy.text.replaced(held, anatomy.text.of(held.args[0])))
        elif text.endswith("[::-1]"):
            yield make_patch(anatomy, "reversed", anatomy.text.replaced(held, text.removesuffix("[::-1]")))
        else:
            simple = isinstance(held, (ast.Name, ast.Attribute))
            wrapped = text if simple else f"list({text})"
            yield make_patch(anatomy, "reversed", anatomy.text.replaced(held, f"reversed({wrapped})"))
    for scope in filter(None, (traversal.function, traversal.helper)):
        for node in ast.walk(scope):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr == "reverse" and not node.args:
                    statement = anatomy.text.parents.get(node)
                    if isinstance(statement, ast.Expr):
                        yield make_patch(anatomy, "reversed", anatomy.text.removed(statement))
                if node.func.attr == "pop" and isinstance(loop, ast.While):
                    inside = anatomy.text.of(node)
                    other = "pop()" if node.args else "pop(0)"
                    yield make_patch(
                        anatomy, "queue", anatomy.text.replaced(node, re.sub(r"pop\(.*\)$", other, inside))
                    )


def _post_order(anatomy: Anatomy, traversal: Traversal) -> Repairs:
    """The node is put into the order after its children: under the guard, after the loop."""
    appends, guard = traversal.appends, traversal.guard
    if appends is None or not anatomy.text.alone(appends):
        return
    line = anatomy.text.of(appends)
    scope = traversal.helper or traversal.function
    loops = [n for n in ast.walk(scope) if isinstance(n, ast.For) and n in traversal.recursion]
    if loops:
        indent = anatomy.text.indent(loops[0])
        moved = anatomy.text.after(loops[0], f"{indent}{line}\n")
        gone = Edit(*anatomy.text.whole(appends), "")
        outside = guard is not None and appends not in ast.walk(guard) and loops[0] in ast.walk(guard)
        yield make_patch(anatomy, "guard" if outside else "post-order", gone, moved)
        turned = _loop_reversed(anatomy, traversal)
        if turned is not None:
            yield make_patch(anatomy, "post-order", gone, moved, turned)
    if guard is not None and appends not in ast.walk(guard):
        inside = anatomy.text.indent(guard.body[-1])
        moved = anatomy.text.after(guard.body[-1], f"{inside}{line}\n")
        yield make_patch(anatomy, "guard", Edit(*anatomy.text.whole(appends), ""), moved)


def _loop_reversed(anatomy: Anatomy, traversal: Traversal) -> Edit | None:
    if isinstance(traversal.loop, ast.For) and isinstance(traversal.loop.iter, (ast.Name, ast.Attribute)):
        text = anatomy.text.of(traversal.loop.iter)
        return anatomy.text.replaced(traversal.loop.iter, f"reversed({text})")
    return None


def hand_down_share(anatomy: Anatomy, op: str) -> Repairs:
    """A recursion that is handed a gradient hands on its share of that, not of all that has come so far."""
    for traversal in anatomy.traversals:
        scopes = [traversal.function] if traversal.helper is None else [traversal.function, traversal.helper]
        for scope in scopes:
            given = parameters(scope)[1:]
            for call in ast.walk(scope):
                if not isinstance(call, ast.Call) or ast.unparse(call.func).rpartition(".")[2] != scope.name:
                    continue
                for node in ast.walk(call):
                    if isinstance(node, ast.Attribute) and node.attr == anatomy.grad:
                        for name in given[:2]:
                            yield make_patch(anatomy, "handed-down", anatomy.text.replaced(node, name))


def repair_guard(anatomy: Anatomy, op: str) -> Repairs:
    """A visited guard where there is none, the mark that it asks for, and what should stand under it."""
    for traversal in anatomy.traversals:
        scope = traversal.helper or traversal.function
        if traversal.guard is None and traversal.helper is not None and anatomy.text.alone(scope.body[0]):
            yield from _new_guard(anatomy, traversal)
        if traversal.guard is not None and not traversal.flag:
            yield from _marked(anatomy, traversal)
            yield from _by_identity(anatomy, traversal)
            yield from _under(anatomy, traversal)
        if isinstance(traversal.loop, ast.While):
            yield from wait_for_all(anatomy, traversal)
            yield from push_once(anatomy, traversal.loop)
        for walk in (traversal.builder, traversal.helper, traversal.function):
            yield from place_once(anatomy, walk) if walk is not None else ()


def _new_guard(anatomy: Anatomy, traversal: Traversal) -> Repairs:
    helper = traversal.helper
    if helper is None or helper not in ast.walk(traversal.function):
        return
    inside, outside = anatomy.text.indent(helper.body[0]), anatomy.text.indent(helper)
    for statement in helper.body:  # noted, and nobody asks
        noted = re.fullmatch(
            rf"(\w+)\.(add|append)\({re.escape(traversal.node)}\)", anatomy.text.of(statement)
        )
        if noted and len(helper.body) > 1 and statement is helper.body[0]:
            lines = f"{inside}if {traversal.node} in {noted[1]}:\n{inside}    return\n"
            yield make_patch(anatomy, "guard-asked", anatomy.text.before(statement, lines))
    mark = f"id({traversal.node})"
    lines = f"{inside}if {mark} in visited:\n{inside}    return\n{inside}visited.add({mark})\n"
    start = anatomy.text.whole(helper.body[0])[0]
    before = anatomy.text.before(helper, f"{outside}visited = set()\n")
    yield make_patch(anatomy, "guard-added", Edit(start, start, lines), before)


def _asked(traversal: Traversal) -> tuple[ast.Compare, str, str] | None:
    if traversal.guard is not None:
        for node in ast.walk(traversal.guard.test):
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
                return node, ast.unparse(node.left), ast.unparse(node.comparators[0])
    return None


def _marked(anatomy: Anatomy, traversal: Traversal) -> Repairs:
    asked, guard = _asked(traversal), traversal.guard
    if asked is None or guard is None:
        return
    compare, what, where = asked
    scope = traversal.helper or traversal.function
    if re.search(rf"{re.escape(where)}\.(add|append)\(", ast.unparse(scope)):
        return
    mark = f"{where}.add({what})\n"
    made = _made_empty(traversal.function, where)
    if isinstance(compare.ops[0], ast.NotIn):
        yield make_patch(
            anatomy,
            "mark-added",
            anatomy.text.before(guard.body[0], anatomy.text.indent(guard.body[0]) + mark),
            *(anatomy.text.replaced(value, "set()") for value in made),
        )
    else:
        yield make_patch(
            anatomy,
            "mark-added",
            anatomy.text.after(guard, anatomy.text.indent(guard) + mark),
            *(anatomy.text.replaced(value, "set()") for value in made),
        )


def _made_empty(function: ast.AST, name: str) -> list[ast.expr]:
    """The empty tuple or list that the visited nodes are kept in: nothing can be added to a tuple."""
    return [
        node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, (ast.Tuple, ast.List))
        and not node.value.elts
        and any(ast.unparse(target) == name for target in node.targets)
    ]


def _by_identity(anatomy: Anatomy, traversal: Traversal) -> Repairs:
    """Who has been visited is asked by identity, whatever == means for nodes."""
    asked = _asked(traversal)
    if asked is None or asked[1].startswith("id("):
        return
    compare, what, where = asked
    edits = [anatomy.text.replaced(compare.left, f"id({what})")]
    scope = traversal.helper or traversal.function
    for node in ast.walk(scope):
        if (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in (f"{where}.add", f"{where}.append")
            and node.args
            and ast.unparse(node.args[0]) == what
        ):
            edits.append(anatomy.text.replaced(node.args[0], f"id({what})"))
    yield make_patch(anatomy, "by-identity", *edits)


def _under(anatomy: Anatomy, traversal: Traversal) -> Repairs:
    """Statements after the guard that should stand under it: the loop over the children, the append."""
    guard = traversal.guard
    parent = anatomy.text.parents.get(guard) if guard is not None else None
    block = getattr(parent, "body", [])
    if guard is None or guard not in block:
        return
    after = block[block.index(guard) + 1 :]
    step = anatomy.text.indent(guard.body[0])[len(anatomy.text.indent(guard)) :] or "    "
    for count in range(1, len(after) + 1):
        start, end = anatomy.text.whole(after[0])[0], anatomy.text.whole(after[count - 1])[1]
        lines = anatomy.source[start:end].splitlines(keepends=True)
        moved = "".join(step + line if line.strip() else line for line in lines)
        yield make_patch(anatomy, "guard", Edit(start, end, moved))


# ---- the seed -------------------------------------------------------------------------------------


def repair_seed(anatomy: Anatomy, op: str) -> Repairs:
    """The output's gradient is 1 when the pass begins, and what is written there is called."""
    for traversal in anatomy.traversals:
        yield from _called(anatomy, traversal)
        root = f"{traversal.root}.{anatomy.grad}"
        for seed in traversal.seeds:
            value = getattr(seed, "value", None)
            if value is not None and ast.unparse(value) not in ("1", "1.0"):
                yield make_patch(anatomy, "seed", anatomy.text.replaced(value, "1.0"))
            if (
                traversal.loop is not None
                and seed.lineno > traversal.loop.lineno
                and anatomy.text.alone(seed)
            ):
                line = f"{anatomy.text.indent(traversal.loop)}{root} = 1.0\n"
                gone = Edit(*anatomy.text.whole(seed), "")
                yield make_patch(anatomy, "seed", anatomy.text.before(traversal.loop, line), gone)
        if not traversal.seeds:
            body = traversal.function.body
            first = (
                body[1] if ast.get_docstring(traversal.function) is not None and len(body) > 1 else body[0]
            )
            likely = [traversal.loop] if traversal.loop is not None else []
            for where in dict.fromkeys([*likely, first, *body[::-1][:6]]):
                if anatomy.text.alone(where):
                    line = f"{anatomy.text.indent(where)}{root} = 1.0\n"
                    yield make_patch(anatomy, "seed", anatomy.text.before(where, line))
        yield from _not_zeroed(anatomy, traversal)
    yield from _starts_at_zero(anatomy)


def _called(anatomy: Anatomy, traversal: Traversal) -> Repairs:
    """A rule that stands there as a statement, and has no parentheses behind it."""
    for node in ast.walk(traversal.function):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Attribute):
            text = anatomy.text.of(node.value)
            yield make_patch(anatomy, "called", anatomy.text.replaced(node.value, f"{text}()"))


def _not_zeroed(anatomy: Anatomy, traversal: Traversal) -> Repairs:
    """A gradient that is set to 0 inside the loop that sends."""
    for scope in filter(None, (traversal.loop, traversal.helper)):
        for node in ast.walk(scope):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and not node.value.value:
                target = node.targets[0]
                if isinstance(target, ast.Attribute) and target.attr == anatomy.grad:
                    yield make_patch(anatomy, "not-zeroed", anatomy.text.removed(node))


def _starts_at_zero(anatomy: Anatomy) -> Repairs:
    """A node's own gradient is 0 at first."""
    if anatomy.initial is None:
        return
    for node in walk_own(anatomy.initial):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if (
                isinstance(target, ast.Attribute)
                and target.attr == anatomy.grad
                and isinstance(node.value, ast.Constant)
                and node.value.value not in (0, None)
            ):
                yield make_patch(anatomy, "starts-at-zero", anatomy.text.replaced(node.value, "0.0"))


def write_textbook_pass(anatomy: Anatomy, op: str) -> Repairs:
    """The whole pass as the textbook has it, with the engine's own children and closures."""
    for traversal in anatomy.traversals:
        place = statement_to_blame(traversal)
        for edits in order_alone(anatomy, traversal):
            inside = list_insertions(traversal.builder) if traversal.builder is not None else None
            yield make_patch(anatomy, "textbook-order", *edits, at=inside)
        helper, loop = traversal.helper, traversal.loop
        recursive = (
            helper is not None and traversal.guard is None and (loop is None or loop in ast.walk(helper))
        )
        for edits in textbook(anatomy, traversal):
            yield make_patch(
                anatomy, "textbook-recursion" if recursive else "textbook-order", *edits, at=place
            )
