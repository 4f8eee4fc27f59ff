"""Saved programs taken apart and joined again, with a checksum that fits."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

__all__ = ["LENGTH", "SUM", "joined", "parts", "signed"]

LENGTH, SUM = 8, 32  # bytes of the length of a header, and of the checksum


def signed(content: bytes) -> bytes:
    """A checksum that fits: what is in it is still not believed."""
    return content + blake2b(content, digest_size=SUM).digest()


def parts(octets: bytes) -> tuple[bytes, Any, bytes]:
    """The first line, the header and the arrays of a program."""
    start = octets.index(b"\n") + 1
    begin = start + LENGTH
    length = int.from_bytes(octets[start:begin], "little")
    return octets[:start], json.loads(octets[begin : begin + length]), octets[begin + length : -SUM]


def joined(start: bytes, header: bytes, body: bytes) -> bytes:
    """A file of these parts, signed."""
    return signed(start + len(header).to_bytes(LENGTH, "little") + header + body)
