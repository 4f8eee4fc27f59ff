"""A long training run with everything in it needs no more memory than a short one.

`pytest --graphs=100000` makes that run a million steps long.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

# ---- a long run -----------------------------------------------------------------------------------

TRAINING = """
import copy, gc, json, pickle, sys, weakref
from minigrad import ENGINE, Value, backward, no_grad, functions as F
assert ENGINE == "native"
steps, leak = int(sys.argv[1]), sys.argv[2] == "leak"

class Free(Value):
    pass

class Slotted(Value):
    __slots__ = ("note",)

class Stop(Exception):
    pass

def stop(grad):
    raise Stop

kept = []

def step(n, w):
    x, target = float(n % 7) - 3.0, float(n % 5)
    hidden = [(w[i] * x + w[i + 1]).tanh() for i in range(0, 8, 2)]
    y = F.dot(hidden, w[8:12]) + w[12]
    size = F.mean([v * v for v in w[:3]]) * 0.01
    loss = F.sum([(y - target) ** 2, size, F.where(x > 0, y.exp() * 0.0, 0.0)])
    loss.label = "loss"
    kind = n % 12
    if kind == 0:  # hooks, registered and dropped
        handles = [v.register_hook(lambda grad: grad * 1.0) for v in hidden]
        handles.append(loss.register_hook(lambda grad: (loss, None)[1]))  # it refers to its own node
        handles[0].remove()
    elif kind == 1:  # a rule that refers to its own node
        out = Value(y.data, (y,), "custom")
        def rule():
            y.grad += out.grad
        out._backward = rule
        loss = loss + out * 0.0
    elif kind == 2:  # an error in the middle of a pass
        hidden[0].register_hook(stop)
        try:
            loss.backward()
        except Stop:
            pass
        else:
            raise AssertionError
        return
    elif kind == 3:  # copies, shallow and deep
        loss = copy.copy(loss) + copy.copy(y) * 0.0
        copy.deepcopy(loss).backward()
    elif kind == 4:
        pickle.loads(pickle.dumps((loss, y))).__getitem__(0).backward()
    elif kind == 5:  # a cycle through an attribute
        free = Free(0.5)
        free.square = free * free
        free.me = free
        slotted = Slotted(0.25)
        slotted.note = [slotted + free]
        loss = loss + (free + slotted) * 0.0
    elif kind == 6:  # a gradient that is none, and one that holds what was computed from it
        y.grad = None
        loss.grad = [loss]
        hidden[0].grad = [loss, y]  # known only after both were made
    elif kind == 7:  # a leaf's hook that knows the loss
        leaf = Value(1.0)
        late = leaf * 2.0
        leaf.register_hook(lambda grad: (late, None)[1])
        loss = loss + leaf * 0.0
    elif kind == 8:  # errors of every sort
        for attempt in (lambda: y + "text", lambda: y.exp(1), lambda: F.max([]), lambda: Value(None),
                        lambda: y + 10**400, lambda: Value(1.0, (y, 2.0)), lambda: F.dot([y], [y, y]),
                        lambda: backward([y, loss], [1.0]), lambda: F.clamp(y, 0.0, "x"),
                        lambda: y.backward("x"), lambda: F.max([y, 1, None]),
                        lambda: setattr(y, "data", "x"), lambda: pow(y, 2, 3)):
            try:
                attempt()
            except (TypeError, ValueError, OverflowError):
                pass
            else:
                raise AssertionError
    elif kind == 9:  # constants, weak references and many operands
        with no_grad():
            F.logsumexp([y * float(i) for i in range(70)])
        seen = [weakref.ref(v, lambda _: None) for v in hidden]
        loss = loss + F.prod([v.sigmoid() for v in hidden] * 20) * 0.0
    elif kind == 10:  # a rule that is put on an op, after something was computed from it
        later = y * 2.0
        y._backward = lambda: (later, y._propagate())[1]
        loss = loss + later * 0.0
    loss.backward()
    with no_grad():
        for v in w:
            v.data -= 0.001 * v.grad
            v.grad = 0.0 if n % 2 else None
    if leak:
        kept.append(loss)

def kilobytes():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))

def run(first, count):
    for n in range(first, first + count):
        step(n, w)
    gc.collect()
    return kilobytes()

w = [Value(0.1 * (i % 5) - 0.2, label=f"w{i}") for i in range(13)]
warm = run(0, 30000)  # until collections of everything have come as seldom as they will
objects = len(gc.get_objects())
after = run(30000, steps)
print(json.dumps({"megabytes": (after - warm) / 1024, "objects": len(gc.get_objects()) - objects}))
"""


def train(steps: int, kind: str) -> dict[str, float]:
    environment = {name: x for name, x in os.environ.items() if name != "MINIGRAD_PURE"}
    done = subprocess.run(
        [sys.executable, "-c", TRAINING, str(steps), kind],
        env=environment,
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_a_long_training_run_needs_no_more_memory_than_a_short_one(request):
    grown = train(1_000_000 if request.config.getoption("graphs") >= 100_000 else 30_000, "train")
    assert grown["megabytes"] < 1.0
    assert abs(grown["objects"]) < 200


def test_that_measurement_finds_a_leak():
    grown = train(3000, "leak")
    assert grown["megabytes"] > 1.0
