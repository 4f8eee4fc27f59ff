"""Recorder of scalars: what becomes of one number of a parameter in each op that runs below autograd.

For each storage that holds numbers of the cone there is a shadow of the same size that says which node each
number is, so that views and writes in place need no rule of their own. A tensor that autograd does not
follow is constant: what `detach` cuts is cut here too. Where a result would have more numbers than
`widest`, those with the largest slope are followed, and the others are constants.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from inspect import signature
from threading import Thread
from typing import TYPE_CHECKING, Any

from ..doctor.rules.torch_calls import surround_functions
from .scalar_ops import AFFINE, ELEMENTWISE, LAYOUT, Scalar, ScalarGraph

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["Omission", "ScalarRecorder", "loss_slopes"]

MOST_BACKWARDS = 20_000  # of one call of a custom Function, one for each number that it gave
LARGEST_PROBE = 4_000_000  # numbers that are made to find the factors of one op


@dataclass(frozen=True)
class Omission:
    """An op of whose numbers only the largest were followed, or none."""

    op: str
    module: str
    followed: int
    of: int


class ScalarRecorder:
    """Follows one number of a parameter through all ops that run inside `following()`."""

    def __init__(
        self,
        parameter: Tensor,
        place: tuple[int, ...],
        name: str,
        widest: int,
        most: int,
        slopes: Mapping[int, Tensor] | None = None,
    ) -> None:
        import torch

        self.widest, self.most = widest, most
        self.within_op = max(256, 16 * widest)  # numbers of one step of an op that is taken apart
        self.loss_slopes = slopes or {}  # of the loss by what each op gave, by the number of the op
        self.number = -1
        self.graph = ScalarGraph(name, float(parameter.detach()[place]))
        self.shadows: dict[int, tuple[Any, Tensor]] = {}  # by storage, which is kept alive with it
        self.omissions: list[Omission] = []
        self.functions: dict[str, None] = {}  # the custom Functions that were followed, by name
        self.paused = False
        self.within = [""]
        self.depth = 0
        self.shifted = False
        self.counts: dict[tuple[str, str], int] = defaultdict(int)
        places = torch.full(parameter.shape, -1, dtype=torch.int64)
        places[place] = 0
        self.write(parameter.detach(), places)

    @contextmanager
    def following(self) -> Iterator[None]:
        """See every op below autograd; ops that are taken apart come here again."""
        from torch.utils._python_dispatch import TorchDispatchMode

        recorder = self

        class ScalarMode(TorchDispatchMode):  # type: ignore[misc]
            def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                return recorder.run(func, args, kwargs or {})

        self.mode = ScalarMode()
        end = surround_functions(self.custom)
        try:
            with self.mode:
                yield
        finally:
            end()

    # -- shadows

    def read(self, x: Tensor) -> Any:
        """Which node each number of a tensor is, -1 for a constant; None where all are."""

        import torch

        if x.layout != torch.strided or not x.is_floating_point():
            return None
        found = self.shadows.get(x.untyped_storage()._cdata)
        if found is None:
            return None
        places = found[1].as_strided(x.shape, x.stride(), x.storage_offset())
        return places if bool((places >= 0).any()) else None

    def write(self, x: Tensor, places: Tensor) -> None:
        import torch

        storage = x.untyped_storage()
        if storage._cdata not in self.shadows:
            whole = torch.full((storage.nbytes() // x.element_size(),), -1, dtype=torch.int64)
            self.shadows[storage._cdata] = (storage, whole)
        shadow = self.shadows[storage._cdata][1]
        shadow.as_strided(x.shape, x.stride(), x.storage_offset()).copy_(places)

    def node_of(self, loss: Tensor) -> int | None:
        places = self.read(loss)
        if places is None or loss.numel() != 1 or not loss.requires_grad:
            return None
        node = int(places.reshape(()))
        self.graph.nodes[node] = self.graph.nodes[node]._replace(label="loss")
        return node

    # -- ops

    def run(self, func: Any, args: Any, kwargs: Any) -> Any:
        """Run an op of the program, or of an op that is taken apart."""
        if self.paused:
            return func(*args, **kwargs)
        if self.depth:
            return self.run_one(func, args, kwargs)
        self.number += 1
        made = self.run_one(func, args, kwargs)
        if not func.is_view:
            self.prune(made[0] if isinstance(made, (tuple, list)) and made else made, func)
        return made

    def prune(self, out: Any, func: Any) -> None:
        """Of a result with too many live numbers, keep those through which most of the gradient flows."""
        import torch

        places = self.read(out) if isinstance(out, torch.Tensor) else None
        if places is None or int((places >= 0).sum()) <= self.widest:
            return
        flat = places.reshape(-1).clone()
        spots = (flat >= 0).nonzero().flatten()
        size = self.slopes(flat[spots]).abs()
        slope = self.loss_slopes.get(self.number)
        if slope is not None and slope.shape == out.shape:
            size = size * slope.reshape(-1)[spots].double().abs()
        kept = spots[size.topk(self.widest).indices]
        self.omit(func._overloadpacket.__name__, self.widest, len(spots))
        blank = torch.full_like(flat, -1)
        blank[kept] = flat[kept]
        self.write(out, blank.reshape(places.shape))

    def run_one(self, func: Any, args: Any, kwargs: Any) -> Any:
        """Run an op, and follow what depends on the number."""

        import torch
        from torch.utils._pytree import tree_leaves

        tensors = [x for x in tree_leaves((args, kwargs)) if isinstance(x, torch.Tensor)]
        open_ = self.depth > 0 or torch.is_grad_enabled()
        shadowed = [x for x in tensors if self.read(x) is not None]
        followed = {id(x) for x in shadowed if open_ and (self.depth > 0 or x.requires_grad)}
        packet = func._overloadpacket.__name__
        if func.is_view and shadowed and func._can_decompose():  # a copy where no view is possible
            return self.taken_apart(packet, func.decompose, args, kwargs, followed)
        if not shadowed or func.is_view:
            return func(*args, **kwargs)
        mutates = func._schema.is_mutable
        if mutates:
            return self.mutate(func, packet, args, kwargs, followed)
        if not followed:
            return func(*args, **kwargs)
        return self.follow(func, packet, args, kwargs, followed)

    def custom(self, original: Any, cls: Any, args: Any, kwargs: Any) -> Any:
        """A custom Function: its local derivatives as its own backward sends them, one number at a time.

        They are what PyTorch used, right or wrong; whether they fit the forward is for the doctor to say.
        """
        import torch

        outs = original(cls, *args, **kwargs)
        if kwargs:
            args = signature(cls.forward).bind(*args, **kwargs).args
        given = [x for x in args if isinstance(x, torch.Tensor)]
        made = [
            x for x in (outs if isinstance(outs, (tuple, list)) else (outs,))
            if isinstance(x, torch.Tensor) and x.requires_grad and x.is_floating_point()
        ]  # fmt: skip
        places = [self.read(x) if x.requires_grad else None for x in given]
        if self.depth or self.paused or not made or all(each is None for each in places):
            return outs
        self.functions[cls.__name__] = None
        if any(x is y for x in made for y in given):  # written in place: what it took is gone
            self.omit(cls.__name__, 0, sum(x.numel() for x in made))
            return outs
        slots = [None if each is None else each.clone().flatten() for each in places]
        for out in made:
            self._sent_by(cls.__name__, out, slots)
        return outs

    def _sent_by(self, name: str, out: Any, slots: Sequence[Tensor | None]) -> None:
        """Follow one result of a custom Function to the numbers that its backward sends something to."""
        import torch

        flat = out.detach().double().flatten()
        most = min(len(flat), self.within_op, MOST_BACKWARDS)
        spots: list[int] = []
        nodes: list[Scalar] = []
        self.paused = True
        try:
            for at in range(most):
                one = torch.zeros(out.numel(), dtype=out.dtype, device=out.device)
                one[at] = 1.0
                pairs = [
                    (int(where[spot]), float(row.reshape(-1)[spot]))
                    for where, row in zip(slots, _sent(out, one.view(out.shape)), strict=True)
                    if where is not None and row is not None
                    for spot in ((where >= 0) & (row.reshape(-1) != 0)).nonzero().flatten().tolist()
                ]
                if pairs:
                    spots.append(at)
                    nodes.append(self.graph.custom(pairs, float(flat[at]), ""))
        except (RuntimeError, ValueError):  # such as a backward that can run only once
            self.omit(name, 0, len(flat))
            return
        finally:
            self.paused = False
        if most < len(flat):
            self.omit(name, most, len(flat))
        self.put(out, torch.tensor(spots, dtype=torch.int64), nodes, name)

    def mutate(self, func: Any, packet: str, args: Any, kwargs: Any, followed: set[int]) -> Any:
        """An op in place: the same op with a result of its own, which is then written."""

        import torch

        base = packet.rstrip("_")
        pure = getattr(getattr(torch.ops.aten, base, None), func._overloadname, None)
        if pure is None or not packet.endswith("_") or "out" in kwargs:
            return func(*args, **kwargs)
        target = args[0]
        if not followed and not torch.is_grad_enabled() and self.depth == 0:
            return func(*args, **kwargs)  # what is written where autograd does not look stays what it was
        if base == "copy":
            source = args[1]
            places = self.read(source) if id(source) in followed else None
            result = func(*args, **kwargs)
            blank = torch.full(source.shape, -1, dtype=torch.int64) if places is None else places
            self.write(target, blank.expand(target.shape))
            return result
        # in-place ops on numbers that were constant until now are followed from here on
        made = self.follow(pure, base, args, kwargs, followed) if followed else pure(*args, **kwargs)
        places = self.read(made)
        target.copy_(made)
        self.write(target, torch.full(target.shape, -1) if places is None else places)
        return target

    def follow(self, func: Any, packet: str, args: Any, kwargs: Any, followed: set[int]) -> Any:
        from torch._decomp import decomposition_table

        if packet in ELEMENTWISE and not kwargs.get("rounding_mode"):
            return self.elementwise(ELEMENTWISE[packet], packet, func, args, kwargs, followed)
        if packet == "div" and not kwargs.get("rounding_mode"):
            return self.elementwise(
                lambda g, a, b: g.apply("div", a, b), packet, func, args, kwargs, followed
            )
        if packet in LAYOUT:
            return self.layout(packet, func, args, kwargs, followed)
        if packet in ("mm", "bmm"):
            return self.product(packet, func, args, followed)
        if packet in ("sum", "mean"):
            return self.total(packet, func, args, kwargs)
        if packet == "prod":
            return self.multiplied(func, args, kwargs)
        if packet in ("amax", "amin", "max", "min") and not isinstance(func(*args, **kwargs), tuple):
            if self.shifted:  # by how much softmax shifts changes nothing, so nothing flows there
                return func(*args, **kwargs)
            return self.extreme("max" if packet.endswith("max") else "min", func, args, kwargs)
        if packet in ("max_pool2d_with_indices", "max", "min", "topk", "sort", "cummax", "cummin"):
            return self.chosen(packet, func, args, kwargs)
        if packet == "native_dropout":
            out, mask = func(*args, **kwargs)
            scale = 1.0 / (1.0 - args[1]) if args[2] is not False and args[1] < 1 else 1.0
            factors = mask.double() * scale
            self.mapped(out, packet, [self.read(args[0])], lambda at, x: self.graph.apply(
                "mul", x, float(factors[at])), [args[0]])  # fmt: skip
            return out, mask
        if packet in AFFINE and self.alone(args, AFFINE[packet], followed):
            return self.affine(packet, func, args, kwargs, followed)
        if func.namespace == "prims" and packet == "var":
            return self.taken_apart(packet, _variance, args, kwargs, followed)
        if packet == "log_sigmoid_forward":
            return self.taken_apart(packet, _log_sigmoid, args, kwargs, followed)
        table = decomposition_table.get(func)
        if table is not None:
            return self.taken_apart(packet, table, args, kwargs, followed)
        if func._can_decompose():
            return self.taken_apart(packet, func.decompose, args, kwargs, followed)
        return self.stated(packet, func, args, kwargs, followed)

    def taken_apart(self, packet: str, table: Any, args: Any, kwargs: Any, followed: set[int]) -> Any:
        """An op as others, in which every number is followed, so that cut ones are replaced by copies."""

        import torch
        from torch.utils._pytree import tree_map

        def cut(x: Any) -> Any:
            if isinstance(x, torch.Tensor) and id(x) not in followed and self.read(x) is not None:
                return x.detach().clone()
            return x

        args, kwargs = tree_map(cut, args), tree_map(cut, kwargs)
        made = self._taken_apart(packet, table, args, kwargs)
        first = made[0] if isinstance(made, tuple) else made
        if self.depth == 0 and isinstance(first, torch.Tensor) and (places := self.read(first)) is not None:
            flat = places.reshape(-1)
            spots = (flat >= 0).nonzero().flatten()
            self.name(packet, first, spots, flat[spots].tolist())
        return made

    def _taken_apart(self, packet: str, table: Any, args: Any, kwargs: Any) -> Any:
        before = self.depth, self.shifted
        self.depth, self.shifted = self.depth + 1, self.shifted or "softmax" in packet or "exp" in packet
        try:
            with self.mode:
                return table(*args, **kwargs)
        finally:
            self.depth, self.shifted = before

    # -- what becomes of the numbers

    def mapped(
        self, out: Tensor, packet: str, places: Sequence[Tensor | None],
        formula: Callable[..., Scalar], values: Sequence[Any],
    ) -> None:  # fmt: skip
        """One scalar for each number of a result, out of those at the same place of the arguments."""

        import torch

        ids = [None if p is None else torch.broadcast_to(p, out.shape).reshape(-1) for p in places]
        live = torch.zeros(out.numel(), dtype=torch.bool)
        for p in ids:
            if p is not None:
                live |= p >= 0
        spots = live.nonzero().flatten()
        spots = self.largest(spots, ids, packet)
        columns: list[Any] = []
        for p, x in zip(ids, values, strict=True):
            if isinstance(x, torch.Tensor):
                flat = torch.broadcast_to(x.detach(), out.shape).reshape(-1)[spots].double().tolist()
                nodes = None if p is None else p[spots].tolist()
                columns.append(
                    flat if nodes is None else [n if n >= 0 else v for n, v in zip(nodes, flat, strict=True)]
                )
            else:
                columns.append([x] * len(spots))
        made = []
        for at, operands in zip(spots.tolist(), zip(*columns, strict=True), strict=True):
            spot = tuple(int(i) for i in torch.unravel_index(torch.tensor(at), out.shape))
            node = formula(spot, *operands)
            made.append(node)
        self.put(out, spots, made, packet)

    def put(self, out: Tensor, spots: Tensor, nodes: Sequence[Scalar], packet: str) -> None:
        import torch

        places = torch.full((out.numel(),), -1, dtype=torch.int64)
        places[spots] = torch.tensor([x if isinstance(x, int) else -1 for x in nodes], dtype=torch.int64)
        if self.depth == 0:
            self.name(packet, out, spots, nodes)
        self.write(out, places.reshape(out.shape))
        if len(self.graph.nodes) > max(20_000, 40 * self.most):
            raise OverflowError

    def name(self, packet: str, out: Tensor, spots: Tensor, nodes: Sequence[Scalar]) -> None:
        import torch

        where = self.within[-1]
        self.counts[where, packet] += 1
        again = self.counts[where, packet]
        stem = f"{where + '.' if where else ''}{packet.strip('_')}{again if again > 1 else ''}"
        for at, node in zip(spots.tolist(), nodes, strict=True):
            if isinstance(node, int) and node:
                spot = [int(i) for i in torch.unravel_index(torch.tensor(at), out.shape)]
                self.graph.label(node, f"{stem}{spot}" if spot else stem)

    def slopes(self, places: Tensor) -> Tensor:
        import torch

        known = torch.tensor([*self.graph.slopes, 0.0], dtype=torch.float64)
        return known[places]

    def largest(self, spots: Tensor, ids: Sequence[Tensor | None], packet: str) -> Tensor:
        import torch

        if len(spots) <= self.within_op:
            return spots
        size = torch.zeros(len(spots), dtype=torch.float64)
        for p in ids:
            if p is not None:
                size += self.slopes(p[spots]).abs()
        self.omit(packet, self.within_op, len(spots))
        return spots[size.topk(self.within_op).indices.sort().values]

    def omit(self, packet: str, followed: int, of: int) -> None:
        self.omissions.append(Omission(packet, self.within[-1], followed, of))

    def elementwise(
        self, formula: Any, packet: str, func: Any, args: Any, kwargs: Any, followed: set[int]
    ) -> Any:
        out = func(*args, **kwargs)
        places = [self.read(x) if id(x) in followed else None for x in args]
        values = [float(x) if isinstance(x, (int, float)) and not isinstance(x, bool) else x for x in args]
        self.mapped(out, packet, places, lambda at, *xs: formula(self.graph, *xs, **kwargs), values)
        return out

    def layout(self, packet: str, func: Any, args: Any, kwargs: Any, followed: set[int]) -> Any:
        import torch
        from torch.utils._pytree import tree_map

        out = func(*args, **kwargs)
        if not out.is_floating_point():
            return out

        def moved(x: Any) -> Any:
            if not isinstance(x, torch.Tensor) or not x.is_floating_point():
                return x
            places = self.read(x) if id(x) in followed else None
            return torch.zeros(x.shape, dtype=torch.int64) if places is None else places + 1

        args, kwargs = tree_map(moved, args), dict(kwargs)
        kwargs = tree_map(moved, kwargs)
        fills = {"masked_fill": 2, "fill": 1, "constant_pad_nd": 2}
        at = fills.get(packet)
        if at is not None and len(args) > at and isinstance(args[at], (int, float)):
            args = (*args[:at], 0, *args[at + 1 :])
        if packet == "scatter" and len(args) > 3 and isinstance(args[3], (int, float)):
            args = (*args[:3], 0, *args[4:])
        if packet in ("_to_copy", "convert_element_type"):
            places = args[0]
        else:
            kwargs.pop("dtype", None)
            places = func(*args, **kwargs)
        self.write(out, places.reshape(out.shape) - 1)
        return out

    def product(self, packet: str, func: Any, args: Any, followed: set[int]) -> Any:
        import torch

        out = func(*args)
        a, b = (x.detach().double() for x in args)
        pa, pb = (self.read(x) if id(x) in followed else None for x in args)
        if packet == "mm":
            a, b = a[None], b[None]
            pa, pb = (None if p is None else p[None] for p in (pa, pb))
        shape = (a.shape[0], a.shape[1], b.shape[2])
        live, size = torch.zeros(shape, dtype=torch.bool), torch.zeros(shape, dtype=torch.float64)
        if pa is not None:
            live |= (pa >= 0).any(2, keepdim=True)
            size += self.slopes(pa) @ b
        if pb is not None:
            live |= (pb >= 0).any(1, keepdim=True)
            size += a @ self.slopes(pb)
        spots = live.flatten().nonzero().flatten()
        if len(spots) > self.within_op:
            self.omit(packet, self.within_op, len(spots))
            spots = spots[size.flatten()[spots].abs().topk(self.within_op).indices.sort().values]
        made = []
        for at in spots.tolist():
            n, i, j = at // (shape[1] * shape[2]), at // shape[2] % shape[1], at % shape[2]
            row, column = a[n, i], b[n, :, j]
            used = torch.zeros(len(row), dtype=torch.bool)
            if pa is not None:
                used |= pa[n, i] >= 0
            if pb is not None:
                used |= pb[n, :, j] >= 0
            terms: list[Scalar] = []
            for k in used.nonzero().flatten().tolist():
                x: Scalar = float(row[k]) if pa is None or pa[n, i, k] < 0 else int(pa[n, i, k])
                y: Scalar = float(column[k]) if pb is None or pb[n, k, j] < 0 else int(pb[n, k, j])
                terms.append(self.graph.apply("mul", x, y))
            made.append(self.graph.total(terms, float((row * column)[~used].sum())))
        self.put(out, spots, made, packet)
        return out

    def grouped(self, out: Tensor, x: Tensor, dims: Any) -> tuple[dict[int, list[int]], Tensor]:
        """For each number of a result, the places of the argument that it is made of."""

        import torch

        every = list(range(x.dim())) if dims is None or dims == [] else dims
        every = [every] if isinstance(every, int) else every
        shape = [1 if i in [d % x.dim() for d in every] else n for i, n in enumerate(x.shape)]
        target = torch.arange(out.numel()).reshape(shape).expand(x.shape).reshape(-1)
        return defaultdict(list), target

    def total(self, packet: str, func: Any, args: Any, kwargs: Any) -> Any:
        import torch

        out = func(*args, **kwargs)
        x, places = args[0], self.read(args[0])
        groups, target = self.grouped(out, x, args[1] if len(args) > 1 else None)
        flat = places.reshape(-1)
        for spot in (flat >= 0).nonzero().flatten().tolist():
            groups[int(target[spot])].append(int(flat[spot]))
        still = x.detach().double().reshape(-1).masked_fill(flat >= 0, 0.0)
        rest = torch.zeros(out.numel(), dtype=torch.float64).index_add(0, target, still)
        count = x.numel() // max(out.numel(), 1)
        made = []
        for at, terms in groups.items():
            node = self.graph.total(list(terms), float(rest[at]))
            made.append(node if packet == "sum" else self.graph.apply("div", node, float(count)))
        self.put(out, torch.tensor(list(groups)), made, packet)
        return out

    def multiplied(self, func: Any, args: Any, kwargs: Any) -> Any:
        import torch

        out = func(*args, **kwargs)
        x, places = args[0], self.read(args[0])
        groups, target = self.grouped(out, x, args[1] if len(args) > 1 else None)
        flat, values = places.reshape(-1), x.detach().double().reshape(-1)
        for spot in range(x.numel()):
            groups[int(target[spot])].append(spot)
        spots, made = [], []
        for at, members in groups.items():
            live: list[Scalar] = [int(flat[m]) for m in members if flat[m] >= 0]
            if live:
                still = [float(values[m]) for m in members if flat[m] < 0]
                spots.append(at)
                made.append(self.graph.apply("prod", *live, *still))
        self.put(out, torch.tensor(spots), made, "prod")
        return out

    def extreme(self, op: str, func: Any, args: Any, kwargs: Any) -> Any:
        import torch

        out = func(*args, **kwargs)
        x, places = args[0], self.read(args[0])
        groups, target = self.grouped(out, x, args[1] if len(args) > 1 else None)
        flat, values = places.reshape(-1), x.detach().double().reshape(-1)
        for spot in range(x.numel()):
            groups[int(target[spot])].append(spot)
        spots, made = [], []
        for at, members in groups.items():
            live = [int(flat[m]) for m in members if flat[m] >= 0]
            if not live:
                continue
            still = [float(values[m]) for m in members if flat[m] < 0]
            best = None if not still else max(still) if op == "max" else min(still)
            operands: list[Scalar] = [*live, *([] if best is None else [best])]
            made.append(self.graph.apply(op, *operands) if len(operands) > 1 else operands[0])
            spots.append(at)
        self.put(out, torch.tensor(spots), made, op)
        return out

    def chosen(self, packet: str, func: Any, args: Any, kwargs: Any) -> Any:
        """An op that says which numbers it chose."""
        out = func(*args, **kwargs)
        places = self.read(args[0])
        if packet == "max_pool2d_with_indices":
            moved = places.flatten(-2).gather(-1, out[1].flatten(-2)).reshape(out[0].shape)
        else:
            dim = args[1] if packet in ("max", "min", "cummax", "cummin") else -1
            if packet in ("topk", "sort"):
                dim = args[2] if packet == "topk" and len(args) > 2 else kwargs.get("dim", -1)
                dim = args[1] if packet == "sort" and len(args) > 1 else dim
            index = out[1]
            keep = packet in ("max", "min") and index.dim() < places.dim()
            moved = places.gather(dim, index.unsqueeze(dim) if keep else index)
            moved = moved.squeeze(dim) if keep else moved
        self.write(out[0], moved)
        return out

    def alone(self, args: Any, slots: Sequence[int], followed: set[int]) -> bool:
        """Are all followed arguments among these, and is the op a sum in them together?"""
        live = [i for i, x in enumerate(args) if id(x) in followed]
        return all(i in slots for i in live) and not (slots == AFFINE["convolution"] and {0, 1} <= {*live})

    def affine(self, packet: str, func: Any, args: Any, kwargs: Any, followed: set[int]) -> Any:
        """Sums with fixed factors, which are found by a single 1 in place of each number."""

        import torch

        out = func(*args, **kwargs)
        blank = [
            x.detach().double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for x in args
        ]
        live = [i for i, x in enumerate(args) if id(x) in followed]
        for i in live:
            blank[i] = torch.zeros_like(blank[i])
        if packet == "convolution" and 2 not in live:
            blank[2] = None  # the bias is constant
        base = func(*blank, **kwargs).flatten()
        terms: dict[int, list[tuple[int, float]]] = defaultdict(list)
        for i in live:
            places = self.read(args[i]).flatten()
            spots = (places >= 0).nonzero().flatten()
            most = max(1, min(self.within_op, LARGEST_PROBE // max(out.numel(), 1)))
            if len(spots) > most:
                self.omit(packet, most, len(spots))
                spots = spots[self.slopes(places[spots]).abs().topk(most).indices.sort().values]
            for spot in spots.tolist():
                one = list(blank)
                one[i] = blank[i].clone()
                one[i].view(-1)[spot] = 1.0
                column = func(*one, **kwargs).flatten() - base
                for at in column.nonzero().flatten().tolist():
                    terms[at].append((int(places[spot]), float(column[at])))
        made = []
        flat = out.detach().double().flatten()
        for at, pairs in terms.items():
            products = [self.graph.apply("mul", node, factor) for node, factor in pairs]
            moving = sum(self.graph.values[node] * factor for node, factor in pairs)
            made.append(self.graph.total(list(products), float(flat[at]) - moving))
        self.put(out, torch.tensor(list(terms), dtype=torch.int64), made, packet)
        return out

    def stated(self, packet: str, func: Any, args: Any, kwargs: Any, followed: set[int]) -> Any:
        """Any other op: its local derivatives as PyTorch states them, by a backward of this op alone."""

        import torch
        from torch.utils._pytree import tree_leaves, tree_map

        outs = func(*args, **kwargs)
        out = outs[0] if isinstance(outs, (tuple, list)) else outs
        live = list({id(x): x for x in tree_leaves(args) if id(x) in followed}.values())
        if not isinstance(out, torch.Tensor) or not out.is_floating_point():
            return outs
        found: list[Any] = []
        constant: list[bool] = []

        if func.namespace == "prims":  # which have no derivative of their own
            func = getattr(torch.ops.aten, packet, func)

        def derive() -> None:  # in a thread of its own, where autograd is not switched off
            twins = {id(x): x.detach().double().requires_grad_() for x in live}
            given = tree_map(lambda x: twins.get(id(x), _doubled(x)), (args, kwargs))
            with torch.enable_grad():
                again = func(*given[0], **given[1])
                again = again[0] if isinstance(again, (tuple, list)) else again
                if not again.requires_grad:
                    constant.append(True)
                    return
                for at in range(min(out.numel(), self.within_op)):
                    found.append(
                        torch.autograd.grad(
                            again.reshape(-1)[at],
                            list(twins.values()),
                            retain_graph=True,
                            allow_unused=True,
                        )
                    )

        thread = Thread(target=_quietly, args=(derive,))
        thread.start()
        thread.join()
        if constant:
            return outs
        if len(found) < out.numel():
            self.omit(packet, len(found), out.numel())
        spots, made = [], []
        flat = out.detach().double().flatten()
        for at, rows in enumerate(found):
            pairs = []
            for x, row in zip(live, rows, strict=True):
                if row is None:
                    continue
                places, numbers = self.read(x).flatten(), row.flatten()
                for spot in ((places >= 0) & (numbers != 0)).nonzero().flatten().tolist():
                    pairs.append((int(places[spot]), float(numbers[spot])))
            if pairs:
                spots.append(at)
                made.append(self.graph.custom(pairs, float(flat[at]), ""))
        self.put(out, torch.tensor(spots, dtype=torch.int64), made, packet)
        return outs


class _SentError(Exception):
    """What a node has sent, on the way out of the backward pass that was begun for it alone."""

    def __init__(self, sent: tuple[Any, ...]) -> None:
        super().__init__()
        self.sent = sent


def _sent(out: Any, gradient: Any) -> tuple[Any, ...]:
    """What the node of a tensor sends through its slots, when this arrives; nothing goes on from there."""
    import torch

    def stop(sent: tuple[Any, ...], arrived: tuple[Any, ...]) -> None:
        raise _SentError(sent)

    handle = out.grad_fn.register_hook(stop)
    try:
        torch.autograd.backward(out, gradient, retain_graph=True)
    except _SentError as stopped:
        return stopped.sent
    finally:
        handle.remove()
    return ()


def loss_slopes(make_loss: Callable[[], Tensor]) -> dict[int, Tensor]:
    """The slope of the loss by what each op of the program gave, by the number of the op."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    made: list[Any] = []

    class OutputMode(TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            out = func(*args, **(kwargs or {}))
            made.append(out[0] if isinstance(out, (tuple, list)) and out else out)
            return out

    with OutputMode():
        loss = make_loss()
    known = {
        at: x
        for at, x in enumerate(made)
        if isinstance(x, torch.Tensor) and x.requires_grad and x is not loss
    }
    if not known:
        return {}
    slopes = torch.autograd.grad(loss, list(known.values()), allow_unused=True)
    return {at: x.detach() for at, x in zip(known, slopes, strict=True) if x is not None}


def _variance(x: Tensor, dims: Sequence[int] | None, correction: float = 1, **_: Any) -> Tensor:
    every = list(range(x.dim())) if dims is None else list(dims)
    away = x - x.mean(every, keepdim=True)
    count = x.numel() // max(1, x.sum(every).numel())
    return (away**2).sum(every) / max(0.0, count - correction)


def _log_sigmoid(x: Tensor) -> tuple[Tensor, Tensor]:
    import torch

    return -torch.nn.functional.softplus(-x), x.new_empty(0)


def _doubled(x: Any) -> Any:
    import torch

    return x.detach().double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x


def _quietly(work: Callable[[], None]) -> None:
    """Do what may not be possible: an op without a derivative is an omission, which is stated."""
    with suppress(RuntimeError, NotImplementedError, TypeError, ValueError):
        work()
