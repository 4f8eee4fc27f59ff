"""Findings: what the evidence of a program shows, one module per group of families.

A row of FINDINGS is a function that takes the evidence and yields entries; one row adds a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from . import cuts

if TYPE_CHECKING:
    from ..loop_record import LoopRecord
    from ..report import XrayEntry
    from ..subject import XrayEvidence

__all__ = ["FINDINGS", "LOOP_FINDINGS"]

FINDINGS: tuple[Callable[[XrayEvidence], Iterator[XrayEntry]], ...] = (cuts.cut_values,)
LOOP_FINDINGS: tuple[Callable[[LoopRecord], Iterator[XrayEntry]], ...] = ()
