"""Sentences of the command line."""
