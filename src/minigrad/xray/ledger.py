"""Ledger of a gradient: that of a parameter as a sum over its uses, and over the routes by which it came.

    found = gradient_ledger(record, "wte.weight")
    found.uses        # as the output layer, as the input embedding: norm and signed share of each
    found.routes      # through the residual, through attention: where the gradient of a use was joined

A use is an op that takes the parameter. A route begins where a tensor between a use and the loss is used
more than once: what arrives there is a sum, and the pass is run again with only one part of it, which is
exact, because a backward pass is linear in what arrives. The largest part is then taken apart at the next
such place. A share is the inner product with the whole gradient over its squared norm, so that shares add
up to 1; what they do not add up to is stated as the remainder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import isfinite
from re import fullmatch
from typing import TYPE_CHECKING, Any

from ..errors import MinigradError
from ..text.excerpts import cut, describe
from ..text.numerals import json_number
from ..text.page import Page, Result, Sections
from ..text.translation import say
from .forward_record import ForwardRecord, record_forward
from .program_place import NOWHERE, ProgramPlace
from .program_state import preserved
from .tensor_trace import (
    NodeGraph,
    TensorTrace,
    is_reentrant,
    losses_of,
    op_name,
    pass_backward,
    trace_gradients,
)

if TYPE_CHECKING:
    from torch import Tensor

    from .scalar_cone import ScalarCone

__all__ = ["GradientLedger", "GradientPart", "LedgerError", "ModelGradients", "gradient_ledger", "why"]

SCHEMA = "minigrad.xray.ledger/1"
PASSES = 24  # further backward passes for one ledger
CANCELS = 4.0  # so many times the norm of the whole, summed over the parts, is a cancellation
LISTED = 12  # names in a complaint
LONGEST_NAME = 80  # characters of a name in a complaint
SMALL = 0.02  # a share that is not taken apart any further

# Nodes that hand a gradient on as it is, in another shape, place or type.
VIEWS = frozenset({
    "T", "Transpose", "View", "ReshapeAlias", "UnsafeView", "Permute", "Squeeze", "Unsqueeze", "Slice",
    "Select", "Split", "SplitWithSizes", "UnsafeSplit", "Unbind", "ToCopy", "Alias", "Clone", "AsStrided",
    "Chunk", "Expand",
})  # fmt: skip
SUMS = frozenset({"Add", "Sub"})


class LedgerError(MinigradError, ValueError):
    """What was asked about is not in the model, or has no gradient."""


@dataclass(frozen=True)
class GradientPart:
    """A part of a gradient: what came by one use, or by one route."""

    kind: str  # use, residual, through, rest
    module: str
    op: str
    place: ProgramPlace
    norm: float
    share: float
    count: int = 1  # how many ops, or edges, were taken together
    role: str = ""  # of a use: input-embedding, output-layer
    level: int = 0  # of a route: at which join it left the route above
    each: tuple[float, ...] = ()  # of a use at a line that ran many times: the share of each time, in order

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "module": self.module, "op": self.op, "file": self.place.file,
            "line": self.place.line or None, "norm": json_number(self.norm), "share": json_number(self.share),
            "count": self.count, "role": self.role, "level": self.level,
            "each": [json_number(share) for share in self.each],
        }  # fmt: skip


@dataclass(frozen=True, repr=False)
class GradientLedger(Result):
    """The gradient of a parameter as a sum."""

    name: str
    shape: tuple[int, ...]
    norm: float
    uses: tuple[GradientPart, ...]
    routes: tuple[GradientPart, ...]
    rest_of_uses: float  # the share that no use accounts for
    rest_of_routes: float
    of_routes: GradientPart | None  # the use whose gradient the routes add up to
    passes: int
    unfinished: bool  # whether the passes ran out before the last route was taken apart
    tensors: Mapping[str, Tensor] = field(default_factory=dict, repr=False)

    @property
    def cancellation(self) -> float:
        """The norms of the uses together over the norm of their sum: 1 where nothing cancels."""
        return _cancellation(self.uses, self.norm)

    def sections(self, page: Page) -> Sections:
        from .ledger_text import ledger_sections

        return ledger_sections(self, page)

    def _title(self) -> str:
        return say("xray.ledger.title", name=f"`{self.name}`")

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA, "name": self.name, "shape": list(self.shape), "norm": json_number(self.norm),
            "uses": [part.to_json() for part in self.uses],
            "remainder_of_uses": json_number(self.rest_of_uses),
            "cancellation": json_number(self.cancellation),
            "routes": [part.to_json() for part in self.routes],
            "routes_of": None if self.of_routes is None else self.of_routes.to_json(),
            "remainder_of_routes": json_number(self.rest_of_routes),
            "passes": self.passes, "unfinished": self.unfinished,
        }  # fmt: skip

    def to_html(self, *, lang: str | None = None) -> str:
        """A page of its own, which loads nothing."""
        from .report_html import result_page

        return result_page(self, lang)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        from .report_html import notebook_bundle

        return notebook_bundle(self)


@dataclass(frozen=True, repr=False)
class ModelGradients(Result):
    """The gradients of a whole model: their sizes by parameter, and how they change along the depth."""

    trace: TensorTrace

    def sections(self, page: Page) -> Sections:
        from .ledger_text import model_sections

        return model_sections(self.trace, page)

    def _title(self) -> str:
        return say("xray.model.title")

    def to_json(self) -> dict[str, Any]:
        return self.trace.to_json()

    def to_html(self, *, lang: str | None = None) -> str:
        from .report_html import result_page

        return result_page(self, lang)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        from .report_html import notebook_bundle

        return notebook_bundle(self)


# ---- what is asked ------------------------------------------------------------------------------


def why(subject: Any, name: str = "", *, most: int = 0) -> GradientLedger | ScalarCone | ModelGradients:
    """Why a gradient is what it is: of a parameter, of one number of it, or, without a name, of the model.

    `subject` has make_loss, model and optimizer; all are afterwards what they were.  `most` is how many
    scalars the graph of one number may have.
    """
    import torch

    from .scalar_cone import MOST, scalar_cone

    if subject is None or subject.make_loss is None:
        raise LedgerError(say("xray.why.subject"))
    with preserved(subject.model, subject.optimizer) as generators, torch.enable_grad():
        if name is None or name == "":
            return ModelGradients(trace_gradients(record_forward(subject.make_loss, subject.model)))
        stem, place = _parsed(name)
        stem = _first_name(subject.model, stem)
        if place is None:
            return gradient_ledger(record_forward(subject.make_loss, subject.model), stem)
        record = record_forward(subject.make_loss, subject.model)
        parameter = _leaf(record, stem)
        _check_place(stem, place, parameter)
        del record

        def again() -> Tensor:
            with preserved(subject.model, subject.optimizer):
                generators.restore()
                made: Tensor = subject.make_loss()
                return made

        modules = list(subject.model.named_modules())[1:] if subject.model is not None else []
        return scalar_cone(
            again, parameter, place, f"{stem}{list(place)}", modules=modules, most=most or MOST
        )


def _parsed(name: str) -> tuple[str, tuple[int, ...] | None]:
    """A name, and the place of one number in it, as in `fc1.weight[3, 2]` or `fc1.weight[3][2]`."""
    if not isinstance(name, str):
        raise LedgerError(say("xray.why.name", given=describe(name)))
    match = fullmatch(r"([^\[\]]+?)\s*((?:\[[^\[\]]*\])*)", name.strip())
    if match is None:
        raise LedgerError(say("xray.why.name", given=cut(repr(name), LONGEST_NAME)))
    stem, brackets = match.groups()
    if not brackets:
        return stem, None
    words = [word.strip() for word in brackets.strip("[]").replace("][", ",").split(",")]
    if not all(fullmatch(r"-?\d{1,9}", word) for word in words):
        raise LedgerError(say("xray.why.name", given=cut(repr(name), LONGEST_NAME)))
    return stem, tuple(map(int, words))


def _check_place(name: str, place: tuple[int, ...], parameter: Tensor) -> None:
    shape = tuple(parameter.shape)
    if len(place) != len(shape) or not all(-n <= i < n for i, n in zip(place, shape, strict=True)):
        example = f"{name}[{', '.join('0' for _ in shape)}]"
        raise LedgerError(say("xray.why.place", name=name, given=list(place), shape=shape, example=example))


def _first_name(model: Any, name: str) -> str:
    """The name under which a parameter is recorded; one that is used in two places has two."""
    if model is None:
        return name
    every = dict(model.named_parameters(remove_duplicate=False))
    return next((first for first, x in model.named_parameters() if x is every.get(name)), name)


def _leaf(record: ForwardRecord, name: str) -> Tensor:
    """The leaf of this name."""
    known = dict(zip(record.leaf_names, record.leaves, strict=True))
    found: Any = known.get(name)
    if found is None:
        near = get_close_matches(name, known, n=3) or list(filter(None, known))[:LISTED]
        raise LedgerError(say("xray.why.unknown", name=cut(repr(name), LONGEST_NAME), known=", ".join(near)))
    if not found.requires_grad:
        raise LedgerError(say("xray.why.frozen", name=name))
    return found


# ---- the ledger ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Edge:
    """A slot of a node, through which it sends to an output of another."""

    consumer: Any
    slot: int
    target: Any
    output: int


def gradient_ledger(
    record: ForwardRecord, name: str, *, passes: int = PASSES, tensors: bool = False
) -> GradientLedger:
    """The ledger of a parameter of a recorded pass.  `tensors` keeps the contributions of its uses."""
    parameter = _leaf(record, name)
    losses = losses_of(record)
    graph = NodeGraph(losses)
    runs = _PartialPasses(losses, parameter, graph, passes)
    leaf = next((node for node in graph.nodes if getattr(node, "variable", None) is parameter), None)
    if leaf is None:
        key = "xray.why.checkpoint" if is_reentrant(graph) else "xray.why.unreached"
        raise LedgerError(say(key, name=name))
    uses = list(_uses(graph, leaf))
    total, sent = runs.whole(uses)
    square = _inner(total, total)
    grouped = _use_groups(record, uses)
    found: list[tuple[GradientPart, list[_Edge]]] = []
    kept: dict[str, Tensor] = {}
    left = total.clone()
    for (module, place, op), edges in grouped.items():
        made = [_through_views(edge, sent.get(edge), leaf) for edge in edges]
        amount = _sum([x for x in made if x is not None], total)
        each = [0.0 if x is None else _share(x.to_dense(), total, square) for x in made]
        left -= amount
        part = GradientPart(
            "use", module, op, place, _norm(amount), _share(amount, total, square), len(edges),
            _role(record, edges[0], parameter), 0, tuple(each) if len(each) > 1 else (),
        )  # fmt: skip
        found.append((part, edges))
        if tensors:
            kept[f"{module}:{place}:{op}"] = amount
    found.sort(key=lambda row: -row[0].norm)
    used, rest, unfinished = found[0][0] if found else None, 0.0, False
    routes: list[GradientPart] = []
    for part, edges in found:
        walk = _Routes(record, graph, runs, edges, leaf, total, square, part.share)
        routes, rest, unfinished = walk.parts()
        if routes or unfinished:  # of the largest use that more than one route leads to
            used = part
            break
    parts = sorted((part for part, _ in found), key=lambda part: -abs(part.share))
    return GradientLedger(
        name, tuple(parameter.shape), _norm(total), tuple(parts), tuple(routes),
        _share(left, total, square), rest, used, runs.count, unfinished, kept,
    )  # fmt: skip


def _uses(graph: NodeGraph, leaf: Any) -> Iterator[_Edge]:
    """The ops that take a parameter; what only changes its shape or its type is looked through."""
    rest = [leaf]
    for node in rest:
        for consumer, slot, output in graph.edges.get(node, []):
            sends = [target for target, _ in consumer.next_functions if target is not None]
            if op_name(consumer) in VIEWS and len(sends) == 1 and consumer in graph.edges:
                rest.append(consumer)
            else:
                yield _Edge(consumer, slot, node, output)


def _through_views(edge: _Edge, gradient: Tensor | None, leaf: Any) -> Tensor | None:
    """What an op sent, in the shape of the parameter."""
    import torch

    node, output = edge.target, edge.output
    while gradient is not None and node is not leaf:
        given: list[Any] = [None] * max(output + 1, _outputs(node))
        given[output] = gradient
        with torch.no_grad():
            made = node(*given)
        made = made if isinstance(made, tuple) else (made,)
        slot, (following, output) = next(
            (at, each) for at, each in enumerate(node.next_functions) if each[0] is not None
        )
        gradient, node = made[slot], following
    return gradient


def _outputs(node: Any) -> int:
    return len(getattr(node, "_input_metadata", ())) or 1


def _use_groups(
    record: ForwardRecord, edges: Sequence[_Edge]
) -> dict[tuple[str, ProgramPlace, str], list[_Edge]]:
    """Uses by module and line: a cell that is called a hundred times uses its weight at one line."""
    found: dict[tuple[str, ProgramPlace, str], list[_Edge]] = {}
    for edge in edges:
        call = record.call_of(edge.consumer)
        module = call.module.name if call is not None and call.module is not None else ""
        place = call.place if call is not None else NOWHERE
        found.setdefault((module, place, op_name(edge.consumer)), []).append(edge)
    for mine in found.values():
        mine.sort(key=lambda edge: edge.consumer._sequence_nr())
    return found


def _role(record: ForwardRecord, edge: _Edge, parameter: Tensor) -> str:
    """What a use is to a reader, where that is plain: an embedding's table, the last layer."""
    op = op_name(edge.consumer)
    if op == "Embedding":
        return "input-embedding"
    if op in ("Addmm", "Mm", "Linear", "Bmm") and parameter.dim() == 2:
        call = record.call_of(edge.consumer)
        made = [note.shape[-1] for note in call.outputs if note.shape] if call is not None else []
        if call is not None and parameter.shape[0] in made:
            later = [each for each in record.module_calls if each.first > call.index]
            return "" if any(each.inside for each in later) else "output-layer"
    return ""


# ---- routes -------------------------------------------------------------------------------------


class _Routes:
    """The walk from a use up to the loss, which takes the gradient apart wherever it was joined."""

    def __init__(
        self, record: ForwardRecord, graph: NodeGraph, runs: _PartialPasses, uses: Sequence[_Edge], leaf: Any,
        total: Tensor, square: float, share: float,
    ) -> None:  # fmt: skip
        self.record, self.graph, self.runs, self.uses, self.leaf = record, graph, runs, uses, leaf
        self.total, self.square, self.share = total, square, share

    def parts(self) -> tuple[list[GradientPart], float, bool]:
        """The routes, the share that they leave, and whether passes were missing."""
        found: list[GradientPart] = []
        masks: dict[Any, list[_Edge]] = {}
        if len(self.uses) > 1:
            return found, 0.0, False
        node, followed, level = self.uses[0].consumer, None, 0
        unfinished = False
        while True:
            join = self._next_join(node)
            if join is None:
                break
            groups = self._groups(join)
            if self.runs.left < len(groups) or (followed and abs(followed.share) < SMALL):
                unfinished = True
                break
            parts = []
            for (kind, module, op, place), edges in groups.items():
                amount = self.runs.part({**masks, join: edges}, self.uses, self.leaf)
                part = GradientPart(
                    kind, module, op, place, _norm(amount), _share(amount, self.total, self.square),
                    len(edges), "", level,
                )  # fmt: skip
                parts.append((part, edges))
            chosen = max(parts, key=lambda row: (row[0].norm, row[0].kind == "residual"))
            found += [part for part, _ in parts if part is not chosen[0]]
            followed, edges = chosen
            level += 1
            masks[join] = edges
            if len(edges) > 1:
                break
            node = edges[0].consumer
        if followed is not None:
            found.append(followed)
        rest = self.share - sum(part.share for part in found) if found else 0.0
        return sorted(found, key=lambda part: -abs(part.share)), rest, unfinished

    def _next_join(self, node: Any) -> Any:
        """The first node on the way to the loss at which more than one contribution arrives."""
        while True:
            edges = self.graph.edges.get(node, [])
            if len(edges) != 1:
                return node if edges and node not in self.graph.roots else None
            node = edges[0][0]

    def _groups(self, join: Any) -> dict[tuple[str, str, str, ProgramPlace], list[_Edge]]:
        """What arrives at a join, taken together where it comes through the same branch of the model."""
        rows, branches = [], []
        for consumer, slot, output in self.graph.edges[join]:
            edge, other = _Edge(consumer, slot, join, output), self._other_operand(join, consumer, slot)
            rows.append((edge, other is not None))
            if other is not None:
                branches.append((self._module(consumer), self._module(other)))
        found: dict[tuple[str, str, str, ProgramPlace], list[_Edge]] = {}
        for edge, residual in rows:
            call, module = self.record.call_of(edge.consumer), self._module(edge.consumer)
            place, op = call.place if call is not None else NOWHERE, op_name(edge.consumer)
            if residual:
                key = ("residual", module, op, place)
            elif len(branches) == 1 and (branch := _branch(module, *branches[0])):
                key = ("through", branch, "", NOWHERE)
            else:
                key = ("through", module, op, place)
            found.setdefault(key, []).append(edge)
        return {(*key[:3], self._place_of(edges, key[3])): edges for key, edges in found.items()}

    def _place_of(self, edges: Sequence[_Edge], place: ProgramPlace) -> ProgramPlace:
        call = self.record.call_of(edges[0].consumer)
        return place if place is not NOWHERE or call is None else call.place

    def _module(self, node: Any) -> str:
        call = self.record.call_of(node)
        return call.module.name if call is not None and call.module is not None else ""

    def _other_operand(self, join: Any, consumer: Any, slot: int) -> Any:
        """Of an addition whose other operand comes from the same tensor by a longer way, that operand."""
        if op_name(consumer) not in SUMS or _outputs(join) != 1:
            return None
        others = [target for at, (target, _) in enumerate(consumer.next_functions) if at != slot and target]
        oldest, seen, rest = join._sequence_nr(), set(others), list(others)
        while rest:
            node = rest.pop()
            if node is join:
                return others[0] if others[0] is not join else None
            if hasattr(node, "variable") or node._sequence_nr() < oldest:
                continue
            for target, _ in node.next_functions:
                if target is not None and target not in seen:
                    seen.add(target)
                    rest.append(target)
        return None


def _branch(entrance: str, addition: str, exit_: str) -> str:
    """The module that a branch is, by the modules where it begins, where it ends, and where it is added."""
    shared = []
    for a, b in zip(entrance.split("."), exit_.split("."), strict=False):
        if a != b:
            break
        shared.append(a)
    common = ".".join(shared)
    if (f"{addition}.").startswith(f"{common}.") or not common:  # it begins and ends in two of its modules
        inner = exit_.removeprefix(f"{addition}.") if addition else exit_
        return (
            f"{addition}.{inner.partition('.')[0]}".lstrip(".") if inner != exit_ or not addition else common
        )
    return common


class _PartialPasses:
    """Backward passes over one graph, each of which looks at some edges or lets only some parts through."""

    def __init__(self, losses: Sequence[Tensor], parameter: Tensor, graph: NodeGraph, most: int) -> None:
        self.losses, self.parameter, self.graph, self.most = losses, parameter, graph, most
        self.count = 0

    @property
    def left(self) -> int:
        return self.most - self.count

    def whole(self, edges: Sequence[_Edge]) -> tuple[Tensor, dict[_Edge, Tensor]]:
        """The gradient of the parameter, and what each edge sent."""
        import torch

        with self._captured(edges) as sent:
            gradient = self._run()
        total = torch.zeros_like(self.parameter) if gradient is None else gradient.to_dense().detach()
        return _wide(total), sent

    def part(self, masks: Mapping[Any, Sequence[_Edge]], uses: Sequence[_Edge], leaf: Any) -> Tensor:
        """What came to a parameter by some uses, where only these edges were let through into each join."""
        import torch

        handles = []
        with self._captured([edge for edges in masks.values() for edge in edges]) as sent:
            for join, edges in masks.items():
                handles.append(join.register_prehook(self._mask(edges, sent)))
            try:
                with self._captured(uses) as arrived:
                    self._run()
            finally:
                for handle in handles:
                    handle.remove()
        made = [_through_views(edge, arrived.get(edge), leaf) for edge in uses]
        return _sum([x for x in made if x is not None], _wide(torch.zeros_like(self.parameter)))

    def _mask(self, edges: Sequence[_Edge], sent: Mapping[_Edge, Tensor]) -> Callable[..., Any]:
        import torch

        def only(gradients: Sequence[Tensor | None]) -> tuple[Tensor | None, ...]:
            made: list[Tensor | None] = [None if x is None else torch.zeros_like(x) for x in gradients]
            for edge in edges:
                amount, before = sent.get(edge), made[edge.output]
                if amount is not None:
                    made[edge.output] = amount if before is None else before + amount
            return tuple(made)

        return only

    @contextmanager
    def _captured(self, edges: Sequence[_Edge]) -> Iterator[dict[_Edge, Tensor]]:
        """Keep what goes through some edges."""
        sent: dict[_Edge, Tensor] = {}
        by_node: dict[Any, list[_Edge]] = {}
        for edge in edges:
            by_node.setdefault(edge.consumer, []).append(edge)

        def keep(mine: Sequence[_Edge]) -> Callable[..., None]:
            def listen(gradients: Sequence[Tensor | None], _: object) -> None:
                for edge in mine:
                    gradient = gradients[edge.slot]
                    if gradient is not None:
                        sent[edge] = gradient.detach().clone()  # the engine may add to it in place

            return listen

        handles = [node.register_hook(keep(mine)) for node, mine in by_node.items()]
        try:
            yield sent
        finally:
            for handle in handles:
                handle.remove()

    def _run(self) -> Tensor | None:
        self.count += 1
        return pass_backward(self.losses, [self.parameter], self.graph, keep=True)[0]


# ---- numbers ------------------------------------------------------------------------------------


def _wide(x: Tensor) -> Tensor:
    """In at least single precision, so that sums of shares are."""
    import torch

    return x if x.dtype in (torch.float32, torch.float64, torch.complex64, torch.complex128) else x.float()


def _sum(parts: Sequence[Tensor], like: Tensor) -> Tensor:
    import torch

    total = torch.zeros_like(like)
    for part in parts:
        total += part.to_dense().to(total.dtype) if part.is_sparse else part.to(total.dtype)
    return total


def _inner(a: Tensor, b: Tensor) -> float:
    import torch

    with torch.no_grad():
        wide = torch.complex128 if a.is_complex() else torch.float64
        return float(torch.vdot(a.flatten().to(wide), b.flatten().to(wide)).real)


def _norm(x: Tensor) -> float:
    return float(max(0.0, _inner(x, x)) ** 0.5)


def _share(part: Tensor, total: Tensor, square: float) -> float:
    """The signed share of a part; without a whole there is none."""
    return _inner(part, total) / square if square and isfinite(square) else float("nan")


def _cancellation(parts: Sequence[GradientPart], norm: float) -> float:
    together = sum(part.norm for part in parts)
    if not together:
        return 1.0
    return together / norm if norm else float("inf")
