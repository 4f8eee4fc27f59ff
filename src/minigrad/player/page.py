"""Self-contained HTML page of a player document: no network, no inline handler, nothing to install.

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

from ..drawing import draw
from ..drawing.svg import colours, palette, rules
from ..graph.notation import gradient_sum, mathml
from ..graph.trace import Trace
from ..text.escape import printable, visible
from ..text.translation import say, speaking
from .document import PlayerDocument, Source, TitledTrace, document

__all__ = [
    "SCRIPTS",
    "embed_json",
    "framed",
    "html",
    "join_scripts",
    "play",
    "policy",
    "script",
    "stylesheet",
]

# In the order in which they are loaded.  start.js is for a page of its own only.
SCRIPTS = (
    "numerals.js",
    "float_functions.js",
    "op_kernels.js",
    "graph_pass.js",
    "frame.js",
    "words.js",
    "step_sentences.js",
    "formula.js",
    "picture.js",
    "viewport.js",
    "pane.js",
    "source.js",
    "gradients.js",
    "node_panel.js",
    "input_panel.js",
    "prediction.js",
    "play_timer.js",
    "controls.js",
    "keys.js",
    "page_frame.js",
    "player.js",
)
PACKED_ABOVE = 80_000  # characters of JSON
FORMULAS = 12  # inputs whose sums are written out where no script runs
LARGEST = 40_000  # characters of a drawing that is there a second time for this
_HERE = Path(__file__).parent
_JSON_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}  # the rest is ASCII already


@cache
def script() -> str:
    """All scripts of a page of its own as one."""
    return join_scripts(_HERE / name for name in (*SCRIPTS, "start.js"))


def join_scripts(paths: Iterable[Path]) -> str:
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


def play(told: Sequence[TitledTrace], *, source: Source | None = None, view: str = "", node: str = "") -> str:
    """A page that plays these traces, and shows the first where no script runs; see `document`."""
    return html(document(told, source=source, view=view, node=node), _static_content(told[0].trace))


def html(document: PlayerDocument, static: str = "") -> str:
    """The page of a document, always the same bytes; `static` is markup for where no script runs."""
    code, style = script(), stylesheet()
    kind, data = _data(document)
    with speaking(document["language"]):
        title = document["title"] or say("player.title", output=_output(document))
        noscript = static or escape(say("player.noscript"))
    body = (
        f'<main id="minigrad-player"><noscript>{noscript}</noscript></main>\n'
        f'<script type="application/json" id="minigrad-document"{kind}>{data}</script>'
    )
    return framed(printable(title), body, code, style, language=document["language"], look="player-page")


def _static_content(trace: Trace) -> str:
    """The content for where no script runs: the graph, and the gradients of inputs as sums in MathML."""
    graph = trace.graph
    inputs = [i for i in graph.inputs if graph.active[i]][:FORMULAS]
    formulas = "\n".join(f"<p>{gradient_sum(trace, i, mathml)}</p>" for i in inputs)
    drawing = draw("graph", trace).inline("graph")
    shown = drawing if len(drawing) <= LARGEST else ""
    return f"<p>{escape(say('player.noscript'))}</p>\n{shown}{formulas}\n"


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


def _output(document: PlayerDocument) -> str:
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


def _data(document: PlayerDocument) -> tuple[str, str]:
    text = dumps(document, separators=(",", ":"), allow_nan=False)
    if len(text) > PACKED_ABOVE:
        return ' data-packed="gzip"', b64encode(compress(text.encode(), mtime=0)).decode()
    return "", _inert(text)


def embed_json(value: object) -> str:
    """A value as JSON for a script element, which it cannot end."""
    return _inert(dumps(value, separators=(",", ":"), allow_nan=False))


def _inert(text: str) -> str:
    for character, spelled in _JSON_ESCAPES.items():
        text = text.replace(character, spelled)
    return text
