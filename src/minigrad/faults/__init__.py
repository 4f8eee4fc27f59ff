"""The catalogue of bugs in backward passes, the lab that shows them, and forensics from numbers."""

from .break_lab import Lab, lab
from .catalogue import FAULTS
from .fault import Fault, Suspect
from .forensics import Diagnosis, Forensics, diagnose

__all__ = ["FAULTS", "Diagnosis", "Fault", "Forensics", "Lab", "Suspect", "diagnose", "lab"]
