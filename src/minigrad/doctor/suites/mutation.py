"""Mutation of an engine: the catalogue's faults planted one at a time, under somebody's own tests.

    found = mutate("engine.py:Value", "pytest -q")
    found.survived      # the planted bugs that the tests pass with
    print(found)        # each with its line, its diff, and a one-line test that catches it

The project is copied aside, and the tests must pass there with the unchanged engine and fail with one
that cannot be imported; otherwise they say nothing about it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from ...faults import FAULTS, Suspect
from ...text.page import Page, Result, Sections
from ...text.translation import pick, say
from ..engine.source import EngineSource, subject_of
from ..patches.anatomy import Anatomy
from ..patches.patch import Patch
from ..patches.planted_bugs import mutants
from ..patches.planted_bugs.field_names import read_anatomy
from ..sandbox.process import PROCESSES
from ..sandbox.runner import ChildProgram, Command, Ended, Job, Limits, RawMessage, Runner
from .one_line_tests import imports_of, lines_for
from .project_copy import CopySize, MutationError, copy_project, measure_project, project_of, words_of

if TYPE_CHECKING:
    from .line_trials import LineRequest

__all__ = ["EQUIVALENT", "KILLED", "SURVIVED", "TIMED_OUT", "Mutation", "MutationError", "Trial", "mutate"]

SCHEMA = "minigrad.mutation/1"
KILLED, SURVIVED, TIMED_OUT, EQUIVALENT = "killed", "survived", "timed-out", "equivalent"
MOST_LINES = 80  # one-line tests that are tried on a survivor
CANARY = "raise ImportError\n"
KEPT = 4000  # bytes of what a command printed last
LINE_TRIALS = ChildProgram("line_trials", str(Path(__file__).parent))  # standard library only


@dataclass(frozen=True)
class Trial:
    """One planted bug, and what the tests said."""

    mutant: Patch
    verdict: str
    seconds: float
    test: str = ""  # one line that fails with it and passes without, where one was found

    @property
    def name(self) -> str:
        fault = FAULTS[self.mutant.kind]
        if self.mutant.op:
            return pick(fault.name).format(what=self.mutant.op)
        return Suspect(fault, fault.sample[0]).name(fault.graph)

    @property
    def story(self) -> str:
        return pick(FAULTS[self.mutant.kind].story)


@dataclass(frozen=True, repr=False)
class Mutation(Result):
    """What the tests noticed, and what they did not."""

    path: Path
    class_name: str
    tests: str
    source: str
    copied: CopySize
    baseline: Ended[str]
    trials: tuple[Trial, ...]
    planted: int  # faults that could be planted, those beyond a limit among them
    imports: str

    def _with(self, verdict: str) -> list[Trial]:
        return [trial for trial in self.trials if trial.verdict == verdict]

    @property
    def killed(self) -> list[Trial]:
        return [trial for trial in self.trials if trial.verdict in (KILLED, TIMED_OUT)]

    @property
    def survived(self) -> list[Trial]:
        return self._with(SURVIVED)

    @property
    def timed_out(self) -> list[Trial]:
        return self._with(TIMED_OUT)

    @property
    def equivalent(self) -> list[Trial]:
        return self._with(EQUIVALENT)

    @property
    def exit_code(self) -> int:
        return 1 if self.survived else 0

    def sections(self, page: Page) -> Sections:
        from .report_text import sections

        return sections(self, page)

    def _title(self) -> str:
        return say("mutation.title")

    def __repr__(self) -> str:
        return f"<Mutation of {self.path.name}: {len(self.killed)} killed, {len(self.survived)} survived>"

    def to_json(self) -> dict[str, object]:
        return {
            "schema": SCHEMA,
            "path": self.path.name,
            "class": self.class_name,
            "tests": self.tests,
            "copied": {"files": self.copied.files, "bytes": self.copied.size},
            "planted": self.planted,
            "killed": len(self.killed),
            "survived": len(self.survived),
            "timed_out": len(self.timed_out),
            "equivalent": len(self.equivalent),
            "imports": self.imports,
            "mutants": [
                {
                    "fault": trial.mutant.kind,
                    "op": trial.mutant.op,
                    "line": trial.mutant.line,
                    "verdict": trial.verdict,
                    "diff": trial.mutant.diff(self.source, self.path.name),
                    "test": trial.test or None,
                }
                for trial in self.trials
            ],
        }


def mutate(
    path: str,
    tests: str,
    *,
    only: Iterable[str] = (),
    limit: int | None = None,
    jobs: int = 2,
    seconds: float | None = None,
    project: Path | str | None = None,
    data: str = "",
    grad: str = "",
    notices: Callable[[str], bool] | None = None,
    on_trial: Callable[[Trial], object] | None = None,
    runner: Runner = PROCESSES,
) -> Mutation:
    """Try the command `tests` on every planted bug.

    `only` keeps some faults, or families of them; `limit` keeps so many mutants, the usual faults first.
    `seconds` is the time for one run; without it, several times what the unchanged engine takes.
    `notices(source)` says whether other probes tell a source from the original: a survivor that they do
    not tell either looks equivalent and is set aside.  ValueError where the tests cannot be tried.
    """
    words = words_of(tests)
    subject = subject_of(path)
    if subject.cells:
        raise MutationError(say("mutation.notebook", path=subject.path.name))
    body = read_anatomy(subject.source, subject.classes[0], data, grad)
    all_planted = mutants(subject.source, body)
    chosen = _chosen(all_planted, set(only), limit)
    if not chosen:
        raise MutationError(say("mutation.nothing", path=subject.path.name))
    folder = Path(project).resolve() if project is not None else project_of(subject.path)
    if not subject.path.is_relative_to(folder):
        raise MutationError(say("mutation.outside", path=subject.path, folder=folder))
    size = measure_project(folder)
    with tempfile.TemporaryDirectory(prefix="minigrad-") as place:
        workplaces = [
            _Workplace(folder, Path(place, str(i)), subject, words, runner) for i in range(max(1, jobs))
        ]
        baseline = _checked(workplaces[0], seconds)
        allowed = seconds or max(10.0, 5.0 * baseline.seconds)
        trials = _tried(workplaces, subject, chosen, allowed, on_trial)
        imports = imports_of(body, subject.name)
        if notices is not None:
            trials = [_set_aside(trial, subject.source, notices) for trial in trials]
        trials = _with_tests(workplaces[0], body, trials, imports)
    return Mutation(
        subject.path, subject.classes[0], tests, subject.source, size, baseline, tuple(trials),
        len(all_planted), imports,
    )  # fmt: skip


def _chosen(found: Sequence[Patch], only: set[str], limit: int | None) -> list[Patch]:
    unknown = only - FAULTS.keys() - {fault.family for fault in FAULTS.values()}
    if unknown:
        from ...faults.break_lab import fault_called

        fault_called(min(unknown))  # says which was probably meant
    kept = [m for m in found if not only or m.kind in only or FAULTS[m.kind].family in only]
    if limit is None or limit >= len(kept):
        return kept
    turns: dict[str, int] = {}
    ranked = []
    for place, mutant in enumerate(kept):  # every fault once before one comes twice, the usual ones first
        turn = turns[mutant.kind] = turns.get(mutant.kind, 0) + 1
        ranked.append((turn, -FAULTS[mutant.kind].seen, place, mutant))
    ranked.sort(key=lambda row: row[:3])
    wanted = {id(mutant) for *_, mutant in ranked[: max(0, limit)]}
    return [mutant for mutant in kept if id(mutant) in wanted]


class _Workplace:
    """One copy of the project, in which one mutant at a time is tested."""

    def __init__(
        self, folder: Path, place: Path, subject: EngineSource, words: Sequence[str], runner: Runner
    ) -> None:
        place.mkdir()
        self.folder = copy_project(folder, place)
        self.words, self.original, self.runner = words, subject.source, runner
        self.file = self.folder / subject.path.relative_to(folder)
        roots = [Path(root) for root in subject.search]
        inside = [self.folder / root.relative_to(folder) for root in roots if root.is_relative_to(folder)]
        self.search = tuple(str(root) for root in dict.fromkeys([*inside, self.folder]))

    def test(self, source: str, seconds: float) -> Ended[str]:
        """Run the user's tests with this source."""
        return self._run(source, Command(tuple(self.words)), None, seconds)

    def try_lines(self, source: str, imports: str, lines: Sequence[str]) -> str:
        """p, f or e for each line; all f where the child has to be ended: what hangs is no pass."""
        request: LineRequest = {"imports": imports, "lines": list(lines)}
        answers = self._run(source, LINE_TRIALS, request, 20.0).messages
        return answers[-1] if answers and len(answers[-1]) == len(lines) else "f" * len(lines)

    def _run(self, source: str, what: ChildProgram | Command, request: object, seconds: float) -> Ended[str]:
        limits = Limits(wall=seconds, output_kept=KEPT)
        job = Job(what, request, limits, path=self.search, project=str(self.folder))
        self.file.write_text(source, encoding="utf-8")
        try:
            return self.runner.run(job, line_answers)
        finally:
            self.file.write_text(self.original, encoding="utf-8")


def line_answers(raw: RawMessage) -> str | None:
    """The letters that the child sends, a letter for each line."""
    answers = raw.get("answers")
    return answers if isinstance(answers, str) and set(answers) <= set("pfe") else None


def _checked(workplace: _Workplace, seconds: float | None) -> Ended[str]:
    """The unchanged engine passes, and one that cannot be imported does not."""
    baseline = workplace.test(workplace.original, seconds or 600.0)
    if baseline.kind == "timeout":
        raise MutationError(
            say("mutation.slow", tests=" ".join(workplace.words), seconds=round(baseline.seconds))
        )
    if baseline.kind != "finished":
        code = -baseline.signal if baseline.signal else baseline.code
        raise MutationError(say("mutation.failing", code=code, output=_last_lines(baseline.output)))
    blind = workplace.test(CANARY, seconds or max(10.0, 5.0 * baseline.seconds))
    if blind.kind == "finished":
        raise MutationError(say("mutation.blind", path=workplace.file.name))
    return baseline


def _last_lines(output: str) -> str:
    return "\n".join(f"  {line}" for line in output.strip().splitlines()[-12:])


def _tried(
    workplaces: Sequence[_Workplace],
    subject: EngineSource,
    chosen: Sequence[Patch],
    seconds: float,
    on_trial: Callable[[Trial], object] | None,
) -> list[Trial]:
    free: SimpleQueue[_Workplace] = SimpleQueue()
    for workplace in workplaces:
        free.put(workplace)

    def trial(mutant: Patch) -> Trial:
        workplace = free.get()
        try:
            ended = workplace.test(mutant.apply(subject.source), seconds)
        finally:
            free.put(workplace)
        verdict = {"timeout": TIMED_OUT, "finished": SURVIVED}.get(ended.kind, KILLED)
        return Trial(mutant, verdict, ended.seconds)

    found = []
    with ThreadPoolExecutor(len(workplaces)) as pool:
        try:
            for done in pool.map(trial, chosen):
                found.append(done)
                if on_trial is not None:
                    on_trial(done)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return found


def _set_aside(trial: Trial, source: str, notices: Callable[[str], bool]) -> Trial:
    if trial.verdict == SURVIVED and not notices(trial.mutant.apply(source)):
        return replace(trial, verdict=EQUIVALENT)
    return trial


# ---- a test for each survivor ---------------------------------------------------------------------


def _with_tests(workplace: _Workplace, body: Anatomy, trials: Sequence[Trial], imports: str) -> list[Trial]:
    """Each survivor with the first line that fails with it and passes without."""
    passing: dict[str, bool] = {}
    found = []
    for trial in trials:
        line = ""
        if trial.verdict == SURVIVED:
            lines = list(lines_for(body, trial.mutant.kind, trial.mutant.op))[:MOST_LINES]
            unknown = [one for one in lines if one not in passing]
            if unknown:
                answers = workplace.try_lines(workplace.original, imports, unknown)
                passing.update(zip(unknown, [a == "p" for a in answers], strict=True))
            right = [one for one in lines if passing[one]]
            if right:
                broken = workplace.try_lines(trial.mutant.apply(workplace.original), imports, right)
                line = next((one for one, a in zip(right, broken, strict=True) if a == "f"), "")
        found.append(replace(trial, test=line))
    return found
