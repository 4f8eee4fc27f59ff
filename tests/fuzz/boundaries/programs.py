"""Saved programs: a SavingError, or a program that runs within its arrays and is saved as it was read.

Headers and arrays are changed behind a checksum that fits.  Of an accepted program each variant is run: the
compiled executor gives the bits that its scalars give when they are computed one after the other, and the
NumPy executor gives the same.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from document_changes import changed, changed_bytes, written
from forged_programs import LENGTH, SUM, parts, signed
from minigrad import Value, compile, take  # noqa: A004 its own name
from minigrad import functions as F  # noqa: N812
from minigrad.compiler.executors import executor
from minigrad.compiler.program import Program
from minigrad.compiler.program_file import SavingError, decoded, encoded
from minigrad.compiler.structure import put_together
from minigrad.compiler.variants import Variant
from scalar_meaning import evaluate

from .boundary import ACCEPTED, Boundary, wrong_unless

__all__ = ["BOUNDARY"]

WORDS = (0, 1, 2, 3, 7, 255, 256, 2**16, 2**31 - 1, 2**31, 2**32 - 1)
DOUBLES = (0.0, -0.0, 1.0, -1.0, 0.5, math.nan, math.inf, 5e-324, 1e308, 2.0**53)
NUMBERS = (0.5, -2.0, 0.0, 1e3, -0.25)
LARGEST = 4000  # nodes of a program that is run


class Files(Boundary):
    name = "programs"
    count = 5_000
    batch = 5_000

    def prepare(self) -> None:
        self.files = [encoded(program) for program in programs()]
        self.parts = [parts(octets) for octets in self.files]

    def input(self, random: Random) -> bytes:
        chance = random.random()
        if chance < 0.1:
            return changed_bytes(random, random.choice(self.files))
        start, header, body = random.choice(self.parts)
        if chance < 0.45:
            text = written(random, changed(random, header)).encode("utf-8", "surrogatepass")
        else:
            text = json.dumps(header).encode()
        if chance > 0.35:
            header, body = _changed_arrays(random, header, body)
            if chance > 0.45:
                text = json.dumps(header).encode()
        length = len(text) + (random.choice((-1, 1, 8, 2**40)) if random.random() < 0.02 else 0)
        return signed(start + max(length, 0).to_bytes(LENGTH, "little") + text + body)

    def check(self, given: bytes) -> str:
        try:
            program = decoded(given, "a file")
        except SavingError as error:
            told = str(error)
            wrong_unless("a file" in told and len(told) < 1000, f"not the sentence: {told!r}")
            wrong_unless(told.isprintable(), f"a terminal would act on {told!r}")
            return "SavingError"
        again = encoded(program)
        wrong_unless(encoded(decoded(again)) == again, "it is saved otherwise than it was read")
        wrong_unless(given[-SUM:] == signed(given[:-SUM])[-SUM:], "its checksum does not fit")
        for variant in program.trace_cache.variants():
            if len(variant.traced.scalars) <= LARGEST:
                _run(program, variant)
        return ACCEPTED


def programs() -> list[Program]:
    """Small programs with what a file can hold: branches, rows, captured Values, structures, float32."""

    def branches(model: Any, i: int, x: Any) -> Any:
        row = take(model["rows"], i)
        out = row[0] * x + row[1]
        return out.exp() if out > 0.0 else out * out

    weight, constant = Value(3.0, label="weight"), Value(2.0, requires_grad=False)
    model = {"rows": [[0.5, 0.25], [-1.0, 2.0], [3.0, -0.125]]}
    calls: list[tuple[Program, list[tuple[Any, ...]]]] = [
        (compile(branches), [(model, 0, 1.0), (model, 2, -1.0)]),
        (compile(lambda x: weight * x * constant, exact=False, threads=2), [(2.0,)]),
        (compile(lambda xs, ys: F.dot(xs, ys) + F.softmax(xs)[0]), [([1.0, 2.0], [3.0, 4.0])]),
        (compile(lambda a, b: {"x": (a["u"], [a["v"][0], b]), 7: []}), [({"u": 2.0, "v": [3.0, True]}, 4.0)]),
        (compile(lambda x: (x * 0.5).tanh(), dtype="float32", exact=False), [(1.0,)]),
        (compile(lambda xs: sum(x * x for x in xs)), [([0.5] * 12,)]),
    ]
    for program, runs in calls:
        for arguments in runs:
            program(*arguments)
    return [program for program, _ in calls]


def _changed_arrays(random: Random, header: Any, body: bytes) -> tuple[Any, bytes]:
    """Some numbers of the arrays replaced; sometimes an array has one more or less, and says so."""
    header = json.loads(json.dumps(header))
    arrays: list[list[bytes]] = []  # of each array, its numbers
    at = 0
    for variant in header["variants"]:
        for place, size in enumerate(variant["sizes"]):
            width = WIDTHS[place]
            arrays.append([body[at + width * k : at + width * (k + 1)] for k in range(size)])
            at += width * size
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        place = random.randrange(len(arrays))
        numbers, width = arrays[place], WIDTHS[place % len(WIDTHS)]
        one = _number(random, width, numbers)
        if numbers and random.random() < 0.8:
            numbers[random.randrange(len(numbers))] = one
        elif numbers and random.random() < 0.5:
            del numbers[random.randrange(len(numbers))]
        else:
            numbers.insert(random.randrange(len(numbers) + 1), one)
    if random.random() < 0.95:
        flat = iter(arrays)
        for variant in header["variants"]:
            variant["sizes"] = [len(next(flat)) for _ in variant["sizes"]]
    return header, b"".join(number for numbers in arrays for number in numbers)


WIDTHS = (4, 4, 4, 8, 4, 4, 4, 8, 4, 8, 4)  # bytes of a number of each array of a variant


def _number(random: Random, width: int, numbers: list[bytes]) -> bytes:
    if width == 8:
        return np.float64(random.choice(DOUBLES)).tobytes()
    if numbers and random.random() < 0.6:  # near what stands there
        near = int.from_bytes(random.choice(numbers), "little") + random.choice((-1, 0, 1, 1, 2))
        return (near % 2**32).to_bytes(4, "little")
    return random.choice(WORDS).to_bytes(4, "little")


def _run(program: Program, variant: Variant) -> None:
    """Run one variant on some numbers, in range and beyond it, in every way that there is."""
    traced = variant.traced
    for shift in range(3):
        numbers: list[float] = []
        for place, kind in enumerate(traced.kinds):
            rows = traced.rows.get(place, 2)
            whole = (0, rows - 1, rows, -1, 2**52)[(place + shift) % (3 if shift else 2)]
            numbers.append(whole if kind == "i" else NUMBERS[(place + shift) % len(NUMBERS)])
        shared = variant.shared(numbers)
        if variant.in_range(shared):
            _compare(program, variant, shared)
        arguments = put_together(traced.arguments, numbers)
        _attempt(lambda given=arguments: program(*given))
        _attempt(lambda given=arguments: program.value_and_grad(*given))
    if len(traced.kinds) == 1:
        _attempt(lambda: program.batched(0)(np.array([0.5, -2.0, 1.0])))


def _attempt(call: Callable[[], object]) -> None:
    """A call may refuse its arguments, with the errors that the docs name."""
    try:
        call()
    except (ValueError, TypeError, IndexError):
        return


def _compare(program: Program, variant: Variant, shared: Any) -> None:
    scalars = variant.traced.scalars
    prepared = variant.prepared()
    found = prepared.run(shared)[0]
    plain = executor(prepared.plan, program.exact, program.dtype, native=False).run(shared)[0]
    numbers = evaluate(scalars, shared.tolist())
    expected = [numbers[node] for node in (*scalars.outputs, *(guard.node for guard in scalars.guards))]
    if program.exact:
        same = [_bits(x) for x in found] == [_bits(x) for x in plain] == [_bits(x) for x in expected]
    else:
        same = bool(np.allclose(found, plain, 1e-3, 1e-6, True)) or not np.isfinite(expected).all()
    wrong_unless(same, f"{found.tolist()}, with NumPy {plain.tolist()}, one after the other {expected}")


def _bits(x: float) -> str:
    return "nan" if x != x else float(x).hex()


BOUNDARY = Files()
