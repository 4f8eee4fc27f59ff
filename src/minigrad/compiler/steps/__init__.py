"""Whole training steps: a loss, its gradient, clipping and an optimiser's move, without Python in the loop.

training_step      Training: what a user holds
step_data          what the steps are given, as tables of numbers
step_parts         a loss with its gradient, a norm, an optimiser's rule: each an executor
optimiser_updates  the optimiser's part, its memory in arrays
bound_step         all parts bound to their arrays, so that a step is one native call
"""

from __future__ import annotations

from .training_step import MOST, Training, training

__all__ = ["MOST", "Training", "training"]
