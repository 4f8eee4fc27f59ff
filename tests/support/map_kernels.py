"""The vector kernels as a library for tests, and what can be wrong with them.

`library("double", "-O1")` compiles maps.h, once per process; a Kernels runs any of its kernels on columns
of numbers.  The functions at the end look for one kind of fault each and say in words what they found.
"""

from __future__ import annotations

import ctypes
import random
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from functools import cache
from itertools import product
from math import inf, nan
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from kernel_points import SIGNED, differences, points, some
from minigrad import Value
from minigrad._native import vector_emitter
from minigrad.ops import MANY, OPS
from minigrad.values import ieee

HEADERS = Path(vector_emitter.__file__).parent / "vector"
FLAGS = [
    *("-std=c11", "-fPIC", "-shared", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"),
    *("-fno-builtin-sin", "-fno-builtin-cos", "-fno-strict-aliasing", "-Wall", "-Wextra", "-Werror"),
]
SHIM = """
#include "maps.h"
#define NAME(name, kernel, operands) kernel,
#define OPERANDS(name, kernel, operands) operands,
static const char *const names[] = {MAP_LIST(NAME)};
static const int counts[] = {MAP_LIST(OPERANDS)};
const int map_count = MAP_COUNT;
const char *map_name(int i) { return names[i]; }
int map_operands(int i) { return counts[i]; }
void run_map(int i, int fast, size_t n, REAL *out, const REAL *const *in, const unsigned char *step)
{
    (fast ? map_fast : map_exact)[i](n, out, in, step);
}
"""
EXACT, FAST = 0, 1


class Kernels:
    """The kernels of one library, by their names in a plan."""

    def __init__(self, folder: Path, real: str, *options: str, headers: Path = HEADERS) -> None:
        compiler = shutil.which("cc") or sysconfig.get_config_var("CC")
        assert compiler, "these tests need a C compiler: install gcc or clang"
        source, library = folder / "shim.c", folder / f"{real}{len(options)}.so"
        source.write_text(SHIM, encoding="utf-8")
        defined = [f"-DREAL={real}", f"-DREAL_IS_FLOAT={int(real == 'float')}", f"-I{headers}"]
        command = [*shlex.split(compiler), *FLAGS, *options, *defined, str(source), "-o", str(library), "-lm"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        self._c = ctypes.CDLL(str(library))
        self._c.map_name.restype = ctypes.c_char_p
        count = ctypes.c_int.in_dll(self._c, "map_count").value
        self.ids = {self._c.map_name(i).decode(): i for i in range(count)}
        self.operands = {name: self._c.map_operands(i) for name, i in self.ids.items()}
        self.dtype = np.float64 if real == "double" else np.float32

    def __call__(
        self,
        table: int,
        kernel: str,
        columns: Sequence[np.ndarray | None],
        steps: Sequence[int] = (),
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """What a kernel makes of some columns; None stands for one that it must not read."""
        assert len(columns) == self.operands[kernel]
        n = max(len(column) for column in columns if column is not None)
        out = np.empty(n, self.dtype) if out is None else out
        where = (ctypes.c_void_p * 4)(*(None if x is None else x.ctypes.data for x in columns))
        steps = bytes(steps or [1] * len(columns))
        place = ctypes.c_void_p(out.ctypes.data)
        self._c.run_map(self.ids[kernel], table, ctypes.c_size_t(n), place, where, steps)
        return out


@cache
def library(real: str, *options: str) -> Kernels:
    with TemporaryDirectory() as folder:  # what is loaded stays
        return Kernels(Path(folder), real, *options)


def doubles() -> Kernels:
    return library("double", "-O1")


def floats() -> Kernels:
    return library("float", "-O1")


def simd() -> Kernels:
    """Kernels for doubles with AVX2 where this processor has it, else with the baseline's vectors."""
    cpu = Path("/proc/cpuinfo")
    wide = ["-mavx2"] if cpu.exists() and " avx2 " in cpu.read_text(encoding="utf-8") else []
    return library("double", "-O2", "-ftree-vectorize", *wide)


def planted(folder: Path, mistakes: Sequence[tuple[str, str, str]]) -> Kernels:
    """The kernels, with some mistakes in them."""
    (folder / "vector").mkdir()
    shutil.copy(HEADERS.parent / "ieee.h", folder)
    for path in HEADERS.glob("*.h"):
        text = path.read_text(encoding="utf-8")
        for file, old, new in mistakes:
            assert file != path.name or old in text, f"{file} no longer has {old!r}: plant another mistake"
            text = text.replace(old, new) if file == path.name else text
        (folder / "vector" / path.name).write_text(text, encoding="utf-8")
    return Kernels(folder, "double", "-O1", headers=folder / "vector")


# ---- the bits of the table ----------------------------------------------------------------------

FIXED = [name for name, op in OPS.items() if op.arity[1] != MANY]
TABLE_KERNELS = [row.kernel for row in vector_emitter.maps()]


@cache
def expected(name: str) -> tuple[list[tuple[float, ...]], list[float], list[tuple[float | None, ...]]]:
    """The points of a row, its values and its partials there, by the formulas."""
    op = OPS[name]
    places = list(points(op))
    values = [op.forward(ieee, *xs) for xs in places]
    return places, values, [op.partials(ieee, y, *xs) for y, xs in zip(values, places, strict=True)]


def columns(places: Sequence[Sequence[float]]) -> list[np.ndarray]:
    return [np.array(column) for column in zip(*places, strict=True)]


def disagreements(kernels: Kernels, name: str) -> list[str]:
    places, values, partials = expected(name)
    xs, ys = columns(places), np.array(values)
    found = differences(places, [(y,) for y in kernels(EXACT, name, xs).tolist()], [(y,) for y in values])
    for slot in range(len(xs)):
        kernel = f"{name}'{slot}"
        if kernel in kernels.ids:
            got = kernels(EXACT, kernel, [ys, *xs]).tolist()
            wanted = [(float(partial[slot]),) for partial in partials]
            found += [f"{kernel} {text}" for text in differences(places, [(y,) for y in got], wanted)]
    return found


# ---- powers -------------------------------------------------------------------------------------

EXPONENTS = (0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 3.0, 4.0, 1.5, 0.1, 1e-300, 40.0, inf, nan)


def bases() -> np.ndarray:
    draw = random.Random("constant exponents")
    return np.array([*SIGNED, *(some(draw) for _ in range(300))])


def constant_exponents(kernels: Kernels) -> list[str]:
    """Where `x ** 3.0` in the engine, its value or its local, has other bits than the kernels."""
    xs, found = bases(), []
    for p in EXPONENTS:
        nodes = [Value(x) ** p for x in xs]
        exponent = np.array([p])
        values = kernels(EXACT, "pow", [xs, exponent], (1, 0))
        slopes = kernels(EXACT, "pow'0", [None, xs, exponent], (0, 1, 0))
        got = list(zip(values.tolist(), slopes.tolist(), strict=True))
        wanted = [(node.data, node._local_grads[0]) for node in nodes]
        found += differences([(x, p) for x in xs], got, wanted)
    return found


def fixed_exponents(kernels: Kernels, table: int) -> list[str]:
    """Where a fixed exponent and a vector of the same one give other bits."""
    xs = bases().astype(kernels.dtype)
    found = []
    for p in EXPONENTS:
        one, many = np.array([p], kernels.dtype), np.full(len(xs), p, kernels.dtype)
        ys = kernels(table, "pow", [xs, many])
        for kernel, given in (("pow", [xs]), ("pow'0", [ys, xs]), ("pow'1", [ys, xs])):
            fixed = kernels(table, kernel, [*given, one], [1] * len(given) + [0])
            if (bits(fixed) != bits(kernels(table, kernel, [*given, many]))).any():
                found.append(f"{kernel} at {p}")
    return found


# ---- one element or many, in any way ------------------------------------------------------------


def bits(xs: np.ndarray) -> np.ndarray:
    """Bits to compare by; NaNs are all alike."""
    whole = np.where(np.isnan(xs), xs.dtype.type(nan), xs)
    return whole.view(np.int64 if xs.dtype == np.float64 else np.int32)


@cache
def mixed(kernel: str, count: int) -> tuple[np.ndarray, ...]:
    """Ordinary numbers, with a few of the others in their midst."""
    draw = random.Random(f"mixed {kernel}")
    places = {row.kernel: row.operands for row in vector_emitter.maps()}[kernel]
    rows = [[draw.uniform(-3.0, 3.0) for _ in range(places)] for _ in range(count)]
    for row in draw.sample(rows, count // 12):
        row[draw.randrange(places)] = draw.choice((*SIGNED, some(draw), 2.0, 0.5, 1e7))
    return tuple(columns(rows))


def ways(few: Kernels, many: Kernels, table: int, kernel: str) -> list[str]:
    """Where a kernel's answer for an element depends on more than that element."""
    with np.errstate(over="ignore"):  # what is too large for a float is infinite
        xs = [x.astype(few.dtype) for x in mixed(kernel, 300)]
    together = few(table, kernel, xs)
    found = []
    alone = np.array([few(table, kernel, [x[i : i + 1] for x in xs])[0] for i in range(len(xs[0]))])
    if (bits(alone) != bits(together)).any():
        found.append(f"{kernel}: alone and together")
    if (bits(many(table, kernel, xs)) != bits(together)).any():
        found.append(f"{kernel}: with SIMD and without")
    for place, size in product(range(len(xs)), (1, 7, 200)):
        copies = [x[:size].copy() for x in xs]
        if (bits(few(table, kernel, copies, out=copies[place])) != bits(together[:size])).any():
            found.append(f"{kernel}: in place of operand {place}")
    for steps in product((0, 1), repeat=len(xs)):
        some_fixed = [x[3:203] if step else x[3:4] for x, step in zip(xs, steps, strict=True)]
        full = [np.broadcast_to(x, 200).copy() if len(x) == 1 else x for x in some_fixed]
        if (
            any(steps)
            and (bits(many(table, kernel, some_fixed, steps)) != bits(many(table, kernel, full))).any()
        ):
            found.append(f"{kernel}: steps {steps}")
    return found
