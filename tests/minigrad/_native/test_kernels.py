"""The kernels in C give the bits of the table's formulas over `ieee`.

Kernels.h has to be what the emitter writes.  Then a small library is compiled that runs every
kernel and every reduction, and each answer is compared with the formula's: the value and all
locals, bit for bit, so 0.0 and -0.0 differ; only the sign and payload of a NaN are free.
"""

from __future__ import annotations

import ctypes
import random
import shlex
import shutil
import subprocess
import sysconfig
from array import array
from collections.abc import Sequence
from functools import cache
from math import inf, nan
from pathlib import Path
from struct import pack, unpack

import pytest

from kernel_points import Answer, Point, bits, differences, magnitude, points
from minigrad import functions, scalar
from minigrad._native import emitter
from minigrad.ops import MANY, OPS, Op
from minigrad.values import ieee
from minigrad.values.formulas import power_slope

HEADERS = Path(emitter.__file__).parent
FLAGS = ["-O2", "-fPIC", "-shared", "-ffp-contract=off", "-fno-math-errno", "-Wall", "-Wextra", "-Werror"]


# ---- what the emitter writes --------------------------------------------------------------------


def test_kernels_h_is_what_the_emitter_writes():
    written = (HEADERS / "kernels.h").read_text(encoding="utf-8")
    assert written == emitter.emit(), "run: python -m minigrad._native.emitter"


@pytest.mark.parametrize(
    "change",
    [
        {"forward": lambda m, x: m.log1p(m.exp(x))},
        {"partials": lambda m, y, x: (1.0 - m.exp(-y),)},
        {"symbol": "soft"},
        {"rule": ("another rule", "otra regla")},
        {"name": "softmax"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_changed_row_changes_what_the_emitter_writes(monkeypatch, change):
    written = emitter.emit()
    monkeypatch.setattr(emitter, "OPS", {**OPS, "softplus": OPS["softplus"]._replace(**change)})
    assert emitter.emit() != written


def test_an_operation_is_written_once_and_nothing_is_simplified():
    twice = OPS["exp"]._replace(
        forward=lambda m, x: 1.0 * m.exp(x) + 0.0, partials=lambda m, y, x: (m.exp(x) - x * 1.0,)
    )
    assert emitter.kernel(twice).text.splitlines()[1:-1] == [
        "    const double t0 = exp(x0);",
        "    const double t1 = 1.0 * t0;",
        "    const double t2 = t1 + 0.0;",
        "    const double t3 = x0 * 1.0;",
        "    const double t4 = t0 - t3;",
        "    local[0] = t4;",
        "    return t2;",
    ]


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("relu", {"forward": lambda m, x: x if x > 0.0 else 0.0}, "m.where chooses"),
        ("relu", {"forward": lambda m, x: m.where(x == 0.0, 0.0, x)}, "m.equal"),
        ("relu", {"forward": lambda m, x: m.ramp(x)}, "no function ramp"),
        ("relu", {"partials": lambda m, y, x: (1.0, 1.0)}, "1 slots and 2 partials"),
        ("relu", {"partials": lambda m, y, x: (None,)}, "selective=False"),
        ("relu", {"partials": lambda m, y, x: (2.0 * m.inverse(x),)}, "unsupported operand"),
        ("div", {"partials": lambda m, z, x, y: (1.0, m.inverse(y))}, "first slot"),
        ("clamp", {"arity": (4, 4)}, "no list of ops with 4 arguments"),
    ],
)
def test_what_a_kernel_cannot_do_is_refused(name, change, reason):
    with pytest.raises((TypeError, ValueError, AttributeError), match=reason):
        emitter.kernel(OPS[name]._replace(**change))


def test_constants_are_written_to_the_last_bit():
    draw = random.Random("constants")
    for x in (
        0.1,
        1 / 3,
        5e-324,
        1e22,
        1e23,
        2.0**600,
        -0.0,
        1.0,
        -40.0,
        *(magnitude(draw) for _ in range(500)),
    ):
        text = emitter.literal(x).split(" ")[0]
        assert bits(float.fromhex(text) if "0x" in text else float(text)) == bits(x)
    assert [emitter.literal(x) for x in (0.5, inf, -inf, nan)] == ["0.5", "INFINITY", "-INFINITY", "NAN"]


# ---- the library --------------------------------------------------------------------------------

SHIM = """
#include "kernels.h"
#include "reductions.h"

#define BATCH(name, slots, ...) \\
    void batch_##name(const double *xs, ptrdiff_t count, double *out) { \\
        for (; count > 0; count--, xs += slots, out += slots + 1) \\
            out[0] = op_##name(__VA_ARGS__, out + 1); \\
    }
#define UNARY(name, ...) BATCH(name, 1, xs[0])
#define BINARY(name, ...) BATCH(name, 2, xs[0], xs[1])
#define TERNARY(name, ...) BATCH(name, 3, xs[0], xs[1], xs[2])
#define NARY(name, ...) \\
    void batch_##name(const double *xs, ptrdiff_t n, double *out) { out[0] = nary_##name(xs, n, out + 1); }
UNARY_OPS(UNARY) BINARY_OPS(BINARY) TERNARY_OPS(TERNARY) NARY_OPS(NARY)

void batch_power_slope(const double *xs, ptrdiff_t count, double *out) {
    for (; count > 0; count--, xs += 2, out += 1)
        out[0] = power_slope(xs[0], xs[1]);
}

double a_silent_local(void) { return silent(); }
int locals_that_are_silent(const double *xs, int n) {
    int found = 0;
    for (int i = 0; i < n; i++)
        found += is_silent(xs[i]);
    return found;
}

struct row {
    int code; const char *name, *symbol; int flags, least; double fallback; const char *others, *doc;
};
#define ROW(name, symbol, flags, least, fallback, others, doc) \\
    {OP_##name, #name, symbol, flags, least, fallback, others, doc},
const struct row rows[] = { UNARY_OPS(ROW) BINARY_OPS(ROW) TERNARY_OPS(ROW) NARY_OPS(ROW) };
const int row_count = sizeof rows / sizeof rows[0];
const int op_count = OP_COUNT;
"""


class Row(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("symbol", ctypes.c_char_p),
        ("flags", ctypes.c_int),
        ("least", ctypes.c_int),
        ("fallback", ctypes.c_double),
        ("others", ctypes.c_char_p),
        ("doc", ctypes.c_char_p),
    ]


def compiled(folder: Path, headers: Path = HEADERS) -> ctypes.CDLL:
    """The library, made of some headers."""
    compiler = shutil.which("cc") or sysconfig.get_config_var("CC")
    assert compiler, "these tests need a C compiler: install gcc or clang"
    source, library = folder / "shim.c", folder / "shim.so"
    source.write_text(SHIM, encoding="utf-8")
    command = [*shlex.split(compiler), *FLAGS, f"-I{headers}", str(source), "-o", str(library), "-lm"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return ctypes.CDLL(str(library))


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> ctypes.CDLL:
    return compiled(tmp_path_factory.mktemp("kernels"))


def doubles(xs: Sequence[float]) -> ctypes.Array[ctypes.c_double]:
    return (ctypes.c_double * len(xs)).from_buffer(array("d", xs))


def from_c(library: ctypes.CDLL, name: str, points: Sequence[Point], width: int | None) -> list[Answer]:
    """The answers of a batch at some points, `width` numbers at each; lists are run one by one."""
    batches = [[point] for point in points] if width is None else [points]
    answers: list[Answer] = []
    for batch in batches:
        flat = [x for point in batch for x in point]
        wide = width or len(flat) + 1
        out = doubles([0.0] * (wide * len(batch)))
        count = len(flat) if width is None else len(batch)
        getattr(library, f"batch_{name}")(doubles(flat), ctypes.c_ssize_t(count), out)
        numbers = out[:]
        answers += [tuple(numbers[i : i + wide]) for i in range(0, len(numbers), wide)]
    return answers


# ---- the comparison -----------------------------------------------------------------------------


def from_formula(op: Op, xs: Point) -> Answer:
    y = op.forward(ieee, *xs)
    partials = op.partials(ieee, y, *xs)
    return (y, *(local.divisor if isinstance(local, ieee.inverse) else local for local in partials))


@cache
def expected(name: str) -> tuple[tuple[Point, ...], tuple[Answer, ...]]:
    """The points of an op, and the formula's answers there."""
    op = OPS[name]
    places = points(op)
    return places, tuple(from_formula(op, xs) for xs in places)


def disagreements(library: ctypes.CDLL, name: str) -> list[str]:
    places, answers = expected(name)
    most = OPS[name].arity[1]
    got = from_c(library, name, places, None if most == MANY else most + 1)
    library.a_silent_local.restype = ctypes.c_double
    return differences(places, got, answers, pack("=d", library.a_silent_local()))


# ---- every row ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OPS)
def test_a_kernel_gives_the_bits_of_its_row(library, name):
    assert disagreements(library, name)[:5] == []


def test_the_slope_of_a_power_gives_the_bits_of_its_formula(library):
    places, _ = expected("pow")
    answers = [(power_slope(ieee, *xs),) for xs in places]
    assert differences(places, from_c(library, "power_slope", places, 1), answers)[:5] == []


def test_every_row_is_listed_with_what_the_table_says(library):
    count = ctypes.c_int.in_dll(library, "row_count").value
    listed = {row.name.decode(): row for row in (Row * count).in_dll(library, "rows")}
    assert count == len(listed) == len(OPS) == ctypes.c_int.in_dll(library, "op_count").value - 1
    for code, op in enumerate(OPS.values(), start=1):
        row = listed[op.name]
        arguments, many = [1.0] * op.arity[0], op.arity[1] == MANY
        partials = () if many else op.partials(ieee, 1.0, *arguments, *op.defaults)
        flags = 1 * any(isinstance(x, ieee.inverse) for x in partials) + 2 * (None in partials)
        doc = functions._named(lambda: None, op, "xs") if many else scalar._method(op)
        assert (row.code, row.symbol.decode(), row.flags, row.least) == (code, op.symbol, flags, op.arity[0])
        assert row.fallback == (op.defaults or (0.0,))[-1]
        assert row.doc.decode() == doc.__doc__


def test_only_the_silent_local_is_silent(library):
    library.a_silent_local.restype = ctypes.c_double
    silence = library.a_silent_local()
    assert silence != silence
    others = [
        nan,
        -nan,
        inf,
        -inf,
        0.0,
        inf - inf,
        *unpack("=2d", pack("=2Q", 2**64 - 1, 0x7FF8000000000001)),
    ]
    assert library.locals_that_are_silent(doubles(others), len(others)) == 0
    assert library.locals_that_are_silent(doubles([silence, 1.0, silence]), 3) == 2


# ---- the checkers check -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        ((1.0, 0.5), (1.0, 0.5), True),
        ((0.1 + 0.2,), (0.3,), False),
        ((0.0, 1.0), (-0.0, 1.0), False),
        ((nan, 1.0), (-nan, 1.0), True),
        ((nan, 1.0), (inf, 1.0), False),
        ((1.0, nan), (1.0, None), False),
        ((1.0, 0.0), (1.0, None), False),
        ((1.0, unpack("=d", b"\x01" * 6 + b"\xf8\x7f")[0]), (1.0, None), True),
    ],
)
def test_a_difference_of_one_bit_is_seen(ours, theirs, same):
    assert (differences([(2.0,)], [ours], [theirs], silence=b"\x01" * 6 + b"\xf8\x7f") == []) is same


# One mistake to a line, each of the kind that a person makes: the file, the text, what takes its place,
# and a row that has to disagree.
MISTAKES = (
    ("kernels.h", "x0 < 1024.0 ?", "x0 <= 1024.0 ?", "exp2"),
    ("kernels.h", "x0 < -800.0 ? -0.0 : t", "x0 < -800.0 ? 0.0 : t", "silu"),
    ("kernels.h", "x0 == 0.0 ? silent() : 1.0", "x0 == 0.0 ? NAN : 1.0", "where"),
    ("kernels.h", "local[0] = x1;\n    local[1] = t2;", "local[0] = 1.0 / x1;\n    local[1] = t2;", "div"),
    ("ieee.h", "(3.0 * square)", "(2.0 * square)", "cbrt"),
    ("ieee.h", "x * root_half_rest", "0.0 * root_half_rest", "gelu"),
    ("ieee.h", "(x + head)", "(x + x)", "erf"),
    ("ieee.h", "x == 0.0 ? 0.0 : NAN", "0.0", "sign"),
    ("reductions.h", "twice == other - high", "0", "sum"),
    ("reductions.h", "if (!sum.overflowed)", "if (1)", "dot"),
    ("reductions.h", "if (xs[i] > y)", "if (xs[i] >= y)", "max"),
    ("reductions.h", "return NAN;\n        if (xs[i] < y)", "continue;\n        if (xs[i] < y)", "min"),
    ("reductions.h", "!(fabs(total) < INFINITY)", "0", "mean"),
    ("reductions.h", "after *= xs[i]", "after *= xs[n - 1 - i]", "prod"),
    ("reductions.h", "? e + e * rounding : e", "? e + 0.0 * rounding : e", "logsumexp"),
)


def test_a_mistake_in_the_c_is_seen(tmp_path):
    for header in ("kernels.h", "ieee.h", "reductions.h"):
        text = (HEADERS / header).read_text(encoding="utf-8")
        for file, old, new, _ in MISTAKES:
            assert file != header or old in text, f"{header} no longer has {old!r}: plant another mistake"
            text = text.replace(old, new) if file == header else text
        (tmp_path / header).write_text(text, encoding="utf-8")
    library = compiled(tmp_path, tmp_path)
    planted = [row for *_, row in MISTAKES]
    assert [row for row in planted if disagreements(library, row)] == planted
    assert disagreements(library, "tanh") == []
