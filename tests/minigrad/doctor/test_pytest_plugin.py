"""Plugin for pytest: the rules that a suite calls are examined, and without the option it costs nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

RULES = """
import torch

class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return {factor} * g

double = Double.apply
"""
TESTS = """
import torch
from rules_of_mine import double

def test_it():
    assert double(torch.ones(3)).tolist() == [2.0, 2.0, 2.0]
"""
COMMAND = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]


@pytest.fixture
def suite(tmp_path):
    def run(*options, factor=2):
        (tmp_path / "rules_of_mine.py").write_text(RULES.format(factor=factor))
        (tmp_path / "test_mine.py").write_text(TESTS)
        done = subprocess.run([*COMMAND, *options], cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    return run


@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_a_wrong_rule_makes_the_run_fail_and_a_right_one_does_not(suite, workers):
    code, text = suite("--minigrad-rules", *workers, factor=1)
    assert code == 1, text
    assert "1 passed" in text
    assert "WRONG  Double  rules_of_mine.py:" in text
    assert "off by a factor of 0.5" in text
    code, text = suite("--minigrad-rules", *workers, factor=2)
    assert code == 0, text
    assert "CORRECT  Double  rules_of_mine.py:" in text


def test_without_the_option_nothing_is_imported(tmp_path):
    (tmp_path / "test_nothing.py").write_text(
        "import sys\n"
        "def test_nothing():\n"
        "    assert not [m for m in sys.modules if m.startswith(('torch', 'jax', 'minigrad.doctor.rules'))]\n"
    )
    done = subprocess.run(COMMAND, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_with_the_option_a_suite_without_rules_says_so(tmp_path):
    (tmp_path / "test_nothing.py").write_text("def test_nothing(): pass\n")
    words = [*COMMAND, "--minigrad-rules"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "none was examined" in done.stdout


INTERRUPTED = """
import os, signal
import torch

class Once(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g

runs = [0]

class Slow(Once):
    @staticmethod
    def forward(ctx, x):
        runs[0] += 1
        if runs[0] == 20:
            os.kill(os.getpid(), signal.SIGINT)
        return 2 * x

class Late(Once):
    pass

def test_it():
    for rule in (Once, Slow, Late):
        rule.apply(torch.ones(3))
"""


@pytest.mark.slow
def test_ctrl_c_during_the_examination_leaves_the_reports_until_then(tmp_path):
    (tmp_path / "test_mine.py").write_text(INTERRUPTED)
    words = [*COMMAND, "--minigrad-rules"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    assert "CORRECT  Once  test_mine.py:" in done.stdout
    assert "not reached: Slow, Late" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
