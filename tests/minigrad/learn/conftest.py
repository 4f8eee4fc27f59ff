"""Fixtures of tests of learn: a class of three, in a folder."""

import pytest

from classroom_fixtures import Class, class_in


@pytest.fixture(params=["en", "es"])
def class_of_three(request, tmp_path, monkeypatch, capsys) -> Class:
    """Every kind of question, in a language."""
    monkeypatch.setenv("MINIGRAD_LANG", "en")
    monday = class_in(tmp_path / "monday", request.param)
    capsys.readouterr()
    return monday


@pytest.fixture
def in_english(tmp_path, monkeypatch, capsys) -> Class:
    """Every kind of question, in English."""
    monkeypatch.setenv("MINIGRAD_LANG", "en")
    monday = class_in(tmp_path / "monday", "en")
    capsys.readouterr()
    return monday
