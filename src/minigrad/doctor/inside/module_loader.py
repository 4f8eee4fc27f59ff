"""Loader of the examined source: it runs the definitions and what they need, not the training loops.

A file of an engine often trains a model, draws a plot or asks for input when it is run.  So only
imports and definitions are run, the statements that bind a name which the definitions need, and those
that add to a class.  A statement that fails is left out and reported; an import of a library that is
not installed gives a stand-in that says so when it is used.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
import os
import sys
import types
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from typing import NoReturn

from . import op_spellings
from .lazy_libraries import LazyLibraries

__all__ = ["Missing", "SourceOverrides", "import_libraries", "load", "neighbours"]

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)


class Missing:
    """Stands where a library would be that is not installed."""

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_missing", name)

    def __getattr__(self, name: str) -> Missing:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Missing(f"{object.__getattribute__(self, '_missing')}.{name}")

    def __call__(self, *args: object, **kwargs: object) -> NoReturn:
        name = object.__getattribute__(self, "_missing").partition(".")[0]
        raise ImportError(f"No module named {name!r}", name=name)

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        return (object,)  # class Layer(nn.Module)


def load(
    source: str, filename: str, name: str, package: str | None, classes: list[str]
) -> tuple[types.ModuleType, list[tuple[int, Exception, str]], list[int]]:
    """A module out of a source text, what went wrong as [(line, error, name), ...], and the lines of
    statements that were not run."""
    tree = ast.parse(source, filename)
    module = types.ModuleType(name)
    module.__file__ = filename
    if package is not None:
        module.__package__ = package
        module.__spec__ = ModuleSpec(name, None, origin=filename)
        _packages(package, os.path.dirname(filename))
    sys.modules[name] = module
    failed: list[tuple[int, Exception, str]] = []
    not_run: list[int] = []
    wanted = _wanted(tree, set(classes))
    lazy = next((finder for finder in sys.meta_path if isinstance(finder, LazyLibraries)), None)
    for statement in tree.body:
        if lazy is not None:
            lazy.examined = isinstance(statement, ast.ClassDef) and statement.name in classes
        if id(statement) not in wanted:
            if not _says_nothing(statement):
                not_run.append(statement.lineno)
            continue
        try:
            if isinstance(statement, IMPORTS):
                _import(statement, module.__dict__, filename)
            else:
                _execute([statement], module.__dict__, filename)
        except Exception as error:
            failed.append((statement.lineno, error, getattr(statement, "name", "")))
    return module, failed, not_run


def _says_nothing(statement: ast.stmt) -> bool:
    """A docstring, `pass`, or what is only for running the file itself."""
    if isinstance(statement, ast.If):
        return "__name__" in ast.dump(statement.test)
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


class _Package(types.ModuleType):
    """A package whose own file is run only when something is asked of it.

    That file usually imports the very module that is being loaded, which is not there yet.
    """

    def __getattr__(self, name: str) -> object:
        names = self.__dict__
        if name.startswith("__"):
            raise AttributeError(name)
        folder = names["__path__"][0]
        if any(os.path.isfile(os.path.join(folder, *at)) for at in ((f"{name}.py",), (name, "__init__.py"))):
            return importlib.import_module(f"{names['__name__']}.{name}")
        path = os.path.join(folder, "__init__.py")
        if not names.get("has_run") and os.path.isfile(path):
            names["has_run"] = True
            with open(path, encoding="utf-8") as file:
                exec(compile(file.read(), path, "exec"), names)
            if name in names:
                return names[name]
        raise AttributeError(f"module {names['__name__']!r} has no attribute {name!r}")


def _packages(package: str, folder: str) -> None:
    """The packages around a file, the innermost being `folder`."""
    parts = package.split(".")
    for depth in range(len(parts), 0, -1):
        name = ".".join(parts[:depth])
        if name not in sys.modules:
            around = _Package(name)
            around.__path__ = [folder]
            around.__package__ = name
            around.__spec__ = ModuleSpec(name, None, is_package=True)
            sys.modules[name] = around
        folder = os.path.dirname(folder)


def neighbours(module: types.ModuleType, package: str | None, folder: str) -> dict[str, types.ModuleType]:
    """The modules that were loaded along from beside the examined file, by name; a package's own last."""
    if package is not None:
        with contextlib.suppress(Exception):
            getattr(sys.modules[package], "anything_at_all", None)  # runs the package's own file
    found = {}
    for name, other in list(sys.modules.items()):
        file = getattr(other, "__file__", None)
        if other is not module and file and os.path.dirname(file).startswith(folder):
            found[name] = other
    return found


def import_libraries(source: str, beside: list[str]) -> None:
    """Import what a source imports from elsewhere than beside it: processes that are forked now have it."""
    for statement in ast.parse(source).body:
        names = []
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
            names = [statement.module]
        for name in names:
            if PathFinder.find_spec(name.partition(".")[0], beside) is None:
                with contextlib.suppress(Exception):  # who needs it will see
                    importlib.import_module(name)


class SourceOverrides:
    """Imports a file with another text than the one on the disk.

    It has what Python asks of a finder and of a loader; importlib.abc, where both are classes, takes as long
    to import as half of all that the child needs.
    """

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin in self.texts:
            spec.loader = self  # type: ignore[assignment]
            return spec
        return None

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        names = module.__dict__
        file = names["__file__"] = names["__spec__"].origin
        exec(compile(self.texts[file], file, "exec"), names)


def _execute(statements: list[ast.stmt], names: dict[str, object], filename: str) -> None:
    exec(compile(ast.Module(statements, []), filename, "exec"), names)


def _import(statement: ast.Import | ast.ImportFrom, names: dict[str, object], filename: str) -> None:
    try:
        _execute_with_stand_ins(statement, names, filename)
    except ImportError as error:
        if isinstance(statement, ast.ImportFrom) and (statement.level or statement.module == "__future__"):
            raise
        for alias in statement.names:
            bound = alias.asname or alias.name.partition(".")[0]
            if bound != "*":
                names[bound] = Missing(error.name or alias.name)


class _MissingModule(types.ModuleType):
    """Stands in for a library that a neighbouring file imports and does not need for what is examined."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> Missing:
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(f"{self.__name__}.{name}")


def _execute_with_stand_ins(
    statement: ast.Import | ast.ImportFrom, names: dict[str, object], filename: str
) -> None:
    """Run an import; where a file that it leads to lacks a library, once more with a stand-in for that."""
    own = {alias.name for alias in statement.names}
    if isinstance(statement, ast.ImportFrom):
        own = {statement.module or ""}
    for _ in range(12):
        try:
            return _execute([statement], names, filename)
        except ModuleNotFoundError as error:
            if not error.name or error.name in own or error.name.partition(".")[0] in own:
                raise
            sys.modules[error.name] = _MissingModule(error.name)
    return _execute([statement], names, filename)


def _wanted(tree: ast.Module, classes: set[str]) -> set[int]:
    """The ids of the statements to run."""
    usual = {op_spellings.plain(n) for names in op_spellings.METHODS.values() for n in names}
    usual |= {op_spellings.plain(name) for name in op_spellings.BACKWARD}
    roots: list[ast.stmt] = [
        statement
        for statement in tree.body
        if isinstance(statement, DEFINITIONS)
        and (isinstance(statement, ast.ClassDef) or op_spellings.plain(statement.name) in usual)
    ]
    wanted = {id(statement) for statement in tree.body if isinstance(statement, (*DEFINITIONS, *IMPORTS))}
    binding: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        if _adds_to(statement, classes) or _holds_definitions(statement):
            wanted.add(id(statement))
            roots.append(statement)
        for name in _bound(statement):
            binding.setdefault(name, []).append(statement)
    seen: set[str] = set()
    waiting: list[ast.stmt] = list(roots)
    while waiting:
        for name in _loaded(waiting.pop()):
            if name not in seen and name in binding and not hasattr(builtins, name):
                seen.add(name)
                for statement in binding[name]:
                    if id(statement) not in wanted:
                        wanted.add(id(statement))
                        waiting.append(statement)
                    elif isinstance(statement, DEFINITIONS):
                        waiting.append(statement)
    return wanted


def _holds_definitions(statement: ast.stmt) -> bool:
    """`try: import numpy`, `if TYPE_CHECKING:` and the like."""
    if not isinstance(statement, (ast.Try, ast.If)):
        return False
    if isinstance(statement, ast.If) and "__name__" in ast.dump(statement.test):
        return False
    return any(isinstance(inner, (*DEFINITIONS, *IMPORTS)) for inner in statement.body)


def _adds_to(statement: ast.stmt, classes: set[str]) -> bool:
    """`Value.relu = relu`, `setattr(Value, "relu", relu)`, a loop over such, and the limit of recursion."""
    if isinstance(statement, ast.For):
        inside = [inner for inner in ast.walk(statement) if isinstance(inner, (ast.Assign, ast.Expr))]
        return any(_adds_to(inner, classes) for inner in inside)
    if isinstance(statement, ast.Assign):
        return any(
            isinstance(target, ast.Attribute)
            and isinstance(target.value, ast.Name)
            and target.value.id in classes
            for target in statement.targets
        )
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        called = ast.unparse(call.func)
        if called == "setattr" and call.args:
            return isinstance(call.args[0], ast.Name) and call.args[0].id in classes
        return called in ("sys.setrecursionlimit", "setrecursionlimit")
    return False


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement binds at the top of the module."""
    if isinstance(statement, DEFINITIONS):
        return {statement.name}
    return {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _loaded(statement: ast.stmt) -> set[str]:
    """The names that a statement may look up, those of its functions' own variables left out."""
    names: set[str] = set()
    _collect(statement, frozenset(), names)
    return names


def _collect(node: ast.AST, own: frozenset[str], names: set[str]) -> None:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [extra for extra in (arguments.vararg, arguments.kwarg) if extra]
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            if default is not None:
                _collect(default, own, names)
        for decorator in getattr(node, "decorator_list", []):
            _collect(decorator, own, names)
        shared = {n for inner in ast.walk(node) if isinstance(inner, ast.Global) for n in inner.names}
        stored = {
            inner.id
            for inner in ast.walk(node)
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
        }
        names |= shared
        inside = own | {argument.arg for argument in every} | (stored - shared)
        body = node.body if isinstance(node.body, list) else [node.body]
        for inner in body:
            _collect(inner, inside, names)
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in own:
        names.add(node.id)
    for child in ast.iter_child_nodes(node):
        _collect(child, own, names)
