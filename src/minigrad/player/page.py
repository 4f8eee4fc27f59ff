"""One self-contained HTML page out of a player document: no network, no inline handler, nothing to install.

A policy in the page forbids everything but its one script and its one style sheet, both named by their
SHA-256; whatever a user wrote is data in a JSON block, where it cannot end the block.  A large document is
packed, so that a file stays small; the script unpacks it.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from gzip import compress
from hashlib import sha256
from html import escape
from json import dumps
from pathlib import Path
from typing import Any

from ..drawing.svg import colours, palette, rules
from ..text.escape import printable, visible
from ..text.translation import say, speaking
from .document import Told, document
from .static_page import still

__all__ = ["SCRIPTS", "embedded", "framed", "html", "joined", "play", "policy", "script", "stylesheet"]

# In the order in which they are loaded.  start.js is for a page of its own only.
SCRIPTS = (
    "numerals.js",
    "frame.js",
    "words.js",
    "telling.js",
    "formula.js",
    "picture.js",
    "viewport.js",
    "pane.js",
    "source.js",
    "gradients.js",
    "chosen.js",
    "prediction.js",
    "motor.js",
    "controls.js",
    "keys.js",
    "furniture.js",
    "player.js",
)
PACKED_ABOVE = 80_000  # characters of JSON
_HERE = Path(__file__).parent
_JSON_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}  # the rest is ASCII already


@cache
def script() -> str:
    """All scripts of a page of its own as one."""
    return joined(_HERE / name for name in (*SCRIPTS, "start.js"))


def joined(paths: Iterable[Path]) -> str:
    """Scripts as one, in this order."""
    parts = [path.read_text(encoding="utf-8") for path in paths]
    return '"use strict";\n' + "\n".join(part.replace('"use strict";\n', "", 1) for part in parts)


@cache
def stylesheet() -> str:
    """Everything that a page with a player needs, drawings included; colours are custom properties.

    They follow the reader's wish, unless `data-theme` on the root element says light or dark.
    """
    drawings = rules({colour: f"var(--{colour})" for colour in colours(0)})
    return f"{palette()}{drawings}\n{(_HERE / 'style.css').read_text(encoding='utf-8')}"


def play(told: Sequence[Told], **how: Any) -> str:
    """A page that plays these traces, and shows the first where no script runs; `how` is for `document`."""
    return html(document(told, **how), still(told[0].trace))


def html(document: dict[str, Any], still: str = "") -> str:
    """The page of a document, always the same bytes; `still` is markup for where no script runs."""
    code, style = script(), stylesheet()
    kind, data = _data(document)
    with speaking(document["language"]):
        title = document["title"] or say("player.title", output=_output(document))
        noscript = still or escape(say("player.noscript"))
    body = (
        f'<main id="minigrad-player"><noscript>{noscript}</noscript></main>\n'
        f'<script type="application/json" id="minigrad-document"{kind}>{data}</script>'
    )
    return framed(printable(title), body, code, style, language=document["language"], look="player-page")


def framed(
    title: str, body: str, script: str, style: str, *, language: str, look: str, head: str = ""
) -> str:
    """A whole page around markup, in which nothing but this script and this style sheet has an effect.

    `look` is the class of the body; what a user wrote is escaped before it gets here, but for the title.
    """
    code = f"<script>{script}</script>\n" if script else ""
    return f"""<!doctype html>
<html lang="{escape(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy(script, style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{escape(visible(title))}</title>
<style>{style}</style>
{head}</head>
<body class="{look}">
{body}
{code}</body>
</html>
"""


def _output(document: dict[str, Any]) -> str:
    told = document["traces"][0]
    names = [row["name"] for row in told["trace"]["nodes"]]
    output: str = told["names"][names.index(told["trace"]["output"])]
    return output


def policy(script: str, style: str) -> str:
    """What a page may load and run: this script and this style sheet, and nothing else."""
    allowed = _digest(script) if script else "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_digest(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _data(document: dict[str, Any]) -> tuple[str, str]:
    text = dumps(document, separators=(",", ":"), allow_nan=False)
    if len(text) > PACKED_ABOVE:
        return ' data-packed="gzip"', b64encode(compress(text.encode(), mtime=0)).decode()
    return "", _inert(text)


def embedded(value: Any) -> str:
    """A value as JSON for a script element, which it cannot end."""
    return _inert(dumps(value, separators=(",", ":"), allow_nan=False))


def _inert(text: str) -> str:
    for character, spelled in _JSON_ESCAPES.items():
        text = text.replace(character, spelled)
    return text
