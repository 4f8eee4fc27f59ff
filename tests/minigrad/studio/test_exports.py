"""Files of the export buttons: what stands in them, and a pass that does not end."""

import pytest

from minigrad.studio.answers import answer

DOUBLING = "; ".join(["x0 = a + a", *(f"x{i} = x{i - 1} + x{i - 1}" for i in range(1, 40))])  # 2**40 paths


def export(text, **fields):
    status, found = answer("export", {"text": text, "language": "en", **fields})
    assert status == 200
    return found


def test_a_saved_page_has_the_text_that_was_typed():
    assert (
        '"source":{"text":"L = a*a # my own words"' in export("L = a*a # my own words", format="html")["body"]
    )


@pytest.mark.parametrize("form", ["svg", "png", "tex"])
def test_of_a_pass_that_does_not_end_there_is_no_picture(form):
    """One of the right pass would be saved under the name of the fault."""
    error = export(DOUBLING, fault="recursion", format=form)["error"]
    assert (error["code"], error["message"][:23]) == ("refused", "The pass was given up: ")


@pytest.mark.parametrize("form", ["md", "txt"])
def test_a_report_of_a_pass_that_does_not_end_says_so(form):
    found = export(DOUBLING, fault="recursion", format=form)
    assert found["name"] == f"minigrad-x39-recursion.{form}"
    assert "The pass was given up" in found["body"]


def test_the_picture_of_a_broken_pass_has_its_own_numbers():
    text = "ab = a*b; e = ab + c; f = a - c; L = e*f"
    right, broken = (
        export(text, inputs={"a": 2, "b": 3, "c": 4}, format="tex", fault=fault)["body"]
        for fault in ("", "overwrite")
    )
    assert "{-12}" in right, "the gradient of c"
    assert "{-12}" not in broken, "which is -2 where the last contribution overwrites"
