"""Sentences of the studio."""
