"""The compiled twin of scalar.py.  What is unusual is done by scalar.py itself; see value.h.

`checksum` tells an engine that was built from other sources than the ones beside it: in a checkout,
where C and Python change without being installed again.  `vector_checksum` does so for `vector`, which runs
compiled programs (compiler/executors.py).
"""

from __future__ import annotations

__all__ = ["checksum", "vector_checksum"]

SOURCES = ("ops.py", "values/formulas.py", "values/ieee.py")  # and all C in this folder
VECTOR_SOURCES = ("ieee.h", "reductions.h")  # and all C in the folder vector


def checksum(folder: str) -> int | None:
    """Of what an engine in this folder is built from; None in an installed package, which has no C."""
    return _total(folder, SOURCES)


def vector_checksum(folder: str) -> int | None:
    """The same of the folder in which the C of `vector` is."""
    return _total(folder, VECTOR_SOURCES)


def _total(folder: str, others: tuple[str, ...]) -> int | None:
    import os
    from zlib import crc32

    if not os.path.isdir(folder):
        return None
    names = sorted(name for name in os.listdir(folder) if name.endswith((".c", ".h")))
    if not any(name.endswith(".c") for name in names):  # headers alone: they are there for programs in C
        return None
    total = 0
    for path in [*names, *(os.path.join(os.pardir, name) for name in others)]:
        with open(os.path.join(folder, path), "rb") as file:
            total = crc32(file.read().replace(b"\r\n", b"\n"), total)
    return total & 0x7FFFFFFF  # a C long has room for it everywhere
