"""Sentences of training runs."""
