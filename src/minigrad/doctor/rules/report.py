"""Data of a report on a custom backward rule: verdict, findings, remarks, and the same as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...text.numerals import from_json_number, json_number
from ...text.page import Page, Result, Sections
from ...text.translation import speaking
from ..verdict import CORRECT, LIMITED, NOT_EXAMINED, WRONG, Verdict, is_verdict

__all__ = [
    "CORRECT",
    "LIMITED",
    "NOT_EXAMINED",
    "SCHEMA",
    "WRONG",
    "ExaminedInput",
    "ProofScope",
    "Remark",
    "RuleFinding",
    "RuleReport",
    "Unseen",
]  # fmt: skip

SCHEMA = "minigrad.rules/2"

# What a finding is about; everything else is about the gradient itself.
CONDUCT = frozenset(
    {
        "contiguous-only", "defaults-left-out", "device-differs", "float64-only", "input-changed",
        "jvp-wrong", "memory-held", "not-transposable", "partial-inputs",
        "second-backward", "single-precision", "stale-saved", "unused-output", "upstream-changed",
        "vmap-wrong", "zero-upstream",
    }
)  # fmt: skip
SECOND = frozenset({"second-derivative-missing", "second-derivative-wrong"})


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
    file: str = ""  # the statement that is at fault, where it was found
    line: int | None = None
    diff: str = ""  # a change of that statement with which the rule is right

    @property
    def about(self) -> str:
        """gradient, conduct or second: which of the three verdicts it belongs to."""
        return "conduct" if self.fault in CONDUCT else "second" if self.fault in SECOND else "gradient"

    def story(self) -> str:
        """What is wrong, in words."""
        from .report_text import story

        return story(self)

    def fix(self) -> str:
        """What to write instead."""
        from .report_text import fix

        return fix(self)

    def evidence(self) -> str:
        """The numbers in words; "" where it has none."""
        from .report_text import evidence

        return evidence(self)

    def to_json(self) -> dict[str, object]:
        def number(x: float | str | None) -> float | str | None:
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
            "about": self.about,
            "file": self.file,
            "line": self.line,
            "diff": self.diff,
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> RuleFinding:
        def number(x: float | str | None) -> float | None:
            return None if x is None else from_json_number(x)

        place = row["position"]
        detail = {key: float(x) if isinstance(x, (int, float)) else x for key, x in row["detail"].items()}
        return cls(
            row["fault"], row["input"], row["grade"], None if place is None else tuple(place),
            number(row["got"]), number(row["expected"]), number(row["upstream"]), detail,
            row["file"], row["line"], row["diff"],
        )  # fmt: skip


@dataclass(frozen=True)
class Remark:
    """A design choice: its code and what it is about."""

    code: str
    about: str = ""

    def choice(self) -> str:
        """The design choice in words."""
        from .report_text import choice

        return choice(self)

    def unseen(self) -> str:
        """What was not examined, in words."""
        from .report_text import unseen

        return unseen(self)

    def to_json(self) -> dict[str, object]:
        return {"code": self.code, "about": self.about}


class Unseen(Remark):
    """Something that was not examined, and why."""


@dataclass(frozen=True)
class ExaminedInput:
    """An input of the examination: its name, its shape, and its numbers where they are few."""

    name: str
    shape: tuple[int, ...] | None  # None for what is no array
    text: str = ""


@dataclass(frozen=True)
class ProofScope:
    """What was proved: for every shape or for some, with the places that are left out."""

    scope: str  # elementwise, or shapes
    shapes: str = ""
    excluded: str = ""

    def to_json(self) -> dict[str, str]:
        return {"scope": self.scope, "shapes": self.shapes, "excluded": self.excluded}


@dataclass(frozen=True, repr=False)
class RuleReport(Result):
    """Three verdicts, on the gradient, the conduct and the second derivative; the headline is the first."""

    library: str
    name: str
    verdict: Verdict  # on the gradient
    findings: tuple[RuleFinding, ...] = ()
    design_choices: tuple[Remark, ...] = ()
    not_examined: tuple[Remark, ...] = ()
    inputs: tuple[ExaminedInput, ...] = ()
    origin: str = "given"  # of the inputs: given, module, invented
    comparisons: int = 0  # numbers that were compared
    witnesses: tuple[str, ...] = ()  # differences, and the plain forward where it agrees with them
    conduct: Verdict = NOT_EXAMINED
    second: Verdict = NOT_EXAMINED
    proof: ProofScope | None = None
    place: str = ""  # file:line of the rule
    snippet: str = ""  # a program of its own that shows the first wrong gradient
    versions: str = ""  # of Python and the library
    seconds: float | None = field(default=None, compare=False)  # until the verdict on the gradient

    @property
    def overall(self) -> Verdict:
        """The worst that a user has to act on: a wrong gradient or conduct; else what limits it."""
        if WRONG in (self.verdict, self.conduct):
            return WRONG
        if self.verdict == CORRECT and self.second == WRONG:
            return LIMITED
        return self.verdict

    @property
    def faults(self) -> tuple[str, ...]:
        """The names of what was found, each once."""
        return tuple(dict.fromkeys(finding.fault for finding in self.findings))

    def faults_about(self, about: str) -> tuple[str, ...]:
        """Those that belong to one of the three verdicts: gradient, conduct or second."""
        return tuple(dict.fromkeys(each.fault for each in self.findings if each.about == about))

    def sections(self, page: Page) -> Sections:
        from .report_text import sections

        return sections(self, page)

    def _title(self) -> str:
        from .report_text import title

        return title(self)

    def html(self, *, lang: str | None = None) -> str:
        """A page of its own."""
        from .report_html import page

        with speaking(lang):
            return page([self])

    def __repr__(self) -> str:
        return (
            f"<RuleReport {self.name}: {self.verdict}{': ' if self.findings else ''}{', '.join(self.faults)}>"
        )

    def to_json(self) -> dict[str, object]:
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
            "conduct": self.conduct,
            "second": self.second,
            "proof": None if self.proof is None else self.proof.to_json(),
            "place": self.place,
            "snippet": self.snippet,
            "versions": self.versions,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> RuleReport:
        """The report that `to_json` wrote; ValueError for another document."""
        if document.get("schema") != SCHEMA:
            raise ValueError(repr(document.get("schema"))[:40])
        verdicts = [document[key] for key in ("verdict", "conduct", "second")]
        for verdict in verdicts:
            if not is_verdict(verdict):
                raise ValueError(repr(verdict)[:40])

        def remarks(key: str, kind: type[Remark]) -> tuple[Remark, ...]:
            return tuple(kind(row["code"], row["about"]) for row in document[key])

        return cls(
            document["library"],
            document["name"],
            verdicts[0],
            tuple(RuleFinding.from_json(row) for row in document["findings"]),
            remarks("design_choices", Remark),
            remarks("not_examined", Unseen),
            tuple(
                ExaminedInput(row["name"], None if row["shape"] is None else tuple(row["shape"]), row["text"])
                for row in document["inputs"]
            ),
            document["origin"],
            document["comparisons"],
            tuple(document["witnesses"]),
            verdicts[1],
            verdicts[2],
            None if document["proof"] is None else ProofScope(**document["proof"]),
            document["place"],
            document["snippet"],
            document["versions"],
        )
