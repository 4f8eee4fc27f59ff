"""Builds the compiled engine where there is a C compiler, and says so where there is none.

Everything else about the package is in pyproject.toml.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from runpy import run_path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

NATIVE = Path("src/minigrad/_native")
checksum, SOURCES = (run_path(str(NATIVE / "__init__.py"))[name] for name in ("checksum", "SOURCES"))
PURE = os.environ.get("MINIGRAD_PURE", "0") not in ("", "0")

# A float must be what it is in Python: no multiplication and addition in one rounding.
# (And sin and cos are those of the C library, not its sincos, which need not have their bits.)
FLAGS = {
    "unix": [
        *("-O3", "-g0", "-std=c11", "-fvisibility=hidden", "-fno-strict-aliasing"),
        *("-ffp-contract=off", "-fno-math-errno", "-fno-builtin-sin", "-fno-builtin-cos"),
    ],
    "msvc": ["/O2", "/std:c11", "/fp:precise"],
}


class BuildEngine(build_ext):
    """The engine is optional: what fails here leaves the plain engine, which does the same."""

    def build_extension(self, ext: Extension) -> None:
        ext.extra_compile_args = FLAGS["msvc" if self.compiler.compiler_type == "msvc" else "unix"]
        ext.define_macros = [("MINIGRAD_SOURCES", str(checksum(str(NATIVE))))]
        try:
            super().build_extension(ext)
        except Exception as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            reason = reason if len(reason) <= 100 else f"{reason[:97]}..."
            Path(self.get_ext_fullpath(ext.name)).unlink(missing_ok=True)  # an older one must not stay
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

setup(
    # Without it, the wheel is one for every machine.
    ext_modules=[] if PURE else [ENGINE],
    cmdclass={"build_ext": BuildEngine},
)
