"""Arguments of a command line: its words and its options.

Written by hand for two reasons.  An expression may begin with a minus (`minigrad explain "-a*b"
a=2 b=3`), which argparse takes for an option; and its errors, like all our sentences, are
bilingual.  An option starts with two dashes and stands anywhere; after `--` all is words.  One whose
value is written NAME=VALUE... takes all the words up to the next option; one whose value is written
[FILE.svg|.png] takes the next word only if that ends so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..errors import MinigradError
from ..text.translation import say

__all__ = ["Arguments", "UsageError", "take_apart"]

_OPTION = re.compile(r"--[A-Za-z][A-Za-z-]*(=.*)?", re.DOTALL)
_LISTED = re.compile(r",(?!\d+(?:,|\Z))")  # what stands between values; a=0,5 is one


class UsageError(MinigradError):
    """A command line that cannot be carried out; the message says what to type instead."""


@dataclass
class Arguments:
    words: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    many: dict[str, list[str]] = field(default_factory=dict)

    def flag(self, name: str) -> bool:
        return name in self.options


def take_apart(argv: Sequence[str], known: Mapping[str, str]) -> Arguments:
    """Words and options; `known` maps an option to the name of its value, "" for a switch."""
    arguments = Arguments()
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        if word == "--":
            arguments.words += rest
            break
        if not _OPTION.fullmatch(word):
            arguments.words.append(word)
            continue
        name, equals, value = word[2:].partition("=")
        if name not in known:
            raise UsageError(say("usage.option", given=f"--{name}", hint=_closest(name, known)))
        if name in arguments.options:
            raise UsageError(say("usage.twice", given=f"--{name}"))
        if not known[name]:
            if equals:
                raise UsageError(say("usage.no_value", given=f"--{name}"))
        elif not equals and known[name].startswith("["):
            value = rest.pop(0) if rest and rest[0].endswith(_endings(known[name])) else ""
        elif not equals:
            if not rest:
                raise UsageError(say("usage.value", given=f"--{name}", value=known[name]))
            value = rest.pop(0)
        arguments.options[name] = value
        if known[name].endswith("..."):  # a=1 b=1, or a=1,b=1
            taken = [value]
            while rest and rest[0] != "--" and not _OPTION.fullmatch(rest[0]):
                taken.append(rest.pop(0))
            arguments.many[name] = [part for word in taken for part in _LISTED.split(word) if part]
    return arguments


def _endings(value: str) -> tuple[str, ...]:
    """[FILE.svg|.png]: .svg and .png."""
    return tuple("." + part.rpartition(".")[2] for part in value.strip("[]").split("|"))


def _closest(name: str, known: Mapping[str, str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, known, 1, 0.5)
    if close:
        return say("usage.did_you_mean", option=f"--{close[0]}")
    return say("usage.options_are", options=", ".join(f"--{option}" for option in known))
