"""Page of an x-ray: one offline file from the model down to modules, ops and scalars.

The river of the gradient by module, the thermometer by parameter, the profile along the depth, what was found
with the user's own lines, and one number in the player.  Everything that a user wrote is escaped here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import isfinite, log10
from os import PathLike, fsdecode
from pathlib import Path
from re import sub
from typing import TYPE_CHECKING, Any

from ..doctor.page_style import STYLE
from ..drawing.svg import element
from ..errors import MinigradError
from ..player.document import TitledTrace, document
from ..player.page import embed_json, framed, script, stylesheet
from ..text.escape import visible
from ..text.excerpts import describe
from ..text.files import rehearse, write_whole
from ..text.numerals import show
from ..text.page import Page, Result
from ..text.translation import language, say, speaking
from .module_river import ModuleRun, draw, module_runs

if TYPE_CHECKING:
    from .report import XrayReport
    from .scalar_cone import ScalarCone
    from .tensor_trace import GradientSize, TensorTrace

__all__ = ["PageError", "notebook_bundle", "report_page", "result_page", "save_report"]

ROWS = 60  # gauges of one list
OPS = 60  # ops of one module that are listed
MOST_DECADES = 9.0  # of a scale: what is smaller is as good as nothing
SCALARS = 1_500  # nodes of the graph that is played
SMALL_MODEL = 200_000  # parameters of a model of which one number is followed without being asked

LOOK = """
main { max-width: 62rem }
.drawing { display: block; max-width: 100%; height: auto; margin: 0 auto }
.river.drawing { min-width: 20rem }
.flow.right { fill: var(--grad-wash); stroke: var(--grad) }
.flow.sparse { fill: var(--data-wash); stroke: var(--data); stroke-dasharray: 6 3 }
.flow.zero { fill: none; stroke: var(--line); stroke-dasharray: 2 4 }
.flow.broken { fill: color-mix(in srgb, var(--wrong) 30%, transparent); stroke: var(--wrong);
  stroke-dasharray: 4 3 }
.box.broken { stroke: var(--wrong); stroke-width: 2.4 } .box.zero { stroke-dasharray: 2 4 }
.box.sparse { stroke: var(--data); stroke-dasharray: 6 3 }
.gauges { display: grid; grid-template-columns: fit-content(14rem) minmax(4rem, 1fr) auto; gap: .1rem .7rem;
  align-items: center; font: .85rem/1.5 ui-monospace, "DejaVu Sans Mono", Consolas, monospace }
.gauges > :nth-child(3n+1) { overflow-wrap: anywhere }
.gauges > :nth-child(3n) { text-align: right; white-space: nowrap }
.gauge { display: block; width: 100%; height: .7rem }
.gauge .track { fill: var(--card) } .gauge .right { fill: var(--grad) } .gauge .sparse { fill: var(--data) }
.gauge .zero { fill: var(--line) } .gauge .broken { fill: var(--wrong) }
details { border-top: 1px solid var(--hair); padding: .35rem 0 }
summary { cursor: pointer; overflow-wrap: anywhere }
details:target { background: var(--card) } details td { white-space: nowrap }
#minigrad-player { max-width: 84rem; margin: 0 auto; padding: 0 1rem 2rem }
a { color: inherit } a:focus-visible .box { stroke: var(--active-line); stroke-width: 3 }
"""


class PageError(MinigradError, OSError):
    """A page could not be written where it was to go."""


def save_report(
    report: XrayReport, path: str | PathLike[str], number: str = "", lang: str | None = None
) -> None:
    """Write the page of a report; `number` is what is followed down to scalars, as in fc1.weight[3, 2]."""
    from .ledger import LedgerError

    if not isinstance(path, (str, bytes, PathLike)):
        raise LedgerError(say("xray.save.path", given=describe(path)))
    target = Path(fsdecode(path))
    if target.suffix != ".html" or "\0" in str(target):
        raise LedgerError(say("xray.save.ending", given=repr(target.name)))
    with speaking(lang):
        try:
            rehearse(target, b"")  # before the page is made, which may take long
            write_whole(target, report_page(report, number))
        except OSError as error:
            raise PageError(
                say("xray.save.unwritten", given=visible(str(target)), why=_reason(error))
            ) from None


def _reason(error: OSError) -> str:
    return str(error.strerror or error)


def report_page(report: XrayReport, number: str = "") -> str:
    """The page of a report, in the language in use."""
    from .ledger import ModelGradients, why

    trace, cone = None, None
    if report.subject is not None and report.subject.make_loss is not None:
        model = why(report.subject)
        assert isinstance(model, ModelGradients)
        trace = model.trace
        cone = _number_of(report.subject, trace, number)
    body = [f"<h1>{escape(_plain(report._title()))}</h1>", *_findings(report)]
    if trace is not None:
        body += _trace_parts(trace)
    return _page(_plain(report._title()), body, cone)


def result_page(result: Result, lang: str | None = None) -> str:
    """The page of one answer: a ledger, or the sizes in a model."""
    from .ledger import ModelGradients

    with speaking(lang):
        title = _plain(result._title())
        body = [f"<h1>{escape(title)}</h1>"]
        if isinstance(result, ModelGradients):
            body += _trace_parts(result.trace)
        else:
            for heading, lines in result.sections(Page(width=100)):
                body.append(f"<h2>{escape(heading)}</h2><pre>{escape(visible(chr(10).join(lines)))}</pre>")
        return _page(title, body, None)


def notebook_bundle(result: Result) -> dict[str, str]:
    """A page in a frame of its own, and the text where frames are taken out."""
    page = result_page(result)
    frame = (
        f'<iframe srcdoc="{escape(page)}" sandbox="" width="100%" height="480" loading="lazy" '
        f'title="{escape(_plain(result._title()))}">{escape(str(result))}</iframe>'
    )
    return {"text/html": frame, "text/plain": str(result)}


def _page(title: str, body: Sequence[str], cone: ScalarCone | None) -> str:
    parts, code = ["<main>", *body], ""
    if cone is not None and cone.explanation is not None:
        code = script()
        told = document([TitledTrace("right", ("", ""), cone.explanation.trace)])
        parts.append(f"<h2>{escape(say('xray.page.scalars'))}: {escape(cone.name)}</h2>")
        lines = next(iter(cone.sections(Page(width=10_000))))[1]
        parts += [f"<p>{escape(line.strip())}</p>" for line in lines]
        parts.append("</main>")
        parts.append('<div id="minigrad-player"></div>')
        parts.append(f'<script type="application/json" id="minigrad-document">{embed_json(told)}</script>')
    else:
        parts.append("</main>")
    style = f"{stylesheet()}\n{STYLE}\n{LOOK}"
    return framed(title, "\n".join(parts), code, style, language=language(), look="player-page xray")


def _plain(title: str) -> str:
    return visible(title.replace("`", ""))


def _number_of(subject: Any, trace: TensorTrace, number: str) -> ScalarCone | None:
    """The number that is followed: the one that was asked for, or one that is close to the loss."""
    from .ledger import why
    from .scalar_cone import ScalarCone

    if not number:
        record = trace.record
        size = sum(leaf.numel() for leaf in record.leaves)
        if size > SMALL_MODEL:
            return None
        known = [
            name
            for name in record.leaf_names
            if (found := trace.gradients.get(name)) is not None and found.norm
        ]
        if not known:
            return None
        leaf = record.leaves[record.leaf_names.index(known[-1])]
        number = f"{known[-1]}[{', '.join('0' for _ in leaf.shape)}]" if leaf.dim() else ""
        if not number:
            return None
    made = why(subject, number, most=SCALARS)
    return made if isinstance(made, ScalarCone) else None


# ---- parts --------------------------------------------------------------------------------------


def _findings(report: XrayReport) -> Iterator[str]:
    wide = Page(width=10_000)
    sections = list(report.sections(wide))
    kind = {"healthy": "correct", "suspect": "wrong"}.get(report.verdict, "not-examined")
    yield f'<p class="verdict {kind}">{escape(say("xray.verdict." + report.verdict.replace(" ", "-")))}</p>'
    if not report.entries:
        for heading, lines in sections[1:]:
            yield f"<h2>{escape(heading)}</h2><pre>{escape(visible(chr(10).join(lines)))}</pre>"
        return
    yield f"<h2>{escape(say('xray.page.findings'))}</h2>"
    for entry in report.entries:
        yield f'<article class="{"wrong" if entry.grade == "finding" else "limited"}">'
        place = f" &middot; {escape(visible(str(entry.place)))}" if entry.place.line else ""
        yield f"<h2>{escape(entry.family)}{place}</h2><p>{_marked(entry.what)}</p>"
        if entry.place.line and entry.place.text:
            yield f"<pre>{entry.place.line}  {escape(visible(entry.place.text))}</pre>"
        yield f"<p>{_marked(entry.instead)}</p></article>"


def _marked(sentence: str) -> str:
    """A sentence in which `words` are code."""
    return sub("`([^`]+)`", r"<code>\1</code>", escape(visible(sentence)))


def _heading(title: str, words: str) -> Iterator[str]:
    yield f'<h2>{escape(say(title))}</h2><p class="faint">{escape(say(words))}</p>'


def _trace_parts(trace: TensorTrace) -> Iterator[str]:
    yield from _heading("xray.page.river", "xray.page.river.words")
    yield from _river(trace, None, "run-")
    yield f"<h2>{escape(say('xray.page.thermometer'))}</h2>"
    known = sorted(trace.gradients.items(), key=lambda row: -row[1].norm if row[1] is not None else 1.0)
    yield from _gauges([(name, size.norm if size else None, size, "") for name, size in known])
    rows = trace.depth()
    if rows:
        yield from _heading("xray.page.depth", "xray.model.depth")
        yield from _gauges(
            [
                (row.module or say("xray.outside"), row.above, None, f"\u00d7 {show(row.factor, 3)}")
                for row in rows
            ]
        )


def _river(trace: TensorTrace, within: ModuleRun | None, link: str) -> Iterator[str]:
    """The river of the model, or of a part of it, and what is inside each of its boxes."""
    runs = module_runs(trace, within)
    if within is not None and len(runs) < 2:
        yield from _ops(within)
        return
    drawing = draw(trace, runs, link)
    size = f'<svg width="{drawing.width:.0f}" height="{drawing.height:.0f}" '
    yield f'<div class="scroll">{drawing.inline("river").replace("<svg ", size, 1)}</div>'
    for run in runs:
        yield from _run(trace, run, f"{link}{run.index}")


def _run(trace: TensorTrace, run: ModuleRun, link: str) -> Iterator[str]:
    """What is inside a box: a river of its own, or its ops."""
    yield f'<details id="{link}"><summary><code>{escape(visible(run.name))}</code> &middot; '
    yield f"{escape(say('xray.health.' + run.health))}</summary>"
    yield from _river(trace, run, f"{link}-")
    yield "</details>"


def _ops(run: ModuleRun) -> Iterator[str]:
    """The ops of a module, in the order of the pass."""
    heads = ("op", "module", "line", "arrived", "sent")
    yield '<div class="scroll"><table><tr>' + "".join(
        f"<th>{escape(say('xray.page.' + x))}</th>" for x in heads
    )
    yield "</tr>"
    for node in run.nodes[:OPS]:
        sent = ", ".join(show(part.size.norm, 4) for part in node.sent if part.size is not None)
        healths = [size.health for size in node.arrived if size is not None]
        off = ' class="off"' if "broken" in healths else ""
        cells = [node.op, node.module, str(node.place) if node.place.line else "", show(node.norm, 4), sent]
        yield f"<tr{off}>" + "".join(f"<td>{escape(visible(cell))}</td>" for cell in cells) + "</tr>"
    yield "</table></div>"
    if len(run.nodes) > OPS:
        yield f"<p>{escape(say('xray.page.more', count=len(run.nodes) - OPS))}</p>"


def _gauges(rows: Sequence[tuple[str, float | None, GradientSize | None, str]]) -> Iterator[str]:
    """Names with bars on a scale of powers of ten, and numbers."""
    finite = [x for _, x, _, _ in rows if x and isfinite(x)]
    top, least = max(finite, default=1.0), min(finite, default=1.0)
    decades = min(MOST_DECADES, max(3.0, log10(top / least) + 0.5))
    yield '<div class="gauges">'
    for name, norm, size, more in rows[:ROWS]:
        health = size.health if size is not None else "right"
        share = 0.0 if not norm else max(0.0, 1.0 + log10(norm / top) / decades) if isfinite(norm) else 1.0
        kind = health if norm is None or isfinite(norm) else "broken"
        bar = element(
            "svg", element("rect", class_="track", width=100.0, height=8.0),
            element("rect", class_=kind, width=round(100 * share, 1), height=8.0),
            class_="gauge", viewBox="0 0 100 8", preserveAspectRatio="none", aria_hidden="true",
        )  # fmt: skip
        shown = say("xray.model.none") if norm is None else show(norm, 3)
        remark = "" if health == "right" else f" {say('xray.health.' + health)}"
        words = f"{shown}{remark} {more}".strip()
        yield f"<span>{escape(visible(name))}</span>{bar}<span>{escape(words)}</span>"
    yield "</div>"
    if len(rows) > ROWS:
        yield f"<p>{escape(say('xray.page.more', count=len(rows) - ROWS))}</p>"
