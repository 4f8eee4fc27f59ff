"""Payloads in a real browser: pages full of them are played to the end, and nothing in them runs or loads.

`visit` fails a test whose page complains on its console or asks for anything outside itself.
"""

from __future__ import annotations

from typing import Any

import pytest

from browser import until
from minigrad import Value, explain
from minigrad.drawing import DRAWINGS
from minigrad.faults import lab
from minigrad.graph.notation import gradient_sum, mathml, statement
from payloads import PAYLOADS

SHORT = [payload for payload in PAYLOADS.values() if len(payload) < 1000]
CHUNKS = [SHORT[at::8] for at in range(8)]
chunked = pytest.mark.parametrize("payloads", CHUNKS, ids=range(8))

ALIVE = r"""() => {
  const found = [];
  if (window.pwned !== undefined) found.push("a script ran");
  for (const node of document.querySelectorAll("*")) {
    for (const attribute of node.attributes) {
      if (/^on/i.test(attribute.name)) found.push(`${node.nodeName} ${attribute.name}`);
      if (/^\s*javascript:/i.test(attribute.value)) found.push(`${node.nodeName} ${attribute.value}`);
    }
    const kind = node.localName.toLowerCase();
    if (KINDS.includes(kind) && !EXPECTED.includes(kind)) found.push(`<${kind}>`);
  }
  return found;
}"""


KINDS = (
    "a", "animate", "audio", "base", "embed", "foreignobject", "form", "iframe", "image", "img", "maction",
    "object", "set", "video",
)  # fmt: skip
OURS = ("form",)  # what a player has of these: where a prediction is written


def alive(page: Any, *expected: str) -> list[str]:
    """What in a page has come alive that should not have."""
    script = ALIVE.replace("KINDS", str(list(KINDS))).replace("EXPECTED", str(list(expected)))
    found: list[str] = page.evaluate(script)
    return found


def graph_of(payloads: list[str]) -> Value:
    """A sum of squares; each label is on an input and on an op."""
    total = Value(0.0, requires_grad=False)
    for payload in payloads:
        square = Value(2.0, label=payload)
        square = square * square
        square.label = payload
        total = total + square
    total.label = payloads[0]
    return total


@pytest.mark.parametrize(
    "what", ["an image that fails", "an SVG that loads", "a script element", "details that open", "an image"]
)
def test_the_checker_catches_what_is_not_escaped(what, visit):
    page = visit(f"<html><body>{PAYLOADS[what]}<img src=x></body></html>")
    page.wait_for_timeout(50)
    assert alive(page)
    assert what == "an image" or "a script ran" in alive(page)
    visit.forgive()


def play(page: Any, nodes: int) -> None:
    """Every drawing, both languages, every moment of the end, every node looked at."""
    until(page, "Boolean(window.minigradPlayer)")
    page.evaluate(
        """(nodes) => {
          const player = window.minigradPlayer;
          for (const language of ["es", "en"]) {
            player.language = language;
            for (const view of ["graph", "river", "waterfall", "thermometer"]) {
              player.view = view;
              for (const time of [0, 1, 7, 1e6]) player.time = time;
            }
          }
          for (let node = 0; node < nodes; node++) player.chosen = node;
        }""",
        nodes,
    )


@chunked
def test_a_player_full_of_payloads_is_inert(payloads, visit):
    explanation = explain(graph_of(payloads))
    page = visit(explanation.to_html())
    play(page, len(explanation.trace.graph))
    page.keyboard.press("Tab")
    page.mouse.move(300, 300)
    assert alive(page, *OURS) == []
    assert page.locator("script").count() == 2


def test_two_passes_side_by_side_are_inert(visit):
    found = lab(graph_of(SHORT[::12]), "overwrite")
    page = visit(found.to_html())
    play(page, len(found.graph))
    assert alive(page, *OURS) == []


def test_a_source_full_of_payloads_is_inert(visit):
    comments = [f"# {' '.join(payload.split())}" for payload in SHORT]
    text = "\n".join([*comments, "y = a*a"]).encode("utf-8", "replace").decode()
    page = visit(explain(text, {"a": 3.0}).to_html())
    play(page, 2)
    assert alive(page, *OURS) == []
    assert "<script>pwned=1</script>" in page.inner_text("body")


@chunked
def test_drawings_and_formulas_are_inert_even_where_no_policy_protects_them(payloads, visit):
    explanation = explain(graph_of(payloads))
    trace = explanation.trace
    parts = [explanation.to_svg(view) for view in DRAWINGS]
    parts += [statement(trace.graph, i, mathml) for i in range(len(trace.graph))]
    parts += [gradient_sum(trace, i, mathml) for i in trace.graph.inputs]
    page = visit(f"<!doctype html><html><meta charset=utf-8><body>{''.join(parts)}</body></html>")
    page.mouse.move(200, 200)
    assert alive(page) == []
    assert page.locator("script").count() == 0


def test_a_frame_of_a_notebook_is_inert(visit):
    frame = explain(graph_of(SHORT[::9]))._repr_mimebundle_()["text/html"]
    page = visit(f"<!doctype html><html><meta charset=utf-8><body>{frame}</body></html>")
    assert alive(page, "iframe") == []
    inside = page.frames[1]
    until(inside, "Boolean(window.minigradPlayer)")
    assert alive(inside, *OURS) == []
