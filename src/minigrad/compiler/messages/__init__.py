"""Sentences of compiled programs."""
