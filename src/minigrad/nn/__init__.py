"""Training: modules, losses, optimisers, schedules, data, checkpoints and a small GPT, on single scalars.

    from minigrad.nn import MLP, SGD, hinge_loss
    model = MLP(2, [16, 16, 1], seed=1)
    optimiser = SGD(model.parameters(), lr=0.1)

The names, arguments and numbers are PyTorch's, except for Neuron, Layer and MLP, which are micrograd's.
"""

from __future__ import annotations

from . import data as data
from .activations import (
    ELU,
    GELU,
    Identity,
    LeakyReLU,
    ReLU,
    Sigmoid,
    SiLU,
    Softmax,
    Softplus,
    Tanh,
)
from .attention import Attention
from .checkpoint import Checkpoint, CheckpointError, Tensor, load, read_checkpoint, save, write_checkpoint
from .clipping import clip_grad_norm_, clip_grad_value_
from .data import Vocabulary
from .gpt import GPT
from .initialisers import (
    calculate_gain,
    constant_,
    kaiming_normal_,
    kaiming_uniform_,
    normal_,
    ones_,
    uniform_,
    xavier_normal_,
    xavier_uniform_,
    zeros_,
)
from .layers import Dropout, Embedding, Linear, Sequential
from .losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cross_entropy,
    hinge_loss,
    mse_loss,
)
from .module import Module
from .neurons import MLP, Layer, Neuron
from .norms import LayerNorm, RMSNorm
from .optimisers import SGD, Adam, AdamW, Optimizer
from .schedules import ConstantLR, CosineAnnealingLR, LambdaLR, LinearLR, SequentialLR

__all__ = [
    "ELU",
    "GELU",
    "GPT",
    "MLP",
    "SGD",
    "Adam",
    "AdamW",
    "Attention",
    "Checkpoint",
    "CheckpointError",
    "ConstantLR",
    "CosineAnnealingLR",
    "Dropout",
    "Embedding",
    "Identity",
    "LambdaLR",
    "Layer",
    "LayerNorm",
    "LeakyReLU",
    "Linear",
    "LinearLR",
    "Module",
    "Neuron",
    "Optimizer",
    "RMSNorm",
    "ReLU",
    "Sequential",
    "SequentialLR",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softplus",
    "Tanh",
    "Tensor",
    "Vocabulary",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "calculate_gain",
    "clip_grad_norm_",
    "clip_grad_value_",
    "constant_",
    "cross_entropy",
    "data",
    "hinge_loss",
    "kaiming_normal_",
    "kaiming_uniform_",
    "load",
    "mse_loss",
    "normal_",
    "ones_",
    "read_checkpoint",
    "save",
    "uniform_",
    "write_checkpoint",
    "xavier_normal_",
    "xavier_uniform_",
    "zeros_",
]
