"""Lines of styled text (a name, its data, its grad) whose width is known beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .svg import SIZE, element, esc, width_of

__all__ = ["Line", "TextPiece", "clip_to_columns", "line", "size_of"]

_SIZES = {"local": 12.5, "small": 12.5, "note": 13.0, "heading": 14.0}


def size_of(kind: str) -> float:
    """The size of the letters of a kind of words, as the style sheet has it."""
    return next((_SIZES[word] for word in kind.split() if word in _SIZES), float(SIZE))


def clip_to_columns(words: str, columns: int) -> str:
    """Words that take at most so many columns; what does not fit is replaced by an ellipsis."""
    if width_of(words, 1 / 0.6) <= columns:
        return words
    kept, used = "", 1.0
    for character in words:
        used += width_of(character, 1 / 0.6)
        if used > columns:
            break
        kept += character
    return kept + "…"


class TextPiece(NamedTuple):
    """A few words of one kind; a number that the player replaces says which one it is."""

    words: str
    kind: str = ""
    number: str = ""
    step: int | None = None  # when it appears, if that is later than the line
    gap: float = 0.0  # in front of it: spaces that follow each other count once in SVG
    room: float = 0.0  # at least so wide: a number that the player replaces may have been longer on the way


@dataclass(frozen=True, slots=True)
class Line:
    """Pieces one after the other."""

    pieces: tuple[TextPiece, ...]
    kind: str = ""

    @property
    def width(self) -> float:
        return sum(map(self._width, self.pieces))

    def _width(self, piece: TextPiece) -> float:
        return piece.gap + max(piece.room, width_of(piece.words, size_of(piece.kind or self.kind)))

    def draw(self, x: float, y: float, anchor: str = "start") -> str:
        """One text; what appears at a step of its own is a text of its own."""
        together = [piece for piece in self.pieces if piece.step is None]
        texts = [self._text(together, x, y, anchor)]
        for piece in self.pieces:
            if piece.step is not None:
                texts.append(self._text([piece._replace(gap=0.0)], x + piece.gap, y, "start", piece.step))
            x += self._width(piece)
        return "".join(texts)

    def _text(
        self, pieces: Sequence[TextPiece], x: float, y: float, anchor: str, step: int | None = None
    ) -> str:
        return element(
            "text",
            *map(_span, pieces),
            class_=self.kind or None,
            x=float(x),
            y=float(y),
            text_anchor=None if anchor == "start" else anchor,
            data_step=step,
        )


def line(*pieces: TextPiece | str, kind: str = "") -> Line:
    """A line of pieces; a plain text is a piece of the line's own kind."""
    return Line(tuple(TextPiece(piece) if isinstance(piece, str) else piece for piece in pieces), kind)


def _span(piece: TextPiece) -> str:
    if not (piece.kind or piece.number or piece.gap):
        return esc(piece.words)
    return element(
        "tspan",
        esc(piece.words),
        class_=piece.kind or None,
        dx=piece.gap or None,
        data_number=piece.number or None,
    )
