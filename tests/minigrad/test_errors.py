"""Every error that a caller can see is a MinigradError, and the builtin error beside it that one expects."""

from __future__ import annotations

import ast
import builtins
from importlib import import_module
from pathlib import Path

import pytest

import minigrad.errors
from minigrad.errors import MinigradError
from source_trees import PACKAGE

INTERNAL = {  # control flow, which never leaves its package
    "ExpressionError", "LeavingError", "WrongEngineError", "_ContentError", "_Refused", "_WrongKindError",
    "CannotError", "LateError", "MixedElementsError", "RuleRefusedError", "RuleRefutedError",
    "TargetRefusedError", "TermUndecidedError", "UncopiedError",  # of doctor/rules
    "NotAnEngineError", "TooSlowError", "UnsupportedError",  # of doctor/inside, which imports nothing of ours
    "ProgramRefusedError",  # of xray
    "_LossReached", "_SentError", "_XrayCalled",  # of xray
    "InterruptedReportsError",  # of doctor/rules: a KeyboardInterrupt, which nobody is to catch as an error
    "_TooLongError",  # of learn/track/inside, which imports nothing of ours
    "NeededError", "_TooMuchError",  # of web
    "MinigradError",
}  # fmt: skip


def lacking(folder: Path) -> set[str]:
    """The classes that derive from builtin errors alone."""
    found = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
                kinds = [getattr(builtins, base, None) for base in bases]
                builtin = [kind for kind in kinds if isinstance(kind, type)]
                if builtin and len(builtin) == len(bases) and issubclass(builtin[0], BaseException):
                    found.add(node.name)
    return found


def test_every_error_has_the_common_root():
    assert lacking(PACKAGE) - INTERNAL == set()


def test_an_error_without_the_root_is_seen(tmp_path):
    (tmp_path / "planted.py").write_text(
        "class NewError(ValueError): ...\nclass FineError(MinigradError): ...\n"
    )
    assert lacking(tmp_path) == {"NewError"}


LISTED = [
    line.split()[:2]
    for line in (minigrad.errors.__doc__ or "").splitlines()
    if line.startswith("    minigrad.")
]


@pytest.mark.parametrize(("path", "builtin"), LISTED)
def test_the_errors_in_the_docstring_are_there_with_both_bases(path, builtin):
    module, _, name = path.rpartition(".")
    error = getattr(import_module(module), name)
    assert issubclass(error, MinigradError)
    assert issubclass(error, getattr(builtins, builtin))


def test_some_are_listed():
    assert len(LISTED) >= 3


def test_an_error_can_be_caught_by_either_base(english):
    from minigrad import parse

    with pytest.raises(MinigradError):
        parse("a *")
    with pytest.raises(ValueError, match="a"):
        parse("a *")
