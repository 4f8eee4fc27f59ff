"""Changes of the scripts: all that `script_mutants.js` makes, a sample of them, and scripts that contain it.

A change is chosen by a hash of its file, its function and its lines, so that an edit elsewhere leaves the
sample as it was.  In a planted script each chosen change is behind a switch:

    if (x < 3) ...      if ((globalThis.__mutant?.(17) ? (x <= 3) : (x < 3))) ...
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from survivors import SOURCE, Change

GENERATOR = Path(__file__).with_name("script_mutants.js")
LISTED = Path(__file__).with_name("script_survivors.toml")
FOLDERS = ("player", "studio", "learn", "learn/classroom")

# The share of each kind that is tried.  Boundaries are where mistakes are made, and fractions are tolerances;
# most strings are classes of elements, and most whole numbers are sizes.
SHARES = {
    "fraction": 0.50,
    "boundary": 0.40,
    "regex": 0.30,
    "method": 0.07,
    "number": 0.05,
    "boolean": 0.06,
    "condition": 0.04,
    "operator": 0.04,
    "statement": 0.03,
    "string": 0.008,
}
SMALL = {"learn": 3}  # a folder with little code is looked at more closely


@dataclass(frozen=True)
class ScriptMutant:
    """One change at one place: a span of a file, and what stands there instead."""

    change: Change
    kind: str
    start: int
    end: int
    replacement: str
    statement: bool  # rather than an expression

    @property
    def folder(self) -> str:
        return self.change.file.partition("/")[0]


def script_files(source: Path = SOURCE) -> list[str]:
    return [f"{folder}/{path.name}" for folder in FOLDERS for path in sorted((source / folder).glob("*.js"))]


def node_program() -> str:
    program = shutil.which("node")
    if program is None:
        raise RuntimeError("node is missing; on Debian: apt-get install nodejs")
    return program


def script_mutants(files: Sequence[str], source: Path, modules: Path) -> list[ScriptMutant]:
    """All changes of these files, in the order of their places."""
    made = subprocess.run(
        [node_program(), GENERATOR, source, *files],
        env=os.environ | {"NODE_PATH": str(modules)},
        stdout=subprocess.PIPE,
        check=True,
    )
    texts = {file: (source / file).read_text(encoding="utf-8") for file in files}
    found = []
    for row in json.loads(made.stdout):
        text = texts[row["file"]]
        start, end = (_python_place(text, row[name]) for name in ("start", "end"))
        change = Change(row["file"], row["function"], *_lines(text, start, end, row["replacement"]))
        found.append(ScriptMutant(change, row["kind"], start, end, row["replacement"], row["statement"]))
    return found


def _python_place(text: str, place: int) -> int:
    """JavaScript counts units of UTF-16."""
    if text.isascii():
        return place
    return len(text.encode("utf-16-le")[: 2 * place].decode("utf-16-le"))


def _lines(text: str, start: int, end: int, replacement: str) -> tuple[str, str]:
    """The lines around a span, before and after it is replaced."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    return _stripped(text[first:last]), _stripped(text[first:start] + replacement + text[end:last])


def _stripped(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines())


def sampled(mutants: Iterable[ScriptMutant], shares: Mapping[str, float] = SHARES) -> list[ScriptMutant]:
    """Those to try: of several with the same lines in one function, the first."""
    chosen: dict[Change, ScriptMutant] = {}
    for mutant in mutants:
        share = shares[mutant.kind] * SMALL.get(mutant.folder, 1)
        if _lot(mutant.change) < share:
            chosen.setdefault(mutant.change, mutant)
    return [*chosen.values()]


def _lot(change: Change) -> float:
    """A number from 0 to 1 that depends on nothing but the change."""
    return int.from_bytes(sha256("\0".join(change).encode()).digest()[:7]) / 2**56


def planted(text: str, mutants: Mapping[int, ScriptMutant]) -> str:
    """A script with these changes of it behind switches; each is known by its number."""
    inside: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, mutant in mutants.items():
        inside[mutant.start, mutant.end].append(number)
    spans = sorted(inside, key=lambda span: (span[0], -span[1]))

    def written(start: int, end: int, within: list[tuple[int, int]]) -> str:
        """The text of a span, in which the spans of `within` have their switches."""
        parts, place = [], start
        while within:
            span = within.pop(0)
            nested = []
            while within and within[0][1] <= span[1]:
                nested.append(within.pop(0))
            parts += [text[place : span[0]], _switch(written(*span, nested), [*inside[span]])]
            place = span[1]
        return "".join([*parts, text[place:end]])

    def _switch(kept: str, numbers: list[int]) -> str:
        for number in numbers:
            mutant, asked = mutants[number], f"globalThis.__mutant?.({number})"
            if mutant.statement:
                kept = f"{{ if (!{asked}) {{ {kept} }} }}"
            else:
                kept = f"({asked} ? ({mutant.replacement}) : ({kept}))"
        return kept

    return written(0, len(text), spans)
