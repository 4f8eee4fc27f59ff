"""A target network in the objective of the online one."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


import copy

online = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
model = nn.ModuleDict({"online": online, "target": copy.deepcopy(online)})
s, following, reward = torch.randn(10, 3), torch.randn(10, 3), torch.randn(10)
action = torch.randint(0, 2, (10, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def make_loss():
    value = model["online"](s).gather(1, action).squeeze(1)
    wanted = reward + 0.9 * model["target"](following).max(1).values
    return F.smooth_l1_loss(value, wanted)
