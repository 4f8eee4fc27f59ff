"""Training runs: what determines one, the steps it takes, what is wrong with it, and how it is shown.

    run = Run(defaults("moons"))
    while not run.finished:
        print(run.advance().loss)

A run is a function of its settings alone: the same ones give the same losses, bit for bit, on both
engines, whether it was stopped and resumed on the way or not.  The names here are loaded when they are
first used: a picture needs no model.
"""

from __future__ import annotations

from ..text.lazy_names import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
