"""The site that runs by itself, built once for each file of tests, and served as any folder is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import node_modules
from source_trees import ROOT
from static_server import StaticServer, static_server

sys.path.insert(0, str(ROOT))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make web` makes."""
    from web.build import build

    out = tmp_path_factory.mktemp("web") / "web"
    build(out, node_modules())
    return out


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[StaticServer]:
    with static_server(folder) as server:
        yield server
