"""The op table as JavaScript: `python -m minigrad.player.kernel_emitter` writes op_kernels.js beside this.

As for C, no formula is written twice: the emitter of C runs each row over numbers that write down what is
done to them, and here they write JavaScript.  A kernel returns the value and then one local derivative per
slot, null for a slot that sends no message.  What an upstream gradient is divided by stands in an object
{divisor}.

The rows that take any number of arguments are in float_functions.js.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

from .._native.emitter import CNumber, CodeBlock, Inverse, Operand
from ..ops import MANY, OPS, Op

__all__ = ["emit"]

# The vocabulary of `ieee`: what JavaScript has, and what float_functions.js has.
FUNCTIONS = {
    name: f"Math.{name}"
    for name in (
        *("abs", "cbrt", "cos", "cosh", "exp", "expm1", "log", "log10", "log1p", "log2"),
        *("sin", "sinh", "sqrt", "tan", "tanh"),
    )
} | {
    "arccos": "Math.acos",
    "arccosh": "Math.acosh",
    "arcsin": "Math.asin",
    "arcsinh": "Math.asinh",
    "arctan": "Math.atan",
    "arctan2": "Math.atan2",
    "arctanh": "Math.atanh",
    "erf": "erf",
    "exp2": "exp2",
    "exp_square": "expSquare",
    "hypot": "hypotenuse",
    "normal_cdf": "normalCdf",
    "pow": "power",
    "sign": "signOf",
}


class ScriptBlock(CodeBlock):
    """The number system `m` that writes JavaScript."""

    functions = FUNCTIONS
    silent = "null"

    def lines(self) -> list[str]:
        return [f"const {name} = {text};" for (_, text), name in self._names.items()]

    @staticmethod
    def literal(x: float) -> str:
        """A float in JavaScript, to the last bit: both languages read the shortest decimal that has it."""
        if math.isnan(x):
            return "NaN"
        if math.isinf(x):
            return "Infinity" if x > 0.0 else "-Infinity"
        return repr(x).removesuffix(".0")

    def equal(self, x: Operand, y: Operand) -> object:  # type: ignore[override]
        return self.condition("{} === {}", x, y)


def kernel(op: Op) -> str:
    """The value of an op and its local derivatives, as a property of OP_KERNELS."""
    block = ScriptBlock()
    xs = [CNumber(block, f"x{slot}") for slot in range(op.arity[1])]
    y = op.forward(block, *xs)
    locals_ = [
        f"{{ divisor: {partial.text} }}" if isinstance(partial, Inverse) else block.text(partial)
        for partial in op.partials(block, y, *xs)
    ]
    arguments = ", ".join(x.text for x in xs)
    body = [*block.lines(), f"return [{', '.join([block.text(y), *locals_])}];"]
    return "\n    ".join([f"  {op.name}: ({arguments}) => {{", *body]) + "\n  },"


def emit() -> str:
    """The whole text of op_kernels.js."""
    kernels = (kernel(op) for op in OPS.values() if op.arity[1] != MANY)
    texts = (f"  {op.name}: {json.dumps(op.text)}," for op in OPS.values() if op.text)
    return "\n".join([HEAD, *kernels, "};", "", TEXTS, *texts, "};"]) + "\n"


HEAD = """\
"use strict";
// The op table in JavaScript.  Written by kernel_emitter.py from ops.py: do not edit, run
// python -m minigrad.player.kernel_emitter

/** @typedef {number | null | {divisor: number}} LocalNumber a slot that is null sends no message */

/** @type {Record<string, (...xs: number[]) => LocalNumber[]>} */
const OP_KERNELS = {
  ...LIST_KERNELS,"""

TEXTS = """\
/**
 * How a person writes an op that has a sign of its own; all others are written as calls.
 * @type {Record<string, string>}
 */
const OP_TEXTS = {"""


if __name__ == "__main__":
    Path(__file__).with_name("op_kernels.js").write_text(emit(), encoding="utf-8", newline="\n")
