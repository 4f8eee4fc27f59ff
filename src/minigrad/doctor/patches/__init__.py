"""Patches of somebody's source: its anatomy, repairs of it, and bugs planted into it."""
