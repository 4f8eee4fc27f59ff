"""Entry point of the command `minigrad`: a thin shell over the packages.

Exit codes: 0 all is right, 1 a check failed, 2 the input was bad, 3 nobody could judge.  A message about
bad input goes to stderr; a user never sees a traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TextIO

from ..text.escape import visible
from ..text.translation import LANGUAGES, say, speaking
from .argument_values import quoted
from .arguments import UsageError, take_apart
from .commands import BAD_INPUT, COMMANDS, OWN_PASS, RIGHT
from .output import reason

__all__ = ["main"]

INTERRUPTED = 130


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
        return _unheard(code)
    except BrokenPipeError:  # the reader went away, as `| head` does
        _silence(sys.stdout)
        return RIGHT
    except OSError as error:
        _silence(sys.stdout)
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

    given, known = quoted(words[0]), ", ".join(COMMANDS)
    close = get_close_matches(words[0], COMMANDS, 1, 0.6)
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
                raise UsageError(say("language.unknown", given=quoted(wish), known=", ".join(LANGUAGES)))
            if any(other == "--lang" or other.startswith("--lang=") for other in rest[i:]):
                raise UsageError(say("usage.twice", given="--lang"))
            return wish, rest
    return None, words


def _run(words: list[str]) -> int:
    if not words:
        _tell_of_edited_textbook()
        from .commands.explain import welcome

        return welcome()
    command, rest = words[0], words[1:]
    if command in ("--version", "version"):
        from .. import ENGINE, __version__

        print(f"minigrad {__version__} ({say(f'version.{ENGINE}')})")
        return RIGHT
    if command in ("--help", "-h", "help"):
        print(say("help"))
        return RIGHT
    if command not in COMMANDS:
        if command.startswith("--"):
            take_apart(words, {"help": "", "version": "", "lang": "LANG"})
        raise UsageError(_no_command(words))
    if "--help" in rest[: rest.index("--") if "--" in rest else len(rest)]:
        print(say(f"help.{command}"))
        return RIGHT
    if command in OWN_PASS:
        _tell_of_edited_textbook()
    code: int = import_module(f".commands.{COMMANDS[command]}", __package__).run(rest)
    return code


def _tell_of_edited_textbook() -> None:
    """A line on stderr where scalar.py was edited and the command does not use it."""
    from .._native.textbook_checksum import SCALAR, is_edited, tell_once

    if is_edited():
        near = SCALAR.startswith(os.getcwd() + os.sep)
        tell_once(visible(say("engine.own_pass", path=os.path.relpath(SCALAR) if near else SCALAR)))


# ---- the terminal -------------------------------------------------------------------------------


def _open_streams() -> None:
    """Streams that can take everything: a closed one is nowhere, a character that the terminal's
    encoding lacks is written as an escape."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 until the process ends
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _silence(stream: TextIO) -> None:
    """What it still holds goes nowhere, and fails no more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _message(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename}: {reason(error)}" if error.filename else reason(error)
    return str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)


def _unheard(code: int) -> int:
    """The code, when what stderr still holds cannot be written either: Python would end with 120 for that."""
    try:
        sys.stderr.flush()
    except OSError:
        _silence(sys.stderr)
    return code


def _complain(message: str) -> int:
    shown = "\n".join(map(visible, message.split("\n")))  # it may quote what was typed
    try:
        print(f"minigrad: {shown}", file=sys.stderr, flush=True)
    except OSError:  # nobody can be told
        _silence(sys.stderr)
    return BAD_INPUT
