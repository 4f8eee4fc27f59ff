"""`minigrad duel [FAULT ...] --on moons|names`: what a bug in the backward pass does to learning.

A duel that shows a bug is a success: the exit code is 0.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...text.files import rehearse
from ...text.numerals import counted
from ...text.translation import say
from ...training.settings import OPTIMISERS
from .. import argument_values, output
from ..arguments import UsageError, take_apart
from ..signals import as_interrupts
from . import OF_RESULTS, RIGHT

if TYPE_CHECKING:
    from ...training.duel import Duel

__all__ = ["run"]

OPTIONS = {
    "on": "moons|names",
    "steps": "N",
    "seed": "N",
    "variant": "WHAT",
    "optimiser": "|".join(OPTIMISERS),
    **OF_RESULTS,
}
LARGEST_SEED = 10**18 - 1


def run(words: Sequence[str]) -> int:
    arguments = take_apart(words, OPTIONS)
    forms: dict[str, output.Form[Duel]] = {
        ".html": lambda found: found.to_html(),
        ".svg": lambda found: found.to_svg(),
    }
    write = output.writer(arguments, forms)
    if not arguments.options.get("on"):
        raise UsageError(say("duel.on.missing"))
    if arguments.flag("out"):
        _rehearsed(Path(arguments.options["out"]))
    from ...training.duel import duel

    steps = argument_values.whole(arguments, "steps", 1, 10**9, None)
    seed = argument_values.whole(arguments, "seed", 0, LARGEST_SEED, 0)
    told = _DuelProgress()
    try:
        with as_interrupts():
            found = duel(
                arguments.words,
                arguments.options["on"],
                steps=steps,
                seed=seed,
                optimiser=arguments.options.get("optimiser", ""),
                variant=arguments.options.get("variant"),
                workers=_workers(),
                told=told,
            )
    finally:
        told.close()
    write(found)
    return RIGHT


def _rehearsed(path: Path) -> None:
    """Refuse a place that cannot be written to before minutes of work, not after."""
    if path.exists() and not path.is_file() and not path.is_dir():
        return  # a device or a pipe cannot be tried
    try:
        rehearse(path, b"minigrad")
    except OSError as error:
        shown = argument_values.quoted(str(path))[1:-1]
        raise UsageError(say("out.failed", path=shown, why=output.reason(error))) from None


def _workers() -> int:
    """One process for each processor that this one may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system tells
        return os.cpu_count() or 1


class _DuelProgress:
    """One line on stderr that is redrawn, where somebody can see it."""

    def __init__(self) -> None:
        self.on = sys.stderr is not None and sys.stderr.isatty()
        self.wide = 0

    def __call__(self, done: int, of: int) -> None:
        if self.on:
            line = say("duel.progress", done=counted(done), all=counted(of))
            self.wide = max(self.wide, len(line))
            print(f"\r{line.ljust(self.wide)}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.on and self.wide:
            print(f"\r{' ' * self.wide}\r", end="", file=sys.stderr, flush=True)
