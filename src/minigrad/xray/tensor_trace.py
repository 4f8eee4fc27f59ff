"""Trace of the backward pass of a PyTorch loss: what arrived at each node and what each sent, as numbers.

    record = record_forward(make_loss, model)
    found = trace_gradients(record)
    found.nodes[7].arrived, found.nodes[7].sent     # norm, extremes, zeros, NaN, inf, dtype
    found.gradients["fc1.weight"]                   # the same of what came to a parameter

The pass is the one that the program would make, over the same graph, and gives the same bits; it only has
listeners.  Nothing is written to `.grad`.  Of a tensor that went by, a handful of numbers is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import hypot, inf, isfinite
from re import sub
from typing import TYPE_CHECKING, Any

from ..text.numerals import json_number
from .forward_record import ForwardRecord, ModuleCall, TorchCall, tensors_in
from .program_place import NOWHERE, ProgramPlace

if TYPE_CHECKING:
    from torch import Tensor

__all__ = [
    "Contribution", "DepthRow", "GradientSize", "NodeGraph", "TensorTrace", "TraceNode", "is_reentrant",
    "op_name", "pass_backward", "trace_gradients",
]  # fmt: skip

OPAQUE = ("CheckpointFunctionBackward", "CompiledFunctionBackward", "GraphBackward")


@dataclass(frozen=True, slots=True)
class GradientSize:
    """A gradient tensor as a few numbers."""

    norm: float
    low: float
    high: float
    count: int
    zeros: int
    nans: int = 0
    infs: int = 0
    dtype: str = ""

    @property
    def finite(self) -> bool:
        return not self.nans and not self.infs

    @property
    def zero_share(self) -> float:
        return self.zeros / self.count if self.count else 0.0

    @property
    def health(self) -> str:
        """In one word: broken, zero, sparse or right; what a page shows as a colour."""
        if not self.finite:
            return "broken"
        if not self.norm:
            return "zero"
        return "sparse" if self.zero_share > 0.9 else "right"

    def to_json(self) -> dict[str, Any]:
        return {
            "norm": json_number(self.norm), "low": json_number(self.low), "high": json_number(self.high),
            "count": self.count, "zeros": self.zeros, "nans": self.nans, "infs": self.infs,
            "dtype": self.dtype,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a node sent through one of its slots."""

    slot: int
    target: int  # the index of a node
    size: GradientSize | None  # None where nothing was sent


@dataclass(slots=True, eq=False)
class TraceNode:
    """A node of the autograd graph and what came of it in the pass."""

    index: int
    node: Any
    op: str
    call: TorchCall | None  # the op of the forward pass that made it
    parameter: str = ""  # of a leaf
    arrived: tuple[GradientSize | None, ...] = ()  # one for each of its outputs
    sent: tuple[Contribution, ...] = ()

    @property
    def module(self) -> str:
        """The path of the module in which it was made; of a parameter, the module that it belongs to."""
        if self.parameter:
            return self.parameter.rpartition(".")[0]
        return self.call.module.name if self.call is not None and self.call.module is not None else ""

    @property
    def place(self) -> ProgramPlace:
        return self.call.place if self.call is not None else NOWHERE

    @property
    def norm(self) -> float:
        """The norm of all that arrived."""
        return hypot(*(size.norm for size in self.arrived if size is not None))

    def to_json(self) -> dict[str, Any]:
        return {
            "op": self.op, "module": self.module, "parameter": self.parameter,
            "file": self.place.file, "line": self.place.line,
            "arrived": [None if size is None else size.to_json() for size in self.arrived],
            "sent": [
                {"slot": each.slot, "target": each.target,
                 "size": None if each.size is None else each.size.to_json()}
                for each in self.sent
            ],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class DepthRow:
    """A call of a module: the gradient that came to what it gave, and the one that left to what it took."""

    module: str
    call: ModuleCall
    above: float
    below: float

    @property
    def factor(self) -> float:
        """By how much the size of the gradient changes between its output and its input."""
        return self.below / self.above if self.above else float("nan")


@dataclass(slots=True, eq=False)
class TensorTrace:
    """A backward pass as it went."""

    nodes: list[TraceNode]
    gradients: dict[str, GradientSize | None]  # of each parameter; None where none came
    record: ForwardRecord
    notes: list[tuple[str, dict[str, Any]]] = field(
        default_factory=list
    )  # what could not be seen: key, fields
    tensors: dict[str, Tensor] = field(
        default_factory=dict
    )  # the gradients themselves, where they were asked for

    def depth(self) -> list[DepthRow]:
        """How the size of the gradient changes along the depth, in the order of the forward pass."""
        known = {(each.node, at): size for each in self.nodes for at, size in enumerate(each.arrived)}

        def size_of(tensors: Sequence[Any]) -> float | None:
            sizes = [
                size for x in {id(x): x for x in tensors}.values()
                if x.grad_fn is not None and (size := known.get((x.grad_fn, x.output_nr))) is not None
            ]  # fmt: skip
            return hypot(*(size.norm for size in sizes)) if sizes else None

        rows = []
        for call in self.record.module_calls:
            above = size_of(list(tensors_in(call.output)))
            below = size_of([*tensors_in(call.arguments), *tensors_in(call.options)])
            if above is not None and below is not None:
                rows.append(DepthRow(call.name, call, above, below))
        return rows

    def to_json(self) -> dict[str, Any]:
        return {
            "nodes": [each.to_json() for each in self.nodes],
            "gradients": {
                name: None if size is None else size.to_json() for name, size in self.gradients.items()
            },
            "depth": [
                {"module": row.module, "above": json_number(row.above), "below": json_number(row.below)}
                for row in self.depth()
            ],
            "not_seen": [{"what": key, **fields} for key, fields in self.notes],
        }


def op_name(node: Any) -> str:
    """What a node is called without what every node is called: AddmmBackward0 is Addmm."""
    return sub(r"Backward\d*$", "", node.name().rpartition("::")[2]) or node.name()


class NodeGraph:
    """The autograd graph below some losses: its nodes, newest consumers first, and who sends to whom."""

    def __init__(self, losses: Sequence[Tensor]) -> None:
        self.roots = [loss.grad_fn for loss in losses if loss.grad_fn is not None]
        found = dict.fromkeys(self.roots)
        rest = list(found)
        self.edges: dict[Any, list[tuple[Any, int, int]]] = {}
        while rest:
            node = rest.pop()
            for slot, (target, output) in enumerate(node.next_functions):
                if target is None:
                    continue
                self.edges.setdefault(target, []).append((node, slot, output))
                if target not in found:
                    found[target] = None
                    rest.append(target)
        self.nodes = sorted(found, key=lambda node: (hasattr(node, "variable"), -node._sequence_nr()))


def losses_of(record: ForwardRecord) -> list[Tensor]:
    """What make_loss gave, as far as a gradient can start there."""
    return [x for x in tensors_in(record.loss) if x.requires_grad and x.grad_fn is not None]


def is_reentrant(graph: NodeGraph) -> bool:
    """Is there a checkpoint that only `backward()` gets through?"""
    return any(node.name() == "CheckpointFunctionBackward" for node in graph.nodes)


def trace_gradients(record: ForwardRecord, keep: bool = False, tensors: bool = False) -> TensorTrace:
    """Run the backward pass of a recorded loss and note what goes by.

    `keep` leaves the graph usable for another pass; `tensors` keeps the gradients of the parameters.
    """
    losses = losses_of(record)
    graph = NodeGraph(losses)
    index = {node: at for at, node in enumerate(graph.nodes)}
    names = {id(x): name for x, name in zip(record.leaves, record.leaf_names, strict=True)}
    nodes = [
        TraceNode(
            at, node, op_name(node), record.call_of(node) if not hasattr(node, "variable") else None,
            names.get(id(getattr(node, "variable", None)), ""),
        )
        for node, at in index.items()
    ]  # fmt: skip
    found = TensorTrace(nodes, {}, record)
    for each in nodes:
        if each.node.name().startswith(OPAQUE):
            found.notes.append(("xray.unseen.opaque", {"op": each.op, "module": each.module}))
    scale = _SizeNotes()
    arrivals: dict[int, tuple[int | None, ...]] = {}
    departures: dict[int, tuple[tuple[int, int, int | None], ...]] = {}
    with _listeners(index, nodes, scale, arrivals, departures):
        leaves = [x for x in record.leaves if x.requires_grad]
        gradients = pass_backward(losses, leaves, graph, keep=keep)
    of_leaf = {id(getattr(each.node, "variable", None)): each for each in nodes}
    noted: dict[str, int | None] = {}
    for leaf, gradient in zip(leaves, gradients, strict=True):
        name = names[id(leaf)]
        noted[name] = scale.note(gradient)
        if id(leaf) in of_leaf:
            arrivals[of_leaf[id(leaf)].index] = (noted[name],)
        if tensors and gradient is not None:
            found.tensors[name] = gradient
    sizes = scale.sizes()

    def size(at: int | None) -> GradientSize | None:
        return None if at is None else sizes[at]

    for each in nodes:
        each.arrived = tuple(map(size, arrivals.get(each.index, ())))
        rows = departures.get(each.index, ())
        each.sent = tuple(Contribution(slot, target, size(at)) for slot, target, at in rows)
    found.gradients = {name: size(at) for name, at in noted.items() if name}
    return found


def pass_backward(
    losses: Sequence[Tensor], leaves: Sequence[Tensor], graph: NodeGraph, *, keep: bool
) -> Sequence[Tensor | None]:
    """The gradients of leaves; `.grad` is afterwards what it was."""
    import torch

    if not losses or not leaves:
        return [None] * len(leaves)
    seeds = [torch.ones_like(loss) for loss in losses]
    if not is_reentrant(graph):
        found: Sequence[Tensor | None] = torch.autograd.grad(
            losses, leaves, seeds, retain_graph=keep, allow_unused=True
        )
        return found
    before = [leaf.grad for leaf in leaves]
    try:
        for leaf in leaves:
            leaf.grad = None
        torch.autograd.backward(losses, seeds, retain_graph=keep)
        return [leaf.grad for leaf in leaves]
    finally:
        for leaf, grad in zip(leaves, before, strict=True):
            leaf.grad = grad


@contextmanager
def _listeners(
    index: dict[Any, int],
    nodes: Sequence[TraceNode],
    scale: _SizeNotes,
    arrivals: dict[int, tuple[int | None, ...]],
    departures: dict[int, tuple[tuple[int, int, int | None], ...]],
) -> Iterator[None]:
    """Note what arrives at each node and what each sends, as places in `scale`."""
    latest: dict[tuple[int, int], tuple[int, int]] = {}  # by target and output: memory, and the note of it
    handles = []

    def arrival(at: int) -> Callable[..., None]:
        def listen(gradients: Sequence[Tensor | None]) -> None:
            noted: list[int | None] = []
            for output, gradient in enumerate(gradients):
                before = latest.pop((at, output), None)
                if gradient is not None and before is not None and before[0] == _memory(gradient):
                    noted.append(before[1])  # the only contribution, and nobody has changed it
                else:
                    noted.append(scale.note(gradient))
            arrivals[at] = tuple(noted)

        return listen

    def departure(at: int, targets: Sequence[tuple[Any, int]]) -> Callable[..., None]:
        def listen(sent: Sequence[Tensor | None], arrived: Sequence[Tensor | None]) -> None:
            before = zip(arrived, arrivals.get(at, ()), strict=False)
            known = {id(x): note for x, note in before if x is not None}
            rows: list[tuple[int, int, int | None]] = []
            for slot, ((target, output), gradient) in enumerate(zip(targets, sent, strict=False)):
                if target is None:
                    continue
                if gradient is not None and id(gradient) not in known:
                    known[id(gradient)] = scale.note(gradient)
                note = None if gradient is None else known[id(gradient)]
                rows.append((slot, index[target], note))
                if gradient is not None and note is not None:
                    latest[index[target], output] = (_memory(gradient), note)
            departures[at] = tuple(rows)

        return listen

    try:
        for each in nodes:
            if not hasattr(each.node, "variable"):
                handles.append(each.node.register_prehook(arrival(each.index)))
                handles.append(each.node.register_hook(departure(each.index, each.node.next_functions)))
        yield
    finally:
        for handle in handles:
            handle.remove()


def _memory(x: Tensor) -> int:
    try:
        return hash((x.data_ptr(), x._version, x.shape))
    except (RuntimeError, NotImplementedError):  # a sparse one has no memory of its own
        return id(x)


class _SizeNotes:
    """Sizes of tensors, which are measured as they go by and read when the pass is over."""

    def __init__(self) -> None:
        self._rows: list[tuple[Any, ...]] = []

    def note(self, x: Tensor | None) -> int | None:
        """Measure a tensor; a number by which its size is found later."""
        if x is None:
            return None
        import torch

        with torch.no_grad():
            plain = x.detach()
            dtype = str(plain.dtype).removeprefix("torch.")
            if plain.layout != torch.strided:
                total = plain.numel()
                plain = plain.coalesce().values() if plain.layout == torch.sparse_coo else plain.to_dense()
            else:
                total = plain.numel()
            if plain.is_complex():
                plain = torch.view_as_real(plain.resolve_conj())
            plain = _without_repeats(plain)
            repeats = total // plain.numel() if plain.numel() and x.layout == torch.strided else 1
            if not plain.numel():
                self._rows.append((0.0, 0.0, 0.0, 0, total, total, 0, 0, dtype, 1))
                return len(self._rows) - 1
            wide = plain.dtype if plain.dtype in (torch.float32, torch.float64) else torch.float32
            norm = torch.linalg.vector_norm(plain, dtype=wide)
            low, high = torch.aminmax(plain)
            nonzero: Any = torch.count_nonzero(plain)
            nans: Any = 0
            infs: Any = 0
            if not isfinite(float(low + high)):  # one wait for a GPU costs less than four kernels
                nans = (plain != plain).sum()
                infs = (plain == inf).sum() + (plain == -inf).sum()  # `isinf` makes a copy of everything
            self._rows.append((norm, low, high, nonzero, plain.numel(), total, nans, infs, dtype, repeats))
        return len(self._rows) - 1

    def sizes(self) -> list[GradientSize]:
        found = []
        columns = [*map(_read, zip(*self._rows, strict=True))]
        for norm, low, high, nonzero, seen, total, nans, infs, dtype, repeats in zip(*columns, strict=True):
            missing = total - seen * repeats  # of a sparse tensor, what it does not store
            zeros = (seen - int(nonzero)) * repeats + max(0, missing)
            found.append(
                GradientSize(
                    float(norm) * repeats**0.5,
                    float(low),
                    float(high),
                    total,
                    zeros,
                    int(nans) * repeats,
                    int(infs) * repeats,
                    dtype,
                )
            )
        return found


def _read(column: Sequence[Any]) -> list[Any]:
    """The numbers in a column, some of which are tensors: those of a kind are read together, since each
    reading waits for a GPU."""
    import torch

    found, kinds = list(column), dict[Any, list[int]]()
    for at, each in enumerate(found):
        if isinstance(each, torch.Tensor):
            kinds.setdefault((each.device, each.dtype), []).append(at)
    for rows in kinds.values():
        for at, number in zip(rows, torch.stack([found[at] for at in rows]).tolist(), strict=True):
            found[at] = number
    return found


def _without_repeats(x: Tensor) -> Tensor:
    """An expanded tensor without what is there many times: the gradient of a sum is one number."""
    for dim, step in enumerate(x.stride()):
        if step == 0 and x.shape[dim] > 1:
            x = x.narrow(dim, 0, 1)
    return x
