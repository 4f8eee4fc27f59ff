"""The chain rule by hand: paths are counted, choices close some, and long ones are shortened."""

from __future__ import annotations

from minigrad import Graph, Value, parse
from minigrad.text.page import Page
from minigrad.verify.case import case_of
from minigrad.verify.witnesses.by_hand import _counts, _joined, sums, written


def test_every_path_is_counted_and_every_step():
    """From a in a*a + a: two paths of two steps through the product, and one of one step."""
    graph = parse("a*a + a", {"a": 2.0})
    paths, steps = _counts(graph)
    a = graph.index("a")
    assert (paths[a], steps[a]) == (3, 2 * 2 + 1)
    assert (paths[graph.output], steps[graph.output]) == (1, 0)


def test_a_path_through_what_was_not_chosen_is_no_path():
    """The condition holds: the product is a squared, whose slope is 3 + 3, and b has no way up."""
    a, b = sums(case_of("where(c, a, b)*a", {"a": 3.0, "b": 2.0, "c": 1.0}), ("a", "b"))
    assert (a.count, a.total, sorted(term.amount for term in a.terms)) == (2, 6.0, [3.0, 3.0])
    assert (b.count, b.total, b.terms) == (0, 0.0, ())


def test_a_product_of_more_than_eight_factors_is_shortened_in_the_middle():
    assert _joined(list("abcdefgh")) == "a * b * c * d * e * f * g * h"
    assert _joined(list("abcdefghi")) == "a * b * c * d * e * f * g * ... * i"
    assert _joined(list("abcdefghijk")) == "a * b * c * d * e * f * g * ... * k"


def introductions(count):
    y = Value(0.5, label="a")
    for _ in range(count):
        y = y.tanh()
    case = case_of(Graph.of(y))
    return next(written(case, sums(case), Page(10_000)))


def test_twelve_nodes_without_a_name_are_introduced_and_more_are_hinted_at():
    for count, introduced in ((1, 1), (12, 12), (13, 12), (20, 12)):
        line = introductions(count)
        assert line.count(" = tanh(") == introduced
        assert line.endswith(", ...") is (count > 12), line
