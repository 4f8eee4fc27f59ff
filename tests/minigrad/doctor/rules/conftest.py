"""Folders with files that import torch, examined in this process: another one takes seconds to start."""

from __future__ import annotations

import sys
from importlib import invalidate_caches
from textwrap import dedent

import pytest

from minigrad.doctor.rules.child import answers

HEAD = """
import torch
from torch.autograd import Function

def rule(name, scale, given):
    '''y = scale * x, and its gradient with another factor.'''
    def forward(ctx, x): return x * scale
    def backward(ctx, g): return g * given
    return type(name, (Function,), {
        "forward": staticmethod(forward), "backward": staticmethod(backward), "__module__": __name__,
    })
"""


class RuleFolder:
    def __init__(self, path):
        self.path = path

    def write(self, name, text="", head=HEAD):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(head + dedent(text), encoding="utf-8")
        return file

    def ask(self, name, library="torch", **options):
        """The reports of the child on a file or a module in the folder."""
        invalidate_caches()
        request = {"name": name, "library": library, "folder": str(self.path), "seed": 0, "every": True}
        return answers({**request, **options})


@pytest.fixture
def rules(tmp_path, monkeypatch):
    """A folder for files with rules; whatever they import is forgotten afterwards."""
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(sys, "argv", sys.argv[:])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # files change within a second
    monkeypatch.chdir(tmp_path)
    before = dict(sys.modules)
    yield RuleFolder(tmp_path)
    for name in [each for each in sys.modules if each not in before]:
        if not name.startswith(("torch", "jax", "numpy", "minigrad")):
            del sys.modules[name]
    sys.modules["__main__"] = before["__main__"]


@pytest.fixture
def verdicts():
    """Name and verdict of each report."""
    return lambda reports: {report.name: report.verdict for report in reports}
