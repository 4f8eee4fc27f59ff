"""Both readers accept the same documents as the standard library, but for what could not be written again."""

from __future__ import annotations

import json

import pytest

from minigrad.errors import MinigradError
from minigrad.text.strict_json import (
    DEEPEST,
    LONGEST,
    DuplicateKeyError,
    JsonError,
    parse_json,
    parse_json_with_places,
)

GOOD = [
    "{}", "[]", "null", "true", " [1, -0, 2.5e3, -1E-2]\n", '"a\\u00e9\\n\\"\\/"', '"\\ud83d\\ude00"',
    '{"a": {"b": [1, {"c": null}]}, "d": [[], {}, ""]}', '[false,"x"]', "1e308", "123456789012345678901234",
]  # fmt: skip
BAD = [
    "", " ", "{", "[1,]", '{"a":1,}', "{'a': 1}", "[1 2]", '{"a" 1}', "01", "1.", ".5", "+1", "NaN", "{1:2}",
    "Infinity", "-Infinity", "[1e999]", "-1e400", '"\t"', '"\\x"', "nul", "[] []", '{"a":1,"a":1}',
    '[{"b":{"a":1,"a":2}}]',
]  # fmt: skip


@pytest.mark.parametrize("text", GOOD)
def test_documents_are_read_as_by_the_standard_library(text):
    assert parse_json(text) == json.loads(text)
    assert parse_json_with_places(text)[0] == json.loads(text)


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_strict_json_is_refused_by_both(text):
    with pytest.raises(ValueError):  # noqa: PT011 JSONDecodeError or ours
        parse_json(text)
    with pytest.raises(JsonError) as caught:
        parse_json_with_places(text)
    assert 0 <= caught.value.position <= len(text)
    assert caught.value.why


def test_a_key_that_stands_twice_has_an_error_of_its_own():
    with pytest.raises(DuplicateKeyError) as caught:
        parse_json('{"a": 1, "b": {"c": 1, "c": 2}}')
    assert isinstance(caught.value, MinigradError)


@pytest.mark.parametrize(
    ("text", "why", "position"),
    [
        ('{"a": 1, "a": 2}', "a", 9),
        ("[1, 1e999]", "1e999", 4),
        ('["\\ud800"]', "", 1),
        ("[1, }", "}", 4),
        ('["abc', "", 5),
        ('["a\x1b"]', "\\x1b", 3),
        ("[" * (DEEPEST + 1), str(DEEPEST), DEEPEST),
        ("9" * (LONGEST + 1), "", 0),
    ],
)
def test_the_reason_and_the_place_are_told(text, why, position, english):
    with pytest.raises(JsonError) as caught:
        parse_json_with_places(text)
    assert caught.value.position == position
    assert why in caught.value.why
    assert caught.value.why.isprintable()


def test_no_depth_overflows_the_reader_with_places():
    with pytest.raises(JsonError):
        parse_json_with_places("[" * 200_000)


def test_the_places_of_outer_entries_are_known():
    text = '{"a": {"b": [1]}, "c": 2}'
    document, places = parse_json_with_places(text)
    assert document == {"a": {"b": [1]}, "c": 2}
    assert places == {(): 0, ("a",): 6, ("a", "b"): 12, ("c",): 23}
