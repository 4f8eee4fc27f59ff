"""How a rule of PyTorch behaves: each check compares the rule with itself under other circumstances.

Saved state, changes in place, memory layouts, single and half precision, fewer gradients asked for.  Nothing
here needs to know the right numbers, so a rule that is wrong as well is not accused twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .comparison import difference
from .grids import Grid
from .report import LIMITED, WRONG, Remark, RuleFinding
from .subject import Point, Pulled, RuleRefusedError
from .torch_second_derivatives import twice

if TYPE_CHECKING:
    from .torch_rules import TorchSubject

__all__ = ["conduct", "unsteady"]


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
                found.append(subject.pulled(subject.gradients(results, leaves, copies, retain_graph=True)))
            except RuleRefusedError as refused:
                if not turn:
                    raise
                return RuleFinding("second-backward", grade=LIMITED, fields={"message": refused.message})
    if apart := difference(subject.names, found[1], found[0]):
        return RuleFinding("second-backward", **apart)
    if apart := difference(subject.names, found[2], found[0]):
        return RuleFinding("unsteady", **apart)
    return None


def conduct(
    subject: TorchSubject, point: Point, other: Point, upstream: Sequence[Grid]
) -> Iterator[RuleFinding | Remark]:
    base = subject.pull(point, upstream)
    yield from _stale(subject, point, other, upstream, base)
    changed = list(_in_place(subject, point, upstream))
    yield from changed
    yield from _fewer(subject, point, upstream, base)
    if changed:  # whatever else raises or differs now comes of that
        return
    if subject.draws:  # in another layout or precision it would draw other numbers
        yield Remark("random-forward")
    else:
        yield from _layouts(subject, point, upstream)
        yield from _precisions(subject, point, upstream)
    yield from twice(subject, point, upstream)


# ---- saved state --------------------------------------------------------------------------------


def _stale(
    subject: TorchSubject, point: Point, other: Point, upstream: Sequence[Grid], base: Pulled
) -> Iterator[RuleFinding]:
    """Forward here, forward there, then backward of the first."""
    with subject.seeded():
        leaves = subject.leaves(point)
        results = subject.results(leaves)
        subject.results(subject.leaves(other))
        try:
            got = subject.pulled(subject.gradients(results, leaves, subject.seeds(upstream, results)))
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
            apart = difference((name,), Pulled((changed,)), Pulled((old,)), 2.0**-20)
            if apart:
                yield RuleFinding("input-changed", fields={"what": stage}, **apart)
                break
    for seed, old in zip(seeds, before, strict=True):
        if apart := difference(("",), Pulled((subject.grid(seed),)), Pulled((old,))):
            yield RuleFinding("upstream-changed", **apart)
            break


# ---- layouts ------------------------------------------------------------------------------------


def _strided(torch: Any, x: Any) -> Any:
    """The same numbers with others between them, and not at the start of their memory."""
    wide = torch.full((*x.shape, 3), 7.0, dtype=x.dtype, device=x.device)
    wide[..., 1] = x
    return wide[..., 1]


def _turned(torch: Any, x: Any) -> Any:
    """The same numbers in column order."""
    return x.transpose(-1, -2).contiguous().transpose(-1, -2) if x.dim() > 1 else x


def _expanded(torch: Any, x: Any) -> Any:
    """One row that stands for all: its memory is shared."""
    return x[:1].expand_as(x) if x.dim() and len(x) > 1 else x


LAYOUTS = (_strided, _turned, _expanded)


def _layouts(subject: TorchSubject, point: Point, upstream: Sequence[Grid]) -> Iterator[RuleFinding]:
    for whose in ("inputs", "upstream"):
        for change in LAYOUTS:
            found = _with_layout(subject, point, upstream, whose, change)
            if found is not None:
                yield RuleFinding(
                    "contiguous-only", **found[0], grade=found[1], fields={"what": whose, **found[2]}
                )
                break


def _with_layout(
    subject: TorchSubject, point: Point, upstream: Sequence[Grid], whose: str, change: Any
) -> tuple[dict[str, Any], str, dict[str, str]] | None:
    """What goes wrong with one layout, beside the same numbers in one piece."""
    torch, cloned = subject.torch, subject.cloned

    def run(laid_out: bool) -> Pulled:
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
            return subject.pulled(subject.gradients(results, leaves, seeds))

    if cloned and whose == "inputs":
        return None  # it works in place on its input; a copy has a layout of its own
    try:
        due = run(False)
    except RuleRefusedError:
        return None
    try:
        got = run(True)
    except RuleRefusedError as refused:
        return {}, LIMITED, {"message": refused.message}
    apart = difference(subject.names, got, due)
    return (apart, WRONG, {"message": ""}) if apart else None


# ---- fewer gradients ----------------------------------------------------------------------------


def _fewer(
    subject: TorchSubject, point: Point, upstream: Sequence[Grid], base: Pulled
) -> Iterator[RuleFinding]:
    """Only one input needs its gradient; only one output is used."""
    for i, name in enumerate(subject.names if len(subject.names) > 1 else ()):
        with subject.seeded():
            leaves = subject.leaves(point, needed=[i])
            results = subject.results(leaves)
            seeds = subject.seeds(upstream, results)
            kept = [(out, seed) for out, seed in zip(results, seeds, strict=True) if out.requires_grad]
            try:
                found = (
                    subject.gradients([o for o, _ in kept], [leaves[i]], [s for _, s in kept])
                    if kept
                    else [None]
                )
            except RuleRefusedError as refused:
                yield RuleFinding("partial-inputs", name, LIMITED, fields={"message": refused.message})
                continue
        apart = difference((name,), subject.pulled(found), Pulled((base.grads[i],)))
        if apart:
            yield RuleFinding("partial-inputs", fields={"message": ""}, **apart)
    for k in range(len(subject.outputs) if len(subject.outputs) > 1 else 0):
        alone = [grid if o == k else grid.map(lambda _: 0.0) for o, grid in enumerate(upstream)]
        due = subject.pull(point, alone)
        with subject.seeded():
            leaves = subject.leaves(point)
            results = subject.results(leaves)
            seeds = subject.seeds(upstream, results)
            try:
                got = subject.pulled(subject.gradients([results[k]], leaves, [seeds[k]]))
            except RuleRefusedError as refused:
                fields: dict[str, float | str] = {"output": float(k), "message": refused.message}
                yield RuleFinding("unused-output", grade=LIMITED, fields=fields)
                continue
        if apart := difference(subject.names, got, due):
            yield RuleFinding("unused-output", fields={"output": float(k), "message": ""}, **apart)


# ---- precisions ---------------------------------------------------------------------------------


def _precisions(subject: TorchSubject, point: Point, upstream: Sequence[Grid]) -> Iterator[RuleFinding]:
    """The same in float32 and bfloat16, beside float64 at the same, rounded numbers."""
    torch = subject.torch
    if subject.rounding:
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
                if difference([""] * len(outs), Pulled(tuple(outs)), Pulled(tuple(wide_out)), natural):
                    continue  # the forward itself loses its digits: nothing to accuse the rule of
                got = subject.pulled(subject.gradients(results, leaves, subject.seeds(seeds, results)))
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
        if apart := difference(subject.names, got, due, slack):
            yield RuleFinding(
                "float64-only", grade=LIMITED, fields={"dtype": _spelled(dtype), "message": ""}, **apart
            )
            return


def _spelled(dtype: Any) -> str:
    return str(dtype).removeprefix("torch.")
