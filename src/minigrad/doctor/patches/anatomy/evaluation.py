"""Evaluation of an expression of someone's source, for given numbers, without running any of it.

The few forms that rules and forward formulas are written in are read here: arithmetic, comparisons,
`math`, `numpy`, branches, names that stand for another expression, one-line functions of the file, and
ops written with other ops (`self * other**-1`).  Everything else is an `ExpressionError`.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable, Mapping

from ....ops import OPS
from ....values import ieee
from .op_names import DUNDERS, op_of

__all__ = ["ExpressionError", "ExpressionReader"]

_BINARY: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_ORDER: dict[type, Callable[[float, float], bool]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
}
_EQUALITY: dict[type, Callable[[object, object], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.eq,
    ast.IsNot: operator.ne,
}
_PLAIN: dict[str, Callable[..., float]] = {
    **{name: getattr(math, name) for name in ("exp", "log", "log2", "log10", "log1p", "expm1", "sqrt")},
    **{name: getattr(math, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "erf")},
    **{name: getattr(math, name) for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh", "pow")},
    "arcsin": math.asin, "arccos": math.acos, "arctan": math.atan,
    "max": max, "min": min, "maximum": max, "minimum": min, "abs": abs, "absolute": abs, "fabs": abs,
    "float": float, "int": int, "round": round, "bool": bool,
    "float64": float, "float32": float, "array": float, "asarray": float, "copy": float, "deepcopy": float,
    "square": lambda x: x * x, "power": operator.pow, "multiply": operator.mul, "add": operator.add,
    "subtract": operator.sub, "divide": operator.truediv, "negative": operator.neg,
    "sign": lambda x: (x > 0) - (x < 0), "heaviside": lambda x, at: at if x == 0 else float(x > 0),
    "copysign": math.copysign, "where": lambda test, x, y: x if test else y,
    "zeros_like": lambda x: 0.0, "ones_like": lambda x: 1.0, "reciprocal": lambda x: 1 / x,
}  # fmt: skip
_NUMBERS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan}
_LIBRARIES = {"math", "np", "numpy", "cmath", "m", "jnp", "torch", "cp"}
_TRUE = {"isinstance", "hasattr", "callable", "issubclass", "requires_grad", "is_grad_enabled"}
DEEPEST = 12


class ExpressionError(Exception):
    """An expression that is not of the forms that are read here."""


class ExpressionReader:
    """Evaluates expressions, where `numbers` has the names, dotted ones too, whose number is known."""

    def __init__(
        self,
        numbers: Mapping[str, object],
        aliases: Mapping[str, ast.expr] | None = None,
        functions: Mapping[str, ast.FunctionDef | ast.AsyncFunctionDef] | None = None,
        classes: Iterable[str] = (),
        data: str = "data",
        depth: int = 0,
    ) -> None:
        self.numbers, self.aliases = numbers, aliases or {}
        self.functions, self.classes = functions or {}, set(classes)
        self.data, self.depth = data, depth

    def number(self, expression: ast.expr) -> float:
        try:
            return float(_number(self._read(expression)))
        except (ArithmeticError, ValueError, TypeError, RecursionError) as error:
            raise ExpressionError from error

    def _read(self, node: ast.expr) -> object:
        method: Callable[[ast.expr], object] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None or self.depth > DEEPEST:
            raise ExpressionError(type(node).__name__)
        return method(node)

    def _constant(self, node: ast.Constant) -> object:
        return node.value

    def _name(self, node: ast.Name) -> object:
        return self._named(node.id)

    def _named(self, name: str) -> object:
        if name in self.numbers:
            return self.numbers[name]
        if name in self.aliases:
            meaning = self.aliases[name]
            rest = {key: value for key, value in self.aliases.items() if key != name}
            inner = ExpressionReader(
                self.numbers, rest, self.functions, self.classes, self.data, self.depth + 1
            )
            return inner._read(meaning)
        if name in _NUMBERS:
            return _NUMBERS[name]
        raise ExpressionError(name)

    def _attribute(self, node: ast.Attribute) -> object:
        text = ast.unparse(node)
        if text in self.numbers:
            return self.numbers[text]
        if isinstance(node.value, ast.Name) and node.value.id in _LIBRARIES and node.attr in _NUMBERS:
            return _NUMBERS[node.attr]
        if node.attr == self.data:
            return self._read(node.value)
        if node.attr in _TRUE:
            return True
        raise ExpressionError(text)

    def _subscript(self, node: ast.Subscript) -> object:
        text = ast.unparse(node)
        if text in self.numbers:
            return self.numbers[text]
        raise ExpressionError(text)

    def _binop(self, node: ast.BinOp) -> object:
        if type(node.op) not in _BINARY:
            raise ExpressionError
        return _BINARY[type(node.op)](_number(self._read(node.left)), _number(self._read(node.right)))

    def _unaryop(self, node: ast.UnaryOp) -> object:
        found = self._read(node.operand)
        if isinstance(node.op, ast.Not):
            return not found
        if isinstance(node.op, ast.Invert):
            raise ExpressionError
        value = _number(found)
        return -value if isinstance(node.op, ast.USub) else +value

    def _compare(self, node: ast.Compare) -> object:
        left = self._read(node.left)
        for kind, part in zip(node.ops, node.comparators, strict=True):
            right = self._read(part)
            if type(kind) in _EQUALITY:
                holds = _EQUALITY[type(kind)](left, right)
            elif type(kind) in _ORDER:
                holds = _ORDER[type(kind)](_number(left), _number(right))
            else:
                raise ExpressionError
            if not holds:
                return False
            left = right
        return True

    def _boolop(self, node: ast.BoolOp) -> object:
        found: object = None
        for part in node.values:
            found = self._read(part)
            if bool(found) != isinstance(node.op, ast.And):
                return found
        return found

    def _ifexp(self, node: ast.IfExp) -> object:
        return self._read(node.body if self._read(node.test) else node.orelse)

    def _call(self, node: ast.Call) -> object:
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name in _TRUE:
            return True
        if name in self.classes or ast.unparse(function) in ("self.__class__", "type(self)", "cls"):
            return self._read(node.args[0] if node.args else node.keywords[0].value)
        arguments = [self._read(argument) for argument in node.args]
        of_library = isinstance(function, ast.Attribute) and (
            isinstance(function.value, ast.Name) and function.value.id in _LIBRARIES
        )
        if isinstance(function, ast.Attribute) and not of_library:
            return self._method(function, name, arguments)
        if not of_library and name in self.functions:
            return self._inlined(self.functions[name], arguments)
        if name in _PLAIN:
            return _PLAIN[name](*arguments)
        return self._op(op_of(name), arguments)

    def _method(self, function: ast.Attribute, name: str, arguments: list[object]) -> object:
        if name in ("item", "copy", "detach", "astype"):
            return self._read(function.value)
        itself = self._read(function.value)
        if name[:3] == "__r" and name[3:-2] in DUNDERS:
            return self._op(op_of(name), [*arguments, itself])
        return self._op(op_of(name), [itself, *arguments])

    def _op(self, op: str, arguments: list[object]) -> object:
        if op not in OPS or not OPS[op].takes(len(arguments)):
            raise ExpressionError(op)
        return OPS[op].forward(ieee, *[float(_number(x)) for x in arguments])

    def _inlined(self, function: ast.FunctionDef | ast.AsyncFunctionDef, arguments: list[object]) -> object:
        body = [s for s in function.body if not isinstance(s, ast.Expr)]
        names = [parameter.arg for parameter in function.args.args]
        if not body or not isinstance(body[-1], ast.Return) or body[-1].value is None:
            raise ExpressionError(function.name)
        aliases = {}
        for statement in body[:-1]:
            if not (isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)):
                raise ExpressionError(function.name)
            aliases[statement.targets[0].id] = statement.value
        numbers = dict(zip(names, arguments, strict=False))
        inner = ExpressionReader(numbers, aliases, self.functions, self.classes, self.data, self.depth + 1)
        return inner._read(body[-1].value)


def _number(found: object) -> float:
    """What was read, which has to be a number here."""
    if not isinstance(found, (int, float)):
        raise ExpressionError(type(found).__name__)
    return found
