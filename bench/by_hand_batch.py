"""The small GPT in NumPy, written for speed: many names at once, or one.

The same paper as by_hand.py, with what an experienced user of NumPy would do about time: query, key and value
are one matrix (they lie side by side among the weights), all names are one tall matrix wherever positions do
not meet, each array is made once and written into after that, divisions become products, and Adam runs in
place.  Names of one length share a batch; the loss is the mean over them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from by_hand import EPSILON, SHAPES
from programs import HEAD, HEADS, WIDTH, Adam

__all__ = ["BatchGpt"]

Array = Any  # np.ndarray of float64


class BatchGpt:
    """Weights, gradients and Adam's two means, for batches of `names` lists of `count` + 1 tokens."""

    def __init__(self, numbers: Array, names: int, count: int) -> None:
        self.numbers = np.array(numbers)
        self.gradient = np.zeros_like(self.numbers)
        self.m, self.v = np.zeros_like(self.numbers), np.zeros_like(self.numbers)
        self.spare, self.other = np.empty_like(self.numbers), np.empty_like(self.numbers)
        self.steps = 0
        self.names, self.count = names, count
        self.w, self.d = _matrices(self.numbers), _matrices(self.gradient)
        rows, shape = names * count, (names, HEADS, count, count)
        self.heads = [np.empty((names, HEADS, count, HEAD)) for _ in range(2)]
        self.found, self.middle, self.last = (np.empty((rows, WIDTH)) for _ in range(3))
        self.qkv, self.dqkv = np.empty((rows, 3 * WIDTH)), np.empty((rows, 3 * WIDTH))
        self.shares, self.dscores = np.empty(shape), np.empty(shape)
        self.bent, self.dup = np.empty((rows, 4 * WIDTH)), np.empty((rows, 4 * WIDTH))
        self.guesses = np.empty((rows, len(self.w["logits"])))
        self.ahead = np.where(np.tri(count, dtype=bool), 0.0, -np.inf)  # nobody looks ahead
        self.rows = np.arange(rows)

    def loss_and_gradient(self, tokens: Array) -> float:
        """The mean loss of `tokens`, (names, count + 1); its gradient goes to `self.gradient`."""
        w, d, names, count = self.w, self.d, self.names, self.count
        given, wanted = tokens[:, :-1].ravel(), tokens[:, 1:].ravel()
        summed = w["tokens"][given]
        summed.reshape(names, count, WIDTH)[:] += w["positions"][:count]
        before, s_before = _normalised(summed)
        x, s_x = _normalised(before)

        query, key, value = self._in_heads(np.matmul(x, w["qkv"].T, out=self.qkv))
        shares = np.matmul(query, key.swapaxes(2, 3), out=self.shares)
        shares *= HEAD**-0.5
        shares += self.ahead
        _softmax(shares)
        np.matmul(shares, value, out=self.heads[0])
        found = self.found
        found.reshape(names, count, HEADS, HEAD)[:] = self.heads[0].swapaxes(1, 2)
        middle = np.matmul(found, w["attended"].T, out=self.middle)
        middle += before
        y, s_y = _normalised(middle)
        bent = np.matmul(y, w["up"].T, out=self.bent)
        np.maximum(bent, 0.0, out=bent)
        last = np.matmul(bent, w["down"].T, out=self.last)
        last += middle
        guesses = np.matmul(last, w["logits"].T, out=self.guesses)
        _softmax(guesses)
        loss = -np.log(guesses[self.rows, wanted]).mean()

        guesses[self.rows, wanted] -= 1.0  # they are the slopes of the logits from here on
        guesses *= 1.0 / len(self.rows)
        np.matmul(guesses.T, last, out=d["logits"])
        dmiddle = guesses @ w["logits"]
        np.matmul(dmiddle.T, bent, out=d["down"])
        dup = np.matmul(dmiddle, w["down"], out=self.dup)
        dup *= bent > 0.0
        np.matmul(dup.T, y, out=d["up"])
        dmiddle += _normalised_slope(dup @ w["up"], y, s_y)
        np.matmul(dmiddle.T, found, out=d["attended"])
        dfound = (dmiddle @ w["attended"]).reshape(names, count, HEADS, HEAD).swapaxes(1, 2)
        to_query, to_key, to_value = self._in_heads(self.dqkv)
        to_value[:] = np.matmul(shares.swapaxes(2, 3), dfound, out=self.heads[0])
        dscores = np.matmul(dfound, value.swapaxes(2, 3), out=self.dscores)
        dscores -= np.einsum("bhij,bhij->bhi", dscores, shares)[..., None]
        dscores *= shares
        dscores *= HEAD**-0.5
        to_query[:] = np.matmul(dscores, key, out=self.heads[0])
        to_key[:] = np.matmul(dscores.swapaxes(2, 3), query, out=self.heads[1])
        np.matmul(self.dqkv.T, x, out=d["qkv"])
        dmiddle += _normalised_slope(self.dqkv @ w["qkv"], x, s_x)
        dsum = _normalised_slope(dmiddle, before, s_before)
        chosen = np.zeros((len(w["tokens"]), len(self.rows)))
        chosen[given, self.rows] = 1.0
        np.matmul(chosen, dsum, out=d["tokens"])  # a letter that comes twice gets both; add.at takes longer
        np.sum(dsum.reshape(names, count, WIDTH), axis=0, out=d["positions"][:count])
        return float(loss)

    def _in_heads(self, x: Array) -> Array:
        """(names * count, 3 * width) as three views of (names, heads, count, width of a head)."""
        return x.reshape(self.names, self.count, 3, HEADS, HEAD).transpose(2, 0, 3, 1, 4)

    def adam(self) -> None:
        """As in programs.py, in place."""
        self.steps += 1
        m, v, spare, other = self.m, self.v, self.spare, self.other
        np.multiply(self.gradient, 1.0 - Adam.first, out=spare)
        m *= Adam.first
        m += spare
        np.multiply(self.gradient, self.gradient, out=spare)
        spare *= 1.0 - Adam.second
        v *= Adam.second
        v += spare
        np.multiply(v, 1.0 / (1.0 - Adam.second**self.steps), out=spare)
        np.sqrt(spare, out=spare)
        spare += Adam.epsilon
        np.multiply(m, Adam.rate / (1.0 - Adam.first**self.steps), out=other)
        other /= spare
        self.numbers -= other


def _matrices(numbers: Array) -> dict[str, Array]:
    """Views by name, and `qkv`: the three that lie side by side, as one."""
    found, start = {}, 0
    for name, (rows, columns) in SHAPES.items():
        found[name] = numbers[start : start + rows * columns].reshape(rows, columns)
        if name == "query":
            found["qkv"] = numbers[start : start + 3 * rows * columns].reshape(3 * rows, columns)
        start += rows * columns
    return found


def _normalised(x: Array) -> tuple[Array, Array]:
    s = np.einsum("ij,ij->i", x, x)
    s *= 1.0 / WIDTH
    s += EPSILON
    np.sqrt(s, out=s)
    s = (1.0 / s)[:, None]
    return x * s, s


def _normalised_slope(dy: Array, y: Array, s: Array) -> Array:
    """s (dy - y mean(y dy))"""
    along = np.einsum("ij,ij->i", y, dy)
    along *= 1.0 / WIDTH
    dy -= y * along[:, None]  # dy is not needed any more
    dy *= s
    return dy


def _softmax(x: Array) -> None:
    """In place, along the last axis."""
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x *= 1.0 / x.sum(axis=-1, keepdims=True)
