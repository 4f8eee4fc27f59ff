"""What must hold wherever a wheel is installed; needs pytest and NumPy.  `cibuildwheel` runs this file."""

from __future__ import annotations

import os
import pickle
import sys
import threading
from collections.abc import Sequence
from functools import partial
from math import inf, nan

import minigrad
from minigrad import Value
from minigrad.ops import MANY, OPS
from minigrad.values import ieee

POINTS = (0.0, -0.0, 0.5, -0.75, 1.0, 3.0, -40.5, 1e-310, 1e200, inf, -inf, nan)


def test_the_engine_is_the_one_that_was_asked_for():
    """A wheel without the compiled engine would work as well, so only this tells."""
    wanted = "plain" if os.environ.get("MINIGRAD_PURE") else "native"
    assert wanted == minigrad.ENGINE


def test_so_is_what_runs_compiled_programs():
    from minigrad.compiler import executors

    assert (executors.ISA == "numpy") is (minigrad.ENGINE == "plain")


def test_the_classic_example():
    a, b, c = Value(2.0), Value(3.0), Value(4.0)
    L = (a * b + c) * (a - c)  # noqa: N806
    L.backward()
    assert (L.data, a.grad, b.grad, c.grad) == (-20.0, 4.0, -4.0, -12.0)
    assert pickle.loads(pickle.dumps(L)).data == -20.0


def test_the_scripts_and_styles_of_the_pages_are_there():
    explanation = minigrad.explain("a*b + a", a=2, b=3)
    assert "class Player" in explanation.to_html()
    from minigrad.studio.static_files import static_files

    assert {"/", "/static/studio.js"} <= set(static_files())


def test_a_run_takes_its_steps_and_draws_its_page(tmp_path):
    from minigrad import nn
    from minigrad.training import Run, defaults
    from minigrad.training.watch_page import Watch

    assert len(nn.data.names()) > 1000
    run = Run(defaults("moons", steps=2, points=10))
    watch = Watch(tmp_path / "watch.html", run)
    while not run.finished:
        watch.step(run.advance())
    watch.finish()
    assert "<script>" in (tmp_path / "watch.html").read_text(encoding="utf-8")


def test_every_op_has_the_bits_of_its_row_on_this_machine():
    """The C library, the compiler and its flags differ between machines; the bits must not."""
    for op in OPS.values():
        most = op.arity[1]
        for x in POINTS:
            xs = (x, 0.5, -2.0, 3.0)[: 4 if most == MANY else most]
            y = op.forward(ieee, *xs)
            node = (
                getattr(Value(x), op.name)(*xs[1:])
                if most != MANY
                else reduction(op.name, [Value(x) for x in xs])
            )
            assert repr(node.data) == repr(y), (op.name, xs)
            if node._local_grads:
                assert repr(node._local_grads) == repr(op.partials(ieee, y, *xs)), (op.name, xs)


def test_so_it_has_where_it_is_compiled():
    for op in OPS.values():
        most = op.arity[1]
        xs = (POINTS[2], 0.5, -2.0, 3.0)[: 4 if most == MANY else most]
        node = partial(reduction, op.name) if most == MANY else partial(called, op.name)
        program = minigrad.compile(node)
        for x in POINTS:
            y = op.forward(ieee, x, *xs[1:])
            assert repr(program((x, *xs[1:]))) == repr(y), (op.name, x)
            wanted = Value(x), *map(Value, xs[1:])
            node(wanted).backward()
            _, slopes = program.value_and_grad((x, *xs[1:]))
            assert repr(slopes) == repr(tuple(each.grad for each in wanted)), (op.name, x)


def called(name: str, xs: Sequence[Value]) -> Value:
    return getattr(xs[0], name)(*xs[1:])


def reduction(name: str, values: Sequence[Value]) -> Value:
    from minigrad import functions

    return functions.dot(values[:2], values[2:]) if name == "dot" else getattr(functions, name)(values)


def test_a_deep_graph_on_a_small_stack():
    gradients = []

    def work() -> None:
        x = Value(1.0)
        y = x
        for _ in range(200_000):
            y = y * 1.0
        y.backward()
        gradients.append(x.grad)

    # From 3.13 on, CPython itself recurses deeper than that before it frees plain objects one by one:
    # a chain of plain nodes crashes a thread of 512 KB.  The engine in C frees its nodes in a loop.
    deeper = minigrad.ENGINE == "plain" and sys.version_info >= (3, 13)
    before = threading.stack_size((1024 if deeper else 512) * 1024)
    thread = threading.Thread(target=work)
    thread.start()
    threading.stack_size(before)
    thread.join()
    assert gradients == [1.0]
