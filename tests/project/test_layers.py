"""The layers of the package: who may import whom, what is public, what an import loads.

Each rule is a function over the source, and each has a test in which it must find a planted violation.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import minigrad
from source_trees import PACKAGE, ROOT, sources

# ---- who may import whom ------------------------------------------------------------------------

LAYERS = tomllib.loads(Path(__file__).with_name("layers.toml").read_text(encoding="utf-8"))["layer"]
LAYER_OF = {unit: number for number, layer in enumerate(LAYERS) for unit in layer}

# Imports inside a function that go up, or sideways: done only when somebody asks.
DOORS = {
    ("scalar", "values.copies"),  # copy.copy(v), pickle.dumps(v)
    ("learn", "cli"),  # a lesson shows what a command prints
}
VERSION = {"cli", "studio", "learn"}  # they ask minigrad itself for its version, inside a function


def module_of(path: Path) -> str:
    """graph/trace.py is `graph.trace`, graph/__init__.py is `graph`, the top __init__.py is `__init__`."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def unit_of(module: str) -> str:
    """The unit that a module belongs to: the longest name in the table that it begins with."""
    parts = module.split(".")
    known = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((unit for unit in known if unit in LAYER_OF), f"{parts[0]} (in no layer)")


@cache
def modules() -> frozenset[str]:
    return frozenset(map(module_of, sources()))


def imports_of(tree: ast.AST, package: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """The units that a file imports from, and whether it does so when it is imported itself."""
    typing_only = {id(node) for block in ast.walk(tree) if for_types_only(block) for node in ast.walk(block)}
    at_once = {id(node) for node in run_at_once(tree)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.level or id(node) in typing_only:
            continue
        base = package[1 : len(package) - node.level + 1]
        source = ".".join((*base, *filter(None, (node.module,))))
        for alias in node.names:
            name = f"{source}.{alias.name}".removeprefix(".")
            target = name if name in modules() else source or "__init__"
            yield unit_of(target), id(node) in at_once


def for_types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def run_at_once(tree: ast.AST) -> Iterator[ast.AST]:
    """The parts of a file that run when it is imported."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if for_types_only(node):
            waiting += node.orelse  # type: ignore[attr-defined]
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)


def violations(tree: ast.AST, unit: str, package: tuple[str, ...] = ("minigrad",)) -> list[str]:
    """The imports of a file that point up or sideways."""
    found = []
    for other, at_once in imports_of(tree, package):
        if other == unit or LAYER_OF.get(other, len(LAYERS)) < LAYER_OF.get(unit, -1):
            continue
        if other == "__init__" and unit in VERSION and not at_once:
            continue
        if at_once or (unit, other) not in DOORS:
            found.append(f"{unit} imports {other}")
    return found


def package_of(path: Path) -> tuple[str, ...]:
    return ("minigrad", *path.relative_to(PACKAGE).parts[:-1])


def test_every_file_has_its_layer():
    unknown = {module_of(path) for path in sources() if unit_of(module_of(path)) not in LAYER_OF}
    assert not unknown, f"give these a layer in layers.toml: {sorted(unknown)}"


def test_every_unit_is_there_and_stands_in_one_layer():
    assert set(LAYER_OF) <= modules()
    assert len(LAYER_OF) == sum(map(len, LAYERS))
    assert all(len(words) == 2 and all(words) for layer in LAYERS for words in layer.values())


def test_imports_point_one_way():
    found = {
        str(path.relative_to(PACKAGE)): violations(tree, unit_of(module_of(path)), package_of(path))
        for path, tree in sources().items()
    }
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    ("source", "unit", "package", "found"),
    [
        ("from .graph import Graph", "scalar", ("minigrad",), ["scalar imports graph"]),
        ("from . import graph", "ops", ("minigrad",), ["ops imports graph"]),
        (
            "from . import verify as v, cli",
            "graph",
            ("minigrad",),
            ["graph imports verify", "graph imports cli"],
        ),
        (
            "from ..explanation import explain",
            "verify",
            ("minigrad", "verify"),
            ["verify imports explanation"],
        ),
        (
            "from ..explanation.walk import render",
            "verify",
            ("minigrad", "verify"),
            ["verify imports explanation"],
        ),
        (
            "from ..faults import catalogue",
            "explanation",
            ("minigrad", "explanation"),
            ["explanation imports faults"],
        ),
        ("def f():\n from .graph.trace import trace", "ops", ("minigrad",), ["ops imports graph"]),
        ("if True:\n from ..cli import main", "graph", ("minigrad", "graph"), ["graph imports cli"]),
        ("from .. import Value", "graph", ("minigrad", "graph"), ["graph imports __init__"]),
        ("from .. import ops", "text", ("minigrad", "text"), ["text imports ops"]),
        ("from ..attic import box", "cli", ("minigrad", "cli"), ["cli imports attic (in no layer)"]),
        # units inside a package, by whichever spelling
        ("from . import notation", "graph", ("minigrad", "graph"), ["graph imports graph.notation"]),
        ("from .notation.latex import x", "graph", ("minigrad", "graph"), ["graph imports graph.notation"]),
        ("from .duel import duel", "training", ("minigrad", "training"), ["training imports training.duel"]),
        ("from ...nn import SGD", "training.duel", ("minigrad", "training", "duel"), []),
        # and what is allowed
        ("from .trace import trace", "graph", ("minigrad", "graph"), []),
        ("from ..verify import Testimony", "explanation", ("minigrad", "explanation"), []),
        ("from .walk import render", "explanation", ("minigrad", "explanation"), []),
        ("def f():\n from .values.copies import deep", "scalar", ("minigrad",), []),
        ("from .values.copies import deep", "scalar", ("minigrad",), ["scalar imports values.copies"]),
        ("if TYPE_CHECKING:\n from .cli import main", "scalar", ("minigrad",), []),
    ],
)
def test_a_planted_import_is_seen(source, unit, package, found):
    assert violations(ast.parse(source), unit, package) == found


def test_every_door_is_in_use():
    used = set()
    for path, tree in sources().items():
        unit = unit_of(module_of(path))
        for other, at_once in imports_of(tree, package_of(path)):
            if not at_once and other != unit and LAYER_OF[other] >= LAYER_OF[unit]:
                used.add((unit, other))
    assert used >= DOORS
    assert {unit for unit, other in used if other == "__init__"} == VERSION


# ---- only the standard library ------------------------------------------------------------------


def foreign_imports(nodes: Iterable[ast.AST]) -> list[str]:
    """Absolute imports of anything that Python does not bring along; relative ones are ours."""
    found = []
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        else:
            continue
        found += [name for name in names if name.partition(".")[0] not in sys.stdlib_module_names]
    return found


# The files that are about a library; each imports it inside a function, when it is asked for, or for types.
GUESTS = {
    "compiler/numpy_loader.py": {"numpy"},
    "compiler/cluster.py": {"distributed"},
    "compiler/elementwise.py": {"numpy"},
    "compiler/export/c_check.py": {"numpy"},
    "compiler/export/c_text.py": {"numpy"},
    "compiler/export/export_check.py": {"numpy"},
    "compiler/export/dialect.py": {"numpy"},
    "compiler/export/jax_check.py": {"numpy"},
    "compiler/export/job.py": {"numpy"},
    "compiler/export/onnx_graph.py": {"numpy"},
    "compiler/export/onnx_model.py": {"numpy"},
    "compiler/export/places.py": {"numpy"},
    "compiler/export/python_text.py": {"numpy"},
    "compiler/export/instruction_families.py": {"numpy"},
    "compiler/export/sums.py": {"numpy"},
    "compiler/export/torch_text.py": {"numpy", "torch"},
    "compiler/export/views.py": {"numpy"},
    "compiler/export/writer.py": {"numpy"},
    "compiler/passes/affine.py": {"numpy"},
    "compiler/passes/layout.py": {"numpy"},
    "compiler/passes/reuse.py": {"numpy"},
    "compiler/passes/instructions.py": {"numpy"},
    "compiler/reference.py": {"numpy"},
    "compiler/executors.py": {"numpy"},
    "compiler/plan.py": {"numpy"},
    "doctor/inside/adapter.py": {"numpy"},
    "doctor/pytest_plugin.py": {"_pytest", "pytest"},
    "drawing/png.py": {"resvg_py"},
    "studio/server.py": {"h11", "starlette", "uvicorn"},
    "doctor/rules/cropped_inputs.py": {"torch"},
    "doctor/rules/jax_calls.py": {"jax", "numpy"},
    "doctor/rules/jax_conduct.py": {"jax"},
    "doctor/rules/jax_rules.py": {"jax", "numpy"},
    "doctor/rules/memory_probes.py": {"torch"},
    "doctor/rules/module_copies.py": {"torch"},
    "doctor/rules/proof.py": {"numpy", "torch"},
    "doctor/rules/proof_samples.py": {"torch"},
    "doctor/rules/rule_targets.py": {"torch"},
    "doctor/rules/shape_probes.py": {"torch"},
    "doctor/rules/symbolic_tensors.py": {"numpy"},
    "doctor/rules/torch_calls.py": {"torch"},
    "doctor/rules/torch_conduct.py": {"torch"},
    "doctor/rules/torch_rules.py": {"torch"},
    "doctor/rules/transform_probes.py": {"torch"},
    "xray/backward_record.py": {"torch"},
    "xray/build_record.py": {"torch"},
    "xray/child.py": {"torch"},
    "xray/examination.py": {"torch"},
    "xray/findings/backward_rules.py": {"torch"},
    "xray/findings/finiteness.py": {"torch"},
    "xray/findings/leaks.py": {"torch"},
    "xray/findings/loops.py": {"torch"},
    "xray/findings/losses.py": {"torch"},
    "xray/findings/parameters.py": {"torch"},
    "xray/findings/zeros.py": {"torch"},
    "xray/forward_record.py": {"torch"},
    "xray/ledger.py": {"torch"},
    "xray/loop_record.py": {"torch"},
    "xray/program_state.py": {"torch"},
    "xray/reduction_child.py": {"torch"},
    "xray/scalar_cone.py": {"torch"},
    "xray/scalar_recorder.py": {"torch"},
    "xray/subject.py": {"torch"},
    "xray/tensor_trace.py": {"torch"},
    "verify/witnesses/high_precision.py": {"mpmath"},
    "verify/witnesses/hips_autograd.py": {"autograd"},
    "verify/witnesses/pytorch.py": {"torch"},
    "verify/witnesses/symbolic.py": {"mpmath", "sympy"},
    "verify/witnesses/jax_library.py": {"jax"},
}


def test_only_the_standard_library_is_imported_and_our_own_files_by_relative_imports():
    found = {
        str(path.relative_to(PACKAGE)): {name.partition(".")[0] for name in foreign_imports(ast.walk(tree))}
        for path, tree in sources().items()
    }
    assert {name: foreign for name, foreign in found.items() if foreign} == GUESTS
    at_once = {path: foreign_imports(run_at_once(tree)) for path, tree in sources().items()}
    assert {path: foreign for path, foreign in at_once.items() if foreign} == {}


@pytest.mark.parametrize(
    ("source", "found", "at_once"),
    [
        ("import numpy as np\nfrom os import path", ["numpy"], ["numpy"]),
        ("def f():\n    from torch.nn import Linear", ["torch.nn"], []),
        (
            "from minigrad.scalar import Value\nimport minigrad",
            ["minigrad.scalar", "minigrad"],
            ["minigrad.scalar", "minigrad"],
        ),
        ("from .scalar import Value\nimport math, json.decoder", [], []),
        ("class A:\n    import torch", ["torch"], ["torch"]),
        ("if TYPE_CHECKING:\n    import torch\nelse:\n    import jax", ["torch", "jax"], ["jax"]),
        ("if checking:\n    import torch", ["torch"], ["torch"]),
        ("def f():\n    pass\nimport torch", ["torch"], ["torch"]),
    ],
)
def test_a_planted_foreign_import_is_seen(source, found, at_once):
    tree = ast.parse(source)
    assert foreign_imports(ast.walk(tree)) == found
    assert sorted(foreign_imports(run_at_once(tree))) == sorted(at_once)


def run(program: str, *flags: str, **environment: str) -> str:
    """What a program prints in a fresh Python in the root of the repository, with nothing on its path."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MINIGRAD"))}
    done = subprocess.run(
        [sys.executable, "-W", "error", *flags, "-c", program],
        cwd=ROOT,
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


LOADED = """
import sys
before = set(sys.modules)
sys.path.insert(0, "src")
{program}
print("\\n".join(sorted(set(sys.modules) - before)))
"""


def test_importing_minigrad_needs_nothing_but_the_standard_library():
    """Without site-packages at all: -S leaves them out, -I ignores the environment."""
    for program in (
        "import minigrad",
        "import minigrad.cli, minigrad.explanation, minigrad.functional, minigrad.verify",
        "from minigrad import *",
    ):
        loaded = run(LOADED.format(program=program), "-I", "-S").split()
        strangers = [
            name for name in loaded if name.partition(".")[0] not in {*sys.stdlib_module_names, "minigrad"}
        ]
        assert strangers == []


def test_importing_minigrad_loads_nothing_but_its_list_of_names():
    loaded = run(LOADED.format(program="import minigrad"), "-I", "-S").split()
    ours = {name for name in loaded if name.startswith("minigrad")}
    assert ours == {"minigrad", "minigrad.text", "minigrad.text.lazy_names"}
    assert not {"inspect", "dataclasses", "json", "argparse", "pickle", "ast"} & set(loaded)


def test_the_engine_loads_only_what_it_needs():
    loaded = run(LOADED.format(program="from minigrad import Value; Value(2.0) * 3"), "-I", "-S").split()
    units = {unit_of(name.removeprefix("minigrad.")) for name in loaded if name.startswith("minigrad.")}
    above = {unit for unit in units if LAYER_OF[unit] > LAYER_OF["scalar"]}
    assert above == set()
    assert not {"inspect", "dataclasses", "json", "argparse", "pickle", "ast"} & set(loaded)


EXPLAINING = """
import os
from minigrad.cli import main
kept, sys.stdout = sys.stdout, open(os.devnull, "w", encoding="utf-8")
assert main(["explain", "ab = a*b; e = ab + c; f = a - c; L = e*f", "a=2", "b=3", "c=4"{more}]) == 0
sys.stdout.close()
sys.stdout = kept
"""


def loaded_to_explain(more: str = "") -> tuple[set[str], set[str]]:
    """What `minigrad explain` has loaded when it is done: units of ours, and all modules."""
    loaded = run(LOADED.format(program=EXPLAINING.format(more=more)), "-I", "-S").split()
    ours = {name for name in loaded if name.startswith("minigrad.")}
    return {unit_of(name.removeprefix("minigrad.")) for name in ours}, set(loaded)


def test_explaining_in_words_loads_no_package_that_it_does_not_need():
    """Start-up is held by what is loaded: seconds would be those of the machine (bench/startup.py)."""
    units, modules = loaded_to_explain()
    unneeded = {"compiler", "doctor", "faults", "functional", "graph.notation", "graph.variable_names"}
    assert not units & {*unneeded, "learn", "nn", "player", "studio", "training", "training.duel"}
    assert "minigrad.graph.json_reader" not in modules
    slow = {"argparse", "asyncio", "ctypes", "email", "http", "logging", "multiprocessing", "pickle"}
    assert not modules & {
        *slow,
        "socket",
        "subprocess",
        "tempfile",
        "unittest",
        "urllib.request",
        "xml",
        "zipfile",
    }


def test_a_package_that_is_loaded_is_seen(tmp_path):
    units, modules = loaded_to_explain(f', "--out", {str(tmp_path / "pass.html")!r}')
    assert {"explanation", "player"} <= units
    assert "dataclasses" in modules


def test_importing_minigrad_has_no_side_effects():
    """Nothing is printed, no thread is started, and the numbers of others are left alone."""
    program = (
        "import decimal, os, random, sys, threading, warnings\n"
        "state = random.getstate(), sys.getrecursionlimit(), decimal.getcontext().prec, dict(os.environ),"
        " list(warnings.filters)\n"
        "import minigrad, minigrad.cli, minigrad.explanation\n"
        "assert state == (random.getstate(), sys.getrecursionlimit(), decimal.getcontext().prec,"
        " dict(os.environ), list(warnings.filters))\n"
        "assert threading.active_count() == 1\n"
    )
    assert run(program) == ""


# ---- the public names ---------------------------------------------------------------------------

PUBLIC = {
    "ENGINE", "Graph", "Value", "backward", "compile", "explain", "grad", "gradcheck", "hessian", "jacobian",
    "jvp", "name", "naming", "no_grad", "parse", "take", "trace", "value_and_grad", "vjp",
}  # fmt: skip


def test_the_public_names_are_these():
    assert set(minigrad.__all__) == PUBLIC
    assert len(minigrad.__all__) == len(PUBLIC)
    for name in PUBLIC:
        assert callable(getattr(minigrad, name)) or name == "ENGINE"
    assert set(dir(minigrad)) >= PUBLIC
    with pytest.raises(AttributeError, match="no attribute 'relu'"):
        minigrad.relu  # noqa: B018


def test_a_name_is_the_same_thing_however_it_is_reached():
    import minigrad.graph.trace
    from minigrad import explain, functions, graph, parse, trace

    assert minigrad.Graph is graph.Graph
    assert minigrad.functions.sum is functions.sum
    assert parse is minigrad.language.parse
    a = minigrad.Value(3.0, label="a")
    for call in (trace, minigrad.trace, minigrad.graph.trace.trace):
        assert call(minigrad.Graph.of(a * a)).gradients == {"a": 6.0}
    for call in (explain, minigrad.explain, minigrad.explanation.explain):
        assert call(a * a).gradients == {"a": 6.0}


def test_a_package_is_loaded_when_it_is_first_used():
    program = "import minigrad as m; print(m.functions.exp(0.0).data, m.graph.Graph is m.Graph)"
    assert run(program) == "1.0 True\n"


def exporting(tree: ast.Module) -> bool:
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)


def test_every_module_has_a_docstring_and_what_it_says_it_exports():
    assert [path for path, tree in sources().items() if not ast.get_docstring(tree)] == []
    exporters = [module_of(path) for path, tree in sources().items() if exporting(tree)]
    assert len(exporters) > 200
    for name in exporters:
        module = import_module(f"minigrad.{name}")
        assert [exported for exported in module.__all__ if not hasattr(module, exported)] == [], name


def test_no_module_is_called_utils():
    for path in [*PACKAGE.rglob("*"), *(ROOT / "tests").rglob("*.py")]:
        assert not re.search(r"util|helper|misc|common", path.stem), path


def test_the_environment_chooses_the_language():
    program = "from src.minigrad.text.translation import say; print(say('op.count.one'))"
    assert run(program, MINIGRAD_LANG="es") == "1 argumento\n"
    assert run(program, MINIGRAD_LANG="en", LANG="es_ES.UTF-8") == "1 argument\n"
    assert run(program, LC_ALL="es_MX.UTF-8") == "1 argumento\n"


# ---- the seed documents' own commands -----------------------------------------------------------


def test_the_documents_import_works_from_the_root_of_the_repository():
    program = """
from src.minigrad.scalar import Value
a, b, c = Value(2.0, label='a'), Value(3.0, label='b'), Value(4.0, label='c')
L = (a*b + c) * (a - c)
L.backward()
print(a.grad, b.grad, c.grad)
x, y = Value(3.0), Value(5.0)
(x * y).backward()
print(f'x.grad = {x.grad} (expected 5)', f'y.grad = {y.grad} (expected 3)')
"""
    expected = "4.0 -4.0 -12.0\nx.grad = 5.0 (expected 5) y.grad = 3.0 (expected 3)\n"
    assert run(program) == expected
    assert run(program, PYTHONPATH="") == expected
    assert run(program, "-S") == expected  # minigrad is not even installed there


def test_every_package_can_be_reached_from_there():
    program = """
import src.minigrad as m
a = m.Value(2.0, label='a')
print(m.explain(a * a).gradients, m.trace(m.Graph.of(a * a)).gradients, m.grad(lambda x: x**2)(3.0))
"""
    assert run(program) == "{'a': 4.0} {'a': 4.0} 6.0\n"
