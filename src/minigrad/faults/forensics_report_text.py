"""Forensics in words: the verdict, the numbers, what happened, what else it may be, how to find out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..graph.wording import name, names
from ..text.escape import printable
from ..text.numerals import counted, show
from ..text.page import Page, columns
from ..text.translation import pick, say
from .contribution_text import account_in_words, show_apart
from .distinction import Distinction
from .forensics import RIGHT, UNEXPLAINED, Diagnosis, Forensics

__all__ = ["sections"]

OTHERS = 6  # alternatives that are listed, unless all are asked for


def sections(forensics: Forensics, page: Page) -> Iterator[tuple[str, list[str]]]:
    yield say("forensics.verdict"), list(_verdict(forensics, page))
    yield say("forensics.numbers"), list(page.clip(list(_numbers(forensics, page))))
    if forensics.verdict == RIGHT:
        if forensics.exact:
            rows = columns([found.slugs, found.name()] for found in forensics.exact)
            lines = [line for slugs, words in rows for line in page.beside(f"  {slugs}  ", words)]
            yield say("forensics.exact"), lines
        return
    if forensics.diagnoses:
        yield say("forensics.happened"), list(page.clip(list(_happened(forensics.diagnoses[0], page))))
        if len(forensics.groups) > 1:
            yield say("forensics.others"), list(_others(forensics, page))
        if forensics.distinction is not None:
            yield say("forensics.apart"), list(_apart(forensics.distinction, page))
    else:
        yield say("forensics.closest"), list(_closest(forensics, page))
    if missing := list(_untried(forensics, page)):
        yield say("forensics.untried"), missing


def _verdict(forensics: Forensics, page: Page) -> Iterator[str]:
    if forensics.verdict == RIGHT:
        yield from page.wrap(say("forensics.right.rounded" if forensics.rounded else "forensics.right"))
        return
    if forensics.verdict == UNEXPLAINED:
        cut = any(len(suspects) == 1 for suspects in forensics.untried)
        alone = len(forensics.observed) == 1
        key = "forensics.unexplained.cut" if cut else "forensics.unexplained"
        yield from page.wrap(say("forensics.unexplained.one" if alone and not cut else key))
        return
    best = forensics.diagnoses[0]
    key = "forensics.explained" if len(best.suspects) == 1 else "forensics.explained.pair"
    yield from page.wrap(say(key, name=best.name()))
    for suspect in best.suspects:
        lines = page.wrap(f"{suspect.fault.slug}: {pick(suspect.fault.story)}", "    ")
        yield from (page.ink("faint", line) for line in lines)
    if len(forensics.groups[0]) > 1:
        others = ", ".join(other.slugs for other in forensics.groups[0][1:])
        yield from page.wrap(say("forensics.same", names=others))


def _numbers(forensics: Forensics, page: Page) -> Iterator[str]:
    graph = forensics.graph
    if expression := forensics.expression:
        yield from page.wrap(expression, kind="data")
    rows = [["", say("forensics.got"), say("forensics.expected"), ""]]
    for reading in forensics.observed:
        right = forensics.right.grads[graph.index(reading.name)]
        fits = reading.fits(right, forensics.rounded or forensics.verdict != RIGHT)
        mark = say("forensics.fits" if fits else "forensics.wrong")
        rows.append(
            [
                printable(reading.name),
                show_apart(reading.value, right),
                show_apart(right, reading.value),
                mark,
            ]
        )
    seen = {reading.name for reading in forensics.observed}
    for i in graph.inputs:
        if graph.names[i] not in seen:
            rows.append([name(graph, i), "", show(forensics.right.grads[i]), say("forensics.not_given")])
    wide, wider = (max(len(row[cell]) for row in rows) for cell in (1, 2))
    for label, got, right_text, mark in columns(rows):
        numbers = f"{got.strip().rjust(wide)}  {right_text.strip().rjust(wider)}"
        kind = "wrong" if mark == say("forensics.wrong") else "grad" if mark else "faint"
        mark = page.ink(kind, mark) if kind == "wrong" else mark
        yield f"  {label}  {page.ink(kind, numbers)}  {mark}".rstrip()


# ---- what happened ------------------------------------------------------------------------------


def _happened(diagnosis: Diagnosis, page: Page) -> Iterator[str]:
    graph = diagnosis.graph
    ordered = any(suspect.fault.ordered for suspect in diagnosis.suspects)
    order = names(graph, diagnosis.outcome.order, 30)
    if any(suspect.fault.passes > 1 for suspect in diagnosis.suspects):
        yield from page.wrap(say("forensics.passes"))
    yield from page.wrap(say("forensics.order" if ordered else "forensics.any_order", order=order))
    for i in graph.inputs:
        account = diagnosis.accounts.get(i)
        if account is not None:
            yield from page.wrap(account_in_words(graph, account))


# ---- what else, and how to find out -------------------------------------------------------------


def _others(forensics: Forensics, page: Page) -> Iterator[str]:
    groups = forensics.groups[1:]
    shown = groups if page.rows is None else groups[:OTHERS]
    rows = []
    for group in shown:
        best = group[0]
        alike = f" (= {', '.join(other.slugs for other in group[1:])})" if group[1:] else ""
        rows.append([best.slugs, best.name() + alike])
    for slugs, words in columns(rows):
        yield from page.beside(f"  {slugs}  ", words)
    if len(shown) < len(groups):
        yield page.ink("faint", "  " + say("forensics.more", count=counted(len(groups) - len(shown))))


def _apart(distinction: Distinction, page: Page) -> Iterator[str]:
    given = _gradients(distinction.inputs)
    yield from page.wrap(say("forensics.run", expression=distinction.expression, inputs=given))
    rows = [[say("forensics.right_pass"), _gradients(distinction.expected)]]
    for suspect, results in distinction.numbers:
        either = say("forensics.or").join(_gradients(found) for found in results[:3])
        if len(results) > 3:
            either += say("forensics.or") + "..."
        twice = f" ({say('forensics.second_pass')})" if suspect.fault.passes > 1 else ""
        hides = f" ({say('forensics.hides')})" if results == (distinction.expected,) else ""
        rows.append([suspect.fault.slug, either + twice + hides])
    for who, numbers in columns(rows):
        left = f"    {who}  "
        for line in page.beside(left, numbers):
            yield line[: len(left)] + page.ink("grad", line[len(left) :])


def _gradients(gradients: Mapping[str, float]) -> str:
    return ", ".join(f"{printable(label)} = {show(x)}" for label, x in gradients.items())


def _closest(forensics: Forensics, page: Page) -> Iterator[str]:
    if not forensics.closest:
        yield from page.wrap(say("forensics.nothing_close"))
    for diagnosis in forensics.closest:
        graph = diagnosis.graph
        numbers = {
            reading.name: diagnosis.outcome.grads[graph.index(reading.name)] for reading in forensics.observed
        }
        fields = {"slug": diagnosis.slugs, "name": diagnosis.name()}
        yield from page.wrap(
            say("forensics.near", numbers=_gradients(numbers), missed=", ".join(diagnosis.misses), **fields)
        )


def _untried(forensics: Forensics, page: Page) -> Iterator[str]:
    if forensics.cut:
        yield from page.wrap(say("forensics.cut", names=", ".join(forensics.cut)))
    single = dict.fromkeys(s[0].fault.slug for s in forensics.untried if len(s) == 1)
    if single:
        yield from page.wrap(say("forensics.untried.single", names=", ".join(single)))
    pairs = sum(len(suspects) > 1 for suspects in forensics.untried)
    if pairs:
        yield from page.wrap(say("forensics.untried.pairs", count=counted(pairs)))
