"""Sentences of the x-ray."""
