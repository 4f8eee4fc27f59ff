"""sprout: a very small autograd in two files."""

from .engine import Param, no_nan
from .ops import exp, log, relu, sigmoid, tanh

__all__ = ["Param", "exp", "log", "no_nan", "relu", "sigmoid", "tanh"]
__version__ = "0.0.3"
