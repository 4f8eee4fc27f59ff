"""Folder of a class: the places of its files, and writing it whole or not at all.

A file that is there already and says something else is not overwritten, because a learner may have filled
it in; only the key of the same class and seed is renewed, and only if it still has every sheet it had.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shutil import rmtree

from ...cli.arguments import UsageError
from ...text.escape import printable, visible
from ...text.excerpts import listed
from ...text.translation import say
from .answer_key import codes_of, key_json, key_markdown, seed_of
from .sheet import Sheet, SheetPlan
from .sheet_html import sheet_html
from .sheet_markdown import escape_markdown, sheet_markdown
from .sheet_notebook import sheet_notebook

__all__ = ["FORMS", "KEY", "class_files", "write_files"]

FORMS: Mapping[str, Callable[[Sheet], str]] = {
    "md": sheet_markdown,
    "html": sheet_html,
    "ipynb": sheet_notebook,
}
KEY, READABLE_KEY, ABOUT = "key.json", "key.md", "README.md"
OURS = (KEY, READABLE_KEY, ABOUT)  # that are made anew for the same seed


def class_files(
    plan: SheetPlan, sheets: Sequence[Sheet], forms: Sequence[str], folder: str
) -> dict[str, str]:
    """Every file of a class, by its path in the folder."""
    files = {f"sheets/{sheet.learner.slug}.{form}": FORMS[form](sheet) for sheet in sheets for form in forms}
    about = {"title": escape_markdown(plan.title), "count": len(sheets), "seed": plan.seed, "folder": folder}
    return {
        ABOUT: say("classroom.readme", **about),
        KEY: key_json(plan, sheets),
        READABLE_KEY: key_markdown(plan, sheets),
        **files,
    }


def write_files(folder: Path, files: Mapping[str, str], seed: int | None = None, force: bool = False) -> int:
    """Write all of them or none; how many were new or other than before.

    They are written beside their places first, so that a disk that is full changes nothing.
    """
    folder = Path(os.path.realpath(folder))
    if folder.exists() and not folder.is_dir():
        raise UsageError(say("classroom.folder.file", path=visible(str(folder))))
    needed = {name: text for name, text in files.items() if _differs(folder / name, text)}
    _allowed(folder, needed, seed, force)
    if not needed:
        return 0
    fresh = not folder.exists()
    stage = folder.parent if fresh else folder
    beside = stage / f".minigrad-{os.urandom(8).hex()}.part"
    try:
        for name, text in needed.items():
            path = beside / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        if fresh:
            beside.rename(folder)
        else:
            for name in needed:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (beside / name).replace(folder / name)
    except OSError as error:
        error.filename, error.filename2 = str(folder), None  # the one that was asked for
        raise
    finally:
        rmtree(beside, ignore_errors=True)
    return len(needed)


def _differs(path: Path, text: str) -> bool:
    if not path.exists():
        return True
    return not path.is_file() or path.read_bytes() != text.encode()


def _allowed(folder: Path, needed: Mapping[str, str], seed: int | None, force: bool) -> None:
    """UsageError where a file would be lost."""
    if force:
        return
    same = (folder / KEY).is_file() and seed_of(_text(folder / KEY)) == seed
    if same and KEY in needed:
        old, new = codes_of(_text(folder / KEY)), codes_of(needed[KEY])
        if lost := [printable(name) for code, name in old.items() if code not in new]:
            about = {"path": visible(str(folder / KEY)), "names": listed(lost)}
            raise UsageError(say("classroom.folder.lost", **about))
    taken = [name for name in needed if (folder / name).exists() and not (same and name in OURS)]
    if taken:
        first, more = visible(str(folder / taken[0])), len(taken) - 1
        if more:
            raise UsageError(say("classroom.folder.taken.more", path=first, more=more))
        raise UsageError(say("classroom.folder.taken", path=first))


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")
