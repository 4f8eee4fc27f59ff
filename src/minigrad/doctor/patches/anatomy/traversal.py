"""Backward pass of an engine: its seed, its walk, its order, and its guard against visiting twice."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from .op_functions import Names, parameters
from .parts import Function, OpFunction, Traversal
from .source_text import walk_own

__all__ = ["children_of", "closure_of", "flag_of", "traversals", "turn_of"]

_ENTRY = re.compile(r"back|grad|propag|differentiate|toposort|topo|reverse", re.IGNORECASE)
_NOT_ENTRY = re.compile(r"zero|reset|clear|clip|no_grad|check|numerical|__|test", re.IGNORECASE)


def closure_of(ops: tuple[OpFunction, ...], functions: dict[str, Function]) -> str:
    """The attribute that the closures hang on, by the majority of ops."""
    votes = Counter(
        a.targets[0].attr for f in ops for a in f.attachments if isinstance(a.targets[0], ast.Attribute)
    )
    if votes:
        return votes.most_common(1)[0][0]
    for function in functions.values():
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                target = node.targets[0]
                if isinstance(target, ast.Attribute) and _ENTRY.search(target.attr):
                    return target.attr
    return ""


def children_of(initial: Function | None, found: tuple[Traversal, ...], grad: str) -> str:
    """The attribute with the nodes that a node was made from."""
    votes: Counter[str] = Counter()
    for traversal in found:
        for function in dict.fromkeys(
            filter(None, (traversal.helper, traversal.function, traversal.builder))
        ):
            for node in ast.walk(function):
                if isinstance(node, (ast.For, ast.comprehension)):
                    held = node.iter
                    while isinstance(held, ast.Call) and held.args:
                        held = held.args[0]
                    if isinstance(held, ast.Attribute):
                        votes[held.attr] += 1
                given = None
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                    given = node.args[0] if node.func.attr in ("extend", "update") else None
                elif isinstance(node, ast.AugAssign):
                    given = node.value
                if isinstance(given, ast.Attribute) and given.attr != grad:
                    votes[given.attr] += 1
    if initial is not None and not votes:
        taken = set(parameters(initial))
        for node in walk_own(initial):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
                inside = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)} & taken
                if any(re.search("child|prev|parent|input|operand|arg|dep", name) for name in inside):
                    votes[node.targets[0].attr] += 1
    return votes.most_common(1)[0][0] if votes else ""


def traversals(
    functions: dict[str, Function], skipped: set[ast.AST], names: Names, closure: str
) -> Iterator[Traversal]:
    """The functions that run the pass, the one that a user calls first."""
    found = []
    for key, function in functions.items():
        if function in skipped or not _ENTRY.search(function.name) or _NOT_ENTRY.search(function.name):
            continue
        if any("property" in ast.unparse(d) or ".setter" in ast.unparse(d) for d in function.decorator_list):
            continue
        given = parameters(function)
        handed = "." in key and len(given) > 1  # tape.backward(out)
        root = given[1] if handed else given[0] if given else "self"
        found.append(_read(function, root, functions, names, closure))
    found.sort(key=lambda t: (not t.seeds, t.loop is None and t.helper is None))
    yield from found


def _read(
    function: Function, root: str, functions: dict[str, Function], names: Names, closure: str
) -> Traversal:
    helper = _helper(function, functions, names.grad, closure)
    scope = helper or function
    inner = [name for name in parameters(scope) if name not in ("self", "cls")]
    node = inner[0] if helper is not None and inner else root
    guard, flag = _guard(scope, node)
    loop = _loop(function, names, closure, functions)
    return Traversal(
        function=function,
        root=root,
        seeds=tuple(_seeds(function, root, names)),
        helper=helper,
        node=node,
        guard=guard,
        flag=flag,
        appends=_appends(scope, node),
        recursion=tuple(_recursion(scope)),
        loop=loop,
        turn=turn_of(loop),
        builder=_builder(function, functions),
    )


def _seeds(function: Function, root: str, names: Names) -> Iterator[ast.stmt]:
    for node in walk_own(function):
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Attribute) and target.attr == names.grad:
                if ast.unparse(target.value) == root:
                    yield node
            elif isinstance(target, ast.Subscript) and re.search(rf"\b{root}\b", ast.unparse(target.slice)):
                yield node


def _calls(scope: ast.AST, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(scope):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called == name:
                yield node


def _builder(function: Function, functions: dict[str, Function]) -> Function | None:
    """A function that is called for the order: it collects nodes and returns them."""
    inside = [n for n in ast.walk(function) if isinstance(n, ast.FunctionDef) and n is not function]
    for other in (*inside, *functions.values()):
        if other is function or not any(_calls(function, other.name)) or any(_calls(other, other.name)):
            continue
        collects = re.search(r"\.(append|insert|appendleft|add)\(", ast.unparse(other))
        loops = any(isinstance(n, (ast.While, ast.FunctionDef)) for n in ast.walk(other) if n is not other)
        returns = any(isinstance(n, ast.Return) and n.value is not None for n in walk_own(other))
        if collects and loops and returns and not _NOT_ENTRY.search(other.name):
            return other
    return None


def _helper(function: Function, functions: dict[str, Function], grad: str, closure: str) -> Function | None:
    """A recursive function inside this one, or one of the file that it calls: one that sends first."""
    for node in ast.walk(function):
        if (
            isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            and node is not function
            and any(_calls(node, node.name))
        ):
            return node

    def waits(other: Function) -> bool:
        return not (_adds(other, grad) or (closure and any(_calls(other, closure))))

    for other in sorted(functions.values(), key=waits):
        if other is not function and any(_calls(function, other.name)) and not _NOT_ENTRY.search(other.name):
            if any(_calls(other, other.name)):
                return other
            deeper = next((n for n in ast.walk(other) if isinstance(n, ast.FunctionDef) and n is not other
                           and any(_calls(n, n.name))), None)  # fmt: skip
            if deeper is not None:
                return deeper
    return None


def _adds(function: Function, grad: str) -> bool:
    """Does a function itself add to a gradient?"""
    return any(
        isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Attribute) and n.target.attr == grad
        for n in walk_own(function)
    )


def _guard(scope: Function, node: str) -> tuple[ast.If | None, str]:
    for statement in ast.walk(scope):
        if not isinstance(statement, ast.If):
            continue
        for part in ast.walk(statement.test):
            if isinstance(part, ast.Compare) and isinstance(part.ops[0], (ast.In, ast.NotIn)):
                return statement, ""
            asked, flag = flag_of(part)
            if asked == node and re.search("visit|seen|done|mark|explored|processed|check", flag):
                return statement, flag
    return None, ""


def flag_of(part: ast.AST) -> tuple[str, str]:
    """Whose mark is asked for, and the mark: `v.seen`, `getattr(v, "seen", False)`, `hasattr(v, "seen")`."""
    if isinstance(part, ast.Attribute):
        return ast.unparse(part.value), part.attr
    if (
        isinstance(part, ast.Call)
        and ast.unparse(part.func) in ("getattr", "hasattr")
        and len(part.args) > 1
        and isinstance(part.args[1], ast.Constant)
    ):
        return ast.unparse(part.args[0]), str(part.args[1].value)
    return "", ""


def _appends(scope: Function, node: str) -> ast.stmt | None:
    for statement in ast.walk(scope):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = statement.value
            if (
                isinstance(call.func, ast.Attribute)
                and call.func.attr in ("append", "insert", "appendleft")
                and call.args
                and ast.unparse(call.args[-1]) == node
            ):
                return statement
    return None


def _recursion(scope: Function) -> Iterator[ast.stmt]:
    """The loop, or the statements, in which a function calls itself."""
    for statement in ast.walk(scope):
        if isinstance(statement, (ast.For, ast.Expr)) and any(_calls(statement, scope.name)):
            yield statement


def turn_of(loop: ast.For | ast.While | None) -> str:
    """The loop's name for the node whose turn it is."""
    if isinstance(loop, ast.For):
        return loop.target.id if isinstance(loop.target, ast.Name) else ""
    for node in ast.walk(loop) if loop is not None else ():
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and re.search(r"pop(left)?\(", ast.unparse(node.value))
        ):
            return node.targets[0].id
    return ""


def _loop(
    function: Function, names: Names, closure: str, functions: dict[str, Function]
) -> ast.For | ast.While | None:
    """The loop in which nodes send: it calls the closure, or adds to a gradient; the last one that does."""
    senders = {f.name for f in functions.values() if f is not function and _adds(f, names.grad)}
    strong: list[ast.For | ast.While] = []
    weak: list[ast.For | ast.While] = []
    for node in walk_own(function):
        if isinstance(node, (ast.For, ast.While)) and not any(
            _inside(node, other) for other in (*strong, *weak)
        ):
            text = ast.unparse(node)
            sends = closure and re.search(rf"\.{re.escape(closure)}\(", text)
            adds = re.search(rf"(\.{re.escape(names.grad)}|\w\[[^\]]+\]) \+= (?!1\b)", text)
            through = any(any(_calls(node, name)) for name in senders)
            if sends or adds:
                strong.append(node)
            elif through or "backward" in text or re.search(rf"\.{re.escape(names.grad)} = (?!0|None)", text):
                weak.append(node)
    return (strong or weak or [None])[-1]  # type: ignore[list-item]


def _inside(node: ast.AST, other: ast.AST) -> bool:
    return node is not other and node in ast.walk(other)
