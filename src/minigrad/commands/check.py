"""`minigrad check EXPR name=value ...`: are its gradients right?  The court decides."""

from __future__ import annotations

from collections.abc import Sequence

from ..arguments import UsageError, take_apart
from ..language import parse
from ..messages import say
from ..verify.court import court
from ..verify.witnesses import chosen
from . import RIGHT, WRONG, output, typed

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
    text = typed.expression(arguments.words, say("usage.check"))
    asked = chosen(arguments.options.get("ask", "all"))
    write = output.writer(arguments)
    graph = parse(text, typed.inputs(arguments.words[1:]))
    verdict = court(graph, claimed=_claims(arguments.many.get("got")), ask=asked)
    write(verdict)
    return WRONG if verdict.verdict == "wrong" else RIGHT


def _claims(words: Sequence[str] | None) -> dict[str, str | float] | None:
    """Gradients as they were typed: a plain number keeps its digits, anything else is worked out."""
    if words is None:
        return None
    claims: dict[str, str | float] = {}
    for name, value in typed.names_and_values(words).items():
        try:
            float(value)
            claims[name] = value
        except ValueError:
            claims[name] = typed.number(name, value)
    if not claims:
        raise UsageError(say("usage.value", given="--got", value=OPTIONS["got"]))
    return claims
