"""Vocabulary of the language: its functions, its operators, its limits and its free names.

The functions are the ops of the table and a few that are composed of them; a new row of
the table is a new function here, found under the names that it has in other libraries too.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..ops import OPS
from .tokens import is_name

__all__ = ["FUNCTIONS", "LEVELS", "LIMITS", "NUMBER_WORDS", "closest_function", "is_free"]

LIMITS: Mapping[str, int] = MappingProxyType(
    {"text": 8_000_000, "number": 400, "name": 100, "nesting": 20_000}
)
COMPOSED = ("softmax", "cross_entropy")  # functions of the language that are several nodes
FUNCTIONS = frozenset((*OPS, *COMPOSED))
SOME_FUNCTIONS = "exp, log, sqrt, tanh, relu, max, sum"
NUMBER_WORDS = ("inf", "nan")

# How tightly things bind, from loose to tight.  FRAME is an open parenthesis.
FRAME, COMPARISON, SUM, PRODUCT, UNARY, POWER, ATOM = range(7)
LEVELS: Mapping[str, int] = MappingProxyType(
    dict.fromkeys(("<", "<=", ">", ">="), COMPARISON)
    | dict.fromkeys("+-", SUM)
    | dict.fromkeys("*/", PRODUCT)
    | {"**": POWER}
)


def is_free(name: object) -> bool:
    """Whether a text may give this name to a value."""
    return (
        isinstance(name, str)
        and len(name) <= LIMITS["name"]
        and is_name(name)
        and name not in FUNCTIONS
        and name not in NUMBER_WORDS
    )


_ALSO_KNOWN_AS = {
    "ln": "log",
    "logistic": "sigmoid",
    "swish": "silu",
    "sgn": "sign",
    "average": "mean",
    "product": "prod",
    "lse": "logsumexp",
    "if": "where",
    "sen": "sin",
    "tg": "tan",
    "arcsen": "arcsin",
    "arctg": "arctan",
    "raiz": "sqrt",
}


PYTHON_WORDS = frozenset(
    ["if", "else", "and", "or", "not", "def", "lambda", "return", "for", "while", "in", "is"]
)


def closest_function(name: str) -> str:
    """The function that was probably meant by a name that is none; "" where nothing is close."""
    from difflib import get_close_matches

    elsewhere = {its.lower(): op.name for op in OPS.values() for its in op.foreign.values()} | _ALSO_KNOWN_AS
    word = name.lower()
    if word in FUNCTIONS:
        return word
    anagram = next((function for function in sorted(FUNCTIONS) if sorted(function) == sorted(word)), "")
    return (
        elsewhere.get(word) or anagram or next(iter(get_close_matches(word, sorted(FUNCTIONS), 1, 0.7)), "")
    )
