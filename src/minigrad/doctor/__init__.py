"""Examines other people's engines, custom backward functions and test suites.

    doctor.examine("engine.py")                  # what is wrong with this engine?
    doctor.examine_function(MyFunction, inputs)  # and with this torch.autograd.Function?

What is examined runs in a child process with limits; `confine.py` says what they are, and what not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rooms import opened_later

if TYPE_CHECKING:
    from .report import Report as Report
    from .report import examine as examine
    from .rules import examine_function as examine_function
    from .subject import SubjectError as SubjectError

__all__ = ["Report", "SubjectError", "examine", "examine_function"]

_LATER = {"Report": "report", "SubjectError": "subject", "examine": "report", "examine_function": "rules"}

__getattr__ = opened_later(__name__, _LATER)
