"""Renderer of lessons, from the file to what is read: code is run, fields computed, graphs traced.

    fill_blocks(source, number, slug) -> blocks, in the language in use

Questions that are generated wait for the learner's seed: they come as `Pending`, and `course.py` asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..drawing import DRAWINGS
from ..explanation.explanation import TEXTS
from ..faults.break_lab import lab
from ..text.translation import say
from .inline_marks import refuse_stray
from .lesson import Block, Code, Heading, Items, LabWork, LessonGuess, Paragraph, Picture, Stage, Table
from .lesson_context import LessonContext, StagedGraph, printed_by
from .lesson_fields import fill
from .lesson_reader import LessonError, LessonSource, RawBlock
from .questions import Question

__all__ = ["PendingCheckpoint", "fill_blocks", "fill_questions"]

PROSE = ("paragraph", "heading", "items", "table")
Maker = Callable[[int], Question]  # from a learner's seed


@dataclass(frozen=True, slots=True)
class PendingCheckpoint:
    """A checkpoint whose questions are made when a seed is known."""

    makers: tuple[Maker, ...]


def fill_blocks(source: LessonSource, number: int, slug: str) -> tuple[Block | PendingCheckpoint, ...]:
    """All blocks of a lesson, computed; LessonError with file and line for what cannot be."""
    return tuple(_LessonRenderer(source, number, slug).blocks(source.blocks))


def fill_questions(source: LessonSource, number: int, slug: str) -> tuple[Maker, ...]:
    """The questions alone, without running what does not concern them."""
    needed = [raw for raw in source.blocks if raw.kind in ("graph", "question")]
    blocks = _LessonRenderer(source, number, slug).blocks(needed)
    return tuple(maker for block in blocks if isinstance(block, PendingCheckpoint) for maker in block.makers)


class _LessonRenderer:
    def __init__(self, source: LessonSource, number: int, slug: str) -> None:
        self.source, self.number, self.slug = source, number, slug
        self.context = LessonContext()
        self.asked = 0  # questions so far: the same one in both languages

    def blocks(self, raws: list[RawBlock] | tuple[RawBlock, ...]) -> Iterator[Block | PendingCheckpoint]:
        makers: list[Maker] = []
        for raw in raws:
            try:
                if raw.kind == "question":
                    makers.append(self._question(raw))
                    continue
                if makers:
                    yield PendingCheckpoint(tuple(makers))
                    makers = []
                yield from self._filled(raw)
            except LessonError:
                raise
            except Exception as error:  # whatever a block does, its author is told where it stands
                what = str(error.args[0]) if error.args else type(error).__name__
                kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
                raise LessonError(self.source.file, raw.line, kind + what) from error
        if makers:
            yield PendingCheckpoint(tuple(makers))

    def _filled(self, raw: RawBlock) -> Iterator[Block]:
        if raw.kind in ("python", "console"):
            yield from self._code(raw)
        else:
            yield getattr(self, f"_{raw.kind}")(raw)

    def _text(self, raw: RawBlock) -> Block:
        return Code("text", fill(raw.text, self.context))

    def _words(self, text: str) -> str:
        filled = fill(text, self.context)
        refuse_stray(filled)
        return filled

    # ---- prose --------------------------------------------------------------------------

    def _paragraph(self, raw: RawBlock) -> Block:
        return Paragraph(self._words(raw.text))

    def _guess(self, raw: RawBlock) -> Block:
        return LessonGuess(self._words(raw.text))

    def _heading(self, raw: RawBlock) -> Block:
        return Heading(self._words(raw.text), raw.level)

    def _items(self, raw: RawBlock) -> Block:
        return Items(tuple(self._words(row[0]) for row in raw.rows), bool(raw.level))

    def _table(self, raw: RawBlock) -> Block:
        head, *rows = (tuple(map(self._words, row)) for row in raw.rows)
        return Table(head, tuple(rows))

    # ---- what is run --------------------------------------------------------------------

    def _graph(self, raw: RawBlock) -> Block:
        self.context.staged = StagedGraph.of(raw.text)
        return Stage(raw.text, self.context.staged.trace, self._asked_about(raw))

    def _asked_about(self, raw: RawBlock) -> bool:
        """Does nothing but prose stand between a graph and the questions about it?"""
        after = self.source.blocks[self.source.blocks.index(raw) + 1 :]
        following = next((other.kind for other in after if other.kind not in PROSE), "")
        return following == "question"

    def _picture(self, raw: RawBlock) -> Block:
        view, node = raw.words[0], "".join(raw.words[1:])
        if view not in TEXTS and view not in DRAWINGS:
            known = ", ".join(dict.fromkeys((*TEXTS, *DRAWINGS)))
            raise ValueError(say("course.picture", given=view, known=known))
        if node:
            self.context.stage.node(node)
        return Picture(view, node, self.context.stage.trace, self._words(raw.text))

    def _code(self, raw: RawBlock) -> Iterator[Block]:
        how = "".join(raw.words)
        if how not in ("", "quiet", "still"):
            raise ValueError(say("course.how", given=how))
        if raw.kind == "python":
            output = "" if how else self.context.python(raw.text, f"{self.source.file}:{raw.line}")
            yield Code("python", raw.text, output, not how)
            return
        for command in commands(raw.text):
            output = "" if how else printed_by(command.removeprefix("$ "))
            yield Code("console", command, output, not how)

    def _lab(self, raw: RawBlock) -> Block:
        fault, *variant = raw.words
        made = lab(self.context.stage.graph, fault, variant=" ".join(variant) or None)
        return LabWork(made, self._words(raw.text))

    # ---- questions ----------------------------------------------------------------------

    def _question(self, raw: RawBlock) -> Maker:
        from .questions import generate, lesson_question

        lead = self._words(raw.text)
        self.asked += 1
        kind, name, *rest = raw.words
        parameters = {word.partition("=")[0]: word.partition("=")[2] for word in rest}
        if "" in parameters.values():
            raise ValueError(say("course.parameter", given=" ".join(rest)))
        if kind == "generated":
            level = int(parameters.pop("level", "1"))
            if parameters or lead:
                raise ValueError(say("course.generated", given=" ".join(raw.words)))
            generate(name, level, 0)  # so that a wrong kind or level is found here
            place = 10 * self.number + self.asked
            return lambda seed: generate(name, level, 1000 * seed + place)
        graph = self.context.staged.graph if self.context.staged else None
        made = lesson_question(self.slug, kind, name, graph, parameters, lead)
        return lambda seed: made


def commands(text: str) -> list[str]:
    """The commands of a console block, each from its $ on, with the lines that go on from it."""
    found: list[str] = []
    for line in text.split("\n"):
        if line.startswith("$ "):
            found.append(line)
        elif found and found[-1].endswith("\\"):
            found[-1] += "\n" + line
        else:
            raise ValueError(say("course.console", given=line[:40]))
    return found
