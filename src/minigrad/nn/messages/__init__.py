"""Sentences of modules, optimisers and checkpoints."""
