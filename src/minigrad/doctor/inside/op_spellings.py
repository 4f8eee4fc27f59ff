"""Spellings of the ops in other engines: the operator, the names of methods and of free functions.

The keys are names of minigrad's op table.  A pattern says which operands are nodes (v) and which are
plain numbers (k): `2 - a` is "kv".
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

__all__ = [
    "ARITY", "BACKWARD", "DATA", "DUNDERS", "GRAD", "MEANT", "METHODS", "OF_ONE", "OPERATORS", "REFLECTED",
    "RETURNS_ITSELF", "RETURNS_NONE", "STORES_NOT_IMPLEMENTED", "plain",
]  # fmt: skip

OPERATORS: dict[str, Callable[..., object]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "pow": operator.pow,
    "neg": operator.neg,
    "abs": operator.abs,
}
DUNDERS = {
    "add": "__add__", "sub": "__sub__", "mul": "__mul__", "div": "__truediv__", "pow": "__pow__",
    "neg": "__neg__", "abs": "__abs__",
}  # fmt: skip
REFLECTED = {
    "add": "__radd__",
    "sub": "__rsub__",
    "mul": "__rmul__",
    "div": "__rtruediv__",
    "pow": "__rpow__",
}

METHODS = {
    "add": ("add", "plus", "sum", "suma", "sumar", "mas"),
    "sub": ("sub", "subtract", "minus", "resta", "restar", "menos"),
    "mul": ("mul", "multiply", "times", "prod", "producto", "multiplica", "multiplicar", "por"),
    "div": ("div", "divide", "truediv", "division", "dividir", "entre"),
    "pow": ("pow", "power", "potencia"),
    "neg": ("neg", "negate", "negative", "minus"),
    "abs": ("abs", "absolute"),
    "square": ("square", "sqr", "squared"),
    "reciprocal": ("reciprocal", "inverse", "inv", "recip"),
    "exp": ("exp", "exponential", "exponencial"),
    "log": ("log", "ln", "loge"),
    "log2": ("log2",),
    "log10": ("log10",),
    "sqrt": ("sqrt", "root", "raiz"),
    "sin": ("sin", "sine", "sen", "seno"),
    "cos": ("cos", "cosine", "coseno"),
    "tan": ("tan",),
    "arcsin": ("arcsin", "asin"),
    "arccos": ("arccos", "acos"),
    "arctan": ("arctan", "atan"),
    "sinh": ("sinh",),
    "cosh": ("cosh",),
    "tanh": ("tanh",),
    "sigmoid": ("sigmoid", "sigm", "logistic", "sig", "sigmoide"),
    "softplus": ("softplus",),
    "silu": ("silu", "swish"),
    "relu": ("relu", "rectify"),
    "leaky_relu": ("leaky_relu", "leakyrelu", "lrelu"),
    "maximum": ("maximum",),
    "minimum": ("minimum",),
}
# What an op is at a point, for names that may as well mean something else: `root()` of a tree, `log()` to
# a file.  A method with such a name is that op only if it gives that number.
MEANT: dict[str, Callable[..., float]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
    "neg": lambda a: -a,
    "abs": abs,
    "square": lambda a: a * a,
    "reciprocal": lambda a: 1 / a,
    "exp": math.exp,
    "log": math.log,
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "sigmoid": lambda a: 1 / (1 + math.exp(-a)),
    "silu": lambda a: a / (1 + math.exp(-a)),
    "relu": lambda a: max(a, 0.0),
}
OF_ONE = ("exp", "tanh", "sigmoid", "relu", "sin", "cos", "sqrt", "softplus")
RETURNS_NONE = "None"  # in place of an error: the op ran and gave nothing back
STORES_NOT_IMPLEMENTED = "NotImplemented"  # it ran, and the node's number is that
RETURNS_ITSELF = ("relu", "leaky_relu", "abs", "maximum", "minimum")  # an op that may give its operand back

ARITY = {"add": 2, "sub": 2, "mul": 2, "div": 2, "pow": 2, "maximum": 2, "minimum": 2, "leaky_relu": 2}

DATA = ("data", "value", "val", "_data", "_value", "_val", "v", "x", "item", "scalar", "number", "primal")
GRAD = (
    "grad", "gradient", "_grad", "_gradient", "derivative", "deriv", "adjoint", "adj", "grad_value", "g",
    "dvalue", "d", "grd", "partial", "gradients", "grads",
)  # fmt: skip
BACKWARD = (
    "backward", "backprop", "backwards", "back", "back_prop", "backpropagate", "back_propagate",
    "backpropagation", "backward_pass", "run_backward", "do_backward", "start_backward", "backward_from",
    "compute_gradients", "compute_gradient", "compute_grads", "compute_grad", "calculate_gradients",
    "calc_gradients", "calc_grad", "get_gradients", "get_grads", "gradients", "gradient", "grad",
    "autodiff", "differentiate", "propagate", "evaluate_gradients", "reverse",
)  # fmt: skip


def plain(name: str) -> str:
    """A name without the marks that people put around it: `_leaky_ReLU` is leakyrelu."""
    return name.replace("_", "").lower()
