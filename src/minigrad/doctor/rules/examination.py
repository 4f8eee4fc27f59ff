"""The examination of a custom backward rule: run it, measure the slopes, compare, and name what differs.

    report = examine_function(Mul, (torch.randn(3, 4), torch.randn(4)))
    report.verdict          # "correct", "wrong", "limited" or "not examined"

The forward is believed, the rule is on trial: the slopes come from differences of the forward in float64.
A plain function, where there is one, is asked for its values and gradients as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from math import isfinite
from random import Random
from warnings import catch_warnings, simplefilter

from ..verdict import Verdict
from .expected import Truth, measure
from .grids import Grid, broadcasts
from .observations import Observation, RuleCase
from .patterns import name_pattern
from .report import (
    CORRECT,
    LIMITED,
    NOT_EXAMINED,
    WRONG,
    ExaminedInput,
    Remark,
    RuleFinding,
    RuleReport,
    Unseen,
)
from .subject import Point, Rule, RuleRefusedError, RuleSubject

__all__ = ["examine_function", "examine_subject"]

SLACK = 1e-5  # relative; a rule that is wrong by 0.05% is caught


def examine_function(
    fn: Rule,
    inputs: Sequence[object] | None = None,
    *,
    plain: Rule | None = None,
    library: str | None = None,
    seed: int = 0,
    elsewhere: bool = True,
    origin: str = "given",
) -> RuleReport:
    """Is the backward rule of `fn` the derivative of its forward?

    `fn` is a subclass of torch.autograd.Function, a function that uses one, or a function of JAX with
    custom_vjp or custom_jvp.  Without `inputs` some are invented.  `plain` computes the same without a
    custom rule.  `elsewhere=False` keeps to the neighbourhood of the inputs: it leaves out their
    negatives, large and small ones, zeros and ties.  `origin` says where the inputs come from.
    """
    from .torch_rules import is_torch, one_thread

    chosen = library or ("torch" if is_torch(fn, inputs) else "jax")
    with catch_warnings(), one_thread() if chosen == "torch" else nullcontext():
        simplefilter("ignore")  # what the user's code warns of is not in question here
        run = partial(_run_examination, fn, inputs, chosen, elsewhere, plain, seed, origin)
        report = run()
        if inputs is None and report.faults in (("error-in-backward",), ("wrong-shape",)):
            # An operand that should be transposed raises for (3, 4) and (4, 5), and shows for squares.
            again = run(square=True)
            if again.verdict == WRONG and again.faults not in (("error-in-backward",), ("wrong-shape",)):
                return again
        return report


def _run_examination(
    fn: Rule,
    inputs: Sequence[object] | None,
    library: str,
    elsewhere: bool,
    plain: Rule | None,
    seed: int,
    origin: str,
    square: bool = False,
) -> RuleReport:
    from .jax_rules import jax_subject
    from .torch_rules import torch_subject

    make: Callable[..., RuleSubject] = torch_subject if library == "torch" else jax_subject
    try:
        subject = make(fn, inputs, plain, seed, origin, square)
    except RuleRefusedError as refused:
        name = getattr(fn, "__name__", type(fn).__name__)
        unseen = (Unseen(refused.stage, refused.message),)
        return RuleReport(library, name, NOT_EXAMINED, not_examined=unseen)
    return examine_subject(subject, seed=seed, elsewhere=elsewhere)


def examine_subject(subject: RuleSubject, *, seed: int = 0, elsewhere: bool = True) -> RuleReport:
    return _RuleExamination(subject, seed, elsewhere).report()


class _RuleExamination:
    """One run through all questions; what it finds is gathered on the way."""

    def __init__(self, subject: RuleSubject, seed: int, elsewhere: bool) -> None:
        self.subject, self.elsewhere = subject, elsewhere
        self.random = Random(seed)
        self.findings: list[RuleFinding] = []
        self.choices: list[Remark] = []
        self.unseen: list[Remark] = [*subject.remarks]
        self.compared = 0
        self.witnesses: list[str] = []

    def report(self) -> RuleReport:
        try:
            self._examine()
        except RuleRefusedError as refused:
            if refused.stage == "backward":
                self.findings.append(self._raised(refused))
            else:
                self.unseen.append(Unseen(refused.stage, refused.message))
                return self._written(NOT_EXAMINED)
        grades = {finding.grade for finding in self.findings}
        if not self.compared and not self.findings:
            return self._written(NOT_EXAMINED)
        return self._written(WRONG if WRONG in grades else LIMITED if LIMITED in grades else CORRECT)

    def _written(self, verdict: Verdict) -> RuleReport:
        subject = self.subject
        inputs = getattr(subject, "described", None) or tuple(
            ExaminedInput(name, grid.shape) for name, grid in zip(subject.names, subject.start, strict=True)
        )
        return RuleReport(
            subject.library,
            subject.name,
            verdict,
            tuple(self._once(self.findings)),
            tuple(dict.fromkeys(self.choices)),
            tuple(dict.fromkeys(self.unseen)),
            inputs,
            getattr(subject, "origin", "given"),
            self.compared,
            tuple(self.witnesses),
        )

    @staticmethod
    def _once(findings: Sequence[RuleFinding]) -> list[RuleFinding]:
        kept: dict[tuple[str, str], RuleFinding] = {}
        for finding in findings:
            kept.setdefault((finding.fault, finding.input), finding)
        return list(kept.values())

    # ---- the questions, in order -----------------------------------------------------------

    def _examine(self) -> None:
        subject, start = self.subject, self.subject.start
        outputs = subject.forward(start)
        if not any(len(grid) for grid in outputs):
            raise RuleRefusedError("nothing", "")
        near = tuple(grid.map(self._nudged) for grid in start)
        upstreams = [self._upstream(outputs, kind) for kind in ("random", "random", "single")]
        self._values(start)
        shapes = subject.returned_shapes(start, upstreams[0])
        if finding := subject.first_look(start, upstreams[0]):
            self.findings.append(finding)
            return
        case = RuleCase(subject, [], max(SLACK, 30.0 * subject.rounding))
        truths = self._observe(case, [start, near], upstreams)
        if not any(truth.anything for truth in truths):
            raise RuleRefusedError("numerics", "")
        if any(not truth.whole for truth in truths):
            self.unseen.append(Unseen("large"))
        suspicious = self._own_rules(case)
        wrong = [i for i in range(len(start)) if i not in suspicious and case.wrong(i)]
        if not wrong and self.elsewhere:
            self._look_elsewhere(case, upstreams[:1])
            wrong = [i for i in range(len(start)) if i not in suspicious and case.wrong(i)]
        fine = [i for i in wrong if self._only_rounding(case, i)]
        wrong = [i for i in wrong if i not in fine]
        self.findings += [name_pattern(case, i) for i in wrong]
        self.findings += [replace(case.finding("single-precision", i), grade=LIMITED) for i in fine]
        self.compared += sum(1 for i in range(len(start)) for _ in case.entries(i))
        if not wrong:
            rounded = list(self._rounded(case, suspicious))
            self.findings += rounded
            if rounded or fine:
                subject.rounding = 2.0**-23  # no finer question has an answer
        self._witness(case)
        self._left_unsummed(shapes, wrong)
        self._conduct(near, upstreams[0], bool(wrong))

    def _nudged(self, x: float) -> float:
        return x * (1.0 + self.random.uniform(-0.25, 0.25)) + (
            self.random.uniform(-0.1, 0.1) if not x else 0.0
        )

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
            grid.map(lambda _: self.random.uniform(0.4, 2.0) * self.random.choice((-1.0, 1.0)))
            for grid in outputs
        )

    def _observe(
        self, case: RuleCase, points: Sequence[Point], upstreams: Sequence[tuple[Grid, ...]]
    ) -> list[Truth]:
        truths = []
        for point in points:
            truth = measure(self.subject, point, upstreams)
            truths.append(truth)
            for upstream in upstreams:
                case.observations.append(
                    Observation(upstream, truth, self.subject.pull(point, upstream).grads)
                )
        return truths

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

    def _own_rules(self, case: RuleCase) -> set[int]:
        """Inputs whose rule is another one on purpose: the forward is flat, or gives its input back."""
        found = set()
        for i in range(len(case.names)):
            if not case.wrong(i):
                continue
            flat = case.scale(i) < 1e-9 and all(
                each.known for seen in case.observations for each in seen.expected(i)
            )
            same = all(
                any(grid == seen.point[i] for grid in seen.truth.outputs) for seen in case.observations
            )
            if flat or same:
                found.add(i)
                finding = case.finding("straight-through" if flat else "own-gradient", i)
                self.findings.append(replace(finding, grade=LIMITED))
        return found

    def _look_elsewhere(self, case: RuleCase, upstreams: Sequence[tuple[Grid, ...]]) -> None:
        """The same rule at other inputs: only where the forward gives numbers."""
        for point in _elsewhere(self.subject.start):
            try:
                outputs = self.subject.forward(point)
            except RuleRefusedError:
                continue
            if not all(grid.finite for grid in outputs) or [g.shape for g in outputs] != [
                g.shape for g in upstreams[0]
            ]:
                continue
            try:
                self._observe(case, [point], upstreams)
            except RuleRefusedError as refused:
                if refused.stage == "backward":
                    self.findings.append(self._raised(refused))
                    return

    @staticmethod
    def _only_rounding(case: RuleCase, i: int) -> bool:
        """Are all wrong numbers off by no more than float32 leaves, beside the largest of their run?"""
        for entry in case.wrong(i):
            due = [abs(x) for x in entry.observation.values(i) if isfinite(x)]
            if not abs(entry.got - entry.expected.value) <= 2e-6 * max(due, default=0.0):
                return False
        return True

    def _rounded(self, case: RuleCase, skipped: set[int]) -> Iterator[RuleFinding]:
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
            if i not in skipped and len(rough) >= 4 and 2 * len(rough) > len(entries):
                worst = max(rough, key=lambda e: abs(e.got - e.expected.value))
                place = worst.observation.point[i].position(worst.position)
                yield RuleFinding("single-precision", name, LIMITED, place, worst.got, worst.expected.value)

    def _witness(self, case: RuleCase) -> None:
        """The plain forward's own gradients count as a witness where they agree with the differences."""
        self.witnesses.append("differences")
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
        for found in self.subject.conduct(self.subject.start, near, upstream):
            if wrong and isinstance(found, RuleFinding) and found.fault == "second-derivative-wrong":
                self.unseen.append(Unseen("again"))  # a wrong rule is no measure of its own derivative
            elif isinstance(found, RuleFinding):
                self.findings.append(found)
            elif isinstance(found, Unseen):
                self.unseen.append(found)
            else:
                self.choices.append(found)

    def _raised(self, refused: RuleRefusedError) -> RuleFinding:
        """What an error in the backward rule says about it."""
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
