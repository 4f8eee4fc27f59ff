"""Sentences of the rule doctor."""
