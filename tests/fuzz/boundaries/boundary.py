"""Boundary, the base class of what is fuzzed: it makes inputs, and checks what becomes of one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from random import Random
from typing import Any, ClassVar

__all__ = ["ACCEPTED", "Boundary", "WrongAcceptanceError", "wrong_unless"]

ACCEPTED = ""


class WrongAcceptanceError(AssertionError):
    """An input was accepted, and what came of it contradicts itself or an independent reader."""


def wrong_unless(right: bool, why: str) -> None:
    if not right:
        raise WrongAcceptanceError(why)


class Boundary(ABC):
    """One boundary.  Both methods depend on their arguments alone, so that a number repeats an input."""

    name: ClassVar[str]
    count: ClassVar[int]  # inputs that the test suite tries
    batch: ClassVar[int] = 500  # inputs for one process

    def prepare(self) -> None:  # noqa: B027 some need nothing
        """Make what all inputs need; called once, before the processes are started."""

    def begin(self, folder: Path) -> None:  # noqa: B027 some need nothing
        """Make what one process needs; called once in each, with an empty folder that is removed after it."""

    @abstractmethod
    def input(self, random: Random) -> Any:
        """One input; most of them are valid ones with something changed."""

    @abstractmethod
    def check(self, given: Any) -> str:
        """ACCEPTED, or the name of the documented error by which the input was refused.

        WrongAcceptanceError for what should have been refused; any other error is a crash.
        """

    def shown(self, given: Any) -> str:
        """The input in words, for the report of a failure; one that is long is cut."""
        return repr(given)[:100_000]
