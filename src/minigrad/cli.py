"""The command `minigrad`: a thin shell over the rooms.

Exit codes: 0 all is right, 1 a check failed, 2 the input was bad.  A message about bad input
goes to stderr; a user never sees a traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from errno import EACCES, EISDIR, ENOENT, ENOSPC, EPERM, EROFS
from pathlib import Path
from typing import TYPE_CHECKING

from .arguments import Arguments, UsageError, take_apart
from .messages import LANGUAGES, say, speaking

if TYPE_CHECKING:
    from .explain import Explanation, Page

__all__ = ["main"]

RIGHT, WRONG, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

_EXPLAIN = {"view": "VIEWS", "json": "", "out": "FILE", "all": "", "help": "", "lang": "LANG"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is the result."""
    words = list(sys.argv[1:] if argv is None else argv)
    _open_streams()
    try:
        try:
            code = _speak(words)
        except KeyboardInterrupt:
            code = INTERRUPTED
        sys.stdout.flush()  # here, where a failure is still ours to handle
        return code
    except BrokenPipeError:  # the reader went away, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return RIGHT
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _complain(_message(error))


def _speak(words: list[str]) -> int:
    """Run a command in the language that it asks for; what is wrong with the input is complained of."""
    try:
        lang, words = _take_language(words)
        with speaking(lang):
            try:
                return _run(words)
            except (UsageError, ValueError, KeyError) as error:
                return _complain(_message(error))
            except MemoryError:
                return _complain(say("usage.memory"))
    except UsageError as error:
        return _complain(str(error))


def _no_command(words: list[str]) -> str:
    """The complaint about a first word that is no command, with what was probably meant."""
    from difflib import get_close_matches

    given, known = _quoted(words[0]), ", ".join(_COMMANDS)
    close = get_close_matches(words[0], _COMMANDS, 1, 0.6)
    if close:
        return say("usage.command.close", given=given, close=close[0])
    if any(sign in words[0] for sign in "+-*/=()"):
        return say("usage.command.forgotten", given=given)
    return say("usage.command", given=given, known=known)


def _take_language(words: list[str]) -> tuple[str | None, list[str]]:
    """--lang, which any command may have anywhere, and the words without it."""
    for i, word in enumerate(words):
        if word == "--":
            break
        if word == "--lang" or word.startswith("--lang="):
            rest = words[:i] + words[i + (2 if word == "--lang" else 1) :]
            wish = words[i + 1] if word == "--lang" and words[i + 1 :] else word[7:]
            if not wish:
                raise UsageError(say("usage.value", given="--lang", value="|".join(LANGUAGES)))
            if wish not in LANGUAGES:
                raise UsageError(say("language.unknown", given=_quoted(wish), known=", ".join(LANGUAGES)))
            if any(other == "--lang" or other.startswith("--lang=") for other in rest[i:]):
                raise UsageError(say("usage.twice", given="--lang"))
            return wish, rest
    return None, words


def _run(words: list[str]) -> int:
    if not words:
        return _welcome()
    command, rest = words[0], words[1:]
    if command in ("--version", "version"):
        from . import ENGINE, __version__

        print(f"minigrad {__version__} ({say(f'version.{ENGINE}')})")
        return RIGHT
    if command in ("--help", "-h", "help"):
        print(say("help"))
        return RIGHT
    if command not in _COMMANDS:
        if command.startswith("--"):
            take_apart(words, {"help": "", "version": "", "lang": "LANG"})
        raise UsageError(_no_command(words))
    if "--help" in rest[: rest.index("--") if "--" in rest else len(rest)]:
        print(say(f"help.{command}"))
        return RIGHT
    return _COMMANDS[command](rest)


# ---- minigrad explain ---------------------------------------------------------------------------


def _explain(words: Sequence[str]) -> int:
    from .explain.explanation import explain

    arguments = take_apart(words, _EXPLAIN)
    if not arguments.words:
        raise UsageError(say("usage.expression"))
    text = _standard_input() if arguments.words[0] == "-" else arguments.words[0]
    views = _views(arguments.options.get("view"))
    write = _writer(arguments)
    explanation = explain(text, _inputs(arguments.words[1:]))
    write(explanation, views)
    return RIGHT if explanation.testimony.right else WRONG


def _standard_input() -> str:
    return sys.stdin.read() if sys.stdin is not None else ""


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
        print(say("out.written", path=_shown(path)))

    return write


def _write_whole(path: Path, text: str) -> None:
    """Write beside the file and rename, so that a failure leaves an old file as it was.

    A link is followed, the mode of an old file is kept, and what is no file (a device, a pipe) is
    written to as it is.
    """
    path = Path(os.path.realpath(path))
    beside = path.with_name(f".minigrad-{os.getpid()}.part") if path.name else path
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")
            return
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(EACCES, os.strerror(EACCES))
        try:
            beside.write_text(text, encoding="utf-8")
            if path.exists():
                beside.chmod(path.stat().st_mode & 0o777)
            beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(say("out.failed", path=_shown(path), why=_reason(error))) from None


def _welcome() -> int:
    from .explain.explanation import CLASSIC

    text, inputs = CLASSIC
    words = [f"{name}={x:g}" for name, x in inputs.items()]
    print(f'{say("welcome.what")}\n\n$ minigrad explain "{text}" {" ".join(words)}\n')
    code = _explain([text, *words])
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


def _open_streams() -> None:
    """Streams that can take everything: a closed one is nowhere, a character that the terminal's
    encoding lacks is written as an escape."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 until the process ends
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _shown(path: Path) -> str:
    """A path, with nothing in it that a terminal would act on."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(path))


def _quoted(text: str) -> str:
    """What was typed, on one short line, with nothing in it that a terminal would act on."""
    return ascii(text) if len(text) <= 60 else ascii(text[:57]) + "..."


def _message(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename}: {_reason(error)}" if error.filename else _reason(error)
    return str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)


_REASONS = {
    EACCES: "denied",
    EPERM: "denied",
    EROFS: "denied",
    ENOENT: "missing",
    EISDIR: "folder",
    ENOSPC: "full",
}


def _reason(error: OSError) -> str:
    """Why the system refused, in the language in use where the reason is a usual one."""
    key = _REASONS.get(error.errno or 0)
    return say(f"system.{key}") if key else str(error.strerror or error)


def _complain(message: str) -> int:
    try:
        print(f"minigrad: {message}", file=sys.stderr, flush=True)
    except OSError:  # nobody can be told
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    return BAD_INPUT
