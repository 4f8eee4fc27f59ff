"""Sentences of the track."""
