"""Progress of the learner at the page: read and written by the server's own process alone.

The workers may be ended in the middle of a question, and there are several of them; so they judge, and this
process, which outlives them, writes, one thing after the other, whichever thread asks.  The file is opened
for each request: the terminal may be open beside the page, and both see what the other wrote.  What could not
be written is held here, and tried again with the next request.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from datetime import date
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from ..learn import course
from ..learn.progress import Progress
from ..learn.questions import Judgement
from ..text.translation import LANGUAGES
from .requests import (
    SEEDS,
    ArriveRequest,
    JudgeRequest,
    Request,
    RevealRequest,
    SolutionRequest,
    UnitRequest,
)

__all__ = ["LearnerProgress"]

PAGES = 256  # whose last answer is remembered
DUE = 20  # repetitions that are asked at once

Data = dict[str, object]
Found = TypeVar("Found")


class LearnerProgress:
    """`path` None is the file that `minigrad learn` uses."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._turn = Lock()
        self._held: Progress | None = None  # with something in it that could not be written yet
        self._unsaid: list[str] = []  # what happened to the file, until a page is told
        self._answered: OrderedDict[str, object] = OrderedDict()

    def _with(self, act: Callable[[Progress], Found]) -> Found:
        """Do something with the file."""
        with self._turn:
            held = self._held
            progress = held if held is not None and not held.save() else Progress.open(self._path)
            try:
                return act(progress)
            finally:
                self._held = None if progress.kept else progress
                self._listen(progress)

    def _listen(self, progress: Progress) -> None:
        self._unsaid += progress.notices
        progress.notices.clear()

    # ---- what is shown --------------------------------------------------------------------------

    def contents(self) -> Data:
        """All units in both languages, what is done, and where to go on."""
        spoken = zip(*(course.titles(language) for language in LANGUAGES), strict=True)
        units = [
            {
                "number": rows[0][0],
                "slug": rows[0][1],
                "title": [row[2] for row in rows],
                "idea": [row[3] for row in rows],
                "minutes": rows[0][4],
            }
            for rows in spoken
        ]
        return {"units": units, "progress": self._with(self._summary)}

    def _summary(self, progress: Progress) -> Data:
        """What the page shows of the file."""
        self._listen(progress)
        notices, self._unsaid = self._unsaid, []
        return {
            "current": progress.current,
            "kept": progress.kept,
            "notices": notices,
            "states": {slug: progress.state(slug) for slug in course.SLUGS},
            "places": {slug: progress.place(slug) for slug in course.SLUGS},
            "settled": sorted(set().union(*(progress.settled(slug) for slug in course.SLUGS))),
            "due": len(progress.due()),
        }

    def prepared(self, api: str, fields: Mapping[str, object]) -> Data:
        """The fields of a question with what the file knows: whose numbers, and what is due."""

        def prepare(progress: Progress) -> Data:
            unit = fields.get("unit")
            if api == "unit" and isinstance(unit, str) and unit in course.SLUGS and unit != progress.current:
                progress.arrive(unit, progress.place(unit))  # which also keeps the seed of a new file
            known: Data = {"seed": progress.seed}
            if api == "review":
                known["due"] = [asdict(each) | {"on": each.on.isoformat()} for each in progress.due()[:DUE]]
                days = progress.today.toordinal()  # other numbers than yesterday
                known["seed"] = (progress.seed + 1000 * days) % SEEDS
            return dict(fields) | known

        return self._with(prepare)

    # ---- what is kept ---------------------------------------------------------------------------

    def arrive(self, asked: ArriveRequest) -> Data:
        """The learner reads this block of this unit."""

        def note(progress: Progress) -> Data:
            if asked.unit in course.SLUGS:
                progress.arrive(asked.unit, asked.block)
            return {"progress": self._summary(progress)}

        return self._with(note)

    def learned(self, asked: Request, found: Mapping[str, Any]) -> Data:
        """Keep what a worker has judged or revealed, and add to its answer what the file says now."""
        if isinstance(asked, UnitRequest):
            keys = [each["key"] for block in found["unit"]["blocks"] for each in block.get("questions", ())]
            return {"tried": self._with(lambda progress: _last_tries(progress, keys))}
        if not isinstance(asked, SolutionRequest):
            return {}
        fresh = self._fresh(asked)
        key, unit, among = found["key"], found["unit"], set(found["among"])

        def write(progress: Progress) -> Data:
            if unit in course.SLUGS and progress.state(unit) == "new":
                progress.arrive(unit, 0)  # answers count from there on
            settled = progress.settled(unit)
            if isinstance(asked, RevealRequest) and key not in settled:
                progress.reveal(key, asked.review)
            elif isinstance(asked, JudgeRequest) and found["read"] and fresh:
                judgement = Judgement(found["right"], (), found["fault"])
                progress.record(key, asked.answer, judgement, asked.review)
            if among and progress.state(unit) != "done" and progress.settled(unit) >= among:
                progress.finish(unit)
            return {"progress": self._summary(progress)}

        return self._with(write)

    def _fresh(self, asked: SolutionRequest) -> bool:
        """Is this another answer than the page's last?  A request that got lost is sent again."""
        page = asked.page
        if not page:
            return True
        answer = asked.answer if isinstance(asked, JudgeRequest) else None
        said = (type(asked), asked.key, answer, date.today())
        fresh = self._answered.get(page) != said
        self._answered[page] = said
        self._answered.move_to_end(page)
        while len(self._answered) > PAGES:
            self._answered.popitem(last=False)
        return fresh


def _last_tries(progress: Progress, keys: Iterable[str]) -> Data:
    """The last answer to each of these questions, as it was typed, and whether one was right."""
    found: Data = {}
    for key in keys:
        tries = progress.tries(key)
        typed = [each.answer for each in tries if each.answer]
        if tries:
            found[key] = {"answer": typed[-1] if typed else {}, "right": any(each.right for each in tries)}
    return found
