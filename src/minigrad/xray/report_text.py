"""A report on a program as text: its sections, and the sentences of its entries."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..text.escape import visible
from ..text.excerpts import cut
from ..text.numerals import show
from ..text.page import Page
from ..text.translation import say
from .report import FINDING, HEALTHY, SUSPECT

if TYPE_CHECKING:
    from .report import XrayEntry, XrayReport

__all__ = ["instead", "sections", "title", "what"]

LONGEST = 200  # characters of a field, or of a line of the user's
MOST = 8  # entries of a section on a screen


def title(report: XrayReport) -> str:
    return say("xray.title")


def sections(report: XrayReport, page: Page) -> Iterator[tuple[str, list[str]]]:
    word = say(f"xray.verdict.{report.verdict.replace(' ', '_')}")
    kind = {SUSPECT: "wrong", HEALTHY: "right"}.get(report.verdict, "title")
    because = say(
        f"xray.because.{report.verdict.replace(' ', '_')}",
        findings=len(report.findings),
        facts=len(report.facts),
    )
    first, *rest = page.wrap(f"{word} {because}")
    lines = [first.replace(word, page.ink(kind, word), 1), *rest]
    for code, about in report.seen:
        lines += page.wrap(say(f"xray.seen.{code}", about=_brief(about)))
    yield say("xray.title.verdict"), lines
    for key, entries in (("findings", report.findings), ("facts", report.facts)):
        if not entries:
            continue
        shown = entries if page.rows is None else entries[:MOST]
        lines = [line for entry in shown for line in _entry(entry, page)]
        if len(shown) < len(entries):
            lines += page.wrap(say("xray.more", count=len(entries) - len(shown)))
        yield say(f"xray.title.{key}"), lines
    if report.remarks:
        yield (
            say("xray.title.unseen"),
            [
                line
                for remark in report.remarks
                for line in page.wrap(say(f"xray.unseen.{remark.code}", about=_brief(remark.about)))
            ],
        )


def _entry(entry: XrayEntry, page: Page) -> Iterator[str]:
    place = f"{os.path.basename(entry.place.file)}:{entry.place.line}  " if entry.place.line else ""
    head = f"  {visible(place)}{entry.family}"
    yield page.ink("wrong" if entry.grade == FINDING else "title", head)
    if text := entry.place.text if entry.place.line else "":
        yield page.ink("faint", f"    > {visible(cut(text, page.width - 6))}")
    yield from page.wrap(what(entry), "    ")
    yield from page.wrap(instead(entry), "    ")


def what(entry: XrayEntry) -> str:
    return say(f"xray.what.{entry.code}", **_fields(entry))


def instead(entry: XrayEntry) -> str:
    return say(f"xray.instead.{entry.code}", **_fields(entry))


def _fields(entry: XrayEntry) -> dict[str, str]:
    words = {
        key: show(x) if isinstance(x, (int, float)) else _brief(str(x)) for key, x in entry.fields.items()
    }
    if "cure" in words:
        words["cure"] = say(f"xray.cure.{words['cure']}")
    return {"line": str(entry.place.line), **words}


def _brief(text: str) -> str:
    return cut(visible(" ".join(text.split())), LONGEST)
