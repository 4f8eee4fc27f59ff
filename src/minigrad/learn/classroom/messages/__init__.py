"""Sentences for teachers."""
