"""Samples that leak into each other, and time steps that see the label which they are to predict.

The model is run again with one sample, or one time step, replaced; what else changes in its output depends on
it.  Batch normalisation, which is meant to do that, is switched to its running statistics meanwhile.  Where a
leak is found, the same two runs are compared op by op.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from ..forward_record import Recorder, tensors_in
from ..program_place import ProgramPlace
from ..report import XrayEntry
from .placement import built_place, function_tree

if TYPE_CHECKING:
    from ..forward_record import ForwardRecord, ModuleCall, TorchCall
    from ..subject import XrayEvidence

__all__ = ["copied_labels", "mixed_samples", "normalised_samples", "owns_first_axis", "visible_labels"]

ALONG = {
    "gru", "lstm", "rnn_tanh", "rnn_relu", "multi_head_attention_forward",
    "scaled_dot_product_attention", "softmax",
    "log_softmax", "cumsum", "roll", "flip", "sort", "cumprod",
}  # fmt: skip
STATISTICS = {
    "mean",
    "sum",
    "std",
    "var",
    "std_mean",
    "var_mean",
    "normalize",
    "norm",
    "layer_norm",
    "max",
    "min",
}
VIEWS = {"view", "reshape", "unflatten", "resize_", "as_strided", "view_as", "reshape_as"}
MASKS = {"masked_fill", "masked_fill_", "tril", "triu", "where"}
LARGEST = 1 << 22  # numbers that the model may be given, for it to be run again and again


def mixed_samples(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Outputs of a sample that depend on other samples of the batch."""
    entrance = evidence.entrance
    if entrance is None or evidence.late():
        return
    x = evidence.given
    if x.dim() < 2 or x.shape[0] < 2 or x.numel() > LARGEST:
        return
    runs = _Runs(evidence, entrance, x)
    plain = runs.output(x)
    if plain is None or plain.dim() < 1 or plain.shape[0] != x.shape[0] or not runs.repeats(plain):
        return
    if plain.dim() == 2 and plain.shape[1] == x.shape[0]:
        return  # every sample with every other, as in a contrastive loss
    count = x.shape[0]
    leaking = [j for j in (0, count - 1) if _others_changed(plain, runs.output(_replaced(x, 0, j)), 0, j)]
    if not leaking or _is_independent(runs, plain, x):
        return
    mixing, view = runs.mixing(x)
    if mixing is None:
        return
    place, code, grade = mixing.place, "leak.sample", "finding"
    if view is not None:
        place, code = view.place, "leak.view"
    elif mixing.name in STATISTICS:
        code, grade = "leak.statistics", "fact"
    elif x.shape[1] == 1 and (x.dim() == 3 or not x.is_floating_point()):
        return  # one sequence as (time, 1, ...), whose steps are no samples
    elif mixing.name not in ALONG or (x.dim() < 3 and x.is_floating_point() and "softmax" not in mixing.name):
        return
    else:
        place = built_place(evidence, mixing)
    yield XrayEntry(
        "sample-leak",
        code,
        "finding" if grade == "finding" else "fact",
        place,
        {"op": mixing.name, "count": float(count)},
        72.0,
    )


def owns_first_axis(evidence: XrayEvidence, call: TorchCall) -> bool:
    """Is the first axis of what a call takes that of the samples, each row computed from one?"""
    entrance = evidence.entrance
    if entrance is None or evidence.late() or not entrance.first <= call.index < entrance.last:
        return False
    x = evidence.given
    if x.dim() < 2 or x.shape[0] < 2 or x.numel() > LARGEST:
        return False
    runs = _Runs(evidence, entrance, x)
    records = [runs.record(each, 64 << 20) for each in (x, _replaced(x, 0, 0))]
    at = call.index - entrance.first
    values = [
        record.calls[at].inputs[0].value
        for record in records
        if record is not None and at < len(record.calls) and record.calls[at].name == call.name
    ]
    if len(values) < 2 or any(value is None or value.shape[0] != x.shape[0] for value in values):
        return False
    changed = _changed(values[0].float(), values[1].float()).reshape(x.shape[0], -1).any(1)
    return bool(changed[0]) and not bool(changed[1:].any())


def _is_independent(runs: _Runs, plain: Any, x: Any) -> bool:
    """Is the second axis the one of the samples, as in (time, batch, features)?"""
    if x.dim() < 2 or x.shape[1] < 2:
        return False
    after = runs.output(_replaced(x, 1, 0))
    if after is None or after.shape != plain.shape:
        return False
    axes = [axis for axis in range(min(2, plain.dim())) if plain.shape[axis] == x.shape[1]]
    return any(not _others_changed(plain, after, axis, 0) for axis in axes)


def _replaced(x: Any, axis: int, at: int) -> Any:
    """The same with one slice replaced by its neighbour, or by other numbers where that is the same."""
    import torch

    made = x.detach().clone()
    other = (at + 1) % x.shape[axis]
    new = x.select(axis, other).clone()
    if torch.equal(new, x.select(axis, at)):
        if not x.is_floating_point():
            flat = x.flatten()
            new = flat[torch.arange(new.numel()) * 7 % flat.numel()].view(new.shape)
        else:
            new = new * 0.5 + 0.3
    made.select(axis, at).copy_(new)
    return made


def _changed(before: Any, after: Any) -> Any:
    """Where two runs differ, beyond rounding."""
    import torch

    if after is None or before.shape != after.shape:
        return torch.ones_like(before, dtype=torch.bool)
    both = torch.isfinite(before) & torch.isfinite(after)
    return torch.where(
        both, (before - after).abs() > 1e-5 * (1 + before.abs()), before.isnan() != after.isnan()
    )


def _others_changed(before: Any, after: Any, axis: int, at: int) -> bool:
    if after is None or before.shape != after.shape:
        return False
    changed = _changed(before, after).movedim(axis, 0).reshape(before.shape[axis], -1).any(1)
    return bool(changed[:at].any()) or bool(changed[at + 1 :].any())


class _Runs:
    """Runs of the model at its entrance, each from the same random numbers, with one tensor replaced."""

    def __init__(self, evidence: XrayEvidence, entrance: ModuleCall, given: Any) -> None:
        self._evidence, self._entrance, self._given = evidence, entrance, given

    def record(self, x: Any, held: int = 0) -> ForwardRecord | None:
        import torch
        from torch.nn.modules.batchnorm import _BatchNorm

        entrance = self._entrance
        args, kwargs = (_with(each, self._given, x) for each in (entrance.arguments, entrance.options))
        frozen = [
            module
            for module in entrance.module.modules()
            if isinstance(module, _BatchNorm) and module.training
        ]
        recorder = Recorder(self._evidence.subject.model, held) if held else None
        self._evidence.generators.restore()
        try:
            for module in frozen:
                module.training = False
            with torch.no_grad():
                if recorder is None:
                    self._last = entrance.module(*args, **kwargs)
                    return None
                with recorder.running():
                    self._last = entrance.module(*args, **kwargs)
                return recorder.record
        except (RuntimeError, ValueError, IndexError, AssertionError, TypeError):
            self._last = None
            return None
        finally:
            for module in frozen:
                module.training = True

    def output(self, x: Any) -> Any:
        self.record(x)
        found = next(_outputs(self._last), None)
        return found.detach().float() if found is not None and not found.is_complex() else None

    def repeats(self, plain: Any) -> bool:
        again = self.output(self._given)
        return again is not None and not bool(_changed(plain, again).any())

    def mixing(self, x: Any) -> tuple[TorchCall | None, TorchCall | None]:
        """The first op with a number that depends on two samples; and the view that interleaved them."""
        count = x.shape[0]
        first, second = 0, count - 1
        held = 256 << 20
        records = [self.record(each, held) for each in (x, _replaced(x, 0, first), _replaced(x, 0, second))]
        if any(record is None for record in records):
            return None, None
        view: TorchCall | None = None
        rows = [record.calls for record in records if record is not None]
        for calls in zip(*rows, strict=False):
            plain, one, two = (call.outputs[0].value if call.outputs else None for call in calls)
            if plain is None or one is None or two is None or not plain.is_floating_point():
                continue
            if not calls[0].name == calls[1].name == calls[2].name:
                break
            by_one, by_two = _changed(plain, one), _changed(plain, two)
            if calls[0].name in VIEWS and plain.dim() > 2 and count in plain.shape:
                owned = any(
                    not _beyond(by_one, axis, first) and not _beyond(by_two, axis, second)
                    for axis, size in enumerate(plain.shape)
                    if size == count
                )
                view = view if owned else calls[0]
            if bool((by_one & by_two).any()):
                return calls[0], view
        return None, None

    def seen(self, x: Any, later: Any, step: int) -> TorchCall | None:
        """The first op in which a number before a time step depends on that step."""
        records = [self.record(each, 256 << 20) for each in (x, later)]
        if any(record is None for record in records):
            return None
        rows = [record.calls for record in records if record is not None]
        for calls in zip(*rows, strict=False):
            plain, other = (call.outputs[0].value if call.outputs else None for call in calls)
            if (
                plain is None
                or other is None
                or not plain.is_floating_point()
                or calls[0].name != calls[1].name
            ):
                continue
            changed = _changed(plain, other)
            axes = [axis for axis, size in enumerate(plain.shape) if size == x.shape[1]]
            if axes and all(bool(changed.movedim(axis, 0)[:step].any()) for axis in axes):
                found: TorchCall = calls[0]
                return found
        return None


def _beyond(changed: Any, axis: int, at: int) -> bool:
    rows = changed.movedim(axis, 0).reshape(changed.shape[axis], -1).any(1)
    return bool(rows[:at].any()) or bool(rows[at + 1 :].any())


def _with(x: Any, old: Any, new: Any) -> Any:
    if x is old:
        return new
    if isinstance(x, tuple):
        return tuple(_with(each, old, new) for each in x)
    if isinstance(x, list):
        return [_with(each, old, new) for each in x]
    if isinstance(x, dict):
        return {key: _with(each, old, new) for key, each in x.items()}
    return x


def _outputs(x: Any) -> Iterator[Any]:
    logits = getattr(x, "logits", None)
    for found in tensors_in(logits if logits is not None else x):
        if found.is_floating_point() and found.dim():
            yield found


def normalised_samples(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """A softmax of the loss along the axis of the samples, of numbers that have an axis of classes too."""
    entrance = evidence.entrance
    if entrance is None or evidence.batch < 2:
        return
    for call in evidence.forward.calls[entrance.last :]:
        if call.name not in ("softmax", "log_softmax") or call.index not in evidence.reaching:
            continue
        note = call.inputs[0] if call.inputs else None
        if note is None or not note.reaches & evidence.trained or call.modules:
            continue
        axis = call.options.get("dim", call.arguments[1] if len(call.arguments) > 1 else None)
        if axis not in (0, -len(note.shape)) or len(note.shape) != 2:
            continue
        if note.shape[0] != evidence.batch or note.shape[1] in (1, evidence.batch):
            continue  # weights of instances, or all samples with all
        yield XrayEntry(
            "sample-leak",
            "leak.softmax",
            "fact",
            built_place(evidence, call),
            {"op": call.name, "count": float(note.shape[0])},
            35.0,
        )


# ---- time -----------------------------------------------------------------------------------------


def visible_labels(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Predictions of the next step that depend on that very step, which the model is given."""
    entrance = evidence.entrance
    if entrance is None or evidence.late():
        return
    x = evidence.given
    if x.dim() < 2 or x.shape[1] < 4 or x.numel() > LARGEST or not _predicts_next(evidence, x):
        return
    runs = _Runs(evidence, entrance, x)
    plain = runs.output(x)
    if plain is None or plain.dim() < 2 or plain.shape[:2] != x.shape[:2] or not runs.repeats(plain):
        return
    step = x.shape[1] // 2
    later = _replaced(x, 1, step)
    after = runs.output(later)
    if after is None or after.shape != plain.shape or not bool(_changed(plain, after)[:, step - 1].any()):
        return
    call = runs.seen(x, later, step)
    place = _skipped_mask(evidence)
    code = "leak.mask" if place is not None else "leak.time"
    if place is None:
        if call is None:
            return
        source = call.inputs[0].producer if call.inputs else None
        padded = source is not None and source.name == "pad"
        place = source.place if source is not None and padded else built_place(evidence, call)
    yield XrayEntry("time-leak", code, "finding", place, {"op": call.name if call is not None else ""}, 78.0)


def copied_labels(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Labels that the model is given at the very place at which it is to predict them.

    An autoencoder does that on purpose, so it is a fact.
    """
    entrance = evidence.entrance
    if entrance is None or evidence.late():
        return
    x = evidence.given
    if x.dim() != 2 or x.is_floating_point() or x.shape[1] < 4 or x.numel() > LARGEST:
        return
    for call in evidence.forward.calls:
        if call.name not in ("cross_entropy", "nll_loss") or call.index not in evidence.reaching:
            continue
        laid_out = takewhile(lambda each: each.numel() == x.numel(), _targets(call))
        labels = next((each for each in laid_out if each.shape == x.shape), None)
        if labels is None or labels.is_floating_point():
            continue
        left_out = call.options.get("ignore_index", call.arguments[4] if len(call.arguments) > 4 else -100)
        counted = labels != left_out
        if int(counted.sum()) < 4 or not bool((labels == x)[counted].all()) or len(x[counted].unique()) < 3:
            continue
        step = int(counted.any(0).nonzero()[0])
        runs = _Runs(evidence, entrance, x)
        plain = runs.output(x)
        if plain is None or plain.shape[:2] != x.shape or not runs.repeats(plain):
            return
        after = runs.output(_replaced(x, 1, step))
        if after is None or after.shape != plain.shape or not bool(_changed(plain, after)[:, step].any()):
            return
        yield XrayEntry("time-leak", "leak.copied", "fact", built_place(evidence, call), {}, 55.0)
        return


def _targets(call: TorchCall) -> Iterator[Any]:
    """What a loss compares with, and what that was before it was laid out otherwise."""
    from .losses import KEEPING

    if len(call.inputs) < 2:
        return
    note = call.inputs[1]
    for _ in range(8):
        if note.value is not None:
            yield note.value
        producer = note.producer
        if producer is None or producer.name not in KEEPING | {"pad"} or not producer.inputs:
            return
        note = producer.inputs[0]


def _predicts_next(evidence: XrayEvidence, x: Any) -> bool:
    """Is what a loss compares with the same as the input, one step on?"""
    import torch

    for call in evidence.forward.calls:
        if call.index not in evidence.reaching:
            continue
        if call.name not in ("cross_entropy", "nll_loss", "mse_loss", "l1_loss", "smooth_l1_loss", "sub"):
            continue
        for target in _targets(call):
            if (
                target.dim() == x.dim()
                and target.dtype == x.dtype
                and target.shape[0] == x.shape[0]
                and target.shape[2:] == x.shape[2:]
            ):
                steps = min(target.shape[1], x.shape[1] - 1)
                if steps >= 2 and torch.equal(target[:, :steps], x[:, 1 : 1 + steps]):
                    return bool((x[:, 1:] != x[:, :-1]).any())
    return False


def _skipped_mask(evidence: XrayEvidence) -> ProgramPlace | None:
    """The `if` around a mask that did not run, in a function of the model that did."""
    lines: dict[str, set[int]] = {}
    for call in evidence.forward.calls:
        if call.modules:
            for place in call.places:
                lines.setdefault(place.file, set()).add(place.line)
    for file, ran in lines.items():
        tree = function_tree(file)
        for function in ast.walk(tree) if tree is not None else ():
            if not isinstance(function, ast.FunctionDef) or not _ran(function.body, ran):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.If) and not _ran(node.body, ran) and _masks(node.body):
                    return ProgramPlace(file, node.lineno)
    return None


def _ran(body: list[ast.stmt], lines: set[int]) -> bool:
    return any(each.lineno <= line <= (each.end_lineno or each.lineno) for each in body for line in lines)


def _masks(body: list[ast.stmt]) -> bool:
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MASKS
        for each in body
        for node in ast.walk(each)
    )
