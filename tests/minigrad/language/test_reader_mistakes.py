"""What each mistake in a text is told: its place, its reason, and what to write."""

from __future__ import annotations

import copy
import pickle
import re

import pytest

from language_texts import refused, short, within
from minigrad.graph import INPUT, Node
from minigrad.language import LIMITS, parse
from minigrad.text.translation import catalogue, speaking

pytestmark = pytest.mark.usefixtures("english")

LONG = LIMITS["name"] + 1

# what was written, line, column, words of the reason, words of the hint
MISTAKES: list[tuple[str, int, int, str, str]] = [
    ("a == b", 1, 3, "== is not in the language", "compare with < <= > or >="),
    ("a != b", 1, 3, "!= is not", ">="),
    ("!a", 1, 1, "! is not", ">="),
    ("a <> b", 1, 3, "<> is not", ">="),
    ("a => b", 1, 3, "=> is not", "write >="),
    ("a =< b", 1, 3, "=< is not", "write <="),
    ("a // b", 1, 3, "// is not", "write /"),
    ("a ^ 2", 1, 3, "^ is not", "write **"),
    ("a.exp()", 1, 2, ". is not", "exp(a) rather than a.exp()"),
    (".", 1, 1, ". is not", "inside a number"),
    ("'a'", 1, 1, "' is not", "straight quotes"),
    ('"a"', 1, 1, '" is not', "straight quotes"),
    ("\u201ca", 1, 1, "LEFT DOUBLE QUOTATION MARK", "straight quotes"),
    ("a | b", 1, 3, "| is not", "write abs(...)"),
    ("y = 1 if 2 else 3", 1, 7, "if is a word of Python", "write where("),
    ("pi", 1, 1, "pi has no value", "pi=3.141592653589793"),
    ("tahn(1)", 1, 1, "there is no function tahn", "write tanh(...)"),
    ("a \\ b", 1, 3, "\\ is not", "names, numbers"),
    ("a @ b", 1, 3, "@ is not", "names, numbers"),
    ("a % b", 1, 3, "% is not", "names, numbers"),
    ("a[0]", 1, 2, "[ is not", "write ("),
    ("{a}", 1, 1, "{ is not", "write ("),
    ("a\0", 1, 2, "\\x00 is not", "names, numbers"),
    ("a\x0b", 1, 2, "\\x0b is not", "names, numbers"),
    ("\ud800", 1, 1, "\\ud800 is not", "names, numbers"),
    ("a + \u0430", 1, 5, "\\u0430 (CYRILLIC SMALL LETTER A) is not", "write a;"),
    ("\u03b1 * 2", 1, 1, "\\u03b1 (GREEK SMALL LETTER ALPHA) is not", "write alpha;"),
    ("se\u00f1al = 2", 1, 3, "\\xf1 (LATIN SMALL LETTER N WITH TILDE) is not", "write n;"),
    ("\uff41", 1, 1, "\\uff41 (FULLWIDTH LATIN SMALL LETTER A) is not", "write a;"),
    ("a \uff0b b", 1, 3, "\\uff0b (FULLWIDTH PLUS SIGN) is not", "write +"),
    ("a \u2212 b", 1, 3, "\\u2212 (MINUS SIGN) is not", "write -"),
    ("a \u2013 b", 1, 3, "\\u2013 (EN DASH) is not", "write -"),
    ("a \u00f7 b", 1, 3, "\\xf7 (DIVISION SIGN) is not", "write /"),
    ("a\u00b2", 1, 2, "\\xb2 (SUPERSCRIPT TWO) is not", "write **2"),
    ("\u0663", 1, 1, "\\u0663 (ARABIC-INDIC DIGIT THREE) is not", "write 3"),
    ("a\u00a0+ b", 1, 2, "\\xa0 (NO-BREAK SPACE) is not", "write a plain space"),
    ("\u00bd", 1, 1, "\\xbd (VULGAR FRACTION ONE HALF) is not", "names, numbers"),
    ("\U0001f600", 1, 1, "\\U0001f600 (GRINNING FACE) is not", "names, numbers"),
    ("2a", 1, 2, "an operator is missing", "write 2 * a"),
    ("a b", 1, 3, "an operator is missing", "write a * b"),
    ("a 2", 1, 3, "an operator is missing", "write a * 2"),
    ("a .5", 1, 3, "an operator is missing", "write a * .5"),
    ("(a)(b)", 1, 4, "an operator is missing", "write (...) * (...)"),
    ("(a) b", 1, 5, "an operator is missing", "write (...) * b"),
    ("a exp(b)", 1, 3, "an operator is missing", "write a * exp(...)"),
    ("inf(2)", 1, 4, "an operator is missing", "write inf * (...)"),
    ("2 + b(3)", 1, 5, "there is no function b", "such as exp"),
    ("b + b(3)", 1, 6, "an operator is missing", "write b * (...)"),
    ("1_000.5", 1, 2, "a number is written without _", "write 1000.5"),
    ("1.2.3", 1, 4, "one point at most", "such as 1.25"),
    ("2e", 1, 2, "the exponent of this number has no digits", "write 2e5 for a power of ten"),
    ("a +", 1, 3, "a value is missing after +", "on the same line"),
    ("a +\nb", 1, 3, "a value is missing after +", "on the same line"),
    ("-", 1, 1, "a value is missing after -", "a number, a name"),
    ("(a *)", 1, 4, "a value is missing after *", "a number, a name"),
    ("max(a,)", 1, 6, "a value is missing after ,", "a number, a name"),
    ("softmax(0,)", 1, 10, "a value is missing after ,", "a number, a name"),
    ("y =", 1, 3, "a value is missing after =", "a number, a name"),
    ("a + * b", 1, 5, "a value is missing before *", "a number, a name"),
    ("* a", 1, 1, "a value is missing before *", "a number, a name"),
    ("\u00d7 a", 1, 1, "a value is missing before \\xd7", "a number, a name"),
    ("max(,a)", 1, 5, "a value is missing before ,", "a number, a name"),
    ("2 * ( )", 1, 5, "there is nothing in these parentheses", "leave them out"),
    ("((a)", 1, 1, "this parenthesis is never closed", "write the )"),
    ("exp(a * (b + c)", 1, 4, "this parenthesis is never closed", "write the )"),
    ("x = (1\ny = 2)", 1, 5, "this parenthesis is never closed", "write the )"),
    ("exp(", 1, 4, "this parenthesis is never closed", "write the )"),
    ("(a))", 1, 4, "this parenthesis closes nothing", "write the ("),
    (")", 1, 1, "this parenthesis closes nothing", "write the ("),
    ("(a, b)", 1, 3, "a comma stands only between the arguments", "write a point"),
    ("x = 2,5", 1, 6, "a comma stands only between the arguments", "as in 2.5"),
    ("a < b < c", 1, 7, "comparisons cannot be chained", "write (a < b) * (b < c)"),
    ("a + 1 >= b - 1 <= c", 1, 16, "comparisons cannot be chained", "parentheses"),
    ("2 = a", 1, 3, "only a single name can stand before =", "name = expression"),
    ("= a", 1, 1, "only a single name can stand before =", "name = expression"),
    ("a + b = c", 1, 7, "only a single name can stand before =", "name = expression"),
    ("x = 2 y = 3", 1, 9, "only a single name can stand before =", "a ; between statements"),
    ("exp(x = 2)", 1, 7, "only a single name can stand before =", "name = expression"),
    ("x = y = 2", 1, 7, "a statement has only one =", "y = ...; x = y"),
    ("a * b\n c = 2", 1, 1, "this value has no name", "write name = in front of it"),
    ("x = 2\n  x + 1 ; y = x", 2, 3, "this value has no name", "make it the last statement"),
    ("x = 2\ny = x\n x = y", 3, 2, "x has a value already, from line 1, column 1", "another name"),
    ("exp = 2", 1, 1, "exp is the name of a function", "write exp_ = ..."),
    ("sum = a + b", 1, 1, "sum is the name of a function", "write sum_ = ..."),
    ("softmax = 1", 1, 1, "softmax is the name of a function", "write softmax_ = ..."),
    ("nan = 2", 1, 1, "nan is a number", "write nan_ = ..."),
    ("a = 2; a * b", 1, 12, "b has no value", "write b=2 after the expression, or a statement b = 2 before"),
    ("y = x * 2\r\nx = 3", 1, 5, "x is used before its statement, which is on line 2, column 1", "before"),
    ("x = x + 1", 1, 5, "x is used in its own statement", "another name"),
    ("2 * exp + 1", 1, 5, "exp is a function and needs its arguments", "write exp(...)"),
    ("cross_entropy", 1, 1, "cross_entropy is a function", "write cross_entropy(...)"),
    ("ln(2)", 1, 1, "there is no function ln", "write log(...)"),
    ("asin(1)", 1, 1, "there is no function asin", "write arcsin(...)"),
    ("acos(1)", 1, 1, "there is no function acos", "write arccos(...)"),
    ("atan(1)", 1, 1, "there is no function atan", "write arctan(...)"),
    ("atan2(1, 2)", 1, 1, "there is no function atan2", "write arctan2(...)"),
    ("asinh(1)", 1, 1, "there is no function asinh", "write arcsinh(...)"),
    ("acosh(1)", 1, 1, "there is no function acosh", "write arccosh(...)"),
    ("atanh(1)", 1, 1, "there is no function atanh", "write arctanh(...)"),
    ("logistic(1)", 1, 1, "there is no function logistic", "write sigmoid(...)"),
    ("swish(1)", 1, 1, "there is no function swish", "write silu(...)"),
    ("power(1, 2)", 1, 1, "there is no function power", "write pow(...)"),
    ("sen(1)", 1, 1, "there is no function sen", "write sin(...)"),
    ("sigmiod(1)", 1, 1, "there is no function sigmiod", "write sigmoid(...)"),
    ("Exp(1)", 1, 1, "there is no function Exp", "write exp(...)"),
    ("mod(5, 3)", 1, 1, "there is no function mod", "such as exp, log"),
    ("1 + exp(1, 2)", 1, 5, "exp takes 1 argument, not 2", "write exp(a)"),
    ("exp()", 1, 1, "exp takes 1 argument, not 0", "write exp(a)"),
    ("pow(2)", 1, 1, "pow takes 2 arguments, not 1", "write pow(a, b)"),
    ("leaky_relu(1, 2, 3)", 1, 1, "leaky_relu takes 1 to 2 arguments, not 3", "write leaky_relu(a, b)"),
    ("sum()", 1, 1, "sum takes at least 1 argument, not 0", "write sum(a, b, c)"),
    ("softmax(1)", 1, 1, "softmax takes at least 2 arguments, not 1", "write softmax(0, a, b)"),
    ("dot(1, 2, 3)", 1, 1, "3 cannot be halved", "write dot(a, b, x, y)"),
    ("softmax( 1 + 0, 2, 3)", 1, 10, "it is a whole number", "write softmax(0, a, b)"),
    ("softmax((1), 2, 3)", 1, 9, "it is a whole number", "write softmax(0, a, b)"),
    ("softmax(-1, 2, 3)", 1, 9, "it is a whole number", "write softmax(0, a, b)"),
    ("softmax(1.0, 2, 3)", 1, 9, "it is a whole number", "write softmax(0, a, b)"),
    ("k = 1; cross_entropy(k, 2, 3)", 1, 22, "it is a whole number", "write cross_entropy(0, a, b)"),
    ("cross_entropy(2, 5, 5)", 1, 15, "places 0 to 1, and 2 is not", "from 0 to 1"),
    ("1 + " + "9" * 401, 1, 5, "401 characters long", "e300"),
    ("x = -" + "9" * 401, 1, 6, "401 characters long", "e300"),
    ("1 + " + "n" * LONG, 1, 5, "101 characters long", "a shorter name"),
    ("n" * LONG + " = 2", 1, 1, "101 characters long", "a shorter name"),
    ("n" * LONG + "(2)", 1, 1, "101 characters long", "a shorter name"),
    ("(" * 20_001, 1, 20_001, "nested more than 20000 deep", "in a statement of its own"),
    ("exp(" * 20_001, 1, 80_004, "nested more than 20000 deep", "in a statement of its own"),
    ("#" * 8_000_001, 1, 8_000_001, "8000001 characters", "Values in Python"),
]  # fmt: skip

# The same, for what no place in the text stands for, or with inputs: text, inputs, line, column, ...
OTHER_MISTAKES: list[tuple[str, dict[str, float], int, int, str, str]] = [
    ("", {}, 1, 1, "there is nothing to compute", "write an expression"),
    ("  # only a comment\n;;\n", {}, 1, 1, "there is nothing to compute", "write an expression"),
    ("a", {"a": 1.0, "q": 2.0}, 1, 1, "the input q is given, but the text never uses it", "leave it out"),
    ("exp(a)", {"a": 1.0, "exp": 2.0}, 1, 1, "an input cannot be called exp", "neither a function"),
    ("a", {"a": 1.0, "p\n": 2.0}, 1, 1, "an input cannot be called p\\n", "letters, digits"),
    ("2 * a; a = 3", {"a": 1.5}, 1, 8, "a is given twice: here, and as the input a=1.5", "leave out one"),
    ("a = b", {"a": 1.0, "b": 1.0}, 1, 1, "a is given twice", "another name"),
    ("a(b)", {"a": 1.0, "b": 1.0}, 1, 2, "an operator is missing", "write a * (...)"),
]  # fmt: skip

ALL_MISTAKES = list(OTHER_MISTAKES)
ALL_MISTAKES += [(text, {}, line, column, reason, hint) for text, line, column, reason, hint in MISTAKES]


@pytest.mark.parametrize(("text", "inputs", "line", "column", "reason", "hint"), ALL_MISTAKES, ids=short)
def test_a_mistake_is_told_its_place_its_reason_and_what_to_write(
    text: str, inputs: dict[str, float], line: int, column: int, reason: str, hint: str
) -> None:
    with within(1.0):
        error = refused(text, inputs)
    assert (error.line, error.column) == (line, column)
    assert reason in error.reason
    assert hint in error.hint
    if error.excerpt:
        head, shown, caret, advice = str(error).split("\n")
        assert head == f"line {line}, column {column}: {error.reason}"
        assert advice == error.hint
        assert len(shown) < 90
        assert caret.strip() == "^"
        under = shown[len(caret) - 1 :]
        at = re.split(r"\r\n|\r|\n", text)[line - 1][column - 1 :]
        plain = at[:1] if at[:1].isascii() and at[:1].isprintable() else ascii(at[:1])[1:-1]
        assert under.startswith(plain)
    else:
        assert str(error) == f"{error.reason}; {error.hint}"
    assert str(error).isascii()


@pytest.mark.parametrize(("text", "inputs", "line", "column", "reason", "hint"), ALL_MISTAKES, ids=short)
def test_a_mistake_is_told_in_spanish_too(
    text: str, inputs: dict[str, float], line: int, column: int, reason: str, hint: str
) -> None:
    english = refused(text, inputs)
    with speaking("es"):
        spanish = refused(text, inputs)
    assert (spanish.line, spanish.column) == (line, column)
    assert spanish.reason != english.reason
    assert spanish.hint != english.hint
    assert spanish.excerpt == english.excerpt
    if spanish.excerpt:
        assert str(spanish).startswith(f"línea {line}, columna {column}: ")


def test_every_sentence_about_the_language_is_said_by_some_mistake() -> None:
    said = [error for text, inputs, *_ in ALL_MISTAKES for error in [refused(text, inputs)]]
    spoken = {part for error in said for part in (error.reason, error.hint)}
    for key, (english, _) in catalogue().items():
        if key.startswith("grammar.") and key not in ("grammar.where", "grammar.type", "grammar.custom"):
            pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape(english))
            assert any(re.fullmatch(pattern, part) for part in spoken), key


def test_both_languages_of_a_sentence_have_the_same_blanks() -> None:
    for key, words in catalogue().items():
        if key.startswith("grammar."):
            english, spanish = (sorted(set(re.findall(r"\{\w+\}", text))) for text in words)
            assert english == spanish, key


def test_a_message_stays_in_the_language_in_which_it_was_raised() -> None:
    with speaking("es"):
        error = refused("a +")
    assert str(error) == (
        "línea 1, columna 3: falta un valor después de +\n"
        "    a +\n"
        "      ^\n"
        "escriba a continuación un número, un nombre o una expresión entre paréntesis, en la misma línea"
    )


def test_a_long_line_is_clipped_around_the_column_and_its_characters_are_escaped() -> None:
    text = "# \u00e1\n" + "a + " * 50 + "\t\u00d7 * b" + " + c" * 50
    error = refused(text)
    assert (error.line, error.column) == (2, 202)
    shown, caret = error.excerpt.split("\n")
    assert shown[len(caret) - 1 :].startswith("\\xd7 * b")
    assert shown == "    ... " + "a + " * 8 + "\\t\\xd7 * b" + " + c" * 6 + " + ..."


def test_slips_of_the_pen_come_before_names_without_a_value() -> None:
    assert refused("nothing + here +").column == 16
    assert refused("nothing.here").column == 8


def test_an_error_survives_copying_and_pickling() -> None:
    error = refused("a = 2\nb = a $ 3")
    for again in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert str(again) == str(error)
        assert (again.line, again.column, again.reason, again.hint) == (
            2,
            7,
            error.reason,
            error.hint,
        )
    assert isinstance(error, ValueError)


def test_only_a_text_is_read_and_only_numbers_are_inputs() -> None:
    with pytest.raises(TypeError, match="the language reads a text, and 2 \\(int\\) is not one"):
        parse(2)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a Value holds one real number"):
        parse("a", {"a": "2"})  # type: ignore[dict-item]
    assert parse("a", {"a": 2}).nodes == (Node(INPUT, (), "a", 2.0),)
