"""Modules of rules: files in packages, notebooks, absent libraries, broken packages."""

from __future__ import annotations

import json

import pytest

from minigrad.doctor.rules.stand_ins import import_with_stand_ins


def remarks(reports):
    return {remark.code: remark.about for remark in reports.remarks}


def test_each_rule_of_a_file_gets_a_report_and_the_worst_one_counts(rules, verdicts):
    rules.write(
        "mine.py", "Right = rule('Right', 2.0, 2.0)\nWrong = rule('Wrong', 2.0, 3.0)\nalias = Wrong.apply\n"
    )
    found = rules.ask("mine.py")
    assert verdicts(found) == {"Right": "correct", "Wrong": "wrong"}
    assert found.verdict == "wrong"
    assert found.rules[0].place.file.endswith("mine.py")
    assert verdicts(rules.ask("mine.py:alias")) == {"Wrong": "wrong"}


def test_a_file_inside_a_package_is_imported_under_its_own_name(rules, verdicts):
    rules.write("box/__init__.py", "", "")
    rules.write("box/numbers_of_mine.py", "K = 2.0\n", "")
    rules.write("box/inner/__init__.py", "from ..numbers_of_mine import K\n", "")
    rules.write(
        "box/inner/mine.py", "from . import K\nfrom ..numbers_of_mine import K as L\nR = rule('R', K, L)\n"
    )
    found = rules.ask("box/inner/mine.py")
    assert verdicts(found) == {"R": "correct"}
    assert found.remarks == ()
    assert verdicts(rules.ask("box.inner.mine:R")) == {"R": "correct"}


@pytest.mark.parametrize("name", ["broken/mine.py", "broken.mine"])
def test_a_package_that_cannot_be_imported_does_not_keep_its_file_from_being_examined(rules, verdicts, name):
    rules.write("broken/__init__.py", "raise RuntimeError('planted')\n", "")
    rules.write("broken/numbers_of_mine.py", "K = 2.0\n", "")
    rules.write("broken/mine.py", "from .numbers_of_mine import K\nR = rule('R', K, 1.0)\n")
    found = rules.ask(name)
    assert verdicts(found) == {"R": "wrong"}
    assert "RuntimeError: planted" in remarks(found)["package"]
    assert "without __init__.py" in " ".join(found.text("en").split())


def test_stand_ins_take_the_place_of_what_is_absent_and_that_is_said(rules, verdicts):
    rules.write(
        "mine.py",
        """
        import absent_library.fast as fast
        from absent_kernels import forward_kernel, Config
        SETTINGS = Config(3)

        @fast.compiled(level=SETTINGS)
        def helper(x): return x

        @fast.compiled
        def other(x): return x * 2

        class Base(fast.Thing): pass

        class Kind(Function):
            @staticmethod
            def forward(ctx, x): return other(x)
            @staticmethod
            def backward(ctx, g): return g

        class Needs(Function):
            @staticmethod
            def forward(ctx, x): return forward_kernel(x)
            @staticmethod
            def backward(ctx, g): return g
        """,
    )
    found = rules.ask("mine.py")
    assert verdicts(found) == {"Kind": "wrong", "Needs": "not examined"}
    assert remarks(found)["stand_in"] == "absent_library, absent_library.fast, absent_kernels"
    assert "absent_kernels.forward_kernel is not there" in found.text("en")


def test_a_part_of_a_package_that_was_never_compiled_is_stood_in_for(rules, verdicts):
    rules.write("box/__init__.py", "", "")
    rules.write("box/mine.py", "from . import _C\nfrom box import _D\nR = rule('R', 2.0, 2.0)\n")
    found = rules.ask("box/mine.py")
    assert verdicts(found) == {"R": "correct"}
    assert remarks(found)["stand_in"] == "box._C, box._D"


def test_a_module_that_refuses_to_be_imported_is_stood_in_for(rules, verdicts):
    rules.write("picky.py", "raise ImportError('picky needs a library of version 2 or above')\n", "")
    rules.write("mine.py", "import picky\nR = rule('R', 2.0, 2.0)\n")
    found = rules.ask("mine.py")
    assert verdicts(found) == {"R": "correct"}
    assert remarks(found)["stand_in"] == "picky"
    rules.write("own.py", "raise ImportError('this module itself')\n", "")
    assert "this module itself" in rules.ask("own.py").text("en")


def test_a_program_that_fails_is_examined_by_its_definitions(rules, verdicts):
    rules.write(
        "train.py",
        """
        from absent_data import loader
        K = 2.0
        batches = len(loader.batches)
        class R(Function):
            @staticmethod
            def forward(ctx, x):
                out = x * K
                return out
            @staticmethod
            def backward(ctx, g): return g
        for out in loader.batches:
            raise RuntimeError("the work")
        """,
    )
    found = rules.ask("train.py:R")
    assert verdicts(found) == {"R": "wrong"}
    assert "TypeError" in remarks(found)["program"]
    assert "only its definitions were run" in " ".join(found.text("en").split())
    assert "definiciones" in found.text("es")


def test_a_stand_in_can_be_inherited_from_whatever_it_stands_for(rules, verdicts):
    rules.write("box/__init__.py", "", "")
    rules.write(
        "box/mine.py",
        """
        from . import Base, decorated
        from absent_library import thing
        LIMIT = 0.5 * thing.size
        class Derived(Base, thing):
            pass
        @decorated
        def helper(x): return x
        class R(Function):
            @staticmethod
            def forward(ctx, x): return helper(x) * 2
            @staticmethod
            def backward(ctx, g): return g * 2
        """,
    )
    assert verdicts(rules.ask("box/mine.py:R")) == {"R": "correct"}


@pytest.mark.parametrize("name", ["torch", "jax", "numpy", "mine"])
def test_nothing_stands_in_for_the_libraries_or_the_module_itself(name):
    def load():
        raise ModuleNotFoundError("planted", name=name)

    with pytest.raises(ModuleNotFoundError, match="planted"):
        import_with_stand_ins(load, "mine")


def test_an_error_that_is_not_about_an_import_is_told(rules):
    rules.write("mine.py", "raise ZeroDivisionError('planted')\n")
    found = rules.ask("mine.py")
    assert found.verdict == "not examined"
    assert "ZeroDivisionError: planted" in found.text("en")
    assert "there is no file" in rules.ask("nobody.py").text("en")
    assert "nobody_of_this_name" in rules.ask("nobody_of_this_name").text("en")


def test_an_extension_that_cannot_be_compiled_here_is_stood_in_for(rules, verdicts, monkeypatch):
    import torch.utils.cpp_extension as extension

    def load(*args, **kwargs):
        raise OSError("CUDA_HOME is not set")

    text = compile(
        "def load(*a, **k):\n    raise OSError('no CUDA')", "/x/torch/utils/cpp_extension.py", "exec"
    )
    names = {}
    exec(text, names)
    monkeypatch.setattr(extension, "load", names["load"])
    monkeypatch.setattr(extension, "load_inline", names["load"])
    rules.write(
        "mine.py",
        "from torch.utils import cpp_extension\n"
        "kernels = cpp_extension.load(name='k', sources=['k.cu'])\n"
        "R = rule('R', 2.0, 2.0)\n",
    )
    found = rules.ask("mine.py")
    assert verdicts(found) == {"R": "correct"}
    assert "cpp_extension.load" in remarks(found)["stand_in"]


def notebook(*cells):
    return json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells], "nbformat": 4})


def test_the_definitions_of_a_notebook_are_examined_without_its_work(rules, verdicts):
    text = notebook(
        "%matplotlib inline\n!pip install something\nimport torch",
        "K = 2.0\nunused = 1 / 0",
        "class R(torch.autograd.Function):\n"
        "    @staticmethod\n    def forward(ctx, x): return x * K\n"
        "    @staticmethod\n    def backward(ctx, g): return g\n",
        "raise RuntimeError('the work')",
        "R.apply(torch.randn(7))",
    )
    rules.write("lesson.ipynb", text, "")
    found = rules.ask("lesson.ipynb:R")
    assert verdicts(found) == {"R": "wrong"}
    assert found[0].origin == "example"
    assert found[0].inputs[0].shape == (7,)


def test_a_rule_of_jax_in_a_notebook_is_completed_by_its_defvjp(rules, verdicts):
    text = notebook(
        "import jax",
        "@jax.custom_vjp\ndef square(x): return x * x",
        "def fwd(x): return x * x, x\ndef bwd(x, g): return (g * x,)",
        "square.defvjp(fwd, bwd)",
    )
    rules.write("lesson.ipynb", text, "")
    assert verdicts(rules.ask("lesson.ipynb", "jax")) == {"square": "wrong"}


def test_what_is_no_notebook_is_refused(rules):
    rules.write("lesson.ipynb", "not JSON", "")
    found = rules.ask("lesson.ipynb")
    assert found.verdict == "not examined"
    assert "no notebook" in found.text("en") or "cannot be imported" in found.text("en")
