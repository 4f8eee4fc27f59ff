"""Invented inputs: they lie where the forward wants them, and a rule for other inputs is not convicted."""

from __future__ import annotations

import time
from collections.abc import Sequence
from numbers import Number
from typing import Optional, Union

import pytest
import torch
from torch import nn
from torch.autograd import Function

from minigrad.doctor.rules import examine_function, examiner, invented_inputs
from minigrad.doctor.rules.input_domains import named_domain
from minigrad.doctor.rules.invented_inputs import proposals
from minigrad.doctor.rules.invented_modules import invented_module
from minigrad.doctor.rules.parameter_roles import parameter_roles
from minigrad.doctor.rules.torch_rules import torch_subject

EPS = 1e-7


def invented(rule):
    """What was invented for a rule: values, and tensors as they are."""
    return torch_subject(rule, None, None, 0).given


def only_role(forward, name):
    return next(role for role in parameter_roles(forward, False) if role.name == name)


# ---- domains ------------------------------------------------------------------------------------


class Arcosh(Function):
    @staticmethod
    def forward(ctx, x):
        x = x.clamp(min=1.0 + 1e-12)
        ctx.save_for_backward(x)
        z = x.double()
        return torch.log(z + torch.sqrt(z * z - 1))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (x * x - 1) ** 0.5


class Guarded(Function):
    """The inverse of tanh with a guard that is computed."""

    @staticmethod
    def forward(ctx, x):
        inside = torch.clamp(x, -1 + EPS, 1 - EPS)
        ctx.save_for_backward(inside)
        return 0.5 * (torch.log(1 + inside) - torch.log(1 - inside))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (1 - x * x)


class Clipped(Function):
    """A clip with a bound that is learned."""

    @staticmethod
    def forward(ctx, x, top):
        ctx.save_for_backward(x, top)
        return x.clamp(min=0.0).min(top)

    @staticmethod
    def backward(ctx, g):
        x, top = ctx.saved_tensors
        above = x >= top
        return g * ((x > 0) & ~above), (g * above).sum()


class Stepped(Function):
    """A learned step, whose gradient has the shape (1,)."""

    @staticmethod
    def forward(ctx, x, size, Qn, Qp):  # noqa: N803
        ctx.save_for_backward(x, size)
        ctx.limits = Qn, Qp
        return (x / size).clamp(Qn, Qp).round() * size

    @staticmethod
    def backward(ctx, g):
        x, size = ctx.saved_tensors
        low, high = ctx.limits
        q = x / size
        below, above = (q < low).to(g.dtype), (q > high).to(g.dtype)
        between = 1.0 - below - above
        learned = below * low + above * high + between * (q.round() - q)
        return g * between, (g * learned).sum().unsqueeze(0), None, None


@pytest.mark.parametrize(("rule", "low", "high"), [(Arcosh, 1.0, 9.0), (Guarded, -1.0, 1.0)])
def test_a_guard_at_the_top_of_the_forward_says_where_its_inputs_belong(rule, low, high):
    (x,) = invented(rule)
    assert low < float(x.min()) <= float(x.max()) < high


def test_a_clamp_that_is_the_function_itself_is_no_guard():
    def saturated(x):
        return x.clamp(-1 + 1e-3, 1 - 1e-3)

    def quantised(x):
        x = x.clamp(-1, 1)
        return x.round()

    assert only_role(saturated, "x").bounds == (None, None)
    assert only_role(quantised, "x").bounds == (None, None)


def test_poles_of_roots_and_logarithms_are_kept_away_from():
    def hyperbola(x):
        return torch.sqrt(x**2 - 1)

    def circle(x):
        y = x.double()
        return (1 - y.pow(2)).sqrt()

    def odds(p):
        return torch.log(p) - torch.log(1 - p)

    def kept(x):
        x = x * 5
        return torch.sqrt(x * x - 1)

    assert "above-one" in only_role(hyperbola, "x").tags
    assert "ball" in only_role(circle, "x").tags
    assert {"positive", "below-one"} <= only_role(odds, "p").tags
    assert not only_role(kept, "x").tags & {"above-one", "ball"}  # it is another x by then


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("Arcosh", "above-one"), ("FastAcosh", "above-one"), ("my_atanh_fn", "ball"), ("ErfInv", ""),
        ("erfinv", "ball"), ("Arsinh", ""), ("Tanh", ""), ("Macosx", ""),
    ],
)  # fmt: skip
def test_names_of_inverse_functions_say_their_domain(name, tag):
    assert named_domain(name) == tag


def test_a_bound_of_a_clip_is_one_positive_number():
    x, top = invented(Clipped)
    assert (x.dim() > 0, top.numel(), float(top) > 0.0) == (True, 1, True)
    assert examine_function(Clipped).verdict == "correct"


def test_the_step_of_a_quantiser_has_the_shape_of_its_gradient():
    x, size, low, high = invented(Stepped)
    assert (x.dim() > 0, tuple(size.shape), float(size.min()) > 0.0) == (True, (1,), True)
    assert low < 0 < high


# ---- modules and functions ----------------------------------------------------------------------


class Coupled(Function):
    """x + F(x), with the gradients of the parameters of F; `share` plants a mistake in them."""

    share = 1.0

    @staticmethod
    def forward(ctx, x, Fm, *weights):  # noqa: N803
        ctx.Fm = Fm
        ctx.save_for_backward(x)
        with torch.no_grad():
            return x + Fm.forward(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            y = ctx.Fm(x)
        dx, *rest = torch.autograd.grad(y, (x, *ctx.Fm.parameters()), g)
        return (g + dx, None, *(Coupled.share * each for each in rest))


class Settled(Function):
    """A fixed point z = f(z, x)."""

    @staticmethod
    def forward(ctx, f, x, z, max_iter, tol, *params):
        ctx.f = f
        for _ in range(max_iter):
            after = f(z, x)
            if (after - z).abs().max() < tol:
                break
            z = after
        ctx.save_for_backward(x, z)
        return z

    @staticmethod
    def backward(ctx, g):
        f = ctx.f
        x, z = (each.detach().requires_grad_() for each in ctx.saved_tensors)
        with torch.enable_grad():
            after = f(z, x)
        y = g
        for _ in range(30):
            y = g + torch.autograd.grad(after, z, y, retain_graph=True)[0]
        dx, *rest = torch.autograd.grad(after, (x, *f.parameters()), y)
        return (None, dx, None, None, None, *rest)


class Stacked(Function):
    """A list of blocks, called with keywords."""

    @staticmethod
    def forward(ctx, x, blocks, kwargs):
        ctx.blocks, ctx.kwargs = blocks, kwargs
        ctx.save_for_backward(x)
        for block in blocks:
            x = block(x, **kwargs)
        return x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = y = x.detach().requires_grad_()
            for block in ctx.blocks:
                y = block(y, **ctx.kwargs)
        return torch.autograd.grad(y, x, g)[0], None, None


def test_a_rule_is_handed_a_module_and_its_parameters(monkeypatch):
    given = invented(Coupled)
    assert isinstance(given[1], nn.Module)
    assert [tuple(x.shape) for x in given[2:]] == [(2,), (2,)]
    assert examine_function(Coupled).verdict == "correct"
    monkeypatch.setattr(Coupled, "share", 2.0)
    report = examine_function(Coupled)
    assert report.verdict == "wrong"
    assert {each.input for each in report.findings if each.about == "gradient"} == {
        "weights[0]",
        "weights[1]",
    }


def test_a_fixed_point_of_an_invented_module_is_reached(monkeypatch):
    monkeypatch.setattr(invented_inputs, "FIRST", ((2,),))  # few numbers: each of them is an iteration
    assert examine_function(Settled).verdict == "correct"


def test_lists_of_blocks_and_keywords_are_invented():
    _, blocks, keywords = invented(Stacked)
    assert (len(blocks), keywords) == (2, {})
    assert examine_function(Stacked).verdict == "correct"


def test_an_invented_module_takes_whatever_it_is_given():
    module = invented_module(torch, "module")
    x = torch.randn(2, 3, dtype=torch.float64)
    assert module(0.5, x, flag=True).shape == x.shape
    assert module(x, torch.randn(5)).shape == x.shape
    assert module(x.float()).dtype == torch.float32
    slope = torch.autograd.functional.jacobian(module, x).reshape(6, 6)
    assert float(torch.linalg.matrix_norm(slope, 2)) < 0.6  # it contracts
    with pytest.raises(TypeError, match="no tensor"):
        module(3)


# ---- values -------------------------------------------------------------------------------------


class Weighted(Function):
    """Negative log likelihood with a weight for each class, which the backward forgets where `share` is 0."""

    share = 1.0

    @staticmethod
    def forward(ctx, logits, labels, class_weights, ignore_index):
        kept = labels != ignore_index
        weights = torch.tensor(class_weights, dtype=logits.dtype)[labels.clamp(min=0)] * kept
        ctx.save_for_backward(logits, labels, weights)
        return -(weights * logits.log_softmax(1).gather(1, labels.clamp(min=0)[:, None])[:, 0]).sum()

    @staticmethod
    def backward(ctx, g):
        logits, labels, weights = ctx.saved_tensors
        weights = weights**Weighted.share
        hot = torch.nn.functional.one_hot(labels.clamp(min=0), logits.shape[1])
        return g * weights[:, None] * (logits.softmax(1) - hot), None, None, None


class Targeted(Function):
    """Cross entropy with targets that are rows with a single one."""

    @staticmethod
    def forward(ctx, x, one_hot_labels):
        ctx.save_for_backward(x, one_hot_labels)
        return -(x.log_softmax(-1) * one_hot_labels).sum()

    @staticmethod
    def backward(ctx, g):
        x, hot = ctx.saved_tensors
        return g * (x.softmax(-1) - hot), None


class Padded(Function):
    """It knows two modes, and says which one it does not know."""

    @staticmethod
    def forward(ctx, x, mode):
        if mode == "reflecting":
            return x * 3
        raise ValueError(f"Unknown mode: {mode}")

    @staticmethod
    def backward(ctx, g):
        return g * 3, None


class Sparse(Function):
    @staticmethod
    def forward(ctx, indices, values, shape, b):
        a = torch.sparse_coo_tensor(indices, values, shape)
        ctx.save_for_backward(indices, values, b)
        return torch.matmul(a, b)

    @staticmethod
    def backward(ctx, g):
        indices, values, b = ctx.saved_tensors
        rows, columns = indices
        grad_b = torch.zeros_like(b).index_add_(0, columns, values[:, None] * g[rows])
        return None, (g[rows] * b[columns]).sum(1), None, grad_b


class Sketched(Function):
    """Places and signs as long as the last axis."""

    @staticmethod
    def forward(ctx, h, s, output_size, x):
        ctx.save_for_backward(h, s)
        return _sketch(h, s, output_size, x)

    @staticmethod
    def backward(ctx, g):
        h, s = ctx.saved_tensors
        return None, None, None, g.gather(-1, h.expand(*g.shape[:-1], len(h))) * s


def _sketch(h, s, output_size, x):
    out = x.new_zeros(*x.shape[:-1], output_size)
    h = h.view(*(1,) * (x.dim() - 1), x.size(-1)).expand(x.shape)
    return out.scatter_add_(-1, h, x * s)


class Attended(Function):
    """A linear layer with three outputs in one, and a count that divides the last axis."""

    @staticmethod
    def forward(ctx, x, QKV, num_heads):  # noqa: N803
        b, t, d = x.shape
        q, k, v = (x @ QKV.T).split(d, dim=-1)
        ctx.save_for_backward(x, QKV)
        return (q + k + v).view(b, t, num_heads, d // num_heads)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        g = g.reshape(x.shape).repeat(1, 1, 3)
        return g @ weight, torch.einsum("bti,btj->ij", g, x), None


class Logistic(Function):
    """One output, with a bias of the shape (1,)."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return x.mv(weight) + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        return g[:, None] * weight, x.T.mv(g), g.sum().unsqueeze(0)


def test_a_list_of_weights_is_unequal_so_that_a_forgotten_one_shows(monkeypatch):
    given = invented(Weighted)
    assert len(set(given[2])) == len(given[2]) > 1
    assert given[3] == -100
    assert examine_function(Weighted).verdict == "correct"
    monkeypatch.setattr(Weighted, "share", 0.0)
    assert examine_function(Weighted).verdict == "limited"  # wrong, unless the weights were to be equal


def test_one_hot_rows_have_a_single_one():
    _, hot = invented(Targeted)
    assert sorted(set(hot.flatten().tolist())) == [0, 1]
    assert hot.sum(-1).eq(1).all()
    assert examine_function(Targeted).verdict == "correct"


def test_a_value_that_an_error_refuses_is_replaced_by_what_the_module_compares_it_with():
    assert invented(Padded)[1] == "reflecting"


@pytest.mark.parametrize("rule", [Sparse, Sketched, Attended, Logistic])
def test_shapes_that_belong_together_are_found(rule):
    assert examine_function(rule).verdict == "correct"


def test_annotations_say_what_a_parameter_is():
    def annotated(
        x: torch.Tensor,
        v: Number,
        w: Union[int, float],  # noqa: UP007
        size: tuple[int, int],
        layers: list[nn.Module],
        rates: Sequence[float],
        mode: Optional[str] = None,  # noqa: UP045
    ): ...

    kinds = {role.name: (role.kind, role.options[:1]) for role in parameter_roles(annotated, False)}
    assert kinds["x"][0] == "tensor"
    assert kinds["v"] == ("value", (0.5,))
    assert kinds["w"][0] == "value"
    assert kinds["size"] == ("value", ((2, 2),))
    assert kinds["mode"] == ("value", (None,))
    assert (kinds["layers"][0], kinds["rates"][0]) == ("modules", "list")


# ---- what does not end, and what fails ----------------------------------------------------------


class Endless(Function):
    """An iteration that ends for positive definite matrices alone."""

    @staticmethod
    def forward(ctx, a):
        while a.dim() != 2 or a.shape[0] != a.shape[1] or not bool((torch.linalg.eigvalsh(a) > 0).all()):
            pass
        return a * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


class Never(Function):
    @staticmethod
    def forward(ctx, x):
        while True:
            pass

    @staticmethod
    def backward(ctx, g):
        return g


class Demanding(Function):
    @staticmethod
    def forward(ctx, x, table):
        _, _, d = x.shape
        raise RuntimeError(f"the planted reason, {d}")

    @staticmethod
    def backward(ctx, g):
        return g, None


def test_a_forward_that_does_not_end_is_left_for_the_next_proposal(monkeypatch):
    monkeypatch.setattr(invented_inputs, "ONE", 0.1)
    (a,) = invented(Endless)
    assert a.shape[-1] == a.shape[-2]


def test_the_search_ends_where_no_proposal_does(monkeypatch):
    monkeypatch.setattr(invented_inputs, "SECONDS", 0.3)
    monkeypatch.setattr(invented_inputs, "ONE", 0.1)
    began = time.process_time()
    report = examine_function(Never)
    assert time.process_time() - began < 4.0
    assert report.verdict == "not examined"
    assert "did not end" in report.text("en")
    assert "no terminó" in report.text("es")


def test_an_examination_with_invented_inputs_that_does_not_end_is_told(rules, monkeypatch):
    rules.write(
        "mine.py",
        """
        seen = []
        class Later(Function):
            @staticmethod
            def forward(ctx, x):
                seen.append(x)
                while len(seen) > 12:
                    pass
                return x * 2
            @staticmethod
            def backward(ctx, g): return g * 2
        """,
    )
    monkeypatch.setattr(examiner, "SECONDS", 0.5)
    report = rules.ask("mine.py").alone()
    assert report.verdict == "not examined"
    assert "took more than" in report.text("en")
    assert "tardó más" in report.text("es")


def test_the_error_from_the_furthest_line_is_told():
    assert "the planted reason" in examine_function(Demanding).text("en")


def test_proposals_are_repeatable():
    roles = parameter_roles(Stepped.forward, True)
    first, again = (list(zip(range(50), proposals(roles), strict=False)) for _ in range(2))
    assert first == again
