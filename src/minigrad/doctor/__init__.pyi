"""The public names of minigrad.doctor, each written once."""

from .engine.examination import examine as examine
from .engine.report import Report as Report
from .engine.source import SubjectError as SubjectError
from .rules import assert_right as assert_right
from .rules import examine_function as examine_function
from .rules import record as record
