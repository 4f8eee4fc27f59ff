"""`minigrad check EXPR name=value ...`: are its gradients right?  The court decides."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import join

from ...language import parse
from ...text.escape import visible
from ...text.translation import say
from ...verify import court
from ...verify.witnesses import chosen
from .. import argument_values, output
from ..arguments import take_apart
from . import OF_RESULTS, RIGHT, UNDECIDED, WRONG

__all__ = ["run"]

OPTIONS = {
    "got": "NAME=VALUE...",
    "ask": "WITNESSES",
    **OF_RESULTS,
}


def run(words: Sequence[str]) -> int:
    arguments = take_apart(words, OPTIONS)
    claimed = argument_values.gradients(arguments.many["got"]) if arguments.flag("got") else None
    text = argument_values.expression(arguments.words, say("usage.check"))
    asked = chosen(arguments.options.get("ask", "all"))
    write = output.writer(arguments)
    graph = parse(text, argument_values.inputs(arguments.words[1:]))
    verdict = court(graph, claimed=claimed, ask=asked)
    write(verdict)
    if verdict.verdict == "wrong" and claimed and not (arguments.flag("json") or arguments.flag("out")):
        asked_next = join(["minigrad", "diagnose", *arguments.words, "--got", *arguments.many["got"]])
        print(f"\n{say('check.next')}\n  {visible(asked_next)}")
    return {"right": RIGHT, "wrong": WRONG}.get(verdict.verdict, UNDECIDED)
