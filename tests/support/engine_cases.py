"""Scalar engines as people write them, right and with a planted bug: the patients of the doctor's tests.

    CASES                    # every case by its name: right, wrong and limited
    text_of(case)            # its files: relative path -> text
    write(case, folder)      # the same in a folder; the path to examine
    places_of(case)          # the lines where the bug stands, any of which is a good answer
    functions_of(case)       # ... and all lines of the functions around them

The engines are in tests/data/engines, the rows of the wrong ones in engine_faults_of_*.py, those of the
limited ones in engine_limits.py.
"""

from __future__ import annotations

from pathlib import Path

from engine_faults_of_closures import ROWS as OF_CLOSURES
from engine_faults_of_notebooks import ROWS as OF_NOTEBOOKS
from engine_faults_of_operations import ROWS as OF_OPERATIONS
from engine_faults_of_records import ROWS as OF_RECORDS
from engine_limits import ROWS as LIMITS
from engine_texts import BASES, BEYOND, Case, Place, functions_of, places_of, text_of, write

__all__ = ["BASES", "BEYOND", "CASES", "Case", "Place", "functions_of", "places_of", "text_of", "write"]

# A convention that some engines choose is no bug.
CONVENTIONS = (
    Case(
        "relu-open-at-zero",
        "scalar.py",
        (("lambda g: g if x > 0 else 0.0", "lambda g: g if x >= 0 else 0.0"),),
        op="relu",
        verdict="right",
    ),
)

ROWS = (
    *(Case(Path(base).stem, base, verdict="right") for base in BASES),
    *CONVENTIONS,
    *OF_CLOSURES,
    *OF_NOTEBOOKS,
    *OF_RECORDS,
    *OF_OPERATIONS,
    *LIMITS,
)

CASES = {case.name: case for case in ROWS}

if len(CASES) != len(ROWS):
    raise ValueError("two cases have one name")
