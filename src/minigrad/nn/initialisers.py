"""Initialisers of weights: each fills an array of Values with numbers drawn from a seed, and returns it.

    normal_(layer.weight, std=0.08, seed=1)
    kaiming_uniform_(layer.weight, nonlinearity="relu", seed=generator)

PyTorch's names and formulas.  An array is a Value or lists of them; its numbers are drawn row by row.
`fan_in` is the length of a row, what an output adds up; `fan_out` is the number of rows.
"""

from __future__ import annotations

from math import sqrt
from typing import TypeVar

from ..text.excerpts import describe
from ..text.translation import say
from ..values.validation import number
from .module import Array, array_of
from .validation import Seed, generator, measure

__all__ = [
    "calculate_gain",
    "constant_",
    "kaiming_normal_",
    "kaiming_uniform_",
    "normal_",
    "ones_",
    "uniform_",
    "xavier_normal_",
    "xavier_uniform_",
    "zeros_",
]

_Given = TypeVar("_Given")

GAINS = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5.0 / 3.0, "relu": sqrt(2.0), "selu": 0.75}


def normal_(array: _Given, mean: float = 0.0, std: float = 1.0, seed: Seed = None) -> _Given:
    """From the bell curve around `mean`."""
    draw, spread, middle = generator(seed), measure("std", std), number(mean)
    for value in _array(array).values:
        value.data = draw.gauss(middle, spread)
    return array


def uniform_(array: _Given, a: float = 0.0, b: float = 1.0, seed: Seed = None) -> _Given:
    """Anything from `a` to `b` alike."""
    draw, low, high = generator(seed), number(a), number(b)
    if not low <= high:
        raise ValueError(say("module.bounds", a=low, b=high))
    for value in _array(array).values:
        value.data = draw.uniform(low, high)
    return array


def constant_(array: _Given, val: float) -> _Given:
    level = number(val)
    for value in _array(array).values:
        value.data = level
    return array


def zeros_(array: _Given) -> _Given:
    return constant_(array, 0.0)


def ones_(array: _Given) -> _Given:
    return constant_(array, 1.0)


def xavier_uniform_(array: _Given, gain: float = 1.0, seed: Seed = None) -> _Given:
    """Glorot's: the spread that keeps both what goes forward and what comes back about as large."""
    bound = measure("gain", gain) * sqrt(6.0 / sum(_fans(array)))
    return uniform_(array, -bound, bound, seed)


def xavier_normal_(array: _Given, gain: float = 1.0, seed: Seed = None) -> _Given:
    return normal_(array, 0.0, measure("gain", gain) * sqrt(2.0 / sum(_fans(array))), seed)


def kaiming_uniform_(
    array: _Given, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", seed: Seed = None
) -> _Given:
    """He's: the spread that makes up for what a relu takes away."""
    bound = sqrt(3.0) * _kaiming(array, a, mode, nonlinearity)
    return uniform_(array, -bound, bound, seed)


def kaiming_normal_(
    array: _Given, a: float = 0.0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", seed: Seed = None
) -> _Given:
    return normal_(array, 0.0, _kaiming(array, a, mode, nonlinearity), seed)


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """By how much to widen the spread before an activation; `param` is the slope of a leaky relu."""
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else number(param)
        return sqrt(2.0 / (1.0 + slope * slope))
    if nonlinearity not in GAINS:
        raise ValueError(
            say("module.gain", given=describe(nonlinearity), known=", ".join([*GAINS, "leaky_relu"]))
        )
    return GAINS[nonlinearity]


def _kaiming(array: object, a: float, mode: str, nonlinearity: str) -> float:
    fan_in, fan_out = _fans(array)
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(say("module.mode", given=describe(mode)))
    return calculate_gain(nonlinearity, a) / sqrt(fan_in if mode == "fan_in" else fan_out)


def _fans(given: object) -> tuple[int, int]:
    shape = _array(given).shape
    if len(shape) != 2:
        raise ValueError(say("module.fans", given=len(shape)))
    return shape[1], shape[0]


def _array(given: object) -> Array:
    array = array_of(given)
    if array is None:
        raise TypeError(say("module.array", given=describe(given)))
    return array
