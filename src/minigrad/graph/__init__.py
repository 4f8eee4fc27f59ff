"""Graphs of expressions, the backward pass over them as events, its paths, and how both are written."""

from __future__ import annotations

from .graph import CONSTANT, CUSTOM, INPUT, Graph, Node

__all__ = ["CONSTANT", "CUSTOM", "INPUT", "Graph", "Node"]
