"""Values that the loss uses and no gradient passes: detach, `.data`, `.item`, `no_grad`, samples, copies.

The forward record has followed both sets of parameters through every op.  Where an op takes a value that a
gradient could reach, and gives one that none can reach, and the loss depends on that, there is a cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...text.excerpts import listed
from ..forward_record import TO_PYTHON, Recorder
from ..program_place import NOWHERE
from ..program_state import preserved
from ..report import XrayEntry

if TYPE_CHECKING:
    from ..forward_record import TensorNote, TorchCall
    from ..program_place import ProgramPlace
    from ..subject import XrayEvidence

__all__ = ["cut_values", "values_for_python"]

MOST = 8  # places at which a Python value is changed, to see whether the loss is

# Places of PyTorch's own at which a cut is part of what they do.
BY_DESIGN = ("nn/utils/", "optim/", "nn/modules/batchnorm.py", "nn/modules/instancenorm.py")
CODES = {
    "detach": "detach", "detach_": "detach", "get data": "data", "set data": "data_write", "item": "item",
    "tolist": "item", "__float__": "item", "__int__": "item", "numpy": "numpy", "__array__": "numpy",
    "tensor": "copied", "as_tensor": "copied", "from_numpy": "numpy", "argmax": "integer",
    "argmin": "integer", "multinomial": "sample", "grad": "create_graph", "requires_grad_": "by_hand",
    "set requires_grad": "by_hand",
}  # fmt: skip


def cut_values(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Each place at which a value of the loss loses its gradient."""
    forward = evidence.forward
    loss = forward.loss_note
    if loss is None:
        return
    reaching = forward.reaching(loss)
    arithmetic = _in_arithmetic(evidence, reaching)
    found: dict[tuple[str, ProgramPlace], int] = {}
    for call in forward.calls:
        code, lost = _code_of(call), call.lost & evidence.trained
        if code == "by_hand":
            lost = _by_hand(call) & evidence.trained
        elif code == "data" and _is_written(call, evidence):
            continue
        elif code == "data_write" or call.in_place:
            lost = _written(call) & evidence.trained
            code = "data_write"
        if not lost or call.index not in reaching:
            continue
        if code in ("integer", "") and not any(note.key in arithmetic for note in call.outputs):
            continue
        if _is_by_design(call):
            continue
        code = code or ("no_grad" if not call.grad_enabled else "integer")
        place = call.place
        if not call.grad_enabled:
            code, place = _region(call)
        key = (code, place)
        found[key] = found.get(key, 0) | lost
    whole = loss.reaches
    for (code, place), lost in found.items():
        never = lost & ~whole
        nothing = code == "by_hand" and not whole & evidence.trained
        weight = 10.0 + 100.0 * bool(never) + 10.0 * (code in ("by_hand", "data_write")) + never.bit_count()
        names = forward.names(never or lost)
        yield XrayEntry(
            "graph-cut",
            f"cut.{code}" if not nothing else "cut.nothing",
            "finding" if nothing else "fact",
            place,
            {
                "names": listed(names, 4),
                "count": float(len(names)),
                "extent": "never" if never else "part",
            },
            weight + (200.0 if nothing else 0.0),
        )


def values_for_python(evidence: XrayEvidence) -> Iterator[XrayEntry]:
    """Numbers that leave for Python or NumPy, are calculated with there, and come back into the loss.

    What happens to them outside cannot be followed; so each is changed a little, and the loss computed again.
    """
    forward, make_loss = evidence.forward, evidence.subject.make_loss
    seen: set[ProgramPlace] = set()
    if not evidence.repeatable or make_loss is None:
        return
    for call in forward.calls:
        if call.name not in TO_PYTHON or not call.inputs or not call.inputs[0].floating:
            continue
        lost = call.inputs[0].depends & evidence.trained
        if not lost or call.index in evidence.reaching or call.place in seen or _is_by_design(call):
            continue
        if len(seen) >= MOST or evidence.late():
            return
        seen.add(call.place)
        recorder = Recorder(evidence.subject.model, 0)
        recorder.nudged = call.index
        evidence.generators.restore()
        try:
            with preserved(evidence.subject.model, None), recorder.running():
                other = make_loss()
        except (RuntimeError, ValueError, TypeError):
            continue
        if abs(float(other) - float(forward.loss)) <= 1e-9 * abs(float(forward.loss)):
            continue
        never = lost & ~(forward.loss_note.reaches if forward.loss_note is not None else 0)
        names = forward.names(never or lost)
        fields: dict[str, str | float] = {"names": listed(names, 4), "count": float(len(names))}
        code = CODES.get(call.name, "item")
        yield XrayEntry("graph-cut", f"cut.{code}", "fact", call.place, fields, 100.0 * bool(never) + 15.0)


def _code_of(call: TorchCall) -> str:
    return CODES.get(call.name, "")


def _by_hand(call: TorchCall) -> int:
    """What a tensor depends on that was made a leaf requiring a gradient, and is none of the program's."""
    bits = 0
    for note in call.outputs:
        if note.requires_grad and note.leaf and not note.name:
            bits |= note.depends
    return bits & ~sum(note.reaches for note in call.outputs)


def _is_written(call: TorchCall, evidence: XrayEvidence) -> bool:
    """Is `.data` taken only to be written to?  Then the write is the place."""
    return any(
        other.in_place and other.inputs and other.inputs[0].key == note.key and other.place == call.place
        for note in call.outputs
        for other in evidence.forward.calls[call.index + 1 : call.index + 12]
    )


def _written(call: TorchCall) -> int:
    """What is written into a leaf that a gradient reaches, past the graph."""
    if call.name == "set data" or not call.outputs:
        note = call.outputs[0] if call.outputs else None
        return note.depends & ~note.reaches if note is not None else 0
    given = 0
    for note in call.inputs[1:]:
        given |= note.depends
    kept = 0
    for note in call.outputs:
        kept |= note.reaches
    return given & ~kept if not call.outputs[0].requires_grad else 0


def _region(call: TorchCall) -> tuple[str, ProgramPlace]:
    """Under `no_grad`: whose?  That of a checkpoint or of a sample is called by a line of the program."""
    for step in call.through:
        depth, _, rest = step.partition(":")
        file = rest.partition(":")[0]
        at = min(int(depth), len(call.places) - 1)
        if file == "utils/checkpoint.py":
            return "checkpoint", call.places[at]
        if file.startswith("distributions/"):
            return "sample", call.places[at]
    return "no_grad", call.place if call.stopped is NOWHERE else call.stopped


def _is_by_design(call: TorchCall) -> bool:
    if any(step.endswith("autograd/function.py:apply") for step in call.through) and not any(
        ":utils/checkpoint.py:" in step for step in call.through
    ):
        return True  # inside a custom Function, whose backward answers for it
    inner = [step.partition(":")[2] for step in call.through if step.startswith("0:")]
    return any(step.startswith(BY_DESIGN) for step in inner) and call.name != "linear"


COMPARISONS = {"argmax", "argmin", "__getitem__", "gather", "index_select", "embedding", "where"}


def _in_arithmetic(evidence: XrayEvidence, reaching: set[int]) -> set[int]:
    """The notes whose numbers are calculated with on their way to the loss, and not only used to choose."""
    users = evidence.forward.users()
    found: set[int] = set()

    def calculated(note: TensorNote, depth: int = 0) -> bool:
        for call in users.get(note.key, ()):
            if call.index not in reaching or depth > 12:
                continue
            position = next((at for at, each in enumerate(call.inputs) if each.key == note.key), 0)
            if call.name in COMPARISONS and (position or call.name in ("where", "argmax")):
                continue
            if call.name in (
                "one_hot",
                "float",
                "to",
                "double",
                "type",
                "view",
                "reshape",
                "unsqueeze",
                "squeeze",
                "half",
            ):
                if any(calculated(each, depth + 1) for each in call.outputs):
                    return True
            elif any(each.floating for each in call.outputs) and note.dtype != "bool":
                return True
        return False

    for call in evidence.forward.calls:
        if call.lost:
            found |= {
                note.key
                for note in call.outputs
                if note.floating or (note.dtype != "bool" and calculated(note))
            }
    return found
