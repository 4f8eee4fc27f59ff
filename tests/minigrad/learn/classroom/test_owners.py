"""Whose a file is by its name and its folder, and what becomes of one with somebody else's code."""

from dataclasses import dataclass
from datetime import datetime

import pytest

from minigrad.learn.classroom.answer_key import AnswerKey
from minigrad.learn.classroom.grades import AsideFile, HandInFile, Results, grade
from minigrad.learn.classroom.hand_in import HandIn
from minigrad.learn.classroom.learner_engines import ExaminedEngine
from minigrad.learn.classroom.owners import folder_owner, named_after
from minigrad.learn.classroom.roster import roster
from minigrad.learn.classroom.sheet import SheetPlan, class_sheets
from minigrad.text.translation import speaking

NAMES = {"alice": "Alice", "mallory": "Mallory", "ana": "Ana", "ana-2": "Ana", "ana-maria": "Ana María"}


@dataclass
class Named:
    stem: str
    folder: str = ""


@pytest.mark.parametrize(
    ("stem", "folder", "owner"),
    [
        ("alice", "", "alice"),
        ("Alice (1)", "", "alice"),
        ("alice-engine", "", "alice"),
        ("engine", "", ""),
        ("engine", "Alice_77_file", "alice"),
        ("alice", "Mallory_77_file", "mallory"),  # the folder is not the learner's to name
        ("alice", "mallory", "mallory"),
        ("alice", "returned", "alice"),
        ("ana-maria-hw", "", "ana-maria"),  # the longest
        ("ana-homework", "", "ana"),
        ("Ana (2)", "", "ana"),  # what a browser calls a second copy
        ("ana-2", "", "ana-2"),
        ("ana-2", "Ana_78_file", "ana-2"),  # two learners called Ana have folders of one name
        ("ana-maria", "Ana_78_file", "ana"),
    ],
)
def test_whom_a_file_is_named_after(stem, folder, owner):
    assert named_after(Named(stem, folder), NAMES) == owner


@pytest.mark.parametrize(
    ("names", "folder", "owner"),
    [
        ("Max Max_M", "Max_M", "Max_M"),  # the whole name before its beginning
        ("Max Max_M", "Max_77_file", "Max"),
        ("Ana Ana_77", "Ana_77_assignsubmission_file", "Ana_77"),
        ("Ada ada", "ada", "ada"),  # letters as they are written
        ("Ada ada", "Ada_5_file", "Ada"),
        ("Ada ada", "ADA", ""),  # it could be either
        ("Jose José", "José", "José"),
        ("Jose José", "Jose", "Jose"),
        ("José", "Jose\u0301_3_file", "José"),  # as macOS writes it
        ("José", "jose", "José"),
        ("李明 王芳", "王芳", "王芳"),
        ("李明 王芳", "王芳_12_file", "王芳"),
        ("Ana", "returned", ""),
    ],
)
def test_a_folder_is_that_of_the_learner_whose_name_it_has(names, folder, owner):
    learners = roster(names.replace(" ", "\n").encode()).learners
    by_slug = {learner.slug: learner.name for learner in learners}
    found = folder_owner(folder, by_slug)
    assert (by_slug[found] if found else "") == owner


def results_of(*handed: tuple[str, str], engine: bool = False) -> Results:
    """The class of Ana, Ana María and Bob, with files that have the code of the learner beside them."""
    with speaking("en"):
        learners = roster("Ana\nAna María\nBob\n".encode()).learners
        plan = SheetPlan("Monday", 3, (("data", 1),))
        key = AnswerKey("Monday", 3, "en", tuple(class_sheets(learners, plan)))
        codes = {sheet.learner.slug: sheet.code for sheet in key.sheets}
        if engine:
            engines = [
                ExaminedEngine(f"{stem}.py", stem, "wrong", "WRONG", (), "", "", (codes[slug],))
                for stem, slug in handed
            ]
            return grade(key, [], engines)
        files = [
            HandInFile(f"{stem}.md", stem, datetime(2026, 9, 28), HandIn((codes[slug],), {1: {"a": "-1"}}))
            for stem, slug in handed
        ]
        return grade(key, files)


@pytest.mark.parametrize("engine", [False, True])
def test_a_file_whose_name_begins_like_two_learners_does_not_vanish(engine):
    ana, maria, bob = results_of(("bob", "bob"), ("ana-maria-hw", "bob"), engine=engine).graded
    assert ana.notices == bob.notices == ()
    [told] = maria.notices
    assert told.startswith("ana-maria-hw.")
    assert "the code of Bob" in told


def test_what_could_not_be_read_is_told_to_the_owner_of_its_folder():
    with speaking("en"):
        key = results_of().key
        rows = grade(key, [], aside=[AsideFile("bob.pdf", "a drawing", "bob", "Ana_77_file")]).graded
    assert [row.notices for row in rows] == [("bob.pdf was not graded: a drawing",), (), ()]
