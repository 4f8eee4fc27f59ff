"""The course, for people who learn: `minigrad learn` in a terminal, these names in a notebook or a script.

    from minigrad.learn import check, question, reveal

    q = question("diamonds/what-is-right")      # one of a lesson; question("gradient:2:17") is generated
    print(q)
    print(check(q, a=-2, b=3))                  # a wrong answer is told by which mistake one gets there
    print(reveal(q))

The names here are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rooms import opened_later

if TYPE_CHECKING:
    from .course import unit as unit
    from .posed import check as check
    from .posed import command as command
    from .posed import exercise as exercise
    from .posed import picture as picture
    from .posed import question as question
    from .posed import reveal as reveal

_LATER = {
    "check": "posed",
    "command": "posed",
    "exercise": "posed",
    "picture": "posed",
    "question": "posed",
    "reveal": "posed",
    "unit": "course",
}

__all__ = [*_LATER]

__getattr__ = opened_later(__name__, _LATER)
