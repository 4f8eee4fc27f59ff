"""The public names of minigrad.doctor, each written once."""

from .engine.report import Report as Report
from .engine.report import examine as examine
from .engine.source import SubjectError as SubjectError
from .rules import examine_function as examine_function
