"""The version of scalar.py whose compiled twin the engine is, by its checksum.

Someone who edits scalar.py, to see what a change does to a gradient, must get the numbers of the edited
file.  So the engine in C is used only beside the very text that it was last brought up to.  After a change
of scalar.py that is meant to stay, and of the C code where it needs one, `make docs` renews the number.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from zlib import crc32

__all__ = ["CHECKSUM", "SCALAR", "is_edited", "tell_once"]

CHECKSUM = 0x091D433E  # of scalar.py; written by python -m minigrad._native.textbook_checksum

TOLD = "MINIGRAD_EDIT_TOLD"  # in the environment, once it has been said
SCALAR = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "scalar.py")


@cache
def is_edited() -> bool:
    """Is scalar.py another text than the one that the compiled engine is the twin of?"""
    try:
        return _checksum_of(SCALAR) != CHECKSUM
    except OSError:  # installed without its sources
        return False


def tell_once(sentence: str) -> None:
    """Say on stderr that scalar.py was edited; later calls, also those of child processes, are silent."""
    if TOLD not in os.environ:
        os.environ[TOLD] = "1"
        print(sentence, file=sys.stderr)


def _checksum_of(path: str) -> int:
    with open(path, "rb") as file:
        return crc32(file.read().replace(b"\r\n", b"\n"))


def _write(path: str) -> None:
    """Put the checksum of scalar.py as it is now into this file."""
    with open(path, encoding="utf-8", newline="") as file:
        before, mark, rest = file.read().partition("\nCHECKSUM = 0x")
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(f"{before}{mark}{_checksum_of(SCALAR):08X}{rest[8:]}")


if __name__ == "__main__":
    _write(os.path.abspath(__file__))
