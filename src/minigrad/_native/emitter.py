"""The op table as C: `python -m minigrad._native.emitter` writes kernels.h beside this file.

No formula is written twice.  Those of the table are run once, over numbers that write down
what is done to them, and the C that results does the same operations in the same order: none
is folded, moved or simplified, so a kernel gives the bits that the formula gives over `ieee`.
Only an operation that was written before, on the same operands, is not written again; that is
how a value and its derivatives share their work.

A kernel returns the value and writes one local derivative per slot.  Two kinds of local are
not numbers in Python, and kernels.h flags the ops that have them:

INVERTED   slot 0 is `m.inverse(b)`: the kernel writes b, by which the upstream is to be divided.
SELECTIVE  a slot may be None, which sends no message: the kernel writes `silent()`.

The rows that take any number of arguments are loops, and are written by hand in reductions.h.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple, NoReturn, Union, cast

from ..ops import MANY, OPS, Op
from ..values.formulas import power_slope

__all__ = ["emit"]

Operand = Union["CNumber", float, None]

# The vocabulary of `ieee`: words that C has too, and what it calls the others.
SAME = (
    "cos", "cosh", "erf", "exp", "exp2", "expm1", "hypot", "log", "log10", "log1p", "log2",
    "sin", "sinh", "sqrt", "tan", "tanh",
)  # fmt: skip
FUNCTIONS = {name: name for name in SAME} | {
    "abs": "fabs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "cbrt": "ieee_cbrt",
    "exp_square": "ieee_exp_square",
    "normal_cdf": "ieee_normal_cdf",
    "pow": "ieee_pow",
    "sign": "ieee_sign",
}
LISTS = {"UNARY_OPS": 1, "BINARY_OPS": 2, "TERNARY_OPS": 3, "NARY_OPS": MANY}


def literal(x: float) -> str:
    """A float in C, to the last bit: in decimal where that is exact, else in hexadecimal."""
    if math.isnan(x):
        return "NAN"
    if math.isinf(x):
        return "INFINITY" if x > 0.0 else "-INFINITY"
    return repr(x) if Fraction(repr(x)) == Fraction(x) else f"{x.hex()} /* {x!r} */"


class CNumber:
    """A double in C: an argument, a constant, or the name of what was computed."""

    def __init__(self, block: CodeBlock, text: str) -> None:
        self._block = block
        self.text = text

    def __add__(self, other: Operand) -> CNumber:
        return self._block.number("{} + {}", self, other)

    def __radd__(self, other: Operand) -> CNumber:
        return self._block.number("{} + {}", other, self)

    def __sub__(self, other: Operand) -> CNumber:
        return self._block.number("{} - {}", self, other)

    def __rsub__(self, other: Operand) -> CNumber:
        return self._block.number("{} - {}", other, self)

    def __mul__(self, other: Operand) -> CNumber:
        return self._block.number("{} * {}", self, other)

    def __rmul__(self, other: Operand) -> CNumber:
        return self._block.number("{} * {}", other, self)

    def __neg__(self) -> CNumber:
        return self._block.number("-{}", self)

    def __lt__(self, other: Operand) -> Condition:
        return self._block.condition("{} < {}", self, other)

    def __le__(self, other: Operand) -> Condition:
        return self._block.condition("{} <= {}", self, other)

    def __gt__(self, other: Operand) -> Condition:
        return self._block.condition("{} > {}", self, other)

    def __ge__(self, other: Operand) -> Condition:
        return self._block.condition("{} >= {}", self, other)

    def __eq__(self, other: object) -> NoReturn:
        raise TypeError("a formula compares with m.equal")

    __hash__ = None  # type: ignore[assignment]


class Condition:
    """A comparison in C, or the name of several that were joined."""

    def __init__(self, block: CodeBlock, text: str) -> None:
        self._block = block
        self.text = text

    def __and__(self, other: Condition) -> Condition:
        return self._block.joined("&&", self, other)

    def __or__(self, other: Condition) -> Condition:
        return self._block.joined("||", self, other)

    def __bool__(self) -> NoReturn:
        raise TypeError("a formula does not branch: m.where chooses")


class Inverse:
    """1 / divisor as a local derivative.  It is no Number: nothing can be computed from it."""

    def __init__(self, divisor: CNumber) -> None:
        self.text = divisor.text


class CodeBlock:
    """The number system `m` that writes C: the body of one function, one line per operation."""

    functions = FUNCTIONS
    silent = "silent()"
    literal = staticmethod(literal)

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], str] = {}  # (type, expression), and what it is called
        self.selective = False

    def lines(self) -> list[str]:
        return [f"const {kind} {name} = {text};" for (kind, text), name in self._names.items()]

    def _named(self, kind: str, expression: str) -> str:
        letter = "t" if kind == "double" else "c"
        return self._names.setdefault((kind, expression), f"{letter}{len(self._names)}")

    def text(self, x: Operand) -> str:
        if x is None:
            self.selective = True
            return self.silent
        return x.text if isinstance(x, CNumber) else self.literal(x)

    def number(self, form: str | float, *operands: Operand) -> CNumber:
        """What an operation gives; or, as `m.number(x)`, a constant."""
        if not isinstance(form, str):
            return CNumber(self, self.literal(form))
        return CNumber(self, self._named("double", form.format(*map(self.text, operands))))

    def condition(self, form: str, *operands: Operand) -> Condition:
        return Condition(self, form.format(*map(self.text, operands)))

    def joined(self, word: str, left: Condition, right: Condition) -> Condition:
        return Condition(self, self._named("int", f"{left.text} {word} {right.text}"))

    def equal(self, x: Operand, y: Operand) -> Condition:
        return self.condition("{} == {}", x, y)

    def where(self, condition: Condition, yes: Operand, no: Operand) -> CNumber:
        return self.number(condition.text + " ? {} : {}", yes, no)

    def div(self, x: Operand, y: Operand) -> CNumber:
        return self.number("{} / {}", x, y)

    def inverse(self, divisor: CNumber) -> Inverse:
        return Inverse(divisor)

    def __getattr__(self, name: str) -> Callable[..., CNumber]:
        if name not in self.functions:
            raise AttributeError(f"kernels have no function {name}: add it to ieee.h and to FUNCTIONS")
        return lambda *xs: self.number(f"{self.functions[name]}({', '.join(['{}'] * len(xs))})", *xs)


def function(head: str, *lines: str) -> str:
    return "\n    ".join([f"MAYBE_UNUSED static inline double {head} {{", *lines]) + "\n}"


class Kernel(NamedTuple):
    text: str  # the C function; none for a row that is written by hand
    flags: str  # what is unusual about its local derivatives


def kernel(op: Op) -> Kernel:
    """The value of an op and its local derivatives, as one C function."""
    if op.arity[1] == MANY:
        return Kernel("", "SELECTIVE" if op.selective else "0")
    if op.arity[1] not in LISTS.values():
        raise ValueError(f"{op.name}: kernels.h has no list of ops with {op.arity[1]} arguments")
    block = CodeBlock()
    xs = [CNumber(block, f"x{slot}") for slot in range(op.arity[1])]
    y = op.forward(block, *xs)
    partials = op.partials(block, y, *xs)
    if len(partials) != len(xs):
        raise ValueError(f"{op.name} has {len(xs)} slots and {len(partials)} partials")
    if any(isinstance(partial, Inverse) for partial in partials[1:]):
        raise ValueError(f"{op.name}: only the first slot of a kernel can be m.inverse")
    local = [p.text if isinstance(p, Inverse) else block.text(p) for p in partials]
    if block.selective != op.selective:
        raise ValueError(f"{op.name}: the row has selective={op.selective}, its partials say otherwise")
    flags = ["INVERTED"] * isinstance(partials[0], Inverse) + ["SELECTIVE"] * op.selective
    text = function(
        f"op_{op.name}({', '.join(f'double {x.text}' for x in xs)}, double *local)",
        *block.lines(),
        *(f"local[{slot}] = {text};" for slot, text in enumerate(local)),
        f"return {block.text(y)};",
    )
    return Kernel(text, " | ".join(flags) or "0")


def slope_kernel() -> str:
    """The slope of a power whose exponent is a constant, which needs no logarithm."""
    block = CodeBlock()
    formula = cast("Callable[..., CNumber]", power_slope)  # whose conditions are conditions in C here
    slope = formula(block, CNumber(block, "x"), CNumber(block, "p"))
    return function("power_slope(double x, double p)", *block.lines(), f"return {slope.text};")


def document(op: Op) -> str:
    """The docstring of the method of a row, or of the function that takes a list."""
    arguments = ["xs"] if op.arity[1] == MANY else "abc"[: op.arity[1]]
    return f"{op.write(*arguments)}: {op.rule[0].format(a='a', b='b', c='c').replace(' | ', '; ')}."


def signature(op: Op) -> str:
    """The arguments of the method of a row behind `self`, as Python shows them."""
    if op.arity[1] == MANY:
        return ""
    plain = len("abc"[1 : op.arity[0]])
    defaults = [""] * plain + [f"={default!r}" for default in op.defaults]
    return "".join(f", {name}{default}" for name, default in zip("bc", defaults, strict=False))


def listing(name: str, rows: Iterable[tuple[Op, Kernel]]) -> str:
    """An X-macro with a line for each op."""
    lines = [f"#define {name}(X)"]
    for op, written in rows:
        if len(op.defaults) > 1:
            raise ValueError(f"{op.name}: kernels.h has room for the default of the last argument only")
        symbol, others, doc = (
            json.dumps(text, ensure_ascii=False) for text in (op.symbol, signature(op), document(op))
        )
        fallback = literal(op.defaults[0] if op.defaults else 0.0)
        lines.append(
            f"    X({op.name}, {symbol}, {written.flags}, {op.arity[0]}, {fallback}, {others}, {doc})"
        )
    return " \\\n".join(lines)


def emit() -> str:
    """The whole text of kernels.h."""
    rows = [(op, kernel(op)) for op in OPS.values()]
    names = "".join(f"    OP_{name},\n" for name in OPS)
    parts = (
        HEAD,
        f"enum opcode {{\n    OP_none = 0,\n{names}    OP_COUNT\n}};",
        ROWS,
        *(listing(name, [row for row in rows if row[0].arity[1] == most]) for name, most in LISTS.items()),
        KERNELS,
        *(written.text for _, written in rows if written.text),
        slope_kernel(),
        "#endif",
    )
    return "\n\n".join(parts) + "\n"


HEAD = """\
/* The op table in C.  Written by emitter.py from ops.py: do not edit, run
   python -m minigrad._native.emitter */

#ifndef MINIGRAD_KERNELS_H
#define MINIGRAD_KERNELS_H

#include "ieee.h"

#define INVERTED 1  /* local[0] is the number that the upstream gradient is divided by */
#define SELECTIVE 2 /* a local that is_silent() sends no message */"""

ROWS = """\
/* ---- the rows, by their number of arguments -------------------------------------------------
   X(name, symbol, flags, fewest arguments, default of the last argument, the other
   arguments of the method, docstring) */"""

KERNELS = """\
/* ---- the kernels: each returns the value and writes one local derivative per slot ----------- */"""


if __name__ == "__main__":
    Path(__file__).with_name("kernels.h").write_text(emit(), encoding="utf-8", newline="\n")
