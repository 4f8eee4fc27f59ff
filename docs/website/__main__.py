"""Builds the site:  python docs/website [--out FOLDER] [--language en] [--jobs 2]"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from minigrad.text.translation import LANGUAGES
from website.build import build
from website.checking import problems
from website.staging import ROOT


def main() -> int:
    parser = argparse.ArgumentParser(prog="python docs/website", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="one language only")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    code = build(given.out, given.language or LANGUAGES, given.jobs)
    if code:
        return code
    found = problems(given.out) if not given.language else []
    for problem in found:
        print(problem, file=sys.stderr)
    print(f"{given.out / 'index.html'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
