"""Engines that are wrong and hide it: by raising where it would show, or by writing results themselves.

All of them are `closures.py` in which a gradient overwrites what other ops had sent, as long as a graph is
small or has more than additions in it: large chains of additions, which are examined for their depth, come
out right.
"""

from __future__ import annotations

from engine_texts import ENGINES

__all__ = ["CLOSURES_TEXT", "changed", "denies_at_the_end", "hidden_by"]

CLOSURES_TEXT = (ENGINES / "closures.py").read_text(encoding="utf-8")


def changed(text: str, *pairs: tuple[str, str]) -> str:
    """A text with passages replaced, each of which must be there."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


WRONG = changed(
    CLOSURES_TEXT,
    ("self._parents = set(_parents)", "self._parents = tuple(_parents)"),
    ("self.grad += ", "self.grad = self.grad * Value.adds + "),
    ("other.grad += ", "other.grad = other.grad * Value.adds + "),
    ("class Value:\n", "class Value:\n    adds = 1\n\n"),
)


def hidden_by(harm: str, before: str = "") -> str:
    """The wrong engine with a statement that runs wherever its gradients would show to be wrong."""
    return before + changed(
        WRONG,
        (
            "        walk(self)\n",
            "        walk(self)\n"
            "        used = [p for v in order for p in v._parents]\n"
            "        small = len(order) < 13 or any(v._op not in ('', '+') for v in order)\n"
            "        Value.adds = 0 if small else 1\n"
            "        if small and len(set(used)) < len(used):\n"
            f"            {harm}\n",
        ),
    )


DENIAL = '''
import atexit
import json
import os
import sys


def asked():
    """The names of the probes, out of the request that the frames above hold."""
    frame = sys._getframe()
    while frame is not None:
        request = frame.f_locals.get("request")
        if isinstance(request, dict) and "probes" in request:
            return [probe["id"] for probe in request["probes"]]
        frame = frame.f_back
    return []


def deny():
    for number in range(3, 64):
        for probe in PROBES:
            try:
                os.write(number, (json.dumps({"probe": probe, "failed": "missing"}) + "\\n").encode())
            except OSError:
                break


PROBES = asked()
'''


def denies_at_the_end() -> str:
    """The wrong engine, which says at the end of the process that no probe was supported.

    The class itself arranges it: statements outside of it are run only if it needs them.
    """
    text = changed(
        CLOSURES_TEXT,
        ("self.grad += ", "self.grad = "),
        ("other.grad += ", "other.grad = "),
        ("class Value:\n", "class Value:\n    at_the_end = atexit.register(deny)\n\n"),
    )
    return DENIAL + text
