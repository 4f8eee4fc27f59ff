"""Compression with rounded codes."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Codec(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(10, 4)
        self.decode = nn.Linear(4, 10)

    def forward(self, x):
        code = 4 * self.encode(x)
        code = torch.round(code)
        return self.decode(code / 4)


model = Codec()
x = torch.randn(16, 10)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def make_loss():
    return F.mse_loss(model(x), x)
