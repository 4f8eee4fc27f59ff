"""Module of a rule, loaded in the child: a file, a file inside a package, a notebook, an installed module.

load_module("kernels/norm.py", folder, "torch")     # as kernels.norm where kernels is a package
load_module("lesson.ipynb", folder, "torch")        # the definitions of its cells
load_module("package.module", folder, "jax")
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module, invalidate_caches
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from symtable import symtable
from types import ModuleType

from ..engine.source import code_cells
from .report import Remark, Unseen
from .stand_ins import import_with_stand_ins
from .subject import error_text

__all__ = ["RuleModule", "is_file_name", "load_module", "main_block"]

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
WORK = (ast.For, ast.While, ast.With, ast.AsyncFor, ast.AsyncWith)
IMPORTS = (ast.Import, ast.ImportFrom)
CUSTOM = ("custom_vjp", "custom_jvp", "custom_gradient")
# Methods that complete a rule which was defined before.
COMPLETIONS = {
    "defvjp", "defjvp", "defjvps", "register_autograd", "register_fake", "register_kernel", "register_vmap",
}  # fmt: skip


@dataclass
class RuleModule:
    """A module, and what there is to say about how it was loaded."""

    module: ModuleType
    remarks: tuple[Remark, ...]
    example: ast.Module | None  # its `if __name__ == "__main__":` block; of a notebook, what is no definition


def is_file_name(place: str) -> bool:
    return place.endswith((".py", ".ipynb"))


def load_module(place: str, folder: Path) -> RuleModule:
    """The module that a place names; raises what its import raises."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    invalidate_caches()
    if not is_file_name(place):
        return _installed(place)
    path = (folder / place).resolve()
    if path.suffix == ".ipynb":
        return _notebook(path)
    package, root = _package(path)
    if package:
        return _inside(path, package, root)
    sys.path.append(str(path.parent))
    try:
        return _of_file(path)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) or not (found := _definitions(path, error)):
            raise
        return found


def _of_file(path: Path) -> RuleModule:
    """A file that is in no package."""
    if levels := _relative_levels(path):
        above = list(reversed(path.parents[: min(levels, len(path.parents) - 1)]))
        module, absent = _below_stand_ins([(_identifier(each.name), each) for each in above], path.stem)
        return RuleModule(module, _absent(absent), main_block(path))
    module, absent = import_with_stand_ins(lambda: _by_path(path, path.stem), path.stem)
    return RuleModule(module, _absent(absent), main_block(path))


def _absent(names: tuple[str, ...]) -> tuple[Remark, ...]:
    return (Unseen("stand_in", ", ".join(names)),) if names else ()


def _installed(name: str) -> RuleModule:
    try:
        module, absent = import_with_stand_ins(lambda: import_module(name), name)
        remarks = _absent(absent)
    except Exception as error:
        absent_itself = isinstance(error, ModuleNotFoundError) and name.startswith(error.name or "?")
        if "." not in name or absent_itself:
            raise
        module, remarks = _below_stand_in_packages(name, error)
    file = getattr(module, "__file__", None)
    return RuleModule(module, remarks, main_block(Path(file)) if file else None)


def _below_stand_in_packages(name: str, error: Exception) -> tuple[ModuleType, tuple[Remark, ...]]:
    """A module of a package that cannot be imported itself."""
    top = name.partition(".")[0]
    spec = find_spec(top)
    if spec is None or not spec.submodule_search_locations:
        raise error
    _forget(top)
    return _with_stand_in_packages(name, Path(next(iter(spec.submodule_search_locations))), error)


# ---- files --------------------------------------------------------------------------------------


def _package(path: Path) -> tuple[str, Path]:
    """The package that a file is in, "" for none, and the folder above it."""
    folder = path.parent
    parts: list[str] = []
    while (folder / "__init__.py").is_file() and folder.name.isidentifier() and folder != folder.parent:
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts), folder


def _by_path(path: Path, name: str) -> ModuleType:
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = module_from_spec(spec)
    before = sys.modules.get(name)
    sys.modules[name] = module  # so that what is defined in it can be found again
    try:
        spec.loader.exec_module(module)
    except BaseException:
        if before is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = before
        raise
    return module


def _inside(path: Path, package: str, root: Path) -> RuleModule:
    """A file of a package under its own name; below stand-ins where the package itself cannot be imported."""
    name = package if path.stem == "__init__" else f"{package}.{path.stem}"
    sys.path.insert(0, str(root))
    top = package.partition(".")[0]
    _forget(top, root)
    try:
        module, absent = import_with_stand_ins(lambda: import_module(name), name)
        remarks = _absent(absent)
        if Path(getattr(module, "__file__", None) or "").resolve() != path:
            raise ImportError(f"another module is called {name}")
    except Exception as error:
        if path.stem == "__init__":
            raise
        _forget(top)
        module, remarks = _with_stand_in_packages(name, root / top, error)
    return RuleModule(module, remarks, main_block(path))


def _forget(top: str, root: Path | None = None) -> None:
    """Forget a package that was imported from elsewhere, or halfway."""
    found = sys.modules.get(top)
    if found is None:
        return
    places = [Path(each).resolve() for each in getattr(found, "__path__", ())]
    if root is not None and (root / top).resolve() in places:
        return
    for name in [each for each in sys.modules if each == top or each.startswith(f"{top}.")]:
        del sys.modules[name]


def _with_stand_in_packages(
    name: str, folder: Path, error: Exception
) -> tuple[ModuleType, tuple[Remark, ...]]:
    """A module whose packages have nothing but a path: none of their own files is run."""
    *parts, last = name.split(".")
    packages = [(part, folder.joinpath(*parts[1 : depth + 1])) for depth, part in enumerate(parts)]
    module, absent = _below_stand_ins(packages, last)
    why = Unseen("package", f"{'.'.join(parts)} ({error_text(error)})")
    return module, (why, *_absent(absent))


def _below_stand_ins(packages: list[tuple[str, Path]], last: str) -> tuple[ModuleType, tuple[str, ...]]:
    """A module below packages of these names and folders, of which nothing is run; and what was absent."""
    around = ""
    for part, folder in packages:
        around = f"{around}.{part}" if around else part
        package = ModuleType(around)
        package.__path__ = [str(folder)]
        package.__package__ = around
        package.__spec__ = ModuleSpec(around, None, is_package=True)
        sys.modules[around] = package
    name = f"{around}.{last}"
    return import_with_stand_ins(lambda: import_module(name), name)


def _relative_levels(path: Path) -> int:
    """How many folders up the relative imports of a file reach; 0 where it has none."""
    try:
        tree = ast.parse(path.read_bytes(), str(path))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return 0
    return max((node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)), default=0)


def _identifier(name: str) -> str:
    plain = "".join(c if c.isalnum() else "_" for c in name)
    return plain if plain.isidentifier() and plain not in sys.modules else f"folder_{plain}"


def main_block(path: Path) -> ast.Module | None:
    """What a file does when it is run itself."""
    try:
        tree = ast.parse(path.read_bytes(), str(path))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None
    found = [statement for each in tree.body if _is_main(each) for statement in each.body]  # type: ignore[attr-defined]
    return ast.Module(found, []) if found else None


def _is_main(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and "'__main__'" in ast.dump(statement.test)


# ---- notebooks ----------------------------------------------------------------------------------


def _notebook(path: Path) -> RuleModule:
    """The definitions of a notebook with what they need; a statement that fails is left out and told."""
    sys.path.append(str(path.parent))
    statements = list(_statements(path))
    wanted = _wanted(statements)
    module, absent, failed = _run_alone(path, [each for each in statements if id(each) in wanted])
    remarks = _absent(absent) + ((Unseen("left_out", "; ".join(failed[:3])),) if failed else ())
    rest: list[ast.stmt] = [each for each in statements if id(each) not in wanted]
    return RuleModule(module, remarks, ast.Module(rest, []) if rest else None)


def _definitions(path: Path, error: BaseException) -> RuleModule | None:
    """The definitions of a program that fails when it is imported, with what they need; None without a rule.

    A file that trains a network does so when it is imported, or asks for data and arguments.
    """
    try:
        tree = ast.parse(path.read_bytes(), str(path))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None
    if not any(_defines_rules(each) for each in tree.body):
        return None
    wanted = _wanted([each for each in tree.body if not isinstance(each, WORK)])
    module, absent, _ = _run_alone(path, [each for each in tree.body if id(each) in wanted])
    if not any(_defines_rules(each) and _name_of(each) in vars(module) for each in tree.body):
        return None
    return RuleModule(module, (*_absent(absent), Unseen("program", error_text(error))), main_block(path))


def _defines_rules(statement: ast.stmt) -> bool:
    """Is there a class with a forward and a backward in it, or a function with a rule of JAX?"""
    if not isinstance(statement, DEFINITIONS):
        return False
    for node in ast.walk(statement):
        names = {each.name for each in getattr(node, "body", ()) if isinstance(each, ast.FunctionDef)}
        if isinstance(node, ast.ClassDef) and {"forward", "backward"} <= names:
            return True
    return any(word in ast.dump(each) for each in statement.decorator_list for word in CUSTOM)


def _name_of(statement: ast.stmt) -> str:
    return str(getattr(statement, "name", ""))


def _run_alone(path: Path, statements: list[ast.stmt]) -> tuple[ModuleType, tuple[str, ...], list[str]]:
    """A module of these statements, what was absent, and the errors of those that failed."""
    name = "".join(c if c.isalnum() else "_" for c in path.stem)
    name = name if name.isidentifier() else f"notebook_{name}"
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    failed: list[str] = []
    absent: tuple[str, ...] = ()
    for statement in statements:
        try:
            code = compile(ast.Module([statement], []), str(path), "exec")
            found = import_with_stand_ins(lambda code=code: exec(code, vars(module)), name)[1]  # type: ignore[misc]
            absent += found
        except (Exception, SystemExit) as error:
            failed.append(error_text(error))
    return module, absent, failed


def _statements(path: Path) -> Iterator[ast.stmt]:
    """The statements of all cells; a cell that this Python cannot read is passed over."""
    for number, source in code_cells(path.read_text(encoding="utf-8-sig")):
        try:
            tree = ast.parse(source, f"{path}, cell {number}")
        except (SyntaxError, ValueError, RecursionError):
            continue
        yield from tree.body


def _wanted(statements: list[ast.stmt]) -> set[int]:
    """The ids of imports, definitions, what they need, and what completes a rule."""
    binding: dict[str, list[ast.stmt]] = {}
    wanted: set[int] = set()
    waiting: list[ast.stmt] = []
    for each in statements:
        for name in _names(each, ast.Store):
            binding.setdefault(name, []).append(each)
        if isinstance(each, (*DEFINITIONS, *IMPORTS)) or _completes(each) or _guards_an_import(each):
            wanted.add(id(each))
            waiting.append(each)
    while waiting:
        for name in _needed(waiting.pop()):
            for each in binding.get(name, ()):
                if id(each) not in wanted:
                    wanted.add(id(each))
                    waiting.append(each)
    return wanted


def _needed(statement: ast.stmt) -> set[str]:
    """The names of the module that a statement reads; of a definition, without its own variables."""
    if not isinstance(statement, DEFINITIONS):
        return _names(statement, ast.Load)
    try:
        tables = [symtable(ast.unparse(statement), "<statement>", "exec")]
    except (SyntaxError, ValueError, RecursionError):
        return _names(statement, ast.Load)
    found: set[str] = set()
    for table in tables:
        tables += table.get_children()
        outermost = table is tables[0]
        found |= {
            each.get_name()
            for each in table.get_symbols()
            if each.is_global() or (outermost and each.is_referenced())
        }
    return found


def _names(statement: ast.stmt, how: type[ast.expr_context]) -> set[str]:
    found = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, how)}
    return found if not (isinstance(statement, DEFINITIONS) and how is ast.Store) else {statement.name}


def _completes(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return (
        isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in COMPLETIONS
    )


def _guards_an_import(statement: ast.stmt) -> bool:
    """`try: import apex`, and the like."""
    return isinstance(statement, (ast.Try, ast.If)) and any(
        isinstance(inner, (*DEFINITIONS, *IMPORTS)) for inner in statement.body
    )
