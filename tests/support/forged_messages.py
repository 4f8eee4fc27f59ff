"""Forged JSON messages: real ones with something changed, anywhere and in any way."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random

from document_changes import places

__all__ = ["forgeries", "junk_everywhere"]

# What a stranger may put in the place of anything; JSON knows no other types.
JUNK = (
    None, True, False, 0, -1, 3, 10**12, 10**400, -(10**400), 0.5, -0.0, 1e308, float("nan"), float("inf"),
    float("-inf"), "", "add", "x" * 1_000_000, "\x00\ud800", "<root>", [], [[]], [1, 2, 3], ["add", "vv"],
    [["x", 5], ["s", 0]], {}, {"a": 1.0}, {"how": "class"}, {"": {"": {}}}, "load", "ended.exit", "__class__",
)  # fmt: skip
KEYS = ("plan", "probe", "failed", "trouble", "grads", "end", "verdict", "findings", "nobody knows this")


def junk_everywhere(message: dict[str, object]) -> Iterator[dict[str, object]]:
    """A message with each kind of junk in each of its places, one at a time."""
    for *way, last in [path for path in places(message) if path]:
        for junk in JUNK:
            forged = deepcopy(message)
            holder: object = forged
            for step in way:
                holder = holder[step]
            holder[last] = deepcopy(junk)
            yield forged


def _nested(depth: int) -> object:
    value: object = 1
    for at in range(depth):
        value = [value] if at % 2 else {"a": value}
    return value


def _junk(rng: Random) -> object:
    return deepcopy(rng.choice(JUNK))


def _changed(rng: Random, message: dict[str, object]) -> dict[str, object]:
    forged = deepcopy(message)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        spots = [path for path in places(forged) if path]
        if not spots:
            break
        *way, last = rng.choice(spots)
        holder: object = forged
        for step in way:
            holder = holder[step]
        match rng.randrange(6):
            case 0:
                del holder[last]
            case 1 if isinstance(holder, dict):
                holder[rng.choice(KEYS)] = _junk(rng)
            case 2 if isinstance(holder, list):
                holder += [holder[last]] * rng.choice((1, 40))
            case 3:
                holder[last] = _nested(rng.choice((2, 30, 200)))
            case _:
                holder[last] = _junk(rng)
    return forged


def forgeries(real: list[dict[str, object]], count: int, seed: int) -> Iterator[dict[str, object]]:
    """Messages with something taken away, added or replaced by junk, in one place or several."""
    rng = Random(seed)
    for _ in range(count):
        yield _changed(rng, rng.choice(real))
