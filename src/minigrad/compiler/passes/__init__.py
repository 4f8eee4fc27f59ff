"""The passes: small functions from program to program.  `building.py` puts them in order."""
