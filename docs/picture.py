"""Draws docs/picture.svg and picture.es.svg, at the top of the READMEs: the classic graph after a pass.

Only the places of the nodes are typed in here.  Every number comes out of the trace, and the
output is the same bytes each time; a test holds the committed file current.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from minigrad import explain
from minigrad.explain.explanation import CLASSIC
from minigrad.explain.ledger import terms
from minigrad.messages import pick, speaking
from minigrad.numerals import show
from minigrad.trace import Flow
from minigrad.wording import name, product, recipe

TARGETS = {"en": Path(__file__).with_name("picture.svg"), "es": Path(__file__).with_name("picture.es.svg")}
TITLE = (
    "The graph of L = (a*b + c) * (a - c) with data, gradients and every contribution",
    "El grafo de L = (a*b + c) * (a - c) con datos, gradientes y cada contribución",
)
LEGEND = (
    "data flows right, gradients flow left; every use of a node adds one term to its grad",
    "los datos van a la derecha, los gradientes a la izquierda; cada uso suma un término a grad",
)
PLACES = {
    "b": (118, 66), "a": (118, 208), "c": (118, 350),
    "ab": (394, 100), "e": (668, 120), "f": (668, 316), "L": (912, 218),
}  # fmt: skip
PILLS = {  # how far along its edge a contribution is written, so that no two overlap
    ("ab", "b"): 0.5, ("ab", "a"): 0.42, ("e", "ab"): 0.5, ("e", "c"): 0.72,
    ("f", "a"): 0.27, ("f", "c"): 0.5, ("L", "e"): 0.5, ("L", "f"): 0.5,
}  # fmt: skip
HALF_WIDTH, HALF_HEIGHT = 66, 34

STYLE = """
  text { font: 15px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; text-anchor: middle }
  .page { fill: #ffffff } .box { fill: #f6f8fa; stroke: #8c959f; stroke-width: 1.2 }
  .shared { stroke: #b45309; stroke-width: 2.4 }
  .edge { stroke: #8c959f; stroke-width: 1.4; fill: none }
  .name { font-weight: 700; fill: #1f2328 } .data { fill: #0550ae } .grad { fill: #b45309; font-weight: 700 }
  .pill { fill: #ffffff; stroke: #d0d7de } .local { font-size: 12.5px; fill: #0f766e }
  .note { font-size: 13.5px; fill: #57606a }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .box { fill: #161b22; stroke: #6e7681 } .shared { stroke: #f0a35e }
    .edge { stroke: #6e7681 } .name { fill: #e6edf3 } .data { fill: #79c0ff } .grad { fill: #f0a35e }
    .pill { fill: #0d1117; stroke: #30363d } .local { fill: #5eead4 } .note { fill: #9198a1 }
  }
"""


def picture() -> str:
    """The picture in the language in use."""
    explanation = explain(*CLASSIC)
    trace, graph = explanation.trace, explanation.trace.graph
    flows = [event for event in trace.events if isinstance(event, Flow)]
    parts = [_edge(graph.names[flow.source], graph.names[flow.target]) for flow in flows]
    for flow in flows:
        source, target = graph.names[flow.source], graph.names[flow.target]
        text = f"{product((flow.local, flow.upstream))} = {show(flow.amount)}"
        parts.append(_pill(source, target, text))
    for i, node in enumerate(graph.nodes):
        label = name(graph, i)
        title = f"{label} = {recipe(graph, i)}" if node.args else label
        shared = i in explanation.paths and explanation.paths[i].count > 1
        parts.append(_box(label, title, show(trace.values[i]), show(trace.grads[i]), shared))
        if shared:
            x, y = PLACES[label]
            words = f"{show(trace.grads[i])} = {terms(graph, explanation.paths[i])}"
            parts.append(_text("grad", x, y + HALF_HEIGHT + 21, words))
    parts.append(_text("note", 500, 446, pick(LEGEND)))
    body = "\n".join(parts)
    view = 'viewBox="0 0 1000 466" role="img"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {view} aria-label="{escape(pick(TITLE))}">\n'
        f"<style>{STYLE}</style>\n"
        f'<rect class="page" width="1000" height="466"/>\n{body}\n</svg>\n'
    )


def _text(kind: str, x: float, y: float, words: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(words)}</text>'


def _ends(source: str, target: str) -> tuple[float, float, float, float]:
    (x1, y1), (x2, y2) = PLACES[target], PLACES[source]
    return x1 + HALF_WIDTH, y1, x2 - HALF_WIDTH, y2


def _edge(source: str, target: str) -> str:
    x1, y1, x2, y2 = _ends(source, target)
    bend = (x2 - x1) / 2
    return f'<path class="edge" d="M{x1:g} {y1:g} C{x1 + bend:g} {y1:g} {x2 - bend:g} {y2:g} {x2:g} {y2:g}"/>'


def _pill(source: str, target: str, text: str) -> str:
    x1, y1, x2, y2 = _ends(source, target)
    t = PILLS[source, target]
    rise = 3 * t * t - 2 * t * t * t  # the curve of _edge at t, vertically
    along = t * t * t - 1.5 * t * t + 1.5 * t  # and horizontally
    x, y = x1 + (x2 - x1) * along, y1 + (y2 - y1) * rise
    width = 8 * len(text) + 10
    box = f'<rect class="pill" x="{x - width / 2:.1f}" y="{y - 11:.1f}" width="{width}" height="22" rx="11"/>'
    return box + f'<text class="local" x="{x:.1f}" y="{y + 4:.1f}">{escape(text)}</text>'


def _box(label: str, title: str, data: str, grad: str, shared: bool) -> str:
    x, y = PLACES[label]
    kind = "box shared" if shared else "box"
    corner = f'x="{x - HALF_WIDTH}" y="{y - HALF_HEIGHT}" width="{2 * HALF_WIDTH}" height="{2 * HALF_HEIGHT}"'
    return "\n".join(
        [
            f'<rect class="{kind}" {corner} rx="8"/>',
            _text("name", x, y - 12, title),
            _text("data", x, y + 7, f"data {data}"),
            _text("grad", x, y + 26, f"grad {grad}"),
        ]
    )


if __name__ == "__main__":
    for lang, target in TARGETS.items():
        with speaking(lang):
            target.write_text(picture(), encoding="utf-8")
        print(f"written: {target.name}")
