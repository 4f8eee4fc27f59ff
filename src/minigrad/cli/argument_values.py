"""Values of arguments: the expression, its inputs, and options that are numbers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TypeVar

from ..text.numerals import counted
from ..text.translation import say
from .arguments import Arguments, UsageError

__all__ = ["expression", "gradients", "inputs", "number", "quoted", "whole"]

T = TypeVar("T")


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
    from ..language import decimal_point

    found: dict[str, str | float] = {}
    for name, typed in _names_and_values(words, "usage.got").items():
        value = decimal_point(typed)
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
    from .. import language

    found = language.number(text)
    if found is None:
        raise UsageError(say("usage.input_number", name=name, given=quoted(text)))
    return found


def whole(arguments: Arguments, option: str, least: int, most: int, otherwise: T) -> int | T:
    """An option that is a whole number within these ends; `otherwise` where it was not given."""
    if option not in arguments.options:
        return otherwise
    text = arguments.options[option].strip()
    if text.isascii() and text.isdecimal() and len(text) < 20 and least <= int(text) <= most:
        return int(text)
    about = {"option": f"--{option}", "given": quoted(text), "least": counted(least)}
    raise UsageError(say("usage.whole", **about, most=counted(most)))


def quoted(text: str) -> str:
    """What was typed, on one short line, with nothing in it that a terminal would act on."""
    return ascii(text) if len(text) <= 60 else ascii(text[:57]) + "..."
