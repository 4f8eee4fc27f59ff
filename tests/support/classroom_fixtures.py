"""A class of three in a folder, for tests of grading."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import filled_sheets
from filled_sheets import fill
from minigrad.cli import main
from minigrad.learn.classroom.answer_key import AnswerKey, read_key
from minigrad.learn.classroom.sheet import Sheet

ADA, SOFIA, MOSES = range(3)


@dataclass
class Class:
    """A class of three, in a folder."""

    folder: Path
    key: AnswerKey

    def sheet(self, place: int) -> Sheet:
        return self.key.sheets[place]

    def hand_in(self, place: int, answers: filled_sheets.Answers, form: str = ".md", name: str = "") -> Path:
        slug = self.sheet(place).learner.slug
        into = self.folder / "returned" / (name or f"{slug}{form}")
        into.parent.mkdir(exist_ok=True)
        fill(self.folder / "sheets" / f"{slug}{form}", answers, into)
        return into

    def graded(self, capsys: pytest.CaptureFixture[str], *words: str) -> dict:
        assert main(["grade", str(self.folder), "--json", *words]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        return json.loads(captured.out)

    def points(self, capsys: pytest.CaptureFixture[str]) -> list:
        return [row["points"] for row in self.graded(capsys)["learners"]]


@cache
def made(lang: str, *how: str) -> dict[str, bytes]:
    """The files of a class of three."""
    with TemporaryDirectory() as folder:
        names = Path(folder, "names.txt")
        names.write_text("Ada Lovelace\nSofía Núñez\nMoses ibn Tibbon\n", encoding="utf-8")
        words = ["learn", "--class", str(names), "--seed", "7", "--out", f"{folder}/monday", "--lang", lang]
        assert main([*words, *how]) == 0
        root = Path(folder, "monday")
        return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def class_in(folder: Path, lang: str, *how: str) -> Class:
    for name, octets in made(lang, *how).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(octets)
    return Class(folder, read_key((folder / "key.json").read_text(encoding="utf-8")))
