"""Place of a rule's definition: the file and the line of the function that computes its gradient."""

from __future__ import annotations

import inspect
import os
from dataclasses import dataclass
from types import CodeType

__all__ = ["RulePlace", "code_of", "place_of"]


@dataclass(frozen=True, slots=True)
class RulePlace:
    """A line of a file; "" and 0 where it is not known."""

    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.file else ""

    def below(self, folder: str) -> RulePlace:
        """The same place with its file as it is called in a folder."""
        try:
            file = os.path.relpath(self.file, folder) if self.file else ""
        except ValueError:  # on another drive
            return self
        return self if file.startswith(os.pardir) else RulePlace(file, self.line)


def code_of(function: object) -> CodeType | None:
    """The code of a function below its decorators; None where it has none of Python."""
    try:
        found = inspect.unwrap(function)  # type: ignore[arg-type]
    except (ValueError, TypeError):
        found = function
    found = getattr(found, "__func__", found)
    code = getattr(found, "__code__", None)
    return code if isinstance(code, CodeType) else None


def place_of(*functions: object) -> RulePlace:
    """Where the first of these that is a function of Python was written."""
    for function in functions:
        code = code_of(function)
        if code is not None:
            return RulePlace(code.co_filename, code.co_firstlineno)
    return RulePlace()
