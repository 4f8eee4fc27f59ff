"""Tracing: a function is run on numbers that are watched, and what it computes is written down as Scalars.

recording   record: the function run, twice, and the Recording that comes of it
trace       a trace under way: its numbers, its guards, and where in the user's code it is
watching    the class Value while a trace is open
reading     a graph of Values, read into Scalars
repeating   two runs of one function must do the same
captures    what a function reads besides its arguments; `outside` knows the kinds of such things
"""

from __future__ import annotations

from .function_trace import active, record, record_graph
from .tracer import TracingError

__all__ = ["TracingError", "active", "record", "record_graph"]
