"""The list of changes that may survive, `survivors.toml`, and the functions that its entries name.

mutmut changes plain functions only, so it is given plain modules: in `plain(text)` a property is a function
and an assignment, and a lambda in a table is a function with a name.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).resolve().parents[2] / "src" / "minigrad"
LISTED = Path(__file__).with_name("survivors.toml")
PACKAGES_LISTED = Path(__file__).with_name("package_survivors.toml")  # of samples


class Change(NamedTuple):
    """One change, or several with the same lines in the same function."""

    file: str
    function: str
    before: str
    after: str

    def __str__(self) -> str:
        lines = [f"- {line}" for line in self.before.splitlines()]
        lines += [f"+ {line}" for line in self.after.splitlines()]
        return "\n    ".join([f"{self.file}: {self.function}", *lines])


def listed(path: Path = LISTED) -> dict[Change, str]:
    """Each change that may survive, and why."""
    groups = tomllib.loads(path.read_text())["survivors"]
    return {
        Change(group["file"], *change): group["reason"] for group in groups for change in group["changes"]
    }


def outdated(changes: dict[Change, str]) -> list[Change]:
    """The entries without a reason or a difference, and those whose lines are no longer in the function."""
    found = []
    for change, reason in changes.items():
        path = SOURCE / change.file
        lines = lines_of(path.read_text(), change.function) if path.is_file() else set()
        if not reason or change.before == change.after or not set(change.before.splitlines()) <= lines:
            found.append(change)
    return found


def lines_of(text: str, function: str) -> set[str]:
    """The lines of a function of a module, without their indentation."""
    return _functions(text).get(function, set())


@cache
def _functions(text: str) -> dict[str, set[str]]:
    changed = plain(text)
    lines = [line.strip() for line in changed.splitlines()]
    found: dict[str, set[str]] = defaultdict(set)
    for parent in ast.walk(ast.parse(changed)):
        owner = f"{parent.name}." if isinstance(parent, ast.ClassDef) else ""
        for node in parent.body if isinstance(parent, (ast.Module, ast.ClassDef)) else ():
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found[owner + called(node.name)] |= {*lines[node.lineno - 1 : node.end_lineno]}
    return found


def called(name: str) -> str:
    """The name that a function of a plain module has in the source."""
    return re.sub("__undecorated_.*", "", name)


def plain(text: str) -> str:
    """The same module with functions where mutmut would see none: it skips what is decorated, and tables."""
    return undecorated(with_names(text))


def with_names(text: str) -> str:
    """The lambdas in the calls and tables at the top of a module, as functions with names of their own."""
    return _named(text)[0]


def with_lambdas(changed: str, original: str) -> str:
    """A module as it was written, but for a change that was made where its lambdas have names."""
    named, lambdas = _named(original)
    for name, as_written in lambdas.items():
        definition = re.compile(rf"^def {name}\((.*)\):\n    return (.*)\n", re.MULTILINE)
        before, after = definition.search(named), definition.search(changed)
        assert before is not None
        assert after is not None
        words = as_written if before[0] == after[0] else f"lambda {after[1]}: {after[2]}"
        changed = re.sub(rf"\b{name}\b", lambda _, words=words: words, changed.replace(after[0], "", 1))
    return changed


def _named(text: str) -> tuple[str, dict[str, str]]:
    """The same module with names for its lambdas, and how each was written."""
    lines, taken, written = text.encode().splitlines(), set[str](), dict[str, str]()  # ast counts bytes
    for statement in reversed(ast.parse(text).body):
        if not isinstance(statement, (ast.Expr, ast.Assign, ast.AnnAssign)):
            continue
        word = next((str(n.value) for n in ast.walk(statement) if isinstance(n, ast.Constant)), "")
        stem, found, functions = re.sub(r"\W+", "_", word), [*_lambdas(statement)], list[bytes]()
        names = list(islice((s for i in count(1) if (s := f"row_{stem}_{i}") not in taken), len(found)))
        taken.update(names)
        for node, name in zip(reversed(found), reversed(names), strict=True):
            written[name] = ast.get_source_segment(text, node) or ""
            head = lines[node.lineno - 1][: node.col_offset]
            tail = lines[(node.end_lineno or 0) - 1][node.end_col_offset :]
            lines[node.lineno - 1 : node.end_lineno] = [head + name.encode() + tail]
            body = f"    return {ast.unparse(node.body)}"
            functions += [f"def {name}({ast.unparse(node.args)}):".encode(), body.encode()]
        lines[statement.lineno - 1 : statement.lineno - 1] = functions
    return b"\n".join(lines).decode() + "\n", written


def _lambdas(node: ast.AST) -> Iterator[ast.Lambda]:
    """Those that need no variable of what is around them."""
    if isinstance(node, ast.Lambda):
        yield node
    elif not isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        for child in ast.iter_child_nodes(node):
            yield from _lambdas(child)


def undecorated(text: str) -> str:
    """`name = property(function)` in place of decorators."""
    lines = text.splitlines()
    found = [
        node
        for parent in ast.walk(ast.parse(text))
        if isinstance(parent, (ast.Module, ast.ClassDef))
        for node in parent.body
        if isinstance(node, ast.FunctionDef)
        and node.decorator_list
        and not {"classmethod", "staticmethod", "overload"} & {_word(d) for d in node.decorator_list}
    ]
    for node in sorted(found, key=lambda node: node.lineno, reverse=True):
        name = f"{node.name}__undecorated_{_word(node.decorator_list[0])}"
        made = name
        for decorator in reversed(node.decorator_list):
            made = f"{ast.unparse(decorator)}({made})"
        assert node.end_lineno is not None
        lines.insert(node.end_lineno, f"{' ' * node.col_offset}{node.name} = {made}")
        lines[node.lineno - 1] = lines[node.lineno - 1].replace(f"def {node.name}(", f"def {name}(", 1)
        del lines[node.decorator_list[0].lineno - 1 : node.lineno - 1]
    return "\n".join(lines) + "\n"


def _word(decorator: ast.expr) -> str:
    """The last word of a decorator: `setter` of `@data.setter`, `lru_cache` of `@lru_cache(maxsize=32)`."""
    named = decorator.func if isinstance(decorator, ast.Call) else decorator
    return named.attr if isinstance(named, ast.Attribute) else ast.unparse(named)
