"""The page of the player as a file: what it holds, what it forbids, how large it is; no browser needed."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from typing import Any

import pytest

from minigrad import Graph, Value, explain, parse, trace
from minigrad.explanation.explanation import CLASSIC
from minigrad.graph import CUSTOM, INPUT, Node
from minigrad.graph.trace import Trace
from minigrad.language import parse_with_places
from minigrad.player.document import TitledTrace, document
from minigrad.player.page import html, script, stylesheet
from minigrad.text.translation import LANGUAGES, speaking

CLASSIC_TRACE = trace(parse(*CLASSIC))


def told(traced: Trace, key: str = "right") -> TitledTrace:
    return TitledTrace(key, ("the pass", "la pasada"), traced)


def classic(**options: Any) -> dict[str, Any]:
    with speaking("en"):
        return document([told(CLASSIC_TRACE)], **options)


def data_of(page: str) -> dict[str, Any]:
    """The document inside a page, as the page's script reads it."""
    kind, text = re.search(
        r'<script type="application/json" id="minigrad-document"([^>]*)>([^<]*)</script>', page
    ).groups()
    return json.loads(gzip.decompress(base64.b64decode(text)) if "gzip" in kind else text)


# ---- the document -------------------------------------------------------------------------------


def test_the_document_holds_the_trace_unchanged_and_what_people_call_things():
    found = classic()
    assert found["schema"] == "minigrad.player/1"
    (one,) = found["traces"]
    assert one["trace"] == CLASSIC_TRACE.to_json()
    assert one["names"] == list(CLASSIC_TRACE.graph.names)
    names = one["names"]
    assert one["recipes"][names.index("L")] == "e * f"
    assert one["worked"][names.index("L")] == "10 * (-2)"
    assert one["recipes"][names.index("a")] == ""
    ab = names.index("ab")
    assert one["symbols"][f"{ab}.0"] == '<mi class="name">b</mi>'
    assert one["paths"][str(names.index("a"))]["total"] == 4
    assert set(one["drawings"]) == {"graph", "river", "waterfall", "thermometer"}
    assert set(one["ledgers"]) == {str(i) for i in range(len(names))}
    assert one["groups"] == {}


def test_the_source_is_the_graph_in_our_language_with_the_place_of_each_node():
    source = classic()["source"]
    assert source["text"].split("\n") == [
        "a = 2",
        "b = 3",
        "c = 4",
        "ab = a * b",
        "e = ab + c",
        "f = a - c",
        "L = e * f",
    ]
    places = {
        name: source["text"][start:end]
        for name, (start, end) in zip(CLASSIC_TRACE.graph.names, source["places"], strict=True)
    }
    assert places["a"] == "a = 2"
    assert places["ab"] == "ab = a * b"
    assert places["L"] == "L = e * f"


def test_nodes_of_one_statement_share_its_place_and_constants_have_none():
    graph = Graph.of((2.0 * Value(3.0, label="x") + 1.0).tanh())
    with speaking("en"):
        source = document([told(trace(graph))])["source"]
    assert source["text"] == "x = 3\ntanh(2 * x + 1)"
    places = [place and source["text"][slice(*place)] for place in source["places"]]
    assert places == [
        {"input": "x = 3", "constant": None}.get(node.op, "tanh(2 * x + 1)") for node in graph.nodes
    ]


def test_a_text_of_the_user_stays_as_it_was_written():
    text = "# mine\ny = a*a;  y + a  # twice"
    graph, places = parse_with_places(text, {"a": 3.0})
    found = document([told(trace(graph))], source=(text, places))["source"]
    assert found["text"] == text
    assert [place and text[slice(*place)] for place in found["places"]] == [None, "y = a*a", "y + a"]


def test_a_node_made_by_hand_cannot_be_written_so_there_is_no_source():
    graph = Graph([Node(INPUT, (), "x", 2.0), Node(CUSTOM, (0,), "y", 4.0, (3.0,))])
    found = document([told(trace(graph))])
    assert found["source"] == {"text": "", "places": [None, None]}
    assert found["traces"][0]["symbols"] == {}


def test_every_word_that_drawings_say_is_in_the_document_in_both_languages():
    found = classic()
    drawn = [*found["traces"][0]["drawings"].values(), *found["traces"][0]["ledgers"].values()]
    keys = {key for svg in drawn for key in re.findall(r'data-say="([^"]+)"', svg)}
    assert keys
    assert keys <= found["words"].keys()
    assert all(len(pair) == len(LANGUAGES) for pair in found["words"].values())


def test_a_large_graph_has_its_groups_and_few_ledgers():
    x = Value(0.5, label="x")
    y = x
    for i in range(300):
        y = y * x + 0.01
        y.label = f"h{i}"
    with speaking("en"):
        (one,) = document([told(trace(Graph.of(y)))])["traces"]
        (closed,) = document([told(trace(Graph.of(y)))], most=2)["traces"]
    assert one["groups"]
    assert all(row["svg"].startswith("<svg") for row in one["groups"].values())
    assert all(row["parent"] in {"", *one["groups"]} for row in one["groups"].values())
    assert list(one["ledgers"]) == ["0"]
    assert sum(bool(row["svg"]) for row in closed["groups"].values()) == 2
    assert closed["groups"].keys() == one["groups"].keys()


# ---- the page -----------------------------------------------------------------------------------


def test_a_page_of_two_passes_is_a_small_file():
    broken = trace(parse(*CLASSIC), accumulate=lambda before, amount: amount)
    both = document([told(CLASSIC_TRACE), told(broken, "overwrite")])
    assert len(html(both).encode()) < 300_000


def test_a_page_is_the_same_bytes_each_time():
    assert html(classic()) == html(classic())


def test_a_page_loads_nothing_and_has_no_handler():
    page = html(classic())
    assert re.findall(r"<script\b[^>]*>", page) == [
        '<script type="application/json" id="minigrad-document">',
        "<script>",
    ]
    assert not re.search(r"\b(?:src|href)=\"(?!data:)", page.replace(script(), ""))
    head = page.partition("<body")[0]
    assert not re.search(r"\son\w+=", head)
    assert "url(" not in stylesheet()
    assert "@import" not in stylesheet()
    addresses = set(re.findall(r"https?://[\w./]+", page))
    assert addresses == {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1998/Math/MathML",
    }  # names, not places


def test_the_policy_names_the_one_script_and_the_one_style_sheet():
    page = html(classic())
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page).group(1)
    body = {
        "script-src": re.search(r"<script>(.*)</script>", page, re.S).group(1),
        "style-src": re.search(r"<style>(.*?)</style>", page, re.S).group(1),
    }
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for kind, text in body.items():
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[kind] == f"'sha256-{digest}'"


@pytest.mark.parametrize(
    "label",
    ["</script><script>alert(1)</script>", "<!--", "]]>", "\u2028", "&lt;", "\ud800", "\x00", "'\"`${1}"],
)
def test_a_label_cannot_end_the_block_that_it_stands_in(label):
    graph = Graph.of(Value(2.0, label=label) * Value(3.0, label="b"))
    page = html(document([told(trace(graph))]))
    assert page.isascii() or all(ord(c) > 31 and c not in "\u2028\u2029" for c in page if not c.isascii())
    assert data_of(page)["traces"][0]["trace"]["nodes"][0]["label"] == label
    assert len(re.findall("<script", page)) == 2
    assert "<!--" not in page


def test_a_large_document_is_packed_and_comes_out_as_it_went_in():
    x = Value(0.5, label="x")
    y = x
    for _ in range(400):
        y = y * x + 0.01
    found = document([told(trace(Graph.of(y)))])
    page = html(found)
    assert "data-packed" in page
    assert len(page) < 0.6 * len(json.dumps(found))
    assert data_of(page) == json.loads(json.dumps(found))


def test_a_title_is_text():
    page = html(classic(title="<b>L</b>\x1b"))
    assert "<title>&lt;b&gt;L&lt;/b&gt;\\x1b</title>" in page


def test_pages_speak_both_languages():
    with speaking("es"):
        page = html(document([told(CLASSIC_TRACE)]))
    assert '<html lang="es">' in page
    assert "<title>Los gradientes de L</title>" in page
    assert data_of(page)["words"]["player.play"] == ["Play", "Reproducir"]


def test_what_is_looked_at_first_can_be_said():
    found = classic(view="river", node="b")
    assert found["view"] == "river"
    assert found["node"] == CLASSIC_TRACE.graph.index("b")
    with pytest.raises(KeyError, match="q"):
        classic(node="q")


def test_where_no_script_runs_the_graph_and_the_sums_are_there(visit):
    explanation = explain("ab = a*b; e = ab + c; f = a - c; L = e*f", a=2, b=3, c=4)
    page = visit(explanation.to_html(), java_script_enabled=False)
    assert page.locator("svg.graph [data-node]").count() == 7
    sums = [formula.get_attribute("alttext") for formula in page.locator("math").all()]
    assert [words.rpartition("= ")[2] for words in sums] == ["4", "-4", "-12"]
    assert "1 * 10 + 3 * (-2) = 10 - 6" in sums[0]


def chain(nodes: int) -> str:
    """Every node is used twice, so that the drawings are as full as they get."""
    return "; ".join(["v0 = x*y", "v1 = v0 + x", *(f"v{i} = v{i - 1}*v{i - 2}" for i in range(2, nodes - 2))])


@pytest.mark.parametrize("nodes", [5, 10, 19, 23, 27, 40, 60, 90, 150, 300])
def test_a_page_of_an_ordinary_graph_is_a_small_file(nodes):
    page = explain(chain(nodes), x=1.01, y=0.97).to_html()
    assert len(page.encode()) < 300_000


def test_a_power_keeps_its_exponent_where_it_is(visit):
    page = visit(explain("L = a**3 * b**c", a=2, b=1.5, c=2.5).to_html())
    page.locator(".gradients button.name", has_text="a").first.click()
    page.keyboard.press("End")
    assert page.locator("math msup").first.text_content() == "a3−1"
