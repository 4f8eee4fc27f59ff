"""The verdict: what the court found, ready to be shown as text, Markdown or data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..graph.wording import name
from ..text.excerpts import listed
from ..text.numerals import json_number, show
from ..text.page import Page, Result
from ..text.translation import say
from .case import Case
from .decision import VALUE, Decision
from .suspects import SuspectOp
from .testimony import ABSENT, AGREES, CANNOT, DISAGREES, UNRELIABLE, Testimony
from .witness_table import rows as table_rows
from .witnesses import by_hand, title

__all__ = ["SCHEMA", "Reason", "Verdict"]

SCHEMA = "minigrad.court/1"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the verdict is what it is: a code, and what it is about."""

    code: str
    decision: Decision
    inputs: tuple[str, ...] = ()
    suspect: SuspectOp | None = None


@dataclass(frozen=True, eq=False)
class Verdict(Result):
    """`verdict` is "right", "wrong" or "undecided"; `reason` says why, in the language in use."""

    case: Case
    verdict: str
    why: Reason
    witnesses: tuple[Testimony, ...]
    decisions: tuple[Decision, ...]

    @property
    def reason(self) -> str:
        return " ".join(self._sentences())

    def having(self, status: str) -> list[Testimony]:
        return [testimony for testimony in self.witnesses if testimony.status == status]

    # ---- in words ---------------------------------------------------------------------------

    def _called(self, what: str) -> str:
        """What is on trial, as a person writes it: dL/da."""
        graph = self.case.graph
        output = name(graph, graph.output)
        if what == VALUE:
            return output
        return f"d{output}/d{name(graph, graph.index(what))}" if what else say("court.direction")

    def _sentences(self) -> Iterator[str]:
        yield from self._judgement()
        if self.case.unlike:
            yield say("court.reason.cut")

    def _judgement(self) -> Iterator[str]:
        why, decision = self.why, self.why.decision
        fields = {
            "what": self._called(decision.what),
            "claim": show(decision.claim, 12),
            "number": show(decision.number, 12),
            "by": title(decision.by) if decision.by else "",
        }
        if why.code == "split":
            yield say("court.reason.split", other=title(decision.why), **fields)
            return
        if why.code == "overflow":
            yield say("court.reason.overflow", **fields)
            return
        if self.verdict == "undecided":
            doubt = say(f"court.why.{decision.why}") if decision.why else say("court.why.unasked")
            yield say("court.reason.nobody", why=doubt, **fields)
            return
        if self.verdict == "right":
            yield from self._acquittal(fields)
        else:
            yield from self._conviction(fields)

    def _acquittal(self, fields: dict[str, str]) -> Iterator[str]:
        agreeing = len(self.having(AGREES))
        judges = len([t for t in self.witnesses if t.status in (AGREES, DISAGREES, UNRELIABLE)])
        if self.why.code == "convention":
            names = ", ".join(map(self._called, self.why.inputs))
            yield say("court.reason.convention", names=names, why=say(f"court.why.{self.why.decision.why}"))
            sides = self.why.decision.sides
            if sides is not None:
                yield say("court.reason.sides", left=show(sides[0]), right=show(sides[1]), **fields)
        elif self.why.code == "direction":
            yield say("court.reason.direction", **fields)
        elif any(d.what == VALUE and d.verdict == "undecided" for d in self.decisions):
            yield say("court.reason.agrees.gradients", **fields)
        else:
            key = "court.reason.agrees.claim" if self.case.slack else "court.reason.agrees"
            yield say(key, **fields)
        yield say("court.reason.count", count=agreeing, all=judges)
        for decision in self.decisions:
            if decision.what == VALUE and decision.verdict == "undecided":
                doubt = say(f"court.why.{decision.why or 'unasked'}")
                yield say("court.reason.unvalued", output=self._called(VALUE), why=doubt)
        doubtful: dict[str, list[str]] = {}
        for testimony in self.having(UNRELIABLE):
            doubtful.setdefault(testimony.why, []).append(title(testimony.witness))
        for why, who in doubtful.items():
            yield say("court.reason.unreliable", who=", ".join(who), why=say(f"court.why.{why}"))

    def _conviction(self, fields: dict[str, str]) -> Iterator[str]:
        why, graph = self.why, self.case.graph
        if why.code == "no_convention":
            yield say("court.reason.no_convention", why=say(f"court.why.{why.decision.why}"), **fields)
        else:
            yield say("court.reason.differs", **fields)
        against = [t for t in self.witnesses if t.status == DISAGREES]
        heard = [t for t in self.witnesses if t.status in (AGREES, DISAGREES, UNRELIABLE)]
        yield say("court.reason.against", count=len(against), all=len(heard))
        others = [self._called(what) for what in why.inputs if what != why.decision.what]
        if others:
            yield say("court.reason.also", names=listed(others, 8))
        suspect = why.suspect
        if suspect is not None:
            about = {"op": suspect.op, "node": name(graph, suspect.node)}
            numbers = {"got": show(suspect.got, 10), "right": show(suspect.right, 10)}
            if why.code == "value":
                yield say("court.reason.forward", **about, **numbers)
            elif suspect.op == "custom":
                yield say("court.reason.custom", **about)
            else:
                slot = name(graph, graph.nodes[suspect.node].args[suspect.slot])
                yield say("court.reason.rule", slot=slot, **about, **numbers)
        elif why.code == "backward":
            sum_ = show(self.case.pass_.gradients[why.decision.what], 12)
            yield say("court.reason.backward", sum=sum_)
        elif why.code == "bookkeeping":
            yield say("court.reason.bookkeeping")

    # ---- as text ----------------------------------------------------------------------------

    def sections(self, page: Page) -> Iterator[tuple[str, list[str]]]:
        yield say("court.title.witnesses"), list(table_rows(self, page))
        hand = self._hand()
        if hand:
            lines = list(by_hand.written(self.case, hand, page))
            yield say("court.title.paper"), list(page.clip(lines))
        word = say(f"court.verdict.{self.verdict}")
        first, *rest = page.wrap(word + " " + self.reason, "  ")
        kind = {"right": "right", "wrong": "wrong"}.get(self.verdict, "title")
        yield say("court.title.verdict"), [first.replace(word, page.ink(kind, word), 1), *rest]

    def _hand(self) -> list[by_hand.Sum]:
        """The sums that are written out: of a witness that was asked and could."""
        paper = next((t for t in self.witnesses if t.witness == by_hand.NAME), None)
        return by_hand.sums(self.case) if paper is not None and paper.findings else []

    def _title(self) -> str:
        output = name(self.case.graph, self.case.graph.output).replace("`", "'")
        return say("court.title", output=f"`{output}`")

    def __repr__(self) -> str:
        return f"<Verdict {self.verdict!r} on {self.case.graph!r}>"

    # ---- as data ----------------------------------------------------------------------------

    def to_json(self) -> dict[str, object]:
        """Plain data, the same in every language."""
        case = self.case
        return {
            "schema": SCHEMA,
            "verdict": self.verdict,
            "reason": self._reason_json(),
            "value": None if case.value is None else json_number(case.value),
            "gradients": {each: json_number(case.gradients[each]) for each in case.names},
            "witnesses": [self._witness_json(testimony) for testimony in self.witnesses],
            "by_hand": [found.to_json(case.graph) for found in self._hand()],
        }

    def _reason_json(self) -> dict[str, object]:
        why, decision, graph = self.why, self.why.decision, self.case.graph
        document: dict[str, object] = {
            "code": why.code,
            "about": graph.names[graph.output] if decision.what == VALUE else decision.what,
            "claim": json_number(decision.claim),
            "by": decision.by,
            "number": json_number(decision.number),
            "why": decision.why,
            "inputs": [what for what in why.inputs if what != VALUE],
        }
        if why.suspect is not None:
            document["op"] = why.suspect.op
            document["node"] = graph.names[why.suspect.node]
        return document

    def _witness_json(self, testimony: Testimony) -> dict[str, object]:
        findings = {finding.name: finding for finding in testimony.findings if finding.name}
        along = next((finding for finding in testimony.findings if not finding.name), None)
        document: dict[str, object] = {
            "name": testimony.witness,
            "status": testimony.status,
            "value": None if testimony.value is None else json_number(testimony.value.witness),
            "gradients": {key: json_number(finding.witness) for key, finding in findings.items()},
            "why": testimony.why,
            "about": testimony.kept_from[2],
            "doubts": {key: f.why for key, f in findings.items() if f.status == UNRELIABLE},
            "contradicts": [key for key, f in findings.items() if f.status == DISAGREES],
        }
        if testimony.status not in (CANNOT, ABSENT):
            errors = {key: json_number(f.error) for key, f in findings.items() if f.error}
            document["errors"] = errors
        if along is not None:
            document["direction"] = {"status": along.status, "slope": json_number(along.witness)}
        return document
