"""The dialects of NumPy, torch and jax: what each calls the ops of the table, and how else they differ."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from ...ops import OPS
from ..numpy_loader import numpy
from .dialect import ATOM, POWER, PRODUCT, SIGN, SUM, Dialect, DialectArray, number
from .kernels import HELPERS, helper

np = numpy()

__all__ = ["JaxDialect", "NumpyDialect", "TextDialect", "TorchDialect"]

INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
COMPARED = {"greater": ">", "greater_equal": ">=", "less": "<", "less_equal": "<=", "equal": "=="}


class TextDialect(Dialect):
    """What the three have in common."""

    library = "numpy"
    others: ClassVar[dict[str, str]] = {}  # ops in words of this library; {0}, {1} are the arguments

    def __init__(self) -> None:
        super().__init__()
        self.helpers: dict[str, str] = {}

    def apply(self, kernel: str, operands: list[DialectArray]) -> DialectArray:
        if all(operand.number is not None for operand in operands):
            operands = [self.constant(np.array(operands[0].number), "c"), *operands[1:]]
        if kernel in INFIX:
            return self.infix(INFIX[kernel], *operands)
        if kernel == "neg":
            return self.negative(operands[0])
        if kernel == "pow":
            base, exponent = operands
            left = base.text if base.holds >= ATOM else f"({base.text})"
            right = exponent.text if exponent.holds >= SIGN else f"({exponent.text})"
            if base.number is not None:
                left = self.wide(base).text
            return self.call(f"{left} ** {right}", operands, POWER)
        if kernel in COMPARED:
            a, b = (operand.text if operand.holds > SUM else f"({operand.text})" for operand in operands)
            return self.call(self.truth(f"({a} {COMPARED[kernel]} {b})"), operands)
        if kernel == "square":
            return self.call(f"{self.atom(operands[0])} ** 2", operands, POWER)
        if kernel == "reciprocal":
            return self.infix("/", self.literal(1.0), operands[0])
        if kernel == "stop":
            return replace(operands[0], text=self.stopped(operands[0]), holds=ATOM)
        if kernel in self.others:
            wide = [self.wide(operand) for operand in operands]
            return self.call(self.others[kernel].format(*(self.atom(operand) for operand in wide)), operands)
        return self.function(kernel, operands)

    def function(self, kernel: str, operands: list[DialectArray]) -> DialectArray:
        """A function that the library has, or else the formula of the table."""
        wide = [self.wide(operand) for operand in operands]
        inside = ", ".join(operand.text for operand in wide)
        its = OPS[kernel].foreign.get(self.library) if kernel in OPS else None
        if its is not None:
            return self.call(f"{self.found(its)}({inside})", operands)
        made = helper(kernel, self.module)
        for need in sorted(made.needs):
            self.helpers[need] = HELPERS[need].format(module=self.module)
        self.helpers[made.name] = made.text
        return self.call(f"{made.name}({inside})", [operands[place] for place in made.used])

    def found(self, its: str) -> str:
        return f"{self.module}.{its}"

    def truth(self, comparison: str) -> str:
        """A comparison as 1.0 or 0.0."""
        return f"{comparison}.astype(float)"

    def stopped(self, array: DialectArray) -> str:
        """A number through which no gradient goes."""
        return array.text


class NumpyDialect(TextDialect):
    def wide(self, array: DialectArray) -> DialectArray:
        return array  # a float will do

    def function(self, kernel: str, operands: list[DialectArray]) -> DialectArray:
        if kernel == "pow'0" and operands[2].number is not None:
            exponent, base = operands[2], self.atom(operands[1])
            less = number(exponent.number - 1.0) if exponent.number is not None else ""
            power = "" if less == "1.0" else f" ** {less}"
            return self.call(f"{exponent.text} * {base}{power}", [operands[1]], PRODUCT)
        return super().function(kernel, operands)

    others: ClassVar[dict[str, str]] = {
        "where": "np.where({0} != 0.0, {1}, {2})",
        "match": "np.where({0} == {1}, {2}, 0.0)",
        "gate": "np.where({0} != 0.0, {1}, 0.0)",
        "relu": "np.where({0} <= 0.0, 0.0, {0})",
        "clamp": "np.clip({0}, {1}, {2})",
    }


class TorchDialect(TextDialect):
    module = "torch"
    library = "torch"
    spread_out = 4096  # torch.compile makes one kernel of them; tiny matrices are what a GPU is worst at
    concatenate = "torch.cat"
    most = ".amax(-1)"
    permuted = "permute"
    others: ClassVar[dict[str, str]] = {
        "where": "torch.where({0} != 0.0, {1}, {2})",
        "softplus": "F.softplus({0}, threshold=50.0)",
        "elu": "torch.where({0} > 0.0, {0}, {1} * torch.expm1(torch.clamp({0}, max=0.0)))",
        "leaky_relu": "torch.where({0} > 0.0, {0}, {1} * {0})",
        "cbrt": "(torch.sign({0}) * torch.abs({0}) ** (1.0 / 3.0))",
        "match": "torch.where({0} == {1}, {2}, 0.0)",
        "gate": "torch.where({0} != 0.0, {1}, 0.0)",
    }

    def __init__(self, dtype: str) -> None:
        super().__init__()
        self.dtype = dtype

    def held(self, name: str) -> str:
        return f"self.{name}"

    def found(self, its: str) -> str:
        return its.replace("nn.functional.", "F.") if its.startswith("nn.") else f"torch.{its}"

    def expand(self, array: DialectArray, shape: tuple[int, ...], lanes: bool) -> DialectArray:
        if array.shape == shape and array.lanes == lanes and not array.loose:
            return array
        sizes = ", ".join(["n"] * lanes + [str(size) for size in shape])
        return DialectArray(f"{self.atom(self.wide(array))}.expand({sizes})", shape, lanes)

    def flip(self, array: DialectArray, axes: tuple[int, ...]) -> DialectArray:
        inside = ", ".join(str(axis + array.lanes) for axis in axes)
        return replace(array, text=f"{self.atom(array)}.flip({inside})", holds=ATOM)

    def rows(self, table: DialectArray, which: DialectArray) -> DialectArray:
        if len(table.shape) != 2:
            return super().rows(table, which)
        table, which = self.firm(table), self.firm(which)
        # On a GPU its backward pass is quicker than that of table[which].
        text = f"F.embedding({self.whole(which)}, {table.text})"
        return DialectArray(text, (*which.shape, *table.shape[1:]), which.lanes)

    def along(self, table: DialectArray, which: DialectArray) -> DialectArray:
        lanes = table.lanes or which.lanes
        table = self.expand(table, table.shape, lanes)
        which = self.expand(which, table.shape[:-1], lanes)
        text = f"{self.atom(table)}.gather(-1, {self.whole(which)}[..., None])[..., 0]"
        return DialectArray(text, table.shape[:-1], lanes)

    def whole(self, which: DialectArray) -> str:
        return f"{self.atom(which)}.long()"

    def truth(self, comparison: str) -> str:
        return f"{comparison}.to(torch.{self.dtype})"

    def stopped(self, array: DialectArray) -> str:
        return f"{self.atom(array)}.detach()"


class JaxDialect(TextDialect):
    module = "jnp"
    library = "jax"
    concatenate = "jnp.concatenate"
    others: ClassVar[dict[str, str]] = {
        "where": "jnp.where({0} != 0.0, {1}, {2})",
        "gelu": "jax.nn.gelu({0}, approximate=False)",
        "elu": "jnp.where({0} > 0.0, {0}, {1} * jnp.expm1(jnp.where({0} > 0.0, 0.0, {0})))",
        "leaky_relu": "jnp.where({0} > 0.0, {0}, {1} * {0})",
        "clamp": "jnp.where({0} < {1}, {1}, jnp.where({0} > {2}, {2}, {0}))",
        "match": "jnp.where({0} == {1}, {2}, 0.0)",
        "gate": "jnp.where({0} != 0.0, {1}, 0.0)",
    }

    def found(self, its: str) -> str:
        return f"jnp.{its.removeprefix('numpy.')}" if its.startswith("numpy.") else f"jax.{its}"

    def stopped(self, array: DialectArray) -> str:
        return f"jax.lax.stop_gradient({array.text})"
