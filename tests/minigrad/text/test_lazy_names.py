"""Names of a package are read from its stub and imported at their first use."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from shutil import copytree
from types import ModuleType

import pytest

from source_trees import PACKAGE

INIT = (
    "from minigrad.text.lazy_names import lazy_names\n__getattr__, __dir__, __all__ = lazy_names(__name__)\n"
)
STUB = '''"""The names of a package."""

from . import tools as tools
from .engine import Motor as Motor
from .engine import start as start  # what most programs need
from .tools.hammer import hit as hit

__version__: str
'''

Write = Callable[[str], ModuleType]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Imports a package `garage` that has this stub."""

    def write(stub: str) -> ModuleType:
        garage = tmp_path / "garage"
        (garage / "tools").mkdir(parents=True)
        (garage / "__init__.py").write_text(INIT)
        (garage / "__init__.pyi").write_text(stub)
        (garage / "engine.py").write_text("class Motor: ...\ndef start(): return 'brrr'\n")
        (garage / "tools" / "__init__.py").write_text("")
        (garage / "tools" / "hammer.py").write_text("def hit(): return 'bang'\n")
        return import_module("garage")

    monkeypatch.syspath_prepend(tmp_path)
    yield write
    for name in [name for name in sys.modules if name.partition(".")[0] == "garage"]:
        del sys.modules[name]


def test_a_name_is_imported_at_its_first_use_and_kept(package):
    garage = package(STUB)
    assert "garage.engine" not in sys.modules
    assert garage.start() == "brrr"
    assert vars(garage)["start"] is sys.modules["garage.engine"].start
    assert "garage.tools" not in sys.modules


def test_a_name_may_come_from_deeper_below(package):
    assert package(STUB).hit() == "bang"


def test_a_submodule_is_a_module(package):
    assert package(STUB).tools is sys.modules["garage.tools"]


def test_an_unknown_name_is_an_attribute_error_with_the_name(package):
    garage = package(STUB)
    with pytest.raises(AttributeError, match="module 'garage' has no attribute 'stop'"):
        _ = garage.stop
    assert not hasattr(garage, "stop")
    with pytest.raises(ImportError, match="stop"):
        exec("from garage import stop")


def test_a_name_that_its_module_lacks_is_an_attribute_error(package):
    garage = package("from .engine import stop as stop\n")
    with pytest.raises(AttributeError, match=r"garage\.engine.*stop"):
        _ = garage.stop


def test_all_has_the_names_and_no_submodules(package):
    assert package(STUB).__all__ == ["Motor", "start", "hit"]


def test_dir_has_everything_before_anything_is_imported(package):
    listed = dir(package(STUB))
    assert {"Motor", "start", "hit", "tools", "__all__", "__getattr__"} <= {*listed}
    assert listed == sorted(listed)
    assert "garage.engine" not in sys.modules


def test_a_star_import_brings_the_names(package):
    package(STUB)
    names: dict[str, object] = {}
    exec("from garage import *", names)
    assert {"Motor", "start", "hit"} <= names.keys()
    assert "tools" not in names


@pytest.mark.parametrize(
    "line",
    [
        "from .engine import start",
        "from .engine import start as begin",
        "from .engine import Motor as Motor, start as start",
        "from .engine import (",
        "from .engine import",
        "from .engine",
        "from .engine import * as *",
    ],
)
def test_a_malformed_line_is_refused_with_its_place(line, package):
    with pytest.raises(SyntaxError) as caught:
        package(f"from .tools.hammer import hit as hit\n{line}\n")
    assert str(caught.value).endswith(f"line 2: not 'from .module import name as name': {line}")
    assert "__init__.pyi" in str(caught.value)


def test_imports_from_elsewhere_are_for_type_checkers_alone(package):
    assert package("from collections.abc import Callable\nimport os\n").__all__ == []


@pytest.mark.parametrize("stub", sorted(PACKAGE.rglob("__init__.pyi")), ids=lambda stub: stub.parent.name)
def test_no_name_of_ours_is_also_a_submodule(stub):
    """Importing such a submodule would replace the function of that name in its package."""
    module = import_module(".".join(stub.parent.relative_to(PACKAGE.parent).parts))
    beside = {path.stem for path in stub.parent.glob("*.py")} | {
        path.name for path in stub.parent.iterdir() if (path / "__init__.py").exists()
    }
    assert not beside & {*module.__all__}
    assert all(hasattr(module, name) for name in module.__all__)


def test_a_second_copy_of_the_package_reads_its_own_stub(tmp_path):
    """As `from src.minigrad.scalar import Value` does, or a checkout beside an installed package."""
    copytree(PACKAGE, tmp_path / "copied" / "minigrad", ignore=lambda *_: ["__pycache__"])
    stub = tmp_path / "copied" / "minigrad" / "__init__.pyi"
    stub.write_text(stub.read_text() + "from .text.numerals import counted as counted\n")
    code = (
        "import minigrad, copied.minigrad as second\n"
        "assert second.counted(1000) == '1,000'\n"
        "assert not hasattr(minigrad, 'counted')\n"
        "assert second.Value is not minigrad.Value\n"
        "assert second.Value.__module__ == 'copied.minigrad.scalar'\n"
    )
    environment = {"PYTHONPATH": f"{PACKAGE.parent}:{tmp_path}", "MINIGRAD_PURE": "1", "LANG": "en_US.UTF-8"}
    subprocess.run([sys.executable, "-W", "error", "-c", code], env=environment, check=True, timeout=60)


def test_importing_minigrad_imports_nothing_else_of_it():
    code = "import sys, minigrad\nprint(*sorted(name for name in sys.modules if name.startswith('minigrad')))"
    environment = {"PYTHONPATH": str(PACKAGE.parent)}
    run = subprocess.run(
        [sys.executable, "-S", "-c", code], env=environment, check=True, capture_output=True, text=True
    )
    assert run.stdout.split() == ["minigrad", "minigrad.text", "minigrad.text.lazy_names"]
