"""Unit directions of displacements, one of which is zero."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2, bias=False))
x = torch.randn(9, 3)
x[4] = 0.0
with torch.no_grad():
    model[0].bias.zero_()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def make_loss():
    move = model(x)
    length = (move * move).sum(1).sqrt()
    return (length - 1).square().mean()
