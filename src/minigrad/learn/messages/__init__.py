"""Sentences of the course and of its questions."""
