"""What was typed, read: the expression and its inputs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..arguments import UsageError
from ..messages import say

__all__ = ["expression", "inputs", "names_and_values", "number", "quoted"]


def expression(words: Sequence[str], missing: str) -> str:
    """The expression, the first word; `-` reads it from standard input."""
    if not words:
        raise UsageError(missing)
    if words[0] != "-":
        return words[0]
    return sys.stdin.read() if sys.stdin is not None else ""


def inputs(words: Sequence[str]) -> dict[str, float]:
    """name=value words; a value is a number, or an expression of numbers such as 1/3."""
    return {name: number(name, value) for name, value in names_and_values(words).items()}


def names_and_values(words: Sequence[str]) -> dict[str, str]:
    """name=value words, the values as they were typed."""
    given: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or not value:
            raise UsageError(say("usage.input", given=quoted(word)))
        if not (name.isascii() and name.isidentifier()):
            raise UsageError(say("usage.input_name", given=quoted(name)))
        if name in given:
            raise UsageError(say("usage.input_twice", name=name))
        given[name] = value
    return given


def number(name: str, text: str) -> float:
    from ..language import LanguageError, parse

    try:
        graph = parse(text)
    except LanguageError:
        graph = None
    if graph is None or graph.inputs:
        raise UsageError(say("usage.input_number", name=name, given=quoted(text)))
    result: float = graph.evaluate()[graph.output]
    return result


def quoted(text: str) -> str:
    """What was typed, on one short line, with nothing in it that a terminal would act on."""
    return ascii(text) if len(text) <= 60 else ascii(text[:57]) + "..."
