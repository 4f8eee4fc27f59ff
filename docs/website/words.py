"""What the theme writes into every page in English only, in the language of the page."""

from __future__ import annotations

import re

from minigrad.text.translation import catalogue, say, speaking

__all__ = ["dressed", "theme_words"]

_HEADING = 'role="heading"'  # of a chapter in the navigation; a heading has to say its level

# What furo writes into every page without asking for a translation, and the row that translates it.
_THEME = {
    "Toggle site navigation sidebar": "site.theme.navigation",
    "Toggle table of contents sidebar": "site.theme.contents",
    "Toggle Light / Dark / Auto color theme": "site.theme.colours",
    "Skip to content": "site.theme.skip",
    "Back to top": "site.theme.top",
    "On this page": "site.theme.page",
    "Toggle navigation of ": "site.theme.below",
    "Link to this heading": "site.theme.heading",
    "Please activate JavaScript to enable the search functionality.": "site.theme.script",
}


def theme_words(lang: str) -> dict[str, str]:
    """English words of the theme, and what stands in their place."""
    rows = catalogue()
    with speaking(lang):
        for english, key in _THEME.items():
            if rows[key][0] != english:
                raise RuntimeError(f"{key} is not what the theme says: {english!r}")
        return {english: say(key) for english, key in _THEME.items()}


def dressed(page: str, words: dict[str, str]) -> str:
    """A page with these words replaced where the theme writes them: as a label, or between tags."""
    for english, other in words.items():
        end = "" if english.endswith(" ") else '"'  # a name follows
        for attribute in ("aria-label", "title"):
            page = page.replace(f'{attribute}="{english}{end}', f'{attribute}="{other}{end}')
        page = re.sub(rf"(>\s*){re.escape(english)}(\s*<)", rf"\g<1>{other}\g<2>", page)
    return page.replace(f"{_HEADING}>", f'{_HEADING} aria-level="2">')
