"""Builds the site that runs by itself:  python web [--out FOLDER] [--node-modules FOLDER]"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from web.build import ROOT, build
from web.python_files import MissingPackageError


def main() -> int:
    parser = argparse.ArgumentParser(prog="python web", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "web")
    usual = os.environ.get("MINIGRAD_NODE_MODULES") or ROOT / ".venv" / "node" / "node_modules"
    parser.add_argument("--node-modules", type=Path, default=Path(usual), help="where the npm packages are")
    given = parser.parse_args()
    try:
        build(given.out, given.node_modules)
    except MissingPackageError as error:
        print(error, file=sys.stderr)
        return 2
    print(given.out / "index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
