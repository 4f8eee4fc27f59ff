"""Check of an exported file of C: built by the C compiler that is there, and called beside the program."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ...text.translation import say
from ..numpy_loader import numpy
from .export_check import compare, examples, expected, largest_slope
from .job import ExportJob
from .source import ExportError, Source

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy()

__all__ = ["check_c"]

FLAGS = (
    "-std=c99",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-pedantic",
    "-O1",
    "-ffp-contract=off",
    "-fPIC",
    "-shared",
)


def check_c(job: ExportJob, source: Source, name: str, dtype: str) -> None:
    """Compile and compare."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise ExportError(say("compile.handover.compiler"))
    with tempfile.TemporaryDirectory() as folder:
        text, built = source.save(Path(folder) / "program.c"), Path(folder) / "program.so"
        made = subprocess.run(
            [*compiler.split(), *FLAGS, str(text), "-o", str(built), "-lm"],
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode:
            raise ExportError(say("compile.handover.compiled", said=made.stderr[:2000]))
        library = ctypes.CDLL(str(built))
        for rows in examples(job):
            _check(job, library, rows, name, dtype)
        _unload(library)


def _check(job: ExportJob, library: ctypes.CDLL, rows: np.ndarray, name: str, dtype: str) -> None:
    smooth = [leaf for leaf in job.leaves if job.smooth(leaf)] if job.scalar else []
    values, slopes = expected(job, rows, smooth)
    given = [rows[0, leaf.first : leaf.first + leaf.size].astype(dtype) for leaf in job.leaves]
    results = [np.empty(leaf.size, dtype) for leaf in job.results]
    found = [np.empty(leaf.size, dtype) for leaf in smooth]
    for kind, outputs in (("value", results), ("gradient", [*results, *found])):
        if kind == "gradient" and not smooth:
            continue
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (*given, *outputs)]
        broken = getattr(library, f"{name}_{kind}")(*pointers)
        if broken:
            raise ExportError(say("compile.handover.guard", where=job.guards()[broken - 1][1]))
        for leaf, got, wanted in zip(job.results, results, values, strict=True):
            compare(leaf.label, got.reshape(leaf.shape), wanted, dtype)
    scale = largest_slope(slopes)
    for leaf, got in zip(smooth, found, strict=True):
        label = say("compile.handover.gradient", what=leaf.label)
        compare(label, got.reshape(leaf.shape), slopes[leaf.name], dtype, scale)


def _unload(library: ctypes.CDLL) -> None:
    """Let go of the file, so that its folder can be removed and the next export is not taken for this one."""
    handle = library._handle
    del library
    closing = getattr(ctypes.CDLL(None), "dlclose", None) if os.name == "posix" else None
    if closing is not None:
        closing.argtypes = [ctypes.c_void_p]
        closing(handle)
