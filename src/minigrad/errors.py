"""Errors of minigrad: `MinigradError` is the root of all of them.

Each error that minigrad defines is a `MinigradError` and also the builtin error that a caller would expect,
so that either can be caught:

    minigrad.language.LanguageError            ValueError       a text that is no expression
    minigrad.functional.GradcheckError         AssertionError   a gradient that differences contradict
    minigrad.nn.CheckpointError                ValueError       a file that is no checkpoint
    minigrad.compiler.SavingError              ValueError       a file that is no saved program
    minigrad.doctor.SubjectError               ValueError       an engine that cannot be examined

Wrong arguments are a plain TypeError or ValueError, whose message says what to write instead.
"""

from __future__ import annotations

__all__ = ["MinigradError"]


class MinigradError(Exception):
    """Root of all errors that minigrad defines."""
