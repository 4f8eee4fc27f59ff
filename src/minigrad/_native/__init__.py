"""The compiled twin of `scalar.py`: the same Value in C, bit for bit.

What is unusual is still done by `scalar.py` itself.  This package imports nothing.
"""
