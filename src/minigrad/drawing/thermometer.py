"""The thermometer of gradients: which way each input pushes the output, how hard, and how its push compares.

A bar to the right raises the output, one to the left lowers it; the strongest input stands on top.  Bars
are drawn once, a full one, and scaled: the player sets the scale to the gradient of its moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import copysign, isfinite

from ..graph.trace import Flow, Trace
from ..graph.wording import name
from ..text.numerals import show
from ..text.translation import say
from .kinks import conventional_nodes
from .styled_lines import TextPiece, clip_to_columns, line, size_of
from .svg import Drawing, element, said, short, text, width_of
from .timeline import step_times

__all__ = ["draw"]

MOST = 24  # inputs that are drawn
HALF = 150.0  # the length of a full bar
LEAST = 0.01  # of a full bar: what is not zero shows
MARGIN, TOP, ROW, THICK = 16.0, 52.0, 50.0, 9.0
COLUMNS = 24  # of a name


def draw(trace: Trace, most: int = MOST) -> Drawing:
    """The inputs by the size of their gradient."""
    graph = trace.graph
    output = clip_to_columns(name(graph, graph.output), COLUMNS)
    title = say("thermometer.title", output=output)
    if not graph.inputs:
        about = {"output": output, "value": show(trace.values[graph.output])}
        words = say("drawing.none", **about)
        wide = width_of(words, size_of("note")) + 2 * MARGIN
        return Drawing(wide, 48.0, title, words, said("drawing.none", wide / 2, 29, fields=about))
    ranked = sorted(graph.inputs, key=lambda i: -_size(trace.grads[i]))
    shown = ranked[:most]
    return _Thermometer(trace, output, shown, len(ranked) - len(shown)).drawing(title)


def _size(grad: float) -> float:
    return abs(grad) if grad == grad else -1.0


class _Thermometer:
    """The columns of one drawing: names, numbers, bars, words."""

    def __init__(self, trace: Trace, output: str, shown: Sequence[int], hidden: int) -> None:
        self.trace, self.output, self.shown, self.hidden = trace, output, shown, hidden
        self.names = {i: clip_to_columns(name(trace.graph, i), COLUMNS) for i in shown}
        self.top = _top(trace, shown)
        wide = max(map(width_of, self.names.values()))
        self.when = step_times(trace)
        digits = max(width_of(show(total)) for i in shown for total in self._totals(i))
        self.name_end = MARGIN + wide
        self.number_end = self.name_end + 18 + digits
        self.conventional = conventional_nodes(trace)
        self.zero = self.number_end + 24 + max(HALF, width_of(self._side("lowers"), size_of("note")) + 10)
        self.words_start = self.zero + 24 + max(HALF, width_of(self._side("raises"), size_of("note")) + 10)
        self.width = self.zero  # grows with the words

    def drawing(self, title: str) -> Drawing:
        foot = TOP + ROW * (len(self.shown) - 1) + 22
        body = [
            element("path", class_="axis", d=f"M{short(self.zero)} 40V{short(foot)}"),
            self._note("thermometer.lowers", self.zero - 10, 28, "end", output=self.output),
            self._note("thermometer.raises", self.zero + 10, 28, output=self.output),
        ]
        told = []
        for at, i in enumerate(self.shown):
            row, words = self._row(i, TOP + at * ROW)
            body.append(row)
            told.append(f"{self.names[i]} {show(self.trace.grads[i])}: {words}")
        body += [
            self._leverage(i, j, TOP + (at + 0.5) * ROW) for at, (i, j) in enumerate(pairwise(self.shown))
        ]
        if self.hidden:
            foot += 24
            key = "thermometer.others" if self.hidden > 1 else "thermometer.other"
            fields = {"output": self.output} | ({"count": show(self.hidden)} if self.hidden > 1 else {})
            body.append(self._note(key, MARGIN, foot - 2, **fields))
            told.append(say(key, **fields))
        return Drawing(
            round(self.width + MARGIN, 1), foot + 12, title, "; ".join(told), "\n".join(filter(None, body))
        )

    def _totals(self, i: int) -> Iterator[float]:
        """What the gradient of an input is in the course of the pass."""
        yield self.trace.grads[i]
        yield from (flow.after for _, flow in self.when.arriving.get(i, ()))

    def _side(self, which: str) -> str:
        return say("thermometer.lowers" if which == "lowers" else "thermometer.raises", output=self.output)

    def _note(self, key: str, x: float, y: float, anchor: str = "start", /, **fields: str) -> str:
        """A sentence; the drawing grows to hold it.  A count or a ratio is no number of the trace."""
        if anchor == "start":
            self.width = max(self.width, x + width_of(say(key, **fields), size_of("note")))
        kind = "note counter" if {"count", "times"} & fields.keys() else "note"
        return said(key, x, y, kind, fields, anchor)

    def _row(self, i: int, y: float) -> tuple[str, str]:
        grad = self.trace.grads[i]
        fields = {"input": self.names[i], "output": self.output}
        key = "meaning.convention" if i in self.conventional and isfinite(grad) else _meaning(grad)
        number = line(TextPiece(show(grad), number="grad"), kind="grad")
        parts = [
            text(self.names[i], self.name_end, y + 5, "name", "end"),
            number.draw(self.number_end, y + 5, "end"),
            self._bar(i, y),
            element("g", self._note(key, self.words_start, y + 5, **fields), data_step=self.when.known(i)),
        ]
        if grad != grad:
            parts.append(text("?", self.zero + 8, y + 5, "grad", "start"))
        return element("g", *parts, class_="node", data_node=i), say(key, **fields)

    def _bar(self, i: int, y: float) -> str:
        """A full bar with its head, in the scale of a gradient; a negative scale turns it around."""
        head = HALF - 16
        shape = f"M0 -{short(THICK)}H{short(head)}L{short(HALF)} 0L{short(head)} {short(THICK)}H0Z"
        return element(
            "g",
            element(
                "g",
                element("path", class_="bar grad", d=shape),
                data_bar=i,
                data_top=repr(self.top),
                transform=f"scale({_scale(self.trace.grads[i], self.top)} 1)",
            ),
            transform=f"translate({short(self.zero)} {short(y)})",
        )

    def _leverage(self, i: int, j: int, y: float) -> str:
        """How much more this input moves the output than the next one."""
        more, less = abs(self.trace.grads[i]), abs(self.trace.grads[j])
        if not (isfinite(more) and isfinite(less) and less):
            return ""
        fields = {"first": self.names[i], "output": self.output, "second": self.names[j]}
        times = show(more / less, 3)
        if times == "inf":
            return ""
        if times != "1":
            fields["times"] = times
        key = (
            "thermometer.leverage"
            if times != "1"
            else "thermometer.same"
            if more == less
            else "thermometer.near"
        )
        bracket = f"M{short(self.words_start - 10)} {short(y - 14)}h-5v28h5"
        return element(
            "g",
            element("path", class_="axis", d=bracket),
            self._note(key, self.words_start + 14, y + 5, **fields),
            data_step=max(self.when.known(i), self.when.known(j)),
        )


def _meaning(grad: float) -> str:
    if grad != grad:
        return "meaning.undefined"
    if grad == 0.0:
        return "thermometer.flat"
    if isfinite(grad):
        return "thermometer.up" if grad > 0 else "thermometer.down"
    return "meaning.steep.up" if grad > 0 else "meaning.steep.down"


def _top(trace: Trace, shown: Sequence[int]) -> float:
    """The gradient of a full bar; an infinite one is longer than all that are not."""
    finite = [abs(trace.grads[i]) for i in shown if isfinite(trace.grads[i])]
    top = max(finite, default=0.0)
    if not top:  # everything cancelled: show at least what came and went
        among = set(shown)
        amounts = (
            abs(event.amount) for event in trace.events if isinstance(event, Flow) and event.target in among
        )
        top = max(filter(isfinite, amounts), default=0.0) or 1.0
    return min(top * 1.25, 1.7e308) if any(not isfinite(trace.grads[i]) for i in shown) else top


def _scale(grad: float, top: float) -> str:
    if grad != grad or grad == 0.0:
        return "0"
    ratio = min(abs(grad) / top, 1.0)
    return f"{copysign(max(ratio, LEAST), grad):.4g}"


if __name__ == "__main__":
    from .demo import demo

    demo(draw)
