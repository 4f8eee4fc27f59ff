"""Repairs of a pass that raises: a name that no node has, a method that an attribute hides, a wrong list."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import get_close_matches

from ..anatomy import Anatomy, Edit, Function
from ..anatomy.source_text import walk_own
from ..patch import Patch, make_patch
from .textbook_pass import textbook

__all__ = ["hidden_methods", "repair_failing_pass"]

Repairs = Iterator[Patch | None]


def repair_failing_pass(anatomy: Anatomy) -> Repairs:
    """The smallest changes first; then the textbook's pass."""
    shown, named = _shown_again(anatomy), _known_names(anatomy)
    if shown:
        yield make_patch(anatomy, "shown-again", *shown)
    if named:
        yield make_patch(anatomy, "known-name", *named)
    if shown and named:
        yield make_patch(anatomy, "shown-again", *shown, *named)
    yield from _listed_node(anatomy)
    for traversal in anatomy.traversals:
        for edits in textbook(anatomy, traversal):
            yield make_patch(anatomy, "textbook-order", *edits)


def hidden_methods(anatomy: Anatomy) -> set[str]:
    """Methods that run a pass, and that __init__ hides: `self.backward = lambda: None`."""
    methods = {traversal.function.name for traversal in anatomy.traversals}
    return {
        target.attr
        for node in (walk_own(anatomy.initial) if anatomy.initial is not None else ())
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Attribute) and target.attr in methods
    }


def _shown_again(anatomy: Anatomy) -> list[Edit]:
    """The attribute that hides the method gets a name of its own."""
    hidden = hidden_methods(anatomy)
    return [
        _with_name(anatomy, node, f"_{node.attr}")
        for node in ast.walk(anatomy.text.tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr in hidden
    ]


def _known_names(anatomy: Anatomy) -> list[Edit]:
    """An attribute that no node has, read by the pass: the one that is meant has nearly its name."""
    given = _given(anatomy)
    edits = []
    for scope in _of_the_pass(anatomy):
        for node in ast.walk(scope):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.ctx, ast.Load)
                and isinstance(node.value, ast.Name)
                and node.attr not in given
                and not _is_method_of_a_list(node.attr)
            ):
                meant = get_close_matches(node.attr, sorted(given), 1, 0.6)
                if meant:
                    edits.append(_with_name(anatomy, node, meant[0]))
    return list(dict.fromkeys(edits))


def _given(anatomy: Anatomy) -> set[str]:
    """The attributes and methods that a node has."""
    found = {name.rpartition(".")[2] for name in anatomy.functions}
    for node in ast.walk(anatomy.text.tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
    return found


def _is_method_of_a_list(name: str) -> bool:
    return any(hasattr(kind, name) for kind in (list, set, dict)) or name in ("appendleft", "popleft")


def _of_the_pass(anatomy: Anatomy) -> Iterator[Function]:
    for traversal in anatomy.traversals:
        three = (traversal.function, traversal.helper, traversal.builder)
        yield from dict.fromkeys(scope for scope in three if scope is not None)


def _listed_node(anatomy: Anatomy) -> Repairs:
    """`order.append(visited)`: the node is what should be in the order."""
    for traversal in anatomy.traversals:
        helper = traversal.helper
        if helper is None or not traversal.node:
            continue
        for node in ast.walk(helper):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("append", "insert", "appendleft")
                and node.args
                and isinstance(node.args[-1], ast.Name)
                and node.args[-1].id != traversal.node
            ):
                yield make_patch(anatomy, "listed-node", anatomy.text.replaced(node.args[-1], traversal.node))


def _with_name(anatomy: Anatomy, node: ast.Attribute, name: str) -> Edit:
    end = anatomy.text.span(node)[1]
    return Edit(end - len(node.attr), end, name)
