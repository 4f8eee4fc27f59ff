"""Sentences of a duel's report, for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from ...text.escape import printable
from ...text.numerals import counted, show
from ...text.translation import pick, say
from .. import Settings
from .bouts import Bout, Duel, final
from .detection import OTHERS, PATIENCE, WINDOW
from .models import VARIANTS, first_graph

__all__ = [
    "about",
    "angle_words",
    "counts",
    "gradient",
    "how",
    "idle_sentences",
    "label",
    "look",
    "loss_words",
    "name",
    "noticed_cell",
    "noticing",
    "percent",
    "setting",
]


def label(bout: Bout) -> str:
    """overwrite-one-op (mul), tanh-plus [tanh]."""
    what = printable(bout.variant)
    other = f" [{bout.settings.activation}]" if _elsewhere(bout) else ""
    return bout.fault.slug + (f" ({what})" if what else "") + other


def name(bout: Bout) -> str:
    return bout.suspect.name(first_graph(bout.settings))


def _elsewhere(bout: Bout) -> bool:
    from .models import ARENAS

    return bout.settings.activation != ARENAS[bout.settings.task].activation


def setting(settings: Settings) -> str:
    """What is trained, and how."""
    return say(
        f"duel.run.{settings.task}",
        **{
            **settings.to_json(),
            "hidden": "-".join(map(str, settings.hidden)),
            "steps": counted(settings.steps),
        },
    )


def about(bout: Bout) -> Iterator[str]:
    """The story of the fault, and what is special about it in a loop."""
    yield f"{name(bout)}: {pick(bout.fault.story)}."
    if _elsewhere(bout):
        yield say("duel.activation", activation=bout.settings.activation)
    if bout.fault.across:
        yield say(f"duel.across.{bout.fault.across}")
    elif bout.fault.piece == "forward":
        yield say("duel.forward")


def gradient(bout: Bout) -> str:
    if bout.broken.equal and bout.broken.angles:
        return say("duel.gradient.equal")
    if bout.angle is None:
        zero = bool(bout.broken.ratios) and all(ratio == 0.0 for ratio in bout.broken.ratios)
        return say("duel.gradient.none" if zero else "duel.gradient.lost")
    meaning = "same" if bout.angle < 0.01 else "downhill" if bout.angle < 90.0 else "uphill"
    ratio = show(bout.ratio, 3) if bout.ratio is not None else "?"
    fields = {"angle": angle_words(bout.angle), "meaning": say(f"duel.meaning.{meaning}")}
    return (
        say("duel.gradient.long", **fields) if ratio == "1" else say("duel.gradient", ratio=ratio, **fields)
    )


def noticing(bout: Bout) -> Iterator[str]:
    """When a person would notice, and what it costs if nobody does."""
    steps, step = counted(bout.settings.steps), bout.noticed
    if step is None:
        if bout.status == "equal":
            yield say("duel.equal")
            return
        yield say("duel.hidden", steps=steps, patience=PATIENCE)
        right, broken = final(bout.right), final(bout.broken)
        if broken > 1.1 * right:
            yield say("duel.hidden.cost", right=loss_words(right), broken=loss_words(broken))
        return
    if bout.broken.end == "endless":
        yield say("duel.noticed.endless", step=counted(step))
    elif step == len(bout.broken.losses) and bout.broken.end:
        yield say("duel.noticed.nan", step=counted(step), steps=steps)
    else:
        yield say("duel.noticed", step=counted(step), steps=steps, patience=PATIENCE)


def look(bout: Bout) -> str:
    return say(f"duel.look.{bout.status}", slug=bout.fault.slug)


def how(duel: Duel) -> Iterator[str]:
    """How it was judged; the seeds are those of the band."""
    first = duel.settings.seed + 1
    yield say(
        "duel.how",
        others=OTHERS,
        first=counted(first),
        last=counted(first + OTHERS - 1),
        window=WINDOW,
        patience=PATIENCE,
    )
    if duel.whole:
        yield say("duel.how.ranking", variants=VARIANTS)


def counts(duel: Duel) -> str:
    """How many hid, and for how long."""
    steps = [bout.noticed for bout in duel.bouts if bout.noticed is not None]
    status = [bout.status for bout in duel.bouts]
    fields = {
        "all": len(status),
        "hidden": status.count("hidden"),
        "equal": status.count("equal"),
        "steps": counted(duel.settings.steps),
    }
    if not steps:
        return say("duel.counts.none", **fields)
    return say("duel.counts", noticed=len(steps), median=counted(int(median(steps))), **fields)


def idle_sentences(duel: Duel) -> Iterator[str]:
    """Why some faults cannot show, each reason with its faults."""
    for why in ("one-graph", "edges", "no-op"):
        found = [row.fault.slug for row in duel.idle if row.why == why]
        if found:
            yield say(f"duel.idle.{why}", count=len(found), listed=", ".join(found))


# ---- cells ----------------------------------------------------------------------------------------


def noticed_cell(bout: Bout) -> str:
    if bout.broken.end == "endless":
        return say("duel.cell.endless")
    if bout.noticed is not None:
        return say("duel.cell.step", step=counted(bout.noticed))
    return say("duel.cell.equal" if bout.status == "equal" else "duel.cell.never")


def loss_words(x: float) -> str:
    return show(x, 3)


def angle_words(x: float | None) -> str:
    if x is None:
        return "-"
    if 1e-9 < x < 0.01:
        return "<0.01°"
    return f"{show(x, 2) if 0.01 <= x < 10.0 else round(x)}°"


def percent(share: float | None) -> str:
    return "-" if share is None else say("duel.percent", percent=show(100.0 * share, 3))
