"""Large tensors of a call, cut to a few rows along each long axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["crop"]

MANY = 1 << 12  # numbers in all; a smaller call is left as it is
LONG = 8  # an axis that is longer is cut
SHORT = (6, 7, 5, 8, 4, 3)  # lengths that axes are cut to: equal ones alike, different ones not


def crop(inputs: Sequence[object]) -> list[object] | None:
    """The inputs with their long axes cut, those of one length alike; None where nothing is large."""
    import torch

    tensors = [x for x in inputs if isinstance(x, torch.Tensor)]
    plain = all(x.layout == torch.strided for x in tensors)
    if not plain or sum(x.numel() for x in tensors) <= MANY:
        return None
    long = sorted({n for x in tensors for n in x.shape if n > LONG}, reverse=True)
    if not long or len(long) > len(SHORT):
        return None
    lengths = dict(zip(long, SHORT, strict=False))
    classes = max((_kept(x, lengths)[1] for x in tensors if x.is_floating_point() and x.dim() > 1), default=2)
    return [_cut(x, lengths, classes) if isinstance(x, torch.Tensor) else x for x in inputs]


def _kept(x: Tensor, lengths: dict[int, int]) -> list[int]:
    return [lengths.get(n, n) for n in x.shape]


def _cut(x: Tensor, lengths: dict[int, int], classes: int) -> Tensor:
    """Its first rows; whole numbers, which may count classes or places, stay below the number of these."""
    made = x.detach()[tuple(slice(n) for n in _kept(x, lengths))].clone()
    if not made.is_floating_point() and not made.is_complex() and made.numel() and int(made.max()) >= classes:
        made = made.remainder(max(1, classes))
    return made.requires_grad_(x.requires_grad)
