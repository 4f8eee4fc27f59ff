"""The last output along the wrong axis."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 5, batch_first=True)
        self.head = nn.Linear(5, 1)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.head(out[-1])


model = Net()
x, y = torch.randn(7, 7, 3), torch.randn(7, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def make_loss():
    return F.mse_loss(model(x), y)
