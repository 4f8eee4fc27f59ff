"""Answer to a pasted engine: the report of the command, or the jobs that have to run first.

An examination is asked for again and again, each time with what the jobs came to that were asked for before:
see `engine_workers`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from ..doctor.engine.examination import examine
from ..doctor.engine.source import SubjectError
from ..doctor.sandbox.message_fields import mapping, rows
from ..text.numerals import counted
from ..text.translation import LANGUAGES, say
from .engine_workers import EngineWorkers, NeededError

__all__ = ["doctor_answer"]

Data = dict[str, object]
FOLDER = Path("/engine")
LONGEST = 1_000_000  # characters of an engine or a notebook


def doctor_answer(fields: Mapping[str, object]) -> Data:
    """`name`, `source`, and in `ended` what came of each batch of jobs that was needed."""
    source, name = fields.get("source"), Path(str(fields.get("name"))).name
    if not isinstance(source, str) or len(source) > LONGEST:
        return _refusal(say("web.doctor.long", most=counted(LONGEST)))
    if not source.strip():
        return _refusal(say("web.doctor.empty"))
    if Path(name).suffix not in (".py", ".ipynb"):
        name = f"engine{'.ipynb' if _is_notebook(source) else '.py'}"
    path = _written(name, source)
    ended = [[mapping(one) for one in rows(batch)] for batch in rows(fields.get("ended", []))]
    runner = EngineWorkers(str(FOLDER), ended)
    try:
        report = examine(path, runner=runner)
    except NeededError as needed:
        return {"ok": True, "needed": [runner.as_data(job) for job in needed.jobs]}
    except SubjectError as error:
        return _refusal(str(error))
    return {
        "ok": True,
        "verdict": report.verdict,
        "pages": {language: report.html(lang=language) for language in LANGUAGES},
        "texts": {language: report.text(lang=language) for language in LANGUAGES},
        "report": report.to_json(),
    }


def _written(name: str, source: str) -> Path:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    path = FOLDER / name
    path.write_text(source, encoding="utf-8", errors="surrogatepass")
    return path


def _is_notebook(source: str) -> bool:
    try:
        found = json.loads(source)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "cells" in found


def _refusal(message: str) -> Data:
    return {"ok": False, "error": {"code": "doctor", "message": message}}
