"""survivors.toml: every change that it says may survive can still be made, and has a reason.

Whether each one does survive takes long to find out: `make mutation`.
"""

from __future__ import annotations

import pytest

from subjects import SUBJECTS
from survivors import Change, lines_of, listed, outdated, plain, with_lambdas, with_names

TURN = ("graph/trace.py", "Walk.turn", "amount = self.pieces.message(self, node, slot, local, upstream)")
MODULE = """
class Node:
    @property
    def size(self):
        return len(self.args)

    @size.setter
    def size(self, size):
        self.args = [0] * size


_row("add", lambda m, x, y: x + y, lambda m, z, x, y: (1.0, 1.0), kink=None)
"""


def test_every_entry_can_still_be_made():
    assert outdated(listed()) == []


def test_an_entry_is_read_with_its_reason(tmp_path):
    text = """
    [[survivors]]
    file = "trace.py"
    reason = "faster"
    changes = [["Walk.turn", "a", "b"], ["Walk.fork", "c", "d"]]
    """
    path = tmp_path / "listed.toml"
    path.write_text(text)
    assert listed(path) == {
        Change("trace.py", "Walk.turn", "a", "b"): "faster",
        Change("trace.py", "Walk.fork", "c", "d"): "faster",
    }


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (Change("trail.py", *TURN[1:], "amount = None"), "no such file"),
        (Change("graph/trace.py", "Walk.turns", TURN[2], "amount = None"), "no such function"),
        (Change("graph/trace.py", "Walk.fork", TURN[2], "amount = None"), "the line is in another function"),
        (Change(*TURN[:2], "amount = 0", "amount = None"), "no such line"),
        (Change(*TURN[:2], f"{TURN[2]}\namount = 0", "amount = None"), "one of two lines is gone"),
        (Change(*TURN, TURN[2]), "no difference"),
        (Change(*TURN, "amount = None"), ""),
    ],
    ids=lambda x: None if isinstance(x, Change) else x or "no reason",
)
def test_an_entry_that_is_out_of_date_is_noticed(change, reason):
    fresh = Change(*TURN, "amount = None")
    assert outdated({fresh: "a reason", change: reason}) == [change]


def test_properties_and_formulas_in_tables_are_functions_of_a_plain_module():
    space = {"_row": lambda *row, kink: rows.append(row)}
    rows = []
    exec(plain(MODULE), space)
    node = space["Node"]()
    node.size = 3
    assert (node.args, node.size) == ([0, 0, 0], 3)
    assert [f.__name__ for f in rows[0][1:]] == ["row_add_1", "row_add_2"]
    assert rows[0][1](None, 2, 3) == 5
    assert lines_of(MODULE, "Node.size") >= {"return len(self.args)", "self.args = [0] * size"}
    assert lines_of(MODULE, "row_add_2") >= {"return (1.0, 1.0)"}


def test_a_change_of_a_formula_is_put_back_where_it_was_written():
    assert with_lambdas(with_names(MODULE), MODULE) == MODULE
    changed = with_names(MODULE).replace("return x + y", "return x - y")
    assert with_lambdas(changed, MODULE) == MODULE.replace("x + y", "x - y")


def test_every_subject_has_its_files_and_its_tests():
    for subject in SUBJECTS.values():
        assert subject.paths()
        assert subject.test_files()
    covered = {path for subject in SUBJECTS.values() for path in subject.paths()}
    assert {change.file for change in listed()} <= covered
