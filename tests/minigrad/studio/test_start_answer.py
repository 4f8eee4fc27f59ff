"""What a page is told first: how each function is called."""

from minigrad.language import FUNCTIONS
from minigrad.ops import OPS
from minigrad.studio.start_answer import start_answer


def test_a_function_is_written_with_the_arguments_that_it_must_have_and_dots_where_it_may_have_more():
    written = {row["name"]: row["written"] for row in start_answer("", {})["functions"]}
    assert written["exp"] == "exp(a)"
    assert written["where"] == "where(a, b, c)"
    assert written["max"] == "max(a, ...)"
    assert written["dot"] == "dot(a, b, ...)"
    assert written["leaky_relu"] == "leaky_relu(a, ...)", "its slope may be left out"
    assert written["softmax"] == "softmax(0, a, b, ...)"


def test_no_function_needs_more_arguments_than_there_are_letters_for_them():
    assert {OPS[name].arity[0] for name in FUNCTIONS if name in OPS} <= {*range(1, 9)}
