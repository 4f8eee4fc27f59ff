"""Escapes for untrusted text: characters that a terminal acts on, or that nobody sees, are spelled out.

Escaped are control characters (a terminal obeys them), the marks that reverse the direction of text (they
make code look like other code), lone surrogates (no file can hold them) and all else that `str.isprintable`
refuses.  Text that goes into HTML, SVG or LaTeX is escaped a second time, by its own rules.
"""

from __future__ import annotations

from .excerpts import cut

__all__ = ["printable", "visible"]


def visible(text: str) -> str:
    """A text in which everything that cannot be printed is written as an escape such as `\\x1b`.

    The no-break space, which stands between the digits of a Spanish count, becomes a space.
    """
    text = text.replace("\u00a0", " ")
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def printable(text: str) -> str:
    """A name for one line of a report: escaped, and at most 40 characters long."""
    return cut(visible(text), 40)
