"""What an examination of a custom backward rule found, ready to be shown as text, Markdown or data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...text.escape import printable
from ...text.excerpts import cut
from ...text.numerals import from_json_number, json_number, show
from ...text.page import Page, Result
from ...text.translation import say
from ..verdict import CORRECT, LIMITED, NOT_EXAMINED, WRONG, Verdict, is_verdict

__all__ = [
    "CORRECT",
    "LIMITED",
    "NOT_EXAMINED",
    "SCHEMA",
    "WRONG",
    "Given",
    "Remark",
    "RuleFinding",
    "RuleReport",
    "Unseen",
]  # fmt: skip

SCHEMA = "minigrad.rules/1"
LONGEST = 300  # characters of a message of the user's own code


@dataclass(frozen=True)
class RuleFinding:
    """One thing that is wrong: its name, where it shows, and the numbers that show it."""

    fault: str
    input: str = ""
    grade: str = WRONG  # or LIMITED: right as far as it goes
    position: tuple[int, ...] | None = None
    got: float | None = None
    expected: float | None = None
    upstream: float | None = None
    fields: Mapping[str, float | str] = field(default_factory=dict)  # what its sentences speak of

    def story(self) -> str:
        return say(f"rules.story.{self.fault}", input=printable(self.input), **self._words())

    def fix(self) -> str:
        return say(f"rules.fix.{self.fault}", input=printable(self.input), **self._words())

    def _words(self) -> dict[str, str]:
        """The fields as text: numbers short, and codes in words."""
        words = {key: show(x) if isinstance(x, float) else str(x) for key, x in self.fields.items()}
        if "region" in words:
            words["region"] = say(f"rules.region.{words['region']}", bound=words.get("bound", ""))
        if "what" in words:
            words["what"] = say(f"rules.what.{words['what']}", other=printable(words.get("other", "")))
        if "how" in words:
            about = {"term": words.get("term", ""), "other": printable(words.get("other", ""))}
            words["detail"] = say(f"rules.term.{words['how']}", **about)
        words["message"] = _brief(words.get("message", ""))  # of an error, where there was one
        words["note"] = f"({words['message']})" if words["message"] else ""
        if "like" in words:
            words["like"] = say(f"rules.like.{words['like']}") if words["like"] else ""
        return words

    def evidence(self) -> str:
        """The numbers in words; "" where it has none."""
        if self.got is None and self.expected is None:
            return ""
        numbers = {"got": _shown(self.got), "expected": _shown(self.expected)}
        where = "[" + ", ".join(map(str, self.position or ())) + "]" if self.position else ""
        place = say("rules.at", where=where) if where else ""
        seed = say("rules.seed", upstream=show(self.upstream)) if self.upstream is not None else ""
        return say("rules.numbers", place=place, seed=seed, **numbers)

    def to_json(self) -> dict[str, Any]:
        def number(x: float | str | None) -> Any:
            return json_number(x) if isinstance(x, float) else x

        return {
            "fault": self.fault,
            "input": self.input,
            "grade": self.grade,
            "got": number(self.got),
            "expected": number(self.expected),
            "position": None if self.position is None else list(self.position),
            "upstream": number(self.upstream),
            "detail": {key: number(x) for key, x in self.fields.items()},
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> RuleFinding:
        def number(x: Any) -> float | None:
            return None if x is None else from_json_number(x)

        place = row["position"]
        detail = {key: float(x) if isinstance(x, (int, float)) else x for key, x in row["detail"].items()}
        return cls(
            row["fault"], row["input"], row["grade"], None if place is None else tuple(place),
            number(row["got"]), number(row["expected"]), number(row["upstream"]), detail,
        )  # fmt: skip


@dataclass(frozen=True)
class Remark:
    """A design choice: its code and what it is about."""

    code: str
    about: str = ""

    def choice(self) -> str:
        return say(f"rules.choice.{self.code}", about=printable(self.about))

    def unseen(self) -> str:
        return say(f"rules.unseen.{self.code}", about=_brief(self.about))

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "about": self.about}


class Unseen(Remark):
    """Something that was not examined, and why."""


@dataclass(frozen=True)
class Given:
    """An input of the examination: its name, its shape, and its numbers where they are few."""

    name: str
    shape: tuple[int, ...] | None  # None for what is no array
    text: str = ""

    def __str__(self) -> str:
        if self.shape is None:
            return f"{printable(self.name)} = {printable(self.text)}"
        size = "x".join(map(str, self.shape)) or say("rules.scalar")
        return f"{printable(self.name)} ({size})"


@dataclass(frozen=True, repr=False)
class RuleReport(Result):
    library: str
    name: str
    verdict: Verdict
    findings: tuple[RuleFinding, ...] = ()
    design_choices: tuple[Remark, ...] = ()
    not_examined: tuple[Remark, ...] = ()
    inputs: tuple[Given, ...] = ()
    origin: str = "given"  # of the inputs: given, module, invented
    comparisons: int = 0  # numbers that were compared
    witnesses: tuple[str, ...] = ()  # differences, and the plain forward where it agrees with them

    @property
    def faults(self) -> tuple[str, ...]:
        """The names of what was found, each once."""
        return tuple(dict.fromkeys(finding.fault for finding in self.findings))

    # ---- as text ----------------------------------------------------------------------------

    def sections(self, page: Page) -> Iterator[tuple[str, list[str]]]:
        yield say("rules.title.verdict"), list(self._verdict(page))
        if self.inputs:
            yield say("rules.title.examined"), list(self._examined(page))
        if self.findings:
            lines = [line for finding in self.findings for line in _found(finding, page)]
            yield say("rules.title.findings"), list(page.clip(lines))
        if self.design_choices:
            lines = [line for each in self.design_choices for line in page.wrap(each.choice())]
            yield say("rules.title.choices"), lines
        if self.not_examined:
            yield (
                say("rules.title.unseen"),
                [line for each in self.not_examined for line in page.wrap(each.unseen())],
            )

    def _verdict(self, page: Page) -> Iterator[str]:
        code = self.verdict.replace(" ", "_")
        word = say(f"rules.verdict.{code}")
        sentence = say(
            f"rules.because.{code}",
            name=printable(self.name),
            count=self.comparisons,
            faults=", ".join(self.faults),
        )
        kind = {CORRECT: "right", WRONG: "wrong"}.get(self.verdict, "title")
        first, *rest = page.wrap(f"{word} {sentence}")
        yield first.replace(word, page.ink(kind, word), 1)
        yield from rest

    def _examined(self, page: Page) -> Iterator[str]:
        names = ", ".join(map(str, self.inputs))
        yield from page.wrap(say(f"rules.origin.{self.origin}", inputs=names))
        if self.witnesses:
            heard = ", ".join(say(f"rules.witness.{each}") for each in self.witnesses)
            yield from page.wrap(say("rules.heard", witnesses=heard))

    def _title(self) -> str:
        return say("rules.title", name=f"`{printable(self.name).replace('`', chr(39))}`")

    def __repr__(self) -> str:
        return (
            f"<RuleReport {self.name}: {self.verdict}{': ' if self.findings else ''}{', '.join(self.faults)}>"
        )

    # ---- as data ----------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Plain data, the same in every language."""
        return {
            "schema": SCHEMA,
            "library": self.library,
            "name": self.name,
            "verdict": self.verdict,
            "inputs": [
                {
                    "name": each.name,
                    "shape": None if each.shape is None else list(each.shape),
                    "text": each.text,
                }
                for each in self.inputs
            ],
            "origin": self.origin,
            "comparisons": self.comparisons,
            "witnesses": list(self.witnesses),
            "findings": [finding.to_json() for finding in self.findings],
            "design_choices": [remark.to_json() for remark in self.design_choices],
            "not_examined": [remark.to_json() for remark in self.not_examined],
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> RuleReport:
        """The report that `to_json` wrote; ValueError for another document."""
        if document.get("schema") != SCHEMA:
            raise ValueError(repr(document.get("schema"))[:40])
        verdict = document["verdict"]
        if not is_verdict(verdict):
            raise ValueError(repr(verdict)[:40])

        def remarks(key: str, kind: type[Remark]) -> tuple[Remark, ...]:
            return tuple(kind(row["code"], row["about"]) for row in document[key])

        return cls(
            document["library"],
            document["name"],
            verdict,
            tuple(RuleFinding.from_json(row) for row in document["findings"]),
            remarks("design_choices", Remark),
            remarks("not_examined", Unseen),
            tuple(
                Given(row["name"], None if row["shape"] is None else tuple(row["shape"]), row["text"])
                for row in document["inputs"]
            ),
            document["origin"],
            document["comparisons"],
            tuple(document["witnesses"]),
        )


def _found(finding: RuleFinding, page: Page) -> Iterator[str]:
    head = f"{printable(finding.input)}: {finding.fault}" if finding.input else finding.fault
    yield page.ink("wrong" if finding.grade == WRONG else "title", f"  {head}")
    yield from page.wrap(finding.story(), "    ")
    if numbers := finding.evidence():
        yield from page.wrap(numbers, "    ")
    yield from page.wrap(say("rules.fix", fix=finding.fix()), "    ")


def _shown(x: float | None) -> str:
    return say("rules.none") if x is None else show(x, 8)


def _brief(text: str) -> str:
    """A message of the user's own code on one line, without control characters."""
    line = "".join(c if c.isprintable() else " " for c in " ".join(text.split()))
    return cut(line, LONGEST)
