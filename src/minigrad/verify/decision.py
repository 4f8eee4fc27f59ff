"""Decisions of the court: one for each number on trial, which is the value or one gradient.

The statement that weighs most and is not in doubt decides; the rows of `witnesses/__init__.py` are in
that order.  mpmath and exact rationals are referees: what they state is the truth.  The others can
convict only if no independent witness confirms what is on trial.  Tolerances come from the roundings
inside the graph (`tolerance.py`).

At a kink, a jump, the edge of a domain or an infinity there is no derivative, and what a pass gives
is a convention.  There the court holds it against the published one, and between the slopes to
either side any number is a fair choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, isfinite, nan

from ..ops import OPS
from ..values.differences import slope
from .case import Case
from .suspects import wrong_rule
from .testimony import ABSENT, AGREES, CANNOT, DISAGREES, UNRELIABLE, Estimate, Finding, Statement, Testimony
from .tolerance import witness_tolerance
from .witnesses import INDEPENDENT, LIBRARIES, REFEREES, WITNESSES
from .witnesses.central_differences import FAR

__all__ = ["RIGHT", "UNDECIDED", "VALUE", "WRONG", "Decision", "decide", "testimonies"]

RIGHT, WRONG, UNDECIDED = "right", "wrong", "undecided"
VALUE = "\0 the value \0"  # stands where else the name of an input does
PRECISE = (*REFEREES, "sympy")  # witnesses that add no rounding of their own
TINY = 1e-280
SHARP = 1e-4  # a tolerance must be smaller than this part of what was added up, to mean anything
CONVENTION = ("kink", "jump", "edge", "steep", "domain", "infinite")  # reasons for there being no derivative
BLIND = ("kink", "jump", "rough", "rounding", "range", "domain")  # an estimate with these is no number


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on one number on trial."""

    what: str  # VALUE, an input, or "" for the direction through all inputs
    verdict: str
    code: str  # agrees, convention, differs, split, nobody
    claim: float
    by: str = ""  # the witness that decided
    number: float = nan  # and its number
    why: str = ""  # for a convention: what makes it one
    sides: tuple[float, float] | None = None


# ---- numbers ------------------------------------------------------------------------------------


class _Bench:
    """The case and the statements of all witnesses."""

    def __init__(self, case: Case, statements: Sequence[Statement]) -> None:
        self.case = case
        self.statements = {statement.witness: statement for statement in statements}
        graph, values = case.graph, case.values
        self.conventional = any(
            graph.active[i]
            and node.op in OPS
            and all(values[arg] == values[arg] for arg in node.args)
            and OPS[node.op].kink(*[values[arg] for arg in node.args])
            for i, node in enumerate(graph.nodes)
        )
        self.infinite = not all(map(isfinite, values))
        self.extreme = any(x and not 1e-150 < abs(x) < 1e150 for x in values)
        self.scale = max((abs(grad) for grad in case.pass_.grads if isfinite(grad)), default=1.0)

    def claim(self, what: str) -> float:
        case = self.case
        if what == VALUE:
            return nan if case.value is None else case.value
        if what:
            return case.gradients[what]
        return sum(way * case.gradients[name] for name, way in case.direction.items())

    def published(self, what: str) -> float:
        """What our own pass gives, whose conventions are those of docs/en/numerics.md."""
        record = self.case.pass_
        if what == VALUE:
            return record.values[self.case.graph.output]
        if what:
            return record.gradients[what]
        return sum(way * record.gradients[name] for name, way in self.case.direction.items())

    @cached_property
    def overflows(self) -> bool:
        """Did our pass meet a number that is not finite, and not through a wrong rule?"""
        record = self.case.pass_
        if all(map(isfinite, (*record.values, *record.grads))):
            return False
        return wrong_rule(replace(self.case, walked=None)) is None

    def estimate(self, key: str, what: str) -> Estimate | None:
        """A witness's own number for what is on trial, in its unit."""
        statement = self.statements.get(key)
        if statement is None:
            return None
        if what == VALUE:
            return statement.value
        found, seed = statement.slopes.get(what), self.case.seed
        if found is None or seed == 1.0:
            return found
        sides = None if found.sides is None else (seed * found.sides[0], seed * found.sides[1])
        return Estimate(seed * found.number, abs(seed) * found.error, found.why, sides)

    def gross(self, what: str) -> float:
        return abs(self.claim(what)) if what == VALUE else self.case.gross(what)

    def tolerance(self, key: str, what: str, estimate: Estimate) -> float:
        """How far a right number may be from that of a witness, and a claim that was rounded further."""
        return self._tolerance(key, what, estimate) + self.leeway(what)

    def leeway(self, what: str) -> float:
        return 0.0 if what == VALUE else self.case.leeway(what)

    def _tolerance(self, key: str, what: str, estimate: Estimate) -> float:
        """The worst that roundings can do, but no more than they do: our own pass is a sample of them."""
        done, size = abs(self.published(what) - estimate.number), abs(estimate.number)
        cap = max(1e-6 * size, 64.0 * done) if isfinite(done) and isfinite(size) else inf
        own = self.case.value_tolerance if what == VALUE else self.case.tolerance(what)
        if key not in PRECISE:
            own = witness_tolerance(key, own, self.gross(what), estimate, of_slope=what != VALUE)
        return min(own, cap or inf)

    def close(self, key: str, what: str, estimate: Estimate, number: float) -> bool:
        return _close(estimate.number, number, self.tolerance(key, what, estimate))

    def by_our_convention(self, what: str, claim: float) -> bool:
        """Is it what the conventions of the ops add up to, even where that is no derivative?

        relu(a) - relu(-a) is a, and its slope at 0 is 1; with relu'(0) = 0 every pass gives 0.
        """
        published = self.published(what)
        room = 1e-9 * abs(published) + self.leeway(what) if isfinite(published) else 0.0
        return self.conventional and what != VALUE and _close(claim, published, room)

    def agreement_counts(self, key: str, what: str, estimate: Estimate) -> bool:
        """Does an agreement mean anything: are the two numbers alike to six digits, or the bar short?"""
        claim, number = self.claim(what), estimate.number
        alike = claim == number or abs(claim - number) <= 1e-6 * max(abs(claim), abs(number))
        return alike or self.sharp(key, what, estimate)

    def sharp(self, key: str, what: str, estimate: Estimate) -> bool:
        """Would a disagreement with this number mean anything?"""
        tolerance = self._tolerance(key, what, estimate)
        size = max(abs(estimate.number), self.gross(what))
        if not isfinite(tolerance) or not tolerance <= SHARP * size:
            return estimate.number == 0.0 and size == 0.0 and tolerance <= 1e-300
        if key == "central" and abs(self.case.at.get(what, 0.0)) > FAR:
            return False
        if self.extreme and max(abs(estimate.number), abs(self.claim(what))) < TINY:
            return False  # numbers on the way have underflowed, and what is left is noise
        if key not in PRECISE and self.extreme:  # they may over- or underflow where we do not
            return False
        if key in (*LIBRARIES, "paper"):  # they may lose what cancels inside an op
            return abs(estimate.number - self.claim(what)) > 1e-10 * self.scale
        return True


def _close(x: float, y: float, tolerance: float) -> bool:
    if x == y or (x != x and y != y):
        return True
    return isfinite(x) and isfinite(y) and abs(x - y) <= tolerance


# ---- one number on trial ------------------------------------------------------------------------


def decide(case: Case, statements: Sequence[Statement]) -> dict[str, Decision]:
    """A decision for each number on trial."""
    bench = _Bench(case, statements)
    stated = {what for statement in statements for what in statement.slopes}
    on_trial = [name for name in case.names if name in stated or "" not in stated]
    if "" in stated:
        on_trial.append("")
    decisions = {what: _decide(bench, what) for what in on_trial}
    whole = decisions.get("")
    if whole is not None and whole.verdict == RIGHT and whole.by in REFEREES:  # it speaks for each of them
        for name in case.names:
            if name in decisions and decisions[name].by not in REFEREES:
                claim = bench.claim(name)
                decisions[name] = Decision(name, RIGHT, "agrees", claim, whole.by, claim)
    if case.value is not None:
        decisions[VALUE] = _decide(bench, VALUE)
    own = [  # choices that are not the published ones
        d
        for d in decisions.values()
        if d.code == "convention" and d.verdict == RIGHT and not _close(d.claim, d.number, 0.0)
    ]
    if own and len(case.names) > 1 and not _go_together(bench):
        decisions |= {d.what: replace(d, verdict=WRONG) for d in own}
    return decisions


def _go_together(bench: _Bench) -> bool:
    """Are choices at a kink one choice?  Of maximum(a, b) at a tie, 1 and 1 are each fair, not both."""
    case = bench.case
    for direction in (dict.fromkeys(case.names, 1.0), case.direction):
        found = slope(case.along(direction), 0.0)
        left, right = (found.left, found.right) if found.kink else (found.value, found.value)
        if not (isfinite(left) and isfinite(right)):
            continue
        claim = sum(way * case.gradients[name] for name, way in direction.items())
        room = sum(abs(way) * case.leeway(name) for name, way in direction.items())
        room += 1e-4 * max(abs(left), abs(right))
        if not min(left, right) - room <= claim / case.seed <= max(left, right) + room:
            return False
    return True


def _decide(bench: _Bench, what: str) -> Decision:
    claim = bench.claim(what)
    territory, sides, doubt = "", None, ""
    beyond: Estimate | None = None  # the truth, where the pass left the range of floats on its way
    for key in WITNESSES:
        estimate = bench.estimate(key, what)
        if estimate is None or not _may_judge(bench, key, what):
            continue
        if key in (*REFEREES, "complex") and estimate.why in CONVENTION:
            territory, sides = territory or estimate.why, sides or estimate.sides
            if estimate.why in ("edge", "steep") and bench.close(key, what, estimate, claim):
                return Decision(what, RIGHT, "agrees", claim, key, estimate.number)
            continue
        if key == "central" and estimate.why == "kink" and bench.conventional:
            territory, sides = territory or "kink", sides or estimate.sides
        if estimate.why or estimate.number != estimate.number:
            doubt = doubt or estimate.why
            continue
        if territory or (key not in REFEREES and (bench.infinite or (bench.conventional and what != VALUE))):
            continue
        if bench.close(key, what, estimate, claim):
            if key == "dual":
                continue  # it would believe a wrong rule
            if not bench.agreement_counts(key, what, estimate):
                if bench.by_our_convention(what, claim):
                    return _by_convention(bench, what, claim, "kink", sides)
                return Decision(what, UNDECIDED, "nobody", claim, why="cancellation")
            return Decision(what, RIGHT, "agrees", claim, key, estimate.number)
        if not bench.sharp(key, what, estimate):
            doubt = doubt or ("overflow" if bench.infinite else "cancellation")
            if key in REFEREES and bench.overflows and what != VALUE:
                beyond = beyond or estimate
            continue
        if bench.overflows and _close(claim, bench.published(what), 0.0):
            doubt, beyond = doubt or "overflow", beyond or estimate
            continue
        if bench.by_our_convention(what, claim):
            return _by_convention(bench, what, claim, "kink", sides)
        if key not in REFEREES and (other := _defender(bench, key, what, claim)):
            return Decision(what, UNDECIDED, "split", claim, key, estimate.number, other)
        return Decision(what, WRONG, "differs", claim, key, estimate.number)
    if not territory and bench.conventional and what != VALUE:
        territory = "kink"
    if not territory and beyond is not None and isfinite(beyond.number):
        return Decision(what, UNDECIDED, "overflow", claim, number=beyond.number, why="overflow")
    if not territory and (bench.infinite or bench.overflows):
        territory = "infinite"
    if territory:
        return _by_convention(bench, what, claim, territory, sides)
    return Decision(what, UNDECIDED, "nobody", claim, why=doubt)


def _may_judge(bench: _Bench, key: str, what: str) -> bool:
    if what == VALUE:
        return key != "dual"
    return not (key == "paper" and bench.case.custom is not None)


def _defender(bench: _Bench, accuser: str, what: str, claim: float) -> str:
    """An independent witness without a doubt that takes the side of what is on trial."""
    for key in INDEPENDENT:
        estimate = bench.estimate(key, what)
        if key == accuser or estimate is None or estimate.why:
            continue
        if bench.close(key, what, estimate, claim) and bench.sharp(key, what, estimate):
            return key
    return ""


def _by_convention(
    bench: _Bench, what: str, claim: float, why: str, sides: tuple[float, float] | None
) -> Decision:
    case, published = bench.case, bench.published(what)
    tolerance = case.value_tolerance if what == VALUE else case.tolerance(what)
    # Our own pass is float arithmetic like the claim's: at a kink the worst case would be the whole jump.
    tolerance = min(tolerance, 1e-6 * abs(published)) if isfinite(published) else 0.0
    tolerance += bench.leeway(what)
    between = sides is not None and min(sides) - tolerance <= claim <= max(sides) + tolerance
    ours = _close(claim, published, tolerance)
    if case.source != "claim":  # a pass of ours has its own convention, which is no steeper than either side
        fair = ours and (between or sides is None or not all(map(isfinite, (*sides, claim))))
    else:
        fair = ours or between
    if fair:
        return Decision(what, RIGHT, "convention", claim, number=published, why=why, sides=sides)
    for key in LIBRARIES:
        estimate = bench.estimate(key, what)
        if estimate is not None and bench.close(key, what, estimate, claim):
            return Decision(what, UNDECIDED, "split", claim, "dual", published, key)
    return Decision(what, WRONG, "convention", claim, number=published, why=why, sides=sides)


# ---- statements beside the decisions ---------------------------------------------------------


def testimonies(
    case: Case, statements: Sequence[Statement], decisions: Mapping[str, Decision]
) -> tuple[Testimony, ...]:
    """Each statement beside the numbers on trial, now that the court knows more."""
    bench = _Bench(case, statements)
    result = []
    for statement in statements:
        key = statement.witness
        findings = tuple(
            _finding(bench, key, what, decisions.get(what))
            for what in (*case.names, "")
            if what in statement.slopes
        )
        value = None
        if statement.value is not None and case.value is not None:
            value = _finding(bench, key, VALUE, decisions.get(VALUE))
        kept = (statement.status, statement.why, statement.about)
        if statement.status not in (CANNOT, ABSENT):
            kept = ("", "", "")
        result.append(Testimony(key, findings, value, kept, statement.note))
    return tuple(result)


def _finding(bench: _Bench, key: str, what: str, decision: Decision | None) -> Finding:
    estimate = bench.estimate(key, what)
    assert estimate is not None
    claim, status, why = bench.claim(what), UNRELIABLE, estimate.why
    if estimate.why in BLIND or (estimate.why not in ("", "infinite") and estimate.number != estimate.number):
        pass
    elif bench.close(key, what, estimate, claim):
        counts = bench.agreement_counts(key, what, estimate)
        status, why = (AGREES, "") if counts else (UNRELIABLE, "cancellation")
    elif decision is None or decision.verdict == RIGHT:
        why = _reason(bench, key, what, estimate, claim)
    elif decision.verdict == UNDECIDED:
        doubtful = bench.conventional or bench.infinite or estimate.why
        status = UNRELIABLE if doubtful or not bench.sharp(key, what, estimate) else DISAGREES
        why = _reason(bench, key, what, estimate, decision.number) if status == UNRELIABLE else ""
    elif (
        decision.code == "convention"
        or key in (decision.by, "paper", "dual")
        or bench.close(key, what, estimate, decision.number)
    ):
        status, why = DISAGREES, ""
    else:
        why = _reason(bench, key, what, estimate, decision.number)
    name = "" if what == VALUE else what
    return Finding(name, claim, estimate.number, estimate.error, status, why, estimate.sides)


def _reason(bench: _Bench, key: str, what: str, estimate: Estimate, truth: float) -> str:
    """Why a witness is off where the court knows better."""
    case, number = bench.case, estimate.number
    values = case.values
    if estimate.why and estimate.why != "infinite":
        return estimate.why
    if not isfinite(number) and _untaken(case):
        return "branch"
    if bench.conventional:
        return "jump" if what == VALUE else "kink"
    if not isfinite(number) and isfinite(truth):
        return "overflow"
    if any(0.0 < abs(x) < 2.0**-1022 for x in (*values, *case.pass_.grads, truth)):
        return "flushed"
    if bench.infinite or not isfinite(truth):
        return "infinite"
    if abs(number - truth) <= 1e-8 * max(bench.scale, bench.gross(what)):
        return "cancellation"
    if bench.extreme:
        return "overflow"
    return "rough" if key == "central" else "unexplained"


def _untaken(case: Case) -> bool:
    """Does some op choose between branches?"""
    return any(node.op in OPS and OPS[node.op].selective for node in case.graph.nodes)
