"""Question in a terminal: prompt, answer, what is said about it, reveal; and predictions of a lab.

Whoever is asked can answer again as often as they like, see the answer (r), go on without one (s) or
stop (q).  A line may fill one blank, several (a=4 b=-2), or all of them in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Protocol

from ..faults.break_lab import Lab
from ..graph.wording import names
from ..language import number
from ..text.page import Page
from ..text.translation import say
from .lesson_screens import askable
from .lesson_text import prompt_lines, wrap_text
from .progress import Progress
from .questions import Answer, Judgement, Prompt, Question
from .questions.number_parser import UnreadableError, read_number

__all__ = ["Dialogue", "LeavingError", "ask", "fill_blanks", "predict"]

TRIES = 10  # of somebody who is no person: a file of answers may never end
GRADIENTS = ("gradient", "running", "order", "difference")  # kinds whose blanks are gradients
COMMANDS = {
    "q": "q", "quit": "q", "exit": "q", "salir": "q",
    "r": "r", "reveal": "r", "revelar": "r", "ver": "r",
    "s": "s", "skip": "s", "saltar": "s", "omitir": "s",
    "?": "?", "help": "?", "ayuda": "?",
}  # fmt: skip


class LeavingError(Exception):
    """The learner asked to stop, or the input has ended."""


class Dialogue(Protocol):
    """A terminal, or what stands in for one: lines go out, and lines come in."""

    page: Page

    @property
    def interactive(self) -> bool:
        """Is a person at the other end, who can be waited for?"""
        ...

    @property
    def height(self) -> int:
        """Lines that fit on the screen."""
        ...

    def tell(self, lines: Sequence[str]) -> None: ...

    def hear(self, prompt: str) -> str:
        """One line, stripped; LeavingError at the end of the input."""
        ...


def ask(talk: Dialogue, question: Question, progress: Progress, review: str = "") -> None:
    """Ask until it is settled: answered rightly, revealed or skipped."""
    page, prompt = talk.page, question.ask()
    asked = prompt_lines(prompt, page)
    talk.tell(asked if askable(asked, talk) else [line for line in asked if line])
    talk.tell(["", *page.wrap(say("learn.question.keys"), kind="faint")])
    for _ in count() if talk.interactive else range(TRIES):
        heard = _heard(talk, prompt, question.kind)
        if heard == "s":
            talk.tell(page.wrap(say("learn.question.skipped")))
            return
        if heard == "r":
            break
        if heard == "?":
            talk.tell(page.wrap(say("learn.question.help", example=prompt.example or "4")))
        if isinstance(heard, str):
            continue
        judgement = question.judge(heard)
        progress.record(question, heard, judgement, review)
        talk.tell(list(_judged(judgement, page)))
        if judgement.right:
            _reveal(talk, question)
            return
        if judgement.read:
            talk.tell(page.wrap(say("learn.question.again"), kind="faint"))
    progress.reveal(question, review)
    _reveal(talk, question)


def predict(talk: Dialogue, lab: Lab, guesses: dict[str, float]) -> None:
    """Ask for the gradients that a broken pass will give, into `guesses`; LeavingError for who stops.

    One prompt per input; an empty line skips it, and one line may name several: a=4 b=-2, or 4 -2.
    """
    page, graph = talk.page, lab.graph
    if lab.fault.ordered and lab.broken is not None and lab.runs is not None and lab.runs.results > 1:
        order = [i for i in lab.broken.order if graph.nodes[i].args]
        talk.tell(page.wrap(say("lab.predict.order", order=names(graph, order[:30]))))
    talk.tell(page.wrap(say("lab.predict.ask")))
    missing, misread = [graph.names[i] for i in graph.inputs], 0
    while missing and (talk.interactive or misread < TRIES):
        heard = talk.hear(f"  {missing[0]}.grad? ")
        if heard.lower() in ("q", ":q"):
            raise LeavingError
        if not heard:
            missing.pop(0)
            continue
        given = {who: number(text) for who, text in (fill_blanks(heard, missing) or {"": heard}).items()}
        if None in given.values() or "" in given:
            talk.tell(page.wrap(say("lab.predict.number", given=ascii(heard[:40]))))
            misread += 1
            continue
        guesses.update((who, guess) for who, guess in given.items() if guess is not None)
        missing = [who for who in missing if who not in given]


def _judged(judgement: Judgement, page: Page) -> Iterator[str]:
    if judgement.read and not judgement.right:
        yield "  " + page.ink("wrong", say("learn.wrong"))
    for at, sentence in enumerate(judgement.words):
        for line in wrap_text(sentence, page, "  ", "  "):
            yield page.ink("right", line) if judgement.right and not at else line


def _reveal(talk: Dialogue, question: Question) -> None:
    page = talk.page
    reasons = [line for sentence in question.reveal() for line in wrap_text(sentence, page, "  ", "  ")]
    talk.tell(["", page.ink("title", say("learn.reveal")), *reasons])


# ---- what is answered ---------------------------------------------------------------------------


def _heard(talk: Dialogue, prompt: Prompt, kind: str) -> Answer | str:
    """All blanks filled in, or a command: s, r, ? or "" for nothing.

    What cannot be an answer is said at once, and a person keeps what was typed before it; a file of answers
    gets "", which counts, so that it comes to an end.
    """
    given: dict[str, str] = {}
    while len(given) < len(prompt.blanks):
        missing = [blank for blank in prompt.blanks if blank not in given]
        line = talk.hear("  " + _label(missing[0], kind))
        command = _command(line, prompt)
        if command == "q":
            raise LeavingError
        if command:
            return command
        found = fill_blanks(line, missing) if line else {}
        problems = []
        if not line:
            problems = talk.page.wrap(say("learn.question.empty", example=prompt.example or "4"))
        elif found is None:
            example = " ".join(f"{blank}=..." for blank in missing)
            problems = talk.page.wrap(say("learn.question.blanks", example=example))
        for blank, text in (found or {}).items():
            problem = _problem(blank, text)
            problems += wrap_text(problem, talk.page, "  ", "  ") if problem else []
            given.update({} if problem else {blank: text})
        talk.tell(problems)
        if problems and not talk.interactive:
            return ""
    return given


def _problem(blank: str, text: str) -> str:
    """Why this cannot stand in a blank; "" if it can, or if the question itself says more."""
    if blank in ("choice", "expression"):
        return ""
    try:
        read_number(blank, text)
    except UnreadableError as error:
        return str(error)
    return ""


def _label(blank: str, kind: str) -> str:
    if blank in ("choice", "expression"):
        return say(f"learn.blank.{blank}")
    return f"{blank}.grad = " if kind in GRADIENTS else f"{blank} = "


def _command(line: str, prompt: Prompt) -> str:
    """The command that a line is; a letter that can be an answer is an answer, and :q is always q."""
    word = line.lower()
    if word.startswith(":"):
        return COMMANDS.get(word[1:], "")
    letters = {choice.letter.lower() for choice in prompt.choices}
    named = any(f"`{word}`" in text for text in prompt.paragraphs) and prompt.blanks == ("expression",)
    return "" if word in letters or named else COMMANDS.get(word, "")


def fill_blanks(line: str, missing: Sequence[str]) -> Mapping[str, str] | None:
    """The blanks that a line fills; None where it cannot be told which.

    >>> fill_blanks("a=4 b = -2", ["a", "b", "c"])
    {'a': '4', 'b': '-2'}
    >>> fill_blanks("4 -2", ["a", "b"])
    {'a': '4', 'b': '-2'}
    """
    if len(missing) == 1 and missing[0] in ("choice", "expression"):
        return {missing[0]: line}
    asked = "|".join(map(re.escape, sorted(missing, key=len, reverse=True)))
    found = list(re.finditer(rf"(?<![\w.])({asked})(?:\.grad|\.data)?\s*[=:]\s*", line))
    if found and not line[: found[0].start()].strip(" ,;"):
        ends = [after.start() for after in found[1:]] + [len(line)]
        values = [line[hit.end() : end].strip(" ,;\t") for hit, end in zip(found, ends, strict=True)]
        pairs = {hit[1]: value for hit, value in zip(found, values, strict=True)}
        return pairs if len(pairs) == len(found) and all(values) else None
    if "=" in line:
        return None  # a name that is not asked for
    parts = line.replace(";", " ").split()
    if len(missing) == 1:
        return {missing[0]: line}
    if len(parts) in (1, len(missing)):
        return dict(zip(missing, (part.strip(",") for part in parts), strict=False))
    return None
