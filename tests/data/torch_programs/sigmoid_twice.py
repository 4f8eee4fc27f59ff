"""Binary segmentation with a sigmoid before a loss that takes logits."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(1, 4, 3, padding=1)
        self.head = nn.Conv2d(4, 1, 1)

    def forward(self, x):
        return torch.sigmoid(self.head(F.relu(self.body(x))))


model = Net()
x = torch.randn(3, 1, 6, 6)
y = (torch.rand(3, 1, 6, 6) > 0.5).float()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def make_loss():
    return criterion(model(x), y)
