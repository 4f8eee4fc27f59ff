"""Builds what is compiled where there is a C compiler, and says so where there is none: the engine, and
`vector`, which runs compiled programs.

Everything else about the package is in pyproject.toml.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from runpy import run_path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

NATIVE = Path("src/minigrad/_native")
VECTOR = NATIVE / "vector"
_native = run_path(str(NATIVE / "__init__.py"))
SOURCES, VECTOR_SOURCES = _native["SOURCES"], _native["VECTOR_SOURCES"]
PURE = os.environ.get("MINIGRAD_PURE", "0") not in ("", "0")

# A float must be what it is in Python: no multiplication and addition in one rounding.
# (And sin and cos are those of the C library, not its sincos, which need not have their bits.)
# No flag names a processor: what is built here runs on others, and `vector` looks which it runs on.
OPTIMISED = [] if "-O" in os.environ.get("CFLAGS", "") else ["-O3"]  # who sets a level of their own gets it
FLAGS = {
    "unix": [
        *(*OPTIMISED, "-g0", "-std=c11", "-fvisibility=hidden", "-fno-strict-aliasing"),
        *("-ffp-contract=off", "-fno-math-errno", "-fno-builtin-sin", "-fno-builtin-cos"),
    ],
    "msvc": ["/O2", "/std:c11", "/fp:precise"],
}
# Nobody looks at the flags of floating point exceptions; a choice between two numbers can then be one vector.
VECTOR_FLAGS = {"unix": ["-fno-trapping-math"], "msvc": []}


def side_by_side(compile: Callable[..., list[str]]) -> Callable[..., list[str]]:
    """The same, with a file on each core: `vector` is six long ones."""

    def compile_all(sources: list[str], *words: Any, **options: Any) -> list[str]:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            made = pool.map(lambda source: compile([source], *words, **options), sources)
            return [name for names in made for name in names]

    return compile_all


class BuildEngine(build_ext):
    """What is built is optional: the plain engine, and NumPy for programs, do the same."""

    def build_extensions(self) -> None:
        if self.compiler.compiler_type == "unix":  # MSVC prepares itself at its first file, for all
            self.compiler.compile = side_by_side(self.compiler.compile)
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        kind = "msvc" if self.compiler.compiler_type == "msvc" else "unix"
        ext.extra_compile_args = FLAGS[kind] + (VECTOR_FLAGS[kind] if ext is PROGRAMS else [])
        total = _native["checksum"](str(NATIVE)) if ext is ENGINE else _native["vector_checksum"](str(VECTOR))
        ext.define_macros = [("MINIGRAD_SOURCES", str(total))]
        try:
            super().build_extension(ext)
        except Exception as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            reason = reason if len(reason) <= 100 else f"{reason[:97]}..."
            Path(self.get_ext_fullpath(ext.name)).unlink(missing_ok=True)  # an older one must not stay
            if ext is not ENGINE:
                print(
                    f"minigrad: the executor of compiled programs was not built ({reason}).\n"
                    "minigrad: they run in NumPy: the same results, far slower.",
                    file=sys.stderr,
                )
                return
            print(
                f"minigrad: the compiled engine was not built ({reason}).\n"
                "minigrad: the plain Python engine is installed: the same results, 10 to 30 times slower.\n"
                "minigrad: install a C compiler, then: pip install --no-cache-dir --force-reinstall ...",
                file=sys.stderr,
            )


ENGINE = Extension(
    "minigrad._native.engine",
    sources=sorted(str(path) for path in NATIVE.glob("*.c")),
    # Those in Python are part of what the engine is checked against; kernels.h comes out of them.
    depends=sorted(str(path) for path in [*NATIVE.glob("*.h"), *(NATIVE.parent / name for name in SOURCES)]),
    optional=True,
)

PROGRAMS = Extension(
    "minigrad._native.vector",
    sources=sorted(str(path) for path in VECTOR.glob("*.c")),
    depends=sorted(str(path) for path in [*VECTOR.glob("*.h"), *(NATIVE / name for name in VECTOR_SOURCES)]),
    extra_link_args=[] if os.name == "nt" else ["-pthread"],
    optional=True,
)

setup(
    # Without it, the wheel is one for every machine.
    ext_modules=[] if PURE else [ENGINE, PROGRAMS],
    cmdclass={"build_ext": BuildEngine},
)
