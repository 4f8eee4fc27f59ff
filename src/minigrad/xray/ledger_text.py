"""Ledgers of gradients as text: uses, routes, what is left over; the sizes in a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from ..text.numerals import show
from ..text.page import Page, Sections, columns
from ..text.translation import say

if TYPE_CHECKING:
    from .ledger import GradientLedger, GradientPart
    from .tensor_trace import TensorTrace

__all__ = ["ledger_sections", "model_sections", "part_name"]

SEEN = 1e-5  # a remainder below this is rounding
EACH = 12  # shares of single calls that are printed


def part_name(part: GradientPart) -> str:
    """What a part is called in a sentence."""
    if part.role:
        return say(f"xray.part.{part.role}")
    if not part.module:
        return say(f"xray.part.{part.kind}.outside", op=part.op)
    return say(f"xray.part.{part.kind}", module=part.module, op=part.op)


def ledger_sections(ledger: GradientLedger, page: Page) -> Sections:
    from .ledger import CANCELS

    lines = page.wrap(f"{ledger.name}: {_sum_of(ledger.uses)}", kind="grad")
    lines += page.wrap(say("xray.ledger.norm", norm=show(ledger.norm)))
    if not ledger.norm:
        lines += page.wrap(say("xray.ledger.zero"))
    elif not isfinite(ledger.norm):
        lines += page.wrap(say("xray.ledger.bad"))
    elif ledger.cancellation > CANCELS:
        together, times = sum(part.norm for part in ledger.uses), ledger.cancellation
        lines += page.wrap(say("xray.ledger.cancels", together=show(together), times=show(times, 3)))
    yield say("xray.ledger.title", name=ledger.name), lines
    yield say("xray.ledger.uses"), [*_table(ledger.uses, page), *_rest(ledger.rest_of_uses, page)]
    if ledger.of_routes is None:
        return
    use = part_name(ledger.of_routes)
    if len(ledger.routes) < 2:
        if not ledger.routes and ledger.of_routes.count == 1:
            yield say("xray.ledger.routes"), page.wrap(say("xray.ledger.one", use=use))
        return
    lines = page.wrap(say("xray.ledger.of", use=use))
    lines += [*_table(ledger.routes, page), *_rest(ledger.rest_of_routes, page)]
    if ledger.unfinished:
        lines += page.wrap(say("xray.ledger.unfinished", passes=ledger.passes))
    yield say("xray.ledger.routes"), lines


def _sum_of(parts: Sequence[GradientPart]) -> str:
    """0.62 as the output layer + 0.38 as the input embedding."""
    text = ""
    for part in parts[:4]:
        sign = (" - " if part.share < 0 else " + ") if text else ("-" if part.share < 0 else "")
        text += f"{sign}{_short(abs(part.share))} {part_name(part)}"
    if len(parts) > 4:
        text += " + " + say("xray.page.more", count=len(parts) - 4)
    return text


def _short(share: float) -> str:
    return f"{share:.2f}" if isfinite(share) else "?"


def _table(parts: Sequence[GradientPart], page: Page) -> Iterator[str]:
    head = ["", say("xray.model.columns.norm"), "", ""]
    rows = [
        [f"{part.share:+.3f}" if isfinite(part.share) else "?", show(part.norm, 4), part_name(part),
         str(part.place) if part.place.line else ""]
        for part in parts
    ]  # fmt: skip
    for at, (share, norm, name, place) in enumerate(columns([head, *rows])):
        yield f"    {page.ink('grad', share)}  {norm}  {name}  {page.ink('faint', place)}".rstrip()
        part = parts[at - 1] if at else None
        if part is not None and part.each:
            each = [f"{share:+.2f}" for share in part.each]
            shown = each if len(each) <= EACH else [*each[: EACH // 2], "...", *each[-EACH // 2 :]]
            yield from page.wrap(
                say("xray.ledger.many", count=part.count, each=" ".join(shown)), indent=" " * 12
            )


def _rest(share: float, page: Page) -> list[str]:
    return page.wrap(say("xray.ledger.rest", share=show(share, 3))) if abs(share) > SEEN else []


def model_sections(trace: TensorTrace, page: Page) -> Sections:
    """Every parameter with the size of its gradient, and every module with its factor."""
    known = [(name, size) for name, size in trace.gradients.items()]
    known.sort(key=lambda row: -row[1].norm if row[1] is not None else 1.0)
    rows = [["", say("xray.model.columns.norm"), say("xray.model.columns.largest"),
             say("xray.model.columns.zeros"), ""]]  # fmt: skip
    for name, size in known:
        if size is None:
            rows.append([name, "-", "", "", say("xray.model.none")])
        else:
            health = "" if size.health == "right" else say(f"xray.health.{size.health}")
            largest = show(max(size.high, -size.low), 4)
            rows.append([name, show(size.norm, 4), largest, f"{size.zero_share:.0%}", health])
    yield (
        say("xray.model.parameters"),
        list(page.clip(["  " + "  ".join(row).rstrip() for row in columns(rows)])),
    )
    depth = [["", "", "", say("xray.model.columns.factor")]]
    depth += [
        [row.module or "model", show(row.above, 4), f"-> {show(row.below, 4)}", f"x {show(row.factor, 3)}"]
        for row in trace.depth()
    ]
    if len(depth) > 1:
        yield say("xray.model.depth"), list(page.clip(["  " + "  ".join(row) for row in columns(depth)]))
    for key, fields in trace.notes:
        yield say("note.title"), page.wrap(say(key, **fields))
