"""Ops that are classes, with a forward and a backward, and ops told apart by the name in a node."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ....ops import OPS
from .local_rules import RuleReading, aliases_of, elements, scan
from .op_functions import Names, parameters
from .op_names import op_of, op_of_symbol
from .parts import Construction, Function, OpFunction
from .source_text import walk_own

__all__ = ["op_branches", "op_class", "op_tables"]

_FORWARD = (
    "forward",
    "_forward",
    "__call__",
    "apply",
    "compute",
    "evaluate",
    "eval",
    "calc",
    "call",
    "_value",
    "value",
)
_BACKWARD = re.compile(r"back|grad|local|deriv|vjp|partial|jac|propag", re.IGNORECASE)
_UPSTREAM = re.compile(r"grad|upstream|^g$|^d|delta|^up$|adjoint|^dy$|seed", re.IGNORECASE)
_FIRST = {"left": 0, "right": 1, "lhs": 0, "rhs": 1, "a": 0, "b": 1, "x": 0, "y": 1, "first": 0, "second": 1,
          "l": 0, "r": 1, "base": 0, "exponent": 1, "numerator": 0, "denominator": 1}  # fmt: skip


def op_class(node: ast.ClassDef, names: Names) -> OpFunction | None:
    op = op_of(node.name)
    methods = {m.name: m for m in node.body if isinstance(m, (ast.FunctionDef, ast.AsyncFunctionDef))}
    backward = next((m for name, m in methods.items() if name == "backward"), None)
    backward = backward or next((m for name, m in methods.items() if _BACKWARD.search(name)), None)
    if not op or backward is None:
        return None
    forward = next((methods[name] for name in _FORWARD if name in methods), None)
    count = OPS[op].arity[1]
    owners, operands, first = _owners(methods, forward, backward, count)
    upstream, given = _given(backward, owners)
    if len({*owners.values()}) < OPS[op].arity[0] and len(given) >= OPS[op].arity[0]:
        owners.update({name: slot for slot, name in enumerate(given[:count])})
        operands = operands or given[:count]
    count = max([*owners.values(), -1, min(count, len(operands)) - 1]) + 1
    values = tuple(_value(backward, owners, slot, names.data) for slot in range(count))
    output = _output(methods, backward, forward, names, first)
    if not values:
        return None
    reading = RuleReading(names.grad, owners, upstream, values, output, returns=True)
    rules = list(scan(backward.body, reading))
    where = forward or methods.get("__init__")
    formula, construction = _computed(where, names)
    return OpFunction(
        op=op,
        name=node.name,
        node=where or backward,
        operands=tuple(operands[: len(values)]) if len(operands) >= len(values) else values,
        values=tuple(
            _value(where, {**owners, **first}, slot, names.data) if where else values[slot]
            for slot in range(len(values))
        ),
        class_name=node.name,
        construction=construction,
        rules=tuple(rules),
        formula=formula if construction is None else None,
        aliases={**aliases_of(walk_own(where) if where else ()), **aliases_of(walk_own(backward))},
        backward=backward,
    )


def _owners(
    methods: dict[str, Function], forward: Function | None, backward: Function, count: int
) -> tuple[dict[str, int], list[str], dict[str, int]]:
    """The operands as the backward method names them, their parameters, and the forward's own names."""
    owners: dict[str, int] = {}
    operands: list[str] = []
    first: dict[str, int] = {}
    for method in [m for m in (methods.get("__init__"), forward) if m is not None]:
        given = [name for name in parameters(method) if name not in ("self", "ctx", "cls")][:count]
        operands = operands or given
        first.update({name: slot for slot, name in enumerate(given)})
        for node in walk_own(method):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
                value = ast.unparse(node.value)
                if value in given:
                    owners[ast.unparse(node.targets[0])] = given.index(value)
    saved = _saved(methods, forward)
    for node in walk_own(backward):
        if isinstance(node, ast.Assign):
            target = node.targets[0]
            unpacked = elements(target) if isinstance(target, (ast.Tuple, ast.List)) else None
            if unpacked and elements(node.value) is None and len(unpacked) <= count:
                for slot, name in enumerate(unpacked):
                    source = saved[slot] if slot < len(saved) else ""
                    if not source or source in first:
                        owners[ast.unparse(name)] = first.get(source, slot)
            elif (
                isinstance(target, ast.Name)
                and count == 1
                and _is_stored(node.value)
                and (not saved or saved[0] in first)
            ):
                owners[target.id] = 0
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Constant)
            and isinstance(node.slice.value, int)
            and 0 <= node.slice.value < count
        ):
            owners[ast.unparse(node)] = node.slice.value
    return owners, operands, first


def _is_stored(value: ast.expr) -> bool:
    text = ast.unparse(value)
    return bool(re.match(r"(self|ctx)\.\w*(input|saved|parent|arg|operand|child)\w*(\[0\])?$", text))


def _saved(methods: dict[str, Function], forward: Function | None) -> list[str]:
    """What the forward method puts aside, in order."""
    for method in filter(None, (forward, methods.get("__init__"))):
        for node in walk_own(method):
            if isinstance(node, ast.Call) and "save" in ast.unparse(node.func):
                return [ast.unparse(a) for a in node.args]
            if isinstance(node, ast.Assign) and re.search(
                r"\.\w*(save|input|cache)", ast.unparse(node.targets[0])
            ):
                parts = elements(node.value)
                if parts:
                    return [ast.unparse(p) for p in parts]
    return []


def _given(backward: Function, owners: dict[str, int]) -> tuple[str, list[str]]:
    """The parameter with the upstream gradient, and the others."""
    given = [name for name in parameters(backward) if name not in ("self", "ctx", "cls")]
    upstream = next((name for name in given if _UPSTREAM.search(name)), "")
    if not upstream and len(given) == 1 and owners:
        upstream = given[0]
    return upstream, [name for name in given if name != upstream]


def _value(scope: Function, owners: dict[str, int], slot: int, data: str) -> str:
    names = [name for name, s in owners.items() if s == slot]
    text = ast.unparse(scope)
    for name in names:
        if re.search(rf"(?<![\w.]){re.escape(name)}\.{data}\b", text):
            return f"{name}.{data}"
    for name in names:
        if re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", text):
            return name
    return names[0] if names else ""


def _output(
    methods: dict[str, Function],
    backward: Function,
    forward: Function | None,
    names: Names,
    first: dict[str, int],
) -> str:
    """How the backward method can read the output's data, if it does."""
    saved = _saved(methods, forward)
    for node in walk_own(backward):
        if isinstance(node, ast.Assign):
            unpacked = elements(node.targets[0]) or [node.targets[0]]
            for name, source in zip(unpacked, saved, strict=False):
                if source not in first:
                    return ast.unparse(name)
    text = ast.unparse(backward)
    for pattern in (
        rf"self\.(?:out|output|result|y|value)\.{names.data}",
        r"self\.(?:out|output|result|y)\b",
    ):
        found = re.search(pattern, text)
        if found:
            return found[0]
    return f"self.{names.data}" if re.search(rf"self\.{names.data}\b", text) else ""


def _computed(function: Function | None, names: Names) -> tuple[ast.expr | None, Construction | None]:
    """What is computed forwards: an expression, or a node that is made."""
    if function is None:
        return None, None
    for node in walk_own(function):
        if isinstance(node, ast.Call) and names.makes_node(node) and node.args:
            return None, Construction(node, node.args[0], None)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__" and node.args:
            return None, Construction(node, node.args[0], None)
    returns = [n.value for n in walk_own(function) if isinstance(n, ast.Return) and n.value is not None]
    return (returns[-1] if returns else None), None


# ---- one function for all ops, which asks the node what it is -------------------------------------


def op_branches(function: Function, names: Names) -> Iterator[OpFunction]:
    """`if self.op == "*": self.left.grad += ...`, one op for each branch."""
    for node in ast.walk(function):
        if isinstance(node, ast.If):
            op, body = _asked(node.test), node.body
            if op:
                yield from _branch(op, body, function, names)
        elif isinstance(node, ast.Match):
            for case in node.cases:
                if isinstance(case.pattern, ast.MatchValue) and isinstance(case.pattern.value, ast.Constant):
                    op = op_of_symbol(str(case.pattern.value.value))
                    if op:
                        yield from _branch(op, case.body, function, names)


def _asked(test: ast.expr) -> str:
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.In)):
        asked = test.comparators[0]
        for part in elements(asked) or [asked]:
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                return op_of_symbol(part.value)
            if isinstance(part, ast.Attribute):  # Op.MUL
                return op_of(part.attr)
    return ""


def _branch(op: str, body: list[ast.stmt], function: Function, names: Names) -> Iterator[OpFunction]:
    inside = [n for s in body for n in ast.walk(s)]
    targets = [
        ast.unparse(t.value)
        for n in inside
        if isinstance(n, (ast.AugAssign, ast.Assign))
        for t in (n.targets if isinstance(n, ast.Assign) else [n.target])
        if isinstance(t, ast.Attribute) and t.attr == names.grad
    ]
    found = list(dict.fromkeys(targets))
    if not found:
        return
    owners = {name: _slot(name, i) for i, name in enumerate(found)}
    reads = [
        ast.unparse(n.value)
        for n in inside
        if isinstance(n, ast.Attribute) and n.attr == names.grad and ast.unparse(n.value) not in owners
    ]
    output = reads[0] if reads else next(iter(parameters(function)), "self")
    count = max(owners.values()) + 1
    by_slot = {slot: name for name, slot in owners.items()}
    values = tuple(f"{by_slot.get(slot, f'x{slot}')}.{names.data}" for slot in range(count))
    reading = RuleReading(names.grad, owners, f"{output}.{names.grad}", values, f"{output}.{names.data}")
    rules = tuple(scan(body, reading))
    yield OpFunction(
        op=op,
        name=f"{function.name}: {op}",
        node=function,
        operands=tuple(by_slot.get(slot, "") for slot in range(count)),
        values=values,
        rules=rules,
        aliases={**aliases_of(walk_own(function)), **aliases_of(inside)},
        backward=function,
        output=output,
    )


def _slot(name: str, seen: int) -> int:
    """The slot that a name stands for: `self.parent2`, `prev[0]`, `right`; else the order of appearance."""
    index = re.search(r"\[(\d)\]$", name)
    if index:
        return int(index[1])
    last = name.rpartition(".")[2].strip("_")
    numbered = re.search(r"([012])$", last)
    if numbered:
        return max(0, int(numbered[1]) - 1)
    return _FIRST.get(last.lower(), seen)


def op_tables(tree: ast.Module, names: Names) -> Iterator[OpFunction]:
    """`{"mul": lambda g, a, b: (g * b, g * a)}`, `mul.rule(lambda y, a, b: (b.data, a.data))`."""
    for statement in tree.body:
        value = getattr(statement, "value", None)
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and isinstance(value, ast.Dict):
            for key, entry in zip(value.keys, value.values, strict=True):
                if (
                    isinstance(key, ast.Constant)
                    and isinstance(key.value, str)
                    and isinstance(entry, ast.Lambda)
                ):
                    yield from _entry(op_of_symbol(key.value), entry, statement, names)
        elif isinstance(value, ast.Call) and isinstance(statement, (ast.Assign, ast.Expr)):
            called = value.func.value if isinstance(value.func, ast.Attribute) else None
            target = statement.targets[0] if isinstance(statement, ast.Assign) else called
            if isinstance(target, ast.Name):
                for given in (*value.args, *[k.value for k in value.keywords]):
                    if isinstance(given, ast.Lambda):
                        yield from _entry(op_of(target.id), given, statement, names)


def _entry(op: str, entry: ast.Lambda, statement: ast.stmt, names: Names) -> Iterator[OpFunction]:
    given = [p.arg for p in entry.args.args]
    upstream = next((n for n in given if _UPSTREAM.search(n)), "")
    rest = [n for n in given if n != upstream]
    if not op or not rest:
        return
    output = rest.pop(0) if len(rest) > OPS[op].arity[1] else ""
    if not output and len(rest) == OPS[op].arity[1] + 1:
        output = rest.pop(0)
    read = ast.unparse(entry.body)
    attribute = any(f"{n}.{names.data}" in read for n in given)
    spell = {n: f"{n}.{names.data}" if attribute else n for n in given}
    parts = elements(entry.body)
    values = tuple(spell[n] for n in rest)
    owners = {n: i for i, n in enumerate(rest)}
    reading = RuleReading(names.grad, owners, upstream, values, spell[output] if output else "")
    rules = tuple(
        reading.rule(slot, name, "", part, statement, ())
        for slot, (name, part) in enumerate(zip(rest, parts or (), strict=False))
    )
    host = ast.FunctionDef(name=op, args=entry.args, body=[], decorator_list=[], lineno=entry.lineno)
    yield OpFunction(
        op=op, name=op, node=host, operands=tuple(rest), values=values, rules=rules,
        formula=None if parts else entry.body, backward=host,
    )  # fmt: skip
