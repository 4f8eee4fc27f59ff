"""The chart of the front page: a training step of the small GPT, by everything that can take it.

The figures are those of bench/gpt.json, which `bench/compiled.py --only gpt --json bench/gpt.json` writes.
"""

from __future__ import annotations

import json
from math import log10
from pathlib import Path
from typing import Any

from minigrad.drawing.chart import Chart, text
from minigrad.drawing.svg import element
from minigrad.text.numerals import counted, show
from minigrad.text.translation import pick

__all__ = ["FIGURES", "drawing", "spent"]

FIGURES = Path(__file__).resolve().parent.parent / "bench" / "gpt.json"
NODES = 60_475

LEFT, ROW, BAR, TOP, DECADE, WIDTH = 290.0, 27.0, 16.0, 76.0, 82.0, 840.0
LEAST = 4e-6  # seconds, where the bars begin
WAYS = {  # of the race: in words, and whether it is ours
    "python": ("a class in plain Python", "una clase en Python puro"),
    "eager": ("minigrad, as it stands", "minigrad, tal cual"),
    "torch": ("PyTorch, tensors", "PyTorch, tensores"),
    "tape": ("a tape in C", "una cinta en C"),
    "jax": ("JAX, jit, tensors", "JAX, jit, tensores"),
    "numpy": ("NumPy, gradients by hand", "NumPy, gradientes a mano"),
    "compiled": ("minigrad.compile", "minigrad.compile"),
    "loops": ("C, gradients by hand", "C, gradientes a mano"),
    "vectors": ("the same in vector types", "lo mismo en tipos vectoriales"),
}
OURS = ("eager", "compiled")
TITLE = (
    "One training step of a small GPT: {nodes} scalars",
    "Un paso de entrenamiento de un GPT pequeño: {nodes} escalares",
)
MEASURED = (
    "{date}, {python}, one core, medians of {rounds} rounds in turn; logarithmic, shorter is faster",
    "{date}, {python}, un núcleo, medianas de {rounds} vueltas por turnos; logarítmico",
)
RATIO = ("times compile", "veces compile")


def spent(seconds: float) -> str:
    """A time in the unit that suits it: 37 µs, 6.7 ms, 1 ms."""
    unit, size = next(pair for pair in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)) if seconds >= pair[1])
    return f"{show(seconds / size, 2)} {unit}" if seconds < 100 * size else f"{round(seconds / size)} {unit}"


def drawing() -> Chart:
    found: dict[str, Any] = json.loads(FIGURES.read_text(encoding="utf-8"))
    rows = found["programs"]["gpt"]["engines"]
    ways = sorted((way for way in WAYS if "ratio" in rows.get(way, {})), key=lambda way: -rows[way]["ratio"])
    bottom = TOP + ROW * len(ways)
    lines, bars, told = [], [], []
    for power in range(-5, 0):
        x = LEFT + DECADE * log10(10.0**power / LEAST)
        lines.append(element("path", class_="grid", d=f"M{x:.1f} {TOP - 6:.1f}V{bottom:.1f}"))
        lines.append(text(spent(10.0**power), x, TOP - 14, "note"))
    lines.append(text(pick(RATIO), WIDTH - 16, TOP - 14, "note", "end"))
    for at, way in enumerate(ways):
        y, time, ratio = TOP + ROW * at, spent(rows[way]["seconds"]), rows[way]["ratio"]
        width = DECADE * log10(rows[way]["seconds"] / LEAST)
        shown = counted(round(ratio)) if ratio >= 10 else show(ratio, 2)
        kind = "name" if way == "compiled" else ""
        bars += [
            text(pick(WAYS[way]), LEFT - 10, y + 13, kind, "end"),
            element(
                "rect",
                class_="bar data" if way in OURS else "bar faint",
                x=LEFT,
                y=y,
                width=width,
                height=BAR,
                rx=2.0,
            ),
            text(time, LEFT + width + 9, y + 13, f"{kind} halo", "start"),
            text(shown, WIDTH - 16, y + 13, kind, "end"),
        ]
        told.append(f"{pick(WAYS[way])}: {time}, {shown} {pick(RATIO)}")
    title = pick(TITLE).format(nodes=counted(NODES))
    note = pick(MEASURED).format(date=found["date"], python=found["python"], rounds=found["rounds"]["gpt"])
    head = [text(title, 16, 28, "heading", "start"), text(note, 16, bottom + 22, "note", "start")]
    return Chart(WIDTH, bottom + 36, title, "; ".join(told) + ".", "\n".join([*head, *lines, *bars]))
