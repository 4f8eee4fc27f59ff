"""Fills in the sheets of the class in docs/en/teaching.md, as its learners would have.

    python docs/class/fill.py       writes docs/class/returned

Ada has everything right.  Sofía walks every pass with = in place of +=.  Moses has copied from Ada, whose
numbers are not his.  李善兰 left two questions empty, and Emmy has handed in nothing.
"""

from __future__ import annotations

from json import dumps
from pathlib import Path

from minigrad.faults.break_lab import lab
from minigrad.learn.classroom.roster import roster
from minigrad.learn.classroom.sheet import Sheet, SheetPlan, class_sheets
from minigrad.learn.questions import generate
from minigrad.text.numerals import show
from minigrad.text.translation import speaking

HERE = Path(__file__).parent
KINDS = ("gradient", "lost", "order")
SEED = 7
SCHEMA = "minigrad.answers/1"


def sheets() -> list[Sheet]:
    """What `minigrad learn --class docs/class/names.txt --seed 7 --kinds gradient,lost,order` makes."""
    slots = tuple((KINDS[at % 3], 1 + at // 3) for at in range(6))
    return list(class_sheets(roster((HERE / "names.txt").read_bytes()).learners, SheetPlan("", SEED, slots)))


def right(sheet: Sheet) -> dict[str, dict[str, str]]:
    return {str(item.number): dict(item.question.solution) for item in sheet.items}


def overwriting(sheet: Sheet) -> dict[str, dict[str, str]]:
    answers = right(sheet)
    for item in sheet.items:
        graph = generate(*_parts(item.question.key)).graph
        if item.question.kind == "gradient" and graph is not None:
            broken = lab(graph, "overwrite").broken
            assert broken is not None
            answers[str(item.number)] = {who: show(broken.gradients[who]) for who in item.prompt.blanks}
    return answers


def _parts(key: str) -> tuple[str, int, str]:
    kind, level, seed = key.split(":")
    return kind, int(level), seed


def files() -> dict[str, str]:
    with speaking("en"):
        ada, sofia, moses, shanlan, _ = sheets()
        some = right(shanlan)
        del some["2"], some["5"]
        filled = [(ada, right(ada)), (sofia, overwriting(sofia)), (moses, right(ada)), (shanlan, some)]
    return {
        f"{sheet.learner.slug}.answers.json": dumps(
            {"schema": SCHEMA, "sheet": sheet.code, "saved": "2026-09-28T10:00:00", "answers": given},
            indent=1,
        )
        + "\n"
        for sheet, given in filled
    }


if __name__ == "__main__":
    for name, text in files().items():
        (HERE / "returned" / name).write_text(text, encoding="utf-8")
