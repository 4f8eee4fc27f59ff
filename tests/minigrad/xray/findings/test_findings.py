"""Every listed program is named with its family and line, and the same program made right is not accused."""

import pytest

from torch_programs import examined, programs

PROGRAMS = {program.file: program for program in programs()}


def entries(report):
    return [*report["findings"], *report["facts"]]


@pytest.mark.parametrize("file", PROGRAMS)
def test_a_bug_is_named_with_its_line(file, folder):
    program = PROGRAMS[file]
    report = examined(program.wrong, folder)
    named = [entry for entry in entries(report)[:3] if entry["family"] == program.family]
    assert named, entries(report)
    assert abs(named[0]["line"] - program.line) <= 1
    assert all(entry["what"] and entry["instead"] for entry in entries(report))
    assert report["not_examined"] == []


@pytest.mark.parametrize("file", PROGRAMS)
def test_the_same_program_made_right_is_not_accused(file, folder):
    program = PROGRAMS[file]
    report = examined(program.right, folder)
    assert report["findings"] == []
    assert report["verdict"] == "healthy"
    places = [entry["line"] for entry in report["facts"] if entry["family"] == program.family]
    assert program.line not in places
    assert [remark for remark in report["not_examined"] if remark["code"] == "finding"] == []


def test_the_list_has_every_program_and_most_families():
    from minigrad.xray.report import FAMILIES
    from torch_programs import FOLDER

    assert {path.name for path in FOLDER.glob("*.py")} == set(PROGRAMS)
    assert {program.family for program in PROGRAMS.values()} == set(FAMILIES)
