"""Verdicts of the doctor, on an engine or on a backward rule."""

from __future__ import annotations

from typing import Final, Literal, TypeGuard, get_args

__all__ = ["CORRECT", "LIMITED", "NOT_EXAMINED", "WRONG", "Verdict", "is_verdict"]

Verdict = Literal["correct", "wrong", "limited", "not examined"]  # as they stand in JSON documents

CORRECT: Final = "correct"
WRONG: Final = "wrong"
LIMITED: Final = "limited"  # right as far as it goes, and ordinary programs need more
NOT_EXAMINED: Final = "not examined"


def is_verdict(found: object) -> TypeGuard[Verdict]:
    return isinstance(found, str) and found in get_args(Verdict)
