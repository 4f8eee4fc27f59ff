"""Sandbox: code that may do anything runs apart, with limits, behind one interface."""
