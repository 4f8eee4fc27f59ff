"""Formulas in MathML and LaTeX, documents in LaTeX, pictures as PNG: what they say, and that they parse."""

from __future__ import annotations

import re
import struct
import sys
import xml.etree.ElementTree as ET
from math import inf

import pytest
from pylatexenc.latexwalker import (
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexMathNode,
    LatexWalker,
)

from minigrad import Value, explain, parse
from minigrad.drawing.png import MissingLibraryError, png
from minigrad.explanation.latex_document import tex
from minigrad.graph import Graph
from minigrad.graph.notation import (
    gradient_sum,
    latex,
    local_symbol,
    mathml,
    paper,
    plain,
    program,
    statement,
    substituted,
)
from minigrad.graph.notation.formula import FORMS, FormulaPiece, formed
from minigrad.graph.notation.sums import _same, local
from minigrad.graph.trace import trace
from minigrad.ops import OPS
from minigrad.text.translation import LANGUAGES, speaking
from sentences import sentence

CLASSIC = ("ab = a*b; e = ab + c; f = a - c; L = e*f", {"a": 2.0, "b": 3.0, "c": 4.0})
CORE = {
    "math",
    "mrow",
    "mi",
    "mn",
    "mo",
    "mtext",
    "mfrac",
    "msup",
    "msub",
    "msqrt",
    "mroot",
    "mtable",
    "mtr",
    "mtd",
}
CHILDREN = {
    "mfrac": 2,
    "msup": 2,
    "msub": 2,
    "mroot": 2,
}  # elements of MathML that have a fixed number of them
SPACE = "{http://www.w3.org/1998/Math/MathML}"


@pytest.fixture
def classic():
    return trace(parse(*CLASSIC))


# ---- checkers -----------------------------------------------------------------------------------


def faults_of_mathml(markup: str) -> list[str]:
    """What a browser would not draw: an element that MathML Core lacks, or one with the wrong children."""
    found = []
    for node in ET.fromstring(markup).iter():
        tag = node.tag.removeprefix(SPACE)
        if tag not in CORE:
            found.append(f"<{tag}> is not in MathML Core")
        if tag in CHILDREN and len(node) != CHILDREN[tag]:
            found.append(f"<{tag}> has {len(node)} children")
        if tag in ("mi", "mn", "mo") and (len(node) or not (node.text or "").strip()):
            found.append(f"<{tag}> holds no text")
        if len(node) and (node.text or "").strip():
            found.append(f"text inside <{tag}>")
    return found


def faults_of_latex(text: str) -> list[str]:
    """Groups and environments that do not close, as a parser of LaTeX sees them."""
    try:
        LatexWalker(text, tolerant_parsing=False).get_latex_nodes()
    except Exception as error:
        return [str(error)]
    return []


def read(markup: str) -> str:
    """The characters of a formula, as a browser would show them from left to right."""
    return "".join(ET.fromstring(markup).itertext())


@pytest.mark.parametrize(
    ("markup", "fault"),
    [
        ("<math><mstyle/></math>", "<mstyle> is not in MathML Core"),
        ("<math><mfrac><mn>1</mn></mfrac></math>", "<mfrac> has 1 children"),
        ("<math><mi/></math>", "<mi> holds no text"),
        ("<math>loose<mi>x</mi></math>", "text inside <math>"),
    ],
)
def test_the_checker_of_mathml_catches(markup, fault):
    assert fault in faults_of_mathml(markup)


@pytest.mark.parametrize("text", [r"\(\frac{1}{2\)", r"\begin{aligned} x", "{x", r"\(x"])
def test_the_checker_of_latex_catches(text):
    assert faults_of_latex(text)


# ---- the classic example ------------------------------------------------------------------------


def test_a_statement_in_three_notations(classic):
    e = classic.graph.index("e")
    assert statement(classic.graph, e, plain) == "e = ab + c"
    assert statement(classic.graph, e, latex) == r"\(e = \mathit{ab} + c\)"
    markup = statement(classic.graph, e, mathml)
    assert read(markup) == "e=ab+c"
    assert 'alttext="e = ab + c"' in markup
    assert faults_of_mathml(markup) == []


def test_the_gradient_of_a_is_ten_minus_six(classic):
    a = classic.graph.index("a")
    assert gradient_sum(classic, a, plain) == (
        "dL/da = ∂f/∂a * dL/df + ∂ab/∂a * dL/dab = 1 * dL/df + b * dL/dab = 1 * 10 + 3 * (-2) = 10 - 6 = 4"
    )
    assert read(gradient_sum(classic, a, mathml)).endswith("=1·10+3·(−2)=10−6=4")
    last = gradient_sum(classic, a, latex).splitlines()[-2]
    assert last == r" & = \textcolor{grad}{10} - \textcolor{grad}{6} = \textcolor{grad}{4}"


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("a", "= 10 - 6 = 4"),
        ("b", "= 2 * (-2) = -4"),
        ("c", "= -10 - 2 = -12"),
        ("ab", "= 1 * (-2) = -2"),
        ("e", "= (-2) * 1 = -2"),
        ("f", "= 10 * 1 = 10"),
        ("L", "dL/dL = 1"),
    ],
)
def test_every_sum_of_the_classic_graph(classic, name, ending):
    assert gradient_sum(classic, classic.graph.index(name), plain).endswith(ending)


def test_numbers_carry_what_they_are(classic):
    root = ET.fromstring(gradient_sum(classic, classic.graph.index("a"), mathml))
    kinds = {node.get("class") for node in root.iter(f"{SPACE}mn")}
    assert {"grad", "local"} <= kinds
    assert 'class="data"' in statement(classic.graph, 0, mathml)


def test_a_broken_pass_does_not_add_up():
    overwritten = trace(parse(*CLASSIC), accumulate=lambda before, amount: amount)
    a = overwritten.graph.index("a")
    assert gradient_sum(overwritten, a, plain).endswith("= 10 - 6 != -6")
    assert r"\neq" in gradient_sum(overwritten, a, latex)
    assert "≠" in gradient_sum(overwritten, a, mathml)


def test_infinity_is_not_nearly_a_number():
    assert [_same(inf, x) for x in (inf, 1e300, -inf)] == [True, False, False]
    assert _same(1.0, 2.0, size=inf) is False


def test_what_cancels_but_for_rounding_adds_up():
    cancelling = trace(parse("L = 1e16*a + a - 1e16*a", {"a": 1.0}))
    assert "!=" not in gradient_sum(cancelling, 0, plain)


def test_both_slots_of_a_square_are_terms():
    squared = trace(parse("L = a*a", {"a": 3.0}))
    assert gradient_sum(squared, 0, plain).endswith("= a * dL/dL + a * dL/dL = 3 * 1 + 3 * 1 = 3 + 3 = 6")


def test_what_gets_no_message_is_zero():
    unused = trace(parse("b = 5; a = 1; L = a*2"))
    assert gradient_sum(unused, unused.graph.index("b"), plain) == "dL/db = 0"


def test_numbers_in_place_of_names(classic):
    out = classic.graph.index("L")
    assert substituted(classic, out, plain) == "10 * (-2)"
    assert substituted(classic, out, latex).count(r"\textcolor{data}") == 2


# ---- forms --------------------------------------------------------------------------------------


def written(text: str, **inputs: float) -> str:
    graph = parse(text, inputs)
    return program(graph, plain)[-1].removeprefix("out = ")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(a + b) * c", "(a + b) * c"),
        ("a + (b + c)", "a + (b + c)"),
        ("a - (b - c)", "a - (b - c)"),
        ("a - b - c", "a - b - c"),
        ("a * (b * c)", "a * (b * c)"),
        ("-a * b", "(-a) * b"),
        ("-(a * b)", "-a * b"),
        ("a + -b", "a + (-b)"),
        ("-a + b", "-a + b"),
        ("a * -3", "a * (-3)"),
        ("(-a)**2", "(-a)**2"),
        ("-a**2", "-a**2"),
        ("(a**b)**c", "(a**b)**c"),
        ("a**(b + c)", "a**(b + c)"),
        ("(a / b)**2", "(a / b)**2"),
        ("(a + b) / (a - b)", "(a + b) / (a - b)"),
        ("sqrt(a) * cbrt(b)", "sqrt(a) * cbrt(b)"),
        ("abs(a - b)", "|a - b|"),
        ("where(a > b, a, b)", "{a if a > b; b otherwise}"),
        ("where(a, b, c)", "{b if a != 0; c otherwise}"),
        ("(a > b) * c", "[a > b] * c"),
        ("a > b", "[a > b]"),
        ("maximum(a, b) + c", "max(a, b) + c"),
        ("mean(a, b, c)", "(a + b + c) / 3"),
        ("dot(a, b, c, a)", "a * c + b * a"),
        ("prod(a, b, c)", "a * b * c"),
        ("hypot(a, b)", "sqrt(a**2 + b**2)"),
        ("log2(a) + log1p(b)", "log2(a) + log(1 + b)"),
        ("exp(a) + expm1(b)", "exp(a) + (exp(b) - 1)"),
        ("reciprocal(a) + square(b)", "1 / a + b**2"),
        ("tanh(a)**2", "(tanh(a))**2"),
    ],
)
def test_parentheses_stand_where_they_must(text, shown):
    assert written(text, **{name: 2.0 for name in "abc" if re.search(rf"\b{name}\b", text)}) == shown


@pytest.mark.parametrize("name", OPS)
def test_every_op_is_written_in_every_notation(name):
    xs = OPS[name].samples[0]
    letters = [f"p{place + 1}" for place in range(len(xs))]
    graph = parse(f"y = {name}({', '.join(letters)})", dict(zip(letters, xs, strict=True)))
    traced = trace(graph)
    y = graph.index("y")
    for lang in LANGUAGES:
        with speaking(lang):
            for formula in (
                statement(graph, y, mathml),
                substituted(traced, y, mathml),
                *(gradient_sum(traced, i, mathml) for i in range(len(graph))),
                *(mathml.formula(local(graph, y, slot, mathml).markup, "") for slot in range(len(xs))),
            ):
                assert faults_of_mathml(formula) == []
            for formula in (
                statement(graph, y, latex),
                *(gradient_sum(traced, i, latex) for i in range(len(graph))),
            ):
                assert faults_of_latex(formula) == []


def test_every_form_is_of_an_op():
    assert FORMS.keys() <= OPS.keys()
    assert formed(plain, "no_such_op", [FormulaPiece("a")], 1).markup == "no_such_op(a)"


def test_a_node_made_by_hand_keeps_its_partial():
    a = Value(2.0, label="a")
    made = Value(6.0, (a,), (3.0,), label="made")
    traced = trace(Graph.of(made))
    assert gradient_sum(traced, 0, plain) == "dmade/da = ∂made/∂a * dmade/dmade = 3 * 1 = 3"


@pytest.mark.parametrize(
    ("text", "slot", "symbol"),
    [
        ("y = a*b", 0, "b"),
        ("y = a/b", 1, "-a / b**2"),
        ("y = sin(a)", 0, "cos(a)"),
        ("y = prod(a, b, c)", 1, "a * c"),
    ],
)
def test_local_derivatives_in_symbols(text, slot, symbol):
    graph = parse(text, {name: 2.0 for name in "abc" if re.search(rf"\b{name}\b", text)})
    assert local_symbol(graph, graph.index("y"), slot) == symbol


def test_nodes_without_a_name_stand_where_they_are_used():
    graph = parse("(a*b + c) * (a - c)", {"a": 2.0, "b": 3.0, "c": 4.0})
    assert program(graph, plain) == ["a = 2", "b = 3", "c = 4", "out = (a * b + c) * (a - c)"]


def test_deep_and_wide_graphs_are_cut():
    x = Value(1.0, label="x")
    deep = x
    for _ in range(30_000):
        deep = deep + 1.0
    graph = Graph.of(deep)
    last = program(graph, plain)[-1]
    assert "..." in last
    assert len(last) < 300
    wide = parse(f"y = sum({', '.join(['x'] * 5000)})", {"x": 1.0})
    traced = trace(wide)
    for formula in (statement(wide, wide.index("y"), plain), gradient_sum(traced, 0, plain)):
        assert "..." in formula
        assert len(formula) < 400
    assert gradient_sum(traced, 0, plain).endswith("= 5000")


# ---- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "in_latex", "in_mathml"),
    [
        ("x", "x", '<mi class="name">x</mi>'),
        ("ab", r"\mathit{ab}", '<mi class="name long">ab</mi>'),
        ("x1", "x_{1}", '<msub><mi class="name">x</mi><mn>1</mn></msub>'),
        ("α", r"{\alpha}", '<mi class="name">α</mi>'),
        ("θ2", r"{\theta}_{2}", '<msub><mi class="name">θ</mi><mn>2</mn></msub>'),
        ("w[0]", r"\textit{w{[}0{]}}", '<mi class="name long">w[0]</mi>'),
        ("año", r"\textit{año}", '<mi class="name long">año</mi>'),
        ("☃", r"\textit{\texttt{U+2603}}", '<mi class="name">☃</mi>'),
        (r"\input{x}", r"\textit{\textbackslash{}input\{x\}}", r'<mi class="name long">\input{x}</mi>'),
        ("<b>", r"\textit{\textless{}b\textgreater{}}", '<mi class="name long">&lt;b&gt;</mi>'),
        ("a--b", r"\textit{a-{}-b}", '<mi class="name long">a--b</mi>'),
        ("\x1b", r"\textit{\textbackslash{}x1b}", r'<mi class="name">\x1b</mi>'),
    ],
)
def test_names_are_text(name, in_latex, in_mathml):
    assert latex.name(name) == in_latex
    assert mathml.name(name) == in_mathml


def test_every_character_stays_text_in_latex():
    ours = re.compile(r"\\(text\w+\{\}|ensuremath\{\\\w+\}|texttt\{U\+[0-9A-F]+\}|[{}$&#%_])")
    for code in [*range(0x250), *range(0x2000, 0x2100), 0xD800, 0xFEFF, 0x1F600]:
        rest = ours.sub("", latex.words_of(chr(code)))
        assert not re.search(r"[\\$&#%^]", rest), hex(code)


@pytest.mark.parametrize(
    ("shown", "in_latex", "in_mathml"),
    [
        ("-2", "-2", "<mrow><mo>−</mo><mn>2</mn></mrow>"),
        ("1e-17", r"1\mathrm{e}{-17}", "<mn>1e-17</mn>"),
        ("-inf", r"-\infty", "<mrow><mo>−</mo><mi>∞</mi></mrow>"),
        ("nan", r"\mathrm{NaN}", "<mi>NaN</mi>"),
    ],
)
def test_numbers_out_of_the_ordinary(shown, in_latex, in_mathml):
    assert latex.number(shown, "") == in_latex
    assert mathml.number(shown, "") == in_mathml


# ---- documents ----------------------------------------------------------------------------------


def macros(text: str) -> set[str]:
    """The commands and environments in a text, by a parser of LaTeX."""
    found: set[str] = set()
    todo = list(LatexWalker(text, tolerant_parsing=False).get_latex_nodes()[0])
    while todo:
        node = todo.pop()
        if isinstance(node, LatexMacroNode):
            found.add(node.macroname)
        if isinstance(node, LatexEnvironmentNode):
            found.add(node.environmentname)
        if isinstance(node, (LatexMacroNode, LatexEnvironmentNode)) and node.nodeargd is not None:
            todo += [each for each in node.nodeargd.argnlist or [] if each is not None]
        if isinstance(node, (LatexGroupNode, LatexEnvironmentNode, LatexMathNode)):
            todo += node.nodelist
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_document_of_the_classic_graph(lang):
    with speaking(lang):
        document = tex(explain(*CLASSIC))
    assert faults_of_latex(document) == []
    assert document.startswith(f"% {lang}\n\\documentclass")
    assert document.endswith("\\end{document}\n")
    assert {"tikzpicture", "longtable", "aligned", "document"} <= macros(document)
    for total in ("4", "-4", "-12"):
        assert rf"= \textcolor{{grad}}{{{total}}}" in document
    assert document.count(r"\node[box") == 7
    assert document.count(r"\draw[wire") == 8  # one for each slot
    title = {"en": "The gradients of L, explained", "es": "Los gradientes de L, explicados"}
    assert rf"\section*{{{title[lang]}}}" in document


def test_the_same_document_each_time():
    assert tex(explain(*CLASSIC)) == tex(explain(*CLASSIC))


def test_a_large_graph_makes_a_document_of_ordinary_size():
    x = Value(1.0, label="x")
    y = x
    for _ in range(1500):
        y = y * 1.001 + x
    document = tex(explain(y))
    assert faults_of_latex(document) == []
    assert len(document) < 200_000


def test_documents_of_a_constant_and_of_one_input():
    for text, inputs in (("y = a", {"a": 1.0}), ("y = 2 + 3", {})):
        assert faults_of_latex(tex(explain(text, inputs))) == []


# ---- PNG ----------------------------------------------------------------------------------------


def size_of(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", picture[16:24])


def drawing(words: str, width: int = 200) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 40" width="{width}" height="40">'
        f'<text x="10" y="25" font-family="monospace">{words}</text></svg>'
    )


def test_a_png_has_two_pixels_for_each_unit():
    assert size_of(png(drawing("grad 4"))) == (400, 80)
    assert size_of(png(drawing("grad 4"), scale=1.0)) == (200, 40)


def test_the_words_are_in_the_png():
    assert png(drawing("grad 4")) != png(drawing(""))
    assert png(drawing("grad 4")) == png(drawing("grad 4"))


def test_a_very_large_drawing_gets_fewer_pixels():
    assert size_of(png(drawing("wide", 40_000)))[0] == 16_000


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan")])
def test_a_scale_that_gives_no_picture_is_refused(scale):
    with pytest.raises(ValueError, match=sentence("png.scale", given=scale)):
        png(drawing("x"), scale)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_its_library_a_png_names_the_extra(lang, monkeypatch):
    from minigrad.drawing.png import _font

    _font.cache_clear()
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with speaking(lang), pytest.raises(MissingLibraryError, match=re.escape("minigrad-lab[png]")):
        png(drawing("x"))


def test_a_machine_without_fonts_is_told(monkeypatch):
    import minigrad.drawing.png as module

    module._font.cache_clear()
    monkeypatch.setattr(module, "_rendered", lambda svg, zoom, font: b"blank")
    with pytest.raises(MissingLibraryError, match=sentence("png.fonts")):
        png(drawing("x"))
    module._font.cache_clear()


def test_the_factors_of_a_long_product_are_not_all_named_for_each_of_them(monkeypatch):
    graph = parse(
        "prod(" + ", ".join(f"x{i}" for i in range(1000)) + ")", {f"x{i}": 1.0 for i in range(1000)}
    )
    named = []
    monkeypatch.setattr(paper, "name", lambda graph, i: named.append(i) or graph.names[i])
    assert local_symbol(graph, graph.output, 0) == "x1 * x2 * x3 * x4 * ..."
    assert local_symbol(graph, graph.output, 2) == "x0 * x1 * x3 * x4 * ..."
    assert local_symbol(graph, graph.output, 999) == "x0 * x1 * x2 * x3 * ..."
    assert len(named) < 40
