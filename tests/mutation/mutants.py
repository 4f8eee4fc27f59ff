"""Making the changes: mutmut's, in all functions of a plain module.

`made(file, text)` gives the module with all changes in it, each a copy of its function; which copy runs is
chosen when the function is called.  For the op table there are three more kinds of change than mutmut knows:
a local derivative that is not sent, one that is 0, and two arguments in the wrong order.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from itertools import islice

import libcst as cst
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.mutation.mutators import mutation_operators, operator_string

from survivors import Change, called

USUAL = [(kind, change) for kind, change in mutation_operators if change is not operator_string]


def made(file: str, text: str, *, statements: bool = False) -> tuple[str, dict[str, tuple[Change, str]]]:
    """A plain module with all its changes in it, and each of them: by name, with the module changed so.

    With `statements`, a statement that is a call is left out, too.
    """
    more = [(cst.Tuple, _nothing_sent), (cst.Call, _wrong_order)] if file == "ops.py" else []
    more += [(cst.Expr, _left_out)] if statements else []
    mutation_operators[:] = [(cst.BaseString, _other_text), *USUAL, *more]  # type: ignore
    mutated = mutate_file_contents(file, text)
    module = f"minigrad.{file.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}"
    functions = dict(_functions(mutated.code))
    changes = {}
    for name in mutated.mutant_names:
        mangled = name.partition("__mutmut_")[0]
        own = mangled.removeprefix("x_").rpartition("ǁ")[2]
        owner = f"{mangled.split('ǁ')[1]}." if "ǁ" in mangled else ""
        before = functions[f"{mangled}__mutmut_orig"].replace(f"{mangled}__mutmut_orig", own, 1)
        after = functions[name].replace(name, own, 1)
        if before == after:  # arguments that were the same, in the other order
            continue
        if text.count(before) != 1:  # methods of two classes that are the same: which one is meant?
            assert statements, name
            continue
        change = Change(file, owner + called(own), *_lines(before, after))
        changes[f"{module}.{name}"] = change, text.replace(before, after)
    return mutated.code, changes


def _functions(text: str) -> Iterator[tuple[str, str]]:
    lines = text.splitlines(keepends=True)
    for parent in ast.walk(ast.parse(text)):
        for node in parent.body if isinstance(parent, (ast.Module, ast.ClassDef)) else ():
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and "__mutmut_" in node.name:
                yield node.name, "".join(lines[node.lineno - 1 : node.end_lineno])


def _lines(before: str, after: str) -> tuple[str, str]:
    """The lines that differ, without their indentation."""
    marked = [*difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)][2:]
    left, right = (["".join(line[1:].strip()) for line in marked if line[0] == sign] for sign in "-+")
    return "\n".join(left), "\n".join(right)


def _other_text(node: cst.BaseString) -> Iterator[cst.BaseString]:
    """mutmut's first change of a text; the others change its case, which tells no more."""
    yield from islice(operator_string(node), 1)


def _nothing_sent(node: cst.Tuple) -> Iterator[cst.Tuple]:
    for spot, element in enumerate(node.elements if node.lpar else ()):  # without parentheses: a target
        for nothing in (cst.Name("None"), cst.Float("0.0")):
            if not element.value.deep_equals(nothing):
                changed = element.with_changes(value=nothing)
                yield node.with_changes(elements=[*node.elements[:spot], changed, *node.elements[spot + 1 :]])


def _wrong_order(node: cst.Call) -> Iterator[cst.Call]:
    for spot, (left, right) in enumerate(zip(node.args, node.args[1:], strict=False)):
        if not (left.star or right.star or left.keyword or right.keyword):
            swapped = [left.with_changes(value=right.value), right.with_changes(value=left.value)]
            yield node.with_changes(args=[*node.args[:spot], *swapped, *node.args[spot + 2 :]])


def _left_out(node: cst.Expr) -> Iterator[cst.Pass]:
    called = node.value.expression if isinstance(node.value, cst.Await) else node.value
    if isinstance(called, cst.Call):
        yield cst.Pass()
