"""The pictures under docs/pictures: each view in light and in dark, drawn from a trace.

One row adds a picture; `python docs/renew.py` draws them all, the same bytes each time, and a test holds
the committed files current.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import grouped
import raced

from minigrad import explain
from minigrad.drawing.svg import Drawing
from minigrad.explanation.explanation import CLASSIC
from minigrad.text.translation import LANGUAGES, speaking
from minigrad.training import Run, defaults
from minigrad.training.duel import duel
from minigrad.training.duel.charts import picture as curves_of
from minigrad.training.plots import drawing_of

FOLDER = Path(__file__).with_name("pictures")
NEURONS = "; ".join(
    f"h{layer}_{i} = tanh({' + '.join(f'w{layer}_{i}_{j}*{source}{j}' for j in range(4))})"
    for layer, source in ((1, "x"), (2, "h1_"), (3, "h2_"))
    for i in range(4)
)
NET = f"{NEURONS}; L = (h3_0 + h3_1 + h3_2 + h3_3 - 1)**2"  # 137 nodes: enough to be drawn in groups


class Picture(NamedTuple):
    name: str
    view: str
    text: str
    inputs: dict[str, float]
    node: str = ""


def _inputs_of_net() -> dict[str, float]:
    """Small weights of both signs, each its own."""
    names = [f"x{j}" for j in range(4)]
    names += [f"w{layer}_{i}_{j}" for layer in (1, 2, 3) for i in range(4) for j in range(4)]
    return {name: (at * 37 % 19 - 9) / 10 for at, name in enumerate(names)}


PICTURES = (
    Picture("graph", "graph", *CLASSIC),
    Picture("river", "river", *CLASSIC),
    Picture("waterfall", "waterfall", *CLASSIC),
    Picture("thermometer", "thermometer", *CLASSIC),
    Picture("ledger", "ledger", *CLASSIC, node="a"),
    Picture("groups", "graph", NET, _inputs_of_net()),
)


def pictures() -> dict[Path, str]:
    """Every file and what it should hold: light and dark, English and Spanish."""
    found = {}
    for picture in PICTURES:
        for lang in LANGUAGES:
            with speaking(lang):
                explanation = explain(picture.text, picture.inputs)
                for theme in ("light", "dark"):
                    drawn = explanation.to_svg(picture.view, node=picture.node, theme=theme)
                    found[_path(picture.name, theme, lang)] = drawn
    for name, draw in {**_trained(), "instructions": grouped.drawing, "race": raced.drawing}.items():
        for lang in LANGUAGES:
            with speaking(lang):
                for theme in ("light", "dark"):
                    found[_path(name, theme, lang)] = draw().svg(theme)
    return found


def _path(name: str, theme: str, lang: str) -> Path:
    tail = "" if lang == "en" else f".{lang}"
    return FOLDER / f"{name}.{theme}{tail}.svg"


def _trained() -> dict[str, Callable[[], Drawing]]:
    """Pictures of training: a run on two moons, and what `minigrad duel` draws."""
    run = Run(defaults("moons"))
    while not run.finished:
        run.advance()
    fought = duel(["overwrite-one-op"], on="moons")
    return {"moons": lambda: drawing_of(run), "duel": lambda: curves_of(fought)}
