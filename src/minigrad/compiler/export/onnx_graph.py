"""The dialect of ONNX: nodes of a graph in place of lines of a text."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Union

from ...ops import OPS
from ...text.translation import say
from ..numpy_loader import numpy
from .dialect import Dialect, DialectArray, broadcast
from .source import require_library

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy()

__all__ = ["OPSET", "OnnxGraph"]

OPSET = 18
NEAR = 1e-5  # of 0: there a series of three terms is better than what it stands for
INFIX = {"+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "@": "MatMul"}
WORDS = {
    "abs": "Abs", "add": "Add", "arccos": "Acos", "arccosh": "Acosh", "arcsin": "Asin", "arcsinh": "Asinh",
    "arctan": "Atan", "arctanh": "Atanh", "cos": "Cos", "cosh": "Cosh", "div": "Div", "erf": "Erf",
    "exp": "Exp", "log": "Log", "maximum": "Max", "minimum": "Min", "mul": "Mul", "neg": "Neg", "pow": "Pow",
    "reciprocal": "Reciprocal", "relu": "Relu", "sigmoid": "Sigmoid", "sign": "Sign", "sin": "Sin",
    "sinh": "Sinh", "softplus": "Softplus", "sqrt": "Sqrt", "stop": "Identity", "sub": "Sub", "tan": "Tan",
    "tanh": "Tanh",
}  # fmt: skip


Operand = Union["OnnxNode", float]


class OnnxNode:
    """A number of a formula, as an array in the graph: a formula that is run over it adds its nodes."""

    def __init__(self, graph: OnnxGraph, array: DialectArray) -> None:
        self.graph, self.array = graph, array

    def _with(self, word: str, other: Operand, turned: bool = False) -> OnnxNode:
        pair = [self.array, self.graph.given(other)]
        return OnnxNode(self.graph, self.graph.on(word, *(pair[::-1] if turned else pair)))

    def __add__(self, other: Operand) -> OnnxNode:
        return self._with("Add", other)

    def __radd__(self, other: Operand) -> OnnxNode:
        return self._with("Add", other, True)

    def __sub__(self, other: Operand) -> OnnxNode:
        return self._with("Sub", other)

    def __rsub__(self, other: Operand) -> OnnxNode:
        return self._with("Sub", other, True)

    def __mul__(self, other: Operand) -> OnnxNode:
        return self._with("Mul", other)

    def __rmul__(self, other: Operand) -> OnnxNode:
        return self._with("Mul", other, True)

    def __neg__(self) -> OnnxNode:
        return OnnxNode(self.graph, self.graph.on("Neg", self.array))

    def __lt__(self, other: Operand) -> OnnxNode:
        return self._with("Less", other)

    def __le__(self, other: Operand) -> OnnxNode:
        return self._with("LessOrEqual", other)

    def __gt__(self, other: Operand) -> OnnxNode:
        return self._with("Greater", other)

    def __ge__(self, other: Operand) -> OnnxNode:
        return self._with("GreaterOrEqual", other)

    def __and__(self, other: Operand) -> OnnxNode:
        return self._with("And", other)

    def __or__(self, other: Operand) -> OnnxNode:
        return self._with("Or", other)


class Formulas:
    """The number system `m` of the op table that adds nodes to a graph."""

    def __init__(self, graph: OnnxGraph) -> None:
        self._graph = graph

    def number(self, x: float) -> OnnxNode:
        return OnnxNode(self._graph, self._graph.given(x))

    def where(self, condition: OnnxNode, yes: Operand, no: Operand) -> OnnxNode:
        graph = self._graph
        return OnnxNode(graph, graph.on("Where", condition.array, graph.given(yes), graph.given(no)))

    def equal(self, x: Operand, y: Operand) -> OnnxNode:
        graph = self._graph
        return OnnxNode(graph, graph.on("Equal", graph.given(x), graph.given(y)))

    def div(self, x: Operand, y: Operand) -> OnnxNode:
        graph = self._graph
        return OnnxNode(graph, graph.on("Div", graph.given(x), graph.given(y)))

    def expm1(self, x: OnnxNode) -> OnnxNode:
        near = x * (1.0 + x * (0.5 + x * (1.0 / 6.0)))  # where exp(x) - 1 would lose its bits
        return self.where(self.abs(x) < NEAR, near, self.exp(x) - 1.0)

    def log1p(self, x: OnnxNode) -> OnnxNode:
        near = x * (1.0 - x * (0.5 - x * (1.0 / 3.0)))
        return self.where(self.abs(x) < NEAR, near, self.log(1.0 + x))

    def exp2(self, x: OnnxNode) -> OnnxNode:
        return self.pow(self.number(2.0), x)

    def log2(self, x: OnnxNode) -> OnnxNode:
        return self.log(x) * (1.0 / math.log(2.0))

    def log10(self, x: OnnxNode) -> OnnxNode:
        return self.log(x) * (1.0 / math.log(10.0))

    def cbrt(self, x: OnnxNode) -> OnnxNode:
        return self.sign(x) * self.pow(self.abs(x), self.number(1.0 / 3.0))

    def hypot(self, x: OnnxNode, y: OnnxNode) -> OnnxNode:
        return self.sqrt(x * x + y * y)

    def arctan2(self, y: OnnxNode, x: OnnxNode) -> OnnxNode:
        turn = self.where(y < 0.0, -math.pi, math.pi)
        quotient = self.arctan(self.div(y, x))
        return self.where(x > 0.0, quotient, self.where(x < 0.0, quotient + turn, turn * 0.5))

    def normal_cdf(self, x: OnnxNode) -> OnnxNode:
        return 0.5 * (1.0 + self.erf(x * math.sqrt(0.5)))

    def exp_square(self, x: OnnxNode, factor: float) -> OnnxNode:
        return self.exp(factor * (x * x))

    def __getattr__(self, name: str) -> Callable[..., OnnxNode]:
        if name not in WORDS:
            raise NotImplementedError(say("compile.handover.onnx", kernel=name))
        graph = self._graph
        return lambda *xs: OnnxNode(graph, graph.on(WORDS[name], *map(graph.given, xs)))


class OnnxGraph(Dialect):
    """A graph in place of a text: an Array's text is the name of a tensor."""

    def __init__(self, dtype: str, batch: str | None) -> None:
        super().__init__()
        self.onnx = require_library("onnx")
        self.dtype = np.dtype(dtype)
        self.batch = batch  # an input that has the batch as its first axis
        self.nodes: list[Any] = []  # onnx.NodeProto
        self.tensors: dict[str, np.ndarray] = {}
        self._count = 0

    # ---- nodes ---------------------------------------------------------------------------------

    def node(self, word: str, *inputs: str, **attributes: object) -> str:
        self._count += 1
        name = f"{word.lower()}_{self._count}"
        self.nodes.append(self.onnx.helper.make_node(word, list(inputs), [name], name=name, **attributes))
        return name

    def tensor(self, values: object, base: str = "constant") -> str:
        array = np.asarray(values)
        if array.dtype.kind == "f":
            array = array.astype(self.dtype)
        for known, table in self.tensors.items():
            if (
                table.dtype == array.dtype
                and table.shape == array.shape
                and table.tobytes() == array.tobytes()
            ):
                return known
        name = f"{base}_{len(self.tensors)}"
        self.tensors[name] = array
        return name

    def given(self, x: Operand | DialectArray) -> DialectArray:
        if isinstance(x, OnnxNode):
            return x.array
        if isinstance(x, DialectArray):
            return x if x.number is None else DialectArray(self.tensor(float(x.number)), ())
        return DialectArray(self.tensor(float(x)), ())

    def on(self, word: str, *operands: DialectArray) -> DialectArray:
        """One node over whole arrays, whose shapes are broadcast."""
        return self.call(self.node(word, *(self.given(operand).text for operand in operands)), list(operands))

    def named(self, name: str, array: DialectArray, comment: str = "") -> DialectArray:
        for node in reversed(self.nodes[-1:]):
            if list(node.output) == [array.text]:
                node.output[0] = node.name = name
                return replace(array, text=name)
        return array

    # ---- the words -----------------------------------------------------------------------------

    def literal(self, value: float) -> DialectArray:
        return DialectArray("", (), number=value)

    def constant(self, values: np.ndarray, name: str) -> DialectArray:
        return DialectArray(self.tensor(values, name), values.shape)

    def reshape(self, array: DialectArray, shape: tuple[int, ...]) -> DialectArray:
        if shape == array.shape and not array.loose:
            return array
        array = self.given(array)
        sizes = self.tensor(np.array([*([-1] if array.lanes else []), *shape], np.int64), "shape")
        return replace(array, text=self.node("Reshape", array.text, sizes), shape=shape, loose=0)

    def index(self, array: DialectArray, parts: tuple[tuple[int, int] | int, ...]) -> DialectArray:
        array = self.firm(array)
        starts, ends, axes, gone, shape = [], [], [], [], []
        for axis, (part, size) in enumerate(zip(parts, array.shape, strict=True)):
            first, past = (part, part + 1) if isinstance(part, int) else part
            if isinstance(part, int):
                gone.append(axis + array.lanes)
            else:
                shape.append(past - first)
            if (first, past) != (0, size):
                starts.append(first)
                ends.append(past)
                axes.append(axis + array.lanes)
        text = array.text
        if axes:
            text = self.node(
                "Slice", text, *(self.tensor(np.array(x, np.int64)) for x in (starts, ends, axes))
            )
        if gone:
            text = self.node("Squeeze", text, self.tensor(np.array(gone, np.int64)))
        return replace(array, text=text, shape=tuple(shape))

    def spread(self, array: DialectArray, ones: tuple[bool, ...]) -> DialectArray:
        rest = iter(array.shape)
        return self.reshape(self.firm(array), tuple(1 if one else next(rest) for one in ones))

    def flip(self, array: DialectArray, axes: tuple[int, ...]) -> DialectArray:
        places = [axis + array.lanes for axis in axes]
        tables = ([-1] * len(places), [-(2**62)] * len(places), places, [-1] * len(places))
        text = self.node("Slice", array.text, *(self.tensor(np.array(x, np.int64)) for x in tables))
        return replace(array, text=text)

    def permute(self, array: DialectArray, order: tuple[int, ...]) -> DialectArray:
        array = self.firm(array)
        axes = [0] * array.lanes + [axis + array.lanes for axis in order]
        shape = tuple(array.shape[axis] for axis in order)
        return replace(array, text=self.node("Transpose", array.text, perm=axes), shape=shape)

    def turned(self, array: DialectArray) -> DialectArray:
        last = len(array.shape)
        return self.permute(array, (*range(last - 2), last - 1, last - 2))

    def expand(self, array: DialectArray, shape: tuple[int, ...], lanes: bool) -> DialectArray:
        if array.shape == shape and array.lanes == lanes and not array.loose:
            return array
        array = self.given(array)
        sizes = self.tensor(np.array([*([1] if lanes else []), *shape], np.int64), "shape")
        if lanes and not array.lanes:
            whole = self.node("Shape", str(self.batch), start=0, end=1)
            sizes = self.node("Concat", whole, self.tensor(np.array(shape, np.int64), "shape"), axis=0)
        return DialectArray(self.node("Expand", array.text, sizes), shape, lanes)

    def join(self, arrays: list[DialectArray]) -> DialectArray:
        lanes = any(array.lanes for array in arrays)
        arrays = [self.expand(array, array.shape, lanes) for array in arrays]
        shape = (sum(array.shape[0] for array in arrays), *arrays[0].shape[1:])
        return DialectArray(
            self.node("Concat", *(array.text for array in arrays), axis=int(lanes)), shape, lanes
        )

    def gather(self, array: DialectArray, positions: np.ndarray) -> DialectArray:
        table = self.tensor(positions.astype(np.int64), "index")
        return replace(
            array, text=self.node("Gather", array.text, table, axis=int(array.lanes)), shape=positions.shape
        )

    def infix(self, sign: str, a: DialectArray, b: DialectArray) -> DialectArray:
        if a.number is not None and b.number is not None:
            return super().infix(sign, a, b)
        return self.on(INFIX[sign], a, b)

    def masked(self, mask: np.ndarray, a: DialectArray, b: DialectArray) -> DialectArray:
        table = DialectArray(self.tensor(mask, "mask"), mask.shape)
        return self.on("Where", table, a, b)

    def negative(self, a: DialectArray) -> DialectArray:
        return self.literal(-a.number) if a.number is not None else self.on("Neg", a)

    def einsum(self, a: DialectArray, b: DialectArray, left: str, right: str, out: str) -> DialectArray:
        a, b = self.firm(a), self.firm(b)
        sizes = dict(zip(left, a.shape, strict=True)) | dict(zip(right, b.shape, strict=True))
        lanes = a.lanes or b.lanes
        spec = f"{'n' * a.lanes}{left},{'n' * b.lanes}{right}->{'n' * lanes}{out}"
        text = self.node("Einsum", a.text, b.text, equation=spec)
        return DialectArray(text, tuple(sizes[letter] for letter in out), lanes)

    def total(self, a: DialectArray) -> DialectArray:
        return self._reduced("ReduceSum", a)

    def largest(self, a: DialectArray) -> DialectArray:
        return self._reduced("ReduceMax", a)

    def _reduced(self, word: str, a: DialectArray) -> DialectArray:
        axis = self.tensor(np.array([-1], np.int64))
        return replace(a, text=self.node(word, a.text, axis, keepdims=0), shape=a.shape[:-1])

    def rows(self, table: DialectArray, which: DialectArray) -> DialectArray:
        table, which = self.firm(table), self.firm(which)
        text = self.node("Gather", table.text, self.whole(which), axis=0)
        return DialectArray(text, (*which.shape, *table.shape[1:]), which.lanes)

    def along(self, table: DialectArray, which: DialectArray) -> DialectArray:
        lanes = table.lanes or which.lanes
        shape = broadcast(table.shape[:-1], which.shape)
        table = self.expand(table, (*shape, table.shape[-1]), lanes)
        chosen = self.reshape(self.expand(which, shape, lanes), (*shape, 1))
        text = self.node("GatherElements", table.text, self.whole(chosen), axis=len(shape) + lanes)
        return self.reshape(DialectArray(text, (*shape, 1), lanes), shape)

    def whole(self, which: DialectArray) -> str:
        return self.node("Cast", self.given(which).text, to=self.onnx.TensorProto.INT64)

    def wide(self, array: DialectArray) -> DialectArray:
        return self.given(array)

    def apply(self, kernel: str, operands: list[DialectArray]) -> DialectArray:
        if kernel in WORDS:
            return self.on(WORDS[kernel], *operands)
        if kernel in ("equal", "match", "gate"):
            m, nodes = Formulas(self), [OnnxNode(self, self.given(operand)) for operand in operands]
            here = m.equal(nodes[0], 0.0 if kernel == "gate" else nodes[1])
            chosen = (
                (here, 0.0, nodes[1])
                if kernel == "gate"
                else (here, 1.0 if kernel == "equal" else nodes[2], 0.0)
            )
            return self.call(m.where(*chosen).array.text, operands)
        if kernel not in OPS:
            raise NotImplementedError(say("compile.handover.onnx", kernel=kernel))
        found = OPS[kernel].forward(
            Formulas(self), *(OnnxNode(self, self.given(operand)) for operand in operands)
        )
        return self.call(found.array.text, operands)
