"""Reader of lesson files: Markdown as people write it, but strict; what is unknown is an error with its line.

    read(path) -> Source: title, idea, minutes, and raw blocks, each with the line that it starts on

Nothing is computed here: fields such as {{grad a}} stay as they are until `lesson_renderer.py` comes to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from re import fullmatch, match

from ..errors import MinigradError
from ..text.translation import say

__all__ = ["FENCES", "LessonError", "LessonSource", "RawBlock", "read", "read_text"]

# What a fence may be, and the fewest and the most words that follow that on its line.
FENCES = {
    "graph": (0, 0),
    "picture": (1, 2),
    "python": (0, 1),
    "console": (0, 1),
    "text": (0, 0),
    "guess": (0, 0),
    "lab": (1, 9),
    "question": (2, 12),
}
_NO_BODY = {"picture", "lab", "question"}  # whose words say it all
_STRANGE = ("#", ">", "+ ", "- ", "~~~", "<", "    ", "\t", "---", "***", "===", "!", "$$")


class LessonError(MinigradError, ValueError):
    """Something is wrong with a lesson file; its text names the file and the line."""

    def __init__(self, file: str, line: int, what: str) -> None:
        super().__init__(say("course.place", file=file, line=line, what=what))
        self.file, self.line, self.what = file, line, what


@dataclass(frozen=True, slots=True)
class RawBlock:
    """A block as it was written."""

    kind: str  # paragraph, heading, items, table, or the first word of a fence
    line: int
    text: str = ""  # of a paragraph or heading; the body of a fence
    words: tuple[str, ...] = ()  # of a fence, after the first
    rows: tuple[tuple[str, ...], ...] = ()  # of items, one text each; of a table, the head and the rows
    level: int = 0  # of a heading; 1 for items that are numbered

    @property
    def prose(self) -> tuple[str, ...]:
        """Its texts for people."""
        if self.kind in ("python", "console", "text", "graph"):
            return ()
        return tuple(cell for row in self.rows for cell in row) or ((self.text,) if self.text else ())


@dataclass(frozen=True, slots=True)
class LessonSource:
    """A lesson file, read."""

    file: str  # as errors name it: en/04-diamonds.md
    title: str
    idea: str
    minutes: int
    blocks: tuple[RawBlock, ...]


def read(path: Path) -> LessonSource:
    """Read one lesson; LessonError for what is not a lesson."""
    return read_text(path.read_text(encoding="utf-8"), f"{path.parent.name}/{path.name}")


def read_text(text: str, file: str) -> LessonSource:
    """Read a lesson from its text; `file` is how errors name it."""
    return _LessonReader(text, file).source()


class _LessonReader:
    def __init__(self, text: str, file: str) -> None:
        self.lines = text.split("\n")
        self.file = file
        self.at = 0

    def wrong(self, key: str, at: int | None = None, **about: object) -> LessonError:
        line = min(self.at if at is None else at, len(self.lines) - 1)
        return LessonError(self.file, line + 1, say(f"course.{key}", **about))

    # ---- the head -----------------------------------------------------------------------

    def source(self) -> LessonSource:
        title = self._head(r"# (\S.*)", "title")
        idea = self._head(r"> (\S.*)", "idea")
        minutes = int(self._head(r"minutes: ([1-9][0-9]?)", "minutes"))
        blocks = []
        while self._skip():
            blocks.append(self._block())
        return LessonSource(self.file, title, idea, minutes, tuple(blocks))

    def _head(self, shape: str, key: str) -> str:
        self._skip()
        found = fullmatch(shape, self._line.rstrip())
        if not found:
            raise self.wrong(key, given=self._line[:60])
        self.at += 1
        return found[1]

    def _skip(self) -> bool:
        """Go on to the next line that is not empty, if there is one."""
        while self.at < len(self.lines) and not self.lines[self.at].strip():
            self.at += 1
        return self.at < len(self.lines)

    @property
    def _line(self) -> str:
        return self.lines[self.at] if self.at < len(self.lines) else ""

    # ---- blocks -------------------------------------------------------------------------

    def _block(self) -> RawBlock:
        line = self._line
        if line.startswith("```"):
            return self._fence()
        if heading := match(r"(##|###) (\S.*)", line):
            self.at += 1
            return RawBlock("heading", self.at, heading[2].rstrip(), level=len(heading[1]))
        if line.startswith("|"):
            return self._table()
        if match(r"\* |[0-9]+\. ", line):
            return self._items()
        if line.startswith(_STRANGE):
            raise self.wrong("strange", given=line[:40])
        start = self.at
        while self._line.strip() and not self._line.startswith(("```", "|", "* ", *_STRANGE)):
            self.at += 1
        return RawBlock(
            "paragraph", start + 1, " ".join(part.strip() for part in self.lines[start : self.at])
        )

    def _items(self) -> RawBlock:
        start, items = self.at, []
        numbered = not self._line.startswith("* ")
        shape = r"[0-9]+\. (\S.*)" if numbered else r"\* (\S.*)"
        while self._line.strip():
            if item := match(shape, self._line):
                items.append(item[1].rstrip())
            elif self._line.startswith("  ") and items:
                items[-1] += " " + self._line.strip()
            else:
                raise self.wrong("item", given=self._line[:40])
            self.at += 1
        return RawBlock("items", start + 1, rows=tuple((item,) for item in items), level=int(numbered))

    def _table(self) -> RawBlock:
        start, rows = self.at, []
        while self._line.startswith("|"):
            line = self._line.strip()
            if not line.endswith("|"):
                raise self.wrong("row", given=line[:40])
            rows.append(tuple(cell.strip() for cell in line[1:-1].split("|")))
            if len(rows[-1]) != len(rows[0]):
                raise self.wrong("cells", given=len(rows[-1]), wanted=len(rows[0]))
            self.at += 1
        if len(rows) < 3 or not all(fullmatch(r":?-+:?", cell) for cell in rows[1]):
            raise self.wrong("table", at=start)
        return RawBlock("table", start + 1, rows=(rows[0], *rows[2:]))

    def _fence(self) -> RawBlock:
        start = self.at
        words = self._line[3:].split()
        if not words or words[0] not in FENCES:
            raise self.wrong("fence", given=self._line[:40], known=", ".join(FENCES))
        least, most = FENCES[words[0]]
        if not least <= len(words) - 1 <= most:
            raise self.wrong("fence.words", given=self._line[:60])
        body = []
        self.at += 1
        while self._line.rstrip() != "```":
            if self.at >= len(self.lines) or self._line.startswith("```"):
                raise self.wrong("fence.open", at=start)
            body.append(self._line.rstrip())
            self.at += 1
        self.at += 1
        text = "\n".join(body).strip("\n")
        if not text and words[0] not in _NO_BODY:
            raise self.wrong("fence.empty", at=start)
        if words[0] in (*_NO_BODY, "guess"):
            text = " ".join(part.strip() for part in body if part.strip())
        return RawBlock(words[0], start + 1, text, tuple(words[1:]))
