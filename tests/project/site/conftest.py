"""The site, built once for all tests that look at it, whichever process they run in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from source_trees import ROOT

LANGUAGES = ("en", "es")
PATIENCE = 400.0  # seconds


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site.  Who asks first builds a language, who asks second the other one."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    for language in LANGUAGES:
        try:
            (shared / f"site-{language}-begun").mkdir()
        except FileExistsError:
            continue
        said = _built(shared / "site", language)
        part = shared / f"site-{language}-part"
        part.write_text(said, encoding="utf-8")
        part.rename(shared / f"site-{language}-done")
    start = monotonic()
    for language in LANGUAGES:
        done = shared / f"site-{language}-done"
        while not done.exists():
            assert monotonic() < start + PATIENCE, "nobody has built the site"
            sleep(0.2)
        assert done.read_text(encoding="utf-8") == ""
    return shared / "site"


def _built(folder: Path, language: str) -> str:
    """Build one language; what is said of it if it fails."""
    command = [sys.executable, str(ROOT / "docs" / "website"), "--out", str(folder), "--language", language]
    run = subprocess.run([*command, "--jobs", "1"], capture_output=True, text=True, cwd=ROOT)
    return (run.stderr + run.stdout or "it failed") if run.returncode else ""
