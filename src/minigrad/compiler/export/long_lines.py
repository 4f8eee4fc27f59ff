"""Lines of exported texts that are too long, broken where their brackets allow it."""

from __future__ import annotations

import re

__all__ = ["break_line"]

_SUMS, _PRODUCTS = (" + ", " - "), (" * ", " / ", " @ ")


def break_line(line: str, width: int, free: bool = False) -> str:
    """A line in lines of at most `width` characters, as far as that can be, not counting a comment behind it.

    In Python a line goes on inside brackets only; with `free`, as in C, anywhere.  Subscripts stay whole.
    """
    code, mark, comment = line.partition("  # ")
    indent = len(code) - len(code.lstrip())
    places = [one for one in _places(code, free) if one[1] > indent]
    found, begin, deeper = [], 0, 0  # where the line that is being made begins, and how far it is set in
    while deeper + len(code) - begin > width:
        ahead = [one for one in places if one[1] > begin]
        fitting = [one for one in ahead if width // 3 <= deeper + one[1] - begin <= width] or ahead[:1]
        if not fitting:
            break
        # As far outside as may be, and then as late, so that calls and products stay together.
        _, best = min(fitting, key=lambda one: (one[0], -one[1]))
        found.append(" " * deeper + code[begin:best].rstrip())
        begin, deeper = best, indent + 4
    return "\n".join([*found, " " * deeper + code[begin:] + mark + comment])


def _places(code: str, free: bool) -> list[tuple[int, int]]:
    """Where the code can be broken, behind a comma or before an operator, and how much that tears apart."""
    found: list[tuple[int, int]] = []
    opened: list[bool] = []  # of each open bracket, whether a line may be broken in it
    quote = ""
    for place, character in enumerate(code):
        if quote:
            quote = "" if character == quote and code[place - 1] != "\\" else quote
        elif character in "\"'":
            quote = character
        elif character in "([{":
            subscript = character == "[" and re.match(r"[\w\])]", code[place - 1 : place]) is not None
            opened.append(not subscript and all(opened))
        elif character in ")]}" and opened:
            opened.pop()
        elif all(opened) and (opened or free):
            if code.startswith(", ", place):
                found.append((3 * len(opened), place + 2))
            elif code.startswith(_SUMS, place):
                found.append((3 * len(opened) + 1, place + 1))
            elif code.startswith(_PRODUCTS, place):
                found.append((3 * len(opened) + 2, place + 1))
    return found
