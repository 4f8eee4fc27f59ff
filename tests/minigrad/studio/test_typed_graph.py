"""The text that somebody types: where an error in it stands, and the ends of its sliders."""

import pytest

from minigrad.language import LanguageError
from minigrad.studio.typed_graph import place_of, read_graph


def place(text):
    with pytest.raises(LanguageError) as caught:
        read_graph(text, {})
    return place_of(text, caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("b = a ^ 2; c = 3", (6, 7)),
        ("a = 2\nb = a ^ 2; c = 3", (12, 13)),  # the second line starts at 6
        ("a = 2\rb = a ^ 2; c = 3", (12, 13)),
        ("a = 2\r\nb = a ^ 2; c = 3", (13, 14)),  # the end of a line of two characters: at 7
        ("a = 2\r\n\r\nb = a ^ 2; c = 3", (15, 16)),
        ("a = 2\n\nb = a ^ 2; c = 3", (13, 14)),
    ],
)
def test_the_place_of_an_error_counts_the_ends_of_all_lines_before_it(text, expected):
    assert place(text) == expected
    assert text[slice(*expected)] == "^"


def test_what_is_missing_at_the_end_of_a_line_is_shown_at_its_last_character():
    assert place("a +") == (2, 3)
    assert place("a + 2\nb = 3 *\nc = 4") == (12, 13)
    assert place("softmax(\na, b)") == (7, 8), "the bracket after which a number is missing"


@pytest.mark.parametrize("end", [5.0, -5.0])
def test_a_value_at_the_very_end_of_its_slider_is_still_on_it(end):
    (row,) = read_graph("a = 2; a*a", {"a": end}).rows()
    assert (row["value"], row["low"], row["high"]) == (end, -5, 5)
