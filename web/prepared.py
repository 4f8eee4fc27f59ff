"""Answers that are computed when the site is built: what a page shows before Python is there, or without it.

They are the answers of the studio itself to the questions that its page asks about its examples.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from minigrad.studio import static_files
from minigrad.studio.answers import answer
from minigrad.studio.start_answer import start_answer
from minigrad.text.translation import LANGUAGES, catalogue

from .pages import BROWSER

__all__ = ["examples", "prepared_files", "programs"]

ENDS = ("server.time", "server.crashed")  # of a worker, which the page itself has to tell here


def examples() -> Iterator[str]:
    """The texts of the studio's menu, the one that greets first."""
    script = (Path(static_files.__file__).parent / "examples.js").read_text(encoding="utf-8")
    for found in re.finditer(r'\btext:\s*((?:"(?:[^"\\]|\\.)*"[\s+]*)+)', script):
        yield "".join(json.loads(part) for part in re.findall(r'"(?:[^"\\]|\\.)*"', found[1]))


def programs() -> Iterator[str]:
    """The texts of the menu of programs."""
    script = (BROWSER / "program_examples.js").read_text(encoding="utf-8")
    yield from re.findall(r"\btext: `([^`]*)`", script)


# The plain engine is what a browser has, and it alone says in which line a node was made.
ANSWER = """
import json, sys
from pathlib import Path
from minigrad.web.page_answers import PageAnswers
answers = PageAnswers(Path("nowhere"))
def said(language, source):
    return answers.text("program", json.dumps({"source": source}), language)
json.dump([said(*each) for each in json.load(sys.stdin)], sys.stdout)
"""


def _program_answers(asked: list[tuple[str, str]]) -> list[str]:
    given = {**os.environ, "MINIGRAD_PURE": "1"}
    words = [sys.executable, "-c", ANSWER]
    done = subprocess.run(
        words, input=json.dumps(asked), capture_output=True, text=True, check=True, env=given
    )
    found: list[str] = json.loads(done.stdout)
    return found


def prepared_files() -> dict[str, bytes]:
    """Names below prepared/ and what stands there; start.json says which answer is in which file."""
    files: dict[str, bytes] = {}
    table: dict[str, str] = {}

    def keep(question: str, body: bytes) -> None:
        name = f"{sha256(body).hexdigest()[:16]}.json"
        files[name] = body
        table[question] = name

    for text in examples():
        for language in LANGUAGES:
            for api in ("explain", "faults"):
                status, found = answer(api, {"text": text, "inputs": {}, "language": language})
                if status != 200 or not found["ok"]:
                    raise ValueError(f"no answer about {text!r}: {found}")
                body = _packed({name: each for name, each in found.items() if name != "serial"})
                keep(f"{api} {language} {text}", body)
    asked = [(language, source) for language in LANGUAGES for source in programs()]
    for (language, source), said in zip(asked, _program_answers(asked), strict=True):
        if not json.loads(said)["ok"]:
            raise ValueError(f"no answer about {source!r}: {said}")
        keep(f"program {language} {source}", said.encode())
    start = start_answer("", {})
    said = {key: row for key, row in catalogue().items() if key.startswith("web.") or key in ENDS}
    files["start.json"] = _packed({**start, "words": {**start["words"], **said}, "prepared": table})
    return files


def _packed(found: object) -> bytes:
    return json.dumps(found, separators=(",", ":"), allow_nan=False).encode()
