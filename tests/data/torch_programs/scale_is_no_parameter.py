"""A learned scale that is a plain tensor."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 2)
        self.scale = torch.ones(2, requires_grad=True)

    def forward(self, x):
        return self.scale * self.linear(x)


model = Scaled()
x, y = torch.randn(9, 4), torch.randn(9, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def make_loss():
    return F.mse_loss(model(x), y)
