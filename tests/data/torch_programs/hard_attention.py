"""Expected price from the most likely class."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.Linear(6, 5)
prices = torch.tensor([1.0, 2.0, 4.0, 8.0, 16.0])
extra = nn.Parameter(torch.zeros(()))
x, y = torch.randn(12, 6), torch.rand(12) * 10
optimizer = torch.optim.SGD([*model.parameters(), extra], lr=0.1)


def make_loss():
    choice = model(x).argmax(1)
    price = F.one_hot(choice, 5).float() @ prices
    return F.mse_loss(price + extra, y)
