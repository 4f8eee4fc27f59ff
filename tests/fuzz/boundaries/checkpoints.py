"""Checkpoints: a CheckpointError with a place in the file, or the tensors that another reader sees.

The other reader is that of the safetensors library.  What is accepted is also written again and read the
same, and a run in it is resumed, or refused with the same error.
"""

from __future__ import annotations

import json
import re
import struct
from random import Random
from typing import Any

import safetensors

from document_changes import changed, changed_bytes, written
from forged_checkpoints import BLANK, DAMAGES, checksum, signed
from minigrad.nn import Checkpoint, CheckpointError, Tensor
from minigrad.nn.safetensors import decoded, encoded
from minigrad.training.run import Run
from minigrad.training.run_file import pack, unpack
from minigrad.training.settings import defaults

from .boundary import ACCEPTED, Boundary, wrong_unless

__all__ = ["BOUNDARY", "header_and_body"]

SOURCE = "x.safetensors"
NUMBERS = (0.0, -0.0, 1.0, float("nan"), float("inf"), 5e-324, 1e308, 2.0**53)


def header_and_body(octets: bytes) -> tuple[Any, bytes]:
    """The header of a checkpoint, its digest blank and its state as data, and the bytes of the tensors."""
    length = int.from_bytes(octets[:8], "little")
    header = json.loads(octets[8 : 8 + length])
    header["__metadata__"]["digest"] = BLANK
    header["__metadata__"]["state"] = json.loads(header["__metadata__"]["state"])
    return header, octets[8 + length :]


class Files(Boundary):
    name = "checkpoints"
    count = 4_000
    batch = 4_000

    def prepare(self) -> None:
        tensors = {"model.w": Tensor((2, 3), [0.5, -1.0, 2.0, 3.5, 1e-300, -0.0]), "año": Tensor((), [7.0])}
        small = Checkpoint(tensors, {"step": 3, "names": ["a", "é", '"'], "rate": 0.1})
        self.files = [encoded(Checkpoint({}, {})), encoded(small), encoded(_trained(momentum=0.9))]
        self.files.append(encoded(_trained(optimiser="adam", lr=0.01, schedule="cosine", warmup=2)))
        self.parts = [header_and_body(octets) for octets in self.files]

    def input(self, random: Random) -> bytes:
        chance = random.random()
        if chance < 0.1:
            return changed_bytes(random, random.choice(self.files))
        if chance < 0.2:
            return random.choice(list(DAMAGES))(random.choice(self.files[1:]), random)
        header, body = random.choice(self.parts)
        if chance < 0.6:
            header = changed(random, header)
        elif chance < 0.8:
            header = _with_state(header, changed(random, header["__metadata__"]["state"]))
        if chance > 0.7:
            header, body = _changed_numbers(random, header, body)
        return _joined(random, header, body)

    def check(self, given: bytes) -> str:
        try:
            found = decoded(given, SOURCE)
        except CheckpointError as error:
            _judge(error, len(given))
            return "CheckpointError"
        wrong_unless(_sums_fit(given), "a checksum in it does not fit")
        theirs = dict(safetensors.deserialize(given))
        wrong_unless(theirs.keys() == found.tensors.keys(), f"safetensors sees {sorted(theirs)}")
        for name, tensor in found.tensors.items():
            other = theirs[name]
            same = (other["dtype"], other["shape"]) == ("F64", list(tensor.shape))
            octets = struct.pack(f"<{len(tensor.numbers)}d", *tensor.numbers)
            wrong_unless(same and bytes(other["data"]) == octets, f"safetensors sees {other} in {name!r}")
        again = encoded(found)
        wrong_unless(encoded(decoded(again)) == again, "written again it is read otherwise")
        try:
            run = unpack(found)
        except CheckpointError as error:
            _judge(error, len(given))
            return "CheckpointError of a run"
        saved = pack(run)
        wrong_unless(_content(saved) == _content(found), "a run that was resumed is saved otherwise")
        return ACCEPTED


def _sums_fit(octets: bytes) -> bool:
    """Are the digest of the header and the sums of the tensors right?  Said without the reader."""
    length = int.from_bytes(octets[:8], "little")
    text, body = octets[8 : 8 + length], octets[8 + length :]
    header = json.loads(text)
    metadata = header.pop("__metadata__")
    digest = metadata["digest"].encode()
    blank = [
        text[: at.start()] + BLANK.encode() + text[at.end() :] for at in re.finditer(re.escape(digest), text)
    ]
    rows = [row["data_offsets"] for row in header.values()]
    return any(checksum(octets[:8], each) == metadata["digest"] for each in blank) and (
        metadata["sums"].split() == [checksum(body[begin:end]) for begin, end in rows] or not rows
    )


def _content(checkpoint: Checkpoint) -> tuple[str, object]:
    """The state and the bits of the tensors, in whatever order they stand."""
    numbers = {
        name: (tensor.shape, [float(x).hex() for x in tensor.numbers])
        for name, tensor in checkpoint.tensors.items()
    }
    return json.dumps(checkpoint.state, sort_keys=True), numbers


def _judge(error: CheckpointError, size: int) -> None:
    told = str(error)
    wrong_unless(error.offset is not None and 0 <= error.offset <= size, f"offset {error.offset} of {size}")
    wrong_unless(told.startswith(f"{SOURCE} is not a minigrad checkpoint: "), f"not the sentence: {told!r}")
    wrong_unless(len(told) <= 400 and told.isprintable(), f"not one line: {told!r}")


def _trained(**settings: object) -> Checkpoint:
    run = Run(defaults("moons", hidden=(3,), points=6, steps=5, batch=2, **settings))
    run.advance()
    run.advance()
    return pack(run)


def _with_state(header: Any, state: object) -> Any:
    return {**header, "__metadata__": {**header["__metadata__"], "state": state}}


def _changed_numbers(random: Random, header: Any, body: bytes) -> tuple[Any, bytes]:
    """Some numbers of the tensors replaced, and the checksums of all tensors right again."""
    numbers = list(struct.unpack(f"<{len(body) // 8}d", body))
    for _ in range(random.choice((1, 1, 3)) if numbers else 0):
        numbers[random.randrange(len(numbers))] = random.choice(NUMBERS)
    body = struct.pack(f"<{len(numbers)}d", *numbers)
    rows = [row["data_offsets"] for name, row in header.items() if name != "__metadata__"]
    sums = " ".join(checksum(body[begin:end]) for begin, end in rows)
    return {**header, "__metadata__": {**header["__metadata__"], "sums": sums}}, body


def _joined(random: Random, header: Any, body: bytes) -> bytes:
    """The file, with a right length and a right digest."""
    metadata = header.get("__metadata__") if isinstance(header, dict) else None
    if isinstance(metadata, dict) and "state" in metadata and not isinstance(metadata["state"], str):
        header = _with_state(header, written(random, metadata["state"]))
    text = written(random, header)
    if random.random() < 0.03:
        body = body[:-8] if random.random() < 0.5 else body + bytes(8)
    return signed(text.encode("utf-8", "surrogatepass"), body)


BOUNDARY = Files()
