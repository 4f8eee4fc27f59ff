"""Who can be asked: one row per witness, in the order of how much its word weighs.

A witness is a file beside this one with a function `witness(case) -> Statement`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module

from ..given import describe
from ..messages import say
from .case import Case
from .testimony import CANNOT, Statement

__all__ = ["INDEPENDENT", "LIBRARIES", "QUICK", "REFEREES", "WITNESSES", "ask", "chosen", "title"]

WITNESSES = {
    "mpmath": "high_precision",
    "exact": "rationals",
    "sympy": "symbolic",
    "complex": "complex_step",
    "central": "central",
    "torch": "pytorch",
    "jax": "with_jax",
    "autograd": "hips",
    "paper": "by_hand",
    "dual": "dual",
}
REFEREES = ("mpmath", "exact")  # what they say decides
LIBRARIES = ("torch", "jax", "autograd")  # floats like ours, with conventions of their own
INDEPENDENT = tuple(key for key in WITNESSES if key not in ("paper", "dual"))  # of anything that is ours
TITLES = {"sympy": "SymPy", "torch": "PyTorch", "jax": "JAX", "autograd": "HIPS autograd"}  # proper names
QUICK = tuple(key for key in WITNESSES if key not in (*LIBRARIES, "sympy"))  # what loads at once


def chosen(wish: str | Iterable[str]) -> tuple[str, ...]:
    """The witnesses that "all", "quick" or a list such as "torch,jax" stands for."""
    if not isinstance(wish, Iterable):
        raise TypeError(say("court.witness", given=describe(wish), known=", ".join(WITNESSES)))
    words = [word.strip() for word in wish.split(",")] if isinstance(wish, str) else list(wish)
    found: list[str] = []
    for word in words:
        if word not in (*WITNESSES, "all", "quick"):
            raise ValueError(say("court.witness", given=repr(word), known=", ".join(WITNESSES)))
        found += WITNESSES if word == "all" else QUICK if word == "quick" else [word]
    if not found:
        raise ValueError(say("court.witness", given="''", known=", ".join(WITNESSES)))
    return tuple(key for key in WITNESSES if key in found)


def ask(key: str, case: Case) -> Statement:
    if case.unlike and key != "central":  # only it runs the user's own function
        return Statement(key, status=CANNOT, why="unlike")
    try:
        witness: Callable[[Case], Statement] = import_module(f".{WITNESSES[key]}", __package__).witness
        return witness(case)
    except Exception as error:  # whatever happens to one witness must not end the trial
        return Statement(key, status=CANNOT, why="failed", about=type(error).__name__)


def title(key: str) -> str:
    """A witness's name for people."""
    return TITLES.get(key) or say(f"witness.{key}")
