"""Changes of matrix algebra in a backward: what transposes, inverses and symmetric matrices make of a rule.

A product with its factors in another order or transposed, a solve that is applied to the wrong operand, a
matrix of which each number stands for two.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import islice, permutations, product

from .source_changes import SourceChange, Spot, is_numeric, together, with_call

__all__ = ["matrix_changes"]

PRODUCTS = ("mm", "matmul", "bmm")
APPLIED = re.compile(r"solve|potrs|inv|fft|softmax|conv|perm", re.I)  # what may stand at another operand
TRANSPOSED = ("t", "transpose")
LONGEST = 5  # factors of a product, of which all orders are tried
TURNED = 4  # factors, of which all choices to transpose are tried in all orders
MOST = 400  # forms of one product


def matrix_changes(spots: Sequence[Spot]) -> Iterator[SourceChange]:
    """Each of them, those of one expression first."""
    yield from _products(spots)
    yield from _symmetric(spots)
    yield from _moved_calls(spots)


# ---- matrices of which a number stands for two ---------------------------------------------------

TURN = ".transpose(-1, -2)"


def _symmetric(spots: Sequence[Spot]) -> Iterator[SourceChange]:
    """Both triangles of a matrix count: all of it, or what is off the diagonal, or half of each."""
    for spot in spots:
        node = spot.node
        if not isinstance(node, (ast.Name, ast.Call, ast.BinOp)) or not is_numeric(node):
            continue
        for ending in (TURN, f".tril(-1){TURN}", f".triu(1){TURN}"):
            yield spot.edit(ast.BinOp(node, ast.Add(), with_call(node, ending)), "symmetric")
        both = ast.BinOp(node, ast.Add(), with_call(node, TURN))
        yield spot.edit(ast.BinOp(both, ast.Div(), ast.Constant(2)), "symmetric")
        for ending in (".tril()", ".triu()"):
            yield spot.edit(with_call(node, ending), "symmetric")


# ---- products -----------------------------------------------------------------------------------


def _products(spots: Sequence[Spot]) -> Iterator[SourceChange]:
    """The factors of a matrix product in another order, and some of them transposed; the longest product of
    each expression, and not the products inside of it."""
    inside: set[int] = set()
    for spot in spots:
        factors = _factors(spot.node)
        if len(factors) < 2 or id(spot.node) in inside:
            continue
        inside |= {id(each) for each in ast.walk(spot.node)}
        for form in islice(_forms(factors), MOST):
            yield spot.edit(_multiplied(form, spot.node), "operand")


def _factors(node: ast.expr) -> list[ast.expr]:
    pair = _pair(node)
    return [node] if pair is None else [each for side in pair for each in _factors(side)]


def _pair(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The two sides of a matrix product: a @ b, a.mm(b), torch.mm(a, b)."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return node.left, node.right
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PRODUCTS:
        if len(node.args) == 2 and not node.keywords:
            return node.args[0], node.args[1]
        if len(node.args) == 1 and not node.keywords:
            return node.func.value, node.args[0]
    return None


def _multiplied(factors: Sequence[ast.expr], like: ast.expr) -> ast.expr:
    """Their product, written as the one that it stands for."""
    made = factors[0]
    for each in factors[1:]:
        if isinstance(like, ast.Call) and isinstance(like.func, ast.Attribute):
            name = like.func.attr
            if len(like.args) == 2:
                made = ast.Call(like.func, [made, each], [])
            else:
                made = ast.Call(ast.Attribute(made, name, ast.Load()), [each], [])
        else:
            made = ast.BinOp(made, ast.MatMult(), each)
    return made


def _forms(factors: Sequence[ast.expr]) -> Iterator[list[ast.expr]]:
    """Some factors transposed where they stand; all orders; all orders of a few, with some transposed."""
    count = len(factors)
    if count > LONGEST:
        return
    choices = [each for each in product((False, True), repeat=count) if any(each)]
    for choice in sorted(choices, key=sum):
        yield _turned(factors, choice)
    orders = list(islice(permutations(range(count)), 1, None))
    for order in orders:
        yield [factors[k] for k in order]
    if count <= TURNED:
        for choice in sorted(choices, key=sum):
            for order in orders:
                yield [_turned(factors, choice)[k] for k in order]


def _turned(factors: Sequence[ast.expr], choice: Sequence[bool]) -> list[ast.expr]:
    return [_transposed(each) if turn else each for each, turn in zip(factors, choice, strict=True)]


def _transposed(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TRANSPOSED:
        return node.func.value
    return with_call(node, TURN)


# ---- calls --------------------------------------------------------------------------------------


def _moved_calls(spots: Sequence[Spot]) -> Iterator[SourceChange]:
    """solve(x, a) taken away where it stands, and put around another expression."""
    for spot in spots:
        call = spot.node
        if not isinstance(call, ast.Call) or not APPLIED.search(_name(call)):
            continue
        for operand in [k for k, each in enumerate(call.args) if is_numeric(each)]:
            taken = spot.edit(call.args[operand], "operand")
            for other in spots:
                if other.holder is call or other.node is call or not is_numeric(other.node):
                    continue
                if isinstance(other.node, ast.Constant):
                    continue
                arguments = [other.node if k == operand else each for k, each in enumerate(call.args)]
                put = other.edit(ast.Call(call.func, arguments, call.keywords), "operand")
                yield together(taken, put, "operand")


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
