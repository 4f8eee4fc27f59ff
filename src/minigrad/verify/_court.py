"""The court: it asks every witness whether a gradient is right, and gives a verdict with its reason.

print(court("relu(a*b + d)", {"a": 2.0, "b": -3.0, "d": 10.0}))
court(lambda a, b: a*b + a, (2.0, 3.0)).verdict            # "right"
court(L)                                                    # a Value, a Graph, a Trace
court("a*b + a", {"a": 2, "b": 3}, claimed={"a": 3})        # somebody else's gradients
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .case import At, Case, Subject, case_of
from .decision import RIGHT, UNDECIDED, VALUE, WRONG, Decision, decide, testimonies
from .suspects import wrong_rule, wrong_value
from .verdict import Reason, Verdict
from .witnesses import ask as ask_witness
from .witnesses import chosen

__all__ = ["court"]


def court(
    subject: Subject,
    at: At = None,
    *,
    claimed: Mapping[str, float | str] | None = None,
    ask: str | Iterable[str] = "all",
    value: float | None = None,
    seed: float | None = None,
) -> Verdict:
    """Try the gradients of a text, a Graph, a Value, a function of numbers, or of a Trace.

    `at` are the inputs, by name or, for a function, in order.  `claimed` gradients (and a claimed
    `value`) are tried instead of our own pass.  `ask` is "all", "quick" (what needs no large
    library), or names such as "torch,mpmath".  `seed` is what the pass should have started from:
    1, or for a Trace what it did start from.
    """
    asked = chosen(ask)
    case = case_of(subject, at, claimed=claimed, value=value, seed=seed)
    statements = [ask_witness(key, case) for key in asked]
    decisions = decide(case, statements)
    said = testimonies(case, statements, decisions)
    verdict, reason = _verdict(case, decisions)
    return Verdict(case, verdict, reason, said, tuple(decisions.values()))


def _verdict(case: Case, decisions: Mapping[str, Decision]) -> tuple[str, Reason]:
    convicted = [d for d in decisions.values() if d.verdict == WRONG]
    if convicted:
        return WRONG, _charge(case, convicted)
    slopes = [d for d in decisions.values() if d.what != VALUE]
    whole = decisions.get("")
    if whole is not None and whole.verdict == RIGHT:  # it speaks for all of them
        slopes = [whole]
    open_ = [d for d in slopes if d.verdict == UNDECIDED]
    if VALUE in decisions and decisions[VALUE].code == "split":
        open_.append(decisions[VALUE])
    if open_:
        worst = next((d for d in open_ if d.code == "split"), open_[0])
        return UNDECIDED, Reason(worst.code, decision=worst, inputs=tuple(d.what for d in open_))
    conventional = [d for d in decisions.values() if d.code == "convention" and d.what != VALUE]
    if conventional:
        inputs = tuple(d.what for d in conventional)
        return RIGHT, Reason("convention", decision=conventional[0], inputs=inputs)
    first = next(iter(slopes), None) or decisions[VALUE]
    return RIGHT, Reason("agrees" if first.what else "direction", decision=first)


def _charge(case: Case, convicted: list[Decision]) -> Reason:
    """What is wrong, as far as it can be told."""
    wrong_slopes = [d for d in convicted if d.what != VALUE]
    by_value = next((d for d in convicted if d.what == VALUE), None)
    inputs = tuple(d.what for d in wrong_slopes)
    if by_value is not None:
        return Reason("value", decision=by_value, inputs=inputs, suspect=wrong_value(case))
    first = wrong_slopes[0]
    if first.code == "convention":
        return Reason("no_convention", decision=first, inputs=inputs)
    ours = all(case.gradients[name] == case.pass_.gradients[name] for name in case.names)
    if case.source == "claim" and not ours:
        return Reason("claim", decision=first, inputs=inputs)
    if case.source == "backward" and not ours:
        return Reason("backward", decision=first, inputs=inputs)
    if case.unlike:
        return Reason("cut", decision=first, inputs=inputs)
    suspect = wrong_rule(case)
    if suspect is not None:
        return Reason("rule", decision=first, inputs=inputs, suspect=suspect)
    return Reason("bookkeeping" if not ours else "differs", decision=first, inputs=inputs)
