"""The run as a table: a row for the right pass, and one for each order or each result of the broken one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..graph.wording import name, names
from ..text.numerals import counted, show
from ..text.page import Page
from ..text.translation import say
from .break_lab import Lab
from .contribution_text import show_apart
from .contributions import same
from .order_runs import FEW, OrderRun, OrderRuns

__all__ = ["order_text", "run_table", "wrong_inputs"]

WRONG = "*"  # behind a wrong number, where there is no colour to see
LEAST = 16  # columns that an order needs to be recognised


def run_table(lab: Lab, page: Page) -> Iterator[str]:
    runs, graph = lab.runs, lab.graph
    if runs is None or lab.broken is None:
        return
    output = graph.output
    right, broken = lab.right.values[output], lab.broken.values[output]
    if not same(right, broken):
        about = {"name": name(graph, output), "right": show(right), "broken": show_apart(broken, right)}
        yield from page.wrap(say("lab.run.value", **about), kind="wrong")
    shown = _fitting(lab, runs, page)
    labels = [say("lab.run.order"), _right_label(runs), *(_label(lab, runs, run) for run in runs.listed)]
    heads = [name(graph, i) for i in shown]
    table = [[show(lab.right.grads[i]) + " " for i in shown]]
    for run in runs.listed:
        table.append([_cell(lab, run, i) for i in shown])
    widths = [max(len(head) + 1, *(len(row[at]) for row in table)) for at, head in enumerate(heads)]
    room = page.width - 2 - sum(2 + w for w in widths)
    wide = min(room, max(map(len, labels)))

    def line(label: str, cells: Sequence[str]) -> str:
        return "".join(
            [f"  {label.ljust(wide)}", *(f"  {c.rjust(w)}" for c, w in zip(cells, widths, strict=True))]
        )

    yield page.ink("faint", line(labels[0][:wide], [f"{head} " for head in heads]).rstrip())
    rows = []
    passes = [lab.right.grads, *(run.grads for run in runs.listed)]
    for at, (label, cells, grads) in enumerate(zip(labels[1:], table, passes, strict=True)):
        above: list[str] = []
        if len(label) > wide:  # the order on lines of its own, the numbers below
            above, label = page.wrap(label), ""
        text = line(label, cells).rstrip()
        kind = "right" if at == 0 else "wrong" if wrong_inputs(lab, grads) else ""
        rows.append("\n".join([*above, page.ink(kind, text) if kind else text]))
    yield from replace(page, rows=page.rows and FEW).clip(rows)
    if any(WRONG in cell for row in table for cell in row):
        yield page.ink("faint", "  " + say("lab.run.mark", mark=WRONG))
    left = len(graph.inputs) - len(shown)
    if left:
        yield page.ink("faint", "  " + say("lab.run.columns", count=counted(left)))
    for sentence in _remarks(lab, runs):
        yield from page.wrap(sentence)


def order_text(lab: Lab, order: Sequence[int], most: int = 12) -> str:
    """L, f, e, ab; a long one is cut."""
    if not order:
        return say("lab.run.nobody")
    if len(order) <= most:
        return names(lab.graph, order)
    return f"{names(lab.graph, order[:most])}, ... ({counted(len(order))})"


def wrong_inputs(lab: Lab, grads: Sequence[float]) -> list[int]:
    return [i for i in lab.graph.inputs if not same(lab.right.grads[i], grads[i])]


def _cell(lab: Lab, run: OrderRun, i: int) -> str:
    right, got = lab.right.grads[i], run.grads[i]
    return show(got) + " " if same(right, got) else show_apart(got, right) + WRONG


def _fitting(lab: Lab, runs: OrderRuns, page: Page) -> list[int]:
    """The inputs that there is room for; those that come out wrong go first."""
    inputs = lab.graph.inputs
    wrong = {i for run in runs.listed for i in wrong_inputs(lab, run.grads)}
    room = page.width - 2 - LEAST
    chosen: list[int] = []
    for i in sorted(inputs, key=lambda i: i not in wrong):
        cells = [show(lab.right.grads[i]), *(_cell(lab, run, i) for run in runs.listed)]
        room -= 3 + max(len(name(lab.graph, i)), *map(len, cells))
        if room < 0 and chosen:
            break
        chosen.append(i)
    return sorted(chosen)


def _right_label(runs: OrderRuns) -> str:
    if runs.orders is None:
        return say("lab.run.right.many")
    if runs.orders == 1:
        return say("lab.run.right.one")
    return say("lab.run.right", count=counted(runs.orders))


def _label(lab: Lab, runs: OrderRuns, run: OrderRun) -> str:
    if runs.single or len(runs.listed) == 1 or not runs.complete:
        return order_text(lab, run.order)
    key = "lab.run.such" if run.count > 1 else "lab.run.such.one"
    return say(key, count=counted(run.count), order=order_text(lab, run.order))


def _remarks(lab: Lab, runs: OrderRuns) -> Iterator[str]:
    several = runs.orders is None or runs.orders > 1
    if several and runs.steady:
        yield say("lab.run.steady")
    if runs.own:
        yield say("lab.run.own")
    if not several:
        if not runs.own:
            yield say("lab.run.only")
    elif not runs.complete:
        yield say("lab.run.cut", count=counted(runs.results))
    elif len(runs.listed) > 1:
        yield say("lab.run.results", count=counted(runs.results))
        yield from _never(lab, runs)
    elif not runs.own:
        yield say("lab.run.every")
    if not lab.shows:
        yield say("lab.run.hidden")


def _never(lab: Lab, runs: OrderRuns) -> Iterator[str]:
    """The right numbers that no order gives."""
    right = lab.right.grads
    lost = [i for i in lab.graph.inputs if all(i in wrong_inputs(lab, run.grads) for run in runs.listed)]
    if lost:
        numbers = say("lab.run.nor").join(f"{name(lab.graph, i)} = {show(right[i])}" for i in lost[:6])
        yield say("lab.run.never", gradients=numbers)
