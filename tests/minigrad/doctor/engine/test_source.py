"""Sources and settings that cannot be used: each is refused in a sentence, and soon."""

from __future__ import annotations

import ast
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from minigrad.cli import main
from minigrad.doctor import SubjectError, examine
from minigrad.doctor.engine.configuration import check_pins, pins_of
from minigrad.doctor.engine.source import LARGEST, seeds_by_hand, subject_of
from source_trees import DATA

ENGINE = (DATA / "engines" / "closures.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "encoding",
    ["rot13", "base64", "bz2", "zlib", "hex", "uu", "quopri", "undefined", "no-such-encoding"],
)
def test_a_file_in_an_encoding_that_is_none_for_text_is_refused(tmp_path, encoding, capsys):
    path = tmp_path / "engine.py"
    path.write_text(f"# coding: {encoding}\n{ENGINE}", encoding="utf-8")
    with pytest.raises(SubjectError, match=r"engine\.py cannot be read"):
        examine(path)
    assert main(["doctor", str(path)]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_beside_an_engine_is_not_waited_for(tmp_path):
    (tmp_path / "engine.py").write_text(ENGINE, encoding="utf-8")
    os.mkfifo(tmp_path / "notes.py")
    assert examine(tmp_path / "engine.py").verdict == "correct"


@pytest.mark.parametrize("option", ["data", "grad", "backward"])
@pytest.mark.parametrize("given", ["(", "a b", "x[", "1x", "grad\x1b[2J", "x()()", "." * 5000])
def test_a_name_that_is_none_is_refused_with_what_to_write(tmp_path, option, given, capsys):
    path = tmp_path / "engine.py"
    path.write_text(ENGINE, encoding="utf-8")
    assert main(["doctor", str(path), f"--{option}", given]) == 2
    said = capsys.readouterr().err
    assert "write the name of an attribute" in said
    assert "\x1b" not in said
    assert len(said) < 300


@pytest.mark.parametrize("name", ["val", "val()", "tape.grad", "número", "_x"])
def test_names_of_attributes_and_methods_are_accepted(name):
    assert check_pins({"grad": name}, "--") == {"grad": name}


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 20_000,
        "grad = 2020-01-01T00:00:00",
        "grad = [1]",
        "grad = '('",
        "colour = 'red'",
        "\x00",
    ],
    ids=["deep", "a date", "a list", "a bracket", "unknown", "a zero byte"],
)
def test_a_doctor_toml_that_says_nothing_sensible_is_refused(tmp_path: Path, text, capsys):
    (tmp_path / "engine.py").write_text(ENGINE, encoding="utf-8")
    (tmp_path / "doctor.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SubjectError, match=r"doctor\.toml"):
        pins_of(tmp_path / "engine.py")
    assert main(["doctor", str(tmp_path / "engine.py")]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_an_earlier_definition_in_a_notebook_goes_with_its_decorators(tmp_path):
    """A decorator that stayed behind would stand above nothing, or above another class."""
    cells = [
        "import functools\n\n@functools.total_ordering\n"
        "class Value:\n    def __lt__(self, other): return True\n",
        ENGINE.replace("class Value:", "@functools.cache\ndef note(): pass\n\n\nclass Value:", 1),
    ]
    document = {"nbformat": 4, "cells": [{"cell_type": "code", "source": [text]} for text in cells]}
    path = tmp_path / "lesson.ipynb"
    path.write_text(json.dumps(document), encoding="utf-8")
    subject = subject_of(str(path))
    assert "total_ordering" not in subject.source
    assert "@functools.cache" in subject.source
    assert subject.source.count("class Value") == 1
    assert ast.parse(subject.source)
    assert examine(path, patience=3.0).verdict == "correct"


def test_a_cell_that_defines_no_class_is_refused_and_no_other_is_taken(tmp_path):
    texts = [ENGINE, "%matplotlib inline", "a = Value(1.0)"]
    document = {"nbformat": 4, "cells": [{"cell_type": "code", "source": [text]} for text in texts]}
    path = tmp_path / "lesson.ipynb"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert subject_of(str(path), cell=0).source
    for cell in (1, 2):
        with pytest.raises(SubjectError, match=rf"cell {cell} of lesson.ipynb defines no class.*: 0$"):
            subject_of(str(path), cell=cell)


def test_a_line_of_a_notebook_is_told_by_its_cell_and_its_line_in_that():
    """Cell 2 begins at line 1 of the source, and cell 5 at line 4."""
    subject = replace(subject_of(str(DATA / "engines" / "closures.py")), cells=((2, 1), (5, 4)))
    places = [subject.place(line) for line in (1, 3, 4, 6)]
    assert [(place.line, place.cell) for place in places] == [(1, 2), (3, 2), (1, 5), (3, 5)]


def test_how_large_a_file_is_that_is_too_large_is_told_in_whole_thousands(tmp_path, english):
    path = tmp_path / "engine.py"
    path.write_bytes(b"#" * (LARGEST + 1_500))
    with pytest.raises(SubjectError, match=rf"\b{(LARGEST + 1_500) // 1000}\b(?!\.)"):
        subject_of(str(path))


def test_a_seed_is_set_by_hand_outside_of_the_pass_alone():
    inside = "class V:\n    def {name}(self):\n        self.grad = 1\n"
    for name in ("backward", "__init__"):
        assert not seeds_by_hand(inside.format(name=name), "grad")
    assert seeds_by_hand(inside.format(name="demo"), "grad")
    assert seeds_by_hand("out.grad = 1\nout.backward()\n", "grad")
    assert not seeds_by_hand("out.grad = 0\nout.backward()\n", "grad")
