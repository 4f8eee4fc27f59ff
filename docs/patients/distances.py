"""Contrastive loss on all pairs of a batch, each sample with itself among them."""

import torch
from torch import nn

torch.manual_seed(0)

model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
x, y = torch.randn(12, 6), torch.randint(0, 3, (12,))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def make_loss():
    z = model(x)
    distance = ((z[:, None] - z[None, :]) ** 2).sum(-1).sqrt()
    same = (y[:, None] == y[None, :]).float()
    return (same * distance + (1 - same) * (1 - distance).relu()).mean()
