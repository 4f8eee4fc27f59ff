"""Programs with gradient bugs, and the same made right, as docs/compared/torch_programs.jsonl lists them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minigrad.xray import child
from source_trees import ROOT

FOLDER = ROOT / "tests" / "data" / "torch_programs"
LIST = ROOT / "docs" / "compared" / "torch_programs.jsonl"


@dataclass(frozen=True)
class TorchProgram:
    file: str
    family: str
    line: int
    instead: list[list[str]]

    @property
    def wrong(self) -> str:
        return (FOLDER / self.file).read_text(encoding="utf-8")

    @property
    def right(self) -> str:
        text = self.wrong
        for old, new in self.instead:
            assert old in text
            text = text.replace(old, new, 1)
        return text


def programs() -> list[TorchProgram]:
    rows = map(json.loads, LIST.read_text(encoding="utf-8").splitlines())
    return [TorchProgram(row["file"], row["family"], row["line"], row["instead"]) for row in rows]


def examined(text: str, folder: Path, name: str = "program.py") -> dict[str, Any]:
    """The report on a program, as the child process would send it, without a process of its own."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    sent: list[Any] = []
    request = {
        "file": str(path),
        "folder": str(folder),
        "function": "",
        "intended": [],
        "language": "en",
        "seconds": None,
    }
    child.main(request, sent.append)
    (report,) = sent
    return report
