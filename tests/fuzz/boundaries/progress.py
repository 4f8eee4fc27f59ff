"""Progress files: never an error, nothing of the file is lost, and every answer that can be read is kept.

Which answers can be read is worked out here once more, from what `progress.py` says of a row.  A file that
was set aside has the very bytes, and the one that was written in its place is a good one.
"""

from __future__ import annotations

import json
import re
import tempfile
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

from document_changes import changed, changed_bytes, changed_text, written
from minigrad.learn import progress_file
from minigrad.learn.progress import Progress
from progress_fixtures import NOON, RIGHT, WRONG, Asked

from .boundary import ACCEPTED, Boundary, wrong_unless

__all__ = ["BOUNDARY", "readable_answers"]


class Files(Boundary):
    name = "progress"
    count = 2_000
    batch = 2_000

    def prepare(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "progress.json")
            progress = Progress.open(path, lambda: NOON)
            progress.arrive("order", 5)
            progress.arrive("diamonds", 2)
            for number in range(5):
                judgement = RIGHT if number % 2 else WRONG
                progress.record(Asked(f"order/{number}", unit="order"), {"a": str(number)}, judgement)
            progress.reveal("gradient:2:17")
            progress.finish("order")
            self.text = path.read_text(encoding="utf-8")

    def begin(self, folder: Path) -> None:
        self.folder = folder

    def input(self, random: Random) -> bytes:
        chance = random.random()
        if chance < 0.2:
            return changed_bytes(random, self.text.encode())
        if chance < 0.55:  # by lines, as an editor or a failed copy changes a file
            lines = self.text.split("\n")
            for _ in range(random.choice((1, 1, 2, 4))):
                at = random.randrange(len(lines))
                match random.randrange(5):
                    case 0:
                        del lines[at]
                    case 1:
                        lines.insert(at, random.choice(lines))
                    case 2:
                        other = random.randrange(len(lines))
                        lines[at], lines[other] = lines[other], lines[at]
                    case _:
                        lines[at] = changed_text(random, lines[at])
                lines = lines or [""]
            return "\n".join(lines).encode("utf-8", "surrogatepass")
        document: Any = json.loads(self.text)
        if chance < 0.7:
            document["answers"] = changed(random, document["answers"])
        else:
            document = changed(random, document)
        return written(random, document).encode("utf-8", "surrogatepass")

    def check(self, given: bytes) -> str:
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            folder = Path(name)
            path = folder / "progress.json"
            path.write_bytes(given)
            _, damage = progress_file.read(path)
            progress = Progress.open(path, lambda: NOON)
            kept = [(row.question, row.right) for row in progress.answers]
            expected = [(row["question"], row["right"]) for row in readable_answers(given)]
            wrong_unless(kept == expected, f"{kept} is kept of {expected} ({damage or 'no damage'})")
            aside = list(folder.glob("*set-aside*"))
            if not damage:
                wrong_unless(not aside and path.read_bytes() == given, "a good file was changed")
            else:
                wrong_unless([file.read_bytes() for file in aside] == [given], "what was set aside differs")
            for name in ("order", "diamonds"):
                wrong_unless(progress.state(name) in ("new", "begun", "done"), "no state")
            progress.due()
            again = Progress.open(path, lambda: NOON)
            wrong_unless(not damage or not again.notices, f"the new file is no good one: {again.notices}")
            wrong_unless(len(again.answers) == len(kept), "answers are lost in the new file")
            again.record(Asked("order/new"), {"a": "1"}, RIGHT)
            final = progress_file.read(path)
            wrong_unless(not final[1], f"after an answer the file has the damage {final[1]}")
            wrong_unless(len(final[0].answers) == len(kept) + 1, "an answer was not added")
            return damage or ACCEPTED


# ---- what can be read, said without the reader ----------------------------------------------------


def readable_answers(octets: bytes) -> list[Any]:
    """The rows of a progress file that are answers: of its list, or, where it is no JSON, of its lines."""
    document = None
    try:
        document = _strict(octets.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        found = []
        for line in octets.decode("utf-8", "replace").splitlines():
            try:
                row = _strict(line.strip().removesuffix(","))
            except (ValueError, RecursionError):
                continue
            found.append(row)
        return [row for row in found if _is_answer(row)]
    if not isinstance(document, dict) or not str(document.get("schema", "")).startswith("minigrad.progress/"):
        return []
    rows = document.get("answers")
    return [row for row in rows if _is_answer(row)] if isinstance(rows, list) else []


def _strict(text: str) -> Any:
    """JSON without keys that stand twice, and without numbers that JSON lacks."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError("a key twice")
        return dict(pairs)

    def finite(text: str) -> float:
        number = float(text)
        if number - number != 0.0:
            raise ValueError(text)
        return number

    return json.loads(text, object_pairs_hook=unique, parse_constant=finite, parse_float=finite)


def _is_answer(row: Any) -> bool:
    texts = {"question": None, "kind": None, "unit": "", "fault": "", "review": ""}
    if not isinstance(row, dict) or row.get("question") == "":
        return False
    for key, default in texts.items():
        text = row.get(key, default)
        if not isinstance(text, str) or len(text) > 300:
            return False
    answer = row.get("answer", {})
    return (
        _is_moment(row.get("on"))
        and type(row.get("right")) is bool
        and type(row.get("revealed", False)) is bool
        and type(row.get("try", 1)) is int
        and isinstance(answer, dict)
        and all(isinstance(text, str) for text in answer.values())
    )


def _is_moment(text: Any) -> bool:
    shape = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d"
    if not isinstance(text, str) or not re.fullmatch(shape, text):
        return False
    try:
        return datetime.fromisoformat(text) is not None
    except ValueError:
        return False


BOUNDARY = Files()
