"""A backbone that is meant to be frozen."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(6, 12), nn.ReLU())
        self.head = nn.Linear(12, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


model = Net()
model.backbone.requires_grad = False
x, y = torch.randn(8, 6), torch.randint(0, 2, (8,))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def make_loss():
    return F.cross_entropy(model(x), y)
