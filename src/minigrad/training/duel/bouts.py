"""Bouts of a duel: a fault against the right pass, in the same run, with the same weights, data and order.

    duel(["overwrite"], on="moons").text()
    duel(on="moons").text()          # the whole catalogue, ranked by how long each fault hides

All of it follows from the seed, whatever the number of processes that share the work.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from statistics import median
from typing import TYPE_CHECKING, TypeAlias

from ...faults import FAULTS, Fault, Suspect
from ...faults.break_lab import fault_called
from ...faults.fault import Variant
from ...text.numerals import json_number
from ...text.page import Page, Result, Sections, markdown_of
from ...text.translation import say, speaking
from .. import Settings
from .detection import OTHERS, Band, band_of, noticed, smoothed
from .duel_run import Course, train
from .models import Opponent, arena, chosen, first_graph, opponents
from .processes import Told, run_in_processes

if TYPE_CHECKING:
    from ...text.files import JSON

__all__ = ["Bout", "Duel", "Idle", "duel"]

SCHEMA = "minigrad.duel/1"

_Work: TypeAlias = tuple[Settings] | tuple[Settings, str, Variant]  # a right run, or one with a fault


@dataclass(frozen=True, eq=False)
class Bout:
    """One fault against the right pass."""

    suspect: Suspect
    settings: Settings
    right: Course
    broken: Course
    band: Band

    @property
    def fault(self) -> Fault:
        return self.suspect.fault

    @cached_property
    def variant(self) -> str:
        return self.suspect.what(first_graph(self.settings))

    @property
    def noticed(self) -> int | None:
        """The step at which a person would notice; None for never in these steps."""
        if self.broken.end == "endless":
            return len(self.broken.losses) + 1
        return noticed(self.broken.losses, self.band)

    @property
    def status(self) -> str:
        """noticed, hidden, or equal: the gradient was the right one in every step."""
        if self.noticed is not None:
            return "noticed"
        return "equal" if self.broken.equal else "hidden"

    @property
    def angle(self) -> float | None:
        """The median of the degrees between the two gradients; None where there never was one."""
        return _median(self.broken.angles)

    @property
    def ratio(self) -> float | None:
        return _median(self.broken.ratios)

    def to_json(self, series: bool) -> dict[str, JSON]:
        row: dict[str, JSON] = {
            "fault": self.fault.slug,
            "variant": self.variant,
            "activation": self.settings.activation,
            "status": self.status,
            "noticed": self.noticed,
            "end": self.broken.end,
            "final": {"right": _number(final(self.right)), "broken": _number(final(self.broken))},
            "accuracy": {"right": self.right.accuracy, "broken": self.broken.accuracy},
            "angle": _number(self.angle),
            "ratio": _number(self.ratio),
        }
        if self.right.samples:
            row["samples"] = {"right": list(self.right.samples), "broken": list(self.broken.samples)}
        if series:
            row["losses"] = [_number(x) for x in self.broken.losses]
            row["angles"] = [_number(x) for x in self.broken.angles]
            row["ratios"] = [_number(x) for x in self.broken.ratios]
        return row


@dataclass(frozen=True)
class Idle:
    """A fault that cannot show here: "one-graph", "edges" or "no-op"."""

    fault: Fault
    why: str


@dataclass(frozen=True, eq=False)
class Duel(Result):
    """All bouts, in the order in which they were asked for; `ranked` is by how long each fault hides."""

    settings: Settings
    bouts: tuple[Bout, ...]
    idle: tuple[Idle, ...]
    whole: bool  # is it the whole catalogue?

    @property
    def ranked(self) -> list[Bout]:
        """Those that hide longest in front: never noticed, then noticed late; what is equal comes last."""
        places = {"hidden": 0, "noticed": 1, "equal": 2}

        def place(bout: Bout) -> tuple[int, int, float, str, str]:
            worse = -_finite(final(bout.broken)) if bout.status == "hidden" else 0.0
            return places[bout.status], -(bout.noticed or 0), worse, bout.fault.slug, bout.variant

        return sorted(self.bouts, key=place)

    @property
    def arenas(self) -> list[Bout]:
        """One bout for each model that was fought on."""
        return list({bout.settings: bout for bout in self.bouts}.values())

    # ---- as text, as a page, as data --------------------------------------------------------

    def sections(self, page: Page) -> Sections:
        from .report_text import sections

        return sections(self, page)

    def markdown(self, lang: str | None = None) -> str:
        with speaking(lang):
            (title, lines), *rest = self.sections(Page())
            return markdown_of(title, [(say("duel.section.run"), lines), *rest])

    def to_html(self, lang: str | None = None) -> str:
        """All in one page, which loads nothing."""
        from .report_html import html

        with speaking(lang):
            return html(self)

    def to_svg(self, lang: str | None = None, theme: str = "auto") -> str:
        """The curves alone, one below the other."""
        from .charts import picture

        with speaking(lang):
            return picture(self).svg(theme)

    def to_json(self) -> dict[str, JSON]:
        """Plain data, the same in every language; the numbers of every step only where faults were named."""
        series = not self.whole
        return {
            "schema": SCHEMA,
            "on": self.settings.task,
            "settings": self.settings.to_json(),
            "right": [
                {
                    "activation": bout.settings.activation,
                    "final": _number(final(bout.right)),
                    "accuracy": bout.right.accuracy,
                    "losses": [_number(x) for x in bout.right.losses],
                    "band": {
                        "seeds": list(bout.band.seeds),
                        "lowest": [_number(x) for x in bout.band.lowest],
                        "highest": [_number(x) for x in bout.band.highest],
                    },
                }
                for bout in self.arenas
            ],
            "bouts": [bout.to_json(series) for bout in (self.ranked if self.whole else self.bouts)],
            "idle": [{"fault": row.fault.slug, "why": row.why} for row in self.idle],
        }

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Duel on {self.settings.task}: {len(self.bouts)} bouts>"


def final(course: Course) -> float:
    """The loss at the end, smoothed."""
    return smoothed(course.losses)[-1] if course.losses else float("nan")


def _median(numbers: Iterable[float | None]) -> float | None:
    found = [x for x in numbers if x is not None]
    return median(found) if found else None


def _number(x: float | None) -> float | str | None:
    return None if x is None else json_number(x)


def _finite(x: float) -> float:
    return x if x == x else float("inf")


# ---- holding one ----------------------------------------------------------------------------------


def duel(
    faults: Sequence[str] = (),
    on: str = "moons",
    *,
    steps: int | None = None,
    seed: int = 0,
    optimiser: str = "",
    variant: str | None = None,
    workers: int = 1,
    told: Told | None = None,
) -> Duel:
    """These faults, or without any the whole catalogue, against the right pass."""
    rows = [fault_called(slug) for slug in dict.fromkeys(faults)]
    settings = arena(on, steps, seed, optimiser)
    whole = not rows
    pairs: list[Opponent] = []
    idle = []
    if variant is not None:
        if len(rows) != 1:
            raise ValueError(say("duel.variant.several", count=len(rows)))
        pairs.append(chosen(rows[0], settings, variant))
    else:
        for fault in rows or FAULTS.values():
            found = opponents(fault, settings, every=whole)
            pairs += found
            if not found:
                idle.append(Idle(fault, _why(fault, settings)))
    return Duel(settings, tuple(_bouts(pairs, workers, told)), tuple(idle), whole)


def _why(fault: Fault, settings: Settings) -> str:
    if fault.across == "one-graph":
        return "one-graph"
    return "edges" if fault.suspects(first_graph(settings)) else "no-op"


def _bouts(pairs: Sequence[Opponent], workers: int, told: Told | None) -> list[Bout]:
    models = list(dict.fromkeys(settings for settings, _ in pairs))
    others = {model: [replace(model, seed=model.seed + i + 1) for i in range(OTHERS)] for model in models}
    work: dict[Hashable, _Work] = {run: (run,) for model in models for run in (model, *others[model])}
    for settings, suspect in pairs:
        task: _Work = (settings, suspect.fault.slug, suspect.variant)
        work.setdefault(_pass_of(settings, suspect), task)
    done = dict(zip(work, run_in_processes(_trained, list(work.values()), workers, told), strict=True))
    bands = {
        model: band_of([run.seed for run in runs], [done[run].losses for run in runs])
        for model, runs in others.items()
    }
    return [
        Bout(suspect, settings, done[settings], done[_pass_of(settings, suspect)], bands[settings])
        for settings, suspect in pairs
    ]


def _pass_of(settings: Settings, suspect: Suspect) -> Hashable:
    """What a run depends on: several faults are one pass, told in different stories."""
    fault = suspect.fault
    return (settings, fault.across or fault.swap, "" if fault.across else suspect.variant)


def _trained(work: _Work) -> Course:
    return _right(work[0]) if len(work) == 1 else train(*work)


@lru_cache(maxsize=64)
def _right(settings: Settings) -> Course:
    """A right run; each duel on one model needs the same ones."""
    return train(settings)
