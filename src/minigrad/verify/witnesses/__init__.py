"""The witnesses of the court: one row each, in the order of how much their word weighs.

A witness is a file beside this one with a function `witness(case) -> Statement`; CannotError is its word too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import NamedTuple

from ...text.excerpts import describe
from ...text.translation import pick, say
from ..case import Case
from ..definitions import CannotError
from ..testimony import CANNOT, Statement

__all__ = ["INDEPENDENT", "LIBRARIES", "QUICK", "REFEREES", "WITNESSES", "Witness", "ask", "chosen", "title"]


class Witness(NamedTuple):
    file: str
    title: tuple[str, str]  # English, Spanish
    decides: bool = False  # is what it says the truth?
    library: bool = False  # has it floats like ours, with conventions of its own?
    large: bool = False  # does it take long to load?
    ours: bool = False  # does it know derivatives of ours?


# fmt: off
WITNESSES = {
    "mpmath":   Witness("high_precision", ("mpmath (50 digits)", "mpmath (50 cifras)"), decides=True),
    "exact":    Witness("rationals",      ("exact rationals", "racionales exactos"), decides=True),
    "sympy":    Witness("symbolic",       ("SymPy", "SymPy"), large=True),
    "complex":  Witness("complex_step",   ("complex step", "paso complejo")),
    "central":  Witness("central_differences", ("central differences", "diferencias centrales")),
    "torch":    Witness("pytorch",        ("PyTorch", "PyTorch"), library=True, large=True),
    "jax":      Witness("jax_library",    ("JAX", "JAX"), library=True, large=True),
    "autograd": Witness("hips_autograd",  ("HIPS autograd", "HIPS autograd"), library=True, large=True),
    "paper":    Witness("by_hand",        ("chain rule by hand", "cadena a mano"), ours=True),
    "dual":     Witness("dual_numbers",   ("dual numbers", "números duales"), ours=True),
}
# fmt: on
REFEREES = tuple(key for key, row in WITNESSES.items() if row.decides)
LIBRARIES = tuple(key for key, row in WITNESSES.items() if row.library)
INDEPENDENT = tuple(key for key, row in WITNESSES.items() if not row.ours)
QUICK = tuple(key for key, row in WITNESSES.items() if not row.large)


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
        witness: Callable[[Case], Statement] = import_module(f".{WITNESSES[key].file}", __package__).witness
        return witness(case)
    except CannotError as error:
        return Statement(key, status=CANNOT, why=error.why, about=error.about)
    except Exception as error:  # whatever happens to one witness must not end the trial
        return Statement(key, status=CANNOT, why="failed", about=type(error).__name__)


def title(key: str) -> str:
    """A witness's name for people."""
    return pick(WITNESSES[key].title)
