"""Right formulas, in the names of someone's engine.

They are not typed again: they are read from the text of `faults/specimen.py`, whose tables say for each
op what it computes from a, b and what each operand gets, given y, a, b.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from .... import faults
from ..anatomy import Anatomy, Edit, LocalRule, OpFunction

__all__ = [
    "Row",
    "element",
    "forward_text",
    "library_edit",
    "local_text",
    "parse_table",
    "specimen_text",
    "times",
    "written",
]

Row = tuple[tuple[str, ...], ast.expr]  # the parameters of a lambda, and its body
_IN_NUMPY = {
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "asinh": "arcsinh",
    "acosh": "arccosh",
    "atanh": "arctanh",
}


@cache
def specimen_text() -> str:
    return Path(faults.__file__).with_name("specimen.py").read_text(encoding="utf-8")


def parse_table(text: str, name: str) -> dict[str, Row]:
    """A dict of lambdas in a source, by key."""
    for node in ast.parse(text).body:
        if (
            isinstance(node, ast.Assign)
            and ast.unparse(node.targets[0]) == name
            and isinstance(node.value, ast.Dict)
        ):
            pairs = zip(node.value.keys, node.value.values, strict=True)
            return {
                str(key.value): (tuple(p.arg for p in row.args.args), row.body)
                for key, row in pairs
                if isinstance(key, ast.Constant) and isinstance(row, ast.Lambda)
            }
    raise RuntimeError(f"the specimen has no table {name}")


@cache
def _tables() -> tuple[dict[str, Row], dict[str, Row]]:
    return parse_table(specimen_text(), "FORWARD"), parse_table(specimen_text(), "LOCALS")


def element(body: ast.expr, slot: int) -> ast.expr | None:
    """What a row says about one slot: of a tuple, or of tuples in branches."""
    if isinstance(body, ast.IfExp):
        yes, no = element(body.body, slot), element(body.orelse, slot)
        return ast.IfExp(body.test, yes, no) if yes is not None and no is not None else None
    if isinstance(body, (ast.Tuple, ast.List)) and slot < len(body.elts):
        return body.elts[slot]
    return None


def forward_text(anatomy: Anatomy, function: OpFunction, row: Row | None = None) -> str | None:
    """What an op should compute, in the names of its function."""
    row = row or _tables()[0].get(function.op)
    if row is None or len(row[0]) < len(function.values):
        return None
    return written(anatomy, row[1], dict(zip(row[0], function.values, strict=False)))


def local_text(anatomy: Anatomy, function: OpFunction, rule: LocalRule, row: Row | None = None) -> str | None:
    """What the operand of a rule should get per unit of upstream, in the names of that place."""
    row = row or _tables()[1].get(function.op)
    if row is None or not row[0]:
        return None
    formula = element(row[1], rule.slot)
    if formula is None or len(row[0]) - 1 < len(rule.values):
        return None
    names = dict(zip(row[0][1:], rule.values, strict=False))
    if any(isinstance(n, ast.Name) and names.get(n.id) == "" for n in ast.walk(formula)):
        return None  # an operand that cannot be read there
    output = rule.output
    if not output and any(isinstance(n, ast.Name) and n.id == "y" for n in ast.walk(formula)):
        computed = _tables()[0].get(function.op)
        if computed is None:
            return None
        output = written(anatomy, computed[1], dict(zip(computed[0], rule.values, strict=False)))
    return written(anatomy, formula, {**names, "y": output or "y"})


class _Renamed(ast.NodeTransformer):
    def __init__(self, anatomy: Anatomy, names: Mapping[str, str]) -> None:
        self.names = {name: ast.parse(text, mode="eval").body for name, text in names.items() if text}
        self.prefix, self.bare = _library(anatomy)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.names.get(node.id, node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        given = [self.visit(argument) for argument in node.args]
        if isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "math":
            return ast.Call(self._function(node.func.attr), given, [])
        if isinstance(node.func, ast.Name) and node.func.id == "exp":
            return ast.Call(self._function("exp"), given, [])
        if isinstance(node.func, ast.Name) and node.func.id == "sigmoid":
            power = ast.Call(self._function("exp"), [ast.UnaryOp(ast.USub(), given[0])], [])
            return ast.BinOp(ast.Constant(1), ast.Div(), ast.BinOp(ast.Constant(1), ast.Add(), power))
        return ast.Call(node.func, given, [])

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if ast.unparse(node.value) == "math":  # math.nan
            return ast.parse(f'float("{node.attr}")', mode="eval").body
        return node

    def _function(self, name: str) -> ast.expr:
        if name in self.bare:
            return ast.Name(self.bare[name])
        if self.prefix in ("np", "numpy"):
            name = _IN_NUMPY.get(name, name)
        return ast.Attribute(ast.Name(self.prefix or "math"), name)


def written(anatomy: Anatomy, formula: ast.expr, names: Mapping[str, str]) -> str:
    """A formula of the specimen with other names in it."""
    copy = ast.parse(ast.unparse(formula), mode="eval").body
    return ast.unparse(ast.fix_missing_locations(_Renamed(anatomy, names).visit(copy)))


def times(formula: str, upstream: str) -> str:
    """A formula times the upstream gradient, with the parentheses that it takes."""
    if not upstream:
        return formula
    if formula in ("1", "1.0"):
        return upstream
    if formula in ("-1", "-1.0"):
        return f"-{upstream}"
    body = ast.parse(formula, mode="eval").body
    simple = isinstance(body, (ast.Name, ast.Attribute, ast.Call, ast.Constant, ast.Subscript))
    product = isinstance(body, ast.BinOp) and isinstance(body.op, (ast.Mult, ast.Div, ast.Pow))
    signed = isinstance(body, ast.UnaryOp) and isinstance(body.op, ast.USub)
    return f"{formula if simple or product or signed else f'({formula})'} * {upstream}"


def _library(anatomy: Anatomy) -> tuple[str, dict[str, str]]:
    """The name of the module with exp and log in it ("" for none), and functions imported by name."""
    prefix, bare = "", {}
    for node in anatomy.text.imports:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "math" or (alias.name == "numpy" and not prefix):
                    prefix = alias.asname or alias.name
        elif isinstance(node, ast.ImportFrom) and node.module in ("math", "numpy"):
            bare.update({alias.name: alias.asname or alias.name for alias in node.names})
    return prefix, bare


def library_edit(anatomy: Anatomy, text: str) -> tuple[Edit, ...]:
    """An import of math at the top, where a new text needs one."""
    if not re.search(r"\bmath\.", text) or _library(anatomy)[0]:
        return ()
    body = anatomy.text.tree.body
    after = [n for n in body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
    if after:
        return (anatomy.text.after(after[-1], "import math\n"),)
    if body and ast.get_docstring(anatomy.text.tree) is not None:
        return (anatomy.text.after(body[0], "import math\n"),)
    return (Edit(0, 0, "import math\n"),)
