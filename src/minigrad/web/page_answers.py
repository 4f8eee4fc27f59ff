"""Answers to a page without a server: JSON for JSON, in one interpreter.

    answers = PageAnswers(Path("progress.json"))
    answers.text("explain", '{"text": "L = a*a"}', "en")

The studio's questions are answered by the studio.  Two are asked by no server: `program` runs what a reader
wrote, and `doctor` examines an engine.
What a learner has done is a file as the command keeps it; the page hands it over with each question about the
course, and keeps what comes back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from ..studio.gate import refusal
from ..studio.learner_progress import LearnerProgress
from ..studio.requests import LEARNED, ArriveRequest, LessonsRequest, RequestError, read_request
from ..studio.worker_process import answer_text
from ..text.translation import speaking
from .program_answer import program_answer

__all__ = ["PageAnswers"]

Data = dict[str, object]


class PageAnswers:
    def __init__(self, progress: Path) -> None:
        self._file = progress
        self._learner = LearnerProgress(progress)

    def warm(self) -> None:
        """Load what an answer needs before somebody waits for one."""
        self.text("explain", '{"text": "a = 2; b = 3; L = a*b + a"}', None)

    def text(self, api: str, fields: str, language: str | None) -> str:
        """The answer to a question."""
        if api == "program":
            with speaking(language):
                return _packed(program_answer(json.loads(fields)["source"]))
        if api == "doctor":
            from .doctor_answer import doctor_answer  # it loads much, and only one page asks it

            with speaking(language):
                return _packed(doctor_answer(json.loads(fields)))
        if api in ("lessons", "arrive", *LEARNED):
            return _packed(self._course_answer(api, json.loads(fields), language))
        return answer_text(api, fields, language)

    def keep(self, progress: str) -> None:
        """Go on from this text of the learner's file."""
        self._file.write_text(progress, encoding="utf-8")

    def kept(self) -> str:
        """What the learner's file says now."""
        return self._file.read_text(encoding="utf-8") if self._file.exists() else ""

    def _course_answer(self, api: str, fields: Mapping[str, object], language: str | None) -> Data:
        with speaking(language):
            try:
                asked = read_request(api, fields)
            except RequestError as error:
                return refusal("request", str(error))
            if isinstance(asked, LessonsRequest):
                return {"ok": True, **self._learner.contents()}
            if isinstance(asked, ArriveRequest):
                return {"ok": True, **self._learner.arrive(asked)}
        fields = self._learner.prepared(api, fields)
        found: Data = json.loads(answer_text(api, json.dumps(fields), language))
        if not found["ok"]:
            return found
        return found | self._learner.learned(read_request(api, fields), found)


def _packed(found: Data) -> str:
    return json.dumps(found, separators=(",", ":"), allow_nan=False)
