"""Textbook backward pass, in the words of someone's engine.

Every node once, each after all of its children; then, from the output back, each has its turn.  Who the
children are and what a node does in its turn is taken from the pass that is there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from textwrap import dedent, indent

from ..anatomy import Anatomy, Edit, Function, Traversal, parameters
from ..anatomy.source_text import walk_own
from ..anatomy.traversal import turn_of

__all__ = ["order_alone", "steps", "textbook", "visits"]


def textbook(anatomy: Anatomy, traversal: Traversal) -> Iterator[list[Edit]]:
    """Edits that put the textbook's pass in the place of a function's body, the likeliest first."""
    function = traversal.function
    if not anatomy.text.alone(function.body[0]):
        return
    for visit in dict.fromkeys(visits(anatomy, traversal)):
        for step in dict.fromkeys(steps(anatomy, traversal)):
            body = function.body
            first = body[1] if ast.get_docstring(function) is not None and len(body) > 1 else body[0]
            start, end = anatomy.text.whole(first)[0], anatomy.text.whole(body[-1])[1]
            text = _pass(traversal.root, visit, step, f"{traversal.root}.{anatomy.grad}")
            yield [Edit(start, end, indent(text, anatomy.text.indent(first)))]


def order_alone(anatomy: Anatomy, traversal: Traversal) -> Iterator[list[Edit]]:
    """The same for a function that is called for the order and does nothing else."""
    builder = traversal.builder
    if builder is None or not anatomy.text.alone(builder.body[0]):
        return
    given = parameters(builder)
    among = [key for key, function in anatomy.functions.items() if function is builder and "." in key]
    root = given[1] if among and len(given) > 1 else given[0] if given else traversal.root
    first = (
        builder.body[1] if ast.get_docstring(builder) is not None and builder.body[1:] else builder.body[0]
    )
    start, end = anatomy.text.whole(first)[0], anatomy.text.whole(builder.body[-1])[1]
    for visit in dict.fromkeys(visits(anatomy, traversal)):
        for back in ("[::-1]", ""):
            text = f"{_walk(root, visit)}return order{back}\n"
            yield [Edit(start, end, indent(text, anatomy.text.indent(first)))]


def _walk(root: str, visit: str) -> str:
    return (
        "order, visited = [], set()\n\n"
        "def visit(node):\n"
        "    if id(node) not in visited:\n"
        "        visited.add(id(node))\n"
        f"{indent(visit, '        ')}\n"
        "        order.append(node)\n\n"
        f"visit({root})\n"
    )


def _pass(root: str, visit: str, step: str, seed: str) -> str:
    turns = f"{seed} = 1.0\nfor node in reversed(order):\n{indent(step, '    ')}\n"
    return _walk(root, visit) + turns


def _renamed(text: str, old: str) -> str:
    return re.sub(rf"(?<![\w.]){re.escape(old)}(?!\w)", "node", text) if old else text


def visits(anatomy: Anatomy, traversal: Traversal) -> Iterator[str]:
    """How to visit the children of `node`: by the loop that is there, or by the attribute."""
    for scope, name in _scopes(anatomy, traversal):
        for node in ast.walk(scope):
            if isinstance(node, ast.For) and isinstance(node.target, (ast.Name, ast.Tuple)):
                held = _renamed(anatomy.text.of(node.iter), name)
                if re.match(r"(?:\w+\()*node\.\w+\)*$", held):
                    yield from _looped(anatomy, node, held)
        named = [
            f"visit({_renamed(ast.unparse(call.func.value), name)})"
            for call in ast.walk(scope)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
            and call.func.attr == getattr(scope, "name", "") and "." in ast.unparse(call.func.value)
        ]  # fmt: skip
        if named:
            guarded = [f"if {n[6:-1]} is not None:\n    {n}" for n in dict.fromkeys(named)]
            yield "\n".join(guarded)
    if anatomy.children:
        yield f"for child in node.{anatomy.children}:\n    visit(child)"
        yield f"for child in node.{anatomy.children} or ():\n    visit(child)"


def _looped(anatomy: Anatomy, loop: ast.For, held: str) -> Iterator[str]:
    target = anatomy.text.of(loop.target)
    parts = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
    names = [anatomy.text.of(part) for part in parts]
    names.sort(key=lambda name: f"{name}.{anatomy.grad}" not in ast.unparse(loop))
    for name in names:  # of (child, local), the one that has a gradient first
        yield f"for {target} in {held}:\n    visit({name})"


def _scopes(anatomy: Anatomy, traversal: Traversal) -> Iterator[tuple[Function, str]]:
    """Functions that walk, each with its name for the node that it is at."""
    if traversal.helper is not None:
        yield traversal.helper, traversal.node
    called = {
        ast.unparse(n.func).rpartition(".")[2]
        for n in ast.walk(traversal.function)
        if isinstance(n, ast.Call)
    }
    for function in anatomy.functions.values():
        if function.name in called and f".{function.name}(" in ast.unparse(function):
            yield function, next(iter(parameters(function)), "self")
    if traversal.turn:
        yield traversal.function, traversal.turn
    for node in walk_own(traversal.builder) if traversal.builder is not None else ():
        if isinstance(node, (ast.For, ast.While)) and traversal.builder is not None and turn_of(node):
            yield traversal.builder, turn_of(node)
    yield traversal.function, traversal.root


def steps(anatomy: Anatomy, traversal: Traversal) -> Iterator[str]:
    """What `node` does in its turn."""
    if isinstance(traversal.loop, ast.For) and traversal.turn:
        start = anatomy.text.whole(traversal.loop.body[0])[0]
        end = anatomy.text.whole(traversal.loop.body[-1])[1]
        waiting = ast.unparse(traversal.loop.iter)
        grows = re.search(rf"\b{re.escape(waiting)}(\.(append|extend)| \+=)", ast.unparse(traversal.loop))
        if grows:  # for node in queue: it grows
            yield from _less(traversal.loop.body, {waiting}, traversal.turn)
        elif anatomy.text.alone(traversal.loop.body[0]):
            yield _renamed(dedent(anatomy.source[start:end]).rstrip("\n"), traversal.turn)
    yield from _taken_out(anatomy, traversal)
    if anatomy.closure:
        yield f"node.{anatomy.closure}()"
        yield f"if node.{anatomy.closure} is not None:\n    node.{anatomy.closure}()"
        yield f"node.{anatomy.closure}(node)"
        yield f"node.{anatomy.closure}(node.{anatomy.grad})"
    for scope, name in _scopes(anatomy, traversal):
        yield from _without_recursion(anatomy, scope, name)
    for function in anatomy.ops:
        if (
            function.backward is not None
            and function.class_name
            and function.class_name != anatomy.class_name
        ):
            yield f"if node.op is not None:\n    node.op.backward(node.{anatomy.grad})"
            return


def _taken_out(anatomy: Anatomy, traversal: Traversal) -> Iterator[str]:
    """What is done with a node that is taken from a stack or a queue, less the stack itself."""
    loop = traversal.loop
    if not isinstance(loop, ast.While) or not anatomy.text.alone(loop.body[0]):
        return
    waiting = {n.id for n in ast.walk(loop.test) if isinstance(n, ast.Name)}
    taken = traversal.turn
    if taken:
        yield from _less(loop.body, waiting, taken)


def _less(body: list[ast.stmt], waiting: set[str], taken: str) -> Iterator[str]:
    """Statements without those that are about the waiting ones."""
    kept = [s for s in (_kept(s, waiting) for s in body) if s is not None]
    if kept:
        yield _renamed("\n".join(ast.unparse(s) for s in kept), taken)


def _kept(statement: ast.stmt, waiting: set[str]) -> ast.stmt | None:
    named = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
    if not named & waiting:
        return statement
    if isinstance(statement, (ast.If, ast.For)):
        head = statement.test if isinstance(statement, ast.If) else statement.iter
        body = [s for s in (_kept(s, waiting) for s in statement.body) if s is not None]
        if body and not {n.id for n in ast.walk(head) if isinstance(n, ast.Name)} & waiting:
            if isinstance(statement, ast.If):
                return ast.fix_missing_locations(ast.If(statement.test, body, []))
            return ast.fix_missing_locations(ast.For(statement.target, statement.iter, body, []))
    return None


def _without_recursion(anatomy: Anatomy, scope: Function, name: str) -> Iterator[str]:
    """What a recursive function does at a node, less the recursion itself.

    Where the gradient is handed down as an argument, it is added to the child instead.
    """
    handed = [p for p in parameters(scope) if p not in (name, "self")]
    lines = []
    for statement in scope.body:
        if ast.get_docstring(scope) is not None and statement is scope.body[0]:
            continue
        if isinstance(statement, (ast.FunctionDef, ast.Return)):
            continue
        text = dedent(anatomy.source[slice(*anatomy.text.whole(statement))]).rstrip("\n")
        calls = [
            n for n in ast.walk(statement)
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == scope.name
        ]  # fmt: skip
        plain = [
            n for n in ast.walk(statement) if isinstance(n, ast.Call) and ast.unparse(n.func) == scope.name
        ]
        if calls and calls[0].args and handed:
            for call in calls:
                amount = anatomy.text.of(call.args[0])
                child = anatomy.text.of(call.func.value) if isinstance(call.func, ast.Attribute) else ""
                text = text.replace(anatomy.text.of(call), f"{child}.{anatomy.grad} += {amount}")
            for one in handed:
                text = re.sub(rf"(?<![\w.]){one}(?!\w)", f"{name}.{anatomy.grad}", text)
        elif _only_seeds(statement, name, anatomy.grad) or _only_returns(statement):
            continue
        elif calls or plain:
            pruned = _pruned(statement, scope.name)
            text = ast.unparse(pruned) if pruned is not None else ""
        if text:
            lines.append(_renamed(text, name))
    if lines:
        yield "\n".join(lines)


def _pruned(statement: ast.stmt, called: str) -> ast.stmt | None:
    """A statement without the calls of the recursion in it; None where nothing else is in it."""

    def calls(node: ast.AST) -> bool:
        return any(
            isinstance(n, ast.Call) and ast.unparse(n.func).rpartition(".")[2] == called
            for n in ast.walk(node)
        )

    if not calls(statement):
        return statement
    if isinstance(statement, (ast.If, ast.For)):
        body = [s for s in (_pruned(s, called) for s in statement.body) if s is not None]
        if body and isinstance(statement, ast.If):
            return ast.fix_missing_locations(ast.If(statement.test, body, []))
        if body and isinstance(statement, ast.For):
            return ast.fix_missing_locations(ast.For(statement.target, statement.iter, body, []))
    return None


def _only_seeds(statement: ast.stmt, name: str, grad: str) -> bool:
    """`self.grad += gradient` or `if seed: self.grad = 1`: what arrives, which the loop does now."""
    if isinstance(statement, ast.If) and not statement.orelse:
        return all(_only_seeds(s, name, grad) for s in statement.body)
    if isinstance(statement, (ast.Assign, ast.AugAssign)):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        return ast.unparse(target) == f"{name}.{grad}"
    return False


def _only_returns(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and all(
        isinstance(s, (ast.Return, ast.Pass)) for s in statement.body
    )
