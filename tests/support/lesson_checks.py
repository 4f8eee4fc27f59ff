"""What is held against the lessons: each check gives a list of complaints, empty for a good lesson."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from minigrad.learn.lesson import Heading, Items, LabWork, LessonCheckpoint, Paragraph, Picture, Table, Unit
from minigrad.learn.lesson_fields import FIELD
from minigrad.learn.lesson_reader import LessonSource, RawBlock
from minigrad.learn.lesson_renderer import commands

DIGIT = re.compile(r"(?<!\w)\d")  # that of v1 is part of a name
ADDRESS = re.compile(r"\]\([^)]*\)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def typed_digits(source: LessonSource) -> list[str]:
    """Numbers that somebody typed into the prose: they would not change with the graph."""
    texts = [(0, source.title), (0, source.idea)]
    texts += [(raw.line, text) for raw in source.blocks for text in raw.prose]
    found = []
    for line, text in texts:
        bare = ADDRESS.sub("]", FIELD.sub("", text))
        if DIGIT.search(bare):
            found.append(f"{source.file}, line {line}: a digit in {bare[:70]!r}")
    return found


# ---- the same in both languages -----------------------------------------------------------------


def shape(raw: RawBlock) -> object:
    """What of a block must be the same in every language."""
    if raw.kind == "graph":
        return raw.kind, raw.text
    if raw.kind == "python":
        return raw.kind, raw.words, wordless(raw.text)
    if raw.kind == "console":
        return raw.kind, raw.words, [line.replace(" --lang es", "") for line in commands(raw.text)]
    fields = Counter(found.strip() for text in raw.prose for found in FIELD.findall(text))
    cells = [len(row) for row in raw.rows]
    return raw.kind, raw.words, raw.level, cells, bool(raw.text), fields


def wordless(code: str) -> str:
    """A program without its words: those may be in the reader's language."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


def differences(first: LessonSource, second: LessonSource) -> list[str]:
    """Where two translations of a lesson part."""
    found = []
    if first.minutes != second.minutes:
        found.append(f"{second.file}: minutes")
    if len(first.blocks) != len(second.blocks):
        found.append(f"{second.file}: {len(second.blocks)} blocks, not {len(first.blocks)}")
    for one, other in zip(first.blocks, second.blocks, strict=False):
        if shape(one) != shape(other):
            found.append(f"{first.file}, line {one.line} and {second.file}, line {other.line}")
        elif untranslated(one, other):
            found.append(f"{second.file}, line {other.line}: not translated")
    return found


def untranslated(one: RawBlock, other: RawBlock) -> bool:
    """The same sentence in both languages: more than a name or a formula."""
    words = [re.findall(r"[^\W\d_]{3,}", re.sub(r"`[^`]*`", "", FIELD.sub("", text))) for text in one.prose]
    return any(
        len(found) > 3 and text == translated
        for found, text, translated in zip(words, one.prose, other.prose, strict=False)
    )


def prose(unit: Unit) -> Iterator[tuple[int, str]]:
    """The texts of a unit as they are read, each with the number of its block."""
    for i, block in enumerate(unit.blocks):
        if isinstance(block, (Paragraph, Heading)):
            yield i, block.text
        elif isinstance(block, Items):
            yield from ((i, item) for item in block.items)
        elif isinstance(block, Table):
            yield from ((i, cell) for row in (block.head, *block.rows) for cell in row)
        elif isinstance(block, Picture):
            yield i, block.caption
        elif isinstance(block, LabWork):
            yield i, block.lead
        elif isinstance(block, LessonCheckpoint):
            yield from ((i, key) for key in (question.key for question in block.questions))


def numbers(unit: Unit) -> dict[int, Counter[str]]:
    """The numbers of each block, whichever way a language groups their digits."""
    found: dict[int, Counter[str]] = {}
    for i, text in prose(unit):
        plain = re.sub(r"(?<=\d)[,\u00a0](?=\d{3}\b)", "", ADDRESS.sub("]", text))
        found.setdefault(i, Counter()).update(NUMBER.findall(plain))
    return found
