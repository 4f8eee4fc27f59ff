"""The table of ops as a page: how each is written, its local rule, its names elsewhere, what it promises and
what it does where a convention decides.  Everything is read from ops.OPS, or computed with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from minigrad.ops import MANY, OPS, Op
from minigrad.text.numerals import show
from minigrad.text.translation import pick, say
from minigrad.values import ieee

from .markdown import code, plain, table
from .staging import Book

__all__ = ["add_ops", "written"]

LIBRARIES = ("torch", "numpy", "jax", "mpmath", "sympy", "autograd")


def add_ops(book: Book) -> None:
    """The page of the ops, in the language in use."""
    book.pages["ops"] = "\n".join(_page())


def _page() -> Iterator[str]:
    yield f"# {say('site.ops.title')}\n"
    yield say("site.ops.about", count=len(OPS)) + "\n"
    yield table(
        [say("site.ops.op"), say("site.ops.written"), say("site.ops.rule")],
        ([f"[{code(op.name)}](#{_anchor(op)})", code(written(op)), plain(_rule(op))] for op in OPS.values()),
    )
    yield f"## {say('site.ops.each')}\n"
    for op in OPS.values():
        yield from _entry(op)


def written(op: Op) -> str:
    """How an op is written: with a sign where it has one, and as a call."""
    least, most = op.arity
    if most == MANY:
        return f"{op.name}(a, b, ..., p, q, ...)" if op.paired else f"{op.name}(a, b, ...)"
    names = list("abc"[:most])
    for i, default in enumerate(op.defaults):
        names[least + i] += f"={default:g}"
    call = f"{op.name}({', '.join(names)})"
    return f"{op.write(*names)}, {call}" if op.text else call


def _anchor(op: Op) -> str:
    return op.name.lower()


def _rule(op: Op) -> str:
    return pick(op.rule).format(a="a", b="b", c="c").replace(" | ", "; ")


def _entry(op: Op) -> Iterator[str]:
    yield f"### {op.name}\n"
    yield f"{code(written(op))}: {plain(_rule(op))}.\n"
    rows = []
    bounds = op.bounds
    promise = say("site.ops.ulp", value=show(bounds.value), partial=show(bounds.partial))
    rows.append([say("site.ops.accuracy"), promise])
    names = [f"{library}: {code(op.foreign[library])}" for library in LIBRARIES if library in op.foreign]
    if names:
        rows.append([say("site.ops.elsewhere"), ", ".join(names)])
    for point in op.samples[:2]:
        rows.append([say("site.ops.at", point=code(_point(point))), _values(op, point)])
    for point in op.kinks:
        rows.append([say("site.ops.convention", point=code(_point(point))), _values(op, point)])
    yield table([say("site.ops.what"), say("site.ops.holds")], rows)


def _point(point: tuple[float, ...]) -> str:
    return ", ".join(show(x) for x in point)


def _values(op: Op, point: tuple[float, ...]) -> str:
    """The value and the local derivative of each slot there; a dash for a slot that sends no message."""
    y = op.forward(ieee, *point)
    partials = [show(x) if x is not None else "–" for x in op.partials(ieee, y, *point)]
    return say("site.ops.values", value=code(show(y)), partials=code(", ".join(partials)))
