"""A projection that is added after the optimizer was made."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.ModuleDict({"body": nn.Linear(6, 8)})
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
model["head"] = nn.Linear(8, 2)
x, y = torch.randn(9, 6), torch.randint(0, 2, (9,))


def make_loss():
    return F.cross_entropy(model["head"](torch.relu(model["body"](x))), y)
