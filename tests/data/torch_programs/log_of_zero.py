"""Entropy of probabilities that underflow."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.Linear(4, 3)
x = torch.randn(8, 4) * 300
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def make_loss():
    p = model(x).softmax(1)
    entropy = -(p * torch.log(p)).sum(1)
    return entropy.mean()
