"""Language model with a bidirectional recurrent layer."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(15, 6)
        self.rnn = nn.GRU(6, 8, batch_first=True, bidirectional=True)
        self.out = nn.LazyLinear(15)

    def forward(self, tokens):
        return self.out(self.rnn(self.embedding(tokens))[0])


model = Decoder()
tokens = torch.randint(0, 15, (4, 9))
model(tokens)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def make_loss():
    return F.cross_entropy(model(tokens[:, :-1]).transpose(1, 2), tokens[:, 1:])
