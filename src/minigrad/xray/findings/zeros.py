"""Gradients that are zero: ops without a derivative, dead units, terms that are constant, samples left out.

That a gradient is zero is no accusation.  It is one where an op takes all of it, for numbers that the loss
wants to move, and a step of the optimizer does not wake it up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...text.excerpts import listed
from ..program_state import preserved
from ..report import XrayEntry
from .leaks import owns_first_axis
from .placement import built_place, parameter_place

if TYPE_CHECKING:
    from ..forward_record import TorchCall
    from ..subject import XrayEvidence

__all__ = ["blocked_values", "cancelled_values", "samples_without_gradient", "single_classes"]

# Ops whose derivative is zero wherever there is one.
FLAT = {
    "bernoulli", "round", "sign", "sgn", "floor", "ceil", "trunc", "heaviside", "round_", "sign_", "floor_",
    "bernoulli_", "__floordiv__", "floor_divide", "fix",
}  # fmt: skip
CLAMPS = {"clamp", "clip", "clamp_", "clip_", "hardtanh", "relu6", "clamp_min", "clamp_max", "hardsigmoid",
          "minimum", "maximum"}  # fmt: skip
RECTIFIERS = {"relu", "relu_", "threshold", "relu6"}
SQUASHES = {
    "sigmoid",
    "tanh",
    "softmax",
    "log_softmax",
    "logsigmoid",
    "erf",
    "hardsigmoid",
    "sigmoid_",
    "tanh_",
}
BLOCKED = 0.5  # the share of the numbers that a clamp may keep from coming back before that is a finding
TINY = 1e-12


def blocked_values(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Ops that send on nothing of what arrived."""
    import torch

    if evidence.backward is None:
        return
    still = evidence.still_zero()
    for call in evidence.forward.calls:
        if not call.outputs or not call.inputs or call.name not in FLAT | CLAMPS | RECTIFIERS | SQUASHES:
            continue
        arrived = evidence.arrived(call)
        source, given = call.inputs[0].value, call.outputs[0].value
        if arrived is None or not bool((arrived != 0).any()) or not call.inputs[0].reaches:
            continue
        if not bool(torch.isfinite(arrived).all()):
            continue
        starved = evidence.starved(call) & still
        names = evidence.forward.names(starved)
        fields: dict[str, str | float] = {
            "names": listed(names, 3),
            "op": call.name,
            "count": float(len(names)),
        }
        if call.name in FLAT:
            if starved and not evidence.passes(call):
                yield XrayEntry(
                    "zero-derivative",
                    "zero.flat",
                    "finding",
                    built_place(evidence, call),
                    fields,
                    80.0 + len(names),
                )
            continue
        if source is None or given is None or source.shape != arrived.shape:
            continue
        with torch.no_grad():
            blocked, back = _blocked(call, source, given, arrived)
        if blocked is None:
            continue
        moving = arrived != 0
        count = int(moving.sum())
        share = float((blocked & moving).sum()) / count
        wanted = float((blocked & back & moving).sum()) / count
        fields |= {"share": f"{share:.0%}", "wanted": f"{wanted:.0%}"}
        if share == 1.0 and starved and wanted > 0.0 and not evidence.passes(call):
            yield XrayEntry(
                "dead-units",
                "zero.dead" if call.name not in SQUASHES else "zero.saturated",
                "finding",
                built_place(evidence, call),
                fields,
                90.0 + len(names),
            )
        elif call.name in CLAMPS and wanted >= BLOCKED and count > 1:
            yield XrayEntry(
                "zero-derivative",
                "zero.clamped",
                "finding",
                built_place(evidence, call),
                fields,
                50.0 + share,
            )
        elif call.name in SQUASHES and share > 0.95 and wanted > BLOCKED:
            yield XrayEntry(
                "dead-units", "zero.saturated", "fact", built_place(evidence, call), fields, 8.0 + share
            )
        elif call.name in RECTIFIERS and arrived.dim() >= 2 and count > 1:
            units = blocked.movedim(1, -1) if blocked.dim() > 3 else blocked  # of images, the channels
            rows = units.flatten(0, -2)
            dead = float(rows.all(0).float().mean())
            if dead >= 0.5 and rows.shape[0] >= 8:
                fields["share"] = f"{dead:.0%}"
                yield XrayEntry(
                    "dead-units", "zero.units", "fact", built_place(evidence, call), fields, 8.0 + dead
                )


def _blocked(call: TorchCall, source: Any, given: Any, arrived: Any) -> tuple[Any, Any]:
    """Which numbers pass no gradient, and which of these the loss would move back."""
    if call.name in ("minimum", "maximum"):
        other = call.inputs[1].value if len(call.inputs) > 1 else None
        if other is None or call.inputs[1].reaches:  # then the gradient goes to the other, as it should
            return None, None
        blocked = given != source
        return blocked, (arrived < 0) if call.name == "maximum" else (arrived > 0)
    if call.name in RECTIFIERS or call.name in CLAMPS:
        low, high = given > source, given < source
        if call.name in RECTIFIERS:
            low = low | ((given == 0) & (source <= 0))
        return low | high, (low & (arrived < 0)) | (high & (arrived > 0))
    if call.name in ("softmax", "log_softmax"):
        return None, None
    slope = _slope(call.name, given)
    if slope is None:
        return None, None
    blocked = slope < 1e-6
    return blocked, ((source < 0) & (arrived < 0)) | ((source > 0) & (arrived > 0))


def _slope(name: str, given: Any) -> Any:
    if name.startswith("sigmoid"):
        return given * (1 - given)
    if name.startswith("tanh"):
        return 1 - given * given
    return None


def zero_factors(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Parameters that are 0 throughout and multiplied by each other: none of them ever gets a gradient.

    One of them is changed a little; if then another gets a gradient, the zeros are what keeps it away.
    """
    import torch

    forward = evidence.forward
    still = evidence.still_zero() & evidence.trained
    if not still or not evidence.repeatable or evidence.late():
        return
    empty = [
        at
        for at, leaf in enumerate(forward.leaves)
        if still >> at & 1 and leaf.is_floating_point() and not bool((leaf != 0).any())
    ]
    for at in empty[:8]:
        others = [
            forward.leaves[each] for each in range(len(forward.leaves)) if still >> each & 1 and each != at
        ]
        if len(empty) < 2 or not others:
            return
        with preserved(evidence.subject.model, evidence.subject.optimizer, forward.leaves):
            with torch.no_grad():
                leaf = forward.leaves[at]
                leaf.copy_(torch.linspace(0.01, 0.02, leaf.numel()).view(leaf.shape))
            try:
                found = torch.autograd.grad(evidence.again(), others, allow_unused=True)
            except RuntimeError:
                continue
        woken = [
            each
            for each, gradient in zip(others, found, strict=True)
            if gradient is not None and bool((gradient != 0).any()) and not bool((each != 0).any())
        ]
        if woken:
            place = parameter_place(evidence, forward.leaf_names[at])
            fields: dict[str, str | float] = {
                "names": listed([forward.leaf_names[each] for each in empty], 3)
            }
            yield XrayEntry("dead-units", "zero.factors", "finding", place, fields, 89.0)
            return


def cancelled_values(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Differences whose two gradients cancel: a value minus a straight-through copy of itself."""
    import torch

    if evidence.backward is None:
        return
    for call in evidence.forward.calls:
        if (
            call.name not in ("sub", "__sub__", "rsub", "sub_", "add", "__rsub__", "__add__")
            or not call.nodes
        ):
            continue
        if len(call.inputs) < 2 or not all(note.reaches for note in call.inputs[:2]):
            continue
        if not call.inputs[0].reaches & call.inputs[1].reaches or call.index not in evidence.reaching:
            continue
        arrived, given = evidence.arrived(call), call.outputs[0].value
        if given is None or arrived is None or not bool((arrived != 0).any()) or evidence.late():
            continue
        sides = [note.value for note in call.inputs[:2]]
        if any(side is None or not side.requires_grad for side in sides) or not bool((given != 0).any()):
            continue
        leaves = [
            leaf for at, leaf in enumerate(evidence.forward.leaves) if call.outputs[0].reaches >> at & 1
        ]
        torch.manual_seed(0)
        probe = torch.randn_like(given)
        try:
            whole = torch.autograd.grad(given, leaves, probe, retain_graph=True, allow_unused=True)
            if any(bool((each != 0).any()) for each in whole if each is not None):
                largest = max(float(each.abs().max()) for each in whole if each is not None)
                if not largest <= TINY:  # NaN too
                    continue
            left = [sides[0]]
            one = torch.autograd.grad(
                left, leaves, torch.randn_like(sides[0]), retain_graph=True, allow_unused=True
            )
        except RuntimeError:
            continue
        if any(each is not None and bool((each.abs() > 1e-8).any()) for each in one):
            names = evidence.forward.names(call.outputs[0].reaches & evidence.trained)
            yield XrayEntry(
                "constant-term",
                "zero.cancelled",
                "finding",
                call.place,
                {"names": listed(names, 3), "count": float(len(names))},
                70.0,
            )


def single_classes(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """A softmax over an axis of one member is 1, whatever it is given."""
    for call in evidence.forward.calls:
        if not call.inputs or call.index not in evidence.reaching or not call.inputs[0].reaches:
            continue
        shape = call.inputs[0].shape
        if call.name == "cross_entropy":
            if len(shape) < 2 or shape[1] != 1 or shape[0] < 2:
                continue
            code = "zero.one_class"
        elif call.name in ("softmax", "log_softmax"):
            axis = call.options.get("dim", call.arguments[1] if len(call.arguments) > 1 else None)
            if not isinstance(axis, int) or not shape or shape[axis] != 1 or shape[0] < 2:
                continue
            if not evidence.starved(call):
                continue
            code = "zero.one_member"
        else:
            continue
        names = evidence.forward.names(call.inputs[0].reaches & evidence.trained)
        yield XrayEntry(
            "constant-term",
            code,
            "finding",
            built_place(evidence, call),
            {"names": listed(names, 3), "shape": str(shape)},
            95.0,
        )


def samples_without_gradient(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Selections that take rows of padding, or the samples of a batch where its steps are meant."""
    import torch

    if evidence.backward is None:
        return
    for call in evidence.forward.calls:
        if call.name not in ("__getitem__", "select", "gather", "index_select", "narrow", "take_along_dim"):
            continue
        if call.index not in evidence.reaching or not call.inputs or not call.inputs[0].reaches:
            continue
        taken, arrived = call.outputs[0].value, evidence.arrived(call)
        if (
            taken is None
            or arrived is None
            or taken.dim() < 1
            or taken.shape[0] < 2
            or not taken.is_floating_point()
        ):
            continue
        source = call.inputs[0]
        with torch.no_grad():
            rows = taken.reshape(taken.shape[0], -1)
            empty = (rows == 0).all(1)
            fed = (arrived.reshape(arrived.shape[0], -1) != 0).any(1)
        if rows.shape[1] > 1 and bool((empty & fed).any()) and not bool(empty.all()):
            if not evidence.without_samples(call, empty & fed):
                continue
            yield XrayEntry(
                "wrong-selection",
                "zero.padding",
                "fact",
                call.place,
                {"count": float(int((empty & fed).sum())), "of": float(taken.shape[0])},
                30.0,
            )
        elif (
            len(source.shape) >= 3
            and source.shape[0] == evidence.batch
            and _selects_first_axis(call)
            and owns_first_axis(evidence, call)
        ):
            yield XrayEntry(
                "wrong-selection", "zero.sample", "fact", call.place, {"of": float(source.shape[0])}, 25.0
            )


def _selects_first_axis(call: TorchCall) -> bool:
    if call.name == "__getitem__":
        key = call.arguments[1] if len(call.arguments) > 1 else None
        return isinstance(key, int) or (isinstance(key, tuple) and bool(key) and isinstance(key[0], int))
    return call.name == "select" and call.arguments[1:2] == (0,)
