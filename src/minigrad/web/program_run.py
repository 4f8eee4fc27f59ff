"""A reader's own program, run as it stands, and the Value that it is about.

    ran = run_program("from micrograd.engine import Value\\na = Value(2.0)\\nL = a * a\\nL.backward()")
    ran.output, ran.printed, ran.spans[ran.output._index]

Whoever calls this lets strangers' code run in this interpreter: it is for a worker of a browser, where there
is nothing to reach, and which is ended if the program does not end.  Each node is made in some expression of
the program; which one is known exactly, from the instruction that was being executed.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from itertools import islice
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any

from .. import nn, scalar
from ..scalar import Value
from ..text.numerals import counted
from ..text.translation import say

__all__ = ["PRINTED", "ProgramFailure", "ProgramRun", "run_program"]

NAME = "<program>"
PRINTED = 100_000  # characters that a program may print
Span = tuple[int, int]  # characters of the source


@dataclass(frozen=True)
class ProgramFailure:
    """What went wrong, and where in the source."""

    message: str
    line: int | None = None
    span: Span | None = None


@dataclass
class ProgramRun:
    """What a program did: `output` is the Value that it is about, if there is one."""

    printed: str = ""
    output: Value | None = None
    names: dict[str, object] = field(default_factory=dict)
    spans: dict[int, Span] = field(default_factory=dict)  # by the place of a Value in the order of creation
    error: ProgramFailure | None = None


class _TooMuchError(BaseException):
    """The program prints without end; no `except Exception` of its own may catch this."""


class _Printed(StringIO):
    def write(self, text: str) -> int:
        if self.tell() + len(text) > PRINTED:
            super().write(text[: max(0, PRINTED - self.tell())])
            raise _TooMuchError
        return super().write(text)


def run_program(source: str) -> ProgramRun:
    """Run it; nothing that it does or lacks raises here, but for what asks this interpreter to end."""
    ran, printed = ProgramRun(), _Printed()
    try:
        body, last = _compiled(source)
    except (SyntaxError, ValueError) as error:  # ValueError: a null character
        ran.error = _syntax_error(source, error)
        return ran
    ran.names = {"__name__": "__main__", "__builtins__": __builtins__}
    lines = _Lines(source)
    with (
        _own_value(),
        _watched(ran, lines) as passes,
        _micrograd(),
        redirect_stdout(printed),
        redirect_stderr(printed),
    ):
        value: object = None
        try:
            exec(body, ran.names)
            if last is not None:
                value = eval(last, ran.names)
                if value is not None:
                    print(repr(value))
        except _TooMuchError:
            ran.error = ProgramFailure(say("web.program.output", most=counted(PRINTED)))
        except SystemExit:
            pass
        except BaseException as error:  # also KeyboardInterrupt, which a program can raise
            ran.error = _program_error(lines, error)
    ran.printed = printed.getvalue()
    ran.output = value if isinstance(value, Value) else _subject(passes, ran.names)
    return ran


def _compiled(source: str) -> tuple[CodeType, CodeType | None]:
    """The program, and its last line if that is an expression, whose value is shown as in a notebook."""
    tree = ast.parse(source, NAME)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    body = compile(tree, NAME, "exec")
    if not isinstance(last, ast.Expr):
        return body, None
    return body, compile(ast.Expression(last.value), NAME, "eval")


def _subject(passes: list[Value], names: Mapping[str, object]) -> Value | None:
    """The root of the last backward pass; without one, the newest Value that has a name."""
    if passes:
        return passes[-1]
    values = [each for each in names.values() if isinstance(each, Value) and each._children]
    return max(values, key=lambda value: value._index, default=None)


# ---- where each node is made --------------------------------------------------------------------


class _Lines:
    """Places in the source: Python counts lines and bytes, a page characters."""

    def __init__(self, source: str) -> None:
        self._lines = [f"{line}\n" for line in source.split("\n")]
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        if not 1 <= line <= len(self._lines):
            return self._starts[-1]
        text = self._lines[line - 1].encode()[:column].decode(errors="ignore")
        return self._starts[line - 1] + len(text)

    def span(self, code: CodeType, instruction: int) -> Span | None:
        """The expression that this instruction of the program belongs to."""
        found = next(islice(code.co_positions(), instruction // 2, None), None)
        if found is None or None in found:
            return None
        line, last_line, column, last_column = (place or 0 for place in found)
        return self.at(line, column), self.at(last_line, last_column)


def _frame_of_program(frame: FrameType | None) -> FrameType | None:
    while frame is not None and frame.f_code.co_filename != NAME:
        frame = frame.f_back
    return frame


@contextmanager
def _watched(ran: ProgramRun, lines: _Lines) -> Iterator[list[Value]]:
    """Note for each Value where it is made, and the root of each pass."""
    passes: list[Value] = []
    found: dict[tuple[CodeType, int], Span | None] = {}
    engine: Any = scalar
    created: Callable[[], int] = engine._created
    walk: Callable[..., object] = engine.backward

    def note() -> int:
        index = created()
        frame = _frame_of_program(sys._getframe(1))
        if frame is not None:
            key = (frame.f_code, frame.f_lasti)
            if key not in found:
                found[key] = lines.span(*key)
            span = found[key]
            if span is not None:
                ran.spans[index] = span
        return index

    def walk_and_note(roots: tuple[Value, ...], *words: object) -> object:
        passes[:] = roots[-1:]
        return walk(roots, *words)

    engine._created, engine.backward = note, walk_and_note
    try:
        yield passes
    finally:
        engine._created, engine.backward = created, walk


@contextmanager
def _own_value() -> Iterator[None]:
    """Value is afterwards as it was: what a program gives it or replaces is not there for the next one."""
    before = dict(vars(Value))
    try:
        yield
    finally:
        for name in [name for name in vars(Value) if name not in before]:
            delattr(Value, name)
        for name, own in before.items():
            if vars(Value).get(name) is not own:
                setattr(Value, name, own)


@contextmanager
def _micrograd() -> Iterator[None]:
    """`from micrograd.engine import Value`, and `micrograd.nn`, which has the same names as minigrad.nn."""
    engine, package = ModuleType("micrograd.engine"), ModuleType("micrograd")
    engine.Value = Value  # type: ignore[attr-defined]
    package.engine, package.nn, package.__path__ = engine, nn, []  # type: ignore[attr-defined]
    given = {"micrograd": package, "micrograd.engine": engine, "micrograd.nn": nn}
    kept = {name: sys.modules.get(name) for name in given}
    sys.modules.update(given)
    try:
        yield
    finally:
        for name, module in kept.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


# ---- what went wrong ----------------------------------------------------------------------------

ABSENT = {"torch", "jax", "tensorflow", "numpy", "scipy", "matplotlib", "graphviz", "pandas", "sklearn"}


def _syntax_error(source: str, error: Exception) -> ProgramFailure:
    if not isinstance(error, SyntaxError) or error.lineno is None:
        return ProgramFailure(say("web.program.error", error=str(error)))
    start = _Lines(source).at(error.lineno, 0) + max(0, (error.offset or 1) - 1)
    return ProgramFailure(_told(error.lineno, f"SyntaxError: {error.msg}"), error.lineno, (start, start + 1))


def _program_error(lines: _Lines, error: BaseException) -> ProgramFailure:
    place = _place(error.__traceback__)
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in ABSENT:
        package = (error.name or "").partition(".")[0]
        message = say("web.program.torch" if package == "torch" else "web.program.absent", package=package)
    else:
        message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if place is None:
        return ProgramFailure(say("web.program.error", error=message))
    code, instruction, line = place
    return ProgramFailure(_told(line, message), line, lines.span(code, instruction))


def _told(line: int, error: str) -> str:
    return say("web.program.line", line=line, error=error)


def _place(trace: TracebackType | None) -> tuple[CodeType, int, int] | None:
    """The innermost instruction of the program itself."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == NAME:
            found = trace.tb_frame.f_code, trace.tb_lasti, trace.tb_lineno
        trace = trace.tb_next
    return found
