"""What an examination concludes from what it sees: rules that published ones have taught it to judge."""

from __future__ import annotations

import sys

import pytest
import torch
from torch.autograd import Function

from minigrad.doctor import record
from minigrad.doctor.rules import examine_function
from minigrad.doctor.rules.backward_repairs import _shallow
from minigrad.doctor.rules.cropped_inputs import crop
from minigrad.doctor.rules.rule_source import RuleSource

GENERATOR = torch.Generator().manual_seed(5)


def numbers(*shape):
    return torch.randn(*shape, generator=GENERATOR, dtype=torch.float64)


def rule(forward, backward):
    """A Function; its backward gets the saved inputs and the upstream gradient."""

    def run(ctx, *inputs):
        ctx.save_for_backward(*inputs)
        return forward(*inputs)

    def pull(ctx, *upstream):
        return backward(*ctx.saved_tensors, *upstream)

    return type("Rule", (Function,), {"forward": staticmethod(run), "backward": staticmethod(pull)})


def judged(found, *inputs, **options):
    """The verdict on the gradient, and the faults that it rests on."""
    report = examine_function(found, inputs or None, **options)
    return report.verdict, report.faults_about("gradient")


# ---- meant, or not ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("forward", "backward"),
    [
        (torch.sign, lambda x, g: torch.ones_like(x)),
        (torch.round, lambda x, g: x),
        (lambda x: x.sum(), lambda x, g: torch.ones_like(x)),
    ],
)
def test_no_estimator_ignores_the_loss(forward, backward):
    assert judged(rule(forward, backward), numbers(3, 4)) == ("wrong", ("upstream-ignored",))


@pytest.mark.parametrize(
    ("forward", "fault"),
    [
        (lambda x: torch.sign(x) * x.abs().mean(), "straight-through"),
        (lambda x: torch.round(3 * x) / 3 + 0.1 * x, "straight-through"),
        (torch.sign, "straight-through"),
    ],
)
def test_a_gradient_goes_straight_through_whatever_stands_around_the_rounding(forward, fault):
    assert judged(rule(forward, lambda x, g: g), numbers(3, 4)) == ("limited", (fault,))


def test_without_a_rounding_it_is_a_wrong_gradient():
    found = rule(lambda x: x * x.abs().mean(), lambda x, g: g)
    assert judged(found, numbers(3, 4))[0] == "wrong"


def test_a_gate_on_the_size_of_the_upstream_gradient_is_no_scaling():
    found = rule(torch.clone, lambda x, g: torch.where(g.abs() > 0.1, 0.0, g))
    assert judged(found, numbers(3, 4)) == ("limited", ("own-gradient",))
    assert judged(rule(torch.clone, lambda x, g: 0.5 * g), numbers(3, 4)) == ("limited", ("scaling",))


def test_a_constant_is_no_clipping():
    found = rule(torch.clone, lambda x, g: torch.full_like(g, 0.7))
    assert judged(found, numbers(3, 4)) == ("wrong", ("upstream-ignored",))
    clipped = rule(torch.clone, lambda x, g: g.clamp(-0.7, 0.7))
    assert judged(clipped, numbers(3, 4)) == ("limited", ("clipping",))


def test_noise_that_the_backward_alone_draws_is_sampling():
    class Sampled(Function):
        @staticmethod
        def forward(ctx, x):
            return x.sum()

        @staticmethod
        def backward(ctx, g):
            return g * torch.rand(3, dtype=torch.float64)

    class DrawnTwice(Sampled):
        @staticmethod
        def forward(ctx, x):
            return (x * torch.rand(3, dtype=torch.float64)).sum()

    assert judged(Sampled, numbers(3)) == ("limited", ("random-backward",))
    assert judged(DrawnTwice, numbers(3)) == ("wrong", ("unsteady",))


# ---- causes -------------------------------------------------------------------------------------


def softmax_with_parts_interchanged(x, g):
    s = torch.softmax(x, -1)
    return g * (s - (s * g).sum(-1, keepdim=True))


@pytest.mark.parametrize(
    ("forward", "backward", "fault"),
    [
        (torch.sigmoid, lambda x, g: g * torch.sigmoid(g), "upstream-not-linear"),
        (lambda x: torch.softmax(x, -1), softmax_with_parts_interchanged, "upstream-not-linear"),
        (torch.exp, lambda x, g: (g * x.exp()).roll(2, -1), "swapped-halves"),
        (lambda x: torch.softmax(x, -1), lambda x, g: g * torch.softmax(x, -1), "coupling-missing"),
    ],
)
def test_a_cause_is_named(forward, backward, fault):
    report = examine_function(rule(forward, backward), (numbers(3, 4),))
    assert (report.verdict, report.faults_about("gradient")) in (
        ("wrong", (fault,)),
        ("wrong", ("step-held-constant",)) if fault == "coupling-missing" else ("wrong", (fault,)),
    )


def test_a_few_rough_numbers_are_no_ground_for_a_cause():
    class Single(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.float() ** 2

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g.mean() * 2 * x

    verdict, faults = judged(Single, torch.tensor([0.4, 1.7], dtype=torch.float32))
    assert verdict == "wrong"
    assert faults in (("unrecognised",), ("one-change",))  # a change of the source is confirmed by itself


def test_fewer_gradients_than_arguments_are_counted_in_the_source():
    class Two(Function):
        @staticmethod
        def forward(ctx, prediction, target):
            ctx.save_for_backward(prediction, target)
            return ((prediction - target) ** 2).mean()

        @staticmethod
        def backward(ctx, g):
            prediction, target = ctx.saved_tensors
            return (2 * g * (prediction - target) / prediction.numel(),)

    assert judged(Two) == ("wrong", ("wrong-count",))


def test_the_line_is_that_of_the_return_statement_that_ran():
    class Two(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.sin() * x.exp()

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            if x.dim() == 2:
                return g * x.cos() / x.exp()
            return g * (x.cos() + x.sin()) * x.exp()

    report = examine_function(Two, (numbers(3, 4),))
    first = Two.backward.__code__.co_firstlineno
    assert report.findings[0].line == first + 4
    assert judged(Two, numbers(3)) == ("correct", ())


def test_an_error_in_a_helper_is_shown_where_the_backward_calls_it():
    def helper(x, scale):
        return x * scale

    class Calls(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return helper(g, None)

    (finding,) = examine_function(Calls, (numbers(3),)).findings
    assert finding.fault == "error-in-backward"
    assert finding.line == Calls.backward.__code__.co_firstlineno + 2


# ---- structure ----------------------------------------------------------------------------------


def rotations():
    return torch.linalg.qr(numbers(2, 3, 3))[0]


class Cosine(Function):
    """The cosine of the angle of rotations."""

    factor = 1.0

    @staticmethod
    def forward(ctx, r):
        ctx.save_for_backward(r)
        return (r.diagonal(dim1=-2, dim2=-1).sum(-1) - 1) / 2

    @staticmethod
    def backward(ctx, g):
        (r,) = ctx.saved_tensors
        plain = 0.5 * g[:, None, None] * torch.eye(3, dtype=r.dtype)
        return Cosine.factor * r @ (r.mT @ plain - plain.mT @ r) / 2


def test_a_rule_for_rotations_is_judged_by_turning_them(monkeypatch):
    report = examine_function(Cosine, (rotations(),))
    assert (report.verdict, report.faults_about("gradient")) == ("correct", ())
    assert [choice.code for choice in report.design_choices] == ["orthogonal"]
    monkeypatch.setattr(Cosine, "factor", 2.0)
    assert judged(Cosine, rotations())[0] == "wrong"


def test_matrices_that_are_judged_by_their_symmetry_are_judged_by_it_everywhere():
    def half(a, g):
        """What eigh owes for one triangle, given for both."""
        return (g + g.mT) / 2

    def forward(a):
        return (a + a.mT) / 2 + torch.tril(a - a.mT)  # symmetric matrices go through as they are

    class SymmetricOnly(Function):
        """For symmetric matrices."""

        @staticmethod
        def forward(ctx, matrix):
            torch.linalg.cholesky(matrix)
            return forward(matrix)

        @staticmethod
        def backward(ctx, g):
            return half(None, g)

    report = examine_function(SymmetricOnly)
    assert (report.verdict, report.faults_about("gradient")) == ("correct", ())
    assert "symmetric" in {choice.code for choice in report.design_choices}


# ---- precision, and size ------------------------------------------------------------------------


class MakesSingle(Function):
    """Right in single precision; in double it mixes the two and raises."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 3 * x

    @staticmethod
    def backward(ctx, g):
        out = torch.zeros(g.shape)
        out[torch.arange(len(g))] = 3 * g
        return out


def test_an_error_that_float64_causes_is_no_fault():
    x = torch.tensor([0.5, -1.25, 2.0, 0.3])
    assert judged(MakesSingle, x)[0] == "correct"
    assert judged(MakesSingle, x.double()) == ("wrong", ("error-in-backward",))


def test_a_type_that_is_an_argument_goes_to_float64_with_the_tensors():
    class Typed(Function):
        @staticmethod
        def forward(ctx, x, dtype):
            return x.to(dtype) * 2

        @staticmethod
        def backward(ctx, g):
            return 2 * g, None

    report = examine_function(Typed, (torch.tensor([0.1, 0.7]), torch.float32))
    assert report.verdict == "correct"
    assert not report.not_examined


def test_many_numbers_are_compared_in_groups_where_nothing_else_sees_the_forward():
    calls = []

    def forward(x):
        calls.append(1)
        return x.detach() ** 3  # as a forward is that iterates under no_grad

    def examined(factor):
        calls.clear()
        return judged(rule(forward, lambda x, g: factor(3 * g * x * x)), numbers(20, 20) + 3)

    assert examined(lambda grad: grad) == ("correct", ())
    assert len(calls) < 6000  # one by one: some 30 for each of 400 numbers, at two points

    def one_off(grad):
        grad[7, 11] *= 1.01
        return grad

    assert examined(one_off)[0] == "wrong"


def test_a_large_call_is_examined_with_fewer_rows():
    found = rule(lambda x, w: x @ w, lambda x, w, g: (g @ w.T, x.T @ g))
    report = examine_function(found, (torch.randn(300, 64), torch.randn(64, 32)))
    assert report.verdict == "correct"
    assert [each.shape for each in report.inputs] == [(6, 7), (7, 5)]
    assert [each.code for each in report.not_examined] == ["cropped"]


def test_axes_of_one_length_stay_so_and_labels_stay_small():
    scores, labels = torch.randn(200, 30), torch.arange(200) % 30
    small = crop((scores, labels, 0.5))
    assert [tuple(x.shape) for x in small[:2]] == [(6, 7), (6,)]
    assert int(small[1].max()) < 7
    assert small[2] == 0.5
    assert torch.equal(small[0], scores[:6, :7])
    assert crop((torch.randn(10, 10),)) is None
    assert crop((torch.randn(5000),))[0].shape == (6,)


def test_a_call_that_cannot_be_cut_is_refused_if_it_is_too_large():
    found = rule(lambda x: x.reshape(512, 512).sum(0), lambda x, g: g.expand(512, 512).reshape(-1))
    report = examine_function(found, (torch.randn(512 * 512),))
    assert (report.verdict, [each.code for each in report.not_examined]) == ("not examined", ["too_large"])


def test_a_sparse_tensor_is_recorded():
    class Product(Function):
        @staticmethod
        def forward(ctx, a, x):
            ctx.save_for_backward(a)
            return a @ x

        @staticmethod
        def backward(ctx, g):
            return None, ctx.saved_tensors[0].T @ g

    with record() as seen:
        Product.apply(torch.eye(3).to_sparse(), torch.randn(3, 2, requires_grad=True))
    assert [tuple(call.arguments[0].shape) for call in seen.calls] == [(3, 3)]


def test_a_border_of_a_clamp_that_is_treated_as_its_inside_is_named():
    def passes(inside):
        return rule(lambda x: x.clamp(-1, 1), lambda x, g: torch.where(inside(x), g, 0.0))

    x = torch.tensor([-3.0, -1.7, -0.6, 0.2, 0.7, 1.4, 2.6], dtype=torch.float64)
    assert judged(passes(lambda x: x < 1), x) == ("wrong", ("one-border",))
    assert judged(passes(lambda x: (x > -1) & (x < 1)), x) == ("correct", ())
    assert judged(rule(lambda x: x.clamp(-1, 1), lambda x, g: g), x) == (
        "limited",
        ("gated-straight-through",),
    )


def test_a_penalty_that_is_added_beside_the_loss_is_meant():
    found = rule(lambda loss, y: loss.clone(), lambda loss, y, g: (g, 0.01 * y))
    assert judged(found, numbers(1)[0], numbers(3, 4)) == ("limited", ("added-gradient",))
    looks = rule(lambda loss, y: loss + y.sum(), lambda loss, y, g: (g, torch.ones_like(y)))
    assert judged(looks, numbers(1)[0], numbers(3, 4)) == ("wrong", ("upstream-ignored",))


@pytest.mark.parametrize(
    ("word", "announces"),
    [
        ("RoundSTE", True),
        ("SteFn", True),
        ("STERound", True),
        ("ste_round", True),
        ("GradientReversal", True),
        ("ReverseLayerF", True),
        ("so3_Exp", True),
        ("LearnedStep", False),
        ("steps", False),
        ("STEP_SIZE", False),
        ("ReverseScan", False),
        ("system", False),
        ("straight_estimator", True),
        ("gradient-estimator", True),
        ("backward estimator", True),
        ("an estimator of the gradient", True),
        ("logdet_estimator", False),
        ("EntropyEstimator", False),
        ("trace estimator", False),
    ],
)
def test_a_word_announces_a_gradient_only_as_a_whole(word, announces):
    assert bool(RuleSource(word).meant()) == announces


class Entropy(Function):
    """The entropy estimator of the second chapter."""

    @staticmethod
    def forward(ctx, p):
        ctx.save_for_backward(p)
        return -p * p.log()

    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        return -g * p.log()


class EntropyGradient(Entropy):
    """The gradient estimator of the second chapter."""


def test_an_estimator_of_another_quantity_is_no_word_on_the_gradient():
    p = numbers(3, 4).abs() + 0.2
    assert judged(Entropy, p)[0] == "wrong"
    assert judged(EntropyGradient, p) == ("limited", ("announced",))


def test_a_changed_backward_that_calls_itself_ends_soon():
    depth = []

    def deeper(n):
        depth.append(n)
        return deeper(n + 1)

    before = sys.getrecursionlimit()
    with pytest.raises(RecursionError), _shallow():
        deeper(0)
    assert 50 < len(depth) < 250
    assert sys.getrecursionlimit() == before


def test_a_promise_that_is_kept_settles_the_matter():
    found = rule(torch.round, lambda x, g: g)
    report = examine_function(found, (numbers(3, 4),), intended="ste")
    assert (report.verdict, report.overall) == ("correct", "correct")
    assert report.design_choices[0].code == "promise-kept"
    assert "what was promised: inputs[0]: straight-through" in " ".join(report.text("en").split())
    assert judged(found, numbers(3, 4), intended="any") == ("correct", ())
    assert judged(found, numbers(3, 4), intended="reversal") == ("wrong", ("promise-broken",))
    wrong = rule(torch.exp, lambda x, g: 2 * g)
    assert judged(wrong, numbers(3, 4), intended="ste")[0] == "wrong"
    with pytest.raises(ValueError, match=r"one of ste, surrogate, .* not 'nonsense'"):
        examine_function(found, (numbers(3),), intended="nonsense")


def test_a_sparse_tensor_that_needs_a_gradient_is_no_input_whose_numbers_can_be_moved():
    class Product(Function):
        @staticmethod
        def forward(ctx, a, x):
            ctx.save_for_backward(a)
            return a @ x

        @staticmethod
        def backward(ctx, g):
            return None, ctx.saved_tensors[0].T @ g

    sparse = torch.eye(3, dtype=torch.float64).to_sparse().requires_grad_()
    assert judged(Product, sparse, numbers(3, 2).requires_grad_()) == ("correct", ())


# ---- arguments for the gradient alone, and forwards that are staircases -------------------------


class AverageLog(Function):
    @staticmethod
    def forward(ctx, x, average):
        ctx.average = average
        return x.log()

    @staticmethod
    def backward(ctx, g):
        return g / ctx.average, None


class ChosenNorm(Function):
    @staticmethod
    def forward(ctx, x, method="exact"):
        ctx.save_for_backward(x)
        ctx.method = method
        return x / x.norm()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        if ctx.method == "plain":
            return g, None
        return (g - x * (x * g).sum() / (x * x).sum()) / x.norm(), None


def test_a_gradient_that_follows_an_argument_of_its_own_is_meant():
    x, average = numbers(4).abs() + 0.5, torch.tensor(1.3, dtype=torch.float64)
    assert judged(AverageLog, x.requires_grad_(), average) == ("limited", ("own-argument",))
    assert judged(AverageLog, x.detach(), average) == ("limited", ("own-argument",))
    assert judged(ChosenNorm, numbers(4), "plain") == ("limited", ("own-argument",))
    assert judged(ChosenNorm, numbers(4), "exact") == ("correct", ())


def test_an_argument_that_no_choice_of_makes_it_right_excuses_nothing():
    class WrongNorm(ChosenNorm):
        @staticmethod
        def backward(ctx, g):
            return (g if ctx.method == "plain" else 2.0 * g), None

    assert judged(WrongNorm, numbers(4), "plain")[0] == "wrong"


def test_the_tolerance_of_a_backward_and_an_ignored_loss_excuse_nothing():
    class Solved(Function):
        @staticmethod
        def forward(ctx, x, tolerance, weight):
            ctx.save_for_backward(x, weight)
            ctx.tolerance = tolerance
            return x**3

        @staticmethod
        def backward(ctx, g):
            x, _ = ctx.saved_tensors
            return (2.0 + ctx.tolerance) * g * x**2, None, None

    class Ignoring(Solved):
        @staticmethod
        def backward(ctx, g):
            _, weight = ctx.saved_tensors
            return weight.clone(), None, None

    assert judged(Solved, numbers(4), 1e-9, numbers(4))[0] == "wrong"
    assert judged(Ignoring, numbers(4).requires_grad_(), 1e-9, numbers(4)) == ("wrong", ("upstream-ignored",))


def stairs(x):
    """x**3 to a tolerance of 1e-4, as an iteration gives it; its small slopes are those of another curve."""
    return torch.round(x**3 * 1e4) / 1e4 + 1e-5 * torch.sin(1e4 * x)


def test_a_forward_that_is_a_staircase_is_measured_from_afar():
    x = 0.5 + numbers(3).abs()
    found = judged(rule(stairs, lambda x, g: 3.0 * g * x**2 + 0.0 * torch.sin(x)), x)
    assert found == ("limited", ("coarse-forward",))


def test_a_wrong_gradient_of_a_staircase_and_of_a_curve_is_wrong():
    x = 0.5 + numbers(3).abs()
    assert judged(rule(stairs, lambda x, g: 2.7 * g * x**2), x)[0] == "wrong"
    for factor in (2.9, 2.99, 3.002):
        assert judged(rule(lambda x: x**3, lambda x, g, k=factor: k * g * x**2), x)[0] == "wrong"


class Square(Function):
    @staticmethod
    def forward(ctx, x, training=True):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2.0 * g * x


def test_an_optional_argument_that_backward_forgets_is_told_although_it_can_be_left_out():
    assert judged(Square) == ("limited", ("wrong-count",))
    assert judged(Square, numbers(3)) == ("correct", ())


def test_numbers_that_are_not_finite_at_invented_inputs_of_several_arguments_convict_nobody():
    class Root(Function):
        @staticmethod
        def forward(ctx, x, steps):
            ctx.save_for_backward(x)
            return x.abs() ** 0.5

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g / (2.0 * x**0.5), None

    assert judged(Root)[0] == "limited"
    assert judged(Root, -numbers(3).abs(), 2) == ("wrong", ("not-finite",))


def test_a_constant_that_is_rounded_differently_in_the_two_is_an_approximation():
    found = rule(lambda x: x + 0.1 * x**3, lambda x, g: g * (1.0 + 0.3006 * x**2))
    x = torch.tensor([0.01, 0.02, 1.0, 1.9], dtype=torch.float64)
    assert judged(found, x) == ("limited", ("approximate",))
    off = rule(lambda x: x + 0.1 * x**3, lambda x, g: g * (1.0 + 0.33 * x**2))
    assert judged(off, x)[0] == "wrong"


def float_square(factor):
    """The square of the lower half of a symmetric matrix, which runs in single precision alone."""

    class Squared(Function):
        """Of a symmetric matrix."""

        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            lower = torch.tril(x)
            return (lower @ lower).mm(torch.eye(3))

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            with torch.enable_grad():
                whole = x.detach().requires_grad_()
                lower = torch.tril(whole)
                (found,) = torch.autograd.grad(lower @ lower, whole, g)
            return factor * 0.5 * (found + found.mT)

    return Squared


def test_in_single_precision_a_structure_is_measured_with_steps_that_move_its_numbers():
    a = torch.tensor([[4.2, 1.1, 0.6], [1.1, 4.1, 0.7], [0.6, 0.7, 3.2]])
    assert judged(float_square(1.0), a)[0] in ("correct", "not examined")
    assert judged(float_square(1.3), a)[0] == "wrong"


def test_nothing_is_correct_of_which_no_number_was_compared(monkeypatch):
    from minigrad.doctor.rules.subject_examination import _RuleExamination

    monkeypatch.setattr(_RuleExamination, "_agrees", lambda *_: True)
    assert judged(Square, numbers(3)) == ("not examined", ())


class Spike(Function):
    @staticmethod
    def forward(ctx, x, threshold, curve):
        ctx.save_for_backward(x)
        ctx.curve = curve
        return (x > threshold).to(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.curve(x), None, None


def test_a_step_whose_curve_is_handed_over_is_seen_from_afar():
    x = torch.linspace(-1.0, 1.1, 6, dtype=torch.float64)
    assert judged(Spike, x, 0.5, lambda x: 1.0 / (1.0 + x * x)) == ("limited", ("surrogate",))


def test_nothing_is_correct_whose_only_input_a_function_may_hold_by_another_name():
    weight = numbers(3)

    class Held(Function):
        @staticmethod
        def forward(ctx, run, x):
            ctx.save_for_backward(x)
            return run()

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return None, 2.0 * g * x

    assert judged(Held, lambda: weight**2, weight) == ("not examined", ())


def test_an_invented_argument_that_is_not_callable_accuses_nobody():
    name = "event"  # not to be read off the source

    class Solved(Function):
        @staticmethod
        def forward(ctx, x, event):
            ctx.save_for_backward(x)
            ctx.event = event
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g + 0.0 * getattr(ctx, name)(x, x), None

    assert judged(Solved)[0] == "not examined"


class Pull(Function):
    """The distance to the centres of classes; these move by a rule of their own, whatever the loss is."""

    @staticmethod
    def forward(ctx, x, centres, labels):
        ctx.save_for_backward(x, centres, labels)
        return ((x - centres[labels]) ** 2).sum() / 2

    @staticmethod
    def backward(ctx, g):
        x, centres, labels = ctx.saved_tensors
        apart = x - centres[labels]
        moved = torch.zeros_like(centres).index_add(0, labels, -apart)
        counts = 1 + torch.bincount(labels, minlength=len(centres))
        return g * apart, moved / counts[:, None], None


class ForgetsTheLoss(Pull):
    """The same without the counts: it is the derivative, for an upstream gradient of 1."""

    @staticmethod
    def backward(ctx, g):
        apart, _, _ = Pull.backward(ctx, g)
        x, centres, labels = ctx.saved_tensors
        return apart, torch.zeros_like(centres).index_add(0, labels, centres[labels] - x), None


class MovesBoth(Pull):
    """Nothing of it knows of the loss: no other input says that this is meant."""

    @staticmethod
    def backward(ctx, g):
        one = torch.ones_like(g)
        _, moved, _ = Pull.backward(ctx, one)
        x, centres, labels = ctx.saved_tensors
        return (x - centres[labels]).abs(), moved, None


def test_an_update_of_its_own_beside_a_right_gradient_is_meant_and_a_forgotten_loss_is_not():
    inputs = numbers(4, 2), numbers(3, 2), torch.tensor([0, 1, 1, 1])
    assert judged(Pull, *inputs) == ("limited", ("own-update",))
    assert judged(ForgetsTheLoss, *inputs)[0] == "wrong"
    assert judged(MovesBoth, *inputs)[0] == "wrong"


class WeightedPull(Function):
    """Each sample has a weight, which the gradient of the centres forgets, as it does the loss."""

    @staticmethod
    def forward(ctx, x, centres, weights):
        ctx.save_for_backward(x, centres, weights)
        return (weights[:, None] * (x - centres) ** 2).sum() / 2

    @staticmethod
    def backward(ctx, g):
        x, centres, weights = ctx.saved_tensors
        apart = x - centres
        of_weights = g * (apart**2).sum(1) / 2 if ctx.needs_input_grad[2] else None
        return g * weights[:, None] * apart, -apart, of_weights


def gate(x, z, g):
    opened = z.sigmoid()
    return g * opened, opened * (1 - opened)


@pytest.mark.parametrize("made", [numbers, lambda *shape: numbers(*shape).abs() + 0.1])
@pytest.mark.parametrize(
    ("forward", "backward", "shapes"),
    [
        (torch.mul, lambda x, w, g: (g * w, w), [(3, 4), (3, 4)]),
        (torch.mul, lambda x, w, g: (g * w, w), [(4,), (4,)]),
        (torch.mul, lambda x, w, g: (g * w, w), [(4, 1), (4, 1)]),
        (lambda x, w: (x * w).sum(), lambda x, w, g: (g * w, w), [(3, 2), (3, 2)]),
        (lambda x, w: (x * w).sum(), lambda x, w, g: (g * w, w), [(3, 1), (3, 1)]),
        (lambda x, z: x * z.sigmoid(), gate, [(3, 4), (3, 4)]),
        (lambda x, z: (x * z.sigmoid()).sum(), gate, [(3, 4), (3, 4)]),
        (torch.matmul, lambda x, w, g: (g @ w.mT, 2 * w), [(2, 3), (3, 4)]),
        (torch.matmul, lambda x, w, g: (g @ w.mT, 2 * w), [(2, 3), (3, 1)]),
        (torch.mul, lambda x, s, g: (g * s, (x * x).sum(0)), [(3, 4), (4,)]),
    ],
)
def test_whoever_forgets_the_loss_and_something_else_makes_no_update(forward, backward, shapes, made):
    assert judged(rule(forward, backward), *(made(*shape) for shape in shapes))[0] == "wrong"


@pytest.mark.parametrize("needed", [False, True])
def test_rates_that_change_with_an_argument_are_a_forgotten_weight(needed):
    """With gradients asked for the first two alone, or for all."""
    x, centres = (numbers(3, 2).requires_grad_(needed) for _ in range(2))
    assert judged(WeightedPull, x, centres, numbers(3).abs() + 0.3)[0] == "wrong"


def test_an_update_against_the_derivative_is_a_wrong_sign():
    class Push(Pull):
        @staticmethod
        def backward(ctx, g):
            apart, moved, _ = Pull.backward(ctx, g)
            return apart, -moved, None

    assert judged(Push, numbers(4, 2), numbers(3, 2), torch.tensor([0, 1, 1, 1]))[0] == "wrong"


class Root(Function):
    """R with R R^T = a: its gradient is that of functions of R R^T, whichever root it is."""

    factor = 1.0

    @staticmethod
    def forward(ctx, a):
        values, vectors = torch.linalg.eigh((a + a.mT) / 2)
        root = vectors * values.sqrt()
        ctx.save_for_backward(root)
        return root

    @staticmethod
    def backward(ctx, g):
        (root,) = ctx.saved_tensors
        half = g @ root.inverse() / 2
        return Root.factor * (half + half.mT) / 2


def test_a_gradient_for_what_is_made_of_a_root_is_meant_and_a_wrong_one_is_not(monkeypatch):
    a = numbers(3, 3)
    a = a @ a.mT + 2 * torch.eye(3, dtype=torch.float64)
    assert judged(Root, a) == ("limited", ("root-product",))
    monkeypatch.setattr(Root, "factor", 1.1)
    assert judged(Root, a)[0] == "wrong"


class MatrixBeside(Function):
    """Its matrix is right, and what comes from the other output is taken from its first number alone."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 3 * x, (x * x).sum(-1)

    @staticmethod
    def backward(ctx, g, sums):
        (x,) = ctx.saved_tensors
        return 3 * g + 2 * x * sums[0]


def test_a_right_matrix_beside_a_wrong_output_is_no_root():
    assert judged(MatrixBeside, numbers(2, 3))[0] == "wrong"


class SolvesTheOther(Function):
    """The solve is at the wrong factor: right for R^T R and symmetric changes, and the output is no root."""

    @staticmethod
    def forward(ctx, matrix, b):
        factor = torch.linalg.cholesky(matrix)
        solved = torch.cholesky_solve(b, factor)
        ctx.save_for_backward(factor, solved)
        return solved

    @staticmethod
    def backward(ctx, g):
        factor, solved = ctx.saved_tensors
        of_matrix = solved
        of_matrix = torch.cholesky_solve(of_matrix, factor)
        of_matrix = of_matrix.mul(-1)
        of_matrix = torch.mm(g, of_matrix.t())
        return of_matrix, torch.cholesky_solve(g, factor)


def test_a_product_that_happens_to_lead_to_a_right_gradient_is_no_root():
    a = numbers(3, 3)
    a = a @ a.mT + 2 * torch.eye(3, dtype=torch.float64)
    assert judged(SolvesTheOther, a, numbers(3, 2))[0] == "wrong"


class Threshold(Function):
    """Sigmoids that sum up to two, by a search that stops at a tolerance: some stairs rise as it does."""

    factor = 1.0

    @staticmethod
    def forward(ctx, x):
        lower, upper = -x.max() - 7.0, -x.min() + 7.0
        for _ in range(30):
            if upper - lower <= 1e-6:
                break
            tried = lower + (upper - lower) * torch.linspace(0, 1, 10, dtype=x.dtype)
            below = int(((x + tried[:, None]).sigmoid().sum(1) < 2.0).sum()) - 1
            lower, upper = tried[below], tried[below + 1]
        y = (x + (lower + upper) / 2).sigmoid()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        slope = y * (1 - y)
        return Threshold.factor * slope * (g - (g * slope).sum() / slope.sum())


def test_a_search_that_stops_at_a_tolerance_is_coarse_and_a_wrong_rule_of_it_is_wrong(monkeypatch):
    x = torch.tensor([0.3, -1.1, 0.7, 1.9, -0.4], dtype=torch.float64)
    assert judged(Threshold, x) == ("limited", ("coarse-forward",))
    monkeypatch.setattr(Threshold, "factor", 1.1)
    assert judged(Threshold, x)[0] == "wrong"
