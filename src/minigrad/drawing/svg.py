"""SVG made of text: elements, escaping, the width of words, and the one colour grammar.

A drawing is markup without colours: its classes say what a thing is (data, grad, local ...), and the
style sheet says how that looks, in light, in dark and in print.  Whatever a user wrote is escaped here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from json import dumps
from unicodedata import east_asian_width

from ..text.escape import visible
from ..text.translation import say

__all__ = [
    "THEMES",
    "Drawing",
    "element",
    "esc",
    "number",
    "palette",
    "said",
    "short",
    "stacked",
    "stylesheet",
    "text",
    "width_of",
]

SIZE = 15  # of the letters, in the units of a drawing
THEMES = ("auto", "light", "dark", "print")
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def esc(words: object) -> str:
    """Text that is text in XML, inside an element or an attribute; what XML cannot hold is spelled out."""
    return visible(str(words)).translate(_ESCAPES)


def short(x: float) -> str:
    """A coordinate: at most one decimal, and no minus before a zero."""
    rounded = round(x, 1) + 0.0
    return str(int(rounded)) if rounded == int(rounded) else str(rounded)


@cache
def _spelled(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def element(tag: str, *children: str, **attributes: object) -> str:
    """One element; `class_` is written class, `data_node` data-node, and None leaves an attribute out."""
    written = "".join(
        [
            f' {_spelled(name)}="{_attribute(value)}"'
            for name, value in attributes.items()
            if value is not None
        ]
    )
    inside = "".join(children)
    return f"<{tag}{written}>{inside}</{tag}>" if inside else f"<{tag}{written}/>"


def _attribute(value: object) -> str:
    return short(value) if isinstance(value, float) else esc(value)


def text(words: str, x: float, y: float, kind: str = "", anchor: str = "middle", **attributes: object) -> str:
    """Words at a place; `anchor` is start, middle or end."""
    return _text(esc(words), x, y, kind, anchor, attributes)


def _text(inside: str, x: float, y: float, kind: str, anchor: str, attributes: Mapping[str, object]) -> str:
    return element(
        "text",
        inside,
        class_=kind or None,
        x=float(x),
        y=float(y),
        text_anchor=None if anchor == "start" else anchor,
        **attributes,
    )


def number(kind: str, shown: str) -> str:
    """A number inside a text that the player replaces by the one of its moment."""
    return element("tspan", esc(shown), data_number=kind)


def said(
    key: str,
    x: float,
    y: float,
    kind: str = "note",
    fields: Mapping[str, object] | None = None,
    anchor: str = "middle",
    **attributes: object,
) -> str:
    """A sentence of the catalogue, with what a page needs to say it in the other language."""
    filled = dict(fields or {})
    about = {"data_say": key, "data_fields": dumps(filled, ensure_ascii=False) if filled else None}
    return _text(esc(say(key, **filled)), x, y, kind, anchor, {**about, **attributes})


def width_of(words: str, size: float = SIZE) -> float:
    """How wide words are in a fixed-width font: 0.6 of the size for each column."""
    return 0.6 * size * sum(2 if east_asian_width(c) in "WF" else 1 for c in words)


# ---- drawings -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture: its size, its name, a sentence that tells it to who cannot see it, and its markup."""

    width: float
    height: float
    title: str
    words: str
    body: str

    def _style(self, theme: str) -> str:
        return stylesheet(theme)

    def svg(self, theme: str = "auto") -> str:
        """A document of its own."""
        return self._svg(
            f"<style>{self._style(theme)}</style>\n"
            + element("rect", class_="page", width=self.width, height=self.height)
            + "\n",
            xmlns="http://www.w3.org/2000/svg",
            width=self.width,
            height=self.height,
        )

    def inline(self, view: str) -> str:
        """For a page that has the style sheet."""
        return self._svg("", xmlns="http://www.w3.org/2000/svg", class_=f"drawing {view}")

    def _svg(self, before: str, **attributes: object) -> str:
        view = f"0 0 {short(self.width)} {short(self.height)}"
        title = element("title", esc(self.title)) + element("desc", esc(self.words))
        return (
            element("svg", f"{title}\n{before}{self.body}\n", viewBox=view, role="img", **attributes) + "\n"
        )


GAP = 24.0


def stacked(drawings: Sequence[Drawing]) -> Drawing:
    """Drawings one below the other, each in the middle."""
    if len(drawings) == 1:
        return drawings[0]
    width = max(drawing.width for drawing in drawings)
    y, parts = 0.0, []
    for drawing in drawings:
        left = (width - drawing.width) / 2
        parts.append(element("g", drawing.body, transform=f"translate({short(left)} {short(y)})"))
        y += drawing.height + GAP
    return Drawing(
        width,
        y - GAP,
        "; ".join(drawing.title for drawing in drawings),
        " ".join(drawing.words for drawing in drawings),
        "\n".join(parts),
    )


# ---- the colour grammar -------------------------------------------------------------------------

# what it is: light, dark, print.  Blue, orange and teal stay apart for the colour-blind, and nothing is
# told by colour alone: data and grad are named, a local derivative has its product sign, what is negative
# is dashed.
_COLOURS = {
    "page":     ("#ffffff", "#0d1117", "#ffffff"),
    "ink":      ("#1f2328", "#e6edf3", "#000000"),
    "faint":    ("#57606a", "#9198a1", "#333333"),
    "line":     ("#8c959f", "#6e7681", "#555555"),
    "hair":     ("#d0d7de", "#30363d", "#999999"),
    "card":     ("#f6f8fa", "#161b22", "#ffffff"),
    "data":     ("#0a3a94", "#a2cdff", "#003d8f"),
    "grad":     ("#b45309", "#f0a35e", "#8a3c00"),
    "local":    ("#0e7870", "#3ccfb4", "#00574f"),
    "active":   ("#fff6cc", "#4d3f00", "#e8e8e8"),
    "active-line": ("#9a6700", "#f2cc60", "#000000"),
    "wrong":    ("#cf222e", "#ff8f87", "#000000"),
    "right":    ("#1a7f37", "#6fdd8b", "#000000"),
    "data-wash": ("#d6e6fb", "#12325c", "#dddddd"),
    "grad-wash": ("#fde3c4", "#5a3410", "#eeeeee"),
}  # fmt: skip

_RULES = """
.page{fill:page} .drawing text,svg text{font:15px FONT;fill:ink}
text.name,tspan.name{font-weight:700} text.data,tspan.data{fill:data}
text.grad,tspan.grad{fill:grad;font-weight:700}
text.local,tspan.local{font-size:12.5px;fill:local} text.local tspan.grad{font-size:12.5px}
text.note,tspan.note{font-size:13px;fill:faint} text.small,tspan.small{font-size:12.5px}
text.heading{font-weight:700;font-size:14px}
text.wrong,tspan.wrong{fill:wrong;font-weight:700}
.box{fill:card;stroke:line;stroke-width:1.2} .box.leaf{stroke:data} .box.constant{stroke:hair}
.box.shared{stroke:grad;stroke-width:2.4} .group>.box{stroke-dasharray:6 3}
.outside>.box{fill:none;stroke:hair}
.wire{stroke:line;stroke-width:1.4;fill:none} .edge.shared .wire{stroke:grad;stroke-width:2}
.pill{fill:page;stroke:hair} .rule,.axis{stroke:hair;stroke-width:1;fill:none} .axis{stroke:line}
.ribbon{fill-opacity:.85;stroke-width:1} .ribbon.data{fill:data-wash;stroke:data}
.ribbon.grad{fill:grad-wash;stroke:grad}
.ribbon.negative{stroke-dasharray:4 3}
.hatch{stroke:grad;stroke-width:1.4;fill:none} .bar.grad{fill:grad} .bar.data{fill:data}
.arrow.grad{stroke:grad;fill:grad} .arrow.local{stroke:local;fill:local} .arrow.data{stroke:data;fill:data}
.line{fill:none} .backdrop{fill:card} .stripe{fill:card}
.now>.box,.now>.pill,.box.now,.pill.now,.now>.stripe{fill:active;stroke:active-line;stroke-width:2.4}
.now>.wire{stroke:active-line;stroke-width:3} .now>.ribbon{stroke:active-line;stroke-width:2.5}
.chosen>.box{stroke:active-line;stroke-width:3} .later{opacity:.22} .dim{opacity:.15}
"""
_KEYS = sorted(_COLOURS, key=len, reverse=True)


def rules(colours: Mapping[str, str]) -> str:
    """The rules in these colours; names of colours stand after a colon."""
    css = _RULES.replace("FONT", FONT)
    for key in _KEYS:
        for end in (";", "}"):
            css = css.replace(f":{key}{end}", f":{colours[key]}{end}")
    return css


def colours(theme: int) -> Mapping[str, str]:
    """The colours by name, for a page around the drawings: 0 light, 1 dark, 2 print."""
    return {name: row[theme] for name, row in _COLOURS.items()}


def palette() -> str:
    """The colours as custom properties, for pages of all kinds: by the reader's wish, or by `data-theme`."""
    light, dark, ink = (
        "".join(f"--{name}:{colour};" for name, colour in colours(theme).items()) for theme in range(3)
    )
    return (
        f":root{{{light}color-scheme:light}}\n"
        f"@media (prefers-color-scheme: dark){{:root{{{dark}color-scheme:dark}}}}\n"
        f":root[data-theme=light]{{{light}color-scheme:light}}\n"
        f":root[data-theme=dark]{{{dark}color-scheme:dark}}\n"
        f"@media print{{:root,:root[data-theme]{{{ink}color-scheme:light}}}}\n"
    )


def stylesheet(theme: str = "auto") -> str:
    """The colour grammar as CSS; "auto" follows the reader's wish and prints in dark ink."""
    if theme != "auto":
        return rules(colours(THEMES.index(theme) - 1))
    light, dark, ink = (rules(colours(column)) for column in range(3))
    return f"{light}@media (prefers-color-scheme: dark){{{dark}}}\n@media print{{{ink}}}\n"
