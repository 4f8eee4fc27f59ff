"""`minigrad train moons|circles|spirals|regression|names|FILE`: a small model, trained out of scalars.

Everything that can be refused is refused before the first step.  Progress goes to stderr, the report to
stdout.  Exit codes: 0 it ran to its end, 1 the loss or a gradient was no number, 2 the input was bad or a
file could not be written, 130 it was stopped; what was reached is saved then.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...text.escape import visible
from ...text.files import rehearse, rows_json, write_whole
from ...text.page import Ink, Page
from ...text.translation import say
from .. import output
from ..argument_values import quoted
from ..arguments import Arguments, UsageError, take_apart
from . import RIGHT, WRONG
from .train_options import OPTIONS, no_foreign, read_every, read_places, read_sampling, read_settings

if TYPE_CHECKING:
    from ...training.health import Health
    from ...training.run import Run
    from ...training.session import TrainingSession
    from ...training.settings import Settings

__all__ = ["run"]

INTERRUPTED = 130


def run(words: Sequence[str]) -> int:
    arguments = take_apart(words, OPTIONS)
    places, every, sampling = read_places(arguments), read_every(arguments), read_sampling(arguments)
    trained = _resumed(arguments) if arguments.flag("resume") else _new(arguments)
    if arguments.flag("resume"):
        places.setdefault("save", Path(arguments.options["resume"]))
    _free(arguments, places.get("save"))
    _writable(trained, places)
    if arguments.flag("compile"):
        _compiled(trained)
    return _carried_out(arguments, trained, places, every, sampling)


# ---- what is trained ------------------------------------------------------------------------------


def _new(arguments: Arguments) -> Run:
    from ...training.run import Run
    from ...training.settings import defaults
    from ...training.tasks import block_for

    if len(arguments.words) != 1:
        _no_picture(arguments)
        raise UsageError(say("usage.train.words" if arguments.words else "usage.train"))
    task, data = _task(arguments.words[0])
    settings = defaults(task)
    no_foreign(arguments, task, settings.language)
    wishes = read_settings(arguments)
    if data and "block" not in wishes:
        wishes["block"] = block_for(data)
    return Run(defaults(task, **wishes, data=data))


def _compiled(trained: Run) -> None:
    try:
        trained.compile()
    except (ImportError, ValueError) as error:  # no NumPy, or a model that draws while it trains
        raise UsageError(str(error)) from None


def _no_picture(arguments: Arguments) -> None:
    """A word too many after a bare --plot is meant as its file, and has an ending that none has."""
    if arguments.options.get("plot") == "":
        for word in arguments.words[1:]:
            if Path(word).suffix:
                raise UsageError(say("usage.ending", given=quoted(word), known=".svg, .png"))


def _task(word: str) -> tuple[str, str]:
    """A task by its name, or the file that stands for one."""
    from difflib import get_close_matches

    from ...training.settings import TASKS

    named = [task for task in TASKS if task != "text"]
    if word in named:
        return word, ""
    if os.path.exists(word):
        return "text", word
    close = get_close_matches(word, named, 1, 0.6)
    if close:
        raise UsageError(say("usage.train.close", given=quoted(word), close=close[0]))
    raise UsageError(say("usage.train.task", given=quoted(word), known=", ".join(named)))


def _resumed(arguments: Arguments) -> Run:
    """The run of a checkpoint: nothing typed beside it may contradict it, but its texts may have moved."""
    from ...training.run_file import load
    from ...training.settings import TASKS

    path = Path(arguments.options["resume"])
    wishes = read_settings(arguments)
    steps = wishes.pop("steps", None)
    try:
        moved = [word for word in arguments.words if word not in TASKS]
        found: Run = load(path, data=moved[0] if moved else "")
    except OSError as error:
        raise UsageError(say("train.unreadable", path=visible(str(path)), why=output.reason(error))) from None
    settings = found.settings
    no_foreign(arguments, settings.task, settings.language)
    for name, wish in wishes.items():
        if getattr(settings, name) != wish:
            kept = getattr(settings, name)
            raise UsageError(
                say(
                    "usage.train.contradicts",
                    option="--" + name.replace("_", "-"),
                    given=_written(wish),
                    kept=_written(kept),
                )
            )
    _same_task(arguments, settings)
    if steps is not None and steps != settings.steps:
        found.extend(steps)
    return found


def _same_task(arguments: Arguments, settings: Settings) -> None:
    if len(arguments.words) > 1:
        raise UsageError(say("usage.train.words"))
    for word in arguments.words:
        if word not in (settings.task, settings.data):
            raise UsageError(
                say("usage.train.other", given=quoted(word), task=settings.data or settings.task)
            )


def _written(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else visible(str(value))


def _free(arguments: Arguments, save: Path | None) -> None:
    """A new run does not take the place of an old one: hours of work would be gone."""
    if save is None or not save.is_file():
        return
    resumed = arguments.options.get("resume")
    if resumed is None or os.path.realpath(save) != os.path.realpath(resumed):
        raise UsageError(say("usage.train.taken", path=visible(str(save))))


def _writable(trained: Run, places: Mapping[str, Path]) -> None:
    """Try each place before the work: a whole checkpoint, some bytes of the others."""
    from ...drawing.png import MissingLibraryError, png
    from ...nn.safetensors import encoded
    from ...training.run_file import pack

    data = trained.settings.data
    for option, path in places.items():
        if data and os.path.realpath(path) == os.path.realpath(data):
            raise UsageError(say("usage.train.over", option=f"--{option}", path=visible(str(path))))
        try:
            if path.suffix == ".png":
                png('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
            rehearse(path, encoded(pack(trained)) if option == "save" else b"minigrad")
        except MissingLibraryError as error:
            raise UsageError(str(error)) from None
        except OSError as error:
            raise UsageError(say("out.failed", path=visible(str(path)), why=output.reason(error))) from None


# ---- the run ----------------------------------------------------------------------------------------


def _carried_out(
    arguments: Arguments, trained: Run, places: Mapping[str, Path], every: int, sampling: tuple[int, float]
) -> int:
    from ...training.health import Health
    from ...training.session import free_name, stoppable

    session = _session(arguments, trained, Health(trained), places, every)
    with stoppable() as stop:
        session.progress.say(_beforehand(trained, arguments.flag("compile")))
        session.go(stop)
        stopped = stop.asked and not trained.finished
        if stopped:
            session.path = session.path or free_name(trained.settings.task, Path())
        if session.path and not session.broken:
            if session.taken or str(session.path) != arguments.options.get("resume"):
                session.keep(session.path)
                if session.path in session.troubles:
                    session.rescue(free_name(trained.settings.task, Path()))
            else:  # it is there, as it was
                session.saved = str(session.path)
        if stopped:  # told in here too: the echo of the signal must not end us before
            return _report_run(arguments, session, places, sampling, stopped)
    return _report_run(arguments, session, places, sampling, stopped)


def _beforehand(trained: Run, compiled: bool) -> list[str]:
    """What somebody should know before they wait for it: texts that are cut, lengths that are compiled."""
    from ...training.report_text import lines_of_text
    from ...training.tasks import TextTask

    task, page = trained.task, output.page()
    if not isinstance(task, TextTask):
        return []
    found = [lines_of_text(task)] if task.cut else []
    if compiled:
        lengths = {min(length + 1, task.settings.block) for length in task.lengths}
        found.append(say("train.compile.lengths", count=len(lengths)))
    return [line for words in found for line in page.wrap(words, "")]


def _report_run(
    arguments: Arguments,
    session: TrainingSession,
    places: Mapping[str, Path],
    sampling: tuple[int, float],
    stopped: bool,
) -> int:
    """Draw, sample and report; the exit code."""
    from ...training.report_text import TrainingReport

    trained = session.run
    drawn = _plotted(arguments, session, places) if trained.losses else ()
    report = TrainingReport(
        trained,
        session.health.findings,
        session.seconds,
        session.taken,
        () if session.broken or stopped else _samples(trained, *sampling),
        drawn,
        session.saved,
        [str(path) for option, path in places.items() if option != "save" and path not in session.troubles],
        stopped,
        session.kept if session.stale else None,
    )
    if arguments.flag("json"):
        print(rows_json(report.to_json()), end="")
        if stopped:
            print(f"{report.where()}; {session.saved}", file=sys.stderr)
    else:
        print(output.fitting(report.text(output.page())), end="")
    if stopped:
        return INTERRUPTED
    if session.unwritten:
        raise UsageError(session.unwritten)
    return WRONG if session.broken else RIGHT


def _session(
    arguments: Arguments, trained: Run, health: Health, places: Mapping[str, Path], every: int
) -> TrainingSession:
    from ...training.progress_line import ProgressLine
    from ...training.session import TrainingSession

    live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    page = output.page()
    page = replace(page, ink=Ink(live and not os.environ.get("NO_COLOR")))
    drawn = arguments.flag("plot") and not places.get("plot")
    picture = _picture(trained) if drawn else None
    progress = ProgressLine(trained, sys.stderr, page, live, picture, output.fitting)
    witness = None
    if "watch" in places:
        from ...training.watch_page import Watch

        witness = Watch(places["watch"], trained, findings=health.findings)
    return TrainingSession(trained, progress, health, places.get("save"), every, witness, output.reason)


def _picture(trained: Run) -> Callable[[Page, int], Sequence[str]]:
    from ...training.plots import lines_of

    return lambda page, most: lines_of(trained, page, most)


def _samples(trained: Run, count: int, temperature: float) -> list[str]:
    """Drawn from a generator of their own: the same ones whenever this run is asked."""
    from ...training.tasks import TextTask

    task = trained.task
    if not count or not isinstance(task, TextTask):
        return []
    generator = random.Random(f"minigrad samples {trained.settings.seed}")
    return task.sample(generator, count, temperature)


def _plotted(arguments: Arguments, session: TrainingSession, places: Mapping[str, Path]) -> Sequence[str]:
    """Lines for the terminal, or the file that was asked for."""
    if not arguments.flag("plot"):
        return ()
    from ...training.plots import drawing_of, lines_of

    if "plot" not in places:
        return () if arguments.flag("json") else lines_of(session.run, output.page())
    drawing, path = drawing_of(session.run), places["plot"]
    content: str | bytes = drawing.svg()
    if path.suffix == ".png":
        from ...drawing.png import png

        content = png(drawing.svg("light"))
    session.written(path, lambda: write_whole(path, content))
    return ()
