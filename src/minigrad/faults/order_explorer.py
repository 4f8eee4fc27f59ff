"""The order explorer: one frame per valid order, the right pass above and the broken one below.

A frame is a pure function of a lab and an index, so that a terminal, a file and a test see the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..graph.wording import name
from ..text.excerpts import cut
from ..text.numerals import counted, show
from ..text.page import Page, columns
from ..text.translation import say
from .break_lab import Lab
from .contribution_text import account_in_words, show_apart
from .contributions import same
from .lab_table import order_text
from .order_runs import OrderRun

__all__ = ["frame", "frames", "headline"]

INPUTS = 8  # that are shown; of more, those that some order gets wrong come first


def frames(lab: Lab) -> int:
    """How many there are."""
    return len(lab.runs.listed) if lab.runs is not None else 0


def frame(lab: Lab, index: int, page: Page | None = None) -> list[str]:
    """The lines of one frame; all frames of a lab have the same number of lines."""
    page = page or Page()
    if lab.runs is None:
        return page.wrap(say("lab.run.endless"))
    run = lab.runs.listed[index]
    shown = _inputs_to_show(lab)
    lines = [
        page.ink("title", "  " + headline(lab, index)),
        page.ink("faint", f"  {_slider(lab, index)}"),
        "",
    ]
    lines += _cut(page, order_text(lab, run.order))
    rows = [["", say("lab.scrub.right"), say("lab.scrub.broken"), ""]]
    for i in shown:
        fits = same(lab.right.grads[i], run.grads[i])
        rows.append([name(lab.graph, i), show(lab.right.grads[i]), _number(lab, run, i), "" if fits else "*"])
    for at, (who, right, broken, mark) in enumerate(_aligned(lab, rows)):
        left, number = f"    {who}  ", f"{broken}{mark}".rstrip()
        if at == 0:
            lines.append(page.ink("faint", f"{left}{right}  {number}"))
        else:
            kind = "wrong" if mark else "grad"
            lines.append(f"{left}{page.ink('right', right)}  {page.ink(kind, number)}")
    lines.append("")
    accounts = lab.accounts_in(run.order)
    for i in shown:
        if i in accounts:
            kind = "faint" if accounts[i].right else "wrong"
            lines += _cut(page, account_in_words(lab.graph, accounts[i]), kind)
    return lines


def _number(lab: Lab, run: OrderRun, i: int) -> str:
    right, got = lab.right.grads[i], run.grads[i]
    return show(got) if same(right, got) else show_apart(got, right)


def headline(lab: Lab, index: int) -> str:
    """Which of how many results a frame shows, and how many orders give it."""
    runs = lab.runs
    assert runs is not None
    run: OrderRun = runs.listed[index]
    if runs.single or runs.orders == 1:
        return say("lab.scrub.order", number=index + 1, count=len(runs.listed))
    if not runs.complete:
        return say("lab.scrub.sample", number=index + 1, count=len(runs.listed))
    about = {"number": index + 1, "count": len(runs.listed), "orders": counted(run.count)}
    return say("lab.scrub.result", **about)


def _slider(lab: Lab, index: int) -> str:
    """Where this frame stands among all."""
    return "".join("●" if at == index else "○" for at in range(frames(lab)))


def _cut(page: Page, text: str, kind: str = "") -> Iterator[str]:
    """A line that does not wrap: a frame that grows and shrinks would leave traces on a terminal."""
    text = cut(text, page.width - 2)
    yield page.ink(kind, f"  {text}") if kind else f"  {text}"


def _inputs_to_show(lab: Lab) -> list[int]:
    assert lab.runs is not None
    inputs = lab.graph.inputs

    def ever_wrong(i: int) -> bool:
        return (
            any(not same(lab.right.grads[i], run.grads[i]) for run in lab.runs.listed) if lab.runs else False
        )

    return sorted(sorted(inputs, key=lambda i: not ever_wrong(i))[:INPUTS])


def _aligned(lab: Lab, rows: list[list[str]]) -> list[list[str]]:
    """Numbers to the right; a column is as wide in every frame as in the widest."""
    assert lab.runs is not None
    numbers = [_number(lab, run, i) for run in lab.runs.listed for i in lab.graph.inputs]
    right = max(len(row[1]) for row in rows)
    broken = max(len(rows[0][2]), *map(len, numbers)) if numbers else len(rows[0][2])
    padded = [[who, r.rjust(right), b.rjust(broken), mark] for who, r, b, mark in rows]
    return columns(padded)
