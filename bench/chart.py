"""The figures of speed.py as an SVG: a bar per engine and program, on a logarithmic scale.

A bar is the whole time relative to the base (native where it was run), so one decade is one decade in
every program, and the number at its end says the same with the time beside it.  Bars are named in
words; the three colours only group them, and differ in lightness for those who do not see them.  The
file brings its own ground and follows the light or dark mode of whoever looks at it.
"""

from __future__ import annotations

import math
from typing import Any
from xml.sax.saxutils import escape

__all__ = ["chart"]

WIDTH, LEFT, RIGHT = 880, 182, 664  # bars between left and right, what they say after that
ROW, BAR, HEADING, TOP, FOOT = 21, 13, 40, 104, 44
Groups = dict[str, tuple[str, tuple[str, ...]]]
GROUPS: Groups = {  # class in the style sheet: what the legend says, and the engines
    "ours": ("minigrad", ("native", "native-dot", "plain")),
    "style": ("minimal classes in Python", ("microgpt", "micrograd")),
    "library": ("libraries", ("torch", "autograd", "xad", "casadi")),
}
STYLE = """
  text { font: 12.5px system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif;
         fill: #1f2328; paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round }
  .ground { fill: #ffffff } .title { font-size: 18px; font-weight: 600 }
  .heading { font-size: 13.5px; font-weight: 600 }
  .quiet { fill: #59636e; font-size: 12px } .grid { stroke: #d1d9e0 } .one { stroke: #818b98 }
  .strong { font-weight: 600 } .ours { fill: #0a5fa8 } .style { fill: #9aa4af } .library { fill: #d9822b }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; stroke: #0d1117 } .ground { fill: #0d1117 } .quiet { fill: #9198a1 }
    .grid { stroke: #2f353d } .one { stroke: #656c76 }
    .ours { fill: #4aa8f0 } .style { fill: #767f8a } .library { fill: #f0a04b }
  }"""


def chart(found: dict[str, Any], groups: Groups = GROUPS, foot: str | None = None) -> str:
    """`groups` says what the colours mean, `foot` what was timed."""
    programs = {key: _timed(program) for key, program in found["programs"].items()}
    ratios = [row["ratio"] for rows in programs.values() for _, row in rows]
    low = math.log10(min(0.5, *(0.6 * ratio for ratio in ratios), 0.5))
    high = math.log10(max(10.0, *(1.05 * ratio for ratio in ratios), 10.0))

    def across(ratio: float) -> float:
        return LEFT + (RIGHT - LEFT) * (math.log10(ratio) - low) / (high - low)

    powers = range(math.ceil(low), math.floor(high) + 1)
    grid: list[str] = []
    parts: list[str] = []
    y = TOP
    for key, rows in programs.items():
        program = found["programs"][key]
        y += HEADING
        parts.append(_text(16, y - 10, program["title"], "heading"))
        for power in powers:
            x, kind = across(10.0**power), "grid" if power else "one"
            end = y + ROW * len(rows) - 4
            grid.append(f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{y - 4}" y2="{end}"/>')
        for name, row in rows:
            parts += _bar(name, row, program, found["engines"][name]["name"], y, across, groups)
            y += ROW
    for power in powers:
        label = f"{10**power:,}x" if power >= 0 else f"{10.0**power:g}x"
        grid += [_text(across(10.0**power), at, label, "quiet", "middle") for at in (TOP, y + 14)]
    height = y + 22 + FOOT
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
            f' height="{height}" role="img" aria-labelledby="title">',
            f'<title id="title">{escape(_title(found))}</title>',
            f"<style>{STYLE}\n</style>",
            f'<rect class="ground" width="{WIDTH}" height="{height}" rx="6"/>',
            _text(16, 32, _title(found), "title"),
            _text(16, 53, _facts(found), "quiet"),
            *_legend(groups),
            *grid,
            *parts,
            *_foot(found, height, foot),
            "</svg>\n",
        ]
    )


def _timed(program: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The engines that ran, the fastest first."""
    rows = [(name, row) for name, row in program["engines"].items() if "ratio" in row]
    return sorted(rows, key=lambda item: item[1]["ratio"])


def _title(found: dict[str, Any]) -> str:
    bases = {found["engines"][p["base"]]["name"] for p in found["programs"].values() if p["base"]}
    return f"The same scalar program, time relative to {' / '.join(sorted(bases)) or 'nothing'}"


def _facts(found: dict[str, Any]) -> str:
    rounds = sorted({n for n in found["rounds"].values() if n})
    count = f"{rounds[0]}" if len(rounds) == 1 else f"{rounds[0]} to {rounds[-1]}" if rounds else "0"
    tiny = "; TINY SIZES, NOT A MEASUREMENT" if found["quick"] else ""
    return (
        f"{found['date']}, {found['python']}, medians of {count} rounds, engines in turn in one process{tiny}"
    )


def _legend(groups: Groups) -> list[str]:
    parts, x = [], 16
    for kind, (label, _) in groups.items():
        parts.append(f'<rect class="{kind}" x="{x}" y="65" width="12" height="12" rx="2"/>')
        parts.append(_text(x + 18, 75.5, label, "quiet"))
        x += 50 + 6.4 * len(label)
    parts.append(_text(WIDTH - 16, 75.5, "logarithmic; shorter is faster", "quiet", "end"))
    return parts


def _bar(
    name: str, row: dict[str, Any], program: dict[str, Any], label: str, y: float, across: Any, groups: Groups
) -> list[str]:
    kind = next((kind for kind, (_, names) in groups.items() if name in names), "library")
    end = across(row["ratio"])
    strong = "strong" if name == program["base"] else ""
    per_op = program["unit"] == "ns per op"
    size = f" (at {row['size']:,})" if row["size"] != program["size"] else ""
    time = duration(row["whole"], 1e-9 if per_op else 1e-3) + (" per op" if per_op else "") + size
    ratio = row["ratio"]
    times = f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.2g}x" if ratio < 1 else f"{ratio:.1f}x"
    return [
        _text(LEFT - 8, y + 11, label, strong, "end"),
        f'<rect class="{kind}" data-program="{escape(program["title"])}" data-engine="{name}" x="{LEFT}"'
        f' y="{y}" width="{max(1.0, end - LEFT):.1f}" height="{BAR}" rx="2"/>',
        f'<text x="{end + 7:.1f}" y="{y + 11}"><tspan class="strong">{times}</tspan>'
        f'<tspan class="quiet" dx="7">{escape(time)}</tspan></text>',
    ]


def duration(x: float, unit: float) -> str:
    """Three digits at most, with the unit that suits them."""
    seconds = x * unit
    for name, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if seconds >= size or name == "ns":
            number = seconds / size
            return f"{number:.0f} {name}" if number >= 10 else f"{number:.1f} {name}"
    raise AssertionError


def _foot(found: dict[str, Any], height: float, foot: str | None) -> list[str]:
    text = "forward + backward + update + free; what an engine leaves to the cyclic collector is not counted"
    if foot is not None:
        text = foot
    elif any("native-dot" in dict(_timed(program)) for program in found["programs"].values()):
        text += "; dot: linear layers call functions.dot"
    missing = [engine["name"] for engine in found["engines"].values() if engine["missing"]]
    parts = [_text(16, height - 14, text, "quiet")]
    if missing:
        parts.append(_text(16, height - 31, f"not here: {', '.join(missing)}", "quiet"))
    return parts


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    kind = f' class="{kind}"' if kind else ""
    where = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{kind}{where}>{escape(text)}</text>'
