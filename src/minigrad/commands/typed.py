"""What was typed, read: the expression and its inputs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..arguments import UsageError
from ..messages import say

__all__ = ["expression", "gradients", "inputs", "number", "quoted"]


def expression(words: Sequence[str], missing: str) -> str:
    """The expression, the first word; `-` reads it from standard input."""
    if not words:
        raise UsageError(missing)
    if words[0] != "-":
        return words[0]
    return sys.stdin.read().removeprefix("\ufeff") if sys.stdin is not None else ""  # some editors mark texts


def inputs(words: Sequence[str]) -> dict[str, float]:
    """name=value words; a value is a number, or an expression of numbers such as 1/3."""
    return {name: number(name, value) for name, value in _names_and_values(words, "usage.input").items()}


def gradients(words: Sequence[str]) -> dict[str, str | float]:
    """What --got names: a plain number keeps its digits, anything else is worked out, such as 1/3."""
    found: dict[str, str | float] = {}
    for name, value in _names_and_values(words, "usage.got").items():
        try:
            float(value)
            found[name] = value
        except ValueError:
            found[name] = number(name, value)
    return found


def _names_and_values(words: Sequence[str], otherwise: str) -> dict[str, str]:
    """name=value words, the values as they were typed; `otherwise` is what to say of another word."""
    given: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or not value:
            raise UsageError(say(otherwise, given=quoted(word)))
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
