"""Bundle of formats for a notebook: the player, and what to show where that cannot run.

Jupyter, VS Code, Colab and marimo take `text/html`: the player in a frame of its own, sandboxed, so that it
can neither reach the notebook nor be disturbed by its styles.  Where frames are taken out, as in a notebook
that is not trusted, the text inside it is left.  Other front ends take the drawing, a terminal the text.
"""

from __future__ import annotations

from html import escape

from ..drawing import Drawing

__all__ = ["bundle"]

CONTROLS = 330  # the height of what stands around a drawing
LEAST, MOST = 560, 900


def bundle(page: str, drawing: Drawing, text: str) -> dict[str, str]:
    """One result in the forms that front ends choose from."""
    height = int(min(MOST, max(LEAST, drawing.height + CONTROLS)))
    frame = (
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" title="{escape(drawing.title)}" '
        f'width="100%" height="{height}" loading="lazy" style="border:0;max-width:100%">'
        f"{escape(text)}</iframe>"
    )
    return {"text/html": frame, "image/svg+xml": drawing.svg(), "text/plain": text}
