"""Notebooks: one is run by a kernel, its outputs are parsed, and the player in it is played in a browser.

Which of the forms a front end shows is its own choice.  The orders of preference below are theirs:
JupyterLab's and Notebook 7's ranks of renderers, VS Code's display order, what Colab and marimo look for,
and nbconvert's priorities when it makes a page or a paper.  A frame with a `srcdoc` is shown by all of
the first four; a paper takes the drawing, and a terminal the text.
"""

from __future__ import annotations

from typing import Any

import html5lib
import nbformat
import pytest
from nbclient import NotebookClient

from browser import until
from minigrad import Value, explain
from minigrad.explanation.explanation import CLASSIC
from source_trees import DATA

NOTEBOOK = DATA / "notebooks" / "classic.ipynb"

# what it prefers, and what of our forms it shows
FRONT_ENDS = {
    "JupyterLab": ("text/html", "text/latex", "image/svg+xml", "image/png", "text/plain"),
    "VS Code": ("application/json", "application/javascript", "text/html", "image/svg+xml", "text/plain"),
    "Colab": ("application/javascript", "text/html", "image/svg+xml", "image/png", "text/plain"),
    "marimo": ("text/html", "image/svg+xml", "text/plain"),
    "nbconvert, a page": ("application/javascript", "text/html", "image/svg+xml", "text/plain"),
    "nbconvert, a paper": ("text/latex", "application/pdf", "image/png", "image/svg+xml", "text/plain"),
    "a terminal": ("text/plain",),
}
NO_FRAME = {"nbconvert, a paper": "image/svg+xml", "a terminal": "text/plain"}


def picked(front_end: str, bundle: dict[str, Any]) -> str:
    return next(kind for kind in FRONT_ENDS[front_end] if kind in bundle)


@pytest.fixture(scope="module")
def executed() -> Any:
    """The notebook after a kernel has run it from top to bottom."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": "."}}
    )
    return client.execute()


def results(notebook: Any) -> list[Any]:
    """What the cells have shown: the bundle of each result, in order."""
    return [
        output.data
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "execute_result"
    ]


def test_the_notebook_is_stored_without_outputs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.get("outputs") for cell in notebook.cells)


def test_the_executed_notebook_is_valid_and_nothing_failed(executed):
    nbformat.validate(executed)
    kinds = [output.output_type for cell in executed.cells for output in cell.get("outputs", ())]
    assert "error" not in kinds
    assert kinds == ["execute_result"] * 5 + ["stream", "execute_result"]


def test_a_value_shows_itself_in_one_line(executed):
    value = results(executed)[0]
    assert value.keys() == {"text/plain"}
    assert value["text/plain"] == "Value(data=-20.0, grad=0.0, label='L')"


def test_variables_are_names(executed):
    explanation, gradients, shown, labels = results(executed)[1:5]
    assert "L = e * f" in explanation["text/plain"]
    assert gradients["text/plain"] == "[4.0, -4.0, -12.0]"
    assert "label" not in shown["text/plain"]
    assert labels["text/plain"] == "('M', 'd')"
    [ledger] = [
        output
        for cell in executed.cells
        for output in cell.get("outputs", ())
        if output.output_type == "stream"
    ]
    assert "d: -20" in ledger.text


def test_an_explanation_comes_in_three_forms(executed):
    bundle = results(executed)[1]
    assert bundle.keys() == {"text/html", "image/svg+xml", "text/plain"}
    assert bundle["image/svg+xml"].startswith("<svg ")
    assert "a: 4 = 10 via f - 6 via ab" in bundle["text/plain"]


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_what_each_front_end_shows(front_end, executed):
    assert picked(front_end, results(executed)[1]) == NO_FRAME.get(front_end, "text/html")


def frame_of(bundle: dict[str, Any]) -> Any:
    parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"), namespaceHTMLElements=False)
    body = parser.parseFragment(bundle["text/html"])
    [frame] = list(body)
    return frame


def test_the_html_is_one_sandboxed_frame(executed):
    frame = frame_of(results(executed)[1])
    assert frame.tag == "iframe"
    assert frame.get("sandbox") == "allow-scripts"  # and no allow-same-origin: it cannot reach the notebook
    assert frame.get("srcdoc").startswith("<!doctype html>")
    assert frame.get("title")


def gradients_in(page: Any) -> list[list[str]]:
    """The gradients of a, b and c at the end, as they stand in the player's table: one per pass."""
    until(page, "Boolean(window.minigradPlayer)")
    page.evaluate("() => { window.minigradPlayer.time = 1e6; }")
    rows = {
        row.query_selector("th").inner_text(): row.query_selector_all("td.grad")
        for row in page.query_selector_all("table.gradients tbody tr")
    }
    return [[cell.inner_text() for cell in rows[name]] for name in "abc"]


def test_the_player_in_the_notebook_plays_to_the_end(executed, visit):
    page = visit(frame_of(results(executed)[1]).get("srcdoc"))
    assert gradients_in(page) == [["4"], ["-4"], ["-12"]]


def test_the_frame_plays_inside_the_page_of_a_notebook(executed, visit):
    html = results(executed)[1]["text/html"]
    page = visit(f"<!doctype html><html><meta charset=utf-8><body>{html}</body></html>")
    assert gradients_in(page.frames[1]) == [["4"], ["-4"], ["-12"]]


def test_a_broken_pass_shows_itself_beside_the_right_one(executed, visit):
    bundle = results(executed)[-1]
    assert bundle.keys() == {"text/html", "image/svg+xml", "text/plain"}
    page = visit(frame_of(bundle).get("srcdoc"))
    assert gradients_in(page) == [["4", "≠ -6"], ["-4", "-4"], ["-12", "≠ -2"]]


def test_a_front_end_may_ask_for_some_forms_only():
    """IPython and marimo hand over `include` and `exclude`, by name or by place; all forms may come back."""
    explanation = explain(*CLASSIC)
    assert explanation._repr_mimebundle_(include=["text/html"], exclude=None)["text/html"]
    assert explanation._repr_mimebundle_([], [])["text/plain"]


def test_a_value_has_no_picture_of_its_own():
    value = Value(2.0, label="a")
    for method in ("_repr_html_", "_repr_svg_", "_repr_mimebundle_", "_repr_latex_", "_mime_"):
        assert not hasattr(value, method)
    assert "\n" not in repr(value)
