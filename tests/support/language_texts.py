"""Texts of the language, made and read for tests."""

from __future__ import annotations

import random
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from minigrad.graph import CONSTANT, INPUT, Graph
from minigrad.language import LanguageError, parse

WORDS = "a b x1 2 .5 1e5 1e 3. inf nan + - * / ** ( ) ( ) , ; = = < <= > >= # . .. ! == ^ _ @ [ ' a= exp= 0,"
CALLS = "exp( max( softmax( cross_entropy(1, dot( pow( leaky_relu( foo("
# Pieces of texts, right and wrong ones, from which nonsense is put together.
SCRAPS = [*WORDS.split(), *CALLS.split(), "", "\n", "\r\n", "\r", "\t", "\\", "\0"]
SCRAPS += list("\u00b7\u00d7\u2212\u0430\u00b2\ud800\U0001f600")
ABC = {"a": 2.0, "b": 3.0, "c": 4.0}
AB = {"a": 2.0, "b": 3.0}


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """No hang: so much of the processor's own time at the most, three times over for a slow machine."""
    started = time.process_time()
    yield
    assert time.process_time() - started < 3 * seconds


def result(text: str, **inputs: float) -> float:
    graph = parse(text, inputs)
    number: float = graph.evaluate()[graph.output]
    return number


def ops(graph: Graph) -> list[str]:
    return [node.op for node in graph.nodes]


def refused(text: str, inputs: dict[str, float] | None = None) -> LanguageError:
    with pytest.raises(LanguageError) as caught:
        parse(text, inputs)
    return caught.value


def bits(x: float | None) -> bytes:
    """A number as its bits; all NaN alike."""
    if x is None:
        return b"none"
    return b"nan" if x != x else struct.pack("<d", x)


def essence(graph: Graph) -> tuple[object, ...]:
    """All of a graph but where its leaves stand and what its nodes are called.

    Ops and inputs are known by their turn among their kind; a constant by its bits, and, where
    several slots share it, by who they are.
    """
    kinds = {INPUT: 0, CONSTANT: 0, "op": 0}
    known: list[object] = []
    users: dict[int, list[tuple[int, int]]] = {}
    for i, node in enumerate(graph.nodes):
        for slot, arg in enumerate(node.args):
            users.setdefault(arg, []).append((sum(bool(n.args) for n in graph.nodes[:i]), slot))
    for i, node in enumerate(graph.nodes):
        kind = node.op if not node.args else "op"
        if kind == CONSTANT:
            known.append((CONSTANT, bits(node.data), tuple(users.get(i, ()))))
        else:
            known.append((kind, kinds[kind], bits(node.data)))
        kinds[kind] += 1
    rows = [(node.op, tuple(known[arg] for arg in node.args)) for node in graph.nodes if node.args]
    leaves = sorted(map(repr, (known[i] for i, node in enumerate(graph.nodes) if not node.args)))
    return rows, leaves, known[graph.output]


def short(case: object) -> str:
    return ascii(case)[1:30] if isinstance(case, str) else ""


def random_expression(rng: random.Random, depth: int) -> str:
    """Operators, minus signs and parentheses that are needed, redundant, or both."""
    if depth == 0 or rng.random() < 0.1:
        text = rng.choice(["a", "b", "c", "2", "0.5", "3.", "1e1"])
    elif rng.random() < 0.25:
        text = rng.choice("-+") + rng.choice(["", " "]) + random_expression(rng, depth - 1)
    else:
        sign = rng.choice(["+", "-", "*", "/", "**"])
        space = rng.choice(["", " "])
        text = random_expression(rng, depth - 1) + space + sign + space + random_expression(rng, depth - 1)
    return f"({text})" if rng.random() < 0.3 else text
