"""Report of a run: text for people, and a document for programs, which has no times in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from shlex import quote
from statistics import fmean
from typing import TYPE_CHECKING

from ..text.escape import visible
from ..text.numerals import counted, json_number, show
from ..text.page import Page, columns, text_of
from ..text.translation import say
from .health import HealthFinding, dead_units
from .progress_line import averaged, duration
from .run import Run
from .settings import Settings
from .tasks import TextTask

if TYPE_CHECKING:
    from ..text.files import JSON

__all__ = ["TrainingReport", "about", "lines_of_text", "steps_of"]

SCHEMA = "minigrad.training/1"
COMMAND = "    "  # before a command, which is never broken into lines: it will be copied
COLUMN = 16  # the widest sample that is put into columns


@dataclass(frozen=True)
class TrainingReport:
    run: Run
    findings: Sequence[HealthFinding] = ()
    seconds: float = 0.0
    taken: int = 0  # steps of this session
    samples: Sequence[str] = ()
    picture: Sequence[str] = ()  # lines that are drawn already
    saved: str = ""  # the file of the last good checkpoint
    files: Sequence[str] = ()  # pictures and pages that were written
    stopped: bool = False  # by a signal
    kept: int | None = None  # the step of that checkpoint, if the last one could not be taken or written

    def text(self, page: Page) -> str:
        return text_of(self._sections(page), page)

    def to_json(self) -> dict[str, JSON]:
        run = self.run
        return {
            "schema": SCHEMA,
            "settings": run.settings.to_json(),
            "parameters": len(run.parameters),
            "step": run.step,
            "finished": run.finished,
            "losses": [json_number(loss) for loss in run.losses],
            "accuracy": run.task.accuracy(),
            "findings": [finding.to_json() for finding in self.findings],
            "samples": list(self.samples),
            "sample_probabilities": [json_number(share) for share in self._probabilities()],
            "held_out": self._held_out_json(),
        }

    def _held_out_json(self) -> JSON:
        found = self.run.task.held_out() if self.run.losses else None
        if found is None:
            return None
        return {"examples": found.examples, "loss": json_number(found.loss), "accuracy": found.accuracy}

    # ---- the parts ------------------------------------------------------------------------------------

    def _sections(self, page: Page) -> Iterator[tuple[str, Sequence[str]]]:
        if self.picture:
            yield say("telling.picture"), self.picture
        yield say("telling.result"), [line for words in self._result() for line in page.wrap(words)]
        if self.findings:
            lines = []
            for finding in self.findings:
                words = say("health.step", step=counted(finding.step), words=finding.words())
                lines += page.wrap(words, kind="wrong")
                lines += page.wrap(finding.advice(), indent="    ")
            yield say("telling.health"), lines
        if self.samples:
            shares = [show(share, 2) for share in self._probabilities()]
            rows = columns((visible(text), share) for text, share in zip(self.samples, shares, strict=True))
            samples = _in_columns(["  ".join(row) for row in rows], page)
            yield say("telling.samples"), [*samples, *page.wrap(self._about_samples())]
        yield say("telling.next"), [line for words in self._next() for line in _unbroken(words, page)]

    def _result(self) -> Iterator[str]:
        run = self.run
        yield about(run)
        if isinstance(run.task, TextTask):
            yield lines_of_text(run.task)
        if not run.losses:
            yield say("telling.no_steps")
            return
        part = averaged(run)
        start, end = fmean(run.losses[:part]), fmean(run.losses[-part:])
        if run.step == 1:
            yield say("telling.loss.one", start=show(start, 4))
        else:
            key = "telling.loss" if part == 1 else "telling.loss.mean"
            yield say(
                key, start=show(start, 4), end=show(end, 4), count=counted(part), steps=counted(run.step)
            )
        accuracy = run.task.accuracy()
        if accuracy is not None:
            right = round(accuracy * run.task.examples)
            yield say(
                "telling.accuracy",
                percent=show(100.0 * accuracy, 4),
                right=counted(right),
                all=counted(run.task.examples),
            )
        yield from self._held_out()
        if self.taken:
            key = "telling.time" if self.taken > 1 else "telling.time.one"
            yield say(key, time=self._time(), steps=counted(self.taken))
        if not self.findings:
            yield self._healthy()

    def _healthy(self) -> str:
        dead, units, examples = dead_units(self.run)
        if not dead:
            return say("telling.healthy")
        numbers = {"units": counted(dead), "all": counted(units), "examples": counted(examples)}
        return say("telling.healthy.dead", **numbers)

    def _time(self) -> str:
        return f"{self.seconds:.1f} s" if self.seconds < 60.0 else duration(self.seconds)

    def _probabilities(self) -> list[float]:
        """How likely the model makes each of the samples."""
        task = self.run.task
        return [task.probability(text) for text in self.samples] if isinstance(task, TextTask) else []

    def _held_out(self) -> Iterator[str]:
        found = self.run.task.held_out()
        if found is None:
            return
        kind = "texts" if isinstance(self.run.task, TextTask) else "points"
        words = say(f"telling.held_out.{kind}", count=counted(found.examples), loss=show(found.loss, 4))
        if found.accuracy is not None:
            words += say("telling.held_out.accuracy", percent=show(100.0 * found.accuracy, 4))
        yield words

    def _about_samples(self) -> str:
        task = self.run.task
        known = set(task.documents if isinstance(task, TextTask) else ())
        old = sum(sample in known for sample in self.samples)
        return say("telling.samples.old", count=counted(len(self.samples)), old=counted(old))

    def _next(self) -> Iterator[str]:
        run = self.run
        if self.stopped:
            yield self.where()
        for path in self.files:
            yield say("out.written", path=visible(path))
        if not self.saved:
            broken = any(finding.kind == "number" for finding in self.findings)
            shown = "telling.unsaved.shown" if self.files or self.picture else "telling.unsaved"
            yield say("telling.unsaved.broken" if broken else shown)
            return
        if self.kept is None:
            yield say("telling.saved", path=visible(self.saved))
        else:
            yield say("telling.kept", path=visible(self.saved), step=counted(self.kept))
            return
        file = quote(visible(self.saved))
        steps = f" --steps {2 * run.settings.steps}" if run.finished else ""
        yield say("telling.resume")
        yield f"{COMMAND}minigrad train --resume {file}{steps}"
        if run.finished:
            name = next(name for name, _ in run.model.named_parameters())
            yield say("telling.weight")
            yield f"{COMMAND}minigrad explain {file} --weight {quote(name)}"

    def where(self) -> str:
        """Where it was stopped."""
        return say("telling.stopped", step=counted(self.run.step), steps=counted(self.run.settings.steps))


def about(run: Run) -> str:
    """MLP 2-16-16-1 with relu, 337 parameters; 100 points; 100 steps of sgd."""
    settings, task = run.settings, run.task
    if isinstance(task, TextTask):
        model = say(
            "telling.gpt" if settings.layers > 1 else "telling.gpt.one",
            layers=counted(settings.layers),
            width=counted(settings.width),
            heads=counted(settings.heads),
            tokens=counted(task.letters),
        )
        examples = say("telling.documents", count=counted(run.task.examples))
    else:
        sizes = "-".join(map(str, [len(task.points[0][0]), *settings.hidden, 1]))
        model = say("telling.mlp", sizes=sizes, activation=settings.activation)
        examples = say("telling.points", count=counted(run.task.examples))
    count = say("telling.parameters", count=counted(len(run.parameters)))
    return f"{model}, {count}; {examples}; {steps_of(settings)}"


def lines_of_text(task: TextTask) -> str:
    """How long the texts are, how far the model sees, and what that cuts."""
    lengths, block, cut = task.lengths, task.settings.block, task.cut
    about = {"least": counted(lengths[0]), "most": counted(lengths[-1]), "block": counted(block)}
    about |= {
        "middle": counted(lengths[len(lengths) // 2]),
        "cut": counted(cut),
        "all": counted(len(lengths)),
    }
    return say("telling.lines.cut" if cut else "telling.lines", **about)


def steps_of(settings: Settings) -> str:
    """100 steps of sgd, learning rate 1 to 0.1 (linear), seed 0"""
    rate = show(settings.lr, 3)
    if settings.schedule != "constant":
        rate = say(
            "telling.schedule", first=rate, last=show(settings.lr * settings.final, 3), kind=settings.schedule
        )
    return say(
        "telling.steps" if settings.steps > 1 else "telling.steps.one",
        steps=counted(settings.steps),
        optimiser=settings.optimiser,
        rate=rate,
        seed=str(settings.seed),
    )


def _unbroken(words: str, page: Page) -> Sequence[str]:
    return [words] if words.startswith(COMMAND) else page.wrap(words)


def _in_columns(words: Sequence[str], page: Page) -> list[str]:
    width = max(map(len, words)) + 2
    if width > COLUMN + 2:
        return [line for word in words for line in page.wrap(word)]
    across = max(1, (page.width - 2) // width)
    rows = [words[i : i + across] for i in range(0, len(words), across)]
    return ["  " + "".join(word.ljust(width) for word in row).rstrip() for row in rows]
