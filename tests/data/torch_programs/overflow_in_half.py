"""A squared norm in float16."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.Linear(64, 64).half()
x = (torch.randn(4, 64) * 40).half()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)


def make_loss():
    out = model(x)
    return out.pow(2).sum(1).mul(200).float().mean()
