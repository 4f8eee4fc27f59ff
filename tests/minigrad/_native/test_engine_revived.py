"""Nodes that change their class, come back from their own __del__, or change what is being walked: no crash.

Each program runs in a process of its own, because a mistake here ends the process.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

REVIVING = """
import gc
from minigrad import Value
kept = []
class Revived(Value):
    __slots__ = ()
    def __del__(self):
        kept.append(self)
"""

HOOK_AFTER_A_REVIVAL = """
v = Value(1.0)
v.__class__ = Revived
del v
back = kept.pop()
back.register_hook(lambda grad: 2 * grad)
(3.0 * back).backward()
assert back.grad == 6.0, back.grad
back.__class__ = Value
del back
gc.collect()
"""

OWN_CLASS_AFTER_A_REVIVAL = """
nodes = [Value(float(i)) for i in range(400_000)]
for v in nodes:
    v.__class__ = Revived
del v, nodes
assert len(kept) == 400_000
for v in kept:
    v.__class__ = Value
del v
kept.clear()
gc.collect()
"""

A_PLACE_THAT_IS_USED_AGAIN = """
for _ in range(3):
    v = Value(1.0)
    v.__class__ = Revived
    del v
    kept.pop().__class__ = Value  # freed now, and its place is the next one's
v = Value(2.0)
v.__class__ = Revived
del v
assert kept, "a new node in an old place was taken for one that is finalized already"
"""

LISTS_THAT_SHRINK = """
from minigrad import scalar
made = []
class Grad(float):
    def __del__(self):
        senders.clear()  # the last references to those nodes: their places are the next ones'
        made.extend(Value(1.0) for _ in range(100))
        for node in made:
            node.grad = 5.0
senders, leaves, seeded = [Value(2.0) * Value(3.0) for _ in range(50)], [], []
senders[0].grad = Grad(7.0)
scalar._walk(seeded, senders, leaves)
assert all(node.grad == 5.0 for node in made), "a node that was freed has been written to"
"""

PROGRAMS = {
    "hook": REVIVING + HOOK_AFTER_A_REVIVAL,
    "own class": REVIVING + OWN_CLASS_AFTER_A_REVIVAL,
    "place": REVIVING + A_PLACE_THAT_IS_USED_AGAIN,
    "lists": REVIVING + LISTS_THAT_SHRINK,
}


@pytest.mark.parametrize("pure", ["0", "1"], ids=["native", "plain"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_process_survives(program, pure):
    environment = {**os.environ, "MINIGRAD_PURE": pure}
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", PROGRAMS[program]],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
