"""Session of a run: step after step until it ends, is stopped, or cannot go on; and kept on the way.

The first Ctrl-C (or SIGTERM, or the terminal closing) lets the step at hand finish; a second one ends at
once.  A checkpoint that cannot be written on the way is told and tried again; the run is not lost by it.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Protocol

from ..text.escape import visible
from ..text.numerals import counted
from ..text.translation import say
from .health import Health, HealthFinding
from .progress_line import ProgressLine
from .run import Run, StepRecord

__all__ = ["Stop", "TrainingSession", "free_name", "stoppable"]

PERIOD = 10.0  # seconds between two checkpoints
ECHO = 1.0  # seconds in which a signal is the same wish: shells and `timeout` send theirs to us twice
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class RunObserver(Protocol):
    """Somebody who looks on, such as the page of --watch."""

    def step(self, record: StepRecord) -> object: ...
    def finish(self) -> object: ...


@dataclass
class Stop:
    """Whether the user has asked to stop."""

    asked: bool = False
    clock: Callable[[], float] = monotonic
    since: float = 0.0

    def ask(self, *_: object) -> None:
        if not self.asked:
            self.asked, self.since = True, self.clock()
        elif self.clock() - self.since >= ECHO:
            raise KeyboardInterrupt


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Inside, a signal asks to stop; outside of the main thread nobody can listen for one.

    A terminal whose closing is ignored stays so: that is what `nohup` asks for.
    """
    stop, before = Stop(), {}
    for number in SIGNALS:
        ignored = signal.getsignal(number) in (signal.SIG_IGN, None)
        if ignored and number not in (signal.SIGINT, signal.SIGTERM):
            continue
        try:
            before[number] = signal.signal(number, stop.ask)
        except ValueError:
            break
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


@dataclass
class TrainingSession:
    run: Run
    progress: ProgressLine
    health: Health
    path: Path | None = None  # of the checkpoint
    every: int = 0  # steps between two checkpoints; 0: some seconds
    witness: RunObserver | None = None
    reason: Callable[[OSError], str] = str  # why the system refused, in words
    clock: Callable[[], float] = monotonic
    saved: str = ""  # the checkpoint that was written last
    kept: int = 0  # the step it is of,
    stale: bool = False  # an earlier one than the last
    seconds: float = 0.0
    taken: int = 0
    broken: bool = False  # the loss or a gradient was no number
    troubles: dict[Path, str] = field(default_factory=dict)  # files that could not be written, and why

    def go(self, stop: Stop) -> None:
        """Take the steps; what is kept at the end is written by `keep`."""
        started = kept = self.clock()
        first = self.run.step
        try:
            while not self.run.finished and not stop.asked and not self.broken:
                record = self.run.advance()
                self.broken = not record.taken
                self.stale = bool(self.saved)
                fresh = self.health.watch(record)
                self._watched(record)
                if fresh:
                    self.progress.say([line for finding in fresh for line in self._finding_lines(finding)])
                if self.broken:
                    break
                self.progress.show(record)
                now = self.clock()
                if self.path and not self.run.finished:
                    due = self.run.step % self.every == 0 if self.every else now - kept >= PERIOD
                    if due:
                        self.keep(self.path)
                        kept = now
        finally:
            self.seconds += self.clock() - started
            self.taken = self.run.step - first
            self.progress.clear()
        if not stop.asked and not self.broken:
            self.health.finish()
        self._watched(None)

    def keep(self, path: Path) -> None:
        """Write the checkpoint."""
        from .run_file import save

        if self.written(path, lambda: save(self.run, path)):
            self.saved, self.stale, self.kept = str(path), False, self.run.step
        else:
            self.stale = bool(self.saved)

    def rescue(self, path: Path) -> None:
        """Write the checkpoint elsewhere, when its place was lost on the way; quietly, if that fails too."""
        from .run_file import save

        try:
            save(self.run, path)
        except OSError:
            return
        self.saved, self.stale, self.kept = str(path), False, self.run.step

    def written(self, path: Path, write: Callable[[], None]) -> bool:
        """Whether a file could be written; what is wrong is told, once for each reason."""
        try:
            write()
        except OSError as error:
            self._trouble(path, say("out.failed", path=visible(str(path)), why=self.reason(error)))
            return False
        self.troubles.pop(path, None)
        return True

    @property
    def unwritten(self) -> str:
        """What is wrong with a file that is not there at the end."""
        return next(iter(self.troubles.values()), "")

    def _finding_lines(self, finding: HealthFinding) -> Sequence[str]:
        page = self.progress.page
        words = say("health.step", step=counted(finding.step), words=finding.words())
        return page.wrap(words, indent="", kind="wrong")

    def _trouble(self, path: Path, words: str) -> None:
        if self.troubles.get(path) != words:
            self.troubles[path] = words
            self.progress.say([words])

    def _watched(self, record: StepRecord | None) -> None:
        """Let the witness see a step, or the end; one whose page cannot be written is not asked again."""
        if self.witness is None:
            return
        try:
            if record is None:
                self.witness.finish()
            else:
                self.witness.step(record)
        except OSError as error:
            path = Path(getattr(self.witness, "path", error.filename or ""))
            self._trouble(path, say("out.failed", path=visible(str(path)), why=self.reason(error)))
            self.witness = None


def free_name(stem: str, folder: Path) -> Path:
    """STEM.safetensors in a folder, or STEM-2 and so on: a name that nothing has yet."""
    for number in count(1):
        path = folder / (f"{stem}.safetensors" if number == 1 else f"{stem}-{number}.safetensors")
        if not path.exists() and not path.is_symlink():
            return path
    raise AssertionError
