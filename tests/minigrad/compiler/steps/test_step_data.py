"""Compiled training steps: what a loss may be and be given, one sample or many, and what is refused."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import minigrad
from minigrad import Value, functions
from minigrad.compiler.steps import MOST
from minigrad.nn import GPT, MLP, SGD, Adam, Embedding, cross_entropy, hinge_loss, mse_loss
from minigrad.nn.optimisers import Optimizer
from minigrad.text.translation import speaking
from step_models import bits, listed, loss_of, plainly, samples, weights

# ---- what a loss may be ---------------------------------------------------------------------------


def test_data_of_different_lengths_moves_the_same_weights():
    def mean_square(w, xs):
        return sum((w[0] + w[1] * x) ** 2 for x in xs) / len(xs)

    texts = [[1.0, 2.0], [3.0], [0.5, -1.0], [4.0], [5.0], [1.0, 1.0, 1.0]]
    plain, compiled = [Value(0.5), Value(-0.2)], [Value(0.5), Value(-0.2)]
    losses = plainly(partial(mean_square, plain), Adam(plain), plain, [(text,) for text in texts])
    step = minigrad.compile(mean_square).training(Adam(compiled), compiled)
    assert step.run(texts).tolist() == losses
    step.write_back()
    assert bits(compiled) == bits(plain)


def test_the_parameters_of_a_module_are_captured_and_other_values_are_read_anew():
    def trained(compiled: bool) -> list[float]:
        model, scale = MLP(2, [4, 1], activation="tanh", seed=1), Value(2.0)
        optimiser = Adam(model.parameters())

        def loss(x, y):
            return (model(x) * scale - y) ** 2

        step = minigrad.compile(loss).training(optimiser) if compiled else None
        found = []
        for at, data in enumerate([([0.5, -1.0], 1.0), ([1.0, 2.0], 0.0), ([0.0, 1.0], 3.0)]):
            scale.data = 2.0 + at
            if step:
                found.append(step(*data))
            else:
                found += plainly(loss, optimiser, model.parameters(), [data])
        return found

    assert trained(compiled=True) == trained(compiled=False)


def test_one_value_in_two_arguments_is_one_parameter():
    def tied(a, b, x):
        return (a * x + b * b) ** 2

    plain, compiled = Value(0.7), Value(0.7)
    losses = plainly(lambda x: tied(plain, plain, x), Adam([plain]), [plain], [(1.5,), (2.5,)])
    step = minigrad.compile(tied).training(Adam([compiled]), compiled, compiled)
    assert [step(1.5), step(2.5)] == losses
    step.write_back()
    assert bits([compiled]) == bits([plain])


def test_a_parameter_that_the_loss_does_not_use_has_the_gradient_0():
    used, unused = Value(1.0), Value(5.0)
    step = minigrad.compile(lambda w, x: w * x).training(SGD([unused, used], lr=1.0, weight_decay=0.1), used)
    step(2.0)
    step.write_back()
    assert (unused.grad, unused.data) == (0.0, 4.5)


@pytest.mark.usefixtures("executors")
def test_a_branch_on_the_data_is_taken_by_each_step_for_itself():
    def bent(w, x):
        return (w * x) ** 2 if x > 0.0 else (w - x) ** 2

    xs = [1.0, 2.0, -1.0, 3.0, -2.0, -3.0, 0.5]
    plain, compiled = Value(0.7), Value(0.7)
    losses = plainly(partial(bent, plain), Adam([plain]), [plain], [(x,) for x in xs])
    step = minigrad.compile(bent).training(Adam([compiled]), compiled)
    assert step.run(np.array(xs)).tolist() == losses
    step.write_back()
    assert bits([compiled]) == bits([plain])


def test_a_function_that_goes_ever_new_ways_is_refused_with_the_line():
    def rounding(w, x):
        count = 0
        while x > count:
            count += 1
        return w * x * count

    step = minigrad.compile(rounding).training(SGD([w := Value(1.0)]), w)
    for count in range(MOST):
        step(count + 0.5)
    with pytest.raises(ValueError, match=r"(?s)64th time.*test_step_data.py"):
        step(MOST + 0.5)


def test_an_index_is_looked_up_and_one_that_is_too_large_refused():
    table = Embedding(5, 2, seed=1)
    step = minigrad.compile(lambda token: functions.dot(table(token), [1.0, 2.0]) ** 2).training(
        SGD(table.parameters(), lr=0.1)
    )
    other = Embedding(5, 2, seed=1)
    tokens = [0, 3, 3, 1, 4, 0]
    losses = plainly(
        lambda token: functions.dot(other(token), [1.0, 2.0]) ** 2,
        SGD(other.parameters(), lr=0.1),
        other.parameters(),
        [(token,) for token in tokens],
    )
    assert step.run(np.array(tokens)).tolist() == losses
    assert sum(map(len, step._variants.values())) == 1
    for token in (5, -1):
        with pytest.raises(ValueError, match="does not exist"):
            step(token)
    with pytest.raises(ValueError, match="does not exist"):
        step.run([0, 1, 5])


def test_targets_and_labels_can_be_arguments():
    model, other = GPT(5, block=4, width=4, heads=2, seed=1), GPT(5, block=4, width=4, heads=2, seed=1)
    texts = [[4, 0, 1, 4], [4, 2, 2, 4], [4, 3, 4], [4, 1, 0, 4]]
    losses = plainly(other.loss, Adam(other.parameters()), other.parameters(), [(text,) for text in texts])
    step = minigrad.compile(model.loss).training(Adam(model.parameters()))
    assert step.run(texts).tolist() == losses
    assert sum(map(len, step._variants.values())) == 2  # one for each length, whatever the letters

    def surprise(w, x, label, target, token):
        scores = [w * x, w - x, w]
        return hinge_loss(w * x, label) + mse_loss(w, target) + cross_entropy([scores, scores], [token, 1])

    data = [(0.5, 1.0, 2.0, 0), (1.5, -1.0, 1.0, 2), (2.5, 1.0, 0.0, 1)]
    plain, compiled = Value(0.3), Value(0.3)
    losses = plainly(partial(surprise, plain), Adam([plain]), [plain], data)
    step = minigrad.compile(surprise).training(Adam([compiled]), compiled)
    assert [step(*sample) for sample in data] == losses
    with pytest.raises(ValueError, match="label"):
        step(0.5, 0.5, 2.0, 0)


# ---- several samples ------------------------------------------------------------------------------


def test_the_mean_over_samples_of_different_structures_has_the_bits_of_the_plain_one():
    model, other = GPT(5, block=4, width=4, heads=2, seed=1), GPT(5, block=4, width=4, heads=2, seed=1)
    texts = [[4, 0, 1, 4], [4, 2, 4], [4, 3, 4], [4, 1, 0, 4]]
    step = minigrad.compile(model.loss).training(SGD(model.parameters()))
    found = step.gradient_of_mean([(text,) for text in texts])
    mean = functions.mean([other.loss(text) for text in texts])
    mean.backward()
    assert found == mean.data
    step.write_back()
    assert bits(model.parameters()) == bits(other.parameters())


@pytest.mark.usefixtures("executors")
def test_a_batch_moves_by_its_mean_in_one_call_or_many():
    data = samples(24)
    xs, ys = np.array([x for x, _ in data]), np.array([y for _, y in data])
    plain, called, run = weights(), weights(), weights()
    batches = [data[start : start + 8] for start in range(0, 24, 8)]
    losses = plainly(
        lambda *batch: functions.mean([loss_of(plain, *sample) for sample in batch]),
        Adam(listed(plain)),
        listed(plain),
        batches,
        clip=0.5,
    )
    step = minigrad.compile(loss_of).training(Adam(listed(called)), called, clip=0.5, batched=True)
    found = [step(xs[start : start + 8], ys[start : start + 8]) for start in range(0, 24, 8)]
    assert found == pytest.approx(losses, rel=1e-12)
    step.write_back()
    assert [p.data for p in listed(called)] == pytest.approx([p.data for p in listed(plain)], rel=1e-9)
    many = minigrad.compile(loss_of, threads=2).training(Adam(listed(run)), run, clip=0.5, batched=True)
    assert many.run(xs.reshape(3, 8, 3), ys.reshape(3, 8)).tolist() == found
    many.write_back()
    assert bits(listed(run)) == bits(listed(called))


@pytest.mark.usefixtures("executors")
@pytest.mark.parametrize("batched", [False, True])
def test_steps_can_be_repeated_on_the_same_data(batched):
    one, other = weights(), weights()
    x, y = ([[0.5, 1.0, -1.0]] * 4, [1.0, 2.0, 0.0, 1.0]) if batched else ([0.5, 1.0, -1.0], 1.0)
    step = minigrad.compile(loss_of).training(Adam(listed(one)), one, batched=batched)
    again = minigrad.compile(loss_of).training(Adam(listed(other)), other, batched=batched)
    assert again.repeat(6, x, y).tolist() == [step(x, y) for _ in range(6)]
    assert again.data.tolist() == step.data.tolist()
    rates = [0.1, 0.2, 0.3]
    assert again.repeat(3, x, y, lr=rates).tolist() == step.run([x] * 3, [y] * 3, lr=rates).tolist()


def test_samples_of_a_batch_may_go_different_ways_or_have_different_lengths():
    def bent(w, x):
        return (w * x) ** 2 if x > 0.0 else (w - x) ** 2

    plain, compiled = Value(0.7), Value(0.7)
    expected = functions.mean([bent(plain, x) for x in (1.0, -1.0, 2.0)])
    expected.backward()
    step = minigrad.compile(bent).training(SGD([compiled]), compiled, batched=True)
    assert step.gradient(np.array([1.0, -1.0, 2.0])) == expected.data
    assert step.grad.tolist() == [plain.grad]

    total = minigrad.compile(lambda w, xs: sum(w * x for x in xs)).training(
        SGD([compiled]), compiled, batched=True
    )
    assert total.gradient([[1.0, 2.0], [3.0]]) == pytest.approx(3.0 * compiled.data)
    assert total.grad.tolist() == [3.0]


def test_a_loss_that_no_sample_changes_has_its_own_gradient_not_the_sum_of_them():
    w = Value(3.0)
    step = minigrad.compile(lambda w, x: w * w).training(SGD([w], lr=0.1), w, batched=True)
    assert step(np.ones(4)) == 9.0
    assert step.grad.tolist() == [6.0]


# ---- what is refused ------------------------------------------------------------------------------


class Own(Optimizer):
    """An optimiser that somebody has written, with a step and without a rule."""

    def step(self, closure=None):
        for group in self.param_groups:
            for parameter in group["params"]:
                parameter.data -= group["lr"] * parameter.grad


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_cannot_be_is_refused_in_words(language):
    w = Value(1.0)
    english = language == "en"
    with speaking(language):
        program = minigrad.compile(lambda w, x: (w * x, w))
        with pytest.raises(ValueError, match="returns 2" if english else "devuelve 2"):
            program.training(SGD([w]), w)(1.0)
        program = minigrad.compile(lambda w, x: w * x)
        with pytest.raises(TypeError, match=r"minigrad\.nn"):
            program.training([w], w)
        with pytest.raises(TypeError, match="step of its own" if english else "paso propio"):
            program.training(Own([w], {"lr": 0.1}), w)
        with pytest.raises(TypeError, match=r"minigrad\.nn"):
            program.training(Optimizer([w], {"lr": 0.1}), w)  # which states no rule
        with pytest.raises(ValueError, match="norm"):
            program.training(SGD([w]), w, clip=-1.0)
        step = program.training(SGD([w]), w)
        with pytest.raises(ValueError, match="one length" if english else "misma longitud"):
            step.run([1.0], [2.0, 3.0])
        with pytest.raises(ValueError, match="one sample" if english else "una muestra"):
            step.gradient_of_mean([])
        with pytest.raises(ValueError, match="0 or more" if english else "0 o más"):
            step.repeat(-1, 2.0)
        for lost in (lambda: step(w), lambda: step.run([1.0, w]), lambda: step.gradient_of_mean([(w,)])):
            with pytest.raises(ValueError, match="does not move" if english else "no se mueve"):
                lost()
        with pytest.raises(TypeError, match="has none" if english else "no tiene"):
            minigrad.compile(w * w, inputs=[w]).training(SGD([w]))
        optimiser = SGD([w])
        step = program.training(optimiser, w)
        optimiser.add_param_group({"params": [Value(2.0)]})
        with pytest.raises(ValueError, match="call it again" if english else "llámelo otra vez"):
            step(1.0)
    assert program.training(SGD([w]), w).run([]).tolist() == []


def test_a_module_that_draws_while_it_trains_is_refused():
    model = GPT(5, block=4, width=4, heads=2, dropout=0.5, seed=1)
    step = minigrad.compile(model.loss).training(SGD(model.parameters()))
    with pytest.raises(TypeError, match="random"):
        step([4, 0, 4])
