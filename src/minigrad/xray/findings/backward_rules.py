"""Backward passes that are not those of the forward: custom Functions, recomputations, double writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...doctor.rules.report import WRONG
from ...text.excerpts import cut
from ..program_place import ProgramPlace
from ..report import XrayEntry, XrayRemark

if TYPE_CHECKING:
    from ..forward_record import TorchCall
    from ..subject import XrayEvidence

__all__ = ["numbers_written_twice", "random_backward", "wrong_functions"]

RANDOM = {
    "dropout", "bernoulli", "rand", "randn", "rand_like", "randn_like", "multinomial", "normal",
    "alpha_dropout",
    "dropout2d", "feature_dropout", "bernoulli_", "normal_", "uniform_", "dropout1d", "dropout3d",
    "rrelu", "randint",
}  # fmt: skip


def wrong_functions(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Each custom Function that the forward pass called, examined by the doctor with its own inputs."""
    seen = evidence.subject.rules
    if seen is None or not seen.calls or evidence.late():
        return
    reports = seen.examine()
    for rule in reports.rules:
        report = rule.report
        if report.verdict != WRONG:
            if report.verdict == "not examined":
                evidence.remarks.append(XrayRemark("rule", report.name))
            continue
        first = next((each for each in report.findings if each.about == "gradient"), None)
        line = next((each for each in report.findings if each.line is not None), None)
        place = ProgramPlace(rule.place.file, rule.place.line)
        if line is not None and line.line is not None:
            place = ProgramPlace(line.file or rule.place.file, line.line)
        yield XrayEntry(
            "custom-backward",
            "rule.wrong",
            "finding",
            place,
            {
                "name": report.name,
                "input": first.input if first is not None else "",
                "story": cut(first.story(), 160) if first is not None else "",
                "fix": cut(first.fix(), 160) if first is not None else "",
            },
            90.0,
        )


def numbers_written_twice(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Writes to the same place twice: the forward keeps one, and the backward sends to all."""
    import torch

    for call in evidence.forward.calls:
        if call.index not in evidence.reaching:
            continue
        index, values = _index_and_values(call)
        if index is None or values is None or not values.reaches or values.value is None:
            continue
        with torch.no_grad():
            order, rows = index, values.value.detach()
            if order.dim() != 1 or rows.shape[:1] != order.shape or len(order) < 2:
                continue
            unique, inverse = torch.unique(order, return_inverse=True)
            if len(unique) == len(order):
                continue
            last = torch.zeros(len(unique), dtype=torch.long).scatter_reduce(
                0, inverse, torch.arange(len(order)), "amax"
            )
            differs = (rows != rows[last[inverse]]).reshape(len(order), -1).any(1)
        if not bool(differs.any()):
            continue
        yield XrayEntry(
            "inconsistent-backward",
            "mismatch.twice",
            "finding",
            call.place,
            {"count": float(int(differs.sum())), "of": float(len(order))},
            82.0,
        )


def _index_and_values(call: TorchCall) -> tuple[Any, Any]:
    """The places that a call writes to, along the first axis, and what; None for other calls."""
    from ..forward_record import TensorNote

    arguments = call.arguments
    if call.name == "__setitem__" and len(arguments) == 3:
        key, values = arguments[1], arguments[2]
        key = key[0] if isinstance(key, tuple) and len(key) == 1 else key
    elif call.name in ("index_put_", "index_put") and len(arguments) >= 3:
        if call.options.get("accumulate") or (len(arguments) > 3 and arguments[3]):
            return None, None
        key, values = arguments[1], arguments[2]
        key = key[0] if isinstance(key, tuple) and len(key) == 1 else key
    elif call.name in ("index_copy", "index_copy_") and len(arguments) == 4 and arguments[1] == 0:
        key, values = arguments[2], arguments[3]
    elif call.name in ("scatter", "scatter_") and len(arguments) == 4 and not call.options:
        key, values = arguments[2], arguments[3]
        if (
            isinstance(key, TensorNote)
            and arguments[1] == 0
            and len(key.shape) == 2
            and key.value is not None
        ):
            first = key.value[:, 0]
            return (first, values) if bool((key.value == first[:, None]).all()) else (None, None)
    else:
        return None, None
    if not isinstance(key, TensorNote) or not isinstance(values, TensorNote) or key.value is None:
        return None, None
    return (key.value if key.dtype in ("int64", "int32") else None), values


def random_backward(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """The gradient of one and the same loss must not depend on the random numbers of the backward pass."""
    import torch

    inside = [call for call in evidence.forward.calls if _checkpoint(call) is not None]
    if not any(call.name in RANDOM for call in inside) or not evidence.repeatable or evidence.late():
        return
    leaves = [leaf for at, leaf in enumerate(evidence.forward.leaves) if evidence.trained >> at & 1]
    found = []
    for seed in (11, 12):
        loss = evidence.again()
        torch.manual_seed(seed)
        try:
            found.append(torch.autograd.grad(loss, leaves, allow_unused=True))
        except RuntimeError:  # a re-entrant one wants backward()
            return
    largest = 0.0
    for one, other in zip(*found, strict=True):
        if one is not None and other is not None and one.numel():
            scale = float(one.abs().max()) or 1.0
            largest = max(largest, float((one - other).abs().max()) / scale)
    if largest < 1e-3:
        return
    place = next(place for call in inside if call.name in RANDOM and (place := _checkpoint(call)) is not None)
    yield XrayEntry(
        "inconsistent-backward", "mismatch.random", "finding", place, {"largest": f"{largest:.0%}"}, 83.0
    )


def _checkpoint(call: TorchCall) -> ProgramPlace | None:
    """The line that checkpoints the part of the model in which an op ran."""
    for step in call.through:
        depth, _, rest = step.partition(":")
        if rest.startswith("utils/checkpoint.py:"):
            return call.places[min(int(depth), len(call.places) - 1)]
    return None
