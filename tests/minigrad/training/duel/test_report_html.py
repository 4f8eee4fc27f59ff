"""The page of a duel in a real browser: it fits, it is accessible, it loads nothing, in both languages."""

from __future__ import annotations

import pytest

from browser import axe
from minigrad.faults import FAULTS
from minigrad.training.duel import Duel, duel


@pytest.fixture(scope="module")
def named() -> Duel:
    return duel(["subtract", "zero-seed", "stale-intermediates"], "moons", steps=30)


@pytest.fixture(scope="module")
def ranking() -> Duel:
    few = ("subtract", "float32", "relu-at-zero", "sin-sign")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("minigrad.training.duel.bouts.FAULTS", {slug: FAULTS[slug] for slug in few})
        return duel(on="moons", steps=20)


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_fits_and_everybody_can_read_it(visit, named, width, dark):
    page = visit(named.to_html("en"), width=width, dark=dark)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert axe(page) == []


def test_the_page_holds_both_models_side_by_side(visit, named):
    page = visit(named.to_html("en"))
    headings = page.locator("figure text.heading").all_text_contents()
    assert headings.count("right pass") == headings.count("broken pass") == 2
    text = page.inner_text("main")
    assert "-= in place of +=" in text
    assert "the broken gradient is 0 in every step" in text
    assert "stale-intermediates" in text


def test_the_page_is_in_spanish_where_that_is_spoken(visit, named):
    page = visit(named.to_html("es"))
    assert page.evaluate("document.documentElement.lang") == "es"
    assert "¿" in named.text("es")
    assert "pérdida" in page.inner_text("main")


def test_a_number_stands_below_the_end_of_its_heading(visit, named, ranking):
    for shown in (named, ranking):
        page = visit(shown.to_html("en"))
        edges = page.evaluate(
            "[...document.querySelector('table').rows].slice(0, 2).map(row => [...row.cells]"
            ".map(cell => getComputedStyle(cell).textAlign))"
        )
        number = [side == "right" for side in edges[1]]
        assert any(number)
        assert [side == "right" for side in edges[0]] == number


@pytest.mark.parametrize("width", [360, 1280])
def test_the_ranking_is_a_table_with_a_bar_for_each_fault(visit, ranking, width):
    page = visit(ranking.to_html("en"), width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert len(ranking.bouts) == 3
    assert page.locator("tbody tr").count() == 1 + 3  # the right pass comes first
    assert page.locator("tbody .hides").count() == 3
    assert axe(page) == []


def test_a_page_holds_nothing_but_what_it_says(named):
    html = named.to_html("en")
    assert "<script" not in html
    assert "http" not in html.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
