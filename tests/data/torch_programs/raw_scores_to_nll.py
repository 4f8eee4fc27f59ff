"""Raw scores given to the negative log-likelihood."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 4))
x, y = torch.randn(20, 6), torch.randint(0, 4, (20,))
criterion = nn.NLLLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def make_loss():
    return criterion(model(x), y)
