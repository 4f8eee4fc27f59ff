"""Fixtures of tests of the studio: a running server, and its page in a browser."""

import pytest

from studio_page import Desk
from studio_server import studio


@pytest.fixture(scope="module")
def server():
    with studio() as running:
        yield running


@pytest.fixture
def desk(visit, server):
    return Desk(visit, server)
