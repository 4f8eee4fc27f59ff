"""Checkpoints written without minigrad, from what its docstring says; and ways to spoil one.

`signed(header, body)` gives any header a right length and a right digest, so that what a reader finds wrong
is what was put there.  `DAMAGES` spoil bytes as disks, networks and editors do.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import pickle
import struct
import zipfile
from collections.abc import Callable
from random import Random

import numpy
import safetensors.numpy

BLANK = "0" * 32


def checksum(*parts: bytes) -> str:
    return hashlib.blake2b(b"".join(parts), digest_size=16).hexdigest()


def header_of(tensors: dict[str, tuple[list[int], bytes]], state: str) -> dict:
    """The header for tensors (shape, bytes) and a state, its digest still blank."""
    sums = " ".join(checksum(body) for _, body in tensors.values())
    rows: dict = {
        "__metadata__": {"format": "minigrad.checkpoint/1", "state": state, "sums": sums, "digest": BLANK}
    }
    begin = 0
    for name, (shape, body) in tensors.items():
        rows[name] = {"dtype": "F64", "shape": shape, "data_offsets": [begin, begin + len(body)]}
        begin += len(body)
    return rows


def signed(header: dict | str | bytes, body: bytes = b"") -> bytes:
    text = json.dumps(header) if isinstance(header, dict) else header
    octets = text.encode() if isinstance(text, str) else text
    octets += b" " * (-len(octets) % 8)
    length = struct.pack("<Q", len(octets))
    return length + octets.replace(BLANK.encode(), checksum(length, octets).encode(), 1) + body


# ---- damage ---------------------------------------------------------------------------------------


def flipped(octets: bytes, random: Random) -> bytes:
    spoiled = bytearray(octets)
    for _ in range(random.choice([1, 1, 1, 2, 5])):
        spoiled[random.randrange(len(octets))] ^= 1 << random.randrange(8)
    return bytes(spoiled)


def truncated(octets: bytes, random: Random) -> bytes:
    return octets[: random.randrange(len(octets))]


def inserted(octets: bytes, random: Random) -> bytes:
    place = random.randrange(len(octets) + 1)
    return octets[:place] + random.randbytes(random.choice([1, 1, 2, 8, 64])) + octets[place:]


def deleted(octets: bytes, random: Random) -> bytes:
    place, count = random.randrange(len(octets)), random.choice([1, 1, 2, 8, 64])
    return octets[:place] + octets[place + count :]


def swapped(octets: bytes, random: Random) -> bytes:
    size = random.choice([1, 4, 8, 16, 64])
    first = random.randrange(len(octets) - 2 * size)
    second = random.randrange(first + size, len(octets) - size + 1)
    a, b = octets[first : first + size], octets[second : second + size]
    return octets[:first] + b + octets[first + size : second] + a + octets[second + size :]


def blotted(octets: bytes, random: Random) -> bytes:
    """A block of a disk that reads as zeros, as ones, or as something else's."""
    place, size = random.randrange(len(octets)), random.choice([1, 8, 64, 512])
    size = min(size, len(octets) - place)
    filling = random.choice([bytes(size), b"\xff" * size, b" " * size, random.randbytes(size)])
    return octets[:place] + filling + octets[place + size :]


def repeated(octets: bytes, random: Random) -> bytes:
    """A block that was written twice, or a whole second file behind the first."""
    if random.random() < 0.1:
        return octets + octets
    place, size = random.randrange(len(octets)), random.choice([1, 8, 64, 512])
    return octets[: place + size] + octets[place:]


def mislengthened(octets: bytes, random: Random) -> bytes:
    """Another length of the header: one off, nothing, more than the file, more than memory."""
    right = int.from_bytes(octets[:8], "little")
    near = right + random.choice([-8, -1, 1, 8])
    far = random.choice([0, 1, 7, len(octets), len(octets) - 8, 2**25, 2**31, 2**63 - 1, 2**63, 2**64 - 1])
    return struct.pack("<Q", random.choice([near, far, random.randrange(2**64)])) + octets[8:]


def spliced(octets: bytes, random: Random) -> bytes:
    """The beginning of one file and the end of another, as after a crash between two writes."""
    other = bytes(a ^ b & 3 for a, b in zip(octets, random.randbytes(len(octets)), strict=True))
    cut = random.randrange(8, len(octets) - 1)
    return octets[:cut] + other[cut:]


def doubled(octets: bytes, random: Random) -> bytes:
    """A key of the header twice, and the digest right again."""
    count = int.from_bytes(octets[:8], "little")
    pairs = json.loads(octets[8 : 8 + count], object_pairs_hook=list)
    pairs[0] = (pairs[0][0], [(key, BLANK if key == "digest" else text) for key, text in pairs[0][1]])
    inner = random.choice([pairs, *(pair[1] for pair in pairs)])
    key, value = random.choice(inner)
    inner.insert(random.randrange(len(inner) + 1), (key, random.choice([value, "0", [0], "", 0])))
    text = _written(pairs)
    return signed(text if BLANK in text else text + " ", octets[8 + count :])


def _written(thing: object) -> str:
    """JSON of pairs, which no dict could hold."""
    if isinstance(thing, list) and thing and all(isinstance(pair, tuple) for pair in thing):
        return "{" + ",".join(f"{json.dumps(key)}:{_written(value)}" for key, value in thing) + "}"
    return json.dumps(thing)


def foreign(_: bytes, random: Random) -> bytes:
    """A file of another program."""
    numbers = numpy.array([random.random() for _ in range(random.randrange(1, 40))])
    stream = io.BytesIO()
    match random.randrange(12):
        case 0:
            return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + random.randbytes(random.randrange(200))
        case 1:
            with zipfile.ZipFile(stream, "w") as archive:
                archive.writestr("weights", random.randbytes(80))
        case 2:
            pickle.dump({"weights": numbers.tolist()}, stream, protocol=random.randrange(6))
        case 3:
            numpy.savez(stream, numbers)
        case 4:
            numpy.save(stream, numbers)
        case 5:
            stream.write(json.dumps({"weights": numbers.tolist()}).encode())
        case 6:
            kind = random.choice(["f4", "f8", "i8", "u1"])
            metadata = random.choice([None, {"format": "pt"}, {"format": "minigrad.checkpoint/2"}])
            return safetensors.numpy.save({"w": numbers.astype(kind)}, metadata)
        case 7:
            return gzip.compress(numbers.tobytes())
        case 8:
            return b"\x7fELF\x02\x01\x01" + random.randbytes(100)
        case 9:
            return random.randbytes(random.randrange(300))
        case 10:
            return "".join(random.choices("la pérdida baja\n", k=random.randrange(300))).encode()
        case _:
            return bytes(random.randrange(200))
    return stream.getvalue()


Damage = Callable[[bytes, Random], bytes]
DAMAGES: dict[Damage, int] = {  # and how many of each
    flipped: 2600,
    truncated: 900,
    inserted: 800,
    deleted: 800,
    swapped: 800,
    blotted: 700,
    repeated: 400,
    mislengthened: 500,
    spliced: 400,
    doubled: 600,
    foreign: 600,
}
