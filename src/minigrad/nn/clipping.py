"""Gradient clipping before a step, as in torch.nn.utils: all together by their norm, or each by its value."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isfinite, sqrt
from typing import Literal

from ..scalar import Value
from ..text.excerpts import describe
from ..text.numerals import show
from ..text.translation import say
from ..values import ieee
from ..values.validation import number

__all__ = ["clip_grad_norm_", "clip_grad_value_"]


def clip_grad_norm_(
    parameters: Iterable[Value] | Value,
    max_norm: float,
    norm_type: float | Literal["inf"] = 2.0,
    error_if_nonfinite: bool = False,
) -> float:
    """Scale all gradients down together so that their norm is at most `max_norm`; the norm before that.

    A norm that is NaN or infinite makes the gradients NaN or zero, as in PyTorch; `error_if_nonfinite`
    refuses it instead.
    """
    most = _bound("max_norm", max_norm)
    kind = number(inf if norm_type == "inf" else norm_type)
    if not kind > 0.0:
        raise ValueError(say("clip.norm_type", given=show(kind)))
    reached = _with_gradients(parameters)
    norm = _norm([parameter.grad for parameter in reached], kind)
    if error_if_nonfinite and not isfinite(norm):
        raise ValueError(say("clip.nonfinite", norm=show(norm)))
    factor = most / (norm + 1e-6)
    if factor < 1.0 or factor != factor:
        for parameter in reached:
            parameter.grad *= factor
    return norm


def clip_grad_value_(parameters: Iterable[Value] | Value, clip_value: float) -> None:
    """Cut each gradient off at `-clip_value` and `clip_value`; NaN stays NaN."""
    most = _bound("clip_value", clip_value)
    for parameter in _with_gradients(parameters):
        if parameter.grad > most:
            parameter.grad = most
        elif parameter.grad < -most:
            parameter.grad = -most


def _norm(gradients: list[float], kind: float) -> float:
    total = 0.0  # added one by one: sum() rounds differently from Python 3.12 on
    if kind == 2.0:
        for gradient in gradients:
            total += gradient * gradient
        return sqrt(total)
    if kind == inf:
        for gradient in gradients:
            size = abs(gradient)
            if size > total or size != size:
                total = size
        return total
    for gradient in gradients:
        total += ieee.pow(abs(gradient), kind)
    return ieee.pow(total, 1.0 / kind)


def _bound(name: str, given: float) -> float:
    bound = number(given)
    if not bound >= 0.0:
        raise ValueError(say("clip.bound", name=name, given=show(bound)))
    return bound


def _with_gradients(parameters: Iterable[Value] | Value) -> list[Value]:
    listed = [parameters] if isinstance(parameters, Value) else list(parameters)
    for parameter in listed:
        if not isinstance(parameter, Value):
            raise TypeError(say("clip.parameter", given=describe(parameter)))
    return [parameter for parameter in listed if parameter.grad is not None]
