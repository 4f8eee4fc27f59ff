"""Custom backward rules of PyTorch and JAX: is each the derivative of its forward, and if not, why not?

examine_function(Mul, (torch.randn(3, 4), torch.randn(4)))      # in this process
examine_named("my_rules.py:Mul", library="torch")               # in a child process
with record() as seen: model(x)                                 # every rule that a program calls
"""

from __future__ import annotations

from .assertion import assert_right
from .by_name import examine_named, examine_program, examine_rules
from .call_record import CallRecord, RecordedCall, record
from .examination import examine_function
from .report import Remark, RuleFinding, RuleReport
from .rule_reports import RuleReports

__all__ = [
    "CallRecord",
    "RecordedCall",
    "Remark",
    "RuleFinding",
    "RuleReport",
    "RuleReports",
    "assert_right",
    "examine_function",
    "examine_named",
    "examine_program",
    "examine_rules",
    "record",
]
