"""Angle between a vector and itself."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.Linear(4, 3)
x = torch.randn(6, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def make_loss():
    u = F.normalize(model(x), dim=1)
    cosines = (u @ u.t()).clamp(-1.0, 1.0)
    return torch.acos(cosines).mean()
