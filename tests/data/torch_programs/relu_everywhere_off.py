"""A hidden layer whose bias switches it off."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.second = nn.Linear(8, 1)
        nn.init.constant_(self.first.bias, -20.0)

    def forward(self, x):
        h = torch.relu(self.first(x))
        return self.second(h)


model = Net()
x, y = torch.randn(32, 4), torch.randn(32, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


def make_loss():
    return F.mse_loss(model(x), y)
