"""Report on a mutation run in words: the verdict, what survives with a test against it, and what was run."""

from __future__ import annotations

from collections.abc import Iterator

from ...text.numerals import counted
from ...text.page import Page, columns
from ...text.translation import say
from .mutation import EQUIVALENT, Mutation, Trial

__all__ = ["sections"]

LONGEST = 16  # lines of a diff that are shown


def sections(mutation: Mutation, page: Page) -> Iterator[tuple[str, list[str]]]:
    yield say("mutation.verdict"), list(_verdict(mutation, page))
    if mutation.survived:
        lines = [line for trial in mutation.survived for line in _survivor(mutation, trial, page)]
        yield say("mutation.survivors"), list(page.clip(lines[:-1]))
    if mutation.equivalent:
        rows = columns(
            [trial.mutant.kind, str(trial.mutant.line), trial.name] for trial in mutation.equivalent
        )
        yield say("mutation.equivalent"), [f"  {'  '.join(row)}" for row in rows]
    yield say("mutation.run"), list(_run(mutation, page))


def _verdict(mutation: Mutation, page: Page) -> Iterator[str]:
    tried = len([trial for trial in mutation.trials if trial.verdict != EQUIVALENT])
    killed = len(mutation.killed)
    if mutation.survived:
        count = {"killed": counted(killed), "survived": counted(len(mutation.survived))}
        words = say("mutation.some", tried=counted(tried), **count)
        yield from page.wrap(words, kind="wrong")
    else:
        yield from page.wrap(say("mutation.all", tried=counted(tried)), kind="right")


def _survivor(mutation: Mutation, trial: Trial, page: Page) -> Iterator[str]:
    place = say("mutation.line", line=trial.mutant.line, path=mutation.path.name)
    yield from page.wrap(f"{trial.mutant.kind}: {trial.name} ({place})", kind="wrong")
    yield from page.wrap(trial.story, indent="    ")
    diff = trial.mutant.diff(mutation.source, mutation.path.name)[2:]
    for line in [*diff[:LONGEST], *(["..."] if len(diff) > LONGEST else [])]:
        kind = {"+": "added", "-": "removed"}.get(line[:1], "faint")
        yield page.ink(kind, f"    {line}")
    if trial.test:
        yield f"    {say('mutation.test')}"
        yield f"      {trial.test}"
    else:
        yield from page.wrap(say("mutation.no_line"), indent="    ")
    yield ""


def _run(mutation: Mutation, page: Page) -> Iterator[str]:
    files, seconds = counted(mutation.copied.files), f"{mutation.baseline.seconds:.1f}"
    yield from page.wrap(say("mutation.ran", tests=mutation.tests, files=files, seconds=seconds))
    if mutation.timed_out:
        yield from page.wrap(say("mutation.timed_out", count=counted(len(mutation.timed_out))))
    if len(mutation.trials) < mutation.planted:
        yield from page.wrap(
            say("mutation.more", tried=counted(len(mutation.trials)), planted=counted(mutation.planted))
        )
    if any(trial.test for trial in mutation.survived):
        yield from page.wrap(say("mutation.imports", imports=mutation.imports))
