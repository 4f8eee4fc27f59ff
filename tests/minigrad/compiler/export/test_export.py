"""Hand-over: what is exported computes what the eager engine computes, and what does not is refused."""

from __future__ import annotations

import ctypes
import math
import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import minigrad
from compile_programs import EXAMPLES, branching, layer, numbers, several
from minigrad.compiler import export
from minigrad.compiler.export import (
    ExportError,
    array_dialects,
    c_text,
    dialect,
    export_check,
    instruction_families,
)
from minigrad.compiler.export.c_check import FLAGS
from minigrad.compiler.export.dialect import DialectArray
from minigrad.compiler.export.leaves import identifier, leaves_of, shape_of
from minigrad.compiler.export.long_lines import break_line
from minigrad.compiler.export.places import Operand
from minigrad.text.translation import speaking
from minigrad.values.trees import flatten
from sentences import sentence
from source_trees import ROOT

sys.path.insert(0, str(ROOT / "examples"))
import microgpt

NAMES = list(EXAMPLES)


def eager(f, args):
    """The value and the gradient in each argument that has one, from the engine, as flat lists."""
    places = tuple(place for place, arg in enumerate(args) if not _integers(arg))
    value, slopes = minigrad.value_and_grad(f, places)(*args)
    return float(value), {place: flat(slope) for place, slope in zip(places, slopes, strict=True)}


def _integers(arg):
    return all(isinstance(x, int) for x in flatten(arg, "a test")[0])


def flat(structure):
    if isinstance(structure, dict):
        return np.concatenate([flat(part) for part in structure.values()])
    if isinstance(structure, (list, tuple)):
        return np.concatenate([flat(part) for part in structure])
    return np.asarray(getattr(structure, "data", structure), dtype=float).reshape(-1)


def arrays(structure):
    """The structure with arrays in place of lists of equal parts."""
    if isinstance(structure, dict):
        return {key: arrays(part) for key, part in structure.items()}
    try:
        return np.array(structure, dtype=float)
    except ValueError:
        return [arrays(part) for part in structure]


def agree(found, wanted, tolerance=1e-9):
    found, wanted = np.asarray(found, float), np.asarray(wanted, float)
    assert found.shape == wanted.shape
    assert np.abs(found - wanted).max() <= tolerance * max(1.0, np.abs(wanted).max())


# ---- each library, beside the engine -------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_numpy_gives_values_and_gradients(name):
    f, args = EXAMPLES[name]
    source = minigrad.compile(f).to_numpy(*args, check=False)
    value, slopes = eager(f, args)
    found, gradients = source.value_and_grad(*arrays_of(args))
    agree(found, value)
    agree(source.value(*arrays_of(args)), value)
    for place, slope in slopes.items():
        agree(flat(gradients[place]), slope)


def arrays_of(args):
    return [arrays(arg) for arg in args]


@pytest.mark.parametrize("name", NAMES)
def test_c_gives_the_bits_of_the_engine(name, tmp_path):
    f, args = EXAMPLES[name]
    source = minigrad.compile(f).to_c(*args, name=name, check=False)
    value, slopes = eager(f, args)
    library = compiled(source, tmp_path)
    trees = [flatten(arg, "a test")[1] for arg in args]
    leaves = leaves_of(trees, [f"a{place}" for place in range(len(args))], set())
    given = flat(list(args))
    inputs = [np.ascontiguousarray(given[leaf.first : leaf.first + leaf.size]) for leaf in leaves]
    smooth = [leaf for leaf in leaves if leaf.argument in slopes]
    outputs = [np.zeros(1), *(np.zeros(leaf.size) for leaf in smooth)]
    assert getattr(library, f"{name}_gradient")(*map(pointer, [*inputs, *outputs])) == 0
    assert outputs[0][0] == value
    for place, slope in slopes.items():
        mine = [found for leaf, found in zip(smooth, outputs[1:], strict=True) if leaf.argument == place]
        assert np.concatenate(mine).tolist() == slope.tolist()


def compiled(source, folder):
    text = source.save(folder / "program.c")
    subprocess.run(["gcc", *FLAGS, str(text), "-o", str(folder / "program.so"), "-lm"], check=True)
    return ctypes.CDLL(str(folder / "program.so"))


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


@pytest.mark.parametrize("name", NAMES)
def test_torch_gives_values_and_its_own_gradients(name):
    import torch

    f, args = EXAMPLES[name]
    source = minigrad.compile(f).to_torch(*args, check=False)
    value, slopes = eager(f, args)
    module = source.module()
    given = [torch.as_tensor(array)[None].repeat(2, *[1] * array.ndim) for array in arrays_of(args)[1:]]
    found = module(*given)
    agree(found.detach().reshape(-1), [value] * (2 if given else 1))
    found.sum().backward()
    grads = [p.grad if p.grad is not None else torch.zeros_like(p) for p in module.parameters()]
    agree(np.concatenate([g.reshape(-1) for g in grads]), slopes[0] * (2 if given else 1))


@pytest.mark.parametrize("name", NAMES)
def test_jax_can_be_differentiated_compiled_and_mapped(name):
    import jax

    f, args = EXAMPLES[name]
    source = minigrad.compile(f).to_jax(*args, check=False)
    value, slopes = eager(f, args)
    with jax.enable_x64(True):
        given = arrays_of(args)
        found, gradient = jax.jit(jax.value_and_grad(source.value))(*given)
        agree(found, value)
        if isinstance(gradient, dict):
            gradient = {key: gradient[key] for key in args[0]}  # jax sorts the keys
        agree(flat(gradient), slopes[0])
        if name == "layer":
            many = jax.vmap(source.value, in_axes=(None, 0))(given[0], np.stack([given[1]] * 3))
            agree(many, [value] * 3)


@pytest.mark.parametrize("name", NAMES)
def test_onnx_gives_values(name):
    from onnx.reference import ReferenceEvaluator

    f, args = EXAMPLES[name]
    model = minigrad.compile(f).to_onnx(*args, check=False)
    value, _ = eager(f, args)
    feeds = {
        inp.name: np.stack([flat(arg)] * 2) for inp, arg in zip(model.graph.input, args[1:], strict=True)
    }
    feeds = {
        name: table.reshape(2, *np.shape(arg))
        for (name, table), arg in zip(feeds.items(), args[1:], strict=True)
    }
    (found,) = ReferenceEvaluator(model).run(None, feeds)
    agree(np.reshape(found, -1), [value] * (2 if feeds else 1))


# ---- the small GPT ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gpt():
    import random

    weights = microgpt.make_weights(6, random.Random(3))
    small = {name: [[w.data for w in row] for row in rows] for name, rows in weights.items()}
    return small, [5, 0, 3, 1, 5]


def loss(weights, tokens):
    return microgpt.loss_of(weights, tokens)


def test_the_gpt_in_torch_is_matrix_products_and_a_mask(gpt):
    import torch

    source = minigrad.compile(loss).to_torch(*gpt, check=False)
    forward = source.text.partition("def forward")[2]
    assert "torch.relu((" in forward
    assert "@ self.weights_up.T) @ self.weights_down.T" in forward
    assert "torch.where(self.MASK" in forward
    assert "INDEX" not in source.text  # nothing is gathered but what the program looks up
    assert len(forward.splitlines()) < 40
    module = source.module()
    tokens = torch.tensor([gpt[1], [5, 2, 2, 4, 0]])
    found = module(tokens)
    values = [float(value_of(gpt[0], row)) for row in tokens.tolist()]
    agree(found.detach(), values)
    found.sum().backward()
    wanted = sum(eager(loss, (gpt[0], row))[1][0] for row in tokens.tolist())
    grads = [p.grad if p.grad is not None else torch.zeros_like(p) for p in module.parameters()]
    agree(np.concatenate([g.reshape(-1) for g in grads]), wanted)


def value_of(weights, tokens):
    return eager(loss, (weights, tokens))[0]


def test_the_gpt_in_numpy_over_a_batch(gpt):
    source = minigrad.compile(loss).to_numpy(*gpt, batch=(1,), check=False)
    rows = [gpt[1], [5, 2, 2, 4, 0], [5, 1, 0, 1, 2]]
    values, (gradient, none) = source.value_and_grad(
        {k: np.array(v) for k, v in gpt[0].items()}, np.array(rows)
    )
    agree(values, [value_of(gpt[0], row) for row in rows])
    agree(flat(gradient), sum(eager(loss, (gpt[0], row))[1][0] for row in rows))
    assert none is None


def test_float32_is_near(gpt):
    program = minigrad.compile(loss)
    module = program.to_torch(*gpt, dtype="float32").module()
    import torch

    assert next(module.parameters()).dtype == torch.float32
    agree(module(torch.tensor([gpt[1]])).detach(), [value_of(*gpt)], 1e-5)
    with pytest.raises(ValueError, match="float16"):
        program.to_torch(*gpt, dtype="float16")


@pytest.mark.parametrize("form", ["to_numpy", "to_torch", "to_jax", "to_onnx", "to_c"])
def test_each_export_is_checked_as_it_is_made(form):
    f, args = EXAMPLES["layer"]
    assert getattr(minigrad.compile(f), form)(*args) is not None
    if form in ("to_torch", "to_onnx", "to_c"):
        assert getattr(minigrad.compile(f), form)(*args, dtype="float32") is not None


# ---- what does not agree is refused ---------------------------------------------------------------


@pytest.mark.parametrize("form", ["to_numpy", "to_torch", "to_jax", "to_onnx"])
def test_a_wrong_value_is_refused(form, monkeypatch):
    from minigrad.compiler.export import onnx_graph

    for kind in (dialect.Dialect, onnx_graph.OnnxGraph):
        monkeypatch.setattr(kind, "total", wrong(kind.total))
    f, args = EXAMPLES["rosenbrock"]
    with pytest.raises(ExportError, match="does not agree"):
        getattr(minigrad.compile(f), form)(*args)


def wrong(total):
    return lambda self, a: self.infix("*", total(self, a), self.literal(1.0005))


def test_a_wrong_slope_is_refused_and_named(monkeypatch):
    monkeypatch.setitem(array_dialects.NumpyDialect.others, "gate", "{1}")
    monkeypatch.setattr(array_dialects, "helper", wrong_helper)
    with pytest.raises(ExportError, match=r"the gradient of x\[0\]|the gradient of x"):
        minigrad.compile(lambda x: x.tanh()).to_numpy(0.5)


def wrong_helper(kernel, module):
    from minigrad.compiler.export.kernels import helper

    made = helper(kernel, module)
    return made._replace(text=made.text.replace("4.0", "4.002"))


def test_a_wrong_kernel_in_c_is_refused(monkeypatch):
    monkeypatch.setitem(c_text.INFIX, "sub", "{} + {}")
    with pytest.raises(ExportError, match="does not agree"):
        minigrad.compile(lambda x, y: (x - y).exp()).to_c(0.5, 0.25)


def test_c_that_does_not_compile_is_refused(monkeypatch):
    monkeypatch.setitem(c_text.INFIX, "sub", "{} ? {}")
    with pytest.raises(ExportError, match="error"):
        minigrad.compile(lambda x, y: (x - y).exp()).to_c(0.5, 0.25)


# ---- guards ---------------------------------------------------------------------------------------


def test_a_text_says_and_checks_for_which_branch_it_is(tmp_path):
    import torch

    program = minigrad.compile(branching)
    source = program.to_numpy([2.0, 3.0])
    title, _, shapes, *_, place = source.text.split('"""')[1].strip().splitlines()
    assert re.fullmatch(sentence("compile.handover.title", library="NumPy"), title)
    assert (shapes, place.strip().partition(":")[0]) == ("x: 2", "compile_programs.py")
    assert source.value(np.array([2.0, 3.0])) == 6.0
    with pytest.raises(ValueError, match="other branch"):
        source.value(np.array([-2.0, 3.0]))
    library = compiled(program.to_c([2.0, 3.0], name="f"), tmp_path)
    result = np.zeros(1)
    assert library.f_value(pointer(np.array([2.0, 3.0])), pointer(result)) == 0
    assert library.f_value(pointer(np.array([-2.0, 3.0])), pointer(result)) == 1
    module = program.to_torch([2.0, 3.0], parameters=()).module()
    assert module(torch.tensor([[2.0, 3.0], [1.0, 5.0]], dtype=torch.float64)).tolist() == [6.0, 5.0]
    with pytest.raises(ValueError, match="other branch"):
        module(torch.tensor([[2.0, 3.0], [-1.0, 5.0]], dtype=torch.float64))


# ---- texts --------------------------------------------------------------------------------------------


def test_a_layer_reads_like_one():
    text = minigrad.compile(layer).to_numpy(*EXAMPLES["layer"][1], batch=(1,)).text
    assert "w_bias + x @ w_up.T" in text
    assert "def value(w, x):" in text


def test_products_of_vectors_and_matrices_are_said_with_their_sign():
    def dot(a, b):
        return sum(x * y for x, y in zip(a, b, strict=True))

    w, x, xs = numbers(1, 5, 3), numbers(2, 3), numbers(3, 4, 3)
    for f, args, words in (
        (lambda w, x: [dot(row, x) for row in w], (w, x), "w @ x"),
        (lambda w, x: [dot(x, row) for row in w], (w, x), "x @ w.T"),
        (lambda w, x: [[dot(y, row) for row in w] for y in x], (w, xs), "x @ w.T"),
    ):
        assert f" = {words}  #" in minigrad.compile(f).to_numpy(*args).text


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("sign", [1, -1])
def test_heads_that_look_at_what_stands_before_them_may_have_keys_of_any_width_and_sign(width, sign):
    def score(query, key):
        first, *others = (a * b for a, b in zip(query, key, strict=True))
        total = first if sign > 0 else -first
        for other in others:
            total = total + other if sign > 0 else total - other
        return total

    def looks(queries, keys):
        total = 0.0
        for place, heads in enumerate(queries):
            for head, query in enumerate(heads):
                powers = [score(query, before[head]).exp() for before in keys[: place + 1]]
                total = total + sum(power * power for power in powers) / sum(powers)
        return total

    args = (numbers(1, 4, 3, width), numbers(2, 4, 3, width))
    found, gradients = minigrad.compile(looks).to_numpy(*args).value_and_grad(*args)
    value, slopes = eager(looks, args)
    agree(found, value)
    for place, slope in slopes.items():
        agree(flat(gradients[place]), slope)


def test_rows_that_grow_are_one_array_though_the_shortest_is_made_in_another_way():
    """The first position has nothing before it."""

    def earlier(q, k, b):
        total = 0.0
        for i in range(4):
            for head in range(2):
                scores = [q[i][head] * k[j][head] + b[i] for j in range(i)] or [q[i][head] * 1.5 + b[i]]
                powers = [score.exp() for score in scores]
                total = total + sum(x * k[j][head] for j, x in enumerate(powers)) / sum(powers)
        return total

    args = (numbers(1, 4, 2), numbers(2, 4, 2), numbers(4, 4))
    source = minigrad.compile(earlier).to_numpy(*args)
    agree(source.value(*args), eager(earlier, args)[0])
    assert "q[1:][:, :, None] * k[:3].T" in source.text.partition("def value_and_grad")[0]


def test_numbers_of_several_arrays_that_stand_still_along_their_rows_get_an_axis_of_one():
    """Here they are gathered, and so have no rule; -1 is padding."""
    table = np.array([[5, 5, -1], [7, 7, 7]])
    gathered = DialectArray("x[[1, 0]]", (2,))
    writer = SimpleNamespace(dialect=dialect.Dialect(), operand=lambda space, cells: Operand(gathered))
    operand, copies = instruction_families._still(writer, 0, table, table >= 0)
    assert copies
    assert operand.array.shape == (2, 1)
    assert eval(operand.array.text, {"x": np.array([0.25, 4.0])}).tolist() == [[4.0], [0.25]]
    moving = np.array([[5, 6, -1], [7, 7, 7]])
    assert instruction_families._still(writer, 0, moving, moving >= 0) is None


def test_sums_that_grow_may_have_one_factor_for_all_terms():
    def f(x):
        return sum(sum(0.5 * a for a in x[: end + 1]).exp() for end in range(len(x)))

    args = (numbers(1, 7),)
    source = minigrad.compile(f).to_numpy(*args)
    agree(source.value(*args), eager(f, args)[0])
    assert "np.where" in source.text  # the sums are written as one


def test_parts_of_two_arrays_that_are_read_in_turn_are_joined():
    """The part of x is as long as its end is from its beginning: 1 to 3 of 4."""

    def f(x, z, w):
        turns = [x[1], z[0], x[2], z[1], x[1], z[2], x[2], z[3], x[1], z[4], x[2], z[5]]
        return sum(a * b for a, b in zip(turns, w, strict=True))

    args = (numbers(1, 4), numbers(2, 6), numbers(3, 12))
    agree(minigrad.compile(f).to_numpy(*args).value(*args), f(*args))


def test_a_name_that_ends_in_a_digit_is_told_from_its_number():
    def powers(x, y):
        return sum(a**b for a, b in zip(x, y, strict=True))

    text = minigrad.compile(powers).to_numpy([1.0, 2.0, 3.0], [2.0, 3.0, 0.5]).text
    assert "pow_slope0_1 = pow_slope0(pow1, x, y)" in text


@pytest.mark.parametrize("form", ["to_c", "to_numpy", "to_torch", "to_jax", "to_onnx"])
def test_rows_that_meet_out_of_step_get_their_gradients(form):
    """Each number of one row is multiplied with another place of the other one."""

    def f(table, picks):
        a, b = (minigrad.take(table, pick) for pick in picks)
        return a[0] * b[2] + a[1] * b[0] + a[2] * b[1]

    getattr(minigrad.compile(f), form)(numbers(1, 3, 3), [0, 2])  # which compares value and gradient


def test_rows_that_are_looked_up_in_torch_have_their_shape():
    def rows(table, picks):
        return [minigrad.take(table, pick) for pick in picks]

    text = minigrad.compile(rows).to_torch(numbers(1, 5, 3), [1, 4, 2, 2]).text
    assert "taken1 = F.embedding(picks.long(), self.table)  # n x 4 x 3" in text


def test_jax_is_checked_where_several_numbers_come_back_which_have_no_gradient():
    args = (numbers(1, 3), numbers(2, 3))
    found = minigrad.compile(several).to_jax(*args).value(*args)
    agree(found["first"], args[0][0] * args[1][0], 1e-6)  # in float32, as jax usually is


@pytest.mark.parametrize("x", [3e-7, -2e-9, 0.0, 0.5])
def test_onnx_keeps_the_bits_of_small_differences_from_1(x):
    from onnx.reference import ReferenceEvaluator

    for name, right in (("expm1", math.expm1), ("log1p", math.log1p)):
        model = minigrad.compile(getattr(minigrad.functions, name)).to_onnx(0.25, parameters=())
        (found,) = ReferenceEvaluator(model).run(None, {model.graph.input[0].name: np.array([x])})
        assert float(np.reshape(found, ())) == pytest.approx(right(x), rel=1e-10, abs=0.0)


def test_onnx_has_masks_and_rows_of_a_table_of_each_sample():
    """The growing looks of heads are one array with a mask; a table in the batch is looked up row by row."""

    def looks(queries, keys):
        total = 0.0
        for place, heads in enumerate(queries):
            for head, query in enumerate(heads):
                products = [
                    sum(a * b for a, b in zip(query, key[head], strict=True)) for key in keys[: place + 1]
                ]
                powers = [product.exp() for product in products]
                total = total + sum(power * power for power in powers) / sum(powers)
        return total

    model = minigrad.compile(looks).to_onnx(numbers(1, 4, 3, 2), numbers(2, 4, 3, 2), parameters=())
    assert "Where" in [node.op_type for node in model.graph.node]

    def chosen(table, pick):
        return sum(x * x for x in minigrad.take(table, pick))

    model = minigrad.compile(chosen).to_onnx(numbers(3, 4, 2), 2, parameters=())
    assert "GatherElements" in [node.op_type for node in model.graph.node]
    tables = {table.name.rpartition("_")[0] for table in model.graph.initializer}
    assert tables <= {"constant", "index", "mask", "shape"}  # named by what is in them


def test_onnx_is_checked_with_an_error_function_in_doubles():
    def f(x):
        return minigrad.functions.erf(x[0]) + minigrad.functions.gelu(x[1])

    model = minigrad.compile(f).to_onnx([0.3, 0.7])  # which compares, to about the last bit
    assert [node.op_type for node in model.graph.node].count("Erf") == 2


def test_numbers_are_written_to_the_last_bit(tmp_path):
    constants = [0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308]

    def f(x):
        return sum(a * c for a, c in zip(x, constants, strict=True))

    args = ([1.0, 1.0, 1.0, 0.5],)
    assert minigrad.compile(f).to_numpy(*args).value(np.array(args[0])) == f(args[0])
    library, result = compiled(minigrad.compile(f).to_c(*args, name="f"), tmp_path), np.zeros(1)
    library.f_value(pointer(np.array(args[0])), pointer(result))
    assert result[0] == f(args[0])


def test_what_comes_back_keeps_its_structure():
    args = (numbers(1, 3), numbers(2, 3))
    found = minigrad.compile(several).to_numpy(*args).value(*args)
    assert list(found) == ["sum", "first"]
    assert found["sum"].tolist() == [a + b for a, b in zip(*args, strict=True)]
    assert found["first"] == args[0][0] * args[1][0]


def test_captured_values_are_an_argument_more():
    import torch

    w = [minigrad.Value(0.5), minigrad.Value(-2.0)]
    program = minigrad.compile(lambda x: w[0] * x + w[1])
    source = program.to_numpy(3.0)
    assert source.value(3.0) == -0.5
    assert source.value(3.0, np.array([1.0, 1.0])) == 4.0
    _, (dx, dw) = source.value_and_grad(3.0)
    assert (float(dx), dw.tolist()) == (0.5, [3.0, 1.0])
    module = program.to_torch(3.0, parameters=()).module()
    assert module(torch.tensor([3.0, 4.0], dtype=torch.float64)).tolist() == [-0.5, 0.0]
    assert [name for name, _ in module.named_parameters()] == ["captured"]


def test_a_saved_text_runs_alone(tmp_path):
    f, args = EXAMPLES["layer"]
    path = minigrad.compile(f).to_numpy(*args).save(tmp_path / "layer_text.py")
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import layer_text; sys.exit('minigrad' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False).returncode == 0
    assert path.read_text(encoding="utf-8").startswith('"""')


def test_the_text_speaks_spanish():
    with minigrad.text.translation.speaking("es"):
        assert "exportado por minigrad" in minigrad.compile(lambda x: x * x).to_numpy(2.0).text


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install 'minigrad-lab\[onnx\]'"):
        minigrad.compile(lambda x: x * x).to_onnx(2.0)


def test_parameters_are_arguments_that_exist():
    with pytest.raises(ValueError, match="3"):
        minigrad.compile(lambda x: x * x).to_torch(2.0, parameters=(3,))


# ---- a value that the samples of a batch do not change ------------------------------------------------


def lone_square(w, x):
    return w * w


def lone_sum(w, x):
    return w[0] * w[1] + w[0]


def test_numpy_adds_the_gradient_of_a_lone_value_up_over_the_samples():
    """The value is w*w for each of n samples, so the gradient of their sum is 2*w*n."""
    source = minigrad.compile(lone_square).to_numpy(2.0, 1.0, batch=(1,))
    for n in (0, 1, 5):
        value, (by_w, by_x) = source.value_and_grad(2.0, np.ones(n))
        assert value.tolist() == [4.0] * n
        assert by_w == 4.0 * n
        assert by_x.tolist() == [0.0] * n


def test_so_it_does_with_arrays_constants_and_captured_values():
    source = minigrad.compile(lone_sum).to_numpy([2.0, 3.0], [1.0, 1.0], batch=(1,))
    value, (by_w, by_x) = source.value_and_grad([2.0, 3.0], np.ones((4, 2)))
    assert value.tolist() == [8.0] * 4
    assert by_w.tolist() == [16.0, 8.0]  # 4 samples of w[1] + 1 and w[0]
    assert by_x.tolist() == [[0.0, 0.0]] * 4
    straight = minigrad.compile(lambda w, x: 3.0 * w).to_numpy(2.0, 1.0, batch=(1,))
    assert straight.value_and_grad(2.0, np.ones(4))[1][0] == 12.0
    held = minigrad.Value(5.0)
    captured = minigrad.compile(lambda w, x: held * w).to_numpy(2.0, 1.0, batch=(1,))
    by_w, by_x, by_held = captured.value_and_grad(2.0, np.ones(4))[1]
    assert (by_w, by_x.tolist(), by_held.tolist()) == (20.0, [0.0] * 4, [8.0])


def test_torch_adds_the_gradient_of_a_lone_value_up_over_the_samples():
    import torch

    module = minigrad.compile(lone_square).to_torch(2.0, 1.0).module()
    module(torch.ones(5, dtype=torch.float64)).sum().backward()
    assert module.w.grad.item() == 20.0


def test_jax_adds_the_gradient_of_a_lone_value_up_over_the_samples():
    import jax

    value = minigrad.compile(lone_square).to_jax(2.0, 1.0).value
    whole = lambda w, xs: jax.vmap(value, (None, 0))(w, xs).sum()  # noqa: E731
    assert jax.grad(whole)(2.0, np.ones(5)) == 20.0


def test_c_has_the_gradient_of_one_sample(tmp_path):
    library = compiled(minigrad.compile(lone_square).to_c(2.0, 1.0, name="lone"), tmp_path)
    value, by_w, by_x = np.zeros(1), np.zeros(1), np.full(1, 7.0)
    numbers = (np.array([2.0]), np.array([1.0]), value, by_w, by_x)
    assert library.lone_gradient(*map(pointer, numbers)) == 0
    assert (value[0], by_w[0], by_x[0]) == (4.0, 4.0, 0.0)


def test_onnx_repeats_a_lone_value_for_each_sample():
    from onnx.reference import ReferenceEvaluator

    model = ReferenceEvaluator(minigrad.compile(lone_square).to_onnx(2.0, 1.0, parameters="w"))
    assert model.run(None, {"x": np.ones(5)})[0].tolist() == [4.0] * 5


# ---- arguments by their names -----------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [("x",), "x", 1, [1], (1, "x"), (np.int64(1),)])
def test_a_batch_is_given_by_numbers_or_names(batch):
    program = minigrad.compile(lambda w, x: w * x)
    assert program.to_numpy(2.0, 1.0, batch=batch).text == program.to_numpy(2.0, 1.0, batch=(1,)).text


def test_parameters_are_given_by_numbers_or_names():
    program = minigrad.compile(lambda x, weight: weight * x)
    for parameters in (("weight",), "weight", 1):
        assert "self.weight = nn.Parameter" in program.to_torch(2.0, 1.0, parameters=parameters).text
        (initializer,) = program.to_onnx(2.0, 1.0, parameters=parameters).graph.initializer
        assert initializer.name == "weight"


@pytest.mark.parametrize("wrong", ["y", 2, -1, 1.0, True, None])
@pytest.mark.parametrize(
    ("form", "option"), [("to_numpy", "batch"), ("to_torch", "parameters"), ("to_onnx", "parameters")]
)
def test_another_argument_is_refused_with_what_to_write(form, option, wrong):
    export = getattr(minigrad.compile(lambda w, x: w * x), form)
    said = f"{option}: {wrong!r} is no argument of this program, which has 2: w, x; write the number"
    with pytest.raises(ValueError, match=said):
        export(2.0, 1.0, **{option: (wrong,)})


def test_so_it_is_in_spanish():
    program = minigrad.compile(lambda w, x: w * x)
    with speaking("es"), pytest.raises(ValueError, match="batch: 'y' no es un argumento"):
        program.to_numpy(2.0, 1.0, batch=("y",))


def test_a_batch_without_numbers_is_refused():
    program = minigrad.compile(lambda w, x: w * w)
    with pytest.raises(ValueError, match="batch: x has no numbers"):
        program.to_numpy(2.0, [], batch=("x",))


# ---- names and arrays -----------------------------------------------------------------------------------


def test_lists_of_equal_parts_are_one_array():
    def shape(structure):
        return shape_of(flatten(structure, "a test")[1])

    assert shape(1.0) == ()
    assert shape([[1.0, 2.0], [3.0, 4.0], (5.0, 6.0)]) == (3, 2)
    assert shape([[1.0], [2.0, 3.0]]) is None
    assert shape({"a": 1.0}) is None
    tree = flatten({"up": [[1.0, 2.0]], "odd": [[1.0], [2.0, 3.0]], "for": 2.0}, "a test")[1]
    found = leaves_of([tree], ["w"], set())
    assert [(leaf.name, leaf.text, leaf.shape, leaf.first) for leaf in found] == [
        ("w_up", "w['up']", (1, 2), 0),
        ("w_odd_0", "w['odd'][0]", (1,), 2),
        ("w_odd_1", "w['odd'][1]", (2,), 3),
        ("w_for", "w['for']", (), 5),
    ]


def test_a_structure_that_lacks_a_part_is_refused():
    tree = flatten({"a": 1.0, "b": [[1.0], [2.0, 3.0]]}, "a test")[1]
    assert export_check.arrays_of(tree, {"a": 1, "b": [2, 3]}) == [1, 2, 3]
    with pytest.raises(ValueError, match="shorter"):
        export_check.arrays_of(flatten([[1.0], [2.0, 3.0]], "a test")[1], [1])


def test_words_are_identifiers_and_differ():
    taken = set()
    assert [identifier(text, taken) for text in ("a.b", "a-b", "9", "for", "ñ")] == [
        "a_b",
        "a_b2",
        "x9",
        "for2",
        "x",
    ]


def test_exports_are_listed():
    assert {name for name in export.__all__ if name.startswith("to_")} == {
        "to_c", "to_jax", "to_numpy", "to_onnx", "to_torch",
    }  # fmt: skip


def test_long_lines_are_broken_outside_of_subscripts_and_texts():
    line = '    x = f("a, b, c", y[1, 2, 3] * z[4, 5], g(1, 2))  # n x 2'
    assert break_line(line, 80) == line
    assert break_line(line, 36).split("\n") == [
        '    x = f("a, b, c",',
        "        y[1, 2, 3] * z[4, 5],",
        "        g(1, 2))  # n x 2",
    ]
    assert (
        break_line("    x = aaaaaaaa + bbbbbbbb", 16) == "    x = aaaaaaaa + bbbbbbbb"
    )  # Python would not go on
    assert (
        break_line("    x = aaaaaaaa + bbbbbbbb;", 16, free=True) == "    x = aaaaaaaa\n        + bbbbbbbb;"
    )


def test_texts_keep_to_the_width_of_a_page():
    def attention(queries, keys):
        return sum(sum(q * k for q, k in zip(a, b, strict=True)).tanh() for a in queries for b in keys[:3])

    program = minigrad.compile(attention)
    rows = [[0.1 * i + 0.01 * j for j in range(4)] for i in range(5)]
    for name in ("to_numpy", "to_torch", "to_jax", "to_c"):
        text = getattr(program, name)(rows, rows, check=False).text
        assert max(map(len, text.splitlines())) <= 130
        assert not any(line != line.rstrip() for line in text.splitlines())
