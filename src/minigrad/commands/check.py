"""`minigrad check EXPR name=value ...`: are its gradients right?  The court decides."""

from __future__ import annotations

from collections.abc import Sequence

from ..arguments import take_apart
from ..language import parse
from ..messages import say
from ..verify.court import court
from ..verify.witnesses import chosen
from . import RIGHT, UNDECIDED, WRONG, output, typed

__all__ = ["run"]

OPTIONS = {
    "got": "NAME=VALUE...",
    "ask": "WITNESSES",
    "json": "",
    "out": "FILE",
    "all": "",
    "help": "",
    "lang": "LANG",
}


def run(words: Sequence[str]) -> int:
    arguments = take_apart(words, OPTIONS)
    claimed = typed.gradients(arguments.many["got"]) if arguments.flag("got") else None
    text = typed.expression(arguments.words, say("usage.check"))
    asked = chosen(arguments.options.get("ask", "all"))
    write = output.writer(arguments)
    graph = parse(text, typed.inputs(arguments.words[1:]))
    verdict = court(graph, claimed=claimed, ask=asked)
    write(verdict)
    return {"right": RIGHT, "wrong": WRONG}.get(verdict.verdict, UNDECIDED)
