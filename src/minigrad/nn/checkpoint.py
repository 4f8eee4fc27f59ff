"""Checkpoints of models: weights, the memory of an optimiser, the state of a schedule and of generators.

    nn.save("model.safetensors", model, optimiser, schedule, epoch=3)
    state = nn.load("model.safetensors", model, optimiser, schedule)      # {"epoch": 3}

What is loaded goes on bit for bit as it would have.  A file is written beside its name and renamed, and is
on the disk before `save` returns: whoever is killed leaves the old file or the new one.  `load` changes all
that it is given or, on an error, nothing.  The file is described in `safetensors.py`.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import prod
from pathlib import Path
from random import Random
from re import fullmatch
from stat import S_ISDIR, S_ISREG
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, cast

from ..text.escape import printable, visible
from ..text.files import clear_leftovers, write_whole
from ..text.translation import say
from .module import Module, Nest
from .safetensors import Checkpoint, CheckpointError, Tensor, encoded, read

if TYPE_CHECKING:
    from ..text.files import JSON
    from .optimisers import Optimizer
    from .schedules import LRScheduler

__all__ = [
    "Checkpoint",
    "CheckpointError",
    "Tensor",
    "content_of",
    "load",
    "read_checkpoint",
    "restore",
    "save",
    "write_checkpoint",
]

MODEL = "minigrad.model/1"  # the schema of the state that `save` writes
_WORDS = 624  # of 32 bits, in the state of Python's generator
_OURS = ("schema", "generators", "optimiser", "schedule")


def save(
    path: str | os.PathLike[str],
    model: Module,
    optimiser: Optimizer | None = None,
    schedule: LRScheduler | None = None,
    **state: JSON,
) -> None:
    """Write a model, and what else is given: an optimiser, a schedule, numbers and texts by name."""
    if not isinstance(model, Module):
        raise TypeError(say("checkpoint.model", given=type(model).__name__))
    tensors, ours = content_of(model, optimiser, schedule)
    write_checkpoint(path, Checkpoint(tensors, {"schema": MODEL, **ours, "user": state}))


def load(
    path: str | os.PathLike[str],
    model: Module,
    optimiser: Optimizer | None = None,
    schedule: LRScheduler | None = None,
) -> dict[str, JSON]:
    """Read what `save` wrote into a model of the same shape, and what else is given; the rest of its state.

    The checkpoint of a training run will do too.
    """
    if not isinstance(model, Module):
        raise TypeError(say("checkpoint.model", given=type(model).__name__))
    checkpoint = read_checkpoint(path)
    try:
        restore(checkpoint, model, optimiser, schedule)
    except CheckpointError as error:  # it is one, of something else
        raise ValueError(say("checkpoint.unfit", path=visible(error.source), why=error.why)) from None
    user = checkpoint.state.get("user")
    if isinstance(user, dict):
        return user
    return {name: entry for name, entry in checkpoint.state.items() if name not in _OURS}


# ---- files --------------------------------------------------------------------------------------


def write_checkpoint(path: str | os.PathLike[str], checkpoint: Checkpoint) -> None:
    """Write a checkpoint whole or not at all."""
    write_whole(Path(path), encoded(checkpoint), durable=True)


def read_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """The checkpoint in a file; CheckpointError for anything else, OSError for what cannot be opened."""
    source = os.fsdecode(path)
    clear_leftovers(Path(path))
    flags = (
        os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    )  # a pipe may have no writer
    opened = os.open(path, flags)
    try:
        found = os.fstat(opened)
        if S_ISDIR(found.st_mode):
            raise CheckpointError(source, say("checkpoint.folder"), None)
        if not S_ISREG(found.st_mode):
            raise CheckpointError(source, say("checkpoint.device"), None)
        with open(opened, "rb", closefd=False) as file:
            return read(file, found.st_size, source)
    finally:
        os.close(opened)


# ---- what is saved ------------------------------------------------------------------------------


def content_of(
    model: Module,
    optimiser: Optimizer | None = None,
    schedule: LRScheduler | None = None,
    **generators: Random,
) -> tuple[dict[str, Tensor], dict[str, JSON]]:
    """The tensors and the state of what a training loop holds; `restore` is its reverse."""
    tensors = {f"model.{name}": _tensor(numbers) for name, numbers in model.state_dict().items()}
    everyone = {**generators, **{f"model.{name}": one for name, one in model.generators().items()}}
    state: dict[str, JSON] = {"generators": {name: _standing(one) for name, one in everyone.items()}}
    if optimiser is not None:
        columns, state["optimiser"] = _remembered(optimiser.state_dict())
        tensors |= columns
    if schedule is not None:
        state["schedule"] = schedule.state_dict()
    return tensors, state


def _tensor(numbers: Nest[float]) -> Tensor:
    shape: list[int] = []
    level: list[Nest[float]] = [numbers]
    while level and isinstance(level[0], list):
        shape.append(len(level[0]))
        level = [inner for row in level if isinstance(row, list) for inner in row]
    return Tensor(tuple(shape), array("d", cast("list[float]", level)))


def _remembered(state_dict: Mapping[str, Any]) -> tuple[dict[str, Tensor], dict[str, JSON]]:
    """An optimiser's state in PyTorch's layout, as one tensor for each thing that it remembers."""
    entries: Mapping[int, Mapping[str, float]] = state_dict["state"]
    names = list(dict.fromkeys(name for entry in entries.values() for name in entry))
    groups = [{**group, "params": len(group["params"])} for group in state_dict["param_groups"]]
    everyone = list(range(sum(group["params"] for group in groups)))
    tensors: dict[str, Tensor] = {}
    places: dict[str, JSON] = {}
    for name in names:
        of = [place for place, entry in entries.items() if name in entry]
        tensors[f"optimiser.{name}"] = Tensor((len(of),), array("d", [entries[i][name] for i in of]))
        places[name] = None if of == everyone else [*of]  # nearly always all
    return tensors, {"groups": [*groups], "places": places}


def _standing(generator: Random) -> dict[str, JSON]:
    """Where Python's generator stands: 624 words of 32 bits, how many are used up, half a pair of normals."""
    _, (*words, used), gauss = generator.getstate()
    return {"words": pack(f">{_WORDS}I", *words).hex(), "used": used, "gauss": gauss}


# ---- what is restored ---------------------------------------------------------------------------


def restore(
    checkpoint: Checkpoint,
    model: Module,
    optimiser: Optimizer | None = None,
    schedule: LRScheduler | None = None,
    **generators: Random,
) -> None:
    """Put everything where it was; where something does not fit, CheckpointError, and nothing moves."""
    everyone = {**generators, **{f"model.{name}": one for name, one in model.generators().items()}}
    weights = {
        name.removeprefix("model."): _nested(tensor)
        for name, tensor in checkpoint.tensors.items()
        if name.startswith("model.")
    }
    standings = _standings(checkpoint, everyone)
    memory = {} if optimiser is None else _memory(checkpoint)
    if schedule is not None and "schedule" not in checkpoint.state:
        raise checkpoint.refused(say("checkpoint.lacks", what="schedule"))
    undo: list[tuple[Callable[[dict[str, Any]], None], dict[str, Any]]] = []
    entry = ""
    try:
        if optimiser is not None:
            entry = "optimiser"
            undo.append((optimiser.load_state_dict, optimiser.state_dict()))
            optimiser.load_state_dict(memory)
        if schedule is not None:
            entry = "schedule"
            undo.append((schedule.load_state_dict, schedule.state_dict()))
            schedule.load_state_dict(cast("Mapping[str, object]", checkpoint.state["schedule"]))
        entry = ""
        model.load_state_dict(weights)  # checks all before it changes anything
    except (ValueError, TypeError, OverflowError, KeyError) as error:
        for back, before in reversed(undo):
            with suppress(ValueError, TypeError):
                back(before)
        raise checkpoint.refused(str(error), entry=entry) from None
    for name, generator in everyone.items():
        generator.setstate(standings[name])


def _nested(tensor: Tensor) -> Nest[float]:
    """The numbers as lists in lists, as load_state_dict takes them."""
    items: list[Nest[float]] = [*tensor.numbers]
    for size in reversed(tensor.shape):
        items = [items[at : at + size] for at in range(0, len(items), size)] if size else []
    return items[0] if items else items


def _memory(checkpoint: Checkpoint) -> dict[str, object]:
    """An optimiser's state in PyTorch's layout again."""
    saved = checkpoint.state.get("optimiser")
    if not isinstance(saved, dict) or saved.keys() != {"groups", "places"}:
        raise checkpoint.refused(say("checkpoint.lacks", what="optimiser"), entry="optimiser")
    groups, places = saved["groups"], saved["places"]
    if not isinstance(groups, list) or not isinstance(places, dict):
        raise checkpoint.refused(say("checkpoint.lacks", what="optimiser"), entry="optimiser")
    names = {name.removeprefix("optimiser.") for name in checkpoint.tensors if name.startswith("optimiser.")}
    if names != places.keys():
        raise checkpoint.refused(say("checkpoint.places"), entry="optimiser")
    most = max((prod(tensor.shape) for tensor in checkpoint.tensors.values()), default=0)
    most += sum(
        prod(tensor.shape) for name, tensor in checkpoint.tensors.items() if name.startswith("model.")
    )
    first = 0
    restored: list[dict[str, object]] = []
    for group in groups:
        count = group.get("params") if isinstance(group, dict) else None
        if not isinstance(group, dict) or type(count) is not int or not 0 <= count <= most - first:
            raise checkpoint.refused(say("checkpoint.places"), entry="optimiser")
        restored.append({**group, "params": list(range(first, first + count))})
        first += count
    entries: dict[int, dict[str, float]] = {}
    for name, of in places.items():
        tensor = checkpoint.tensors[f"optimiser.{name}"]
        chosen = range(first) if of is None else of
        if not isinstance(chosen, (range, list)) or tensor.shape != (len(chosen),):
            raise checkpoint.refused(say("checkpoint.places"), tensor=f"optimiser.{name}")
        for place, number in zip(chosen, tensor.numbers, strict=True):
            if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < first:
                raise checkpoint.refused(say("checkpoint.places"), entry="optimiser")
            entries.setdefault(place, {})[name] = number
    return {"state": entries, "param_groups": restored}


def _standings(checkpoint: Checkpoint, wanted: Mapping[str, Random]) -> dict[str, tuple[object, ...]]:
    """The states of the generators, each one that Python's generator can be in."""
    saved = checkpoint.state.get("generators")
    if not isinstance(saved, dict):
        raise checkpoint.refused(say("checkpoint.lacks", what="generators"), entry="generators")
    standings: dict[str, tuple[object, ...]] = {}
    for name in wanted:
        match saved.get(name):
            case {
                "words": str() as words,
                "used": int() as used,
                "gauss": (None | float()) as gauss,
                **more,
            } if (
                fullmatch(f"[0-9a-f]{{{8 * _WORDS}}}", words)
                and words.strip("0")  # all zeros give nothing but zeros
                and type(used) is int
                and 0 <= used <= _WORDS
                and not more
            ):
                standings[name] = (3, (*unpack(f">{_WORDS}I", bytes.fromhex(words)), used), gauss)
            case _:
                raise checkpoint.refused(
                    say("checkpoint.generator", name=printable(name)), entry="generators"
                )
    return standings
