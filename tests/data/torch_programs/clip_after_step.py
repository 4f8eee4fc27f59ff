"""Clipping after the optimizer has used the gradients."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
x, y = torch.randn(16, 5), 50 * torch.randn(16, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


def make_loss():
    return F.mse_loss(model(x), y)


def step():
    optimizer.zero_grad()
    loss = make_loss()
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    return loss
