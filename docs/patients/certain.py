"""A binary classifier with its cross-entropy written by hand."""

import torch
from torch import nn

torch.manual_seed(0)

x = torch.randn(64, 2)
y = (x[:, :1] + x[:, 1:] > 0).float()
model = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.3)


def make_loss():
    p = torch.sigmoid(model(x))
    return -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()


def step():
    optimizer.zero_grad()
    loss = make_loss()
    loss.backward()
    optimizer.step()
    return loss
