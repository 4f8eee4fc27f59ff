"""The command `minigrad`: a thin shell over the rooms.

Exit codes: 0 all is right, 1 a check failed, 2 the input was bad.  A message about bad input
goes to stderr; a user never sees a traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from .arguments import Arguments, UsageError, take_apart
from .messages import LANGUAGES, say, speaking

if TYPE_CHECKING:
    from .explain import Explanation, Page

__all__ = ["main"]

RIGHT, WRONG, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
CLASSIC = "ab = a*b; e = ab + c; f = a - c; L = e*f"
CLASSIC_INPUTS = ("a=2", "b=3", "c=4")

_EXPLAIN = {"view": "VIEWS", "json": "", "out": "FILE", "all": "", "help": "", "lang": "LANG"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is the result."""
    words = list(sys.argv[1:] if argv is None else argv)
    _make_total(sys.stdout)
    _make_total(sys.stderr)
    try:
        try:
            lang, words = _take_language(words)
            with speaking(lang):
                return _run(words)
        except UsageError as error:
            return _complain(str(error))
        except (ValueError, KeyError, OSError) as error:
            if isinstance(error, BrokenPipeError):
                raise
            return _complain(_message(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader went away, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return RIGHT


def _take_language(words: list[str]) -> tuple[str | None, list[str]]:
    """--lang, which any command may have anywhere, and the words without it."""
    for i, word in enumerate(words):
        if word == "--":
            break
        if word == "--lang" or word.startswith("--lang="):
            last = i + 2 if word == "--lang" else i + 1
            wish = (words[i + 1 : i + 2] or [""])[0] if word == "--lang" else word[7:]
            if wish not in LANGUAGES:
                raise UsageError(say("language.unknown", given=_quoted(wish), known=", ".join(LANGUAGES)))
            return wish, words[:i] + words[last:]
    return None, words


def _run(words: list[str]) -> int:
    if not words:
        return _welcome()
    command, rest = words[0], words[1:]
    if command in ("--version", "version"):
        from . import __version__

        print(f"minigrad {__version__}")
        return RIGHT
    if command in ("--help", "-h", "help"):
        print(say("help"))
        return RIGHT
    if command not in _COMMANDS:
        if command.startswith("--"):
            take_apart(words, {"help": "", "version": "", "lang": "LANG"})
        raise UsageError(say("usage.command", given=_quoted(command), known=", ".join(_COMMANDS)))
    if "--help" in rest or "-h" in rest:
        print(say(f"help.{command}"))
        return RIGHT
    return _COMMANDS[command](rest)


# ---- minigrad explain ---------------------------------------------------------------------------


def _explain(words: Sequence[str]) -> int:
    from .explain.explanation import explain

    arguments = take_apart(words, _EXPLAIN)
    if not arguments.words:
        raise UsageError(say("usage.expression"))
    text = sys.stdin.read() if arguments.words[0] == "-" else arguments.words[0]
    views = _views(arguments.options.get("view"))
    write = _writer(arguments)
    explanation = explain(text, _inputs(arguments.words[1:]))
    write(explanation, views)
    return RIGHT if explanation.testimony.right else WRONG


def _inputs(words: Sequence[str]) -> dict[str, float]:
    """name=value words; a value is a number, or an expression of numbers such as 1/3."""
    inputs: dict[str, float] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or not value:
            raise UsageError(say("usage.input", given=_quoted(word)))
        if not (name.isascii() and name.isidentifier()):
            raise UsageError(say("usage.input_name", given=_quoted(name)))
        if name in inputs:
            raise UsageError(say("usage.input_twice", name=name))
        inputs[name] = _number(name, value)
    return inputs


def _number(name: str, text: str) -> float:
    from .language import LanguageError, parse

    try:
        graph = parse(text)
    except LanguageError:
        graph = None
    if graph is None or graph.inputs:
        raise UsageError(say("usage.input_number", name=name, given=_quoted(text)))
    number: float = graph.evaluate()[graph.output]
    return number


def _views(wish: str | None) -> tuple[str, ...]:
    from .explain.explanation import VIEWS

    if wish is None:
        return VIEWS
    chosen = tuple(view.strip() for view in wish.split(","))
    for view in chosen:
        if view not in VIEWS:
            raise UsageError(say("view.unknown", given=_quoted(view), known=", ".join(VIEWS)))
    return chosen


def _writer(arguments: Arguments) -> Callable[..., None]:
    """Where the explanation goes, decided before the work is done."""
    from .documents import rows_json

    def as_json(explanation: Explanation, _views: object) -> str:
        return rows_json(explanation.to_json())

    forms: dict[str, Callable[..., str]] = {
        ".json": as_json,
        ".md": lambda explanation, views: explanation.markdown(views),
        ".txt": lambda explanation, views: explanation.text(views),
    }
    if "out" not in arguments.options:
        if arguments.flag("json"):
            return lambda explanation, views: print(as_json(explanation, views), end="")
        page = _page(arguments.flag("all"))
        return lambda explanation, views: print(_fitting(explanation.text(views, page=page)), end="")
    path = Path(arguments.options["out"])
    ending = ".json" if arguments.flag("json") and not path.suffix else path.suffix
    if ending not in forms:
        raise UsageError(say("usage.ending", given=_quoted(path.name), known=", ".join(forms)))
    if arguments.flag("json") and ending != ".json":
        raise UsageError(say("usage.json_ending", given=_quoted(path.name)))

    def write(explanation: Explanation, views: tuple[str, ...]) -> None:
        _write_whole(path, forms[ending](explanation, views))
        print(say("out.written", path=path))

    return write


def _write_whole(path: Path, text: str) -> None:
    """Write beside the file and rename, so that a failure leaves an old file as it was."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise UsageError(say("out.failed", path=path, why=error.strerror)) from None


def _welcome() -> int:
    print(f'{say("welcome.what")}\n\n$ minigrad explain "{CLASSIC}" {" ".join(CLASSIC_INPUTS)}\n')
    code = _explain([CLASSIC, *CLASSIC_INPUTS])
    print("\n" + say("welcome.next"))
    return code


_COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {"explain": _explain}


# ---- the terminal -------------------------------------------------------------------------------


def _page(everything: bool) -> Page:
    from shutil import get_terminal_size

    from .explain.explanation import ROWS
    from .explain.page import Ink, Page

    width = min(100, max(40, get_terminal_size((80, 24)).columns - 2))
    wanted = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Page(width=width, rows=None if everything else ROWS, ink=Ink(wanted))


_ASCII = str.maketrans({"━": "=", "═": "=", "│": "|", "◀": "<", "▶": ">"})


def _fitting(text: str) -> str:
    """The text, in ASCII drawing where the terminal's encoding has no others."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return text.translate(_ASCII)
    return text


def _make_total(stream: TextIO) -> None:
    """A character that the terminal's encoding lacks is written as an escape, not an error."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")


def _quoted(text: str) -> str:
    """What was typed, on one short line, with nothing in it that a terminal would act on."""
    return ascii(text) if len(text) <= 60 else ascii(text[:57]) + "..."


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)


def _complain(message: str) -> int:
    print(f"minigrad: {message}", file=sys.stderr)
    return BAD_INPUT
