"""Nonsense is treated alike: random calls with operands of every kind, right and wrong, on both engines.

The same calls are made on two pools of Values, one per engine.  Both must give the same bits, or raise the
same type with the same text; `engine_call_outcomes.py` compares them.

On a difference the report is the one call, its operands as they were before it, and what each engine did.

`pytest --graphs=100000` makes a million calls.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from math import inf
from types import SimpleNamespace

import pytest

from engine_call_outcomes import ACCEPTED, BATCH, alike, attempt, batch, odd_call, ours
from engine_calls import METHODS
from engine_pair import PLAIN
from minigrad.ops import OPS
from minigrad.text.translation import catalogue

PER_TEST = 2000


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "calls" in metafunc.fixturenames:
        total = 1_000_000 if metafunc.config.getoption("graphs") >= 100_000 else 20_000
        metafunc.parametrize(
            "calls", [range(n, n + PER_TEST, BATCH) for n in range(0, total, PER_TEST)], ids=str
        )


# ---- the tests ------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
def test_random_calls_end_alike_on_both_engines(calls):
    for first in calls:
        found = odd_call(first)
        assert found is None, found


def firsts() -> Iterator[int]:
    return iter(range(0, 40 * BATCH, BATCH))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("planted", "mentioned"),
    [
        ("bit", "exp"),
        ("text", "native"),
        ("type", "native"),
        ("state", "after it"),
    ],
)
def test_a_planted_difference_is_found_and_the_report_names_the_call(planted, mentioned, monkeypatch):
    right, right_number = PLAIN.Value.exp, PLAIN.Value.data.fset
    scalar = __import__(f"{PLAIN.package.__name__}.scalar", fromlist=["_operand"])

    def one_bit_off(self):
        result = right(self)
        result.data = math.nextafter(result.data, inf)
        return result

    def other_text(x):
        raise TypeError(catalogue()["value.operand"][0].format(given="something else"))

    def other_type(x):
        raise ValueError("no")

    def other_state(self, data):
        right_number(self, data)
        self.grad = 17.0

    if planted == "bit":
        monkeypatch.setattr(PLAIN.Value, "exp", one_bit_off)
    elif planted == "text":
        monkeypatch.setattr(scalar, "_operand", other_text)
    elif planted == "type":
        monkeypatch.setattr(scalar, "_operand", other_type)
    else:
        monkeypatch.setattr(PLAIN.Value, "data", property(PLAIN.Value.data.fget, other_state))
    found = next(filter(None, map(odd_call, firsts())), "")
    assert mentioned in found
    assert "plain" in found
    assert len(found) < 3000


@pytest.mark.filterwarnings("ignore")
def test_the_calls_are_of_every_kind_and_end_in_many_ways():
    seen = SimpleNamespace(texts=set(), kinds=set(), gave=0, raised=0)
    for first in firsts():
        for call, _, plain in batch(first):
            ended = attempt(call, plain)
            seen.texts.add(call.text)
            seen.gave += ended[0] == "gave"
            seen.raised += ended[0] == "raised"
            if ended[0] == "raised":
                seen.kinds.add(ended[1])
                if ours().fullmatch(ended[2]):
                    seen.kinds.add(ended[2][:20])
    assert {f".{name}" for name in METHODS} <= seen.texts
    assert {f"F.{name}" for name in OPS} <= seen.texts
    assert min(seen.gave, seen.raised) > 2000
    assert len(seen.kinds) > 20


def test_a_text_of_the_catalogue_is_compared_and_one_of_python_is_not():
    mine = ("raised", "TypeError", catalogue()["value.modulo"][0])
    python = ("raised", "TypeError", "exp() takes no arguments (1 given)")
    assert alike(mine, mine)
    assert alike(python, ("raised", "TypeError", "exp() takes 1 positional argument but 2 were given"))
    assert not alike(mine, python)
    assert not alike(python, ("raised", "ValueError", python[2]))
    assert not alike(python, ("gave", None))


def test_no_difference_is_accepted_without_a_reason():
    assert all(ACCEPTED.values())
