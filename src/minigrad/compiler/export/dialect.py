"""Dialect: what a writer wants of arrays (cut, join, multiply, sum), in the words of one library.

An Array is a text and what is known of it: its shape without the batch, and whether it has the batch as a
first axis more (`lanes`).  The base class speaks the words that NumPy, torch and jax have in common; a
subclass has the others.  A dialect that makes a graph instead of a text (ONNX) puts names in place of texts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .views import Cut

if TYPE_CHECKING:
    import numpy as np

__all__ = ["ATOM", "POWER", "PRODUCT", "SIGN", "SUM", "Dialect", "DialectArray", "number"]

SUM, PRODUCT, SIGN, POWER, ATOM = range(5)  # how tightly a text holds together
LONGEST = 100  # characters of a line that another line may be put into


@dataclass(frozen=True, slots=True)
class DialectArray:
    text: str
    shape: tuple[int, ...]
    lanes: bool = False
    holds: int = ATOM
    number: float | None = None  # for a constant that is the same everywhere
    loose: int = 0  # so many axes of the size 1 in front, which broadcasting adds, are not in the text

    @property
    def size(self) -> int:
        return math.prod(self.shape)


def number(x: float) -> str:
    """A float in Python, to the last bit."""
    if math.isnan(x) or math.isinf(x):
        return f'float("{x}")'
    return repr(float(x))


class Dialect:
    """The words of NumPy; what a subclass changes stands first."""

    module = "np"
    spread_out = (
        0  # so many products of one sample are written as such, rather than as a small matrix product
    )
    concatenate = "np.concatenate"
    most = ".max(-1)"
    permuted = "transpose"

    def __init__(self) -> None:
        self.lines: list[tuple[str, str, int, str]] = []  # name, text, how it holds, comment
        self.constants: dict[str, np.ndarray] = {}
        self.taken: set[str] = set()

    # ---- lines ---------------------------------------------------------------------------------

    def named(self, name: str, array: DialectArray, comment: str = "") -> DialectArray:
        """A line that gives the array a name."""
        self.lines.append((name, array.text, array.holds, comment))
        return replace(array, text=name, holds=ATOM, number=None)

    def body(self, last: str) -> list[str]:
        """All lines that are needed; one that is used once, in the line that follows, is put into it."""
        import re

        lines: list[tuple[str, str, int, str]] = []
        uses: dict[str, int] = {}
        needed = set(re.findall(r"[A-Za-z_]\w*", last))
        for line in reversed(self.lines):
            if line[0] in needed:
                lines.insert(0, line)
                needed.update(re.findall(r"[A-Za-z_]\w*", line[1]))
        done = []
        for text in [text for _, text, _, _ in lines] + [last]:
            for found in re.findall(r"[A-Za-z_]\w*", text):
                uses[found] = uses.get(found, 0) + 1
        for place, (name, text, holds, comment) in enumerate(lines):
            if uses.get(name, 0) == 1 and place + 1 < len(lines):
                following = lines[place + 1]
                merged = self._put(name, text, holds, following[1])
                if merged is not None and len(merged) <= LONGEST:
                    lines[place + 1] = (following[0], merged, following[2], following[3])
                    continue
            done.append(f"{name} = {text}" + (f"  # {comment}" if comment else ""))
        return done

    def _put(self, name: str, text: str, holds: int, into: str) -> str | None:
        import re

        match = re.search(rf"(?<![\w.]){name}\b(?!\s*[.\[(])", into)
        if match is None:
            return None
        before, after = into[: match.start()], into[match.end() :]
        alone = not before and not after
        inside = before.rstrip()[-1:] in ("(", ",") and after.lstrip()[:1] in (")", ",")
        called = re.search(r"\w\($", before) is not None or before.rstrip()[-1:] == ","
        if holds < ATOM and not alone and not (inside and called):
            text = f"({text})"
        return before + text + after

    # ---- constants -----------------------------------------------------------------------------

    def literal(self, value: float) -> DialectArray:
        return DialectArray(number(value), (), number=value, holds=SIGN if value < 0 else ATOM)

    def constant(self, values: np.ndarray, name: str) -> DialectArray:
        """A table of numbers (or of positions) that belongs to the text."""
        for known, table in self.constants.items():
            if table.dtype == values.dtype and table.shape == values.shape and (table == values).all():
                return DialectArray(self.held(known), values.shape)
        fresh, count = name.upper(), 1
        while fresh in self.constants or fresh in self.taken:
            count += 1
            fresh = f"{name.upper()}{count}"
        self.constants[fresh] = values
        return DialectArray(self.held(fresh), values.shape)

    def held(self, name: str) -> str:
        """How the text refers to a constant."""
        return name

    def wide(self, array: DialectArray) -> DialectArray:
        """An array in place of a bare number, for functions that take nothing else."""
        import numpy as np

        if array.number is None:
            return array
        return self.constant(np.array(array.number), "c")

    # ---- shapes --------------------------------------------------------------------------------

    def sizes(self, array: DialectArray, shape: tuple[int, ...]) -> str:
        return ", ".join(["n"] * array.lanes + [str(size) for size in shape])

    def reshape(self, array: DialectArray, shape: tuple[int, ...]) -> DialectArray:
        if shape == array.shape and not array.loose:
            return array
        if array.loose and shape == array.shape[array.loose :]:
            return replace(array, shape=shape, loose=0)
        sizes = self.sizes(array, shape) or "()"
        return replace(array, text=f"{self.atom(array)}.reshape({sizes})", shape=shape, holds=ATOM, loose=0)

    def firm(self, array: DialectArray) -> DialectArray:
        """All axes in the text."""
        return self.reshape(array, array.shape)

    def atom(self, array: DialectArray) -> str:
        return array.text if array.holds >= ATOM else f"({array.text})"

    def cut(self, array: DialectArray, how: Cut, ones: tuple[bool, ...]) -> DialectArray:
        """The numbers of a rule; `ones`: which axes of the answer stand still (and have the size 1)."""
        if how.grid is not None and not (how.grid == array.shape and how.stop - how.start == array.size):
            if how.stop - how.start != array.size:
                array = self.index(self.reshape(array, (array.size,)), ((how.start, how.stop),))
            array = self.reshape(array, how.grid)
        array = self.index(array, how.parts)
        if how.flipped:
            array = self.flip(array, how.flipped)
        if how.order != tuple(sorted(how.order)):
            array = self.permute(array, how.order)
        return self.spread(array, ones)

    def index(self, array: DialectArray, parts: tuple[tuple[int, int] | int, ...]) -> DialectArray:
        places = []
        shape = []
        for part, size in zip(parts, array.shape, strict=True):
            if isinstance(part, int):
                places.append(str(part))
                continue
            first, past = part
            shape.append(past - first)
            places.append(f"{first or ''}:{past if past < size else ''}")
        if tuple(shape) == array.shape:
            return array
        array = self.firm(array)
        while places and places[-1] == ":":
            places.pop()
        text = f"{self.atom(array)}[{', '.join([':'] * array.lanes + places)}]"
        return replace(array, text=text, shape=tuple(shape), holds=ATOM)

    def spread(self, array: DialectArray, ones: tuple[bool, ...]) -> DialectArray:
        """New axes of the size 1 where `ones` says so."""
        if not any(ones):
            return array
        rest = iter(array.shape)
        shape = tuple(1 if one else next(rest) for one in ones)
        array = self.firm(array)
        places = ["None" if one else ":" for one in ones]
        loose = 0
        while not array.lanes and places[:1] == ["None"]:
            places.pop(0)
            loose += 1
        while places[-1:] == [":"]:
            places.pop()
        if not places:
            return replace(array, shape=shape, loose=loose)
        if not array.shape and not array.lanes:
            return replace(self.reshape(array, shape[loose:]), shape=shape, loose=loose)
        text = f"{self.atom(array)}[{', '.join([':'] * array.lanes + places)}]"
        return replace(array, text=text, shape=shape, holds=ATOM, loose=loose)

    def flip(self, array: DialectArray, axes: tuple[int, ...]) -> DialectArray:
        places = ["::-1" if axis in axes else ":" for axis in range(len(array.shape))]
        return replace(
            array, text=f"{self.atom(array)}[{', '.join([':'] * array.lanes + places)}]", holds=ATOM
        )

    def permute(self, array: DialectArray, order: tuple[int, ...]) -> DialectArray:
        array = self.firm(array)
        shape = tuple(array.shape[axis] for axis in order)
        if len(order) == 2 and not array.lanes:
            return replace(array, text=f"{self.atom(array)}.T", shape=shape, holds=ATOM)
        axes = [0] * array.lanes + [axis + array.lanes for axis in order]
        text = f"{self.atom(array)}.{self.permuted}({', '.join(map(str, axes))})"
        return replace(array, text=text, shape=shape, holds=ATOM)

    def turned(self, array: DialectArray) -> DialectArray:
        """The last two axes exchanged."""
        array = self.firm(array)
        shape = (*array.shape[:-2], array.shape[-1], array.shape[-2])
        for ending in (".T", ".swapaxes(-1, -2)"):
            if array.text.endswith(ending):
                return replace(array, text=array.text.removesuffix(ending), shape=shape)
        if len(shape) == 2 and not array.lanes:
            return replace(array, text=f"{self.atom(array)}.T", shape=shape, holds=ATOM)
        return replace(array, text=f"{self.atom(array)}.swapaxes(-1, -2)", shape=shape, holds=ATOM)

    def expand(self, array: DialectArray, shape: tuple[int, ...], lanes: bool) -> DialectArray:
        if array.shape == shape and array.lanes == lanes and not array.loose:
            return array
        sizes = ", ".join(["n"] * lanes + [str(size) for size in shape])
        text = f"{self.module}.broadcast_to({array.text}, ({sizes}{',' * (', ' not in sizes)}))"
        return DialectArray(text, shape, lanes)

    def join(self, arrays: list[DialectArray]) -> DialectArray:
        """Arrays one after the other, along their first axis."""
        lanes = any(array.lanes for array in arrays)
        arrays = [self.expand(array, array.shape, lanes) for array in arrays]
        inside = ", ".join(array.text for array in arrays)
        shape = (sum(array.shape[0] for array in arrays), *arrays[0].shape[1:])
        return DialectArray(f"{self.concatenate}([{inside}], {int(lanes)})", shape, lanes)

    def gather(self, array: DialectArray, positions: np.ndarray) -> DialectArray:
        """The numbers at some positions of a flat array."""
        table = self.constant(positions, "index")
        return replace(
            array,
            text=f"{self.atom(array)}[{':, ' * array.lanes}{table.text}]",
            shape=positions.shape,
            holds=ATOM,
        )

    # ---- arithmetic ----------------------------------------------------------------------------

    def infix(self, sign: str, a: DialectArray, b: DialectArray) -> DialectArray:
        """a sign b, where the shapes are broadcast."""
        if a.number is not None and b.number is not None and sign in "+-*":
            x, y = a.number, b.number
            return self.literal(x + y if sign == "+" else x - y if sign == "-" else x * y)
        holds = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "@": PRODUCT}[sign]
        left = a.text if a.holds >= holds else f"({a.text})"
        right = b.text if b.holds > holds else f"({b.text})"
        return self.call(f"{left} {sign} {right}", [a, b], holds)

    def masked(self, mask: np.ndarray, a: DialectArray, b: DialectArray) -> DialectArray:
        """a where the mask says so, else b."""
        table = self.constant(mask, "mask")
        return self.call(f"{self.module}.where({table.text}, {a.text}, {b.text})", [table, a, b])

    def negative(self, a: DialectArray) -> DialectArray:
        if a.number is not None:
            return self.literal(-a.number)
        return replace(a, text=f"-{a.text if a.holds >= SIGN else f'({a.text})'}", holds=SIGN)

    def matmul(self, a: DialectArray, b: DialectArray) -> DialectArray:
        """a @ b, for texts; the writer has seen to the shapes."""
        a, b = self.firm(a), self.firm(b)
        product = self.infix("@", a, b)
        shape = (*a.shape[:-1], b.shape[-1]) if len(b.shape) > 1 else a.shape[:-1]
        return replace(product, shape=shape, loose=0)

    def einsum(self, a: DialectArray, b: DialectArray, left: str, right: str, out: str) -> DialectArray:
        a, b = self.firm(a), self.firm(b)
        sizes = dict(zip(left, a.shape, strict=True)) | dict(zip(right, b.shape, strict=True))
        lanes = a.lanes or b.lanes
        spec = f"{'n' * a.lanes}{left},{'n' * b.lanes}{right}->{'n' * lanes}{out}"
        text = f'{self.module}.einsum("{spec}", {a.text}, {b.text})'
        return DialectArray(text, tuple(sizes[letter] for letter in out), lanes)

    def total(self, a: DialectArray) -> DialectArray:
        """The sum over the last axis."""
        return replace(a, text=f"{self.atom(a)}.sum(-1)", shape=a.shape[:-1], holds=ATOM)

    def largest(self, a: DialectArray) -> DialectArray:
        return replace(a, text=f"{self.atom(a)}{self.most}", shape=a.shape[:-1], holds=ATOM)

    def over_lanes(self, a: DialectArray) -> DialectArray:
        return replace(a, text=f"{self.atom(a)}.sum(0)", lanes=False, holds=ATOM)

    def rows(self, table: DialectArray, which: DialectArray) -> DialectArray:
        """table[which]: which row for each entry of `which`."""
        table, which = self.firm(table), self.firm(which)
        text = f"{self.atom(table)}[{self.whole(which)}]"
        return DialectArray(text, (*which.shape, *table.shape[1:]), which.lanes)

    def along(self, table: DialectArray, which: DialectArray) -> DialectArray:
        """One number of each last axis of the table."""
        lanes = table.lanes or which.lanes
        shape = broadcast(table.shape[:-1], which.shape)
        table = self.expand(table, (*shape, table.shape[-1]), lanes)
        which = self.expand(which, shape, lanes)
        text = f"{self.module}.take_along_axis({table.text}, {self.whole(which)}[..., None], -1)[..., 0]"
        return DialectArray(text, shape, lanes)

    def whole(self, which: DialectArray) -> str:
        """Numbers as indices."""
        return f"{self.atom(which)}.astype(int)"

    def apply(self, kernel: str, operands: list[DialectArray]) -> DialectArray:
        raise NotImplementedError(kernel)

    def call(self, text: str, operands: list[DialectArray], holds: int = ATOM) -> DialectArray:
        shape: tuple[int, ...] = ()
        for operand in operands:
            shape = broadcast(shape, operand.shape)
        rank = max(len(operand.shape) - operand.loose for operand in operands)
        return DialectArray(
            text, shape, any(operand.lanes for operand in operands), holds, loose=len(shape) - rank
        )

    def extra(self) -> dict[str, Any]:
        return {}


def broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    return tuple(max(x, y) for x, y in zip(a, b, strict=True))
