"""PNG of a drawing: the pixels of its SVG in one theme, by the library resvg.

resvg does not know what its reader prefers, so the SVG must be of one theme ("light", "dark" or "print").
Text is set in the first of some usual monospaced fonts that the machine has, and the picture is the same
on every run; a machine without any font is told so, rather than given a picture without words.
"""

from __future__ import annotations

from functools import cache
from re import search

from ..errors import MinigradError
from ..text.translation import say

__all__ = ["MissingLibraryError", "png"]

FONTS = ("DejaVu Sans Mono", "Menlo", "Consolas", "Liberation Mono", "Noto Sans Mono", "Courier New")
LARGEST = 16_000  # pixels of a side; beyond that no viewer opens the picture


class MissingLibraryError(MinigradError, ImportError):
    """Something that an extra installs is not there; the words say which."""


def png(svg: str, scale: float = 2.0) -> bytes:
    """The picture, with `scale` pixels for each unit of the drawing; of a very large drawing, fewer."""
    if not scale > 0.0:
        raise ValueError(say("png.scale", given=scale))
    return _rendered(svg, min(scale, LARGEST / _longest_side(svg)), _font())


def _longest_side(svg: str) -> float:
    size = search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    return max(1.0, float(size[1]), float(size[2])) if size else 1.0


def _rendered(svg: str, zoom: float, font: str) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise MissingLibraryError(say("png.missing", library="resvg_py", extra="png")) from None
    return bytes(svg_to_bytes(svg_string=svg, zoom=zoom, monospace_family=font, font_family=font))


@cache
def _font() -> str:
    """The first of FONTS that is there: one that is not looks like a font that nobody has."""
    blank, other = _sample("", ""), _sample("a8", "no such font")
    if blank == other:
        raise MissingLibraryError(say("png.fonts", known=", ".join(FONTS)))
    return next((font for font in FONTS if _sample("a8", font) != other), "monospace")


def _sample(words: str, font: str) -> bytes:
    text = f'<text x="4" y="20" font-family="{font}">{words}</text>'
    return _rendered(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">{text}</svg>', 1.0, font
    )
