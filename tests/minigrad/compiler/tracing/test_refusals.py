"""What cannot be compiled is refused, with what to write instead; and Value is left as it was."""

from __future__ import annotations

import copy
import functools
import random
import secrets
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from multiprocessing.pool import ThreadPool
from types import SimpleNamespace

import pytest

import minigrad
from minigrad import Value, no_grad
from minigrad.compiler.tracing import TracingError, is_tracing, trace_function, value_watch
from minigrad.scalar import _constant
from minigrad.text.translation import speaking
from tracing_cases import computed

# ---- what cannot be the same again ------------------------------------------------------------------


def test_a_function_that_draws_numbers_is_refused_and_the_generator_left_as_it_was():
    random.seed(3)
    before = random.getstate()

    def noisy(x):
        return x * random.random()

    with pytest.raises(TracingError, match=r"^noisy: .*random.*Dropout"), speaking("en"):
        trace_function(noisy, (2.0,))
    assert random.getstate() == before


def test_numpys_numbers_are_drawn_numbers_too():
    import numpy

    before = numpy.random.get_state()
    with pytest.raises(TracingError, match="random"):
        trace_function(lambda x: x * numpy.random.rand(), (2.0,))
    after = numpy.random.get_state()
    assert before[2:] == after[2:]
    assert (before[1] == after[1]).all()


def test_a_dropout_in_training_mode_is_refused():
    from minigrad.nn import Dropout

    layer = Dropout(0.5)
    with pytest.raises(TracingError, match="Dropout"):
        trace_function(lambda xs: minigrad.functions.sum(layer(xs)), ([1.0, 2.0],))
    layer.eval()
    assert (
        computed(trace_function(lambda xs: minigrad.functions.sum(layer(xs)), ([1.0, 2.0],)), ([1.0, 2.0],))
        == 3.0
    )


@pytest.mark.parametrize(
    "draw", [time.perf_counter, secrets.SystemRandom().random, lambda: time.perf_counter_ns() % 1000003]
)
def test_a_number_that_changes_is_refused_with_its_line_and_both_numbers(draw):
    def f(x):
        y = x * 2
        return y * draw()  # the line

    line = f.__code__.co_firstlineno + 2
    with pytest.raises(
        TracingError, match=rf"test_refusals\.py:{line}: .* was .* in one run and .* in the next"
    ):
        trace_function(f, (2.0,))


def test_a_function_that_does_something_else_is_refused():
    once = functools.partial(
        threading.Semaphore(1).acquire, blocking=False
    )  # what it counts is its own affair
    with pytest.raises(TracingError, match="second run"):
        trace_function(lambda x: x.exp() if once() else x.sin(), (2.0,))
    again = functools.partial(threading.Semaphore(1).acquire, blocking=False)
    with pytest.raises(TracingError, match="second run"):
        trace_function(lambda x: (x, x) if again() else [x, x], (2.0,))
    a, b = Value(1.0), Value(1.0)
    third = functools.partial(threading.Semaphore(1).acquire, blocking=False)
    with pytest.raises(TracingError, match="second run"):
        trace_function(lambda x: x * (a if third() else b), (2.0,))


def test_an_iterator_is_refused_even_where_it_gives_the_same_twice():
    numbers = iter([1.0, 1.0, 5.0])
    draw = count().__next__
    for f in (lambda x: x * next(numbers), lambda x: x * draw()):
        with pytest.raises(TracingError, match="iterator"):
            trace_function(f, (2.0,))


def test_a_generator_of_random_numbers_is_seen_even_where_it_gives_the_same_twice():
    import numpy

    draw, drawing = random.Random(1), numpy.random.default_rng(1)
    state = draw.getstate()
    for f in (lambda x: x * (draw.random() > 2), lambda x: x * (drawing.random() > 2)):
        with pytest.raises(TracingError, match="random"):
            trace_function(f, (2.0,))
    assert draw.getstate() == state
    assert drawing.random() == numpy.random.default_rng(1).random()


def test_what_f_keeps_for_itself_is_noticed():
    @functools.cache
    def squares():
        return Value(3.0) * Value(2.0)

    with pytest.raises(TracingError):
        trace_function(lambda x: x * squares(), (2.0,))


def append(xs):
    xs.append(xs[0])


@pytest.mark.parametrize(
    "change",
    [append, lambda xs: xs.pop(), lambda xs: xs.__setitem__(0, xs[1]), lambda xs: xs.clear(),
     lambda xs: xs.sort(key=lambda x: -x.data), lambda xs: xs.__setitem__(0, xs[0] + 0)],
)  # fmt: skip
def test_a_function_that_changes_its_argument_is_refused_and_the_callers_list_is_not_touched(change):
    def f(scale, numbers):
        change(numbers)
        return scale * minigrad.functions.sum(numbers)

    mine = [1.0, 2.0, 3.0]
    with pytest.raises(TracingError, match="argument numbers"):
        trace_function(f, (2.0, mine))
    assert mine == [1.0, 2.0, 3.0]


def test_a_dict_that_is_changed_and_one_that_is_not():
    with pytest.raises(TracingError, match="argument d"):
        trace_function(lambda d: d.setdefault("b", d["a"] * 2), ({"a": 1.0},))
    with pytest.raises(TracingError, match="argument d"):
        trace_function(lambda d: d["a"].pop() * 2, ({"a": [1.0]},))
    traced = trace_function(lambda d: sum({**d, "b": 2.0}.values()), ({"a": 1.0},))
    assert computed(traced, ({"a": 4.0},)) == 6.0


def written(x, w):
    w.data = 3.0


@pytest.mark.parametrize(
    ("do", "words"),
    [
        (written, "return the new number"),
        (lambda x, w: setattr(w, "grad", 1.0), "value_and_grad"),
        (lambda x, w: w.grad, "value_and_grad"),
        (lambda x, w: (x * w).backward(), "value_and_grad"),
        (lambda x, w: minigrad.backward(x * w), "value_and_grad"),
        (lambda x, w: w.zero_grad(), "value_and_grad"),
        (lambda x, w: w.register_hook(print), "hook"),
        (lambda x, w: no_grad().__enter__(), "detach"),
        (lambda x, w: no_grad()(lambda: x * 2)(), "detach"),
        (lambda x, w: copy.copy(w), "detach"),
        (lambda x, w: copy.deepcopy([x]), "detach"),
        (lambda x, w: minigrad.grad(lambda y: y * x)(3.0), r"program\.grad"),
        (lambda x, w: minigrad.grad(lambda y: y * y)(x), r"program\.grad"),
        (lambda x, w: minigrad.value_and_grad(lambda y: y * w)(3.0), r"program\.grad"),
        (lambda x, w: x == 2.0, r"x\.data == 0"),
        (lambda x, w: x != 2, r"x\.data != 0"),
        (lambda x, w: x.data in {1.0, 2.0}, "key"),
    ],
)
def test_what_a_program_cannot_do_is_refused_with_what_to_write(do, words):
    w = Value(2.0)

    def f(x):
        do(x, w)
        return x * w

    with pytest.raises(TracingError, match=words):
        trace_function(f, (3.0,))
    assert w.data == 2.0
    value = Value(2.0) * 3  # and Value is as it was
    value.backward()
    assert (value.data, value.grad, value == 6.0, repr(value)) == (
        6.0,
        1.0,
        False,
        "Value(data=6.0, grad=1.0)",
    )


def test_nodes_made_by_hand_are_refused():
    with pytest.raises(TracingError, match="by hand"):
        trace_function(lambda x: Value(6.0, (x,), (2.0,)) * x, (3.0,))

    def with_rule(x):
        node = Value(6.0, (x,), "*")
        node._backward = lambda: None
        return node

    with pytest.raises(TracingError, match="by hand"):
        trace_function(with_rule, (3.0,))


def test_gradients_are_switched_off_by_detach_only():
    def f(x):
        y = x * 2
        y.requires_grad = False
        return y * x

    with pytest.raises(TracingError, match="detach"):
        trace_function(f, (3.0,))

    def g(x):
        x.requires_grad = False
        return x * 2

    with pytest.raises(TracingError, match="detach"):
        trace_function(g, (3.0,))


def test_a_subclass_with_its_own_pass_is_refused_and_another_is_not():
    class Named(Value):
        pass

    class Other(Value):
        def _propagate(self):
            pass

    assert computed(trace_function(lambda x: Named(2.0) * x, (3.0,)), (4.0,)) == 8.0
    with pytest.raises(TracingError, match="_propagate"):
        trace_function(lambda x: Other(2.0) * x, (3.0,))


def test_results_are_numbers():
    for result in (lambda: "text", lambda: {1.0}, object, lambda: (x for x in ())):
        with pytest.raises(TracingError, match="returns numbers"):
            trace_function(lambda x, result=result: result(), (1.0,))
    assert computed(trace_function(lambda x: (None, True, 2), (1.0,)), (1.0,)) == (None, True, 2.0)


def test_arguments_that_are_neither_numbers_nor_structures_are_refused():
    for argument in ({1.0, 2.0}, (x for x in (1.0,)), object()):
        with pytest.raises(TypeError):
            trace_function(lambda x: 1.0, (argument,))


def test_an_error_of_the_function_passes_unchanged():
    error = KeyError("mine")

    def f(x):
        raise error

    with pytest.raises(KeyError) as caught:
        trace_function(f, (1.0,))
    assert caught.value is error
    assert not is_tracing()
    assert type(Value(2.0).data) is float


def test_messages_are_in_spanish_too():
    with speaking("es"), pytest.raises(TracingError, match="genérelos fuera"):
        trace_function(lambda x: x * random.random(), (2.0,))


# ---- other threads, and Value afterwards ------------------------------------------------------------


def test_other_threads_see_no_trace_and_each_has_its_own():
    inside, done = threading.Event(), threading.Event()
    found = {}

    def other():
        inside.wait(10)
        w = Value(2.0)
        y = w * 3
        y.backward()
        with no_grad():
            constant = w * 2
        found["eager"] = (
            y.data,
            w.grad,
            y > 5,
            type(y.data),
            y == 6.0,
            f"{y:.1f}",
            constant.requires_grad,
            is_tracing(),
        )
        found["traced"] = computed(trace_function(lambda a: a * a.data, (3.0,)), (4.0,))
        done.set()

    def f(x):
        inside.set()
        assert done.wait(10)
        return x * x.data

    thread = threading.Thread(target=other)
    thread.start()
    traced = trace_function(f, (2.0,))
    thread.join()
    assert found == {"eager": (6.0, 3.0, True, float, False, "6.0", False, False), "traced": 16.0}
    assert computed(traced, (5.0,)) == 25.0


def test_work_for_another_thread_is_refused_because_nobody_would_see_what_it_reads():
    def started(x):
        found = []
        thread = threading.Thread(target=lambda: found.append(x.data))
        thread.start()
        thread.join()
        return x * found[0]

    with ThreadPoolExecutor(1) as pool, ThreadPool(1) as other:
        pool.submit(int).result()  # its thread waits for more
        for f in (
            started,
            lambda x: x * pool.submit(lambda: x.data).result(),
            lambda x: x * other.apply(lambda: x.data),
            lambda x: x * other.map(lambda y: y.data, [x])[0],
        ):
            with (
                pytest.raises(TracingError, match=r"test_refusals\.py:\d+: .*thread"),
                speaking("en"),
            ):
                trace_function(f, (2.0,))
        assert pool.submit(lambda: 2).result() == other.apply(lambda: 2) == 2


def test_value_is_changed_once_for_all_runs_of_a_trace(monkeypatch):
    """A class that has changed a thousand times is slow for good, since Python 3.13."""
    opened = []
    monkeypatch.setattr(value_watch, "_pools", lambda: opened.append(1) or {})
    trace_function(lambda x: x * x.data, (2.0,))
    with pytest.raises(TracingError):
        trace_function(lambda x: x * time.perf_counter(), (2.0,))  # three runs
    assert len(opened) == 2


def test_value_is_left_as_it_was():
    before = dict(vars(Value))
    trace_function(lambda x: x if x > 0 else -x, (2.0,))
    with pytest.raises(TracingError):
        trace_function(lambda x: x * float(x.data), (2.0,))
    assert dict(vars(Value)) == before
    assert _constant(2.0).data == 2.0


def test_a_trace_inside_a_trace_is_refused_and_can_be_asked_for():
    asked = SimpleNamespace(answer=None)

    def f(x):
        assert is_tracing()
        with pytest.raises(TracingError):
            trace_function(lambda y: y, (1.0,))
        return x

    trace_function(f, (2.0,))
    assert asked.answer is None
    assert not is_tracing()
