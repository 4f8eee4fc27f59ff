"""Standardised advantages of a batch of equal returns."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.Linear(3, 1)
x = torch.randn(1, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def make_loss():
    out = model(x)
    scaled = (out - out.mean()) / (out.std() + 1e-8)
    return scaled.square().mean() + out.square().mean()
