"""Report on an engine as one HTML page: no script, no network, light and dark, wide and narrow.

It shows code of strangers: besides being escaped, that has no effect under the policy of the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING

from ...drawing.svg import palette
from ...player.page import framed
from ...text.translation import language, say
from ..page_style import STYLE
from .findings import EngineFinding
from .proofs import proof_lines, proof_remark
from .report_text import (
    fix_lines,
    fix_words,
    flaky,
    headline,
    notes_of,
    numbers,
    reach,
    scenario,
    title,
    unseen,
    usage,
)

if TYPE_CHECKING:
    from .report import Report

__all__ = ["page"]


def page(report: Report) -> str:
    kind = report.verdict.replace(" ", "-")
    body = [
        f"<h1>{escape(title(report))}</h1>",
        f'<p class="verdict {kind}">{escape(headline(report))}</p>',
        *(_article(report, number, finding) for number, finding in enumerate(report.findings, 1)),
        *_list(say("doctor.title.limits"), (limit.text for limit in report.limits)),
        *_list(say("doctor.title.suspicions"), report.suspicions),
        *_list(say("doctor.title.choices"), (choice.text for choice in report.choices)),
        *_list(say("doctor.title.unseen"), unseen(report)),
    ]
    if report.trouble:
        body += [f"<p>{escape(text)}</p>" for text in notes_of(report)]
    else:
        body += _list(say("doctor.title.used"), usage(report))
    main = "\n".join(["<main>", *body, "</main>"])
    return framed(title(report), main, "", palette() + STYLE, language=language(), look="doctor")


def _list(heading: str, texts: Iterable[str]) -> list[str]:
    items = [f"<li>{escape(text)}</li>" for text in texts]
    return [f"<h2>{escape(heading)}</h2>", "<ul>", *items, "</ul>"] if items else []


def _article(report: Report, number: int, finding: EngineFinding) -> str:
    parts = [
        f"<h2>{number}. {escape(finding.name)}</h2>",
        f'<p class="faint">{escape(finding.story)}</p>',
        *_proof(report, finding),
        *_table(finding),
    ]
    if remark := proof_remark(report, finding):
        parts.append(f"<p>{escape(remark)}</p>")
    if finding.unsteady:
        parts.append(f"<p>{escape(flaky(finding.unsteady))}</p>")
    if finding.alike:
        parts.append(f"<p>{escape(say('doctor.alike', names=', '.join(finding.alike)))}</p>")
    parts += _fix(finding)
    parts.append(f'<p class="faint">{escape(reach(finding))}</p>')
    return "<article>\n" + "\n".join(parts) + "\n</article>"


def _proof(report: Report, finding: EngineFinding) -> Iterator[str]:
    probe = finding.outcome.probe
    if probe.kind == "graph":
        yield f"<p>{escape(say('doctor.proof', graph=finding.graph))}</p>"
        yield f"<pre>{escape(chr(10).join(proof_lines(report, finding)))}</pre>"
    else:
        yield f"<p>{escape(scenario(finding))}</p>"


def _table(finding: EngineFinding) -> Iterator[str]:
    yield '<div class="scroll"><table>'
    got, right = escape(say("doctor.got")), escape(say("doctor.right"))
    yield f"<tr><th></th><th>{got}</th><th>{right}</th><th></th></tr>"
    for cells in numbers(finding):
        row = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        yield f'<tr class="off">{row}</tr>' if cells[-1] else f"<tr>{row}</tr>"
    yield "</table></div>"


def _fix(finding: EngineFinding) -> Iterator[str]:
    fix = finding.fix
    if fix is None:
        yield f"<p>{escape(say('doctor.no_line'))}</p>"
        return
    yield f"<p>{escape(fix_words(fix))}</p>"
    if not fix.before and not fix.after:
        return
    signs = {"removed": "- ", "added": "+ ", "": ""}
    rows = (f'<span class="{kind}">{escape(signs[kind] + line)}</span>' for kind, line in fix_lines(finding))
    yield f"<pre>{''.join(rows)}</pre>"
