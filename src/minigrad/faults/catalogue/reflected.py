"""Faults of reflected operators: `2 - a` is written with `a` as self, and the operands change places.

Either the whole operation is the mirror's, `a - 2`, value and gradient; or the value is right and the
gradient is the mirror's, because the rule was copied from `__sub__`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...graph import CONSTANT, Graph, Node
from ...graph.trace import Pieces, Walk
from ...ops import OPS
from ...values import ieee
from ..fault import ALONE, Fault
from .row_builders import local_change

__all__ = ["ROWS"]


def _is_reflected(graph: Graph, node: Node, op: str) -> bool:
    """Is this `2 - a`, with a number on the left and something with a gradient on the right?"""
    return node.op == op and [graph.nodes[arg].op == CONSTANT for arg in node.args] == [True, False]


def _where(op: str) -> Callable[[Graph], Iterable[str]]:
    def variants(graph: Graph) -> Iterable[str]:
        found = (graph.active[i] and _is_reflected(graph, node, op) for i, node in enumerate(graph.nodes))
        return ALONE if any(found) else ()

    return variants


def _mirrored(op: str) -> Callable[[Pieces, object], Pieces]:
    """The engine writes down `a - 2` where `2 - a` was computed."""

    def swap(pieces: Pieces, _what: object) -> Pieces:
        def record(graph: Graph) -> Graph:
            graph = pieces.record(graph)
            nodes = [
                node._replace(args=node.args[::-1]) if _is_reflected(graph, node, op) else node
                for node in graph.nodes
            ]
            return Graph(nodes, graph.output)

        return pieces._replace(record=record)

    return swap


def _mirrored_rule(op: str) -> Callable[[Pieces, object], Pieces]:
    """The value of `2 - a`, and for a what it would get in `a - 2`."""

    def swap(pieces: Pieces, _what: object) -> Pieces:
        def rule(walk: Walk, node: int) -> Sequence[float | None]:
            it = walk.graph.nodes[node]
            if not _is_reflected(walk.graph, it, op):
                return pieces.rule(walk, node)
            a, b = (walk.values[arg] for arg in it.args)
            return None, OPS[op].partials(ieee, OPS[op].forward(ieee, b, a), b, a)[0]

        return pieces._replace(rule=rule)

    return swap


_RETURN = "        return out\n"


def _rows(
    op: str,
    smallest: str,
    mirror: str,
    rule: str,
    whole: tuple[tuple[str, str], tuple[str, str]],
    only_rule: tuple[tuple[str, str], tuple[str, str]],
    seen: int,
    case: str = "",
) -> tuple[Fault, Fault]:
    """The two faults of one operator: the whole of it is the mirror's, or only its rule."""
    right = f'        return apply("{op}", other, self)\n'
    line = local_change(op, "")[0]
    return (
        Fault(
            f"reflected-{op}",
            "reflected",
            *whole,
            _mirrored(op),
            smallest,
            ((right, f'        return apply("{op}", self, other)\n'),),
            seen=seen,
            variants=_where(op),
        ),
        Fault(
            f"reflected-{op}-rule",
            "reflected",
            *only_rule,
            _mirrored_rule(op),
            smallest,
            (
                (right, f'        out = apply("{op}", other, self)\n        out.op = "r{op}"\n{_RETURN}'),
                (line, f'{line}    "r{op}": lambda y, a, b: (0, {rule}),  # as in {mirror}\n'),
            ),
            case=case,
            variants=_where(op),
        ),
    )


# The 26 engines were counted together, and each of the three rows carries the number of their kind.
ROWS: tuple[Fault, ...] = (
    *_rows(
        "sub",
        "a = 3; 2 - a",
        "a - 2",
        "1",
        (
            ("2 - a is computed as a - 2", "2 - a se calcula como a - 2"),
            (
                "__rsub__ forgot to change sides: value and gradient both have the wrong sign",
                "__rsub__ olvidó cambiar los lados: el valor y el gradiente tienen el signo contrario",
            ),
        ),
        (
            ("2 - a has the rule of a - 2", "2 - a lleva la regla de a - 2"),
            (
                "the value is right, and the rule was copied from __sub__: the minus in front of a is lost",
                "el valor es correcto y la regla se copió de __sub__: se pierde el menos delante de a",
            ),
        ),
        seen=26,
    ),
    *_rows(
        "div",
        "a = 4; 2 / a",
        "a / 2",
        "1 / a",
        (
            ("2 / a is computed as a / 2", "2 / a se calcula como a / 2"),
            (
                "__rtruediv__ forgot to change sides: the quotient is upside down, and so is its gradient",
                "__rtruediv__ olvidó cambiar los lados: el cociente está invertido, y su gradiente también",
            ),
        ),
        (
            ("2 / a has the rule of a / 2", "2 / a lleva la regla de a / 2"),
            (
                "the value is right, and the rule was copied from __truediv__: a gets 1/2 wherever it is",
                "el valor es correcto y la regla se copió de __truediv__: a recibe 1/2 valga lo que valga",
            ),
        ),
        seen=26,
    ),
    *_rows(
        "pow",
        "a = 3; 2 ** a",
        "a ** 2",
        "a * b ** (a - 1)",
        (
            ("2 ** a is computed as a ** 2", "2 ** a se calcula como a ** 2"),
            (
                "__rpow__ forgot to change sides: an exponential has become a power",
                "__rpow__ olvidó cambiar los lados: una exponencial se ha convertido en una potencia",
            ),
        ),
        (
            ("2 ** a has the rule of a ** 2", "2 ** a lleva la regla de a ** 2"),
            (
                "the value is right, and the rule was copied from __pow__: the slope is another function's",
                "el valor es correcto y la regla se copió de __pow__: la pendiente es de otra función",
            ),
        ),
        seen=26,
        case="tenstorrent/tt-metal#52144",
    ),
)
