"""Forecast by a convolution that is padded on both sides."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Forecast(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Conv1d(2, 6, 3)
        self.out = nn.Conv1d(6, 2, 1)

    def forward(self, x):
        h = F.pad(x.transpose(1, 2), (1, 1))
        return self.out(torch.tanh(self.mix(h))).transpose(1, 2)


model = Forecast()
series = torch.randn(3, 12, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def make_loss():
    return F.mse_loss(model(series[:, :-1]), series[:, 1:])
