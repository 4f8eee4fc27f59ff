"""Gradients that are zeroed before they are used."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
x, y = torch.randn(16, 5), torch.randn(16, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


def make_loss():
    return F.mse_loss(model(x), y)


def step():
    loss = make_loss()
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss
