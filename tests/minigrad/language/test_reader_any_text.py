"""Any text, and large ones: a graph or an error, and soon."""

from __future__ import annotations

import math
import random
import re
import time

import pytest

from language_texts import SCRAPS, essence, refused, result, short, within
from minigrad.graph import Graph
from minigrad.language import LanguageError, number, parse, write
from minigrad.ops import MANY, OPS

pytestmark = pytest.mark.usefixtures("english")


def outcome(text: str, inputs: dict[str, float] | None = None) -> Graph | LanguageError:
    try:
        return parse(text, inputs)
    except LanguageError as error:
        return error


def assert_points_into(error: LanguageError, text: str) -> None:
    lines = re.split(r"\r\n|\r|\n", text)
    assert 1 <= error.line <= len(lines)
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    assert str(error).isascii()


def test_any_text_is_a_graph_or_a_language_error() -> None:
    rng = random.Random(99)
    read = 0
    deadline = time.process_time() + 4.0
    for _ in range(20_000):
        size = rng.randrange(14)
        if rng.random() < 0.2:
            text = "".join(chr(int(rng.expovariate(1 / 200))) for _ in range(size))
        else:
            text = rng.choice(["", " "]).join(rng.choice(SCRAPS) for _ in range(size))
        seen = outcome(text, {name: 2.0 for name in "ab" if re.search(rf"\b{name}\b", text)})
        if isinstance(seen, LanguageError):
            assert_points_into(seen, text)
        else:
            assert essence(parse(write(seen))) == essence(seen), text
            read += 1
        if time.process_time() > deadline:
            break
    assert read > 100


def test_a_valid_text_with_one_character_changed_is_a_graph_or_a_language_error() -> None:
    rng = random.Random(5)
    text = (
        "a = 2; b = -3\nc = tanh(a*b + 1.5e-3) # note\nd = softmax(1, a, b, c) <= 0.5\nL = max(c, d, -a**2)/b"
    )
    for _ in range(5000):
        spot = rng.randrange(len(text))
        changed = (
            text[:spot] + rng.choice(["", rng.choice("()+-*/,;=<>. #e2ab_\n!\u2212")]) + text[spot + 1 :]
        )
        seen = outcome(changed)
        if isinstance(seen, LanguageError):
            assert_points_into(seen, changed)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("1" * 1_000_000, 1),
        ("a = " + "1" * 1_000_000, 5),
        ("a" * 1_000_000, 1),
        ("(" * 100_000, 20_001),
        ("-(" * 100_000, 40_002),
        ("(" * 8_000_000, 20_001),
        ("a" * 8_000_001, 8_000_001),
    ],
    ids=short,
)
def test_what_is_beyond_a_limit_is_refused_at_once(text: str, column: int) -> None:
    with within(0.5):
        error = refused(text)
    assert (error.line, error.column) == (1, column)


def test_what_is_just_within_a_limit_is_read() -> None:
    assert result("9" * 400) == math.inf
    assert result("0." + "3" * 398) == 1 / 3
    assert result("n" * 100 + " * 2", **{"n" * 100: 3.0}) == 6.0
    assert result("(" * 20_000 + "a" + ")" * 20_000, a=2.0) == 2.0


def test_a_sum_of_a_hundred_thousand_terms_is_read_in_about_a_second() -> None:
    with within(3.0):
        graph = parse(" + ".join(["a"] * 100_000), {"a": 0.5})
    assert len(graph) == 100_000
    assert graph.evaluate()[graph.output] == 50_000.0


def test_ten_thousand_nodes_are_read_in_half_a_second() -> None:
    lines = [f"v{i} = tanh(v{i - 1} * b + {i}.5)" for i in range(1, 2500)]
    text = "\n".join(["a = 2", "b = 0.25", "v0 = a * b", *lines])
    with within(0.5):
        graph = parse(text)
    assert len(graph) == 2 + 1 + 4 * 2499


def test_nineteen_thousand_nested_parentheses_are_read() -> None:
    for opening, closing in (("(a + ", ")"), ("a - (", ")"), ("-(", ")"), ("abs(", ")")):
        graph = parse(opening * 19_000 + "a" + closing * 19_000, {"a": 1.0})
        assert len(graph) == 19_001
        assert parse(write(graph)) == graph


def test_many_signs_in_a_row_are_read() -> None:
    assert result("-" * 200_000 + "a", a=2.0) == 2.0
    assert result("2" + "**1" * 50_000) == 2.0


def test_every_op_of_many_arguments_takes_a_thousand() -> None:
    for name, op in OPS.items():
        if op.arity[1] == MANY:
            graph = parse(f"{name}({', '.join(['1'] * 1000)})")
            assert len(graph) == 1001


def test_inside_parentheses_a_line_break_is_just_space():
    apart = parse("L = (a +\n  b  # a comment\n) * sum(\n  a,\n  b\n)\nM = L*2", {"a": 1, "b": 2})
    assert apart == parse("L = (a + b) * sum(a, b); M = L*2", {"a": 1, "b": 2})


def test_a_statement_that_begins_before_the_parenthesis_is_closed_points_at_the_parenthesis():
    with pytest.raises(LanguageError, match="never closed") as error:
        parse("L = (a +\nb = 3", {"a": 1})
    assert (error.value.line, error.value.column) == (1, 5)


def test_a_number_may_be_worked_out_and_a_name_is_none():
    assert number("-2.5") == -2.5
    assert number("1/4 + 2**3") == 8.25
    assert number("a = 2") is None
    assert number("x") is None
    assert number("") is None
