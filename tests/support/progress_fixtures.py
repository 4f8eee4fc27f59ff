"""What tests of progress share: a clock that is set by hand, a question, two judgements."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from minigrad.learn.questions import Judgement

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=timezone(timedelta(hours=1)))


@dataclass
class Asked:
    """As much of a question as progress looks at."""

    key: str = "diamonds/all-three"
    kind: str = "gradient"
    unit: str = "diamonds"


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def days(self, count: int) -> None:
        self.now += timedelta(days=count)


RIGHT, WRONG = Judgement(True, ()), Judgement(False, (), fault="overwrite")
