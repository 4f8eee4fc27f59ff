"""The plan of the house, held by force: who may import whom, what is public, and that all is said twice.

Each rule is a function over the source, and each has a test in which it must find a planted violation.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import minigrad
from minigrad.messages import LANGUAGES, catalogue, say, speaking
from minigrad.ops import OPS

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "minigrad"

# ---- who may know whom --------------------------------------------------------------------------

# A room may import from the floors below its own.  Rooms of one floor do not know each other.
# `verify` stands below its siblings: an explanation ends with what a witness says about it, and
# every other room may ask one; the witnesses know none of them.
# `learn` stands above the doctor, who grades engines for it, and below the studio, which shows lessons.
FLOORS = (
    {"messages", "ieee", "formulas", "differences", "decorating", "rooms", "documents"},
    {"numerals", "ops", "arguments", "recording"},
    {"given", "_native"},
    {"scalar"},
    {"closures", "lookup"},
    {"copying", "functions", "trees", "graph"},
    {"functional", "trace", "language"},
    {"transport", "paths", "page", "printed"},
    {"wording"},
    {"drawing", "notation", "naming"},
    {"player"},
    {"verify"},
    {"explain", "faults", "nn", "compile"},
    {"training"},
    {"doctor", "duel"},
    {"learn"},
    {"studio"},
    {"commands"},
    {"cli", "installed"},
    {"__init__", "__main__"},
)
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

# Imports inside a function that go up, or sideways: a door that is opened only when somebody asks.
DOORS = {
    ("scalar", "copying"),  # copy.copy(v), pickle.dumps(v)
    ("graph", "transport"),  # Graph.from_json
    ("trace", "transport"),  # Trace.from_json
    ("learn", "cli"),  # a lesson shows what a command prints
}


def room_of(path: Path) -> str:
    """ops.py and explain/ledger.py are of the rooms `ops` and `explain`."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(tree: ast.AST, package: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """The rooms that a file imports from, and whether it does so when it is imported itself."""
    inner = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for node in ast.walk(function)
    }
    typing_only = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.level or id(node) in typing_only:
            continue
        base = package[: len(package) - node.level + 1]
        full = (*base, *(node.module or "").split(".")) if node.module else base
        rooms = [full[1]] if len(full) > 1 else [alias.name for alias in node.names]
        for room in rooms:
            yield room if room in FLOOR_OF else "__init__", id(node) not in inner


def violations(source: str, room: str, package: tuple[str, ...] = ("minigrad",)) -> list[str]:
    """The imports of a file that point up or sideways."""
    found = []
    for other, at_once in imports_of(ast.parse(source), package):
        if other == room or FLOOR_OF[other] < FLOOR_OF[room]:
            continue
        if other == "__init__" and room in ("cli", "studio", "learn") and not at_once:  # for the version
            continue
        if at_once or (room, other) not in DOORS:
            found.append(f"{room} imports {other}")
    return found


def sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def package_of(path: Path) -> tuple[str, ...]:
    return ("minigrad", *path.relative_to(PACKAGE).parts[:-1])


def test_every_file_has_its_floor():
    unknown = {room_of(path) for path in sources()} - FLOOR_OF.keys()
    assert not unknown, f"give these rooms a floor in FLOORS: {sorted(unknown)}"


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path):
    assert violations(path.read_text(encoding="utf-8"), room_of(path), package_of(path)) == []


@pytest.mark.parametrize(
    ("source", "room", "package", "found"),
    [
        ("from .graph import Graph", "scalar", ("minigrad",), ["scalar imports graph"]),
        ("from . import graph", "ops", ("minigrad",), ["ops imports graph"]),
        (
            "from . import trace as t, cli",
            "graph",
            ("minigrad",),
            ["graph imports trace", "graph imports cli"],
        ),
        ("from ..explain import explain", "verify", ("minigrad", "verify"), ["verify imports explain"]),
        ("from ..explain.walk import render", "verify", ("minigrad", "verify"), ["verify imports explain"]),
        ("from ..faults import catalogue", "explain", ("minigrad", "explain"), ["explain imports faults"]),
        ("def f():\n from .trace import trace", "ops", ("minigrad",), ["ops imports trace"]),
        ("if True:\n from .cli import main", "paths", ("minigrad",), ["paths imports cli"]),
        ("from . import Value", "graph", ("minigrad",), ["graph imports __init__"]),
        # and what is allowed
        ("from .graph import Graph", "trace", ("minigrad",), []),
        ("from ..verify import Testimony", "explain", ("minigrad", "explain"), []),
        ("from .walk import render", "explain", ("minigrad", "explain"), []),
        ("def f():\n from .copying import deep", "scalar", ("minigrad",), []),
        ("from .copying import deep", "scalar", ("minigrad",), ["scalar imports copying"]),
        ("if TYPE_CHECKING:\n from .cli import main", "paths", ("minigrad",), []),
    ],
)
def test_a_planted_import_is_seen(source, room, package, found):
    assert violations(source, room, package) == found


def test_every_door_is_in_use():
    used = set()
    for path in sources():
        for other, at_once in imports_of(ast.parse(path.read_text(encoding="utf-8")), package_of(path)):
            if not at_once and FLOOR_OF[other] >= FLOOR_OF[room_of(path)]:
                used.add((room_of(path), other))
    assert used >= DOORS


# ---- only the standard library ------------------------------------------------------------------


def foreign_imports(source: str) -> list[str]:
    """Absolute imports of anything that Python does not bring along; relative ones are ours."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        else:
            continue
        found += [name for name in names if name.partition(".")[0] not in sys.stdlib_module_names]
    return found


# The files that are about a library; each imports it inside a function, when it is asked for.
GUESTS = {
    "compile/arrays.py": {"numpy"},
    "compile/check.py": {"numpy"},
    "compile/cluster.py": {"distributed"},
    "compile/elementwise.py": {"numpy"},
    "compile/handover/c_check.py": {"numpy"},
    "compile/handover/c_text.py": {"numpy"},
    "compile/handover/checking.py": {"numpy"},
    "compile/handover/dialect.py": {"numpy"},
    "compile/handover/jax_check.py": {"numpy"},
    "compile/handover/job.py": {"numpy"},
    "compile/handover/onnx_graph.py": {"numpy"},
    "compile/handover/onnx_model.py": {"numpy"},
    "compile/handover/places.py": {"numpy"},
    "compile/handover/python_text.py": {"numpy"},
    "compile/handover/ragged.py": {"numpy"},
    "compile/handover/sums.py": {"numpy"},
    "compile/handover/torch_text.py": {"numpy", "torch"},
    "compile/handover/views.py": {"numpy"},
    "compile/handover/writer.py": {"numpy"},
    "compile/passes/affine.py": {"numpy"},
    "compile/passes/layout.py": {"numpy"},
    "compile/passes/reuse.py": {"numpy"},
    "compile/passes/writing.py": {"numpy"},
    "compile/reference.py": {"numpy"},
    "compile/running.py": {"numpy"},
    "compile/vectors.py": {"numpy"},
    "doctor/inside/adapter.py": {"numpy"},
    "doctor/plugin.py": {"pytest"},
    "drawing/png.py": {"resvg_py"},
    "studio/server.py": {"h11", "starlette", "uvicorn"},
    "doctor/rules/jax_rules.py": {"jax", "numpy"},
    "doctor/rules/torch_rules.py": {"torch"},
    "verify/high_precision.py": {"mpmath"},
    "verify/hips.py": {"autograd"},
    "verify/pytorch.py": {"torch"},
    "verify/symbolic.py": {"sympy"},
    "verify/with_jax.py": {"jax"},
}


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_standard_library_is_imported_and_our_own_files_by_relative_imports(path):
    source = path.read_text(encoding="utf-8")
    guests = GUESTS.get(str(path.relative_to(PACKAGE)), set())
    assert {name.partition(".")[0] for name in foreign_imports(source)} == guests
    assert foreign_imports(without_functions(source)) == []


def without_functions(source: str) -> str:
    """What of a file runs when it is imported."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        typing_only = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if typing_only or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.body = [ast.Pass()]  # type: ignore[attr-defined]
    return ast.unparse(tree)


def test_a_planted_foreign_import_is_seen():
    assert foreign_imports("import numpy as np\nfrom os import path") == ["numpy"]
    assert foreign_imports("def f():\n    from torch.nn import Linear") == ["torch.nn"]
    assert foreign_imports("from minigrad.scalar import Value\nimport minigrad") == [
        "minigrad.scalar",
        "minigrad",
    ]
    assert foreign_imports("from .scalar import Value\nimport math, json.decoder") == []
    assert foreign_imports(without_functions("def f():\n    import torch")) == []
    assert foreign_imports(without_functions("if TYPE_CHECKING:\n    import torch")) == []
    assert foreign_imports(without_functions("if checking:\n    import torch")) == ["torch"]
    assert foreign_imports(without_functions("def f():\n    pass\nimport torch")) == ["torch"]


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
        "import minigrad.cli; import minigrad.explain; import minigrad.functional; import minigrad.verify",
        "from minigrad import *",
    ):
        loaded = run(LOADED.format(program=program), "-I", "-S").split()
        strangers = [
            name for name in loaded if name.partition(".")[0] not in {*sys.stdlib_module_names, "minigrad"}
        ]
        assert strangers == []


def test_importing_minigrad_loads_only_the_engine():
    loaded = run(LOADED.format(program="import minigrad"), "-I", "-S").split()
    ours = {name for name in loaded if name.startswith("minigrad")}
    engine = {
        "formulas",
        "given",
        "ieee",
        "messages",
        "ops",
        "recording",
        "scalar",
        "_native",
        "_native.engine",
    }
    assert ours == {"minigrad", *(f"minigrad.{room}" for room in engine)}
    assert not {"inspect", "dataclasses", "json", "argparse", "pickle", "ast"} & set(loaded)


def test_importing_minigrad_has_no_side_effects():
    """Nothing is printed, no thread is started, and the numbers of others are left alone."""
    program = (
        "import decimal, os, random, sys, threading, warnings\n"
        "state = random.getstate(), sys.getrecursionlimit(), decimal.getcontext().prec, dict(os.environ),"
        " list(warnings.filters)\n"
        "import minigrad, minigrad.cli, minigrad.explain\n"
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
    from minigrad import explain, functions, graph, parse, trace

    assert minigrad.Graph is graph.Graph
    assert minigrad.functions.sum is functions.sum
    assert parse is minigrad.language.parse
    a = minigrad.Value(3.0, label="a")
    for call in (trace, minigrad.trace, minigrad.trace.trace):
        assert call(minigrad.Graph.of(a * a)).gradients == {"a": 6.0}
    for call in (explain, minigrad.explain, minigrad.explain.explain):
        assert call(a * a).gradients == {"a": 6.0}


def test_a_room_is_loaded_when_it_is_first_used():
    program = "import minigrad as m; print(m.functions.exp(0.0).data, m.graph.Graph is m.Graph)"
    assert run(program) == "1.0 True\n"


def test_every_room_says_what_it_exports_and_exports_it():
    """`__all__` names exist; a file starts by saying what it promises."""
    for path in sources():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if path.name != "py.typed":
            assert ast.get_docstring(tree), path
    for name in ("scalar", "ops", "graph", "trace", "paths", "functions", "functional", "trees", "transport"):
        module = __import__(f"minigrad.{name}", fromlist=["x"])
        assert all(hasattr(module, exported) for exported in module.__all__), name


def test_no_room_is_called_utils():
    for path in [*PACKAGE.rglob("*"), *(ROOT / "tests").rglob("*.py")]:
        assert not re.search(r"util|helper|misc|common", path.stem), path


# ---- every sentence in both languages -----------------------------------------------------------


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def unequal(rows: dict[str, tuple[str, str]]) -> list[str]:
    """The keys of rows that lack a language, or whose languages have other fields."""
    return [
        key
        for key, row in rows.items()
        if len(row) != len(LANGUAGES) or not all(row) or len({frozenset(fields(text)) for text in row}) != 1
    ]


def test_every_sentence_has_both_languages_with_the_same_fields():
    assert unequal(dict(catalogue())) == []


def test_a_planted_lapse_in_the_catalogue_is_seen():
    rows = {
        "fine": ("{a} of {b}", "{b} de {a}"),
        "missing": ("text", ""),
        "alone": ("text",),
        "renamed": ("{name}", "{nombre}"),
        "forgotten": ("{a} and {b}", "{a}"),
    }
    assert unequal(rows) == ["missing", "alone", "renamed", "forgotten"]


def test_sentences_are_translated_and_not_copied():
    same = {key for key, (english, spanish) in catalogue().items() if english == spanish}
    assert same <= {"meaning.grad"}


def test_every_op_has_its_rule_in_both_languages():
    for op in OPS.values():
        english, spanish = op.rule
        assert english
        assert spanish
        assert english != spanish, op.name
        assert not english.endswith("."), op.name


class Speech(ast.NodeVisitor):
    """What a file says: keys as they stand, keys with holes, and every string that may fill one."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, set[str] | None]] = []  # key, and the fields given unless unknown
        self.patterns: set[str] = set()
        self.strings: set[str] = set()

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.strings.add(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id == "say" and node.args:
            given = {keyword.arg for keyword in node.keywords}
            known = None if None in given else given
            for key in self._keys(node.args[0]):
                self.calls.append((key, known))
            for part in ast.walk(node.args[0]):
                if isinstance(part, ast.JoinedStr):
                    self.patterns.add(self._pattern(part))
        self.generic_visit(node)

    def _keys(self, argument: ast.expr) -> Iterator[str]:
        if isinstance(argument, ast.Constant):
            yield argument.value
        elif isinstance(argument, ast.IfExp):
            yield from self._keys(argument.body)
            yield from self._keys(argument.orelse)

    def _pattern(self, text: ast.JoinedStr) -> str:
        return "".join(
            re.escape(part.value) if isinstance(part, ast.Constant) else "(.+)" for part in text.values
        )


def scripts() -> list[Path]:
    return sorted([*PACKAGE.rglob("*.js"), *PACKAGE.rglob("*.html")])


def hear(found: Speech, script: str) -> None:
    """The same of a script: its strings, and its templates, whose holes other strings fill."""
    found.strings.update(re.findall(r'"([a-z_0-9.]+)"', script))
    for template in re.findall(r"`([a-z_.]+\$\{[^`]*)`", script):
        found.patterns.add(
            "".join(
                "(.+)" if part.startswith("$") else re.escape(part)
                for part in re.split(r"(\$\{[^}]*\})", template)
            )
        )


def speech(paths: list[Path]) -> Speech:
    found = Speech()
    for path in scripts():
        hear(found, path.read_text(encoding="utf-8"))
    for path in paths:
        if path.parent.name != "messages" or path.name == "__init__.py":
            found.visit(ast.parse(path.read_text(encoding="utf-8")))
    return found


def unknown_keys(said: Speech, rows: dict) -> set[str]:
    """Keys that are said, or that look as if they were, and are not in the catalogue."""
    families = {key.partition(".")[0] for key in rows if "." in key}
    look_alike = {
        text
        for text in said.strings
        if re.fullmatch(r"[a-z_]+(\.[a-z_]+)+", text)
        and text.partition(".")[0] in families
        and not text.endswith((".css", ".html", ".js"))
    }
    return ({key for key, _ in said.calls} | look_alike) - rows.keys() - NOT_KEYS


NOT_KEYS = {"explain.explanation"}  # a module


def unused_keys(said: Speech, rows: dict) -> set[str]:
    """Rows that nothing says, neither as a whole nor as a pattern whose holes strings of the source fill."""
    used = {key for key, _ in said.calls} | (said.strings & rows.keys())
    for pattern in said.patterns:
        for key in rows:
            match = re.fullmatch(pattern, key)
            if match and all(fills(hole, said.strings) for hole in match.groups()):
                used.add(key)
    return rows.keys() - used


def fills(hole: str, strings: set[str]) -> bool:
    """A string of the source, or one with a string for its last part: "strange." and "letter"."""
    if hole in strings:
        return True
    stem, dot, last = hole.rpartition(".")
    return bool(dot) and stem + dot in strings and last in strings


def lacking_fields(said: Speech, rows: dict) -> set[str]:
    """Keys that are said without a field that their sentence has."""
    return {
        key
        for key, given in said.calls
        if given is not None and key in rows and not fields(rows[key][0]) <= given
    }


SITE = sorted((ROOT / "docs" / "website").glob("*.py"))  # the site has its words from the same catalogue


def test_every_key_that_is_said_exists_and_every_key_is_said():
    said, rows = speech([*sources(), *SITE]), dict(catalogue())
    assert unknown_keys(said, rows) == set()
    assert unused_keys(said, rows) == set()


def test_every_sentence_gets_its_fields():
    assert lacking_fields(speech([*sources(), *SITE]), dict(catalogue())) == set()


def test_planted_slips_of_speech_are_seen():
    rows = {"a.one": ("{x}", "{x}"), "a.two": ("", ""), "a.tree": ("", ""), "b.off": ("", ""), "c": ("", "")}
    said = Speech()
    said.visit(ast.parse('say("a.one", y=1); say("a.three"); say(f"b.{kind}"); say("c" if t else "a.two")'))
    assert unknown_keys(said, rows) == {"a.three"}
    assert unused_keys(said, rows) == {"a.tree", "b.off"}
    assert lacking_fields(said, rows) == {"a.one"}
    said.visit(ast.parse('kind = "off"; key = "a.tree"'))
    assert unused_keys(said, rows) == set()


def test_a_sentence_is_spoken_in_the_language_in_use():
    spoken = {}
    for lang in LANGUAGES:
        with speaking(lang):
            spoken[lang] = say("op.count.one")
    assert spoken == {"en": "1 argument", "es": "1 argumento"}
    program = "from src.minigrad.messages import say; print(say('op.count.one'))"
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


def test_the_whole_house_can_be_reached_from_there():
    program = """
import src.minigrad as m
a = m.Value(2.0, label='a')
print(m.explain(a * a).gradients, m.trace(m.Graph.of(a * a)).gradients, m.grad(lambda x: x**2)(3.0))
"""
    assert run(program) == "{'a': 4.0} {'a': 4.0} 6.0\n"
