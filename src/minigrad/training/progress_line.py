"""Progress of a run: one line that is redrawn on a terminal, a line for each tenth elsewhere.

A picture of some lines may stand above it and is redrawn in place, a few times a second.  What has to stay
(a finding) is printed above both.  When nobody can be told any more (the terminal was closed, the reader of a
pipe went away), the run goes on in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from shutil import get_terminal_size
from statistics import fmean
from time import monotonic
from typing import TextIO

from ..text.numerals import counted, show
from ..text.page import Page
from ..text.translation import say
from .run import Run, StepRecord

__all__ = ["ProgressLine", "averaged", "duration"]

BAR, SHORT = 20, 10  # columns of the bar, and where there is not the room
OFTEN = 0.1  # seconds between two lines
PICTURE = 0.3  # seconds between two pictures at least,
PATIENCE = 5.0  # and this many times as long as one takes: the time is for training
TENTH, RECENT = 10, 100  # of the steps that are done, a part and the most whose mean is shown


class ProgressLine:
    def __init__(
        self,
        run: Run,
        stream: TextIO,
        page: Page,
        live: bool,
        picture: Callable[[Page, int], Sequence[str]] | None = None,
        fit: Callable[[str], str] = str,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.run, self.stream, self.page, self.live = run, stream, page, live
        self.picture, self.fit, self.clock = picture if live else None, fit, clock
        self.started, self.first = clock(), run.step
        self._drawn = self._pictured = -1.0
        self._heard = True  # the stream takes what is written
        self._lines = 0  # of what stands on the screen and will be drawn over
        self._above: Sequence[str] = ()

    def show(self, record: StepRecord) -> None:
        """A step was taken."""
        now = self.clock()
        if self.live:
            if now - self._drawn >= OFTEN or self.run.finished:
                self._drawn = now
                if self.picture is not None and now >= self._pictured:
                    room = get_terminal_size((80, 24)).lines - 2  # what has scrolled away cannot be redrawn
                    self._above = self.picture(self.page, room)[:room]
                    cost = self.clock() - now
                    self._pictured = now + max(PICTURE, PATIENCE * cost)
                self._redraw([*self._above, self.line(record, now)])
        elif record.step * 10 // self.run.settings.steps != (record.step - 1) * 10 // self.run.settings.steps:
            self._write(self.line(record, now) + "\n")

    def say(self, lines: Sequence[str]) -> None:
        """Lines that stay."""
        self.clear()
        self._write("".join(f"{line}\n" for line in lines))

    def clear(self) -> None:
        """Take away what is redrawn."""
        self._redraw([])

    def line(self, record: StepRecord, now: float) -> str:
        """[#####     ] 25/100  loss 0.31  rate 0.8  12 steps/s  6 s left"""
        steps, done = self.run.settings.steps, record.step
        spent, taken = now - self.started, done - self.first
        speed = taken / spent if spent > 0.0 else 0.0
        loss = fmean(self.run.losses[-averaged(self.run) :])
        count, told = f"{counted(done)}/{counted(steps)}", say("progress.loss", loss=show(loss, 4))
        rate, pace = (
            say("progress.rate", rate=show(record.lr, 3)),
            say("progress.speed", speed=show(speed, 3)),
        )
        left = say("progress.left", time=duration((steps - done) / speed)) if done < steps and speed else ""
        room = self.page.width if self.live else 10**6
        ways = [  # what there is room for; a wide bar goes first
            (BAR, [told, rate, pace, left]),
            (SHORT, [told, rate, pace, left]),
            (SHORT, [told, rate, left]),
            (SHORT, [told, left]),
            (0, [told, left]),
            (0, [told]),
            (0, []),
        ]
        for wide, parts in ways:
            words = "  ".join(filter(None, [count, *parts]))
            if len(words) + (wide + 1 if wide else 0) <= room:
                break
        filled = wide * done // steps
        bar = self.page.ink("data", "━" * filled) + self.page.ink("faint", "─" * (wide - filled))
        return f"{bar} {words}" if wide else words

    def _redraw(self, lines: Sequence[str]) -> None:
        if not self.live or (not lines and not self._lines):
            return
        back = "\r" + (f"\x1b[{self._lines - 1}A" if self._lines > 1 else "") if self._lines else ""
        self._write(back + "\x1b[J" + "\n".join(lines))
        self._lines = len(lines)

    def _write(self, text: str) -> None:
        if not self._heard:
            return
        try:
            self.stream.write(self.fit(text))
            self.stream.flush()
        except OSError:
            self._heard = False


def averaged(run: Run) -> int:
    """Of how many of the last steps a mean is shown as the loss: of one, where a step sees every example."""
    return 1 if run.batch == run.task.examples else min(RECENT, max(1, len(run.losses) // TENTH))


def duration(seconds: float) -> str:
    """8 s, 3 min 20 s, 2 h 5 min"""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s" if whole >= 1 else "< 1 s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{counted(hours)} h {minutes} min" if minutes else f"{counted(hours)} h"
