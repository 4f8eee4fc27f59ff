"""A page that shows a run while it trains: loss, decision regions or samples, network, gradients by layer.

    watch = Watch(Path("run.html"), run, health.findings)
    watch.step(run.advance())
    watch.finish()

One file that loads nothing, written whole each time, at most every 1.5 seconds.  It holds up to 40 pictures
of the run; when there are more, every second one is dropped.  Pages take at most a tenth of the time,
pages and pictures about a quarter (of a short run, two seconds).  Watching changes nothing: a run that is
watched takes the same steps, bit for bit.

A gradient here is what `.grad` holds after a step, in every picture: regularisation is in it, and it is
clipped.  (The gradients of a StepRecord are of the data alone, before clipping.)
"""

from __future__ import annotations

import random
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from gzip import compress
from html import escape
from json import dumps
from math import ceil, hypot, sqrt
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from ..drawing.chart import Chart, seen
from ..drawing.svg import element, short
from ..text.files import write_whole
from ..text.numerals import counted, show
from ..text.translation import say
from . import boundary, layer_gradients, loss_curve, network_drawing
from .page_frame import file_of, page_of
from .tasks import PointsTask, TextTask

if TYPE_CHECKING:
    from .run import Run, StepRecord

__all__ = ["Snapshot", "Watch"]

MOST = 40  # pictures
PERIOD = 1.5  # seconds between two pages
SHARE = 0.1  # of the time, at most, for pages on the way
PICTURES = 0.25  # of the time, at most, for pictures on the way,
SECONDS = 2.0  # or so many seconds, spread over the steps: a short run has its pictures too
WORK = 150_000  # products for one picture of the plane, but for the last
CELLS = ((40, 30), (32, 24), (24, 18), (20, 15))  # of the plane, from a small model to a large one
SAMPLES, TEMPERATURE, LETTERS = 10, 0.5, 60


class Noted(Protocol):
    """What was found out about a run."""

    @property
    def kind(self) -> str: ...
    @property
    def step(self) -> int: ...
    @property
    def layer(self) -> str: ...
    def words(self) -> str: ...
    def advice(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A run at one step: pictures by name, as markup, and what it wrote."""

    step: int
    words: str
    pictures: Mapping[str, str]
    gradients: Mapping[str, tuple[float, float]]
    noted: Mapping[str, str]  # words about a layer
    samples: tuple[str, ...] = ()
    right: str = ""


class Watch:
    def __init__(
        self,
        path: Path | str,
        run: Run,
        findings: Sequence[Noted] = (),
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.path, self.run, self.findings, self.clock = Path(path), run, findings, clock
        self.every = max(1, ceil(run.settings.steps / (MOST - 1)))  # one is of the start
        self.record: StepRecord | None = None
        self.started, self.spent = clock(), 0.0  # on pictures and pages
        self.snapshots = [self._snapshot()]
        self._next = run.step + self.every  # the step of the next picture
        self._due = -1.0  # when the next page may be written

    def step(self, record: StepRecord, findings: Sequence[Noted] | None = None) -> None:
        """A step was taken: take a picture, if one is due, and write the page, if that is due."""
        self.record = record
        self.findings = self.findings if findings is None else findings
        if record.taken and record.step >= self._next and self._affordable():
            started = self.clock()
            self._keep(self._snapshot())
            self.spent += self.clock() - started
            self._next = record.step + self.every
        if self.clock() >= self._due:
            started = self.clock()
            self.write("training")
            spent = self.clock() - started
            self.spent += spent
            self._due = self.clock() + max(PERIOD, spent / SHARE)

    def _affordable(self) -> bool:
        done = self.run.step / max(1, self.run.settings.steps)
        return self.spent <= max(SECONDS * done, PICTURES * (self.clock() - self.started))

    def finish(self, state: str = "") -> None:
        """The last page; `state` is finished, stopped or broken, and is seen from the run if not given."""
        broken = self.record is not None and not self.record.taken
        self.write(state or ("broken" if broken else "finished" if self.run.finished else "stopped"))

    def write(self, state: str) -> None:
        newest = self._newest() if state == "training" else self._snapshot(boundary.CELLS)
        shown = [*(one for one in self.snapshots if one.step < newest.step), newest]
        write_whole(self.path, _page(self, shown, state))

    def _newest(self) -> Snapshot:
        last = self.snapshots[-1]
        return last if last.step == self.run.step and self._taken() else self._snapshot()

    def _taken(self) -> bool:
        return self.record is None or self.record.taken

    def _keep(self, snapshot: Snapshot) -> None:
        if len(self.snapshots) >= MOST:
            self.snapshots = self.snapshots[::2]
            self.every *= 2
        self.snapshots.append(snapshot)

    # ---- a picture ------------------------------------------------------------------------------

    def _snapshot(self, cells: tuple[int, int] | None = None) -> Snapshot:
        run, record, task = self.run, self.record, self.run.task
        step = counted(run.step)
        words = say("watch.now", step=step)
        if record is not None:
            words = say("watch.now.loss", step=step, loss=show(record.loss, 4))
        pictures: dict[str, Chart] = {}
        samples: tuple[str, ...] = ()
        with task.judging():
            if isinstance(task, TextTask):
                generator = random.Random(f"minigrad watch {run.settings.seed}")
                samples = tuple(task.sample(generator, SAMPLES, TEMPERATURE))
            else:
                pictures["boundary"] = self._plane(task, cells)
        gradients = _sizes(run) if record is not None else {}
        pictures["network"] = self._network(gradients)
        drawn = {name: chart.inline(name) for name, chart in pictures.items()}
        return Snapshot(
            run.step,
            words,
            drawn,
            gradients,
            self._noted(),
            tuple(seen(text)[:LETTERS] for text in samples),
            pictures["boundary"].words if "boundary" in pictures else "",
        )

    def _plane(self, task: PointsTask, cells: tuple[int, int] | None) -> Chart:
        model, count = task.model, len(self.run.parameters)
        fit = cells or next((size for size in CELLS if size[0] * size[1] * count <= WORK), CELLS[-1])
        return boundary.draw(task.points, lambda *point: model(list(point)).data, kind=task.kind, cells=fit)

    def _network(self, gradients: Mapping[str, tuple[float, float]]) -> Chart:
        task = self.run.task
        if isinstance(task, TextTask):
            return network_drawing.draw(network_drawing.boxes_of(self.run.layers, gradients))
        return network_drawing.draw(network_drawing.units_of_mlp(task.model, self._dead()))

    def _dead(self) -> dict[int, set[int]]:
        """Units of relu that are 0 for every example."""
        from .health import units_of

        dead: dict[int, set[int]] = {}
        for at, (activation, answers) in enumerate(units_of(self.run).values()):
            if activation == "relu":
                units = list(zip(*answers, strict=True))
                dead[at] = {unit for unit, found in enumerate(units) if not any(found)}
        return dead

    def _noted(self) -> dict[str, str]:
        known = ("vanishing", "exploding", "dead", "saturated", "number")
        return {note.layer: say(f"layers.{note.kind}") for note in self.findings if note.kind in known}


def _sizes(run: Run) -> dict[str, tuple[float, float]]:
    """The rms of the gradients and of the weights of each layer."""
    return {
        layer: (
            hypot(*(value.grad for value in of)) / sqrt(len(of)),
            hypot(*(value.data for value in of)) / sqrt(len(of)),
        )
        for layer, of in run.layers.items()
    }


# ---- the page -----------------------------------------------------------------------------------


def _page(watch: Watch, shown: Sequence[Snapshot], state: str) -> str:
    run, newest = watch.run, shown[-1]
    title = say("watch.title", task=_named(run))
    losses = run.losses if watch.record is None or watch.record.taken else [*run.losses, watch.record.loss]
    drawn, places = _curve(losses, run.settings.steps, [one.step for one in shown])
    reel = [dict(one.pictures) for one in shown]
    scale = layer_gradients.scale_by_tens(pair for one in shown for pair in one.gradients.values())
    for one, pictures in zip(shown, reel, strict=True):
        pictures["layers"] = layer_gradients.draw(one.gradients, one.noted, scale=scale).inline("layers")
    last = reel[-1]
    second = _written(newest.samples) if newest.samples else _card("boundary", last["boundary"])
    cards = [
        _card("curve", drawn),
        second,
        _card("layers", last["layers"], _findings(watch.findings)),
        _card("network", last["network"]),
    ]
    reel[-1] = {}  # the newest one stands in the page
    body = [
        _masthead(watch, title, newest, state),
        _reel(),
        f'<div class="cards">{"".join(cards)}</div>',
        f'<noscript><p class="remark">{escape(say("watch.noscript"))}</p></noscript>',
        _data(shown, reel, places, state),
    ]
    head = '<noscript><meta http-equiv="refresh" content="2"></noscript>\n' if state == "training" else ""
    style = file_of("watch.css")
    return page_of(f"{_step(run)} · {title}", "\n".join(body), file_of("watch.js"), style, head=head)


def _curve(losses: Sequence[float], steps: int, at: Sequence[int]) -> tuple[str, list[float]]:
    """The losses so far, with a line at the picture that is looked at; and where each picture stands."""
    series = loss_curve.of_losses(losses)
    drawn = loss_curve.draw(series, steps=steps, height=boundary.HEIGHT)
    places, top, foot = loss_curve.places_of(series, [max(1, step) for step in at], steps, boundary.HEIGHT)
    cursor = element(
        "path",
        class_="cursor",
        d=f"M0 {short(top)}V{short(foot)}",
        transform=f"translate({short(places[-1])} 0)",
        data_cursor="",
    )
    return Chart(drawn.width, drawn.height, drawn.title, drawn.words, drawn.body + cursor).inline(
        "curve"
    ), places


def _named(run: Run) -> str:
    settings = run.settings
    return seen(Path(settings.data).name) if settings.data else settings.task


def _step(run: Run) -> str:
    return say("watch.of", step=counted(run.step), steps=counted(run.settings.steps))


def _card(name: str, markup: str, below: str = "") -> str:
    return f'<div class="card"><figure data-picture="{name}">{markup}</figure>{below}</div>'


def _masthead(watch: Watch, title: str, newest: Snapshot, state: str) -> str:
    run = watch.run
    rows = [(say("watch.step"), _step(run))]
    if watch.record is not None:
        rows.append((say("watch.loss"), show(watch.record.loss, 4)))
        rows.append((say("watch.rate"), show(watch.record.lr, 3)))
    if newest.right and run.task.kind == "classifier":
        rows.append((say("watch.right"), newest.right.partition("(")[2].rstrip(")")))
    rows.append((say("watch.parameters"), counted(len(run.parameters))))
    rows.append((say("watch.seed"), str(run.settings.seed)))
    figures = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in rows)
    done = run.step / max(1, run.settings.steps)
    return (
        f'<header class="masthead"><div class="headline"><h1>{escape(title)}</h1>'
        f'<p class="state {state}">{escape(say(f"watch.state.{state}"))}</p></div>'
        f'<progress max="1" value="{done:.4f}" aria-label="{escape(say("watch.step"))}"></progress>'
        f'<dl class="figures">{figures}</dl></header>'
    )


def _reel() -> str:
    """The slider over the pictures; a script shows it."""
    return (
        f'<section class="reel" hidden aria-label="{escape(say("watch.reel"))}">'
        f'<button type="button" class="turn">{escape(say("watch.play"))}</button>'
        f'<input type="range" min="0" step="1" aria-label="{escape(say("watch.reel"))}">'
        f'<output></output><button type="button" class="follow">{escape(say("watch.follow"))}</button>'
        '<p class="remark" role="status"></p></section>'
    )


def _written(samples: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(text) or '—'}</li>" for text in samples)
    note = escape(say("watch.samples.note", temperature=show(TEMPERATURE)))
    return (
        f'<section class="card written"><h2>{escape(say("watch.samples"))}</h2>'
        f'<ol data-samples>{items}</ol><p class="remark">{note}</p></section>'
    )


def _findings(findings: Sequence[Noted]) -> str:
    heading = f"<h2>{escape(say('watch.findings'))}</h2>"
    if not findings:
        return (
            f'<section class="findings">{heading}<p class="remark">{escape(say("watch.well"))}</p></section>'
        )
    rows = "".join(
        f"<li>{escape(seen(say('watch.finding', step=counted(note.step), words=note.words())))}"
        f'<p class="remark">{escape(seen(note.advice()))}</p></li>'
        for note in findings
    )
    return f'<section class="findings">{heading}<ul>{rows}</ul></section>'


def _data(
    shown: Sequence[Snapshot], reel: Sequence[Mapping[str, str]], places: Sequence[float], state: str
) -> str:
    """The pictures, packed."""
    rows: list[dict[str, object]] = [
        {"step": one.step, "words": one.words, "x": x, "samples": one.samples, "pictures": pictures}
        for one, pictures, x in zip(shown, reel, places, strict=True)
    ]
    names = ("play", "pause", "following", "looking", "over", "stale")
    words = {name: say(f"watch.{name}") for name in names}
    text = dumps({"state": state, "words": words, "snapshots": rows}, separators=(",", ":"))
    packed = b64encode(compress(text.encode(), 6, mtime=0)).decode()
    return f'<script type="application/json" id="minigrad-watch">{packed}</script>'
