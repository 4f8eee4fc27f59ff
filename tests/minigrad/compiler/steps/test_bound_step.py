"""Steps that are one native call: the bits of the long way, and back to it where they do not hold."""

from __future__ import annotations

import math
import random

import pytest

np = pytest.importorskip("numpy")

import minigrad  # noqa: E402
from minigrad import Value, nn  # noqa: E402
from minigrad.compiler.steps import bound_step  # noqa: E402


def line(weights, x, y):
    error = weights[0] * x[0] + weights[1] * x[1] + weights[2] - y[0]
    return error * error


def looked_up(weights, index):
    chosen = [minigrad.take(weights, i) for i in index]
    return (chosen[0] * chosen[1] - 1.0) ** 2 + chosen[0].exp()


def bent(weights, x, y):
    error = weights[0] * x[0] + weights[1] * x[1] + weights[2] - y[0]
    return error * error if error > 0.0 else -error


def weights_of(count=3):
    return [Value(0.3 * k - 0.2) for k in range(count)]


def points(count, seed=1):
    draw = random.Random(seed)
    x = np.array([[draw.uniform(-1, 1), draw.uniform(-1, 1)] for _ in range(count)])
    return x, np.array([[draw.uniform(-1, 1)] for _ in range(count)])


RULES = {
    "Adam": lambda weights: nn.Adam(weights, lr=0.05),
    "SGD with momentum": lambda weights: nn.SGD(weights, lr=0.05, momentum=0.9),
    "two groups": lambda weights: nn.AdamW([{"params": weights[:1]}, {"params": weights[1:], "lr": 0.01}]),
}


@pytest.fixture
def quick(monkeypatch):
    """How many steps were taken by one native call, and how many of them were given up."""
    counted = {"taken": 0, "given up": 0}
    run_one = bound_step.BoundStep.run_one

    def counting(self, data):
        taken = run_one(self, data)
        counted["taken" if taken else "given up"] += 1
        return taken

    monkeypatch.setattr(bound_step.BoundStep, "run_one", counting)
    return counted


def eager(f, rule_of, data, clip=0.0):
    weights = weights_of()
    rule = rule_of(weights)
    losses = []
    for arguments in data:
        loss = f(weights, *[argument.tolist() for argument in arguments])
        rule.zero_grad()
        loss.backward()
        if clip:
            nn.clip_grad_norm_(weights, clip)
        rule.step()
        losses.append(loss.data)
    return losses, [w.data for w in weights]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("clip", [0.0, 0.1])
def test_a_call_on_arrays_has_the_bits_of_the_engine(rule, clip, quick):
    x, y = points(12)
    data = list(zip(x, y, strict=True))
    weights = weights_of()
    step = minigrad.compile(line).training(RULES[rule](weights), weights, clip=clip)
    losses = [step(*arguments) for arguments in data]
    step.write_back()
    assert (losses, [w.data for w in weights]) == eager(line, RULES[rule], data, clip)
    assert quick["taken"] == 11  # all but the first
    assert quick["given up"] == 0


@pytest.mark.parametrize("batch", [1, 5])
def test_a_batch_has_the_bits_of_the_long_way(batch, quick):
    x, y = points(8 * batch)
    x, y = x.reshape(8, batch, 2), y.reshape(8, batch, 1)
    steps = []
    for _ in range(3):
        weights = weights_of()
        steps.append(minigrad.compile(line).training(nn.Adam(weights, lr=0.05), weights, batched=True))
    called, looped, listed = steps
    losses = [called(a, b) for a, b in zip(x, y, strict=True)]
    assert quick["taken"] == 7
    assert losses == looped.run(x, y).tolist()
    assert losses == [listed(a.tolist(), b.tolist()) for a, b in zip(x, y, strict=True)]
    assert called.data.tolist() == looped.data.tolist() == listed.data.tolist()
    assert called.grad.tolist() == listed.grad.tolist()
    assert quick["taken"] == 7  # lists go the long way


def test_a_guard_that_breaks_gives_the_step_to_another_variant(quick):
    x, y = points(40, seed=3)
    data = list(zip(x, y, strict=True))
    weights = weights_of()
    step = minigrad.compile(bent).training(RULES["Adam"](weights), weights)
    losses = [step(*arguments) for arguments in data]
    step.write_back()
    assert (losses, [w.data for w in weights]) == eager(bent, RULES["Adam"], data)
    assert min(quick.values()) > 0


def test_loops_over_guards_that_break_all_the_time_take_each_step_once():
    x, y = points(60, seed=3)
    weights = weights_of()
    step = minigrad.compile(bent).training(RULES["Adam"](weights), weights)
    losses = step.run(x, y)
    wanted, learned = eager(bent, RULES["Adam"], list(zip(x, y, strict=True)))
    assert losses.tolist() == wanted
    assert step.data.tolist() == learned


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8"])
def test_an_index_that_is_too_large_is_refused_in_words_and_nothing_moves(dtype, quick):
    weights = weights_of()
    step = minigrad.compile(looked_up).training(RULES["Adam"](weights), weights)
    for k in range(4):
        step(np.array([k % 3, 1], dtype=dtype))
    assert quick["taken"] == 3
    before = step.data.tolist()
    with pytest.raises(IndexError):
        step(np.array([3, 1], dtype=dtype))
    assert step.data.tolist() == before
    if dtype == "int64":
        with pytest.raises(TypeError):  # as for lists
            step(np.array([1 << 60, 1]))


def test_steps_before_an_index_that_is_too_large_are_taken():
    one, both = (
        minigrad.compile(looked_up).training(RULES["Adam"](weights), weights)
        for weights in (weights_of(), weights_of())
    )
    for step in (one, both):
        step.run(np.array([[0, 1], [2, 1], [1, 2]]))
    one.run(np.array([[0, 1, 2]]))  # of another structure, as the next
    with pytest.raises(IndexError):
        both.run(np.array([[0, 1, 2], [3, 1, 2], [0, 1, 2]]))
    assert both.data.tolist() == one.data.tolist()


def test_integers_that_are_more_than_indices_are_looked_at_each_time(quick):
    def scaled(weights, k):
        return (weights[0] * k[0] - weights[1]) ** 2

    weights = weights_of()
    step = minigrad.compile(scaled).training(RULES["Adam"](weights), weights)
    for k in range(4):
        step(np.array([k]))
    assert quick == {"taken": 0, "given up": 0}
    with pytest.raises(TypeError):
        step(np.array([(1 << 60) + 1]))


def test_what_changes_between_calls_is_seen(quick):
    factor = Value(2.0)

    def scaled(weights, x, y):
        return line(weights, x, y) * factor

    x, y = points(9)
    ways = []
    for arrays in (True, False):
        weights = weights_of()
        rule = nn.Adam(weights, lr=0.05)
        step = minigrad.compile(scaled).training(rule, weights)
        factor.data = 2.0
        losses = []
        for k, (a, b) in enumerate(zip(x, y, strict=True)):
            if k == 4:
                factor.data = 3.0
            if k == 5:
                rule.param_groups[0]["lr"] = 0.5
            if k == 6:
                rule.param_groups[0]["betas"] = (0.5, 0.6)
            if k == 7:
                step.write_back()
                weights[0].data = 0.75
                step.read()
            losses.append(step(a, b) if arrays else step(a.tolist(), b.tolist()))
        ways.append((losses, step.data.tolist()))
    assert ways[0] == ways[1]
    assert quick["taken"] >= 4


def test_the_mean_of_losses_is_that_of_the_engine_to_the_last_bit():
    draw = random.Random(5)
    rows = [[draw.uniform(-1, 1) * 10.0 ** draw.randrange(-9, 9) for _ in range(n)] for n in (2, 7, 100)]
    rows += [[1.7e308, 1.7e308, -1.0], [math.inf, 1.0], [math.inf, -math.inf], [math.nan, 1.0], [-0.0, -0.0]]
    for row in rows:
        wanted = minigrad.functions.mean([Value(x) for x in row]).data
        out = np.zeros(1)
        bound_step.mean_of(len(row)).run_into(np.array(row), None, out, None)
        for found in (bound_step.mean_rounded_once(row), float(out[0])):
            assert math.isnan(found) if math.isnan(wanted) else found.hex() == wanted.hex()
    # A plain sum would be another number: the check can tell them apart.
    assert any(sum(row) / len(row) != bound_step.mean_rounded_once(row) for row in rows[:3])
