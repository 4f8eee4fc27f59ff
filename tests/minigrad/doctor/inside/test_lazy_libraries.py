"""Libraries are imported when something of them is used; a right engine is right with either."""

from __future__ import annotations

import sys

import pytest

from minigrad.doctor import examine
from minigrad.doctor.inside.lazy_libraries import LazyLibraries

LIBRARY = "import pathlib\nMARK.touch()\nclass Tensor:\n    pass\ndef double(x):\n    return 2 * x\n"


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A library from elsewhere, in sys.path, and the mark that it leaves when it is imported."""
    mark = tmp_path / "imported"
    place = tmp_path / "site"
    (place / "heavy").mkdir(parents=True)
    text = LIBRARY.replace("MARK", f"pathlib.Path({str(mark)!r})")
    (place / "heavy" / "__init__.py").write_text(text, encoding="utf-8")
    (place / "heavy" / "layers.py").write_text("class Layer:\n    width = 3\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(place))
    finder = LazyLibraries([str(tmp_path / "beside")])
    monkeypatch.setattr(sys, "meta_path", [finder, *sys.meta_path])
    yield finder, mark
    for name in [name for name in sys.modules if name.partition(".")[0] == "heavy"]:
        del sys.modules[name]


def run(text: str) -> dict[str, object]:
    names: dict[str, object] = {}
    exec(text, names)
    return names


def test_what_is_only_named_is_not_imported(library):
    _, mark = library
    names = run(
        "import heavy\nfrom heavy import Tensor\nimport heavy.layers as layers\n"
        "class Net(layers.Layer):\n    pass\n"
        "def f(x: Tensor | int) -> heavy.Tensor:\n"
        "    return isinstance(x, heavy.Tensor), isinstance(x, Tensor)\n"
        "found = f(3)\n"
    )
    assert names["found"] == (False, False)
    assert not mark.exists()


def test_what_is_used_is_the_library_itself(library):
    _, mark = library
    names = run(
        "import heavy\nfrom heavy import Tensor\nimport heavy.layers as layers\n"
        "twice = heavy.double(21)\nmade = Tensor()\n"
        "same = isinstance(made, Tensor) and isinstance(made, heavy.Tensor)\nwidth = layers.Layer.width\n"
    )
    assert mark.exists()
    assert (names["twice"], names["same"], names["width"]) == (42, True, 3)


def test_a_class_is_asked_what_it_inherits_from(library):
    _, mark = library
    names = run(
        "import heavy\nfrom heavy import Tensor\n"
        "def ask(kind):\n    return issubclass(kind, heavy.Tensor), issubclass(kind, (float, Tensor))\n"
        "found = ask(int)\n"
    )
    assert names["found"] == (False, False)
    assert not mark.exists()
    names = run(
        "import heavy\nfrom heavy import Tensor\nheavy.double(2)\nclass Own(heavy.Tensor):\n    pass\n"
        "found = issubclass(Own, Tensor), issubclass(int, Tensor)\n"
    )
    assert mark.exists()
    assert names["found"] == (True, False)


def test_an_examined_class_inherits_from_the_library_itself(library):
    finder, mark = library
    finder.examined = True
    names = run("from heavy import Tensor\nclass Value(Tensor):\n    pass\n")
    assert mark.exists()
    assert names["Value"].__mro__[1].__module__ == "heavy"


def test_a_library_that_is_not_there_is_missed_at_once(library):
    with pytest.raises(ModuleNotFoundError):
        run("import no_such_library_at_all")


def test_forked_processes_find_what_one_before_them_needed(library):
    finder, mark = library
    names = run("import heavy")
    finder.imported_by(lambda: names["heavy"].double(2))
    assert mark.exists()
    assert finder.is_imported("heavy")


def test_an_engine_beside_torch_is_examined_without_it(tmp_path):
    from doctor_reports import CLOSURES

    text = CLOSURES.read_text(encoding="utf-8")
    first = "import torch\nimport matplotlib.pyplot as plt\n"
    last = "\n\ndef compare(x):\n    return torch.tensor(x), plt.plot(x)\n"
    future = "from __future__ import annotations\n"
    path = tmp_path / "engine.py"
    path.write_text(
        (future if future in text else "") + first + text.replace(future, "") + last, encoding="utf-8"
    )
    assert examine(path).verdict == "correct"
