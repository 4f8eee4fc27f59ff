"""`minigrad explain EXPR name=value ...`: every gradient of an expression, explained."""

from __future__ import annotations

from collections.abc import Sequence

from ..arguments import UsageError, take_apart
from ..explain.explanation import CLASSIC, VIEWS, explain
from ..messages import say
from . import RIGHT, WRONG, output, typed

__all__ = ["run", "welcome"]

OPTIONS = {"view": "VIEWS", "json": "", "out": "FILE", "all": "", "help": "", "lang": "LANG"}


def run(words: Sequence[str]) -> int:
    arguments = take_apart(words, OPTIONS)
    text = typed.expression(arguments.words, say("usage.expression"))
    views = _views(arguments.options.get("view"))
    write = output.writer(arguments, views=views)
    explanation = explain(text, typed.inputs(arguments.words[1:]))
    write(explanation)
    return RIGHT if explanation.testimony.right else WRONG


def _views(wish: str | None) -> tuple[str, ...]:
    if wish is None:
        return VIEWS
    chosen = tuple(view.strip() for view in wish.split(","))
    for view in chosen:
        if view not in VIEWS:
            raise UsageError(say("view.unknown", given=typed.quoted(view), known=", ".join(VIEWS)))
    return chosen


def welcome() -> int:
    """What `minigrad` alone shows: the classic example."""
    text, inputs = CLASSIC
    words = [f"{name}={x:g}" for name, x in inputs.items()]
    print(f'{say("welcome.what")}\n\n$ minigrad explain "{text}" {" ".join(words)}\n')
    code = run([text, *words])
    print("\n" + say("welcome.next"))
    return code
