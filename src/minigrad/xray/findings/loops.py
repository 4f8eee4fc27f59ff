"""Training loops: gradients left over, walked twice, summed without scale, clipped or zeroed too late."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..program_place import ProgramPlace
from ..report import XrayEntry

if TYPE_CHECKING:
    from ..loop_record import LoopEvent, LoopRecord

__all__ = [
    "accumulated_means",
    "evaluation_mode",
    "gradients_left",
    "misplaced_clips",
    "misplaced_zeros",
    "second_walks",
]

SCALINGS = {"div", "mul", "__truediv__", "__mul__", "truediv", "rmul", "true_divide"}
MEANS = {"mean", "mse_loss", "cross_entropy", "l1_loss", "smooth_l1_loss", "nll_loss", "huber_loss", "kl_div",
         "binary_cross_entropy_with_logits", "binary_cross_entropy", "ctc_loss"}  # fmt: skip


def gradients_left(record: LoopRecord) -> Iterator[XrayEntry]:
    """Gradients that the optimizer has used already, and that the next backward pass adds to."""
    used = False
    added: LoopEvent | None = None  # the pass that added to them, which is no harm before the next step
    for event in record.events:
        if event.kind == "step" and event.detail["own"]:
            if added is not None and event.detail["fed"]:
                count = float(len(added.detail["dirty"]))
                yield XrayEntry("loop-order", "loop.left", "finding", added.place, {"count": count}, 80.0)
                return
            used, added = bool(event.detail["fed"]), None
        elif event.kind == "zero_grad":
            used, added = False, None
        elif event.kind == "backward":
            added = event if used and event.detail["dirty"] else added
            used = False


def second_walks(record: LoopRecord) -> Iterator[XrayEntry]:
    """A loss that is differentiated a second time, as a part of another, after the parameters have moved."""
    for event in record.events:
        if event.kind != "backward":
            continue
        place = event.detail["joined"] or event.place
        if event.detail["twice"] and event.detail["moved"]:
            yield XrayEntry("loop-order", "loop.twice", "finding", place, {}, 82.0)
            return
        if event.detail["older"]:
            yield XrayEntry("loop-order", "loop.older", "finding", place, {}, 81.0)
            return


def evaluation_mode(record: LoopRecord) -> Iterator[XrayEntry]:
    """Steps that are taken in evaluation mode, by a model that behaves otherwise in training mode."""
    model = record.model
    if model is None or not _changes_with_mode(model):
        return
    waiting: LoopEvent | None = None
    for event in record.events:
        if event.kind == "backward" and event.detail["training"] is False:
            waiting = event
        elif event.kind == "step" and waiting is not None and event.detail["fed"] and event.detail["trains"]:
            mode = record.build.modes.get(id(model))
            place = waiting.place
            if mode is not None and not mode[0] and mode[1]:
                place = _where_it_went_on(mode[1], waiting.places)
            yield XrayEntry("loop-order", "loop.evaluation", "finding", place, {}, 79.0)
            return


def _where_it_went_on(places: tuple[ProgramPlace, ...], later: tuple[ProgramPlace, ...]) -> ProgramPlace:
    """The outermost line of a call that is not on the way to another: after it, something was to be done."""
    shared = {(place.file, place.line) for place in later}
    for place in reversed(places):
        if (place.file, place.line) not in shared:
            return place
    return places[0]


def _changes_with_mode(model: object) -> bool:
    import torch
    from torch.nn.modules.batchnorm import _BatchNorm
    from torch.nn.modules.dropout import _DropoutNd

    assert isinstance(model, torch.nn.Module)
    return any(
        (isinstance(module, _DropoutNd) and module.p > 0) or isinstance(module, _BatchNorm)
        for module in model.modules()
    )


def accumulated_means(record: LoopRecord) -> Iterator[XrayEntry]:
    """Means over parts of a batch that are added up, where the mean over the whole is meant."""
    run: list[LoopEvent] = []
    for event in record.events:
        if event.kind == "backward":
            if run and event.place != run[0].place:
                run = []
            run.append(event)
        elif event.kind == "step":
            if len(run) > 1 and all(map(_is_plain_mean, run)):
                inputs = [each.detail["inputs"] for each in run]
                same = len({each.detail["leaves"] for each in run}) == 1
                parts = len({each[0] for each in inputs if each}) == 1 and len(set(inputs)) == len(run)
                place = run[0].detail["loss"].producer.place
                yield XrayEntry(
                    "loop-scale",
                    "loop.scale",
                    "finding" if same and parts else "fact",
                    place,
                    {"count": float(len(run))},
                    70.0 if same else 20.0,
                )
                return
            run = []
        elif event.kind == "zero_grad":
            run = []


def _is_plain_mean(event: LoopEvent) -> bool:
    note = event.detail["loss"]
    call = note.producer if note is not None else None
    if call is None or call.name in SCALINGS or call.name not in MEANS:
        return False
    return bool(call.options.get("reduction", "mean") == "mean")


def misplaced_clips(record: LoopRecord) -> Iterator[XrayEntry]:
    """Gradients that are clipped after the optimizer has used them, or while they are still scaled."""
    scaled = False
    used: frozenset[int] = frozenset()  # the gradients that an optimizer has used
    for at, event in enumerate(record.events):
        if event.kind == "backward":
            used = frozenset()
            scaled = any(
                each.kind == "scale" and each.detail["on"] for each in record.events[max(0, at - 3) : at]
            )
        elif event.kind == "unscale":
            scaled = False
        elif event.kind == "step":
            used |= event.detail["used"] if event.detail["fed"] else frozenset()
        elif event.kind == "zero_grad":
            used = frozenset()
        elif event.kind == "clip":
            if used & event.detail["clipped"]:
                yield XrayEntry("loop-order", "loop.clip_late", "finding", event.place, {}, 76.0)
                return
            if scaled:
                yield XrayEntry("loop-order", "loop.clip_scaled", "finding", event.place, {}, 75.0)
                return


def misplaced_zeros(record: LoopRecord) -> Iterator[XrayEntry]:
    """Gradients that are zeroed before the optimizer has used them."""
    waiting: LoopEvent | None = None
    zeroed: LoopEvent | None = None
    used = 0
    for event in record.events:
        if event.kind == "backward":
            waiting, zeroed = event, None
        elif event.kind == "zero_grad":
            zeroed = event if waiting is not None else None
        elif event.kind == "step":
            if event.detail["fed"]:
                used += 1
            elif zeroed is not None and not used and event.detail["of"]:
                yield XrayEntry("loop-order", "loop.zeroed", "finding", zeroed.place, {}, 84.0)
                return
            waiting = zeroed = None
