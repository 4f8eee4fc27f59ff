"""Python for the browser: Pyodide from its npm package, and minigrad beside it as one archive.

Pyodide is CPython as WebAssembly.  Five of its files make an interpreter; none of them is committed, and
their licences lie beside them.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import minigrad

__all__ = ["LICENCES", "MissingPackageError", "python_files"]

SOURCE = Path(minigrad.__file__).parent
LICENCES = Path(__file__).parent / "licences"
ENDINGS = {".py", ".pyi", ".md", ".txt", ".css", ".js", ".html"}
HEADERS = {"ieee.h", "reductions.h"}  # which a program in C is made of
DAY = (1980, 1, 1, 0, 0, 0)  # of every file in the archive: the same sources are the same bytes
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")


class MissingPackageError(Exception):
    """An npm package that is not where it should be."""

    def __init__(self, name: str, where: Path) -> None:
        super().__init__(f"the npm package {name} is not in {where}: make web puts it there")


def python_files(modules: Path) -> Mapping[str, bytes]:
    """Names below python/ and what stands there, in the order in which a browser should ask for them."""
    home = modules / "pyodide"
    if not (home / "pyodide.mjs").is_file():
        raise MissingPackageError("pyodide", modules)
    files = {name: (home / name).read_bytes() for name in PYODIDE}
    # What it checks itself against; of the packages that could be loaded into it none is here.
    lock = json.loads((home / "pyodide-lock.json").read_text(encoding="utf-8"))
    files["pyodide-lock.json"] = json.dumps({**lock, "packages": {}}).encode()
    files["minigrad.zip"] = archive()
    return files


def archive() -> bytes:
    """minigrad without what has to be compiled."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as found:
        for path in sorted(SOURCE.rglob("*")):
            if path.suffix in ENDINGS or path.name in HEADERS:
                entry = zipfile.ZipInfo(str(path.relative_to(SOURCE.parent).as_posix()), DAY)
                found.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()
