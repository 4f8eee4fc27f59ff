"""Fine-tuning: the head is replaced after the optimizer was made."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model[2] = nn.Linear(16, 3)
x, y = torch.randn(20, 8), torch.randint(0, 3, (20,))


def make_loss():
    return F.cross_entropy(model(x), y)


def step():
    optimizer.zero_grad()
    loss = make_loss()
    loss.backward()
    optimizer.step()
    return loss
