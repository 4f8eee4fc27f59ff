"""Signs that an engine wrote its results itself, instead of letting its program be run.

Whatever runs in a process can write to the pipe of that process, so a whole transcript can be forged.  What
is here notices forgeries that are less than perfect.  None of it changes a verdict, and none of it is proof:
an honest engine that refuses every value that is used twice fails as a group, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...text.escape import printable
from ...text.numerals import counted
from ...text.translation import say
from ..inside.op_spellings import DUNDERS, REFLECTED
from .child_protocol import ProbeNumbers
from .fix_search import source_texts
from .ordinary_programs import is_ordinary, programs_not_run
from .probe_outcomes import MISSING, RIGHT, WRONG, Examination, ProbeOutcome
from .probes import OP, STRUCTURE
from .usage_plan import OpCall

__all__ = ["ForgerySign", "forgery_signs"]

FASTEST_OP = 40e-9  # seconds: no Python calls an operator in less
FASTEST_PROBE = 1e-6  # its alarm alone takes longer to set
FEWEST = 5  # programs that are a group
PLAIN_BASES = {"object", "ABC", "Generic", "Protocol"}  # that bring no op along
PLAIN_DECORATORS = {"dataclass", "dataclasses", "final", "runtime_checkable"}
COMPUTING = {"operator", "math", "cmath", "numpy", "torch", "jax", "mpmath", "decimal", "fractions", "ctypes"}


@dataclass(frozen=True)
class ForgerySign:
    code: str  # its sentence is doctor.suspicion.CODE
    count: int = 0
    what: str = ""

    @property
    def text(self) -> str:
        if self.count == 1:
            return say(f"doctor.suspicion.{self.code}_one", what=printable(self.what))
        return say(f"doctor.suspicion.{self.code}", count=counted(self.count), what=printable(self.what))


def forgery_signs(exam: Examination) -> Iterator[ForgerySign]:
    if exam.out_of_turn:
        yield ForgerySign("out_of_turn", exam.out_of_turn)
    if exam.rejected:
        yield ForgerySign("rejected", exam.rejected)
    if exam.overlong or _is_too_fast(exam):
        yield ForgerySign("timing")
    if not exam.plan or any(outcome.status == WRONG for outcome in exam.outcomes.values()):
        return  # what follows is about an engine that may be taken for a right one
    yield from _groups(exam)
    yield from _unwritten(exam)


# ---- times ----------------------------------------------------------------------------------------


def _is_too_fast(exam: Examination) -> bool:
    """Did answers come sooner than any engine computes them?"""
    times = [_times(outcome) for outcome in exam.of(STRUCTURE, OP)]
    known = [seconds for some in times for seconds in some]
    if known and sum(known) < FASTEST_PROBE * len(known):
        return True
    return any(
        seconds < FASTEST_OP * outcome.probe.depth
        for outcome in exam.outcomes.values()
        if outcome.probe.kind == "chain"
        for seconds in _times(outcome)
    )


def _times(outcome: ProbeOutcome) -> list[float]:
    return [s.seconds for s in outcome.seen if isinstance(s, ProbeNumbers) and s.seconds is not None]


# ---- programs that fail as a group ----------------------------------------------------------------


def _groups(exam: Examination) -> Iterator[ForgerySign]:
    """Programs that do not run although others with the same ops do."""
    without = {outcome.probe.id for outcome in programs_not_run(exam)}
    denied = [probe for probe in without if exam.outcomes[probe].status == MISSING]
    if denied:
        yield ForgerySign("not_supported", len(denied))
    graphs = [o for o in exam.of(STRUCTURE, OP) if is_ordinary(o.probe)]
    shared = [o for o in graphs if _reuses(o)]
    others = [o for o in graphs if not _reuses(o)]
    failed = [o for o in shared if o.probe.id in without]
    if (
        len(failed) >= FEWEST
        and 2 * len(failed) > len(shared)
        and 10 * sum(o.status == RIGHT for o in others) > 9 * len(others)
    ):
        yield ForgerySign("group", len(failed))


def _reuses(outcome: ProbeOutcome) -> bool:
    """Is some value used more than once?"""
    used = [arg for node in outcome.probe.graph.nodes for arg in node.args]
    return len(set(used)) < len(used)


# ---- answers that do not follow from the source ---------------------------------------------------


def _unwritten(exam: Examination) -> Iterator[ForgerySign]:
    """Ops and passes that were used and that the source does not speak of."""
    texts = list(source_texts(exam).values())
    trees = [tree for text in texts for tree in _trees(text)]
    if not trees or not _is_all_there(exam.plan.class_name, trees):
        return
    whole = "\n".join(texts)
    if re.search(r"\b(setattr|__getattr__|__getattribute__|exec|eval|globals|vars)\b", whole):
        return  # names may be made as it runs
    plan = exam.plan
    wanted = {word: word for word in (plan.backward.name, plan.grad.name, plan.backward.children)}
    for op, calls in plan.ops.items():
        for pattern, call in calls.items():
            wanted[_word(op, pattern, call)] = op
    missing = [
        shown for word, shown in wanted.items() if word.rpartition(":")[2].rpartition(".")[2] not in whole
    ]
    if missing:
        yield ForgerySign("unwritten", len(missing), ", ".join(dict.fromkeys(missing)))
    if not any(_computes(node) for tree in trees for node in ast.walk(tree)):
        yield ForgerySign("no_arithmetic")


def _computes(node: ast.AST) -> bool:
    """Is it arithmetic, or the import of a library that does some?"""
    if isinstance(node, ast.Import):
        return any(name.name.partition(".")[0] in COMPUTING for name in node.names)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] in COMPUTING
    return isinstance(node, (ast.BinOp, ast.AugAssign))


def _trees(text: str) -> Iterator[ast.Module]:
    try:
        yield ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return


def _is_all_there(name: str, trees: list[ast.Module]) -> bool:
    """Is the class, with all that it inherits, in these files?"""
    classes = {node.name: node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    seen, left = set[str](), [name]
    while left:
        one = left.pop()
        if one in seen or one in PLAIN_BASES:
            continue
        seen.add(one)
        if one not in classes or classes[one].keywords:  # a metaclass
            return False
        for decorator in classes[one].decorator_list:  # another one may add ops
            if not PLAIN_DECORATORS & {n.id for n in ast.walk(decorator) if isinstance(n, ast.Name)}:
                return False
        bases = [base.value if isinstance(base, ast.Subscript) else base for base in classes[one].bases]
        if not all(isinstance(base, ast.Name) for base in bases):
            return False
        left += [base.id for base in bases if isinstance(base, ast.Name)]
    return True


def _word(op: str, pattern: str, call: OpCall) -> str:
    """What must stand in the source for an op to be there."""
    if call.how != "operator":
        return call.name
    return (REFLECTED if pattern == "kv" else DUNDERS)[op].strip("_")
