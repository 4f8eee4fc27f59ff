"""Scripts of the pages without their pages: in node, or on an empty page where there is none of the rest."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from browser import Visits, lacking
from minigrad.player.page import SCRIPTS, join_scripts
from source_trees import ROOT

__all__ = ["LEARN", "PLAYER", "STUDIO", "in_node", "workbench"]

PLAYER = ROOT / "src" / "minigrad" / "player"
STUDIO = ROOT / "src" / "minigrad" / "studio"
LEARN = ROOT / "src" / "minigrad" / "learn"


def in_node(program: str, given: Any, scripts: Sequence[Path]) -> Any:
    """What a program over some scripts makes of some JSON."""
    node = shutil.which("node")
    if node is None:
        lacking("node is missing; on Debian: apt-get install nodejs")
    text = "\n".join(path.read_text(encoding="utf-8") for path in scripts)
    whole = (
        f"{text}\nconst given = JSON.parse(require('fs').readFileSync(0, 'utf-8'));\n"
        f"process.stdout.write(JSON.stringify(({program})(given)));"
    )
    done = subprocess.run(
        [node, "-e", whole], input=json.dumps(given), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def workbench(visit: Visits, *scripts: Path, markup: str = "", **options: Any) -> Any:
    """A page with the player's scripts and these, in which nothing has begun."""
    code = join_scripts([*(PLAYER / name for name in SCRIPTS), *scripts])
    body = f"<body>{markup}<script>{code}</script></body>"
    return visit(f"<!doctype html><html lang=en><meta charset=utf-8>{body}</html>", **options)
