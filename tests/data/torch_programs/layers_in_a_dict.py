"""Branches that are kept in a plain dict."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(5, 8)
        self.branches = {"left": nn.Linear(8, 2), "right": nn.Linear(8, 2)}

    def forward(self, x):
        h = torch.relu(self.trunk(x))
        return self.branches["left"](h) + self.branches["right"](h)


model = Net()
x, y = torch.randn(9, 5), torch.randint(0, 2, (9,))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def make_loss():
    return F.cross_entropy(model(x), y)
