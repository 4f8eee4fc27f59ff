"""An attention over a single key."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Pool(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(4, 1)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        weight = self.score(x).softmax(-1)
        return self.head((weight * x).sum(1))


model = Pool()
x, y = torch.randn(6, 5, 4), torch.randint(0, 2, (6,))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def make_loss():
    return F.cross_entropy(model(x), y)
