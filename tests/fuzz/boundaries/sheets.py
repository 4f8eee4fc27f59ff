"""Returned sheets and notebooks: read and never run, and no point for an answer that is not right.

Each file is graded twice, alone and beside the sheet of somebody else, who gets what that sheet gets alone.
What is written for a person about it holds no character that a terminal acts on.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from random import Random
from typing import Any

from document_changes import EDGES, changed, changed_bytes, changed_text, written
from filled_sheets import FILLING, as_saved, solutions
from minigrad.learn.classroom.answer_key import AnswerKey
from minigrad.learn.classroom.class_folder import FORMS
from minigrad.learn.classroom.feedback import feedback_markdown
from minigrad.learn.classroom.grades import GradedSheet, HandInFile, Results, grade
from minigrad.learn.classroom.hand_in import LARGEST, read
from minigrad.learn.classroom.roster import roster
from minigrad.learn.classroom.sheet import Sheet, SheetPlan, class_sheets
from minigrad.learn.questions import KINDS
from minigrad.text.translation import speaking
from sheet_marks import unearned

from .boundary import ACCEPTED, Boundary, wrong_unless

__all__ = ["BOUNDARY"]

NOW = datetime(2026, 9, 28)
ANSWERS = (
    "1e999999999", "-1e-999999999", "9" * 290, "9**9**9**9**9", "1/0", "nan", "inf", "-" * 290 + "1",
    "(" * 140 + "1" + ")" * 140, "__import__('os').abort()", "exit()", "a = 3; b = 4", "\u202e4", "\u0664",
    "4\x00", "\x1b[2J4", "x" * 301, "=1+1", "{{grad a}}", "{0.__class__}", "%s%n", "1_000", "0x10", "4j",
    "[1]", "a" + "\u0301" * 31, "sum(" + "x, " * 90 + "x)", "exp(exp(exp(exp(exp(9)))))", "`" * 9,
    "<script>", "]]>", "b\nc: d", "1" + "/1" * 90,
)  # fmt: skip
FORM_NAMES = ("md", "html", "ipynb", "json")


class HandIns(Boundary):
    name = "sheets"
    count = 450
    batch = 450

    def prepare(self) -> None:
        with speaking("en"):
            learners = roster(b"Ada\nBo\n").learners
            plan = SheetPlan("Monday", 3, tuple((kind, 1) for kind in KINDS))
            self.key = AnswerKey("Monday", 3, "en", tuple(class_sheets(learners, plan)))
            self.forms = {form: FORMS[form](self.key.sheets[0]) for form in FORM_NAMES if form != "json"}
            self.other = as_saved(self.key.sheets[1], solutions(self.key.sheets[1]))
            alone = self._graded([self._file("bo", ".json", self.other.encode())])
        self.others_marks = marks(alone.graded[1])

    def input(self, random: Random) -> tuple[str, bytes]:
        """The ending of a file, and what is in it."""
        sheet, form = self.key.sheets[0], random.choice(FORM_NAMES)
        answers = _answers(random, sheet)
        text = as_saved(sheet, answers) if form == "json" else FILLING[f".{form}"](self.forms[form], answers)
        if random.random() < 0.02:
            form = random.choice(FORM_NAMES)
        chance = random.random()
        if chance < 0.1:
            return f".{form}", text.encode("utf-8", "surrogatepass")
        if chance < 0.5 and form in ("ipynb", "json") and text.startswith("{"):
            text = written(random, _changed_cells(random, json.loads(text)))
        elif chance < 0.8:
            text = _changed_lines(random, text)
        else:
            octets = changed_bytes(random, text.encode("utf-8", "surrogatepass"))
            return f".{form}", b"\xff\xfe" + octets if random.random() < 0.05 else octets
        return f".{form}", text.encode(random.choice(("utf-8",) * 9 + ("utf-16",)), "surrogatepass")

    def check(self, given: tuple[str, bytes]) -> str:
        ending, octets = given
        with speaking("en"):
            mine = self._file("ada", ending, octets)
            results = self._graded([mine])
            beside = self._graded([self._file("bo", ".json", self.other.encode()), mine])
            for one in results.graded:
                if one.file:
                    told = feedback_markdown(one, self.key)
                    strange = [sign for sign in told if unicodedata.category(sign)[0] == "C" and sign != "\n"]
                    wrong_unless(not strange, f"feedback with {strange[:5]!r}")
        first = results.graded[0]
        wrong_unless(first.points <= len(first.sheet.items), f"{first.points} points")
        wrong_unless(not (wrong := unearned(results.graded)), f"points for {wrong[:1]}")
        codes = mine.content.codes
        if self.key.sheets[1].code not in codes:
            wrong_unless(marks(beside.graded[1]) == self.others_marks, "another's marks changed")
            wrong_unless(marks(beside.graded[0]) == marks(first), "its marks differ beside another's sheet")
        if mine.content.trouble:
            wrong_unless(bool(results.aside), "a file that was not read is not told of")
            return mine.content.trouble
        return ACCEPTED if first.file else "not a sheet of the class" if results.aside else "blank"

    def _file(self, name: str, ending: str, octets: bytes) -> HandInFile:
        content = read(ending, octets)
        wrong_unless(len(octets) <= LARGEST or content.trouble == "large", "a large file was read")
        return HandInFile(f"{name}{ending}", name, NOW, content)

    def _graded(self, files: list[HandInFile]) -> Results:
        return grade(self.key, files)


def marks(one: GradedSheet) -> list[tuple[str, Mapping[str, str]]]:
    return [(mark.status, dict(mark.answer)) for mark in one.marks]


def _answers(random: Random, sheet: Sheet) -> dict[int, dict[str, str]]:
    """Right answers, some of them replaced."""
    answers = solutions(sheet)
    for given in answers.values():
        for blank, text in list(given.items()):
            chance = random.random()
            if chance < 0.15:
                given[blank] = random.choice(ANSWERS)
            elif chance < 0.2:
                given[blank] = str(random.choice(EDGES))[:400]
            elif chance < 0.4:
                given[blank] = changed_text(random, text)
            elif chance < 0.42:
                del given[blank]
    return answers


def _changed_cells(random: Random, document: Any) -> Any:
    document = changed(random, document)
    if random.random() < 0.1 and isinstance(document, dict) and isinstance(document.get("cells"), list):
        names = ", ".join(f"a{k}={k}" for k in range(random.choice((1, 60, 900))))
        source = random.choice(
            (f'answer("1", {names})', f"answer('2', {names},", f'answer("3", **{{}}, {names})')
        )
        document["cells"] += [{"cell_type": "code", "source": source}] * random.choice((1, 20))
    return document


def _changed_lines(random: Random, text: str) -> str:
    lines = text.split("\n")
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(lines))
        match random.randrange(5):
            case 0:
                lines[at : at + 1] = []
            case 1:
                lines.insert(at, random.choice(lines))
            case 2:
                lines.insert(
                    at, random.choice(("```answers 1", "~~~", "<!--", "</section>", "a = 1", "answer = b"))
                )
            case _:
                lines[at] = changed_text(random, lines[at])
        lines = lines or [""]
    return "\n".join(lines)


BOUNDARY = HandIns()
