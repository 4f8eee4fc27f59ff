"""What Sphinx is told.  The language comes from the command line: `python docs/website` builds both."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.search.en import SearchEnglish
from sphinx.search.es import SearchSpanish

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from minigrad import __version__ as release  # noqa: E402
from minigrad.text.translation import say, speaking  # noqa: E402
from website.words import dressed, theme_words  # noqa: E402

language = os.environ.get("MINIGRAD_SITE_LANGUAGE", "en")
project = "minigrad"
version = release
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
master_doc = "index"
exclude_patterns: list[str] = []

myst_heading_anchors = 4
myst_enable_extensions = ["deflist", "attrs_block", "attrs_inline"]
nitpicky = True
suppress_warnings = ["misc.highlighting_failure"]  # consoles show what no lexer knows
highlight_language = "text"
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
gettext_auto_build = True

html_theme = "furo"
html_title = "minigrad"
html_static_path = [str(HERE / "static"), os.environ.get("MINIGRAD_SITE_STATIC", str(HERE / "static"))]
html_extra_path = [os.environ["MINIGRAD_SITE_ASSETS"]] if "MINIGRAD_SITE_ASSETS" in os.environ else []
html_css_files = ["drawings.css", "lesson.css", "site.css"]
html_js_files = [("lesson.js", {"defer": "defer"}), ("site.js", {"defer": "defer"})]
templates_path = [str(HERE / "templates")]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_show_search_summary = False  # it would fetch every page found, which a page opened as a file may not
html_use_index = False
html_domain_indices = False
html_scaled_image_link = False
html_theme_options: dict[str, Any] = {
    "top_of_page_buttons": [],
    "light_css_variables": {
        "color-brand-primary": "#0a3a94",
        "color-brand-content": "#0b5394",
        "color-brand-visited": "#6b3fa0",
    },
    "dark_css_variables": {
        "color-brand-primary": "#a2cdff",
        "color-brand-content": "#8ec5ff",
        "color-brand-visited": "#c9a6ff",
    },
}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}


_trees: dict[tuple[str, str], str] = {}


def _context(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """The same page in the other language, which has the same name there."""
    other = "es" if language == "en" else "en"
    with speaking(other):
        context["other_words"] = say("site.switch")
    context["other_language"] = other
    context["other_page"] = "../" * (pagename.count("/") + 1) + f"{other}/{pagename}.html"
    with speaking(language):
        context["next_words"], context["previous_words"] = say("site.next"), say("site.previous")
    if (context.get("meta") or {}).get(
        "orphan"
    ):  # no chapter lists it: all of one folder have one navigation
        context["toctree"] = _kept(pagename.rpartition("/")[0], context["toctree"])


def _kept(folder: str, toctree: Any) -> Any:
    """The navigation, made once: Sphinx copies the whole tree for each page."""

    def tree(**wishes: Any) -> str:
        key = folder, repr(sorted(wishes.items()))
        if key not in _trees:
            _trees[key] = toctree(**wishes)
        return _trees[key]

    return tree


def _finished(app: Any, failed: Exception | None) -> None:
    """Says in the reader's language what the theme says in English only."""
    if failed is None:
        for page in Path(app.outdir).rglob("*.html"):
            text = page.read_text(encoding="utf-8")
            changed = dressed(text, theme_words(language))
            if changed != text:
                page.write_text(changed, encoding="utf-8")


class _Remembered(SearchEnglish if language == "en" else SearchSpanish):  # type: ignore[misc]
    """Sphinx finds the stem of a word anew on each of 300 pages."""

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self.stem = cache(super().stem)


def setup(app: Any) -> None:
    app.add_search_language(_Remembered)
    app.connect("html-page-context", _context, priority=400)  # before the theme's
    app.connect("build-finished", _finished)
