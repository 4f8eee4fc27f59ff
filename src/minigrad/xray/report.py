"""Data of the report on a program: verdict, findings, facts, and the same as JSON."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..doctor.sandbox import message_fields as fields
from ..text.numerals import json_number
from ..text.page import Page, Result, Sections
from .program_place import NOWHERE, ProgramPlace

if TYPE_CHECKING:
    from .reproduction import Reproduction

__all__ = [
    "FACT",
    "FAMILIES",
    "FINDING",
    "HEALTHY",
    "NOT_EXAMINED",
    "SCHEMA",
    "SUSPECT",
    "XrayEntry",
    "XrayRemark",
    "XrayReport",
]

SCHEMA = "minigrad.xray/1"
HEALTHY, SUSPECT, NOT_EXAMINED = "healthy", "suspect", "not examined"
FINDING, FACT = "finding", "fact"
Grade: TypeAlias = Literal["finding", "fact"]
FAMILIES = (
    "graph-cut", "zero-derivative", "dead-units", "constant-term", "wrong-selection", "missing-stop-gradient",
    "sample-leak", "time-leak", "loss-shape", "loss-input", "non-finite", "custom-backward",
    "inconsistent-backward", "parameter-wiring", "freeze", "loop-order", "loop-scale", "low-precision",
)  # fmt: skip
LONGEST_PATH = 4096


@dataclass(frozen=True)
class XrayEntry:
    """One thing that was seen: its family, its kind within it, its line, and what its sentences speak of."""

    family: str
    code: str  # the kind: its sentences are xray.what.CODE and xray.instead.CODE
    grade: Grade
    place: ProgramPlace = NOWHERE
    fields: Mapping[str, str | float] = field(default_factory=dict)
    weight: float = 0.0  # of two entries of a grade, the one with the greater consequence comes first

    @property
    def what(self) -> str:
        """What is wrong, or what was seen, and its consequence."""
        from .report_text import what

        return what(self)

    @property
    def instead(self) -> str:
        """What to write instead."""
        from .report_text import instead

        return instead(self)

    def to_json(self) -> dict[str, object]:
        return {
            "family": self.family,
            "file": self.place.file,
            "line": self.place.line or None,
            "what": self.what,
            "instead": self.instead,
            "code": self.code,
            "grade": self.grade,
            "weight": json_number(float(self.weight)),
            "detail": {key: json_number(x) if isinstance(x, float) else x for key, x in self.fields.items()},
        }

    @classmethod
    def from_json(cls, raw: object) -> XrayEntry:
        """The entry that `to_json` wrote; MalformedError for anything else."""
        row = fields.mapping(raw)
        detail: dict[str, str | float] = {}
        for key, x in fields.mapping(row.get("detail")).items():
            detail[fields.name(key)] = fields.text(x) if isinstance(x, str) else fields.number(x)
        line = row.get("line")
        place = ProgramPlace(
            fields.text(row.get("file"), LONGEST_PATH), 0 if line is None else fields.count(line)
        )
        entry = cls(
            fields.choice(row.get("family"), *FAMILIES),
            fields.name(row.get("code")),
            "finding" if fields.choice(row.get("grade"), FINDING, FACT) == FINDING else "fact",
            place,
            detail,
            _weight(row.get("weight")),
        )
        _ = entry.what, entry.instead  # KeyError where there is no sentence for it
        return entry


def _weight(raw: object) -> float:
    return float(raw) if isinstance(raw, str) and raw in ("inf", "-inf", "nan") else fields.number(raw)


@dataclass(frozen=True)
class XrayRemark:
    """Something that was not examined, and why; or how far it was."""

    code: str
    about: str = ""

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "about": self.about}


@dataclass(frozen=True, repr=False)
class XrayReport(Result):
    """What was found in a program: findings accuse, facts do not."""

    verdict: str
    entries: tuple[XrayEntry, ...] = ()  # findings first, each part by consequence
    remarks: tuple[XrayRemark, ...] = ()
    seen: tuple[tuple[str, str], ...] = ()  # what was examined: (kind, text)
    subject: Any = field(default=None, compare=False)  # the XraySubject, in the process that examined it
    source: object = field(default=None, compare=False)  # the ProgramSource, of a program that is a file

    @property
    def findings(self) -> tuple[XrayEntry, ...]:
        return tuple(entry for entry in self.entries if entry.grade == FINDING)

    @property
    def facts(self) -> tuple[XrayEntry, ...]:
        return tuple(entry for entry in self.entries if entry.grade == FACT)

    @classmethod
    def of(
        cls,
        entries: Sequence[XrayEntry],
        remarks: Sequence[XrayRemark] = (),
        seen: Sequence[tuple[str, str]] = (),
        subject: object = None,
    ) -> XrayReport:
        """The report on what was seen, in order of consequence."""
        ordered = sorted(entries, key=lambda entry: (entry.grade != FINDING, -entry.weight))
        verdict = SUSPECT if any(entry.grade == FINDING for entry in ordered) else HEALTHY
        return cls(verdict, tuple(ordered), tuple(remarks), tuple(seen), subject)

    def sections(self, page: Page) -> Sections:
        from .report_text import sections

        return sections(self, page)

    def _title(self) -> str:
        from .report_text import title

        return title(self)

    def __repr__(self) -> str:
        return f"<XrayReport: {self.verdict}, {len(self.findings)} findings, {len(self.facts)} facts>"

    def to_json(self) -> dict[str, object]:
        """Plain data; the sentences are in the language in use, everything else is the same in each."""
        return {
            "schema": SCHEMA,
            "verdict": self.verdict,
            "findings": [entry.to_json() for entry in self.findings],
            "facts": [entry.to_json() for entry in self.facts],
            "not_examined": [remark.to_json() for remark in self.remarks],
            "examined": [{"what": kind, "about": about} for kind, about in self.seen],
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, object]) -> XrayReport:
        """The report that `to_json` wrote; ValueError or KeyError for another document."""
        if raw.get("schema") != SCHEMA:
            raise fields.MalformedError("another schema")
        entries = [
            XrayEntry.from_json(row) for key in ("findings", "facts") for row in fields.rows(raw.get(key))
        ]
        remarks = [fields.mapping(row) for row in fields.rows(raw.get("not_examined"))]
        seen = [fields.mapping(row) for row in fields.rows(raw.get("examined"))]
        report = cls(
            fields.choice(raw.get("verdict"), HEALTHY, SUSPECT, NOT_EXAMINED),
            tuple(entries),
            tuple(XrayRemark(fields.name(row.get("code")), fields.text(row.get("about"))) for row in remarks),
            tuple((fields.name(row.get("what")), fields.text(row.get("about"))) for row in seen),
        )
        report.text()
        return report

    def why(self, name: str = "") -> Result:
        """Why a gradient is what it is: of "fc1.weight", of "fc1.weight[3, 2]", or of the whole model."""
        from .ledger import why

        return why(self.subject, name)

    def save(self, path: str | os.PathLike[str], number: str = "", *, lang: str | None = None) -> None:
        """Write a page of its own; `number`, as "fc1.weight[3, 2]", is what it follows down to scalars."""
        from .report_html import save_report

        save_report(self, path, number, lang)

    def reproduce(
        self,
        path: str | os.PathLike[str],
        entry: XrayEntry | None = None,
        *,
        overwrite: bool = False,
        seconds: float | None = None,
    ) -> Reproduction:
        """Write the smallest script found that shows an entry again; without one, the first of the report.

        It is run and examined by itself before it is written; ReproductionError where it shows nothing.
        """
        from .reproduction import SECONDS, reproduce

        budget = SECONDS if seconds is None else seconds
        return reproduce(self, path, entry, overwrite=overwrite, seconds=budget)

    @property
    def file(self) -> str:
        """The file that most entries stand in."""
        names = [os.path.basename(entry.place.file) for entry in self.entries if entry.place.file]
        return max(names, key=names.count) if names else ""
