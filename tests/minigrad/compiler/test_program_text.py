"""Programs as text: every op and every instruction, in both languages, and long ones shortened."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest

from minigrad.compiler.plan import LANES, SHARED, Access, Chain, LaneSum, Map, Most, OpRun, Plan, Put, Take
from minigrad.compiler.program_text import show
from minigrad.compiler.scalars import Guard, Scalars
from minigrad.text.translation import speaking

pytestmark = pytest.mark.one_engine


def everything() -> Scalars:
    program = Scalars()
    program.inputs = [program.add("input") for _ in range(3)]
    for number in (0.1 + 0.2, -0.0, 1e300):
        program.constant(number)
    for op, *args in [
        ("add", 0, 3), ("mul", 1, 4), ("neg", 2), ("pow", 0, 5), ("less", 0, 1), ("clamp", 0, 1, 2),
        ("arctan2'1", 6, 0, 1), ("chain:0*-~+", 0, 1, 2, 0, 2, 1), ("chain:-+", 0, 1),
        ("chain:~*", 0, 1, 1, 2), ("exact:*-", 0, 1, 2), ("take", 0, 1, 2), ("put:1", 0, 1, 2),
        ("lanesum", 0), ("gate", 0, 1),
    ]:  # fmt: skip
        program.add(op, *args)
    program.outputs = [13, 0, 3]
    program.guards = [Guard(10, 1.0, "model.py:12"), Guard(6, 0.25)]
    return program


def test_ops_are_written_as_a_person_writes_them():
    with speaking("en"):
        assert (
            show(everything())
            == dedent("""
            n6 = x0 + 0.3
            n7 = x1 * -0
            n8 = -x2
            n9 = x0 ** 1e+300
            n10 = x0 < x1
            n11 = clamp(x0, x1, x2)
            n12 = arctan2'1(n6, x0, x1)
            n13 = 0 + x0*x1 - x2 - x0*x2 + x1
            n14 = -x0 + x1
            n15 = -x0*x1 + x1*x2
            n16 = fsum(x0*x1, -x2)
            n17 = take(x0, x1, x2)
            n18 = put:1(x0, x1, x2)
            n19 = lanesum(x0)
            n20 = gate(x0, x1)
            out: n13, x0, 0.3
            guard: n10 = 1  (model.py:12)
            guard: n6 = 0.25
        """).strip()
        )


def plan() -> Plan:
    """One instruction of each kind."""
    one = Access(SHARED, 0, (0,))
    return Plan(
        cells=(2000, 40),
        constants=np.zeros(5),
        first_constant=7,
        inputs=[],
        outputs=[(SHARED, 12), (LANES, 3)],
        parts=(2, 0, 0),
        before=[
            Map("mul", SHARED, 12, (7, 16), (Access(SHARED, 4, (16, 1)), Access(SHARED, 0, (0, -1)))),
            Chain(SHARED, 30, (3,), (OpRun("*", 4, Access(SHARED, 0, (4,), 1), Access(SHARED, 20, (0,), -1)),
                                     OpRun("-", 1, Access(SHARED, 3, (1,)))), zero=True),
            Chain(SHARED, 40, (1,), (OpRun("+", 9, Access(SHARED, 0, (0,), 2)),), zero=False, exact=True),
            Map("exp'0", SHARED, 50, (1,), (one, Access(SHARED, 0, (0,), index=np.array([[5]])))),
            Map("neg", SHARED, 51, (9,), (Access(SHARED, 0, (0,), index=np.arange(9)[:, None] * 7),)),
        ],
        body=[
            Most(LANES, 5, (2,), 3, Access(LANES, 0, (3,), 1)),
            Take(LANES, 7, (1,), 4, Access(LANES, 0, (0,)), Access(SHARED, 8, (0,), 1)),
            Put(LANES, 8, (2,), 3, which=Access(LANES, 0, (0,), 1), row=Access(SHARED, 8, (1,)),
                source=Access(LANES, 5, (0,), 1)),
            LaneSum(60, (2,), Access(LANES, 5, (1,))),
        ],
        after=[Map("square", SHARED, 62, (1,), (Access(SHARED, 60, (0,)),))],
    )  # fmt: skip


def test_instructions_say_what_lies_where():
    with speaking("en"):
        assert (
            show(plan())
            == dedent("""
            2,000 shared cells, 5 of them constants; 40 cells for each sample
            before the batch:
              S[12..123] i:7 j:16 = S[4+16*i+j] * S[-j]
              S[30..32] i:3 = 0 + S[4*i+k]*S[20-k] k:4 - S[3+i]
              S[40] = fsum(S[2*k] k:9)
              S[50] = exp'0(S[0], S@[5])
              S[51..59] i:9 = -S@[0, 7, 14, 21, 28, 35, ...]
            for every sample:
              L[5..6] i:2 = max(L[3*i+k]) k:3
              L[7] = take(L[0], S[8+k]) k:4
              L[8..9] i:2 = put(L[k] = S[8+i], L[5+k]) k:3
              S[60..61] i:2 = lanesum(L[5+i])
            after the batch:
              S[62] = square(S[60])
            out: S[12], L[3]
        """).strip()
        )


def test_the_words_around_are_spanish_too():
    with speaking("es"):
        text = show(plan())
        assert text.startswith("2\u00a0000 celdas compartidas")
        for words in ("antes del lote:", "para cada muestra:", "después del lote:", "salida: S[12]"):
            assert words in text
        assert "guarda: n6 = 0.25" in show(everything())


def long(count: int) -> Scalars:
    program = Scalars()
    program.inputs = [program.add("input")]
    for _ in range(count):
        program.add("neg", len(program) - 1)
    program.outputs = list(range(1, count + 1))
    program.add("chain:" + "+" * count, *program.outputs)
    return program


def test_what_is_long_is_shortened_and_says_by_how_much():
    with speaking("en"):
        lines = show(long(5000)).splitlines()
    assert len(lines) == 62  # sixty of the program, the count, and the outputs
    assert lines[40] == "... 4,941 more ..."
    assert lines[60] == "n5001 = n1 + n2 + n3 + n4 ... 4,994 more ... + n4999 + n5000"
    assert lines[61].startswith("out: n1, n2, n3")
    assert lines[61].endswith("n4998, n4999, n5000")
    assert "more" in lines[61]


@pytest.mark.parametrize("lines", [3, 10, 1000])
def test_how_much_is_shown_can_be_said(lines):
    shown = show(long(100), lines).splitlines()
    assert len(shown) == (102 if lines == 1000 else lines + 2)
