"""The waterfall: each forward step on the left, and on the same row its mirror image, the backward step.

Forward is read down, backward is read up.  A card on the right says what gradient its node has and what it
sends to its arguments, local * upstream = contribution; where several contributions meet, it shows the
running total: 0, 10, 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..graph import INPUT
from ..graph.trace import Flow, Trace
from ..graph.wording import factor, name, recipe, substituted
from ..text.numerals import show
from ..text.translation import catalogue, say
from .arrows import down, turn, up
from .styled_lines import Line, TextPiece, clip_to_columns, line, size_of
from .svg import Drawing, element, said, width_of
from .timeline import step_times

__all__ = ["draw"]

MOST = 40  # ops that have a row
LEAVES = 16  # inputs that have a line
SENT = 8  # contributions of one op that have a line
TOTALS = 6  # of a running total
COLUMNS = 44  # of what a node is made of
NAME = 20  # columns of a name
MARGIN, TOP, LINE, PADDING, BETWEEN, MIDDLE = 16.0, 44.0, 21.0, 12.0, 26.0, 48.0
SPACE, GAP = 7.5, 16.0  # between words, and between columns


@dataclass(frozen=True, slots=True)
class _WaterfallText:
    """One line of a card: pieces, or a sentence of the catalogue; and whom it is about."""

    line: Line | None = None
    key: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    step: int | None = None
    node: int | None = None
    flow: Flow | None = None

    @property
    def width(self) -> float:
        if self.line is not None:
            return self.line.width
        return _widest(self.key, "note", **dict(self.fields))


@dataclass(frozen=True, slots=True)
class _WaterfallRow:
    """What stands on one row: a card on each side, the right one perhaps empty."""

    left: tuple[_WaterfallText, ...]
    right: tuple[_WaterfallText, ...] = ()
    node: int | None = None  # None for the inputs
    y: float = 0.0

    @property
    def height(self) -> float:
        return LINE * max(len(self.left), len(self.right)) + 2 * PADDING - 6


def draw(trace: Trace, most: int = MOST) -> Drawing:
    """The steps of a pass; of very many, the first and the last."""
    graph = trace.graph
    output = clip_to_columns(name(graph, graph.output), NAME)
    ops = [i for i, node in enumerate(graph.nodes) if node.args]
    hidden = max(0, len(ops) - most)
    first = len(ops) if not hidden else most // 2
    teller = _Teller(trace)
    rows = [teller.leaves(), *(teller.op(i) for i in (*ops[:first], *ops[first + hidden :]))]
    rows = [row for row in rows if row.left]
    gap = len(rows) - (most - first) if hidden else 0
    words = say("waterfall.words", **teller.words(ops))
    return _Waterfall(teller, rows, gap, hidden).drawing(say("waterfall.title", output=output), words)


# ---- what the cards say -------------------------------------------------------------------------


class _Teller:
    """The cards of a trace."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.graph, self.when = trace, trace.graph, step_times(trace)
        self.turns: dict[int, list[int]] = {}
        visited = [i for i in trace.order if self.graph.nodes[i].args]
        for turn_, i in enumerate(visited, 1):
            self.turns.setdefault(i, []).append(turn_)
        self.mirrored = visited == sorted(set(visited), reverse=True)

    def name(self, i: int) -> str:
        return clip_to_columns(name(self.graph, i), NAME)

    def leaves(self) -> _WaterfallRow:
        """The inputs, and what is known of them in the end."""
        graph, values = self.graph, self.trace.values
        leaves = [
            i
            for i, node in enumerate(graph.nodes)
            if node.op == INPUT or (not node.args and (node.label or i == graph.output))
        ]
        left, right = [], []
        for i in leaves[:LEAVES]:
            value = line(TextPiece(self.name(i), "name"), " = ", TextPiece(show(values[i]), "data", "data"))
            left.append(_WaterfallText(value, node=i))
            right.append(self._gradient(i) if graph.active[i] else _WaterfallText(line("")))
        if len(leaves) > LEAVES:
            left.append(_WaterfallText(key="waterfall.more", fields=(("count", show(len(leaves) - LEAVES)),)))
        return _WaterfallRow(
            tuple(left), tuple(right) if any(each.node is not None for each in right) else ()
        )

    def op(self, i: int) -> _WaterfallRow:
        how, numbers = recipe(self.graph, i), substituted(self.trace, i)
        step = self.when.forward[i]
        made = line(TextPiece(self.name(i), "name"), f" = {clip_to_columns(how, COLUMNS)}")
        value = line(
            f"= {clip_to_columns(numbers, COLUMNS)} = ",
            TextPiece(show(self.trace.values[i]), "data", "data"),
            kind="data",
        )
        left = (_WaterfallText(made, step=step), _WaterfallText(value))
        return _WaterfallRow(left, tuple(self._backward(i)) if self.graph.active[i] else (), i)

    def _gradient(self, i: int) -> _WaterfallText:
        """e grad -2; and 0 → 10 → 4 where several contributions meet."""
        arriving = self.when.arriving[i] if self.when.shared(i) else ()
        room = max((width_of(show(flow.after)) for _, flow in arriving), default=0.0)
        pieces = [
            TextPiece(self.name(i), "name"),
            TextPiece(" grad "),
            TextPiece(show(self.trace.grads[i]), "grad", "grad", room=room),
        ]
        if arriving:
            step, flow = arriving[0]
            pieces.append(TextPiece(show(flow.before), "small grad", step=step, gap=GAP))
            cut = len(arriving) > TOTALS
            kept = [*arriving[: TOTALS - 2], *arriving[-1:]] if cut else arriving
            for at, (step, flow) in enumerate(kept):
                skip = "→ … " if cut and at == len(kept) - 1 else ""
                pieces.append(TextPiece(f"{skip}→ {show(flow.after)}", "small grad", step=step, gap=SPACE))
        return _WaterfallText(line(*pieces), node=i)

    def _backward(self, i: int) -> Iterator[_WaterfallText]:
        yield self._gradient(i)
        sent = self.when.leaving.get(i, ())
        wide = max((width_of(self.name(flow.target)) for _, flow in sent[:SENT]), default=0.0)
        for step, flow in sent[:SENT]:
            yield _WaterfallText(self._contribution(flow, wide), step=step, flow=flow)
        if len(sent) > SENT:
            yield _WaterfallText(key="waterfall.more", fields=(("count", show(len(sent) - SENT)),))
        if i in self.turns and not self.mirrored:
            turns = ", ".join(map(str, self.turns[i][:4]))
            yield _WaterfallText(key="waterfall.turn", fields=(("turns", turns),))
        messages = {flow.slot for _, flow in sent}
        node = self.graph.nodes[i]
        silent = [s for s, arg in enumerate(node.args) if s not in messages and self.graph.active[arg]]
        if silent and not (node.op == "where" and silent == [0]):
            yield _WaterfallText(key="walk.no_message")

    def _contribution(self, flow: Flow, wide: float) -> Line:
        label = self.name(flow.target)
        pieces = [
            TextPiece(f"→ {label}"),
            TextPiece(show(flow.local), "local", "local", gap=wide - width_of(label) + GAP),
            TextPiece(" * ", "local"),
            TextPiece(factor(flow.upstream), "local", "upstream"),
            TextPiece(" = ", "local"),
            TextPiece(show(flow.amount), "grad", "amount"),
        ]
        if self.when.shared(flow.target):
            pieces.append(TextPiece(f"{show(flow.before)} → {show(flow.after)}", "small grad", gap=GAP))
        return line(*pieces)

    def words(self, ops: Sequence[int]) -> dict[str, str]:
        """Both sides in a few words, for who cannot see them."""
        graph, shown = self.graph, ops[:MOST]
        more = ["..."] if len(ops) > MOST else []
        forward = [f"{self.name(i)} = {show(self.trace.values[i])}" for i in (*graph.inputs[:LEAVES], *shown)]
        back = [i for i in (*graph.inputs[:LEAVES], *shown) if graph.active[i]]
        backward = [f"{self.name(i)}: {show(self.trace.grads[i])}" for i in reversed(back)]
        return {"forward": ", ".join([*forward, *more]), "backward": ", ".join([*backward, *more]) or "-"}


# ---- where they stand ---------------------------------------------------------------------------


class _Waterfall:
    """Two columns of cards, with arrows that lead down on one side and up on the other."""

    def __init__(self, teller: _Teller, rows: Sequence[_WaterfallRow], gap: int, hidden: int) -> None:
        self.teller, self.gap, self.hidden = teller, gap, hidden
        key = "waterfall.backward" if teller.mirrored else "waterfall.backward.numbered"
        self.heads = ("waterfall.forward", key)
        sides = ([each for row in rows for each in row.left], [each for row in rows for each in row.right])
        self.wide = [
            max([_widest(head, "heading"), *(each.width for each in side)]) + 2 * PADDING
            for head, side in zip(self.heads, sides, strict=True)
        ]
        self.left = MARGIN
        self.right = MARGIN + self.wide[0] + MIDDLE
        self.width = self.right + self.wide[1] + MARGIN
        self.rows, y = [], TOP
        for at, row in enumerate(rows):
            if hidden and at == gap:
                y += LINE + 8
            self.rows.append(replace(row, y=y))
            y += row.height + BETWEEN
        self.foot = y - BETWEEN

    def drawing(self, title: str, words: str) -> Drawing:
        centre = self.left + self.wide[0] / 2, self.right + self.wide[1] / 2
        body = [said(self.heads[side], centre[side], 24, "heading") for side in (0, 1)]
        body += self._arrows(*centre)
        for row in self.rows:
            body.append(self._card(row, row.left, self.left, self.wide[0]))
            if row.right:
                body.append(self._card(row, row.right, self.right, self.wide[1]))
        if self.hidden:
            key = "waterfall.left_out" if self.hidden > 1 else "waterfall.left_out.one"
            fields = {"count": show(self.hidden)} if self.hidden > 1 else {}
            y = self.rows[self.gap].y - (BETWEEN + LINE + 8) / 2 + 5
            body.append(said(key, self.width / 2, y, "note counter", fields))
        height = self.foot + MARGIN + (34 if self._last_is_output() else 0)
        return Drawing(round(self.width, 1), round(height, 1), title, words, "\n".join(body))

    def _last_is_output(self) -> bool:
        last = self.rows[-1]
        return bool(last.right) and last.node == self.teller.graph.output and bool(self.teller.when.seed)

    def _arrows(self, left: float, right: float) -> Iterator[str]:
        """Down on the left; up on the right, where the pass really went from a row to the one above."""
        turns = self.teller.turns
        for at in range(1, len(self.rows)):
            above, below = self.rows[at - 1], self.rows[at]
            if self.hidden and at == self.gap:
                continue
            top, bottom = above.y + above.height + 4, below.y - 4
            yield down("data", left, top, bottom)
            if above.right and below.right and below.node in turns:
                adjacent = above.node is None or turns.get(above.node, [0])[0] == turns[below.node][-1] + 1
                if adjacent and self.teller.mirrored:
                    yield up("grad", right, bottom, top)
        if self._last_is_output():
            step = next(iter(self.teller.when.seed.values()))
            yield element("g", turn("grad", left, right, self.foot + 4, 22.0), data_step=step)

    def _card(self, row: _WaterfallRow, texts: Sequence[_WaterfallText], x: float, width: float) -> str:
        """A box and its lines: one node, or the inputs, each a node of its own."""
        box = element("rect", class_="box", rx=8, x=x, y=row.y, width=width, height=row.height)
        start = row.y + (row.height - LINE * len(texts)) / 2
        drawn = [self._text(each, row, x, start + at * LINE, width) for at, each in enumerate(texts)]
        if row.node is None:
            return element("g", box, *drawn)
        return element("g", box, *drawn, class_="node", data_node=row.node, data_step=texts[0].step)

    def _text(self, each: _WaterfallText, row: _WaterfallRow, x: float, y: float, width: float) -> str:
        base = y + 15.5
        if each.line is None:
            return said(each.key, x + PADDING, base, "note counter", dict(each.fields), anchor="start")
        drawn = each.line.draw(x + PADDING, base)
        stripe = element("rect", class_="stripe", x=x + 4, y=y, width=width - 8, height=LINE, rx=5)
        if each.flow is not None:
            flow = each.flow
            edge = {"data_edge": f"{flow.source}.{flow.slot}", "data_target": flow.target}
            return element("g", stripe, drawn, class_="edge", **edge, data_step=each.step)
        if row.node is None and each.node is not None:
            return element("g", stripe, drawn, class_="node", data_node=each.node)
        return drawn


def _widest(key: str, kind: str, **fields: str) -> float:
    """How wide a sentence is in the language in which it is longest: a page may turn to that one."""
    return max(width_of(words.format(**fields), size_of(kind)) for words in catalogue()[key])


if __name__ == "__main__":
    from .demo import demo

    demo(draw)
