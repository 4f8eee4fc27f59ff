"""A compiled function gives what the function gives: the same bits, the same structure, for every call."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
import warnings
from collections import namedtuple
from random import Random

import numpy as np
import pytest

import minigrad
from minigrad import Value, compile, take  # noqa: A004 its own name
from minigrad.compiler import Program
from minigrad.compiler import trace_cache as traces_room
from minigrad.compiler import variants as variants_room
from minigrad.compiler.structure import kind_of_array, take_apart
from minigrad.values.trees import flatten
from network_program import MODEL, X, loss


def eager_gradient(f, *args, argnums=0):
    return minigrad.value_and_grad(f, argnums)(*args)


# ---- calls --------------------------------------------------------------------------------------


def test_value_and_gradient_have_the_bits_of_the_function_run_as_it_stands():
    program = compile(loss)
    wanted = eager_gradient(loss, MODEL, X)
    assert program.value_and_grad(MODEL, X) == wanted
    assert program.grad(MODEL, X) == wanted[1]
    assert program.grad(MODEL, X, argnums=1) == eager_gradient(loss, MODEL, X, argnums=1)[1]
    both = program.value_and_grad(MODEL, X, argnums=(1, 0))
    assert both == eager_gradient(loss, MODEL, X, argnums=(1, 0))
    assert program.grad(MODEL, X, argnums=-1) == program.grad(MODEL, X, argnums=1)


def test_a_function_is_traced_once_per_structure():
    seen = []
    program = compile(lambda xs: sum(x * x for x in xs))
    for size in (2, 3, 2, 3, 2):
        assert program([float(k) for k in range(size)]) == sum(k * k for k in range(size))
        seen.append(len(program.variants))
    assert seen == [1, 2, 2, 2, 2]


@pytest.mark.parametrize(
    "result",
    [
        lambda x, y: x * y,
        lambda x, y: [x, y, x + y],
        lambda x, y: (x, {"sum": x + y, "rest": [x, [y]]}),
        lambda x, y: x,  # an input
        lambda x, y: 3.0,  # a constant
        lambda x, y: [],
        lambda x, y: {"one": 1.0, "x": x},
    ],
)
def test_results_have_the_structure_that_f_returned(result):
    program = compile(result)
    for x, y in ((2.0, 3.0), (-1.0, 0.5), (2.0, 3.0)):
        assert program(x, y) == result(x, y)


def test_arguments_of_every_kind():
    Point = namedtuple("Point", "x y")
    program = compile(lambda p, d, flag, nothing: p.x * d["a"][0] if flag else p.y - d["b"])
    d = {"a": [2.0], "b": 3}
    assert program(Point(1.5, 2.5), d, True, None) == 3.0
    assert program(Point(1.5, 2.5), d, False, None) == -0.5
    assert program(Point(2.5, 4.5), d, False, None) == 1.5
    grads = program.grad(Point(1.5, 2.5), d, True, None)
    assert grads == Point(2.0, 0.0)
    assert isinstance(grads, Point)


def test_no_arguments_and_no_numbers():
    assert compile(lambda: 2.5)() == 2.5
    program = compile(lambda xs, name: len(xs) + len(name))
    assert program([], "abc") == 3.0
    assert program.grad([], "abc") == []
    assert program([], "ab") == 2.0


def test_names_of_arguments_can_be_used():
    program = compile(lambda x, y=3.0: x - y)
    assert program(5.0, y=1.0) == 4.0
    assert program(y=1.0, x=2.0) == 1.0
    assert program(5.0) == 2.0
    assert program.grad(y=1.0, x=2.0, argnums=(0, 1)) == (1.0, -1.0)
    with pytest.raises(TypeError):
        program(5.0, z=1.0)
    with pytest.raises(TypeError, match="by place"):
        compile(lambda x, *, scale: x * scale)(5.0, scale=1.0)


def test_as_a_decorator_with_and_without_options():
    @compile
    def square(x):
        """x times x"""
        return x * x

    @compile(exact=False)
    def cube(x):
        return x * x * x

    assert isinstance(square, Program)
    assert square.__name__ == "square"
    assert square.__doc__ == "x times x"
    assert (square(3.0), cube(2.0)) == (9.0, 8.0)
    assert square.exact
    assert not cube.exact
    assert not compile(lambda x: x, dtype="float32").exact


def test_a_method_is_compiled_for_each_object():
    class Line:
        def __init__(self, slope):
            self.slope = slope

        @compile
        def at(self, x):
            return self.slope * x

    steep, flat = Line(3.0), Line(0.5)
    assert (steep.at(2.0), flat.at(2.0), steep.at(4.0)) == (6.0, 1.0, 12.0)
    assert steep.at is steep.at
    steep.slope = 5.0
    assert steep.at(2.0) == 10.0


def test_numpy_arrays_stand_for_nested_lists():
    program = compile(loss)
    model = {"w": np.array(MODEL["w"]), "b": np.array(MODEL["b"])}
    value, gradient = program.value_and_grad(model, np.array(X))
    wanted, lists = eager_gradient(loss, MODEL, X)
    assert value == wanted
    assert {name: part.tolist() for name, part in gradient.items()} == lists
    assert gradient["w"].shape == (3, 2)
    assert program(model, np.array(X, dtype="float32")) == wanted  # numbers that float32 holds
    assert len(program.variants) == 1


def test_the_short_way_for_arrays_gives_the_same_and_notices_what_changes():
    slope = [2.0]

    def f(x, s):
        return slope[0] * sum(a * a for a in x) + s if x[0] > 0.0 else s

    program = compile(f)
    random = Random(5)
    for step in range(12):
        x = np.array([random.uniform(-1, 1) for _ in range(4)])
        if step == 9:
            slope[0] = 3.0
        wanted = eager_gradient(f, x.tolist(), 0.5, argnums=(1, 0))
        for _ in range(2):
            value, (by_s, by_x) = program.value_and_grad(x, 0.5, argnums=(1, 0))
            assert (value, (by_s, by_x.tolist())) == wanted
            assert program(x, 0.5) == value
            assert program.grad(x[::-1][::-1], 0.5).tolist() == wanted[1][1]
    assert program._short


def test_a_call_of_a_kind_that_was_seen_does_not_take_its_arguments_apart(monkeypatch):
    program, x = compile(lambda x, s: sum(a * s for a in x)), np.array([1.0, 2.0, 3.0])
    assert program(x, 2.0) == 12.0
    assert program.value_and_grad(x, 2.0)[0] == 12.0
    monkeypatch.setattr(Program, "_parts", lambda *given: pytest.fail("they were taken apart"))
    assert program(x + 1.0, 3.0) == 27.0
    value, slope = program.value_and_grad(x + 1.0, 3.0)
    assert (value, slope.tolist()) == (27.0, [3.0, 3.0, 3.0])


def test_integers_choose_and_numbers_count():
    rows = [1.0, 10.0, 100.0]
    program = compile(lambda i, x: take(rows, i) * x)
    assert [program(i, 2.0) for i in (0, 1, 2, -1)] == [2.0, 20.0, 200.0, 200.0]
    with pytest.raises(IndexError):
        program(3, 2.0)
    with pytest.raises(IndexError):
        program(-4, 2.0)
    assert program(2, 3.0) == 300.0
    # what a gradient is taken by is a number, whether it is written 3 or 3.0
    square = compile(lambda x: x * x)
    assert square.value_and_grad(3) == square.value_and_grad(3.0) == (9.0, 6.0)
    assert square(3) == 9.0


def test_numbers_of_other_kinds():
    program = compile(lambda x: x * 2.0)
    assert program(np.float64(1.5)) == program(1.5) == program(np.array(1.5)) == 3.0
    assert program(np.float32(1.5)) == 3.0
    huge = compile(lambda n, x: x + n % 7)
    assert huge(2**60, 0.5) == 2**60 % 7 + 0.5
    assert huge(2**60 + 1, 0.5) == (2**60 + 1) % 7 + 0.5  # no float tells the two apart


@pytest.mark.parametrize(
    "given", [{1.0, 2.0}, (x for x in [1.0]), len, object(), 1j, np.array([1j]), np.array(["a"])]
)
def test_what_is_no_number_is_refused(given):
    program = compile(lambda x: 1.0)
    with pytest.raises(TypeError):
        program(given)


def test_integers_of_an_array_may_be_as_large_as_a_float_has_them_exactly():
    for most in (2**53, -(2**53)):
        assert kind_of_array(np.array([0, most])) == "i"
        with pytest.raises(TypeError, match=r"beyond 2\*\*53"):
            kind_of_array(np.array([0, most + (1 if most > 0 else -1)]))


def test_the_quick_ways_to_take_arguments_apart_find_what_trees_find():
    a, b = Value(1.0), Value(2.0)
    for structure in (
        [1.0, 2.0], (1.0, 2.0), [], [[]], [[], []], [[1.0], [2.0, 3.0]], [[1.0, 2.0], [3.0, 4.0]],
        ([1.0], [2.0]), [(1.0, 2.0), (3.0, 4.0)], [a, b], [[a, b], [b, a]], [[a, 1.0], [2.0, b]], [a, 1.0],
        [1, 2], [1, 2.0], {"w": [[a], [b]], "b": [1.0]}, [[[1.0, 2.0]], [[3.0, 4.0]]], [[1, 2], [3, 4]],
    ):  # fmt: skip
        numbers, tree = flatten(structure, "test")
        parts = take_apart((structure,))
        assert parts.tree[2][0] == tree
        assert parts.numbers == [x.data if isinstance(x, Value) else x for x in numbers]
        assert parts.kinds == "".join("i" if type(x) is int else "f" for x in numbers)
        assert parts.values == [x for x in numbers if isinstance(x, Value)]
        assert [numbers[k] for k in parts.places] == parts.values
        assert parts.given() == (structure,)
        assert parts.starts == [0, len(numbers)]


# ---- guards -------------------------------------------------------------------------------------


def test_a_broken_guard_is_never_answered_with_the_numbers_of_the_other_branch():
    def f(x):
        return x * 2.0 if x > 1.0 else x * 3.0

    program = compile(f)
    for x in (2.0, 0.5, 3.0, 1.0, -1.0, 1.0000001, float("nan")):
        assert repr(program(x)) == repr(f(x))
        assert program.grad(x) == (2.0 if x > 1.0 else 3.0)
    assert len(program.variants) == 2
    assert len(program.guards) == 1
    assert program.guards[0].startswith("test_program.py")


def test_a_loop_that_runs_as_often_as_the_data_say():
    def halvings(x):
        count = 0.0
        while x > 1.0:
            x = x / 2.0
            count += 1.0
        return x + count

    program = compile(halvings)
    for x in (1.0, 5.0, 100.0, 7.0, 0.25, 64.0):
        assert program(x) == halvings(x)


def test_what_was_captured_and_has_changed_is_traced_again():
    scale = [2.0]
    program = compile(lambda x: x * scale[0])
    assert program(3.0) == 6.0
    scale[0] = 5.0
    assert program(3.0) == 15.0
    assert len(program.variants) == 1


def many_ways(x):
    steps = 0
    while x > 0.0:
        x = x - 1.0
        steps += 1
    return x * steps


def test_a_function_of_too_many_ways_is_run_as_it_stands_after_one_warning(monkeypatch):
    monkeypatch.setattr(traces_room, "MOST", 5)
    program = compile(many_ways)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = [program(k + 0.5) for k in range(12)]
    assert found == [many_ways(k + 0.5) for k in range(12)]
    (warning,) = caught
    assert warning.category is RuntimeWarning
    assert "test_program.py:" in str(warning.message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert program.value_and_grad(2.5) == eager_gradient(many_ways, 2.5)
        value = program(Value(3.5))
        assert isinstance(value, Value)
        assert value.data == many_ways(3.5)
        with pytest.raises(ValueError, match="as it stands"):
            program.plan(2.5)
    assert variants_room.MOST == 64


def test_a_wrong_executor_cannot_make_a_guard_hold(monkeypatch):
    """The guards are looked at in each run: an executor that contradicts the trace is not believed."""
    program = compile(lambda x: x * 2.0 if x > 1.0 else x)
    monkeypatch.setattr(variants_room.Variant, "broken", lambda self, guards: 0)
    assert program(3.0) == 6.0  # by f itself
    assert program.variants == []


def test_two_threads_may_call_one_program():
    program = compile(lambda x, n: sum(x * k for k in range(n)) if x > 0.0 else x)
    wrong = []

    def work(seed):
        random = Random(seed)
        for _ in range(60):
            x, n = random.uniform(-1, 1), random.randrange(1, 5)
            if program(x, n) != (sum(x * k for k in range(n)) if x > 0.0 else x):
                wrong.append((x, n))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(program.variants) <= 8


# ---- refusals -----------------------------------------------------------------------------------


def test_several_results_have_no_gradient():
    program = compile(lambda x: [x, x * x])
    with pytest.raises(ValueError, match="structure of 2"):
        program.value_and_grad(2.0)
    with pytest.raises(ValueError, match="argnum 1"):
        program.grad(2.0, argnums=1)
    with pytest.raises(ValueError, match="twice"):
        program.grad(2.0, argnums=(0, -1))


def test_compile_says_what_it_takes():
    a = Value(2.0)
    with pytest.raises(TypeError, match="takes a function"):
        compile(3.0)
    with pytest.raises(TypeError, match="inputs="):
        compile(a * a)
    with pytest.raises(TypeError, match=r"3\.0"):
        compile(a * a, inputs=[a, 3.0])
    with pytest.raises(TypeError, match="belongs to a Value"):
        compile(len, inputs=[a])
    with pytest.raises(ValueError, match="float16"):
        compile(len, dtype="float16")
    for threads in (0, True, 1.5):
        with pytest.raises(ValueError, match="threads"):
            compile(len, threads=threads)
    with pytest.raises(TypeError, match="save"):
        pickle.dumps(compile(loss))


# ---- numpy --------------------------------------------------------------------------------------


def test_without_numpy_minigrad_says_what_to_install():
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "import minigrad\n"
        "try:\n    minigrad.compile(lambda x: x * x)(2.0)\n"
        "except ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert "pip install" in done.stdout, done.stderr
