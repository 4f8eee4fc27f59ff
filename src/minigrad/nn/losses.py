"""Losses: how wrong an answer is, as one Value to train on, in the forms that neither overflow nor cancel.

    mse_loss(outputs, targets)              hinge_loss(scores, labels)         # labels are +1 and -1
    cross_entropy(logits, token)            cross_entropy(batch, tokens)
    binary_cross_entropy(shares, targets)   binary_cross_entropy_with_logits(logits, targets)

PyTorch's names.  `reduction` is "mean", "sum" or "none", which gives the losses one by one, in the lists in
which the answers came.  Answers and targets have the same shape; nothing is stretched or cut to fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

from .. import functions
from ..scalar import Value
from ..text.excerpts import describe
from ..text.translation import say
from ..values.validation import number as as_number
from .module import NUMBERS, Array, array_of
from .validation import index, vectors

if TYPE_CHECKING:
    from ..scalar import Operand

__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cross_entropy",
    "hinge_loss",
    "mse_loss",
]

REDUCTIONS = ("mean", "sum", "none")
# As in PyTorch: a logarithm is never below -100, and its slope never above 1e12, so that a share of exactly
# 0 or 1 that is wrong costs much, and not infinitely much.
LOWEST, STEEPEST = -100.0, 1e12


def mse_loss(input: object, target: object, reduction: str = "mean") -> Any:
    """The squares of the differences; a target may be a Value too."""
    answers, wanted = _pair("mse_loss", input, target)
    return _reduced(answers, [(x - y) ** 2 for x, y in _pairs(answers, wanted)], reduction)


def hinge_loss(input: object, target: object, reduction: str = "mean") -> Any:
    """relu(1 - y * score): a score on the right side of its label, by 1 or more, costs nothing."""
    answers, wanted = _pair("hinge_loss", input, target)
    labels = [_label(y) for y in wanted.values]
    losses = [(1.0 - y * x).relu() for x, y in zip(_values(answers), labels, strict=True)]
    return _reduced(answers, losses, reduction)


def binary_cross_entropy_with_logits(input: object, target: object, reduction: str = "mean") -> Any:
    """-t*log(s) - (1-t)*log(1-s) of s = sigmoid(logit), by way of softplus, which is stable at any logit."""
    answers, wanted = _pair("binary_cross_entropy_with_logits", input, target)

    def loss(x: Value, t: float) -> Value:
        return _mixed(t, lambda: (-x).softplus(), x.softplus)

    losses = [loss(x, _share(t)) for x, t in zip(_values(answers), wanted.values, strict=True)]
    return _reduced(answers, losses, reduction)


def binary_cross_entropy(input: object, target: object, reduction: str = "mean") -> Any:
    """-t*log(s) - (1-t)*log(1-s) of a share s from 0 to 1.  With logits, the form above is the better one."""
    answers, wanted = _pair("binary_cross_entropy", input, target)
    for x in _values(answers):
        if not 0.0 <= x.data <= 1.0:
            raise ValueError(say("module.probability", given=x.data))

    def loss(s: Value, t: float) -> Value:
        # 1 - s is exact in floats where it is small, which is where its slope matters
        return _mixed(t, lambda: -_logarithm(s, s.log), lambda: -_logarithm(1.0 - s, (-s).log1p))

    losses = [loss(s, _share(t)) for s, t in zip(_values(answers), wanted.values, strict=True)]
    return _reduced(answers, losses, reduction)


def cross_entropy(input: object, target: object, reduction: str = "mean") -> Any:
    """logsumexp(logits) - logits[target], for one list of logits and one target or for a batch of them."""
    _known(reduction)
    if not vectors(input):
        return functions.cross_entropy(cast("Iterable[Operand]", input), cast("int", target))
    if isinstance(target, (str, bytes)) or not isinstance(target, Iterable):
        raise TypeError(say("module.targets", count=len(input), given=describe(target)))
    targets = list(target)
    if len(targets) != len(input):
        raise ValueError(say("module.shapes", loss="cross_entropy", answers=len(input), targets=len(targets)))
    for row in input:
        if not hasattr(row, "__len__"):
            raise TypeError(say("module.row", given=describe(row)))
    widths = {len(row) for row in input}
    if len(widths) > 1:
        raise ValueError(say("module.classes", counts=", ".join(map(str, sorted(widths)))))
    count = widths.pop()
    losses = [
        functions.cross_entropy(row, index("target", t, count)) for row, t in zip(input, targets, strict=True)
    ]
    return _reduced(Array((len(losses),), losses), losses, reduction)


# ---- the parts ----------------------------------------------------------------------------------


def _mixed(t: float, one: Callable[[], Value], other: Callable[[], Value]) -> Value:
    """t * one + (1 - t) * other; what is times 0 is not computed, it may be infinite."""
    if t == 1.0:
        return one()
    return other() if t == 0.0 else t * one() + (1.0 - t) * other()


def _logarithm(s: Value, log: Callable[[], Value]) -> Value:
    """log(s), computed by `log`; close to 0, the line with the value and slope that PyTorch has there."""
    if s.data >= 1.0 / STEEPEST:
        return log()
    here = s.data
    level = max(functions.log(here).data, LOWEST) if here > 0.0 else LOWEST
    return (s - here) * STEEPEST + level


def _label(y: object) -> float:
    found = _constant(y)
    if not 1.0 <= abs(found) <= 1.0:  # 1 or -1, asked so that a label of a compiled function can answer
        raise ValueError(say("module.label", given=describe(y)))
    return found


def _share(t: object) -> float:
    found = _constant(t)
    if not 0.0 <= found <= 1.0:
        raise ValueError(say("module.target_share", given=describe(t)))
    return found


def _constant(x: object) -> float:
    return x.data if isinstance(x, Value) else as_number(x)


def _pair(loss: str, answers: object, targets: object) -> tuple[Array, Array]:
    found = []
    for given in (answers, targets):
        given = given.tolist() if hasattr(given, "tolist") else given
        array = array_of(given, NUMBERS)
        if array is None:
            raise TypeError(say("module.answers", loss=loss, given=describe(given)))
        found.append(array)
    if found[0].shape != found[1].shape:
        one, other = (" x ".join(map(str, array.shape)) or "1" for array in found)
        raise ValueError(say("module.shapes", loss=loss, answers=one, targets=other))
    return found[0], found[1]


def _values(array: Array) -> list[Value]:
    return [x if isinstance(x, Value) else Value(x, requires_grad=False) for x in array.values]


def _pairs(answers: Array, targets: Array) -> Iterable[tuple[Value, Operand]]:
    return zip(_values(answers), targets.values, strict=True)


def _reduced(shape: Array, losses: list[Value], reduction: str) -> Any:
    _known(reduction)
    if reduction == "none":
        return shape.nested(losses)
    if len(losses) == 1:
        return losses[0]
    return functions.mean(losses) if reduction == "mean" else functions.sum(losses)


def _known(reduction: str) -> None:
    if reduction not in REDUCTIONS:
        raise ValueError(say("module.reduction", given=describe(reduction), known=", ".join(REDUCTIONS)))
