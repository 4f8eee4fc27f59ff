"""Static files of the studio, read when it starts: a fixed table from address to bytes.

An address is looked up, never turned into a path, so that nothing else can be asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from ..player.page import SCRIPTS, stylesheet

__all__ = ["StaticFile", "static_files"]

HERE = Path(__file__).parent
PLAYER = HERE.parent / "player"
# The second page: what it takes from the first, and what is its own.
SHARED = ("elements.js", "server_connection.js", "masthead.js", "state_link.js", "lab.js")
LESSONS = ("course_contents.js", "lesson_blocks.js", "lesson_lab.js", "checkpoint.js", "lessons.js")
BEGIN = ("studio.js", "lessons.js")  # these begin, so they come last
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}


@dataclass(frozen=True, slots=True)
class StaticFile:
    body: bytes
    type: str


def static_files(here: Path = HERE) -> Mapping[str, StaticFile]:
    """Addresses and what stands there: the pages, their scripts and their style sheets."""
    styles = {"player.css": stylesheet()}  # the course overrules the studio, and both the player
    styles |= {path.name: _read(path) for path in sorted(here.glob("*.css"), reverse=True)}
    scripts = {name: _read(PLAYER / name) for name in SCRIPTS}
    ours = sorted(path.name for path in here.glob("*.js"))
    for name in sorted(ours, key=lambda name: name in BEGIN):
        if name in scripts:
            raise RuntimeError(f"two scripts are called {name}")
        scripts[name] = _read(here / name)
    studio = [name for name in scripts if name not in LESSONS]
    lessons = [name for name in scripts if name in (*SCRIPTS, *SHARED, *LESSONS)]
    files = {
        "/": _page(here / "studio.html", [name for name in styles if name != "lessons.css"], studio),
        "/learn": _page(here / "lessons.html", list(styles), lessons),
    }
    return files | {f"/static/{name}": _file(name, text) for name, text in {**styles, **scripts}.items()}


def _page(path: Path, styles: Sequence[str], scripts: Sequence[str]) -> StaticFile:
    links = [f'<link rel="stylesheet" href="/static/{escape(name)}">' for name in styles]
    tags = [f'<script src="/static/{escape(name)}" defer></script>' for name in scripts]
    head = _read(path.with_name("head.html")) + "\n".join(links)  # what all pages have
    page = _read(path).replace("<!-- head -->", head).replace("<!-- scripts -->", "\n".join(tags))
    return _file(path.name, page)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _file(name: str, text: str) -> StaticFile:
    return StaticFile(text.encode(), f"{TYPES[Path(name).suffix]}; charset=utf-8")
