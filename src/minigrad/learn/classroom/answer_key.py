"""The key of a class: key.json, by which sheets are graded, and key.md, which a person reads.

key.json holds the keys of the questions and no answer: those are computed again when sheets are graded.
Beside each stands a fingerprint, so that a question that another version of minigrad would make otherwise
is noticed and not graded wrongly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from re import fullmatch
from typing import Any

from ...cli.arguments import UsageError
from ...text.escape import printable
from ...text.files import rows_json
from ...text.strict_json import parse_json
from ...text.translation import LANGUAGES, language, say, speaking
from ..questions import Answer, question
from ..questions.random_graphs import EDITION
from .roster import Learner
from .sheet import Sheet, SheetItem, SheetPlan, fingerprint, make_sheet
from .sheet_markdown import escape_markdown

__all__ = ["SCHEMA", "AnswerKey", "key_json", "key_markdown", "read_key", "seed_of", "solution_text"]

SCHEMA = "minigrad.key/1"
LARGEST = 16 << 20
LONGEST = 200  # characters of a title


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """A class as it was handed out."""

    title: str
    seed: int
    language: str
    sheets: tuple[Sheet, ...]

    def by_code(self) -> Mapping[str, Sheet]:
        return {sheet.code: sheet for sheet in self.sheets}


def key_json(plan: SheetPlan, sheets: Sequence[Sheet]) -> str:
    """The key by which sheets are graded."""
    from ... import __version__

    rows = [
        {
            "sheet": sheet.code,
            "name": sheet.learner.name,
            "id": sheet.learner.id,
            "again": sheet.learner.again,
            "file": sheet.learner.slug,
            "questions": [[item.question.key, fingerprint(item.prompt)] for item in sheet.items],
        }
        for sheet in sheets
    ]
    head = {"schema": SCHEMA, "minigrad": __version__, "edition": EDITION}
    head |= {"title": plan.title, "seed": plan.seed}
    return rows_json({**head, "language": language(), "sheets": rows})


def read_key(text: str) -> AnswerKey:
    """The class of a key.json; UsageError with the reason where it is none."""
    try:
        document = parse_json(text)
    except (ValueError, RecursionError):
        raise UsageError(say("classroom.key.unread")) from None
    if not isinstance(document, dict) or not str(document.get("schema", "")).startswith("minigrad.key/"):
        raise UsageError(say("classroom.key.unread"))
    if document["schema"] != SCHEMA:
        raise UsageError(say("classroom.key.newer", given=printable(str(document["schema"])), known=SCHEMA))
    try:
        return _key(document)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise UsageError(say("classroom.key.damaged")) from None


def _key(document: dict[str, Any]) -> AnswerKey:
    lang, title, seed = document["language"], str(document["title"]), int(document["seed"])
    edition = int(document.get("edition", 1))  # 0.1 wrote none
    if lang not in LANGUAGES or not title.isprintable() or len(title) > LONGEST:
        raise ValueError(lang)
    with speaking(lang):
        sheets = tuple(_sheet(row, title, seed, edition) for row in document["sheets"])
    if len({sheet.learner.slug for sheet in sheets}) < len(sheets):
        raise ValueError("one file for two learners")
    return AnswerKey(title, seed, lang, sheets)


def _sheet(row: dict[str, Any], title: str, seed: int, edition: int) -> Sheet:
    learner = Learner(str(row["name"]), str(row["file"]), str(row["id"]), int(row["again"]))
    if not (learner.name.isprintable() and fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", learner.slug)):
        raise ValueError(learner.slug)  # it becomes the name of a file
    items = []
    for at, (key, mark) in enumerate(row["questions"], 1):
        asked = question(key, edition)
        item = SheetItem(at, asked, asked.ask())
        if fingerprint(item.prompt) != mark:
            raise UsageError(say("classroom.key.version", question=at, name=printable(learner.name)))
        items.append(item)
    sheet = make_sheet(learner, title, items, seed)
    if sheet.code != row["sheet"]:
        raise ValueError(row["sheet"])
    return sheet


def seed_of(text: str) -> int | None:
    """The seed of a key.json of ours; None for anything else."""
    try:
        document: Any = parse_json(text)
        return int(document["seed"]) if document["schema"] == SCHEMA else None
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return None


def codes_of(text: str) -> dict[str, str]:
    """The names in a key.json of ours by the codes of their sheets; none for anything else."""
    try:
        document: Any = parse_json(text)
        return {str(row["sheet"]): str(row["name"]) for row in document["sheets"]}
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}


def key_markdown(plan: SheetPlan, sheets: Iterable[Sheet]) -> str:
    """Every sheet with its right answers and their reasons."""
    parts = [
        f"# {say('classroom.key.title', title=escape_markdown(plan.title))}",
        say("classroom.key.warning"),
    ]
    for sheet in sheets:
        parts.append(f"## {escape_markdown(sheet.learner.name)}")
        parts.append(say("classroom.key.sheet", code=f"`{sheet.code}`", file=f"`{sheet.learner.slug}`"))
        lines = []
        for item in sheet.items:
            lines.append(
                f"{item.number}. **{solution_text(item.question.solution)}** (`{item.question.key}`)"
            )
            lines += [f"   * {sentence}" for sentence in item.question.reveal()]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def solution_text(answer: Answer) -> str:
    """a = 4, b = -4; of a choice the letter alone."""
    return ", ".join(
        text if blank in ("choice", "expression") else f"{blank} = {text}" for blank, text in answer.items()
    )
