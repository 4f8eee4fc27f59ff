"""Example calls of the rules in a file: its `if __name__ == "__main__":` block, and the doctests in it.

They are run under a record, for some seconds, without what they print; whatever they raise is passed over.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType, ModuleType

from .call_record import CallRecord, record
from .rule_module import RuleModule
from .subject import error_text
from .time_limit import LateError, can_limit, limited

__all__ = ["record_examples", "run_for"]

SECONDS = 5.0  # for the block, and for each docstring
ALL_SECONDS = 20.0
MOST = 40  # docstrings


def record_examples(loaded: RuleModule) -> CallRecord:
    """The calls that the examples of a module make."""
    module, block = loaded.module, loaded.example
    acts = [partial(_run_doctest, text, module) for text in _docstrings(module)]
    if block is not None:
        acts.insert(0, partial(_run_block, block, module))
    began = time.monotonic()
    with record() as seen:
        for act in acts:
            if time.monotonic() - began < ALL_SECONDS:
                _run_quietly(act)
    return seen


def _run_quietly(act: Callable[[], None]) -> None:
    before = list(sys.argv)
    with contextlib.ExitStack() as stack:
        nothing = stack.enter_context(open(os.devnull, "w", encoding="utf-8"))
        stack.enter_context(contextlib.redirect_stdout(nothing))
        stack.enter_context(contextlib.redirect_stderr(nothing))
        sys.argv[1:] = []
        try:
            run_for(SECONDS, act)
        finally:
            sys.argv[:] = before


def run_for(seconds: float, act: Callable[[], object]) -> str:
    """Run something for a while; what it raised, in words, "" for nothing, and "late" for no end.

    Where the system has no timers, or this is no main thread, nothing is run that may not end.
    """
    if not can_limit():
        return "late"
    try:
        limited(seconds, act)
        return ""
    except LateError:
        return "late"
    except SystemExit as error:
        return "" if error.code in (None, 0) else error_text(error)
    except Exception as error:
        return _with_line(error)


def _with_line(error: Exception) -> str:
    """An error with the last line of its own files: where it was raised."""
    step, place = error.__traceback__, ""
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if not file.startswith(os.path.dirname(__file__)):
            place = f" ({os.path.basename(file)}, line {step.tb_lineno})"
        step = step.tb_next
    return error_text(error) + place


def _run_block(block: ast.Module, module: ModuleType) -> None:
    """Statement by statement, so that one that fails does not hide the others."""
    file = str(getattr(module, "__file__", "") or "<example>")
    for statement in block.body:
        code = compile(ast.Module([statement], []), file, "exec")
        with contextlib.suppress(Exception, SystemExit):
            exec(code, vars(module))


def _docstrings(module: ModuleType) -> Iterator[str]:
    """The texts with doctests of a module, its classes and its functions."""
    texts = [module.__doc__]
    for found in list(vars(module).values()):
        if getattr(found, "__module__", None) != module.__name__:
            continue
        texts.append(getattr(found, "__doc__", None))
        if isinstance(found, type):
            for inner in vars(found).values():
                inner = getattr(inner, "__func__", inner)
                if isinstance(inner, FunctionType):
                    texts.append(inner.__doc__)
    known = dict.fromkeys(text for text in texts if isinstance(text, str) and ">>>" in text)
    yield from list(known)[:MOST]


def _run_doctest(text: str, module: ModuleType) -> None:
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:  # lines that are set in unevenly
        return
    names = dict(vars(module))
    for example in examples:
        with contextlib.suppress(Exception, SystemExit):
            exec(compile(example.source, "<doctest>", "exec"), names)
