"""Random functions with branches, look-ups and nested arguments: a program in all its forms is the function.

`--graphs=N` draws N/50 functions, 50 by default.
"""

from __future__ import annotations

from random import Random

import numpy as np

import minigrad
from minigrad import Value, compile, functions, take  # noqa: A004 its own name
from minigrad.compiler.program_file import decoded, encoded
from minigrad.values.trees import flatten

KINDS = ("add", "mul", "sub", "tanh", "branch", "where", "max", "take", "square", "constant", "exp", "dot")
SAMPLES = 6


def drawn(random):
    """A function of a dict, a tuple and an index, and whether it returns several numbers."""
    steps = [
        (random.choice(KINDS), random.random(), random.random(), random.random(), random.uniform(-2, 2))
        for _ in range(random.randrange(1, 14))
    ]
    several = random.random() < 0.3

    def f(a, b, i):
        pool = [a["x"], *a["ys"], b[0], *b[1]]
        for kind, *choices, c in steps:
            x, y, z = (pool[int(choice * len(pool))] for choice in choices)
            if kind == "branch":
                pool.append(x * c if x < y else y + z)
            else:
                pool.append(computed(kind, x, y, z, c, i))
        if several:
            return {"a": pool[-1] * 1.0, "b": [pool[-2] * 1.0, pool[len(pool) // 2] * 1.0]}
        return pool[-1] + pool[-2] * pool[-3]

    return f, several


def computed(kind, x, y, z, c, i):
    return {
        "add": lambda: x + y,
        "mul": lambda: x * y,
        "sub": lambda: x - y * c,
        "tanh": lambda: functions.tanh(x),
        "where": lambda: functions.where(x - y, x, z),
        "max": lambda: functions.max([x, y, z]),
        "take": lambda: take([x, y, z], i),
        "square": lambda: x**2,
        "constant": lambda: x * 0 + c,
        "exp": lambda: functions.exp(functions.tanh(x)),
        "dot": lambda: functions.dot([x, y], [y, z]),
    }[kind]()


def arguments(random):
    a, b, c, d, e, f = (random.uniform(-2, 2) for _ in range(6))
    return {"x": a, "ys": [b, c]}, (d, [e, f]), random.randrange(3)


def flat(result):
    return [float(x.data if isinstance(x, Value) else x) for x in flatten(result, "test")[0]]


def gradients(f, args):
    """By the first two arguments, as one list; -0.0 as 0.0, since `grad` of a function may say either."""
    value, found = minigrad.value_and_grad(f, (0, 1))(*args)
    return value, [x + 0.0 for x in flat(found)]


def check(f, several, data):
    program = compile(f)
    for args in data:
        assert flat(program(*args)) == flat(f(*args))
        if not several:
            value, found = program.value_and_grad(*args, argnums=(0, 1))
            assert (value, flat(found)) == gradients(f, args)
    check_values(program, f, data[0])
    check_batch(program, f, several, data)
    loaded = decoded(encoded(program))
    for args in data:
        assert flat(loaded(*args)) == flat(f(*args))


def check_values(program, f, args):
    """backward() through the program is backward() through the nodes of the function."""
    sent = []
    for call in (program, f):
        leaves = {"x": Value(args[0]["x"]), "ys": [Value(y) for y in args[0]["ys"]]}
        first = flatten(call(leaves, *args[1:]), "test")[0][0]
        if isinstance(first, Value) and first.requires_grad:
            first.backward()
        sent.append([leaves["x"].grad, *(y.grad for y in leaves["ys"])])
    assert sent[0] == sent[1]


def check_batch(program, f, several, data):
    shared = data[0][1]
    each = [(a, shared, i) for a, _, i in data]
    xs = {"x": np.array([a["x"] for a, _, _ in data]), "ys": np.array([a["ys"] for a, _, _ in data])}
    which = np.array([i for _, _, i in data])
    many = program.batched(0, 2)
    result = many(xs, shared, which)
    columns = [result["a"], *result["b"].T] if several else [result]
    assert np.stack(columns, axis=1).tolist() == [flat(f(*args)) for args in each]
    if several:
        return
    by_sample, by_shared = many.value_and_grad(xs, shared, which, argnums=(0, 1))[1]
    wanted = np.array([gradients(f, args)[1] for args in each])
    found = np.column_stack([by_sample["x"], by_sample["ys"]])
    assert found.tolist() == wanted[:, :3].tolist()
    total, size = wanted[:, 3:].sum(axis=0), np.abs(wanted[:, 3:]).sum(axis=0)
    assert (np.abs(np.array(flat(by_shared)) - total) <= 1e-14 * size).all()


def test_a_program_is_its_function_in_every_form(request):
    for seed in range(request.config.getoption("graphs") // 50):
        random = Random(seed)
        f, several = drawn(random)
        data = [arguments(random) for _ in range(SAMPLES)]
        try:
            check(f, several, data)
        except AssertionError as error:
            raise AssertionError(f"function {seed}") from error


def test_a_planted_difference_is_seen(monkeypatch):
    """One number of one sample that is wrong in its last bit."""
    from minigrad.compiler.program import Program

    random = Random(3)
    f, several = drawn(random)
    data = [arguments(random) for _ in range(SAMPLES)]
    check(f, several, data)
    right = Program.__call__

    def wrong(self, *args):
        result = right(self, *args)
        return np.nextafter(result, 9.0) if args == data[4] else result

    monkeypatch.setattr(Program, "__call__", wrong)
    try:
        check(f, several, data)
    except AssertionError:
        return
    raise RuntimeError("a wrong bit was not seen")
