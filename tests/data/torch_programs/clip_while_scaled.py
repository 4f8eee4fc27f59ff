"""Clipping of gradients that are still scaled."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
x, y = torch.randn(16, 5), torch.randn(16, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cpu")


def make_loss():
    return F.mse_loss(model(x), y)


def step():
    optimizer.zero_grad()
    loss = make_loss()
    scaler.scale(loss).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    return loss
