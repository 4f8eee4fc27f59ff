"""Record of calls: every custom rule that runs is seen, and the program runs as if nobody looked."""

from __future__ import annotations

import subprocess
import sys
import threading

import jax
import jax.numpy as jnp
import pytest
import torch
from torch.autograd import Function
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from minigrad.doctor import record
from minigrad.doctor.rules import call_record
from minigrad.doctor.rules.call_record import CallRecord
from minigrad.doctor.rules.rule_reports import InterruptedReportsError


class Scale(Function):
    """Right: y = k x."""

    @staticmethod
    def forward(x, k):
        return x * k

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.k = inputs[1]

    @staticmethod
    def backward(ctx, g):
        return g * ctx.k, None


class Half(Function):
    """Wrong: y = x * x, and half of its gradient."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0]


half = Half.apply  # taken before anybody records


def apply_code():
    return Function.apply.__func__.__code__


def names(seen: CallRecord) -> list[str]:
    return list(dict.fromkeys(call.name for call in seen.calls))


# ---- what is seen -------------------------------------------------------------------------------


def test_a_function_taken_before_the_record_began_is_seen_with_copies_of_its_arguments():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as seen:
        half(x).sum().backward()
    (call,) = seen.calls
    assert (call.name, call.library, call.origin) == ("Half", "torch", "recorded")
    (kept,) = call.arguments
    assert kept is not x
    assert kept.requires_grad
    assert kept.grad_fn is None
    with torch.no_grad():
        x += 5.0
    assert kept.tolist() == [1.0, 2.0]


def test_each_rule_gets_one_report_and_the_wrong_one_is_found():
    with record() as seen:
        half(torch.randn(3))
        Scale.apply(torch.randn(2, 2), k=3.0)
    reports = seen.examine()
    assert [(report.name, report.verdict) for report in reports] == [("Half", "wrong"), ("Scale", "correct")]
    assert reports.verdict == "wrong"
    assert reports[0].origin == "recorded"
    assert "Half" in str(seen)
    assert "test_call_record.py" in str(seen)
    assert "call in your program" in reports.text("en")
    assert reports.text("es") != reports.text("en")


def test_a_rule_that_is_wrong_for_one_of_its_calls_alone_is_wrong():
    class Signed(Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.k = k
            return x * k

        @staticmethod
        def backward(ctx, g):
            return g * abs(ctx.k), None

    with record() as seen:
        Signed.apply(torch.randn(3), 2.0)
        Signed.apply(torch.randn(3), -2.0)
    assert [report.verdict for report in seen.examine()] == ["wrong"]


def test_calls_that_differ_are_kept_and_equal_ones_are_not():
    with record() as seen:
        for _ in range(5):
            Scale.apply(torch.randn(3), 2.0)
        Scale.apply(torch.randn(3), 4.0)
        Scale.apply(torch.randn(3, requires_grad=True), 4.0)
        Scale.apply(torch.randn(7), 4.0)
    kept = [(tuple(c.arguments[0].shape), c.arguments[0].requires_grad, c.arguments[1]) for c in seen.calls]
    assert kept == [((3,), False, 2.0), ((3,), False, 4.0), ((3,), True, 4.0)]


def test_a_large_call_gives_way_to_a_small_one():
    with record() as seen:
        for width in (5000, 6000, 7000, 8000, 3):
            Scale.apply(torch.randn(width), 2.0)
    assert [len(call.arguments[0]) for call in seen.calls] == [5000, 3]
    with record() as seen:
        Scale.apply(torch.randn(3), 2.0)
        Scale.apply(torch.randn(9000), 2.0)
    assert [len(call.arguments[0]) for call in seen.calls] == [3]


def test_the_memory_of_all_calls_is_bounded(monkeypatch):
    monkeypatch.setattr(call_record, "MOST_BYTES", 4 * 1000)
    with record() as seen:
        Scale.apply(torch.randn(900), 2.0)
        half(torch.randn(200))
        half(torch.randn(90))
    assert [len(call.arguments[0]) for call in seen.calls] == [900, 90]


def test_a_class_that_is_made_for_each_call_is_one_rule_and_its_captured_values_count():
    def rounded(bits):
        class Round(Function):
            @staticmethod
            def forward(ctx, x):
                return torch.round(x * 2**bits) / 2**bits

            @staticmethod
            def backward(ctx, g):
                return g

        return Round.apply

    with record() as seen:
        for bits in (1, 1, 4):
            rounded(bits)(torch.randn(3))
    assert len(seen.calls) == 2
    assert len(seen.examine()) == 1


def test_an_op_of_torch_library_is_seen_as_itself():
    @torch.library.custom_op("minigrad_tests::sine", mutates_args=())
    def sine(x: torch.Tensor, a: float = 1.0) -> torch.Tensor:
        return torch.sin(x * a)

    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])
        ctx.a = inputs[1]

    def backward(ctx, g):
        return g * torch.cos(ctx.saved_tensors[0] * ctx.a), None  # the factor a is missing

    sine.register_autograd(backward, setup_context=setup_context)
    with record() as seen:
        sine(torch.randn(3))
        torch.ops.minigrad_tests.sine(torch.randn(4, requires_grad=True), 2.0)
    assert [(call.name, call.arguments[1]) for call in seen.calls] == [
        ("minigrad_tests::sine", 1.0),
        ("minigrad_tests::sine", 2.0),
    ]
    (report,) = seen.examine()
    assert report.verdict == "wrong"
    assert [each.name for each in report.inputs] == ["x", "a"]


def test_rules_of_pytorch_itself_are_left_out():
    from torch.utils.checkpoint import checkpoint

    with record() as seen:
        checkpoint(torch.sin, torch.randn(3, requires_grad=True), use_reentrant=True).sum().backward()
    assert seen.calls == []
    assert "none" in seen.text("en")


def test_under_transforms_the_numbers_below_are_recorded():
    with record() as seen:
        torch.func.grad(lambda x: Scale.apply(x, 3.0).sum())(torch.tensor([1.0, 2.0]))
    assert seen.calls[0].arguments[0].tolist() == [1.0, 2.0]
    assert {type(call.arguments[0]) for call in seen.calls} == {torch.Tensor}
    assert [report.verdict for report in seen.examine()] == ["correct"]


def test_without_numbers_the_shapes_are_recorded():
    from torch._subclasses.fake_tensor import FakeTensorMode

    with record() as seen, FakeTensorMode():
        half(torch.randn(2, 3))
    (call,) = seen.calls
    assert (tuple(call.arguments[0].shape), call.origin) == ((2, 3), "shapes")
    (report,) = seen.examine()
    assert report.verdict == "wrong"
    assert "invented numbers" in report.text("en")


def test_a_call_that_raises_is_not_examined_and_that_is_said():
    with record() as seen, pytest.raises(RuntimeError):
        Scale.apply(torch.randn(3), torch.randn(4))
    assert seen.calls == []
    assert [(remark.code, remark.about) for remark in seen.remarks] == [("call_raised", "Scale")]
    assert "Scale: its calls raised errors" in seen.text("en")
    assert "Scale" in seen.examine().text("es")


# ---- the program ---------------------------------------------------------------------------------


def test_afterwards_all_is_as_it_was():
    before, meta = apply_code(), list(sys.meta_path)
    custom = jax.custom_vjp.__call__, jax.custom_jvp.__call__

    def failing():
        with record():
            assert apply_code() is not before
            raise KeyError

    with pytest.raises(KeyError):
        failing()
    assert apply_code() is before
    assert (jax.custom_vjp.__call__, jax.custom_jvp.__call__) == custom
    assert sys.meta_path == meta


def test_blocks_may_be_nested_and_each_has_the_calls_inside_it():
    before = apply_code()
    with record() as outer:
        half(torch.randn(3))
        with record() as inner:
            half(torch.randn(4))
        half(torch.randn(5))
    assert [len(call.arguments[0]) for call in outer.calls] == [3, 4, 5]
    assert [len(call.arguments[0]) for call in inner.calls] == [4]
    assert apply_code() is before


def test_ctrl_c_leaves_the_reports_until_then():
    with record() as seen:
        half(torch.randn(3))
        Scale.apply(torch.randn(2, 2), k=3.0)

    def watch(number, of, name):
        if name == "Scale":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as raised:
        seen.examine(watch=watch)
    assert isinstance(raised.value, InterruptedReportsError)
    assert [(report.name, report.verdict) for report in raised.value.reports] == [("Half", "wrong")]
    assert [(each.code, each.about) for each in raised.value.reports.remarks] == [("interrupted", "Scale")]
    assert [report.name for report in seen.examine()] == ["Half", "Scale"]  # and calls are recorded again
    assert not call_record._pauses


def test_the_examination_does_not_record_itself():
    with record() as seen:
        half(torch.randn(3))
        seen.examine()
    assert len(seen.calls) == 1


def test_threads_record_side_by_side():
    def work(k):
        for _ in range(50):
            Scale.apply(torch.ones(2), float(k % 2))

    with record() as seen:
        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(call.arguments[1] for call in seen.calls) == [0.0, 1.0]


def test_numbers_errors_and_random_state_are_those_without_a_record():
    class Noisy(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.add_(torch.randn(x.shape))

        @staticmethod
        def backward(ctx, g):
            return g

    def program():
        torch.manual_seed(3)
        x = torch.ones(3, requires_grad=True)
        y = Noisy.apply(x * 2)
        y.sum().backward()
        return y.tolist(), x.grad.tolist(), torch.randn(2).tolist()

    plain = program()
    with record() as seen:
        assert program() == plain
        with pytest.raises(TypeError, match="missing"):
            Half.apply()
    assert seen.calls[0].arguments[0].tolist() == [2.0, 2.0, 2.0]  # before the forward wrote into it


def test_modes_of_the_program_see_nothing_of_the_record():
    def heard_by(mode):
        with mode:
            half(torch.ones(3))
        return mode.heard

    class Dispatch(TorchDispatchMode):
        def __init__(self):
            super().__init__()
            self.heard = []

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            self.heard.append(str(func))
            return func(*args, **(kwargs or {}))

    class Functions(TorchFunctionMode):
        def __init__(self):
            super().__init__()
            self.heard = []

        def __torch_function__(self, func, types, args=(), kwargs=None):
            self.heard.append(str(func))
            return func(*args, **(kwargs or {}))

    for kind in (Dispatch, Functions):
        plain = heard_by(kind())
        with record() as seen:
            assert heard_by(kind()) == plain
        assert len(seen.calls) == 1


def test_whatever_goes_wrong_in_the_record_does_not_reach_the_program(monkeypatch):
    def failing(*args):
        raise RuntimeError("planted")

    monkeypatch.setattr("minigrad.doctor.rules.torch_calls._sighting", failing)
    with record() as seen:
        assert half(torch.tensor([3.0])).tolist() == [9.0]
    assert seen.calls == []
    monkeypatch.undo()
    monkeypatch.setattr("minigrad.doctor.rules.torch_calls._copies", failing)
    with record() as seen:
        assert half(torch.tensor([3.0])).tolist() == [9.0]
    assert [remark.code for remark in seen.remarks] == ["call_uncopied"]


def test_inference_tensors_are_kept_as_ordinary_ones():
    with record() as seen, torch.inference_mode():
        half(torch.ones(3))
    assert not seen.calls[0].arguments[0].is_inference()
    assert [report.verdict for report in seen.examine()] == ["wrong"]


@pytest.mark.slow
def test_a_library_that_is_imported_later_is_seen_too():
    text = (
        "import sys\n"
        "from minigrad.doctor import record\n"
        "assert 'torch' not in sys.modules\n"
        "with record() as seen:\n"
        "    import torch\n"
        "    class F(torch.autograd.Function):\n"
        "        forward = staticmethod(lambda ctx, x: x)\n"
        "        backward = staticmethod(lambda ctx, g: g)\n"
        "    F.apply(torch.ones(2))\n"
        "print(seen)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert "F  <string>:" in done.stdout, done.stderr


# ---- JAX -----------------------------------------------------------------------------------------


@jax.custom_vjp
def cube(x, k):
    """Wrong: the gradient of k x^3 without its 3."""
    return k * x**3


cube.defvjp(lambda x, k: (k * x**3, (x, k)), lambda kept, g: (g * kept[1] * kept[0] ** 2, g * kept[0] ** 3))


@jax.custom_jvp
def sine(x):
    """Right."""
    return jnp.sin(x)


sine.defjvp(lambda primals, tangents: (jnp.sin(primals[0]), jnp.cos(primals[0]) * tangents[0]))


def test_rules_of_jax_are_seen_and_examined():
    with record() as seen:
        cube(jnp.array([1.0, 2.0]), k=jnp.array(3.0))
        sine(jnp.array([1.0, 2.0]))
        jax.nn.relu(jnp.array([1.0]))  # JAX's own
    assert names(seen) == ["cube", "sine"]
    assert [report.verdict for report in seen.examine()] == ["wrong", "correct"]
    assert seen.calls[0].place.file == __file__


def test_below_grad_there_are_numbers_and_below_jit_there_are_shapes():
    with record() as seen:
        jax.grad(lambda x: sine(x).sum())(jnp.array([1.0, 2.0]))
        jax.vmap(sine)(jnp.array([[3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]))
        jax.jit(sine)(jnp.ones((2, 2)))
    found = [(call.arguments[0].tolist(), call.origin) for call in seen.calls]
    assert found[:2] == [([1.0, 2.0], "recorded"), ([3.0, 4.0, 5.0], "recorded")]
    assert seen.calls[2].arguments[0].shape == (2, 2)
    assert seen.calls[2].origin == "shapes"
    assert [report.verdict for report in seen.examine()] == ["correct"]
