"""Custom rules of JAX: the wrong ones are named, the right ones acquitted."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from minigrad.doctor.rules import RuleReport, examine_function


def with_vjp(function, backward, forward=None):
    """A function with a backward rule of (saved inputs, upstream gradient)."""
    custom = jax.custom_vjp(function)
    custom.defvjp(forward or (lambda *inputs: (function(*inputs), inputs)), backward)
    return custom


def with_jvp(function, rule):
    custom = jax.custom_jvp(function)
    custom.defjvp(rule)
    return custom


def numbers(seed, *shapes):
    random = np.random.default_rng(seed)
    return tuple(random.normal(size=shape) for shape in shapes)


def product(a, b):
    return a * b


def matmul(a, b):
    return a @ b


def sine(x):
    return jnp.sin(x)


def softmax(x):
    return jax.nn.softmax(x)


class Kept:
    """Where a careless rule keeps its input."""

    x = None


def keeps(x):
    Kept.x = x
    return jnp.sin(x), None


def one_way(primals, tangents):
    """Linear in its tangent, but in a way that JAX cannot turn around."""
    (x,), (t,) = primals, tangents
    return jnp.sin(x), jnp.where(t < 0, -jnp.cos(x) * jnp.abs(t), jnp.cos(x) * jnp.abs(t))


def cosine(primals, tangents):
    return jnp.sin(primals[0]), jnp.cos(primals[0]) * tangents[0]


WRONG = {
    "factor": (with_vjp(sine, lambda saved, g: (3 * g * jnp.cos(saved[0]),)), [(5,)], "x"),
    "sign": (with_vjp(product, lambda saved, g: (g * saved[1], -g * saved[0])), [(3, 2), (3, 2)], "b"),
    "transposed": (with_vjp(matmul, lambda saved, g: (g @ saved[1], saved[0].T @ g)), [(3, 3), (3, 3)], "a"),
    "input-for-output": (
        with_vjp(jax.nn.sigmoid, lambda saved, g: (g * saved[0] * (1 - saved[0]),)),
        [(6,)],
        "x",
    ),
    "swapped-inputs": (with_vjp(product, lambda saved, g: (g * saved[0], g * saved[1])), [(4,), (4,)], "a"),
    "broadcast-sum-missing": (
        with_vjp(product, lambda saved, g: (g * saved[1], g * saved[0])),
        [(3, 4), (4,)],
        "b",
    ),
    "broadcast-mean": (
        with_vjp(product, lambda saved, g: (g * saved[1], (g * saved[0]).mean(0))),
        [(3, 4), (4,)],
        "b",
    ),
    "upstream-ignored": (with_vjp(sine, lambda saved, g: (jnp.cos(saved[0]),)), [(5,)], "x"),
    "upstream-twice": (with_jvp(sine, lambda p, t: (jnp.sin(p[0]), jnp.cos(p[0]) * t[0] ** 2)), [(5,)], "x"),
    "coupling-missing": (with_vjp(softmax, lambda saved, g: (g * softmax(saved[0]),)), [(5,)], "x"),
    "factor-missing": (
        with_vjp(jax.nn.sigmoid, lambda saved, g: (g * jax.nn.sigmoid(saved[0]),)),
        [(6,)],
        "x",
    ),
    "term-missing": (
        with_jvp(lambda x: x * jnp.exp(x), lambda p, t: (p[0] * jnp.exp(p[0]), jnp.exp(p[0]) * t[0])),
        [(6,)],
        "x",
    ),
    "wrong-in-region": (with_vjp(jax.nn.relu, lambda saved, g: (g,)), [(9,)], "x"),
    "rule-forward-differs": (
        with_vjp(sine, lambda saved, g: (g * saved[1],), lambda x: (2 * jnp.sin(x), (x, jnp.cos(x)))),
        [(4,)],
        "",
    ),
    "stale-saved": (with_vjp(sine, lambda saved, g: (g * jnp.cos(Kept.x),), keeps), [(4,)], "x"),
    "second-derivative-wrong": (
        with_vjp(sine, lambda saved, g: (g * jax.lax.stop_gradient(jnp.cos(saved[0])),)),
        [(4,)],
        "x",
    ),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_rule_is_named(fault):
    function, shapes, wrong = WRONG[fault]
    for seed in range(2):
        report = examine_function(function, numbers(seed, *shapes), seed=seed, beyond=True)
        finding = report.findings[0]
        verdicts = {"gradient": report.verdict, "conduct": report.conduct, "second": report.second}
        assert (finding.fault, verdicts[finding.about]) == (fault, "wrong")
        assert report.findings[0].input == wrong


RIGHT = {
    "product": (with_vjp(product, lambda saved, g: (g * saved[1], g * saved[0])), [(3, 2), (3, 2)]),
    "bias": (with_vjp(lambda x, b: x + b, lambda saved, g: (g, g.sum(0))), [(3, 4), (4,)]),
    "matmul": (with_vjp(matmul, lambda saved, g: (g @ saved[1].T, saved[0].T @ g)), [(3, 4), (4, 2)]),
    "sine": (with_jvp(sine, cosine), [(5,)]),
    "relu": (with_vjp(jax.nn.relu, lambda saved, g: (g * (saved[0] > 0),)), [(6,)]),
    "softmax": (
        with_vjp(softmax, lambda y, g: (y * (g - (g * y).sum()),), lambda x: (softmax(x), softmax(x))),
        [(5,)],
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_rule_is_acquitted(name):
    function, shapes = RIGHT[name]
    for seed in range(3):  # 20 were tried, and 3 are kept for the time they take
        report = examine_function(function, numbers(seed, *shapes), seed=seed)
        assert (report.verdict, report.faults) == ("correct", ())
        assert report.comparisons > 20


def test_a_rule_with_tangents_that_cannot_be_turned_around_is_limited():
    report = examine_function(with_jvp(sine, one_way), numbers(0, (3,)))
    assert (report.conduct, report.faults) == ("limited", ("not-transposable",))


def test_arguments_that_are_not_differentiated_stay_as_they_are():
    scaled = jax.custom_vjp(lambda x, times: times * x, nondiff_argnums=(1,))
    scaled.defvjp(lambda x, times: (times * x, None), lambda times, saved, g: (times * g,))
    assert examine_function(scaled, (np.array([1.0, -2.0, 0.5]), 3), library="jax").verdict == "correct"
    scaled.defvjp(lambda x, times: (times * x, None), lambda times, saved, g: (g / times,))
    report = examine_function(scaled, (np.array([1.0, -2.0, 0.5]), 3), library="jax")
    assert report.findings[0].fault == "factor"
    assert report.findings[0].fields["factor"] == pytest.approx(1 / 9)


def test_inputs_are_invented_and_the_report_survives_json():
    report = examine_function(WRONG["sign"][0], library="jax")
    assert (report.verdict, report.origin, report.faults) == ("wrong", "invented", ("sign",))
    assert RuleReport.from_json(report.to_json()) == report


def test_the_precision_of_the_program_stays_as_it_is():
    examine_function(RIGHT["sine"][0], numbers(0, (3,)))
    assert jnp.asarray(1.5).dtype == jnp.float32
