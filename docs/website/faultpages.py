"""The catalogue of faults as pages: an index by family, and a page for each fault.  All of it is computed:
the change, the graph, what each order gives, where the bug hides, which others give the same numbers, and
how long it hides in training (docs/hiding.json, which `minigrad duel --out` has written).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from minigrad.drawing import draw
from minigrad.faults import FAULTS, Fault, Lab
from minigrad.faults.break_lab import lab
from minigrad.faults.contribution_text import account_in_words, show_apart
from minigrad.faults.contributions import same
from minigrad.faults.forensics import RIGHT, Forensics, diagnose
from minigrad.faults.lab_report_text import ENGINES
from minigrad.faults.lab_table import order_text
from minigrad.faults.order_runs import OrderRun
from minigrad.graph.wording import statement
from minigrad.text.numerals import counted, from_json_number, show
from minigrad.text.translation import pick, say
from minigrad.training.duel.report import angle_words, loss_words, percent

from .markdown import code, fenced, pictured, plain, table
from .staging import DOCS, Book

__all__ = ["add_faults", "break_command", "diagnose_command", "the_lab"]

FOLDER = "catalogue"
ORDERS = (  # graphs with several valid orders, the smallest first
    "a = 2; b = -3; c = a*b; d = a + b; e = c + d",
    "a = 2; b = 3; c = 4; ab = a*b; e = ab + c; f = a - c; L = e*f",
    "a = 2; b = 3; v = a*b; p = v*a; q = v + b; L = p*q",
    "a = 0.5; v = tanh(a); p = v*v; q = exp(v); r = v - a; L = p*q + r",
)
_CASE = re.compile(r"([\w.-]+/[\w.-]+)#(\d+)")


@cache
def the_lab(slug: str) -> Lab:
    """The fault at work on its own smallest graph."""
    return lab(None, slug)


@cache
def the_forensics(slug: str) -> Forensics | None:
    """Who else gives the numbers of the broken pass; None where there are none, or they are right."""
    found = the_lab(slug)
    if found.broken is None or not found.shows:
        return None
    return diagnose(found.graph, found.broken.gradients)


@cache
def _hiding() -> dict[str, list[dict[str, Any]]]:
    """The bouts of each fault in training."""
    document = json.loads((DOCS / "hiding.json").read_text(encoding="utf-8"))
    bouts: dict[str, list[dict[str, Any]]] = {}
    for bout in document["bouts"]:
        bouts.setdefault(bout["fault"], []).append({**bout, "steps": document["settings"]["steps"]})
    return bouts


def add_faults(book: Book) -> None:
    """The index and all pages, in the language in use."""
    families: dict[str, list[Fault]] = {}
    for fault in FAULTS.values():
        families.setdefault(fault.family, []).append(fault)
    ordered = [fault for faults in families.values() for fault in faults]
    book.pages[f"{FOLDER}/index"] = "".join(_index(families))
    for at, fault in enumerate(ordered):
        before = ordered[at - 1].slug if at else ""
        after = ordered[at + 1].slug if at + 1 < len(ordered) else ""
        book.orphan(f"{FOLDER}/{fault.slug}", "\n".join(_page(fault, before, after)))


def _name(fault: Fault) -> str:
    """A fault's name, whatever its variant."""
    return pick(fault.name).format(what=say("listing.what"))


def _case(fault: Fault) -> str:
    found = _CASE.fullmatch(fault.case)
    return f"[{fault.case}](https://github.com/{found[1]}/issues/{found[2]})" if found else plain(fault.case)


# ---- the index ----------------------------------------------------------------------------------


def _index(families: dict[str, list[Fault]]) -> Iterator[str]:
    yield f"# {say('site.faults.title')}\n\n"
    yield say("site.faults.about", count=len(FAULTS), engines=ENGINES) + "\n\n"
    head = [
        say("site.faults.fault"),
        say("site.faults.wrong"),
        say("site.faults.seen"),
        say("site.faults.hides"),
    ]
    for family, faults in families.items():
        yield f"## {say(f'family.{family}')}\n\n{plain(say(f'lesson.{family}'))}\n\n"
        rows = [
            [
                f"[{code(fault.slug)}]({fault.slug}.md)",
                plain(_name(fault)),
                str(fault.seen or ""),
                _noticed(fault),
            ]
            for fault in faults
        ]
        yield table(head, rows, numbers=[2]) + "\n"


def _noticed(fault: Fault) -> str:
    """When its first bout is noticed in training, in a cell."""
    bouts = _hiding().get(fault.slug)
    if not bouts:
        return ""
    bout = bouts[0]
    if bout["status"] == "equal":
        return say("duel.cell.equal")
    return say("duel.cell.step", step=bout["noticed"]) if bout["noticed"] else say("duel.cell.never")


# ---- a page -------------------------------------------------------------------------------------


def _page(fault: Fault, before: str, after: str) -> Iterator[str]:
    found = the_lab(fault.slug)
    yield f"# {fault.slug}: {plain(_name(fault))}\n"
    yield f"[{say('site.faults.title')}](index.md) › {plain(say(f'family.{fault.family}'))}\n"
    yield plain(_sentence(pick(fault.story))) + "\n"
    yield table([say("site.faults.fact"), say("site.faults.value")], _facts(fault, found))
    yield f"## {say('site.faults.change')}\n\n{say('site.faults.change.about')}\n"
    yield fenced(found.diff, "diff")
    yield f"## {say('site.faults.graph')}\n"
    yield fenced(statement(found.graph).replace("; ", "\n"))
    yield pictured(draw("graph", found.right), "graph", say("site.faults.right"))
    yield from _numbers(found)
    yield from _orders(fault)
    yield from _hides(found)
    yield from _training(fault)
    yield from _finding(found)
    yield f"## {say('lab.section.lesson')}\n\n{plain(say(f'lesson.{fault.family}'))}\n"
    sides = []
    if before:
        sides.append(f"{say('site.previous')}: [{code(before)}]({before}.md)")
    if after:
        sides.append(f"{say('site.next')}: [{code(after)}]({after}.md)")
    yield " · ".join(sides) + "\n"


def _sentence(words: str) -> str:
    words = words[:1].upper() + words[1:]
    return words if words.endswith((".", "?", "!")) else words + "."


def _facts(fault: Fault, found: Lab) -> Iterator[list[str]]:
    yield [say("site.faults.piece"), code(fault.piece)]
    what = list(dict.fromkeys(suspect.what(found.graph) for suspect in fault.suspects(found.graph)))
    if what != [""]:
        yield [
            say("site.faults.variants"),
            ", ".join(map(code, what[:12])) + (", ..." if len(what) > 12 else ""),
        ]
    yield [
        say("site.faults.ordered"),
        say("site.faults.ordered.yes" if fault.ordered else "site.faults.ordered.no"),
    ]
    if fault.passes > 1:
        yield [say("site.faults.passes"), str(fault.passes)]
    yield [say("site.faults.engines"), say("site.faults.of", count=fault.seen, all=ENGINES)]
    if fault.case:
        yield [say("site.faults.case"), _case(fault)]


def _numbers(found: Lab) -> Iterator[str]:
    """What a right pass gives, and the broken one in each order."""
    graph, runs = found.graph, found.runs
    yield f"## {say('site.faults.numbers')}\n"
    if found.broken is None or runs is None:
        yield plain(say("lab.run.endless")) + "\n"
        return
    value, broken = found.right.values[graph.output], found.broken.values[graph.output]
    if not same(value, broken):
        fields = {
            "name": graph.names[graph.output],
            "right": show(value),
            "broken": show_apart(broken, value),
        }
        yield plain(_sentence(say("lab.run.value", **fields))) + "\n"
    yield _runs(found)
    yield say("site.faults.bold") + "\n"
    if found.shows and len(graph) <= 12:
        yield pictured(draw("graph", found.broken), "graph", say("site.faults.broken"))
    words = [
        f"* {plain(account_in_words(graph, found.accounts[i]))}" for i in graph.inputs if i in found.accounts
    ]
    if words:
        yield f"### {say('lab.section.survivors')}\n\n" + "\n".join(words) + "\n"


def _runs(found: Lab) -> str:
    """A row for the right pass, and one for each order or each result of the broken one."""
    graph = found.graph
    head = [say("site.faults.order"), *(code(graph.names[i]) for i in graph.inputs)]
    rows = [[say("site.faults.right"), *(show(found.right.grads[i]) for i in graph.inputs)]]
    for run in found.runs.listed if found.runs else ():
        rows.append([_order(found, run), *(_cell(found, run, i) for i in graph.inputs)])
    return table(head, rows, numbers=range(1, len(head)))


@cache
def _larger(slug: str) -> Lab | None:
    """The fault on the first graph on which its result depends on the order; None where there is none."""
    if not FAULTS[slug].ordered or len(_listed(the_lab(slug))) > 1:
        return None
    for text in ORDERS:
        try:
            found = lab(text, slug)
        except ValueError:  # nothing to break there
            continue
        if len(_listed(found)) > 1:
            return found
    return None


def _listed(found: Lab) -> tuple[OrderRun, ...]:
    return found.runs.listed if found.runs else ()


def _orders(fault: Fault) -> Iterator[str]:
    """What each order gives on a larger graph, for a bug whose smallest one has a single result."""
    found = _larger(fault.slug)
    if found is None:
        return
    yield f"### {say('site.faults.larger')}\n"
    yield fenced(statement(found.graph).replace("; ", "\n"))
    yield _runs(found)


def _order(found: Lab, run: OrderRun) -> str:
    words = plain(order_text(found, run.order))
    return f"{words} ({say('site.faults.orders', count=counted(run.count))})" if run.count > 1 else words


def _cell(found: Lab, run: OrderRun, i: int) -> str:
    right, got = found.right.grads[i], run.grads[i]
    return show(got) if same(right, got) else f"**{show_apart(got, right)}**"


def _hides(found: Lab) -> Iterator[str]:
    yield f"## {say('lab.section.hides')}\n"
    hides = found.hides
    if hides is None:
        yield plain(_sentence(say("lab.hides.nowhere"))) + "\n"
        return
    numbers = ", ".join(f"{who} = {show(x)}" for who, x in hides.broken.gradients.items())
    yield fenced(hides.text)
    yield plain(_sentence(say("lab.hides", gradients=numbers))) + "\n"


def _training(fault: Fault) -> Iterator[str]:
    bouts = _hiding().get(fault.slug)
    if not bouts:
        return
    yield f"## {say('site.faults.training')}\n"
    yield say("site.faults.training.about", steps=bouts[0]["steps"]) + "\n"
    head = [say("site.faults.run"), say("site.faults.hides"), say("site.faults.loss"),
            say("site.faults.accuracy"), say("site.faults.angle")]  # fmt: skip
    rows = []
    for bout in bouts:
        sides = ("broken", "right")
        what = ", ".join(filter(None, (bout["variant"], bout["activation"])))
        noticed = say("duel.cell.step", step=bout["noticed"]) if bout["noticed"] else say("duel.cell.never")
        rows.append([
            code(what),
            say("duel.cell.equal") if bout["status"] == "equal" else noticed,
            ", ".join(loss_words(from_json_number(bout["final"][side])) for side in sides),
            ", ".join(percent(bout["accuracy"][side]) for side in sides),
            angle_words(bout["angle"]),
        ])  # fmt: skip
    yield table(head, rows)


# ---- how to find it -----------------------------------------------------------------------------


def break_command(fault: Fault) -> str:
    """What shows the fault at work."""
    return f"minigrad break {fault.slug}"


def diagnose_command(found: Lab) -> str:
    """What a person with these numbers would type; "" where the numbers are right."""
    if found.broken is None or not found.shows:
        return ""
    graph = found.graph
    inputs = " ".join(f"{graph.names[i]}={graph.nodes[i].data!r}".removesuffix(".0") for i in graph.inputs)
    gradients = found.broken.gradients
    texts = {who: show_apart(x, found.expected[who]) for who, x in gradients.items()}
    if diagnose(graph, texts).verdict == RIGHT:  # 1 may be 0.5 that somebody has rounded; 1.000 is not
        texts = {who: f"{x:.3f}" for who, x in gradients.items()}
    got = " ".join(f"{who}={text}" for who, text in texts.items())
    return f'minigrad diagnose "{statement(graph, inputs=False)}" {inputs} --got {got}'


def _finding(found: Lab) -> Iterator[str]:
    fault, forensics = found.fault, the_forensics(found.fault.slug)
    yield f"## {say('site.faults.find')}\n"
    lines = [f"$ {break_command(fault)}"]
    if command := diagnose_command(found):
        lines.append(f"$ {command}")
    yield fenced("\n".join(lines), "console")
    if forensics is None or not forensics.diagnoses:
        return
    alike = _alike(forensics, fault.slug)
    twins = _twins(forensics, fault.slug)
    if twins:
        yield say("site.faults.twins", slugs=", ".join(map(_link, twins))) + "\n"
    if not alike:
        yield say("site.faults.alone") + "\n"
        return
    yield say("site.faults.alike") + "\n"
    yield "\n".join(f"* {_link(slug)}: {plain(_name(FAULTS[slug]))}" for slug in alike) + "\n"
    distinction = forensics.distinction
    if distinction is not None and any(suspect.fault is fault for suspect, _ in distinction.numbers):
        given = " ".join(f"{who}={show(x)}" for who, x in distinction.inputs.items())
        yield say("site.faults.apart", expression=code(distinction.expression), inputs=code(given)) + "\n"
        rows = [[say("site.faults.right"), _gradients(distinction.expected)]]
        for suspect, results in distinction.numbers:
            cells = f" {say('site.or')} ".join(_gradients(result) for result in results[:4])
            rows.append([_link(suspect.fault.slug), cells])
        yield table([say("site.faults.fault"), say("site.faults.gradients")], rows)


def _gradients(gradients: dict[str, float]) -> str:
    return code(", ".join(f"{who} = {show(x)}" for who, x in gradients.items()))


def _link(slug: str) -> str:
    return f"[{code(slug)}]({slug}.md)"


def _twins(forensics: Forensics, slug: str) -> list[str]:
    """Faults that no number can tell from it."""
    for group in forensics.groups:
        slugs = [found.suspects[0].fault.slug for found in group if len(found.suspects) == 1]
        if slug in slugs:
            return list(dict.fromkeys(other for other in slugs if other != slug))
    return []


def _alike(forensics: Forensics, slug: str) -> list[str]:
    """Other faults that give these numbers on this graph."""
    twins = {slug, *_twins(forensics, slug)}
    slugs = [found.suspects[0].fault.slug for found in forensics.diagnoses if len(found.suspects) == 1]
    return [other for other in dict.fromkeys(slugs) if other not in twins]
