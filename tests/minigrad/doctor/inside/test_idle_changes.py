"""A change is left untried only where it cannot matter: inside a block that a wrong probe never runs."""

from __future__ import annotations

import sys

import pytest

from minigrad.doctor.inside.idle_changes import IdleChanges, lines_run

FILE = "engine.py"
TEXT = """\
LIMIT = 3


class Value:
    def __init__(self, data):
        self.data = data

    def add(self, other):
        total = self.data + other.data
        if total > LIMIT:
            total = LIMIT
        elif total < 0:
            total = 0
        else:
            total = total
        return Value(total)

    def mul(self, other):
        def rule(g):
            return g * other.data

        return Value(rule(self.data))

    def neg(self): return Value(-self.data)


def unused():
    return 1
"""


def program(text: str):
    def run():
        names = {}
        exec(compile(text, FILE, "exec"), names)
        return names["Value"](1.0).add(names["Value"](1.0)).data

    return run


def tried(old: str, new: str) -> bool:
    assert TEXT.count(old) == 1
    ran = lines_run(program(TEXT), {FILE})
    assert ran
    return not IdleChanges(TEXT, FILE, ran).has(TEXT.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("            return g * other.data\n", "            return g + other.data\n"),
        ("            return g * other.data\n", "            g += 1\n            return g\n"),
        ("        return Value(rule(self.data))\n", "        return Value(0)\n"),
        ("            total = LIMIT\n", "            total = 2 * LIMIT\n"),
        ("            total = 0\n", "            total = 1\n"),
        ("    return 1\n", "    return 2\n"),
    ],
)
def test_what_is_inside_a_block_that_was_not_run_need_not_be_tried(old, new):
    assert not tried(old, new)
    assert program(TEXT)() == program(TEXT.replace(old, new))()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        total = self.data + other.data\n", "        total = 7.0\n"),  # it was run
        ("LIMIT = 3\n", "LIMIT = 1\n"),  # in no block
        ("        if total > LIMIT:\n", "        if total < LIMIT:\n"),  # the head of a block
        ("        elif total < 0:\n", "        elif True:\n"),
        ("        elif total < 0:\n", "        if True:\n"),
        ("            total = 0\n", "        total = 0\n"),  # it leaves the block
        ("            total = total\n", "            total = 2 * total\n"),
        ("            total = LIMIT\n", "            LIMIT = 1\n"),  # another variable of the function
        ("    def mul(self, other):\n", "    def add(self, other):\n"),
        ("    def neg(self): return Value(-self.data)\n", "    def add(self, _): return self\n"),
        ("def unused():\n", "LIMIT = 1\ndef unused():\n"),
        ("    return 1\n", "    return 1\nLIMIT = 1\n"),
    ],
)
def test_what_may_matter_is_tried(old, new):
    assert tried(old, new)


def test_a_line_that_is_only_added_belongs_to_the_block_around_it():
    wrong = "        return Value(rule(self.data))\n"
    assert not tried(wrong, f"        print()\n{wrong}")
    assert tried(wrong, f"    rule = None\n{wrong}")
    assert tried("            total = total\n", "            total = total\n        total = 5\n")


def test_who_hides_what_runs_has_everything_tried():
    def hides():
        sys.settrace(None)

    assert lines_run(hides, {FILE}) == set()
    nothing_known = IdleChanges(TEXT, FILE, set())
    assert not nothing_known.has(TEXT.replace("    return 1\n", "    return 2\n"))
    of_another = IdleChanges(TEXT, FILE, {("beside.py", 3)})
    assert not of_another.has(TEXT.replace("    return 1\n", "    return 2\n"))


@pytest.mark.parametrize("count", range(1, 12))
def test_a_form_feed_ends_no_line(count):
    text = "\x0c\n" * count + TEXT
    old = "        total = self.data + other.data\n"
    known = IdleChanges(text, FILE, lines_run(program(text), {FILE}))
    assert not known.has(text.replace(old, "        total = 7.0\n"))
