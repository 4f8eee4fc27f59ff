"""The pages that are generated: what they say is what the program does."""

import shlex
import sys

import pytest

from source_trees import ROOT

sys.path.insert(0, str(ROOT / "docs"))

from website import docstrings
from website.faultpages import add_faults, break_command, diagnose_command, the_lab
from website.optable import add_ops
from website.reference import add_reference, page_of, prose
from website.staging import Book, book_of, with_chapters
from website.words import dressed, theme_words

from minigrad.cli import main
from minigrad.cli.commands import COMMANDS
from minigrad.faults import FAULTS
from minigrad.ops import OPS
from minigrad.text.translation import LANGUAGES, speaking


def made(add, lang):
    book = Book(lang)
    with speaking(lang):
        add(book)
    return book.pages


@pytest.fixture(scope="module")
def catalogue():
    return {lang: made(add_faults, lang) for lang in LANGUAGES}


# ---- faults -------------------------------------------------------------------------------------


def test_every_fault_has_a_page_in_both_languages_and_the_index_leads_to_it(catalogue):
    for pages in catalogue.values():
        for slug in FAULTS:
            assert f"catalogue/{slug}" in pages
            assert f"({slug}.md)" in pages["catalogue/index"]


def test_the_page_of_overwrite_has_the_numbers_of_each_order(catalogue):
    """By hand: c = a*b sends a its -3 and b its 2, d = a + b sends each 1, and the last one is left."""
    page = catalogue["en"]["catalogue/overwrite"]
    assert "| a right pass | -2 | 3 |" in page
    assert "| e, d, c | **-3** | **2** |" in page
    assert "| e, c, d | **1** | **1** |" in page
    assert "+        child.grad = amount" in page
    assert "24 of 191" in page
    spanish = catalogue["es"]["catalogue/overwrite"]
    assert "| e, c, d | **1** | **1** |" in spanish
    assert "24 de 191" in spanish


def test_a_page_in_spanish_has_the_shape_and_the_numbers_of_the_english_one(catalogue):
    def shape(text):
        return [line.split()[0][:3] for line in text.splitlines() if line.startswith(("#", "|", "* ", "```"))]

    for slug in FAULTS:
        texts = [catalogue[lang][f"catalogue/{slug}"] for lang in LANGUAGES]
        assert shape(texts[0]) == shape(texts[1]), slug
        assert texts[0].count("**") == texts[1].count("**"), slug


@pytest.mark.parametrize("slug", FAULTS)
def test_the_commands_on_a_page_run_and_find_the_bug(slug, capsys):
    assert main(shlex.split(break_command(FAULTS[slug]))[1:]) == 0
    command = diagnose_command(the_lab(slug))
    if command:
        code = main([*shlex.split(command)[1:], "--all"])
        assert code == 1
        assert slug in capsys.readouterr().out


def test_every_fault_shows_on_its_smallest_graph():
    assert [slug for slug in FAULTS if not diagnose_command(the_lab(slug))] == []


# ---- ops ----------------------------------------------------------------------------------------


def test_the_page_of_the_ops_has_every_op_with_its_conventions():
    for lang in LANGUAGES:
        page = made(add_ops, lang)["ops"]
        for name, op in OPS.items():
            assert f"### {name}\n" in page
            assert page.count(f"### {name}\n") == 1
            assert all(library in page for library in op.foreign)
    english = made(add_ops, "en")["ops"]
    relu = english.partition("### relu\n")[2].partition("###")[0]
    assert "by convention, at `0` | value `0`, local derivatives `0`" in relu
    maximum = english.partition("### maximum\n")[2].partition("###")[0]
    assert "local derivatives `0.5, 0.5`" in maximum  # a tie is shared


# ---- the reference ------------------------------------------------------------------------------


def test_every_docstring_of_the_reference_is_translated():
    assert docstrings.untranslated() == [], "in docs/: python -m website.translating"


def test_a_missing_a_stale_and_a_left_over_translation_are_found(monkeypatch):
    texts = {"minigrad.backward": "One pass.", "minigrad.grad": "Of a function.", "minigrad.trace": "A walk."}
    monkeypatch.setattr(docstrings, "documented", lambda: iter(texts.items()))
    rows = {key: {"digest": docstrings.digest(text), "text": "x"} for key, text in texts.items()}
    monkeypatch.setattr(docstrings, "translations", lambda: rows)
    assert docstrings.untranslated() == []
    rows.pop("minigrad.grad")
    rows["minigrad.backward"] = {"digest": docstrings.digest("other words"), "text": "x"}
    rows["minigrad.nothing"] = {"digest": "", "text": "x"}
    assert docstrings.untranslated() == [
        "out of date: minigrad.backward",
        "missing: minigrad.grad",
        "no such docstring: minigrad.nothing",
    ]


def test_a_digest_does_not_care_how_a_text_is_wrapped():
    assert docstrings.digest("two\n  words") == docstrings.digest("two words")
    assert docstrings.digest("two words") != docstrings.digest("two swords")


def test_the_reference_has_every_public_name_of_its_modules_and_every_command():
    from importlib import import_module
    from types import ModuleType

    pages = made(add_reference, "es")
    for path in docstrings.MODULES[1:]:
        page, module = pages[f"reference/{page_of(path)}"], import_module(path)
        for name in module.__all__:
            if not isinstance(getattr(module, name), ModuleType):
                assert f"## {name}\n" in page or f"| `{name}(" in page, f"{path}.{name}"
    for name in import_module("minigrad").__all__:
        assert f"[`{name}`]" in pages["reference/value"]
    for command in COMMANDS:
        assert f"## minigrad {command}\n" in pages["reference/commands"]


def test_a_docstring_becomes_prose_and_examples():
    text = "Adds a*b_c up.\n\n    x = 1\n\n    y = 2\n\nSee `a*b`, <that>."
    assert prose(text) == ("Adds a\\*b\\_c up.\n\n```python\nx = 1\n\ny = 2\n```\n\nSee `a*b`, \\<that\\>.\n")


# ---- the pages of docs/ -------------------------------------------------------------------------


def test_links_of_a_page_fit_the_site(tmp_path, monkeypatch):
    from website import staging

    docs = tmp_path / "docs"
    (docs / "en" / "guides").mkdir(parents=True)
    (docs / "pictures").mkdir()
    (docs / "pictures" / "p.light.svg").write_text("<svg/>")
    (docs / "pictures" / "p.dark.svg").write_text("<svg/>")
    (tmp_path / "engine.py").write_text("x = 1\n")
    (tmp_path / "NEWS.md").write_text("# News\n")
    (docs / "en" / "b.md").write_text("# B\n")
    (docs / "en" / "guides" / "a.md").write_text(
        "# A *[En español](../../es/guides/a.md)*\n\n<!-- run -->\n"
        "[b](../b.md#x) [e](../../../engine.py) [n](../../../NEWS.md) [o](../../es/b.md) [h](https://x.y/z)\n\n"
        '<picture><source media="m" srcset="../../pictures/p.dark.svg"><img alt="p" '
        'src="../../pictures/p.light.svg"></picture>\n\n```text\n[b](../b.md) <!-- run -->\n```\n'
    )
    monkeypatch.setattr(staging, "DOCS", docs)
    monkeypatch.setattr(staging, "ROOT", tmp_path)
    book = book_of("en")
    assert book.pages["guides/a"] == (
        "# A\n\n"
        "[b](/b.md#x) [e](/source/engine-py.md) [n](/project/news.md) [o](/b.md) [h](https://x.y/z)\n\n"
        '<img class="only-light" loading="lazy" alt="p" src="../pictures/p.light.svg">'
        '<img class="only-dark" loading="lazy" alt="p" src="../pictures/p.dark.svg">\n\n'
        "```text\n[b](../b.md) <!-- run -->\n```\n"
    )
    assert "```python\nx = 1\n```" in book.pages["source/engine-py"]
    assert set(book.assets) == {"pictures/p.light.svg", "pictures/p.dark.svg"}


def test_every_page_has_its_place_in_a_chapter():
    book = with_chapters(
        Book("en", {"index": "# I\n", "court": "", "new": "", "course/index": "", "course/one": ""})
    )
    trees = book.pages["index"].split("```{toctree}")[1:]
    assert ["course/index" in tree and "course/one" not in tree for tree in trees] == [True, False]
    assert ["court\nnew" in tree for tree in trees] == [False, True]


def test_what_the_theme_says_in_english_is_translated():
    page = '<a>Skip to content</a><button aria-label="Toggle Light / Dark / Auto color theme"></button>'
    spanish = dressed(page, theme_words("es"))
    assert (
        spanish
        == '<a>Ir al contenido</a><button aria-label="Cambiar entre claro, oscuro y automático"></button>'
    )
