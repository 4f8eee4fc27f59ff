"""Every built page is read again: what it leads to is there, what it loads is its own, its language is said.

`problems(site)` names what is wrong, page by page:
    a link, a picture, a script or a frame that leads nowhere, or to a place in a page that is not there
    anything that would be loaded from another host, also by a style sheet
    two elements with one id
    a page whose language is not that of its folder, or that has no twin in the other language
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from minigrad.text.translation import LANGUAGES

__all__ = ["problems"]

LOADED = {  # what a browser fetches by itself
    ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "srcset"), ("source", "src"),
    ("img", "srcset"), ("video", "src"), ("audio", "src"), ("embed", "src"), ("object", "data"),
    ("image", "href"), ("use", "href"), ("input", "src"),
}  # fmt: skip
FETCHING_LINKS = {
    "stylesheet",
    "icon",
    "shortcut",
    "preload",
    "prefetch",
    "modulepreload",
    "preconnect",
    "manifest",
}
INSIDE = ("data", "mailto", "about", "javascript")
_IN_STYLES = re.compile(r"""(?:url\(\s*['"]?|@import\s+['"])([^'")\s]+)""")


@dataclass
class Page:
    """What is of interest in one HTML file."""

    language: str = ""
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)  # where a reader can go
    loads: list[str] = field(default_factory=list)  # what a browser fetches
    twins: list[tuple[str, str]] = field(default_factory=list)  # language and address of the alternates
    switches: list[tuple[str, str]] = field(default_factory=list)  # the same of links that a reader sees


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        page = self.page
        self._in_style = tag == "style"
        if tag == "html":
            page.language = found.get("lang", "")
        if "id" in found:
            page.ids.append(found["id"])
        if tag == "a" and "name" in found:
            page.ids.append(found["name"])
        if "style" in found:
            page.loads += _IN_STYLES.findall(found["style"])
        for name, value in found.items():
            if (tag, name) in LOADED:
                page.loads += (
                    [part.split()[0] for part in value.split(",") if part.strip()]
                    if name == "srcset"
                    else [value]
                )
        if tag == "link":
            kinds = {*found.get("rel", "").split()}
            (page.loads if kinds & FETCHING_LINKS else page.links).append(found.get("href", ""))
            if "alternate" in kinds:
                page.twins.append((found.get("hreflang", ""), found.get("href", "")))
        elif tag in ("a", "area") and "href" in found:
            page.links.append(found["href"])
            if "hreflang" in found:
                page.switches.append((found["hreflang"], found["href"]))
        elif tag == "form" and found.get("action"):
            page.loads.append(found["action"])

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.page.loads += _IN_STYLES.findall(data)


@cache
def _read(path: Path, changed: float) -> Page:
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader.page


def page_at(path: Path) -> Page:
    return _read(path, path.stat().st_mtime)


def problems(site: Path) -> list[str]:
    """What is wrong with a built site; nothing, if all is well."""
    site = site.resolve()
    _of_address.cache_clear()
    pages = sorted(site.rglob("*.html"))
    if not pages:
        return [f"{site.name}: there is no page"]
    found = []
    for path in pages:
        where = path.relative_to(site).as_posix()
        found += [f"{where}: {words}" for words in _of_page(site, path)]
    for path in sorted(site.rglob("*.css")):
        where = path.relative_to(site).as_posix()
        for target in _IN_STYLES.findall(path.read_text(encoding="utf-8")):
            found += [f"{where}: {words}" for words in _of_load(site, path, target)]
    return found


def _of_page(site: Path, path: Path) -> Iterator[str]:
    page = page_at(path)
    for twice in sorted(name for name, times in Counter(page.ids).items() if times > 1):
        yield f"the id {twice} stands twice"
    folder = path.relative_to(site).parts[0]
    if folder in LANGUAGES:
        if page.language != folder:
            yield f"its language is {page.language or 'not said'}, and its folder {folder}"
        if "players" not in path.parts:
            yield from _of_twins(site, path, page, folder)
    for target in dict.fromkeys(page.loads):
        yield from _of_load(site, path, target)
    for target in dict.fromkeys(page.links):
        if urlsplit(target).scheme not in ("http", "https", *INSIDE):
            yield from _of_target(site, path, target)


def _of_twins(site: Path, path: Path, page: Page, folder: str) -> Iterator[str]:
    inside = path.relative_to(site / folder)
    for other in LANGUAGES:
        if other == folder:
            continue
        twin = site / other / inside
        if not twin.exists():
            yield f"there is no {other}/{inside.as_posix()}"
        for leads in (page.twins, page.switches):
            said = {_at(path.parent, address) for lang, address in leads if lang == other}
            if said != {twin}:
                yield f"it does not lead to the same page in {other}"


def _of_load(site: Path, path: Path, target: str) -> Iterator[str]:
    parts = urlsplit(target)
    if parts.scheme in INSIDE:
        return
    if parts.scheme or parts.netloc:
        yield f"it loads {target} from another host"
        return
    yield from _of_target(site, path, target)


def _of_target(site: Path, path: Path, target: str) -> Iterator[str]:
    parts = urlsplit(target)
    if parts.path or parts.netloc:
        yield from _of_address(site, path.parent, target)
    else:
        yield from _of_place(path, target, parts.fragment)


@cache  # the navigation leads from every page of a folder to the same ones
def _of_address(site: Path, folder: Path, target: str) -> tuple[str, ...]:
    parts = urlsplit(target)
    if parts.netloc or parts.path.startswith("/"):
        return (f"{target} does not begin at this page",)
    aim = _at(folder, unquote(parts.path))
    if not aim.is_relative_to(site):
        return (f"{target} is outside the site",)
    if not aim.is_file():
        return (f"{target} is not there",)
    return tuple(_of_place(aim, target, parts.fragment))


def _of_place(aim: Path, target: str, fragment: str) -> Iterator[str]:
    if fragment not in ("", "top") and unquote(fragment) not in _places(aim):
        yield f"{target}: there is no such place in that page"


def _at(folder: Path, address: str) -> Path:
    """Where an address leads that stands in a page of a folder."""
    return Path(os.path.normpath(folder / address))


def _places(path: Path) -> list[str]:
    return page_at(path).ids if path.suffix == ".html" else []
