"""Safetensors format of a checkpoint: written to the letter, read as if an enemy had written it.

Eight bytes give the length of a header in JSON, the numbers follow as little-endian doubles; any
safetensors library opens it.  We write and read it ourselves because minigrad depends on nothing, and
because the library knows no checksums, takes duplicate keys and does not say where a file is wrong.  Nothing
is ever unpickled.  `__metadata__` holds:

    format   minigrad.checkpoint/1
    state    everything that is not a tensor, as JSON
    sums     a BLAKE2b checksum of each tensor's bytes, in their order
    digest   one of the length and the header itself, taken while this field is all zeros

`decoded(encoded(checkpoint))` has the same bits, NaNs included.  Anything else than such bytes raises
`CheckpointError` with the reason and the offset, before memory is taken for what the header promises.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from io import BytesIO
from json import dumps
from math import isfinite, prod
from typing import BinaryIO, Final, TypeGuard

from ..errors import MinigradError
from ..text.escape import printable, visible
from ..text.files import JSON
from ..text.numerals import counted
from ..text.strict_json import DEEPEST, LONGEST, JsonError, Places, parse_json_with_places
from ..text.translation import say

__all__ = ["FORMAT", "Checkpoint", "CheckpointError", "Tensor", "decoded", "encoded", "read"]

FORMAT: Final = "minigrad.checkpoint/1"
LARGEST: Final = 2**30  # bytes of a file; a scalar engine has no use for more
LONGEST_HEADER: Final = 2**25
MOST_AXES: Final = 8
_SIZE: Final = 8  # bytes of a double, and of the header's length
_META: Final = "__metadata__"
_FIELDS: Final = {"format", "state", "sums", "digest"}
_BLANK: Final = "0" * 32


class CheckpointError(MinigradError, ValueError):
    """A file that is not a checkpoint of ours, why, and where that shows."""

    def __init__(self, source: str, why: str, offset: int | None) -> None:
        where = {"why": why, "offset": counted(offset or 0)}
        if offset is None:
            message = say("checkpoint.not_ours.here", path=visible(source) or "?", why=why)
        else:
            message = say("checkpoint.not_ours", path=visible(source) or "?", **where)
        super().__init__(message)
        self.source, self.why, self.offset = source, why, offset


@dataclass(frozen=True, slots=True)
class Tensor:
    """Numbers in rows, the last axis fastest; shape () is a single one."""

    shape: tuple[int, ...]
    numbers: Sequence[float]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    tensors: dict[str, Tensor]
    state: dict[str, JSON]
    source: str = field(default="", compare=False)  # the file that it was read from, and where in it
    places: Mapping[str, int] = field(default_factory=dict, compare=False)

    def refused(self, why: str, *, tensor: str = "", entry: str = "") -> CheckpointError:
        """The error for content that cannot be: of a tensor, or of an entry of the state."""
        place = self.places.get(f"tensor {tensor}" if tensor else f"state {entry}", self.places.get("state "))
        return CheckpointError(self.source, why, place)


# ---- writing ------------------------------------------------------------------------------------


def encoded(checkpoint: Checkpoint) -> bytes:
    """The bytes of a checkpoint; always the same ones for the same content."""
    _writable(checkpoint.state, ())
    bodies = {name: _packed(name, tensor) for name, tensor in checkpoint.tensors.items()}
    state = dumps(checkpoint.state, allow_nan=False, separators=(",", ":"))
    metadata = {
        "format": FORMAT,
        "state": state,
        "sums": " ".join(map(_sum, bodies.values())),
        "digest": _BLANK,
    }
    rows: dict[str, object] = {_META: metadata}
    begin = 0
    for name, body in bodies.items():
        end = begin + len(body)
        shape = list(checkpoint.tensors[name].shape)
        rows[name] = {"dtype": "F64", "shape": shape, "data_offsets": [begin, end]}
        begin = end
    header = dumps(rows, separators=(",", ":")).encode()
    header += b" " * (-len(header) % _SIZE)
    length = len(header).to_bytes(_SIZE, "little")
    if len(header) > LONGEST_HEADER or _SIZE + len(header) + begin > LARGEST:
        raise ValueError(say("checkpoint.large", size=counted(_SIZE + len(header) + begin)))
    blank = f'"digest":"{_BLANK}"'.encode()
    place = header.index(blank + b"}")  # no text can hold it: there each quote has a backslash before it
    signed = header[:place] + blank.replace(_BLANK.encode(), _sum(length, header).encode())
    return b"".join([length, signed, header[len(signed) :], *bodies.values()])


def _packed(name: str, tensor: Tensor) -> bytes:
    right = len(tensor.shape) <= MOST_AXES and all(axis >= 0 for axis in tensor.shape)
    if name == _META or not right or prod(tensor.shape) != len(tensor.numbers):
        shape = list(tensor.shape)
        raise ValueError(
            say("checkpoint.tensor", name=printable(name), shape=shape, count=len(tensor.numbers))
        )
    numbers = tensor.numbers if isinstance(tensor.numbers, array) else array("d", tensor.numbers)
    return _little(numbers).tobytes()


def _little(numbers: array[float]) -> array[float]:
    """Doubles in the order of the file, or of this machine: the same but on big-endian ones."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers


def _sum(*parts: bytes) -> str:
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def _writable(value: object, way: tuple[str, ...]) -> None:
    """TypeError or ValueError in words for what JSON would change or cannot hold."""
    if len(way) > DEEPEST:
        raise ValueError(say("checkpoint.state.deep", most=DEEPEST))
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise TypeError(say("checkpoint.state.key", given=printable(repr(key)), where=_where(way)))
            _writable(inner, (*way, key))
    elif isinstance(value, (list, tuple)):
        for i, inner in enumerate(value):
            _writable(inner, (*way, str(i)))
    elif isinstance(value, float):
        if not isfinite(value):
            raise ValueError(say("checkpoint.state.infinite", given=value, where=_where(way)))
    elif isinstance(value, int) and not isinstance(value, bool):
        if value.bit_length() > 3 * LONGEST:
            raise ValueError(say("checkpoint.state.large", where=_where(way)))
    elif not isinstance(value, (str, bool, type(None))):
        raise TypeError(say("checkpoint.state.type", given=type(value).__name__, where=_where(way)))


def _where(way: Iterable[str]) -> str:
    return printable(".".join(way)) or "state"


# ---- reading ------------------------------------------------------------------------------------


def decoded(octets: bytes, source: str = "") -> Checkpoint:
    """The checkpoint in these bytes."""
    return read(BytesIO(octets), len(octets), source)


def read(file: BinaryIO, size: int, source: str) -> Checkpoint:
    """The checkpoint in an open file of this size."""

    def refused(why: str, offset: int) -> CheckpointError:
        return CheckpointError(source, why, offset)

    length = file.read(_SIZE)
    count = int.from_bytes(length, "little")
    if not size:
        raise refused(say("checkpoint.empty"), 0)
    if len(length) < _SIZE:
        raise refused(say("checkpoint.short", size=counted(size)), len(length))
    if size > LARGEST:
        raise refused(say("checkpoint.oversized", size=counted(size), most=counted(LARGEST)), LARGEST)
    if length.isascii() and b"\0" not in length:  # as a number that is far above any length
        raise refused(say("checkpoint.text"), 0)
    if count > LONGEST_HEADER or count > size - _SIZE:
        raise refused(say("checkpoint.header.length", given=counted(count), size=counted(size)), 0)
    header = file.read(count)
    if len(header) < count:
        raise refused(say("checkpoint.truncated", size=counted(_SIZE + len(header))), _SIZE + len(header))
    metadata, rows, places = _header(header, length, source)
    tensors: dict[str, Tensor] = {}
    shapes: dict[str, tuple[int, ...]] = {}
    end = 0
    for name, row in rows.items():
        try:
            shapes[name] = _shape(row, end)
        except ValueError as error:
            raise refused(f"{printable(name)}: {error}", places[(name,)]) from None
        end += _SIZE * prod(shapes[name])
    start = _SIZE + count
    if start + end > size:
        raise refused(say("checkpoint.truncated", size=counted(size)), size)
    if start + end < size:
        raise refused(say("checkpoint.trailing", count=counted(size - start - end)), start + end)
    sums = metadata["sums"].split(" ") if rows else []
    if len(sums) != len(rows):
        raise refused(say("checkpoint.sums"), places[_META, "sums"])
    spots: dict[str, int] = {}
    for (name, shape), expected in zip(shapes.items(), sums, strict=True):
        body = file.read(_SIZE * prod(shape))
        if _sum(body) != expected:
            raise refused(say("checkpoint.changed", name=printable(name)), start)
        numbers = array("d")
        numbers.frombytes(body)
        tensors[name] = Tensor(shape, _little(numbers))
        spots[f"tensor {name}"] = start
        start += len(body)
    return _with_state(tensors, metadata["state"], places[_META, "state"], spots, source)


def _header(header: bytes, length: bytes, source: str) -> tuple[dict[str, str], dict[str, JSON], Places]:
    """The metadata and the rows of the tensors, and where in the file each stands."""

    def refused(why: str, offset: int = 0) -> CheckpointError:
        return CheckpointError(source, why, _SIZE + offset)

    if not header.startswith(b"{"):
        raise refused(say("checkpoint.header.start"))
    try:
        text = header.decode()
        document, found = parse_json_with_places(text)
    except UnicodeDecodeError as error:
        raise refused(say("checkpoint.header.utf8"), error.start) from None
    except JsonError as error:
        raise refused(error.why, len(text[: error.position].encode())) from None
    ascii_only = text.isascii()
    places = {way: _SIZE + (spot if ascii_only else len(text[:spot].encode())) for way, spot in found.items()}
    assert isinstance(document, dict)
    metadata = document.pop(_META, None)
    given = metadata.get("format") if isinstance(metadata, dict) else None
    if given != FORMAT or not isinstance(metadata, dict):
        shown = printable(str(given)) if isinstance(given, str) else say("checkpoint.format.none")
        raise refused(
            say("checkpoint.format", given=shown, known=FORMAT), places.get((_META,), _SIZE) - _SIZE
        )
    texts = {key: text for key, text in metadata.items() if isinstance(text, str)}
    if metadata.keys() != _FIELDS or texts.keys() != _FIELDS:
        raise refused(say("checkpoint.metadata"), places[(_META,)] - _SIZE)
    at = places[_META, "digest"] - _SIZE + 1
    blank = header[:at] + _BLANK.encode() + header[at + len(_BLANK) :]
    if texts["digest"] != _sum(length, blank):
        end = counted(_SIZE + len(header) - 1)
        raise refused(say("checkpoint.header.changed", begin=_SIZE, end=end))
    return texts, document, places


def _shape(row: JSON, begin: int) -> tuple[int, ...]:
    """The shape of the tensor that begins there; ValueError with the reason if the row is not right."""
    if not isinstance(row, dict) or row.keys() != {"dtype", "shape", "data_offsets"}:
        raise ValueError(say("checkpoint.row"))
    shape, offsets = row["shape"], row["data_offsets"]
    if row["dtype"] != "F64":
        raise ValueError(say("checkpoint.dtype", given=printable(str(row["dtype"])[:50])))
    if not _counts(shape) or len(shape) > MOST_AXES or any(axis > LARGEST for axis in shape):
        raise ValueError(say("checkpoint.shape"))
    if not _counts(offsets) or offsets != [begin, begin + _SIZE * prod(shape)]:
        raise ValueError(say("checkpoint.offsets", begin=begin, end=counted(begin + _SIZE * prod(shape))))
    return tuple(shape)


def _counts(numbers: JSON) -> TypeGuard[list[int]]:
    return isinstance(numbers, list) and all(type(number) is int and number >= 0 for number in numbers)


def _with_state(
    tensors: dict[str, Tensor], text: str, place: int, spots: dict[str, int], source: str
) -> Checkpoint:
    def inside(position: int) -> int:
        """The byte of a position in the state, which stands in the header with its quotes escaped."""
        return place + len(dumps(text[:position])) - 1

    try:
        state, found = parse_json_with_places(text)
    except JsonError as error:
        raise CheckpointError(source, error.why, inside(error.position)) from None
    if not isinstance(state, dict):
        raise CheckpointError(source, say("checkpoint.state"), place)
    spots["state "] = place
    spots.update({f"state {way[0]}": inside(spot) for way, spot in found.items() if len(way) == 1})
    return Checkpoint(tensors, state, source, spots)
