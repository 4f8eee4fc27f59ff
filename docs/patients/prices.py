"""A regression: the loss goes down for a while, and the predictions stay poor."""

import torch
from torch import nn

torch.manual_seed(0)

model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
houses = torch.randn(32, 5)
prices = houses.sum(1) + 0.1 * torch.randn(32)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)


def make_loss():
    return nn.functional.mse_loss(model(houses), prices)


def step():
    loss = make_loss()
    loss.backward()
    optimizer.step()
    return loss
