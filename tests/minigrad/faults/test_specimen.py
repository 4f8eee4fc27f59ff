"""The specimen at kinks, at ties and beyond the largest number."""

from __future__ import annotations

import math

import pytest

from minigrad import parse, trace
from specimens import Specimen

WHOLE = Specimen()


@pytest.mark.parametrize(
    "text",
    [
        "a = 0; relu(a)",
        "a = 0; b = 2; leaky_relu(a, b)",
        "a = 0; abs(a)",
        "a = 2; b = 2; maximum(a, b)",
        "a = 2; b = 2; minimum(a, b)",
        "a = 2; b = 2; max(a, b)",
        "a = 2; b = 2; min(a, b)",
        *(f"a = {a}; b = 2; c = 3; clamp(a, b, c)" for a in (1, 2, 3, 4)),
        "a = -2; b = 3; a**b",
    ],
)
def test_the_specimen_is_right_at_kinks_and_ties(text):
    graph = parse(text)
    run, right = WHOLE.run(graph), trace(graph)
    assert run.value == right.values[graph.output]
    assert run.gradients == pytest.approx(right.gradients, nan_ok=True)


def test_the_specimen_does_not_know_the_slope_of_zero_to_a_power():
    assert math.isnan(WHOLE.run(parse("a = 0; b = 3; a**b")).gradients["b"])


def test_the_specimen_has_no_number_that_is_too_large():
    exp = WHOLE.names["exp"]
    assert exp(709.6) == math.exp(709.6)
    assert [exp(a) for a in (709.7, 710.0, 710.5, 800.0)] == [math.inf] * 4
