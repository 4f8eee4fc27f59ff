"""A lesson as HTML: each block as a fragment, and a unit as one self-contained page that plays its graphs.

    html(block)     a fragment for a page that has `stylesheet()`; whatever anybody wrote is escaped
    page(unit)      one file: no network, and a policy under which nothing but its one script runs

A question is a form.  Where the script runs it judges what is typed, by what the question itself said about
the right answer and the mistakes that can be foreseen; where none runs, the answer stands in a `details`.
"""

from __future__ import annotations

from functools import cache, singledispatch
from html import escape
from pathlib import Path
from re import fullmatch

from ..drawing import DRAWINGS, draw, stacked
from ..explanation.explanation import Explanation
from ..faults.lab_report_text import BEFORE_THE_RUN
from ..graph.paths import paths
from ..player.document import TitledTrace, document
from ..player.page import SCRIPTS, embed_json, framed, join_scripts
from ..player.page import stylesheet as player_stylesheet
from ..text.translation import catalogue, say, speaking
from .blank_drawing import blank_drawing
from .inline_marks import InlineMark, marks, runs
from .lesson import (
    Block,
    Code,
    Heading,
    Items,
    LabWork,
    LessonCheckpoint,
    LessonGuess,
    Paragraph,
    Picture,
    Stage,
    Table,
    Unit,
    aftermath,
    answers_of_guesses,
)  # fmt: skip
from .lesson_text import lab_sections
from .questions import Answer, Judgement, Prompt, Question

__all__ = ["html", "inline", "page", "prompt_html", "question_html", "script", "stylesheet"]

LISTED = 6  # paths of a ledger
_END = "</details>\n</section>\n"  # of a lab
_LOOKED = "</details><!-- of a guess -->\n"
_HERE = Path(__file__).parent
_PLAYER = _HERE.parent / "player"
_TAGS = {"code": "code", "strong": "strong", "emphasis": "em"}
_SAFE = ("https://", "http://", "mailto:", "#", "./", "../")


def html(block: Block) -> str:
    """One block as a fragment, in the language in use."""
    return _html(block)


def inline(text: str, links: bool = True) -> str:
    """A text with its marks as elements; without `links`, a link is its words."""
    return "".join(_mark(mark, links) for mark in marks(text))


def _mark(mark: InlineMark, links: bool) -> str:
    inside = "".join(_mark(inner, links) for inner in mark.inside) or escape(mark.text)
    if mark.kind in _TAGS:
        return f"<{_TAGS[mark.kind]}>{inside}</{_TAGS[mark.kind]}>"
    safe = mark.address.startswith(_SAFE) or fullmatch(r"[\w#][^:]*", mark.address)
    return f'<a href="{escape(mark.address)}">{inside}</a>' if links and safe else inside


@singledispatch
def _html(block: object) -> str:
    raise TypeError(type(block).__name__)


# ---- prose --------------------------------------------------------------------------------------


@_html.register
def _(block: Paragraph) -> str:
    return f"<p>{inline(block.text)}</p>\n"


@_html.register
def _(block: Heading) -> str:
    level = min(6, max(1, block.level))
    return f"<h{level}>{inline(block.text)}</h{level}>\n"


@_html.register
def _(block: Items) -> str:
    tag = "ol" if block.numbered else "ul"
    items = "".join(f"<li>{inline(item)}</li>\n" for item in block.items)
    return f"<{tag}>\n{items}</{tag}>\n"


@_html.register
def _(block: Table) -> str:
    head = "".join(f'<th scope="col">{inline(cell)}</th>' for cell in block.head)
    rows = "".join(
        "<tr>" + "".join(f"<td>{inline(cell)}</td>" for cell in row) + "</tr>\n" for row in block.rows
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(say("course.table.label"))}">'
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )


# ---- code and graphs ----------------------------------------------------------------------------


def _pre(text: str, kind: str, label: str = "") -> str:
    about = f' aria-label="{escape(label)}"' if label else ""
    role = ' role="region"' if label else ""
    return f'<pre class="{escape(kind)}" tabindex="0"{role}{about}><code>{escape(text)}</code></pre>\n'


@_html.register
def _(block: Code) -> str:
    shown = _pre(block.text, f"source {block.language}")
    if not block.output.strip():
        return shown
    return f'<div class="run">\n{shown}{_pre(block.output.rstrip(), "output", say("course.prints"))}</div>\n'


@_html.register
def _(block: Stage) -> str:
    """The statements, and the graph without a number that they do not give."""
    return (
        f'<figure class="stage" data-graph="{escape(block.text)}">\n'
        f"{_pre(block.text, 'source graph')}{blank_drawing(block.trace.graph).inline('graph')}</figure>\n"
    )


@_html.register
def _(block: Picture) -> str:
    trace, graph = block.trace, block.trace.graph
    if block.view not in DRAWINGS:
        lines = [line for _, found in Explanation(trace).sections([block.view]) for line in found]
        shown = _pre("\n".join(lines), "output")
    elif block.view == "ledger":
        nodes = [graph.index(block.node)] if block.node else list(graph.inputs)
        found = paths(trace, LISTED, nodes)
        shown = stacked([draw("ledger", trace, node=i, found=found.get(i)) for i in nodes]).inline("ledger")
    else:
        shown = draw(block.view, trace).inline(block.view)
    caption = f"<figcaption>{inline(block.caption)}</figcaption>\n" if block.caption else ""
    if block.view in DRAWINGS:
        label = escape(say(f"player.view.{block.view}"))
        shown = f'<div class="wide" tabindex="0" role="region" aria-label="{label}">\n{shown}</div>\n'
    return f'<figure class="picture {escape(block.view)}">\n{shown}{caption}</figure>\n'


@_html.register
def _(block: LabWork) -> str:
    """What to predict stands open; what comes of it is behind a summary."""
    parts = [
        _sentences(title, lines) if prose else _section(title, lines)
        for title, lines, prose in lab_sections(block.lab)
    ]
    before, after = "".join(parts[:BEFORE_THE_RUN]), "".join(parts[BEFORE_THE_RUN:])
    lead = f'<p class="lead">{inline(block.lead)}</p>\n' if block.lead else ""
    return (
        f'<section class="lab" data-fault="{escape(block.lab.fault.slug)}">\n{lead}'
        f"{before}<details><summary>{escape(say('course.lab.run'))}</summary>\n"
        f"{after}{_END}"
    )


def _sentences(title: str, lines: list[str]) -> str:
    rows = "".join(f"<p>{escape(line.strip())}</p>\n" for line in lines)
    return f"<h3>{escape(title)}</h3>\n{rows}"


def _section(title: str, lines: list[str]) -> str:
    body = "\n".join(line.removeprefix("  ") for line in lines)
    return f"<h3>{escape(title)}</h3>\n{_pre(body, 'output')}"


# ---- questions ----------------------------------------------------------------------------------


@_html.register
def _(block: LessonCheckpoint) -> str:
    asked = "".join(question_html(question, i) for i, question in enumerate(block.questions, 1))
    return f'<section class="checkpoint">\n{asked}</section>\n'


def question_html(question: Question, number: int) -> str:
    """A question as a form, its answer behind a summary."""
    prompt = question.ask()
    revealed = "".join(f"<p>{inline(text)}</p>\n" for text in question.reveal())
    title = escape(say("course.question", number=number))
    return (
        f'<form class="question" data-question="{escape(question.key)}" '
        f'data-kind="{escape(question.kind)}">\n<h3>{title}</h3>\n{_prompt_html(prompt)}{_blanks(prompt)}'
        f'<p><button type="submit" class="check" hidden>{escape(say("course.check"))}</button></p>\n'
        f'<div class="judgement" role="status"></div>\n'
        f'<details class="reveal"><summary>{escape(say("course.reveal"))}</summary>\n{revealed}</details>\n'
        f'<script type="application/json" class="foreseen">{embed_json(_foreseen(question))}</script>\n'
        "</form>\n"
    )


def prompt_html(prompt: Prompt) -> str:
    """What is asked, without a form; choices as a list."""
    choices = "".join(
        f"<li><code>{escape(choice.letter)}</code> {inline(choice.words)}</li>\n" for choice in prompt.choices
    )
    return _prompt_html(prompt) + (f"<ul>\n{choices}</ul>\n" if choices else "")


def _prompt_html(prompt: Prompt) -> str:
    parts = [f"<p>{inline(text)}</p>\n" for text in prompt.paragraphs]
    if prompt.statements:
        parts.append(_pre(prompt.statements, "source graph"))
    if prompt.table:
        parts.append(html(Table(prompt.table[0], prompt.table[1:])))
    return "".join(parts)


def _blanks(prompt: Prompt) -> str:
    if prompt.choices:
        rows = "".join(
            f'<label class="choice"><input type="radio" name="choice" value="{escape(choice.letter)}"> '
            f"<span>{inline(choice.words)}</span></label>\n"
            for choice in prompt.choices
        )
        legend = escape(say("course.choose"))
        return f'<fieldset class="choices"><legend>{legend}</legend>\n{rows}</fieldset>\n'
    example = f' placeholder="{escape(prompt.example)}"' if prompt.example and len(prompt.blanks) == 1 else ""
    rows = "".join(
        f'<label class="blank"><code>{escape(blank)}</code> '
        f'<input name="{escape(blank)}" autocomplete="off" autocapitalize="off" spellcheck="false"{example}>'
        f"</label>\n"
        for blank in prompt.blanks
    )
    return f'<div class="blanks">\n{rows}</div>\n'


def _foreseen(question: Question) -> dict[str, object]:
    """What a page without an engine can say: about the right answer, and about mistakes that are known."""

    def row(answer: Answer, judgement: Judgement) -> dict[str, object]:
        words = [_quoted(text) for text in judgement.words]
        return {"answer": dict(answer), "right": judgement.right, "words": words}

    solution = question.solution
    found = [row(solution, question.judge(solution))]
    found += [row(answer, judgement) for answer, judgement in question.anticipated_mistakes()]
    numeric = "choice" not in solution and "expression" not in solution
    free = "expression" in solution  # there are other right answers, and nothing here that could run one
    unknown = say("course.unforeseen.free") if free else say("course.unforeseen")
    words = {"unknown": unknown, "unread": say("course.unread"), "empty": say("course.empty")}
    return {"numeric": numeric, "free": free, "rows": found, **words}


def _quoted(text: str) -> str:
    """A text with no mark but the quotes of code, for a script that makes text and elements of it."""
    return "".join(f"`{words}`" if kind.endswith("code") else words for kind, words, _ in runs(text))


# ---- a page of its own --------------------------------------------------------------------------


@cache
def stylesheet() -> str:
    """What a page with these fragments needs, the player included."""
    return player_stylesheet() + (_HERE / "lesson.css").read_text(encoding="utf-8")


@cache
def script() -> str:
    """The player's scripts, and the one that starts players and judges answers."""
    return join_scripts([*(_PLAYER / name for name in SCRIPTS), _HERE / "lesson.js"])


def page(unit: Unit) -> str:
    """A unit as one HTML file: its graphs play, its checkpoint answers."""
    with speaking(unit.language):
        seen: set[str] = set()
        body, behind, answers = "", aftermath(unit), answers_of_guesses(unit)
        for i, block in enumerate(unit.blocks):
            shown = _played(block, i, seen)
            if isinstance(block, LessonGuess):
                label = escape(say("course.guess.show"))
                shown += f'<details class="guess"><summary>{label}</summary>\n{_LOOKED}'
            end = _END if i in behind else _LOOKED if i in answers else ""
            body = body.removesuffix(end) + shown + end if end else body + shown
        idea = inline(unit.idea)
        about = escape(say("course.about", number=unit.number, minutes=unit.minutes))
    whole = (
        f'<main class="lesson">\n<header>\n<p class="about">{about}</p>\n<h1>{inline(unit.title)}</h1>\n'
        f'<p class="idea">{idea}</p>\n</header>\n{body}</main>'
    )
    return framed(
        f"{unit.title} - minigrad", whole, script(), stylesheet(), language=unit.language, look="lesson-page"
    )


def _played(block: Block, number: int, seen: set[str]) -> str:
    """A block, with its player where it has one: a graph that is new on stage, both passes of a lab."""
    if isinstance(block, Stage) and not block.asked:
        statements = _pre(block.text, "source graph")
        if block.text in seen:
            return statements
        seen.add(block.text)
        told = [TitledTrace("right", catalogue()["told.right"], block.trace)]
        return statements + _player(told, f"stage-{number}")
    if isinstance(block, LabWork):
        shown = html(block)
        player = _player(block.lab.told(), f"lab-{number}")
        return shown.removesuffix(_END) + player + _END
    return html(block)


def _player(told: list[TitledTrace], name: str) -> str:
    data = embed_json(document(told))
    return (
        f'<div class="player-host" data-document="{name}"></div>\n'
        f'<script type="application/json" id="{name}">{data}</script>\n'
    )
