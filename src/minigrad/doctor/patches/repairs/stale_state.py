"""Repairs of what outlives a pass or a node: visited flags, shared defaults, equality by content."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..anatomy import Anatomy, Edit, Traversal
from ..anatomy.source_text import walk_own
from ..anatomy.traversal import flag_of
from ..patch import Patch, make_patch

__all__ = [
    "add_repeated_entries",
    "compare_by_identity",
    "renew_defaults",
    "reset_flags",
    "store_number_whole",
]

Repairs = Iterator[Patch | None]


def reset_flags(anatomy: Anatomy, op: str) -> Repairs:
    """Marks that outlive the pass: cleared after it, or before it."""
    for traversal in anatomy.traversals:
        loop = traversal.loop
        if traversal.flag:
            yield _in_a_set(anatomy, traversal)
        if (
            traversal.flag
            and isinstance(loop, ast.For)
            and traversal.turn
            and anatomy.text.alone(loop.body[-1])
        ):
            inside = anatomy.text.indent(loop.body[-1])
            line = f"{inside}{traversal.turn}.{traversal.flag} = False\n"
            mark = next((n for n in _marks(traversal) if anatomy.text.alone(n)), None)
            yield make_patch(anatomy, "flags-reset", anatomy.text.after(loop.body[-1], line), at=mark)
        for name in _shared_sets(anatomy):
            body = traversal.function.body
            first = (
                body[1] if ast.get_docstring(traversal.function) is not None and len(body) > 1 else body[0]
            )
            if name.rpartition(".")[2] in ast.unparse(traversal.function) and anatomy.text.alone(first):
                line = f"{anatomy.text.indent(first)}{name}.clear()\n"
                yield make_patch(anatomy, "flags-reset", anatomy.text.before(first, line))


def _marks(traversal: Traversal) -> Iterator[ast.Assign]:
    """`v.seen = True`"""
    for node in ast.walk(traversal.helper or traversal.function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            set_now = not isinstance(node.value, ast.Constant) or bool(node.value.value)
            if node.targets[0].attr == traversal.flag and set_now:
                yield node


def _in_a_set(anatomy: Anatomy, traversal: Traversal) -> Patch | None:
    """Who has been visited is kept in a set of this pass, not on the nodes."""
    guard, helper, function = traversal.guard, traversal.helper, traversal.function
    first = helper if helper is not None else traversal.loop
    if guard is None or first is None or first not in ast.walk(function) or not anatomy.text.alone(first):
        return None
    taken = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
    name = next((n for n in ("visited", "seen", "marked") if n not in taken), "already_visited")
    edits = []
    for part in ast.walk(guard.test):
        asked, flag = flag_of(part)
        if flag == traversal.flag and isinstance(part, ast.expr) and asked:
            around = anatomy.text.parents.get(part)
            negated = isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.Not)
            whole = around if negated and isinstance(around, ast.expr) else part
            word = "not in" if negated else "in"
            edits.append(anatomy.text.replaced(whole, f"id({asked}) {word} {name}"))
    for mark in _marks(traversal):
        target = mark.targets[0]
        if isinstance(target, ast.Attribute):
            text = f"{name}.add(id({anatomy.text.of(target.value)}))"
            edits.append(anatomy.text.replaced(mark, text))
    before = anatomy.text.before(first, f"{anatomy.text.indent(first)}{name} = set()\n")
    return make_patch(anatomy, "own-marks", *edits, before)


def _shared_sets(anatomy: Anatomy) -> list[str]:
    """Lists, sets and dicts of a class, or of the module."""
    found = []
    for scope in anatomy.text.tree.body:
        inside = scope.body if isinstance(scope, ast.ClassDef) else [scope]
        for node in inside:
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if isinstance(target, ast.Name) and _mutable(node.value):
                    found.append(
                        f"{scope.name}.{target.id}" if isinstance(scope, ast.ClassDef) else target.id
                    )
    return found


def _mutable(value: ast.expr) -> bool:
    if isinstance(value, (ast.List, ast.Dict, ast.Set)):
        return True
    return isinstance(value, ast.Call) and ast.unparse(value) in ("set()", "list()", "dict()", "deque()")


def renew_defaults(anatomy: Anatomy, op: str) -> Repairs:
    """A list as a default argument is one list for all calls: each call gets its own."""
    for function in [n for n in ast.walk(anatomy.text.tree) if isinstance(n, ast.FunctionDef)]:
        given = [*function.args.posonlyargs, *function.args.args]
        pairs = list(
            zip(given[len(given) - len(function.args.defaults) :], function.args.defaults, strict=True)
        )
        pairs += [
            (p, d)
            for p, d in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
            if d is not None
        ]
        shared = [(p, d) for p, d in pairs if _mutable(d)]
        first = function.body[0]
        if not shared or not anatomy.text.alone(first):
            continue
        if ast.get_docstring(function) is not None and len(function.body) > 1:
            first = function.body[1]
        indent = anatomy.text.indent(first)
        lines = "".join(
            f"{indent}{p.arg} = {anatomy.text.of(d)} if {p.arg} is None else {p.arg}\n" for p, d in shared
        )
        edits = [anatomy.text.replaced(d, "None") for _, d in shared]
        yield make_patch(anatomy, "own-default", *edits, anatomy.text.before(first, lines))
        yield from _fresh_arguments(anatomy, function, [(p.arg, anatomy.text.of(d)) for p, d in shared])


def _fresh_arguments(anatomy: Anatomy, function: ast.FunctionDef, shared: list[tuple[str, str]]) -> Repairs:
    """Where a recursion relies on the shared list, its first call brings a new one."""
    for node in ast.walk(anatomy.text.tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == function.name:
            if node in ast.walk(function) or any(k.arg == shared[0][0] for k in node.keywords):
                continue
            end = anatomy.text.span(node)[1] - 1
            comma = ", " if node.args or node.keywords else ""
            text = ", ".join(f"{name}={value}" for name, value in shared)
            yield make_patch(anatomy, "own-default", Edit(end, end, f"{comma}{text}"))


def compare_by_identity(anatomy: Anatomy, op: str) -> Repairs:
    """Two nodes are two nodes, whatever their numbers: equality by content goes."""
    for scope in [n for n in ast.walk(anatomy.text.tree) if isinstance(n, ast.ClassDef)]:
        methods = [
            n
            for n in scope.body
            if isinstance(n, ast.FunctionDef) and n.name in ("__eq__", "__hash__", "__new__")
        ]
        equality = [anatomy.text.removed(m) for m in methods if m.name != "__new__"]
        if len(equality) > 1:
            yield make_patch(anatomy, "by-identity", *equality)
        for method in methods:
            yield make_patch(anatomy, "by-identity", anatomy.text.removed(method))
            if method.name == "__hash__":
                body = method.body
                edit = Edit(anatomy.text.span(body[0])[0], anatomy.text.span(body[-1])[1], "return id(self)")
                yield make_patch(anatomy, "by-identity", edit)
        for decorator in scope.decorator_list:
            name = ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
            if name.rpartition(".")[2] == "dataclass":
                yield make_patch(
                    anatomy, "by-identity", anatomy.text.replaced(decorator, f"{name}(eq=False)")
                )


def add_repeated_entries(anatomy: Anatomy, op: str) -> Repairs:
    """Local gradients kept in a dict by operand: the second entry of a repeated operand is added."""
    every, kept = [], ""
    for function in anatomy.of(op):
        entries = [
            rule.statement
            for rule in function.rules
            if isinstance(rule.statement, ast.Assign) and isinstance(rule.statement.targets[0], ast.Subscript)
        ]
        for statement in sorted(dict.fromkeys(entries), key=lambda entry: entry.lineno)[1:]:
            target = statement.targets[0]
            if isinstance(target, ast.Subscript):
                held, key = anatomy.text.of(target.value), anatomy.text.of(target.slice)
                text = f"{held}.get({key}, 0) + {anatomy.text.of(statement.value)}"
                every.append(anatomy.text.replaced(statement.value, text))
                kept = target.value.attr if isinstance(target.value, ast.Attribute) else kept
    once = list(_each_key_once(anatomy, kept)) if kept else []
    for edit in every:
        yield make_patch(anatomy, "by-slot", edit)
        yield make_patch(anatomy, "by-slot", edit, *once)
    if len(every) > 1:
        yield make_patch(anatomy, "by-slot", *every)
        yield make_patch(anatomy, "by-slot", *every, *once)
    if anatomy.initial is not None:
        for node in walk_own(anatomy.initial):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("set", "frozenset") and node.args:
                start = anatomy.text.span(node)[0]
                end = anatomy.text.span(node.func)[1]
                yield make_patch(anatomy, "by-slot", Edit(start, end, "tuple"))


def _each_key_once(anatomy: Anatomy, kept: str) -> Iterator[Edit]:
    """`for child in node.children: ... node.kept[child]`: over the keys, of which each is there once."""
    for loop in ast.walk(anatomy.text.tree):
        if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name):
            for node in ast.walk(loop):
                if (
                    isinstance(node, ast.Subscript)
                    and isinstance(node.value, ast.Attribute)
                    and node.value.attr == kept
                    and ast.unparse(node.slice) == loop.target.id
                ):
                    yield anatomy.text.replaced(loop.iter, anatomy.text.of(node.value))
                    break


def store_number_whole(anatomy: Anatomy, op: str) -> Repairs:
    """A number is stored as it is: not cut to an integer, not rounded to 32 bits."""
    if anatomy.initial is None:
        return
    for node in ast.walk(anatomy.initial):
        if (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).rpartition(".")[2]
            in (
                "int",
                "float32",
                "round",
            )
            and node.args
        ):
            yield make_patch(
                anatomy,
                "stored-whole",
                anatomy.text.replaced(node, f"float({anatomy.text.of(node.args[0])})"),
            )
