"""A low-rank update of which both factors start at zero."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Low(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(6, 4).requires_grad_(False)
        self.a = nn.Parameter(torch.zeros(2, 6))
        self.b = nn.Parameter(torch.zeros(4, 2))

    def forward(self, x):
        return self.base(x) + x @ self.a.t() @ self.b.t()


model = Low()
x, y = torch.randn(10, 6), torch.randn(10, 4)
optimizer = torch.optim.SGD([model.a, model.b], lr=0.1)


def make_loss():
    return F.mse_loss(model(x), y)
