"""The arguments of a batch as columns: one array per number of a sample, and back."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any

from ..text.excerpts import describe
from ..text.translation import say
from ..values.trees import container
from .numpy_loader import numpy
from .structure import (
    Branch,
    Static,
    Tree,
    count,
    is_array,
    is_doubles,
    kind_of_array,
    refuse_own_kind,
    take_apart,
    tree_of_shape,
)
from .variants import Variant

if TYPE_CHECKING:
    from .fast_path import CallKind
    from .numpy_loader import Array, Booleans, Columns, Doubles, Integers, Numbers

__all__ = ["Lanes", "arrays_of", "kind_of_batch", "lanes_again", "lanes_of"]

_FEW = 64  # columns that are handed over one by one; more of them are put side by side first


@dataclass(slots=True)
class Lanes:
    """The arguments of a batch: the structure of one sample, and the numbers of all."""

    tree: Branch  # of the arguments of one sample
    kinds: str
    starts: list[int]  # where the numbers of each argument begin, and where all end
    places: frozenset[int]  # the arguments that have the added axis
    inputs: frozenset[int]  # their numbers
    shared: Sequence[float] | Doubles  # the numbers of the others
    order: list[int]  # of each number: its place among the shared ones, or among those with the axis
    # float64 or float32 [batch, columns], side by side all inputs with the added axis in their order
    blocks: list[Array]
    size: int  # how many samples there are

    def columns_of(self, samples: Integers | None) -> Columns:
        """The columns of some of the samples, or of all if `samples` is None, for an executor."""
        np = numpy()
        blocks = self.blocks if samples is None else [block[samples] for block in self.blocks]
        if len(blocks) == 1:
            return blocks[0]
        if sum(block.shape[1] for block in blocks) > _FEW:
            side_by_side: Array = np.concatenate(blocks, axis=1)
            return side_by_side
        return [block[:, k] for block in blocks for k in range(block.shape[1])]

    def sample(self, sample: int) -> list[float]:
        """The numbers of one sample from left to right, integers as such."""
        own = iter([x for block in self.blocks for x in block[sample].tolist()])
        shared = iter(self.shared)
        numbers = [next(own) if j in self.inputs else next(shared) for j in range(len(self.kinds))]
        return [int(x) if kind == "i" else float(x) for x, kind in zip(numbers, self.kinds, strict=True)]

    def in_range(self, variant: Variant, samples: Integers) -> Booleans:
        """Of each of some samples, whether its indices are ones of rows that there are."""
        np = numpy()
        fine: Booleans = np.ones(len(samples), dtype=bool)
        for j, rows in variant.traced.rows.items():
            place = self.order[j]
            chosen = self._column(place)[samples] if j in self.inputs else self.shared[place]
            fine &= (chosen >= 0) & (chosen < rows)
        return fine

    def _column(self, k: int) -> Array:
        for block in self.blocks:
            if k < block.shape[1]:
                column: Array = block[:, k]
                return column
            k -= block.shape[1]
        raise IndexError(k)


def kind_of_batch(args: Sequence[object], places: frozenset[int]) -> CallKind | None:
    """What batches of one kind have in common; None where an argument is no array of doubles and no float."""
    kind: list[tuple[int, ...] | None] = []
    for place, argument in enumerate(args):
        if type(argument) is float and place not in places:
            kind.append(None)
        elif is_doubles(argument):
            if place not in places:
                kind.append(argument.shape)
            elif argument.ndim:
                kind.append(argument.shape[1:])
            else:
                return None
        else:
            return None
    return tuple(kind)


def lanes_again(known: Lanes, args: Sequence[Any]) -> Lanes | None:
    """The lanes of another batch of the same kind, or None where the sizes do not fit."""
    np = numpy()
    arrays = [args[n] for n in sorted(known.places)]
    blocks = [array.reshape(len(array), prod(array.shape[1:])) for array in arrays]
    if len({len(block) for block in blocks}) != 1 or not len(blocks[0]):
        return None
    others = [argument for n, argument in enumerate(args) if n not in known.places]
    shared: Sequence[float] | Doubles = others
    if not all(type(argument) is float for argument in others):
        shared = np.concatenate([np.asarray(argument).reshape(-1) for argument in others])
    return replace(known, shared=shared, blocks=blocks, size=len(blocks[0]))


def lanes_of(args: Sequence[object], places: frozenset[int], floats: Container[int]) -> Lanes:
    """The arguments of a batch, of which those at `places` have the added axis."""
    trees: list[Tree] = []
    kinds: list[str] = []
    starts = [0]
    inputs: list[int] = []
    shared: list[float] = []
    order: list[int] = []
    blocks: list[Array] = []
    for place, argument in enumerate(args):
        if place in places:
            reader = _ColumnReader(place, place in floats)
            trees.append(reader.read(argument))
            letters = "".join(reader.letters)
            order += range(len(inputs), len(inputs) + len(letters))
            inputs += range(starts[-1], starts[-1] + len(letters))
            blocks += reader.blocks
        else:
            parts = take_apart((argument,), (0,) if place in floats else ())
            trees.append(parts.tree[2][0])
            letters = parts.kinds
            order += range(len(shared), len(shared) + len(letters))
            shared += parts.numbers
        kinds.append(letters)
        starts.append(starts[-1] + len(letters))
    sizes = {len(block) for block in blocks}
    if not sizes:
        raise ValueError(say("compile.batch.no_axis"))
    if len(sizes) > 1:
        raise ValueError(say("compile.batch.sizes", sizes=", ".join(map(str, sorted(sizes)))))
    (size,) = sizes
    tree = (tuple, None, tuple(trees))
    return Lanes(tree, "".join(kinds), starts, places, frozenset(inputs), shared, order, blocks, size)


class _ColumnReader:
    """Reads one argument with an added axis."""

    def __init__(self, place: int, floats: bool) -> None:
        self.place, self.floats = place, floats
        self.blocks: list[Array] = []
        self.letters: list[str] = []

    def read(self, part: object) -> Tree:
        """The tree of one sample."""
        if is_array(part):
            return self._array(part)
        if isinstance(part, (dict, list, tuple)):
            refuse_own_kind(type(part))
        if isinstance(part, dict):
            return (dict, tuple(part), tuple([self.read(x) for x in part.values()]))
        if isinstance(part, tuple):
            return (type(part), None, tuple([self.read(x) for x in part]))
        if isinstance(part, list):
            return self._samples(part)
        if part is None or isinstance(part, (bool, str, bytes)):
            return (Static, (type(part), part), ())
        raise ValueError(say("compile.batch.axis", place=self.place, given=describe(part)))

    def _array(self, part: Array) -> Tree:
        if not part.ndim:
            raise ValueError(say("compile.batch.axis", place=self.place, given=describe(part)))
        kind = "f" if kind_of_array(part) == "f" or self.floats else "i"
        block = part.reshape(len(part), prod(part.shape[1:]))
        narrow = block.dtype.kind == "f" and block.dtype.itemsize in (4, 8) and block.dtype.isnative
        self.blocks.append(block if narrow else block.astype(float))
        self.letters.append(kind * block.shape[1])
        return tree_of_shape(part.shape[1:])

    def _samples(self, part: list[object]) -> Tree:
        """A list of samples, each of any structure, but all of the same."""
        np = numpy()
        alike = set(map(type, part))
        if alike in ({float}, {int}) or not part:
            return self._array(np.array(part, dtype=float if alike != {int} else None))
        samples = [take_apart((sample,), (0,) if self.floats else ()) for sample in part]
        tree = samples[0].tree
        for k, sample in enumerate(samples):
            if sample.tree != tree:
                raise ValueError(say("compile.batch.ragged", place=self.place, sample=k))
        rows = [sample.numbers for sample in samples]
        self.blocks.append(np.array(rows, dtype=float).reshape(len(part), len(rows[0])))
        kinds = {sample.kinds for sample in samples}
        columns = zip(*kinds, strict=True)  # where one sample has a number and another an integer: a number
        self.letters.append("".join("f" if "f" in column else "i" for column in columns))
        return tree[2][0]


def arrays_of(tree: Tree, columns: Sequence[Numbers], size: int, dtype: str) -> Any:
    """Columns as arrays in the structure of a tree; nested lists of one shape become one array."""
    np = numpy()
    rest = iter(columns)

    def build(part: Tree) -> Any:
        shape = _shape(part)
        if part is None or shape is not None:
            own = [next(rest) for _ in range(count(part))]
            if not shape:
                return np.asarray(own[0], dtype=dtype)
            block = np.stack(own, axis=-1) if own else np.zeros((size, 0))
            return block.reshape(size, *shape).astype(dtype, copy=False)
        kind, keys, subtrees = part
        if kind is Static and keys:
            return keys[1]
        return container(kind, keys, [build(subtree) for subtree in subtrees])

    return build(tree)


def _shape(tree: Tree) -> tuple[int, ...] | None:
    """The shape of nested lists of numbers; None for what is not such."""
    if tree is None:
        return ()
    kind, _, subtrees = tree
    if kind is not list:
        return None
    shapes = {_shape(subtree) for subtree in set(subtrees)}
    if len(shapes) > 1 or None in shapes:
        return None
    return (len(subtrees), *(shapes.pop() or ())) if shapes else (0,)
