"""Fuzzers, one for each boundary of minigrad.

    python tests/fuzz/run.py                                  all of them, a minute each
    python tests/fuzz/run.py language traces --seconds 3600   two of them, an hour each
    python tests/fuzz/run.py programs --seed 7 --only 1234    input 1234 of seed 7 once more
    python tests/fuzz/run.py --list                           their names

An input must be refused with the documented error, or accepted and then be consistent; each file in
`boundaries/` says what that is there.  What fails is saved below build/fuzz with the command that repeats it,
and the exit status is 1.
"""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "fuzz"), str(TESTS / "support")]

from boundaries.command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
