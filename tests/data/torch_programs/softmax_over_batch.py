"""Policy network whose softmax normalises over the batch."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(), nn.Linear(16, 3), nn.Softmax(dim=0))
x, action, gain = torch.randn(12, 4), torch.randint(0, 3, (12,)), torch.randn(12)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def make_loss():
    chances = model(x).gather(1, action[:, None]).squeeze(1)
    return -(gain * torch.log(chances)).mean()
