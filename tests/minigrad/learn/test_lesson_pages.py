"""A unit as something to look at: in a terminal of any width, as HTML, as Markdown, as a page that plays."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import html5lib
import pytest
from markdown_it import MarkdownIt

from browser import axe, until
from minigrad.graph.trace import trace
from minigrad.language import parse
from minigrad.learn.course import SLUGS, unit
from minigrad.learn.lesson import (
    Block,
    Code,
    Heading,
    Items,
    LabWork,
    LessonCheckpoint,
    LessonGuess,
    Paragraph,
    Picture,
    Stage,
    Table,
)
from minigrad.learn.lesson_html import html, inline, page
from minigrad.learn.lesson_markdown import block_markdown, markdown, words
from minigrad.learn.lesson_text import lines, wrap_text
from minigrad.learn.questions import lesson_question
from minigrad.text.page import Ink, Page
from minigrad.text.translation import LANGUAGES, say, speaking
from payloads import PAYLOADS

NUMBERS = range(1, len(SLUGS) + 1)
COLOUR = re.compile(r"\x1b\[\d+m")


# ---- in a terminal ------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [38, 60, 78])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_block_fits_the_page(lang, width):
    wide = []
    for number in NUMBERS:
        with speaking(lang):
            for block in unit(number, lang).blocks:
                if isinstance(block, (Code, LabWork)) or (isinstance(block, Picture) and width < 60):
                    continue  # code is as wide as it was written, a lab as its diff
                wide += [line for line in lines(block, Page(width=width)) if len(line) > width]
    assert wide == []


def test_a_line_that_is_too_wide_would_be_found():
    assert any(len(line) > 38 for line in lines(Paragraph("x" * 50), Page(width=38)))


@pytest.mark.parametrize("number", NUMBERS)
def test_colours_change_no_word_and_blocks_have_no_blank_lines_around_them(number):
    for block in unit(number, "en").blocks:
        plain, coloured = (lines(block, Page(ink=Ink(on))) for on in (False, True))
        bare = [COLOUR.sub("", line) for line in coloured]
        if isinstance(block, (Paragraph, Items)):
            assert " ".join(bare).split() == " ".join(plain).replace("`", "").split()
        assert plain[0].strip()
        assert plain[-1].strip()


def test_code_has_quotes_where_there_is_no_colour():
    assert wrap_text("Follow `a * b` now.", Page()) == ["Follow `a * b` now."]
    assert wrap_text("Follow `a * b` now.", Page(ink=Ink(True))) == ["Follow \x1b[36ma * b\x1b[0m now."]


def test_a_short_piece_of_code_stays_on_its_line():
    assert wrap_text("The rule of this node is `a * b + c` here.", Page(width=30)) == [
        "The rule of this node is",
        "`a * b + c` here.",
    ]


def test_a_line_is_not_broken_at_a_hyphen():
    """Of a number such as 10-6 nobody would know whether it goes on."""
    assert wrap_text("What is shared here is well-known.", Page(width=28)) == [
        "What is shared here is",
        "well-known.",
    ]


def test_a_checkpoint_in_a_terminal_is_its_questions_by_number_with_the_graph_of_each():
    graph = parse("a = 2; b = 3; c = 4; ab = a*b; e = ab + c; f = a - c; L = e*f")
    asked = [lesson_question("by-hand", kind, kind, graph, {}) for kind in ("gradient", "data")]
    with speaking("en"):
        shown = lines(LessonCheckpoint(tuple(asked)), Page())
    assert [line for line in shown if line.startswith("Question")] == ["Question 1", "Question 2"]
    assert shown[0] == "Question 1"
    assert shown.count("    L = e * f") == 2


def test_a_table_that_is_too_wide_is_stacked():
    table = Table(("node", "what it means"), (("`a`", "a long sentence about it"), ("`b`", "")))
    assert lines(table, Page(width=60))[0].split() == ["node", "what", "it", "means"]
    assert lines(table, Page(width=24)) == [
        "  `a`",
        "    what it means: a",
        "      long sentence",
        "      about it",
        "  `b`",
    ]


def test_a_stage_is_its_statements_and_a_ledger_of_one_node_its_paths():
    text = "a = 2; b = 3; c = 4\nab = a*b\ne = ab + c\nf = a - c\nL = e*f"
    staged = trace(parse(text))
    with speaking("en"):
        assert [line.strip() for line in lines(Stage(text, staged), Page())] == text.split("\n")
        assert lines(Picture("ledger", "a", staged, "The ledger."), Page()) == [
            "  a: 4 = 10 via f - 6 via ab",
            "      10 = 1 * 10         a > f > L",
            "      -6 = 3 * 1 * (-2)   a > ab > e > L",
            "  The ledger.",
        ]


def test_a_command_is_run_again_for_a_narrow_terminal():
    block = next(
        block
        for number in NUMBERS
        for block in unit(number, "en").blocks
        if isinstance(block, Code) and block.language == "console" and block.output.count("\n") > 5
    )
    widths = [max(map(len, lines(block, Page(width=width))[1:])) for width in (44, 78)]
    assert widths[0] < widths[1] <= 78


# ---- as HTML ------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_page_is_one_file_that_parses_and_loads_nothing(number, lang):
    text = page(unit(number, lang))
    html5lib.HTMLParser(strict=True).parse(text)
    assert f'<html lang="{lang}">' in text
    assert "default-src 'none'" in text
    loaded = [attributes for tag, attributes in elements(text) if tag not in ("a", "svg", "g", "use")]
    assert {attributes.get("src") or attributes.get("href") for attributes in loaded} <= {None, "data:,"}
    assert "{{" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))


def elements(markup: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Elements()
    parser.feed(markup)
    return parser.found


@pytest.mark.parametrize("payload", [text for text in PAYLOADS.values() if len(text) < 1000])
def test_whatever_a_text_says_it_is_text(payload):
    blocks: list[Block] = [
        Paragraph(payload), Heading(payload), Items((payload,)), Table((payload,), ((payload,),)),
        Code("text", payload, payload), Paragraph(f"[x]({payload})"), Paragraph(f"**{payload}**"),
    ]  # fmt: skip
    for block in blocks:
        for tag, attributes in elements(html(block)):
            assert tag in {"p", "h2", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "pre", "code",
                           "div", "strong", "em", "a"}  # fmt: skip
            assert not [name for name in attributes if name.startswith("on") or name == "style"]
            address = attributes.get("href") or ""
            assert not address.lower().startswith(("javascript:", "data:", "//", "vbscript:"))
        tokens = MarkdownIt("commonmark").parse(block_markdown(block))
        inside = [child for token in tokens for child in (token, *(token.children or ()))]
        if not isinstance(block, Code) and "](" not in getattr(block, "text", ""):
            assert [token.content for token in inside if token.type in ("html_block", "html_inline")] == []


def test_marks_are_elements_and_an_address_is_a_safe_one():
    assert inline("**a `b`** *c* [d](https://e.org/?x=1&y=2)") == (
        '<strong>a <code>b</code></strong> <em>c</em> <a href="https://e.org/?x=1&amp;y=2">d</a>'
    )
    assert inline("[d](javascript:alert)") == "d"
    assert inline("[d](//x.invalid)") == "d"
    assert inline("[d](../other.md#x)") == '<a href="../other.md#x">d</a>'


def test_a_checkpoint_is_forms_whose_answers_are_behind_a_summary():
    checkpoint = next(block for block in unit(4, "en").blocks if isinstance(block, LessonCheckpoint))
    with speaking("en"):
        found = elements(html(checkpoint))
        fields = [attributes for tag, attributes in found if tag == "input"]
    forms = [attributes for tag, attributes in found if tag == "form"]
    assert [form["data-question"] for form in forms] == [question.key for question in checkpoint.questions]
    assert {field["name"] for field in fields} == {"choice", "a", "b"}
    assert sum(tag == "details" for tag, _ in found) == len(forms)


# ---- as Markdown --------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_unit_as_markdown_has_its_headings_and_closes_its_fences(number, lang):
    found = unit(number, lang)
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown(found))
    headings = [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"]
    assert len(headings) == 1 + sum(isinstance(block, Heading) for block in found.blocks)
    assert sum(token.type == "table_open" for token in tokens) >= sum(
        isinstance(block, Table) for block in found.blocks
    )
    raw = [token.content for token in tokens if token.type == "html_block"]
    assert all(re.match(r"</?details>|<details><summary>[^<]*</summary>\s*$", line) for line in raw), raw


def test_a_page_may_have_markdown_of_its_own_for_a_block():
    found = unit(4, "en")
    text = markdown(found, own=lambda block: "MINE" if isinstance(block, Stage) else None)
    assert text.count("MINE") == sum(isinstance(block, Stage) for block in found.blocks)


def test_what_markdown_would_take_for_a_mark_is_escaped_and_a_product_is_not():
    assert words("2 * 3 and `a*b` <b> [x] _y_") == r"2 * 3 and `a*b` \<b> \[x] \_y\_"
    assert words("**a** *b* [c](d)") == "**a** *b* [c](d)"
    assert words("*`c` is -6, and `e` too* **a `b`**") == "*`c` is -6, and `e` too* **a `b`**"


# ---- in a browser -------------------------------------------------------------------------------


def test_a_page_plays_its_graph_and_names_the_mistake(visit):
    """With c = a*b, d = a + b at 2, -3, right is -2 and 3; overwriting gives 1 and 1 in one order."""
    shown = visit(page(unit("diamonds", "es")), width=360, dark=True)
    until(shown, "document.querySelector('.player-host').dataset.ready === 'true'")
    assert shown.evaluate("document.documentElement.scrollWidth") <= 360
    form = shown.locator("form[data-question='diamonds/what-is-right']")
    form.locator("button").click()
    with speaking("es"):
        assert say("course.empty") in form.locator(".judgement").inner_text()
    form.locator("input[name=a]").fill("1")
    form.locator("input[name=b]").fill("1")
    form.locator("input[name=b]").press("Enter")
    said = form.locator(".judgement")
    assert "+=" in said.inner_text()
    assert "wrong" in (said.get_attribute("class") or "")
    form.locator("input[name=a]").fill("-2,0")
    form.locator("input[name=b]").fill("6/2")
    form.locator("button").click()
    assert "right" in (said.get_attribute("class") or "")
    form.locator("input[name=a]").fill("-2.01")
    form.locator("button").click()
    with speaking("es"):
        assert say("course.unforeseen").split("`")[0].strip()[:20] in said.inner_text()
    assert axe(shown) == []


def test_a_page_calls_no_right_answer_wrong_because_it_cannot_run_it(visit):
    shown = visit(page(unit("local-rules", "en")))
    rule = shown.locator("form[data-question='local-rules/square']")
    said = rule.locator(".judgement")
    for text, verdict in (("2*a", "right"), ("a + a", ""), ("-(2 * a)", "wrong")):
        rule.locator("input").fill(text)
        rule.locator("button").click()
        assert (said.get_attribute("class") or "").split()[1:] == [verdict] * bool(verdict)
    numbers = shown.locator("form[data-question='local-rules/all-three']")
    for text, answer in (("four", "as a number"), ("\uff14", "Right.")):  # right is u = 4, v = -4, w = 3
        for name, value in (("u", text), ("v", "\u20134"), ("w", "3")):
            numbers.locator(f"input[name={name}]").fill(value)
        numbers.locator("button").click()
        assert answer in numbers.locator(".judgement").inner_text()


# ---- predict first ------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("number", NUMBERS)
def test_what_comes_of_a_lab_is_told_with_its_outcome_and_not_before(number, lang):
    found = unit(number, lang)
    at = next(i for i, block in enumerate(found.blocks) if isinstance(block, LabWork))
    following = found.blocks[at + 1 :]
    end = next(i for i, block in enumerate(following) if isinstance(block, (Heading, LessonCheckpoint)))
    said = [block.text for block in following[:end] if isinstance(block, Paragraph)]
    assert said or number < 3  # units 3 to 8 talk about it
    opened = html5lib.parse(page(found), namespaceHTMLElements=False)
    for details in opened.iter("details"):
        details.clear()
    left = " ".join("".join(opened.itertext()).split())
    closed = re.sub(r"<details>.*?</details>", "", markdown(found), flags=re.S)
    for text in said:
        assert " ".join(re.sub("<[^>]+>", "", inline(text)).split())[:25] not in left
        assert words(text)[:25] not in closed
        assert words(text) in markdown(found)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_answers_a_guess_is_behind_a_summary(lang):
    made = unit("diamonds", lang)
    text = page(made)
    guesses = [block for block in made.blocks if isinstance(block, LessonGuess)]
    shown = text.split('<details class="guess">')
    assert len(shown) == len(guesses) + 1 > 1
    for part in shown[1:]:
        assert "<p>" in part.partition("</details><!-- of a guess -->")[0]
    assert "a &gt; f &gt; L" not in shown[0].partition("</header>")[2]  # the paths are what is asked for
    assert "a &gt; f &gt; L" in shown[1]
