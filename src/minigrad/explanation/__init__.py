"""Explanations of a traced pass: one file per view, and the files that an explanation can be saved as."""

from __future__ import annotations

from ..text.page import Ink, Page
from .explanation import VIEWS, Explanation, explain

__all__ = ["VIEWS", "Explanation", "Ink", "Page", "explain"]
