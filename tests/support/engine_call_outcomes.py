"""Outcomes of random calls on both engines, compared: the same bits, or the same error.

    odd_call(17)     # the first of some calls that ends differently on the two engines, as a report; or None

A text may differ only where neither is ours: CPython words the errors of its own argument parsing after how a
function is made, so the sentences of our catalogue are what is compared.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from engine_calls import Call, Pool
from engine_pair import ENGINES, NATIVE, PLAIN, Engine, bits
from minigrad.values.messages import ROWS
from sentences import sentence

__all__ = ["ACCEPTED", "BATCH", "alike", "attempt", "batch", "odd_call", "ours"]

# Calls whose outcome may differ, and why.  Each is a pattern for the text of a call.
ACCEPTED: dict[str, str] = {}

BATCH = 250  # calls on one pair of pools


# ---- outcomes -------------------------------------------------------------------------------------


def shown(x: Any, engine: Engine) -> Any:
    """A result, to the last bit, in words that are the same for both engines."""
    if isinstance(x, engine.Value):
        return (
            type(x).__name__, x.data.hex(), bits_of(x.grad), bool(x.requires_grad), x._op,
            neutral(x.label, engine), tuple(map(bits, x._local_grads)),
            tuple(child.data.hex() for child in x._children),
        )  # fmt: skip
    if isinstance(x, float):
        return bits(x)
    if isinstance(x, np.ndarray):
        return ("array", x.shape, x.dtype.str, [shown(one, engine) for one in x.ravel().tolist()])
    if isinstance(x, (list, tuple)):
        return (type(x).__name__, [shown(one, engine) for one in x])
    if isinstance(x, (int, str, complex, Fraction, type(None), type(NotImplemented), np.generic)):
        return (
            type(x).__name__,
            neutral(repr(x), engine) if not isinstance(x, int) or abs(x) < 10**30 else "huge",
        )
    return type(x).__name__


def bits_of(x: Any) -> Any:
    return bits(x) if isinstance(x, (float, type(None), bool, Fraction)) else type(x).__name__


def neutral(text: str, engine: Engine) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x...", text).replace(f"{engine.package.__name__}.", "")


def attempt(call: Call, pool: Pool) -> tuple[Any, ...]:
    try:
        result = call.make(pool)
    except Exception as error:
        return ("raised", type(error).__name__, neutral(str(error), pool.engine))
    if type(result) in POOLED[pool.engine.name] and len(pool.values) < 60:
        pool.values.append(result)
    return ("gave", shown(result, pool.engine))


POOLED = {engine.name: {engine.Value, *engine.classes.values()} for engine in ENGINES}


@cache
def ours() -> re.Pattern[str]:
    """All sentences of the engine that can stand alone; other rooms have some that fit Python's own too."""
    return re.compile("|".join(sentence(key) for key in ROWS if not key.startswith(("given.", "op.count"))))


def alike(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    if one == other:
        return True
    both_raised = one[0] == other[0] == "raised" and one[1] == other[1]
    return both_raised and not ours().fullmatch(one[2]) and not ours().fullmatch(other[2])


def state(pool: Pool, call: Call) -> list[Any]:
    """The Values that a call was about, as they are after it."""
    return [shown(pool.values[what], pool.engine) for word, what in call.operands if word == "value"]


def batch(first: int) -> Iterator[tuple[Call, Pool, Pool]]:
    draw = random.Random(f"calls from {first}")
    native, plain = Pool(NATIVE, first), Pool(PLAIN, first)
    for _ in range(BATCH):
        yield Call(draw, len(plain.values)), native, plain


def whole(pool: Pool) -> list[Any]:
    return [shown(value, pool.engine) for value in pool.values]


def odd_call(first: int) -> str | None:
    """The first call of a batch that ends differently on the two engines, as a report."""
    for place, (call, native, plain) in enumerate(batch(first)):
        mine, theirs = attempt(call, native), attempt(call, plain)
        same = alike(mine, theirs) and state(native, call) == state(plain, call)
        if not same and not any(re.search(pattern, call.text) for pattern in ACCEPTED):
            return report(first, place, mine, theirs)
        if len(native.values) != len(plain.values):
            return report(first, place, mine, theirs)
    if whole(native) != whole(plain):
        return f"calls from {first}: the pools differ at the end, and no single call did"
    return None


def report(first: int, place: int, mine: tuple[Any, ...], theirs: tuple[Any, ...]) -> str:
    """The calls once more, up to the one in question, so that its operands are shown as it found them."""
    for at, (call, native, plain) in enumerate(batch(first)):
        if at == place:
            before = call.spelled(plain)
            attempt(call, native)
            attempt(call, plain)
            after = [(a, b) for a, b in zip(state(native, call), state(plain, call), strict=True) if a != b]
            changed = "".join(f"\n  after it, native {a}\n            plain  {b}" for a, b in after)
            return f"call {first} + {place}: {before}\n  native {mine}\n  plain  {theirs}{changed}"
        attempt(call, native)
        attempt(call, plain)
    raise AssertionError("there is no such call")
