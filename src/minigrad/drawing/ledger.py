"""The ledger of one node: its gradient as the sum over paths, as arrows along one axis.

Each path is an arrow that starts where the one before ended, and the gradient is where the last one ends:
10, then back by 6, makes 4.  Beside each arrow stand the route and its product of local derivatives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite

from ..graph.paths import Path, Paths, paths
from ..graph.trace import Trace
from ..graph.wording import factors, name, product, route, slots, terms
from ..text.numerals import counted, show
from ..text.translation import say
from .arrows import block
from .step_times import Moments, moments
from .svg import Drawing, element, said, short, text, width_of
from .text_lines import Line, TextPiece, clipped, line, size_of

__all__ = ["draw"]

KEEP = 6  # paths that have an arrow of their own
AREA = 300.0  # from the lowest point to the highest
MARGIN, TOP, ROW, THICK, GAP = 16.0, 34.0, 50.0, 7.0, 28.0
COLUMNS = 64  # of a product or a route


@dataclass(frozen=True, slots=True)
class _LedgerEntry:
    """A row of the ledger: an amount, what it is, and when it comes."""

    amount: float
    head: Line
    key: str  # a sentence of the catalogue below it, or "" for a plain text
    words: str
    step: int


def draw(trace: Trace, node: int, found: Paths | None = None) -> Drawing:
    """The ledger of one node; who has its paths already may hand them over."""
    graph = trace.graph
    label, output = (clipped(name(graph, i), COLUMNS // 2) for i in (node, graph.output))
    title = say("ledger.title", node=label, output=output)
    if found is None:
        found = paths(trace, KEEP, (node,)).get(node)
    if found is None or not found.count:
        words = say("ledger.zero", node=label)
        wide = width_of(words, size_of("note")) + 2 * MARGIN
        return Drawing(wide, 48.0, title, words, said("ledger.zero", wide / 2, 29, fields={"node": label}))
    when = moments(trace)
    entries = list(_entries(trace, found, when))
    sign = "=" if found.adds_up else "!="
    words = f"{label}: {show(found.total)} {sign} {terms(graph, found)}"
    return _Ledger(label, found, entries, when.known(node)).drawing(title, words)


def _entries(trace: Trace, found: Paths, when: Moments) -> Iterator[_LedgerEntry]:
    graph = trace.graph
    for path in found.listed:
        words = f"{route(graph, path)}  {slots(graph, path, found)}".rstrip()
        factor = clipped(product(factors(trace, path)), COLUMNS)
        head = line(
            TextPiece(show(path.amount), "grad"), TextPiece(" = ", "local"), TextPiece(factor, "local")
        )
        yield _LedgerEntry(path.amount, head, "", clipped(words, COLUMNS), _arrival(path, found.node, when))
    more = found.count - len(found.listed)
    if more:
        key = "ledger.rest" if more > 1 else "ledger.rest.one"
        head = line(TextPiece(show(found.rest), "grad"))
        yield _LedgerEntry(found.rest, head, key, counted(more), when.known(found.node))


def _arrival(path: Path, node: int, when: Moments) -> int:
    """The step at which the contribution that ends this path comes."""
    if not path.slots:
        return when.seed.get(node, 0)
    sent = when.sent.get((path.nodes[1], path.slots[0])) if len(path.nodes) > 1 else None
    return sent[0] if sent else when.known(node)


class _Ledger:
    """Rows of words on the left, one axis on the right."""

    def __init__(self, label: str, found: Paths, entries: Sequence[_LedgerEntry], known: int) -> None:
        self.label, self.found, self.entries, self.known = label, found, entries, known
        self.total = line(TextPiece(label, "name"), " grad ", TextPiece(show(found.total), "grad", "grad"))
        self.broken = not found.adds_up
        self.finite = all(map(isfinite, (found.total, *(entry.amount for entry in entries))))
        wide = max(self.total.width, *(self._wide(entry) for entry in entries))
        self.left = MARGIN + wide + GAP
        self.places, self.end = self._to_scale() if self.finite else self._unscaled()

    def _wide(self, entry: _LedgerEntry) -> float:
        return max(entry.head.width, width_of(self._said(entry), size_of("note")))

    def _said(self, entry: _LedgerEntry) -> str:
        return say(entry.key, count=entry.words) if entry.key else entry.words

    # ---- where arrows start and end ---------------------------------------------------------

    def _to_scale(self) -> tuple[list[tuple[float, float]], float]:
        """From and to of each arrow, and the end of the total; sums are in units of the largest number."""
        amounts = [entry.amount for entry in self.entries]
        unit = max(map(abs, (self.found.total, *amounts))) or 1.0
        sums = [0.0]
        for amount in amounts:
            sums.append(sums[-1] + amount / unit)
        last = self.found.total / unit
        if not self.broken:
            sums[-1] = last  # without the roundings on the way
        low, high = min(*sums, last), max(*sums, last)
        scale = AREA / ((high - low) or 1.0)
        self.zero = self.left - low * scale
        ends = [self.left + (spot - low) * scale for spot in sums]
        return list(pairwise(ends)), self.left + (last - low) * scale

    def _unscaled(self) -> tuple[list[tuple[float, float]], float]:
        """Arrows that only show a direction, the infinite ones longer."""
        self.zero = self.left + AREA / 2

        def end(amount: float) -> float:
            if amount != amount or not amount:
                return self.zero
            return self.zero + (AREA / 2) * (0.4 if isfinite(amount) else 1.0) * (1 if amount > 0 else -1)

        return [(self.zero, end(entry.amount)) for entry in self.entries], end(self.found.total)

    # ---- the picture ------------------------------------------------------------------------

    def drawing(self, title: str, words: str) -> Drawing:
        count = len(self.entries)
        foot = TOP + ROW * count
        right = self.left + AREA
        body = [
            element("path", class_="axis", d=f"M{short(self.zero)} {short(TOP - 14)}V{short(foot + 42)}"),
            text("0", self.zero, TOP - 19, "note counter"),
            element("path", class_="rule", d=f"M{short(MARGIN)} {short(foot)}H{short(right)}"),
        ]
        for at, entry in enumerate(self.entries):
            body.append(self._row(at, entry))
        total = [
            self.total.draw(MARGIN, foot + 30),
            self._arrow(self.zero, self.end, foot + 25, self.found.total, THICK + 2),
        ]
        body.append(
            element(
                "g",
                element("g", *total, data_step=self.known),
                class_="node",
                data_node=self.found.node,
            )
        )
        height, width = foot + 52, right
        for key, wanted in (("ledger.broken", self.broken), ("ledger.unscaled", not self.finite)):
            if wanted:
                body.append(said(key, MARGIN, height + 6, "note wrong", anchor="start"))
                width = max(width, MARGIN + width_of(say(key), size_of("note")))
                height += 22
        return Drawing(round(width + MARGIN, 1), height, title, words, "\n".join(body))

    def _row(self, at: int, entry: _LedgerEntry) -> str:
        y = TOP + at * ROW
        start, end = self.places[at]
        parts = [entry.head.draw(MARGIN, y + 17)]
        if entry.key:
            parts.append(
                said(entry.key, MARGIN, y + 36, "note counter", {"count": entry.words}, anchor="start")
            )
        else:
            parts.append(text(entry.words, MARGIN, y + 36, "note", "start"))
        if self.finite:  # down to where the next one starts
            parts.append(element("path", class_="rule", d=f"M{short(end)} {short(y + 22)}v{short(ROW - 2)}"))
        parts.append(self._arrow(start, end, y + 22, entry.amount, THICK))
        return element("g", *parts, data_step=entry.step)

    def _arrow(self, start: float, end: float, y: float, amount: float, thick: float) -> str:
        if amount != amount:
            return text("?", start + 8, y + 5, "grad", "start")
        arrow = element("path", class_="bar grad", d=block(start, end, y, thick))
        if abs(end - start) >= 4:
            return arrow
        return arrow + element("circle", class_="bar grad", cx=end, cy=y, r=3.0)  # next to nothing, and seen


if __name__ == "__main__":
    from .demo import demo

    demo(lambda trace: draw(trace, trace.graph.inputs[0]))
