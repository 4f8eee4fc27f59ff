"""From docs/ and the program to HTML: stage both languages, and let Sphinx write each of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import minigrad.learn
from minigrad.drawing.svg import colours, rules
from minigrad.text.translation import speaking

from .faultpages import add_faults
from .lessons import add_course
from .optable import add_ops
from .reference import add_reference
from .staging import Book, book_of, with_chapters, write

__all__ = ["build", "drawing_styles", "stage"]

HERE = Path(__file__).parent
LEARN = Path(minigrad.learn.__file__).parent


def build(out: Path, languages: Sequence[str], jobs: int = 2) -> int:
    """The site of these languages in a folder; not 0 if Sphinx has warned of anything."""
    work = out.with_name(f"{out.name}-source")
    static = work / "static"
    static.mkdir(parents=True, exist_ok=True)
    (static / "drawings.css").write_text(drawing_styles(), encoding="utf-8")
    for name in ("lesson.css", "lesson.js"):
        (static / name).write_text((LEARN / name).read_text(encoding="utf-8"), encoding="utf-8")
    for language in languages:
        write(stage(language), work / language, work / f"{language}-assets")
    worst = 0
    for language in languages:
        command = [sys.executable, "-m", "sphinx", "-q", "-n", "-W", "--keep-going", "-j", str(jobs),
                   "-c", str(HERE), "-D", f"language={language}", "-d", str(work / f"{language}-trees"),
                   str(work / language), str(out / language)]  # fmt: skip
        environment = {
            **os.environ,
            "MINIGRAD_SITE_LANGUAGE": language,
            "MINIGRAD_SITE_STATIC": str(static),
            "MINIGRAD_SITE_ASSETS": str(work / f"{language}-assets"),
        }
        worst = max(worst, abs(subprocess.run(command, env=environment).returncode))
    (out / "index.html").write_text((HERE / "choose.html").read_text(encoding="utf-8"), "utf-8")
    return worst


def stage(language: str) -> Book:
    """Every page of a language: those of docs/, and those that are computed."""
    book = book_of(language)
    with speaking(language):
        for add in (add_course, add_ops, add_faults, add_reference):
            add(book)
    return with_chapters(book)


def drawing_styles() -> str:
    """The colour grammar of the drawings, for pages whose reader can choose light or dark."""
    light, dark = (
        "".join(f"--{name}:{colour};" for name, colour in colours(theme).items()) for theme in (0, 1)
    )
    css = rules({colour: f"var(--{colour})" for colour in colours(0)})
    scoped = "".join(
        ",".join(f".mg-drawing {selector.strip()}" for selector in part.partition("{")[0].split(","))
        + "{" + part.partition("{")[2] + "}\n"
        for part in css.split("}")
        if part.strip()
    )  # fmt: skip
    return (
        f"body{{{light}}}\n@media (prefers-color-scheme: dark){{body:not([data-theme=light]){{{dark}}}}}\n"
        f"body[data-theme=dark]{{{dark}}}\n@media print{{body,body[data-theme]{{{light}}}}}\n{scoped}"
    )
