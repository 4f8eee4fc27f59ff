"""ATen ops as scalars: how each op of PyTorch is written with the ops of minigrad, number by number.

A scalar is either a node of the graph under construction, an `int`, or a number that does not depend on
what is asked about, a `float`. Only what depends on it becomes nodes: everything else is folded into
constants, so that the graph is the cone of one number and no more.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt

from ..graph import CONSTANT, CUSTOM, INPUT, Graph, Node
from ..ops import OPS
from ..values import ieee

__all__ = ["AFFINE", "ELEMENTWISE", "LAYOUT", "Scalar", "ScalarGraph"]

Scalar = int | float  # a node, or a constant


class ScalarGraph:
    """A graph of scalars under construction, with each node's value and its slope by the one input."""

    def __init__(self, label: str, value: float) -> None:
        self.nodes = [Node(INPUT, (), label, value)]
        self.values = [value]
        self.slopes = [1.0]  # of the node by the input: says which routes are large

    def apply(self, op: str, *operands: Scalar, label: str = "") -> Scalar:
        """A new node; of constants alone, their result."""
        forward = OPS[op].forward
        if not any(isinstance(x, int) for x in operands):
            return float(forward(ieee, *operands))
        args = tuple(x if isinstance(x, int) else self._constant(x) for x in operands)
        values = [self.values[arg] for arg in args]
        value = float(forward(ieee, *values))
        locals_ = OPS[op].partials(ieee, value, *values)
        slope = sum(
            local * self.slopes[arg]
            for local, arg in zip(locals_, args, strict=True)
            if local is not None and self.slopes[arg]
        )
        return self._append(Node(op, args, label), value, slope)

    def custom(self, terms: list[tuple[int, float]], value: float, label: str) -> int:
        """A node whose local derivatives PyTorch has stated."""
        args, locals_ = tuple(arg for arg, _ in terms), tuple(local for _, local in terms)
        slope = sum(local * self.slopes[arg] for arg, local in terms)
        return self._append(Node(CUSTOM, args, label, value, locals_), value, slope)

    def total(self, terms: list[Scalar], rest: float, label: str = "") -> Scalar:
        """The sum of terms and of all that is constant."""
        if rest:
            terms = [*terms, rest]
        return terms[0] if len(terms) == 1 else self.apply("sum", *terms, label=label)

    def label(self, node: int, label: str) -> None:
        if not self.nodes[node].label:
            self.nodes[node] = self.nodes[node]._replace(label=label)

    def graph(self, output: int) -> Graph:
        """What is below one node, in the order in which it was made."""
        below = {output, 0}
        for i in range(output, -1, -1):
            if i in below:
                below.update(self.nodes[i].args)
        kept = sorted(below)
        place = {i: at for at, i in enumerate(kept)}
        nodes = [self.nodes[i]._replace(args=tuple(place[a] for a in self.nodes[i].args)) for i in kept]
        return Graph(nodes, place[output])

    def _constant(self, value: float) -> int:
        return self._append(Node(CONSTANT, (), "", value), value, 0.0)

    def _append(self, node: Node, value: float, slope: float) -> int:
        self.nodes.append(node)
        self.values.append(value)
        self.slopes.append(slope)
        return len(self.nodes) - 1


# ---- elementwise --------------------------------------------------------------------------------


def _plain(op: str) -> Callable[..., Scalar]:
    return lambda g, *xs: g.apply(op, *xs)


def _mul(g: ScalarGraph, a: Scalar, b: Scalar) -> Scalar:
    if isinstance(a, float) and a == 1.0:
        return b
    return a if isinstance(b, float) and b == 1.0 else g.apply("mul", a, b)


def _add(g: ScalarGraph, a: Scalar, b: Scalar, alpha: float = 1) -> Scalar:
    return g.apply("add", a, b if alpha == 1 else g.apply("mul", float(alpha), b))


def _sub(g: ScalarGraph, a: Scalar, b: Scalar, alpha: float = 1) -> Scalar:
    return g.apply("sub", a, b if alpha == 1 else g.apply("mul", float(alpha), b))


def _pow(g: ScalarGraph, a: Scalar, b: Scalar) -> Scalar:
    if b == 2.0 and isinstance(b, float):
        return g.apply("square", a)
    if b == 0.5 and isinstance(b, float):
        return g.apply("sqrt", a)
    return g.apply("pow", a, b)


def _clamp(g: ScalarGraph, x: Scalar, low: Scalar | None = None, high: Scalar | None = None) -> Scalar:
    if low is not None and high is not None:
        return g.apply("clamp", x, low, high)
    if low is not None:
        # a bound that is a constant lets everything through at a tie, in PyTorch as in `clamp`
        return g.apply("clamp", x, low, float("inf"))
    return x if high is None else g.apply("clamp", x, float("-inf"), high)


def _gelu(g: ScalarGraph, x: Scalar, approximate: str = "none") -> Scalar:
    if approximate == "none":
        return g.apply("gelu", x)
    cube = g.apply("mul", g.apply("square", x), x)
    inner = g.apply("mul", sqrt(2 / pi), g.apply("add", x, g.apply("mul", 0.044715, cube)))
    return g.apply("mul", g.apply("mul", 0.5, x), g.apply("add", 1.0, g.apply("tanh", inner)))


def _softplus(g: ScalarGraph, x: Scalar, beta: float = 1, threshold: float = 20) -> Scalar:
    at = g.values[x] if isinstance(x, int) else x
    if at * beta > threshold:
        return x
    scaled = x if beta == 1 else g.apply("mul", float(beta), x)
    grown = g.apply("softplus", scaled)
    return grown if beta == 1 else g.apply("div", grown, float(beta))


def _elu(g: ScalarGraph, x: Scalar, alpha: float = 1, scale: float = 1, input_scale: float = 1) -> Scalar:
    if input_scale != 1:
        at = g.values[x] if isinstance(x, int) else x
        inner = g.apply("mul", float(input_scale), x)
        bent = x if at > 0 else g.apply("mul", float(alpha), g.apply("expm1", inner))
    else:
        bent = g.apply("elu", x, float(alpha))
    return bent if scale == 1 else g.apply("mul", float(scale), bent)


# By the name of the op; its arguments are scalars where they are tensors or numbers, the rest as it is.
ELEMENTWISE: dict[str, Callable[..., Scalar]] = {
    "add": _add, "sub": _sub, "rsub": lambda g, a, b, alpha=1: _sub(g, b, a, alpha),
    "mul": _mul, "neg": _plain("neg"), "abs": _plain("abs"),
    "pow": _pow, "square": _plain("square"), "reciprocal": _plain("reciprocal"),
    "exp": _plain("exp"), "exp2": _plain("exp2"), "expm1": _plain("expm1"),
    "log": _plain("log"), "log2": _plain("log2"), "log10": _plain("log10"), "log1p": _plain("log1p"),
    "sqrt": _plain("sqrt"), "rsqrt": lambda g, x: g.apply("pow", x, -0.5),
    "sin": _plain("sin"), "cos": _plain("cos"), "tan": _plain("tan"),
    "asin": _plain("arcsin"), "acos": _plain("arccos"), "atan": _plain("arctan"),
    "atan2": _plain("arctan2"), "hypot": _plain("hypot"),
    "sinh": _plain("sinh"), "cosh": _plain("cosh"), "tanh": _plain("tanh"),
    "asinh": _plain("arcsinh"), "acosh": _plain("arccosh"), "atanh": _plain("arctanh"),
    "sigmoid": _plain("sigmoid"), "erf": _plain("erf"), "relu": _plain("relu"),
    "silu": _plain("silu"), "gelu": _gelu, "softplus": _softplus, "elu": _elu,
    "leaky_relu": lambda g, x, slope=0.01: g.apply("leaky_relu", x, float(slope)),
    "maximum": _plain("maximum"), "minimum": _plain("minimum"), "clamp": _clamp,
    "clamp_min": lambda g, x, low: _clamp(g, x, low),
    "clamp_max": lambda g, x, high: _clamp(g, x, None, high),
}  # fmt: skip

# Ops that only move numbers: run on the places of nodes, they say where each node went.
LAYOUT = frozenset({
    "_reshape_copy", "_to_copy", "_unsafe_index", "_unsafe_view", "alias", "alias_copy", "as_strided_copy",
    "cat", "clone", "constant_pad_nd", "contiguous", "convert_element_type", "copy", "detach_copy",
    "diag_embed", "diagonal_scatter", "embedding", "expand_copy", "fill", "flip", "gather", "index",
    "index_put", "index_select", "lift_fresh_copy", "masked_fill", "masked_scatter", "masked_select",
    "new_zeros", "permute_copy", "reflection_pad1d", "reflection_pad2d", "repeat", "replication_pad1d",
    "replication_pad2d", "roll", "scatter", "select_copy", "select_scatter", "slice_copy", "slice_scatter",
    "squeeze_copy", "stack", "t_copy", "take", "transpose_copy", "tril", "triu", "unsqueeze_copy",
    "view_copy", "where", "zero",
})  # fmt: skip

# Ops that are sums of their arguments with fixed factors, in the arguments at these places; a
# convolution is one in its input or in its weight, not in both.
AFFINE: dict[str, tuple[int, ...]] = {
    "convolution": (0, 1, 2), "avg_pool1d": (0,), "avg_pool2d": (0,), "avg_pool3d": (0,),
    "_adaptive_avg_pool2d": (0,), "_adaptive_avg_pool3d": (0,), "cumsum": (0,), "index_add": (0, 3),
    "scatter_add": (0, 3), "upsample_nearest1d": (0,), "upsample_nearest2d": (0,),
    "upsample_bilinear2d": (0,), "upsample_linear1d": (0,), "im2col": (0,), "col2im": (0,),
    "grid_sampler_2d": (0,), "embedding_bag": (0,), "trace": (0,), "mean": (0,), "sum": (0,),
}  # fmt: skip
