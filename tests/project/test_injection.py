"""Labels and texts stay text in every sink: real parsers find nothing in a result that a payload brought."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest

from injection_checks import html_faults, latex_faults, markdown_faults, markup_faults, terminal_faults
from minigrad import Value, explain, parse
from minigrad.cli import main
from minigrad.drawing import DRAWINGS
from minigrad.drawing.svg import element, esc
from minigrad.explanation import VIEWS, Explanation, Ink, Page
from minigrad.explanation.latex_document import tex
from minigrad.faults import diagnose, forensics, lab
from minigrad.faults.distinction import distinguish
from minigrad.faults.overview import overview
from minigrad.graph.notation import gradient_sum, latex, local_symbol, mathml, program, statement
from minigrad.language import LanguageError
from minigrad.text.translation import LANGUAGES, speaking
from minigrad.verify import court
from payloads import PAYLOADS

HARMLESS = "w"


def graph_with(label: str) -> Value:
    """The second graph of the facts, with one label on an input, on an op and on the output."""
    a, b, c = Value(2.0, label=label), Value(3.0, label="b"), Value(4.0, label="c")
    ab = a * b
    ab.label = label
    out = (ab + c) * (a - c)
    out.label = label
    return out


@cache
def explained(label: str) -> Explanation:
    return explain(graph_with(label))


# ---- the checkers catch -------------------------------------------------------------------------

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><g class="node"><text x="1">{}</text></g></svg>'


@pytest.mark.parametrize(
    ("planted", "fault"),
    [
        ("<a>x</a>", "<a>"),
        ("<text onclick='pwned=1'>x</text>", "an event: onclick"),
        ("<g class='javascript:pwned=\"1\"'/>", "class="),
        ("<style>x</style>", "1 of <style>"),
        ("<!-- x -->", "a comment"),
    ],
)
def test_the_checker_of_svg_catches(planted, fault):
    parser = ET.XMLParser(target=ET.TreeBuilder(insert_comments=True))
    tree = ET.fromstring(SVG.format(planted), parser)
    assert any(fault in each for each in markup_faults(tree, ET.fromstring(SVG.format("w"))))


PAGE = (
    '<!doctype html><meta content="script-src x"><p title="{0}">{0}</p>'
    '<script type="application/json">"{0}"</script>'
)


@pytest.mark.parametrize(
    "what",
    [
        "a script element",
        "an image that fails",
        "the end of a value in double quotes",
        "the end of the script around it",
        "an SVG that loads",
        "a redirection",
        "a comment inside a script",
        "a frame with a script",
    ],
)
def test_the_checker_of_html_catches_what_is_not_escaped(what):
    assert html_faults(PAGE.format(PAYLOADS[what]), PAGE.format("w"))
    assert html_faults(PAGE.format("w"), PAGE.format("w")) == []


@pytest.mark.parametrize(
    "what",
    [
        "a colour",
        "a bell",
        "text from right to left",
        "a null byte",
        "half a pair",
        "the eight-bit introducer",
        "letters of no width",
        "a tabulator",
    ],
)
def test_the_checker_of_terminals_catches(what):
    assert terminal_faults(f"a {PAYLOADS[what]} b")
    assert terminal_faults("a \x1b[31mred\x1b[0m b\n", coloured=True) == []
    assert terminal_faults("a \x1b[31mred\x1b[0m \x1b[2J b\n", coloured=True)


@pytest.mark.parametrize(
    "what",
    [
        "a link",
        "an image",
        "a script element",
        "a heading",
        "an address in angles",
        "a table",
        "a block of HTML",
        "emphasis",
        "a quotation",
    ],
)
def test_the_checker_of_markdown_catches(what):
    assert markdown_faults(PAYLOADS[what], "w")
    assert markdown_faults("```text\nw\n```", "```text\nv\n```") == []


@pytest.mark.parametrize(
    "what",
    [
        "a file that is read",
        "a command of the system",
        "a backslash by its code",
        "a comment of LaTeX",
        "a definition",
        "a column and a row",
    ],
)
def test_the_checker_of_latex_catches(what):
    assert latex_faults(rf"\textit{{x}} {PAYLOADS[what]}", r"\textit{x}")
    assert latex_faults(r"\textit{x}", r"\textit{y}") == []


# ---- texts --------------------------------------------------------------------------------------


def texts_of(label: str) -> Iterator[tuple[str, str]]:
    """Everything that is printed about a graph with that label."""
    explanation = explained(label)
    graph = explanation.trace.graph
    yield "explanation", explanation.text((*VIEWS, "waterfall"))
    yield "in colour", explanation.text(page=Page(width=60, ink=Ink(True)))
    yield "graph", repr(graph)
    yield "explanation, in one line", repr(explanation)
    yield "value", repr(graph_with(label))
    yield (
        "symbols",
        "\n".join(
            local_symbol(graph, i, slot)
            for i, node in enumerate(graph.nodes)
            for slot in range(len(node.args))
        ),
    )
    for sink, result in found_about(label).items():
        yield sink, result.text()
    claimed = court(graph, claimed={graph.names[0]: 5.0}, ask="paper,central")
    yield "court, about a claim", claimed.text()
    yield "overview", overview(graph).text()


@pytest.fixture(scope="module", autouse=True)
def _told_apart_once():
    """The graph that tells faults apart is none of ours, and the same one whatever our labels are."""
    once = cache(distinguish)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forensics, "distinguish", lambda suspects: once(tuple(suspects)))
        yield


@cache
def found_about(label: str) -> dict[str, Any]:
    """What is found about a graph with that label, whatever it is then written as."""
    trace = explained(label).trace
    got = dict(zip(trace.gradients, (-6.0, -4.0, -2.0), strict=True))
    return {
        "court": court(trace.graph, ask="quick"),
        "lab": lab(trace.graph, "overwrite"),
        "forensics": diagnose(trace.graph, got),
    }


def markdowns_of(label: str) -> Iterator[tuple[str, str]]:
    yield "explanation", explained(label).markdown()
    for sink, result in found_about(label).items():
        yield sink, result.markdown()


def documents_of(label: str) -> Iterator[tuple[str, object]]:
    yield "graph", explained(label).trace.graph.to_json()
    yield "trace", explained(label).trace.to_json()
    yield "explanation", explained(label).to_json()
    for sink, result in found_about(label).items():
        yield sink, result.to_json()


# For what is slow, and runs through the same code as something that takes all of them.
TELLING = [what for what, payload in PAYLOADS.items() if len(payload) < 1000][::8]
CHUNKS = [dict(list(PAYLOADS.items())[at::8]) for at in range(8)]  # so that several processes share the work
chunked = pytest.mark.parametrize("payloads", CHUNKS, ids=range(8))


def test_there_are_enough_payloads():
    assert len(PAYLOADS) >= 130
    assert len(set(PAYLOADS.values())) == len(PAYLOADS)


def every(payloads: dict[str, str], faults: Callable[[str], Iterator[tuple[str, object]]]) -> list[str]:
    """What is wrong anywhere: in which sink, by which payload."""
    return [
        f"{sink}: {what}: {fault}" for what, payload in payloads.items() for sink, fault in faults(payload)
    ]


@chunked
def test_nothing_printed_moves_a_terminal(payloads):
    def faults(payload):
        for sink, text in texts_of(payload):
            if bad := terminal_faults(text, coloured=sink == "in colour"):
                yield sink, bad

    assert every(payloads, faults) == []


@chunked
def test_markdown_holds_nothing_but_text(payloads):
    harmless = dict(markdowns_of(HARMLESS))

    def faults(payload):
        for sink, text in markdowns_of(payload):
            if bad := markdown_faults(text, harmless[sink]) + terminal_faults(text):
                yield sink, bad

    assert every(payloads, faults) == []


@chunked
def test_json_gives_the_label_back(payloads):
    def faults(payload):
        for sink, document in documents_of(payload):
            text = json.dumps(document)
            if json.loads(text) != document:
                yield sink, "it does not come back"
            if not text.isascii() or json.dumps(payload)[1:-1] not in text:
                yield sink, "the label is not in it"

    assert every(payloads, faults) == []


# ---- drawings and formulas ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "payloads"),
    # Every view has half of the payloads of every kind, and every payload half of the views.
    [
        pytest.param(view, CHUNKS[at], id=f"{view}-{at}")
        for i, view in enumerate(DRAWINGS)
        for at in range(i % 2, len(CHUNKS), 2)
    ],
)
def test_drawings_hold_nothing_but_text(view, payloads):
    plain = explained(HARMLESS).to_svg(view)
    harmless = ET.fromstring(plain)

    def faults(payload):
        svg = explained(payload).to_svg(view)
        parser = ET.XMLParser(target=ET.TreeBuilder(insert_comments=True, insert_pis=True))
        if bad := markup_faults(ET.fromstring(svg, parser), harmless):
            yield view, bad
        if bad := html_faults(f"<!doctype html>{svg}", f"<!doctype html>{plain}"):
            yield f"{view} in a page", bad
        if bad := terminal_faults(svg):
            yield view, bad

    assert every(payloads, faults) == []


@chunked
def test_elements_are_written_with_any_text(payloads):
    harmless = ET.fromstring(element("g", esc("w"), data_node="w"))

    def faults(payload):
        tree = ET.fromstring(element("g", esc(payload), data_node=payload))
        if bad := markup_faults(tree, harmless):
            yield "element", bad

    assert every(payloads, faults) == []


def formulas_of(label: str) -> Iterator[tuple[str, str]]:
    trace = explained(label).trace
    for i in range(len(trace.graph)):
        yield "statement", statement(trace.graph, i, mathml)
        yield "sum", gradient_sum(trace, i, mathml)
    yield from (("program", formula) for formula in program(trace.graph, mathml))
    yield "name", mathml.formula(mathml.name(label), label)


@chunked
def test_mathml_holds_nothing_but_text(payloads):
    pieces = "".join(formula for label in (HARMLESS, "w1") for _, formula in formulas_of(label))
    harmless = f"<div>{pieces}</div>"
    tree = ET.fromstring(harmless)

    def faults(payload):
        page = f"<div>{''.join(formula for _, formula in formulas_of(payload))}</div>"
        if bad := markup_faults(ET.fromstring(page), tree):
            yield "MathML", bad
        if bad := html_faults(page, harmless):
            yield "MathML in a page", [fault for fault in bad if "of <" not in fault]

    assert every(payloads, faults) == []


@chunked
def test_latex_holds_nothing_but_text(payloads):
    harmless = "".join(tex(explained(label)) for label in (HARMLESS, "w1", "θ"))

    def faults(payload):
        trace = explained(payload).trace
        formulas = [gradient_sum(trace, 0, latex), *program(trace.graph, latex)]
        if bad := latex_faults("".join(formulas), harmless):
            yield "formulas", bad
        if bad := latex_faults(latex.name(payload) + latex.words_of(payload)):
            yield "name", bad

    assert every(payloads, faults) == []


def test_documents_in_latex_hold_nothing_but_text():
    harmless = "".join(tex(explained(label)) for label in (HARMLESS, "w1", "θ"))
    for what in TELLING:
        assert latex_faults(tex(explained(PAYLOADS[what])), harmless) == [], what


# ---- pages --------------------------------------------------------------------------------------


@cache
def harmless_page(length: int) -> str:
    return explained("w" * length).to_html()


def page_like(page: str) -> str:
    """With a harmless label, packed where that one is: a page packs a long document."""
    return harmless_page(5000 if 'data-packed="gzip"' in page else 1)


@pytest.mark.parametrize("payloads", CHUNKS[::2], ids=range(4))  # its drawings are looked at above
def test_pages_hold_nothing_but_text(payloads):
    def faults(payload):
        page = explained(payload).to_html()
        if bad := html_faults(page, page_like(page)):
            yield "page", bad

    assert every(payloads, faults) == []


def test_a_page_of_two_passes_holds_nothing_but_text():
    harmless = lab(graph_with(HARMLESS), "overwrite").to_html()
    for what in TELLING:
        assert html_faults(lab(graph_with(PAYLOADS[what]), "overwrite").to_html(), harmless) == [], what


class Tags(HTMLParser):
    """The tags of a text, in order; for a frame that holds a page as one long attribute."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.found.append((data, {}))


def test_a_notebook_gets_one_frame_with_that_page():
    usual = explained(HARMLESS)._repr_mimebundle_()["text/html"]
    [(_, known), _] = Tags(usual).found
    for what in TELLING:
        payload = PAYLOADS[what]
        bundle = explained(payload)._repr_mimebundle_()
        [(tag, attributes), (left, _)] = Tags(bundle["text/html"]).found
        assert left == bundle["text/plain"], what  # for where frames are taken out
        assert (tag, attributes.keys()) == ("iframe", known.keys()), what
        assert attributes["sandbox"] == "allow-scripts", what
        assert attributes["srcdoc"] == explained(payload).to_html(), what
        assert terminal_faults(bundle["text/plain"]) == [], what


def test_a_frame_that_is_closed_early_is_noticed():
    [(tag, _), *others] = Tags(
        f'<iframe srcdoc="{PAYLOADS["the end of a value and of its element"]}"></iframe>'
    ).found
    assert tag == "iframe"
    assert others


# ---- texts that are given -----------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_text_that_is_no_program_is_refused_in_plain_words(lang):
    for what, payload in PAYLOADS.items():
        with speaking(lang):
            assert terminal_faults(refusal(payload)) == [], what


def refusal(text: str) -> str:
    try:
        return repr(parse(text))
    except LanguageError as error:
        return str(error)


@pytest.mark.parametrize(
    "words",
    [
        ["explain", "{}"],
        ["explain", "a*b", "a=2", "{}=3"],
        ["explain", "a*b", "a=2", "b={}"],
        ["{}"],
        ["explain", "a", "a=1", "--view", "{}"],
        ["explain", "a", "a=1", "--out", "x.{}"],
        ["break", "{}"],
        ["check", "a", "a=1", "--ask", "{}"],
        ["diagnose", "a", "a=1", "--got", "{}=1"],
    ],
    ids=" ".join,
)
def test_the_command_line_says_nothing_that_moves_a_terminal(words, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for what, payload in PAYLOADS.items():
        if payload.startswith("-") or len(payload) > 1000:
            continue
        with suppress(SystemExit):
            main([word.replace("{}", payload) for word in words])
        out, err = capsys.readouterr()
        assert terminal_faults(out + err) == [], what
