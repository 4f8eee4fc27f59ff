"""A bounded output whose inputs are far outside."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        h = torch.relu(self.fc(x))
        return torch.tanh(self.out(h))


model = Net()
x = torch.rand(20, 3) * 4000 + 1000
with torch.no_grad():
    model.fc.weight.abs_()
    model.out.weight.abs_()
y = torch.zeros(20, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def make_loss():
    return F.mse_loss(model(x), y)
