"""Examination of one rule at one call: run it, measure the slopes, compare, and name what differs.

The forward is believed, the rule is on trial.  First its gradient at the inputs and near them, then, where
that is asked for, at unusual ones; then its conduct and its second derivative, while there is time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import isfinite
from random import Random
from time import monotonic

from ..verdict import Verdict
from .backward_statements import (
    changing_line,
    lines_run,
    returned_count,
    returned_line,
    state_line,
)
from .complex_gradients import complex_inputs, conjugate_missing, speaks_of_complex
from .deliberate_gradients import KINDS, kept_by, recognise
from .expected import Truth, apart_from_wider_steps, measure
from .grids import Grid, broadcasts
from .input_structure import (
    InputStructure,
    doubtful_places,
    follows,
    is_plain,
    moved_back,
    near_enough,
    right_along,
    structures_of,
)
from .invented_inputs import belongs
from .observations import Observation, RuleCase
from .patterns import name_pattern
from .report import (
    CORRECT,
    LIMITED,
    NOT_EXAMINED,
    WRONG,
    ProofScope,
    Remark,
    RuleFinding,
    RuleReport,
    Unseen,
)
from .rule_source import rule_source
from .stages import BUDGET, run_stages
from .subject import Point, RuleRefusedError, RuleSubject, runs_backward

__all__ = ["examine_subject"]

PROOF_SECONDS = 1.0
BY_THE_WAY = ("zero-upstream",)  # what a wrong gradient brings with it
MANY = 24  # numbers of the inputs
SLACK = 5e-5  # relative; a rule that is wrong by 0.05% is caught
NEARLY = 2e-3  # beside the largest number
SLIGHT = 1e-4  # a gradient that is smaller than this beside the others


def examine_subject(
    subject: RuleSubject,
    *,
    seed: int = 0,
    beyond: bool = False,
    intended: str = "",
    budget: float = BUDGET,
) -> RuleReport:
    return _RuleExamination(subject, seed, beyond, intended, budget).report()


class _RuleExamination:
    """One run through all questions; what it finds is gathered on the way."""

    def __init__(self, subject: RuleSubject, seed: int, beyond: bool, intended: str, budget: float) -> None:
        self.subject, self.beyond, self.intended, self.budget = subject, beyond, intended, budget
        self.random = Random(seed)
        self.findings: list[RuleFinding] = []
        self.choices: list[Remark] = []
        self.unseen: list[Remark] = [*subject.remarks]
        self.compared = 0
        self.witnesses: list[str] = []
        self.source = rule_source(subject.rule)
        if subject.library == "jax":  # the function says in its docstring what its rule is for
            prose = rule_source(subject.described_by).prose()
            self.source = replace(self.source, above=f"{self.source.above}\n{prose}")
        self.pairs = complex_inputs(subject)
        self.structures = [
            [] if i in self.pairs else structures_of(grid) for i, grid in enumerate(subject.start)
        ]
        self.invented = subject.origin == "invented"
        self.began = monotonic()
        self.seconds: float | None = None
        self.conducted = False
        self.ran: set[int] | None = None  # the lines of a backward
        self.tied: set[int] = set()  # inputs that a function which was handed over may hold by another name
        self.structured: set[int] = set()  # inputs that are right along their structure, and judged by that
        self.doubtful: list[tuple[int, int]] = []  # numbers that are measured in any case
        self.grouped = False  # were numbers compared in groups, without another witness?
        self.snippet = ""
        self.proof: ProofScope | None = None
        self.case = RuleCase(subject, [], max(SLACK, 30.0 * subject.rounding))

    def report(self) -> RuleReport:
        try:
            self._examine()
        except RuleRefusedError as refused:
            if refused.stage == "backward":
                self.findings.append(self._located(self._raised(refused), None, refused))
            else:
                self.unseen.append(Unseen(refused.stage, refused.message))
                if self._verdict("gradient") != WRONG:  # what was seen before is a fault all the same
                    return self._written(NOT_EXAMINED)
        if len(self.tied) == len(self.subject.start):
            self.compared = 0
        if not self.compared and not any(each.about == "gradient" for each in self.findings):
            return self._written(NOT_EXAMINED)  # whatever its conduct showed
        return self._written(self._verdict("gradient"))

    def _verdict(self, about: str) -> Verdict:
        grades = {finding.grade for finding in self.findings if finding.about == about}
        return WRONG if WRONG in grades else LIMITED if LIMITED in grades else CORRECT

    def _written(self, verdict: Verdict) -> RuleReport:
        subject = self.subject
        order = ("gradient", "conduct", "second")
        findings = sorted(self._once(self.findings), key=lambda each: order.index(each.about))
        codes = {remark.code for remark in (*self.unseen, *self.choices)}
        second = self._verdict("second") if self.conducted and verdict != WRONG else NOT_EXAMINED
        late = self._late()
        if (second == CORRECT and codes & {"twice", "again", "tied_conduct"}) or "second" in late:
            second = NOT_EXAMINED
        if second == CORRECT and "once-differentiable" in codes:
            second = LIMITED
        conduct = self._verdict("conduct")
        return RuleReport(
            subject.library,
            subject.name,
            verdict,
            tuple(findings),
            tuple(dict.fromkeys(self.choices)),
            tuple(dict.fromkeys(self.unseen)),
            subject.described,
            subject.origin,
            self.compared,
            tuple(self.witnesses),
            NOT_EXAMINED if conduct == CORRECT and not self._saw_conduct(codes) else conduct,
            second,
            self.proof if verdict == CORRECT else None,
            place=f"{self.source.file}:{self.source.line}" if self.source.file else "",
            snippet=self.snippet,
            versions=subject.versions(),
            seconds=self.seconds,
        )

    def _saw_conduct(self, codes: set[str]) -> bool:
        return self.conducted and "tied_conduct" not in codes and "conduct" not in self._late()

    def _late(self) -> list[str]:
        """The stages that the time did not reach."""
        return [name for each in self.unseen if each.code == "time" for name in each.about.split(", ")]

    @staticmethod
    def _once(findings: Sequence[RuleFinding]) -> list[RuleFinding]:
        kept: dict[tuple[str, str], RuleFinding] = {}
        for finding in findings:
            kept.setdefault((finding.fault, finding.input), finding)
        return list(kept.values())

    # ---- the questions, in order -----------------------------------------------------------

    def _examine(self) -> None:
        subject, start, case = self.subject, self.subject.start, self.case
        outputs = subject.forward(start)
        if not any(len(grid) for grid in outputs):
            raise RuleRefusedError("nothing", "")
        near = self._near(start, outputs)
        upstreams = [self._upstream(outputs, kind) for kind in ("random", "random", "single")]
        self._values(start)
        shapes = subject.returned_shapes(start, upstreams[0])
        if finding := subject.first_look(start, upstreams[0]):
            if finding.fault == "unsteady" and not subject.draws:
                # Noise that only the backward draws is no mask of the forward drawn once more.
                finding = replace(finding, fault="random-backward", grade=LIMITED)
            self.findings.append(self._located(finding))
            if finding.about == "gradient":
                return
        points = [start, near]
        self.witnesses.append("differences")
        if self._agrees(points, upstreams):
            wrong: list[int] = []
        else:
            wrong = self._wrong_at(points, upstreams)
        if not wrong and self._verdict("gradient") != LIMITED and self.beyond:
            wrong = self._wrong_elsewhere(upstreams[:1])
        named = [(conjugate_missing(case, i) or name_pattern(case, i), i) for i in wrong]
        self.findings += [self._graded(self._located(finding, i), i) for finding, i in named]
        wrong = [] if all(each.grade == LIMITED for each in self.findings) else wrong
        if wrong and not speaks_of_complex(subject):
            from .snippet import write_snippet

            self.snippet = write_snippet(case, wrong[0])
        elif not wrong and not speaks_of_complex(subject):
            self._prove()
        self.seconds = monotonic() - self.began
        self._witness(case, upstreams[0])
        self._left_unsummed(shapes, wrong)
        self._conduct(near, upstreams[0], bool(wrong))

    # ---- points ----------------------------------------------------------------------------

    def _near(self, start: Point, outputs: Sequence[Grid]) -> Point:
        """A point close by: inputs that were given are moved by 2%, invented ones by up to 25%.

        A structure is kept, and so are numbers that are whole (masks, labels) where they were given.  Where
        the forward has no numbers there, or the rule raises, the way is made shorter: that is a border of its
        domain.
        """
        width = 0.25 if self.invented else 0.02
        for _ in range(4):
            near = tuple(
                self._moved(grid, kept, width) for grid, kept in zip(start, self.structures, strict=True)
            )
            try:
                there = self.subject.forward(near)
            except RuleRefusedError:
                there = []
            same = [g.shape for g in there] == [g.shape for g in outputs]
            if same and all(g.finite for g in there) and runs_backward(self.subject, there, near):
                return near
            width /= 8.0
        return start

    def _moved(self, grid: Grid, kept: Sequence[InputStructure], width: float) -> Grid:
        codes = {each.code for each in kept}
        marks = not self.invented and is_plain(grid)
        shares = grid.map(lambda _: self.random.uniform(-width, width))
        if "symmetric" in codes:
            shares = kept[0].project(grid, shares)
        pairs = zip(grid.numbers, shares.numbers, strict=True)
        still = any(grid.numbers) and not self.invented and not marks
        moved = grid.like([x * (1.0 + d) + (0.4 * d if not x and not still else 0.0) for x, d in pairs])
        if self.invented and not codes:
            moved = moved.map(lambda x: round(x, 4))
        if codes & {"simplex", "sphere", "orthogonal"}:
            return moved_back(grid, moved, codes)
        return moved

    def _upstream(self, outputs: Sequence[Grid], kind: str) -> tuple[Grid, ...]:
        """Numbers of both signs and various sizes; or one number alone."""
        if kind == "single":
            k, o = max(enumerate(outputs), key=lambda pair: len(pair[1]))[0], 0
            o = self.random.randrange(len(outputs[k]))
            return tuple(
                grid.like([1.7 * float((j, e) == (k, o)) for e in range(len(grid))])
                for j, grid in enumerate(outputs)
            )
        return tuple(
            grid.map(lambda _: round(self.random.uniform(0.4, 2.0), 2) * self.random.choice((-1.0, 1.0)))
            for grid in outputs
        )

    # ---- the gradient ----------------------------------------------------------------------

    def _agrees(self, points: Sequence[Point], upstreams: Sequence[tuple[Grid, ...]]) -> bool:
        """The quick answer: the library's own derivative of the plain forward gives what the rule gives.

        That derivative is a witness only where it agrees with differences along a random direction; what
        disagrees is measured number by number before anybody is accused.
        """
        for point in points:
            for upstream in upstreams:
                plain = self.subject.plain_pull(point, upstream)
                if plain is None or any(g is None or not g.finite for g in plain.grads):
                    return self._agrees_in_groups(points, upstreams)
                if not follows(self.subject, point, upstream, plain.grads, self.case.slack, self.random):
                    return self._agrees_in_groups(points, upstreams)
                got = self.subject.pull(point, upstream).grads
                for ours, theirs in zip(got, plain.grads, strict=True):
                    if ours is None or theirs is None or not near_enough(ours, theirs):
                        return self._agrees_in_groups(points, upstreams)
        self.compared += len(points) * len(upstreams) * sum(map(len, points[0]))
        return True

    def _agrees_in_groups(self, points: Sequence[Point], upstreams: Sequence[tuple[Grid, ...]]) -> bool:
        """Without that witness: many numbers at once, where one by one would take long.

        A forward that iterates takes milliseconds, and some hundred numbers need ten thousand runs of it.
        """
        if sum(map(len, points[0])) < MANY or self.subject.rounding > 1e-12:
            return False
        for point in points:
            for upstream in upstreams:
                got = self.subject.pull(point, upstream).grads
                places = doubtful_places(self.subject, point, upstream, got, self.case.slack, self.random)
                if places is None or places.doubtful:
                    self.doubtful = [] if places is None else places.doubtful
                    return False
                if not places.whole:
                    self.unseen.append(Unseen("large"))
        self.compared += len(points) * len(upstreams) * sum(map(len, points[0]))
        self.grouped = True
        return True

    def _wrong_at(self, points: Sequence[Point], upstreams: Sequence[tuple[Grid, ...]]) -> list[int]:
        """The inputs whose gradients are wrong and not meant to be so."""
        case, subject = self.case, self.subject
        truths = self._observe(points, upstreams)
        if not any(truth.anything for truth in truths):
            if all(self._right_along_structure(i, points, upstreams) for i in range(len(subject.start))):
                return []
            raise RuleRefusedError("numerics", "")
        if any(not truth.whole for truth in truths):
            self.unseen.append(Unseen("large"))
        self.compared += sum(1 for i in range(len(subject.start)) for _ in case.entries(i))
        wrong = [i for i in range(len(subject.start)) if case.wrong(i)]
        return self._judged([i for i in wrong if not self._right_along_structure(i, points, upstreams)])

    def _judged(self, wrong: list[int], usual: bool = True) -> list[int]:
        """Of inputs whose numbers differ: the faults, without what is rounding, constant or meant.

        A word in the source is no excuse for what is wrong at unusual inputs alone.
        """
        case = self.case
        wrong = [i for i in wrong if not (self._constant(i) or self._tied(i) or self._slight(i))]
        fine = [i for i in wrong if self._only_rounding(case, i)]
        self.findings += [replace(case.finding("single-precision", i), grade=LIMITED) for i in fine]
        wrong = [i for i in wrong if i not in fine]
        if not wrong:
            rounded = list(self._rounded(case))
            self.findings += rounded
            if rounded or fine:
                self.subject.rounding = 2.0**-23  # no finer question has an answer
        asked = [i for i in wrong if not conjugate_missing(case, i)]
        meant = recognise(case, asked, self.source, self.intended, usual) if asked else {}
        for i, finding in meant.items():
            if (
                self.intended in KINDS
                and finding.grade == LIMITED
                and finding.fault in kept_by(self.intended)
            ):
                self.choices.append(Remark("promise-kept", f"{finding.input}: {finding.fault}"))
            else:
                self.findings.append(self._located(finding, i))
        coarse = [i for i in wrong if i not in meant and self._is_coarse(i)]
        self.findings += [replace(case.finding("coarse-forward", i), grade=LIMITED) for i in coarse]
        return [i for i in wrong if i not in meant and i not in coarse]

    def _is_coarse(self, i: int) -> bool:
        """Is its gradient right for wide steps, and the forward a staircase for short ones?

        A stair may happen to rise as the whole does, so that one place is enough to see it.
        """
        seen = [each for each in self.case.observations if self.case.wrong(i, [each])]
        apart = [apart_from_wider_steps(self.subject, s.truth, s.upstream, i, s.got(i)) for s in seen[:3]]
        return None not in apart and any(apart)

    def _constant(self, i: int) -> bool:
        """Nothing is returned for it, and nobody said that it needs a gradient: a remark, and no fault."""
        if i in self.subject.absent:  # JAX makes zeros of None
            self.choices.append(Remark("constant", self.case.names[i]))
            return True
        if any(seen.grads[i] is not None for seen in self.case.observations):
            return False
        if all(seen.grads[k] is None for seen in self.case.observations for k in range(len(self.case.names))):
            return False
        if self.subject.asked_for(i):
            finding = self.case.finding("gradient-missing", i)
            self.findings.append(replace(self._located(finding, i), grade=LIMITED))
        else:
            self.choices.append(Remark("constant", self.case.names[i]))
        return True

    def _slight(self, i: int) -> bool:
        """Is its gradient so small beside the others that the tolerance of an iteration may explain it?"""
        case = self.case
        largest = min(1.0, max(map(case.scale, range(len(case.names)))))
        if any(any(seen.got(i)) for seen in case.observations) or case.scale(i) > SLIGHT * largest:
            return False
        self.unseen.append(Unseen("slight", case.names[i]))
        return True

    def _tied(self, i: int) -> bool:
        """Does nothing depend on it, perhaps because a function that was handed over uses another copy?"""
        if self.case.scale(i) > 0.0 or not self.subject.may_be_tied(i) or self._shows_from_afar(i):
            return False
        self.unseen.append(Unseen("tied", self.case.names[i]))
        self.tied.add(i)
        return True

    def _shows_from_afar(self, i: int) -> bool:
        """Does the forward change with large changes of an input, as a step does?"""
        start = self.subject.start
        for factor in (-1.0, 12.0):
            try:
                there = self.subject.forward(
                    (*start[:i], start[i].map(lambda x, f=factor: f * x), *start[i + 1 :])  # type: ignore[misc]
                )
            except RuleRefusedError:
                continue
            if there != list(self.case.observations[0].truth.outputs):
                return True
        return False

    def _right_along_structure(
        self, i: int, points: Sequence[Point], upstreams: Sequence[tuple[Grid, ...]]
    ) -> bool:
        """Is it right for all changes that keep what its input is: symmetric, on a simplex ...?

        Of invented matrices that happen to be symmetric this is asked only where the source speaks of
        symmetric ones: a forgotten transpose would pass.
        """
        for kept in self.structures[i]:
            spoken_of = self.source.speaks_of(kept.code)
            if kept.code == "symmetric" and self.invented and not spoken_of:
                continue
            answer = right_along(self.subject, points, upstreams[:2], i, kept, self.case.slack)
            if answer is None and spoken_of and self.subject.rounding > 1e-12:
                raise RuleRefusedError("numerics", "")  # what differs may be what leaves the structure
            if answer:
                self.structured.add(i)
                if not spoken_of:  # the numbers alone may be so by chance
                    finding = self.case.finding("right-along", i, structure=kept.code)
                    self.findings.append(replace(finding, grade=LIMITED))
                self.choices.append(Remark(kept.code, self.subject.names[i]))
                self.compared = max(self.compared, 12)
                return True
        return False

    def _prove(self) -> None:
        """Run forward and backward on symbols, where sampling has found nothing."""
        if self.subject.library != "torch" or self._verdict("gradient") != CORRECT or self.subject.draws:
            return
        if not isinstance(self.subject.rule, type):
            return
        from .proof import prove

        proof = prove(self.subject.rule, self.subject.given, self.subject.places, PROOF_SECONDS)
        if proof is None:
            return
        shapes = "; ".join(", ".join(map(_size, each)) for each in proof.shapes)
        excluded = "; ".join(dict.fromkeys((*proof.excluded, *proof.fixed)))
        self.proof = ProofScope(proof.scope, shapes, excluded)

    def _observe(self, points: Sequence[Point], upstreams: Sequence[tuple[Grid, ...]]) -> list[Truth]:
        truths = []
        for point in points:
            truth = measure(self.subject, point, upstreams, also=self.doubtful)
            truths.append(truth)
            for upstream in upstreams:
                self.case.observations.append(
                    Observation(upstream, truth, self.subject.pull(point, upstream).grads)
                )
        return truths

    def _wrong_elsewhere(self, upstreams: Sequence[tuple[Grid, ...]]) -> list[int]:
        """The same rule at other inputs: only where the forward gives numbers.

        Nobody said that a rule is meant for these.  So what is wrong there and nowhere else limits it, and
        is a fault only if the caller asked to look there.
        """
        strange = [p for p in _elsewhere(self.subject.start) if self._strange(p, upstreams)]
        if not strange:
            return []
        case = self.case
        if not case.observations:
            self._observe([self.subject.start], upstreams)
        for point in strange:
            try:
                self._observe([point], upstreams)
            except RuleRefusedError as refused:
                if refused.stage == "backward":
                    found = self._located(self._raised(refused), None, refused)
                    self.findings.append(replace(found, grade=LIMITED))
                    return []
        judged = [i for i in range(len(self.subject.start)) if i not in self.structured and case.wrong(i)]
        wrong = self._judged(judged, usual=False)
        if not self.invented:
            return wrong
        for i in wrong:
            self.findings.append(replace(self._located(name_pattern(case, i), i), grade=LIMITED))
        return []

    def _strange(self, point: Point, upstreams: Sequence[tuple[Grid, ...]]) -> bool:
        """Does the forward run there, and the quick comparison not settle it?"""
        if self.invented and not self._belongs(point):
            return False
        try:
            outputs = self.subject.forward(point)
        except RuleRefusedError:
            return False
        shapes = [g.shape for g in outputs] == [g.shape for g in upstreams[0]]
        if not shapes or not all(grid.finite for grid in outputs):
            return False
        plain = self.subject.plain_pull(point, upstreams[0])
        if plain is not None and any(grad is not None and not grad.finite for grad in plain.grads):
            return False  # the forward has a value there and no derivative
        try:
            return not self._agrees([point], upstreams)
        except RuleRefusedError:
            return True

    def _belongs(self, point: Point) -> bool:
        """Are these numbers inside what a guard, a logarithm or a clip of the forward is meant for?"""
        from .torch_rules import takes_ctx

        subject = self.subject
        skip = subject.library == "torch" and takes_ctx(subject.rule)
        return belongs(subject.rule, skip, subject.places, point)

    def _values(self, start: Point) -> None:
        """Does the custom forward give what the plain function gives?"""
        plain = self.subject.plain_forward(start)
        if plain is None:
            return
        outputs = self.subject.forward(start)
        if [g.shape for g in plain] != [g.shape for g in outputs]:
            self.findings.append(RuleFinding("forward-differs"))
            return
        for ours, theirs in zip(outputs, plain, strict=True):
            for e, (got, due) in enumerate(zip(ours.numbers, theirs.numbers, strict=True)):
                if abs(got - due) > max(1e-9, 30.0 * self.subject.rounding) * max(1.0, abs(due)):
                    place = ours.position(e)
                    self.findings.append(
                        RuleFinding("forward-differs", position=place, got=got, expected=due)
                    )
                    return

    @staticmethod
    def _only_rounding(case: RuleCase, i: int) -> bool:
        """Are all wrong numbers off by no more than float32 leaves, beside the largest of their run?"""
        for entry in case.wrong(i):
            due = [abs(x) for x in entry.observation.values(i) if isfinite(x)]
            if not abs(entry.got - entry.expected.value) <= 2e-6 * max(due, default=0.0):
                return False
        return True

    def _rounded(self, case: RuleCase) -> Iterator[RuleFinding]:
        """A rule that computes in float32 where its inputs have float64."""
        if self.subject.rounding > 1e-12:
            return
        for i, name in enumerate(case.names):
            entries = [e for e in case.entries(i) if isfinite(e.expected.value) and e.expected.value]
            rough = [
                e
                for e in entries
                if abs(e.got - e.expected.value) > max(4e-9 * abs(e.expected.value), 20.0 * e.expected.error)
            ]
            if len(rough) >= 4 and 2 * len(rough) > len(entries) and all(e.right for e in entries):
                worst = max(rough, key=lambda e: abs(e.got - e.expected.value))
                place = worst.observation.point[i].position(worst.position)
                yield RuleFinding("single-precision", name, LIMITED, place, worst.got, worst.expected.value)

    def _graded(self, finding: RuleFinding, i: int) -> RuleFinding:
        """A small deviation without a cause may come of an iteration, or be an approximation on purpose.

        So may one of a region: a constant that is rounded in one of the two has no effect around zero.
        """
        if finding.fault not in ("unrecognised", "wrong-in-region"):
            return finding
        entries = self.case.wrong(i)
        gaps = [abs(e.got - e.expected.value) for e in entries]
        largest = max((abs(e.expected.value) for e in entries if isfinite(e.expected.value)), default=0.0)
        if not all(isfinite(gap) and gap <= NEARLY * largest for gap in gaps):
            return finding
        return replace(finding, fault="approximate", grade=LIMITED)

    def _witness(self, case: RuleCase, upstream: tuple[Grid, ...]) -> None:
        """The plain forward's own gradients count as a witness where they agree with the differences."""
        if not case.observations:
            if not self.grouped:
                self.witnesses.append("plain")  # it was what the rule was compared with
            return
        seen = case.observations[0]
        plain = self.subject.plain_pull(seen.point, seen.upstream)
        if plain is None or any(grad is None for grad in plain.grads):
            return
        twin = RuleCase(self.subject, [Observation(seen.upstream, seen.truth, plain.grads)], case.slack)
        if not any(twin.wrong(i) for i in range(len(case.names))):
            self.witnesses.append("plain")

    def _left_unsummed(self, shapes: Sequence[tuple[int, ...] | None], wrong: Sequence[int]) -> None:
        for i, (shape, grid) in enumerate(zip(shapes, self.subject.start, strict=False)):
            if shape is not None and i not in wrong and broadcasts(grid.shape, shape):
                self.choices.append(Remark("unsummed", self.subject.names[i]))

    def _conduct(self, near: Point, upstream: tuple[Grid, ...], wrong: bool) -> None:
        try:
            deadline = monotonic() + self.budget
            beyond = self.beyond and self._verdict("gradient") == CORRECT
            stages = self.subject.stages(self.subject.start, near, upstream, beyond, deadline)
            for found in run_stages(stages, deadline):
                if isinstance(found, RuleFinding) and found.about == "second" and (wrong or self.structured):
                    # A wrong rule is no measure of its own derivative; and matrices that are symmetric would
                    # have to stay so.
                    self.unseen.append(Unseen("again" if wrong else "twice"))
                elif isinstance(found, RuleFinding):
                    if not (wrong and found.fault in BY_THE_WAY):
                        self.findings.append(self._located(found))
                elif isinstance(found, Unseen):
                    self.unseen.append(found)
                else:
                    self.choices.append(found)
        except RuleRefusedError as refused:  # it ran before: what it keeps from call to call is in the way
            self.unseen.append(Unseen("conduct", refused.message))
        self.conducted = True

    def _located(
        self, finding: RuleFinding, i: int | None = None, refused: RuleRefusedError | None = None
    ) -> RuleFinding:
        """The same finding with the line in the source, and with a repair of it where one is found."""
        source = self.source
        if not source.file or self.subject.library != "torch":
            return (
                finding
                if not source.file
                else replace(finding, file=source.file, line=self._line(finding, i, refused))
            )
        if finding.about == "gradient" and finding.grade == WRONG and self.case.observations:
            from .backward_repairs import find_repair

            if repair := find_repair(self.case, i):
                fault = "one-change" if finding.fault == "unrecognised" else finding.fault
                where = {"file": repair.file, "line": repair.line, "diff": repair.diff}
                return replace(finding, fault=fault, **where)  # type: ignore[arg-type]
        line = self._line(finding, i, refused)
        return finding if line is None else replace(finding, file=source.file, line=line)

    def _line(self, finding: RuleFinding, i: int | None, refused: RuleRefusedError | None) -> int | None:
        source, method = self.source, "backward"
        if self.subject.library != "torch":
            method = str(getattr(self.subject.rule, "__name__", ""))
        if refused is not None and (line := refused.line_in(source.file, method)) is not None:
            return line
        if finding.fault == "input-changed":
            return changing_line(source, str(finding.fields.get("what", "forward")))
        if finding.fault == "upstream-changed":
            return changing_line(source, method)
        if finding.fault == "stale-saved":
            return state_line(source)
        if i is None and finding.input in self.subject.names:
            i = self.subject.names.index(finding.input)
        place = None if i is None else self.subject.places[i]
        return returned_line(source, place, method, self._lines_run())

    def _lines_run(self) -> set[int]:
        """The lines of the file that a backward runs: it may have several return statements."""
        if not self.case.observations:
            return set()
        if self.ran is None:
            seen = self.case.observations[0]
            self.ran = lines_run(self.source.file, lambda: self.subject.pull(seen.point, seen.upstream))
        return self.ran

    def _raised(self, refused: RuleRefusedError) -> RuleFinding:
        """What an error in the backward rule says about it."""
        count, due = returned_count(self.source), len(self.subject.described)
        if count is not None and count < due:
            return RuleFinding("wrong-count", fields={"message": f"{count} / {due}"})
        for i, (shape, grid) in enumerate(zip(refused.shapes, self.subject.start, strict=False)):
            if shape is not None and shape != grid.shape:
                fields: dict[str, float | str] = {"got": _size(shape), "due": _size(grid.shape)}
                fault = "broadcast-sum-missing" if broadcasts(grid.shape, shape) else "wrong-shape"
                if len(shape) == 2 and shape == grid.shape[::-1]:
                    return RuleFinding(
                        "transposed", self.subject.names[i], fields={"what": "result", "other": ""}
                    )
                return RuleFinding(fault, self.subject.names[i], fields=fields)
        if "number of gradients" in refused.message:
            return RuleFinding("wrong-count", fields={"message": refused.message})
        return RuleFinding("error-in-backward", fields={"message": refused.message})


def _size(shape: Sequence[int]) -> str:
    return "(" + ", ".join(map(str, shape)) + ")"


def _elsewhere(start: Point) -> Iterator[Point]:
    """Negatives, large and small numbers, zeros, ones, ties."""

    def at(grid: Grid, change: Callable[[int, float], float]) -> Grid:
        return grid.like([change(e, x) for e, x in enumerate(grid.numbers)])

    yield tuple(grid.map(lambda x: -x) for grid in start)
    yield tuple(at(grid, lambda e, x: x if e % 2 else -x) for grid in start)
    yield tuple(grid.map(lambda x: 12.0 * x) for grid in start)
    yield tuple(grid.map(lambda x: -12.0 * x) for grid in start)
    yield tuple(grid.map(lambda x: 0.02 * x) for grid in start)
    for k in range(len(start)):
        zeros = at(start[k], lambda e, x: x if e % 2 else 0.0)
        yield (*start[:k], zeros, *start[k + 1 :])
    yield tuple(at(grid, lambda e, x: 1.0 if e % 2 else -1.0) for grid in start)
    first = start[0].numbers[0] if start and len(start[0]) else 1.0
    yield tuple(grid.map(lambda _: first) for grid in start)
