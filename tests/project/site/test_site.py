"""The site as it is built: no warning, no dead link, nothing from elsewhere, both languages on every page."""

import subprocess
import sys
from pathlib import Path

import html5lib
import pytest

from source_trees import ROOT

sys.path.insert(0, str(ROOT / "docs"))

from website.build import drawing_styles
from website.checking import problems

from minigrad.faults import FAULTS
from minigrad.learn.course import SLUGS
from minigrad.text.translation import LANGUAGES

KINDS = ("index", "faults", "ops", "catalogue/index", "catalogue/overwrite", "reference/graph",
         "reference/commands", "course/index", "course/04-diamonds", "course/07-break", "search")  # fmt: skip


@pytest.mark.slow
def test_the_site_builds_without_a_warning_and_every_link_leads_somewhere(site):
    """Warnings of Sphinx are errors, and so is whatever `problems` finds: the build itself looks."""
    assert (site / "index.html").exists()
    assert problems(site) == []


@pytest.mark.slow
def test_it_has_every_page_in_both_languages(site):
    for lang in LANGUAGES:
        pages = {path.relative_to(site / lang).as_posix() for path in (site / lang).rglob("*.html")}
        wanted = {f"catalogue/{slug}.html" for slug in FAULTS}
        wanted |= {f"course/{at:02}-{slug}.html" for at, slug in enumerate(SLUGS, 1)}
        wanted |= {
            path.relative_to(ROOT / "docs" / lang).with_suffix(".html").as_posix()
            for path in (ROOT / "docs" / lang).rglob("*.md")
        }
        assert wanted - pages == set()


@pytest.mark.slow
@pytest.mark.parametrize("page", KINDS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_is_html_to_the_letter(site, lang, page):
    parser = html5lib.HTMLParser(strict=False)
    tree = parser.parse((site / lang / f"{page}.html").read_text(encoding="utf-8"))
    assert [(place, kind) for place, kind, _ in parser.errors] == []
    assert tree.get("lang") == lang


@pytest.mark.slow
def test_pages_say_nothing_of_the_machine_that_they_were_built_on(site):
    pages = [*site.rglob("*.html")]
    assert len(pages) > len(LANGUAGES) * len(FAULTS)
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert str(ROOT) not in text
        assert "pradyunsg" not in text


@pytest.mark.slow
def test_what_the_theme_says_is_said_in_spanish(site):
    text = (site / "es" / "court.html").read_text(encoding="utf-8")
    for english in ("Toggle", "Skip to content", "Back to top", "On this page", ">Next<", ">Search<"):
        assert english not in text
    assert "Siguiente" in text


# ---- what the checker must find -----------------------------------------------------------------

HEAD = (
    '<!doctype html><html lang="{lang}"><head>'
    '<link rel="alternate" hreflang="{other}" href="../{other}/p.html"></head>'
)


def small(
    tmp_path: Path, body: str, *, lang: str = "en", head: str = HEAD, spanish: bool = True, seen: bool = True
) -> list[str]:
    """A site of one page in two languages, with something in the English one."""
    for folder in ("en", "es")[: 1 + spanish]:
        (tmp_path / folder).mkdir()
        other = "es" if folder == "en" else "en"
        said = lang if folder == "en" else "es"
        text = (head if folder == "en" else HEAD).format(lang=said, other=other)
        text += f'<a hreflang="{other}" href="../{other}/p.html">x</a>' if seen or folder == "es" else ""
        (tmp_path / folder / "p.html").write_text(
            text + f'<body id="top">{body if folder == "en" else ""}</body></html>'
        )
    (tmp_path / "en" / "there.svg").write_text("<svg/>")
    return problems(tmp_path)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ('<a href="nowhere.html">x</a>', "nowhere.html is not there"),
        ('<a href="#nowhere">x</a>', "there is no such place"),
        ('<a href="../es/p.html#nowhere">x</a>', "there is no such place"),
        ('<a href="../../secret.txt">x</a>', "outside the site"),
        ('<a href="/p.html">x</a>', "does not begin at this page"),
        ('<img src="nowhere.svg">', "nowhere.svg is not there"),
        ('<img src="https://example.org/a.png">', "from another host"),
        ('<script src="//example.org/a.js"></script>', "from another host"),
        ('<iframe src="http://example.org"></iframe>', "from another host"),
        ('<img srcset="there.svg 1x, https://example.org/a.png 2x">', "from another host"),
        ('<p style="background: url(https://example.org/a.png)">', "from another host"),
        ("<style>@import 'https://example.org/a.css';</style>", "from another host"),
        ('<link rel="stylesheet" href="https://example.org/a.css">', "from another host"),
        ('<link rel="preconnect" href="https://example.org">', "from another host"),
        ('<form action="https://example.org/"></form>', "from another host"),
        ('<p id="a"></p><p id="a"></p>', "the id a stands twice"),
    ],
)
def test_a_planted_fault_of_a_page_is_found(tmp_path, body, found):
    assert [found in words for words in small(tmp_path, body)] == [True]


@pytest.mark.parametrize(
    "body",
    [
        '<a href="../es/p.html#top">x</a><a href="#top">x</a><a href="https://example.org">x</a>',
        '<img src="there.svg"><img src="data:,"><a href="mailto:a@example.org">x</a>',
    ],
)
def test_a_sound_page_is_left_alone(tmp_path, body):
    assert small(tmp_path, body) == []


def test_a_page_in_the_wrong_language_or_without_its_twin_is_found(tmp_path):
    for name in "abcd":
        (tmp_path / name).mkdir()
    assert any("its language is es" in words for words in small(tmp_path / "a", "", lang="es"))
    assert any("there is no es/p.html" in words for words in small(tmp_path / "b", "", spanish=False))
    bare = '<!doctype html><html lang="{lang}"><head></head>'
    assert any("does not lead to the same page" in words for words in small(tmp_path / "c", "", head=bare))
    assert any("does not lead to the same page" in words for words in small(tmp_path / "d", "", seen=False))


def test_a_style_sheet_that_loads_from_elsewhere_is_found(tmp_path):
    small(tmp_path, "")
    (tmp_path / "en" / "a.css").write_text("p { background: url('https://example.org/a.png') }")
    assert ["from another host" in words for words in problems(tmp_path)] == [True]


def test_a_site_without_pages_is_no_site(tmp_path):
    assert problems(tmp_path) == [f"{tmp_path.name}: there is no page"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# A\n\n[dead](nowhere.md)\n", "nowhere.md"),
        ("# A\n\n[dead](#nowhere)\n", "nowhere"),
        ("# A\n\n```{toctree}\nnowhere\n```\n", "nowhere"),
        ("# A\n\n```{invented}\n```\n", "invented"),
    ],
)
def test_a_planted_dead_link_stops_the_build(tmp_path, text, found):
    source = tmp_path / "source"
    source.mkdir()
    (source / "index.md").write_text(text)
    words = ["-q", "-n", "-W", "-b", "dummy", "-c", ROOT / "docs" / "website", source, tmp_path / "out"]
    command = [sys.executable, "-m", "sphinx", *map(str, words)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode != 0
    assert found in run.stderr


def test_drawings_have_the_colours_of_the_page_around_them():
    css = drawing_styles()
    assert "body[data-theme=dark]{--page:#0d1117;" in css
    assert ".mg-drawing .wire{stroke:var(--line)" in css
    assert all(
        line.startswith((".mg-drawing ", "body", "@media")) for line in css.splitlines() if line.strip()
    )
