"""The folder, the path and the modules are as before after a program was loaded in this process."""

import os
import sys

import pytest


@pytest.fixture
def folder(tmp_path):
    here, path, modules = os.getcwd(), list(sys.path), set(sys.modules)
    yield tmp_path
    os.chdir(here)
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if getattr(sys.modules[name], "__file__", None) and str(tmp_path) in str(sys.modules[name].__file__):
            del sys.modules[name]
