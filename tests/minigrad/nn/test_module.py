"""Module: what it finds in an object, what it calls it, what it saves; and MLP as in micrograd."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import pytest

from minigrad import Value, nn
from minigrad.nn import MLP, Layer, Linear, Module, Neuron
from minigrad.text.translation import speaking


class Odd(Module):
    """Values in every kind of place, and things that are none of a model's business."""

    def __init__(self) -> None:  # no super().__init__(): micrograd's users write none
        self.w = [Value(1.0), Value(2.0)]
        self.table = [[Value(3.0), Value(4.0)], [Value(5.0), Value(6.0)]]
        self.parts = {"left": Value(7.0), "right": (Value(8.0), Linear(1, 1, bias=False, seed=1))}
        self.ragged = [[Value(9.0)], [Value(10.0), Value(11.0)]]
        self.constant = Value(12.0, requires_grad=False)
        self.again = self.w
        self.first = self.w[0]
        self.me = self
        self.output = self.w[0] * self.w[1]  # computed, so not a weight
        self.history = [self.output, self.output + 1.0]
        self.sizes, self.words, self.nothing = [1, 2], ["a", "b"], None
        self.circle: list[Any] = []
        self.circle.append(self.circle)

    def forward(self, x: Any) -> Any:
        return self.w[0] * x


NAMES = [
    "w[0]",
    "w[1]",
    "table[0][0]",
    "table[0][1]",
    "table[1][0]",
    "table[1][1]",
    "parts.left",
    "parts.right.0",
    "parts.right.1.weight[0][0]",
    "ragged.0[0]",
    "ragged.1[0]",
    "ragged.1[1]",
]


def test_weights_are_found_in_every_place_once_and_in_order_of_assignment() -> None:
    model = Odd()
    named = list(model.named_parameters())
    assert [name for name, _ in named] == NAMES
    assert [value.data for _, value in named][:8] == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
    assert model.parameters() == [value for _, value in named]
    assert model(3.0).data == 3.0


def test_arrays_hold_the_values_themselves_in_their_shape() -> None:
    model = Odd()
    arrays = model.arrays()
    names = "w table parts.left parts.right.0 parts.right.1.weight ragged.0 ragged.1 constant"
    assert list(arrays) == names.split()
    assert arrays["table"] == model.table
    assert arrays["parts.left"] is model.parts["left"]


def test_an_array_of_numpy_is_looked_into() -> None:
    numpy = __import__("numpy")
    model = Module()
    model.w = numpy.array([[Value(1.0)], [Value(2.0)]])
    model.points = numpy.zeros((3, 2))
    assert [name for name, _ in model.named_parameters()] == ["w[0][0]", "w[1][0]"]
    model.load_state_dict({"w": numpy.array([[5.0], [6.0]])})
    assert [value.data for value in model.parameters()] == [5.0, 6.0]


def test_a_state_goes_to_another_model_and_constants_go_with_it() -> None:
    one, other = Odd(), Odd()
    for value in one.parameters():
        value.data += 0.5
    one.constant.data = 99.0
    state = one.state_dict()
    assert state["table"] == [[3.5, 4.5], [5.5, 6.5]]
    assert state["parts.left"] == 7.5
    assert other.load_state_dict(state) == ([], [])
    assert other.state_dict() == state
    assert other.constant.data == 99.0
    other.table[0][0].data = -1.0
    assert state["table"][0][0] == 3.5  # a copy


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"w": [1.0]}, "'w' of this model is 2, and 1 came"),
        ({"w": [[1.0, 2.0]]}, "and 1 x 2 came"),
        ({"w": 1.0}, "and one number came"),
        ({"w": ["a", "b"]}, "something else than rows of numbers"),
        ({"table": [[1.0, 2.0], [3.0]]}, "something else than rows"),
        ({"other": 1.0}, "Unknown to this model: 'other'"),
        ({"w": None}, "something else than rows"),
        ({3: 1.0}, "Unknown to this model: '3'"),
    ],
)
def test_a_state_that_does_not_fit_changes_nothing(change: dict[Any, Any], words: str) -> None:
    model = Odd()
    before = model.state_dict()
    state = {name: [9.0, 9.0] if name == "w" else numbers for name, numbers in before.items()} | change
    with pytest.raises(ValueError, match="othing was changed") as error:
        model.load_state_dict(state)
    assert words in str(error.value)
    assert model.state_dict() == before


def test_what_is_missing_is_named_and_may_be_left_out_on_request() -> None:
    model = MLP(2, [2, 1], seed=1)
    with pytest.raises(ValueError, match=r"Missing in it: 'layers\.0\.neurons\.0\.w', .*\.\.\. \(6\)"):
        model.load_state_dict({})
    found = model.load_state_dict({"layers.0.neurons.0.b": 5.0, "extra": 1.0}, strict=False)
    assert len(found.missing_keys) == 5
    assert found.unexpected_keys == ["extra"]
    assert model.layers[0].neurons[0].b.data == 5.0
    with pytest.raises(TypeError, match=r"a state is a dict of names and numbers, and a list is not one"):
        model.load_state_dict([1.0])  # type: ignore[arg-type]


def test_a_weight_in_two_arrays_takes_one_number_and_no_two() -> None:
    model = Module()
    model.a = [Value(1.0), Value(2.0)]
    model.b = [model.a[1], Value(3.0)]  # tied
    assert [name for name, _ in model.named_parameters()] == ["a[0]", "a[1]", "b[1]"]
    model.load_state_dict({"a": [4.0, 5.0], "b": [5.0, 6.0]})
    assert model.state_dict() == {"a": [4.0, 5.0], "b": [5.0, 6.0]}
    with pytest.raises(ValueError, match=r"two numbers for it, 8\.0 and 9\.0"):
        model.load_state_dict({"a": [7.0, 8.0], "b": [9.0, 6.0]})
    assert model.state_dict() == {"a": [4.0, 5.0], "b": [5.0, 6.0]}
    nan = float("nan")
    model.load_state_dict(
        {"a": [4.0, nan], "b": [nan, 6.0]}
    )  # a weight may be not a number; it is one weight
    for one, other in ((nan, 9.0), (9.0, nan)):
        with pytest.raises(ValueError, match="two numbers for it"):
            model.load_state_dict({"a": [4.0, one], "b": [other, 6.0]})


def test_two_arrays_of_one_name_are_an_error_and_not_a_loss() -> None:
    model = Module()
    model.parts = {1: Value(1.0), "1": Value(2.0)}
    with pytest.raises(ValueError, match=r"two arrays of this model are called 'parts\.1'"):
        model.state_dict()


def test_a_frozen_weight_is_saved_and_not_trained() -> None:
    model = Linear(2, 1, seed=1)
    model.weight[0][0].requires_grad = False
    assert [name for name, _ in model.named_parameters()] == ["weight[0][1]", "bias[0]"]
    assert len(model.state_dict()["weight"][0]) == 2


def test_a_module_inside_that_lists_its_own_parameters_is_asked() -> None:
    class Half(Module):
        def __init__(self) -> None:
            self.kept, self.hidden = Value(1.0), Value(2.0)

        def parameters(self) -> list[Value]:
            return [self.kept]

    model = Module()
    model.half, model.other = Half(), Value(3.0)
    assert [p.data for p in model.parameters()] == [1.0, 3.0]
    model.half.kept.grad = model.half.hidden.grad = model.other.grad = 1.0
    model.zero_grad()
    assert (model.half.kept.grad, model.half.hidden.grad, model.other.grad) == (0.0, 1.0, 0.0)


def test_train_and_eval_reach_every_module_and_return_the_model() -> None:
    model = nn.Sequential(
        Linear(2, 2, seed=1), nn.Dropout(0.5, seed=1), nn.Sequential(nn.Dropout(0.1, seed=2))
    )
    assert model.eval() is model
    assert [m.training for m in model.modules()] == [False] * 5
    assert model.train() is model
    assert [name for name, m in model.named_modules() if m.training] == ["", "0", "1", "2", "2.0"]


def test_generators_are_found_by_name_each_once() -> None:
    shared = random.Random(1)
    model = nn.Sequential(nn.Dropout(0.5, seed=shared), nn.Dropout(0.5, seed=shared), nn.Dropout(0.5, seed=2))
    assert list(model.generators()) == ["0.generator", "2.generator"]
    assert model.generators()["0.generator"] is shared


def test_label_gives_each_weight_its_name() -> None:
    model = MLP(2, [1], seed=1).label()
    assert [p.label for p in model.parameters()] == [
        "layers.0.neurons.0.w[0]",
        "layers.0.neurons.0.w[1]",
        "layers.0.neurons.0.b",
    ]


def test_the_tree_says_sizes_and_counts_and_folds_what_is_alike() -> None:
    text = """\
MLP(2 -> 16 -> 1, relu): 65 parameters
  layers.0: Layer(2 -> 16, relu): 48
    neurons.0 ... 15: 16 x Neuron(2, relu): 16 x 3 = 48
  layers.1: Layer(16 -> 1, linear): 17
    neurons.0: Neuron(16, linear): 17"""
    assert repr(MLP(2, [16, 1], seed=1)) == text
    with speaking("es"):
        assert repr(MLP(2, [16, 1], seed=1)).startswith("MLP(2 -> 16 -> 1, relu): 65 parámetros\n")
    assert repr(Odd()).startswith(
        "Odd(w[2], table[2][2], constant): 12 parameters\n  parts.right.1: Linear(1 -> 1"
    )


def test_what_is_not_alike_is_not_folded() -> None:
    model = nn.Sequential(nn.Sequential(Linear(2, 2, seed=1)), nn.Sequential(Linear(2, 3, seed=1)))
    assert repr(model).count("Sequential()") == 3


def test_a_tower_of_modules_needs_no_deep_stack() -> None:
    model = Module()
    model.w = Value(1.0)
    for _ in range(1500):
        outer = Module()
        outer.inner = model
        model = outer
    assert len(model.parameters()) == 1
    assert len(list(model.modules())) == 1501
    assert model.eval().training is False
    assert len(repr(model).splitlines()) == 22  # its first 20 levels, and that there are more
    assert repr(model).endswith(" ...")
    while hasattr(model, "inner"):  # taken down from the top, so that Python's own recursion is not needed
        model = model.inner


def test_a_model_without_forward_says_what_to_write() -> None:
    with pytest.raises(
        NotImplementedError, match="Module does not say what it computes; write a method forward"
    ):
        Module()(1.0)


def test_a_model_can_be_copied_and_pickled() -> None:
    model = MLP(2, [3, 1], seed=4)
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert other.state_dict() == model.state_dict()
        assert other.parameters()[0] is not model.parameters()[0]


# ---- micrograd ----------------------------------------------------------------------------------

# How people write micrograd's layers, in words of our own; only the import is minigrad's.
MICROGRAD_STYLE = """
import random
from minigrad import Value

class Part:
    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0
    def parameters(self):
        return []

class Unit(Part):
    def __init__(self, count, bends=True):
        self.weights = [Value(random.uniform(-1, 1)) for _ in range(count)]
        self.bias = Value(0)
        self.bends = bends
    def __call__(self, inputs):
        total = sum((w * x for w, x in zip(self.weights, inputs)), self.bias)
        return total.relu() if self.bends else total
    def parameters(self):
        return self.weights + [self.bias]

class Row(Part):
    def __init__(self, count, units, **more):
        self.units = [Unit(count, **more) for _ in range(units)]
    def __call__(self, inputs):
        outputs = [unit(inputs) for unit in self.units]
        return outputs[0] if len(outputs) == 1 else outputs
    def parameters(self):
        return [p for unit in self.units for p in unit.parameters()]

class Net(Part):
    def __init__(self, count, sizes):
        sizes = [count] + sizes
        self.rows = [Row(sizes[i], sizes[i + 1], bends=i != len(sizes) - 2) for i in range(len(sizes) - 1)]
    def __call__(self, inputs):
        for row in self.rows:
            inputs = row(inputs)
        return inputs
    def parameters(self):
        return [p for row in self.rows for p in row.parameters()]
"""


def test_our_mlp_draws_and_computes_what_a_micrograd_network_does_bit_for_bit() -> None:
    there: dict[str, Any] = {}
    exec(MICROGRAD_STYLE, there)
    random.seed(1337)
    theirs = there["Net"](3, [4, 4, 1])
    random.seed(1337)
    ours = MLP(3, [4, 4, 1])
    assert [p.data for p in ours.parameters()] == [p.data for p in theirs.parameters()]
    found, wanted = ours([2.0, 3.0, -1.0]), theirs([2.0, 3.0, -1.0])
    assert found.data == wanted.data
    found.backward()
    wanted.backward()
    assert [p.grad for p in ours.parameters()] == [p.grad for p in theirs.parameters()]
    theirs.zero_grad()
    assert {p.grad for p in theirs.parameters()} == {0.0}


def test_micrograds_classes_on_our_module() -> None:
    there: dict[str, Any] = {}
    exec(MICROGRAD_STYLE.replace("class Part:", "from minigrad.nn import Module\nclass Part(Module):"), there)
    net = there["Net"](2, [3, 1])
    assert len(net.parameters()) == 13
    assert next(iter(net.state_dict())) == "rows.0.units.0.weights"


def test_a_neuron_by_hand() -> None:
    neuron = Neuron(2, seed=1)
    neuron.load_state_dict({"w": [2.0, -1.0], "b": 0.5})
    x = [Value(3.0), Value(4.0)]
    out = neuron(x)
    assert out.data == 2.5  # relu(2*3 - 1*4 + 0.5)
    out.backward()
    assert [w.grad for w in neuron.w] == [3.0, 4.0]
    assert [v.grad for v in x] == [2.0, -1.0]
    assert neuron.b.grad == 1.0
    assert neuron([-3.0, 4.0]).data == 0.0
    assert Neuron(2, nonlin=False, seed=1).extra_repr() == "2, linear"


def test_one_output_is_a_value_and_several_are_a_list() -> None:
    assert isinstance(Layer(2, 1, seed=1)([1.0, 2.0]), Value)
    assert len(Layer(2, 3, seed=1)([1.0, 2.0])) == 3
    assert isinstance(MLP(1, [1, 1, 2, 1], seed=1)(0.5), Value)  # a layer of one in the middle, too


def test_the_same_seed_gives_the_same_weights_and_none_gives_pythons_stream() -> None:
    assert MLP(2, [3, 1], seed=7).state_dict() == MLP(2, [3, 1], seed=random.Random(7)).state_dict()
    assert MLP(2, [3, 1], seed=7).state_dict() != MLP(2, [3, 1], seed=8).state_dict()
    random.seed(5)
    one = [p.data for p in MLP(2, [1]).parameters()]
    random.seed(5)
    assert one == [random.uniform(-1, 1), random.uniform(-1, 1), 0.0]


def test_the_public_names() -> None:
    for name in nn.__all__:
        assert getattr(nn, name) is not None
    assert len(set(nn.__all__)) == len(nn.__all__)
