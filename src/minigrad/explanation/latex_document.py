"""An explanation as a document in LaTeX: complete, and compiled by pdflatex as it stands.

The statements, a picture of the graph, both passes, each gradient as a sum in symbols and in numbers, what
the gradients mean, and who checked them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..graph import INPUT
from ..graph.notation import gradient_sum, latex, program, statement, substituted
from ..graph.notation.latex import number, words_of
from ..graph.trace import Flow
from ..graph.wording import name, rule_of
from ..ops import OPS
from ..text.numerals import counted, show
from ..text.page import ROWS, Page
from ..text.translation import language, say
from . import meaning
from .explanation import Explanation, title
from .tikz import STYLES, picture

__all__ = ["tex"]

SUMS = 24  # gradients that are written as sums
_WIDE = Page(width=100_000, rows=ROWS)  # TeX breaks the lines

HEAD = rf"""\documentclass[11pt]{{article}}
\usepackage[a4paper, margin=2.2cm]{{geometry}}
\usepackage[utf8]{{inputenc}}
{latex.PREAMBLE}
\usepackage{{longtable}}
\usepackage{{tikz}}
{STYLES}
\setlength{{\parindent}}{{0pt}}
\setlength{{\parskip}}{{6pt}}
\setlength{{\LTpre}}{{4pt}}
\setlength{{\LTpost}}{{4pt}}
\sloppy
\newsavebox{{\fitted}}
\newcommand{{\fit}}[2]{{% at most #1 of a line wide
  \sbox{{\fitted}}{{#2}}%
  \ifdim\wd\fitted>#1\textwidth\resizebox{{#1\textwidth}}{{!}}{{\usebox{{\fitted}}}}\else\usebox{{\fitted}}\fi}}"""


def tex(explanation: Explanation) -> str:
    """The document in the language in use."""
    trace, graph = explanation.trace, explanation.trace.graph
    heading = words_of(say("markdown.title", output=name(graph, graph.output)))
    parts = [
        f"% {language()}",
        HEAD,
        r"\begin{document}",
        rf"\section*{{{heading}}}",
        *_section(say("tex.statements"), [" \\\\\n".join(_fit(1.0, line) for line in program(graph, latex))]),
    ]
    if any(node.args for node in graph.nodes) and (drawn := picture(trace)):
        caption = rf"\par\medskip\small {words_of(say('tex.picture'))}"
        parts += [r"\begin{center}", drawn, caption, r"\end{center}"]
    parts += _section(title("forward"), _forward(explanation))
    parts += _section(title("order"), _sentences(explanation, "order"))
    parts += _section(title("walk"), _walk(explanation))
    parts += _section(say("tex.sums"), _sums(explanation))
    parts += _section(title("meaning"), _meaning(explanation))
    parts += _section(title("check"), _sentences(explanation, "check"))
    if notes := explanation.sentences():
        parts += _section(say("note.title"), [words_of(note) + "\n" for note in notes[:ROWS]])
    return "\n".join([*parts, r"\end{document}", ""])


def _fit(width: float, formula: str) -> str:
    """A formula that takes at most so much of a line: a longer one is made smaller."""
    return rf"\fit{{{width:g}}}{{{formula}}}"


def _section(heading: str, lines: Sequence[str]) -> list[str]:
    return [rf"\subsection*{{{words_of(heading)}}}", *lines] if any(lines) else []


def _sentences(explanation: Explanation, view: str) -> list[str]:
    [(_, lines)] = explanation.sections((view,), _WIDE)
    return [words_of(line.strip()) + "\n" for line in lines]


def _table(columns: str, rows: Sequence[str]) -> list[str]:
    """A table that may run over pages; of very many rows, the first and how many are left out."""
    if len(rows) > ROWS:
        more = words_of(say("tex.cut", count=counted(len(rows) - ROWS)))
        rows = [*rows[:ROWS], rf"\(\cdots\) {more}"]
    return (
        [rf"\begin{{longtable}}[l]{{{columns}}}", *(rf"{row} \\" for row in rows), r"\end{longtable}"]
        if rows
        else []
    )


def _forward(explanation: Explanation) -> list[str]:
    trace, graph = explanation.trace, explanation.trace.graph
    rows = []
    for i, node in enumerate(graph.nodes):
        if node.args:
            made, numbers = _fit(0.5, statement(graph, i, latex)), _fit(0.3, substituted(trace, i, latex))
            rows.append(rf"{made} & \(=\) {numbers} & \(= {number(show(trace.values[i]), 'data')}\)")
        elif node.op == INPUT or node.label:
            rows.append(f"{statement(graph, i, latex)} & &")
    return _table("@{}lll@{}", rows)


def _walk(explanation: Explanation) -> list[str]:
    trace, graph = explanation.trace, explanation.trace.graph
    rows: list[str] = []
    for source, flows in explanation.steps():
        upstream = number(show(flows[0].upstream if flows else trace.grads[source]), "grad")
        what = (
            rf"{_fit(0.6, statement(graph, source, latex))}, {words_of(say('walk.upstream'))} \({upstream}\)"
        )
        if graph.nodes[source].op in OPS:
            what += rf": {{\small {words_of(rule_of(graph, source))}}}"
        rows.append(rf"\multicolumn{{3}}{{@{{}}p{{0.95\linewidth}}@{{}}}}{{{what}}}")
        rows += _contributions(explanation, flows)
    return _table(r"@{\quad}lll@{}", rows)


def _contributions(explanation: Explanation, flows: Sequence[Flow]) -> Iterator[str]:
    graph = explanation.trace.graph
    for flow in flows:
        factors = [number(show(flow.local), "local"), number(show(flow.upstream), "grad")]
        if show(flow.upstream).startswith("-"):
            factors[1] = latex.fenced("(", factors[1], ")")
        amount, before, after = (number(show(x), "grad") for x in (flow.amount, flow.before, flow.after))
        yield (
            rf"{_name(name(graph, flow.target))} & "
            rf"\({latex.sign('·').join(factors)} = {amount}\) & \({before} \to {after}\)"
        )


def _name(label: str) -> str:
    return _fit(0.25, rf"\({latex.name(label)}\)")


def _sums(explanation: Explanation) -> list[str]:
    trace, graph = explanation.trace, explanation.trace.graph
    shown = graph.inputs[:SUMS]
    lines = [f"{_fit(1.0, gradient_sum(trace, i, latex))}\n\n\\medskip" for i in shown]
    if len(graph.inputs) > len(shown):
        lines.append(rf"\(\cdots\) {words_of(say('tex.cut', count=counted(len(graph.inputs) - len(shown))))}")
    return lines


def _meaning(explanation: Explanation) -> list[str]:
    rows = []
    for label, data, grad, words in meaning.table(explanation):
        numbers = rf"\({number(data, 'data')}\) & \({number(grad, 'grad')}\)"
        rows.append(rf"{_name(label)} & {numbers} & {words_of(words)}")
    if not rows:
        return []
    head = [say(f"meaning.{key}") for key in ("input", "data", "grad", "meaning")]
    titles = " & ".join(rf"\textbf{{{words_of(word)}}}" for word in head)
    return _table(r"@{}lrrp{0.5\linewidth}@{}", [titles, *rows])
