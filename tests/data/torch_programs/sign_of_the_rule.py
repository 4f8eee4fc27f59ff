"""A custom activation whose backward has a wrong sign."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Softsign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / (1 + x.abs())

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad / (1 - x.abs()) ** 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 6), nn.Linear(6, 1)

    def forward(self, x):
        return self.b(Softsign.apply(self.a(x)))


model = Net()
x, y = torch.randn(8, 4), torch.randn(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def make_loss():
    return F.mse_loss(model(x), y)
