"""Words in drawings."""
