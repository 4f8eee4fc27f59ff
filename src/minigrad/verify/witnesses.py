"""Who can be asked: one row per witness, in the order of how much its word weighs.

A witness is a file beside this one with a function `witness(case) -> Statement`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module

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
    witness: Callable[[Case], Statement] = import_module(f".{WITNESSES[key]}", __package__).witness
    if key not in (*LIBRARIES, "sympy"):
        return witness(case)
    try:
        return witness(case)
    except (
        Exception
    ) as error:  # other people's code, of a version that we have not seen, must not end a trial
        return Statement(key, status=CANNOT, why="failed", about=type(error).__name__)


def title(key: str) -> str:
    """A witness's name for people."""
    return TITLES.get(key) or say(f"witness.{key}")
