"""Fixtures of tests of compiled training steps."""

from functools import partial

import pytest

from minigrad.compiler import executors as running


@pytest.fixture(params=["native", "numpy"])
def executors(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Once with the compiled executor, if it is built, and once with the one in NumPy."""
    if request.param == "numpy":
        monkeypatch.setattr(running, "executor", partial(running.executor, native=False))
    return request.param
