"""The op table as vector kernels: `python -m minigrad._native.vector_emitter` writes vector/maps.h.

For each row with a fixed number of arguments there is a kernel of its value, "exp", and one of the local
derivative in each slot, "exp'0", whose operands are the output and then the inputs.  As in emitter.py
no formula is written twice: those of the table run once over numbers that write down what is done to them.
Here each kernel has only the operations that its own answer needs, and they stand in a loop.

Each kernel comes twice.  "exact" gives the bits of the table over `ieee`, and calls the C library.  "fast"
is the same formula over the vector functions of fast.h, where all that the formula calls is there.
A kernel that calls nothing is one loop for both, which the compiler turns into SIMD instructions.

Written by hand, in vector/powers.h: the three kernels of `pow`, which look at the exponent first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ..ops import MANY, OPS, Op
from .emitter import FUNCTIONS, CNumber, CodeBlock, Condition, Inverse, Operand

__all__ = ["emit", "maps"]

# What needs no call, what fast.h has, and what it has in single precision too.
INLINE = {"abs": "REAL_ABS", "sqrt": "REAL_SQRT", "sign": "REAL_SIGN"}
FAST = (
    "arctan", "cos", "cosh", "erf", "exp", "exp2", "exp_square", "expm1", "hypot", "log", "log10", "log1p",
    "log2", "normal_cdf", "sin", "sinh", "tan", "tanh",
)  # fmt: skip
SINGLE = ("exp", "expm1", "log", "log1p", "tanh")
NEAR = ("cos", "sin", "tan")  # only below FAST_TURN_LIMIT
BY_HAND = ("pow",)

EXACTLY, QUICKLY, IN_REAL = "exact", "fast", "real"  # the words that a kernel can be written in


class VectorBlock(CodeBlock):
    """The number system that writes the body of a kernel in one of the three vocabularies."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

    def text(self, x: Operand) -> str:
        text = super().text(x)
        return f"R({text})" if self.words == IN_REAL and not isinstance(x, CNumber) else text

    def number(self, form: str | float, *operands: Operand) -> CNumber:
        return super().number(form, *operands) if isinstance(form, str) else CNumber(self, self.text(form))

    def joined(self, word: str, left: Condition, right: Condition) -> Condition:
        """Both sides are computed, and joined as bits: a jump would keep a loop from becoming SIMD."""
        both = (
            Condition(self, f"({side.text})" if " " in side.text else side.text) for side in (left, right)
        )
        return super().joined(word[0], *both)

    def needed(self, wanted: str) -> list[tuple[str, str, str]]:
        """The lines that some names need: type, name and text of each."""
        lines = [(kind, name, text) for (kind, text), name in self._names.items()]
        found: list[tuple[str, str, str]] = []
        for line in reversed(lines):
            if re.search(rf"\b{line[1]}\b", wanted):
                found.append(line)
                wanted += f" {line[2]}"
        return found[::-1]

    def __getattr__(self, name: str) -> Callable[..., CNumber]:
        if name not in FUNCTIONS:
            raise AttributeError(f"kernels have no function {name}: add it to ieee.h and to FUNCTIONS")
        if self.words == IN_REAL:
            word = INLINE.get(name) or f"REAL_FAST({name})"
        elif self.words == QUICKLY and name in FAST:
            word = f"fast_{name}"
        else:
            word = FUNCTIONS[name]
        return lambda *xs: self.number(f"{word}({', '.join(['{}'] * len(xs))})", *xs)


class Body(NamedTuple):
    lines: tuple[str, ...]
    answer: str
    used: tuple[int, ...]  # the operands that are read
    calls: frozenset[str]  # what is called, in the words of the table


class MapKernel(NamedTuple):
    """A kernel of the list: what it is called in C, what in a plan, and how many operands it has."""

    name: str
    kernel: str
    operands: int
    body: Callable[[str], Body]  # in one of the vocabularies


def _body(words: str, operands: int, formula: Callable[..., Operand]) -> Body:
    block = VectorBlock(words)
    answer = block.text(formula(block, *(CNumber(block, f"v{i}") for i in range(operands))))
    lines = block.needed(answer)
    text = " ".join([answer, *(line[2] for line in lines)])
    real = "REAL" if words == IN_REAL else "double"
    called = set(re.findall(r"\b(\w+)\(", text)) | set(re.findall(r"REAL_FAST\((\w+)\)", text))
    calls = frozenset(
        name for name in FUNCTIONS if name not in INLINE and {name, FUNCTIONS[name], f"fast_{name}"} & called
    )
    return Body(
        tuple(f"const {real if kind == 'double' else kind} {name} = {text};" for kind, name, text in lines),
        answer,
        tuple(i for i in range(operands) if re.search(rf"\bv{i}\b", text)),
        calls,
    )


def _value(op: Op) -> MapKernel:
    most = op.arity[1]
    return MapKernel(op.name, op.name, most, lambda words: _body(words, most, op.forward))


def _partial(op: Op, slot: int) -> MapKernel:
    def formula(m: VectorBlock, y: CNumber, *xs: CNumber) -> Operand:
        return op.partials(m, y, *xs)[slot]  # type: ignore[no-any-return]

    most = op.arity[1] + 1
    return MapKernel(
        f"{op.name}_{slot}", f"{op.name}'{slot}", most, lambda words: _body(words, most, formula)
    )


def _slots(op: Op) -> Iterator[int]:
    """The slots whose local derivative is a number; see INVERTED and SELECTIVE in emitter.py."""
    block = VectorBlock(EXACTLY)
    xs = [CNumber(block, f"v{i}") for i in range(op.arity[1])]
    for slot, partial in enumerate(op.partials(block, CNumber(block, "y"), *xs)):
        if not isinstance(partial, Inverse) and not op.selective:
            yield slot


def _extra(kernel: str, operands: int, formula: Callable[..., Operand]) -> MapKernel:
    return MapKernel(kernel, kernel, operands, lambda words: _body(words, operands, formula))


# What a program needs beside the table; compiler/scalars.py says what each is.
EXTRAS = (
    _extra("equal", 2, lambda m, x, y: m.where(m.equal(x, y), 1.0, 0.0)),
    _extra("match", 3, lambda m, i, r, g: m.where(m.equal(i, r), g, 0.0)),
    _extra("gate", 2, lambda m, mask, x: m.where(m.equal(mask, 0.0), 0.0, x)),
)


def maps() -> list[MapKernel]:
    """All kernels, in the order of the list."""
    found = []
    for op in OPS.values():
        if op.arity[1] != MANY:
            found += [_value(op), *(_partial(op, slot) for slot in _slots(op))]
    return [*found, *EXTRAS]


def _function(head: str, body: Body, real: str) -> str:
    places = ", ".join(f"{real} v{i}" for i in body.used) or "void"
    return (
        "\n    ".join(
            [f"MAYBE_UNUSED static inline {real} {head}({places})\n{{", *body.lines, f"return {body.answer};"]
        )
        + "\n}"
    )


def _loop(kind: str, name: str, formulas: str, body: Body) -> str:
    places = "".join(f", {i}" for i in body.used)
    return f"{kind}_{len(body.used)}({name}, {formulas}{places})"


def kernel(row: MapKernel) -> tuple[str, str, str]:
    """The C of a kernel, and the names of its exact and its fast loop."""
    exact = row.body(EXACTLY)
    if not exact.calls:
        body = row.body(IN_REAL)
        one, loop = f"one_{row.name}", f"loop_{row.name}"
        return "\n".join([_function(one, body, "REAL"), _loop("PLAIN", loop, one, body)]), loop, loop
    one, loop = f"exact_{row.name}", f"exact_loop_{row.name}"
    parts = [_function(one, exact, "double"), _loop("CALLING", loop, one, exact)]
    if not exact.calls <= set(FAST):
        return "\n".join(parts), loop, loop
    real = exact.calls <= set(SINGLE)
    body = row.body(IN_REAL if real else QUICKLY)
    if body.used != exact.used:
        raise ValueError(f"{row.kernel}: the two vocabularies use different operands")
    quick, fast = f"fast_{row.name}_one", f"fast_loop_{row.name}"
    parts.append(_function(quick, body, "REAL" if real else "double"))
    if exact.calls & set(NEAR):
        if len(body.used) != 1:
            raise ValueError(f"{row.kernel}: {', '.join(NEAR)} must be called with the one operand")
        parts.append(_loop("NEAR", fast, f"{quick}, {one}, R(FAST_TURN_LIMIT)", body))
    elif row.kernel == "exp":
        parts.append(_loop("MIDDLE", fast, f"REAL_FAST(exp_middle), {quick}, EXP_LIMIT", body))
    else:
        parts.append(_loop("FAST", fast, quick, body))
    return "\n".join(parts), loop, fast


def emit() -> str:
    """The whole text of maps.h."""
    rows = maps()
    listed = " \\\n".join(f'    X({row.name}, "{row.kernel}", {row.operands})' for row in rows)
    exact, fast, bodies = [], [], []
    for row in rows:
        if row.kernel.partition("'")[0] in BY_HAND:
            text = _function(f"exact_{row.name}", row.body(EXACTLY), "double")
            its_exact, its_fast = f"exact_loop_{row.name}", f"fast_loop_{row.name}"
        else:
            text, its_exact, its_fast = kernel(row)
        bodies.append(text)
        exact.append(its_exact)
        fast.append(its_fast)
    parts = (
        HEAD + f"#define MAP_LIST(X) \\\n{listed}",
        NAMES,
        *bodies,
        '#include "powers.h"',
        "#if REAL_IS_FLOAT\n#define EXACT(exact, fast) fast\n#else\n#define EXACT(exact, fast) exact\n#endif",
        _table("map_exact", [f"EXACT({its}, {other})" for its, other in zip(exact, fast, strict=True)]),
        _table("map_fast", fast),
        "#endif",
    )
    return "\n\n".join(parts) + "\n"


def _table(name: str, entries: list[str]) -> str:
    return (
        f"static const map_kernel {name}[MAP_COUNT] = {{\n" + "".join(f"    {x},\n" for x in entries) + "};"
    )


HEAD = """\
/* The op table as vector kernels.  Written by vector_emitter.py from ops.py: do not edit, run
   python -m minigrad._native.vector_emitter

   Without REAL there is only the list: X(name in C, name in a plan, how many operands).
   With REAL (double or float) and REAL_IS_FLOAT (0 or 1) come the kernels, and two tables of them:
   map_exact has the bits of the table over ieee.py, map_fast those of fast.h.  Of float there is only the
   latter.  loops.h says what a kernel promises. */

#ifndef MINIGRAD_MAP_LIST
#define MINIGRAD_MAP_LIST

"""

NAMES = """\
#define MAP_ID(name, kernel, operands) MAP_##name,
enum map { MAP_LIST(MAP_ID) MAP_COUNT };
#undef MAP_ID

#endif

#ifdef REAL

#include "loops.h\""""


if __name__ == "__main__":
    place = Path(__file__).with_name("vector") / "maps.h"
    place.write_text(emit(), encoding="utf-8", newline="\n")
