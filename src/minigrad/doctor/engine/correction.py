"""Correction of an engine: what was examined, with every confirmed repair made, as a copy or as a patch.

    correction = correct(report)
    correction.copy()           # the text of the corrected file, or of the corrected notebook
    correction.patch()          # a unified diff of all files that were changed
    correction.checked.verdict  # of an examination of what came out

Nothing is written here.  The repairs were tried on the source as the doctor reads it; they are carried over
to what is on the disk line by line, so that a notebook keeps its other cells and a file its line ends.
"""

from __future__ import annotations

import json
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import MinigradError
from ...text.escape import visible
from ...text.translation import say

if TYPE_CHECKING:
    from .report import Report

__all__ = ["Correction", "CorrectionError", "correct"]

NO_END = "\n\\ No newline at end of file\n"


class CorrectionError(MinigradError, ValueError):
    """There is nothing that could be written; the message says why."""


@dataclass(frozen=True)
class Correction:
    files: Mapping[Path, tuple[str, str]]  # as it is on the disk, and as it should be
    encodings: Mapping[Path, str]
    checked: Report  # of the corrected engine

    def copy(self) -> bytes:
        """The corrected file; CorrectionError where several files have to be changed."""
        if len(self.files) > 1:
            names = ", ".join(visible(path.name) for path in self.files)
            raise CorrectionError(say("doctor.fix.several", names=names))
        (path, (_, after)), *_ = self.files.items()
        return after.encode(self.encodings[path])

    def patch(self) -> bytes:
        """For `git apply` or `patch -p1`, in the folder that it is made in."""
        found = []
        for path, (before, after) in self.files.items():
            name = _name(path)
            lines = unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
            text = "".join(line if line.endswith("\n") else line + NO_END for line in lines)
            found.append(text.encode(self.encodings[path]))
        return b"".join(found)

    @property
    def path(self) -> Path:
        """The first file that is changed."""
        return next(iter(self.files))


def correct(report: Report) -> Correction:
    """What an examination found, made: and examined again; CorrectionError where no repair was confirmed."""
    from .examination import examine_corrected

    if not report.corrected:
        words = "doctor.fix.right" if not report.findings else "doctor.fix.none"
        raise CorrectionError(say(words))
    files, encodings = {}, {}
    for name, text in report.corrected.items():
        path = Path(name)
        raw, encodings[path] = _on_disk(path)
        is_examined = path == report.subject.path
        source = report.subject.source if is_examined else raw.replace("\r\n", "\n")
        if is_examined and report.subject.cells:
            files[path] = raw, _notebook(raw, report.subject.cells, source, text)
        else:
            files[path] = raw, _file(raw, source, text)
    return Correction(files, encodings, examine_corrected(report))


def _lines(text: str) -> list[str]:
    """With their ends; a form feed ends none."""
    return [line for line in re.split(r"(?<=\n)", text) if line]


def _name(path: Path) -> str:
    """As seen from here; of a file that lies elsewhere its name alone: a patch must not leave its folder."""
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.name


def _on_disk(path: Path) -> tuple[str, str]:
    """The text with its own line ends, and its encoding."""
    if path.suffix == ".ipynb":
        encoding = "utf-8-sig" if path.read_bytes().startswith(b"\xef\xbb\xbf") else "utf-8"
    else:
        with path.open("rb") as file:
            encoding = tokenize.detect_encoding(file.readline)[0]
    with path.open(encoding=encoding, newline="") as text:
        return text.read(), encoding


def _file(raw: str, source: str, text: str) -> str:
    end = "\r\n" if "\r\n" in raw else "\n"
    rows = raw.replace("\r\n", "\n").split("\n")
    return end.join(row for rows in _carried_over(rows, source.split("\n"), text.split("\n")) for row in rows)


def _carried_over(raw: Sequence[str], old: Sequence[str], new: Sequence[str]) -> list[list[str]]:
    """For each line that there is, the lines that stand in its place."""
    found = [[line] for line in raw]
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "insert":
            if i:
                found[i - 1] += new[k:m]
            else:
                found[0][:0] = new[k:m]
        elif tag != "equal":
            found[i:j] = [[*new[k:m]], *([] for _ in range(j - i - 1))]
    return found


def _notebook(raw: str, cells: Sequence[tuple[int, int]], source: str, text: str) -> str:
    document = json.loads(raw)
    old = source.split("\n")
    changed = _carried_over(old, old, text.split("\n"))
    ends = [first for _, first in cells[1:]] + [len(old) + 1]
    for (number, first), end in zip(cells, ends, strict=True):
        rows = changed[first - 1 : end - 1]
        mine = document["cells"][number]
        written = "".join(mine["source"]).split("\n")
        kept = [
            line if now == [was] else now
            for line, was, now in zip(([row] for row in written), old[first - 1 :], rows, strict=False)
        ]
        after = "\n".join(row for part in kept for row in part)
        if after != "\n".join(written):
            mine["source"] = after.splitlines(keepends=True) if isinstance(mine["source"], list) else after
    return _like(raw, document)


def _like(raw: str, document: object) -> str:
    """JSON laid out as it was, so that a patch holds what is new and nothing else."""
    for how in _layouts():
        if json.dumps(json.loads(raw), **how) == raw.rstrip("\n"):  # type: ignore[arg-type]
            return json.dumps(document, **how) + raw[len(raw.rstrip("\n")) :]  # type: ignore[arg-type]
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _layouts() -> Iterator[dict[str, object]]:
    for indent in (1, 2, 4, None):
        for ascii_alone in (False, True):
            yield {"indent": indent, "ensure_ascii": ascii_alone}
    yield {"separators": (",", ":"), "ensure_ascii": False}
