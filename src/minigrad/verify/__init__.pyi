"""The public names of minigrad.verify, each written once."""

from ._court import court as court
from .testimony import Finding as Finding
from .testimony import Testimony as Testimony
from .verdict import Verdict as Verdict
from .witnesses import WITNESSES as WITNESSES
from .witnesses.central_differences import central_differences as central_differences
