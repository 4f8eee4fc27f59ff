"""Every file that the studio serves, read when it starts: a fixed table from address to bytes.

An address is looked up, never turned into a path, so that nothing else can be asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from ..player.page import SCRIPTS, stylesheet

__all__ = ["File", "table"]

HERE = Path(__file__).parent
PLAYER = HERE.parent / "player"
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}


@dataclass(frozen=True, slots=True)
class File:
    body: bytes
    type: str


def table(here: Path = HERE) -> Mapping[str, File]:
    """Addresses and what stands there: the page, its scripts and its style sheets."""
    styles = {"player.css": stylesheet()}
    styles |= {path.name: _read(path) for path in sorted(here.glob("*.css"))}
    scripts = {name: _read(PLAYER / name) for name in SCRIPTS}
    ours = sorted(path.name for path in here.glob("*.js"))
    for name in sorted(ours, key=lambda name: name == "studio.js"):  # it begins, so it comes last
        if name in scripts:
            raise RuntimeError(f"two scripts are called {name}")
        scripts[name] = _read(here / name)
    page = _read(here / "page.html")
    links = [f'<link rel="stylesheet" href="/static/{escape(name)}">' for name in styles]
    tags = [f'<script src="/static/{escape(name)}" defer></script>' for name in scripts]
    page = page.replace("<!-- styles -->", "\n".join(links)).replace("<!-- scripts -->", "\n".join(tags))
    files = {"/": _file("page.html", page)}
    return files | {f"/static/{name}": _file(name, text) for name, text in {**styles, **scripts}.items()}


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _file(name: str, text: str) -> File:
    return File(text.encode(), f"{TYPES[Path(name).suffix]}; charset=utf-8")
