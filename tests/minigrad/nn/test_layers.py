"""Layers, losses, first weights and the GPT by hand, and what they say to sizes and inputs that cannot be."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest

from minigrad import Value, nn
from minigrad.nn import GPT, MLP, Attention, Dropout, Embedding, Layer, LayerNorm, Linear, Neuron, RMSNorm
from minigrad.nn.gpt import Block
from minigrad.text.translation import speaking

nan, inf = math.nan, math.inf


def data(thing: Any) -> Any:
    return [data(item) for item in thing] if isinstance(thing, list) else thing.data


# ---- by hand ------------------------------------------------------------------------------------


def test_linear_by_hand() -> None:
    layer = Linear(2, 3, seed=1)
    layer.load_state_dict({"weight": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "bias": [10.0, 20.0, 30.0]})
    assert data(layer([1.0, -1.0])) == [9.0, 19.0, 29.0]
    assert data(layer([[1.0, 0.0], [0.0, 1.0]])) == [[11.0, 23.0, 35.0], [12.0, 24.0, 36.0]]


def test_a_linear_layer_makes_two_nodes_for_an_output() -> None:
    out = Linear(16, 1, seed=1)([Value(float(i)) for i in range(16)])[0]
    assert out._op == "+"
    assert [child._op for child in out._children] == ["dot", ""]


def test_norms_by_hand() -> None:
    assert data(RMSNorm(2, eps=0.5)([1.0, -2.0])) == pytest.approx([1 / math.sqrt(3), -2 / math.sqrt(3)])
    assert data(LayerNorm(2, eps=3.0)([1.0, 3.0])) == [-0.5, 0.5]
    assert data(RMSNorm(2)([0.0, 0.0])) == [0.0, 0.0]
    assert data(LayerNorm(3)([7.0, 7.0, 7.0])) == [0.0, 0.0, 0.0]


def test_attention_by_hand_looks_back_and_not_ahead() -> None:
    """Keys of 0 give all positions the same share, so each output is the mean of the values so far."""
    layer = Attention(2, 1, seed=1)
    one, nothing = [[1.0, 0.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]
    state = {"query.weight": one, "key.weight": nothing, "value.weight": one, "output.weight": one}
    layer.load_state_dict(state)
    assert data(layer([[3.0, 0.0], [5.0, 2.0]])) == [[3.0, 0.0], [4.0, 1.0]]
    layer.causal = False
    assert data(layer([[3.0, 0.0], [5.0, 2.0]])) == [[4.0, 1.0], [4.0, 1.0]]


def test_losses_by_hand() -> None:
    assert nn.mse_loss([Value(1.0), 4.0], [3.0, 3.0]).data == 2.5  # (4 + 1) / 2
    assert nn.mse_loss(Value(1.0), Value(3.0)).data == 4.0
    assert nn.hinge_loss([Value(0.5), Value(2.0), Value(-1.0)], [1, 1, 1], reduction="sum").data == 2.5
    assert data(nn.hinge_loss([[Value(0.5)], [Value(0.5)]], [[1], [-1]], reduction="none")) == [[0.5], [1.5]]
    assert nn.cross_entropy([Value(0.0), Value(0.0)], 1).data == math.log(2)
    assert nn.cross_entropy([[0.0] * 4, [Value(0.0)] * 4], [1, 2], reduction="sum").data == 2 * math.log(4)
    assert nn.binary_cross_entropy(Value(0.5), 1).data == math.log(2)
    assert nn.binary_cross_entropy_with_logits([Value(0.0)], [0.3]).data == pytest.approx(math.log(2))


def test_losses_of_logits_keep_what_is_small() -> None:
    """log(1 + exp(-40)) is 4.2e-18: the form with a large number taken off it has nothing left there."""
    small = math.log1p(math.exp(-40.0))
    assert nn.binary_cross_entropy_with_logits(Value(40.0), 1.0).data == small
    assert nn.binary_cross_entropy_with_logits(Value(-40.0), 0.0).data == small


def test_a_target_gets_a_gradient_where_it_is_a_value() -> None:
    answer, target = Value(1.0), Value(3.0)
    nn.mse_loss(answer, target).backward()
    assert (answer.grad, target.grad) == (-4.0, 4.0)


# ---- dropout ------------------------------------------------------------------------------------


def test_dropout_drops_what_its_own_stream_says_on_either_engine() -> None:
    layer = Dropout(0.25, seed=9)
    draw = random.Random(9)
    expected = [0.0 if draw.random() < 0.25 else 1.0 / 0.75 for _ in range(40)]
    assert 0.0 in expected[:20]
    assert data(layer([1.0] * 20)) == expected[:20]
    assert data(layer([[1.0] * 10, [1.0] * 10])) == [expected[20:30], expected[30:]]


def test_dropout_scales_gradients_as_it_scales_values() -> None:
    xs = [Value(2.0) for _ in range(30)]
    out = Dropout(0.5, seed=3)(xs)
    sum(out).backward()
    assert [x.grad for x in xs] == [y.data / 2.0 for y in out]
    assert {x.grad for x in xs} == {0.0, 2.0}


def test_dropout_does_nothing_and_draws_nothing_when_it_is_not_training() -> None:
    layer = Dropout(0.5, seed=3)
    before = layer.generator.getstate()
    xs = [Value(1.0)]
    assert layer.eval()(xs) is xs
    none = Dropout(0.0, seed=3)
    assert none(xs) is xs
    assert layer.generator.getstate() == before
    assert data(layer.train()([1.0])) in ([0.0], [2.0])
    assert layer.generator.getstate() != before


def test_dropout_without_a_seed_follows_pythons_stream() -> None:
    masks = []
    for _ in range(2):
        random.seed(11)
        masks.append(data(Dropout(0.5)([1.0] * 50)))
    assert masks[0] == masks[1]
    assert len(set(masks[0])) == 2


# ---- first weights ------------------------------------------------------------------------------


def test_first_weights_are_drawn_row_by_row_from_the_seed() -> None:
    layer = Linear(2, 2, seed=0)
    assert nn.normal_(layer.weight, mean=1.0, std=0.5, seed=4) is layer.weight
    draw = random.Random(4)
    assert data(layer.weight) == [[draw.gauss(1.0, 0.5) for _ in range(2)] for _ in range(2)]
    nn.uniform_(layer.bias, -2.0, 3.0, seed=4)
    draw = random.Random(4)
    assert data(layer.bias) == [draw.uniform(-2.0, 3.0), draw.uniform(-2.0, 3.0)]
    assert data(nn.ones_(layer.weight)) == [[1.0, 1.0], [1.0, 1.0]]
    assert data(nn.zeros_(layer.bias)) == [0.0, 0.0]
    assert nn.constant_(Value(1.0), 7).data == 7.0


def test_bounds_of_first_weights_by_hand() -> None:
    """8 inputs and 4 outputs: xavier sqrt(6/12), kaiming for a relu sqrt(2) * sqrt(3/8)."""
    layer = Linear(8, 4, seed=0)
    for make, bound in ((nn.xavier_uniform_, math.sqrt(0.5)), (nn.kaiming_uniform_, math.sqrt(0.75))):
        draw = random.Random(2)
        expected = [[draw.uniform(-bound, bound) for _ in range(8)] for _ in range(4)]
        for found, wanted in zip(data(make(layer.weight, seed=2)), expected, strict=True):
            assert found == pytest.approx(wanted, rel=1e-14)


# ---- the GPT ------------------------------------------------------------------------------------


def small(**more: Any) -> GPT:
    return GPT(5, **{"block": 4, "width": 4, "heads": 2, "seed": 3, "std": 0.5, **more})


def test_a_gpt_has_the_weights_of_the_well_known_one() -> None:
    """Width 16, 27 tokens, block 16: 27*16 + 16*16 + 4*16*16 + 2*64*16 + 27*16 = 4,192."""
    model = GPT(27, seed=1)
    assert len(model.parameters()) == 4192
    names = [name for name, _ in model.named_parameters()]
    assert "blocks.0.attention.query.weight[3][5]" in names
    assert names[0] == "tokens.weight[0][0]"
    assert data(model.tokens.weight[0][0]) == random.Random(1).gauss(0.0, 0.08)


def test_all_weights_of_attention_and_of_a_block_come_from_their_seed() -> None:
    for kind in (Attention, Block):
        assert kind(4, 2, seed=3).state_dict() == kind(4, 2, seed=3).state_dict()
        assert kind(4, 2, seed=3).state_dict() != kind(4, 2, seed=4).state_dict()


def test_a_block_drops_nothing_unless_it_is_asked_to() -> None:
    xs = [[Value(1.0), Value(-2.0)]]
    block = Block(2, 1, seed=1)
    trained = [[x.data for x in row] for row in block.train()(xs)]
    assert trained == [[x.data for x in row] for row in block.eval()(xs)]


def test_a_leaky_relu_lets_a_hundredth_through() -> None:
    assert nn.LeakyReLU()(Value(-2.0)).data == -0.02


def test_what_comes_later_changes_nothing_before_it() -> None:
    model = small()
    assert data(model([0, 1, 2, 3]))[:2] == data(model([0, 1, 4, 4]))[:2]
    assert data(model([0, 1, 2, 3]))[2] != data(model([0, 1, 4, 4]))[2]


def test_a_first_loss_is_that_of_guessing_where_all_weights_are_0() -> None:
    assert small(std=0.0).loss([0, 1, 2]).data == pytest.approx(math.log(5), rel=1e-15)


def test_a_sample_is_drawn_from_the_model_and_leaves_it_as_it_was() -> None:
    model = small(dropout=0.5)
    masks = model.dropout.generator.getstate()
    model.blocks[0].dropout.eval()
    state = model.state_dict()
    found = model.sample(random.Random(8), 4, 4, temperature=2.0)
    assert found == model.sample(8, 4, 4, temperature=2.0)
    assert model.state_dict() == state
    assert model.dropout.generator.getstate() == masks
    assert (model.training, model.blocks[0].dropout.training) == (True, False)
    assert {p.grad for p in model.parameters()} == {0.0}

    # The same by the whole forward pass, without a memory of earlier positions.
    draw, tokens, model = random.Random(8), [4], model.eval()
    while len(tokens) < 5:
        logits = data(model(tokens))[-1]
        top = max(logits)
        tokens += draw.choices(range(5), [math.exp((logit - top) / 2.0) for logit in logits])
        if tokens[-1] == 4:
            break
    assert found == [token for token in tokens[1:] if token != 4]


def test_a_cold_sample_is_the_likeliest_and_ends_at_the_block() -> None:
    model = small()
    likeliest = [3]
    for _ in range(4):
        logits = data(model(likeliest))[-1]
        likeliest.append(logits.index(max(logits)))
    expected = likeliest[1:]
    stop = next(token for token in range(5) if token not in expected)
    assert model.sample(1, 3, stop, temperature=1e-300) == expected


def test_dropout_of_a_gpt_draws_from_the_generator_that_it_was_given() -> None:
    draw = random.Random(1)
    model = small(dropout=0.3, seed=draw)
    assert list(model.generators().values()) == [draw]
    assert small(dropout=0.3, seed=5).state_dict() == small(dropout=0.0, seed=5).state_dict()
    before = draw.getstate()
    one = model.loss([0, 1, 2]).data
    assert model.loss([0, 1, 2]).data != one
    draw.setstate(before)
    assert model.loss([0, 1, 2]).data == one
    assert model.eval().loss([0, 1, 2]).data == model.loss([0, 1, 2]).data


# ---- what cannot be -----------------------------------------------------------------------------

BAD_SIZES = [0, -1, True, 2.0, "3", None, nan]
SIZED: dict[str, Callable[[Any], Any]] = {
    "Linear in": lambda n: Linear(n, 2),
    "Linear out": lambda n: Linear(2, n),
    "Embedding": lambda n: Embedding(n, 2),
    "Embedding width": lambda n: Embedding(2, n),
    "RMSNorm": RMSNorm,
    "LayerNorm": LayerNorm,
    "Attention": lambda n: Attention(n, 1),
    "Attention heads": lambda n: Attention(4, n),
    "Neuron": Neuron,
    "Layer": lambda n: Layer(2, n),
    "MLP": lambda n: MLP(n, [1]),
    "MLP layers": lambda n: MLP(2, [4, n, 1]),
    "GPT": GPT,
    "GPT block": lambda n: GPT(3, block=n),
    "GPT layers": lambda n: GPT(3, layers=n),
    "GPT width": lambda n: GPT(3, width=n),
    "GPT heads": lambda n: GPT(3, heads=n),
}


@pytest.mark.parametrize("what", SIZED)
def test_a_size_that_is_none_is_refused(what: str) -> None:
    for size in BAD_SIZES:
        with pytest.raises(
            ValueError, match=r"is a size: a whole number, 1 or more, and .* is not one; write"
        ):
            SIZED[what](size)


MLP_3_2 = MLP(3, [2], seed=1)
GPT_5 = small()

REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "too large": (lambda: Linear(10**6, 10**6), "1000000 x 1000000 Values would not fit"),
    "far too large": (lambda: Linear(10**30, 10**30), r"10\^\d+ Values would not fit"),
    "a layer too large": (lambda: MLP(2, [10**6, 10**6]), "would not fit"),
    "a vector too long": (
        lambda: Linear(3, 2, seed=1)([1.0] * 4),
        r"Linear\(3 -> 2\) takes 3 numbers, and 4 c",
    ),
    "a vector too short": (lambda: RMSNorm(3)([1.0] * 2), "takes 3 numbers, and 2 came"),
    "no vector": (lambda: LayerNorm(3)([]), "takes 3 numbers, and 0 came"),
    "a neuron's input": (
        lambda: Neuron(3, seed=1)([1.0] * 4),
        r"Neuron\(3, relu\) takes 3 numbers, and 4 came",
    ),
    "an MLP's input": (lambda: MLP_3_2([1.0, 2.0]), r"Layer\(3 -> 2, linear\) takes 3 numbers, and 2 came"),
    "a Value for a vector": (lambda: Linear(1, 1, seed=1)(Value(1.0)), "takes a list of 1 numbers or Values"),
    "a text for a vector": (lambda: Linear(2, 1, seed=1)("ab"), "takes a list of 2 numbers or Values"),
    "words in a vector": (lambda: Linear(2, 1, seed=1)(["a", "b"]), "a Value holds one real number"),
    "a text for an activation": (lambda: nn.ReLU()("ab"), "takes a Value, or lists of them"),
    "no layers": (lambda: MLP(2, []), r"lists the size of each layer, and \[\] lists none"),
    "a number of layers": (lambda: MLP(2, 3), "lists the size of each layer, and 3"),
    "an activation": (
        lambda: MLP(2, [1], activation="rely"),
        "no activation 'rely'.*write one of linear, relu",
    ),
    "heads": (lambda: Attention(16, 5), "16 cannot be shared out among 5 heads; write heads=4"),
    "heads of a GPT": (
        lambda: GPT(3, width=6, heads=4),
        "6 cannot be shared out among 4 heads; write heads=3",
    ),
    "one vector": (lambda: Attention(2, 1, seed=1)([1.0, 2.0]), "attention takes a list of vectors of 2"),
    "no vectors": (lambda: Attention(2, 1, seed=1)([]), "attention takes a list of vectors of 2"),
    "p = 1": (lambda: Dropout(1.0), "p is a probability from 0 up to, but not, 1, and 1.0"),
    "p below 0": (lambda: Dropout(-0.1), "p is a probability"),
    "p not a number": (lambda: Dropout(nan), "p is a probability"),
    "p a word": (lambda: Dropout("half"), "a Value holds one real number"),
    "eps not a number": (lambda: RMSNorm(2, eps=nan), "eps is a finite number, 0 or more, and nan"),
    "eps below 0": (lambda: LayerNorm(2, eps=-1e-5), "eps is a finite number, 0 or more"),
    "eps infinite": (lambda: LayerNorm(2, eps=inf), "eps is a finite number, 0 or more"),
    "std": (lambda: GPT(3, std=-1.0), "std is a finite number, 0 or more"),
    "a seed": (lambda: Linear(2, 2, seed=1.5), "a seed is a whole number, 0 or more"),
    "a seed below 0": (lambda: MLP(2, [1], seed=-1), "a seed is a whole number, 0 or more"),
    "a seed of True": (lambda: GPT(3, seed=True), "a seed is a whole number, 0 or more"),
    "a class": (
        lambda: nn.Sequential(Linear(2, 2, seed=1), nn.ReLU),
        "ReLU is neither; write .* parentheses",
    ),
    "a number": (lambda: nn.Sequential(3), "Sequential takes modules and functions, and 3"),
    "a token": (lambda: Embedding(3, 2, seed=1)(3), "token 3 does not exist: they go from 0 to 2"),
    "a token below 0": (lambda: Embedding(3, 2, seed=1)([0, -1]), "token -1 does not exist"),
    "a token of 1.0": (lambda: Embedding(3, 2, seed=1)(1.0), "a token is a whole number, and 1.0"),
    "a token of True": (lambda: Embedding(3, 2, seed=1)(True), "a token is a whole number, and True"),
    "a token of a GPT": (lambda: GPT_5([0, 5]), "token 5 does not exist: they go from 0 to 4"),
    "a text for tokens": (lambda: GPT_5.loss("anna"), "this takes a list of tokens"),
    "no tokens": (lambda: GPT_5([]), "this takes a list of tokens"),
    "one token": (lambda: GPT_5.loss([1]), "a loss takes two tokens or more"),
    "too many tokens": (lambda: GPT_5([0] * 5), r"5 tokens are more than .* write tokens\[:4\]"),
    "temperature": (lambda: GPT_5.sample(1, 0, 0, temperature=0.0), "temperature is a finite number above 0"),
    "a start": (lambda: GPT_5.sample(1, 9, 0), "token 9 does not exist"),
    "a stop": (lambda: GPT_5.sample(1, 0, 9), "stop 9 does not exist"),
    "bounds": (lambda: nn.uniform_(Value(1.0), 2.0, 1.0), "nothing from 2.0 to 1.0"),
    "fans of a vector": (lambda: nn.xavier_normal_([Value(1.0)]), "this array has 1 dimensions"),
    "a mode": (lambda: nn.kaiming_normal_([[Value(1.0)]], mode="in"), "mode is 'fan_in' or 'fan_out'"),
    "a gain": (lambda: nn.calculate_gain("swish"), "no gain is known for 'swish'"),
    "no array": (
        lambda: nn.normal_([[Value(1.0)], []]),
        "an array is a Value, or Values in equally long lists",
    ),
    "a module for an array": (lambda: nn.normal_(Linear(2, 2, seed=1)), "an array is a Value"),
    "shapes": (lambda: nn.mse_loss([1.0, 2.0], [1.0]), "there are 2 answers and 1 targets"),
    "shapes of rows": (
        lambda: nn.mse_loss([[1.0], [2.0]], [1.0, 2.0]),
        "there are 2 x 1 answers and 2 targets",
    ),
    "nothing": (lambda: nn.mse_loss([], []), "mse_loss takes numbers and Values"),
    "a label of 0": (
        lambda: nn.hinge_loss([Value(1.0)], [0]),
        r"labels of a hinge loss are \+1 and -1, and 0",
    ),
    "a target of -1": (
        lambda: nn.binary_cross_entropy_with_logits([Value(1.0)], [-1]),
        "goes from 0 to 1, and -1 .*write",
    ),
    "a target that is none": (lambda: nn.binary_cross_entropy(Value(0.5), nan), "goes from 0 to 1, and nan"),
    "a logit for a share": (lambda: nn.binary_cross_entropy(Value(1.5), 1), "1.5 is not one; for scores"),
    "a share that is none": (lambda: nn.binary_cross_entropy(Value(nan), 1), "nan is not one; for scores"),
    "a reduction": (lambda: nn.mse_loss(1.0, 2.0, reduction="avg"), "no reduction 'avg'.*mean, sum, none"),
    "a class target": (lambda: nn.cross_entropy([[1.0, 2.0]], [2]), "target 2 does not exist"),
    "a class target of 1.0": (lambda: nn.cross_entropy([[1.0, 2.0]], [1.0]), "a target is a whole number"),
    "one target for many": (lambda: nn.cross_entropy([[1.0, 2.0]], 1), "1 lists of logits need a list of 1"),
    "targets": (lambda: nn.cross_entropy([[1.0, 2.0]], [1, 0]), "there are 1 answers and 2 targets"),
    "classes": (lambda: nn.cross_entropy([[1.0, 2.0], [1.0]], [0, 0]), "and these have 1, 2"),
    "a row that is none": (lambda: nn.cross_entropy([[1.0, 2.0], 3.0], [0, 0]), "and 3.0 .* is not one"),
    "a target above 1": (lambda: nn.binary_cross_entropy(Value(0.5), 1.5), "goes from 0 to 1, and 1.5"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused_in_words(what: str) -> None:
    attempt, words = REFUSED[what]
    with pytest.raises((ValueError, TypeError), match=words):
        attempt()
    with speaking("es"), pytest.raises((ValueError, TypeError)) as error:
        attempt()
    assert "{" not in str(error.value)


def test_a_model_that_has_diverged_draws_no_names() -> None:
    model = small()
    model.head.weight[2][0].data = nan
    with pytest.raises(ValueError, match="no longer finite numbers"):
        model.sample(1, 0, 0)
    assert model.training
