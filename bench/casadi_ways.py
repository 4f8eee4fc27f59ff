"""CasADi at its best: a Function called on buffers, in its own virtual machine or as C that gcc compiled.

`calling(function, arguments)` gives the arrays that the results are written to, and a call without arguments.
`in_c(function)` is the same Function out of the C that CasADi writes, compiled with -O3 for this machine.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import c_code

__all__ = ["calling", "in_c", "load"]


def load() -> Any:
    """The module, or a sentence that says how to get it."""
    try:
        import casadi
    except ImportError:
        return "not installed: pip install casadi"
    return casadi


def calling(function: Any, arguments: Sequence[Any]) -> tuple[list[Any], Callable[[], object]]:
    """Results and a call; both arguments and results are read and written where they lie."""
    import numpy as np

    buffers, evaluate = function.buffer()
    results = [np.zeros(function.numel_out(i)) for i in range(function.n_out())]
    for i, array in enumerate(arguments):
        if array.size != function.nnz_in(i) or array.dtype != np.float64:
            raise ValueError(f"argument {i}: {array.size} numbers, {function.nnz_in(i)} wanted")
        buffers.set_arg(i, memoryview(array))
    for i, array in enumerate(results):
        buffers.set_res(i, memoryview(array))

    def call(kept: Any = (buffers, arguments, results)) -> None:  # buffers do not keep what they point to
        evaluate()

    return results, call


def in_c(function: Any, name: str) -> Any:
    """The Function through C.  Its file is kept while the process lives, for CasADi loads it by name."""
    import casadi

    folder = tempfile.mkdtemp(prefix="minigrad-bench-")
    before = os.getcwd()
    os.chdir(folder)  # generate() takes a name and no path
    try:
        function.generate(f"{name}.c", {"with_header": False})
        words = [
            c_code.compiler() or "cc",
            *c_code.FLAGS,
            "-shared",
            "-fPIC",
            f"{name}.c",
            "-o",
            f"{name}.so",
            "-lm",
        ]
        subprocess.run(words, check=True, capture_output=True)
        return casadi.external(function.name(), str(Path(folder) / f"{name}.so"))
    finally:
        os.chdir(before)
