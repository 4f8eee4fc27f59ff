"""Feedback for a learner: each answer, the mistake behind it, the right one, and what to read again."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from re import sub

from ...text.escape import visible
from ...text.translation import say, speaking
from ..course import SLUGS, titles
from .answer_key import AnswerKey, solution_text
from .grades import RIGHT, Grade, GradedSheet
from .sheet_html import document, marks_html, prompt_html
from .sheet_markdown import escape_markdown, prompt_markdown

__all__ = ["feedback_html", "feedback_markdown"]


def feedback_markdown(one: GradedSheet, key: AnswerKey) -> str:
    """What one learner gets back, as Markdown, in the language of the sheets."""
    with speaking(key.language):
        parts = [
            f"<!-- minigrad feedback {one.sheet.code} -->",
            f"# {escape_markdown(key.title)}",
            _head(one, escape_markdown(one.sheet.learner.name)),
        ]
        for mark in one.marks:
            parts.append(f"## {_title(mark)}")
            parts += [f"> {text}".replace("\n", "\n> ") for text in prompt_markdown(mark.item.prompt)]
            if mark.answer:
                parts.append(say("classroom.feedback.answer", answer=f"`{_typed(mark)}`"))
            parts += mark.words
            if mark.status != RIGHT:
                parts.append(_right(mark))
                parts.append("\n".join(f"* {text}" for text in mark.item.question.reveal()))
        again = list(_again(one))
        if again:
            parts += [f"## {say('classroom.feedback.again')}", "\n".join(f"* {line}" for line in again)]
        if one.engine:
            report = sub(r"\A# .*\n+", "", one.engine.feedback)  # its title is that of its first section
            parts += [f"## {say('classroom.section.engines')}", sub("(?m)^#", "##", report)]
        return "\n\n".join(parts) + "\n"


def feedback_html(one: GradedSheet, key: AnswerKey) -> str:
    """What one learner gets back, as a page, in the language of the sheets."""
    with speaking(key.language):
        name = f'<strong dir="auto">{escape(one.sheet.learner.name)}</strong>'
        body = [f"<header><h1>{escape(key.title)}</h1>", f"<p>{_head(one, name)}</p></header>"]
        for mark in one.marks:
            kind = "right" if mark.status == RIGHT else "wrong"
            body.append(f'<section><h2 class="mark {kind}">{escape(_title(mark))}</h2>')
            body.append(f"<blockquote>{prompt_html(mark.item.prompt)}</blockquote>")
            if mark.answer:
                answer = f"<code>{escape(_typed(mark))}</code>"
                body.append(f"<p>{say('classroom.feedback.answer', answer=answer)}</p>")
            body += [f"<p>{marks_html(text)}</p>" for text in mark.words]
            if mark.status != RIGHT:
                reasons = "".join(f"<li>{marks_html(text)}</li>" for text in mark.item.question.reveal())
                body.append(f"<p>{marks_html(_right(mark))}</p><ul>{reasons}</ul>")
            body.append("</section>")
        again = "".join(f"<li>{marks_html(line)}</li>" for line in _again(one))
        if again:
            body.append(
                f"<section><h2>{escape(say('classroom.feedback.again'))}</h2><ul>{again}</ul></section>"
            )
        if one.engine:
            report = f"<pre>{escape(one.engine.text)}</pre>"
            body.append(f"<section><h2>{escape(say('classroom.section.engines'))}</h2>{report}</section>")
        return document(key.title, "\n".join(body))


def _head(one: GradedSheet, name: str) -> str:
    return say("classroom.feedback.head", name=name, points=one.points, of=len(one.sheet.items))


def _title(mark: Grade) -> str:
    status = say(f"classroom.status.{mark.status}")
    return f"{say('classroom.question', number=mark.item.number)}: {status}"


def _typed(mark: Grade) -> str:
    return visible(solution_text(mark.answer)).replace("`", "'")[:400]


def _right(mark: Grade) -> str:
    return say("classroom.feedback.right", answer=f"`{solution_text(mark.item.question.solution)}`")


def _again(one: GradedSheet) -> Iterator[str]:
    """The units of the questions that were not right, in the order of the course."""
    wrong = {mark.item.question.unit for mark in one.marks if mark.status != RIGHT}
    for number, slug, title, _, _ in titles():
        if slug in wrong:
            yield say(
                "classroom.feedback.unit", number=number, title=title, command=f"`minigrad learn {slug}`"
            )
    assert wrong <= set(SLUGS)
