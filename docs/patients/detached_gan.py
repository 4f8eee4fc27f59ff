"""Generator step of a small GAN that feeds detached samples to its critic."""

import torch
import torch.nn.functional as functional
from torch import nn

torch.manual_seed(0)

generator = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 8))
critic = nn.Sequential(nn.Linear(8, 12), nn.LeakyReLU(0.2), nn.Linear(12, 1))
model = nn.ModuleDict({"generator": generator, "critic": critic})
noise, real = torch.randn(16, 6), torch.randn(16, 8)
optimizer = torch.optim.Adam(generator.parameters(), lr=2e-4)


def make_loss():
    fake = generator(noise)
    logit = critic(fake.detach())
    adversarial = functional.binary_cross_entropy_with_logits(logit, torch.ones_like(logit))
    return adversarial + 0.1 * functional.l1_loss(fake, real)
