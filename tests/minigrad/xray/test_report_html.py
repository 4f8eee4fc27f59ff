"""The page of an x-ray, in a real browser where it matters."""

from __future__ import annotations

import re

import pytest
import torch
from torch import nn

from minigrad.text.translation import speaking
from minigrad.xray import xray
from minigrad.xray.ledger import LedgerError, why
from minigrad.xray.module_river import MOST, draw, module_runs, worst_health
from minigrad.xray.report_html import PageError, report_page, result_page
from minigrad.xray.tensor_trace import GradientSize
from xray_models import model_of


def report_of(name):
    model, make_loss = model_of(name)
    return xray(make_loss, model=model)


def hostile_model():
    class Hostile(nn.Module):
        def __init__(self):
            super().__init__()
            self.add_module("</script><b onload=x>", nn.Linear(2, 2))

        def forward(self, x):
            return next(iter(self.children()))(x)

    return Hostile()


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_page_goes_from_the_model_down_to_scalars(lang, tmp_path):
    report = report_of("gpt")
    target = tmp_path / "xray.html"
    report.save(target, "wpe.weight[1, 2]", lang=lang)
    page = target.read_text(encoding="utf-8")
    assert f'<html lang="{lang}">' in page
    assert "connect-src" not in page
    assert not re.findall(r'(?:src|href)="(?!data:|#)', page)
    for words in {"en": ["Data flows down", "wte.weight"], "es": ["Los datos bajan", "wte.weight"]}[lang]:
        assert words in page
    assert "wpe.weight[1, 2]" in page
    assert 'id="minigrad-player"' in page
    assert "blocks.1.mlp" in page
    assert "xray_models.py:" in page


def test_every_link_of_the_river_leads_to_a_part_of_the_page():
    page = report_page(report_of("gpt"))
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert links
    assert links <= set(re.findall(r'id="([^"]+)"', page))


def test_what_a_user_wrote_stays_text():
    model = hostile_model()
    page = report_page(xray(lambda: model(torch.ones(1, 2)).sum(), model=model))
    assert "<b onload" not in page
    assert "&lt;b onload" in page


def test_the_page_runs_in_a_browser_without_an_error(visit):
    page = visit(report_page(report_of("mlp"), "0.weight[3, 2]"))
    page.wait_for_selector("#minigrad-player[data-ready]")
    assert page.locator("svg.river a").count() >= 5
    page.locator("svg.river a").first.click()
    assert page.locator("details:target").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 380, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_river_has_few_boxes_and_opens_into_more():
    model, make_loss = model_of("gpt")
    trace = why(xray(make_loss, model=model).subject).trace
    runs = module_runs(trace)
    assert 5 < len(runs) <= MOST
    few = module_runs(trace, most=12)
    assert len(few) <= 12
    inner = next(run for run in few if run.module.startswith("blocks"))
    assert len(module_runs(trace, inner)) > 1
    svg = draw(trace, few).svg()
    assert svg.count("<a ") == len(few)
    assert sum(len(run.nodes) for run in few) == sum(len(run.nodes) for run in runs)


def test_a_broken_gradient_is_told_by_more_than_its_colour():
    w = nn.Parameter(torch.tensor([0.0, 1.0]))
    model = nn.ParameterDict({"w": w})
    page = report_page(xray(lambda: (w.sqrt() * 0).sum() + w.sum(), model=model))
    assert "NaN or infinite" in page
    assert 'class="box broken"' in page


@pytest.mark.parametrize(
    ("sizes", "health"),
    [
        ([GradientSize(1.0, 0, 1, 4, 0)], "right"),
        ([GradientSize(0.0, 0, 0, 4, 4)], "zero"),
        ([GradientSize(1.0, 0, 1, 40, 39)], "sparse"),
        ([GradientSize(1.0, 0, 1, 4, 0), GradientSize(float("nan"), 0, 1, 4, 0, 1)], "broken"),
        ([GradientSize(1.0, 0, 1, 4, 0), GradientSize(0.0, 0, 0, 4, 4)], "right"),
    ],
)
def test_the_health_of_many_is_that_of_the_worst_unless_only_some_are_zero(sizes, health):
    assert worst_health(sizes) == health


def test_another_ending_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(LedgerError, match=r"\.html"):
        report_of("mlp").save(tmp_path / "xray.pdf")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("path", [None, 3, ["a.html"], "", "nul\0.html"])
def test_what_is_no_path_is_refused_in_words(path):
    with pytest.raises(LedgerError, match=r"\.html"):
        report_of("mlp").save(path)


def test_a_page_that_cannot_be_written_says_so_before_it_is_made(tmp_path, monkeypatch):
    (tmp_path / "folder.html").mkdir()
    (tmp_path / "file").write_text("")
    report = report_of("mlp")
    monkeypatch.setattr("minigrad.xray.report_html.report_page", lambda *_: pytest.fail("made"))
    for where in ("folder.html", "missing/xray.html", "file/xray.html", "y" * 300 + ".html"):
        with pytest.raises(PageError, match=r"could not be written .*in a folder that exists"):
            report.save(tmp_path / where)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder.html"]


def test_a_path_of_bytes_is_a_path(tmp_path):
    report_of("mlp").save(bytes(tmp_path / "x.html"))
    assert (tmp_path / "x.html").read_text().startswith("<!doctype")


def test_an_answer_has_a_page_and_a_bundle_for_notebooks():
    model, make_loss = model_of("gpt")
    report = xray(make_loss, model=model)
    ledger = report.why("wte.weight")
    assert "as the output layer" in result_page(ledger, "en")
    assert "como capa de salida" in ledger.to_html(lang="es")
    bundle = ledger._repr_mimebundle_()
    assert bundle["text/plain"] == str(ledger)
    assert bundle["text/html"].startswith("<iframe")
    with speaking("es"):
        assert "Gradientes del modelo" in report.why()._repr_mimebundle_()["text/html"]


def test_a_report_that_was_read_has_no_program_to_run_again():
    from minigrad.xray import XrayReport

    report = XrayReport.from_json(report_of("mlp").to_json())
    with pytest.raises(LedgerError, match="in this process"):
        report.why("0.weight")
    assert "HEALTHY" in report_page(report)
