"""Sentences of the engine doctor."""
