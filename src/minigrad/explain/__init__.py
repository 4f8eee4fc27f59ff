"""Events turned into something to read.  `minigrad.explain(L)` is this room, called."""

from __future__ import annotations

from ..page import Ink, Page
from ..rooms import callable_room
from .explanation import VIEWS, Explanation, explain

__all__ = ["VIEWS", "Explanation", "Ink", "Page", "explain"]

callable_room(__name__)
