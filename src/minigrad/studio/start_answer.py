"""Answer to the first question of a page: its words, the language, and where to begin."""

from __future__ import annotations

from collections.abc import Mapping

from ..language import FUNCTIONS
from ..ops import OPS
from ..text.numerals import json_number
from ..text.translation import catalogue, language, speaking
from .requests import NODES, TEXT

__all__ = ["start_answer"]

# what the page and its drawings say
PAGES = (
    "studio.", "study.", "player.", "meaning.", "drawing.", "diagram.", "groups.", "ledger.", "river.",
    "thermometer.", "waterfall.",
)  # fmt: skip


def start_answer(text: str, inputs: Mapping[str, float], wish: str | None = None) -> dict[str, object]:
    """`text` and `inputs` are what the command line gave, `wish` its language."""
    from .. import __version__

    rows = catalogue()
    with speaking(wish):
        spoken = language()
    return {
        "ok": True,
        "text": text,
        "inputs": {name: json_number(x) for name, x in inputs.items()},
        "language": spoken,
        "version": __version__,
        "words": {key: row for key, row in rows.items() if key.startswith(PAGES)},
        "functions": [
            {"name": name, "written": _written(name), "rule": OPS[name].rule if name in OPS else ("", "")}
            for name in sorted(FUNCTIONS)
        ],
        "limits": {"text": TEXT, "nodes": NODES},
    }


def _written(function: str) -> str:
    """How it is called: exp(a), where(a, b, c), max(a, ...)."""
    if function not in OPS:  # composed ones, whose first argument is a place
        return f"{function}(0, a, b, ...)"
    least, most = OPS[function].arity
    arguments = ", ".join("abcdefgh"[:least])
    return f"{function}({arguments}{', ...' if most > least else ''})"
