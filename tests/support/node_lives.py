"""Who still lives: for tests of when a node dies; in them no collection runs but one that is asked for."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from engine_pair import ENGINES

__all__ = ["BOTH", "collected_when_asked", "gone", "watch"]

BOTH = pytest.mark.parametrize("engine", ENGINES, ids=[engine.name for engine in ENGINES])


@pytest.fixture(autouse=True)
def collected_when_asked() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def watch(*nodes: object) -> list[weakref.ref]:
    return [weakref.ref(node) for node in nodes]


def gone(watched: list[weakref.ref]) -> list[bool]:
    return [node() is None for node in watched]
