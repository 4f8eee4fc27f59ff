"""Numbers that are not finite, in the forward or the backward pass, and updates that low precision loses."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...text.excerpts import listed
from ..program_place import NOWHERE, ProgramPlace
from ..report import XrayEntry
from .placement import built_place

if TYPE_CHECKING:
    from ..forward_record import TensorNote, TorchCall
    from ..subject import XrayEvidence

__all__ = ["first_not_finite", "lost_updates"]

HALVES = {"float16", "bfloat16"}
CURES = {
    "sqrt": "sqrt", "rsqrt": "sqrt", "pow": "sqrt", "__pow__": "sqrt", "norm": "norm", "vector_norm": "norm",
    "cdist": "norm", "div": "division", "__truediv__": "division", "truediv": "division",
    "true_divide": "division",
    "log": "logarithm", "log2": "logarithm", "log10": "logarithm", "log1p": "logarithm", "softmax": "masked",
    "log_softmax": "masked", "std": "spread", "acos": "arc", "asin": "arc", "arccos": "arc",
    "svd": "repeated",
    "linalg_svd": "repeated", "linalg_eigh": "repeated", "eigh": "repeated", "ctc_loss": "ctc",
    "exp": "overflow",
    "mean": "empty", "atan2": "arc", "cross_entropy": "empty", "nll_loss": "empty", "reciprocal": "division",
    "scaled_dot_product_attention": "masked", "std_mean": "spread", "linalg_norm": "norm",
    "mse_loss": "empty",
    "linalg_qr": "repeated", "qr": "repeated", "linalg_vector_norm": "norm", "rdiv": "division",
    "__rtruediv__": "division", "var": "spread", "normalize": "norm", "cumprod": "division",
    "prod": "division",
}  # fmt: skip


def first_not_finite(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """The first op whose result, or whose gradient, is not finite though all that it is given is."""
    loss = evidence.forward.loss
    if not math.isfinite(float(loss.detach())):
        call = _first_forward(evidence)
        if call is not None:
            yield _entry(evidence, call, "forward")
        return
    if evidence.backward is None:
        return
    bad = [at for at, count in evidence.backward.gradients.items() if count is not None and count.bad]
    if not bad:
        return
    for each in evidence.backward.passes:
        fine = all(count is None or not count.bad for count in each.arrived)
        if fine and any(count is not None and count.bad for count in each.sent) and each.call is not None:
            yield _entry(evidence, each.call, "backward", sum(1 << at for at in bad))
            return


def _entry(evidence: XrayEvidence, call: TorchCall, when: str, bits: int = 0) -> XrayEntry:
    kind = CURES.get(call.name, "other")
    operand = next((note for note in call.inputs if note.floating and note.depends), None)
    half = bool(call.outputs) and call.outputs[0].dtype in HALVES
    if half and when == "forward" and _is_infinite(call) and kind not in ("division", "logarithm"):
        fields: dict[str, str | float] = {"op": call.name, "dtype": call.outputs[0].dtype}
        return XrayEntry(
            "low-precision", "number.overflow", "finding", built_place(evidence, call), fields, 97.0
        )
    fields = {
        "op": call.name,
        "operand": _operand(operand, kind),
        "names": listed(evidence.forward.names(bits), 3) if bits else "",
    }
    place = _place(evidence, call, operand)
    if kind == "sqrt" and when == "backward" and _is_selected(evidence, call):
        kind = "branch"
    fields["cure"] = kind
    return XrayEntry("non-finite", f"number.{when}", "finding", place, fields, 98.0)


def _place(evidence: XrayEvidence, call: TorchCall, operand: TensorNote | None) -> ProgramPlace:
    """The op; where its operand is a parameter as it was made, the line that made it."""
    model = evidence.subject.model
    if model is not None and operand is not None and operand.leaf and operand.name:
        path, _, name = operand.name.rpartition(".")
        owner = dict(model.named_modules()).get(path)
        place = evidence.subject.build.attribute(owner, name) if owner is not None else None
        if place is not None and not type(owner).__module__.startswith("torch."):
            return place
    return built_place(evidence, call)


def _operand(note: TensorNote | None, kind: str) -> str:
    value = note.value if note is not None else None
    if value is None or not value.numel():
        return "?"
    flat = value.detach().float().flatten()
    zeros, below = int((flat == 0).sum()), int((flat < 0).sum())
    least, most = float(flat.min()), float(flat.max())
    return f"{least:.3g} ... {most:.3g}; 0: {zeros}, < 0: {below}, n = {flat.numel()}"


def _is_infinite(call: TorchCall) -> bool:
    import torch

    value = call.outputs[0].value
    return value is not None and bool(torch.isinf(value).any())


def _is_selected(evidence: XrayEvidence, call: TorchCall) -> bool:
    rest, seen = [*call.outputs], 0
    while rest and seen < 40:
        seen += 1
        for user in evidence.users.get(rest.pop().key, ()):
            if user.name == "where":
                return True
            rest += user.outputs
    return False


def _first_forward(evidence: XrayEvidence) -> TorchCall | None:
    """The first op that makes what is not finite out of what is; not one that is told to write inf."""
    import torch

    later = None
    for call in evidence.forward.calls:
        if call.index not in evidence.reaching:
            continue
        values = [note.value for note in call.outputs if note.floating]
        if not any(value is not None and not bool(torch.isfinite(value).all()) for value in values):
            continue
        taken = [note.value for note in call.inputs if note.floating]
        if _asks_for_infinity(call):
            continue
        if all(value is None or bool(torch.isfinite(value).all()) for value in taken):
            return call
        made_nan = any(value is not None and bool(torch.isnan(value).any()) for value in values)
        if (
            later is None
            and made_nan
            and not any(value is not None and bool(torch.isnan(value).any()) for value in taken)
        ):
            later = call
    return later


def _asks_for_infinity(call: TorchCall) -> bool:
    plain = [*call.arguments, *call.options.values()]
    return any(isinstance(x, float) and math.isinf(x) for x in plain) or call.name in ("full", "tensor")


# ---- low precision --------------------------------------------------------------------------------


def lost_updates(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """A step of the optimizer, taken and taken back: parameters that it breaks, or leaves as they were."""
    import torch

    from ..program_state import preserved

    subject, forward = evidence.subject, evidence.forward
    optimizer = subject.optimizer
    if optimizer is None or evidence.backward is None or not evidence.trained:
        return
    counts = evidence.backward.gradients
    rows = [
        (name, leaf)
        for at, (name, leaf) in enumerate(zip(forward.leaf_names, forward.leaves, strict=True))
        if evidence.trained >> at & 1 and (count := counts.get(at)) is not None and not count.bad
    ]
    if not rows or any(count is not None and count.bad for count in counts.values()):
        return
    with preserved(subject.model, optimizer), torch.no_grad():
        before = [leaf.detach().clone() for _, leaf in rows]
        try:
            optimizer.step()
        except (RuntimeError, TypeError):
            return  # it wants a closure
        broken = [name for (name, leaf), old in zip(rows, before, strict=True)
                  if bool((torch.isfinite(old) & ~torch.isfinite(leaf)).any())]  # fmt: skip
        moved = same = 0
        for (_, leaf), old in zip(rows, before, strict=True):
            if str(leaf.dtype).removeprefix("torch.") in HALVES and leaf.grad is not None:
                fed = leaf.grad != 0
                moved += int(fed.sum())
                same += int((fed & (leaf == old)).sum())
    place = subject.build.made(optimizer) or NOWHERE
    group = optimizer.param_groups[0]
    fields: dict[str, str | float] = {"eps": float(group.get("eps") or 0.0), "lr": float(group["lr"])}
    if broken:
        half = any(str(leaf.dtype).removeprefix("torch.") in HALVES for name, leaf in rows if name in broken)
        fields["names"] = listed(broken, 3)
        family, code = ("low-precision", "number.update_half") if half else ("non-finite", "number.update")
        yield XrayEntry(family, code, "finding", place, fields, 92.0)
    elif moved and same / moved >= 0.5:
        fields["share"] = f"{same / moved:.0%}"
        grade: Any = "finding" if same / moved >= 0.9 else "fact"
        yield XrayEntry("low-precision", "number.vanishing", grade, place, fields, 60.0)
