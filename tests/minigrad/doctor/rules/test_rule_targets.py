"""Targets of an examination: factories, modules of torch.nn, ops, the old style, and what has no gradient."""

from __future__ import annotations

import pytest


def only(reports):
    assert len(reports) == 1
    return reports.alone()


def test_a_factory_is_called_with_small_numbers(rules, verdicts):
    rules.write(
        "mine.py",
        """
        def thrice(k):
            class Times(Function):
                @staticmethod
                def forward(ctx, x): return x * k
                @staticmethod
                def backward(ctx, g): return g
            return Times.apply

        def make_class(bits: int):
            return rule("Made", float(bits), float(bits))

        def uses(x):
            return thrice(3)(x)

        def takes_anything(first, second, third, fourth):
            return first
        """,
    )
    assert verdicts(rules.ask("mine.py:thrice")) == {"thrice: Times": "wrong"}
    assert verdicts(rules.ask("mine.py:make_class")) == {"make_class: Made": "correct"}
    assert verdicts(rules.ask("mine.py:uses")) == {"uses": "wrong"}
    assert verdicts(rules.ask("mine.py")) == {"thrice: Times": "wrong"}


def test_a_module_of_torch_nn_is_a_function_of_its_inputs_and_parameters(rules):
    rules.write(
        "mine.py",
        """
        Wrong = rule("Wrong", 2.0, 3.0)

        class Layer(torch.nn.Module):
            def __init__(self, in_features, out_features, bias=True):
                super().__init__()
                self.inner = torch.nn.Linear(in_features, out_features, bias)
            def forward(self, x):
                return Wrong.apply(self.inner(x))

        layer = Layer(4, 2)
        """,
    )
    report = only(rules.ask("mine.py:Layer"))
    assert report.verdict == "wrong"
    assert {each.input for each in report.findings} == {"x", "inner_weight", "inner_bias"}
    assert only(rules.ask("mine.py:layer")).verdict == "wrong"


def test_a_class_inside_a_function_is_found_by_its_own_name(rules, verdicts):
    rules.write(
        "mine.py",
        """
        def make(b, grids):
            def nearest(x, levels):
                levels = levels.type_as(x)
                return levels[(x.unsqueeze(0) - levels.unsqueeze(1)).abs().min(dim=0)[1]]
            class _near(Function):
                @staticmethod
                def forward(ctx, x): return x * 2 + 0 * nearest(x.reshape(-1), grids).sum()
                @staticmethod
                def backward(ctx, g): return g
            return _near().apply

        def needy(configuration):
            rate = configuration.rate
            class Hidden(Function):
                @staticmethod
                def forward(ctx, x): return x * rate
                @staticmethod
                def backward(ctx, g): return g * rate
            return Hidden.apply

        class Library:
            def __init__(self):
                class Value(Function):
                    @staticmethod
                    def forward(ctx, x): return x * 2
                    @staticmethod
                    def backward(ctx, g): return g * 2
                self.Value = Value
            def make(self):
                class Other(Function):
                    @staticmethod
                    def forward(ctx, x): return x * 2
                    @staticmethod
                    def backward(ctx, g): return g * 2
                return Other
        """,
    )
    assert verdicts(rules.ask("mine.py:_near")) == {"make: _near": "wrong"}
    assert verdicts(rules.ask("mine.py:Library.Value")) == {"Value": "correct"}
    assert verdicts(rules.ask("mine.py:Value")) == {"Value": "correct"}
    for name, maker in (("Hidden", "needy()"), ("Library.Other", "Library.make()")):
        text = only(rules.ask(f"mine.py:{name}")).text("en")
        assert maker in text
        assert "--call" in text


def test_defaults_that_backward_does_not_count_are_left_out(rules):
    rules.write(
        "mine.py",
        """
        class Short(Function):
            @staticmethod
            def forward(ctx, x, k, quick=False): return x * k
            @staticmethod
            def backward(ctx, g): return g * 0.7, None
        """,
    )
    report = only(rules.ask("mine.py"))
    assert report.verdict == "wrong"
    assert [(each.fault, each.grade) for each in report.findings if each.about == "gradient"] == [
        ("factor", "wrong"),
        ("wrong-count", "limited"),
    ]
    assert [each.name for each in report.inputs] == ["x", "k"]


def test_an_optional_argument_that_backward_forgets_hides_no_fault_of_another_flag(rules):
    rules.write(
        "mine.py",
        """
        class Switch(Function):
            @staticmethod
            def forward(ctx, x, doubled: bool, quick=False):
                ctx.doubled = doubled
                return x * 2 if doubled else x * 3
            @staticmethod
            def backward(ctx, g): return g * (2 if ctx.doubled else 2.4), None
        """,
    )
    report = only(rules.ask("mine.py"))
    assert report.verdict == "wrong"
    assert report.faults[:2] == ("factor", "wrong-count")


def test_what_cannot_be_constructed_is_asked_for(rules):
    rules.write(
        "mine.py",
        """
        class Layer(torch.nn.Module):
            def __init__(self, configuration):
                super().__init__()
        class Failing(torch.nn.Module):
            def __init__(self, channels):
                raise KeyError("planted")
        """,
    )
    for name, words in (("Layer", "configuration"), ("Failing", "KeyError: 'planted'")):
        report = only(rules.ask(f"mine.py:{name}"))
        assert report.verdict == "not examined"
        assert words in report.text("en")
        assert "--call" in report.text("en")


def test_the_old_style_is_refused_with_what_to_write(rules):
    rules.write(
        "mine.py",
        """
        class Old(Function):
            def __init__(self, k): self.k = k
            def forward(self, x): return x * self.k
            def backward(self, g): return g * self.k
        """,
    )
    report = only(rules.ask("mine.py:Old"))
    assert report.verdict == "not examined"
    text = " ".join(report.text("en").split())
    assert "@staticmethod; def forward(ctx, x, k)" in text
    assert "Old.apply(" in text
    assert "estilo antiguo" in report.text("es")


def test_an_op_is_examined_by_its_name(rules):
    rules.write(
        "mine.py",
        """
        @torch.library.custom_op("minigrad_targets::double", mutates_args=())
        def double(x: torch.Tensor) -> torch.Tensor:
            return 2 * x
        double.register_autograd(lambda ctx, g: g)
        """,
    )
    report = only(rules.ask("mine.py"))
    assert (report.name, report.verdict) == ("minigrad_targets::double", "wrong")


def test_a_class_to_inherit_from_is_no_rule(rules, verdicts):
    rules.write("mine.py", "class Base(Function):\n    pass\nR = rule('R', 2.0, 2.0)\n")
    assert verdicts(rules.ask("mine.py")) == {"R": "correct"}
    assert "no forward of its own" in only(rules.ask("mine.py:Base")).text("en")


@pytest.mark.parametrize(
    ("name", "library", "words"),
    [
        ("mine.py:Plain", "torch", "is a class and no torch.autograd.Function"),
        ("mine.py:number", "torch", "is not a function"),
        ("mine.py:nobody", "torch", "has no nobody"),
        ("mine.py:R", "jax", "write --torch"),
        ("mine.py", "jax", "nothing in mine.py"),
    ],
)
def test_what_has_no_rule_is_refused_with_a_reason(rules, name, library, words):
    rules.write("mine.py", "class Plain: pass\nnumber = 3\nR = rule('R', 2.0, 2.0)\n")
    report = only(rules.ask(name, library))
    assert report.verdict == "not examined"
    assert words in " ".join(report.text("en").split())


def test_the_error_of_a_forward_that_ran_on_nothing_is_shown(rules):
    rules.write(
        "mine.py",
        """
        class Picky(Function):
            @staticmethod
            def forward(ctx, x, mode):
                raise ValueError(f"planted {mode is None}")
            @staticmethod
            def backward(ctx, g): return g, None
        """,
    )
    report = only(rules.ask("mine.py"))
    assert report.verdict == "not examined"
    assert "ValueError: planted" in report.text("en")
