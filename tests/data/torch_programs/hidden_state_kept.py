"""Recurrent state that keeps its graph from step to step."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


model = nn.RNN(3, 4, batch_first=True)
series = torch.randn(2, 30, 3)
state = {"h": torch.zeros(1, 2, 4), "at": 0}
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)


def make_loss():
    part = series[:, state["at"] % 20 : state["at"] % 20 + 5]
    out, h = model(part, state["h"])
    state["h"], state["at"] = h, state["at"] + 5
    return out.square().mean()


def step():
    optimizer.zero_grad()
    loss = make_loss()
    loss.backward(retain_graph=True)
    for p in model.parameters():
        p.data.add_(p.grad, alpha=-1e-4)
    optimizer.step()
    return loss
