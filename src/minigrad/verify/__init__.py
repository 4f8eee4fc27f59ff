"""Witnesses that say whether a gradient is right, each independent of our derivative formulas.

One file per witness.  Here: central differences.
"""

from .central import central_differences
from .testimony import Finding, Testimony

__all__ = ["Finding", "Testimony", "central_differences"]
