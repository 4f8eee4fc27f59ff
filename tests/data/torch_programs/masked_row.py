"""Attention with a row that is masked throughout."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(4, 12)

    def forward(self, x, keep):
        q, k, v = self.qkv(x).chunk(3, -1)
        scores = (q @ k.transpose(1, 2)).masked_fill(~keep[:, None, :], float("-inf"))
        return scores.softmax(-1) @ v


model = Net()
x = torch.randn(3, 5, 4)
keep = torch.arange(5)[None, :] < torch.tensor([5, 3, 0])[:, None]
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def make_loss():
    return model(x, keep).square().mean()
