"""Op names of strangers, and the op of our table that each means: `__rsub__`, `AddOp`, `"**"`, `ReLU`."""

from __future__ import annotations

import re

from ....ops import MANY, OPS
from ...inside.op_spellings import METHODS, plain

__all__ = ["DUNDERS", "op_of", "op_of_symbol", "reflected_dunder"]

DUNDERS = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "truediv": "div",
    "div": "div",
    "pow": "pow",
    "neg": "neg",
    "abs": "abs",
}
_SYMBOLS = {"+": "add", "-": "sub", "*": "mul", "/": "div", "**": "pow", "^": "pow", "|x|": "abs"}
# The names that the examiner tries, but for those that mean a reduction or another op in a source; and
# names of classes and of entries in tables, which nobody calls.
_OTHER_NAMES = {
    plain(name): op
    for op, names in METHODS.items()
    for name in names
    if name not in ("sum", "prod") and (op, name) != ("neg", "minus")
} | {
    "addition": "add", "summation": "add", "subtraction": "sub", "difference": "sub",
    "multiplication": "mul", "product": "mul", "mult": "mul", "quotient": "div", "over": "div",
    "powof": "pow", "raised": "pow", "negation": "neg", "negated": "neg", "absval": "abs",
    "exponent": "exp", "e": "exp", "naturallog": "log", "logarithm": "log", "squareroot": "sqrt",
    "tangent": "tan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh",
    "hyperbolictangent": "tanh", "tanhyperbolic": "tanh", "sigma": "sigmoid",
    "rectifiedlinear": "relu", "rectifier": "relu", "invert": "reciprocal",
    "max": "maximum", "min": "minimum", "clip": "clamp",
}  # fmt: skip
_ENDINGS = ("operation", "operator", "function", "backward", "forward", "value", "scalar", "node", "grad",
            "func", "gate", "op", "fn", "variable", "var", "tensor", "val", "num", "my")  # fmt: skip
_KNOWN = {op.replace("_", ""): op for op, row in OPS.items() if row.arity[1] < MANY}


def reflected_dunder(name: str) -> bool:
    return bool(re.fullmatch(r"__r(add|sub|mul|truediv|div|pow)__", name))


def op_of(name: str) -> str:
    """The op that a function, a method or a class of this name is for; "" for none."""
    dunder = re.fullmatch(r"__([ri]?)(\w+?)__", name)
    if dunder:
        return DUNDERS.get(dunder[2], "") or DUNDERS.get(dunder[1] + dunder[2], "")
    bare = re.sub(r"[^a-z0-9]", "", name.lower())
    return _plain(bare)


def _plain(bare: str) -> str:
    found = _KNOWN.get(bare) or _OTHER_NAMES.get(bare, "")
    if found:
        return found
    for ending in _ENDINGS:
        if bare.endswith(ending) and len(bare) > len(ending):
            return _plain(bare[: -len(ending)])
        if bare.startswith(ending) and len(bare) > len(ending):
            return _plain(bare[len(ending) :])
    return ""


def op_of_symbol(text: str) -> str:
    """The op that a string means, as an engine stores it in a node: "+", "mul", "ReLU"."""
    return _SYMBOLS.get(text.strip()) or op_of(text.strip())
