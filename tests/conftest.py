"""Options of the test suite: `--graphs=100000` runs that many random graphs instead of 1,200, `--kills=200`
kills a training run that many times instead of 12, `--questions=5000` generates that many instead of 200,
`--asked=300` asks a browser's Python so many instead of 14, `--engines=200` has it examine so many."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest

from browser import chromium, visit  # noqa: F401 fixtures of tests of pages
from engines_of_tests import pytest_collection_modifyitems  # noqa: F401
from minigrad.text.translation import speaking
from whole_suite import pytest_make_collect_report, pytest_runtest_makereport  # noqa: F401

CHUNK = 200  # graphs to a test, so that several processes can share them


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the one in use."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def english() -> Iterator[None]:
    """What is said is English, whatever the reader's settings."""
    with speaking("en"):
        yield


def pytest_configure() -> None:
    """Ctrl-C ends children of tests also where the suite was started with it ignored, in the background;
    and nobody's own progress is touched."""
    os.environ["MINIGRAD_PROGRESS"] = str(Path(mkdtemp(prefix="minigrad-progress-")) / "learner.json")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_unconfigure() -> None:
    rmtree(Path(os.environ["MINIGRAD_PROGRESS"]).parent, ignore_errors=True)


def pytest_collection_finish() -> None:
    _keep_what_is_loaded()


@pytest.fixture(scope="module", autouse=True)
def _of_earlier_files() -> None:
    _keep_what_is_loaded()


def _keep_what_is_loaded() -> None:
    """No later search for garbage looks again through what stays anyway: 14,000 tests, PyTorch, and what
    earlier files have made.  Tests of memory make such a search hundreds of times."""
    gc.collect()
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--graphs", type=int, default=1200, help="random graphs to check (default: 1200)")
    parser.addoption("--questions", type=int, default=200, help="questions to generate (default: 200)")
    parser.addoption("--asked", type=int, default=14, help="of a browser's Python (default: 14)")
    parser.addoption("--engines", type=int, default=3, help="engines examined there (default: 3)")
    parser.addoption("--kills", type=int, default=12, help="times to kill a training run (default: 12)")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "numbers" in metafunc.fixturenames:
        total = metafunc.config.getoption("graphs")
        chunks = [range(start, min(start + CHUNK, total)) for start in range(0, total, CHUNK)]
        metafunc.parametrize("numbers", chunks, ids=[f"{chunk.start}-{chunk.stop}" for chunk in chunks])
