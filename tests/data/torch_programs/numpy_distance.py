"""A penalty that is computed with NumPy."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


import numpy as np

model = nn.Linear(5, 3)
x = torch.randn(10, 5)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def make_loss():
    out = model(x)
    spread = np.abs(np.diff(out.detach().numpy(), axis=0)).mean()
    return out.square().mean() + torch.from_numpy(np.asarray(spread))
