"""Answers about the course: a unit as plain data, a question without its solution, an answer judged.

The page makes elements out of this, never markup.  Nothing here tells a right answer but `reveal_answer`,
which is asked for by the learner.  Nothing here is written down: what a learner did is kept by
`learner_progress.py`, in the process of the server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from ..drawing import DRAWINGS, draw
from ..explanation.explanation import Explanation
from ..language import write
from ..learn import course
from ..learn.blank_drawing import blank_drawing
from ..learn.inline_marks import InlineMark, marks
from ..learn.lesson import (
    Code,
    Heading,
    Items,
    LabWork,
    LessonCheckpoint,
    Paragraph,
    Picture,
    Stage,
    Table,
    Unit,
    aftermath,
)
from ..learn.questions import Question, question
from ..learn.spaced_repetition import DueItem, question_for
from ..text.translation import LANGUAGES, pick, speaking
from .requests import (
    JudgeRequest,
    QuestionRequest,
    RevealRequest,
    ReviewRequest,
    UnitRequest,
    refusing,
)

if TYPE_CHECKING:
    from ..graph.trace import Trace

__all__ = ["judge_answer", "question_answer", "reveal_answer", "review_answer", "unit_answer"]

Data = dict[str, object]
T = TypeVar("T")


# ---- a unit -------------------------------------------------------------------------------------


def unit_answer(asked: UnitRequest) -> Data:
    """One unit in the language of the request, with the numbers of this learner's questions."""
    with refusing():
        unit = course.unit(asked.unit, seed=asked.seed)
    return {
        "unit": {
            "number": unit.number,
            "slug": unit.slug,
            "language": unit.language,
            "title": _runs(unit.title),
            "idea": _runs(unit.idea),
            "minutes": unit.minutes,
            "blocks": list(_blocks(unit)),
            "aftermath": sorted(aftermath(unit)),  # what is not shown before the lab was run
        }
    }


def _blocks(unit: Unit) -> Iterator[Data]:
    stage, above = "", ""
    for block in unit.blocks:
        if isinstance(block, Stage):
            stage, above = block.text, write(block.trace.graph) if block.asked else ""
            drawn = blank_drawing(block.trace.graph).inline("graph") if block.asked else ""
            yield {"kind": "stage", "text": stage, "sketch": drawn}  # one that is asked about is not played
        elif isinstance(block, LabWork):
            yield _lab(block, stage)
        elif isinstance(block, LessonCheckpoint):
            yield {"kind": "checkpoint", "questions": [_prompt(each, above) for each in block.questions]}
        else:
            yield _encode(block)


def _lab(block: LabWork, stage: str) -> Data:
    """A lab before it is run: the change, and whose gradients are to be predicted."""
    lab = block.lab
    return {
        "kind": "lab",
        "lead": _runs(block.lead),
        "text": lab.source[0] if lab.source else stage or write(lab.graph),
        "fault": lab.fault.slug,
        "variant": lab.variant or None,
        "name": lab.suspect.name(lab.graph),
        "story": pick(lab.fault.story),
        "diff": lab.diff,
        "inputs": [lab.graph.names[i] for i in lab.graph.inputs],
    }


def _picture(block: Picture) -> Data:
    found: Data = {"kind": "picture", "view": block.view, "caption": _runs(block.caption)}
    if block.view in DRAWINGS:
        return found | {"svg": draw(block.view, block.trace, node=_index(block)).inline(block.view)}
    explanation = Explanation(block.trace)
    return found | {"text": explanation.text(views=[block.view])}


def _index(block: Picture) -> int | None:
    trace: Trace = block.trace
    return trace.graph.names.index(block.node) if block.node else None


def _runs(text: str) -> list[Data]:
    """A text taken apart at its marks."""
    return [_run(mark) for mark in marks(text)]


def _run(mark: InlineMark) -> Data:
    found: Data = {"kind": mark.kind, "text": mark.text}
    if mark.address:
        found["address"] = mark.address
    if mark.inside:
        found["inside"] = [_run(inner) for inner in mark.inside]
    return found


def _encode(block: Paragraph | Heading | Items | Table | Code | Picture) -> Data:
    """A block that is shown as it is."""
    match block:
        case Paragraph():
            return {"kind": "paragraph", "text": _runs(block.text)}
        case Heading():
            return {"kind": "heading", "text": _runs(block.text), "level": block.level}
        case Items():
            items = [_runs(item) for item in block.items]
            return {"kind": "items", "items": items, "numbered": block.numbered}
        case Table():
            rows = [[_runs(cell) for cell in row] for row in block.rows]
            return {"kind": "table", "head": [_runs(cell) for cell in block.head], "rows": rows}
        case Code():
            printed = {"text": block.text, "output": block.output}
            return {"kind": "code", "language": block.language, **printed}
        case Picture():
            return _picture(block)


# ---- questions ----------------------------------------------------------------------------------


def _prompt(asked: Question, above: str = "") -> Data:
    """What is asked; nothing of what is right.  A graph that is drawn `above` is not drawn again."""
    prompt, graph = asked.ask(), asked.graph
    drawn = graph is not None and write(graph) != above
    return {
        "key": asked.key,
        "of": asked.kind,
        "unit": asked.unit,
        "paragraphs": [_runs(text) for text in prompt.paragraphs],
        "statements": prompt.statements,
        "sketch": blank_drawing(graph).inline("graph") if graph is not None and drawn else "",
        "table": [[_runs(cell) for cell in row] for row in prompt.table],
        "blanks": list(prompt.blanks),
        "choices": [{"letter": each.letter, "words": _runs(each.words)} for each in prompt.choices],
        "example": prompt.example,
    }


def _question(key: str) -> Question:
    with refusing():
        return question(key)


def question_answer(asked: QuestionRequest) -> Data:
    """One more question, by its key, in both languages: nobody has to ask for it again."""
    found = _question(asked.key)
    return {"question": _both(lambda: _prompt(found))}


def review_answer(asked: ReviewRequest) -> Data:
    """A fresh question for each thing that is due, in both languages."""
    found = []
    with refusing():
        for number, row in enumerate(asked.due):
            item = _due_item(row)
            made = question_for(item, asked.seed + 37 * number)
            found.append((item.item, made))
    return {"due": [{"item": item, "question": _both(partial(_prompt, made))} for item, made in found]}


def _due_item(row: Mapping[str, str | int]) -> DueItem:
    """A row of what is due; ValueError, TypeError or KeyError for one that is none."""
    fields: dict[str, Any] = dict(row)
    return DueItem(**{**fields, "on": date.fromisoformat(fields["on"])})


def judge_answer(asked: JudgeRequest) -> Data:
    """What is said about an answer, in both languages: switching loses nothing."""
    found = _question(asked.key)
    with refusing():
        said = _both(lambda: found.judge(asked.answer))
    first = said[0]
    return {
        "key": found.key,
        "unit": found.unit,
        "right": first.right,
        "read": first.read,
        "fault": first.fault,
        "words": [[_runs(words) for words in each.words] for each in said],
        "among": _keys(found.unit, asked.seed),
    }


def reveal_answer(asked: RevealRequest) -> Data:
    """The right answer with its reason, in both languages."""
    found = _question(asked.key)
    return {
        "key": found.key,
        "unit": found.unit,
        "words": [[_runs(sentence) for sentence in each] for each in _both(found.reveal)],
        "among": _keys(found.unit, asked.seed),
    }


def _both(tell: Callable[[], T]) -> list[T]:
    """Something in English and in Spanish."""
    found = []
    for language in LANGUAGES:
        with speaking(language):
            found.append(tell())
    return found


def _keys(slug: str, seed: int) -> list[str]:
    """The questions of a unit: once all are answered, it is done."""
    if slug not in course.SLUGS:
        return []
    return [each.key for each in course.questions(slug, seed=seed)]
