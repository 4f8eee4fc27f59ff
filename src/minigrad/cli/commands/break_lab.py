"""`minigrad break [FAULT] [EXPR name=value ...]`: a bug put into the pass on purpose, and what comes of it.

A lab that shows a bug is a success: the exit code is 0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from ...faults import FAULTS
from ...faults.break_lab import Lab, fault_called
from ...faults.break_lab import lab as set_up
from ...text.page import Page, text_of
from ...text.translation import say
from .. import argument_values, output
from ..arguments import Arguments, UsageError, take_apart
from . import OF_RESULTS, RIGHT

if TYPE_CHECKING:
    from ...faults.overview import Overview

__all__ = ["run"]

OPTIONS = {
    "list": "",
    "variant": "WHAT",
    "predict": "",
    "scrub": "",
    **OF_RESULTS,
}
APART = (  # wishes that cannot both be granted
    ("predict", "scrub"),
    ("predict", "json"),
    ("predict", "out"),
    ("scrub", "json"),
    ("scrub", "out"),
)
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
INPUT = re.compile(r"\s*[A-Za-z_]\w*\s*=[^=].*", re.DOTALL)


def run(words: Sequence[str]) -> int:
    arguments = take_apart(words, OPTIONS)
    for first, second in APART:
        if arguments.flag(first) and arguments.flag(second):
            raise UsageError(say("usage.break.together", first=f"--{first}", second=f"--{second}"))
    slug, rest = (None, []) if arguments.flag("list") else _fault(arguments.words)
    if slug is not None:
        return _run_lab(arguments, slug, rest)
    write = output.writer(arguments)
    if arguments.flag("list"):
        if arguments.words:
            raise UsageError(say("usage.break.list", given=argument_values.quoted(arguments.words[0])))
        from ...faults.overview import Listing

        write(Listing())
        return RIGHT
    write(_overview(arguments, rest))
    return RIGHT


def _run_lab(arguments: Arguments, slug: str, rest: Sequence[str]) -> int:
    """One fault on one graph."""
    forms: dict[str, output.Form[Lab]] = {".html": lambda found: found.to_html()}
    write = output.writer(arguments, forms)
    found = _lab(slug, rest, arguments.options.get("variant"))
    if arguments.flag("predict"):
        _predict(found, output.page(arguments.flag("all")))
    elif arguments.flag("scrub"):
        from ..order_explorer import scrub

        scrub(found, output.page())
    else:
        write(found)
    return RIGHT


def _fault(words: Sequence[str]) -> tuple[str | None, Sequence[str]]:
    """The fault that was named, if one was, and the other words."""
    if not words:
        raise UsageError(say("usage.break"))
    first, rest = words[0], words[1:]
    if first in FAULTS:
        return first, rest
    late = next((word for word in rest if word in FAULTS), None)
    if late is not None:
        raise UsageError(say("usage.break.late", slug=late, given=argument_values.quoted(first)))
    expression_follows = bool(rest) and not _is_input(rest[0])
    word = max(map(len, first.split("-"))) > 2  # a-b is an expression without its inputs
    if SLUG.fullmatch(first) and (expression_follows or (not rest and word)) and not first.isdigit():
        fault_called(first)  # says what was probably meant
    return None, words


def _is_input(word: str) -> bool:
    """name=number; `s = a + a` is a program of one statement."""
    if not INPUT.fullmatch(word) or ";" in word:
        return False
    name, _, value = word.partition("=")
    try:
        argument_values.number(name, value)
    except UsageError:
        return not any(letter.isalpha() or letter == "_" for letter in value)  # b=? is a bad number
    return True


def _overview(arguments: Arguments, words: Sequence[str]) -> Overview:
    from ...faults.overview import overview

    text = argument_values.expression(words, say("usage.break"))
    for option in ("variant", "predict", "scrub"):
        if arguments.flag(option):
            wish = f"--{option} {OPTIONS[option]}".rstrip()
            raise UsageError(say("usage.break.overview", option=wish, given=argument_values.quoted(text)))
    return overview(text, argument_values.inputs(words[1:]))


def _lab(slug: str, words: Sequence[str], variant: str | None) -> Lab:
    if not words or _is_input(words[0]):
        return set_up(None, slug, argument_values.inputs(words), variant)
    text = argument_values.expression(words, say("usage.break"))
    return set_up(text, slug, argument_values.inputs(words[1:]), variant)


# ---- the prediction -----------------------------------------------------------------------------


def _predict(lab: Lab, page: Page) -> None:
    """The bug and its change first, then the question; the result only when it has been answered."""
    from ...faults.lab_report_text import BEFORE_THE_RUN, sections
    from ...faults.prediction import prediction_sentences
    from ...learn.terminal_question import LeavingError, predict
    from .learn import Terminal

    parts = list(sections(lab, page))
    print(output.fitting(text_of(parts[:BEFORE_THE_RUN], page)))
    guesses: dict[str, float] = {}
    with suppress(LeavingError):  # what was said before counts
        predict(Terminal(), lab, guesses)
    lines = [line for sentence in prediction_sentences(lab, guesses) for line in page.wrap(sentence)]
    answer = (say("lab.predict.title"), lines)
    print(output.fitting("\n" + text_of([answer, *parts[BEFORE_THE_RUN:]], page)), end="")
