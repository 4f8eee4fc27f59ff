"""A class of 60, of whom 20 hand in something hostile: the other 40 get what they would get alone.

MINIGRAD_HOSTILE=all adds every program of tests/data/hostile to what is handed in; it takes some minutes.
"""

import csv
import json
import os
from codecs import BOM_UTF8
from collections.abc import Callable
from pathlib import Path

import pytest

from filled_sheets import FILLING, as_saved, solutions
from injection_checks import terminal_faults
from minigrad.cli import main
from minigrad.learn.classroom.answer_key import AnswerKey, read_key
from minigrad.learn.classroom.sheet import Sheet
from source_trees import ROOT

HONEST, HOSTILE = 40, 20
FORMS = (".md", ".html", ".ipynb", ".json")
ENGINE = """
{head}

class Value:
    def __init__(self, data, parents=()):
        {first}
        self.data, self.grad, self.parents = data, 0.0, parents

    def __add__(self, other):
        return Value(self.data + other.data, (self, other))

    def backward(self, upstream=1.0):
        self.grad {sign} upstream
        for parent in self.parents:
            parent.backward(upstream)
"""


def engine(head: str = "", first: str = "pass", sign: str = "+=") -> str:
    return ENGINE.format(head=head, first=first, sign=sign)


ENGINES = {0: engine(), 1: engine(sign="="), 2: engine("import math\nimport numpy")}  # of the honest ones


def answers(sheet: Sheet, at: int) -> dict[int, dict[str, str]]:
    """What an honest learner answers: some have all right, some leave out a question or get one wrong."""
    given = solutions(sheet)
    if at % 3:
        del given[1 + at % len(given)]
    if at % 4 == 1:
        last = given[max(given)]
        given[max(given)] = {blank: "d" if blank == "choice" else "12345.5" for blank in last}
    return given


def put_honest(folder: Path, sheets: Path, key: AnswerKey, at: int) -> None:
    """The file of an honest learner, in one of the forms, and their engine if they have one."""
    sheet, form = key.sheets[at], FORMS[at % len(FORMS)]
    given = answers(sheet, at)
    if form == ".json":
        text = as_saved(sheet, given)
    else:
        text = FILLING[form]((sheets / f"{sheet.learner.slug}{form}").read_text(encoding="utf-8"), given)
    files = {f"{sheet.learner.slug}{form}": text}
    if at in ENGINES:
        files[f"{sheet.learner.slug}.py"] = ENGINES[at]
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
        os.utime(folder / name, (1.7e9, 1.7e9))


# ---- what the hostile ones hand in ----------------------------------------------------------------

ESCAPES = "\x1b[2J\x07\x9b\u202e\u2066\u200b\n[x](javascript:1)<img src=x onerror=alert(1)>`"
Hostility = Callable[[Path, Sheet, AnswerKey, Path], None]


def in_file(text: str, ending: str = ".py") -> Hostility:
    return lambda folder, sheet, key, root: put(folder / f"{sheet.learner.slug}{ending}", text)


def put(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    os.utime(path, (2e9, 2e9))


def escapes_in_answers(folder: Path, sheet: Sheet, key: AnswerKey, root: Path) -> None:
    given = {item.number: dict.fromkeys(item.prompt.blanks, ESCAPES) for item in sheet.items}
    put(folder / f"{sheet.learner.slug}{ESCAPES.replace('/', '')}.json", as_saved(sheet, given))


def settings(folder: Path, sheet: Sheet, key: AnswerKey, root: Path) -> None:
    for place in (folder, folder.parent):
        put(place / "doctor.toml", 'class = "Nobody"\ndata = "nothing"\n')


def shadows(folder: Path, sheet: Sheet, key: AnswerKey, root: Path) -> None:
    for name in ("numpy", "math", "conftest", "sitecustomize", "minigrad", "__init__"):
        put(folder / f"{name}.py", "raise SystemExit('from somebody else')\n")
    put(folder / "paths.pth", "import os; os._exit(7)\n")


def copied_sheet(folder: Path, sheet: Sheet, key: AnswerKey, root: Path) -> None:
    put(
        folder / f"{sheet.learner.slug}.json", as_saved(key.sheets[0], {1: {"a": "1"}}, "2030-01-01T00:00:00")
    )


def copied_code_in_an_engine(folder: Path, sheet: Sheet, key: AnswerKey, root: Path) -> None:
    """Of somebody who handed in an engine, and of somebody who did not."""
    for other in (1, 3):
        text = f"# sheet {key.sheets[other].code}\nclass Value(:\n"
        put(folder / f"{sheet.learner.slug} {other}.py", text)


def pipe(folder: Path, sheet: Sheet, key: AnswerKey, root: Path) -> None:
    os.mkfifo(folder / "notes.py")
    (folder / "link.md").symlink_to(folder / f"{key.sheets[0].learner.slug}.md")


def keywords(folder: Path, sheet: Sheet, key: AnswerKey, root: Path) -> None:
    names = [
        f"{a}{b}" for a in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ" for b in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456"
    ]
    source = 'answer("1",' + ",".join(f"{name}=1" for name in names) + ")"
    cells = [{"cell_type": "code", "source": source}] * 40
    metadata = {"minigrad": {"sheet": sheet.code}}
    put(folder / f"{sheet.learner.slug}.ipynb", json.dumps({"cells": cells, "metadata": metadata}))


def deletes(folder: Path, sheet: Sheet, key: AnswerKey, root: Path) -> None:
    """Its own folder, the one that it was handed in to, and the key."""
    doomed = f"import shutil; [shutil.rmtree(x, True) for x in ({str(root)!r}, '.', __file__ + '/..')]"
    put(folder / f"{sheet.learner.slug}.py", engine(first=doomed))


def overwrites(folder: Path, sheet: Sheet, key: AnswerKey, root: Path) -> None:
    """The engines of others and the key, by their places."""
    places = [str(folder / f"{each.learner.slug}.py") for each in key.sheets[:3]] + [str(root / "key.json")]
    first = f"""os.makedirs({str(folder)!r}, exist_ok=True)
        for place in {places!r}:
            open(place, "w").write("x")"""
    put(folder / f"{sheet.learner.slug}.py", engine("import os", first))


FORGED = b'{"plan": {"class_name": 7}}\n{"verdict": "correct"}\n{"end": true}\n[[[[\n\x00\xff\n'
FORGE = f"""for number in range(3, 64):
            try:
                os.write(number, {FORGED!r})
            except OSError:
                pass
        os._exit(0)"""
HOSTILITIES: dict[str, Hostility] = {
    "escapes in answers": escapes_in_answers,
    "escapes in an error": in_file(engine(first=f"raise ValueError({ESCAPES!r})")),
    "rot13": in_file("# coding: rot13\nclass Value: pass\n"),
    "base64": in_file("# coding: base64\nclass Value: pass\n"),
    "undefined": in_file("# coding: undefined\nclass Value: pass\n"),
    "forged results": in_file(engine("import os", FORGE)),
    "doctor.toml": settings,
    "shadowed modules": shadows,
    "imports a neighbour": in_file(engine(first="__import__('pupil-0').Value(data)")),
    "copied sheet": copied_sheet,
    "copied code in an engine": copied_code_in_an_engine,
    "pipe": pipe,
    "1,188 keywords in 40 cells": keywords,
    "deep JSON": in_file("[" * 1_000_000, ".json"),
    "endless loop": in_file(engine(first="\n        while True: pass")),
    "fork bomb": in_file(engine("import os, time", "[os.fork() for _ in range(12)]; os._exit(1)")),
    "huge output": in_file(engine("import os", "[os.write(1, b'x' * (1 << 20)) for _ in range(4000)]")),
    "kills its group": in_file(engine("import os", "os.killpg(0, 9)")),
    "overwrites": overwrites,
    "deletes": deletes,
}
assert len(HOSTILITIES) == HOSTILE


# ---- the class ------------------------------------------------------------------------------------


def graded(folder: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, object]]:
    """By the learner: their row of each table, and their feedback."""
    assert main(["grade", str(folder), "--due", "2026-09-30", "--out", str(out)]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert terminal_faults(captured.out) == []
    files = {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert files["results.csv"].startswith(BOM_UTF8)  # for spreadsheets; nothing else in it is invisible
    files["results.csv"] = files["results.csv"].removeprefix(BOM_UTF8)
    assert not [name for name, octets in files.items() if terminal_faults(octets.decode())]
    rows = json.loads(files["results.json"])["learners"]
    lines = {line[0]: line for line in csv.reader(files["results.csv"].decode().split("\n")) if line}
    return {
        row["name"]: {
            "json": row,
            "csv": lines.get(row["name"]),
            "feedback": {
                n: text for n, text in files.items() if f"/{row['name'].lower().replace(' ', '-')}." in n
            },
        }
        for row in rows
    }


def alone(folder: Path, whole: Path, key: AnswerKey, at: int) -> None:
    """The class with one learner in it."""
    (folder / "returned").mkdir(parents=True)
    document = json.loads((whole / "key.json").read_text())
    (folder / "key.json").write_text(json.dumps({**document, "sheets": [document["sheets"][at]]}))
    put_honest(folder / "returned", whole / "sheets", key, at)


@pytest.mark.slow
def test_forty_honest_learners_among_twenty_hostile_ones_get_what_they_get_alone(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("MINIGRAD_LANG", "en")
    names = [f"Pupil {at}" for at in range(HONEST)] + [f"Hostile {at}" for at in range(HOSTILE - 1)]
    (tmp_path / "names.txt").write_text("\n".join([*names, "a;=cmd|' /C calc'!A0"]))
    whole = tmp_path / "monday"
    words = ["--kinds", "gradient,lost,order", "--questions", "3", "--seed", "21", "--out", str(whole)]
    assert main(["learn", "--class", str(tmp_path / "names.txt"), *words]) == 0
    key = read_key((whole / "key.json").read_text())
    assert len(key.sheets) == HONEST + HOSTILE
    for at in range(HONEST):
        alone(tmp_path / "alone" / str(at), whole, key, at)
    returned = whole / "returned"
    returned.mkdir()
    for at in range(HONEST):
        put_honest(returned, whole / "sheets", key, at)
    for sheet, hostility in zip(key.sheets[HONEST:], HOSTILITIES.values(), strict=True):
        hostility(returned, sheet, key, whole)
    if os.environ.get("MINIGRAD_HOSTILE") == "all":
        for path in (ROOT / "tests" / "data" / "hostile").glob("*.py"):
            put(returned / path.name, path.read_text())
    capsys.readouterr()
    together = graded(whole, tmp_path / "together", capsys)
    assert len(together) == HONEST + HOSTILE
    for at in range(HONEST):
        name = key.sheets[at].learner.name
        [(_, mine)] = graded(tmp_path / "alone" / str(at), tmp_path / "out" / str(at), capsys).items()
        assert together[name] == mine, name
        assert mine["json"]["points"] == sum(mark["status"] == "right" for mark in mine["json"]["questions"])
        assert mine["csv"] is not None
        assert len(mine["feedback"]) == 2
    assert not (whole / "sheets").exists()  # what deletes did run
    assert (whole / "key.json").stat().st_size <= 1  # and what overwrites
    theirs = {
        how: together[sheet.learner.name]["json"]
        for how, sheet in zip(HOSTILITIES, key.sheets[HONEST:], strict=True)
    }
    for how in (
        "rot13",
        "base64",
        "undefined",
        "forged results",
        "imports a neighbour",
        "endless loop",
        "fork bomb",
    ):
        assert theirs[how]["engine"]["verdict"] == "not examined", how
        assert theirs[how]["engine"]["points"] == 0, how
    told = " ".join(theirs["copied sheet"]["notices"])
    assert f"code of {key.sheets[0].learner.name}, whose own file is {key.sheets[0].learner.slug}.md" in told
    engines = [together[key.sheets[at].learner.name]["json"]["engine"] for at in ENGINES]
    assert engines[1]["verdict"] == "wrong"
    assert 0 < engines[1]["points"] < 1  # what its bugs leave
    assert engines[0]["verdict"] == engines[2]["verdict"] != "not examined"
