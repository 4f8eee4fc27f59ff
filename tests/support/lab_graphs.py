"""What tests of the lab and of forensics share: graphs to break, and how a coloured line is written."""

from __future__ import annotations

from minigrad.text.page import Ink

__all__ = ["DIAMOND", "ENDLESS", "SMALL", "fan", "many", "painted"]

SMALL = "a = 3; b = -a; L = b*a"  # dL/da = b + (-1)*a = -3 - 3
DIAMOND = "a = 2; b = 3; c = 4; ab = a*b; e = ab + c; f = a - c; L = e*f"
ENDLESS = "a = 1; b0 = a + a; " + "; ".join(f"b{i + 1} = b{i} + b{i}" for i in range(20))


def fan(uses: int) -> str:
    """v0 = 2*a, v1 = 3*a ... and their sum: overwriting keeps whichever comes last."""
    made = "; ".join(f"v{i} = a*{i + 2}" for i in range(uses))
    return f"a = 1; {made}; s = sum({', '.join(f'v{i}' for i in range(uses))})"


def many(inputs: int, squared: tuple[int, ...]) -> str:
    """A sum of inputs; those that are squared come out as half of what they should, with overwriting."""
    given = "; ".join(f"x{i} = {i}" for i in range(inputs))
    return f"{given}; L = " + " + ".join(f"x{i}*x{i}" if i in squared else f"x{i}" for i in range(inputs))


def painted(kind: str, text: str) -> str:
    return Ink(True)(kind, text)
