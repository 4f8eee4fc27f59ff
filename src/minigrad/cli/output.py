"""Output of a command: to the terminal, or into a file that is written whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from errno import EACCES, EISDIR, ENOENT, ENOSPC, ENOTDIR, EPERM, EROFS
from pathlib import Path
from typing import Protocol, TypeVar, overload

from ..text.escape import visible
from ..text.files import rows_json, write_whole
from ..text.page import ROWS, Ink, Page
from ..text.translation import say
from .argument_values import quoted
from .arguments import Arguments, UsageError

__all__ = ["CommandResult", "Form", "file_writer", "fitting", "page", "reason", "writer"]


class CommandResult(Protocol):
    """A result that a command prints or writes; the options of its text and its Markdown are its own."""

    @property
    def text(self) -> Callable[..., str]: ...

    @property
    def markdown(self) -> Callable[..., str]: ...

    def to_json(self) -> Mapping[str, object]: ...


R = TypeVar("R", bound=CommandResult)
T = TypeVar("T")
Form = Callable[[T], str | bytes]


@overload
def writer(arguments: Arguments) -> Callable[[CommandResult], None]: ...


@overload
def writer(arguments: Arguments, forms: Mapping[str, Form[R]], **how: object) -> Callable[[R], None]: ...


def writer(
    arguments: Arguments, forms: Mapping[str, Form[R]] | None = None, **how: object
) -> Callable[[R], None]:
    """A function that prints or writes a result as --json, --out and --all ask; made before the work is done.

    A result has `text(page=..., **how)`, `markdown(**how)` and `to_json()`; `how` are wishes of its own
    command, such as the views.  `forms` are the endings that a command knows beyond those, or in their place.
    """
    known: dict[str, Form[R]] = {
        ".json": _json,
        ".md": lambda result: result.markdown(**how),
        ".txt": lambda result: result.text(page=Page(), **how),
        **(forms or {}),
    }
    if "out" not in arguments.options:
        if arguments.flag("json"):
            return lambda result: print(_json(result), end="")
        sheet = page(arguments.flag("all"))
        return lambda result: print(fitting(result.text(page=sheet, **how)), end="")
    return file_writer(arguments, known)


def file_writer(arguments: Arguments, forms: Mapping[str, Form[T]]) -> Callable[[T], None]:
    """A function that writes the file of --out; UsageError at once if its ending is none of these forms."""
    path = Path(arguments.options["out"])
    ending = ".json" if arguments.flag("json") and not path.suffix else path.suffix
    if ending not in forms:
        raise UsageError(say("usage.ending", given=quoted(path.name), known=", ".join(forms)))
    if arguments.flag("json") and ending != ".json":
        raise UsageError(say("usage.json_ending", given=quoted(path.name)))

    def write(result: T) -> None:
        _write(path, forms[ending](result))
        print(say("out.written", path=visible(str(path))))

    return write


def _json(result: CommandResult) -> str:
    return rows_json(dict(result.to_json()))


def _write(path: Path, content: str | bytes) -> None:
    try:
        write_whole(path, content)
    except OSError as error:
        raise UsageError(say("out.failed", path=visible(str(path)), why=reason(error))) from None


def page(everything: bool = False) -> Page:
    """A page as wide as the terminal, in colour where that is wanted."""
    from shutil import get_terminal_size

    width = min(100, max(40, get_terminal_size((80, 24)).columns - 2))
    wanted = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Page(width=width, rows=None if everything else ROWS, ink=Ink(wanted))


_ASCII = str.maketrans({"━": "=", "═": "=", "│": "|", "◀": "<", "▶": ">", "∂": "d", "●": "*", "○": "."})


def fitting(text: str) -> str:
    """The text, in ASCII drawing where the terminal's encoding has no others."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        from ..drawing.braille import ASCII  # curves

        return text.translate(_ASCII).translate(ASCII)
    return text


_REASONS = {
    EACCES: "denied",
    EPERM: "denied",
    EROFS: "denied",
    ENOENT: "missing",
    ENOTDIR: "missing",
    EISDIR: "folder",
    ENOSPC: "full",
}


def reason(error: OSError) -> str:
    """Why the system refused, in the language in use where the reason is a usual one."""
    key = _REASONS.get(error.errno or 0)
    return say(f"system.{key}") if key else str(error.strerror or error)
