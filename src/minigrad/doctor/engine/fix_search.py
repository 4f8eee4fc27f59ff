"""Search for the line that is to blame: changes are tried in memory until the probes are right.

Nothing is written.  A changed source runs in the child like the original; the first change with which
the probes of a finding come out right is its fix, and the finding's line is the line of that change.
Then the patient is examined again with that change made, so that the next bug is seen without the
first.  Where no change helps, the likeliest line is pointed to, and said to be unconfirmed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path

from ...faults import FAULTS
from ..patches.anatomy import Anatomy, anatomy
from ..patches.repairs import Patch, Suspicion, likely, repairs
from ..patches.repairs.worklist import walks_again
from .child_protocol import ProbeNumbers, try_sources
from .expected import close
from .findings import WRONG_PASS, EngineFinding, Fix, findings_of
from .probe_outcomes import RIGHT, WRONG, Examination, ProbeOutcome, run_again, with_caller_seed
from .probes import OP, STRUCTURE
from .source import LARGEST, EngineSource, SourcePlace

__all__ = ["Repaired", "find_fixes", "made_by", "source_texts"]

CANDIDATES = 240  # for one finding
FIRST = 8  # of these, tried before the others are thought of: most often one of them helps
MOST_PROBES = 14  # probes that a change must make right
GUARDS = 16  # and that it must leave right
SEVERAL = 60  # candidates for a finding about several ops, before each op is looked at alone
ALTOGETHER = 480  # candidates: so many in every run, however busy the machine is
SECONDS = 6.0  # of processor time, for the candidates of one finding
MOST = 12  # bugs, one below the other
MOST_FILES = 8

ROOTS = ("no-seed", "zero-seed")

# What a change that helps says about which of several faults it was: to the numbers they are one.
_BY_REPAIR = {
    "op-cut-from-graph": {"attach": "closure-never-attached", "closure": "op-without-rule"},
    "op-without-rule": {"attach": "closure-never-attached", "children": "op-cut-from-graph"},
    "closure-never-attached": {"children": "op-cut-from-graph", "closure": "op-without-rule"},
    "closure-on-input": {"children": "op-cut-from-graph"},
    "op-on-operand": {"attach": "closure-on-input"},
    "recursion": {"guard": "guard-misplaced"},
    "stack-revisits": {"guard": "guard-misplaced"},
    "queue-revisits": {"guard": "guard-misplaced"},
    "pre-order": {"guard": "guard-misplaced"},
    "keep-first": {"accumulate": "overwrite"},
    "guard-misplaced": {"textbook-recursion": "recursion"},
    "no-seed": {
        "called": "rules-not-called",
        "textbook-order": "wrong-pass",
        "textbook-recursion": "wrong-pass",
    },
    "wrong-pass": {
        "called": "rules-not-called",
        "guard": "guard-misplaced",
        "attach": "closure-on-input",
        "children": "op-cut-from-graph",
        "accumulate": "overwrite",
        "placed-once": "stack-revisits",
        "seed": "no-seed",
        "post-order": "pre-order",
        "reversed": "not-reversed",
    },
    "wrong-rule": {
        "guard": "guard-misplaced",
        "attach": "closure-on-input",
        "children": "op-cut-from-graph",
        "closure": "op-without-rule",
    },
}


@dataclass(frozen=True)
class Repaired:
    """What is wrong, bug by bug, and what has come of the repairs."""

    findings: list[EngineFinding]
    texts: dict[str, str]  # of the files that were changed, with all that was confirmed
    unexplained: int  # probes that are wrong all the same


def find_fixes(exam: Examination, made: Sequence[EngineFinding] = ()) -> Repaired:
    """What is wrong, bug by bug, with lines, and with fixes where one was found.

    `made` are findings whose repairs the examined texts have in them already.
    """
    left = [int(ALTOGETHER * exam.patience)]  # candidates that may still be tried
    original = source_texts(exam)
    texts, done = {**original, **exam.texts}, list(made)
    partly: set[int] = set()  # findings whose repair was confirmed together with that of another
    while len(done) < MOST:
        findings = _new(findings_of(exam), done)
        if not findings:
            break
        before, waiting = len(done), deque(findings)
        while waiting:
            finding = waiting.popleft()
            if len(done) > before and finding.fault not in FAULTS:
                continue  # it may have a name, now that less is wrong
            if finding.flaky and not finding.ops:  # its few probes may come out right by chance
                finding = _of_the_pass(exam, [], finding) or finding
            several = len(finding.ops) > 1  # which may be one line, or a line for each op
            fixed = _fix(
                exam, finding, texts, _changed(texts, original), SEVERAL if several else CANDIDATES, left
            )
            if fixed is not None:
                mended, texts[fixed[0]], alone = _made(exam, finding, fixed, texts, original)
                if not alone:
                    partly.add(len(done))
                    waiting.clear()  # what else was found may be the work of the bugs that it hides
                done.append(mended)
            elif several:
                waiting.extendleft(reversed(list(_by_op(exam, finding))))
        if len(done) == before:
            whole = _of_the_pass(exam, findings)
            fixed = (
                _fix(exam, whole, texts, _changed(texts, original), CANDIDATES, left)
                if whole is not None
                else None
            )
            if whole is not None and fixed is not None:
                mended, texts[fixed[0]], alone = _made(exam, whole, fixed, texts, original)
                if not alone:
                    partly.add(len(done))
                done.append(mended)
        if len(done) == before:
            done += [_pointed(exam, finding, texts, original) for finding in findings]
            if findings[0].fault != "no-seed" or exam.plan.backward.seed:
                break
            # what else is wrong, once somebody seeds it
            exam = run_again(with_caller_seed(exam), exam.texts)
        else:
            exam = run_again(exam, _changed(texts, original))
            done[before:] = [
                finding if place in partly else _unconfirmed_if_wrong(finding, exam)
                for place, finding in enumerate(done[before:], before)
            ]
        if exam.trouble or left[0] <= 0:
            break
    wrong = sum(outcome.status == WRONG for outcome in exam.outcomes.values()) if done else 0
    return Repaired(_worth_saying(_merged(done), exam), _changed(texts, original), wrong)


def _made(
    exam: Examination,
    finding: EngineFinding,
    fixed: tuple[str, Patch],
    texts: Mapping[str, str],
    original: Mapping[str, str],
) -> tuple[EngineFinding, str, bool]:
    """The finding with its repair, the file's new text, and whether it was confirmed by itself."""
    file, patch = fixed
    whole = patch
    if patch.parts:  # of several bugs that hide each other, one at a time
        patch = patch.parts[0]
    fault, ops = _renamed(finding, patch), finding.ops
    if (fault == WRONG_PASS or _is_of_order(fault)) and patch.kind.startswith("textbook"):
        body = _anatomy(exam, texts[file])
        fault = (walks_again(body) if body is not None else "") or fault
    if fault == "guard-missing":
        ops = ()
    elif whole.parts and ops:
        ops = _ops_changed(exam, texts[file], patch) or ops
    fix = _as_fix(exam.subject, file, patch, texts, original, True)
    return replace(finding, fault=fault, ops=ops, fix=fix), patch.apply(texts[file]), not whole.parts


def made_by(exam: Examination, finding: EngineFinding, patch: Patch) -> EngineFinding:
    """A finding with the repair of the file itself that showed it."""
    file = str(exam.subject.path)
    texts = {file: exam.subject.source}
    return replace(finding, fix=_as_fix(exam.subject, file, patch, texts, texts, True))


def _of_the_pass(
    exam: Examination, findings: Sequence[EngineFinding], named: EngineFinding | None = None
) -> EngineFinding | None:
    """All that is wrong as the work of the pass, where nothing that was found could be confirmed.

    A name can be invented where it explains little of what is wrong: then the pass is tried by itself.
    What is `named` keeps its name and its proof.
    """
    wrong = [o for o in exam.of(STRUCTURE, OP, status=WRONG) if o.probe.kind == "graph"]
    if not wrong or any({*finding.probes} >= {o.probe.id for o in wrong} for finding in findings):
        return None
    wrong.sort(key=lambda outcome: len(outcome.probe.graph))
    probes = tuple(outcome.probe.id for outcome in wrong)
    return replace(named, probes=probes) if named else EngineFinding(WRONG_PASS, (), wrong[0], probes)


def _is_of_order(fault: str) -> bool:
    return fault in FAULTS and FAULTS[fault].family == "order"


def _unconfirmed_if_wrong(finding: EngineFinding, exam: Examination) -> EngineFinding:
    """A change counts as confirmed only if the probes are right with it in every run, not just in one."""
    fix = finding.fix
    wrong = [p for p in finding.probes if p in exam.outcomes and exam.outcomes[p].status == WRONG]
    if fix is None or exam.trouble or 2 * len(wrong) < len(finding.probes):  # the rest may have another bug
        return finding
    return replace(finding, fix=replace(fix, confirmed=False))


def source_texts(exam: Examination) -> dict[str, str]:
    """The files that may hold the bug: the one examined, and those that were loaded along."""
    texts = {str(exam.subject.path): exam.subject.source}
    for file in exam.files[:MOST_FILES]:
        with suppress(OSError, ValueError):
            if _is_beside(exam.subject, Path(file)):
                texts.setdefault(file, Path(file).read_text(encoding="utf-8"))
    return texts


def _is_beside(subject: EngineSource, path: Path) -> bool:
    """Is it a file of the examined program?  The child says which were loaded, and may say anything."""
    folders = {Path(folder).resolve() for folder in (*subject.search, str(subject.folder))}
    return (
        path.suffix == ".py"
        and not folders.isdisjoint(path.resolve().parents)
        and path.is_file()
        and path.stat().st_size <= LARGEST
    )


def _new(findings: Iterable[EngineFinding], done: Iterable[EngineFinding]) -> list[EngineFinding]:
    """Those that have not been found already."""
    known = {(finding.fault, finding.ops) for finding in done}
    return [finding for finding in findings if (finding.fault, finding.ops) not in known]


def _merged(findings: Sequence[EngineFinding]) -> list[EngineFinding]:
    """One finding where two were mended at the same place: the first, which explained more."""
    kept: list[EngineFinding] = []
    for finding in findings:
        fix = finding.fix
        if not (fix and fix.confirmed and any(k.fix and _is_one(k.fix, fix) for k in kept)):
            kept.append(finding)
    return kept


def _is_one(first: Fix, second: Fix) -> bool:
    """Do both change the same place, and the second one nothing but that?"""
    return first.place == second.place and len(second.hunks) <= len(first.hunks)


def _worth_saying(findings: Sequence[EngineFinding], exam: Examination) -> list[EngineFinding]:
    """The confirmed ones first; of the others those that say more than the number of wrong probes does.

    What was guessed while other bugs stood in the way is left out where its probes are right now, where it
    has no name but that something is wrong, or where a cause that was found before explains it: with no seed
    nothing else can be told.
    """
    sure = [finding for finding in findings if finding.fix and finding.fix.confirmed]
    rest: list[EngineFinding] = []
    for finding in findings:
        seen = [exam.outcomes[p] for p in finding.probes if p in exam.outcomes]
        if finding in sure or (sure and not any(outcome.status == WRONG for outcome in seen)):
            continue
        if (sure or rest) and (finding.fault not in FAULTS or any(r.fault in ROOTS for r in (*sure, *rest))):
            continue
        if not any((finding.fault, finding.ops) == (one.fault, one.ops) for one in (*sure, *rest)):
            rest.append(finding)
    return [*sure, *rest]


def _anatomy(exam: Examination, source: str) -> Anatomy | None:
    try:
        return anatomy(source, exam.plan.class_name, exam.plan.data.name, exam.plan.grad.name or "grad")
    except (SyntaxError, ValueError, RecursionError):
        return None


def _candidates(
    exam: Examination, finding: EngineFinding, texts: Mapping[str, str]
) -> Iterator[tuple[str, Patch]]:
    """Changes to try, in the file with the class first."""
    for file, text in texts.items():
        body = _anatomy(exam, text)
        if body is not None:
            for candidate in islice(repairs(text, body, _suspicion(finding)), CANDIDATES):
                yield file, candidate


def _suspicion(finding: EngineFinding) -> Suspicion:
    return Suspicion(finding.fault, finding.ops[0] if len(finding.ops) == 1 else "")


def _ops_changed(exam: Examination, text: str, patch: Patch) -> tuple[str, ...]:
    """The ops in whose functions a change is made."""
    body = _anatomy(exam, text)
    lines = {text.count("\n", 0, edit.start) + 1 for edit in patch.edits}
    return tuple(
        op
        for op in (exam.plan.ops if body is not None else ())
        if body is not None
        and any(
            function.node.lineno <= line <= (function.node.end_lineno or 0)
            for function in body.of(op)
            for line in lines
        )
    )


def _by_op(exam: Examination, finding: EngineFinding) -> Iterator[EngineFinding]:
    """One finding for each of several ops."""
    for op in finding.ops:
        mine = tuple(probe for probe in finding.probes if exam.outcomes[probe].probe.op == op)
        if mine:
            yield replace(finding, ops=(op,), probes=mine)


def _changed(texts: Mapping[str, str], original: Mapping[str, str]) -> dict[str, str]:
    return {file: text for file, text in texts.items() if text != original[file]}


def _fix(
    exam: Examination,
    finding: EngineFinding,
    texts: Mapping[str, str],
    changed: Mapping[str, str],
    most: int,
    left: list[int],
) -> tuple[str, Patch] | None:
    """The first change that helps; none where nothing is wrong any more since the last one.

    `most` candidates are tried, and as many as are `left` for all findings together.
    """
    candidates = islice(_candidates(exam, finding, texts), max(0, min(most, left[0])))
    probes = [*_probes_of_finding(exam, finding), *_guards(exam, finding)]
    right = {o.probe.id: {"value": o.expected.value, "grads": dict(o.expected.grads)} for o in probes}
    asis = [] if changed == exam.texts else [(str(exam.subject.path), texts[str(exam.subject.path)])]
    for many in (FIRST, None):
        some = list(islice(candidates, many))
        if not some:
            break
        left[0] -= len(some)
        green = try_sources(
            exam.subject,
            [*asis, *((file, candidate.apply(texts[file])) for file, candidate in some)],
            changed,
            [outcome.probe for outcome in probes],
            right,
            exam.plan,
            cpu=SECONDS * exam.patience,
            runner=exam.runner,
        )
        if green is not None:
            return some[green - len(asis)] if green >= len(asis) else None
        asis = []
    return None


def _probes_of_finding(exam: Examination, finding: EngineFinding) -> list[ProbeOutcome]:
    """The probes that are wrong because of this finding, as far as can be told."""
    by = exam.diagnosis.explained
    mine = [exam.outcomes[probe] for probe in finding.probes]
    alone = [o for o in mine if len(by.get(o.probe.id, ())) <= 1]
    chosen = sorted(alone or mine, key=lambda o: len(o.probe.graph) if o.probe.text else 0)
    if len(chosen) <= MOST_PROBES:
        return chosen
    step = len(chosen) / MOST_PROBES  # small ones and large ones
    return [chosen[int(i * step)] for i in range(MOST_PROBES)]


def _guards(exam: Examination, finding: EngineFinding) -> list[ProbeOutcome]:
    """Probes that are right and must stay so, those about the same ops first."""
    right = [o for o in exam.outcomes.values() if o.status == RIGHT and o.probe.kind == "graph"]
    right = [o for o in right if o.probe.topic in ("structure", "op", "edge") and o.probe.seed == 1.0]
    right = [o for o in right if _is_usual(o)]
    right.sort(key=lambda o: (o.probe.op not in finding.ops, o.probe.topic == "op", len(o.probe.graph)))
    return right[:GUARDS]


def _is_usual(outcome: ProbeOutcome) -> bool:
    """Did the very numbers come out that are expected?  At a kink, others are right as well."""
    seen, right = outcome.seen[0], outcome.expected
    return isinstance(seen, ProbeNumbers) and all(
        close(seen.grads.get(name), grad, right.size) for name, grad in right.grads.items()
    )


def _pointed(
    exam: Examination, finding: EngineFinding, texts: Mapping[str, str], original: Mapping[str, str]
) -> EngineFinding:
    """The likeliest line, unconfirmed."""
    for file, text in texts.items():
        body = _anatomy(exam, text)
        asked = [Suspicion(finding.fault, op) for op in finding.ops] or [_suspicion(finding)]
        found = (one for a in asked for one in likely(text, body, a)) if body is not None else iter(())
        first = next(found, None)
        if first is not None:
            return replace(finding, fix=_as_fix(exam.subject, file, first, texts, original, False))
        line = _where(body, finding) if body is not None else 0
        if line and text != original[file]:
            line = _original(original[file].split("\n"), text.split("\n"), line)
        if line:
            return replace(finding, fix=Fix(line, _place(exam.subject, file, line), (), False))
    return finding


def _where(body: Anatomy, finding: EngineFinding) -> int:
    """The line at which to begin reading: that of the rule, of the op, or of the pass."""
    for op in finding.ops:
        for function in body.of(op):
            rules = [rule.statement.lineno for rule in function.rules]
            return min(rules, default=function.node.lineno)
    if finding.ops:
        return 0
    for walk in body.traversals:
        return walk.loop.lineno if walk.loop is not None else walk.function.lineno
    return body.calling  # closures that call each other


def _place(subject: EngineSource, file: str, line: int) -> SourcePlace:
    return subject.place(line) if file == str(subject.path) else SourcePlace(line, file=Path(file).name)


def _renamed(finding: EngineFinding, repair: Patch) -> str:
    if repair.kind in ("guard-asked", "mark-added"):
        return "guard-missing"
    if repair.kind == "handed-down":
        return "accumulated-handed-on"
    if finding.fault == "repeated-once" and finding.ops == ("pow",):
        return "pow-exponent-missing"  # in a ** a these are one, and what mends it is the exponent's term
    return _BY_REPAIR.get(finding.fault, {}).get(repair.kind.removesuffix("-all"), finding.fault)


def _as_fix(
    subject: EngineSource,
    file: str,
    repair: Patch,
    texts: Mapping[str, str],
    original: Mapping[str, str],
    confirmed: bool,
) -> Fix:
    """The change as lines before and after, with the place in what the person wrote."""
    base = texts[file]
    old, new = base.split("\n"), repair.apply(base).split("\n")
    line = repair.line
    if base != original[file]:
        line = _original(original[file].split("\n"), old, line)
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    hunks = tuple((tuple(old[i:j]), tuple(new[k:m])) for tag, i, j, k, m in codes if tag != "equal")
    return Fix(line, _place(subject, file, line), hunks, confirmed)


def _original(old: Sequence[str], changed: Sequence[str], line: int) -> int:
    """The line of the original that a line of a changed source was."""
    for tag, i, j, k, m in SequenceMatcher(None, old, changed, autojunk=False).get_opcodes():
        if k <= line - 1 < m:
            return i + (line - 1 - k) + 1 if tag == "equal" else min(i + 1, max(j, i + 1))
    return line
