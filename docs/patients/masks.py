"""Segmentation with a Dice loss on the mask that is shown to the user."""

import torch
from torch import nn

torch.manual_seed(0)

model = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))
images = torch.randn(4, 1, 12, 12)
wanted = (images.roll(1, -1) > 0.5).float()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def make_loss():
    mask = torch.round(torch.sigmoid(model(images)))
    both = (mask * wanted).sum()
    return 1 - 2 * both / (mask.sum() + wanted.sum() + 1)
