"""File of a run: `load(path)` goes on bit for bit where `save(run, path)` stood.

Beside the weights and what the optimiser remembers, a checkpoint holds the settings, how many steps were
taken, the place in the data, the schedule, the generator and the losses so far.  What is read is held against
what such a run can be, whoever wrote it: a file with right checksums and nonsense in it is refused like any
other, before its sizes cost memory.
"""

from __future__ import annotations

import os
from array import array
from dataclasses import replace
from json import dumps
from math import isfinite
from typing import Final

from ..nn.checkpoint import Checkpoint, Tensor, content_of, read_checkpoint, restore, write_checkpoint
from ..text.escape import printable, visible
from ..text.files import JSON
from ..text.numerals import counted
from ..text.translation import say
from .run import Run
from .settings import Settings
from .tasks import digest, documents_of

__all__ = ["SCHEMA", "load", "pack", "save", "unpack"]

SCHEMA: Final = "minigrad.run/1"
_LOSSES: Final = "run.losses"
_ENTRIES: Final = {"schema", "settings", "step", "cursor", "generators", "optimiser", "schedule"}
_MOVING: Final = ("last_epoch", "_step_count", "_last_lr")  # what of a schedule changes as it goes on


def save(run: Run, path: str | os.PathLike[str]) -> None:
    """Write where a run stands: whole, and on the disk when this returns."""
    write_checkpoint(path, pack(run))


def load(path: str | os.PathLike[str], data: str = "") -> Run:
    """The run in a file; its documents are read from `data`, if they have moved there."""
    return unpack(read_checkpoint(path), data)


def pack(run: Run) -> Checkpoint:
    tensors, state = content_of(run.model, run.optimiser, run.schedule, run=run.generator)
    tensors[_LOSSES] = Tensor((len(run.losses),), array("d", run.losses))
    about: dict[str, JSON] = {
        "schema": SCHEMA,
        "settings": run.settings.to_json(),
        "step": run.step,
        "cursor": run.cursor,
    }
    return Checkpoint(tensors, about | state)


def unpack(checkpoint: Checkpoint, data: str = "") -> Run:
    """The run that was packed; CheckpointError if there cannot be such a one."""
    settings = _settings(checkpoint, data)
    if settings.language:
        if settings.data and not data and not os.path.exists(settings.data):
            raise ValueError(say("train.data.gone", path=visible(settings.data)))
        found = digest(documents_of(settings))  # another file, which is not the checkpoint's fault
        if settings.data_digest != found:
            raise ValueError(say("train.data.changed", path=settings.data or settings.task))
    try:
        run = Run(settings)
    except ValueError as error:
        raise checkpoint.refused(str(error), entry="settings") from None
    run.step, run.cursor = _progress(checkpoint, run)
    run.losses = _losses(checkpoint, run.step)
    _remembers(checkpoint, run)
    before = _settled(run)
    restore(checkpoint, run.model, run.optimiser, run.schedule, run=run.generator)
    _agrees(checkpoint, run, before)
    return run


def _settings(checkpoint: Checkpoint, data: str) -> Settings:
    state = checkpoint.state
    if state.get("schema") != SCHEMA:
        given = printable(str(state.get("schema"))[:60])
        raise checkpoint.refused(say("checkpoint.run.schema", given=given, known=SCHEMA), entry="schema")
    odd = _ENTRIES.symmetric_difference(state)
    if odd:
        listed = printable(", ".join(sorted(odd))[:80])
        raise checkpoint.refused(say("checkpoint.run.entries", names=listed), entry=min(odd))
    try:
        settings = Settings.from_json(state["settings"])
    except (ValueError, TypeError, OverflowError) as error:
        raise checkpoint.refused(str(error), entry="settings") from None
    if data and not settings.language:
        raise ValueError(say("usage.train.other", given=repr(printable(data)), task=settings.task))
    return replace(settings, data=data) if data else settings


def _progress(checkpoint: Checkpoint, run: Run) -> tuple[int, int]:
    step, cursor = checkpoint.state["step"], checkpoint.state["cursor"]
    steps = run.settings.steps
    if type(step) is not int or not 0 <= step <= steps:
        words = say("checkpoint.run.step", given=_shown(step), steps=counted(steps))
        raise checkpoint.refused(words, entry="step")
    if type(cursor) is not int or cursor != step * run.batch:
        words = say("checkpoint.run.cursor", given=_shown(cursor), right=counted(step * run.batch))
        raise checkpoint.refused(words, entry="cursor")
    return step, cursor


def _losses(checkpoint: Checkpoint, step: int) -> list[float]:
    tensor = checkpoint.tensors.get(_LOSSES, Tensor((), ()))
    if tensor.shape != (step,) or not all(map(isfinite, tensor.numbers)):
        raise checkpoint.refused(say("checkpoint.run.losses", count=counted(step)), tensor=_LOSSES)
    strange = [
        name
        for name in checkpoint.tensors
        if name != _LOSSES and not name.startswith(("model.", "optimiser."))
    ]
    if strange:
        raise checkpoint.refused(say("checkpoint.run.tensor", name=printable(strange[0])), tensor=strange[0])
    return list(tensor.numbers)


def _remembers(checkpoint: Checkpoint, run: Run) -> None:
    """After a step, the optimiser remembers each parameter; before the first, none."""
    settings = run.settings
    adam = ("step", "exp_avg", "exp_avg_sq")
    wanted = adam if settings.optimiser != "sgd" else ("momentum_buffer",) if settings.momentum else ()
    size = (len(run.parameters),)
    names = {f"optimiser.{name}": name for name in wanted if run.step}
    for name in checkpoint.tensors:
        if name.startswith("optimiser.") and name not in names:
            raise checkpoint.refused(say("checkpoint.run.tensor", name=printable(name)), tensor=name)
    for name, what in names.items():
        tensor = checkpoint.tensors.get(name, Tensor((), ()))
        counting = what == "step"
        if tensor.shape != size or (counting and any(count != run.step for count in tensor.numbers)):
            raise checkpoint.refused(say("checkpoint.places"), tensor=name)


# ---- what the settings say ----------------------------------------------------------------------


def _settled(run: Run) -> tuple[list[dict[str, object]], object]:
    """What of optimiser and schedule follows from the settings, whatever the step."""
    groups = [
        {name: value for name, value in group.items() if name not in ("params", "lr")}
        for group in run.optimiser.param_groups
    ]
    return groups, _still(run.schedule.state_dict())


def _still(state: object) -> object:
    if isinstance(state, dict):
        return {name: _still(inner) for name, inner in state.items() if name not in _MOVING}
    return [_still(inner) for inner in state] if isinstance(state, (list, tuple)) else state


def _agrees(checkpoint: Checkpoint, run: Run, before: tuple[list[dict[str, object]], object]) -> None:
    """Packed again, the run says what the checkpoint said: nothing was left out, added or read loosely."""
    again = pack(run).state
    saved = checkpoint.state["settings"]
    if isinstance(saved, dict):
        again["settings"] = run.settings.to_json() | {"data": saved["data"]}  # it may have moved
    groups, schedule = _settled(run)
    rates = [run.optimiser.param_groups[0]["lr"]]
    right = {
        "optimiser": groups == before[0],
        "schedule": schedule == before[1]
        and run.schedule.last_epoch == run.step
        and run.schedule.get_last_lr() == rates,
    }
    for entry in sorted(_ENTRIES):
        same = dumps(again[entry], sort_keys=True) == dumps(checkpoint.state[entry], sort_keys=True)
        if not (same and right.get(entry, True)):
            raise checkpoint.refused(say("checkpoint.run.settings", what=entry), entry=entry)


def _shown(given: object) -> str:
    plain = isinstance(given, (int, float, str)) and not (type(given) is int and abs(given) >= 10**18)
    return printable(repr(given)[:60]) if plain else type(given).__name__
