"""What the tests of compiled programs have in common: how many of them, by whom, and to the bit.

`--graphs=20000` runs that many random programs instead of a few hundred.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from minigrad.compiler import executors as running
from minigrad.compiler.plan import Plan
from minigrad.compiler.reference import Reference
from scalar_programs import bits

__all__ = ["FEW", "all_bits", "executors", "pytest_generate_tests"]

FEW, CHUNK = 320, 80


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A few hundred programs, or as many as were asked for; in chunks, for several processes to share."""
    if "some" in metafunc.fixturenames:
        asked = metafunc.config.getoption("graphs")
        total = FEW if asked == 2500 else asked
        chunks = [range(start, min(start + CHUNK, total)) for start in range(0, total, CHUNK)]
        metafunc.parametrize("some", chunks, ids=[f"{chunk.start}-{chunk.stop}" for chunk in chunks])


NATIVE = running.ISA != "numpy"


def executors(plan: Plan) -> Iterator[object]:
    yield Reference(plan)
    if NATIVE:
        yield running.executor(plan, native=True)


def all_bits(numbers: Sequence[float]) -> list[str]:
    return [bits(x) for x in numbers]
