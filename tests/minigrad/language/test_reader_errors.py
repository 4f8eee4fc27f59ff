"""What an error of the language shows: the line, the place in it, and pieces of the text, cut where long."""

from __future__ import annotations

import pytest

from minigrad.graph import CONSTANT, INPUT, Graph, Node
from minigrad.language import LIMITS, LanguageError, parse, parse_with_places, write
from minigrad.language.tokens import brief, position
from minigrad.language.vocabulary import closest_function, is_free
from minigrad.text.translation import speaking


def refused(text, inputs=None):
    with speaking("en"), pytest.raises(LanguageError) as caught:
        parse(text, inputs)
    return caught.value


# ---- pieces of a text ---------------------------------------------------------------------------


def test_a_piece_of_a_text_is_cut_and_made_printable():
    assert brief("a" * 40) == "a" * 40
    assert brief("a" * 41) == "a" * 37 + "..."
    assert brief("a" * 20, 20) == "a" * 20
    assert brief("a" * 21, 20) == "a" * 17 + "..."
    assert brief(" \\~\n\x7f\u00e9") == r" \~\n\x7f\xe9"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("\n$", (2, 1)),
        ("\r$", (2, 1)),
        ("\r\n$", (2, 1)),
        ("a = 2\rb = 3\r $", (3, 2)),
        ("a\n\r\r\nb$", (4, 2)),
    ],
)
def test_every_kind_of_line_end_counts_once(text, place):
    assert position(text, text.index("$")) == place


def shown(text):
    """The line of the excerpt, and what stands over its caret to the end."""
    line, caret = refused(text).excerpt.split("\n")
    return line.strip(), line[len(caret) - 1 :]


def test_an_excerpt_is_the_line_of_the_mistake_alone():
    assert shown("a = 2; $\nb = 3\n" + "c = a" + " + a" * 20) == ("a = 2; $", "$")
    assert shown("c = 1" + " + 1" * 20 + "\nb = $") == ("b = $", "$")
    short = "1 + " * 12 + "$"
    assert shown(f"c = 1\nd = 2\n{short}") == (short, "$")


def test_a_line_of_the_full_width_is_shown_whole_and_a_longer_one_around_the_mistake():
    whole = "1 + " * 17 + "$ "
    assert len(whole) == 70
    assert shown(whole) == (whole.strip(), "$ ")
    assert shown(whole + " ")[0].startswith("...")
    end = "1 + " * 20 + "$"
    line, rest = shown(end)
    assert (line, rest) == ("..." + end[-36:], "$")
    assert shown("$" + "\u00e9" * 30) == ("$" + r"\xe9" * 8 + "...",) * 2  # 35 are half the width


def test_an_error_has_its_parts_as_arguments():
    error = refused("a = 2; $")
    assert error.args == (error.reason, error.hint, 1, 8, error.excerpt)


# ---- what it says -------------------------------------------------------------------------------


def test_a_long_operand_is_cut_in_the_advice():
    long, edge = "a" * 21, "a" * 20
    cut = "a" * 17 + "..."
    assert refused(f"{long} {long}", {long: 1.0}).hint == f"write {cut} * {cut}"
    assert refused(f"{edge} {edge}", {edge: 1.0}).hint == f"write {edge} * {edge}"
    assert refused(f"{long}(2)", {long: 1.0}).hint == f"write {cut} * (...)"
    assert refused(f"{edge}(2)", {edge: 1.0}).hint == f"write {edge} * (...)"


@pytest.mark.parametrize("letter", ["e", "E"])
def test_an_exponent_without_digits_is_two_things_that_may_be_meant(letter):
    number, edge = "1" * 21, "1" * 20
    cut = "1" * 17 + "..."
    assert (
        refused(edge + letter).hint
        == f"write {edge}e5 for a power of ten, or {edge} * {letter} for a product"
    )
    assert refused(number + letter).hint.startswith(f"write {cut}e5 ")


def test_a_number_is_shown_without_its_underscores_and_nothing_after_it():
    assert refused("1_000_000 + 2").hint == "write 1000000"


def test_limits_are_named():
    assert "101 characters long, and 100 is the most" in refused("a" * 101).reason
    assert "401 characters long, and 400 is the most" in refused("1" * 401).reason
    assert "8000001 characters, and 8000000 is the most" in refused(" " * 8_000_001).reason


def test_a_place_beyond_the_numbers_is_shown_cut():
    error = refused("softmax(" + "9" * 21 + ", 1, 2)")
    assert f"the numbers of softmax have the places 0 to 1, and {'9' * 17}... is not" in error.reason
    assert f"and {'9' * 20} is not" in refused("softmax(" + "9" * 20 + ", 1, 2)").reason


@pytest.mark.parametrize("sign", ["==", "!=", "<>", "!"])
def test_equality_is_not_in_the_language(sign):
    error = refused(f"2 {sign} 3")
    assert error.reason == f"{sign} is not in the language"
    assert error.hint.startswith("compare with < <= > or >=")


def test_a_ligature_is_the_letters_that_it_is_made_of():
    assert refused("2 + \ufb01").hint.startswith("write fi;")


# ---- names --------------------------------------------------------------------------------------


def test_a_name_may_have_a_hundred_characters():
    assert is_free("a" * 100)
    assert not is_free("a" * 101)


def test_nothing_is_close_to_a_name_from_nowhere():
    assert closest_function("qqqq") == ""
    assert closest_function("sqtr") == "sqrt"


def test_labels_that_are_no_names_are_numbered_stem_by_stem():
    labels = ("a b", "a-b", "c d", "c-d")
    graph = Graph([*[Node(INPUT, (), label, 1.0) for label in labels], Node("max", (0, 1, 2, 3))])
    assert write(graph).splitlines() == [
        *("a_b = 1.0", "a_b_2 = 1.0", "c_d = 1.0", "c_d_2 = 1.0"),
        "max(a_b, a_b_2, c_d, c_d_2)",
    ]


def test_a_statement_is_nested_as_deep_as_can_be_read_and_no_deeper():
    for deep, statements in ((LIMITS["nesting"], 1), (LIMITS["nesting"] + 1, 2)):
        graph = Graph([Node(CONSTANT, (), "", 2.0), *[Node("exp", (i,)) for i in range(deep)]])
        assert len(write(graph).splitlines()) == statements
        assert len(parse(write(graph))) == len(graph)


# ---- places -------------------------------------------------------------------------------------


def test_every_node_knows_the_statement_that_it_comes_from():
    text = "a = 2; b = a*x\n  b*b + 1 # the output"
    graph, places = parse_with_places(text, {"x": 3.0})
    said = {name: at and text[slice(*at)] for name, at in zip(graph.names, places, strict=True)}
    assert said == {
        "a": "a = 2",
        "x": None,
        "b": "b = a*x",
        "v1": "b*b + 1",
        "k1": "b*b + 1",
        "out": "b*b + 1",
    }
