"""The small GPT of programs.py in matrices, its gradients derived by hand: what NumPy alone can do.

Nothing here differentiates.  Each step of the forward pass has its slope beside it, worked out on paper,
and `Gpt.backward` calls them in reverse.  All weights are views of one array, in the order in which the
program makes them, and so are their gradients, so that Adam is a few operations on the whole.

A mistake on such paper is easily made and hardly seen, which is why measure.py compares these gradients
with minigrad's, to 1e-9 relative, before it times them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from engines import Run
from programs import BLOCK, BOUNDARY, HEAD, HEADS, NAME, VOCABULARY, WIDTH, Adam, Program

__all__ = ["SHAPES", "Gpt", "OnMatrices", "tokens_of"]

EPSILON = 1e-5  # under the root of RMSNorm
Matrix = Any  # np.ndarray of float64


# one row per output, in the order in which the program makes them
SHAPES = {
    "tokens": (VOCABULARY, WIDTH),
    "positions": (BLOCK, WIDTH),
    "query": (WIDTH, WIDTH),
    "key": (WIDTH, WIDTH),
    "value": (WIDTH, WIDTH),
    "attended": (WIDTH, WIDTH),
    "up": (4 * WIDTH, WIDTH),
    "down": (WIDTH, 4 * WIDTH),
    "logits": (VOCABULARY, WIDTH),
}


def tokens_of(size: int) -> list[int]:
    """The first `size` letters of the program's name, between two boundaries."""
    return [BOUNDARY, *(ord(letter) - ord("a") for letter in NAME[:size]), BOUNDARY]


# ---- steps, and their slopes --------------------------------------------------------------------


def normalised(x: Matrix) -> tuple[Matrix, Matrix]:
    """y = s x with s = (mean(x²) + ε)^-1/2, row by row; and s."""
    s = ((x * x).mean(axis=-1, keepdims=True) + EPSILON) ** -0.5
    return x * s, s


def normalised_slope(dy: Matrix, y: Matrix, s: Matrix) -> Matrix:
    """ds/dx = -s³ x / n, so dx = s dy - s³ x (x·dy) / n = s (dy - y (y·dy) / n)."""
    return s * (dy - y * (y * dy).mean(axis=-1, keepdims=True))


def softmax(x: Matrix) -> Matrix:
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def softmax_slope(dp: Matrix, p: Matrix) -> Matrix:
    """dp_i/dx_j = p_i ([i=j] - p_j), so dx = p (dp - p·dp)."""
    return p * (dp - (p * dp).sum(axis=-1, keepdims=True))


def in_heads(x: Matrix) -> Matrix:
    """(positions, width) as (heads, positions, width of a head)."""
    return x.reshape(len(x), HEADS, HEAD).transpose(1, 0, 2)


def side_by_side(x: Matrix) -> Matrix:
    """(heads, positions, width of a head) as (positions, width)."""
    return x.transpose(1, 0, 2).reshape(x.shape[1], WIDTH)


# ---- the model ----------------------------------------------------------------------------------


class Gpt:
    """Weights and gradients of one model, and its step on one list of tokens."""

    def __init__(self, numbers: list[float]) -> None:
        self.numbers = np.array(numbers)
        self.gradient = np.zeros_like(self.numbers)
        self.w, self.d = {}, {}
        start = 0
        for name, (rows, columns) in SHAPES.items():
            stop = start + rows * columns
            self.w[name] = self.numbers[start:stop].reshape(rows, columns)
            self.d[name] = self.gradient[start:stop].reshape(rows, columns)
            start = stop

    def forward(self, tokens: list[int]) -> float:
        """The mean cross entropy of each token after the first; keeps what the way back needs."""
        w = self.w
        self.given, self.wanted = np.array(tokens[:-1]), np.array(tokens[1:])
        count = len(self.given)
        self.before, self.s_before = normalised(w["tokens"][self.given] + w["positions"][:count])
        self.x, self.s_x = normalised(self.before)
        self.query, self.key, self.value = (
            in_heads(self.x @ w[name].T) for name in ("query", "key", "value")
        )
        scores = self.query @ self.key.transpose(0, 2, 1) / HEAD**0.5
        scores[:, np.triu(np.ones((count, count), dtype=bool), 1)] = -np.inf  # nobody looks ahead
        self.shares = softmax(scores)
        self.attended = side_by_side(self.shares @ self.value)
        middle = self.attended @ w["attended"].T + self.before
        self.y, self.s_y = normalised(middle)
        self.bent = np.maximum(self.y @ w["up"].T, 0.0)
        self.last = self.bent @ w["down"].T + middle
        self.guesses = softmax(self.last @ w["logits"].T)
        return float(-np.log(self.guesses[np.arange(count), self.wanted]).mean())

    def backward(self) -> None:
        """The same steps in reverse; dx is the slope of the loss by x, for every x above."""
        w, d = self.w, self.d
        count = len(self.given)
        rows = np.arange(count)
        dlogits = self.guesses.copy()  # the log of a softmax: p - [wanted]
        dlogits[rows, self.wanted] -= 1.0
        dlogits /= count
        d["logits"][:] = dlogits.T @ self.last
        dlast = dlogits @ w["logits"]
        d["down"][:] = dlast.T @ self.bent
        dup = (dlast @ w["down"]) * (self.bent > 0.0)
        d["up"][:] = dup.T @ self.y
        dmiddle = dlast + normalised_slope(dup @ w["up"], self.y, self.s_y)
        d["attended"][:] = dmiddle.T @ self.attended
        dattended = in_heads(dmiddle @ w["attended"])
        dvalue = self.shares.transpose(0, 2, 1) @ dattended
        dscores = softmax_slope(dattended @ self.value.transpose(0, 2, 1), self.shares) / HEAD**0.5
        dquery = dscores @ self.key
        dkey = dscores.transpose(0, 2, 1) @ self.query
        dx = np.zeros_like(self.x)
        for name, dy in (("query", dquery), ("key", dkey), ("value", dvalue)):
            flat = side_by_side(dy)
            d[name][:] = flat.T @ self.x
            dx += flat @ w[name]
        dbefore = dmiddle + normalised_slope(dx, self.x, self.s_x)
        dsum = normalised_slope(dbefore, self.before, self.s_before)
        d["tokens"][:] = 0.0
        np.add.at(d["tokens"], self.given, dsum)  # a letter that comes twice gets both
        d["positions"][:count] = dsum
        d["positions"][count:] = 0.0


class OnMatrices(Run):
    """The program `gpt` on NumPy."""

    def __init__(self, program: Program, size: int) -> None:
        numbers: list[float] = []
        program.build(numbers.append, size)
        self.model = Gpt(numbers)
        self.tokens = tokens_of(size)
        self.m, self.v = np.zeros_like(self.model.numbers), np.zeros_like(self.model.numbers)
        self.steps = 0

    def forward(self) -> None:
        self.model.forward(self.tokens)

    def backward(self) -> None:
        self.model.backward()

    def update(self) -> None:
        """Adam, as in programs.py, on all the weights at once."""
        self.steps += 1
        grad = self.model.gradient
        self.m = Adam.first * self.m + (1.0 - Adam.first) * grad
        self.v = Adam.second * self.v + (1.0 - Adam.second) * grad * grad
        rate = Adam.rate / (1.0 - Adam.first**self.steps)
        correction = 1.0 / (1.0 - Adam.second**self.steps)
        self.model.numbers -= rate * self.m / (np.sqrt(self.v * correction) + Adam.epsilon)

    def gradients(self) -> list[float]:
        return self.model.gradient.tolist()
