"""One look: the colours of drawings and pages stand in drawing/svg.py, those of a terminal in text/page.py.

And an option of the command means the same wherever it is known.
"""

from __future__ import annotations

import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from minigrad.cli import commands
from source_trees import PACKAGE

COLOUR = re.compile(r"(?<=[:\s,(\"'])#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b|\brgba?\(\s*[1-9]|\bhsla?\(")
TERMINAL = re.compile(r"(?:\\x1b|\\033|\\u001b)\[[\d;]*m|\\x1b\[\{[^}]*\}m")
DRAWN, PRINTED = PACKAGE / "drawing" / "svg.py", PACKAGE / "text" / "page.py"


def sources() -> Iterator[Path]:
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in (".py", ".css", ".js", ".html"):
            yield path


def colours(text: str, pattern: re.Pattern[str]) -> list[str]:
    return pattern.findall(text)


def test_colours_stand_in_one_place():
    for pattern, home in ((COLOUR, DRAWN), (TERMINAL, PRINTED)):
        assert colours(home.read_text(encoding="utf-8"), pattern), home
        others = [path for path in sources() if path != home]
        assert len(others) > 300
        found = [path for path in others if colours(path.read_text(encoding="utf-8"), pattern)]
        assert found == []


def test_a_colour_elsewhere_is_seen():
    assert colours("a { color: #1d2433 }", COLOUR) == ["#1d2433"]
    assert colours('fill="#fff"', COLOUR) == ["#fff"]
    assert colours("background: rgb(12 0 0)", COLOUR)
    assert colours("micrograd#102, rgb(0 0 0 / 45%), #heading, var(--ink)", COLOUR) == []
    assert colours(r'print("\x1b[31mwrong\x1b[0m")', TERMINAL)
    assert colours(r'up = "\x1b[J"', TERMINAL) == []


# ---- options ------------------------------------------------------------------------------------


def meanings() -> dict[str, dict[str, list[str]]]:
    """Every option, what its value is called, and by which commands."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for module in pkgutil.iter_modules(commands.__path__):
        options = getattr(import_module(f"minigrad.cli.commands.{module.name}"), "OPTIONS", {})
        for option, value in options.items():
            found[option][value].append(module.name)
    return found


def torn(found: dict[str, dict[str, list[str]]]) -> list[str]:
    """Options whose value is one thing here and another there; a file or a folder may be a file elsewhere."""
    return sorted(
        option
        for option, values in found.items()
        if not set.intersection(*(set(value.split("|")) for value in values))
    )


def test_an_option_means_the_same_everywhere():
    found = meanings()
    assert {"out", "json", "lang", "seed", "steps"} <= set(found)
    assert torn(found) == []


def test_an_option_with_two_meanings_is_seen():
    assert torn({"data": {"FILE": ["train"], "NAME": ["doctor"]}, "out": {"FILE": ["a", "b"]}}) == ["data"]
