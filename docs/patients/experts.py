"""Three experts and a gate that chooses one of them for each sample."""

import torch
from torch import nn

torch.manual_seed(0)


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 3)
        self.experts = nn.ModuleList(nn.Linear(4, 2) for _ in range(3))

    def forward(self, x):
        answers = torch.stack([expert(x) for expert in self.experts], 1)
        chosen = self.gate(x).argmax(1)
        return (answers * nn.functional.one_hot(chosen, 3).unsqueeze(2)).sum(1)


model = Experts()
x, y = torch.randn(16, 4), torch.randint(0, 2, (16,))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def make_loss():
    return nn.functional.cross_entropy(model(x), y)
