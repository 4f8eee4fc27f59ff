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
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import unified_diff
from textwrap import dedent
from time import monotonic
from types import FunctionType
from typing import Any

from .observations import Observation, RuleCase
from .rule_source import rule_source
from .subject import RuleRefusedError
from .torch_rules import TorchSubject

__all__ = ["RuleRepair", "find_repair"]

SECONDS = 1.5  # for one input
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


@dataclass
class _SourceChange:
    """A change of the tree that can be made and taken back."""

    node: ast.AST  # whose line counts
    make: Callable[[], Callable[[], None]]
    kind: str
    old: ast.expr | None = None  # the expression that is replaced
    new: ast.expr | None = None


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
    deadline = monotonic() + seconds
    place = None if i is None else subject.places[i]
    for count, edit in enumerate(_edits(rule, place)):
        if count >= MOST or monotonic() > deadline:
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

    def repair(self, edit: _SourceChange) -> RuleRepair:
        """The change as lines of the user's file: the statement as it stands, and as it should."""
        if edit.kind == "return":
            end = self.tree.body[-2].end_lineno or self.tree.lineno
            row = "+" + " " * self.tree.body[-2].col_offset + ast.unparse(self.tree.body[-1])
            return RuleRepair(self.file, self.offset + end, row, edit.kind)
        statement = _statement(self.tree, edit.node)
        first, last = statement.lineno, getattr(statement, "end_lineno", statement.lineno)
        old = self.text.splitlines()[first - 1 : last]
        new = self._rewritten(statement, old, edit)
        rows = [row for row in unified_diff(old, new, lineterm="", n=0) if row[:1] in "+-"]
        rows = [row for row in rows if not row.startswith(("+++", "---"))]
        at = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
        return RuleRepair(self.file, self.offset + first + at, "\n".join(rows), edit.kind)

    def _rewritten(self, statement: ast.stmt, old: Sequence[str], edit: _SourceChange) -> list[str]:
        """The statement with the one expression replaced in its text, or written anew where that fails."""
        meaning = ast.dump(ast.parse(ast.unparse(statement)))
        text = "\n".join(old)
        if edit.old is not None and edit.new is not None and hasattr(edit.old, "col_offset"):
            lines = text.encode().split(b"\n")
            starts = [sum(len(line) + 1 for line in lines[:k]) for k in range(len(lines))]
            begin = starts[edit.old.lineno - statement.lineno] + edit.old.col_offset
            end_line = (edit.old.end_lineno or edit.old.lineno) - statement.lineno
            end = starts[end_line] + (edit.old.end_col_offset or 0)
            for form in ("{}", "({})"):
                middle = form.format(ast.unparse(edit.new)).encode()
                changed = (text.encode()[:begin] + middle + text.encode()[end:]).decode()
                try:
                    if ast.dump(ast.parse(dedent(changed))) == meaning:
                        return changed.split("\n")
                except SyntaxError:
                    continue
        indent = " " * statement.col_offset
        return [indent + line for line in ast.unparse(statement).splitlines()]


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
    inputs = range(len(case.names))
    for seen in case.observations:
        try:
            grads = tried.pull(seen.point, tuple(seen.upstream)).grads
        except RuleRefusedError:
            return False
        now = RuleCase(tried, [Observation(seen.upstream, seen.truth, grads)], case.slack)
        for k in inputs:
            if (k == i or i is None) and grads[k] is None:
                return False
            if now.wrong(k) and (k == i or i is None or not case.wrong(k, [seen])):
                return False
    return True


# ---- the changes --------------------------------------------------------------------------------


def _edits(rule: _RuleText, place: int | None) -> Iterator[_SourceChange]:
    """Small changes, the likelier ones first."""
    tree = rule.tree
    spots = list(_spots(tree))
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


@dataclass
class _Spot:
    """A place in the tree where an expression stands."""

    holder: Any
    field: str
    index: int | None
    node: ast.expr

    def edit(self, new: ast.expr, kind: str) -> _SourceChange:
        return _SourceChange(self.holder, self.put(new), kind, self.node, new)

    def put(self, new: ast.expr) -> Callable[[], Callable[[], None]]:
        def make() -> Callable[[], None]:
            self._set(new)
            return lambda: self._set(self.node)

        return make

    def _set(self, node: ast.expr) -> None:
        if self.index is None:
            setattr(self.holder, self.field, node)
        else:
            getattr(self.holder, self.field)[self.index] = node


def _spots(tree: ast.FunctionDef) -> Iterator[_Spot]:
    """Every expression that is read: not targets, annotations or docstrings; what is assigned comes first."""
    for statement in ast.walk(tree):
        if not isinstance(statement, ast.stmt) or statement is tree:
            continue
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        for field, value in ast.iter_fields(statement):
            if field == "value" and isinstance(value, ast.expr):
                yield from _inside(_Spot(statement, field, None, value))


def _inside(spot: _Spot) -> Iterator[_Spot]:
    node = spot.node
    yield spot
    if isinstance(node, ast.Lambda):
        return
    for field, value in ast.iter_fields(node):
        if isinstance(node, ast.Attribute) and _is_ctx_part(node):
            return
        if isinstance(node, ast.Call) and field == "func" and isinstance(value, ast.Attribute):
            if not isinstance(value.value, ast.Name) or value.value.id not in ("torch", "F", "np", "math"):
                yield from _inside(_Spot(value, "value", None, value.value))
        elif isinstance(value, ast.expr) and field != "func":
            yield from _inside(_Spot(node, field, None, value))
        elif isinstance(value, list):
            for k, each in enumerate(value):
                if isinstance(each, ast.expr):
                    yield from _inside(_Spot(node, field, k, each))
                elif isinstance(each, ast.keyword):
                    yield from _inside(_Spot(each, "value", None, each.value))


def _is_ctx_part(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("ctx", "self")


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


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _times(spots: Sequence[_Spot], factors: Sequence[str], kind: str) -> Iterator[_SourceChange]:
    """e * factor, for whole values first."""
    for spot in sorted(spots, key=_depth):
        if not _numeric(spot.node):
            continue
        for factor in factors:
            new = ast.BinOp(spot.node, ast.Mult(), _expression(factor))
            yield spot.edit(new, kind)


def _over(spots: Sequence[_Spot], factors: Sequence[str]) -> Iterator[_SourceChange]:
    for spot in sorted(spots, key=_depth):
        if _numeric(spot.node):
            for factor in factors:
                new = ast.BinOp(spot.node, ast.Div(), _expression(factor))
                yield spot.edit(new, "factor")


def _depth(spot: _Spot) -> int:
    return 0 if isinstance(spot.holder, ast.stmt) else 1


def _numeric(node: ast.expr) -> bool:
    """Could it be a tensor or a number?  Not a constant None, a string, a tuple, a comparison."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
    return isinstance(node, (ast.Name, ast.BinOp, ast.UnaryOp, ast.Call, ast.Attribute, ast.Subscript))


def _signs(spots: Sequence[_Spot]) -> Iterator[_SourceChange]:
    for spot in spots:
        if isinstance(spot.node, ast.UnaryOp) and isinstance(spot.node.op, ast.USub):
            yield spot.edit(spot.node.operand, "sign")
    for spot in spots:
        if _numeric(spot.node):
            yield spot.edit(ast.UnaryOp(ast.USub(), spot.node), "sign")


OTHER: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Div, ast.Add), ast.Div: (ast.Mult,),
    ast.BitOr: (ast.BitAnd,), ast.BitAnd: (ast.BitOr,), ast.MatMult: (ast.Mult,),
}  # fmt: skip


def _operators(spots: Sequence[_Spot]) -> Iterator[_SourceChange]:
    for spot in spots:
        node = spot.node
        if isinstance(node, ast.BinOp):
            for other in OTHER.get(type(node.op), ()):
                yield spot.edit(ast.BinOp(node.left, other(), node.right), "operand")
            if isinstance(node.op, (ast.MatMult, ast.Sub, ast.Div)):
                yield spot.edit(ast.BinOp(node.right, node.op, node.left), "operand")
            if isinstance(node.op, ast.Mult) and isinstance(node.right, ast.Name):
                yield spot.edit(ast.BinOp(node.left, ast.MatMult(), node.right), "operand")


def _transposes(spots: Sequence[_Spot]) -> Iterator[_SourceChange]:
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
                new = _expression(f"x{ending}")
                assert isinstance(new, ast.Call)
                assert isinstance(new.func, ast.Attribute)
                new.func.value = spot.node
                yield spot.edit(new, "transposed")


SIBLINGS = {
    "mean": ("sum",), "sum": ("mean",), "sin": ("cos",), "cos": ("sin",), "logical_or": ("logical_and",),
    "logical_and": ("logical_or",), "ge": ("le",), "le": ("ge",), "gt": ("lt",), "lt": ("gt",),
    "zeros_like": ("ones_like",), "ones_like": ("zeros_like",), "mm": ("matmul",), "tril": ("triu",),
    "triu": ("tril",), "max": ("min",), "min": ("max",), "add": ("sub",), "sub": ("add",),
    "mul": ("div",), "div": ("mul",), "exp": ("log",), "sqrt": ("rsqrt",), "abs": ("sign",),
    "sigmoid": ("tanh",), "tanh": ("sigmoid",), "conv2d": ("conv_transpose2d",),
}  # fmt: skip


def _calls(spots: Sequence[_Spot]) -> Iterator[_SourceChange]:
    for spot in spots:
        node = spot.node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            for other in SIBLINGS.get(node.func.attr, ()):
                yield _SourceChange(node, _renamed(node.func, other), "call")
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


def _masks(spots: Sequence[_Spot]) -> Iterator[_SourceChange]:
    for spot in spots:
        node = spot.node
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
            turned = COMPARED[type(node.ops[0])]()
            yield spot.edit(ast.Compare(node.left, [turned], node.comparators), "mask")
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            yield spot.edit(node.operand, "mask")


def _swaps(spots: Sequence[_Spot], names: Sequence[str]) -> Iterator[_SourceChange]:
    """Another name where one stands: a saved tensor for its neighbour, the output for the input."""
    for spot in spots:
        if isinstance(spot.node, ast.Name) or (
            isinstance(spot.node, ast.Attribute) and _is_ctx_part(spot.node)
        ):
            here = ast.unparse(spot.node)
            for name in names:
                if name != here and here not in ("torch", "ctx", "self"):
                    yield spot.edit(_expression(name), "saved")


def _constants(spots: Sequence[_Spot]) -> Iterator[_SourceChange]:
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


def _sums(spots: Sequence[_Spot]) -> Iterator[_SourceChange]:
    for spot in sorted(spots, key=_depth):
        if isinstance(spot.node, (ast.Name, ast.BinOp, ast.Call, ast.Subscript)):
            for ending in (
                ".sum(0)", ".sum(-1)", ".sum()", ".sum(-1, keepdim=True)", ".sum(0, keepdim=True)", ".sum(1)",
                ".sum(1, keepdim=True)", ".sum((0, 2, 3))", ".sum((0, 1))",
            ):  # fmt: skip
                new = _expression(f"x{ending}")
                assert isinstance(new, ast.Call)
                assert isinstance(new.func, ast.Attribute)
                new.func.value = spot.node
                yield spot.edit(new, "sum")


def _dropped(spots: Sequence[_Spot]) -> Iterator[_SourceChange]:
    """One operand in place of two: a factor or a term too many."""
    for spot in spots:
        if isinstance(spot.node, ast.BinOp):
            for part in (spot.node.left, spot.node.right):
                yield spot.edit(part, "removed")
        if isinstance(spot.node, ast.Call) and len(spot.node.args) == 1 and not spot.node.keywords:
            yield spot.edit(spot.node.args[0], "removed")


def _squares(spots: Sequence[_Spot]) -> Iterator[_SourceChange]:
    for spot in spots:
        if isinstance(spot.node, ast.Name):
            yield spot.edit(ast.BinOp(spot.node, ast.Pow(), ast.Constant(2)), "factor")
            yield spot.edit(ast.BinOp(ast.Constant(1), ast.Sub(), spot.node), "factor")


def _added(spots: Sequence[_Spot], upstream: Sequence[str], names: Sequence[str]) -> Iterator[_SourceChange]:
    """A term that is missing: e + upstream, e + e.t(), e + upstream * name."""
    for spot in sorted(spots, key=_depth):
        if _depth(spot) or not _numeric(spot.node):
            continue
        terms = [*upstream, *(f"{u} * {n}" for u in upstream for n in names)]
        for term in terms:
            new = ast.BinOp(spot.node, ast.Add(), _expression(term))
            yield spot.edit(new, "term")
        turned = ast.parse("x.transpose(-1, -2)", mode="eval").body
        assert isinstance(turned, ast.Call)
        assert isinstance(turned.func, ast.Attribute)
        turned.func.value = spot.node
        yield spot.edit(ast.BinOp(spot.node, ast.Add(), turned), "term")


def _returns(tree: ast.FunctionDef, place: int | None) -> Iterator[_SourceChange]:
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
                    yield _Spot(node, "value", None, value).edit(ast.Tuple(order, ast.Load()), "order")
        if value is None:
            continue
        for nones in (1, 2, 3):
            longer: list[ast.expr] = [*elements, *[ast.Constant(None)] * nones]
            yield _Spot(node, "value", None, value).edit(ast.Tuple(longer, ast.Load()), "count")
        for kept in range(len(elements) - 1, 0, -1):
            shorter = ast.Tuple(list(elements[:kept]), ast.Load())
            yield _Spot(node, "value", None, value).edit(shorter, "count")
    if not returns:
        stored = [
            n.id
            for each in tree.body for n in ast.walk(each)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        ]  # fmt: skip
        last = list(dict.fromkeys(reversed(stored)))[:4]
        choices = [[name] for name in last] + [[b, a] for a in last for b in last if a != b]
        for names in choices:
            added = ast.Return(_expression(", ".join(names)))

            def make(added: ast.Return = added) -> Callable[[], None]:
                tree.body.append(added)
                return lambda: tree.body.remove(added)

            yield _SourceChange(added, make, "return")
