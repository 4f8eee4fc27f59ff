"""Formulas for people: a node, a graph or a gradient as MathML for pages and as LaTeX for print.

    statement(graph, i, mathml)        # e = ab + c
    substituted(trace, i, latex)       # 6 + 4
    program(graph, latex)              # the statements as one would write them down
    gradient_sum(trace, i, mathml)     # dL/da = ∂f/∂a · dL/df + ... = 10 - 6 = 4
    local_factor(graph, i, slot, latex)  # a local derivative inside a product
    local_symbol(graph, i, slot)       # "b", as text

There is one walk over a graph; what differs is the writer that it is handed.
"""

from __future__ import annotations

from . import latex, mathml, plain
from .paper import local_symbol
from .sums import gradient_sum, local_factor, program, statement, substituted

__all__ = [
    "gradient_sum",
    "latex",
    "local_factor",
    "local_symbol",
    "mathml",
    "plain",
    "program",
    "statement",
    "substituted",
]
