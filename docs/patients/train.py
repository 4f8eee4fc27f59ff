"""Program that calls custom functions, for docs/en/guides/debug-custom-backward.md."""

import torch
from activations import Cube, Round, Softplus

weights = torch.linspace(-1.2, 1.3, 6).requires_grad_()
for _ in range(3):
    loss = Cube.apply(Softplus.apply(Round.apply(weights))).sum()
    loss.backward()
    with torch.no_grad():
        weights -= 0.01 * weights.grad
        weights.grad.zero_()
