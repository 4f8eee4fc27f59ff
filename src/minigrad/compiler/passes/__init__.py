"""Passes of the compiler: small functions from program to program.  `pipeline.py` puts them in order."""
