"""The catalogue of bugs in backward passes, the lab that shows them, and forensics from numbers."""

from typing import TYPE_CHECKING

from .catalogue import FAULTS
from .fault import Fault, Suspect
from .forensics import Diagnosis, Forensics, diagnose
from .lab import Lab

if TYPE_CHECKING:
    from .lab import lab as lab
else:
    from . import lab  # a room that can be called (see rooms.py)

__all__ = ["FAULTS", "Diagnosis", "Fault", "Forensics", "Lab", "Suspect", "diagnose", "lab"]
