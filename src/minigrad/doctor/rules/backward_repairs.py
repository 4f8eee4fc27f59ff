"""Repairs of a backward rule: small changes of its source, tried until the rule is right.

A repair is the proof of a cause: with one expression changed, the rule gives every number that differences of
the forward ask for.  The user's file is never touched; the changed function is compiled in memory.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from difflib import unified_diff
from math import isfinite
from time import process_time
from types import FunctionType
from typing import Any

from .input_structure import structures_of
from .matrix_changes import matrix_changes
from .observations import Observation, RuleCase
from .rule_source import rule_source
from .source_changes import (
    SourceChange,
    Spot,
    expression,
    is_ctx_part,
    is_numeric,
    relevant,
    spots_in,
    with_call,
)
from .subject import RuleRefusedError
from .torch_rules import TorchSubject

__all__ = ["RuleRepair", "find_repair"]

SECONDS = 3.0  # of the processor, for one input
MOST = 4000  # changes
# A change of what handles memory itself may end the process.
UNSAFE = re.compile(r"storage|resize_|\bset_\(|data_ptr|as_strided|ctypes|from_blob|triton|numba|_C\b")
DEEPEST = 200  # frames that a changed backward may go down


@dataclass(frozen=True)
class RuleRepair:
    file: str
    line: int
    diff: str  # the lines taken out and put in
    kind: str  # sign, factor, upstream, transposed, operand, sum, saved, return, mask, constant, removed


def find_repair(case: RuleCase, i: int | None, seconds: float = SECONDS) -> RuleRepair | None:
    """A change with which input i (None: all that is returned) is right; None where there is none."""
    subject = case.subject
    if not isinstance(subject, TorchSubject) or subject.function_class is None:
        return None
    try:
        rule = _RuleText(subject.fn)
    except (OSError, TypeError, SyntaxError, IndexError, ValueError):
        return None
    if UNSAFE.search(f"{rule.text}\n{rule_source(subject.fn).text}"):
        return None
    deadline = process_time() + seconds
    place = None if i is None else subject.places[i]
    for count, edit in enumerate(_edits(rule, place)):
        if count >= MOST or process_time() > deadline:
            return None
        undo = edit.make()
        try:
            with _shallow():
                patched = rule.compiled()
                if patched is not None and _right(case, i, patched, rule):
                    return rule.repair(edit)
        finally:
            undo()
    return None


@contextmanager
def _shallow() -> Iterator[None]:
    """A block in which nothing recurses deeply: a changed backward may come to call itself, and a pass within
    a pass takes long before Python ends it."""
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back  # type: ignore[assignment]
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(min(before, depth + DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


# ---- the source ---------------------------------------------------------------------------------


class _RuleText:
    """The backward function as a tree that can be changed and compiled again."""

    def __init__(self, fn: Any) -> None:
        self.fn = fn
        self.attribute = "vjp" if "vjp" in vars(fn) else "backward"
        self.function: FunctionType = inspect.unwrap(getattr(fn, self.attribute))
        lines, first = inspect.getsourcelines(self.function)
        self.file = inspect.getsourcefile(self.function) or ""
        self.offset = max(1, first) - 1
        self.lines = lines
        indent = len(lines[0]) - len(lines[0].lstrip())
        self.text = "".join(line[indent:] if line[:indent].isspace() else line for line in lines)
        self.module = ast.parse(self.text)
        found = self.module.body[0]
        if not isinstance(found, ast.FunctionDef):
            raise ValueError(type(found).__name__)
        self.tree = found
        self.tree.decorator_list = []
        self.before = ast.unparse(self.tree)

    def compiled(self) -> Any:
        """The class with the changed function; None where the change is no Python."""
        free = self.function.__code__.co_freevars
        cells = dict(zip(free, self.function.__closure__ or (), strict=True))
        wrapped = ast.parse(f"def _outer({', '.join(free)}): pass")
        outer = wrapped.body[0]
        assert isinstance(outer, ast.FunctionDef)
        outer.body = [self.tree, ast.Return(ast.Name(self.tree.name, ast.Load()))]
        wrapped = ast.fix_missing_locations(wrapped)
        try:
            code = compile(wrapped, self.file or "<rule>", "exec")
        except (SyntaxError, ValueError, TypeError):
            return None
        made = next(c for c in code.co_consts if hasattr(c, "co_code"))
        inner = next(c for c in made.co_consts if hasattr(c, "co_code") and c.co_name == self.tree.name)
        closure = tuple(cells[name] for name in inner.co_freevars if name in cells)
        if len(closure) != len(inner.co_freevars):
            return None
        function = FunctionType(
            inner, self.function.__globals__, self.tree.name, self.function.__defaults__, closure
        )
        return type(self.fn.__name__, (self.fn,), {self.attribute: staticmethod(function)})

    def repair(self, edit: SourceChange) -> RuleRepair:
        """The change as lines of the user's file: the statement as it stands, and as it should."""
        if edit.kind == "return":
            end = self.tree.body[-2].end_lineno or self.tree.lineno
            row = "+" + " " * self.tree.body[-2].col_offset + ast.unparse(self.tree.body[-1])
            return RuleRepair(self.file, self.offset + end, row, edit.kind)
        statements = {(each := _statement(self.tree, part.node)).lineno: each for part in edit.parts}
        rows, line = [], 0
        for first, statement in sorted(statements.items()):
            old = self.text.splitlines()[first - 1 : getattr(statement, "end_lineno", first)]
            new = self._rewritten(statement, old, edit)
            found = [row for row in unified_diff(old, new, lineterm="", n=0) if row[:1] in "+-"]
            rows += [row for row in found if not row.startswith(("+++", "---"))]
            at = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
            line = line or self.offset + first + at
        return RuleRepair(self.file, line, "\n".join(rows), edit.kind)

    def _rewritten(self, statement: ast.stmt, old: Sequence[str], edit: SourceChange) -> list[str]:
        """The statement with the one expression replaced in its text, or written anew where that fails.

        What stands on its lines besides, such as another statement or the head of the function, stays.
        """
        meaning = ast.dump(ast.parse(ast.unparse(statement)))
        octets = "\n".join(old).encode()
        starts = [sum(len(line.encode()) + 1 for line in old[:k]) for k in range(len(old))]

        def place(line: int, column: int) -> int:
            return starts[line - statement.lineno] + column

        first = statement.col_offset
        last = place(statement.end_lineno or statement.lineno, statement.end_col_offset or 0)
        before, after = octets[:first], octets[last:]
        here = [part for part in edit.parts if _statement(self.tree, part.node) is statement]
        edit = here[0]
        written = ast.unparse(statement).encode().replace(b"\n", b"\n" + b" " * first)
        if (
            len(here) == 1
            and edit.old is not None
            and edit.new is not None
            and hasattr(edit.old, "col_offset")
        ):
            begin = place(edit.old.lineno, edit.old.col_offset)
            end = place(edit.old.end_lineno or edit.old.lineno, edit.old.end_col_offset or 0)
            for form in ("{}", "({})"):
                changed = octets[first:begin] + form.format(ast.unparse(edit.new)).encode() + octets[end:last]
                with suppress(SyntaxError):
                    if ast.dump(ast.parse(changed)) == meaning:
                        written = changed
                        break
        return (before + written + after).decode().split("\n")


def _statement(tree: ast.FunctionDef, node: ast.AST) -> ast.stmt:
    """The smallest statement that a node is in."""
    best: ast.stmt = tree
    for each in ast.walk(tree):
        if not isinstance(each, ast.stmt) or each is tree or all(part is not node for part in ast.walk(each)):
            continue
        if best is tree or sum(1 for _ in ast.walk(each)) < sum(1 for _ in ast.walk(best)):
            best = each
    return best


def _right(case: RuleCase, i: int | None, patched: Any, rule: _RuleText) -> bool:
    """Is input i right now, everywhere, and no other input worse?"""
    subject = case.subject
    assert isinstance(subject, TorchSubject)
    tried = replace(subject, fn=patched)
    inputs, symmetric = range(len(case.names)), _symmetric_inputs(case)
    for seen in case.observations:
        try:
            grads = tried.pull(seen.point, tuple(seen.upstream)).grads
        except RuleRefusedError:
            return False
        now = RuleCase(tried, [Observation(seen.upstream, seen.truth, grads)], case.slack)
        for k in inputs:
            if (k == i or i is None) and grads[k] is None:
                return False
            if not now.wrong(k) or not (k == i or i is None or not case.wrong(k, [seen])):
                continue
            if not (k in symmetric and _right_as_symmetric(now, k)):
                return False
    return True


def _symmetric_inputs(case: RuleCase) -> list[int]:
    """Those that were given as symmetric matrices: of their gradients, the symmetric parts count."""
    if case.subject.origin == "invented":
        return []
    start = enumerate(case.subject.start)
    return [k for k, grid in start if any(each.code == "symmetric" for each in structures_of(grid))]


def _right_as_symmetric(case: RuleCase, k: int) -> bool:
    """Is the sum of a gradient and its transpose what it should be?"""
    for seen in case.observations:
        due, grad = seen.expected(k), seen.grads[k]
        if grad is None or not all(isfinite(each.value) for each in due):
            return False
        wanted = grad.like([each.value for each in due])
        pairs = [
            [a + b for a, b in zip(grid.numbers, grid.transposed().numbers, strict=True)]
            for grid in (grad, wanted)
        ]
        floor = case.slack * max(map(abs, pairs[1]), default=0.0) + 8.0 * max(each.error for each in due)
        if not all(abs(a - b) <= floor for a, b in zip(*pairs, strict=True)):
            return False
    return True


# ---- the changes --------------------------------------------------------------------------------


def _edits(rule: _RuleText, place: int | None) -> Iterator[SourceChange]:
    """Small changes, the likelier ones first; of what decides about the gradient at this place."""
    tree = rule.tree
    spots = relevant(tree, place, list(spots_in(tree)))
    upstream = [arg.arg for arg in (*tree.args.posonlyargs, *tree.args.args)[1:]]
    if tree.args.vararg:
        upstream.append(f"{tree.args.vararg.arg}[0]")
    names = _names(rule, upstream)
    yield from _returns(tree, place)
    yield from _signs(spots)
    yield from _times(spots, upstream, "upstream")
    yield from _operators(spots)
    yield from _transposes(spots)
    yield from _calls(spots)
    yield from _masks(spots)
    yield from matrix_changes(spots)
    yield from _beside_sums(tree, place, spots)
    yield from _swaps(spots, names)
    yield from _times(spots, [f"{n}" for n in names], "factor")
    yield from _times(spots, [f"(1 - {n})" for n in names], "factor")
    yield from _over(spots, [*names, *(f"(1 - {n})" for n in names)])
    yield from _constants(spots)
    yield from _sums(spots)
    yield from _dropped(spots)
    yield from _times(spots, ["2", "0.5", "3"], "factor")
    yield from _squares(spots)
    yield from _added(spots, upstream, names)


def _names(rule: _RuleText, upstream: Sequence[str]) -> list[str]:
    """What is at hand in the function: saved tensors, local names, attributes of ctx."""
    found: dict[str, None] = {}
    own = rule.tree.args.args[0].arg if rule.tree.args.args else "ctx"
    for node in ast.walk(rule.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == own
            and node.attr not in ("saved_tensors", "saved_variables", "needs_input_grad")
        ):
            found[f"{own}.{node.attr}"] = None
    try:
        forward = ast.parse(inspect.cleandoc("if 1:\n" + inspect.getsource(inspect.unwrap(rule.fn.forward))))
    except (OSError, TypeError, SyntaxError):
        forward = ast.Module([], [])
    for node in ast.walk(forward):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id in ("ctx", "self")
        ):
            found[f"{own}.{node.attr}"] = None
    returned = {
        part.id
        for node in ast.walk(rule.tree) if isinstance(node, ast.Return) and node.value is not None
        for part in ast.walk(node.value) if isinstance(part, ast.Name)
    }  # fmt: skip
    return [name for name in (*found, *upstream) if name not in returned or name in upstream][:12]


def _times(spots: Sequence[Spot], factors: Sequence[str], kind: str) -> Iterator[SourceChange]:
    """e * factor, for whole values first."""
    for spot in sorted(spots, key=_depth):
        if not is_numeric(spot.node):
            continue
        for factor in factors:
            new = ast.BinOp(spot.node, ast.Mult(), expression(factor))
            yield spot.edit(new, kind)


def _over(spots: Sequence[Spot], factors: Sequence[str]) -> Iterator[SourceChange]:
    for spot in sorted(spots, key=_depth):
        if is_numeric(spot.node):
            for factor in factors:
                new = ast.BinOp(spot.node, ast.Div(), expression(factor))
                yield spot.edit(new, "factor")


def _beside_sums(tree: ast.FunctionDef, place: int | None, spots: Sequence[Spot]) -> Iterator[SourceChange]:
    """A mean that should be a sum, or the other way, and a second mistake in the same matrices."""
    for spot in spots:
        node = spot.node
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr not in ("mean", "sum"):
            continue
        (other,) = SIBLINGS[node.func.attr]
        first = SourceChange(node, _renamed(node.func, other), "call")
        undo = first.make()
        try:
            for each in matrix_changes(relevant(tree, place, list(spots_in(tree)))):
                yield replace(each, also=(*each.also, first))
        finally:
            undo()


def _depth(spot: Spot) -> int:
    return 0 if isinstance(spot.holder, ast.stmt) else 1


def _signs(spots: Sequence[Spot]) -> Iterator[SourceChange]:
    for spot in spots:
        if isinstance(spot.node, ast.UnaryOp) and isinstance(spot.node.op, ast.USub):
            yield spot.edit(spot.node.operand, "sign")
    for spot in spots:
        if is_numeric(spot.node):
            yield spot.edit(ast.UnaryOp(ast.USub(), spot.node), "sign")


OTHER: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Div, ast.Add), ast.Div: (ast.Mult,),
    ast.BitOr: (ast.BitAnd,), ast.BitAnd: (ast.BitOr,), ast.MatMult: (ast.Mult,),
}  # fmt: skip


def _operators(spots: Sequence[Spot]) -> Iterator[SourceChange]:
    for spot in spots:
        node = spot.node
        if isinstance(node, ast.BinOp):
            for other in OTHER.get(type(node.op), ()):
                yield spot.edit(ast.BinOp(node.left, other(), node.right), "operand")
            if isinstance(node.op, (ast.MatMult, ast.Sub, ast.Div)):
                yield spot.edit(ast.BinOp(node.right, node.op, node.left), "operand")
            if isinstance(node.op, ast.Mult) and isinstance(node.right, ast.Name):
                yield spot.edit(ast.BinOp(node.left, ast.MatMult(), node.right), "operand")


def _transposes(spots: Sequence[Spot]) -> Iterator[SourceChange]:
    for spot in spots:
        node = spot.node
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("t", "transpose")
        ):
            yield spot.edit(node.func.value, "transposed")
        if isinstance(node, ast.Attribute) and node.attr in ("T", "mT", "H", "mH"):
            yield spot.edit(node.value, "transposed")
    for spot in spots:
        if isinstance(spot.node, (ast.Name, ast.Call, ast.BinOp, ast.Attribute)):
            for ending in (".transpose(-1, -2)", ".conj()"):
                yield spot.edit(with_call(spot.node, ending), "transposed")


SIBLINGS = {
    "mean": ("sum",), "sum": ("mean",), "sin": ("cos",), "cos": ("sin",), "logical_or": ("logical_and",),
    "logical_and": ("logical_or",), "ge": ("le",), "le": ("ge",), "gt": ("lt",), "lt": ("gt",),
    "zeros_like": ("ones_like",), "ones_like": ("zeros_like",), "mm": ("matmul",), "tril": ("triu",),
    "triu": ("tril",), "max": ("min",), "min": ("max",), "add": ("sub",), "sub": ("add",),
    "mul": ("div",), "div": ("mul",), "exp": ("log",), "sqrt": ("rsqrt",), "abs": ("sign",),
    "sigmoid": ("tanh",), "tanh": ("sigmoid",), "conv2d": ("conv_transpose2d",),
}  # fmt: skip


def _calls(spots: Sequence[Spot]) -> Iterator[SourceChange]:
    for spot in spots:
        node = spot.node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            for other in SIBLINGS.get(node.func.attr, ()):
                yield SourceChange(node, _renamed(node.func, other), "call")
            if not node.args and not node.keywords:
                yield spot.edit(node.func.value, "removed")
            if len(node.args) == 2 and node.func.attr in ("mm", "matmul", "bmm", "div", "sub"):
                new = ast.Call(node.func, [node.args[1], node.args[0]], node.keywords)
                yield spot.edit(new, "operand")
            if len(node.args) == 1 and node.func.attr in ("mm", "matmul", "bmm"):
                func = ast.Attribute(node.args[0], node.func.attr, ast.Load())
                yield spot.edit(ast.Call(func, [node.func.value], []), "operand")


def _renamed(func: ast.Attribute, name: str) -> Callable[[], Callable[[], None]]:
    def make() -> Callable[[], None]:
        before, func.attr = func.attr, name

        def undo() -> None:
            func.attr = before

        return undo

    return make


COMPARED: dict[type, type] = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


def _masks(spots: Sequence[Spot]) -> Iterator[SourceChange]:
    for spot in spots:
        node = spot.node
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
            turned = COMPARED[type(node.ops[0])]()
            yield spot.edit(ast.Compare(node.left, [turned], node.comparators), "mask")
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            yield spot.edit(node.operand, "mask")


def _swaps(spots: Sequence[Spot], names: Sequence[str]) -> Iterator[SourceChange]:
    """Another name where one stands: a saved tensor for its neighbour, the output for the input."""
    for spot in spots:
        if isinstance(spot.node, ast.Name) or (
            isinstance(spot.node, ast.Attribute) and is_ctx_part(spot.node)
        ):
            here = ast.unparse(spot.node)
            for name in names:
                if name != here and here not in ("torch", "ctx", "self"):
                    yield spot.edit(expression(name), "saved")


def _constants(spots: Sequence[Spot]) -> Iterator[SourceChange]:
    for spot in spots:
        node = spot.node
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield spot.edit(ast.Constant(not node.value), "constant")
        elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            c = node.value
            others = [c + 1, c - 1, 2 * c, c / 2, -c, 0, 1]
            for value in dict.fromkeys(x for x in others if x != c):
                whole = isinstance(c, int) and float(value).is_integer()
                new = ast.Constant(int(value) if whole else float(value))
                yield spot.edit(new, "constant")


def _sums(spots: Sequence[Spot]) -> Iterator[SourceChange]:
    for spot in sorted(spots, key=_depth):
        if isinstance(spot.node, (ast.Name, ast.BinOp, ast.Call, ast.Subscript)):
            for ending in (
                ".sum(0)", ".sum(-1)", ".sum()", ".sum(-1, keepdim=True)", ".sum(0, keepdim=True)", ".sum(1)",
                ".sum(1, keepdim=True)", ".sum((0, 2, 3))", ".sum((0, 1))",
            ):  # fmt: skip
                yield spot.edit(with_call(spot.node, ending), "sum")


def _dropped(spots: Sequence[Spot]) -> Iterator[SourceChange]:
    """One operand in place of two: a factor or a term too many."""
    for spot in spots:
        if isinstance(spot.node, ast.BinOp):
            for part in (spot.node.left, spot.node.right):
                yield spot.edit(part, "removed")
        if isinstance(spot.node, ast.Call) and len(spot.node.args) == 1 and not spot.node.keywords:
            yield spot.edit(spot.node.args[0], "removed")


def _squares(spots: Sequence[Spot]) -> Iterator[SourceChange]:
    for spot in spots:
        if isinstance(spot.node, ast.Name):
            yield spot.edit(ast.BinOp(spot.node, ast.Pow(), ast.Constant(2)), "factor")
            yield spot.edit(ast.BinOp(ast.Constant(1), ast.Sub(), spot.node), "factor")


def _added(spots: Sequence[Spot], upstream: Sequence[str], names: Sequence[str]) -> Iterator[SourceChange]:
    """A term that is missing: e + upstream, e + upstream * name."""
    for spot in sorted(spots, key=_depth):
        if _depth(spot) or not is_numeric(spot.node):
            continue
        terms = [*upstream, *(f"{u} * {n}" for u in upstream for n in names)]
        for term in terms:
            new = ast.BinOp(spot.node, ast.Add(), expression(term))
            yield spot.edit(new, "term")


def _returns(tree: ast.FunctionDef, place: int | None) -> Iterator[SourceChange]:
    """Another order or number of what is returned; a return statement where there is none."""
    returns = [node for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value is not None]
    for node in returns:
        value = node.value
        elements = value.elts if isinstance(value, ast.Tuple) else [value] if value is not None else []
        if isinstance(value, ast.Tuple):
            for a in range(len(elements)):
                for b in range(a + 1, len(elements)):
                    order = list(elements)
                    order[a], order[b] = order[b], order[a]
                    yield Spot(node, "value", None, value).edit(ast.Tuple(order, ast.Load()), "order")
        if value is None:
            continue
        for nones in (1, 2, 3):
            longer: list[ast.expr] = [*elements, *[ast.Constant(None)] * nones]
            yield Spot(node, "value", None, value).edit(ast.Tuple(longer, ast.Load()), "count")
        for kept in range(len(elements) - 1, 0, -1):
            shorter = ast.Tuple(list(elements[:kept]), ast.Load())
            yield Spot(node, "value", None, value).edit(shorter, "count")
    if not returns:
        stored = [
            n.id
            for each in tree.body for n in ast.walk(each)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        ]  # fmt: skip
        last = list(dict.fromkeys(reversed(stored)))[:4]
        choices = [[name] for name in last] + [[b, a] for a in last for b in last if a != b]
        for names in choices:
            added = ast.Return(expression(", ".join(names)))

            def make(added: ast.Return = added) -> Callable[[], None]:
                tree.body.append(added)
                return lambda: tree.body.remove(added)

            yield SourceChange(added, make, "return")
