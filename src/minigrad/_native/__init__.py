"""The compiled twin of scalar.py.  What is unusual is done by scalar.py itself; see value.h.

`checksum` tells an engine that was built from other sources than the ones beside it: in a checkout,
where C and Python change without being installed again.
"""

from __future__ import annotations

__all__ = ["checksum"]

SOURCES = ("ops.py", "formulas.py", "ieee.py")  # and all C in this folder


def checksum(folder: str) -> int | None:
    """Of what an engine in this folder is built from; None in an installed package, which has no C."""
    import os
    from zlib import crc32

    names = sorted(name for name in os.listdir(folder) if name.endswith((".c", ".h")))
    if not names:
        return None
    total = 0
    for path in [*names, *(os.path.join(os.pardir, name) for name in SOURCES)]:
        with open(os.path.join(folder, path), "rb") as file:
            total = crc32(file.read().replace(b"\r\n", b"\n"), total)
    return total & 0x7FFFFFFF  # a C long has room for it everywhere
