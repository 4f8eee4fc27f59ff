"""Pages of text and Markdown: what somebody else wrote has no effect in them."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from minigrad.text.page import markdown_of, plain_heading

PAYLOADS = [
    "[link](http://example.org)",
    "![image](x.png)",
    "<img src=x>",
    "<http://example.org>",
    "*strong*",
    "_emphasis_",
    "`code`",
    "&amp;",
    "\\[",
    "[x]: y",
]


def inner(text: str, heading: int) -> list[tuple[str, str]]:
    """What Markdown makes of a heading: kinds of pieces with their text."""
    tokens = [token for token in MarkdownIt().parse(text) if token.type == "inline"]
    return [(piece.type, piece.content) for piece in tokens[heading].children or ()]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_a_heading_holds_is_text(payload):
    made = markdown_of(plain_heading(f"About {payload}.py"), [(f"Of {payload}", ["a line"])])
    for heading, words in ((0, f"About {payload}.py"), (1, f"Of {payload}")):
        pieces = inner(made, heading)
        assert {kind for kind, _ in pieces} <= {"text", "text_special"}
        assert "".join(text for _, text in pieces) == words


@pytest.mark.parametrize("payload", PAYLOADS[:6])
def test_the_check_sees_a_heading_that_was_not_escaped(payload):
    assert {kind for kind, _ in inner(f"# About {payload}.py", 0)} - {"text", "text_special"}


def test_a_plain_heading_is_left_as_it_is():
    assert plain_heading("my_engine.py:Value (5 of 7)") == "my_engine.py:Value (5 of 7)"


def test_a_fence_is_longer_than_any_inside_it():
    assert markdown_of("x", [("y", ["```", "````"])]) == "# x\n\n## y\n\n`````text\n```\n````\n`````\n"
