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
from .findings import EngineFinding
from .probe_script import script
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

STYLE = """
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, "Segoe UI", sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { font-size: 1.35rem; margin: 0 0 .6rem; overflow-wrap: anywhere }
h2 { font-size: 1.05rem; margin: 2rem 0 .4rem }
.verdict { border-left: .35rem solid var(--kind); padding: .5rem .9rem; background: var(--card);
  font-weight: 600; margin: 0 }
.wrong { --kind: var(--wrong) } .correct { --kind: var(--right) }
.limited, .not-examined { --kind: var(--active-line) }
article { background: var(--card); border: 1px solid var(--hair); border-radius: .5rem;
  padding: .2rem 1.1rem 1rem; margin: 1.4rem 0 }
article h2 { margin: .9rem 0 .3rem }
p { margin: .4rem 0 } .faint { color: var(--faint) }
pre, code, td { font: .88rem/1.5 ui-monospace, "DejaVu Sans Mono", Consolas, monospace }
pre { overflow-x: auto; background: var(--page); border: 1px solid var(--hair); border-radius: .35rem;
  padding: .6rem .8rem; margin: .5rem 0 }
.scroll { overflow-x: auto }
table { border-collapse: collapse; margin: .5rem 0 }
th, td { text-align: right; padding: .15rem .55rem; border-bottom: 1px solid var(--hair) }
th { font-weight: 600; color: var(--faint); font-size: .85rem }
th:first-child, td:first-child, td:last-child { text-align: left; padding-left: 0 }
tr.off td { color: var(--wrong); font-weight: 600 }
pre span { display: block }
pre .removed { background: color-mix(in srgb, var(--wrong) 14%, transparent) }
pre .added { background: color-mix(in srgb, var(--right) 14%, transparent) }
ul { padding-left: 1.2rem; margin: .3rem 0 } li { margin: .25rem 0; overflow-wrap: anywhere }
@media print { article { break-inside: avoid } }
"""


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
        yield f"<pre>{escape(chr(10).join(script(probe.graph, report.exam.plan)))}</pre>"
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
