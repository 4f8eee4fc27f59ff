"""Tracing: a function is run on numbers that are watched, and what it computes is written down as Scalars.

function_trace   trace_function: the function run, twice, and the TracedFunction that comes of it
tracer           the Tracer that is at work meanwhile, its numbers and its guards
value_watch      the class Value while a function is traced
graph_reader     a graph of Values, read into Scalars
repeat_check     two runs of one function must do the same
captures         what a function reads besides its arguments; `outside_values` knows the kinds of such things
"""

from __future__ import annotations

from .function_trace import is_tracing, trace_function, trace_graph
from .tracer import TracingError

__all__ = ["TracingError", "is_tracing", "trace_function", "trace_graph"]
