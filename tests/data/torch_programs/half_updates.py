"""Weights in bfloat16 with a small learning rate."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 2)).bfloat16()
x, y = torch.randn(16, 6).bfloat16(), torch.randint(0, 2, (16,))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-5)


def make_loss():
    return F.cross_entropy(model(x).float(), y)


def step():
    optimizer.zero_grad()
    loss = make_loss()
    loss.backward()
    optimizer.step()
    return loss
