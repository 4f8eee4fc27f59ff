"""The formulas of the op table as Python text over arrays.

The emitter of the compiled engine runs a formula once over numbers that write down what is done to them; here
the same is done with the words of an array library, so that no formula is written twice.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import NamedTuple

from ..._native.emitter import CNumber, CodeBlock, Condition, Operand
from ...ops import OPS

__all__ = ["HELPERS", "helper"]

# What NumPy has no word for, and why the short form is enough: an exported text agrees to rounding, and these
# lose a few more bits than those of the engine, far from 0.
HELPERS = {
    "erf": "erf = {module}.vectorize(math.erf, otypes=[float])",
    "normal_cdf": "def normal_cdf(x):\n    return 0.5 * erfc(-x * math.sqrt(0.5))",
    "erfc": "erfc = {module}.vectorize(math.erfc, otypes=[float])",
    "exp_square": "def exp_square(x, factor):\n    return {module}.exp(factor * x * x)",
}
NAMES = {"pow": "power", "div": "divide"}


class ArrayBlock(CodeBlock):
    """The number system `m` that writes Python over arrays, one line per operation."""

    def __init__(self, module: str) -> None:
        super().__init__()
        self.module = module
        self.needs: set[str] = set()

    def lines(self) -> list[str]:
        return [f"{name} = {text}" for (_, text), name in self._names.items()]

    def text(self, x: Operand) -> str:
        if isinstance(x, float) or x is None:
            if x is None or math.isnan(x):
                return f"{self.module}.nan"
            if math.isinf(x):
                return f"{self.module}.inf" if x > 0 else f"-{self.module}.inf"
            return repr(x)
        return x.text

    def number(self, form: str | float, *operands: Operand) -> CNumber:
        if not isinstance(form, str):
            return CNumber(self, self.text(form))
        return super().number(form, *operands)

    def condition(self, form: str, *operands: Operand) -> Condition:
        return Condition(self, f"({form.format(*map(self.text, operands))})")

    def joined(self, word: str, left: Condition, right: Condition) -> Condition:
        return Condition(self, self._named("int", f"{left.text} {word[0]} {right.text}"))

    def where(self, condition: Condition, yes: Operand, no: Operand) -> CNumber:
        return self.number(f"{self.module}.where({condition.text}, {{}}, {{}})", yes, no)

    def __getattr__(self, name: str) -> Callable[..., CNumber]:
        if name in HELPERS:
            self.needs |= {"erfc", name} if name == "normal_cdf" else {name}
            word = name
        else:
            word = f"{self.module}.{NAMES.get(name, name)}"
        return lambda *xs: self.number(f"{word}({', '.join(['{}'] * len(xs))})", *xs)


class Helper(NamedTuple):
    """A kernel of scalars.py as a function."""

    name: str
    text: str
    needs: set[str]  # among HELPERS
    used: list[int]  # which of its arguments the answer depends on


def helper(kernel: str, module: str) -> Helper:
    name, _, slot = kernel.partition("'")
    op = OPS[name]
    block = ArrayBlock(module)
    xs = [CNumber(block, "xyz"[place]) for place in range(op.arity[1])]
    if slot:
        out = CNumber(block, "out")
        found, title = op.partials(block, out, *xs)[int(slot)], f"{name}_slope{slot}"
        arguments = ["out", *(x.text for x in xs)]
    else:
        found, title = op.forward(block, *xs), f"{name}_of"
        arguments = [x.text for x in xs]
    last = block.text(found)
    if not re.search(r"[xyztc]\d*|out", last.replace(f"{module}.", "")):  # the same number everywhere
        body = [f"return {module}.full_like({arguments[0]}, {last})"]
        return Helper(
            title, "\n    ".join([f"def {title}({', '.join(arguments)}):", *body]), block.needs, [0]
        )
    body = [*_alive(block.lines(), block.text(found)), f"return {block.text(found)}"]
    text = "\n    ".join([f"def {title}({', '.join(arguments)}):", *body])
    inside = " ".join(body)
    used = [place for place, its in enumerate(arguments) if re.search(rf"\b{its}\b", inside)]
    return Helper(title, text, block.needs, used)


def _alive(lines: list[str], last: str) -> list[str]:
    """The lines that the answer needs: a row writes all its slopes together, and here is one of them."""
    kept: list[str] = []
    needed = last
    for line in reversed(lines):
        if re.search(rf"\b{line.partition(' = ')[0]}\b", needed):
            kept.insert(0, line)
            needed += " " + line.partition(" = ")[2]
    return kept
