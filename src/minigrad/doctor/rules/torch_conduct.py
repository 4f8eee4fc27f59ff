"""Conduct of a rule of PyTorch: each check compares the rule with itself under other circumstances.

Saved state, changes in place, memory layouts, single and half precision, fewer gradients asked for, second
derivatives.  Nothing here needs to know the right numbers, so a rule that is wrong too is not accused twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice
from math import fsum
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING

from .conduct_checks import SAME, difference, second_slopes
from .device_probes import device_findings
from .grids import Grid
from .memory_probes import memory_findings
from .report import LIMITED, Remark, RuleFinding, Unseen
from .shape_probes import shape_findings
from .stages import RuleStage
from .subject import Point, RuleGradients, RuleRefusedError, error_text
from .transform_probes import jvp_findings, vmap_findings

if TYPE_CHECKING:
    from torch import Tensor

    from .torch_rules import Precision, TorchSubject

__all__ = ["stages", "unsteady"]

CHOICES = 16  # of the inputs that need a gradient


def unsteady(subject: TorchSubject, point: Point, upstream: Sequence[Grid]) -> RuleFinding | None:
    """Two backward runs of one forward that differ: the rule draws random numbers of its own."""
    with subject.torch.random.fork_rng(devices=[]), subject.seeded():
        leaves = subject.leaves(point)
        results = subject.results(leaves)
        seeds = subject.seeds(upstream, results)
        state = subject.torch.random.get_rng_state()
        found = []
        for turn in range(3):
            if turn == 1:  # the same random numbers as in the first run
                subject.torch.random.set_rng_state(state)
            copies = [seed.clone() for seed in seeds]
            try:
                found.append(
                    subject.gradients_of(subject.gradients(results, leaves, copies, retain_graph=True))
                )
            except RuleRefusedError as refused:
                if not turn:
                    raise
                return RuleFinding("second-backward", grade=LIMITED, fields={"message": refused.message})
    if apart := difference(subject.names, found[1], found[0]):
        return RuleFinding("second-backward", **apart)
    if apart := difference(subject.names, found[2], found[0]):
        return RuleFinding("unsteady", **apart)
    return None


def stages(
    subject: TorchSubject,
    point: Point,
    other: Point,
    upstream: Sequence[Grid],
    beyond: bool,
    deadline: float,
) -> Iterator[RuleStage]:
    """The questions, the cheap and the telling ones first; `beyond` asks for other shapes too."""
    changed: list[RuleFinding] = []

    def cheap() -> Iterator[RuleFinding | Remark]:
        base = subject.pull(point, upstream)
        yield from _stale(subject, point, other, upstream, base)
        changed.extend(_in_place(subject, point, upstream))
        yield from changed
        yield from _fewer(subject, point, upstream, base)
        yield from _zero_upstream(subject, point, upstream, base)
        if subject.draws and not changed:  # in another layout or precision it would draw other numbers
            yield Remark("random-forward")
        elif not changed:
            yield from _layouts(subject, point, upstream)

    def transforms() -> Iterator[RuleFinding]:
        yield from jvp_findings(subject, point, upstream)
        yield from vmap_findings(subject, point, other, upstream)

    if subject.tied:  # there is one of each parameter, so no two calls can be compared
        yield RuleStage("conduct", iter([Unseen("tied_conduct")]))
        return
    yield RuleStage("conduct", cheap())
    if changed:  # whatever else raises or differs now comes of that
        return
    yield RuleStage("second", _second_derivatives(subject, point, upstream))
    if beyond:
        yield RuleStage("shapes", shape_findings(subject, deadline))
    yield RuleStage("transforms", transforms())
    if not subject.draws:
        yield RuleStage("devices", device_findings(subject, point, upstream))
        yield RuleStage("precisions", _precisions(subject, point, upstream))
    yield RuleStage("memory", memory_findings(subject, point))


# ---- saved state --------------------------------------------------------------------------------


def _stale(
    subject: TorchSubject, point: Point, other: Point, upstream: Sequence[Grid], base: RuleGradients
) -> Iterator[RuleFinding]:
    """Forward here, forward there, then backward of the first."""
    with subject.seeded():
        leaves = subject.leaves(point)
        results = subject.results(leaves)
        subject.results(subject.leaves(other))
        try:
            got = subject.gradients_of(subject.gradients(results, leaves, subject.seeds(upstream, results)))
        except RuleRefusedError as refused:
            yield RuleFinding("stale-saved", fields={"message": refused.message})
            return
    if apart := difference(subject.names, got, base):
        yield RuleFinding("stale-saved", fields={"message": ""}, **apart)


def _in_place(subject: TorchSubject, point: Point, upstream: Sequence[Grid]) -> Iterator[RuleFinding]:
    """What belongs to others must be as before: the inputs, the upstream gradients."""
    with subject.seeded():
        leaves = subject.leaves(point)
        given = [leaf.clone() for leaf in leaves] if subject.cloned else leaves
        cloned, subject.cloned = subject.cloned, False
        try:
            results = subject.results(given)
        finally:
            subject.cloned = cloned
        seeds = subject.seeds(upstream, results)
        before = [subject.grid(seed) for seed in seeds]
        # An input that is marked as dirty comes back as the output itself, and everybody knows.
        declared = [any(out is each for out in results) for each in given]
        after_forward = [subject.grid(each) for each in given]
        subject.gradients(results, leaves, seeds)
        after = [subject.grid(each) for each in given]
    for name, now, then, once, known in zip(
        subject.names, after, after_forward, point, declared, strict=True
    ):
        if known:
            continue
        for stage, changed, old in (("forward", then, once), ("backward", now, then)):
            apart = difference((name,), RuleGradients((changed,)), RuleGradients((old,)), 2.0**-20)
            if apart:
                yield RuleFinding("input-changed", fields={"what": stage}, **apart)
                break
    for seed, old in zip(seeds, before, strict=True):
        if apart := difference(("",), RuleGradients((subject.grid(seed),)), RuleGradients((old,))):
            yield RuleFinding("upstream-changed", **apart)
            break


# ---- layouts ------------------------------------------------------------------------------------


def _strided(torch: ModuleType, x: Tensor) -> Tensor:
    """The same numbers with others between them, and not at the start of their memory."""
    wide = torch.full((*x.shape, 3), 7.0, dtype=x.dtype, device=x.device)
    wide[..., 1] = x
    return wide[..., 1]


def _turned(torch: ModuleType, x: Tensor) -> Tensor:
    """The same numbers in column order."""
    return x.transpose(-1, -2).contiguous().transpose(-1, -2) if x.dim() > 1 else x


def _expanded(torch: ModuleType, x: Tensor) -> Tensor:
    """One row that stands for all: its memory is shared."""
    return x[:1].expand_as(x) if x.dim() and len(x) > 1 else x


Layout = Callable[[ModuleType, "Tensor"], "Tensor"]
LAYOUTS: tuple[Layout, ...] = (_strided, _turned, _expanded)


def _layouts(subject: TorchSubject, point: Point, upstream: Sequence[Grid]) -> Iterator[RuleFinding]:
    for whose in ("inputs", "upstream"):
        for change in LAYOUTS:
            found = _with_layout(subject, point, upstream, whose, change)
            if found is not None:
                yield found
                break


def _with_layout(
    subject: TorchSubject, point: Point, upstream: Sequence[Grid], whose: str, change: Layout
) -> RuleFinding | None:
    """A difference or an error with one layout, beside the same numbers in one piece."""
    torch, cloned = subject.torch, subject.cloned

    def run(laid_out: bool) -> RuleGradients:
        with subject.seeded():
            leaves = [leaf.detach() for leaf in subject.leaves(point)]
            if whose == "inputs":
                leaves = [change(torch, leaf) for leaf in leaves]
                leaves = leaves if laid_out else [leaf.contiguous() for leaf in leaves]
            leaves = [leaf.requires_grad_() for leaf in leaves]
            results = subject.results(leaves)
            seeds = subject.seeds(upstream, results)
            if whose == "upstream":
                seeds = [change(torch, seed) for seed in seeds]
                seeds = seeds if laid_out else [seed.contiguous() for seed in seeds]
            return subject.gradients_of(subject.gradients(results, leaves, seeds))

    if cloned and whose == "inputs":
        return None  # it works in place on its input; a copy has a layout of its own
    try:
        due = run(False)
    except RuleRefusedError:
        return None
    try:
        got = run(True)
    except RuleRefusedError as refused:
        fields: dict[str, float | str] = {"what": whose, "message": refused.message}
        return RuleFinding("contiguous-only", grade=LIMITED, fields=fields)
    apart = difference(subject.names, got, due)
    if not apart:
        return None
    return RuleFinding("contiguous-only", fields={"what": whose, "message": ""}, **apart)


# ---- fewer gradients ----------------------------------------------------------------------------


def _fewer(
    subject: TorchSubject, point: Point, upstream: Sequence[Grid], base: RuleGradients
) -> Iterator[RuleFinding | Remark]:
    """Only some inputs need their gradients; only one output is used."""
    yield from _some_inputs(subject, point, upstream, base)
    for k in range(len(subject.outputs) if len(subject.outputs) > 1 else 0):
        alone = [grid if o == k else grid.map(lambda _: 0.0) for o, grid in enumerate(upstream)]
        due = subject.pull(point, alone)
        with subject.seeded():
            leaves = subject.leaves(point)
            results = subject.results(leaves)
            seeds = subject.seeds(upstream, results)
            try:
                got = subject.gradients_of(subject.gradients([results[k]], leaves, [seeds[k]]))
            except RuleRefusedError as refused:
                fields: dict[str, float | str] = {"output": float(k), "message": refused.message}
                yield RuleFinding("unused-output", grade=LIMITED, fields=fields)
                continue
        if apart := difference(subject.names, got, due):
            yield RuleFinding("unused-output", fields={"output": float(k), "message": ""}, **apart)


def _some_inputs(
    subject: TorchSubject, point: Point, upstream: Sequence[Grid], base: RuleGradients
) -> Iterator[RuleFinding | Remark]:
    """Each choice of the inputs that need a gradient, beside the run in which all do."""
    idle: set[int] = set()
    accused = False
    for needed in islice(_choices(len(subject.names)), CHOICES):
        if accused and len(needed) > 1:  # whatever else fails now comes of that
            break
        names = [subject.names[i] for i in needed]
        fields: dict[str, float | str] = {"needed": ", ".join(names), "message": ""}
        with subject.seeded(), subject.backward_runs() as calls:
            leaves = subject.leaves(point, needed=needed)
            results = subject.results(leaves)
            seeds = subject.seeds(upstream, results)
            kept = [(out, seed) for out, seed in zip(results, seeds, strict=True) if out.requires_grad]
            asked = [leaves[i] for i in needed]
            found: Sequence[Tensor | None] = [None] * len(asked)
            try:
                if kept:
                    found = subject.gradients([o for o, _ in kept], asked, [s for _, s in kept])
            except RuleRefusedError as refused:
                accused = True
                yield RuleFinding(
                    "partial-inputs", names[0], LIMITED, fields={**fields, "message": refused.message}
                )
                continue
        due = RuleGradients(tuple(base.grads[i] for i in needed))
        if apart := difference(names, subject.gradients_of(found), due):
            accused = True
            yield RuleFinding("partial-inputs", fields=fields, **apart)
        if calls and any(grad is not None for grad in due.grads):
            idle |= {i for i, p in enumerate(subject.places) if calls[-1].uncalled_for(p)}
    if idle:
        yield Remark("needs-ignored", ", ".join(subject.names[i] for i in sorted(idle)))


def _choices(count: int) -> Iterator[tuple[int, ...]]:
    """Some of so many: each alone, all but one, then the others."""
    sizes = [1, count - 1, *range(2, count - 1)]
    for size in dict.fromkeys(size for size in sizes if 0 < size < count):
        yield from combinations(range(count), size)


# ---- no upstream gradient -----------------------------------------------------------------------


def _zero_upstream(
    subject: TorchSubject, point: Point, upstream: Sequence[Grid], base: RuleGradients
) -> Iterator[RuleFinding]:
    """Where nothing comes from above, nothing may go on: a gradient is linear in the upstream gradient."""
    zeros = [grid.map(lambda _: 0.0) for grid in upstream]
    try:
        got = subject.pull(point, zeros)
    except RuleRefusedError as refused:
        yield RuleFinding("zero-upstream", grade=LIMITED, fields={"message": refused.message})
        return
    for name, ours, usual in zip(subject.names, got.grads, base.grads, strict=True):
        if ours is None or usual is None or not usual.finite:
            continue
        floor = SAME * max(map(abs, usual.numbers), default=0.0)
        strange = next((e for e, x in enumerate(ours.numbers) if not abs(x) <= floor), None)
        if strange is not None:
            yield RuleFinding(
                "zero-upstream", name, LIMITED, fields={"message": ""}, upstream=0.0, expected=0.0,
                position=ours.position(strange), got=ours.numbers[strange],
            )  # fmt: skip
            return


# ---- precisions ---------------------------------------------------------------------------------


def _precisions(subject: TorchSubject, point: Point, upstream: Sequence[Grid]) -> Iterator[RuleFinding]:
    """The same in float32 and bfloat16, beside float64 at the same, rounded numbers."""
    torch = subject.torch
    if subject.rounding or subject.complex_places:
        return
    for dtype, natural, slack in ((torch.float32, 1e-4, 2e-3), (torch.bfloat16, 0.05, 0.3)):
        short = subject.arguments
        rounded = tuple(subject.grid(subject.tensor(grid, dtype)) for grid in point)
        seeds = [subject.grid(subject.tensor(grid, dtype)) for grid in upstream]
        wide_out, due = subject.forward(rounded), subject.pull(rounded, seeds)
        subject.arguments = [
            x.to(dtype) if isinstance(x, torch.Tensor) and x.is_floating_point() else x for x in short
        ]
        try:
            with subject.seeded():
                leaves = subject.leaves(rounded, dtype)
                results = subject.results(leaves)
                outs = [subject.grid(out) for out in results]
                if difference(
                    [""] * len(outs), RuleGradients(tuple(outs)), RuleGradients(tuple(wide_out)), natural
                ):
                    continue  # the forward itself loses its digits: nothing to accuse the rule of
                got = subject.gradients_of(subject.gradients(results, leaves, subject.seeds(seeds, results)))
        except RuleRefusedError as refused:
            if refused.stage == "backward" and dtype == torch.float32:
                yield RuleFinding(
                    "float64-only",
                    grade=LIMITED,
                    fields={"dtype": _spelled(dtype), "message": refused.message},
                )
                return
            continue
        finally:
            subject.arguments = short
        loudest = max((abs(x) for grid in seeds for x in grid.numbers), default=0.0)
        if apart := difference(subject.names, got, due, slack, 1e-3 * loudest):
            yield RuleFinding(
                "float64-only", grade=LIMITED, fields={"dtype": _spelled(dtype), "message": ""}, **apart
            )
            return


def _spelled(dtype: Precision) -> str:
    return str(dtype).removeprefix("torch.")


# ---- second derivatives -------------------------------------------------------------------------


def _second_derivatives(
    subject: TorchSubject, point: Point, upstream: Sequence[Grid]
) -> Iterator[RuleFinding | Remark]:
    """Can the rule be differentiated again, and are the second derivatives those of the rule itself?"""
    random = Random(subject.seed)
    weights = [grid.map(lambda _: random.uniform(0.5, 1.5)) for grid in point]
    if subject.rounding:
        yield Unseen("twice")
        return
    try:
        second = _differentiated_again(subject, point, upstream, weights)
    except RuleRefusedError as refused:
        if "once_differentiable" in refused.message:
            yield Remark("once-differentiable")
        else:
            yield RuleFinding("second-derivative-missing", grade=LIMITED, fields={"message": refused.message})
        return
    if second is None:
        yield RuleFinding("second-derivative-missing", grade=LIMITED, fields={"message": ""})
        return
    try:
        yield from _compared(subject, point, upstream, weights, second)
    except RuleRefusedError as refused:
        yield Unseen("twice", refused.message)


def _differentiated_again(
    subject: TorchSubject, point: Point, upstream: Sequence[Grid], weights: Sequence[Grid]
) -> list[Grid | None] | None:
    """The gradient of the weighted sum of gradients; None where nothing leads back through the rule."""
    with subject.seeded():
        leaves = subject.leaves(point)
        results = subject.results(leaves)
        seeds = [seed.requires_grad_() for seed in subject.seeds(upstream, results)]
        first = subject.gradients(results, leaves, seeds, create_graph=True)
        parts = [
            (grad * subject.tensor(w).to(grad)).sum()
            for grad, w in zip(first, weights, strict=True)
            if grad is not None
        ]
        total: Tensor | None = sum(parts[1:], parts[0]) if parts else None
        if total is None or not total.requires_grad:
            return None
        try:
            total.backward()  # all the way: once_differentiable speaks up behind the first rule only here
        except Exception as error:
            raise RuleRefusedError("backward", error_text(error)) from error
        return [None if leaf.grad is None else subject.grid(leaf.grad) for leaf in leaves]


def _compared(
    subject: TorchSubject,
    point: Point,
    upstream: Sequence[Grid],
    weights: Sequence[Grid],
    second: Sequence[Grid | None],
) -> Iterator[RuleFinding]:
    def total(at: Point) -> float:
        pulled = subject.pull(at, upstream)
        return fsum(
            w * g
            for weight, grad in zip(weights, pulled.grads, strict=True)
            if grad is not None
            for w, g in zip(weight.numbers, grad.numbers, strict=True)
        )

    # An input that gets None is a constant to the rule, although its gradients may be made of it.
    constant = {i for i, grad in enumerate(subject.pull(point, upstream).grads) if grad is None}
    yield from second_slopes(subject.names, point, total, second, subject.seed, constant)
