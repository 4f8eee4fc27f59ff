"""Texts of the language: a graph or a LanguageError that points into the text.

What is accepted is written again and reads as the same graph, and a plain expression has the value that
Python gives it.
"""

from __future__ import annotations

import ast
import math
import re
from random import Random

from document_changes import changed_text
from language_texts import SCRAPS, bits, essence, random_expression
from minigrad.graph import Graph
from minigrad.language import LanguageError, parse, write
from minigrad.ops import MANY, OPS

from .boundary import ACCEPTED, Boundary, wrong_unless

__all__ = ["BOUNDARY"]

PIECES = [*SCRAPS, "where(", "take(", "sum(", "1e309", "5e-324", "1_0", "\u0661", "\u2028"]
INPUTS = {"a": 2.0, "b": -3.5, "c": 0.125}
LARGEST = 150  # nodes of a graph whose text is compared in every respect


class Texts(Boundary):
    name = "language"
    count = 12_000
    batch = 12_000

    def input(self, random: Random) -> str:
        chance = random.random()
        if chance < 0.25:
            return random_expression(random, random.randrange(1, 6))
        if chance < 0.6:
            text = statements(random)
            for _ in range(random.choice((0, 1, 1, 2, 5))):
                text = changed_text(random, text)
            return text
        if chance < 0.9:
            scraps = (random.choice(PIECES) for _ in range(random.randrange(24)))
            return random.choice(("", " ")).join(scraps)
        if chance < 0.998:
            return "".join(chr(int(random.expovariate(1 / 200))) for _ in range(random.randrange(20)))
        return deep(random)

    def check(self, given: str) -> str:
        inputs = {name: x for name, x in INPUTS.items() if re.search(rf"\b{name}\b", given)}
        try:
            graph = parse(given, inputs)
        except LanguageError as error:
            lines = re.split(r"\r\n|\r|\n", given)
            wrong_unless(1 <= error.line <= len(lines), f"line {error.line} of {len(lines)}")
            wrong_unless(1 <= error.column <= len(lines[error.line - 1]) + 1, f"column {error.column}")
            wrong_unless(str(error).isascii(), f"a terminal would act on {str(error)!r}")
            return "LanguageError"
        again = parse(write(graph))
        if len(graph) <= LARGEST:
            wrong_unless(essence(again) == essence(graph), f"it reads as another graph: {write(graph)!r}")
        found, expected = value(graph), python_value(given, inputs)
        wrong_unless(bits(found) == bits(value(again)), f"written again it has another value than {found}")
        if expected is not None:
            wrong_unless(bits(found) == bits(expected), f"{found}, and in Python {expected}")
        return ACCEPTED


def value(graph: Graph) -> float:
    number: float = graph.evaluate()[graph.output]
    return number


def python_value(text: str, inputs: dict[str, float]) -> float | None:
    """The value of an expression of numbers, names and operators in Python; None for anything else."""
    try:
        tree = ast.parse(text.strip(" \t"), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    try:
        return _value(tree.body, inputs)
    except (_UnknownError, ArithmeticError, ValueError, RecursionError):  # a power that is no real number
        return None


class _UnknownError(Exception):
    """Not a plain expression, or one whose value Python defines otherwise."""


def _value(part: ast.expr, inputs: dict[str, float]) -> float:
    match part:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.Name(id=name) if name in inputs:
            return inputs[name]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, inputs)
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return _value(inner, inputs)
        case ast.BinOp(left=left, op=op, right=right):
            x, y = _value(left, inputs), _value(right, inputs)
            match op:
                case ast.Add():
                    return x + y
                case ast.Sub():
                    return x - y
                case ast.Mult():
                    return x * y
                case ast.Div():
                    return x / y
                case ast.Pow():
                    return _power(x, y)
    return _unknown()


def _power(x: float, y: float) -> float:
    """Python's power; of those that minigrad makes by one operation, what that operation gives.

    C's pow may be off by an ulp there, as it is for 139.44117809385492 ** 2.
    """
    if not math.isfinite(x) or not math.isfinite(y):
        return _unknown()
    if y == 2.0:
        return x * x
    if y == -1.0 and x:
        return 1.0 / x
    return math.sqrt(x) if y == 0.5 and x > 0.0 else math.pow(x, y)


def _unknown() -> float:
    raise _UnknownError


def statements(random: Random) -> str:
    """A few statements with calls of every op, each of which uses what was named before."""
    names, lines = ["a", "b", "c"], []
    for number in range(random.randrange(1, 6)):
        op = random.choice(list(OPS.values()))
        least, most = op.arity
        count = random.randrange(least, (least + 4 if most == MANY else most) + 1)
        call = f"{op.name}({', '.join(random.choice((*names, '2', '-0.5', '1e3')) for _ in range(count))})"
        other = random_expression(random, 2)
        lines.append(f"v{number} = {random.choice((call, other, f'{call} * {other}', f'{other} - {call}'))}")
        names.append(f"v{number}")
    return random.choice(("\n", "; ", "  # note\n")).join(lines)


def deep(random: Random) -> str:
    """Long or deep, at the limits and beyond."""
    n = random.choice((50, 900, 5000, 19_999, 20_000, 20_001))
    return random.choice(
        (
            "(" * n + "a" + ")" * n,
            "(" * n,
            "-" * n + "a",
            "a" + "**a" * (n // 9),
            "abs(" * (n // 3) + "a" + ")" * (n // 3),
            "9" * random.choice((399, 400, 401, 5000)),
            "n" * random.choice((99, 100, 101, 5000)) + " * 2",
            " + ".join(["a"] * (n // 30)),
            "\n" * n + "a",
        )
    )


BOUNDARY = Texts()
