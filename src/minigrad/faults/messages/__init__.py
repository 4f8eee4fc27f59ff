"""Sentences of the catalogue, the break lab and forensics."""
